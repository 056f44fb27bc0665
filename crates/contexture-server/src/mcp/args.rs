//! The arguments of a tool.
//!
//! Takes the object that came; gives typed values. What is of the wrong type or not known is an error that says what would do.

use crate::ops::OpError;
use contexture_core::render::grouped;
use contexture_core::{Level, SymbolMode};
use contexture_gather::config;
use rmcp::model::JsonObject;
use serde_json::Value;
use std::collections::BTreeMap;

pub struct Args {
    left: JsonObject,
    asked: Vec<&'static str>,
}

impl Args {
    pub fn new(given: Option<JsonObject>) -> Self {
        Self { left: given.unwrap_or_default(), asked: Vec::new() }
    }

    /// Null and nothing are the same.
    fn with<T>(
        &mut self,
        key: &'static str,
        what: &str,
        read: impl FnOnce(Value) -> Option<T>,
    ) -> Result<Option<T>, OpError> {
        self.asked.push(key);
        match self.left.remove(key) {
            None | Some(Value::Null) => Ok(None),
            Some(value) => read(value).map(Some).ok_or_else(|| OpError::usage(format!("`{key}` is not {what}"))),
        }
    }

    pub fn text(&mut self, key: &'static str) -> Result<Option<String>, OpError> {
        self.with(key, "a text", |value| match value {
            Value::String(text) => Some(text),
            _ => None,
        })
    }

    /// The task that a document is made for. Manifests keep it whole, and an agent must not fill the disk of a person.
    pub fn task(&mut self) -> Result<Option<String>, OpError> {
        const MOST: usize = 64 << 10;
        match self.text("query")? {
            Some(text) if text.len() > MOST => {
                let (bytes, most) = (grouped(text.len() as u64), grouped(MOST as u64));
                let error = OpError::usage(format!("`query` has {bytes} bytes: {most} at most"));
                Err(error.hint("the error message or the lines that matter are enough"))
            }
            task => Ok(task),
        }
    }

    pub fn needed(&mut self, key: &'static str) -> Result<String, OpError> {
        match self.text(key)? {
            Some(text) if !text.is_empty() => Ok(text),
            _ => {
                let error = OpError::usage(format!("`{key}` is missing"));
                Err(match config::nearest(key, self.left.keys().map(String::as_str)) {
                    Some(near) => error.hint(format!("did you mean it by `{near}`?")),
                    None => error,
                })
            }
        }
    }

    pub fn texts(&mut self, key: &'static str) -> Result<Vec<String>, OpError> {
        let texts = self.with(key, "a list of texts", |value| match value {
            // Models often write one text where a list is meant.
            Value::String(text) => Some(vec![text]),
            Value::Array(list) => list.into_iter().map(|text| text.as_str().map(str::to_owned)).collect(),
            _ => None,
        })?;
        let texts = texts.unwrap_or_default();
        if texts.iter().any(String::is_empty) {
            return Err(OpError::usage(format!("`{key}` has an empty text")).hint("`.` is the whole folder"));
        }
        Ok(texts)
    }

    pub fn number(&mut self, key: &'static str) -> Result<Option<u64>, OpError> {
        self.with(key, "a number from 0 on", |value| {
            let whole = |number: f64| (number.fract() == 0.0 && (0.0..1e15).contains(&number)).then_some(number as u64);
            value.as_u64().or_else(|| whole(value.as_f64()?))
        })
    }

    /// Where a page begins.
    pub fn offset(&mut self) -> Result<usize, OpError> {
        Ok(self.number("offset")?.and_then(|offset| usize::try_from(offset).ok()).unwrap_or(0))
    }

    pub fn flag(&mut self, key: &'static str) -> Result<bool, OpError> {
        Ok(self.with(key, "true or false", |value| value.as_bool())?.unwrap_or_default())
    }

    pub fn view(&mut self) -> Result<Option<Level>, OpError> {
        let Some(word) = self.text("view")? else { return Ok(None) };
        Level::parse(&word).map(Some).ok_or_else(|| {
            let known: Vec<&str> = Level::ALL.iter().map(|level| level.as_str()).collect();
            OpError::usage(format!("no view is called `{word}`")).hint(format!("there are: {}", known.join(", ")))
        })
    }

    pub fn mask(&mut self) -> Result<BTreeMap<String, SymbolMode>, OpError> {
        let mode = |mode: &Value| match mode.as_str()? {
            "def" => Some(SymbolMode::Def),
            "sig" => Some(SymbolMode::Sig),
            "hide" => Some(SymbolMode::Hide),
            _ => None,
        };
        let mask = self.with(
            "mask",
            "an object of symbols and modes: {\"Class.method\": \"def\"|\"sig\"|\"hide\"}",
            |value| value.as_object()?.iter().map(|(symbol, word)| Some((symbol.clone(), mode(word)?))).collect(),
        )?;
        Ok(mask.unwrap_or_default())
    }

    /// Nothing may be left: what nobody reads, somebody thinks has been heard.
    pub fn end(self) -> Result<(), OpError> {
        let Some(unknown) = self.left.keys().next() else { return Ok(()) };
        let error = OpError::usage(format!("no argument is called `{unknown}`"));
        Err(match config::nearest(unknown, self.asked.iter().copied()) {
            Some(near) => error.hint(format!("did you mean `{near}`?")),
            None if self.asked.is_empty() => error,
            None => error.hint(format!("there are: {}", self.asked.join(", "))),
        })
    }
}
