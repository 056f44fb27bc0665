//! For tests only: a fixture string becomes a [`Snapshot`](contexture_core::Snapshot), a compilation becomes a listing to
//! compare with, and the program runs in an environment that nothing of this machine leaks into.

mod cases;
mod children;
mod env;
mod fixture;
mod judges;
pub mod laws;
mod parser;
mod postgres;
mod provider;

pub use cases::{cases, figure, full, processor_time};
pub use children::{ChildJob, Random, acknowledge, acknowledged, run_children};
pub use env::{Ran, TestEnv};
pub use fixture::{check, compiled, item, listing, screened, snapshot};
pub use judges::hand_over;
pub use parser::{Recovered, recover};
pub use postgres::Postgres;
pub use provider::{Heard, Provider, Reply};
