//! Any slice in any text, and any later text: nothing panics, lines that are claimed are there, an unchanged text is exact.
#![no_main]

use contexture_core::Slice;
use contexture_core::anchor::{Outcome, make, resolve};
use libfuzzer_sys::fuzz_target;

fuzz_target!(|input: &[u8]| {
    let Some((numbers, rest)) = input.split_at_checked(4) else { return };
    let text = String::from_utf8_lossy(rest);
    let (old, new) = text.split_at(text.floor_char_boundary(usize::from(numbers[2]) * text.len() / 256));
    let (start, long) = (u64::from(numbers[0]), u64::from(numbers[1]));
    if let Ok(slice) = make(old, start, start + long, None, None) {
        assert_eq!(resolve(&slice, old).outcome, Outcome::Exact);
        let found = resolve(&slice, new);
        let count = new.lines().count().max(new.split('\r').count()) as u64 + 1;
        if let Some((first, last)) = found.lines {
            assert!(1 <= first && first <= last && last <= count, "{found:?}");
        }
    }
    // A slice that somebody wrote by hand.
    let wild = Slice { start_line: start, end_line: long, content_hash: Some(new.into()), ..Slice::default() };
    resolve(&wild, old);
});
