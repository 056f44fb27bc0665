//! Reads the fields of a JSON object that somebody else wrote.
//!
//! Takes an object; gives each field by its name and kind, once. Null and nothing are the same. A field that has another kind, and one
//! that nobody asked for, is an error that names it: it might have meant something.

use contexture_gather::config::nearest;
use serde_json::Value;
use std::collections::BTreeMap;

/// What of the object was not read yet.
pub struct Fields<'a> {
    left: BTreeMap<&'a str, &'a Value>,
    asked: Vec<&'static str>,
}

impl<'a> Fields<'a> {
    pub fn of(value: &'a Value) -> Result<Self, String> {
        let fields = value.as_object().ok_or("it is no object")?;
        let left = fields.iter().map(|(key, value)| (key.as_str(), value)).collect();
        Ok(Self { left, asked: Vec::new() })
    }

    /// The value itself, whatever it is.
    pub fn value(&mut self, key: &'static str) -> Option<&'a Value> {
        self.asked.push(key);
        self.left.remove(key).filter(|value| !value.is_null())
    }

    pub fn with<T>(&mut self, key: &'static str, read: impl FnOnce(&Value) -> Option<T>) -> Result<Option<T>, String> {
        match self.value(key) {
            None => Ok(None),
            Some(value) => read(value).map(Some).ok_or_else(|| format!("its field `{key}` cannot be understood")),
        }
    }

    pub fn word<T>(&mut self, key: &'static str, parse: impl FnOnce(&str) -> Option<T>) -> Result<Option<T>, String> {
        self.with(key, |value| parse(value.as_str()?))
    }

    pub fn text(&mut self, key: &'static str) -> Result<Option<String>, String> {
        self.word(key, |text| Some(text.to_owned()))
    }

    pub fn texts(&mut self, key: &'static str) -> Result<Vec<String>, String> {
        let texts = |value: &Value| value.as_array()?.iter().map(|text| Some(text.as_str()?.to_owned())).collect();
        Ok(self.with(key, texts)?.unwrap_or_default())
    }

    pub fn flag(&mut self, key: &'static str) -> Result<bool, String> {
        Ok(self.with(key, Value::as_bool)?.unwrap_or_default())
    }

    pub fn number(&mut self, key: &'static str) -> Result<Option<u64>, String> {
        self.with(key, Value::as_u64)
    }

    /// A field without which there is nothing to do.
    pub fn needed(&mut self, key: &'static str) -> Result<String, String> {
        self.text(key)?.ok_or_else(|| format!("its field `{key}` is missing"))
    }

    /// Nothing is left that nobody asked for.
    pub fn end(self) -> Result<(), String> {
        let Some(unknown) = self.left.keys().next() else { return Ok(()) };
        let near = nearest(unknown, self.asked.iter().copied()).map(|near| format!("; did you mean `{near}`?"));
        Err(format!("its field `{unknown}` is not known{}", near.unwrap_or_default()))
    }
}
