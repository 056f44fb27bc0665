//! Where a history begins: whole turns go, oldest first, and the place moves in steps.
//!
//! Takes sizes of groups; gives the first that is shown. The places where a history may begin depend on what came before
//! them alone, so a conversation that grows begins at the same place until it must not, and then loses a good part at once:
//! what a provider remembers of the last request stays right for many turns.

/// What fitting knows of messages that stay together.
#[derive(Clone, Copy, Debug)]
pub struct Sized {
    /// Of the texts, as a measure of distance that costs nothing.
    pub bytes: u64,
    pub messages: usize,
    pub tokens: u64,
    /// A person's message.
    pub opens_turn: bool,
    /// Shown in any case: its tokens and messages are not part of what is looked at here.
    pub pinned: bool,
}

/// The part of a history that is shown: all from `first` on, and the message that opens the turn `first` is in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Kept {
    pub first: usize,
    pub head: Option<usize>,
}

/// What a history may take.
#[derive(Clone, Copy, Debug)]
pub struct Room {
    pub messages: Option<usize>,
    /// Tokens for the history and the current message, and how many of them the current message takes. What is before them
    /// changes seldom, so that steps stay the same from turn to turn.
    pub tokens: Option<u64>,
    pub current: u64,
}

/// A turn larger than this, or with more messages than are shown, may be shown in part: the message that opens it and its
/// newest groups. A smaller one is shown whole or not at all. Most turns of a person's chat are smaller; an agent at work calls
/// hundreds of tools in one.
const WHOLE_TURN: u64 = 8 * 1024;
/// Steps are a tenth at least, of the room or of the messages.
const STEPS: u64 = 10;
/// A step of so many tokens is measured in bytes, which are known without counting. A little more than text has.
const BYTES_PER_TOKEN: u64 = 5;

/// Where to begin, or `None` when not even the newest group has room.
///
/// Steps grow with the room, and with larger steps less might be shown in a larger room. So each power of two has marks of its
/// own, chosen among those of the power below, and the best of what any smaller room would get is taken: more room never
/// shows less, and from one mark to the next it is never less than a tenth of what that room holds.
pub fn begin(groups: &[Sized], room: &Room) -> Option<Kept> {
    let places = places(groups, room.messages.unwrap_or(usize::MAX));
    let costs = costs(groups, &places);
    let fits = |place: usize, tokens: u64| {
        let (messages, cost) = costs[place];
        room.messages.is_none_or(|most| messages <= most) && cost.saturating_add(room.current) <= tokens
    };
    let many = room.messages.map_or(usize::MAX, |most| most.div_ceil(STEPS as usize).max(1));
    let tokens = room.tokens.unwrap_or(LARGEST).min(LARGEST);
    // Of each power the marks, after all places: what is cut costs less, so that the first that fits is found by halving.
    let mut grids: Vec<Vec<usize>> = vec![(0..places.len()).collect()];
    let mut best: Option<usize> = None;
    for power in 0..=tokens.max(1).ilog2() {
        let top = (2u64 << power) - 1;
        let finer = grids.last().map_or(&[][..], Vec::as_slice);
        grids.push(thinned(finer, &places, (top + 1) * BYTES_PER_TOKEN / STEPS, many));
        let first = |marks: &Vec<usize>| {
            let at = marks.partition_point(|place| !fits(*place, tokens.min(top)));
            marks.get(at).copied()
        };
        // Behind the last mark that is far enough, nearer ones must do.
        best = grids.iter().rev().find_map(first).into_iter().chain(best).min();
    }
    best.map(|place| Kept { first: places[place].first, head: places[place].head })
}

/// A room of so many tokens holds every conversation.
const LARGEST: u64 = 1 << 40;

/// A place where a history may begin.
#[derive(Clone, Copy)]
struct Place {
    first: usize,
    /// What opens the turn, where the place is inside of one.
    head: Option<usize>,
    /// What is not shown of a history that begins here.
    bytes: u64,
    messages: usize,
}

fn places(groups: &[Sized], most: usize) -> Vec<Place> {
    let mut places = Vec::new();
    let (mut bytes, mut messages) = (0, 0);
    let mut start = 0;
    while start < groups.len() {
        let end = (start + 1..groups.len()).find(|at| groups[*at].opens_turn).unwrap_or(groups.len());
        let turn = &groups[start..end];
        let is_large = turn.iter().map(|group| group.bytes).sum::<u64>() > WHOLE_TURN
            || turn.iter().map(|group| group.messages).sum::<usize>() > most;
        let head = groups[start].opens_turn.then_some(start);
        for (at, group) in groups.iter().enumerate().take(end).skip(start) {
            let inside = at > start;
            if !inside || (is_large && head.is_none_or(|head| at > head + 1)) {
                let head = head.filter(|_| inside);
                let kept = head.map_or((0, 0), |head| (groups[head].bytes, groups[head].messages));
                places.push(Place { first: at, head, bytes: bytes - kept.0, messages: messages - kept.1 });
            }
            bytes += group.bytes;
            messages += group.messages;
        }
        start = end;
    }
    places
}

