//! A key that comes in pieces: a letter in each event makes no word, and all of them together make the key.
//!
//! Takes the bytes of an answer as they would be kept, without the key where it stands whole; says whether it can still be put together
//! from the texts in them. Knows no API: texts that stand in the same place of each event are one text.

use super::Key;
use super::key::{begins, has};
use super::sse::Sse;
use serde_json::Value;
use std::collections::BTreeMap;

/// Members that say which of several texts an event goes on with.
const NUMBERS: [&str; 4] = ["index", "output_index", "content_index", "summary_index"];

/// Whether the key can be put together, or so much of its beginning that the rest was cut off with the stream.
pub(super) fn hold(raw: &str, key: Option<&Key>) -> bool {
    if key.is_none() {
        return false;
    }
    let mut texts = BTreeMap::new();
    for event in events(raw) {
        collect(&event, String::new(), "", &mut texts);
    }
    texts.values().any(|text| has(text, key) || begins(text, key))
}

/// A whole answer, the events of a stream, or lines.
fn events(raw: &str) -> Vec<Value> {
    let parsed = |text: &str| serde_json::from_str(text).ok();
    if let Some(whole) = parsed(raw) {
        return vec![whole];
    }
    let (mut sse, mut frames) = (Sse::new(usize::MAX), Vec::new());
    // What is no text was never an event.
    let read = sse.feed(raw.as_bytes(), &mut frames).and_then(|()| sse.end(&mut frames));
    if read.is_ok() && !frames.is_empty() {
        return frames.iter().filter_map(|frame| parsed(&frame.data)).collect();
    }
    raw.lines().filter_map(parsed).collect()
}

/// Adds each text to those of its place, and to those of its name: an event that begins a text has it in another place than those
/// that go on with it.
fn collect(value: &Value, place: String, name: &str, texts: &mut BTreeMap<String, String>) {
    match value {
        Value::String(text) => {
            texts.entry(place).or_default().push_str(text);
            texts.entry(name.to_owned()).or_default().push_str(text);
        }
        Value::Array(all) => {
            all.iter().for_each(|value| collect(value, format!("{place}/"), name, texts));
        }
        Value::Object(members) => {
            let numbers = NUMBERS.iter().filter_map(|name| members.get(*name)?.as_u64());
            let place = numbers.fold(place, |place, number| format!("{place}#{number}"));
            members.iter().for_each(|(name, value)| collect(value, format!("{place}/{name}"), name, texts));
        }
        Value::Null | Value::Bool(_) | Value::Number(_) => {}
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::json;

    const KEY: &str = "sk-0123456789abcdef";

    fn is_held(events: &[Value]) -> bool {
        let raw: String = events.iter().map(|event| format!("data: {event}\n\n")).collect();
        let lines: String = events.iter().map(|event| format!("{event}\n")).collect();
        let key = Key::new(KEY).unwrap();
        let found = hold(&raw, Some(&key));
        assert_eq!(hold(&lines, Some(&key)), found);
        assert!(!hold(&raw, None));
        found
    }

    #[test]
    fn pieces_of_any_member_make_the_key() {
        for name in ["text", "refusal", "signature", "name", "whatever"] {
            let events: Vec<Value> = KEY.chars().map(|c| json!({"type": "x", "delta": {name: c}})).collect();
            assert!(is_held(&events), "{name}");
        }
        let escaped = format!("{{\"text\":\"\\u0073{}\"}}", &KEY[1..]);
        assert!(hold(&escaped, Some(&Key::new(KEY).unwrap())));
    }

    #[test]
    fn pieces_in_turns_make_the_key() {
        let call = |index: u8, piece: &str| json!({"calls": [{"index": index, "arguments": piece}]});
        assert!(is_held(&[call(0, &KEY[..5]), call(1, "other"), call(0, &KEY[5..])]));
        // Begun in one place, and gone on with in another.
        let begun = json!({"block": {"text": KEY[..5]}});
        assert!(is_held(&[begun, json!({"delta": {"text": KEY[5..]}})]));
    }

    #[test]
    fn a_stream_that_was_cut_off_holds_most_of_it() {
        assert!(is_held(&[json!({"text": KEY[..9]}), json!({"text": KEY[9..15]})]));
        assert!(!is_held(&[json!({"text": "it begins with sk"}), json!({"text": "-01"})]));
        assert!(!is_held(&[json!({"text": "sk-0123456789"}), json!({"text": " and so on"})]));
    }
}
