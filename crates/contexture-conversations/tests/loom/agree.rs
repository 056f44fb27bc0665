//! The store in a file does what the model does.
//!
//! A case is 200 operations: `PROPTEST_CASES=5000` makes a million.

use super::machine::{agree, ops};
use super::*;
use proptest::prelude::*;

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(100), failure_persistence: None, max_shrink_iters: 2_000, ..ProptestConfig::default() })]

    #[test]
    fn the_store_does_what_the_model_does(ops in ops()) {
        agree(Place::new(), &ops);
    }
}
