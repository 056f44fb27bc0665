//! Anthropic messages: `{system, messages}` with blocks. Results of tools ride in messages of the user.
//!
//! The blocks are read by [`blocks`](super::super::blocks), as for every format; here is what else tells this one from chat
//! completions: the system text beside the messages, and the names of its blocks.

use contexture_core::{Message, Role};
use serde_json::Value;

use super::super::blocks::{self, Pictures};
use super::super::json::{self, Object};
use super::super::tally::Tally;

/// Whether a message holds a block that only Anthropic's shape has.
pub(super) fn is_message(object: &Object) -> bool {
    let Some(Value::Array(blocks)) = object.get("content") else { return false };
    blocks.iter().filter_map(Value::as_object).any(|block| match json::text(block, "type") {
        Some("tool_use" | "tool_result" | "thinking" | "redacted_thinking" | "document") => true,
        Some("image") => block.contains_key("source"),
        _ => false,
    })
}

/// The system text, which comes before all messages.
pub(super) fn system(value: Value, tally: &mut Tally) -> Option<Message> {
    blocks::said(Role::System, value, Pictures::Keep, tally).into_iter().find(|message| !blocks::is_empty(message))
}
