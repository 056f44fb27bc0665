//! Exports with many conversations: which one is meant.
//!
//! Only ids, titles and times are looked at; the conversations that are not meant are never taken apart.

use std::ops::Range;

use serde_json::Value;

use super::super::error::{Fault, Result};
use super::super::json::{self, Object};
use super::super::scan::{self, Outline};
use super::super::tally::Tally;
use super::super::{Session, ours};
use super::{ImportOptions, LISTS, Outcome, ReadConversation};
use contexture_core::{Note, Topic};

/// A format with one conversation in a file or many of them: how the members of a conversation are called, by rank.
pub(super) struct ExportFormat {
    pub format: &'static str,
    pub ids: &'static [&'static str],
    pub title: &'static str,
    pub times: &'static [&'static str],
    /// Reads the messages of a conversation, which begins in this line, into its session.
    pub read: fn(Object, &mut Session, usize, &ImportOptions, &mut Tally) -> Result<()>,
}

struct ConversationHead {
    range: Range<usize>,
    ids: Vec<String>,
    title: String,
    /// Sorts by time, whether it is a number or a date.
    time: (u64, String),
}

impl ExportFormat {
    /// A file that is one conversation.
    pub fn one(&self, bytes: &[u8], options: &ImportOptions) -> Outcome {
        self.conversation(bytes, 1, options, Tally::default())
    }

    /// The conversation of an export that was asked for, else the one that changed last.
    pub fn chosen(&self, bytes: &[u8], outline: &Outline, options: &ImportOptions) -> Outcome {
        let mut tally = Tally::default();
        match choose(bytes, outline, self, options, &mut tally)? {
            Some((range, line)) => self.conversation(bytes.get(range).unwrap_or_default(), line, options, tally),
            None => Ok(ReadConversation { format: self.format, session: Session::default(), tally }),
        }
    }

    fn conversation(&self, bytes: &[u8], line: usize, options: &ImportOptions, mut tally: Tally) -> Outcome {
        let mut session = Session::default();
        match json::object(bytes) {
            Some(mut object) => {
                session.chat_id = self.ids.iter().find_map(|key| json::take(&mut object, key)).unwrap_or_default();
                session.title = json::take(&mut object, self.title).filter(|title| !title.is_empty());
                (self.read)(object, &mut session, line, options, &mut tally)?;
            }
            None => tally.lose("a conversation cannot be read", line),
        }
        Ok(ReadConversation { format: self.format, session, tally })
    }
}

/// The place and the line of the conversation that was asked for, else of the one that changed last.
fn choose(
    bytes: &[u8],
    outline: &Outline,
    keys: &ExportFormat,
    options: &ImportOptions,
    tally: &mut Tally,
) -> Result<Option<(Range<usize>, usize)>> {
    let mut lines = ours::Lines::new(bytes);
    outline.breaks.iter().for_each(|broken| tally.lose(broken.what, lines.at(broken.at)));
    let heads: Vec<ConversationHead> =
        outline.list.iter().flat_map(|list| &list.elements).filter_map(|e| head(bytes, e, keys)).collect();
    let Some(chosen) = pick(&heads, options)? else { return Ok(None) };
    if heads.len() > 1 {
        tally.skip_many("other conversation", heads.len() - 1);
        if options.conversation.is_none() {
            let text = format!("conversations in the file: {}: the newest one is used", heads.len());
            tally.note(Note::new(Topic::Reduced, text).hint("choose one with `--conversation ID-OR-TITLE`"));
        }
    }
    let line = ours::Lines::new(bytes).at(chosen.range.start);
    Ok(Some((chosen.range.clone(), line)))
}

fn pick<'a>(heads: &'a [ConversationHead], options: &ImportOptions) -> Result<Option<&'a ConversationHead>> {
    let Some(wanted) = &options.conversation else {
        return Ok(heads.iter().max_by(|a, b| a.time.cmp(&b.time)));
    };
    if let Some(head) = heads.iter().find(|head| head.ids.contains(wanted)) {
        return Ok(Some(head));
    }
    let folded = wanted.to_lowercase();
    let exact: Vec<_> = heads.iter().filter(|head| head.title == *wanted).collect();
    let similar = || heads.iter().filter(|head| head.title.to_lowercase().contains(&folded)).collect();
    let found: Vec<&ConversationHead> = if exact.is_empty() { similar() } else { exact };
    let names = |heads: &mut dyn Iterator<Item = &ConversationHead>| {
        heads.map(|head| head.ids.first().unwrap_or(&head.title).clone()).collect::<Vec<_>>()
    };
    match found.as_slice() {
        [head] => Ok(Some(head)),
        [] => Err(Fault::Conversation { wanted: wanted.clone(), known: names(&mut heads.iter()) }.into()),
        several => Err(Fault::Ambiguous { wanted: wanted.clone(), known: names(&mut several.iter().copied()) }.into()),
    }
}

fn head(bytes: &[u8], element: &Range<usize>, keys: &ExportFormat) -> Option<ConversationHead> {
    let slice = bytes.get(element.clone())?;
    let outline = scan::outline(slice, LISTS);
    let member = |key: &str| {
        let member = outline.members.iter().find(|member| member.key == key)?;
        json::value(slice.get(member.value.clone())?)
    };
    let text = |key: &&str| member(key).and_then(|value| value.as_str().map(String::from));
    let time = keys.times.iter().find_map(|key| match member(key)? {
        // Positive floats sort as their bits do.
        Value::Number(number) => Some((number.as_f64()?.max(0.0).to_bits(), String::new())),
        Value::String(date) => Some((0, date)),
        _ => None,
    });
    Some(ConversationHead {
        range: element.clone(),
        ids: keys.ids.iter().filter_map(text).collect(),
        title: text(&keys.title).unwrap_or_default(),
        time: time.unwrap_or_default(),
    })
}
