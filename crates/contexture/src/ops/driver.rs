//! The one road from a snapshot to a compiled output.
//!
//! Takes a door, settings and a tokenizer; opens what is remembered of earlier runs, screens, compiles, remembers, records the run, and
//! notes how long each stage took. Documents, agents' contexts, paths through trees and workbenches use it: they differ in their
//! snapshot and their options. Counts, scans, related files and summaries use it up to the gate and do their own work after it.
//! Cancelled work ends within a moment, and nothing of it is used or remembered.

use super::OpError;
use super::open::{Door, Opened};
use super::runs::RunDraft;
use contexture_core::rank::Digest;
use contexture_core::safety::{Clean, Safety, Screened, screen};
use contexture_core::shape::TextForm;
use contexture_core::{
    CodeReader, Compiled, ContentHash, Counter, Forgetful, History, Memo, Meter, Note, Options, SearchHits, Snapshot,
    Tokenizer, Tools, Topic, compile, search,
};
use contexture_gather::cache::Cache;
use contexture_gather::config::Config;
use contexture_gather::runs::Runs;
use contexture_gather::workers::Workers;
use contexture_gather::{CleanTexts, Code, Progress, Roots};
use contexture_syntax::{Language, Structure};
use std::sync::{Arc, Once};
use std::time::{Duration, Instant};

/// How long each stage took.
pub type Timings = Vec<(&'static str, Duration)>;

/// One run.
pub struct Driver<'a> {
    door: &'a Door,
    pub memory: Memory,
    pub timings: Timings,
    /// When the stage under way began.
    begun: Instant,
}

impl<'a> Driver<'a> {
    /// For messages: no code will be read.
    pub fn for_messages(door: &'a Door, roots: &Roots, config: &Config, tokenizer: Tokenizer) -> Self {
        let begun = Instant::now();
        let memory = Memory::for_counts(door, roots, config, tokenizer);
        Self { door, memory, timings: Vec::new(), begun }
    }

    pub fn for_document(door: &'a Door, opened: &Opened) -> Self {
        let begun = Instant::now();
        Self { door, memory: Memory::open(door, opened), timings: Vec::new(), begun }
    }

    /// The first stage began before the tokenizer was known.
    pub fn since(self, begun: Instant) -> Self {
        Self { begun, ..self }
    }

    /// A stage is over, and the next one begins.
    pub fn end(&mut self, stage: &'static str) {
        self.timings.push((stage, self.begun.elapsed()));
        self.begun = Instant::now();
    }

    /// What may be shown of a snapshot.
    pub fn screen(&mut self, snapshot: Snapshot, safety: &Safety) -> Result<Screened, OpError> {
        let progress = &self.door.progress;
        let screened = screen(snapshot, safety, &Cancellable { inner: &self.memory.clean, progress });
        // Once it is cancelled, texts pass unseen.
        if progress.is_stopped() {
            return Err(OpError::Interrupted);
        }
        self.end("screen");
        Ok(screened)
    }

    /// The same for the files of a request, with what was found in the request itself.
    pub fn screen_files(&mut self, snapshot: Snapshot, opened: &Opened) -> Result<Screened, OpError> {
        Ok(self.screen(snapshot, &opened.safety)?.with(opened.found.clone()))
    }

    /// Other work than compiling. Counts and structures are remembered for the next run.
    pub fn work<T>(&self, work: impl FnOnce(&Tools<'_>) -> T) -> Result<T, OpError> {
        let done = self.memory.with_tools(self.door, work)?;
        self.memory.save();
        Ok(done)
    }

    /// What a snapshot compiles to. Counts and structures are remembered for the next run.
    pub fn compile(&mut self, snapshot: &Screened, options: &Options) -> Result<Compiled, OpError> {
        let mut compiled = self.memory.with_tools(self.door, |tools| compile(snapshot, options, tools))??;
        self.end("compile");
        if compiled.plan.picks.is_empty() && options.loom.is_none() {
            compiled.notes.push(Note::new(Topic::Empty, "there is nothing to show: the document is empty"));
        }
        self.memory.save();
        self.end("remember");
        tracing::info!(items = snapshot.items.len(), tokens = compiled.measured.0, "compiled");
        Ok(compiled)
    }
}

impl Driver<'_> {
    /// What answers the query of the options. Structures are remembered for the next run.
    pub fn search(&mut self, snapshot: &Screened, options: &Options, top: usize) -> Result<SearchHits, OpError> {
        let hits = self.memory.with_tools(self.door, |tools| search(snapshot, options, top, tools))??;
        self.end("search");
        self.memory.save();
        self.end("remember");
        Ok(hits)
    }
}

/// Records a run of any kind, with the bytes that were sent or written where they are to be kept. Gives its number; without a data
/// folder there is none. What hinders it is a note: a run succeeds whether it is recorded or not.
pub fn record_run(
    door: &Door,
    (roots, config): (&Roots, &Config),
    draft: RunDraft<'_>,
    bytes: Option<&[u8]>,
    notes: &mut Vec<Note>,
) -> Option<u64> {
    let Some(dir) = &door.env.data_dir else {
        tracing::info!("this user has no data folder: the run leaves no manifest");
        return None;
    };
    let manifest = draft.manifest(door, config);
    match Runs::open(dir).and_then(|mut runs| runs.record(roots.project(), &manifest, bytes)) {
        Ok(number) => {
            tracing::info!(number, "the run left a manifest");
            Some(number)
        }
        Err(error) => {
            let note = Note::new(Topic::Runs, format!("the run left no manifest: {error}"));
            notes.push(note.hint("the document is the same without; see `contexture doctor`"));
            None
        }
    }
}

