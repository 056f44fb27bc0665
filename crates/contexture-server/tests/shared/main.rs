//! Summaries and trees on a real PostgreSQL server, which the tests start themselves.
#![allow(clippy::unwrap_used)]

mod summaries;
mod trees;

use contexture_server::shared::Address;

fn address(url: &str) -> Address {
    Address::parse(url).unwrap()
}

/// What `PROPTEST_CASES` says, else a share that takes seconds.
fn cases(share: u32) -> u32 {
    std::env::var("PROPTEST_CASES").ok().and_then(|number| number.parse().ok()).unwrap_or(share)
}
