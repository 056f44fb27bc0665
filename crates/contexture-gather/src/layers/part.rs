//! One file of a workspace: read, decoded, cut and parsed, with a stamp that tells later whether it changed.
//!
//! Takes a place below a root; gives a [`WorkspacePart`]. A part whose stamp is still the same is used again without opening the file.

use super::{Document, MemoryFile, Skill, State, skills};
use crate::decode::{DecodedKind, decode};
use crate::read;
use crate::roots::{self, RootedPath, Roots};
use contexture_core::shape::memory;
use contexture_core::{Body, ContentHash, Note, Text, Topic};
use std::collections::BTreeMap;
use std::io::{self, Read, Seek, SeekFrom};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, SystemTime};

/// A file above this is cut. A mebibyte is some 250,000 tokens, more than anyone wants in front of every call.
pub const LAYER_CAP: usize = 1024 * 1024;
/// Of a memory only some entries are shown: all of it is ranked. Of one that is larger than any file is read, the end is kept,
/// where programs write what is new.
const MEMORY_CAP: usize = crate::read::FILE_CAP as usize;

/// Times of files tell two writes apart only when they are further apart than the coarsest clock of a file system: two
/// seconds on FAT. What was written so shortly before it was read is read again.
const SETTLED: Duration = Duration::from_secs(2);

#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Debug)]
pub enum PartKind {
    Document,
    Memory,
    Skill,
}

pub struct WorkspacePart {
    /// As shown.
    pub path: String,
    pub found: PartContent,
    pub notes: Vec<Note>,
    /// Which file it is on disk.
    pub identity: Option<read::Identity>,
    /// None: it must be read again.
    stamp: Option<Stamp>,
}

