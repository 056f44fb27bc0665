//! One entry of a composition: a path and how it is to be shown.
//!
//! Takes TOML and JSON, gives both back: `parse(print(x)) = x`, and fields it does not know are kept. Resolves no path and
//! reads no file.

use super::error::{ConfigError, Problem, SourceText};
use super::node::{Data, Field, Node};
use contexture_core::{Level, Slice, SymbolMode, Wish};
use std::collections::BTreeMap;
use std::ops::RangeInclusive;

/// A file, glob or folder with the fields a person set for it. Written as a bare string when nothing but the path is set.
#[derive(Clone, Debug, PartialEq)]
pub struct PathEntry {
    /// A literal path, a folder or a glob, as it is written.
    pub path: String,
    /// Whether it is shown at all.
    pub auto_aggregate: bool,
    pub force_full: bool,
    /// `None`: not set by hand; the strategy decides, and alone it means `full`.
    pub view_mode: Option<Level>,
    /// Whether the panel shows it as selected. No effect on a document.
    pub selected: bool,
    pub ast_signatures: bool,
    pub ast_definitions: bool,
    pub ast_mask: BTreeMap<String, SymbolMode>,
    pub custom_slices: Vec<EntrySlice>,
    /// When the file was last put into a conversation: a number, a date or a string, kept as it is.
    pub injected_at: Option<Node>,
    /// From 1 to 4.
    pub tier: Option<u8>,
    /// Fields of other versions and other tools, in the order of the file.
    pub extra: Vec<Field>,
}

/// A stored slice with the fields that are not ours.
#[derive(Clone, Debug, PartialEq, Default)]
pub struct EntrySlice {
    pub slice: Slice,
    /// In the order of the file.
    pub extra: Vec<Field>,
}

const MAKES_ONE: &str = "`contexture slice make PATH 1-20 --json` prints one";

impl EntrySlice {
    /// The slice in an object, as [`EntrySlice::to_json`] writes it.
    pub fn from_json(value: &serde_json::Value) -> Result<Self, ConfigError> {
        slice(&Node::of_json(value), "slice", MAKES_ONE).map_err(|problem| SourceText::named("").error(problem))
    }

    /// One or more slices as a program or a person stored them: an object, a list, `{"slices": […]}`, or the same as TOML.
    pub fn all_from_text(text: &str, name: &str) -> Result<EntrySlices, ConfigError> {
        let place = SourceText::named(name);
        let node = match (serde_json::from_str::<serde_json::Value>(text), text.trim().parse::<toml_edit::Value>()) {
            (Ok(value), _) => Node::of_json(value.get("slices").unwrap_or(&value)),
            (Err(_), Ok(value)) => Node::of_value(&value),
            (Err(_), Err(_)) => {
                let problem = Problem::new(0, "slice", "neither JSON nor TOML of a slice");
                return Err(place.error(problem.hint(MAKES_ONE)));
            }
        };
        let read = match node.as_list() {
            Some(list) => {
                let each = |(index, node)| slice(node, &format!("slices[{index}]"), MAKES_ONE);
                list.iter().enumerate().map(each).collect::<Result<_, _>>().map(EntrySlices::List)
            }
            None => slice(&node, "slice", MAKES_ONE).map(|slice| EntrySlices::One(Box::new(slice))),
        };
        read.map_err(|problem| place.error(problem))
    }

    /// The slice as JSON, with the fields that nobody knows.
    pub fn to_json(&self) -> serde_json::Value {
        slice_node(self).to_json()
    }

    /// On one line.
    pub fn to_toml(&self) -> String {
        slice_node(self).to_string()
    }
}

impl From<Slice> for EntrySlice {
    fn from(slice: Slice) -> Self {
        Self { slice, extra: Vec::new() }
    }
}

/// How slices were stored: alone or in a list.
#[derive(Clone, Debug, PartialEq)]
pub enum EntrySlices {
    One(Box<EntrySlice>),
    List(Vec<EntrySlice>),
}

const LINE: &str = "a line number, counted from 1";

