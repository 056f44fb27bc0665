//! Where a path through a tree is cut when it does not fit.
//!
//! Takes prices of groups, from the oldest; gives how many stay at the beginning, and where the end begins. What the beginning
//! may take depends on the budget alone, so a path that grows keeps it, unless the newest nodes need its place; the end moves in
//! steps, as a history does. All limits grow with the room, and none grows faster than it: more room never shows less.

use super::super::history::{self, GroupSize};
use crate::types::Truncation;

/// Nodes that stay together: one, or calls with their results.
#[derive(Clone, Copy, Debug)]
pub struct Group {
    pub price: u64,
    pub bytes: u64,
    pub nodes: usize,
}

/// What is shown: the first `head` groups, and all from `first` on.
#[derive(Clone, Copy, PartialEq, Eq, Debug, Default)]
pub struct Cut {
    pub head: usize,
    pub first: usize,
    /// What the beginning may take. The rest of it stays empty: were the end to use it, it would have to shrink when the next group
    /// of the beginning has room.
    pub share: u64,
    /// The first group is too large for the beginning: its text is cut to its share.
    pub is_opening_cut: bool,
    /// Not even the newest group fits: its text is cut to so many tokens.
    pub newest: Option<u64>,
}

/// The beginning may take a quarter of the room, or half of it where its first node needs that: setting the scene takes less
/// than what follows from it.
const HEAD: u64 = 4;
const OPENING: u64 = 2;

/// What a path may take.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    /// Of which the beginning gets its share. It stays the same while a path grows.
    pub base: u64,
    /// For the groups, at their prices, and the marker where something is missing.
    pub tokens: u64,
    pub marker: u64,
    /// Of the newest nodes so many stay, if they fit at all.
    pub minimum: usize,
}

pub fn cut(groups: &[Group], how: Truncation, room: &Room) -> Cut {
    match how {
        Truncation::Rolling | Truncation::Stop => newest(groups, room.tokens),
        Truncation::Middle => middle(groups, room),
    }
}

fn middle(groups: &[Group], of: &Room) -> Cut {
    let room = of.tokens.saturating_sub(of.marker);
    let (start, recent) = recent(groups, of.minimum);
    let Some(opening) = groups.first().map(|group| group.price).filter(|_| recent <= room) else {
        return newest(groups, room);
    };
    let base = of.base.saturating_sub(of.marker);
    let reserve = (base / HEAD).max(opening.min(base / OPENING)).min(room);
    let size = |group: &Group| GroupSize {
        bytes: group.bytes,
        longest: 0,
        messages: group.nodes,
        opens_turn: true,
        pinned: false,
    };
    let sizes: Vec<GroupSize> = groups.iter().map(size).collect();
    let tail = history::Room { messages: None, tokens: Some((room - reserve).max(recent)), current: 0 };
    let found = history::begin(&sizes, &tail, &|at, _| groups[at].price);
    let first = found.map_or(start, |kept| kept.first.min(start));
    let limit = reserve.min(room - recent);
    let mut used = 0u64;
    let fits = |group: &&Group| {
        used = used.saturating_add(group.price);
        used <= limit
    };
    let head = groups[..first].iter().take_while(fits).count();
    Cut { head, first, share: limit, is_opening_cut: head == 0 && first > 0, newest: None }
}

/// The newest groups that fit.
fn newest(groups: &[Group], room: u64) -> Cut {
    let mut used = 0u64;
    let fits = |group: &&Group| {
        used = used.saturating_add(group.price);
        used <= room
    };
    let kept = groups.iter().rev().take_while(fits).count();
    let all = groups.len();
    if kept == 0 && all > 0 {
        return Cut { first: all - 1, newest: Some(room), ..Cut::default() };
    }
    Cut { first: all - kept, ..Cut::default() }
}

/// Where the newest nodes begin, at least one group, and what they cost.
fn recent(groups: &[Group], minimum: usize) -> (usize, u64) {
    let (mut start, mut nodes, mut price) = (groups.len(), 0, 0u64);
    while start > 0 && (nodes < minimum || nodes == 0) {
        start -= 1;
        nodes += groups[start].nodes;
        price = price.saturating_add(groups[start].price);
    }
    (start, price)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn groups(prices: &[u64]) -> Vec<Group> {
        prices.iter().map(|price| Group { price: *price, bytes: 4 * price, nodes: 1 }).collect()
    }

    fn at(prices: &[u64], room: u64) -> Cut {
        let room = Room { base: room, tokens: room, marker: 10, minimum: 4 };
        cut(&groups(prices), Truncation::Middle, &room)
    }

    #[test]
    fn the_beginning_and_the_newest_stay() {
        let cut = at(&[10; 100], 210);
        assert_eq!(cut.head, 5);
        assert!((85..=88).contains(&cut.first), "{cut:?}");
        assert_eq!((cut.is_opening_cut, cut.newest), (false, None));
    }

    #[test]
    fn the_newest_go_before_the_beginning_where_both_do_not_fit() {
        assert_eq!(at(&[50, 10, 10, 30, 30, 30, 30], 130).head, 0);
        assert_eq!(at(&[50, 10, 10, 30, 30, 30, 30], 130).first, 3);
        // Not even four of them.
        assert_eq!(at(&[50, 10, 10, 30, 30, 30, 30], 100), Cut { first: 4, ..Cut::default() });
        assert_eq!(at(&[50, 10, 10, 30, 30, 30, 30], 30).newest, Some(20));
    }

    #[test]
    fn a_large_first_node_is_shown_whole_or_in_part() {
        assert_eq!(at(&[90, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10], 200).head, 1);
        let cut = at(&[900, 10, 10, 10, 10, 10, 10, 10, 10, 10, 10], 210);
        assert_eq!((cut.head, cut.is_opening_cut, cut.share), (0, true, 100));
    }

    #[test]
    fn a_growing_path_keeps_its_beginning() {
        let mut heads = std::collections::BTreeSet::new();
        let mut cuts = std::collections::BTreeSet::new();
        for count in 40..400 {
            let cut = at(&vec![10; count], 300);
            heads.insert(cut.head);
            cuts.insert(cut.first);
        }
        assert_eq!(heads.len(), 1);
        // The end moves in steps, not with every node.
        assert!(cuts.len() < 120, "{}", cuts.len());
    }

    #[test]
    fn a_rolling_window_is_as_large_as_it_can_be() {
        let all = groups(&[5, 40, 10, 20, 30]);
        let rolling = |tokens| cut(&all, Truncation::Rolling, &Room { base: tokens, tokens, marker: 10, minimum: 4 });
        let first = |room| rolling(room).first;
        assert_eq!([first(30), first(49), first(50), first(60), first(105)], [4, 4, 3, 2, 0]);
        assert_eq!(rolling(29).newest, Some(29));
    }
}
