//! Any text in any language: a skeleton is no longer than its source, cuts only what it says, and adds no errors.
#![no_main]

use contexture_syntax::{LANGUAGES, Mask, errors, masked, read, skeleton};
use libfuzzer_sys::fuzz_target;
use std::collections::BTreeMap;

fuzz_target!(|input: &[u8]| {
    let Some((first, rest)) = input.split_first() else { return };
    let language = LANGUAGES[usize::from(*first) % LANGUAGES.len()];
    let text = String::from_utf8_lossy(rest);
    let Ok(structure) = read(language, &text) else { return };
    let shown = skeleton(language, &structure, &text);
    assert!(shown.len() <= text.len());
    if let (Ok(before), Ok(after)) = (errors(language, &text), errors(language, &shown)) {
        assert!(after <= before, "{} errors became {after}:\n{shown}", before);
    }
    for mask in [Mask::Def, Mask::Sig, Mask::Hide] {
        masked(language, &structure, &text, &BTreeMap::new(), mask);
    }
});
