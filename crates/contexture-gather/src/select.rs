//! From what people wrote to the files they mean.
//!
//! Takes entries (literal paths, folders, globs, absolute paths) and include and exclude patterns; gives each file once,
//! sorted, with how it was named and what was wished for it, and what was left out with its reason.

use crate::config::PathEntry;
use crate::eligibility::{BadPattern, Eligibility, MAX_PATTERN, MAX_PATTERNS, is_history};
use crate::names;
use crate::roots::{RootedPath, Roots};
use crate::walk::{WalkOptions, Walked, walk};
use contexture_core::{Failure, LeftOut, Level, Note, SelectedBy, Topic, Why, Wish};
use globset::{GlobBuilder, GlobMatcher};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct ChosenFile {
    pub selected_by: SelectedBy,
    pub wish: Wish,
    /// Known beforehand to have no readable bytes.
    pub failure: Option<Failure>,
}

#[derive(Default)]
pub struct Selection {
    pub files: BTreeMap<RootedPath, ChosenFile>,
    pub left_out: Vec<LeftOut>,
    pub notes: Vec<Note>,
    /// What lies outside the composition, when it was asked for.
    pub around: BTreeMap<RootedPath, ChosenFile>,
    /// Every path the walk saw, for a full tree; empty when no walk was needed.
    pub paths: Vec<String>,
    globs: usize,
}

pub struct SelectOptions<'a> {
    /// What was written on the command line; it replaces the composition, but keeps its wishes.
    pub named: &'a [PathEntry],
    /// What a program listed, on standard input: as if a pattern had found it.
    pub listed: &'a [PathEntry],
    /// The composition; `None`: everything.
    pub composition: Option<&'a [PathEntry]>,
    pub base: RootedPath,
    pub include: &'a [String],
    pub exclude: &'a [String],
    pub threads: usize,
    pub output_dir: Option<&'a Path>,
    /// Knows our own outputs, which may lie in the root itself.
    pub own_output: &'a dyn Fn(&Path) -> bool,
    pub full_tree: bool,
    /// Also what a walk finds outside the composition.
    pub around: bool,
}

pub fn select(roots: &Roots, options: &SelectOptions<'_>) -> Result<Selection, BadPattern> {
    let eligibility = Eligibility::new(options.include, options.exclude, &options.base.rel, options.own_output)?;
    let walks = roots.iter().map(|_| OnceCell::new()).collect();
    let selector = Selector { roots, options, eligibility, walks };
    let mut selection = Selection::default();
    let asked = !options.named.is_empty() || !options.listed.is_empty();
    let entries = if asked { Some(options.named) } else { options.composition };
    for entry in options.listed {
        selector.take_entry(entry, SelectedBy::Pattern, &mut selection)?;
    }
    match entries {
        None => selector.take_all(&mut selection),
        Some(entries) => {
            for entry in entries {
                selector.take_entry(entry, SelectedBy::Path, &mut selection)?;
            }
        }
    }
    if asked && let Some(composition) = options.composition {
        selector.lend_wishes(composition, &mut selection)?;
    }
    if options.around && entries.is_some() {
        let mut all = Selection::default();
        selector.take_all(&mut all);
        if let Some(composition) = options.composition {
            selector.lend_wishes(composition, &mut all)?;
        }
        // What a person wished away is not brought back from around the paths of a command line.
        all.files.retain(|place, chosen| !selection.files.contains_key(place) && !is_hidden(&chosen.wish));
        selection.around = all.files;
    }
    if options.full_tree {
        selection.paths = roots.iter().flat_map(|(root, _)| selector.paths(root)).collect();
    }
    selection.left_out.sort_by(|a, b| a.path.cmp(&b.path));
    selection.left_out.dedup();
    Ok(selection)
}

/// What entries mean in these roots. Each root is walked at most once, and only when something needs it.
struct Selector<'a> {
    roots: &'a Roots,
    options: &'a SelectOptions<'a>,
    eligibility: Eligibility<'a>,
    walks: Vec<OnceCell<Walked>>,
}

