//! What a long-lived builder remembers: counts by hash, and the hashes of messages it has seen.

use contexture_core::safety::Clean;
use contexture_core::{ContentHash, Memo, Message};
use std::collections::{HashMap, HashSet};
use std::sync::{Arc, Mutex, PoisonError};

/// Above so many counts the memory starts anew: some 20 MB.
const MANY: usize = 400_000;

#[derive(Default)]
pub struct BuilderMemory {
    known: Mutex<HashMap<ContentHash, u64>>,
    /// By address. The message is kept with its hash, so that no other can come to lie there.
    seen: Mutex<HashMap<usize, (Arc<Message>, ContentHash)>>,
    /// Texts that were scanned and have nothing to mask.
    clean: Mutex<HashSet<ContentHash>>,
}

impl Clean for BuilderMemory {
    fn is_clean(&self, key: &ContentHash) -> bool {
        self.clean.lock().unwrap_or_else(PoisonError::into_inner).contains(key)
    }

    fn put(&self, key: ContentHash) {
        let mut clean = self.clean.lock().unwrap_or_else(PoisonError::into_inner);
        if clean.len() >= MANY {
            clean.clear();
        }
        clean.insert(key);
    }
}

impl Memo for BuilderMemory {
    fn get(&self, key: &ContentHash) -> Option<u64> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).get(key).copied()
    }

    fn put(&self, key: ContentHash, count: u64) {
        let mut known = self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if known.len() >= MANY {
            known.clear();
        }
        known.insert(key, count);
    }
}

impl BuilderMemory {
    /// The hash of a message; hashed once for as long as the message is kept.
    pub fn hash(&self, message: &Arc<Message>) -> ContentHash {
        let address = Arc::as_ptr(message) as usize;
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((_, hash)) = seen.get(&address) {
            return *hash;
        }
        if seen.len() >= MANY {
            seen.clear();
        }
        let hash = message.hash();
        seen.insert(address, (message.clone(), hash));
        hash
    }

    /// Lets go of messages that nobody else holds any more.
    pub fn forget(&self) {
        let mut seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.retain(|_, (message, _)| Arc::strong_count(message) > 1);
    }
}
