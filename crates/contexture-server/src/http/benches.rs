//! Benches that panels work on, the newest few of them.
//!
//! A bench holds what was read for it. A panel whose bench is gone makes a new one from its own edits, so only few are kept.

use crate::ops::bench::Bench;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Two tabs, and one that was just reloaded.
const MOST: usize = 3;

pub struct Benches(Mutex<Shelf>);

struct Shelf {
    /// The one used last stands last.
    all: Vec<(u64, Arc<Mutex<Bench>>)>,
    next: u64,
}

impl Benches {
    /// Numbers begin anywhere: a panel that outlived another server must not take somebody else's bench for its own.
    pub fn new() -> io::Result<Self> {
        let mut bytes = [0; 4];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        // A browser reads whole numbers of 53 bits.
        Ok(Self(Mutex::new(Shelf { all: Vec::new(), next: u64::from(u32::from_le_bytes(bytes)) << 16 })))
    }

    pub fn put(&self, bench: Bench) -> (u64, Arc<Mutex<Bench>>) {
        let mut shelf = self.lock();
        shelf.next += 1;
        let (number, bench) = (shelf.next, Arc::new(Mutex::new(bench)));
        if shelf.all.len() >= MOST {
            shelf.all.remove(0);
        }
        shelf.all.push((number, Arc::clone(&bench)));
        (number, bench)
    }

    pub fn get(&self, number: u64) -> Option<Arc<Mutex<Bench>>> {
        let mut shelf = self.lock();
        let at = shelf.all.iter().position(|(known, _)| *known == number)?;
        let found = shelf.all.remove(at);
        shelf.all.push((found.0, Arc::clone(&found.1)));
        Some(found.1)
    }

    fn lock(&self) -> MutexGuard<'_, Shelf> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
