//! Reads a workspace, and reads it again when something changed.
//!
//! Takes folders; gives a [`Workspace`]. A reader that is kept opens only files whose stamp changed since the last time, and
//! gives the same `Arc` as long as nothing did. Independent files are read in parallel.

use super::part::{self, LoadedPart, PartContent, PartKind, Parts, WorkspacePart};
use super::{Document, State, Workspace, agents, skills};
use crate::roots::{RootedPath, Roots};
use contexture_core::{Note, Text, Topic};
use rayon::prelude::*;
use std::io;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

const SOUL: (&str, &str) = ("SOUL.md", include_str!("defaults/SOUL.md"));
const AGENTS: (&str, &str) = ("AGENTS.md", include_str!("defaults/AGENTS.md"));
const TOOLS: (&str, &str) = ("TOOLS.md", include_str!("defaults/TOOLS.md"));
const MEMORY: &str = "memory/MEMORY.md";
const SKILLS: &str = "skills";
/// Where projects keep theirs, in the order of precedence.
const PROJECT_SKILLS: [&str; 2] = [".agents/skills", ".claude/skills"];

/// Reads the workspace of one folder, and remembers what it read.
pub struct WorkspaceReader {
    folder: PathBuf,
    project: Option<PathBuf>,
    chain: Option<PathBuf>,
    /// Never held while files are read: a thread that waits for others may be given another reading of the same reader.
    known: Mutex<Arc<ReaderState>>,
}

#[derive(Default)]
struct ReaderState {
    parts: Parts,
    /// What was said about folders.
    told: Vec<Note>,
    workspace: Option<Arc<Workspace>>,
    reads: usize,
}

impl WorkspaceReader {
    /// A reader of the workspace in this folder. Nothing is read before it is asked.
    pub fn new(folder: impl Into<PathBuf>) -> Self {
        Self { folder: folder.into(), project: None, chain: None, known: Mutex::default() }
    }

    /// Takes in the `.agents/skills` and `.claude/skills` of a project.
    pub fn project(mut self, folder: impl Into<PathBuf>) -> Self {
        self.project = Some(folder.into());
        self
    }

    /// Takes in the `AGENTS.md` files from the repository of a folder down to it.
    pub fn chain(mut self, folder: impl Into<PathBuf>) -> Self {
        self.chain = Some(folder.into());
        self
    }

    /// The workspace as it is now.
    pub fn read(&self) -> Arc<Workspace> {
        let known = self.known.lock().unwrap_or_else(PoisonError::into_inner).clone();
        let now = Arc::new(self.look(&known));
        let workspace = now.workspace.clone().unwrap_or_else(|| Arc::new(nothing()));
        *self.known.lock().unwrap_or_else(PoisonError::into_inner) = now;
        workspace
    }

    /// How many files the last reading opened.
    pub fn reads(&self) -> usize {
        self.known.lock().unwrap_or_else(PoisonError::into_inner).reads
    }

    fn look(&self, known: &ReaderState) -> ReaderState {
        let mut listed = Vec::new();
        let (own, (project, chain)) = rayon::join(
            || own(&known.parts, &self.folder),
            || {
                rayon::join(
                    || self.project.as_deref().map(|folder| project(&known.parts, folder)).unwrap_or_default(),
                    || self.chain.as_deref().map(|folder| agents::read(&known.parts, folder)).unwrap_or_default(),
                )
            },
        );
        listed.extend(own.notes);
        listed.extend(project.notes);
        let all = || own.files.iter().chain(&own.skills).chain(&project.skills).chain(&chain.got);
        let parts: Parts = all().map(|got| (got.key.clone(), got.part.clone())).collect();
        let reads = all().filter(|got| got.opened).count();
        let told: Vec<Note> = listed.iter().chain(&chain.notes).cloned().collect();
        let is_same = told == known.told
            && parts.len() == known.parts.len()
            && parts.iter().all(|(key, part)| known.parts.get(key).is_some_and(|other| Arc::ptr_eq(part, other)));
        let workspace = match &known.workspace {
            Some(workspace) if is_same => workspace.clone(),
            _ => {
                let of = |all: &[LoadedPart]| all.iter().map(|got| got.part.clone()).collect::<Vec<_>>();
                let skills = of(&own.skills).into_iter().chain(of(&project.skills)).collect::<Vec<_>>();
                Arc::new(assemble(&of(&own.files), &skills, chain, listed))
            }
        };
        ReaderState { parts, told, workspace: Some(workspace), reads }
    }
}

#[derive(Default)]
struct Folder {
    files: Vec<LoadedPart>,
    skills: Vec<LoadedPart>,
    notes: Vec<Note>,
}

