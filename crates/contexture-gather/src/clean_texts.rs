//! Which texts were scanned and found clean, remembered between runs.
//!
//! Takes hashes of texts; says whether each was clean under this very rule set. One record for a project: a warm run reads it once and
//! asks it in memory. What has findings is not in it and is scanned again. Without it everything is the same, only later.

use crate::cache::Cache;
use contexture_core::ContentHash;
use contexture_core::safety::{Clean, VERSION};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

/// As much of a hash as nobody can find another text for.
type Short = [u8; 16];

/// Texts that were not asked about stay as long as they are not many more than those that were.
const SPARE: usize = 10_000;

/// Hashes of texts that were scanned before and are clean: a [`Clean`] that lasts from run to run.
#[derive(Default)]
pub struct CleanTexts {
    key: Option<ContentHash>,
    /// Sorted.
    known: Vec<Short>,
    fresh: Mutex<Vec<Short>>,
    met: AtomicUsize,
}

impl CleanTexts {
    /// What is known under this name, of a project or of anything else that is scanned as a whole.
    pub fn read(cache: Option<&Cache>, name: &[u8]) -> Self {
        let Some(cache) = cache else { return Self::default() };
        let key = ContentHash::of_parts([b"clean texts".as_slice(), &VERSION.to_le_bytes(), name]);
        let blob = cache.blob(&key).unwrap_or_default();
        let known: Vec<Short> = blob.chunks_exact(16).filter_map(|chunk| chunk.try_into().ok()).collect();
        // A damaged record would be searched in vain, or worse.
        let is_whole = blob.len() == known.len() * 16 && known.is_sorted();
        Self { key: Some(key), known: if is_whole { known } else { Vec::new() }, ..Self::default() }
    }

    /// Hands what is new to the cache, which writes it when it is saved.
    pub fn save(&self, cache: &Cache) {
        let (Some(key), Ok(mut fresh)) = (self.key, self.fresh.lock()) else { return };
        if fresh.is_empty() {
            return;
        }
        let met = self.met.load(Ordering::Relaxed) + fresh.len();
        let mut all = std::mem::take(&mut *fresh);
        if self.known.len() <= 2 * met + SPARE {
            all.extend_from_slice(&self.known);
        }
        all.sort_unstable();
        all.dedup();
        cache.put_blob(key, all.concat());
    }
}

impl Clean for CleanTexts {
    fn is_clean(&self, key: &ContentHash) -> bool {
        let is_known = self.known.binary_search(&short(key)).is_ok();
        self.met.fetch_add(usize::from(is_known), Ordering::Relaxed);
        is_known
    }

    fn put(&self, key: ContentHash) {
        if self.key.is_some()
            && let Ok(mut fresh) = self.fresh.lock()
        {
            fresh.push(short(&key));
        }
    }
}

fn short(key: &ContentHash) -> Short {
    std::array::from_fn(|nth| key.0[nth])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_was_clean_is_known_to_the_next_run_and_damage_is_not_believed() {
        let dir = tempfile::tempdir().unwrap();
        let key = ContentHash::of("a");
        let cache = Cache::open(dir.path()).unwrap();
        let first = CleanTexts::read(Some(&cache), b"project");
        assert!(!first.is_clean(&key));
        first.put(key);
        first.save(&cache);
        cache.save();
        let cache = Cache::open(dir.path()).unwrap();
        let second = CleanTexts::read(Some(&cache), b"project");
        assert!(second.is_clean(&key));
        assert!(!second.is_clean(&ContentHash::of("b")));
        assert!(!CleanTexts::read(Some(&cache), b"another").is_clean(&key));
        cache.put_blob(second.key.unwrap(), vec![0; 17]);
        assert!(CleanTexts::read(Some(&cache), b"project").known.is_empty());
        assert!(!CleanTexts::read(None, b"project").is_clean(&key));
    }
}
