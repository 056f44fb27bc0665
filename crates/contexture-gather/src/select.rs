//! From what people wrote to the files they mean.
//!
//! Takes entries (literal paths, folders, globs, absolute paths) and include and exclude patterns; gives each file once,
//! sorted, with how it was named and what was wished for it, and what was left out with its reason.

use crate::config::Entry;
use crate::names;
use crate::project::is_hidden;
use crate::roots::{Place, Roots};
use crate::sieve::{BadPattern, MAX_PATTERN, MAX_PATTERNS, Sieve, is_history};
use crate::walk::{WalkOptions, Walked, walk};
use contexture_core::{Failure, LeftOut, Named, Note, Topic, Why, Wish};
use globset::{GlobBuilder, GlobMatcher};
use std::cell::OnceCell;
use std::collections::BTreeMap;
use std::path::{Path, PathBuf};

#[derive(Clone, Debug)]
pub struct Chosen {
    pub named: Named,
    pub wish: Wish,
    /// Known beforehand to have no readable bytes.
    pub failure: Option<Failure>,
}

#[derive(Default)]
pub struct Selection {
    pub files: BTreeMap<Place, Chosen>,
    pub left_out: Vec<LeftOut>,
    pub notes: Vec<Note>,
    /// What lies outside the composition, when it was asked for.
    pub around: BTreeMap<Place, Chosen>,
    /// Every path the walk saw, for a full tree; empty when no walk was needed.
    pub paths: Vec<String>,
    globs: usize,
}

pub struct SelectOptions<'a> {
    /// What was written on the command line; it replaces the composition, but keeps its wishes.
    pub named: &'a [Entry],
    /// What a program listed, on standard input: as if a pattern had found it.
    pub listed: &'a [Entry],
    /// The composition; `None`: everything.
    pub composition: Option<&'a [Entry]>,
    pub base: Place,
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
    let sieve = Sieve::new(options.include, options.exclude, &options.base.rel, options.own_output)?;
    let walks = Walks::new(roots, options);
    let mut selection = Selection::default();
    let asked = !options.named.is_empty() || !options.listed.is_empty();
    let entries = if asked { Some(options.named) } else { options.composition };
    for entry in options.listed {
        take_entry(roots, entry, Named::ByGlob, options, &sieve, &walks, &mut selection)?;
    }
    match entries {
        None => {
            for (root, _) in roots.iter() {
                walks.take(root, &sieve, &mut selection, |_| Some((Named::ByWalk, Wish::default())));
            }
        }
        Some(entries) => {
            for entry in entries {
                take_entry(roots, entry, Named::ByHand, options, &sieve, &walks, &mut selection)?;
            }
        }
    }
    if asked && let Some(composition) = options.composition {
        lend_wishes(roots, composition, options, &mut selection)?;
    }
    if options.around && entries.is_some() {
        let mut all = Selection::default();
        for (root, _) in roots.iter() {
            walks.take(root, &sieve, &mut all, |_| Some((Named::ByWalk, Wish::default())));
        }
        if let Some(composition) = options.composition {
            lend_wishes(roots, composition, options, &mut all)?;
        }
        // What a person wished away is not brought back from around the paths of a command line.
        all.files.retain(|place, chosen| !selection.files.contains_key(place) && !is_hidden(&chosen.wish));
        selection.around = all.files;
    }
    if options.full_tree {
        selection.paths = roots.iter().flat_map(|(root, _)| walks.paths(root, &sieve)).collect();
    }
    selection.left_out.sort_by(|a, b| a.path.cmp(&b.path));
    selection.left_out.dedup();
    Ok(selection)
}

fn take_entry(
    roots: &Roots,
    entry: &Entry,
    named: Named,
    options: &SelectOptions<'_>,
    sieve: &Sieve<'_>,
    walks: &Walks<'_>,
    selection: &mut Selection,
) -> Result<(), BadPattern> {
    let path = &names::actual(&entry.path);
    let place = roots.place(&options.base, path);
    if let Ok(place) = &place
        && let Ok(data) = roots.absolute(place).symlink_metadata()
    {
        let is_folder = data.is_dir() || (data.is_symlink() && roots.absolute(place).is_dir());
        if is_folder {
            take_folder(roots, place, entry, sieve, walks, selection);
        } else {
            take_literal(roots, place.clone(), entry, named, sieve, selection);
        }
        return Ok(());
    }
    if is_glob(&entry.path) {
        selection.globs += 1;
        if selection.globs > MAX_PATTERNS {
            return Err(BadPattern::new(&entry.path, format!("more than {MAX_PATTERNS} patterns")));
        }
        return take_glob(roots, entry, options, sieve, walks, selection);
    }
    let failure = place.as_ref().err().cloned().unwrap_or(Failure::NotFound);
    let place = place.unwrap_or_else(|_| Place { root: options.base.root, rel: path.to_owned() });
    if names::is_history(&place.rel) {
        selection.left_out.push(LeftOut { path: roots.shown(&place), why: Why::HistoryFile });
        return Ok(());
    }
    selection.files.insert(place, Chosen { named: Named::ByHand, wish: entry.wish(), failure: Some(failure) });
    Ok(())
}

