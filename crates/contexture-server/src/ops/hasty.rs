//! Ends work that nobody waits for.
//!
//! Takes what counts and what reads code; gives the same until somebody wishes to stop, and from then on answers that cost
//! nothing and mean nothing. Whoever uses it asks [`Progress::is_stopped`] at the end and throws everything away: results, and
//! what would be remembered of them.

use contexture_core::rank::Digest;
use contexture_core::shape::Form;
use contexture_core::{CodeReader, ContentHash, Counter};
use contexture_gather::Progress;
use contexture_syntax::{Language, Structure};
use std::sync::Arc;

pub struct Hasty<'a, T> {
    pub inner: &'a T,
    pub progress: &'a Progress,
}

impl<T: Counter> Counter for Hasty<'_, T> {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn exact(&self) -> bool {
        self.inner.exact()
    }

    fn count(&self, text: &str) -> u64 {
        if self.progress.is_stopped() { 0 } else { self.inner.count(text) }
    }

    fn joins(&self, left: &str, right: &str) -> bool {
        self.inner.joins(left, right)
    }
}

impl<T: CodeReader> CodeReader for Hasty<'_, T> {
    fn structure(
        &self,
        language: &'static Language,
        text: &str,
        hash: Option<&ContentHash>,
    ) -> Result<Arc<Structure>, String> {
        if self.progress.is_stopped() {
            return Err("interrupted".into());
        }
        self.inner.structure(language, text, hash)
    }

    fn digest(
        &self,
        language: Option<&'static Language>,
        text: &str,
        form: Form,
        hash: Option<&ContentHash>,
    ) -> Arc<Digest> {
        if self.progress.is_stopped() {
            return Arc::new(form.digest("", None));
        }
        self.inner.digest(language, text, form, hash)
    }
}
