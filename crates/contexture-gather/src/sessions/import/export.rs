//! Exports with many conversations: which one is meant.
//!
//! Only ids, titles and times are looked at; the conversations that are not meant are never taken apart.

use std::ops::Range;

use serde_json::Value;

use super::super::error::{Fault, SessionError};
use super::super::scan::{self, Outline};
use super::super::tally::Tally;
use super::super::{Session, json, ours};
use super::{Found, ImportOptions, LISTS, Outcome};
use contexture_core::{Note, Topic};

/// How the members of a conversation are called, by rank.
pub(super) struct Keys {
    pub format: &'static str,
    pub ids: &'static [&'static str],
    pub title: &'static str,
    pub times: &'static [&'static str],
}

struct Head {
    range: Range<usize>,
    ids: Vec<String>,
    title: String,
    /// Sorts by time, whether it is a number or a date.
    time: (u64, String),
}

/// The conversation of an export that was asked for, else the one that changed last, read by `conversation`.
pub(super) fn chosen(
    bytes: &[u8],
    outline: &Outline,
    keys: &Keys,
    options: &ImportOptions,
    conversation: fn(&[u8], usize, &ImportOptions, Tally) -> Outcome,
) -> Outcome {
    let mut tally = Tally::default();
    match choose(bytes, outline, keys, options, &mut tally)? {
        Some((range, line)) => conversation(bytes.get(range).unwrap_or_default(), line, options, tally),
        None => Ok(Found { format: keys.format, session: Session::default(), tally }),
    }
}

/// The place and the line of the conversation that was asked for, else of the one that changed last.
fn choose(
    bytes: &[u8],
    outline: &Outline,
    keys: &Keys,
    options: &ImportOptions,
    tally: &mut Tally,
) -> Result<Option<(Range<usize>, usize)>, SessionError> {
    let mut lines = ours::Lines::new(bytes);
    outline.breaks.iter().for_each(|broken| tally.lose(broken.what, lines.at(broken.at)));
    let heads: Vec<Head> =
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

fn pick<'a>(heads: &'a [Head], options: &ImportOptions) -> Result<Option<&'a Head>, SessionError> {
    let Some(wanted) = &options.conversation else {
        return Ok(heads.iter().max_by(|a, b| a.time.cmp(&b.time)));
    };
    if let Some(head) = heads.iter().find(|head| head.ids.contains(wanted)) {
        return Ok(Some(head));
    }
    let folded = wanted.to_lowercase();
    let exact: Vec<_> = heads.iter().filter(|head| head.title == *wanted).collect();
    let similar = || heads.iter().filter(|head| head.title.to_lowercase().contains(&folded)).collect();
    let found: Vec<&Head> = if exact.is_empty() { similar() } else { exact };
    let names = |heads: &mut dyn Iterator<Item = &Head>| {
        heads.map(|head| head.ids.first().unwrap_or(&head.title).clone()).collect::<Vec<_>>()
    };
    match found.as_slice() {
        [head] => Ok(Some(head)),
        [] => Err(Fault::Conversation { wanted: wanted.clone(), known: names(&mut heads.iter()) }.into()),
        several => Err(Fault::Ambiguous { wanted: wanted.clone(), known: names(&mut several.iter().copied()) }.into()),
    }
}

fn head(bytes: &[u8], element: &Range<usize>, keys: &Keys) -> Option<Head> {
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
    Some(Head {
        range: element.clone(),
        ids: keys.ids.iter().filter_map(text).collect(),
        title: text(&keys.title).unwrap_or_default(),
        time: time.unwrap_or_default(),
    })
}
