//! Workspaces in temporary folders, whole, broken and hostile.

mod chain;
mod documents;
mod reader;
mod skills;

use super::*;
use std::fs;
use std::path::{Path, PathBuf};
use std::time::{Duration, SystemTime};

struct Folder(tempfile::TempDir);

impl Folder {
    fn new(files: &[(&str, &str)]) -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        for (path, text) in files {
            folder.write(path, text);
        }
        folder
    }

    fn path(&self) -> &Path {
        self.0.path()
    }

    fn join(&self, path: &str) -> PathBuf {
        self.path().join(path)
    }

    /// Writes a file that looks as if it had been there for a while, so that its stamp can be trusted.
    fn write(&self, path: &str, text: impl AsRef<[u8]>) {
        self.write_aged(path, text, Duration::from_secs(60));
    }

    fn write_aged(&self, path: &str, text: impl AsRef<[u8]>, age: Duration) {
        let path = self.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(&path, text).unwrap();
        fs::File::options().write(true).open(&path).unwrap().set_modified(SystemTime::now() - age).unwrap();
    }

    fn read(&self) -> Arc<Workspace> {
        WorkspaceReader::new(self.path()).read()
    }
}

/// A skill in the form of the format.
fn skill(name: &str, description: &str) -> String {
    format!("---\nname: {name}\ndescription: {description}\n---\n\nBody of {name}.\n")
}

fn notes(notes: &[Note]) -> String {
    notes.iter().map(|note| format!("{} | {note}\n", note.topic.as_str())).collect()
}

fn names(workspace: &Workspace) -> Vec<&str> {
    workspace.skills.iter().map(|skill| &*skill.name).collect()
}
