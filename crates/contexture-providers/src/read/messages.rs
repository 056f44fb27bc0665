//! Anthropic's Messages, which MiniMax speaks too: blocks with numbers, each begun, filled and ended.

use super::super::draft::Draft;
use super::super::{ProviderError, Stop};
use super::{list, number, text};
use contexture_core::{Api, Thought};
use serde_json::{Map, Value};
use std::collections::BTreeMap;

pub(super) struct Blocks {
    by: Api,
    open: BTreeMap<u64, Block>,
    /// Input that was neither read from the cache nor written to it.
    plain_input: Option<u64>,
}

enum Block {
    /// With what the API wants back.
    Thought(Map<String, Value>),
    /// With the input that a block is begun with; in a stream it is empty, and comes in pieces.
    Call(String),
}

impl Blocks {
    pub fn new(by: Api) -> Self {
        Self { by, open: BTreeMap::new(), plain_input: None }
    }

    pub fn event(&mut self, draft: &mut Draft, event: &Value) {
        let place = number(event, "/index").unwrap_or_default();
        match text(event, "type").unwrap_or_default() {
            "message_start" => {
                let message = event.get("message").unwrap_or(&Value::Null);
                draft.model = text(message, "model").map(str::to_owned);
                self.usage(draft, message);
            }
            "content_block_start" => self.begin(draft, place, event.get("content_block").unwrap_or(&Value::Null)),
            "content_block_delta" => self.fill(draft, place, event.get("delta").unwrap_or(&Value::Null)),
            "content_block_stop" => self.end(draft, place),
            "message_delta" => {
                self.usage(draft, event);
                stop(draft, event.get("delta").unwrap_or(&Value::Null));
            }
            "message_stop" => {
                while let Some((place, block)) = self.open.pop_first() {
                    self.close(draft, place, block);
                }
                draft.is_whole = true;
            }
            // Pings, and what will be added: the API says that there will be more.
            _ => {}
        }
    }

    pub fn whole(&mut self, draft: &mut Draft, message: &Value) -> Result<(), ProviderError> {
        if !message.get("content").is_some_and(Value::is_array) {
            return Err(ProviderError::NotAnswer("it has no list of `content`"));
        }
        draft.model = text(message, "model").map(str::to_owned);
        for (place, block) in (0..).zip(list(message, "content")) {
            self.begin(draft, place, block);
            self.end(draft, place);
        }
        self.usage(draft, message);
        stop(draft, message);
        Ok(())
    }

    fn begin(&mut self, draft: &mut Draft, place: u64, block: &Value) {
        match text(block, "type").unwrap_or_default() {
            "text" => draft.text(0, text(block, "text").unwrap_or_default()),
            "thinking" | "redacted_thinking" => {
                draft.thought(0, text(block, "thinking").unwrap_or_default());
                self.open.extend(block.as_object().map(|block| (place, Block::Thought(block.clone()))));
            }
            "tool_use" => {
                draft.call(0, place, text(block, "id").unwrap_or_default(), text(block, "name").unwrap_or_default());
                let input = block.get("input").filter(|input| !input.is_null());
                self.open.insert(place, Block::Call(input.map(Value::to_string).unwrap_or_default()));
            }
            // Tools that the server runs itself, and what will be added.
            _ => {}
        }
    }

    fn fill(&mut self, draft: &mut Draft, place: u64, delta: &Value) {
        let piece = |name: &str| text(delta, name).unwrap_or_default();
        let mut grow = |name: &str| {
            if let Some(Block::Thought(block)) = self.open.get_mut(&place) {
                let field = block.entry(name).or_insert_with(|| Value::String(String::new()));
                if let Value::String(whole) = field {
                    whole.push_str(piece(name));
                }
            }
        };
        match text(delta, "type").unwrap_or_default() {
            "text_delta" => draft.text(0, piece("text")),
            "thinking_delta" => {
                grow("thinking");
                draft.thought(0, piece("thinking"));
            }
            "signature_delta" => grow("signature"),
            "input_json_delta" => draft.arguments(0, place, piece("partial_json")),
            _ => {}
        }
    }

    fn end(&mut self, draft: &mut Draft, place: u64) {
        if let Some(block) = self.open.remove(&place) {
            self.close(draft, place, block);
        }
    }

    fn close(&self, draft: &mut Draft, place: u64, block: Block) {
        match block {
            Block::Thought(block) => draft.choice(0).thoughts.extend(signed_thought(self.by, block)),
            Block::Call(input) => {
                if draft.is_bare(0, place) {
                    draft.arguments(0, place, &input);
                }
            }
        }
    }

    /// The API counts what the cache gave and took apart from the rest. Later figures replace earlier ones.
    fn usage(&mut self, draft: &mut Draft, of: &Value) {
        let Some(usage) = of.get("usage") else { return };
        let read = |name: &str, was: Option<u64>| number(usage, name).or(was);
        self.plain_input = read("/input_tokens", self.plain_input);
        let told = &mut draft.usage;
        told.cached = read("/cache_read_input_tokens", told.cached);
        told.written = read("/cache_creation_input_tokens", told.written);
        told.output = read("/output_tokens", told.output);
        told.thinking = read("/output_tokens_details/thinking_tokens", told.thinking);
        let parts = [told.cached, told.written].map(Option::unwrap_or_default);
        told.input = self.plain_input.map(|plain| parts.into_iter().fold(plain, u64::saturating_add));
    }
}

fn stop(draft: &mut Draft, of: &Value) {
    let Some(word) = text(of, "stop_reason") else { return };
    match word {
        "end_turn" | "stop_sequence" => draft.stop = Some(Stop::End),
        "max_tokens" | "model_context_window_exceeded" => draft.stop = Some(Stop::Length),
        "tool_use" => draft.stop = Some(Stop::Calls),
        "refusal" => {
            let details = of.get("stop_details").unwrap_or(&Value::Null);
            let why = text(details, "explanation").or(text(details, "category")).unwrap_or_default();
            draft.refuse(0, word, why);
        }
        other => draft.stop = Some(Stop::Other(other.to_owned())),
    }
}

/// A thought as the API wants it back. One without a seal is nobody's: it cannot go back.
fn signed_thought(by: Api, block: Map<String, Value>) -> Option<Thought> {
    let filled = |name: &str| block.get(name).and_then(Value::as_str).filter(|text| !text.is_empty());
    filled("signature").or(filled("data"))?;
    let said = filled("thinking").unwrap_or_default().into();
    Some(Thought { by, text: said, seal: Value::Object(block).to_string().into(), call: None })
}