impl<'a> Selector<'a> {
    fn take_all(&self, selection: &mut Selection) {
        for (root, _) in self.roots.iter() {
            self.take(root, selection, |_| Some((SelectedBy::Walk, Wish::default())));
        }
    }

    fn take_entry(&self, entry: &PathEntry, by: SelectedBy, selection: &mut Selection) -> Result<(), BadPattern> {
        let Self { roots, options, .. } = self;
        let path = &names::original_path(&entry.path);
        let place = roots.locate(&options.base, path);
        if let Ok(place) = &place
            && let Ok(data) = roots.absolute(place).symlink_metadata()
        {
            let is_folder = data.is_dir() || (data.is_symlink() && roots.absolute(place).is_dir());
            if is_folder {
                self.take_folder(place, entry, selection);
            } else {
                self.take_literal(place.clone(), entry, by, selection);
            }
            return Ok(());
        }
        if is_glob(&entry.path) {
            selection.globs += 1;
            if selection.globs > MAX_PATTERNS {
                return Err(BadPattern::new(&entry.path, format!("more than {MAX_PATTERNS} patterns")));
            }
            return self.take_glob(entry, selection);
        }
        let failure = Some(place.as_ref().err().cloned().unwrap_or(Failure::NotFound));
        let place = place.unwrap_or_else(|_| RootedPath { root: options.base.root, rel: path.to_owned() });
        if names::is_history(&place.rel) {
            selection.left_out.push(LeftOut { path: roots.display_path(&place), why: Why::HistoryFile });
            return Ok(());
        }
        selection.files.insert(place, ChosenFile { selected_by: SelectedBy::Path, wish: entry.wish(), failure });
        Ok(())
    }

    fn take_literal(&self, place: RootedPath, entry: &PathEntry, selected_by: SelectedBy, selection: &mut Selection) {
        let Self { roots, eligibility, .. } = self;
        if is_history(roots, &place) {
            selection.left_out.push(LeftOut { path: roots.display_path(&place), why: Why::HistoryFile });
            return;
        }
        if selected_by != SelectedBy::Path {
            // A link to a file with keys is that file.
            let secret = || names::secret_rule(&roots.real_path(&place)?.rel).map(Why::SecretName);
            match eligibility.refusal(&place).or_else(secret) {
                Some(why) => self.refuse(&place, why, selection),
                None => {
                    let chosen = ChosenFile { selected_by, wish: entry.wish(), failure: None };
                    selection.files.entry(place).or_insert(chosen);
                }
            }
            return;
        }
        if let Some(why) = eligibility.exclusion(&place) {
            return self.refuse(&place, why, selection);
        }
        let real = roots.real_path(&place);
        let rule = names::secret_rule(&place.rel).or_else(|| names::secret_rule(&real.as_ref()?.rel));
        if let Some(rule) = rule {
            let text = format!("named by hand, though its name matches `{rule}`: it may hold secrets");
            selection.notes.push(Note::new(Topic::Denied, text).at(roots.display_path(&place)));
        }
        // Named twice, once with wishes and once without: the wishes stand.
        let wish = match selection.files.get(&place) {
            Some(known) if known.selected_by == SelectedBy::Path && entry.wish() == Wish::default() => {
                known.wish.clone()
            }
            _ => entry.wish(),
        };
        selection.files.insert(place, ChosenFile { selected_by, wish, failure: None });
    }

    /// Says why a file that was found does not enter.
    fn refuse(&self, place: &RootedPath, why: Why, selection: &mut Selection) {
        let path = self.roots.display_path(place);
        if let Why::SecretName(_) = &why {
            selection.notes.push(Note::new(Topic::Denied, why.to_string()).at(path.clone()));
        }
        selection.left_out.push(LeftOut { path, why });
    }

