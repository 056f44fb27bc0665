//! Every language: its row, its query file and its fixture give the views that stand in the snapshots.

use super::support;
use contexture_syntax::{LANGUAGES, errors, language_of, outline, outline_lines, read, skeleton, symbols};
use std::path::{Path, PathBuf};

/// The fixture of each language: `fixtures/sample.ENDING`.
fn fixtures() -> Vec<(PathBuf, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("fixtures");
    let mut found: Vec<_> = std::fs::read_dir(folder)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .map(|path| (path.clone(), std::fs::read_to_string(path).unwrap()))
        .collect();
    found.sort();
    found
}

#[test]
fn every_query_file_fits_its_grammar() {
    for language in LANGUAGES {
        if let Err(refusal) = read(language, "") {
            panic!("{}: {refusal}", language.name);
        }
    }
}

#[test]
fn views_of_the_fixtures() {
    for (path, text) in fixtures() {
        let name = path.file_name().unwrap().to_str().unwrap();
        let language = language_of(name, &text).unwrap_or_else(|| panic!("no language: {name}"));
        let structure = read(language, &text).unwrap();
        assert_eq!(errors(language, &text), Ok(0), "{name}");
        let shown = skeleton(language, &structure, &text);
        assert_eq!(errors(language, &shown), Ok(0), "{name}:\n{shown}");
        let again = skeleton(language, &read(language, &shown).unwrap(), &shown);
        assert_eq!(shown, again, "{name}: a skeleton is its own skeleton");
        let mut names: Vec<_> = symbols(language, &structure, &text).into_iter().map(|s| s.qualified).collect();
        let mut outlined: Vec<_> =
            outline_lines(language, &structure, &text).into_iter().map(|l| l.symbol.qualified).collect();
        names.sort();
        outlined.sort();
        assert_eq!(names, outlined, "{name}");
        insta::assert_snapshot!(name, format!("{shown}\n---\n\n{}", outline(language, &structure, &text)));
    }
}

#[test]
fn lines_that_end_otherwise_change_nothing() {
    for (path, text) in fixtures() {
        let language = language_of(path.to_str().unwrap(), &text).unwrap();
        let crlf = text.replace('\n', "\r\n");
        let symbol_list = |text: &str| support::symbol_list(language, text).replace("\\r\\n", "\\n");
        assert_eq!(symbol_list(&crlf), symbol_list(&text), "{}", language.name);
        let bones = |text: &str| support::bones(language, text).replace("\r\n", "\n");
        assert_eq!(bones(&crlf), bones(&text), "{}", language.name);
    }
}

#[test]
fn a_file_may_end_anywhere() {
    for (path, text) in fixtures() {
        let language = language_of(path.to_str().unwrap(), &text).unwrap();
        for (at, _) in text.char_indices().step_by(97) {
            support::bones(language, &text[..at]);
        }
    }
}