/// The four files and the skills of the workspace itself. No files at all when there is no such folder.
fn own(known: &Parts, folder: &Path) -> Folder {
    let roots = match open(folder) {
        Ok(roots) => roots,
        Err(cause) => {
            let text = format!("workspace not read, {cause}: built-in defaults are used");
            let note = Note::new(Topic::Unread, text).at(folder.display().to_string());
            let hint = "create the folder, or name another one with `--workspace DIR`";
            return Folder { notes: vec![note.hint(hint)], ..Folder::default() };
        }
    };
    let file = |(name, kind): (&str, PartKind)| {
        let place = RootedPath { root: 0, rel: PathBuf::from(name) };
        part::get(known, &roots, &place, kind, name.to_owned())
    };
    let named = [
        (SOUL.0, PartKind::Document),
        (AGENTS.0, PartKind::Document),
        (TOOLS.0, PartKind::Document),
        (MEMORY, PartKind::Memory),
    ];
    let (files, found) =
        rayon::join(|| named.into_par_iter().map(file).collect::<Vec<_>>(), || skills_of(known, &roots, SKILLS));
    let denied =
        |got: &LoadedPart| matches!(&got.part.found, PartContent::Unusable(cause) if cause == "permission denied");
    if files.iter().all(denied) {
        let text = "workspace not read, permission denied: built-in defaults are used";
        let note = Note::new(Topic::Unread, text).at(folder.display().to_string());
        let hint = "let this user read and enter the folder, or name another one with `--workspace DIR`";
        return Folder { notes: vec![note.hint(hint)], ..Folder::default() };
    }
    let (skills, mut notes, exists) = found;
    if !exists || (skills.is_empty() && notes.is_empty()) {
        notes.push(Note::new(Topic::Empty, "no skills: layer left out").at(SKILLS));
    }
    Folder { files, skills, notes }
}

fn project(known: &Parts, folder: &Path) -> Folder {
    let roots = match open(folder) {
        Ok(roots) => roots,
        Err(cause) => {
            let note = Note::new(Topic::Unread, format!("skills of the project not read, {cause}"));
            return Folder { notes: vec![note.at(folder.display().to_string())], ..Folder::default() };
        }
    };
    let mut all = Folder::default();
    for top in PROJECT_SKILLS {
        let (skills, notes, _) = skills_of(known, &roots, top);
        all.skills.extend(skills);
        all.notes.extend(notes);
    }
    all
}

/// The skills below a folder, what is to be said about it, and whether it is there.
fn skills_of(known: &Parts, roots: &Roots, top: &str) -> (Vec<LoadedPart>, Vec<Note>, bool) {
    let found = skills::find(roots, top);
    let file = |place: &RootedPath| part::get(known, roots, place, PartKind::Skill, roots.display_path(place));
    (found.files.par_iter().map(file).collect(), found.notes, found.exists)
}

fn open(folder: &Path) -> Result<Roots, String> {
    Roots::open(&[folder.to_owned()]).map_err(|(_, error)| match error.kind() {
        io::ErrorKind::NotFound => "folder not found".to_owned(),
        io::ErrorKind::NotADirectory => "not a folder".to_owned(),
        _ => crate::roots::failure(&error).to_string(),
    })
}

fn assemble(
    files: &[Arc<WorkspacePart>],
    skills: &[Arc<WorkspacePart>],
    chain: agents::Chain,
    listed: Vec<Note>,
) -> Workspace {
    let mut workspace = nothing();
    let notes = &mut workspace.notes;
    if let [soul, agents, tools, memory] = files {
        workspace.soul = document(soul, SOUL, notes);
        workspace.agents = vec![document(agents, AGENTS, notes)];
        workspace.tools = document(tools, TOOLS, notes);
        notes.extend(memory.notes.iter().cloned());
        match &memory.found {
            PartContent::Memory(memory) => workspace.memory = Some(memory.clone()),
            found => {
                let text = format!("{}: layer left out", found.cause());
                notes.push(Note::new(topic(found), text).at(memory.path.clone()));
            }
        }
    }
    notes.extend(listed);
    workspace.skills = skills::choose(skills, notes);
    let except = files.get(1).and_then(|agents| agents.identity);
    let (documents, told) = agents::documents_within_cap(&chain.got, chain.notes, except);
    workspace.agents.extend(documents);
    notes.extend(told);
    workspace
}

/// What a file says, or what stands for it.
fn document(part: &WorkspacePart, default: (&str, &str), notes: &mut Vec<Note>) -> Document {
    notes.extend(part.notes.iter().cloned());
    if let PartContent::Document(document) = &part.found {
        return document.clone();
    }
    let text = format!("{}: the built-in default is used", part.found.cause());
    notes.push(Note::new(topic(&part.found), text).at(part.path.clone()));
    built_in(default)
}

/// What is simply not there is no loss.
fn topic(found: &PartContent) -> Topic {
    if matches!(found, PartContent::Unusable(_)) { Topic::Unread } else { Topic::Empty }
}

fn built_in((path, text): (&str, &str)) -> Document {
    Document { path: path.to_owned(), text: Text::from(text), raw_bytes: 0, state: State::Default, hash: None }
}

/// A workspace of which nothing is known.
fn nothing() -> Workspace {
    Workspace {
        soul: built_in(SOUL),
        agents: vec![built_in(AGENTS)],
        tools: built_in(TOOLS),
        memory: None,
        skills: Vec::new(),
        notes: Vec::new(),
    }
}
