//! Which of the scanner's rules suit a text: source code or anything else.

use crate::kind::{FileKind, kind_of};

/// What is scanned. Two layouts that hold secrets in data are ordinary syntax in code, so the scanner must know which it reads.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum TextKind {
    /// Source code in a language that has a grammar. An argument list looks like rows of a table, and a wrapped statement
    /// like a value below its name, so neither is read that way. A value that only its name gives away is masked where it
    /// was found and nowhere else, because it may well be an identifier.
    Code,
    /// Everything else: tables, settings, prose, messages, files of unknown kind. All rules apply.
    Data,
}

impl TextKind {
    /// The kind of a file, by its path and the beginning of its text.
    pub fn of_file(path: &str, head: &str) -> Self {
        // Both must agree: a `.env` that starts with `#!/bin/sh` has a grammar and is still data.
        let is_code = matches!(kind_of(path, head), FileKind::Code(_));
        match is_code && contexture_syntax::language_of(path, head).is_some() {
            true => Self::Code,
            false => Self::Data,
        }
    }
}
