//! What is not part of the conversation: annotations, and all that can be reached by them alone.

use contexture_core::EdgeType;

/// For each of `count` nodes. Edges are their kinds, the places of their primary sources and those of their targets.
///
/// A node is aside when edges lead to it, and each of them is an annotation or comes from nodes that are all aside. Goes
/// down from the annotations; what is in a circle is not reached, and so not aside.
pub(super) fn aside(count: usize, edges: &[(EdgeType, Vec<usize>, usize)]) -> Vec<bool> {
    // By edge the sources that are not aside, by node the continuations that are not.
    let mut sources: Vec<usize> = Vec::with_capacity(edges.len());
    let mut ways = vec![0usize; count];
    let mut is_aside = vec![false; count];
    for (kind, primaries, target) in edges {
        sources.push(primaries.len());
        match kind {
            EdgeType::Continuation => ways.iter_mut().skip(*target).take(1).for_each(|ways| *ways += 1),
            EdgeType::Annotation => is_aside.iter_mut().skip(*target).take(1).for_each(|is| *is = true),
        }
    }
    is_aside.iter_mut().zip(&ways).for_each(|(is, ways)| *is &= *ways == 0);
    let mut todo: Vec<usize> = (0..count).filter(|place| is_aside.get(*place) == Some(&true)).collect();
    if todo.is_empty() {
        return is_aside;
    }
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (at, (_, primaries, _)) in edges.iter().enumerate().filter(|(_, (kind, ..))| *kind == EdgeType::Continuation) {
        for place in primaries {
            from.iter_mut().skip(*place).take(1).for_each(|list| list.push(at));
        }
    }
    while let Some(place) = todo.pop() {
        for at in from.get(place).into_iter().flatten() {
            let (Some(left), Some((.., target))) = (sources.get_mut(*at), edges.get(*at)) else { continue };
            *left -= 1;
            let Some(ways) = ways.get_mut(*target).filter(|_| *left == 0) else { continue };
            *ways -= 1;
            if let Some(is) = is_aside.get_mut(*target).filter(|_| *ways == 0) {
                *is = true;
                todo.push(*target);
            }
        }
    }
    is_aside
}
