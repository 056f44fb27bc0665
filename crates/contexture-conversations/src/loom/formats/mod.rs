//! Trees in files: our own lossless JSON, and what other programs write and read.
//!
//! Takes bytes, a file or the folder of a program; gives whole trees as [`Bundle`]s, and files of them. A format is told by
//! what is in a file and never by its name. Trees may be of any depth: nothing here recurses over them. What a file says and
//! cannot be kept as it stands is told in notes; whether a tree holds together is checked by the store that takes it.

mod detect;
mod forest;
mod lay;
mod lost;
mod members;
mod plant;
mod raw;
mod read;
mod words;
mod write;

use super::{Fault, LoomError};
use crate::sessions::ours::MAX_BYTES;
use contexture_core::{Bundle, Note};
use std::collections::BTreeMap;
use std::fs;
use std::io::{self, Read};
use std::path::Path;

pub use words::TreeFormat;

/// What an import does where a file leaves it open.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct ImportOptions {
    /// Of several conversations in a file the one with this id or title.
    pub conversation: Option<String>,
    /// Milliseconds since the epoch, for records without a time.
    pub now: i64,
    /// The title of a tree that has none.
    pub name: String,
}

/// The trees of a file, and what could not be taken over.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Imported {
    /// One of [`TreeFormat`]'s words.
    pub format: &'static str,
    pub bundles: Vec<Bundle>,
    pub notes: Vec<Note>,
    /// What was left out, by kind.
    pub skipped: BTreeMap<String, usize>,
    /// In which line a record begins, by its id.
    pub lines: BTreeMap<String, usize>,
}

/// A tree in the files of a format.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Exported {
    /// Where each file belongs below the place that was asked for; one without a path is that place.
    pub files: Vec<(String, String)>,
    /// What the format cannot hold.
    pub notes: Vec<Note>,
}

/// A regular file, or the folder of loom-engine.
pub fn import_path(path: &Path, options: &ImportOptions) -> Result<Imported, LoomError> {
    let fail = |cause| LoomError::from(Fault::Io { what: "read the tree", cause }).at(path);
    // Before it is opened: a pipe would wait for a writer, and some devices never end.
    let data = fs::metadata(path).map_err(fail)?;
    let mut imported = if data.is_dir() {
        read::loom_engine::folder(path, options).map_err(|error| error.at(path))?
    } else if !data.is_file() {
        return Err(fail(io::Error::new(io::ErrorKind::InvalidInput, "not a regular file")));
    } else {
        let mut bytes = Vec::with_capacity(usize::try_from(data.len().min(MAX_BYTES)).unwrap_or(0));
        fs::File::open(path).and_then(|file| file.take(MAX_BYTES + 1).read_to_end(&mut bytes)).map_err(fail)?;
        import_bytes(&bytes, options).map_err(|error| error.at(path))?
    };
    let shown = path.to_string_lossy();
    imported.notes.iter_mut().filter(|note| note.path.is_none()).for_each(|note| note.path = Some(shown.to_string()));
    Ok(imported)
}

/// Reads trees of any known format, told by what is in the bytes.
pub fn import_bytes(bytes: &[u8], options: &ImportOptions) -> Result<Imported, LoomError> {
    if bytes.len() as u64 > MAX_BYTES {
        return Err(Fault::TooLarge(MAX_BYTES).into());
    }
    detect::import(bytes, options)
}

/// One file, but for loom-engine's folder. Our own JSON keeps everything; other formats keep what they can hold, and never
/// what is excluded or pruned unless they can mark it.
pub fn export(bundle: &Bundle, format: TreeFormat) -> Exported {
    match format {
        TreeFormat::Contexture => write::contexture::file(bundle),
        TreeFormat::Pyloom => write::pyloom::file(bundle),
        TreeFormat::Loomsidian => write::loomsidian::file(bundle),
        TreeFormat::LoomEngine => write::loom_engine::folder(bundle),
        TreeFormat::Pi => write::pi::file(bundle),
        TreeFormat::ChatGpt => write::chatgpt::file(bundle),
    }
}
