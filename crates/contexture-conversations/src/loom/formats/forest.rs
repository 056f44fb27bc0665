//! The order of nodes that name their parents: parents before children, circles cut, some nodes passed over.
//!
//! Takes indices and gives indices. Linear, and no recursion: a tree may be one long chain.

pub(super) struct Forest {
    /// Nodes that are kept. A parent stands before its children, siblings stand as they did; what came in such an order
    /// keeps it.
    pub order: Vec<usize>,
    /// The nearest ancestor that is kept, by node.
    pub parent: Vec<Option<usize>>,
    /// Of each circle the first node, which now has no parent.
    pub cut: Vec<usize>,
}

pub(super) fn forest(mut parents: Vec<Option<usize>>, keep: impl Fn(usize) -> bool) -> Forest {
    let cut = cut_circles(&mut parents);
    let order = order(&parents);
    let mut kept_parent: Vec<Option<usize>> = vec![None; parents.len()];
    for &node in &order {
        let parent = parents.get(node).copied().flatten();
        let above = parent.and_then(|parent| if keep(parent) { Some(parent) } else { kept_parent[parent] });
        kept_parent[node] = above;
    }
    Forest { order: order.into_iter().filter(|&node| keep(node)).collect(), parent: kept_parent, cut }
}

fn cut_circles(parents: &mut [Option<usize>]) -> Vec<usize> {
    #[derive(Clone, Copy, PartialEq)]
    enum Seen {
        Not,
        Now,
        Before,
    }
    let mut seen = vec![Seen::Not; parents.len()];
    let mut cut = Vec::new();
    let mut way = Vec::new();
    for start in 0..parents.len() {
        let mut next = Some(start);
        while let Some(node) = next.filter(|&node| seen[node] == Seen::Not) {
            seen[node] = Seen::Now;
            way.push(node);
            next = parents[node];
        }
        if let Some(meeting) = next.filter(|&node| seen[node] == Seen::Now) {
            let circle = way.iter().rev().take_while(|&&node| node != meeting).copied().chain([meeting]);
            if let Some(first) = circle.min() {
                parents[first] = None;
                cut.push(first);
            }
        }
        way.drain(..).for_each(|node| seen[node] = Seen::Before);
    }
    cut
}

fn order(parents: &[Option<usize>]) -> Vec<usize> {
    let mut children: Vec<Vec<usize>> = vec![Vec::new(); parents.len()];
    for (node, parent) in parents.iter().enumerate() {
        parent.iter().for_each(|&parent| children[parent].push(node));
    }
    let mut placed = vec![false; parents.len()];
    let mut order = Vec::with_capacity(parents.len());
    let mut due = Vec::new();
    for node in 0..parents.len() {
        if placed[node] || parents[node].is_some_and(|parent| !placed[parent]) {
            continue;
        }
        due.push(node);
        // Behind a node come those of its descendants that waited for it.
        while let Some(next) = due.pop() {
            placed[next] = true;
            order.push(next);
            due.extend(children[next].iter().rev().filter(|&&child| child < node));
        }
    }
    order
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn parents_come_first_and_circles_are_cut() {
        let forest =
            forest(vec![Some(3), Some(2), Some(1), None, Some(3), Some(5), Some(9).filter(|_| false)], |_| true);
        assert_eq!(forest.order, [1, 2, 3, 0, 4, 5, 6]);
        assert_eq!(forest.cut, [1, 5]);
        assert_eq!(forest.parent, [Some(3), None, Some(1), None, Some(3), None, None]);
    }

    #[test]
    fn what_is_passed_over_leaves_its_children_to_its_parent() {
        let forest = forest(vec![None, Some(0), Some(1), Some(2)], |node| node % 3 == 0);
        assert_eq!(forest.order, [0, 3]);
        assert_eq!(forest.parent[3], Some(0));
    }
}