fn take_literal(
    roots: &Roots,
    place: Place,
    entry: &Entry,
    named: Named,
    sieve: &Sieve<'_>,
    selection: &mut Selection,
) {
    if is_history(roots, &place) {
        selection.left_out.push(LeftOut { path: roots.shown(&place), why: Why::HistoryFile });
        return;
    }
    if named != Named::ByHand {
        // A link to a file with keys is that file.
        let secret = || names::secret_rule(&roots.resolved(&place)?.rel).map(Why::SecretName);
        match sieve.refuses(&place).or_else(secret) {
            Some(why) => refuse(roots, &place, why, selection),
            None => {
                selection.files.entry(place).or_insert(Chosen { named, wish: entry.wish(), failure: None });
            }
        }
        return;
    }
    if let Some(why) = sieve.excluded(&place) {
        return refuse(roots, &place, why, selection);
    }
    let real = roots.resolved(&place);
    let rule = names::secret_rule(&place.rel).or_else(|| names::secret_rule(&real.as_ref()?.rel));
    if let Some(rule) = rule {
        let text = format!("named by hand, though its name matches `{rule}`: it may hold secrets");
        selection.notes.push(Note::new(Topic::Denied, text).at(roots.shown(&place)));
    }
    // Named twice, once with wishes and once without: the wishes stand.
    let wish = match selection.files.get(&place) {
        Some(known) if known.named == Named::ByHand && entry.wish() == Wish::default() => known.wish.clone(),
        _ => entry.wish(),
    };
    selection.files.insert(place, Chosen { named, wish, failure: None });
}

/// Says why a file that was found does not enter.
fn refuse(roots: &Roots, place: &Place, why: Why, selection: &mut Selection) {
    let path = roots.shown(place);
    if let Why::SecretName(_) = &why {
        selection.notes.push(Note::new(Topic::Denied, why.to_string()).at(path.clone()));
    }
    selection.left_out.push(LeftOut { path, why });
}

fn take_folder(
    roots: &Roots,
    place: &Place,
    entry: &Entry,
    sieve: &Sieve<'_>,
    walks: &Walks<'_>,
    selection: &mut Selection,
) {
    let Some(place) = roots.resolved(place) else {
        let chosen = Chosen { named: Named::ByHand, wish: entry.wish(), failure: Some(Failure::OutsideRoots) };
        selection.files.insert(place.clone(), chosen);
        return;
    };
    let before = selection.files.len();
    walks
        .take(place.root, sieve, selection, |rel| (rel.starts_with(&place.rel)).then(|| (Named::ByGlob, entry.wish())));
    if selection.files.len() == before && !place.rel.as_os_str().is_empty() {
        // Perhaps the folder itself is ignored: it was named by hand, so it is walked on its own terms.
        let found = walks.fresh(&place);
        put(walks.roots, place.root, &found, sieve, selection, |_| Some((Named::ByGlob, entry.wish())));
    }
    if selection.files.len() == before {
        let text = "the folder holds no file to show";
        selection.notes.push(Note::new(Topic::Empty, text).at(roots.shown(&place)));
    }
}

fn take_glob(
    roots: &Roots,
    entry: &Entry,
    options: &SelectOptions<'_>,
    sieve: &Sieve<'_>,
    walks: &Walks<'_>,
    selection: &mut Selection,
) -> Result<(), BadPattern> {
    let (root, glob) = glob_in_root(roots, &entry.path, &options.base)?;
    let before = selection.files.len();
    let mut hits = 0;
    walks.take(root, sieve, selection, |rel| {
        let hit = glob.is_match(rel);
        hits += usize::from(hit);
        hit.then(|| (Named::ByGlob, entry.wish()))
    });
    if hits == 0 && selection.files.len() == before {
        let leads = if entry.path.starts_with("..") { " inside the roots" } else { "" };
        let text = format!("pattern `{}` matches no file{leads}", contexture_core::render::printable(&entry.path));
        selection.notes.push(Note::new(Topic::Empty, text));
    }
    Ok(())
}

