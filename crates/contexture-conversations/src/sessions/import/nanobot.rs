//! nanobot's sessions: a line of metadata, then messages in the shape of chat completions.
//!
//! What was summed up lies before `last_archived` (`last_consolidated` in older files); by default its summary is taken in
//! its place, as nanobot itself does.

use contexture_core::{Image, ImageSource, Message, MessagePart, Role};
use serde_json::Value;

use super::super::Session;
use super::super::blocks::{self, Pictures};
use super::super::json::{self, Object};
use super::{ImportOptions, Outcome, ReadConversation, Records, spoken};

pub(super) fn lines(mut records: Records, options: &ImportOptions) -> Outcome {
    let mut session = Session::default();
    let mut archived = 0;
    let mut summary = None;
    let mut count = 0;
    while let Some((line, mut object)) = records.next()? {
        match json::text(&object, "_type") {
            Some("metadata") => {
                session.chat_id = json::take(&mut object, "key").unwrap_or_default();
                session.created_at = json::take(&mut object, "created_at").unwrap_or_default();
                archived = offset(&object);
                let mut about = json::take_object(&mut object, "metadata").unwrap_or_default();
                session.title = json::take(&mut about, "title").filter(|title| !title.is_empty());
                summary = json::take_object(&mut about, "_last_summary").and_then(|mut it| json::take(&mut it, "text"));
                continue;
            }
            Some(kind) => {
                records.tally.skip_typed("line", kind);
                continue;
            }
            None => {}
        }
        // Every message counts for the offset, also one that is not shown.
        count += 1;
        if count <= archived && !options.full_log {
            records.tally.skip("message before a compaction");
            continue;
        }
        if json::flag(&object, "_command") {
            records.tally.skip("command");
            continue;
        }
        let at = json::take(&mut object, "timestamp");
        let media = json::take_list(&mut object, "media").unwrap_or_default();
        match blocks::chat(object, line, Pictures::Keep, &mut records.tally)? {
            Some(mut messages) => {
                if let Some(message) = messages.last_mut() {
                    message.parts.extend(media.iter().map(|_| gone()));
                }
                session.messages.extend(messages.into_iter().map(|message| spoken(message, at.as_deref(), line)));
            }
            None => records.tally.lose("a message has no role", line),
        }
    }
    if let Some(text) = summary.filter(|_| archived > 0 && !options.full_log) {
        let text = format!("{}{text}", super::SUMMARY);
        session.messages.insert(0, spoken(Message::new(Role::User, text), None, 1));
    }
    Ok(ReadConversation { format: "nanobot", session, tally: records.tally })
}

fn offset(metadata: &Object) -> u64 {
    ["last_archived", "last_consolidated"]
        .iter()
        .find_map(|key| metadata.get(*key).and_then(Value::as_u64))
        .unwrap_or(0)
}

/// A file that was sent along; its path leads nowhere here.
fn gone() -> MessagePart {
    MessagePart::Image(Image { media_type: String::new(), source: ImageSource::Gone { bytes: 0 } })
}
