//! Answers that show a record field by field.
//!
//! `answers!` declares an answer together with the record that it is made from, so that no conversion has to follow its fields.

use crate::requests::Word;
use contexture_core::safety::Fingerprint;
use contexture_core::{ContentHash, ItemId, Keyword, Text, Tokens};
use std::sync::Arc;

/// Declares answers. A field has the value of the record's field of the same name, or what the function after `=` makes of the record.
///
/// ```ignore
/// answers! {
///     /// A stored slice.
///     pub struct SliceRow of Slice {
///         /// Name of the slice
///         tag: Option<String>,
///         lines: u64 = |slice| slice.end_line - slice.start_line + 1,
///     }
/// }
/// ```
macro_rules! answers {
    (@value $record:ident $field:ident) => { $crate::answers::record::Show::show(&$record.$field) };
    (@value $record:ident $field:ident $value:expr) => { $crate::answers::record::value_of($record, $value) };
    ($(
        $(#[$about:meta])*
        pub struct $name:ident of $record:ty {
            $($(#[$note:meta])* $field:ident: $kind:ty $(= $value:expr)?,)+
        }
    )+) => {$(
        $(#[$about])*
        #[derive(Clone, Debug, serde::Serialize, schemars::JsonSchema)]
        pub struct $name {
            $($(#[$note])* pub $field: $kind,)+
        }

        impl $crate::answers::record::Show<$name> for $record {
            fn show(&self) -> $name {
                $name { $($field: answers!(@value self $field $($value)?),)+ }
            }
        }

        impl From<&$record> for $name {
            fn from(record: &$record) -> Self {
                $crate::answers::record::Show::show(record)
            }
        }
    )+};
}
pub(super) use answers;

/// A value of a record as an answer has it.
pub trait Show<A> {
    fn show(&self) -> A;
}

/// What a function makes of a record.
pub(super) fn value_of<R: ?Sized, A>(record: &R, value: impl FnOnce(&R) -> A) -> A {
    value(record)
}

macro_rules! shown_as {
    ($($record:ty => $answer:ty: $show:expr;)+) => {$(
        impl Show<$answer> for $record {
            fn show(&self) -> $answer {
                let show: fn(&Self) -> $answer = $show;
                show(self)
            }
        }
    )+};
}

shown_as! {
    bool => bool: |value| *value;
    u8 => u8: |value| *value;
    u32 => u32: |value| *value;
    u64 => u64: |value| *value;
    usize => usize: |value| *value;
    f64 => f64: |value| *value;
    Tokens => u64: |tokens| tokens.0;
    &'static str => &'static str: |word| word;
    &'static str => String: ToString::to_string;
    String => String: Clone::clone;
    Text => String: |text| text.to_string();
    Arc<str> => String: ToString::to_string;
    ContentHash => String: ToString::to_string;
    Fingerprint => String: ToString::to_string;
    ItemId => String: ToString::to_string;
}

impl<K: Keyword> Show<Word<K>> for K {
    fn show(&self) -> Word<K> {
        Word(*self)
    }
}

impl<A, R: Show<A>> Show<Option<A>> for Option<R> {
    fn show(&self) -> Option<A> {
        self.as_ref().map(Show::show)
    }
}

impl<A, R: Show<A>> Show<Vec<A>> for [R] {
    fn show(&self) -> Vec<A> {
        self.iter().map(Show::show).collect()
    }
}

impl<A, R: Show<A>> Show<Vec<A>> for Vec<R> {
    fn show(&self) -> Vec<A> {
        self.as_slice().show()
    }
}
