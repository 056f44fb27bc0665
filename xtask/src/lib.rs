//! What the repository's own commands share: running other programs, and the names of packages.
//!
//! The commands themselves are in the program beside this; `lab` has those that measure.

pub mod packages;
pub mod proc;