/// What is remembered of earlier counts; empty when there is no cache.
pub struct Memory {
    cache: Option<Cache>,
    /// Texts that were scanned before and are clean.
    pub clean: CleanTexts,
    pub note: Option<Note>,
    tokenizer: Tokenizer,
}

impl Memory {
    pub fn open(door: &Door, opened: &Opened) -> Self {
        let memory = Self::for_counts(door, &opened.roots, &opened.config, opened.tokenizer);
        // Something will have to be counted, so the vocabulary is loaded while files are still being read.
        let is_new = |cache: &Cache| cache.is_empty() || is_new_task(cache, opened);
        if memory.cache.as_ref().is_none_or(is_new) && opened.options.history != History::Only {
            let tokenizer = opened.tokenizer;
            std::thread::spawn(move || tokenizer.load());
        }
        memory
    }

    /// For texts alone: no code will be read.
    pub fn for_counts(door: &Door, roots: &Roots, config: &Config, tokenizer: Tokenizer) -> Self {
        let (cache, note) = match door.open_cache(roots, config) {
            None => (None, None),
            Some(Ok(cache)) => (Some(cache), None),
            Some(Err(note)) => (None, Some(note)),
        };
        let clean = CleanTexts::read(cache.as_ref(), roots.project().as_os_str().as_encoded_bytes());
        Self { cache, clean, note, tokenizer }
    }

    pub fn cache(&self) -> Option<&Cache> {
        self.cache.as_ref()
    }

    pub fn memo(&self) -> &dyn Memo {
        match &self.cache {
            Some(cache) => cache,
            None => &Forgetful,
        }
    }

    /// Runs work with a counter and a reader of code over this memory. Once the caller cancels, both return at once, and the result is
    /// not used.
    pub fn with_tools<T>(&self, door: &Door, work: impl FnOnce(&Tools<'_>) -> T) -> Result<T, OpError> {
        let progress = &door.progress;
        let code = self.code(door);
        let counter = Cancellable { inner: &self.tokenizer, progress };
        let code = Cancellable { inner: &code, progress };
        let done = work(&Tools { meter: Meter::new(&counter, self.memo()), code: &code });
        if progress.is_stopped() { Err(OpError::Interrupted) } else { Ok(done) }
    }

    /// A counter and a reader of code over this memory, for work that is not cancelled halfway.
    pub fn tools<'a>(&'a self, code: &'a Code<'a>) -> Tools<'a> {
        Tools { meter: Meter::new(&self.tokenizer, self.memo()), code }
    }

    /// What finds out what code defines: this memory, and parsers for what it does not know.
    pub fn code(&self, door: &Door) -> Code<'_> {
        let workers = Workers::new(door.env.program.clone());
        Code { cache: self.cache.as_ref(), workers, tokenizer: self.tokenizer, is_ready: Once::new() }
    }

    pub fn save(&self) {
        if let Some(cache) = &self.cache {
            self.clean.save(cache);
            cache.save();
        }
    }
}

/// Whether a budget is filled for this task for the first time; then what is chosen was never counted. Later, few counts are
/// new even when files changed.
fn is_new_task(cache: &Cache, opened: &Opened) -> bool {
    let Some(budget) = opened.options.budget else { return false };
    let key = ContentHash::of_parts([
        b"task".as_slice(),
        opened.tokenizer.as_str().as_bytes(),
        &budget.0.to_le_bytes(),
        opened.roots.project().as_os_str().as_encoded_bytes(),
        opened.options.query.as_deref().unwrap_or_default().as_bytes(),
    ]);
    let is_new = cache.blob(&key).is_none();
    if is_new {
        cache.put_blob(key, Vec::new());
    }
    is_new
}

/// The same counter, reader or record until someone wishes to stop; from then on answers that cost nothing and mean nothing.
struct Cancellable<'a, T> {
    inner: &'a T,
    progress: &'a Progress,
}

impl<T: Counter> Counter for Cancellable<'_, T> {
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

impl<T: Clean> Clean for Cancellable<'_, T> {
    fn is_clean(&self, key: &ContentHash) -> bool {
        self.progress.is_stopped() || self.inner.is_clean(key)
    }

    fn put(&self, key: ContentHash) {
        self.inner.put(key);
    }
}

impl<T: CodeReader> CodeReader for Cancellable<'_, T> {
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
        form: TextForm,
        hash: Option<&ContentHash>,
    ) -> Arc<Digest> {
        if self.progress.is_stopped() {
            return Arc::new(form.digest("", None));
        }
        self.inner.digest(language, text, form, hash)
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;
    use crate::requests::DocumentRequest;
    use contexture_core::Item;

    #[test]
    fn what_is_cancelled_does_not_pass_the_gate() {
        let folder = tempfile::tempdir().unwrap();
        let door = Door::for_folder(folder.path());
        let opened = door.open(&DocumentRequest::default()).unwrap();
        let snapshot = Snapshot { items: vec![Item::file("a.txt", "words\n")], ..Snapshot::default() };
        let mut driver = Driver::for_document(&door, &opened);
        assert_eq!(driver.screen_files(snapshot.clone(), &opened).unwrap().items.len(), 1);
        assert_eq!(driver.work(|_| 1).unwrap(), 1);
        door.progress.stop();
        assert!(matches!(driver.screen_files(snapshot, &opened), Err(OpError::Interrupted)));
        assert!(matches!(driver.work(|_| 1), Err(OpError::Interrupted)));
    }
}
