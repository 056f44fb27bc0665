//! `mcp` as a client sees it.
#![allow(clippy::unwrap_used)]

mod client;
mod confinement;
mod hostile;
mod http;
mod stopping;
mod talk;

use contexture_testkit::TestEnv;

fn small() -> TestEnv {
    TestEnv::small(env!("CARGO_BIN_EXE_contexture"))
}
