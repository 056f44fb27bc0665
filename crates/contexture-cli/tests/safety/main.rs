//! Secrets and hidden characters, as they would leave the program: a planted key is in no output by any route, and each time it was
//! told that it was found. A scanner that did not run would fail the second half.
#![allow(clippy::unwrap_used)]

mod canary;
mod policies;
mod scanning;

use contexture_core::safety::Fingerprint;
use contexture_testkit::{Ran, TestEnv};
use std::hash::{BuildHasher, Hasher};

pub fn env() -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_contexture"))
}

/// A key of GitHub's shape that no other run has.
pub struct Canary(pub String);

impl Canary {
    pub fn fresh() -> Self {
        const LETTERS: &[u8] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
        let mut state = std::collections::hash_map::RandomState::new().build_hasher().finish();
        let mut key = "ghp_".to_owned();
        for _ in 0..36 {
            state = state.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
            key.push(char::from(LETTERS[(state >> 33) as usize % LETTERS.len()]));
        }
        Self(key)
    }

    pub fn fingerprint(&self) -> String {
        Fingerprint::of(&self.0).to_string()
    }

    /// No byte of it on either stream.
    pub fn stayed(&self, ran: &Ran, what: &str) {
        // Half of it is as good as all of it.
        for part in [&self.0[..20], &self.0[20..]] {
            assert!(!ran.stdout.contains(part), "{what}: standard output has it:\n{}", ran.stdout);
            assert!(!ran.stderr.contains(part), "{what}: standard error has it:\n{}", ran.stderr);
        }
    }

    /// It stayed, and a finding at a place whose name contains `path` says so.
    pub fn found(&self, ran: &Ran, path: &str) {
        self.stayed(ran, path);
        assert_eq!(ran.code, Some(0), "{path}: {}", ran.all());
        let told = ran.json()["safety"]["secrets"].clone();
        let is_it = |found: &serde_json::Value| {
            found["fingerprint"] == self.fingerprint().as_str()
                && found["path"].as_str().is_some_and(|at| at.contains(path))
        };
        assert!(told.as_array().is_some_and(|told| told.iter().any(is_it)), "{path} was not reported: {told}");
    }
}