impl PathEntry {
    /// An entry for this path, with no wish about how it is shown.
    pub fn new(path: impl Into<String>) -> Self {
        Self {
            path: path.into(),
            auto_aggregate: true,
            force_full: false,
            view_mode: None,
            selected: false,
            ast_signatures: false,
            ast_definitions: false,
            ast_mask: BTreeMap::new(),
            custom_slices: Vec::new(),
            injected_at: None,
            tier: None,
            extra: Vec::new(),
        }
    }

    /// What core is to know of it.
    pub fn wish(&self) -> Wish {
        Wish {
            view: self.view_mode,
            auto_aggregate: self.auto_aggregate,
            force_full: self.force_full,
            focus: false,
            tier: self.tier,
            signatures: self.ast_signatures,
            definitions: self.ast_definitions,
            mask: self.ast_mask.clone(),
            slices: self.custom_slices.iter().map(|stored| stored.slice.clone()).collect(),
        }
    }

    /// Reads a string, which is a path, or an object with `path` and more.
    pub fn from_json(value: &serde_json::Value) -> Result<Self, ConfigError> {
        read(&Node::of_json(value), "entry").map_err(|problem| SourceText::named("").error(problem))
    }

    /// The entry as [`PathEntry::from_json`] reads it back; what is not set is left out.
    pub fn to_json(&self) -> serde_json::Value {
        self.to_node().to_json()
    }

    /// From one TOML value, as it stands in a list of files.
    pub(crate) fn from_toml(text: &str) -> Result<Self, ConfigError> {
        let place = SourceText::file("", text);
        let value: toml_edit::Value = text.trim().parse().map_err(|error| place.syntax(&error))?;
        read(&Node::of_value(&value), "entry").map_err(|problem| place.error(problem))
    }

    /// On one line.
    pub fn to_toml(&self) -> String {
        self.to_node().to_string()
    }

    pub(super) fn to_node(&self) -> Node {
        let mut fields = vec![Field::new("path", self.path.as_str())];
        let mut put = |key: &str, data: Data| fields.push(Field::new(key, data));
        if !self.auto_aggregate {
            put("auto_aggregate", Data::Bool(false));
        }
        if let Some(level) = self.view_mode {
            put("view_mode", Data::Text(level.as_str().to_owned()));
        }
        for (key, flag) in [
            ("force_full", self.force_full),
            ("selected", self.selected),
            ("ast_signatures", self.ast_signatures),
            ("ast_definitions", self.ast_definitions),
        ] {
            if flag {
                put(key, Data::Bool(true));
            }
        }
        if !self.ast_mask.is_empty() {
            let modes = self.ast_mask.iter().map(|(symbol, mode)| Field::new(symbol, mode.as_str()));
            put("ast_mask", Data::Map(modes.collect()));
        }
        if !self.custom_slices.is_empty() {
            put("custom_slices", Data::List(self.custom_slices.iter().map(slice_node).collect()));
        }
        if let Some(injected_at) = &self.injected_at {
            put("injected_at", injected_at.data.clone());
        }
        if let Some(tier) = self.tier {
            put("tier", Data::Int(tier.into()));
        }
        fields.extend(self.extra.iter().cloned());
        if fields.len() == 1 {
            return self.path.as_str().into();
        }
        Data::Map(fields).into()
    }
}

