//! Shapes and links of nodes, read in blocks: a query for each node of a long way would take most of the time.

use super::records::{damaged, shape};
use super::store::{Link, Result, Rows, Seq, Shape};

/// The numbers that were read last. While the way goes on by small steps, larger and larger blocks are read; after a jump a small
/// one.
struct Window {
    from: Seq,
    to: Seq,
    size: Seq,
}

/// The first block, and the largest. A block of the largest size takes about 3 MB.
const SMALL: Seq = 16;
const LARGE: Seq = 65_536;

impl Default for Window {
    fn default() -> Self {
        Self { from: 0, to: -1, size: SMALL }
    }
}

impl Window {
    fn has(&self, seq: Seq) -> bool {
        (self.from..=self.to).contains(&seq)
    }

    /// Ends with a number: parents are mostly written just before.
    fn end_with(&mut self, seq: Seq) {
        self.grow(seq < self.from && self.from - seq <= self.size);
        (self.from, self.to) = ((seq - self.size + 1).max(0), seq);
    }

    /// Begins with a number, for who goes from old to new.
    fn begin_with(&mut self, seq: Seq) {
        self.grow(seq > self.to && seq - self.to <= self.size);
        (self.from, self.to) = (seq, seq.saturating_add(self.size - 1));
    }

    fn grow(&mut self, is_near: bool) {
        self.size = if is_near { (self.size * 4).min(LARGE) } else { SMALL };
    }
}

/// Shapes read ahead.
pub(super) struct Blocks {
    tree: Seq,
    rows: Vec<Shape>,
    window: Window,
    /// Where the last one was found.
    place: usize,
}

impl Blocks {
    pub fn new(tree: Seq) -> Self {
        Self { tree, rows: Vec::new(), window: Window::default(), place: 0 }
    }

    pub fn get(&mut self, rows: &mut dyn Rows, seq: Seq) -> Result<Shape> {
        if !self.window.has(seq) {
            self.window.end_with(seq);
            self.read(rows)?;
            self.place = self.rows.len();
        }
        self.known(seq).ok_or_else(|| damaged("a node is missing"))
    }

    /// For who goes from old to new.
    pub fn ahead(&mut self, rows: &mut dyn Rows, seq: Seq) -> Result<Shape> {
        if !self.window.has(seq) {
            self.window.begin_with(seq);
            self.read(rows)?;
            self.place = 0;
        }
        self.known(seq).ok_or_else(|| damaged("a node is missing"))
    }

    fn read(&mut self, rows: &mut dyn Rows) -> Result<()> {
        self.rows.clear();
        rows.shapes(self.tree, self.window.from, self.window.to, &mut |shape| self.rows.push(shape))
    }

    /// One that is beside the way.
    pub fn look(&mut self, rows: &mut dyn Rows, seq: Seq) -> Result<Shape> {
        match self.known(seq) {
            Some(shape) => Ok(shape),
            None => shape(rows, self.tree, seq),
        }
    }

    fn known(&mut self, seq: Seq) -> Option<Shape> {
        let is_it = |place: &usize| self.rows.get(*place).is_some_and(|shape| shape.seq == seq);
        let beside = [self.place.checked_sub(1), Some(self.place), self.place.checked_add(1)];
        let beside = beside.into_iter().flatten().find(is_it);
        self.place = beside.or_else(|| self.rows.binary_search_by_key(&seq, |shape| shape.seq).ok())?;
        self.rows.get(self.place).copied()
    }
}

/// Links read ahead, for who goes from old to new.
#[derive(Default)]
pub(super) struct Links {
    all: Vec<Link>,
    window: Window,
}

impl Links {
    /// Those that lead from a node.
    pub fn of(&mut self, rows: &mut dyn Rows, node: Seq) -> Result<&[Link]> {
        if !self.window.has(node) {
            self.window.begin_with(node);
            self.all.clear();
            rows.links(self.window.from, self.window.to, &mut |link| self.all.push(link))?;
        }
        let start = self.all.partition_point(|link| link.source < node);
        let end = self.all.partition_point(|link| link.source <= node);
        Ok(self.all.get(start..end).unwrap_or_default())
    }
}
