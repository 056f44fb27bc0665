//! A word of a closed list as a field of a request: the list itself says which words there are, on every door.

use contexture_core::Keyword;
use schemars::{JsonSchema, Schema, SchemaGenerator, json_schema};
use serde::de::Error;
use serde::{Deserialize, Deserializer, Serialize, Serializer};
use std::borrow::Cow;

/// One of the words of `T`.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Word<T>(pub T);

impl<T> Word<T> {
    /// The value of the word.
    pub fn get(self) -> T {
        self.0
    }
}

impl<T> From<T> for Word<T> {
    fn from(value: T) -> Self {
        Self(value)
    }
}

impl<T: Keyword> Serialize for Word<T> {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.serialize_str(self.0.as_str())
    }
}

impl<'de, T: Keyword> Deserialize<'de> for Word<T> {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Self, D::Error> {
        let word = Cow::<str>::deserialize(deserializer)?;
        T::parse(&word).map(Self).ok_or_else(|| D::Error::unknown_variant(&word, T::WORDS))
    }
}

impl<T: Keyword> JsonSchema for Word<T> {
    fn inline_schema() -> bool {
        true
    }

    fn schema_name() -> Cow<'static, str> {
        T::WORDS.join("-or-").into()
    }

    fn json_schema(_: &mut SchemaGenerator) -> Schema {
        json_schema!({"type": "string", "enum": T::WORDS})
    }
}

#[cfg(feature = "cli")]
impl<T: Keyword + Send + Sync> clap::builder::ValueParserFactory for Word<T> {
    type Parser = clap::builder::ValueParser;

    fn value_parser() -> Self::Parser {
        use clap::builder::{PossibleValuesParser, TypedValueParser, ValueParser};
        let known = PossibleValuesParser::new(T::WORDS);
        ValueParser::new(known.try_map(|word| T::parse(&word).map(Self).ok_or("not one of the words")))
    }
}
