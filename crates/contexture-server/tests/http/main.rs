//! The server as programs and browsers meet it: who is let in, what operations answer, and that a bench tells the truth.

#![allow(clippy::unwrap_used)]

mod bench;
mod client;
mod connections;
mod doors;
mod guard;
mod load;
mod operations;
mod since;
