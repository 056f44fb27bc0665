//! Every operation of Contexture once ([`ops`]), the one JSON shape all doors speak ([`wire`]), and contexts for programs that run
//! agents ([`agent`]).
//!
//! The terminal calls these today; an HTTP server and an MCP server will translate to the same calls. Nothing here prints.

pub mod agent;
pub mod mcp;
pub mod ops;
pub mod provider;
pub mod shared;
pub mod wire;
