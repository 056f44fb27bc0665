//! The steps by which more and more of an item is shown, and which of them a room of some tokens takes.
//!
//! Takes what each step gains and costs; gives [`Unit`]s in order of gain per token, and the choice for a room: each unit that
//! still fits, best first. A step that gains little but leads to a better one is one unit with it; where that does not fit, it is
//! tried without its last step. No unit gains more per token than what must come before it. So a larger room never has a lower
//! total gain: where two rooms part, the larger one takes a unit that the smaller one has no room for, and all that the smaller one
//! takes instead costs less than that unit and gains no more per token.
//! Knows numbers only; what a step looks like is for `shape`.

use crate::shape::ExtentPart;
use std::cmp::Ordering;
use std::collections::BinaryHeap;

/// What must have been taken before a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    Nothing,
    /// The step before it in the list, which is of the same item.
    Last,
    /// The step at this place, which is of the same item and stands before it.
    Step(u32),
    /// All steps of the same item before it.
    All,
}

#[derive(Clone, Copy, PartialEq, Debug)]
pub struct Step {
    pub item: u32,
    pub part: ExtentPart,
    pub after: After,
    /// What it is worth, and about how many tokens it takes.
    pub gain: f32,
    pub cost: f32,
}

/// Steps that follow each other and are taken together.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Unit {
    /// The first of them, and how many there are.
    first: u32,
    count: u32,
    cost: f64,
    /// Its gain per token, at most that of what must come before it.
    density: f64,
}

impl Unit {
    fn gain(&self) -> f64 {
        self.density * self.cost
    }

    pub fn cost(&self) -> f64 {
        self.cost
    }

    /// Whether nothing must come before it.
    pub fn is_first(&self, steps: &[Step]) -> bool {
        steps[self.first as usize].after == After::Nothing
    }

    pub fn steps(&self) -> std::ops::Range<u32> {
        self.first..self.first + self.count
    }

    /// Without its last step, gaining no more per token than with it.
    fn shorter(&self, steps: &[Step]) -> Option<Self> {
        let count = self.count.checked_sub(1).filter(|count| *count > 0)?;
        let own = &steps[self.first as usize..(self.first + count) as usize];
        let cost: f64 = own.iter().map(cost).sum();
        let gain: f64 = own.iter().map(|step| f64::from(step.gain)).sum();
        Some(Self { count, cost, density: (gain / cost).min(self.density), ..*self })
    }
}

impl Eq for Unit {}

impl Ord for Unit {
    fn cmp(&self, other: &Self) -> Ordering {
        self.density.total_cmp(&other.density).then(other.first.cmp(&self.first)).then(self.count.cmp(&other.count))
    }
}

impl PartialOrd for Unit {
    fn partial_cmp(&self, other: &Self) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

fn cost(step: &Step) -> f64 {
    f64::from(step.cost).max(0.1)
}

/// A room is full when less than this is left, or when this many units in a row were too large for it.
const LEFT: f64 = 2.0;
const MISSES: usize = 4000;

/// All units, those with the most gain per token first.
pub fn units(steps: &[Step]) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    // Of each step, the gain per token of its unit.
    let mut density = vec![f64::INFINITY; steps.len()];
    let mut at = 0;
    for same in steps.chunk_by(|a, b| a.item == b.item) {
        let (begin, stop) = (units.len(), at + same.len());
        while at < stop {
            let mut end = at + 1;
            while end < stop && steps[end].after == After::Last {
                end += 1;
            }
            let most = match steps[at].after {
                After::Nothing | After::Last => f64::INFINITY,
                After::Step(before) => density[before as usize],
                After::All => units[begin..].iter().map(|unit| unit.density).fold(f64::INFINITY, f64::min),
            };
            for unit in chain(steps, at, end, most) {
                unit.steps().for_each(|step| density[step as usize] = unit.density);
                units.push(unit);
            }
            at = end;
        }
    }
    units.sort_by(|a, b| b.cmp(a));
    units
}

/// The units of steps that follow each other, each gaining no more per token than the one before it, and the first at most `most`.
fn chain(steps: &[Step], first: usize, end: usize, most: f64) -> Vec<Unit> {
    let mut units: Vec<Unit> = Vec::new();
    for (at, step) in steps.iter().enumerate().take(end).skip(first) {
        let own = cost(step);
        let mut unit = Unit { first: at as u32, count: 1, cost: own, density: f64::from(step.gain).max(0.0) / own };
        while let Some(last) = units.pop_if(|last| last.density < unit.density) {
            let (gain, cost) = (last.gain() + unit.gain(), last.cost + unit.cost);
            unit = Unit { first: last.first, count: last.count + unit.count, cost, density: gain / cost };
        }
        units.push(unit);
    }
    for unit in &mut units {
        unit.density = unit.density.min(most);
    }
    units
}

/// What a room takes.
#[derive(Clone, Debug, Default)]
pub struct Choice {
    /// Best first.
    pub steps: Vec<u32>,
    pub gain: f64,
}

