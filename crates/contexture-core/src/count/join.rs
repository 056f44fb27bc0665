//! Places where the pre-tokenizers of `o200k_base` and `cl100k_base` must split, whatever stands around them.
//!
//! Both split text by a pattern before any merging. A piece that holds a newline is either white space up to its last
//! newline, or punctuation followed by newlines (and, in `o200k_base`, slashes). So behind a newline there is always a
//! border when the next character is neither white space nor `/`. Two further cases are decided by a look at their
//! neighbours; everything else counts as uncertain.

/// Whether a piece certainly ends between `left` and `right`.
pub fn splits_between(left: &str, right: &str) -> bool {
    if left.is_empty() || right.is_empty() {
        return true;
    }
    if !left.ends_with('\n') {
        return false;
    }
    match right.chars().next() {
        // `;\n//` is one piece for o200k_base, `x\n//` and ` \n//` are not.
        Some('/') => {
            let before = left.trim_end_matches(['\r', '\n']);
            before.ends_with(|c: char| c.is_ascii_alphanumeric() || c == ' ' || c == '\t')
        }
        // Indentation: the newline's piece takes white space only up to a further newline.
        Some(c) if blank(c) => {
            let rest = right.trim_start_matches(|c| blank(c) && c != '\n' && c != '\r');
            rest.starts_with(|c| !blank(c))
        }
        Some(_) => true,
        None => true,
    }
}

/// White space in the widest sense any of the patterns could take it.
fn blank(c: char) -> bool {
    c.is_whitespace() || c.is_control()
}

/// Cuts `text` at certain splits into parts of about `size` bytes or more.
pub fn chunks(text: &str, size: usize) -> Vec<&str> {
    let bytes = text.as_bytes();
    let mut parts = Vec::with_capacity(text.len() / size + 1);
    let mut start = 0;
    let mut at = size;
    while let Some(offset) = bytes.get(at..).and_then(|rest| memchr::memchr(b'\n', rest)) {
        let cut = at + offset + 1;
        at = cut;
        // An ASCII character that is no white space and no slash is a certain border, and a character boundary.
        if bytes.get(cut).is_some_and(|&next| next.is_ascii_graphic() && next != b'/') {
            parts.push(&text[start..cut]);
            start = cut;
            at = cut + size;
        }
    }
    parts.push(&text[start..]);
    parts
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Characters that the patterns treat in different ways, so that random strings meet the hard cases often.
    fn text() -> impl Strategy<Value = String> {
        let piece = prop_oneof![
            4 => prop::sample::select(vec!["\n", "\r\n", "\r", " ", "\t", "/", "//", ";", "}", "x", "Ab", "7", "1234", "'s", "`", "```", "#"]),
            1 => prop::sample::select(vec!["é", "漢字", "👍🏽", "\u{a0}", "\u{2028}", "\u{85}", "\u{0b}", "\u{1f}", "\u{200b}", "ǅ", "़", "<|endoftext|>"]),
        ];
        prop::collection::vec(piece, 0..12).prop_map(|parts| parts.concat())
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(contexture_testkit::cases(4000)))]
        #[test]
        fn counts_add_up_where_texts_join(left in text(), right in text()) {
            for encoding in ["o200k_base", "cl100k_base"] {
                let bpe = tiktoken::get_encoding(encoding).unwrap();
                if splits_between(&left, &right) {
                    prop_assert_eq!(bpe.count(&left) + bpe.count(&right), bpe.count(&format!("{left}{right}")), "{:?} + {:?}", left, right);
                }
            }
        }

        #[test]
        fn chunks_lose_nothing_and_add_up(parts in prop::collection::vec(text(), 0..40), size in 1usize..30) {
            let whole = parts.concat();
            let cut = chunks(&whole, size);
            prop_assert_eq!(cut.concat(), whole.clone());
            let bpe = tiktoken::get_encoding("o200k_base").unwrap();
            prop_assert_eq!(cut.iter().map(|part| bpe.count(part)).sum::<usize>(), bpe.count(&whole));
        }
    }

    #[test]
    fn a_border_is_seen_where_documents_have_one() {
        assert!(splits_between("```rust\n", "// comment"));
        assert!(splits_between("```rust\n", "    indented"));
        assert!(splits_between("}\n", "```\n"));
        assert!(!splits_between("```\n", "// comment"));
        assert!(!splits_between("```rust\n", "\n\nfn main"));
        assert!(!splits_between("no newline", "next"));
    }
}
