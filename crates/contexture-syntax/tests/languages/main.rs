//! What each language means: a file for the traps of each, one for the fixtures of all.
#![allow(clippy::unwrap_used, clippy::disallowed_methods)]

#[macro_use]
mod support;

mod bash;
mod c;
mod cpp;
mod csharp;
mod detect;
mod fixtures;
mod go;
mod java;
mod javascript;
mod kotlin;
mod lua;
mod mask;
mod parts;
mod php;
mod python;
mod ruby;
mod rust;
mod scala;
mod swift;
mod typescript;
