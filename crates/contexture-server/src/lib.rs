//! Every operation of Contexture once ([`ops`]), the one JSON shape all doors speak ([`wire`]), contexts for programs that run
//! agents ([`agent`]), and the door for agents themselves ([`mcp`]).
//!
//! The terminal calls these, too; an HTTP server will translate to the same calls. Nothing here prints.

pub mod agent;
pub mod mcp;
pub mod ops;
pub mod provider;
pub mod shared;
pub mod wire;
