//! Adding to a session: locked between processes, durable, and whole at every moment.
//!
//! New bytes are put between old ones, so what another program wrote into the file stays as it wrote it, to the letter. A
//! damaged file is first given a second name, `NAME.damaged-N`, and only then replaced by what could be read of it and the
//! new messages. No clock here: the caller says when.

use std::fs::{self, File};
use std::io;
use std::ops::Range;
use std::path::{Path, PathBuf};

use contexture_core::{Note, Topic};
use serde_json::Value;

use super::error::{Fault, SessionError, doing};
use super::scan::{self, List, Outline, Top};
use super::{Spoken, names, ours, print};
use contexture_gather::outputs;
use contexture_gather::private_files::{beside, copy_new, folder, lock_path, make_folder};

/// What an [`append`] did.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Appended {
    /// How many messages the file holds now.
    pub messages: usize,
    /// How long the file is now.
    pub bytes: u64,
    /// Whether there was no file before.
    pub created: bool,
    /// Where the damaged bytes lie, if the file was damaged.
    pub set_aside: Option<PathBuf>,
    pub notes: Vec<Note>,
}

/// Adds the messages at the end; they are on disk for good when this returns. Each bears its own time, or `now`. The file and
/// its folder are made if they are missing, for their owner alone.
pub fn append(path: &Path, messages: &[Spoken], now: &str) -> Result<Appended, SessionError> {
    let path = &resolved(path);
    if path.file_name().is_none() || path.is_dir() {
        return Err(Fault::from(outputs::OutputError::IsFolder(path.into())).into());
    }
    let dir = folder(path);
    make_folder(dir).map_err(|error| doing("make the folder", dir, error))?;
    let _lock = lock(path)?;
    let old = ours::load(path)?;
    let lines: Vec<_> =
        messages.iter().map(|spoken| print::message(&spoken.message, spoken.at.as_deref().or(Some(now)))).collect();
    let mut done = Appended { messages: lines.len(), bytes: 0, created: old.is_none(), set_aside: None, notes: vec![] };

    let bytes = old.unwrap_or_default();
    let outline = scan::outline(&bytes, ours::LIST);
    if is_foreign(&bytes, &outline) {
        return Err(Fault::Foreign.into());
    }
    let is_object = |element: &&Range<usize>| bytes.get(element.start) == Some(&b'{');
    let kept = outline.list.iter().flat_map(|list| &list.elements).filter(is_object).count();
    done.messages += kept;
    let new = if let Some(list) = spliceable(&outline) {
        splice(&bytes, &outline, list, &lines, now)
    } else {
        if !bytes.is_empty() && !is_only_headed(&bytes, &outline) {
            let aside = set_aside(path)?;
            let text =
                format!("session was damaged: {kept} messages could be read, all bytes are in `{}`", shown(&aside));
            done.notes.push(Note::new(Topic::Unread, text).at(shown(path)));
            done.set_aside = Some(aside);
        }
        compose(path, &bytes, &outline, &lines, now)
    };
    done.bytes = outputs::write_private(path, |out| out.write_all(&new)).map_err(Fault::from)?;
    if done.created {
        // Another process may have made the folder a moment ago and not have synced it yet.
        outputs::sync_ancestors(dir).map_err(Fault::from)?;
    }
    Ok(done)
}

/// Whether a file is plainly something else than a session that was damaged: whole JSON of another shape, lines of another
/// program, text. Such a file is nobody's to replace.
fn is_foreign(bytes: &[u8], outline: &Outline) -> bool {
    const OURS: [&str; 4] = ["session_id", "channel", "chat_id", "messages"];
    let text = bytes.trim_ascii();
    let has = |outline: &Outline| outline.members.iter().any(|member| OURS.contains(&member.key.as_str()));
    let says = |word: &[u8]| memchr::memmem::find(text, word).is_some();
    let is_said = |list: &List| {
        let first = list.elements.first().and_then(|element| bytes.get(element.clone()));
        first.is_none_or(|first| memchr::memmem::find(first, b"\"role\"").is_some())
    };
    match text.first() {
        None => false,
        Some(b'{') => {
            let line = text.split(|byte| *byte == b'\n').next().unwrap_or_default().trim_ascii();
            let first = scan::outline(line, ours::LIST);
            let is_line = line.len() < text.len() && first.breaks.is_empty() && first.list.is_none() && !has(&first);
            let is_whole = outline.breaks.is_empty();
            match &outline.list {
                _ if is_line => true,
                Some(list) => !is_said(list),
                None => is_whole && !outline.members.is_empty() && !has(outline),
            }
        }
        Some(b'[') => outline.list.as_ref().is_none_or(|list| !is_said(list)),
        // Bytes that are no text, and the rest of something that was said, are what a crash leaves.
        Some(_) => std::str::from_utf8(text).is_ok_and(|text| !text.contains('\0')) && !says(b"\"role\""),
    }
}

