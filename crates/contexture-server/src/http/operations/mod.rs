//! Every operation with its name, its fields and what it does: one list for the router, the checks and the OpenAPI list.
//!
//! The list stands in tables; what a row of it does stands in the modules beside them, and is a translation of an operation of
//! [`crate::ops`] and nothing more.

mod files;
mod kept;
mod models;
mod projects;
pub mod request;
mod store;
mod table;
mod table_loom;
mod trees;

use super::answer::Wrong;
use super::calls::{Call, Field, Kind};
use crate::ops::OpError;
use crate::provider::Cancel;
use serde_json::Value;

pub struct Operation {
    /// Behind `/api/`.
    pub name: &'static str,
    pub about: &'static str,
    pub fields: &'static [Field],
    pub run: Run,
}

pub type Answering = fn(&Call<'_>) -> Result<Value, Wrong>;
pub type Streaming = fn(&Call<'_>, &mut dyn FnMut(Value), &Cancel) -> Result<(), OpError>;

#[derive(Clone, Copy)]
pub enum Run {
    Answer(Answering),
    /// The same for what only looks: it stops when nobody waits for it any more.
    Look(Answering),
    /// Lines of JSON, while they come.
    Stream(Streaming),
}

/// All of them, in the order of the list.
pub fn all() -> impl Iterator<Item = &'static Operation> {
    table::OPERATIONS.iter().chain(table_loom::OPERATIONS)
}

pub fn find(name: &str) -> Option<&'static Operation> {
    all().find(|operation| operation.name == name)
}

const fn may(name: &'static str, kind: Kind, about: &'static str) -> Field {
    Field { name, kind, is_needed: false, about }
}

const fn must(name: &'static str, kind: Kind, about: &'static str) -> Field {
    Field { name, kind, is_needed: true, about }
}

const fn answers(name: &'static str, about: &'static str, fields: &'static [Field], run: Answering) -> Operation {
    Operation { name, about, fields, run: Run::Answer(run) }
}

const fn looks(name: &'static str, about: &'static str, fields: &'static [Field], run: Answering) -> Operation {
    Operation { name, about, fields, run: Run::Look(run) }
}

const fn streams(name: &'static str, about: &'static str, fields: &'static [Field], run: Streaming) -> Operation {
    Operation { name, about, fields, run: Run::Stream(run) }
}
