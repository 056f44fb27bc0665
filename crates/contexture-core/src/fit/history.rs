//! Where a history begins: whole turns go, oldest first, and the place moves in steps.
//!
//! Takes sizes of groups and a way to price them; gives the first that is shown. The starts where a history may begin depend on
//! what came before them alone, so a conversation that grows begins at the same place until it must not, and then loses a good
//! part at once: what a provider remembers of the last request stays right for many turns.

/// What fitting knows of messages that stay together, before they are priced.
#[derive(Clone, Copy, Debug)]
pub struct GroupSize {
    /// Of the texts, as a measure of distance that costs nothing.
    pub bytes: u64,
    /// Of its longest text.
    pub longest: usize,
    pub messages: usize,
    /// A person's message.
    pub opens_turn: bool,
    /// Shown in any case: its tokens and messages are not part of what is looked at here.
    pub pinned: bool,
}

/// The part of a history that is shown: all from `first` on, and the message that opens the turn `first` is in. Texts of more
/// than `cap` bytes are cut to so many.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct ShownHistory {
    pub first: usize,
    pub head: Option<usize>,
    pub cap: usize,
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
/// Steps are a fifth to two fifths of the room, or a quarter of the messages. Larger steps show less after a cut and are paid for
/// less often: with turns of a tenth of the room and usual prices of a cache, steps of an eighth cost twice as much as these.
const TOKEN_STEPS: u64 = 5;
const MESSAGE_STEPS: usize = 4;
/// A step of so many tokens is measured in bytes, which are known without counting. A little more than text has.
const BYTES_PER_TOKEN: u64 = 5;
/// A room of so many tokens holds every conversation.
const LARGEST: u64 = 1 << 40;

/// The most bytes of a text in a room of so many tokens: about a quarter to a half of it. One huge text must not push out all
/// that was said before it. Less than some sentences are not worth showing.
pub fn cap(room: u64) -> usize {
    usize::try_from(top(room.clamp(1, LARGEST).ilog2())).unwrap_or(usize::MAX).max(SHORTEST)
}

const SHORTEST: usize = 1024;

/// The largest room of a power of two.
fn top(power: u32) -> u64 {
    (2u64 << power) - 1
}

/// Where to begin, or `None` when not even the newest group has room. `price` gives the tokens of a group whose texts are cut
/// to so many bytes.
///
/// Steps grow with the room, and so do the texts that are not cut; either could show less in a larger room. So each power of two
/// has marks of its own, chosen among those of the power below, and a cap of its own, and the earliest beginning that any
/// smaller room would get is taken, with the largest cap that reaches it: more room never shows less, and from one mark to the
/// next it is never less than a tenth of what that room holds.
pub fn begin(groups: &[GroupSize], room: &Room, price: &dyn Fn(usize, usize) -> u64) -> Option<ShownHistory> {
    let most = room.messages.unwrap_or(usize::MAX);
    let starts = starts(groups, most);
    let many = room.messages.map_or(usize::MAX, |most| most.div_ceil(MESSAGE_STEPS).max(1));
    let tokens = room.tokens.unwrap_or(LARGEST).min(LARGEST);
    let longest = groups.iter().map(|group| group.longest).max().unwrap_or(0);
    // Of each power the marks, after all starts: what is cut costs less, so that the first that fits is found by halving.
    let mut grids: Vec<Vec<usize>> = vec![(0..starts.len()).collect()];
    let mut best: Option<(usize, usize)> = None;
    for power in 0..=tokens.max(1).ilog2() {
        let (top, cap) = (top(power), cap(1 << power));
        let finer = grids.last().map_or(&[][..], Vec::as_slice);
        grids.push(thinned(finer, &starts, (top + 1) * BYTES_PER_TOKEN / TOKEN_STEPS, many));
        let left = tokens.min(top).saturating_sub(room.current);
        let cost = |at: usize| if groups[at].pinned { 0 } else { price(at, cap) };
        let tail = tail(groups, left, most, &cost);
        let fits = |place: &Start| tail.fits(place, groups, left, most, &cost);
        let first = |marks: &Vec<usize>| {
            let at = marks.partition_point(|place| !fits(&starts[*place]));
            marks.get(at).copied()
        };
        // Behind the last mark that is far enough, nearer ones must do.
        let found = grids.iter().rev().find_map(first);
        if let Some(place) = found.filter(|place| best.is_none_or(|(known, _)| *place <= known)) {
            best = Some((place, cap));
        }
        if best.is_some_and(|(place, cap)| place == 0 && cap >= longest) {
            break;
        }
    }
    best.map(|(place, cap)| ShownHistory { first: starts[place].first, head: starts[place].head, cap })
}