pub enum PartContent {
    /// No such file, or nothing but white space in it.
    Nothing(&'static str),
    Unusable(String),
    Document(Document),
    Memory(MemoryFile),
    Skill(Box<Skill>),
    /// A skill that was left out; its notes say why.
    Refused,
}

impl PartContent {
    /// Why there is nothing to show.
    pub fn cause(&self) -> &str {
        match self {
            Self::Nothing(cause) => cause,
            Self::Unusable(cause) => cause,
            _ => "",
        }
    }
}

pub type Parts = BTreeMap<(PathBuf, PartKind), Arc<WorkspacePart>>;

/// What was asked for: the part, and whether the file had to be opened.
pub struct LoadedPart {
    pub key: (PathBuf, PartKind),
    pub part: Arc<WorkspacePart>,
    pub opened: bool,
}

/// The part at a place: the known one while its stamp holds.
pub fn get(known: &Parts, roots: &Roots, place: &RootedPath, kind: PartKind, path: String) -> LoadedPart {
    let absolute = roots.absolute(place);
    // Before anything is looked at: what is written from now on must not seem old.
    let now = SystemTime::now();
    let stamp = Stamp::of(&absolute);
    let key = (absolute, kind);
    if let Ok(stamp) = &stamp
        && let Some(part) = known.get(&key).filter(|part| part.stamp.as_ref() == Some(stamp))
    {
        return LoadedPart { key, part: part.clone(), opened: false };
    }
    let nothing = |found: PartContent, stamp: Option<Stamp>| WorkspacePart {
        path,
        found,
        notes: Vec::new(),
        identity: None,
        stamp,
    };
    let part = match stamp {
        Ok(Stamp::Absent) => {
            let is_link = key.0.symlink_metadata().is_ok();
            let cause = if is_link { "a link that leads nowhere" } else { "file not found" };
            nothing(PartContent::Nothing(cause), Some(Stamp::Absent))
        }
        Ok(Stamp::Present { .. }) => {
            let stamp = stamp.ok();
            let part = load(roots, place, kind, nothing(PartContent::Nothing("empty"), None));
            let identity = stamp.as_ref().and_then(Stamp::identity);
            let part = WorkspacePart { stamp: stamp.filter(|stamp| stamp.is_settled(now)), identity, ..part };
            return LoadedPart { key, part: Arc::new(part), opened: true };
        }
        Err(error) => nothing(PartContent::Unusable(roots::failure(&error).to_string()), None),
    };
    LoadedPart { key, part: Arc::new(part), opened: false }
}

fn load(roots: &Roots, place: &RootedPath, kind: PartKind, mut part: WorkspacePart) -> WorkspacePart {
    let note = |topic, text: String| Note::new(topic, text).at(part.path.clone());
    let contents = match contents(roots, place, kind) {
        Ok(contents) => contents,
        Err(cause) => {
            part.found = PartContent::Unusable(cause);
            return part;
        }
    };
    let mut notes: Vec<Note> = contents.remarks.into_iter().map(|(topic, text)| note(topic, text)).collect();
    // Behind a beginning there is more, even where it is short enough once it is decoded.
    let cap = if kind == PartKind::Memory { MEMORY_CAP } else { LAYER_CAP };
    let most = if contents.is_head { cap.min(contents.text.len().saturating_sub(1)) } else { cap };
    let shown = lines_within(&contents.text, most);
    let (text, state) = match shown {
        _ if kind == PartKind::Memory && contents.is_head => {
            let cause = format!("{} bytes: the last {} are read", contents.raw_bytes, contents.text.len());
            notes.push(note(Topic::Reduced, cause).hint("move what is old into another file"));
            (contents.text, State::Truncated)
        }
        Some(shown) => {
            let cause = format!("{} bytes: cut at a line after {}", contents.raw_bytes, shown.len());
            notes.push(
                note(Topic::Reduced, cause).hint("move what is rarely needed into files that are read on demand"),
            );
            (Text::from(shown), State::Truncated)
        }
        None => (contents.text, State::Ok),
    };
    if text.trim().is_empty() {
        part.notes = notes;
        return part;
    }
    let (path, raw_bytes) = (part.path.clone(), contents.raw_bytes);
    part.found = match kind {
        PartKind::Skill => {
            let folder =
                place.rel.parent().and_then(Path::file_name).map(|name| crate::names::display_path(Path::new(name)));
            let read = skills::SkillSource { text: &text, folder: &folder.unwrap_or_default(), path: &path };
            match skills::parse(&read, &mut notes) {
                Some(parsed) => PartContent::Skill(Box::new(Skill { raw_bytes, hash: contents.hash, ..parsed })),
                None => PartContent::Refused,
            }
        }
        PartKind::Document => {
            PartContent::Document(Document { path, text, raw_bytes, state, hash: Some(contents.hash) })
        }
        PartKind::Memory => {
            let entries = memory::split(&text).into_iter().map(Arc::new).collect();
            let document = Document { path, text, raw_bytes, state, hash: Some(contents.hash) };
            PartContent::Memory(MemoryFile { document, entries })
        }
    };
    part.notes = notes;
    part
}

struct Contents {
    text: Text,
    raw_bytes: u64,
    hash: ContentHash,
    /// Only the beginning was read.
    is_head: bool,
    remarks: Vec<(Topic, String)>,
}

fn contents(roots: &Roots, place: &RootedPath, kind: PartKind) -> Result<Contents, String> {
    let read = read::read(roots, place);
    let mut remarks: Vec<_> = read.remark.into_iter().map(|remark| (Topic::Encoding, remark)).collect();
    if read.unstable {
        remarks.push((Topic::Unstable, "changed while it was read".to_owned()));
    }
    let (text, hash, is_head) = match read.body {
        Body::Text { text, .. } => (text, read.hash, false),
        Body::Huge { .. } => {
            let bytes = if kind == PartKind::Memory { end(roots, place)? } else { head(roots, place)? };
            let hash = ContentHash::of(&bytes);
            match decode(bytes).kind {
                DecodedKind::Text(text) => (text, Some(hash), true),
                DecodedKind::Binary(what) => return Err(format!("not text ({what})")),
            }
        }
        Body::Binary { what } => return Err(format!("not text ({what})")),
        Body::Failed(failure) => return Err(failure.to_string()),
        _ => return Err("not text".to_owned()),
    };
    let hash = hash.unwrap_or_else(|| ContentHash::of(text.as_bytes()));
    Ok(Contents { text, raw_bytes: read.size, hash, is_head, remarks })
}

/// A little more than what is shown of a file that is too large to be read whole, so that it is cut at a line.
fn head(roots: &Roots, place: &RootedPath) -> Result<Vec<u8>, String> {
    let (file, _) = roots.open_file(place).map_err(|failure| failure.to_string())?;
    let mut bytes = Vec::new();
    let told = |error: io::Error| roots::failure(&error).to_string();
    file.take(LAYER_CAP as u64 + 4).read_to_end(&mut bytes).map_err(told)?;
    read::end_at_character(&mut bytes);
    Ok(bytes)
}

/// The end of a file that is too large to be read whole.
fn end(roots: &Roots, place: &RootedPath) -> Result<Vec<u8>, String> {
    let (mut file, data) = roots.open_file(place).map_err(|failure| failure.to_string())?;
    let told = |error: io::Error| roots::failure(&error).to_string();
    file.seek(SeekFrom::Start(data.len().saturating_sub(MEMORY_CAP as u64))).map_err(told)?;
    let mut bytes = Vec::new();
    file.take(MEMORY_CAP as u64).read_to_end(&mut bytes).map_err(told)?;
    // It may begin inside a character, and does inside a line.
    let start = memchr::memchr(b'\n', &bytes).map_or(0, |at| at + 1);
    bytes.drain(..start);
    Ok(bytes)
}

/// What of a text fits into so many bytes: whole lines; of a single long one, whole characters. None when all of it does.
pub fn lines_within(text: &str, most: usize) -> Option<&str> {
    if text.len() <= most {
        return None;
    }
    let fits = text.get(..text.floor_char_boundary(most)).unwrap_or_default();
    let lines = fits.rfind('\n').map_or(fits, |end| fits.get(..=end).unwrap_or(fits));
    Some(lines)
}

/// What is known of a file without opening it.
#[derive(Clone, PartialEq, Eq, Debug)]
enum Stamp {
    Absent,
    Present { identity: Option<read::Identity>, size: u64, modified: Option<SystemTime>, changed: (i64, i64) },
}

impl Stamp {
    /// Follows links: a file is what its name leads to. Only what is opened below the roots is ever read.
    fn of(path: &Path) -> io::Result<Self> {
        match path.metadata() {
            Ok(data) => Ok(Self::Present {
                identity: read::identity(&data),
                size: data.len(),
                modified: data.modified().ok(),
                changed: read::changed_at(&data),
            }),
            Err(error) if matches!(error.kind(), io::ErrorKind::NotFound | io::ErrorKind::NotADirectory) => {
                Ok(Self::Absent)
            }
            Err(error) => Err(error),
        }
    }

    fn identity(&self) -> Option<read::Identity> {
        match self {
            Self::Absent => None,
            Self::Present { identity, .. } => *identity,
        }
    }

    /// Whether a later write must show in it. The clock decides only whether to read again, never what is said.
    fn is_settled(&self, now: SystemTime) -> bool {
        let Self::Present { modified: Some(modified), .. } = self else { return false };
        now.duration_since(*modified).is_ok_and(|age| age >= SETTLED)
    }
}
