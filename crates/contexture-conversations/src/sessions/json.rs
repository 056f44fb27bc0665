//! JSON as programs write it: lone surrogates and stray bytes are mended instead of losing the message around them.

use serde_json::{Map, Value};

pub(crate) type Object = Map<String, Value>;

/// An object of a line or an element; nothing for what is broken, too deep, or no object.
pub(crate) fn object(bytes: &[u8]) -> Option<Object> {
    match value(bytes)? {
        Value::Object(object) => Some(object),
        _ => None,
    }
}

/// Deep nesting is refused by the parser's own limit, long before the stack ends.
pub(crate) fn value(bytes: &[u8]) -> Option<Value> {
    match serde_json::from_slice(bytes) {
        Ok(value) => Some(value),
        Err(error) if error.is_eof() => None,
        Err(_) => serde_json::from_str(&mended(bytes)?).ok(),
    }
}

/// Takes the value out; null if there is none.
pub(crate) fn take_value(object: &mut Object, key: &str) -> Value {
    object.get_mut(key).map_or(Value::Null, Value::take)
}

/// Takes the string out; nothing if it is no string.
pub(crate) fn take(object: &mut Object, key: &str) -> Option<String> {
    match object.get_mut(key).map(Value::take) {
        Some(Value::String(text)) => Some(text),
        _ => None,
    }
}

pub(crate) fn text<'a>(object: &'a Object, key: &str) -> Option<&'a str> {
    object.get(key)?.as_str()
}

pub(crate) fn flag(object: &Object, key: &str) -> bool {
    object.get(key).and_then(Value::as_bool).unwrap_or(false)
}

pub(crate) fn take_object(object: &mut Object, key: &str) -> Option<Object> {
    match object.get_mut(key).map(Value::take) {
        Some(Value::Object(inner)) => Some(inner),
        _ => None,
    }
}

pub(crate) fn take_list(object: &mut Object, key: &str) -> Option<Vec<Value>> {
    match object.get_mut(key).map(Value::take) {
        Some(Value::Array(list)) => Some(list),
        _ => None,
    }
}

/// Replaces what is no UTF-8, and escapes of half a surrogate pair: programs that count in UTF-16 cut texts there. Nothing if
/// there was nothing to replace.
fn mended(bytes: &[u8]) -> Option<String> {
    let text = String::from_utf8_lossy(bytes);
    let mut out = String::with_capacity(text.len());
    let mut changed = matches!(text, std::borrow::Cow::Owned(_));
    let mut rest = &*text;
    while let Some(at) = memchr::memchr(b'\\', rest.as_bytes()) {
        out.push_str(rest.get(..at)?);
        rest = rest.get(at..)?;
        let taken = match unit(rest) {
            None => 1 + rest.get(1..)?.chars().next().map_or(0, char::len_utf8),
            Some(0xD800..=0xDBFF) if matches!(rest.get(6..).and_then(unit), Some(0xDC00..=0xDFFF)) => 12,
            Some(0xD800..=0xDFFF) => {
                out.push_str("\\ufffd");
                changed = true;
                rest = rest.get(6..)?;
                continue;
            }
            Some(_) => 6,
        };
        out.push_str(rest.get(..taken)?);
        rest = rest.get(taken..)?;
    }
    out.push_str(rest);
    changed.then_some(out)
}

/// The unit that `\uXXXX` at the start stands for.
fn unit(text: &str) -> Option<u16> {
    let hex = text.strip_prefix("\\u")?.get(..4)?;
    hex.bytes().all(|byte| byte.is_ascii_hexdigit()).then(|| u16::from_str_radix(hex, 16).ok())?
}
