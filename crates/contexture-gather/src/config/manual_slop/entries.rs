//! Files and pictures of a composition: each field is tried by itself, so that one that cannot be used costs only itself.

use super::Draft;
use crate::config::entry;
use crate::config::layer::dotted;
use crate::config::node::{Data, Field, Node};

impl Draft<'_> {
    /// A list of files for a key of ours.
    pub(super) fn entries(&mut self, path: &[&str], node: &Node, from: &str) {
        let Some(list) = node.as_list() else { return self.leave(from, node.at.0, "is no list and was left out") };
        let entries = list.iter().enumerate();
        let entries = entries.filter_map(|(index, node)| self.entry(node, &format!("{from}[{index}]"))).collect();
        self.put(path, &Node { data: Data::List(entries), at: node.at }, from, node.at.0);
    }

    /// A list of pictures for a key of ours: paths, or tables that hold one.
    pub(super) fn pictures(&mut self, path: &[&str], node: &Node, from: &str) {
        let Some(list) = node.as_list() else { return self.leave(from, node.at.0, "is no list and was left out") };
        let mut paths = Vec::new();
        for (index, node) in list.iter().enumerate() {
            match node.as_text().or_else(|| node.get("path")?.as_text()) {
                Some(path) if !path.is_empty() => {
                    let path = self.path(path, &format!("{from}[{index}]"), node.at.0);
                    paths.extend(path.map(|path| Node::from(path.as_str())));
                }
                _ => self.leave(&format!("{from}[{index}]"), node.at.0, "has no path and was left out"),
            }
        }
        self.put(path, &Data::List(paths).into(), from, node.at.0);
    }

    /// One file: a path, or a table with `path` (or `relative_path`) and more.
    fn entry(&mut self, node: &Node, from: &str) -> Option<Node> {
        let Some(fields) = node.as_map() else {
            return match entry::read(node, from) {
                Ok(entry) => self.path(&entry.path, from, node.at.0).map(|path| path.as_str().into()),
                Err(problem) => {
                    self.leave(from, node.at.0, &format!("was left out: {}", problem.cause));
                    None
                }
            };
        };
        let path = ["path", "relative_path"].into_iter().find_map(|key| node.get(key)?.as_text());
        let Some(path) = path.filter(|path| !path.is_empty()) else {
            self.leave(from, node.at.0, "has no path and was left out");
            return None;
        };
        let path = &self.path(path, from, node.at.0)?;
        let mut taken = vec![Field::new("path", path.as_str())];
        for field in fields.iter().filter(|field| !matches!(field.key.as_str(), "path" | "relative_path")) {
            let from = format!("{from}.{}", dotted(&[&field.key]));
            let node = match field.key.as_str() {
                "view_mode" => lower(&field.node),
                "ast_mask" => self.mask(&field.node, &from),
                "custom_slices" => self.slices(&field.node, &from),
                _ => field.node.clone(),
            };
            self.try_field(&mut taken, path, Field::new(&field.key, node), &from, field.key_at);
        }
        entry::read(&Data::Map(taken).into(), from).ok().map(|entry| entry.to_node())
    }

    /// Takes a field if an entry that has it beside its path can be read.
    fn try_field(&mut self, taken: &mut Vec<Field>, path: &str, field: Field, from: &str, at: usize) {
        if super::depth(&field.node) > super::DEEPEST {
            return self.leave(from, at, "was left out: it nests too deep");
        }
        let alone: Node = Data::Map(vec![Field::new("path", path), field.clone()]).into();
        match entry::read(&alone, "entry") {
            Ok(_) => taken.push(field),
            Err(problem) => self.leave(from, at, &format!("was left out: {}", problem.cause)),
        }
    }

    /// `agg` is an older word: of a symbol, its signature is what comes nearest.
    fn mask(&mut self, node: &Node, from: &str) -> Node {
        let Some(symbols) = node.as_map() else { return node.clone() };
        let mut taken = Vec::new();
        for field in symbols {
            let from = format!("{from}.{}", dotted(&[&field.key]));
            let word = lower(&field.node);
            match word.as_text() {
                Some("def" | "full" | "sig" | "hide") => taken.push(Field::new(&field.key, word)),
                Some("agg") => {
                    taken.push(Field::new(&field.key, "sig"));
                    self.leave(&from, field.key_at, "= \"agg\" became \"sig\"");
                }
                _ => self.leave(&from, field.key_at, "was left out: a symbol is `def`, `sig` or `hide`"),
            }
        }
        Data::Map(taken).into()
    }

    fn slices(&mut self, node: &Node, from: &str) -> Node {
        let Some(list) = node.as_list() else { return node.clone() };
        let mut taken = Vec::new();
        for (index, slice) in list.iter().enumerate() {
            let one = Field::new("custom_slices", Data::List(vec![slice.clone()]));
            let alone: Node = Data::Map(vec![Field::new("path", "x"), one]).into();
            match entry::read(&alone, "entry") {
                Ok(_) => taken.push(slice.clone()),
                Err(problem) => {
                    self.leave(&format!("{from}[{index}]"), slice.at.0, &format!("was left out: {}", problem.cause));
                }
            }
        }
        Data::List(taken).into()
    }
}

fn lower(node: &Node) -> Node {
    match node.as_text() {
        Some(word) => word.trim().to_lowercase().as_str().into(),
        None => node.clone(),
    }
}