/// The steps that a room of some tokens takes: every unit that fits, best first, after what must come before it.
pub fn choose(steps: &[Step], units: &[Unit], room: f64) -> Choice {
    let mut taken = vec![false; steps.len()];
    // Of each item, how many steps were not taken that others may need.
    let mut open = vec![0_u32; steps.iter().map(|step| step.item as usize + 1).max().unwrap_or(0)];
    steps.iter().for_each(|step| open[step.item as usize] += 1);
    let mut choice = Choice::default();
    let mut left = room;
    let mut misses = 0;
    let mut shorter: BinaryHeap<Unit> = BinaryHeap::new();
    let mut units = units.iter().copied().peekable();
    while left >= LEFT && misses < MISSES {
        let is_shorter = match (units.peek(), shorter.peek()) {
            (None, None) => break,
            (Some(unit), Some(other)) => other > unit,
            (unit, _) => unit.is_none(),
        };
        let Some(unit) = (if is_shorter { shorter.pop() } else { units.next() }) else { break };
        let first = &steps[unit.first as usize];
        let may = match first.after {
            After::Nothing => true,
            After::Last => taken[unit.first as usize - 1],
            After::Step(before) => taken[before as usize],
            After::All => {
                let behind = steps[unit.first as usize..].iter().take_while(|step| step.item == first.item).count();
                open[first.item as usize] as usize == behind
            }
        };
        if !may || unit.cost > left {
            misses += 1;
            if may {
                shorter.extend(unit.shorter(steps));
            }
            continue;
        }
        (left, misses) = (left - unit.cost, 0);
        open[first.item as usize] -= unit.count;
        unit.steps().for_each(|step| taken[step as usize] = true);
        choice.steps.extend(unit.steps());
        choice.gain += unit.gain();
    }
    choice
}

/// What no choice for a room can gain more than: the best units, the last one in part.
pub fn bound(units: &[Unit], room: f64) -> f64 {
    let (mut gain, mut left) = (0.0, room);
    for unit in units {
        gain += unit.gain() * (left / unit.cost).clamp(0.0, 1.0);
        left -= unit.cost;
        if left <= 0.0 {
            break;
        }
    }
    gain
}

/// The gain per token of each step: that of its unit.
pub fn priorities(steps: &[Step], units: &[Unit]) -> Vec<f64> {
    let mut priorities = vec![0.0; steps.len()];
    for unit in units {
        unit.steps().for_each(|step| priorities[step as usize] = unit.density);
    }
    priorities
}

#[cfg(test)]
mod tests {
    use super::*;
    use proptest::prelude::*;

    /// Ladders of some items: chains, steps that need another, and at the end steps that need all others.
    fn ladders() -> impl Strategy<Value = Vec<Step>> {
        let step = (0..1000u32, 1..100u32, 0..8u32, 0..4u8);
        let item = (prop::collection::vec(step, 1..12), 0..3usize);
        prop::collection::vec(item, 1..6).prop_map(|items| {
            let mut steps: Vec<Step> = Vec::new();
            for (item, (own, last)) in items.iter().enumerate() {
                let first = steps.len() as u32;
                for (nth, (gain, cost, before, how)) in own.iter().enumerate() {
                    let nth = nth as u32;
                    let after = match how {
                        _ if nth == 0 => After::Nothing,
                        _ if nth as usize + last >= own.len() => After::All,
                        0 => After::Nothing,
                        1 => After::Step(first + before % nth),
                        _ => After::Last,
                    };
                    let part = ExtentPart::Whole(nth);
                    steps.push(Step { item: item as u32, part, after, gain: *gain as f32, cost: *cost as f32 });
                }
            }
            steps
        })
    }

    proptest! {
        #![proptest_config(ProptestConfig::with_cases(2_000))]

        #[test]
        fn a_larger_room_never_has_a_lower_gain(steps in ladders(), mut rooms in prop::collection::vec(0..2000u32, 2..12)) {
            let units = units(&steps);
            rooms.sort_unstable();
            let gains: Vec<f64> = rooms.iter().map(|room| choose(&steps, &units, f64::from(*room)).gain).collect();
            prop_assert!(gains.windows(2).all(|pair| pair[0] <= pair[1] + 1e-6), "{gains:?}");
        }

        #[test]
        fn no_step_is_taken_before_what_it_needs(steps in ladders(), room in 0..2000u32) {
            let units = units(&steps);
            let mut all: Vec<u32> = units.iter().flat_map(Unit::steps).collect();
            all.sort_unstable();
            prop_assert_eq!(all, (0..steps.len() as u32).collect::<Vec<_>>());
            prop_assert_eq!(choose(&steps, &units, f64::MAX).steps.len(), steps.len());
            let chosen = choose(&steps, &units, f64::from(room)).steps;
            let cost: f64 = chosen.iter().map(|step| f64::from(steps[*step as usize].cost)).sum();
            prop_assert!(cost <= f64::from(room) + 1e-6);
            for step in &chosen {
                let one = &steps[*step as usize];
                let is_there = match one.after {
                    After::Nothing => true,
                    After::Last => chosen.contains(&(step - 1)),
                    After::Step(before) => chosen.contains(&before),
                    After::All => (0..*step).filter(|other| steps[*other as usize].item == one.item).all(|other| chosen.contains(&other)),
                };
                prop_assert!(is_there, "{step} of {chosen:?}");
            }
        }
    }
}
