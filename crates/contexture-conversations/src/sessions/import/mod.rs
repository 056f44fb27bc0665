//! Conversations that other programs wrote, told apart by what is in them and never by their names.
//!
//! Takes a file; gives its conversation as a [`Session`], with counts of what was left out. Files of lines are read line by
//! line; documents are held once and taken apart piece by piece. Broken lines, unknown types and half a last line cost
//! themselves and nothing else. An unknown role is an error.

pub(crate) mod chatgpt;
mod claude_ai;
mod claude_code;
mod codex;
mod export;
pub(crate) mod lines;
mod nanobot;
mod openai;
pub(crate) mod pi;
mod tree;
mod zst;

use std::collections::BTreeMap;
use std::fs::File;
use std::io::{self, BufRead, BufReader, Cursor};
use std::path::Path;
use std::sync::Arc;

use contexture_core::{Message, Note, Role};

use self::lines::{Lines, Records};
use super::error::{Fault, SessionError, doing};
use super::json::{self, Object};
use super::scan::{self, Outline, Top};
use super::tally::Tally;
use super::{Session, Spoken, blocks, ours, value};

/// The formats by the names that an [`Imported`] bears.
pub const KNOWN: &[&str] =
    &["openai", "anthropic", "claude-code", "codex", "pi", "nanobot", "miniclaw", "chatgpt", "claude-ai"];

/// Which conversation of a file, and how much of it.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ImportOptions {
    /// Of a tree: the id of the message to end with, instead of the active one.
    pub leaf: Option<String>,
    /// What was said before a compaction, instead of its summary.
    pub full_log: bool,
    /// Of an export with several conversations: an id or a title, instead of the newest.
    pub conversation: Option<String>,
}

/// A conversation of another program, and what could not be taken over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imported {
    /// One of [`KNOWN`].
    pub format: &'static str,
    pub session: Session,
    pub notes: Vec<Note>,
    /// What was left out, by kind.
    pub skipped: BTreeMap<String, usize>,
}

/// How many lines may lack a sign of their format before a file is taken for something else.
const SNIFFED: usize = 64;

/// Before a summary that stands for what was said.
const SUMMARY: &str = "Summary of the conversation before this point:\n\n";

/// The list members of documents.
const LISTS: &[&str] = &["messages", "chat_messages"];

/// Reads the conversation in a file of any known format, compressed with Zstandard or not. A conversation without an id gets the
/// name of the file.
pub fn import_file(path: &Path, options: &ImportOptions) -> Result<Imported, SessionError> {
    let fail = |error| doing("read", path, error);
    // Before it is opened: a pipe would wait for a writer, and some devices never end.
    let data = std::fs::metadata(path).map_err(fail)?;
    if data.is_dir() {
        return Err(fail(io::ErrorKind::IsADirectory.into()));
    }
    if !data.is_file() {
        return Err(SessionError::from(Fault::Special).at(path));
    }
    let file = File::open(path).map_err(fail)?;
    let mut imported = read(BufReader::with_capacity(1 << 18, file), options).map_err(|error| error.at(path))?;
    if imported.session.chat_id.is_empty() {
        imported.session.chat_id = path.file_stem().unwrap_or_default().to_string_lossy().into_owned();
    }
    let shown = path.to_string_lossy();
    imported.notes.iter_mut().for_each(|note| note.path = Some(shown.clone().into_owned()));
    Ok(imported)
}

/// The same from anything that can be read.
pub fn read<'a>(source: impl BufRead + 'a, options: &ImportOptions) -> Result<Imported, SessionError> {
    let mut lines = Lines::new(Box::new(source)).map_err(broken)?;
    if looks_like_document(&mut lines).map_err(broken)? {
        let bytes = lines.rest().map_err(broken)?;
        let outline = scan::outline(&bytes, LISTS);
        match document(&bytes, &outline, options) {
            Some(result) => return finish(result?, options),
            // Perhaps its first line only was broken.
            None => lines = Lines::new(Box::new(Cursor::new(bytes))).map_err(broken)?,
        }
    }
    let Some(reader) = sniff(&mut lines).map_err(broken)? else {
        let empty = lines.next().map_err(broken)?.is_none() && lines.cut.is_none();
        return Err(if empty { Fault::Empty } else { Fault::Format }.into());
    };
    finish(reader(Records::new(lines), options)?, options)
}

/// What a reader of a format gives.
struct ReadConversation {
    format: &'static str,
    session: Session,
    tally: Tally,
}

type Outcome = Result<ReadConversation, SessionError>;

/// Formats whose conversations fork, and those with several in a file. A wish that others cannot fulfil is an error.
const FORKING: [&str; 4] = ["claude-code", "pi", "chatgpt", "claude-ai"];
const SEVERAL: [&str; 4] = ["openai", "anthropic", "chatgpt", "claude-ai"];

