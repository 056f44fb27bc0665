//! The judge of Rust: `syn`, which reads the language by its own rules.
//!
//! Takes Rust files with what the library said; gives items that only one side has, and items whose signature, fields or
//! attributes a skeleton changed. Items in the body of a function are counted apart: a skeleton leaves bodies out.

use super::ours::Named;
use super::reparse::File;
use proc_macro2::Ident;
use rayon::prelude::*;
use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};
use syn::visit::{self, Visit};

#[derive(Default)]
pub struct Verdict {
    pub compared: usize,
    /// Sources that `syn` itself refuses.
    pub skipped: usize,
    pub items: usize,
    /// Items in bodies: found in ours, all.
    pub local: (usize, usize),
    pub problems: Vec<(PathBuf, usize, String)>,
}

pub fn judge(files: &[File]) -> Verdict {
    let each: Vec<Verdict> = files.par_iter().map(one).collect();
    let mut all = Verdict::default();
    for verdict in each {
        all.compared += verdict.compared;
        all.skipped += verdict.skipped;
        all.items += verdict.items;
        all.local.0 += verdict.local.0;
        all.local.1 += verdict.local.1;
        all.problems.extend(verdict.problems);
    }
    all
}

/// How many problems there are of each kind: the words before the colon.
pub fn causes(verdict: &Verdict) -> BTreeMap<&str, usize> {
    let mut counts = BTreeMap::new();
    for (_, _, told) in &verdict.problems {
        *counts.entry(told.split(':').next().unwrap_or(told)).or_default() += 1;
    }
    counts
}

fn one(file: &File) -> Verdict {
    let Ok(reading) = &file.reading else { return Verdict::default() };
    let text = fs::read_to_string(&file.path).unwrap_or_default();
    text_of(&file.path, &text, &reading.symbols, &reading.skeleton)
}

pub(super) fn text_of(path: &Path, text: &str, symbols: &[Named], skeleton: &str) -> Verdict {
    let mut verdict = Verdict::default();
    let Ok(source) = syn::parse_file(text) else {
        verdict.skipped = 1;
        return verdict;
    };
    verdict.compared = 1;
    let items = items(&source);
    let (local, outer): (Vec<&Item>, Vec<&Item>) = items.iter().partition(|item| item.local);
    verdict.items = outer.len();
    let ours: BTreeSet<(&str, &str, usize)> = symbols.iter().filter_map(judged).collect();
    let theirs: BTreeSet<(&str, &str, usize)> = items.iter().map(Item::key).collect();
    let mut note = |line: usize, told: String| verdict.problems.push((path.to_path_buf(), line, told));
    for item in outer.iter().filter(|item| !ours.contains(&item.key())) {
        note(item.line, format!("missing {}: {}", item.kind, item.name));
    }
    for (kind, name, line) in ours.difference(&theirs) {
        note(*line, format!("not in the source, {kind}: {name}"));
    }
    match syn::parse_file(skeleton) {
        Err(error) => note(error.span().start().line, format!("skeleton does not parse: {error}")),
        Ok(skeleton) => compare(&outer, &self::items(&skeleton), note),
    }
    verdict.local = (local.iter().filter(|item| ours.contains(&item.key())).count(), local.len());
    verdict
}

/// What a caller sees of each item must be in the skeleton as it is in the source.
fn compare(source: &[&Item], skeleton: &[Item], mut note: impl FnMut(usize, String)) {
    let mut left: BTreeMap<(&str, &str), Vec<&Item>> = BTreeMap::new();
    for item in skeleton.iter().filter(|item| !item.local) {
        left.entry((item.kind, &item.name)).or_default().push(item);
    }
    for item in source {
        let same = left.get(&(item.kind, item.name.as_str())).into_iter().flatten();
        if !same.into_iter().any(|other| other.face == item.face) {
            note(item.line, format!("changed in the skeleton, {}: {}", item.kind, item.name));
        }
    }
}