    fn take_folder(&self, place: &RootedPath, entry: &PathEntry, selection: &mut Selection) {
        let Some(real) = self.roots.real_path(place) else {
            let failure = Some(Failure::OutsideRoots);
            let chosen = ChosenFile { selected_by: SelectedBy::Path, wish: entry.wish(), failure };
            selection.files.insert(place.clone(), chosen);
            return;
        };
        let before = selection.files.len();
        self.take(real.root, selection, |rel| {
            (rel.starts_with(&real.rel)).then(|| (SelectedBy::Pattern, entry.wish()))
        });
        if selection.files.len() == before && !real.rel.as_os_str().is_empty() {
            // Perhaps the folder itself is ignored: it was named by hand, so it is walked on its own terms.
            let found = walk(self.roots.root(&real), &self.roots.absolute(&real), &self.walk_options(true));
            self.put(real.root, &found, selection, |_| Some((SelectedBy::Pattern, entry.wish())));
        }
        if selection.files.len() == before {
            let text = "the folder holds no file to show";
            selection.notes.push(Note::new(Topic::Empty, text).at(self.roots.display_path(&real)));
        }
    }

    fn take_glob(&self, entry: &PathEntry, selection: &mut Selection) -> Result<(), BadPattern> {
        let (root, glob) = glob_in_root(self.roots, &entry.path, &self.options.base)?;
        let before = selection.files.len();
        let mut hits = 0;
        self.take(root, selection, |rel| {
            let hit = glob.is_match(rel);
            hits += usize::from(hit);
            hit.then(|| (SelectedBy::Pattern, entry.wish()))
        });
        if hits == 0 && selection.files.len() == before {
            let leads = if entry.path.starts_with("..") { " inside the roots" } else { "" };
            let text = format!("pattern `{}` matches no file{leads}", contexture_core::render::printable(&entry.path));
            selection.notes.push(Note::new(Topic::Empty, text));
        }
        Ok(())
    }

    /// Paths on the command line keep what the composition says of them.
    fn lend_wishes(&self, composition: &[PathEntry], selection: &mut Selection) -> Result<(), BadPattern> {
        let mut globs = Vec::new();
        let mut literals = BTreeMap::new();
        for entry in composition {
            let wish = entry.wish();
            if wish == Wish::default() {
                continue;
            }
            if is_glob(&entry.path) {
                let (root, glob) = glob_in_root(self.roots, &entry.path, &self.options.base)?;
                globs.push((root, glob, wish));
            } else if let Ok(place) = self.roots.locate(&self.options.base, Path::new(&entry.path)) {
                literals.insert(place, wish);
            }
        }
        for (place, chosen) in &mut selection.files {
            let fits = |(root, glob, _): &&(usize, GlobMatcher, Wish)| *root == place.root && glob.is_match(&place.rel);
            let by_glob = || globs.iter().rev().find(fits);
            if let Some(wish) = literals.get(place).or_else(|| by_glob().map(|(_, _, wish)| wish)) {
                chosen.wish = wish.clone();
            }
        }
        Ok(())
    }

    fn walked(&self, root: usize) -> &Walked {
        self.walks[root].get_or_init(|| {
            let known = self.roots.root(&RootedPath { root, rel: PathBuf::new() });
            walk(known, &known.path, &self.walk_options(false))
        })
    }

