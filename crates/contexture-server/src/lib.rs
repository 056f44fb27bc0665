//! Every operation of Contexture once ([`ops`]), the one JSON shape all doors speak ([`wire`]), contexts for programs that run
//! agents ([`agent`]), the operations over HTTP with the panel ([`http`]), and the door for agents themselves ([`mcp`]).
//!
//! The terminal and the server translate to the same calls. Nothing here prints.

pub mod agent;
pub mod http;
pub mod mcp;
pub mod ops;
pub mod provider;
pub mod shared;
pub mod wire;