/// One entry; `key` is what messages call it.
pub(super) fn read(node: &Node, key: &str) -> Result<PathEntry, Problem> {
    let fields = match &node.data {
        Data::Text(path) => return from_path(node, key, path),
        Data::Map(fields) => fields,
        _ => {
            let problem = Problem::wrong_type(node, key, "a path or a table with `path`");
            return Err(
                problem.hint("for example `\"src/**/*.rs\"` or `{ path = \"src/lib.rs\", view_mode = \"skeleton\" }`")
            );
        }
    };
    let Some(path) = node.get("path").filter(|path| !path.is_null()) else {
        let problem = Problem::new(node.at.0, key, format!("`{key}` has no `path`"));
        return Err(problem.hint("for example `{ path = \"src/lib.rs\", view_mode = \"skeleton\" }`"));
    };
    let path_key = format!("{key}.path");
    let text = path.as_text().ok_or_else(|| Problem::wrong_type(path, &path_key, "a string"))?;
    let mut entry = from_path(path, &path_key, text)?;
    for Field { key: name, node, .. } in fields {
        let key = format!("{key}.{name}");
        match name.as_str() {
            "path" => {}
            // A null of JSON is a field that is not set; one of an unknown field is kept.
            "auto_aggregate" | "force_full" | "view_mode" | "selected" | "ast_signatures" | "ast_definitions"
            | "ast_mask" | "custom_slices" | "injected_at" | "tier"
                if node.is_null() => {}
            "auto_aggregate" => entry.auto_aggregate = flag(node, &key)?,
            "force_full" => entry.force_full = flag(node, &key)?,
            "selected" => entry.selected = flag(node, &key)?,
            "ast_signatures" => entry.ast_signatures |= flag(node, &key)?,
            "ast_definitions" => entry.ast_definitions |= flag(node, &key)?,
            "view_mode" => view(node, &key, &mut entry)?,
            "ast_mask" => entry.ast_mask = mask(node, &key)?,
            "custom_slices" => entry.custom_slices = slices(node, &key)?,
            "injected_at" => entry.injected_at = Some(moment(node, &key)?),
            // 1 full, 2 summaries, 3 and 4 skeletons.
            "tier" => entry.tier = Some(whole(node, &key, 1..=4, "a whole number from 1 to 4")? as u8),
            _ => entry.extra.push(Field::new(name, node.clone())),
        }
    }
    Ok(entry)
}

/// A list of entries; a message names one by its place in the list.
pub(super) fn read_all(node: &Node, key: &str) -> Result<Vec<PathEntry>, Problem> {
    let list = node.as_list().ok_or_else(|| {
        let expected = "a list of paths and `{ path = … }` tables";
        Problem::wrong_type(node, key, expected).hint("for example `[\"src/**/*.rs\"]`")
    })?;
    list.iter().enumerate().map(|(index, node)| read(node, &format!("{key}[{index}]"))).collect()
}

fn from_path(node: &Node, key: &str, path: &str) -> Result<PathEntry, Problem> {
    if path.is_empty() {
        return Err(
            Problem::new(node.at.0, key, format!("`{key}` is an empty path")).hint("`\".\"` means the whole folder")
        );
    }
    Ok(PathEntry::new(path))
}

/// Older spellings of views: all signatures, all definitions, and the aggregate, which is the summary.
pub(super) const OLD_VIEWS: [&str; 3] = ["sig", "def", "agg"];

fn view(node: &Node, key: &str, entry: &mut PathEntry) -> Result<(), Problem> {
    let word = node.as_text().ok_or_else(|| Problem::wrong_type(node, key, "the name of a view"))?;
    let level = match word {
        "sig" => {
            entry.ast_signatures = true;
            Level::Masked
        }
        "def" => {
            entry.ast_definitions = true;
            Level::Masked
        }
        "agg" => Level::Summary,
        word => Level::parse(word).ok_or_else(|| Problem::wrong_word(node, key, word, Level::WORDS))?,
    };
    entry.view_mode = Some(level);
    Ok(())
}

fn mask(node: &Node, key: &str) -> Result<BTreeMap<String, SymbolMode>, Problem> {
    let example = "for example `ast_mask = { \"Class.method\" = \"def\" }`";
    let fields = node.as_map().ok_or_else(|| Problem::wrong_type(node, key, "a table").hint(example))?;
    let mut mask = BTreeMap::new();
    for field in fields.iter().filter(|field| !field.node.is_null()) {
        let key = format!("{key}.{}", super::node::bare(&field.key));
        let word =
            field.node.as_text().ok_or_else(|| Problem::wrong_type(&field.node, &key, "a string").hint(example))?;
        let mode = match word {
            "full" => SymbolMode::Def,
            word => SymbolMode::parse(word)
                .ok_or_else(|| Problem::wrong_word(&field.node, &key, word, SymbolMode::WORDS))?,
        };
        mask.insert(field.key.clone(), mode);
    }
    Ok(mask)
}

fn slices(node: &Node, key: &str) -> Result<Vec<EntrySlice>, Problem> {
    let example = "`contexture slice make PATH 1-20` prints one";
    let list = node.as_list().ok_or_else(|| Problem::wrong_type(node, key, "a list of tables").hint(example))?;
    list.iter().enumerate().map(|(index, node)| slice(node, &format!("{key}[{index}]"), example)).collect()
}

