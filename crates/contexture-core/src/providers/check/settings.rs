//! The shapes of settings: what kind of value stands under which name.
//!
//! Takes the shapes that a provider's row lists; nothing is listed for one that passes over what it has no use for. `null` is for a
//! setting that is not set.

use super::{Object, Violations, gemini, kind};
use serde_json::Value;

/// A kind of value.
#[derive(Debug)]
pub(crate) enum Shape {
    Switch,
    Text,
    List,
    Object,
    TextOrObject,
    Whole,
    /// Numbers from one to the other.
    Number(f64, f64),
    /// An object of one of these types.
    Of(&'static [&'static str]),
    /// One of these words.
    Word(&'static [&'static str]),
}

pub(crate) type Shapes = &'static [(&'static str, Shape)];

pub(super) fn check(request: &Object, found: &mut Violations) {
    for (holder, shapes) in found.provider.rules.shapes {
        let object = match *holder {
            "" => Some(request),
            key => gemini::member(request, key).and_then(Value::as_object),
        };
        object.into_iter().for_each(|object| found.shapes(object, shapes, holder));
    }
    (found.provider.rules.more)(request, found);
}

impl Violations {
    fn shapes(&mut self, holder: &Object, shapes: Shapes, at: &str) {
        for (key, shape) in shapes {
            let has_underscores = self.provider.rules.has_underscores;
            let value = if has_underscores { gemini::member(holder, key) } else { holder.get(*key) };
            if let Some(wanted) = value.filter(|value| !value.is_null()).and_then(|value| shape.misses(value)) {
                self.add(at, format!("`{key}` is no {wanted}"), "set another value, or none");
            }
        }
    }
}

impl Shape {
    /// What a value is not and should be.
    fn misses(&self, value: &Value) -> Option<String> {
        let (is_right, wanted) = match self {
            Self::Switch => (value.is_boolean(), "`true` or `false`".to_owned()),
            Self::Text => (value.is_string(), "text".into()),
            Self::List => (value.is_array(), "list".into()),
            Self::Object => (value.is_object(), "object".into()),
            Self::TextOrObject => (value.is_string() || value.is_object(), "text and no object".into()),
            Self::Whole => (value.is_i64() || value.is_u64(), "whole number".into()),
            Self::Number(least, most) => (
                value.as_f64().is_some_and(|value| (*least..=*most).contains(&value)),
                format!("number from {least} to {most}"),
            ),
            Self::Of(kinds) => (
                value.as_object().is_some_and(|object| kinds.contains(&kind(object))),
                format!("object of type {}", kinds.join(", ")),
            ),
            Self::Word(words) => {
                (value.as_str().is_some_and(|word| words.contains(&word)), format!("word of {}", words.join(", ")))
            }
        };
        (!is_right).then_some(wanted)
    }
}