/// The newest groups that have room: messages and tokens from each of them to the end.
struct Tail {
    first: usize,
    behind: Vec<(usize, u64)>,
}

fn tail(groups: &[GroupSize], left: u64, most: usize, cost: &dyn Fn(usize) -> u64) -> Tail {
    let mut behind = vec![(0, 0)];
    let mut first = groups.len();
    let (mut messages, mut tokens) = (0usize, 0u64);
    while let Some(at) = first.checked_sub(1) {
        messages += if groups[at].pinned { 0 } else { groups[at].messages };
        if messages > most {
            break;
        }
        tokens = tokens.saturating_add(cost(at));
        if tokens > left {
            break;
        }
        behind.push((messages, tokens));
        first = at;
    }
    behind.reverse();
    Tail { first, behind }
}

impl Tail {
    fn fits(&self, place: &Start, groups: &[GroupSize], left: u64, most: usize, cost: &dyn Fn(usize) -> u64) -> bool {
        let Some(&(messages, tokens)) = place.first.checked_sub(self.first).and_then(|at| self.behind.get(at)) else {
            return false;
        };
        match place.head.filter(|head| !groups[*head].pinned) {
            Some(head) => messages + groups[head].messages <= most && tokens.saturating_add(cost(head)) <= left,
            None => true,
        }
    }
}

/// A place where a history may begin.
#[derive(Clone, Copy)]
struct Start {
    first: usize,
    /// What opens the turn, where the place is inside of one.
    head: Option<usize>,
    /// What is not shown of a history that begins here.
    bytes: u64,
    messages: usize,
}

fn starts(groups: &[GroupSize], most: usize) -> Vec<Start> {
    let mut starts = Vec::new();
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
                starts.push(Start { first: at, head, bytes: bytes - kept.0, messages: messages - kept.1 });
            }
            bytes += group.bytes;
            messages += group.messages;
        }
        start = end;
    }
    starts
}

/// Some of the marks: each so many bytes or messages from the one before.
fn thinned(marks: &[usize], starts: &[Start], bytes: u64, messages: usize) -> Vec<usize> {
    let mut out: Vec<usize> = Vec::with_capacity(marks.len());
    for mark in marks {
        let place = &starts[*mark];
        let is_far = out
            .last()
            .map(|last| &starts[*last])
            .is_none_or(|last| place.bytes - last.bytes >= bytes || place.messages - last.messages >= messages);
        if is_far {
            out.push(*mark);
        }
    }
    out
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A token has four bytes.
    fn sized(tokens: u64, messages: usize, opens_turn: bool) -> GroupSize {
        GroupSize { bytes: 4 * tokens, longest: 4 * tokens as usize, messages, opens_turn, pinned: false }
    }

    fn begin(groups: &[GroupSize], room: &Room) -> Option<ShownHistory> {
        super::begin(groups, room, &|at, cap| groups[at].longest.min(cap) as u64 / 4)
    }

    /// A turn of a person and a model for each number of tokens.
    fn turns(tokens: &[u64]) -> Vec<GroupSize> {
        let group = |tokens: u64, opens_turn| sized(tokens, 1, opens_turn);
        tokens.iter().flat_map(|tokens| [group(tokens / 2, true), group(tokens - tokens / 2, false)]).collect()
    }

    fn first(groups: &[GroupSize], messages: Option<usize>, tokens: Option<u64>) -> Option<usize> {
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
            assert!((30..=50).contains(&shown), "{shown} of {}", 2 * count);
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
        let groups = turns(&[100, 100, 100]);
        assert_eq!(first(&groups, None, Some(100)), Some(4));
        assert_eq!(first(&groups, None, Some(99)), None);
    }

    #[test]
    fn a_huge_text_is_cut_and_what_is_older_is_shown() {
        let mut groups = turns(&[100; 10]);
        groups.push(sized(10, 1, true));
        groups.push(sized(50_000, 2, false));
        groups.push(sized(10, 1, false));
        let kept = begin(&groups, &Room { messages: None, tokens: Some(4_000), current: 0 }).unwrap();
        assert_eq!((kept.first, kept.cap), (0, 4_095));
    }

    #[test]
    fn of_a_turn_with_many_calls_the_newest_are_shown_behind_its_opening() {
        let group = |tokens: u64, opens_turn| sized(tokens, 2, opens_turn);
        let mut groups = vec![group(50, true)];
        groups.extend((0..100).map(|_| group(100, false)));
        let kept = begin(&groups, &Room { messages: None, tokens: Some(1_000), current: 0 }).unwrap();
        assert_eq!(kept.head, Some(0));
        assert!((93..=97).contains(&kept.first), "{kept:?}");
    }
}
