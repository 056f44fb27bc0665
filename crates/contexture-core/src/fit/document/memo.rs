//! Finds out what a text defines only once: guess after guess asks for it.

use crate::rank::Digest;
use crate::shape::{CodeReader, TextForm};
use crate::types::ContentHash;
use contexture_syntax::{Language, Structure};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, PoisonError};

/// The address and length of a text, which stays where it is as long as the snapshot is lent, and its language.
type TextKey = (usize, usize, &'static str);

pub struct CodeMemo<'a> {
    pub code: &'a dyn CodeReader,
    pub known: Mutex<BTreeMap<TextKey, Result<Arc<Structure>, String>>>,
}

impl CodeReader for CodeMemo<'_> {
    fn structure(
        &self,
        language: &'static Language,
        text: &str,
        hash: Option<&ContentHash>,
    ) -> Result<Arc<Structure>, String> {
        let key = (text.as_ptr() as usize, text.len(), language.name);
        let known = || self.known.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = known().get(&key) {
            return made.clone();
        }
        let made = self.code.structure(language, text, hash);
        known().insert(key, made.clone());
        made
    }

    fn digest(
        &self,
        language: Option<&'static Language>,
        text: &str,
        form: TextForm,
        hash: Option<&ContentHash>,
    ) -> Arc<Digest> {
        self.code.digest(language, text, form, hash)
    }
}
