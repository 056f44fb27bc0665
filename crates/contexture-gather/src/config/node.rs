//! One value with the place where it stands, whichever notation it was written in.
//!
//! Takes TOML items and JSON values; gives [`Node`]s that the readers of entries, histories and settings share, and turns
//! them back. Knows no key and judges nothing.

use std::fmt::{self, Write};
use toml_edit::{Datetime, Item, TableLike, Value};

/// A value and the byte range of its text; the range of a value that came from JSON or a variable is empty.
///
/// Two nodes are equal when they say the same, wherever they stand.
#[derive(Clone, Debug)]
pub struct Node {
    pub data: Data,
    pub at: (usize, usize),
}

/// A value of TOML or JSON.
#[derive(Clone, Debug)]
pub enum Data {
    /// JSON only. TOML has no null, so a null field is left out there.
    Null,
    Bool(bool),
    Int(i64),
    Float(f64),
    Text(String),
    /// TOML only; a string in JSON.
    Date(Datetime),
    List(Vec<Node>),
    /// In the order of the file.
    Map(Vec<Field>),
}

/// A key of a table with its value.
#[derive(Clone, Debug, PartialEq)]
pub struct Field {
    pub key: String,
    pub node: Node,
    pub(super) key_at: usize,
}

impl PartialEq for Node {
    fn eq(&self, other: &Self) -> bool {
        match (&self.data, &other.data) {
            (Data::Null, Data::Null) => true,
            (Data::Bool(a), Data::Bool(b)) => a == b,
            (Data::Int(a), Data::Int(b)) => a == b,
            // What is not a number equals itself here: a rewrite must be able to tell "unchanged".
            (Data::Float(a), Data::Float(b)) => a == b || (a.is_nan() && b.is_nan()),
            (Data::Text(a), Data::Text(b)) => a == b,
            (Data::Date(a), Data::Date(b)) => a == b,
            (Data::List(a), Data::List(b)) => a == b,
            (Data::Map(a), Data::Map(b)) => {
                a.len() == b.len() && a.iter().zip(b).all(|(a, b)| a.key == b.key && a.node == b.node)
            }
            _ => false,
        }
    }
}

impl From<Data> for Node {
    fn from(data: Data) -> Self {
        Self { data, at: (0, 0) }
    }
}

impl From<&str> for Node {
    fn from(text: &str) -> Self {
        Data::Text(text.to_owned()).into()
    }
}

impl Field {
    /// A field that stands in no file.
    pub fn new(key: impl Into<String>, node: impl Into<Node>) -> Self {
        Self { key: key.into(), node: node.into(), key_at: 0 }
    }
}

impl Node {
    /// Whether it is JSON's `null`, or an item of TOML that is not there.
    pub fn is_null(&self) -> bool {
        matches!(self.data, Data::Null)
    }

    /// The text, if it is one.
    pub fn as_text(&self) -> Option<&str> {
        match &self.data {
            Data::Text(text) => Some(text),
            _ => None,
        }
    }

    /// The values of a list, if it is one.
    pub fn as_list(&self) -> Option<&[Node]> {
        match &self.data {
            Data::List(list) => Some(list),
            _ => None,
        }
    }

    /// The fields of a table in the order of the file, if it is one.
    pub fn as_map(&self) -> Option<&[Field]> {
        match &self.data {
            Data::Map(map) => Some(map),
            _ => None,
        }
    }

    /// The value of this key, if it is a table that has it.
    pub fn get(&self, key: &str) -> Option<&Node> {
        self.as_map()?.iter().find(|field| field.key == key).map(|field| &field.node)
    }

    /// The recursion here and below is bounded: the TOML parser refuses more than 80 levels, the JSON parser 128.
    pub(crate) fn of_item(item: &Item) -> Self {
        match item {
            Item::None => Data::Null.into(),
            Item::Value(value) => Self::of_value(value),
            Item::Table(table) => Self { data: map(table), at: range(table.span()) },
            Item::ArrayOfTables(tables) => Self {
                data: Data::List(
                    tables.iter().map(|table| Self { data: map(table), at: range(table.span()) }).collect(),
                ),
                at: range(tables.span()),
            },
        }
    }

    /// A value of TOML with the place where it stands.
    pub(crate) fn of_value(value: &Value) -> Self {
        let data = match value {
            Value::String(text) => Data::Text(text.value().clone()),
            Value::Integer(number) => Data::Int(*number.value()),
            Value::Float(number) => Data::Float(*number.value()),
            Value::Boolean(flag) => Data::Bool(*flag.value()),
            Value::Datetime(date) => Data::Date(*date.value()),
            Value::Array(list) => Data::List(list.iter().map(Self::of_value).collect()),
            Value::InlineTable(table) => map(table),
        };
        Self { data, at: range(value.span()) }
    }