/// The list of a document that is whole.
fn spliceable(outline: &Outline) -> Option<&List> {
    outline.list.as_ref().filter(|list| outline.breaks.is_empty() && list.close.is_some())
}

/// An object that is whole and has no messages yet. A `messages` that is no list is not ours to drop.
fn is_only_headed(bytes: &[u8], outline: &Outline) -> bool {
    let no_list = outline.members.iter().all(|m| m.key != "messages" || bytes.get(m.value.clone()) == Some(b"null"));
    outline.top == Top::Object && outline.breaks.is_empty() && no_list
}

/// The old bytes with the new lines behind the last message, and with the time of last use.
fn splice(bytes: &[u8], outline: &Outline, list: &List, lines: &[String], now: &str) -> Vec<u8> {
    let (place, text) = match list.elements.last() {
        Some(last) => {
            let indent = " ".repeat(scan::indent(bytes, last.start).unwrap_or(4));
            (last.end, lines.iter().map(|line| format!(",\n{indent}{line}")).collect())
        }
        None if lines.is_empty() => (list.open + 1, String::new()),
        None => (list.open + 1, format!("\n    {}\n  ", lines.join(",\n    "))),
    };
    let mut edits = vec![(place..place, text)];
    if let Some(member) = outline.members.iter().rfind(|member| member.key == "last_accessed") {
        edits.push((member.value.clone(), Value::from(now).to_string()));
    }
    edits.sort_by_key(|(range, _)| range.start);
    let mut new = Vec::with_capacity(bytes.len() + lines.iter().map(|line| line.len() + 8).sum::<usize>() + 64);
    let mut from = 0;
    for (range, text) in edits {
        new.extend_from_slice(bytes.get(from..range.start).unwrap_or_default());
        new.extend_from_slice(text.as_bytes());
        from = range.end;
    }
    new.extend_from_slice(bytes.get(from..).unwrap_or_default());
    new
}

/// A file anew: the members and the messages that can be read as they were, then the new lines.
fn compose(path: &Path, bytes: &[u8], outline: &Outline, lines: &[String], now: &str) -> Vec<u8> {
    let slice =
        |range: &Range<usize>| String::from_utf8_lossy(bytes.get(range.clone()).unwrap_or_default()).into_owned();
    let mut text = String::from("{\n");
    for member in outline.members.iter().filter(|member| member.key != "messages") {
        let value = if member.key == "last_accessed" { Value::from(now).to_string() } else { slice(&member.value) };
        text += &format!("  {}: {value},\n", slice(&member.name));
    }
    if outline.members.is_empty() {
        let (channel, chat_id) = names::of_file_name(&path.file_name().unwrap_or_default().to_string_lossy());
        text = print::head(&channel, &chat_id, now, now, None);
    }
    // What is no object was never a message.
    let old = outline.list.iter().flat_map(|list| &list.elements).map(slice).filter(|text| text.starts_with('{'));
    print::list(&mut text, old.chain(lines.iter().cloned()));
    text.push_str("\n}\n");
    text.into_bytes()
}

/// Gives the damaged file a second name before its first one goes to its successor: nothing is copied, so nothing can be cut
/// off, and a name that is taken is never given twice.
fn set_aside(path: &Path) -> Result<PathBuf, SessionError> {
    let fail = |error| doing("set the damaged session aside", path, error);
    for number in 1u32.. {
        let aside = beside(path, &format!(".damaged-{number}"));
        match fs::hard_link(path, &aside) {
            Ok(()) => {}
            Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
            // Not every file system has second names.
            Err(_) => match copy_new(path, &aside) {
                Err(error) if error.kind() == io::ErrorKind::AlreadyExists => continue,
                result => drop(result.map_err(fail)?),
            },
        }
        File::open(&aside).and_then(|file| file.sync_all()).map_err(fail)?;
        outputs::sync_folder(folder(path)).map_err(Fault::from)?;
        return Ok(aside);
    }
    Err(fail(io::ErrorKind::AlreadyExists.into()))
}

/// Held until it is dropped. The file of the lock stays: who removed it would let two in at once.
fn lock(path: &Path) -> Result<File, SessionError> {
    let place = lock_path(path);
    outputs::open_plain(&place, outputs::Create::Yes)
        .and_then(|file| file.lock().map(|()| file))
        .map_err(|error| doing("lock the session", &place, error))
}

/// Through links: the lock and what is set aside belong beside the file itself.
fn resolved(path: &Path) -> PathBuf {
    fs::canonicalize(path).unwrap_or_else(|_| path.into())
}

fn shown(path: &Path) -> String {
    path.to_string_lossy().into_owned()
}
