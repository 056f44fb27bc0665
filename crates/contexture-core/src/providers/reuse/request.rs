//! A request as a provider's cache sees it: blocks in the order they are kept.
//!
//! Takes the body of a request of any program; gives its blocks with their bytes, tokens and marks. A mark is not part of what is
//! kept, and neither is white space around it: two blocks are the same when they say the same.

use crate::count::{FRAME, IMAGE};
use crate::types::{Api, ContentHash};
use serde_json::value::RawValue;
use serde_json::{Map, Value};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Range;

/// The body of a request, taken apart into the blocks that a cache would keep.
#[derive(Clone)]
pub struct Request<'a> {
    pub api: Api,
    pub body: &'a str,
    pub model: Option<String>,
    pub segments: Vec<Segment>,
    /// Whether only the marks count, and not the end of the newest message (OpenAI).
    pub(super) is_explicit: bool,
    /// Of what else must be the same for messages to be found again.
    pub(super) settings: ContentHash,
    /// The tokens of a text.
    pub(super) count: &'a dyn Fn(&str) -> u64,
}

/// A block.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Segment {
    /// Where it stands: `messages[2].content[0]`.
    pub place: String,
    /// Its bytes in the body.
    pub bytes: Range<usize>,
    pub section: Section,
    pub tokens: u64,
    /// Whether a mark for the cache stands on it.
    pub is_marked: bool,
    /// Whether it is the last of its message.
    pub ends_message: bool,
    /// What it says and who says it, without marks.
    pub(super) hash: ContentHash,
    /// Who says it; empty where the section tells.
    pub(super) role: String,
}

/// The part of a request that a block stands in, in the order that a cache keeps them.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum Section {
    Tools,
    System,
    Messages,
}

/// Where the blocks of a request stand, in the order that a cache keeps them.
#[derive(Debug)]
pub struct Layout {
    /// Lists of blocks, or one text: the member that holds it, by any of its names, where it is not the request itself; its name; what it is.
    pub blocks: &'static [(&'static [&'static str], &'static str, Section)],
    /// The list of messages, and what each has its blocks in.
    pub messages: &'static str,
    pub content: &'static str,
}

/// Why a text is no request.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct NotARequest(pub String);

impl fmt::Display for NotARequest {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.0)
    }
}

impl std::error::Error for NotARequest {}

/// Members that mark, in any block of any API.
const MARKS: [&str; 2] = ["cache_control", "prompt_cache_breakpoint"];

type Members<'a> = BTreeMap<String, &'a RawValue>;

impl<'a> Request<'a> {
    /// Takes the body of a request to `api` apart. `count` gives the tokens of a text, and is asked for each block.
    pub fn read(api: Api, body: &'a str, count: &'a dyn Fn(&str) -> u64) -> Result<Self, NotARequest> {
        let members: Members<'a> = serde_json::from_str(body).map_err(|error| NotARequest(error.to_string()))?;
        let text = |key: &str| members.get(key).and_then(|raw| serde_json::from_str::<String>(raw.get()).ok());
        let is_explicit = members.get("prompt_cache_options").is_some_and(|raw| {
            let options: Option<Value> = serde_json::from_str(raw.get()).ok();
            options.is_some_and(|options| options.get("mode").and_then(Value::as_str) == Some("explicit"))
        });
        let matters = ["tool_choice", "thinking"].map(|key| members.get(key).map_or("", |raw| raw.get()));
        let mut reader = RequestReader { body, count, segments: Vec::new() };
        reader.sections(&api.provider().dialect.layout, &members)?;
        Ok(Self {
            api,
            body,
            model: text("model"),
            segments: reader.segments,
            is_explicit,
            settings: ContentHash::of_parts(matters.map(str::as_bytes)),
            count,
        })
    }

    /// The tokens of the first so many blocks.
    pub fn tokens(&self, blocks: usize) -> u64 {
        self.segments.iter().take(blocks).map(|segment| segment.tokens).sum()
    }

    /// The text that a block begins with: its own, that of a part, or that of a message whose content is one text.
    pub(super) fn text(&self, segment: &Segment) -> Option<String> {
        match serde_json::from_str(&self.body[segment.bytes.clone()]).ok()? {
            Value::String(text) => Some(text),
            Value::Object(mut block) => {
                let texts = ["text", "content"].map(|key| block.remove(key));
                texts
                    .into_iter()
                    .flatten()
                    .find_map(|text| if let Value::String(text) = text { Some(text) } else { None })
            }
            _ => None,
        }
    }
}

struct RequestReader<'a> {
    body: &'a str,
    count: &'a dyn Fn(&str) -> u64,
    segments: Vec<Segment>,
}

impl<'a> RequestReader<'a> {
    /// All of a request, in the order its API keeps it.
    fn sections(&mut self, layout: &Layout, members: &Members<'a>) -> Result<(), NotARequest> {
        for (holders, key, section) in layout.blocks {
            let holder = holders.iter().find_map(|name| members.get(*name));
            match holder.map(|raw| serde_json::from_str::<Members<'a>>(raw.get())) {
                Some(Ok(inner)) => self.each(&inner, key, *section),
                None if holders.is_empty() => self.each(members, key, *section),
                Some(Err(_)) | None => {}
            }
        }
        let key = layout.messages;
        let messages = members.get(key).ok_or_else(|| NotARequest(format!("it has no `{key}`")))?;
        self.messages(messages, key, layout.content)
    }