/// Some of the marks: each so many bytes or messages from the one before.
fn thinned(marks: &[usize], places: &[Place], bytes: u64, messages: usize) -> Vec<usize> {
    let mut out: Vec<usize> = Vec::with_capacity(marks.len());
    for mark in marks {
        let place = &places[*mark];
        let is_far = out
            .last()
            .map(|last| &places[*last])
            .is_none_or(|last| place.bytes - last.bytes >= bytes || place.messages - last.messages >= messages);
        if is_far {
            out.push(*mark);
        }
    }
    out
}

/// Messages and tokens from each place to the end, with what opens its turn.
fn costs(groups: &[Sized], places: &[Place]) -> Vec<(usize, u64)> {
    let mut behind = vec![(0usize, 0u64); groups.len() + 1];
    for (at, group) in groups.iter().enumerate().rev() {
        let (messages, tokens) = behind[at + 1];
        let own = if group.pinned { (0, 0) } else { (group.messages, group.tokens) };
        behind[at] = (messages + own.0, tokens.saturating_add(own.1));
    }
    let cost = |place: &Place| {
        let (messages, tokens) = behind[place.first];
        match place.head.map(|head| &groups[head]).filter(|head| !head.pinned) {
            Some(head) => (messages + head.messages, tokens.saturating_add(head.tokens)),
            None => (messages, tokens),
        }
    };
    places.iter().map(cost).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A turn of a person and a model for each number of tokens; a token has four bytes.
    fn turns(tokens: &[u64]) -> Vec<Sized> {
        let group =
            |tokens: u64, opens_turn| Sized { bytes: 4 * tokens, messages: 1, tokens, opens_turn, pinned: false };
        tokens.iter().flat_map(|tokens| [group(tokens / 2, true), group(tokens - tokens / 2, false)]).collect()
    }

    fn first(groups: &[Sized], messages: Option<usize>, tokens: Option<u64>) -> Option<usize> {
        begin(groups, &Room { messages, tokens, current: 0 }).map(|kept| kept.first)
    }

    #[test]
    fn everything_is_shown_that_has_room() {
        let groups = turns(&[100; 20]);
        assert_eq!(first(&groups, None, None), Some(0));
        assert_eq!(first(&groups, None, Some(2_000)), Some(0));
        assert_eq!(first(&groups, Some(40), None), Some(0));
        assert_eq!(first(&[], Some(5), Some(5)), None);
    }

    #[test]
    fn of_fifty_messages_hardly_less_are_shown() {
        for count in 26..400 {
            let shown = 2 * count - first(&turns(&vec![10; count]), Some(50), Some(100_000)).unwrap();
            assert!((40..=50).contains(&shown), "{shown} of {}", 2 * count);
        }
    }

    #[test]
    fn a_cut_stays_and_then_moves_by_a_tenth() {
        let mut last = 0;
        let mut moves = 0;
        for count in 10..200 {
            let groups = turns(&vec![100; count]);
            let now = first(&groups, None, Some(1_500)).unwrap();
            assert!(now == last || now >= last + 3, "{last} {now}");
            moves += usize::from(now != last);
            last = now;
        }
        // With every turn a cut there would be 185.
        assert!((20..100).contains(&moves), "{moves}");
    }

    #[test]
    fn the_newest_turn_is_shown_whole_or_not() {
        let groups = turns(&[100, 100, 400]);
        assert_eq!(first(&groups, None, Some(400)), Some(4));
        assert_eq!(first(&groups, None, Some(399)), None);
    }

    #[test]
    fn of_a_turn_with_many_calls_the_newest_are_shown_behind_its_opening() {
        let group =
            |tokens: u64, opens_turn| Sized { bytes: 4 * tokens, messages: 2, tokens, opens_turn, pinned: false };
        let mut groups = vec![group(50, true)];
        groups.extend((0..100).map(|_| group(100, false)));
        let kept = begin(&groups, &Room { messages: None, tokens: Some(1_000), current: 0 }).unwrap();
        assert_eq!(kept.head, Some(0));
        assert!((93..=97).contains(&kept.first), "{kept:?}");
    }
}
