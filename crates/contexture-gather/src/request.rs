//! What gather is asked for, and which files are outputs of that request rather than sources.

use crate::config::{Config, PathEntry};
use crate::outputs;
use crate::roots::Roots;
use contexture_core::Level;
use std::path::{Component, Path, PathBuf};

/// What gather is asked for.
#[derive(Clone, Debug, Default)]
pub struct GatherRequest {
    /// Paths on the command line; they replace the composition.
    pub named: Vec<String>,
    /// Paths a program listed on standard input; the same, but not named by hand.
    pub listed: Vec<String>,
    /// The composition, when it is not the one of the settings.
    pub composition: Option<Vec<PathEntry>>,
    /// Pictures, when they are not those of the settings.
    pub screenshots: Option<Vec<String>>,
    /// Patterns as in `.gitignore`, beside those of the settings; the same for `exclude`.
    pub include: Vec<String>,
    pub exclude: Vec<String>,
    /// For walking; 0 for as many as seem good.
    pub threads: usize,
    /// Every path of the walk is wanted, for a tree.
    pub full_tree: bool,
    /// Changes since this revision, as a section.
    pub diff: Option<String>,
    /// This many commits, as a section.
    pub log: Option<usize>,
    /// Revision for `diff` views.
    pub base: String,
    /// `--view`, as far as it decides what must be read.
    pub view: Option<Level>,
    /// What `--focus` names.
    pub focus: Vec<String>,
    /// Files outside the composition are wanted too, for passages.
    pub around: bool,
    /// Only the discussion is wanted.
    pub history_only: bool,
    /// Only files are wanted.
    pub files_only: bool,
    /// Pictures as data.
    pub embed: bool,
    /// Documents of this name in the root are our own.
    pub namespace: String,
    /// The file the document goes to, absolute.
    pub target: Option<PathBuf>,
}

impl GatherRequest {
    /// Include and exclude patterns, of the settings and of the request together.
    pub(crate) fn patterns(&self, config: &Config) -> (Vec<String>, Vec<String>) {
        let both = |set: &[String], asked: &[String]| set.iter().chain(asked).cloned().collect();
        (both(&config.files.include, &self.include), both(&config.files.exclude, &self.exclude))
    }
}

/// The folder of numbered documents, without the dots people write.
pub(crate) fn output_dir(roots: &Roots, config: &Config) -> PathBuf {
    roots.project().join(&config.output.dir).components().filter(|part| *part != Component::CurDir).collect()
}

/// Whether a path of the project is one of our own documents, or what we keep beside them.
pub(crate) fn is_own_output(roots: &Roots, rel: &Path, output_dir: &Path, request: &GatherRequest) -> bool {
    let name = rel.file_name().unwrap_or_default().to_string_lossy();
    let path = roots.project().join(rel);
    (outputs::is_ours(&name, &request.namespace) && path.parent() == Some(output_dir))
        || request.target.as_ref() == Some(&path)
}
