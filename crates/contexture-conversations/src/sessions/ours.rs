//! Our own sessions, `sessions/{channel}_{chat_id}.json`: read whole or damaged, never changed.
//!
//! Every message that is whole comes back, whatever lies around it; the rest is told with its line. An unknown role is not
//! damage but an error: nobody may speak under a name that was not meant.

use std::fs;
use std::io::{self, Read};
use std::path::Path;
use std::sync::Arc;

use super::blocks::{self, Pictures};
use super::error::{Fault, SessionError, doing};
use super::json;
use super::names;
use super::scan::{self, Outline};
use super::tally::Tally;
use super::{Imported, Session, Spoken};

/// A session of 50,000 messages is some tens of megabytes; above this it is something else.
pub(crate) const MAX_BYTES: u64 = 1 << 30;

pub(super) const LIST: &[&str] = &["messages"];

/// Nothing if there is no such file yet.
pub fn read_file(path: &Path) -> Result<Option<Imported>, SessionError> {
    let Some(bytes) = load(path)? else { return Ok(None) };
    let mut read = parse(&bytes).map_err(|error| error.at(path))?;
    let (channel, chat_id) = names::of_file_name(&path.file_name().unwrap_or_default().to_string_lossy());
    for (field, value) in [(&mut read.session.channel, channel), (&mut read.session.chat_id, chat_id)] {
        if field.is_empty() {
            *field = value;
        }
    }
    let shown = path.to_string_lossy();
    read.notes.iter_mut().for_each(|note| note.path = Some(shown.clone().into_owned()));
    Ok(Some(read))
}

pub(super) fn load(path: &Path) -> Result<Option<Vec<u8>>, SessionError> {
    let meta = match fs::metadata(path) {
        Ok(meta) => meta,
        Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(None),
        Err(error) => return Err(doing("look at the session", path, error)),
    };
    if !meta.is_file() {
        let cause = io::Error::new(io::ErrorKind::InvalidInput, "not a regular file");
        return Err(doing("read the session", path, cause));
    }
    let mut bytes = Vec::with_capacity(usize::try_from(meta.len().min(MAX_BYTES)).unwrap_or(0));
    fs::File::open(path)
        .and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes))
        .map_err(|error| doing("read the session", path, error))?;
    if bytes.len() as u64 > MAX_BYTES {
        return Err(SessionError::from(Fault::TooLarge(MAX_BYTES)).at(path));
    }
    Ok(Some(bytes))
}

pub(super) fn parse(bytes: &[u8]) -> Result<Imported, SessionError> {
    parse_outlined(bytes, &scan::outline(bytes, LIST))
}

pub(super) fn parse_outlined(bytes: &[u8], outline: &Outline) -> Result<Imported, SessionError> {
    let mut tally = Tally::default();
    let mut lines = Lines::new(bytes);
    let mut breaks = outline.breaks.clone();
    breaks.sort_by_key(|broken| broken.at);
    for broken in breaks {
        tally.lose(broken.what, lines.at(broken.at));
    }
    let mut session = Session::default();
    for member in &outline.members {
        let field = match &*member.key {
            "channel" => &mut session.channel,
            "chat_id" => &mut session.chat_id,
            "created_at" => &mut session.created_at,
            "title" => session.title.get_or_insert_default(),
            _ => continue,
        };
        match bytes.get(member.value.clone()).and_then(json::value) {
            Some(serde_json::Value::String(text)) => *field = text,
            // An id of a chat is often a number.
            Some(serde_json::Value::Number(number)) => *field = number.to_string(),
            _ => {}
        }
    }
    session.title = session.title.filter(|title| !title.is_empty());
    let mut lines = Lines::new(bytes);
    for element in outline.list.iter().flat_map(|list| &list.elements) {
        let line = lines.at(element.start);
        let Some(mut object) = bytes.get(element.clone()).and_then(json::object) else {
            tally.lose("a message cannot be read", line);
            continue;
        };
        let at = json::take(&mut object, "timestamp");
        match blocks::chat(object, line, Pictures::Keep, &mut tally)? {
            Some(messages) => session.messages.extend(messages.into_iter().map(|message| Spoken {
                message: Arc::new(message),
                at: at.clone(),
                line,
            })),
            None => tally.lose("a message has no role", line),
        }
    }
    let (notes, skipped) = tally.close();
    Ok(Imported { format: "miniclaw", session, notes, skipped })
}

/// Line numbers of places that are asked for in order, so that the bytes are gone through once.
pub(crate) struct Lines<'a> {
    bytes: &'a [u8],
    at: usize,
    line: usize,
}

impl<'a> Lines<'a> {
    pub fn new(bytes: &'a [u8]) -> Self {
        Self { bytes, at: 0, line: 1 }
    }

    pub fn at(&mut self, place: usize) -> usize {
        if let Some(between) = self.bytes.get(self.at..place) {
            self.line += memchr::memchr_iter(b'\n', between).count();
            self.at = place;
        }
        self.line
    }
}
