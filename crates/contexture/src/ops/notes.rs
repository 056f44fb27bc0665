//! Notes as answers have them.

use crate::requests::Word;
use contexture_core::{Note, Topic};
use schemars::JsonSchema;
use serde::{Serialize, Serializer};

/// Something a person should know of a run.
#[derive(Clone, Debug, Serialize, JsonSchema)]
pub struct NoteAnswer {
    pub topic: Word<Topic>,
    pub path: Option<String>,
    pub text: String,
    /// One thing to do about it
    pub hint: Option<String>,
}

impl From<&Note> for NoteAnswer {
    fn from(Note { topic, path, text, hint }: &Note) -> Self {
        Self { topic: (*topic).into(), path: path.clone(), text: text.clone(), hint: hint.clone() }
    }
}

/// For fields of operations' results that are notes.
pub(super) fn note_answers<S: Serializer>(notes: &[Note], serializer: S) -> Result<S::Ok, S::Error> {
    serializer.collect_seq(notes.iter().map(NoteAnswer::from))
}
