//! Which language a file is written in: by ending, by name, by its `#!` line, and by content where an ending has two meanings.

use crate::language::Language;
use crate::languages::{LANGUAGES, PLAIN};
use crate::prepare::c::is_cpp;
use crate::text::has_word;

/// Longest `#!` line that is looked at.
const SHEBANG: usize = 256;

/// Every language, with a grammar or without.
pub fn all_languages() -> impl Iterator<Item = &'static Language> {
    LANGUAGES.iter().chain(PLAIN)
}

/// The language with this name, as [`Language::name`] has it.
pub fn by_name(name: &str) -> Option<&'static Language> {
    LANGUAGES.iter().find(|language| language.name == name)
}

/// The language of a file, when it is one of ours. `text` may be only the beginning.
pub fn language_of(path: &str, text: &str) -> Option<&'static Language> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path);
    let is_name = !["#!", "*."].iter().any(|lead| name.starts_with(lead));
    if let Some(language) = LANGUAGES.iter().find(|language| is_name && has_word(language.files, name)) {
        return Some(language);
    }
    let ending = name.rsplit_once('.').map(|(_, ending)| ending);
    if let Some(ending) = ending.filter(|ending| ending.len() <= 12) {
        // `.C` and `.H` are C++ by an old custom; every other ending is the same in capitals.
        if matches!(ending, "C" | "H") {
            return by_name("C++");
        }
        let ending = ending.to_ascii_lowercase();
        if ending == "h" && is_cpp(text) {
            return by_name("C++");
        }
        if ending == "ts" && text.trim_start().starts_with("<?xml") {
            return None;
        }
        if ending == "inc" && !text.trim_start().starts_with("<?php") {
            return None;
        }
        if let Some(language) = LANGUAGES.iter().find(|language| language.endings().any(|known| known == ending)) {
            return Some(language);
        }
    }
    by_shebang(text)
}

fn by_shebang(text: &str) -> Option<&'static Language> {
    let program = format!("#!{}", shebang_program(text)?);
    LANGUAGES.iter().find(|language| has_word(language.files, &program))
}

/// The program that the `#!` line of a text names, without version digits: the last part of the first word that is neither
/// `env` nor an option, as in `/usr/bin/env -S python3.12 -u`.
pub fn shebang_program(text: &str) -> Option<&str> {
    let line = text.strip_prefix('\u{feff}').unwrap_or(text).strip_prefix("#!")?;
    let line = line.get(..line.find(['\n', '\r']).unwrap_or(line.len()).min(SHEBANG)).unwrap_or("");
    let program = line
        .split_whitespace()
        .map(|word| word.rsplit('/').next().unwrap_or(word))
        .find(|word| *word != "env" && !word.starts_with('-') && !word.contains('='))?;
    Some(program.trim_end_matches(|c: char| c.is_ascii_digit() || c == '.'))
}
