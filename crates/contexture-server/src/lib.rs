//! Every operation of Contexture once ([`ops`]), and the one JSON shape all doors speak ([`wire`]).
//!
//! The terminal calls these today; an HTTP server and an MCP server will translate to the same calls. Nothing here prints.

pub mod ops;
pub mod wire;
