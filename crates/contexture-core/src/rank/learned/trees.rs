//! Boosted trees: many small decisions whose answers are added up.
//!
//! Takes the bytes that `lab/src/learn/train.py` writes; gives a score for a row of numbers. A row is compared as whole numbers and
//! leaves are whole numbers, so every machine gives the same score. Written here because a library for trees would bring its
//! own floating-point sums, and reading them is thirty lines.

/// All trees, one after the other.
pub struct Trees {
    trees: Vec<Tree>,
}

struct Tree {
    nodes: Vec<Node>,
    leaves: Vec<i32>,
}

struct Node {
    column: u8,
    /// The left child is for numbers up to this.
    most: i32,
    /// A node of the same tree, or with -1 the first leaf, with -2 the second.
    children: [i8; 2],
}

/// Rows are compared in steps of one part of this many.
const STEPS: f64 = 4096.0;
/// Leaves are in parts of this many.
const PARTS: f64 = 65_536.0;

impl Trees {
    /// `None` when the bytes are not trees over rows of `columns` numbers.
    pub fn read(bytes: &[u8], columns: usize) -> Option<Self> {
        let mut rest = Reader(bytes.strip_prefix(b"CXT1")?);
        let count = rest.number::<2>()?;
        if rest.number::<2>()? as usize != columns {
            return None;
        }
        let trees: Option<Vec<Tree>> = (0..count).map(|_| rest.tree(columns)).collect();
        trees.filter(|_| rest.0.is_empty()).map(|trees| Self { trees })
    }

    /// The score of a row; only differences between rows of one task mean something.
    pub fn score(&self, row: &[f32]) -> f32 {
        // A conversion ends at the largest number, and takes what is not a number for 0.
        let row: Vec<i32> = row.iter().map(|value| (f64::from(*value) * STEPS).floor() as i32).collect();
        let sum: i64 = self.trees.iter().map(|tree| i64::from(tree.leaf(&row))).sum();
        (sum as f64 / PARTS) as f32
    }
}

impl Tree {
    fn leaf(&self, row: &[i32]) -> i32 {
        let mut at = 0;
        while let Some(node) = self.nodes.get(at) {
            let value = row.get(usize::from(node.column)).copied().unwrap_or(0);
            let child = node.children[usize::from(value > node.most)];
            match usize::try_from(child) {
                Ok(next) => at = next,
                Err(_) => return self.leaves.get(usize::from(child.unsigned_abs()) - 1).copied().unwrap_or(0),
            }
        }
        self.leaves.first().copied().unwrap_or(0)
    }
}

struct Reader<'a>(&'a [u8]);

impl Reader<'_> {
    fn number<const N: usize>(&mut self) -> Option<u32> {
        let (own, rest) = self.0.split_first_chunk::<N>()?;
        self.0 = rest;
        Some(own.iter().rev().fold(0, |number, byte| number << 8 | u32::from(*byte)))
    }

    /// A child comes after its parent, so that every walk ends.
    fn tree(&mut self, columns: usize) -> Option<Tree> {
        let (nodes, leaves) = (self.number::<1>()?, self.number::<1>()?);
        let mut tree = Tree { nodes: Vec::new(), leaves: Vec::new() };
        for at in 0..nodes {
            let column = self.number::<1>()? as u8;
            let most = self.number::<4>()? as i32;
            let children = [self.number::<1>()? as u8 as i8, self.number::<1>()? as u8 as i8];
            let fits = |child: &i8| match u32::try_from(*child) {
                Ok(next) => next > at && next < nodes,
                Err(_) => u32::from(child.unsigned_abs()) <= leaves,
            };
            if usize::from(column) >= columns || !children.iter().all(fits) {
                return None;
            }
            tree.nodes.push(Node { column, most, children });
        }
        for _ in 0..leaves {
            tree.leaves.push(self.number::<4>()? as i32);
        }
        Some(tree)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// One tree: up to 1.5 in the second column, then up to -1 in the first.
    fn small() -> Vec<u8> {
        let mut bytes = b"CXT1\x01\x00\x02\x00\x02\x03".to_vec();
        let node = |column: u8, most: i32, left: i8, right: i8| {
            let [a, b, c, d] = most.to_le_bytes();
            [column, a, b, c, d, left as u8, right as u8]
        };
        bytes.extend(node(1, 6144, 1, -1));
        bytes.extend(node(0, -4096, -2, -3));
        [65_536, 131_072, -32_768].iter().for_each(|leaf: &i32| bytes.extend(leaf.to_le_bytes()));
        bytes
    }

    #[test]
    fn a_row_goes_down_to_its_leaf() {
        let trees = Trees::read(&small(), 2).unwrap();
        let scores = [[0.0, 2.0], [-1.0, 1.5], [-0.9, 1.5], [f32::NAN, f32::INFINITY]].map(|row| trees.score(&row));
        assert_eq!(scores, [1.0, 2.0, -0.5, 1.0]);
    }

    proptest! {
        #[test]
        fn any_bytes_are_trees_or_not(mut bytes in Just(small()), at in 4..64usize, byte: u8, row in prop::array::uniform2(any::<f32>())) {
            if let Some(one) = bytes.get_mut(at) {
                *one = byte;
            }
            if let Some(trees) = Trees::read(&bytes, 2) {
                prop_assert!(trees.score(&row).is_finite());
            }
            prop_assert!(Trees::read(&bytes[..at.min(bytes.len() - 1)], 2).is_none());
        }
    }
}
