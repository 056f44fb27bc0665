//! Texts made readable for grammars: the same length, the same names at the same places, without what no grammar reads.

pub mod bash;
pub mod c;
pub mod csharp;
pub mod kotlin;
pub mod swift;
pub mod typescript;
