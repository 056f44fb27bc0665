//! What of a file a model is shown: its outline and as much of its text as there is room for, secrets masked.
//!
//! Takes an item and the views of core; gives texts that are within a number of tokens, and says what was cut. Frames nothing.

use super::prompt::PromptKind;
use contexture_core::kind::fence_word;
use contexture_core::shape::summary::mask_text;
use contexture_core::shape::{self, FileNature, lines};
use contexture_core::{Body, Item, Level, Options, SelectedBy, Text, Tools, Wish};

/// What goes into a frame.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct PromptText {
    /// Of code: a line for each definition, with its signature.
    pub outline: Option<String>,
    /// Says what `text` is.
    pub what: String,
    /// The word behind the fence.
    pub word: &'static str,
    pub text: String,
}

impl PromptText {
    pub fn has(&self, word: &str) -> bool {
        self.text.contains(word)
            || self.what.contains(word)
            || self.outline.iter().any(|outline| outline.contains(word))
    }
}

/// Of the room, an outline may take a quarter: it says where things are, the text says what they are.
const OUTLINE_SHARE: u64 = 4;
/// The beginning of rows of data says as much as all of them.
const DATA_SHARE: u64 = 4;

/// At most `most` tokens of a file.
pub fn prompt_text(item: &Item, kind: PromptKind, most: u64, tools: &Tools<'_>) -> PromptText {
    let Body::Text { text, .. } = &item.body else {
        return PromptText { outline: None, what: "The file is empty".into(), word: "text", text: String::new() };
    };
    let word = fence_word(&item.path, text);
    // Nothing that was wished for documents matters here.
    let plain = Item { selected_by: SelectedBy::Walk, wish: Wish::default(), written: None, ..item.clone() };
    let options = Options::default();
    let view = |level| shape::view(&plain, level, &FileNature::Ordinary, &options, tools);
    let masked = |text: &Text| mask_text(&item.path, text);
    let count = |text: &str| tools.meter.counter.count(text);
    let outline = (kind == PromptKind::Code).then(|| view(Level::Outline)).filter(|view| view.level == Level::Outline);
    let outline = outline.map(|view| cut(&masked(&view.text), most / OUTLINE_SHARE, &count).0);
    let used = outline.as_deref().map_or(0, &count);
    let room = most.saturating_sub(used);
    let room = if kind == PromptKind::Data { room / DATA_SHARE } else { room };
    // As a document would show it: the cells of a notebook, and no base64.
    let whole = masked(&view(Level::Full).text);
    let (text, lost) = cut(&whole, room, &count);
    if lost == 0 {
        return PromptText { outline, what: "The file".into(), word, text };
    }
    // Of code that is too long, the signatures and documents of all of it say more than the bodies of its beginning.
    if kind == PromptKind::Code
        && let skeleton = view(Level::Skeleton)
        && skeleton.level == Level::Skeleton
    {
        let (text, lost) = cut(&masked(&skeleton.text), room, &count);
        let more = if lost > 0 { format!(", cut: {lost} more lines") } else { String::new() };
        return PromptText { outline, what: format!("The file without the bodies of its functions{more}"), word, text };
    }
    PromptText { outline, what: format!("The beginning of the file, cut: {lost} more lines"), word, text }
}

/// As many whole lines as there is room for, and how many were left out. A line that alone is too long is cut itself.
fn cut(text: &str, most: u64, count: &dyn Fn(&str) -> u64) -> (String, usize) {
    let trimmed = text.trim_end_matches(['\n', '\r']);
    // No text has more tokens than bytes.
    if trimmed.len() as u64 <= most {
        return (trimmed.to_owned(), 0);
    }
    let (mut kept, mut used) = (String::new(), 0);
    let mut all = lines(trimmed);
    for line in all.by_ref() {
        let left = most - used;
        // Longer lines than eight bytes a token are cut before they are counted.
        let end = line.floor_char_boundary(usize::try_from(left.saturating_mul(8)).unwrap_or(usize::MAX));
        let beginning = line.get(..end).unwrap_or(line);
        let cost = count(beginning).max(1);
        if cost > left || beginning.len() < line.len() {
            if kept.is_empty() {
                // Bytes bound tokens, so this fits.
                let end = line.floor_char_boundary(usize::try_from(left).unwrap_or(usize::MAX));
                kept.push_str(line.get(..end).unwrap_or(line));
            }
            return (kept.trim_end_matches(['\n', '\r']).to_owned(), 1 + all.count());
        }
        used += cost;
        kept.push_str(line);
    }
    (kept, 0)
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    fn words(text: &str) -> u64 {
        text.split_whitespace().count() as u64
    }

    #[test]
    fn lines_are_cut_whole_and_the_rest_is_counted() {
        let text = "one two three four five\nsix seven\neight nine ten\n";
        assert_eq!(cut(text, 100, &words), (text.trim_end().to_owned(), 0));
        assert_eq!(cut(text, 7, &words), ("one two three four five\nsix seven".to_owned(), 1));
        assert_eq!(cut(text, 6, &words), ("one two three four five".to_owned(), 2));
        assert_eq!(cut(text, 3, &words), ("one".to_owned(), 3));
        assert_eq!(cut(text, 0, &words), (String::new(), 3));
        assert_eq!(cut("", 0, &words), (String::new(), 0));
        assert_eq!(cut(&"ä".repeat(1_000_000), 5, &words), ("ää".to_owned(), 1));
    }

    proptest! {
        #[test]
        fn a_cut_is_a_prefix_within_its_limit(text in "[a-z ä\n\r]{0,200}", most in 0_u64..60) {
            let (kept, lost) = cut(&text, most, &words);
            prop_assert!(text.starts_with(&kept));
            prop_assert!(words(&kept) <= most || lost == 0);
            prop_assert_eq!(lost == 0, kept.len() == text.trim_end_matches(['\n', '\r']).len());
        }
    }
}