    /// A member that is a text, or a list of blocks.
    fn each(&mut self, members: &Members<'a>, key: &str, section: Section) {
        let Some(raw) = members.get(key) else { return };
        match serde_json::from_str::<Vec<&'a RawValue>>(raw.get()) {
            Ok(blocks) => {
                for (nth, block) in blocks.iter().enumerate() {
                    self.block(format!("{key}[{nth}]"), block, section, "", 0);
                }
            }
            Err(_) if raw.get() == "null" => {}
            Err(_) => self.block(key.to_owned(), raw, section, "", 0),
        }
        self.end_message();
    }

    /// A list of messages, each with a text or blocks in `content`; one text stands for one message.
    fn messages(&mut self, raw: &'a RawValue, key: &str, content: &str) -> Result<(), NotARequest> {
        let Ok(messages) = serde_json::from_str::<Vec<&'a RawValue>>(raw.get()) else {
            if !raw.get().starts_with('"') {
                return Err(NotARequest(format!("`{key}` is no list")));
            }
            self.block(key.to_owned(), raw, Section::Messages, "user", FRAME);
            self.end_message();
            return Ok(());
        };
        for (nth, message) in messages.iter().enumerate() {
            let place = format!("{key}[{nth}]");
            let inner: Members<'a> = serde_json::from_str(message.get()).unwrap_or_default();
            let blocks = inner.get(content).and_then(|raw| serde_json::from_str::<Vec<&'a RawValue>>(raw.get()).ok());
            let role = inner.get("role").map_or("", |raw| raw.get());
            let Some(blocks) = blocks.filter(|blocks| !blocks.is_empty()) else {
                self.block(place, message, Section::Messages, role, FRAME);
                self.end_message();
                continue;
            };
            for (nth, block) in blocks.iter().enumerate() {
                let frame = if nth == 0 { FRAME } else { 0 };
                self.block(format!("{place}.{content}[{nth}]"), block, Section::Messages, role, frame);
            }
            // What a message has beside its content, as calls of tools.
            for (name, rest) in inner.iter().filter(|(name, _)| !["role", "type", content].contains(&name.as_str())) {
                self.block(format!("{place}.{name}"), rest, Section::Messages, name, 0);
            }
            self.end_message();
        }
        Ok(())
    }

    fn block(&mut self, place: String, raw: &'a RawValue, section: Section, role: &str, frame: u64) {
        let start = raw.get().as_ptr() as usize - self.body.as_ptr() as usize;
        let mut value: Value = serde_json::from_str(raw.get()).unwrap_or(Value::Null);
        let is_marked = strip(&mut value);
        // What is nested too deep for a value is compared as it is written.
        let said = if value.is_null() { raw.get().to_owned() } else { value.to_string() };
        let hash = ContentHash::of_parts([&[section as u8], role.as_bytes(), said.as_bytes()]);
        let tokens = frame + self.cost(&value);
        let bytes = start..start + raw.get().len();
        let role = role.to_owned();
        self.segments.push(Segment { place, bytes, section, tokens, is_marked, ends_message: false, hash, role });
    }

    fn end_message(&mut self) {
        if let Some(last) = self.segments.last_mut() {
            last.ends_message = true;
        }
    }

    /// What a model reads of a block: its texts; of calls and schemas also their JSON. Marks around calls and schemas are counted as
    /// around messages.
    fn cost(&self, value: &Value) -> u64 {
        let mut total = 0;
        let mut left = vec![value];
        while let Some(value) = left.pop() {
            match value {
                Value::String(text) => total += (self.count)(text),
                Value::Array(values) => left.extend(values),
                Value::Object(object) => {
                    if is_picture(object) {
                        total += IMAGE;
                        continue;
                    }
                    for (key, value) in object {
                        match key.as_str() {
                            "role" | "type" | "signature" | "thoughtSignature" | "encrypted_content" | "strict"
                            | "detail" => {}
                            "input" | "args" | "input_schema" | "parameters" | "parametersJsonSchema"
                                if value.is_object() =>
                            {
                                total += FRAME + (self.count)(&value.to_string());
                            }
                            "arguments" => {
                                left.push(value);
                                total += FRAME;
                            }
                            _ => left.push(value),
                        }
                    }
                }
                Value::Null | Value::Bool(_) | Value::Number(_) => {}
            }
        }
        total
    }
}

/// Whether a block is looked at and not read: a picture, or a document that is no text. Other blocks may have members of the same names.
fn is_picture(block: &Map<String, Value>) -> bool {
    let source = block.get("source").and_then(|source| source.get("type")).and_then(Value::as_str);
    match block.get("type").and_then(Value::as_str) {
        Some("image") => source.is_some(),
        Some("document") => matches!(source, Some("base64" | "url" | "file")),
        Some("image_url") => block.get("image_url").is_some_and(Value::is_object),
        Some("input_image") => true,
        Some(_) => false,
        // Gemini's parts have no type.
        None => ["inlineData", "inline_data"].iter().any(|key| block.get(*key).is_some_and(Value::is_object)),
    }
}

/// Takes the mark off a block, wherever in it one may stand; whether there was one.
fn strip(value: &mut Value) -> bool {
    let Value::Object(object) = value else { return false };
    let mut is_marked = MARKS.iter().any(|mark| object.remove(*mark).is_some_and(|value| !value.is_null()));
    // A mark on the content of a message of one block.
    if let Some(Value::Array(inner)) = object.get_mut("content") {
        for block in inner.iter_mut().filter_map(Value::as_object_mut) {
            is_marked |= MARKS.iter().any(|mark| block.remove(*mark).is_some());
        }
    }
    is_marked
}