    fn walk_options(&self, named_by_hand: bool) -> WalkOptions<'a> {
        WalkOptions { threads: self.options.threads, output_dir: self.options.output_dir, named_by_hand, within: None }
    }

    fn take(&self, root: usize, selection: &mut Selection, wanted: impl FnMut(&Path) -> Option<(SelectedBy, Wish)>) {
        self.put(root, self.walked(root), selection, wanted);
    }

    fn paths(&self, root: usize) -> Vec<String> {
        let places = self.walked(root).files.iter().map(|rel| RootedPath { root, rel: rel.clone() });
        let places = places.filter(|place| self.eligibility.refusal(place).is_none());
        places.map(|place| self.roots.display_path(&place)).collect()
    }

    /// Puts what a walk found into the selection, as far as it is wanted and let through.
    fn put(
        &self,
        root: usize,
        walked: &Walked,
        selection: &mut Selection,
        mut wanted: impl FnMut(&Path) -> Option<(SelectedBy, Wish)>,
    ) {
        let Self { roots, eligibility, .. } = self;
        let place = |rel: &Path| RootedPath { root, rel: rel.to_owned() };
        let failed = walked.failed.iter().map(|(rel, failure)| (rel, Some(failure.clone())));
        let special = walked.special.iter().map(|rel| (rel, Some(Failure::NotAFile("a special file"))));
        for (rel, failure) in walked.files.iter().map(|rel| (rel, None)).chain(failed).chain(special) {
            let at = place(rel);
            if eligibility.outside(&at) {
                continue;
            }
            let Some((selected_by, wish)) = wanted(rel) else { continue };
            if let Some(why) = eligibility.refusal(&at) {
                self.refuse(&at, why, selection);
                continue;
            }
            // What a literal entry said of a file stands; of two patterns the later one.
            let stands = selection.files.get(&at).is_some_and(|known| known.selected_by == SelectedBy::Path);
            if !stands {
                selection.files.insert(at, ChosenFile { selected_by, wish, failure });
            }
        }
        for place in walked.links.iter().map(|rel| place(rel)) {
            let is_wanted = !eligibility.outside(&place) && wanted(&place.rel).is_some();
            if is_wanted && !selection.files.contains_key(&place) {
                selection.left_out.push(LeftOut { path: roots.display_path(&place), why: Why::Symlink });
            }
        }
        let label = &roots.root(&place(Path::new(""))).label;
        for left in &walked.passed_over {
            if wanted(Path::new(left.path.trim_end_matches('/'))).is_some() {
                let path = if label.is_empty() { left.path.clone() } else { format!("{label}/{}", left.path) };
                selection.left_out.push(LeftOut { path, why: left.why.clone() });
            }
        }
    }
}

/// The root a glob looks into, and its matcher for paths relative to that root.
fn glob_in_root(roots: &Roots, pattern: &str, base: &RootedPath) -> Result<(usize, GlobMatcher), BadPattern> {
    let bad = |cause: String| BadPattern::new(pattern, cause);
    if pattern.len() > MAX_PATTERN {
        return Err(bad(format!("longer than {MAX_PATTERN} bytes")));
    }
    let mut root = base.root;
    let mut relative = pattern.trim_start_matches("./").to_owned();
    if Path::new(pattern).is_absolute() {
        let inside = roots.iter().find_map(|(index, known)| {
            let prefix = format!("{}/", known.path.to_string_lossy());
            pattern.strip_prefix(&prefix).map(|rest| (index, rest.to_owned()))
        });
        (root, relative) = inside.ok_or_else(|| bad("outside the roots; add the folder with `--root`".into()))?;
    } else if let Some((index, rest)) = roots
        .iter()
        .filter(|(_, known)| !known.label.is_empty())
        .find_map(|(index, known)| Some((index, relative.strip_prefix(&format!("{}/", known.label))?.to_owned())))
    {
        (root, relative) = (index, rest);
    } else if !base.rel.as_os_str().is_empty() {
        relative = format!("{}/{relative}", globset::escape(&base.rel.to_string_lossy()));
    }
    let glob =
        GlobBuilder::new(&relative).literal_separator(true).build().map_err(|error| bad(error.kind().to_string()))?;
    Ok((root, glob.compile_matcher()))
}

/// Whether an entry that is no path can be a pattern.
pub fn check_glob(roots: &Roots, path: &str, base: &RootedPath) -> Result<(), BadPattern> {
    let is_there = |place: &RootedPath| roots.absolute(place).symlink_metadata().is_ok();
    if !is_glob(path) || roots.locate(base, &names::original_path(path)).is_ok_and(|place| is_there(&place)) {
        return Ok(());
    }
    glob_in_root(roots, path, base).map(|_| ())
}

/// Whether a path is a pattern: it has one of `*`, `?`, `[`, `{`.
pub fn is_glob(path: &str) -> bool {
    path.contains(['*', '?', '[', '{'])
}

/// Whether a person wished a file's bytes away.
pub(crate) fn is_hidden(wish: &Wish) -> bool {
    !wish.auto_aggregate || wish.view == Some(Level::None)
}
