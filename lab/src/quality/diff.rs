//! What a commit touched in the old version of a file.
//!
//! Takes the patch of one file without context lines; gives places in the old file. Knows nothing of functions.

/// A touched place of the old file, lines counted from 1.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Touch {
    /// These lines were removed or replaced, both ends included.
    Lines { first: usize, last: usize },
    /// Something was put behind this line; 0 is the beginning of the file.
    After(usize),
}

/// The touched places, in the order of the file. In a patch without context every line of content begins with `+`, `-` or
/// a backslash, so a line that begins with `@@` is always a head.
pub fn touches(patch: &str) -> Vec<Touch> {
    patch.lines().filter_map(|line| touch(line.strip_prefix("@@ -")?)).collect()
}

/// How many lines of the old file these are; an insertion counts as one.
pub fn size(touches: &[Touch]) -> usize {
    let one = |touch: &Touch| match touch {
        Touch::Lines { first, last } => last + 1 - first,
        Touch::After(_) => 1,
    };
    touches.iter().map(one).sum()
}

/// `12,3 +…` and `12 +…`: the first line and the number of lines, which is 1 when it is not said.
fn touch(head: &str) -> Option<Touch> {
    let range = head.split(' ').next()?;
    let (first, count) = range.split_once(',').unwrap_or((range, "1"));
    let first: usize = first.parse().ok()?;
    match count.parse().ok()? {
        0 => Some(Touch::After(first)),
        count => first.checked_add(count).map(|end| Touch::Lines { first, last: end - 1 }),
    }
}
