//! What code defines and which words it has: remembered by content, else asked of a worker.

use crate::cache::Cache;
use crate::workers::{self, Workers};
use contexture_core::rank::{self, Digest};
use contexture_core::shape::TextForm;
use contexture_core::{CodeReader, ContentHash, Tokenizer};
use contexture_syntax::{Language, Structure};
use std::sync::{Arc, Once};

/// The memory and the workers of one run.
pub struct Code<'a> {
    /// `None` parses every text again.
    pub cache: Option<&'a Cache>,
    pub workers: Workers,
    /// Who counts what is shown.
    pub tokenizer: Tokenizer,
    /// Whether the vocabulary of the tokenizer was asked for; `Once::new()`.
    pub is_ready: Once,
}

impl CodeReader for Code<'_> {
    fn structure(
        &self,
        language: &'static Language,
        text: &str,
        hash: Option<&ContentHash>,
    ) -> Result<Arc<Structure>, String> {
        let known = self.cache.zip(hash).map(|(cache, hash)| (cache, workers::key(language, hash)));
        if let Some((cache, key)) = &known
            && let Some(bytes) = cache.blob(key)
            && let Some(structure) = workers::decode(&bytes, text)
        {
            return Ok(Arc::new(structure));
        }
        self.get_ready();
        let bytes = self.workers.read(language, text)?;
        let structure = workers::decode(&bytes, text).ok_or("the parser's answer does not fit the text")?;
        if let Some((cache, key)) = known {
            cache.put_blob(key, bytes);
        }
        Ok(Arc::new(structure))
    }

    fn digest(
        &self,
        language: Option<&'static Language>,
        text: &str,
        form: TextForm,
        hash: Option<&ContentHash>,
    ) -> Arc<Digest> {
        let known = self.cache.zip(hash).map(|(cache, hash)| (cache, digest_key(language, form, hash)));
        if let Some((cache, key)) = &known
            && let Some(digest) = cache.blob(key).and_then(|bytes| Digest::from_bytes(bytes, text))
        {
            return Arc::new(digest);
        }
        let structure = language.map(|language| self.structure(language, text, hash));
        let read = language.zip(structure.as_ref().and_then(|read| read.as_deref().ok()));
        let digest = Arc::new(form.digest(text, read));
        // What a parser failed at may succeed the next time.
        if let (Some((cache, key)), false) = (known, matches!(structure, Some(Err(_)))) {
            cache.put_blob(key, digest.as_bytes().to_vec());
        }
        digest
    }
}

impl Code<'_> {
    /// What is new may be shown, and then it is counted: the vocabulary is loaded while the first of it is parsed.
    fn get_ready(&self) {
        let tokenizer = self.tokenizer;
        self.is_ready.call_once(|| drop(std::thread::spawn(move || tokenizer.load())));
    }
}

fn digest_key(language: Option<&Language>, form: TextForm, hash: &ContentHash) -> ContentHash {
    let versions = [rank::VERSION.to_le_bytes(), contexture_syntax::VERSION.to_le_bytes()].concat();
    let language = language.map_or("", |language| language.name);
    let form = form.as_str().as_bytes();
    ContentHash::of_parts([b"digest".as_slice(), &versions, language.as_bytes(), form, &hash.0])
}
