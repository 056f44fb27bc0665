//! Laws of views and slices that hold for any bytes. The fuzz targets and the property tests both ask for them.
//!
//! Takes bytes; panics where a law does not hold. The first bytes choose the language or the lines, the rest is the text.

use contexture_core::Slice;
use contexture_core::anchor::{Outcome, make, resolve};
use contexture_syntax::{
    LANGUAGES, Language, Mask, Structure, errors, masked_view, outline, outline_lines, read, skeleton, symbols,
};
use std::borrow::Cow;
use std::collections::BTreeMap;

fn language_and_text(input: &[u8]) -> Option<(&'static Language, Cow<'_, str>)> {
    let (first, rest) = input.split_first()?;
    let language = LANGUAGES.get(usize::from(*first) % LANGUAGES.len())?;
    Some((language, String::from_utf8_lossy(rest)))
}

/// Symbols have names and lines that stand in the text, an outline has exactly them, a structure survives being remembered,
/// and bytes that are no structure are refused or used, never believed blindly.
pub fn symbols_hold(input: &[u8]) {
    let Some((language, text)) = language_and_text(input) else { return };
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
    if let Some(other) = Structure::from_bytes(input.get(1..).unwrap_or_default(), &text) {
        symbols(language, &other, &text);
    }
}

/// A skeleton is no longer than its source and has no more errors; masking everything `def` loses no definition.
pub fn skeletons_hold(input: &[u8]) {
    let Some((language, text)) = language_and_text(input) else { return };
    let Ok(structure) = read(language, &text) else { return };
    let shown = skeleton(language, &structure, &text);
    assert!(shown.len() <= text.len(), "longer than its source:\n{shown}");
    if let (Ok(before), Ok(after)) = (errors(language, &text), errors(language, &shown)) {
        assert!(after <= before, "{}: {before} errors became {after}:\n{shown}", language.name);
    }
    let all = masked_view(language, &structure, &text, &BTreeMap::new(), Mask::Def).text;
    for def in &structure.defs {
        assert!(all.contains(def.whole.of(&text)), "{}: lost {:?} of:\n{text}", language.name, def.name.of(&text));
    }
    for mask in [Mask::Sig, Mask::Hide] {
        masked_view(language, &structure, &text, &BTreeMap::new(), mask);
    }
}

/// A slice of an unchanged text is exact, lines that are claimed in another are there, and one that somebody wrote by hand
/// is answered.
pub fn slices_hold(input: &[u8]) {
    let Some((numbers, rest)) = input.split_first_chunk::<3>() else { return };
    let [start, long, share] = *numbers;
    let text = String::from_utf8_lossy(rest);
    let (old, new) = text.split_at(text.floor_char_boundary(usize::from(share) * text.len() / 256));
    let (start, long) = (u64::from(start), u64::from(long));
    if let Ok(slice) = make(old, start, start + long, None, None) {
        assert_eq!(resolve(&slice, old).outcome, Outcome::Exact);
        let found = resolve(&slice, new);
        let count = new.replace("\r\n", "\n").split(['\n', '\r']).count() as u64;
        if let Some((first, last)) = found.lines {
            assert!(1 <= first && first <= last && last <= count, "{found:?}");
        }
    }
    let wild = Slice { start_line: start, end_line: long, content_hash: Some(new.into()), ..Slice::default() };
    resolve(&wild, old);
}
