//! Trees in files: those of other programs, and our own.

use super::Trees;
use crate::ops::OpError;
use crate::requests::{ExportTreeRequest, ImportTreesRequest, TreeImportOptions, Word};
use contexture_conversations::loom::LoomError;
use contexture_conversations::loom::formats::{self, Exported, ImportOptions, TreeFormat};
use contexture_core::render::printable;
use contexture_core::{LoomTree, Note, Topic};
use std::collections::BTreeMap;
use std::path::Path;

/// A tree that was imported, and how many nodes it has.
pub struct ImportedTree {
    pub tree: LoomTree,
    pub nodes: usize,
}

/// All trees of an imported file.
pub struct TreesImported {
    pub format: &'static str,
    pub trees: Vec<ImportedTree>,
    pub notes: Vec<Note>,
    pub skipped: BTreeMap<String, usize>,
}

/// A tree in the files of a format.
pub struct TreeFiles {
    pub tree: LoomTree,
    pub format: TreeFormat,
    /// Where each file belongs below its target, and its text; one without a path is the target itself.
    pub files: Vec<(String, String)>,
    pub notes: Vec<Note>,
}

impl Trees<'_> {
    /// All trees of a file or none of them.
    pub fn import(&mut self, file: &Path, wanted: &TreeImportOptions) -> Result<TreesImported, OpError> {
        let options = self.options(file, wanted);
        let imported = match file == Path::new("-") {
            true => formats::import_bytes(self.door.input.as_deref().unwrap_or_default(), &options),
            false => formats::import_path(&self.door.env.cwd.join(file), &options),
        };
        self.insert(file, imported, wanted.copy)
    }

    /// The same of a text that came with the request.
    pub fn import_text(&mut self, request: &ImportTreesRequest) -> Result<TreesImported, OpError> {
        // Of a name only its last part: it is a title and leads nowhere.
        let name = request.name.rsplit(['/', '\\']).next().unwrap_or(&request.name);
        let file = Path::new(if name.is_empty() { "-" } else { name });
        let imported = formats::import_bytes(request.text.as_bytes(), &self.options(file, &request.options));
        if let (Ok(imported), Some(wanted)) = (&imported, request.format.map(|word| word.get().as_str()))
            && imported.format != wanted
        {
            let text = format!("`{}` is of the format `{}`, not `{wanted}`", printable(name), imported.format);
            return Err(OpError::usage(text).hint("leave the format out: it is found out"));
        }
        self.insert(file, imported, request.options.copy)
    }

    fn options(&self, file: &Path, wanted: &TreeImportOptions) -> ImportOptions {
        let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).filter(|stem| stem != "-");
        ImportOptions {
            conversation: wanted.conversation.clone(),
            now: self.door.env.now.saturating_mul(1000),
            name: name.unwrap_or_else(|| "imported".into()),
        }
    }

    fn insert(
        &mut self,
        file: &Path,
        imported: Result<formats::Imported, LoomError>,
        copy: bool,
    ) -> Result<TreesImported, OpError> {
        let shown = |mut error: LoomError| {
            error.path = error.path.take().map(|_| file.to_path_buf());
            error
        };
        let mut imported = imported.map_err(shown)?;
        for name in self.loom.kept_agents(&imported.bundles)? {
            let text = format!("agent `{}` is known with other settings: those of the store stay", printable(&name));
            imported.notes.push(Note::new(Topic::Setting, text).hint("`contexture loom agent NAME` shows them"));
        }
        let trees = self.loom.insert_all(&imported.bundles, copy).map_err(|error| {
            let line = error.record().and_then(|id| imported.lines.get(id)).copied();
            match line {
                Some(line) => error.at(file).on_line(line),
                None => error,
            }
        })?;
        let trees = trees
            .into_iter()
            .zip(&imported.bundles)
            .map(|(tree, bundle)| ImportedTree { tree, nodes: bundle.nodes.len() })
            .collect();
        Ok(TreesImported { format: imported.format, trees, notes: imported.notes, skipped: imported.skipped })
    }

    /// Writes a tree in a format, without touching the disk.
    pub fn export(&mut self, request: &ExportTreeRequest) -> Result<TreeFiles, OpError> {
        let tree = self.tree()?;
        let format = request.format.map_or(TreeFormat::Contexture, Word::get);
        let Exported { files, notes } = formats::export(&self.loom.bundle(&tree.id)?, format);
        Ok(TreeFiles { tree, format, files, notes })
    }
}