/// Our symbol as the judge sees it, when it is of a kind that both sides know.
fn judged(named: &Named) -> Option<(&'static str, &str, usize)> {
    let kind = match named.kind {
        "function" | "method" => "fn",
        kind @ ("struct" | "enum" | "union" | "trait") => kind,
        _ => return None,
    };
    Some((kind, &named.name, named.line))
}

fn items(file: &syn::File) -> Vec<Item> {
    let mut list = List::default();
    list.visit_file(file);
    list.items
}

struct Item {
    kind: &'static str,
    name: String,
    line: usize,
    local: bool,
    face: Face,
}

impl Item {
    fn key(&self) -> (&str, &str, usize) {
        (self.kind, &self.name, self.line)
    }
}

/// Everything of an item but its body. `syn` compares without places in the text.
#[derive(PartialEq)]
enum Face {
    Function(Vec<syn::Attribute>, Option<syn::Visibility>, Box<syn::Signature>),
    Struct(Box<syn::ItemStruct>),
    Enum(Box<syn::ItemEnum>),
    Union(Box<syn::ItemUnion>),
    /// Its functions are items of their own.
    Trait(Vec<syn::Attribute>, Box<syn::Generics>, Vec<syn::TypeParamBound>),
}

#[derive(Default)]
struct List {
    items: Vec<Item>,
    bodies: usize,
}

impl List {
    fn add(&mut self, kind: &'static str, name: &Ident, face: Face) {
        let (name, line) = (name.to_string(), name.span().start().line);
        // `r#type` is told by both sides as it is written.
        self.items.push(Item { kind, name, line, local: self.bodies > 0, face });
    }
}

impl<'ast> Visit<'ast> for List {
    fn visit_block(&mut self, node: &'ast syn::Block) {
        self.bodies += 1;
        visit::visit_block(self, node);
        self.bodies -= 1;
    }

    fn visit_item_fn(&mut self, node: &'ast syn::ItemFn) {
        let face = Face::Function(node.attrs.clone(), Some(node.vis.clone()), Box::new(node.sig.clone()));
        self.add("fn", &node.sig.ident, face);
        visit::visit_item_fn(self, node);
    }

    fn visit_impl_item_fn(&mut self, node: &'ast syn::ImplItemFn) {
        let face = Face::Function(node.attrs.clone(), Some(node.vis.clone()), Box::new(node.sig.clone()));
        self.add("fn", &node.sig.ident, face);
        visit::visit_impl_item_fn(self, node);
    }

    fn visit_trait_item_fn(&mut self, node: &'ast syn::TraitItemFn) {
        self.add("fn", &node.sig.ident, Face::Function(node.attrs.clone(), None, Box::new(node.sig.clone())));
        visit::visit_trait_item_fn(self, node);
    }

    fn visit_foreign_item_fn(&mut self, node: &'ast syn::ForeignItemFn) {
        let face = Face::Function(node.attrs.clone(), Some(node.vis.clone()), Box::new(node.sig.clone()));
        self.add("fn", &node.sig.ident, face);
    }

    fn visit_item_struct(&mut self, node: &'ast syn::ItemStruct) {
        self.add("struct", &node.ident, Face::Struct(Box::new(node.clone())));
        visit::visit_item_struct(self, node);
    }

    fn visit_item_enum(&mut self, node: &'ast syn::ItemEnum) {
        self.add("enum", &node.ident, Face::Enum(Box::new(node.clone())));
        visit::visit_item_enum(self, node);
    }

    fn visit_item_union(&mut self, node: &'ast syn::ItemUnion) {
        self.add("union", &node.ident, Face::Union(Box::new(node.clone())));
        visit::visit_item_union(self, node);
    }

    fn visit_item_trait(&mut self, node: &'ast syn::ItemTrait) {
        let bounds = node.supertraits.iter().cloned().collect();
        self.add("trait", &node.ident, Face::Trait(node.attrs.clone(), Box::new(node.generics.clone()), bounds));
        visit::visit_item_trait(self, node);
    }
}
