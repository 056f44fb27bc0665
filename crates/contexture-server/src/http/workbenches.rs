//! Workbenches that panels work on, the newest few of them.
//!
//! A workbench holds what was read for it. A panel whose workbench is gone makes a new one from its own edits, so only few are kept.

use contexture::ops::workbench::Workbench;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Two tabs, and one that was just reloaded.
const MOST: usize = 3;

pub struct Workbenches(Mutex<WorkbenchList>);

struct WorkbenchList {
    /// The one used last stands last.
    all: Vec<(u64, Arc<Mutex<Workbench>>)>,
    next: u64,
}

impl Workbenches {
    /// Numbers begin anywhere: a panel that outlived another server must not take somebody else's workbench for its own.
    pub fn new() -> io::Result<Self> {
        let mut bytes = [0; 4];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        // A browser reads whole numbers of 53 bits.
        Ok(Self(Mutex::new(WorkbenchList { all: Vec::new(), next: u64::from(u32::from_le_bytes(bytes)) << 16 })))
    }

    /// Keeps a workbench; gives its number.
    pub fn put(&self, workbench: Workbench) -> u64 {
        let mut shelf = self.lock();
        shelf.next += 1;
        let number = shelf.next;
        if shelf.all.len() >= MOST {
            shelf.all.remove(0);
        }
        shelf.all.push((number, Arc::new(Mutex::new(workbench))));
        number
    }

    pub fn get(&self, number: u64) -> Option<Arc<Mutex<Workbench>>> {
        let mut shelf = self.lock();
        let at = shelf.all.iter().position(|(known, _)| *known == number)?;
        let found = shelf.all.remove(at);
        shelf.all.push((found.0, Arc::clone(&found.1)));
        Some(found.1)
    }

    fn lock(&self) -> MutexGuard<'_, WorkbenchList> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}
