//! What code defines: remembered by content, else asked of a worker.

use crate::cache::Cache;
use crate::workers::{self, Workers};
use contexture_core::{CodeReader, ContentHash};
use contexture_syntax::{Language, Structure};
use std::sync::Arc;

/// The memory and the workers of one run.
pub struct Code<'a> {
    pub cache: Option<&'a Cache>,
    pub workers: Workers,
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
        let bytes = self.workers.read(language, text)?;
        let structure = workers::decode(&bytes, text).ok_or("the parser's answer does not fit the text")?;
        if let Some((cache, key)) = known {
            cache.put_blob(key, bytes);
        }
        Ok(Arc::new(structure))
    }
}
