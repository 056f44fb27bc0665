//! A text as the tests of every language look at it.

use contexture_syntax::{Language, errors, outline, read, skeleton, symbols};
use std::fmt::Write;

/// Kind, qualified name, lines, visibility, documentation.
pub fn symbol_list(language: &Language, text: &str) -> String {
    let structure = read(language, text).unwrap();
    let mut out = String::new();
    for symbol in symbols(language, &structure, text) {
        let (kind, seen) = (symbol.kind.as_str(), symbol.visibility.as_str());
        write!(out, "{kind} {} {}-{} {seen}", symbol.qualified, symbol.start_line, symbol.end_line).unwrap();
        if let Some(doc) = symbol.doc {
            write!(out, " {doc:?}").unwrap();
        }
        out.push('\n');
    }
    out
}

/// The skeleton, which has no more errors than the text.
pub fn bones(language: &Language, text: &str) -> String {
    let shown = skeleton(language, &read(language, text).unwrap(), text);
    assert!(errors(language, &shown).unwrap() <= errors(language, text).unwrap(), "{shown}");
    shown
}

pub fn lines(language: &Language, text: &str) -> String {
    outline(language, &read(language, text).unwrap(), text)
}

/// The views above for one language, as its tests call them.
macro_rules! views_of {
    ($name:literal) => {
        #[allow(dead_code)]
        fn language() -> &'static contexture_syntax::Language {
            contexture_syntax::by_name($name).unwrap()
        }

        #[allow(dead_code)]
        fn symbol_list(text: &str) -> String {
            crate::support::symbol_list(language(), text)
        }

        #[allow(dead_code)]
        fn bones(text: &str) -> String {
            crate::support::bones(language(), text)
        }

        #[allow(dead_code)]
        fn lines(text: &str) -> String {
            crate::support::lines(language(), text)
        }
    };
}
