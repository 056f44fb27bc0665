//! A summary that a model wrote, within the limits of every summary.
//!
//! Takes its text and the size of the file; gives as much of it as may be shown, or nothing where that would say nothing.

use super::MAX_TOKENS;
use super::lines::head;
use crate::types::Text;

/// What 400 tokens can hold at the very most, as for summaries of our own. It keeps what is counted small.
const MOST_BYTES: usize = 8 * 1024;

/// Where a text may be cut, the best places first: after paragraphs, lines, sentences, words.
const PLACES: [&str; 4] = ["\n\n", "\n", ". ", " "];

/// At most a quarter of the file and [`MAX_TOKENS`]. What is longer is cut, and the last line says so.
pub fn capped(written: &Text, file: u64, count: &dyn Fn(&str) -> u64) -> Option<Text> {
    let text = written.trim_matches(['\n', '\r', ' ', '\t']);
    let most = usize::try_from(file / 4).unwrap_or(usize::MAX).min(MOST_BYTES);
    if text.is_empty() {
        return None;
    }
    if text.len() <= most && count(text) <= MAX_TOKENS {
        return Some(if text.len() == written.len() { written.clone() } else { text.into() });
    }
    let cut = |end: usize| {
        let shown = text.get(..end)?.trim_end();
        let marked = format!("{shown}\n… {} more bytes", text.len() - shown.len());
        (!shown.is_empty() && marked.len() <= most).then_some(marked)
    };
    PLACES.iter().find_map(|place| {
        let ends: Vec<usize> =
            head(text, most).match_indices(place).map(|(at, found)| at + found.trim_end().len()).collect();
        // Longer texts are taken to have more tokens; the one that is shown was counted itself.
        let fits = |end: &usize| cut(*end).is_some_and(|text| count(&text) <= MAX_TOKENS);
        let fitting = ends.partition_point(fits);
        ends.get(fitting.checked_sub(1)?).and_then(|end| cut(*end)).map(Text::from)
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    fn words(text: &str) -> u64 {
        text.split_whitespace().count() as u64
    }

    fn shown(text: &str, file: u64) -> Option<String> {
        capped(&text.into(), file, &words).map(|text| text.to_string())
    }

    #[test]
    fn what_fits_is_shown_as_it_was_written() {
        assert_eq!(shown("\n  Reads files.\n\nAnd more.\n", 400).unwrap(), "Reads files.\n\nAnd more.");
        let text = Text::from("shared");
        let same = capped(&text, 400, &words).unwrap();
        assert_eq!(same.as_ptr(), text.as_ptr());
    }

    #[test]
    fn what_is_longer_is_cut_at_the_best_place_and_says_so() {
        let text = "First paragraph of it.\n\nSecond one. It is longer\nand has lines.\n\nThird, which has more words.";
        insta::assert_snapshot!(shown(text, 340).unwrap(), @"
        First paragraph of it.

        Second one. It is longer
        and has lines.
        … 30 more bytes
        ");
        insta::assert_snapshot!(shown(text, 300).unwrap(), @"
        First paragraph of it.
        … 71 more bytes
        ");
        // One paragraph: a sentence is the best that can be had.
        insta::assert_snapshot!(shown(&text.replace('\n', " "), 300).unwrap(), @"
        First paragraph of it.  Second one.
        … 58 more bytes
        ");
        insta::assert_snapshot!(shown(text, 120).unwrap(), @"
        First
        … 88 more bytes
        ");
        // A quarter of a tiny file says nothing.
        assert_eq!(shown(text, 60), None);
        assert_eq!(shown(" \n ", 4_000), None);
    }

    #[test]
    fn tokens_count_as_well_as_bytes() {
        let text = "one two three.\n\n".repeat(1_000);
        let cut = shown(&text, 1 << 30).unwrap();
        assert!(words(&cut) <= MAX_TOKENS && words(&cut) > MAX_TOKENS - 8, "{}", words(&cut));
        assert!(cut.ends_with("more bytes"));
        // However long it is, little of it is looked at.
        assert!(shown(&"x".repeat(1 << 20), 1 << 30).is_none());
    }
}
