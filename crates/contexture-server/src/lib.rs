//! The doors of Contexture that other programs use: its operations over HTTP with the panel ([`http`]), the Model Context Protocol
//! ([`mcp`]), and stores on PostgreSQL ([`shared`]).
//!
//! A door translates; what is done is in the crate `contexture`. Nothing here prints.

pub mod http;
pub mod mcp;
pub mod shared;
mod transport;
