//! Any text in any language: symbols, outline and remembered structures hold together, nothing panics.
#![no_main]

use contexture_syntax::{LANGUAGES, Structure, outline, outline_lines, read, symbols};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((first, rest)) = input.split_first() else { return };
    let language = LANGUAGES[usize::from(*first) % LANGUAGES.len()];
    let text = String::from_utf8_lossy(rest);
    let Ok(structure) = read(language, &text) else { return };
    let listed = symbols(language, &structure, &text);
    let mut names: Vec<_> = listed.iter().map(|symbol| &symbol.qualified).collect();
    let lines = outline_lines(language, &structure, &text);
    let mut told: Vec<_> = lines.iter().map(|line| &line.symbol.qualified).collect();
    names.sort();
    told.sort();
    assert_eq!(names, told);
    for symbol in &listed {
        assert!(symbol.start_line >= symbol.first_line && symbol.end_line >= symbol.start_line, "{symbol:?}");
        assert!(!symbol.name.is_empty());
    }
    outline(language, &structure, &text);
    assert_eq!(Structure::from_bytes(&structure.to_bytes(), &text), Some(structure));
    // Bytes of anybody's are refused or used, never believed blindly.
    if let Some(other) = Structure::from_bytes(rest, &text) {
        symbols(language, &other, &text);
    }
});
