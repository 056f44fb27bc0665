//! What follows from edges alone: which nodes are not part of the conversation, as annotations and all that can be reached only by them,
//! and which are in a circle.

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
            EdgeType::Continuation => ways[*target] += 1,
            EdgeType::Annotation => is_aside[*target] = true,
        }
    }
    is_aside.iter_mut().zip(&ways).for_each(|(is, ways)| *is &= *ways == 0);
    let mut todo: Vec<usize> = (0..count).filter(|place| is_aside[*place]).collect();
    if todo.is_empty() {
        return is_aside;
    }
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (at, (_, primaries, _)) in edges.iter().enumerate().filter(|(_, (kind, ..))| *kind == EdgeType::Continuation) {
        primaries.iter().for_each(|place| from[*place].push(at));
    }
    while let Some(place) = todo.pop() {
        for &at in &from[place] {
            sources[at] -= 1;
            if sources[at] > 0 {
                continue;
            }
            let (.., target) = edges[at];
            ways[target] -= 1;
            if ways[target] == 0 {
                is_aside[target] = true;
                todo.push(target);
            }
        }
    }
    is_aside
}

/// For each of `count` nodes, how many of its sources wait for sources themselves: above 0 for what is in a circle or behind one.
/// Edges are the places of a source and its target.
pub(super) fn waiting(count: usize, edges: impl Iterator<Item = (usize, usize)>) -> Vec<usize> {
    let mut waits = vec![0usize; count];
    let mut from: Vec<Vec<usize>> = vec![Vec::new(); count];
    for (source, target) in edges {
        from[source].push(target);
        waits[target] += 1;
    }
    // Takes away what has all its sources before it, again and again, without calling itself.
    let mut ready: Vec<usize> = (0..count).filter(|place| waits[*place] == 0).collect();
    while let Some(place) = ready.pop() {
        for &target in &from[place] {
            waits[target] -= 1;
            if waits[target] == 0 {
                ready.push(target);
            }
        }
    }
    waits
}
