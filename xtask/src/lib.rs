//! What the repository's own commands share: running other programs.
//!
//! The commands themselves are in the program beside this; `lab` has those that measure.

pub mod proc;
