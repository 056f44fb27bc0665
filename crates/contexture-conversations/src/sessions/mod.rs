//! Conversations on disk: the sessions of a workspace, and what other programs wrote.
//!
//! Takes files; gives a [`Session`] and what could not be read of it. Nothing here chooses or repairs: a history is repaired
//! on a copy when it is shown. Reading never changes a file; only [`append`] writes.

pub(crate) mod blocks;
mod error;
pub mod import;
pub(crate) mod json;
mod names;
pub(crate) mod ours;
mod print;
mod scan;
mod store;
pub(crate) mod tally;
pub(crate) mod value;

use contexture_core::Message;
use std::sync::Arc;

pub use error::{Fault, SessionError};
pub(crate) use error::{place, role as unknown_role};
pub use import::{ImportOptions, Imported, KNOWN, import_file};
pub use names::{file_name, of_file_name};
pub use ours::read_file;
pub use print::to_json;
pub use store::{Appended, append};

/// A conversation in the order it is to be read.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Session {
    /// `{channel}_{chat_id}` is the name of the file.
    pub channel: String,
    pub chat_id: String,
    /// As it was written; empty when nobody said.
    pub created_at: String,
    pub title: Option<String>,
    pub messages: Vec<Spoken>,
}

/// One message of a session.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Spoken {
    pub message: Arc<Message>,
    /// RFC 3339 as it was written, where it was.
    pub at: Option<String>,
    /// Where it begins in its file, counted from 1; 0 when it comes from no file.
    pub line: usize,
}

/// Said now, and in no file yet.
impl From<Message> for Spoken {
    fn from(message: Message) -> Self {
        Self { message: Arc::new(message), at: None, line: 0 }
    }
}
