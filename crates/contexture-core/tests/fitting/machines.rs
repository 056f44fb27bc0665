//! What may differ from run to run: how many threads there are, and what is remembered.

use contexture_core::rank::Digest;
use contexture_core::shape::TextForm;
use contexture_core::{CodeReader, ContentHash, InProcess, Memo};
use contexture_syntax::{Language, Structure};
use std::collections::BTreeMap;
use std::sync::{Arc, LazyLock, Mutex};

static POOLS: LazyLock<BTreeMap<usize, rayon::ThreadPool>> = LazyLock::new(|| {
    let pool = |threads| (threads, rayon::ThreadPoolBuilder::new().num_threads(threads).build().unwrap());
    [1, 4].into_iter().map(pool).collect()
});

pub fn on_threads<T: Send>(threads: usize, work: impl FnOnce() -> T + Send) -> T {
    POOLS[&threads].install(work)
}

/// Remembers counts.
#[derive(Default)]
pub struct CountMemory(Mutex<BTreeMap<[u8; 32], u64>>);

impl Memo for CountMemory {
    fn get(&self, key: &ContentHash) -> Option<u64> {
        self.0.lock().unwrap().get(&key.0).copied()
    }

    fn put(&self, key: ContentHash, count: u64) {
        self.0.lock().unwrap().insert(key.0, count);
    }
}

/// Remembers structures and digests as bytes, by the hash of the text, as a cache on disk does.
#[derive(Default)]
pub struct ReadMemory(Mutex<BTreeMap<Key, Vec<u8>>>);

/// What kind of record, of which language, of which text.
type Key = (&'static str, &'static str, [u8; 32]);

impl ReadMemory {
    fn of(
        &self,
        what: &'static str,
        language: &'static str,
        text: &str,
        made: impl FnOnce() -> Option<Vec<u8>>,
    ) -> Option<Vec<u8>> {
        let key = (what, language, ContentHash::of(text).0);
        if let Some(known) = self.0.lock().unwrap().get(&key) {
            return Some(known.clone());
        }
        let bytes = made()?;
        self.0.lock().unwrap().insert(key, bytes.clone());
        Some(bytes)
    }
}

impl CodeReader for ReadMemory {
    fn structure(
        &self,
        language: &'static Language,
        text: &str,
        hash: Option<&ContentHash>,
    ) -> Result<Arc<Structure>, String> {
        let made = || InProcess.structure(language, text, hash).ok().map(|structure| structure.to_bytes());
        let bytes = self
            .of("structure", language.name, text, made)
            .ok_or_else(|| InProcess.structure(language, text, hash).unwrap_err())?;
        Ok(Arc::new(Structure::from_bytes(&bytes, text).unwrap()))
    }

    fn digest(
        &self,
        language: Option<&'static Language>,
        text: &str,
        form: TextForm,
        hash: Option<&ContentHash>,
    ) -> Arc<Digest> {
        let made = || Some(InProcess.digest(language, text, form, hash).as_bytes().to_vec());
        let bytes = self.of(form.as_str(), language.map_or("", |language| language.name), text, made).unwrap();
        Arc::new(Digest::from_bytes(bytes, text).unwrap())
    }
}
