//! Contexture as a library: every operation once ([`ops`]), its requests ([`requests`]) and answers ([`answers`]), and contexts for
//! programs that run agents ([`agent`]).
//!
//! The terminal, the HTTP server and the MCP server are thin doors over this crate. It has no web server and no database server;
//! stores that a team shares come in through [`shared::SharedStores`]. Nothing here prints.

pub mod agent;
pub mod answers;
pub mod ops;
pub mod requests;
pub mod shared;
