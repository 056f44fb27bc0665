//! The packages of this workspace that commands name, each once.

pub const SYNTAX: &str = "contexture-syntax";
pub const CORE: &str = "contexture-core";
pub const GATHER: &str = "contexture-gather";
pub const CONVERSATIONS: &str = "contexture-conversations";
pub const PROVIDERS: &str = "contexture-providers";
pub const LIBRARY: &str = "contexture";
pub const SERVER: &str = "contexture-server";
/// The package of the program, and the file it builds.
pub const PROGRAM: &str = "contexture-cli";
pub const BINARY: &str = "contexture";
