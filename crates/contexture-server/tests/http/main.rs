//! The server as programs and browsers meet it: who is let in, what operations answer, and that a workbench tells the truth.

#![allow(clippy::unwrap_used)]

mod client;
mod connections;
mod doors;
mod guard;
mod load;
mod openapi;
mod operations;
mod since;
mod workbench;