/// The root a glob looks into, and its matcher for paths relative to that root.
fn glob_in_root(roots: &Roots, pattern: &str, base: &Place) -> Result<(usize, GlobMatcher), BadPattern> {
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
pub fn check_glob(roots: &Roots, path: &str, base: &Place) -> Result<(), BadPattern> {
    let is_there = |place: &Place| roots.absolute(place).symlink_metadata().is_ok();
    if !is_glob(path) || roots.place(base, &names::actual(path)).is_ok_and(|place| is_there(&place)) {
        return Ok(());
    }
    glob_in_root(roots, path, base).map(|_| ())
}

/// Whether a path is a pattern: it has one of `*`, `?`, `[`, `{`.
pub fn is_glob(path: &str) -> bool {
    path.contains(['*', '?', '[', '{'])
}

/// Paths on the command line keep what the composition says of them.
fn lend_wishes(
    roots: &Roots,
    composition: &[Entry],
    options: &SelectOptions<'_>,
    selection: &mut Selection,
) -> Result<(), BadPattern> {
    let mut globs = Vec::new();
    let mut literals = BTreeMap::new();
    for entry in composition {
        let wish = entry.wish();
        if wish == Wish::default() {
            continue;
        }
        if is_glob(&entry.path) {
            let (root, glob) = glob_in_root(roots, &entry.path, &options.base)?;
            globs.push((root, glob, wish));
        } else if let Ok(place) = roots.place(&options.base, Path::new(&entry.path)) {
            literals.insert(place, wish);
        }
    }
    for (place, chosen) in &mut selection.files {
        let by_glob = || globs.iter().rev().find(|(root, glob, _)| *root == place.root && glob.is_match(&place.rel));
        if let Some(wish) = literals.get(place).or_else(|| by_glob().map(|(_, _, wish)| wish)) {
            chosen.wish = wish.clone();
        }
    }
    Ok(())
}

/// The walks of a run: each root is walked at most once, and only when something needs it.
struct Walks<'a> {
    roots: &'a Roots,
    options: &'a SelectOptions<'a>,
    done: Vec<OnceCell<Walked>>,
}

impl<'a> Walks<'a> {
    fn new(roots: &'a Roots, options: &'a SelectOptions<'a>) -> Self {
        Self { roots, options, done: roots.iter().map(|_| OnceCell::new()).collect() }
    }

    fn of(&self, root: usize) -> &Walked {
        self.done[root].get_or_init(|| {
            let place = Place { root, rel: PathBuf::new() };
            let known = self.roots.root(&place);
            walk(known, &known.path, &self.walk_options(false))
        })
    }

    fn fresh(&self, place: &Place) -> Walked {
        walk(self.roots.root(place), &self.roots.absolute(place), &self.walk_options(true))
    }

    fn walk_options(&self, named_by_hand: bool) -> WalkOptions<'a> {
        WalkOptions { threads: self.options.threads, output_dir: self.options.output_dir, named_by_hand, within: None }
    }

    fn take(
        &self,
        root: usize,
        sieve: &Sieve<'_>,
        selection: &mut Selection,
        wanted: impl FnMut(&Path) -> Option<(Named, Wish)>,
    ) {
        put(self.roots, root, self.of(root), sieve, selection, wanted);
    }

    fn paths(&self, root: usize, sieve: &Sieve<'_>) -> Vec<String> {
        let place = |rel: &PathBuf| Place { root, rel: rel.clone() };
        let walked = self.of(root);
        walked
            .files
            .iter()
            .filter(|rel| sieve.refuses(&place(rel)).is_none())
            .map(|rel| self.roots.shown(&place(rel)))
            .collect()
    }
}

/// Puts what a walk found into the selection, as far as it is wanted and let through.
fn put(
    roots: &Roots,
    root: usize,
    walked: &Walked,
    sieve: &Sieve<'_>,
    selection: &mut Selection,
    mut wanted: impl FnMut(&Path) -> Option<(Named, Wish)>,
) {
    let place = |rel: &Path| Place { root, rel: rel.to_owned() };
    let failed = walked.failed.iter().map(|(rel, failure)| (rel, Some(failure.clone())));
    let special = walked.special.iter().map(|rel| (rel, Some(Failure::NotAFile("a special file"))));
    for (rel, failure) in walked.files.iter().map(|rel| (rel, None)).chain(failed).chain(special) {
        let at = place(rel);
        if sieve.outside(&at) {
            continue;
        }
        let Some((named, wish)) = wanted(rel) else { continue };
        if let Some(why) = sieve.refuses(&at) {
            refuse(roots, &at, why, selection);
            continue;
        }
        // What a literal entry said of a file stands; of two patterns the later one.
        let stands = selection.files.get(&at).is_some_and(|known| known.named == Named::ByHand);
        if !stands {
            selection.files.insert(at, Chosen { named, wish, failure });
        }
    }
    for rel in &walked.links {
        if !sieve.outside(&place(rel)) && wanted(rel).is_some() && !selection.files.contains_key(&place(rel)) {
            selection.left_out.push(LeftOut { path: roots.shown(&place(rel)), why: Why::Symlink });
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