    /// A whole number beyond 64 signed bits becomes a float, because TOML has no larger ones.
    pub(crate) fn of_json(value: &serde_json::Value) -> Self {
        match value {
            serde_json::Value::Null => Data::Null,
            serde_json::Value::Bool(flag) => Data::Bool(*flag),
            serde_json::Value::Number(number) => match number.as_i64() {
                Some(whole) => Data::Int(whole),
                None => Data::Float(number.as_f64().unwrap_or(f64::NAN)),
            },
            serde_json::Value::String(text) => Data::Text(text.clone()),
            serde_json::Value::Array(list) => Data::List(list.iter().map(Self::of_json).collect()),
            serde_json::Value::Object(map) => {
                Data::Map(map.iter().map(|(key, value)| Field::new(key, Self::of_json(value))).collect())
            }
        }
        .into()
    }

    /// Dates become strings; a float that is no number becomes null, as JSON has neither.
    pub fn to_json(&self) -> serde_json::Value {
        match &self.data {
            Data::Null => serde_json::Value::Null,
            Data::Bool(flag) => (*flag).into(),
            Data::Int(number) => (*number).into(),
            Data::Float(number) => (*number).into(),
            Data::Text(text) => text.as_str().into(),
            Data::Date(date) => date.to_string().into(),
            Data::List(list) => list.iter().map(Self::to_json).collect(),
            Data::Map(map) => map.iter().map(|field| (field.key.clone(), field.node.to_json())).collect(),
        }
    }

    /// What a message calls a value of this type.
    pub(super) fn type_name(&self) -> &'static str {
        match &self.data {
            Data::Null => "null",
            Data::Bool(_) => "true or false",
            Data::Int(_) => "a whole number",
            Data::Float(_) => "a fraction",
            Data::Text(_) => "a string",
            Data::Date(_) => "a date",
            Data::List(_) => "a list",
            Data::Map(_) => "a table",
        }
    }
}

/// As it stands in a TOML file, on one line. Null is what TOML cannot say: empty here, and left out inside.
impl fmt::Display for Node {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match &self.data {
            Data::Null => Ok(()),
            Data::Bool(flag) => flag.fmt(f),
            Data::Int(number) => number.fmt(f),
            Data::Float(number) => f.write_str(Value::from(*number).to_string().trim()),
            Data::Text(text) => quote(text, f),
            Data::Date(date) => date.fmt(f),
            Data::List(list) => {
                f.write_str("[")?;
                for (index, node) in list.iter().filter(|node| !node.is_null()).enumerate() {
                    let comma = if index == 0 { "" } else { ", " };
                    write!(f, "{comma}{node}")?;
                }
                f.write_str("]")
            }
            Data::Map(map) => {
                f.write_str("{")?;
                let mut comma = " ";
                for field in map.iter().filter(|field| !field.node.is_null()) {
                    write!(f, "{comma}{} = {}", bare(&field.key), field.node)?;
                    comma = ", ";
                }
                f.write_str(if comma == " " { "}" } else { " }" })
            }
        }
    }
}

/// A key as TOML writes it: bare when it can be.
pub(super) fn bare(key: &str) -> String {
    let plain = !key.is_empty() && key.bytes().all(|b| b.is_ascii_alphanumeric() || b == b'-' || b == b'_');
    if plain { key.to_owned() } else { Node::from(key).to_string() }
}

/// A TOML basic string with everything escaped that would break the line or is forbidden in one.
fn quote(text: &str, f: &mut fmt::Formatter<'_>) -> fmt::Result {
    f.write_char('"')?;
    for c in text.chars() {
        match c {
            '"' => f.write_str("\\\"")?,
            '\\' => f.write_str("\\\\")?,
            '\n' => f.write_str("\\n")?,
            '\r' => f.write_str("\\r")?,
            '\t' => f.write_str("\\t")?,
            c if c.is_control() => write!(f, "\\u{:04X}", c as u32)?,
            c => f.write_char(c)?,
        }
    }
    f.write_char('"')
}

fn map(table: &dyn TableLike) -> Data {
    let field = |(key, item): (&str, &Item)| Field {
        key: key.to_owned(),
        node: Node::of_item(item),
        key_at: range(table.key(key).and_then(toml_edit::Key::span)).0,
    };
    Data::Map(table.iter().filter(|(_, item)| !item.is_none()).map(field).collect())
}

fn range(span: Option<std::ops::Range<usize>>) -> (usize, usize) {
    span.map_or((0, 0), |span| (span.start, span.end))
}
