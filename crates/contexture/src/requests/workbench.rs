//! Marked lines of files, and a composition that a panel works on.

use super::{Word, declared};
use contexture_core::{Level, SymbolMode, keywords};
use contexture_gather::config::{self, EntrySlice};
use schemars::{JsonSchema, Schema, SchemaGenerator};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use serde_json::Value;
use std::borrow::Cow;
use std::collections::BTreeMap;

/// Lines of a file to mark, so that they are found again after the file changed.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct SliceRequest {
    /// A file of the project
    pub path: String,
    /// First line, counted from 1
    #[cfg_attr(feature = "cli", arg(skip))]
    pub start_line: u64,
    /// Last line, included
    #[cfg_attr(feature = "cli", arg(skip))]
    pub end_line: u64,
    /// Name of the slice
    #[cfg_attr(feature = "cli", arg(long, value_name = "TEXT"))]
    #[serde(default)]
    pub tag: Option<String>,
    /// What the slice is for
    #[cfg_attr(feature = "cli", arg(long, value_name = "TEXT"))]
    #[serde(default)]
    pub comment: Option<String>,
}

/// Slices of a file to find.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(deny_unknown_fields)]
pub struct SlicesRequest {
    /// A file of the project
    pub path: String,
    /// Slices as they were stored
    #[cfg_attr(feature = "cli", arg(skip))]
    pub slices: Vec<StoredSlice>,
}

/// Slices of the composition to store as they are now.
#[derive(Clone, Debug, Default, Deserialize, JsonSchema)]
#[cfg_attr(feature = "cli", derive(clap::Args))]
#[serde(default, deny_unknown_fields)]
pub struct SlicesRefreshRequest {
    /// Only slices of these files
    #[cfg_attr(feature = "cli", arg(value_name = "PATH"))]
    pub paths: Vec<String>,
}

/// A workbench.
#[derive(Clone, Copy, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct WorkbenchRequest {
    /// Number of the workbench, from `compose`
    pub bench: u64,
}

/// Files of a workbench to show in another way.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComposeSetRequest {
    /// Number of the workbench, from `compose`
    pub bench: u64,
    /// Changes, in this order
    pub set: Vec<RowChange>,
}

/// Files of a workbench that changed on disk.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct ComposeRefreshRequest {
    /// Number of the workbench, from `compose`
    pub bench: u64,
    /// Files that changed, as `files` events name them
    pub paths: Vec<String>,
}

/// How to show some rows of a workbench.
#[derive(Clone, Debug, Deserialize, JsonSchema)]
#[serde(deny_unknown_fields)]
pub struct RowChange {
    /// Indexes of rows
    #[serde(default)]
    pub index: Vec<usize>,
    /// A view, `default` as in the project's settings, or `out` to leave it out
    pub view: RowView,
    /// Show symbols whole (`def`), as signatures (`sig`) or not at all (`hide`)
    #[serde(default)]
    pub mask: BTreeMap<String, Word<SymbolMode>>,
    /// Slices to show
    #[serde(default)]
    pub slices: Vec<StoredSlice>,
}

/// A view of a row, or none of its own.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Deserialize, JsonSchema)]
#[serde(untagged)]
pub enum RowView {
    View(Word<Level>),
    Other(Word<NoView>),
}

/// Ways to show a row that are not views.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum NoView {
    Default,
    Out,
}

keywords!(NoView { Default = "default", Out = "out" });

/// A slice as compositions store it. Fields of other programs are kept.
#[derive(Clone, PartialEq, Debug)]
pub struct StoredSlice(pub EntrySlice);

impl Serialize for StoredSlice {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        self.0.to_json().serialize(serializer)
    }
}

impl<'de> Deserialize<'de> for StoredSlice {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        EntrySlice::from_json(&Value::deserialize(deserializer)?).map(Self).map_err(D::Error::custom)
    }
}

impl JsonSchema for StoredSlice {
    fn schema_name() -> Cow<'static, str> {
        "StoredSlice".into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        declared(config::slice_schema())
    }
}