fn finish(found: ReadConversation, options: &ImportOptions) -> Result<Imported, SessionError> {
    let ReadConversation { format, mut session, mut tally } = found;
    if let Some(leaf) = options.leaf.as_ref().filter(|_| !FORKING.contains(&format)) {
        return Err(Fault::Leaf { wanted: leaf.clone(), known: Vec::new() }.into());
    }
    if let Some(wanted) = options.conversation.as_ref().filter(|_| !SEVERAL.contains(&format)) {
        return Err(Fault::Conversation { wanted: wanted.clone(), known: Vec::new() }.into());
    }
    // Transcripts hold messages of which nothing is left, or that broke off before anything was said.
    if !["openai", "anthropic", "miniclaw"].contains(&format) {
        let all = session.messages.len();
        let is_empty = |message: &Message| blocks::is_empty(message) && message.role != Role::Tool;
        session.messages.retain(|spoken| !is_empty(&spoken.message));
        tally.skip_many("empty message", all - session.messages.len());
    }
    let (notes, skipped) = tally.close();
    // Our own sessions keep their channel; what comes from elsewhere is known by where it comes from.
    if session.channel.is_empty() {
        session.channel = format.into();
    }
    Ok(Imported { format, session, notes, skipped })
}

fn spoken(message: Message, at: Option<&str>, line: usize) -> Spoken {
    Spoken { message: Arc::new(message), at: at.map(Into::into), line }
}

/// One JSON value over all lines, or one line that holds a whole conversation.
fn looks_like_document(lines: &mut Lines) -> io::Result<bool> {
    let Some(first) = lines.peek(0)? else { return Ok(false) };
    let bytes = first.trim_ascii_start();
    if bytes.first() != Some(&b'{') {
        return Ok(bytes.first() == Some(&b'['));
    }
    // By its outline, for the line may be a whole export: values are not made of it to look at its keys.
    let outline = scan::outline(bytes, LISTS);
    if !outline.breaks.is_empty() {
        let is_begun = has(&outline, LISTS);
        let is_open =
            matches!(value::whole(bytes, 0), Err(stop) if stop >= bytes.len()) && !value::ends_in_string(bytes);
        return Ok(is_open || (is_begun && lines.peek(1)?.is_none()));
    }
    if has(&outline, &["mapping", "chat_messages"]) {
        return Ok(true);
    }
    Ok(has(&outline, &["messages"]) && lines.peek(1)?.is_none())
}

/// Whether the outermost object has one of the members.
fn has(outline: &Outline, keys: &[&str]) -> bool {
    let list = outline.list.as_ref().and_then(|list| list.key.as_deref());
    outline.members.iter().map(|member| &*member.key).chain(list).any(|key| keys.contains(&key))
}

fn document(bytes: &[u8], outline: &Outline, options: &ImportOptions) -> Option<Outcome> {
    match outline.top {
        Top::Object if has(outline, &["mapping"]) => Some(chatgpt::FORMAT.one(bytes, options)),
        Top::Object if has(outline, &["chat_messages"]) => Some(claude_ai::FORMAT.one(bytes, options)),
        Top::Object if outline.list.is_some() => Some(match has(outline, &["session_id", "channel", "chat_id"]) {
            // Those of miniclaw are ours.
            true => ours::parse_outlined(bytes, outline).map(|read| {
                let mut tally = Tally::default();
                (tally.skipped, tally.notes) = (read.skipped, read.notes);
                ReadConversation { format: read.format, session: read.session, tally }
            }),
            false => openai::document(bytes, outline),
        }),
        Top::Array => {
            let elements = &outline.list.as_ref()?.elements;
            if elements.is_empty() && outline.breaks.is_empty() {
                return Some(openai::document(bytes, outline));
            }
            // The first one that says what it is; a few may be broken or odd.
            elements.iter().take(SNIFFED).find_map(|element| {
                let inner = scan::outline(bytes.get(element.clone())?, LISTS);
                if has(&inner, &["mapping"]) {
                    Some(chatgpt::FORMAT.chosen(bytes, outline, options))
                } else if has(&inner, &["chat_messages"]) {
                    Some(claude_ai::FORMAT.chosen(bytes, outline, options))
                } else if has(&inner, &["role"]) {
                    Some(openai::document(bytes, outline))
                } else {
                    has(&inner, &["messages"]).then(|| openai::export(bytes, outline, options))
                }
            })
        }
        _ => None,
    }
}

type LineReader = fn(Records, &ImportOptions) -> Outcome;

/// By the first line that tells.
fn sniff(lines: &mut Lines) -> io::Result<Option<LineReader>> {
    for index in 0..SNIFFED {
        let Some(line) = lines.peek(index)? else { return Ok(None) };
        if let Some(reader) = json::object(line).and_then(|object| reader_of(&object)) {
            return Ok(Some(reader));
        }
    }
    Ok(None)
}

fn reader_of(object: &Object) -> Option<LineReader> {
    let has = |key: &str| object.contains_key(key);
    if has("_type") {
        return Some(nanobot::lines);
    }
    if let Some(kind) = json::text(object, "type") {
        if claude_code::is_line(kind, object) {
            return Some(claude_code::lines);
        }
        if codex::is_line(kind, object) {
            return Some(codex::lines);
        }
        if pi::is_line(kind, object) {
            return Some(pi::lines);
        }
    }
    if codex::is_old_head(object) {
        return Some(codex::lines);
    }
    let chats = object.get("messages").is_some_and(serde_json::Value::is_array);
    (chats || json::text(object, "role").is_some()).then_some(openai::lines)
}

fn broken(cause: io::Error) -> SessionError {
    match cause.get_ref().and_then(|inner| inner.downcast_ref::<lines::TooLarge>()) {
        Some(lines::TooLarge(limit)) => Fault::TooLarge(*limit).into(),
        None => Fault::Io { what: "read the conversation", cause }.into(),
    }
}
