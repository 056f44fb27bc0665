//! Ranks memories for a message: how well they match it, how new they are, how important somebody called them.
//!
//! Takes the memories of a file in its order; gives them from the best, each as different as can be from those before it.

use super::bag::{Bag, worths};
use super::query::Query;
use super::terms::{Term, terms};
use crate::types::Memory;

/// A memory with what it is worth, by its place in the file.
#[derive(Clone, Copy, PartialEq, Debug)]
pub struct RankedMemory {
    /// Its place among those that were given.
    pub at: usize,
    /// Only differences mean something.
    pub score: f32,
}

/// A match with the message is worth 1 at best; the newest memory and an important one are worth less than a good match, and
/// more than a poor one.
const RECENT: f32 = 0.2;
const IMPORTANT: f32 = 0.4;
/// After so many days, a memory is half as new. Days are counted from the newest memory and not from today: what is chosen
/// does not change because a night has passed.
const HALF_LIFE: f32 = 30.0;
/// A memory without a date is as new as one that is this old.
const UNDATED: f32 = 60.0;
/// Of a match, its neighbours under the same heading get this part: they often tell the rest.
const NEIGHBOUR: f32 = 0.25;
/// What a memory loses that says the same as a better one.
const SAME: f32 = 0.6;
/// Beyond so many, the best are not compared with each other any more.
const COMPARED: usize = 200;

/// Ranks memories for a message, the best first. Dates are compared with the newest of them and not with today.
pub fn memories(message: &str, memories: &[&Memory]) -> Vec<RankedMemory> {
    let query = Query::parse(message);
    let matched = matches(&query, memories);
    let newest = memories.iter().filter_map(|memory| memory.day).max().unwrap_or(0);
    let mut left: Vec<RankedMemory> = memories
        .iter()
        .enumerate()
        .map(|(at, memory)| {
            let age = memory.day.map_or(UNDATED, |day| (newest - day) as f32);
            let recent = RECENT * 0.5f32.powf(age / HALF_LIFE);
            let important = IMPORTANT * memory.importance.unwrap_or(0.0).clamp(0.0, 1.0);
            RankedMemory { at, score: matched[at] + recent + important }
        })
        .collect();
    let best_first = |a: &RankedMemory, b: &RankedMemory| b.score.total_cmp(&a.score).then(a.at.cmp(&b.at));
    left.sort_by(best_first);
    let rest = left.split_off(left.len().min(COMPARED));
    let words: Vec<Vec<Term>> = left.iter().map(|ranked| words(memories[ranked.at])).collect();
    let mut same = vec![0.0f32; left.len()];
    let mut ordered = Vec::with_capacity(memories.len());
    let mut waiting: Vec<usize> = (0..left.len()).collect();
    while let Some((nth, chosen)) = waiting
        .iter()
        .copied()
        .enumerate()
        .max_by(|(_, a), (_, b)| (left[*a].score - same[*a]).total_cmp(&(left[*b].score - same[*b])).then(b.cmp(a)))
    {
        waiting.remove(nth);
        ordered.push(left[chosen]);
        for other in &waiting {
            same[*other] = same[*other].max(SAME * overlap(&words[chosen], &words[*other]));
        }
    }
    ordered.extend(rest);
    ordered
}

/// How well each matches, the best of them 1.
fn matches(query: &Query, memories: &[&Memory]) -> Vec<f32> {
    let bags: Vec<Bag> = memories
        .iter()
        .map(|memory| {
            let mut bag = Bag::default();
            memory.trail.iter().for_each(|heading| bag.add(heading, query));
            bag.add(&memory.text, query);
            bag
        })
        .collect();
    let own = worths(&bags.iter().collect::<Vec<_>>(), query);
    let beside = |at: Option<usize>, trail: &[String]| {
        at.filter(|at| memories.get(*at).is_some_and(|memory| *memory.trail == *trail)).map_or(0.0, |at| own[at])
    };
    let all: Vec<f32> = memories
        .iter()
        .enumerate()
        .map(|(at, memory)| {
            let near = beside(at.checked_sub(1), &memory.trail).max(beside(Some(at + 1), &memory.trail));
            own[at].max(NEIGHBOUR * near)
        })
        .collect();
    let best = all.iter().copied().fold(0.0, f32::max);
    if best > 0.0 { all.into_iter().map(|worth| worth / best).collect() } else { all }
}

fn words(memory: &Memory) -> Vec<Term> {
    let mut all = Vec::new();
    terms(&memory.text, |term| all.push(term));
    all.sort_unstable();
    all.dedup();
    all
}

/// The part of all their words that two have in common; both sorted.
fn overlap(a: &[Term], b: &[Term]) -> f32 {
    let (mut i, mut j, mut both) = (0, 0, 0);
    while let (Some(x), Some(y)) = (a.get(i), b.get(j)) {
        both += usize::from(x == y);
        i += usize::from(x <= y);
        j += usize::from(y <= x);
    }
    let all = a.len() + b.len() - both;
    if all == 0 { 0.0 } else { both as f32 / all as f32 }
}

/// How well short texts match a message; 0 for none.
pub fn texts(message: &str, texts: &[&str]) -> Vec<f32> {
    let query = Query::parse(message);
    let bags: Vec<Bag> = texts
        .iter()
        .map(|text| {
            let mut bag = Bag::default();
            bag.add(text, &query);
            bag
        })
        .collect();
    worths(&bags.iter().collect::<Vec<_>>(), &query)
}

#[cfg(test)]
mod tests {
    use super::*;

    fn memory(text: &str, day: Option<i32>, importance: Option<f32>) -> Memory {
        Memory { trail: ["Notes".into()].into(), text: text.into(), day, importance, line: 1 }
    }

    fn order(message: &str, all: &[Memory]) -> Vec<usize> {
        memories(message, &all.iter().collect::<Vec<_>>()).into_iter().map(|ranked| ranked.at).collect()
    }

    #[test]
    fn what_matches_comes_first_in_any_form_of_the_word() {
        let all = [
            memory("The user likes tea.", Some(100), None),
            memory("Deployments run on Fridays.", Some(1), None),
            memory("The dog is called Rex.", Some(100), None),
        ];
        assert_eq!(order("when do we deploy?", &all)[0], 1);
    }

    #[test]
    fn without_a_match_the_new_and_the_important_come_first() {
        let all = [
            memory("old", Some(1), None),
            memory("new", Some(300), None),
            memory("important", Some(1), Some(1.0)),
            memory("undated", None, None),
        ];
        assert_eq!(order("xyz", &all), [2, 1, 3, 0]);
    }

    #[test]
    fn a_neighbour_of_a_match_is_taken_with_it() {
        let all = [
            memory("It needs two approvals.", None, None),
            memory("The release of billing is manual.", None, None),
            memory("Lunch is at noon.", None, None),
            memory("The office has plants.", None, None),
            memory("Parking is free.", None, None),
        ];
        let order = order("release billing", &all);
        assert_eq!(order[0], 1);
        assert!(order[1] == 0 || order[1] == 2, "{order:?}");
    }

    #[test]
    fn what_says_the_same_twice_waits() {
        let all = [
            memory("The database password rotates every month", Some(10), None),
            memory("The database password rotates each month", Some(10), None),
            memory("Somebody must ask the owner of the database for its password", Some(10), None),
        ];
        assert_eq!(order("database password", &all)[1], 2);
    }
}
