//! Conversations that branch, on disk: a store of trees, and files of other programs.
//!
//! Takes words of people (ids, titles) and records; gives records, paths through trees and whole trees. What is written
//! is whole, checked and on disk when a call returns, or nothing of it is there.

mod error;
mod ids;

pub use error::{Fault, Kind, LoomError};
pub use ids::fresh;
