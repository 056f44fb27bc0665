//! Texts made readable for grammars: the same length, the same names at the same places, without what no grammar reads.
//!
//! All of them write on a [`page`] and find the ends of words, comments and strings with [`scan`]. There is no lexer for all
//! of them, because three of the six need none: Kotlin, Swift and TypeScript are searched for a few words, which costs a
//! fraction of reading every token.

pub mod bash;
pub mod c;
pub mod csharp;
pub mod kotlin;
mod page;
mod scan;
pub mod swift;
pub mod typescript;

#[cfg(test)]
mod tests;
