//! Trees in files: those of other programs, and our own.

use super::{Trees, refused};
use crate::ops::OpError;
use contexture_core::render::printable;
use contexture_core::{LoomTree, Note, Topic};
use contexture_gather::loom::LoomError;
use contexture_gather::loom::formats::{self, Exported, ImportOptions, TreeFormat};
use std::collections::BTreeMap;
use std::path::Path;

pub struct ImportedTree {
    pub tree: LoomTree,
    pub nodes: usize,
}

pub struct TreesImported {
    pub format: &'static str,
    pub trees: Vec<ImportedTree>,
    pub notes: Vec<Note>,
    pub skipped: BTreeMap<String, usize>,
}

/// A file that somebody hands over.
pub struct Given<'a> {
    pub name: &'a str,
    pub bytes: &'a [u8],
    /// What it is to be; `None`: whatever it is.
    pub format: Option<TreeFormat>,
}

impl Trees<'_> {
    /// All trees of a file or none of them.
    pub fn import(&mut self, file: &Path, copy: bool, conversation: Option<&str>) -> Result<TreesImported, OpError> {
        let options = self.options(file, conversation);
        let imported = match file == Path::new("-") {
            true => formats::import_bytes(self.door.input.as_deref().unwrap_or_default(), &options),
            false => formats::import_path(&self.door.env.cwd.join(file), &options),
        };
        self.put(file, imported, copy)
    }

    /// The same of bytes that are here already.
    pub fn import_given(
        &mut self,
        given: &Given<'_>,
        copy: bool,
        conversation: Option<&str>,
    ) -> Result<TreesImported, OpError> {
        // Of a name only its last part: it is a title and leads nowhere.
        let name = given.name.rsplit(['/', '\\']).next().unwrap_or(given.name);
        let file = Path::new(if name.is_empty() { "-" } else { name });
        let imported = formats::import_bytes(given.bytes, &self.options(file, conversation));
        if let (Ok(imported), Some(wanted)) = (&imported, given.format)
            && imported.format != wanted.as_str()
        {
            let text = format!("`{}` is of the format `{}`, not `{wanted}`", printable(name), imported.format);
            return Err(OpError::usage(text).hint("leave the format out: it is found out"));
        }
        self.put(file, imported, copy)
    }

    fn options(&self, file: &Path, conversation: Option<&str>) -> ImportOptions {
        let name = file.file_stem().map(|stem| stem.to_string_lossy().into_owned()).filter(|stem| stem != "-");
        ImportOptions {
            conversation: conversation.map(str::to_owned),
            now: self.door.env.now.saturating_mul(1000),
            name: name.unwrap_or_else(|| "imported".into()),
        }
    }

    fn put(
        &mut self,
        file: &Path,
        imported: Result<formats::Imported, LoomError>,
        copy: bool,
    ) -> Result<TreesImported, OpError> {
        let shown = |mut error: LoomError| {
            error.path = error.path.take().map(|_| file.to_path_buf());
            refused(&error)
        };
        let mut imported = imported.map_err(shown)?;
        for name in self.loom.kept_agents(&imported.bundles).map_err(|error| refused(&error))? {
            let text = format!("agent `{}` is known with other settings: those of the store stay", printable(&name));
            imported.notes.push(Note::new(Topic::Setting, text).hint("`contexture loom agent NAME` shows them"));
        }
        let trees = self.loom.insert_all(&imported.bundles, copy).map_err(|error| {
            let line = error.record().and_then(|id| imported.lines.get(id)).copied();
            let error = match line {
                Some(line) => error.at(file).on_line(line),
                None => error,
            };
            refused(&error)
        })?;
        let trees = trees
            .into_iter()
            .zip(&imported.bundles)
            .map(|(tree, bundle)| ImportedTree { tree, nodes: bundle.nodes.len() })
            .collect();
        Ok(TreesImported { format: imported.format, trees, notes: imported.notes, skipped: imported.skipped })
    }

    pub fn export(&mut self, format: TreeFormat) -> Result<(LoomTree, Exported), OpError> {
        let tree = self.tree()?;
        let bundle = self.loom.bundle(&tree.id).map_err(|error| refused(&error))?;
        Ok((tree, formats::export(&bundle, format)))
    }
}