fn slice(node: &Node, key: &str, example: &str) -> Result<EntrySlice, Problem> {
    let fields = node.as_map().ok_or_else(|| Problem::wrong_type(node, key, "a table").hint(example))?;
    let mut stored = EntrySlice::default();
    for Field { key: name, node, .. } in fields {
        let key = format!("{key}.{name}");
        let text = || node.as_text().map(str::to_owned).ok_or_else(|| Problem::wrong_type(node, &key, "a string"));
        match name.as_str() {
            "tag" | "comment" | "content_hash" | "anchor_lines" | "fingerprint" if node.is_null() => {}
            "start_line" => stored.slice.start_line = whole(node, &key, 1..=i64::MAX, LINE)?,
            "end_line" => stored.slice.end_line = whole(node, &key, 1..=i64::MAX, LINE)?,
            "tag" => stored.slice.tag = Some(text()?),
            "comment" => stored.slice.comment = Some(text()?),
            "content_hash" => stored.slice.content_hash = Some(text()?),
            "anchor_lines" => stored.slice.anchor_lines = texts(node, &key)?,
            "fingerprint" => stored.slice.fingerprint = Some(text()?),
            _ => stored.extra.push(Field::new(name, node.clone())),
        }
    }
    let Slice { start_line, end_line, .. } = stored.slice;
    if start_line == 0 || end_line == 0 {
        let cause = format!("`{key}` needs `start_line` and `end_line`");
        return Err(Problem::new(node.at.0, key, cause).hint(example));
    }
    if end_line < start_line {
        let cause = format!("`{key}` ends before it starts: `end_line = {end_line}`, `start_line = {start_line}`");
        return Err(Problem::new(node.at.0, key, cause));
    }
    Ok(stored)
}

pub(super) fn slice_node(stored: &EntrySlice) -> Node {
    let whole = |line: u64| Data::Int(i64::try_from(line).unwrap_or(i64::MAX));
    let slice = &stored.slice;
    let mut fields =
        vec![Field::new("start_line", whole(slice.start_line)), Field::new("end_line", whole(slice.end_line))];
    for (key, text) in [("tag", &slice.tag), ("comment", &slice.comment), ("content_hash", &slice.content_hash)] {
        if let Some(text) = text {
            fields.push(Field::new(key, text.as_str()));
        }
    }
    if !slice.anchor_lines.is_empty() {
        let lines = slice.anchor_lines.iter().map(|line| line.as_str().into()).collect();
        fields.push(Field::new("anchor_lines", Data::List(lines)));
    }
    if let Some(fingerprint) = &slice.fingerprint {
        fields.push(Field::new("fingerprint", fingerprint.as_str()));
    }
    fields.extend(stored.extra.iter().cloned());
    Data::Map(fields).into()
}

pub(super) fn texts(node: &Node, key: &str) -> Result<Vec<String>, Problem> {
    let list = node.as_list().ok_or_else(|| Problem::wrong_type(node, key, "a list of strings"))?;
    let text = |(index, node): (usize, &Node)| {
        node.as_text()
            .map(str::to_owned)
            .ok_or_else(|| Problem::wrong_type(node, &format!("{key}[{index}]"), "a string"))
    };
    list.iter().enumerate().map(text).collect()
}

fn flag(node: &Node, key: &str) -> Result<bool, Problem> {
    match node.data {
        Data::Bool(flag) => Ok(flag),
        _ => Err(Problem::wrong_type(node, key, "`true` or `false`")),
    }
}

/// A whole number of this range, which messages call `expected`.
fn whole(node: &Node, key: &str, range: RangeInclusive<i64>, expected: &str) -> Result<u64, Problem> {
    match node.data {
        Data::Int(number) if range.contains(&number) => Ok(number.unsigned_abs()),
        Data::Int(_) => Err(Problem::wrong_value(node, key, expected)),
        _ => Err(Problem::wrong_type(node, key, expected)),
    }
}

fn moment(node: &Node, key: &str) -> Result<Node, Problem> {
    match node.data {
        Data::Int(_) | Data::Float(_) | Data::Date(_) | Data::Text(_) => Ok(node.clone()),
        _ => Err(Problem::wrong_type(node, key, "a number, a date or a string")),
    }
}
