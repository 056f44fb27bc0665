//! The steps by which more and more of an item is shown, and in which order all steps of all items are best taken.
//!
//! Takes what each step gains and costs; gives one order that holds for every budget. A smaller budget takes fewer of the
//! same steps, so that more budget never shows less. Knows numbers only; what a step looks like is for `shape`.

use crate::shape::ExtentPart;

/// What must have been taken before a step.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum After {
    Nothing,
    /// The step at this place.
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

impl Step {
    /// Its gain where paths and signatures are worth this part of what they are.
    fn worth(&self, breadth: f32) -> f32 {
        match self.part {
            ExtentPart::Name | ExtentPart::Signature(_) => self.gain * breadth,
            _ => self.gain,
        }
    }

    fn density(gain: f32, cost: f32) -> f32 {
        gain / cost.max(0.1)
    }
}

/// The first level that is filled; each further one is twice as large. A budget at a level is used to the last token, and a
/// step that is larger than what a level adds waits for the next: one large function must not take the place of all else.
const FIRST_LEVEL: f64 = 1000.0;
/// How much paths and signatures count at a level. With little room, what is probably needed comes before what else there is;
/// with much, the signatures that matter are there already and bodies are what is left. Chosen like the gains.
fn breadth(level: f64) -> f32 {
    if level > 8000.0 { 0.7 } else { (level / 5200.0).min(1.0) as f32 }
}

/// A level is full when less than this is left, or when so many steps in a row were too large for it.
const LEFT: f64 = 5.0;
const MISSES: usize = 400;

/// The order in which steps are taken: by gain per token, as far as what must come before allows. A step that makes a much
/// better one possible counts with it, which is the concave hull of an item's ladder.
///
/// No budget is known here, so that there is one order for all of them. It is laid out level by level: `enough` sees it
/// after each level that added something and says whether it goes far enough. `exact` is asked for the real cost of a step
/// when it is about to be taken, `floor` is what is spent already.
pub fn order(
    steps: &[Step],
    floor: u64,
    mut exact: impl FnMut(&Step) -> f64,
    mut enough: impl FnMut(&[u32]) -> bool,
) -> Vec<u32> {
    let mut waiting: Vec<u32> = (0..steps.len() as u32).collect();
    let mut last = None;
    let mut taken = TakenSteps { steps, is: vec![false; steps.len()], left: counts(steps) };
    let mut order = Vec::new();
    let (mut level, mut spent) = (FIRST_LEVEL, floor as f64);
    while !waiting.is_empty() {
        let broad = breadth(level);
        if last != Some(broad) {
            last = Some(broad);
            let priority = priorities(steps, broad);
            waiting.sort_by(|a, b| priority[*b as usize].total_cmp(&priority[*a as usize]).then(a.cmp(b)));
        }
        let before = order.len();
        let mut misses = 0;
        let mut full = level - spent < LEFT;
        waiting.retain(|step| {
            if full || !taken.may(*step) {
                return true;
            }
            let one = &steps[*step as usize];
            let room = level - spent;
            // Estimates are never four times too high.
            let cost = if f64::from(one.cost) > room * 4.0 { f64::INFINITY } else { exact(one) };
            if cost > room {
                misses += 1;
                full = misses > MISSES || room < LEFT;
                return true;
            }
            (spent, misses) = (spent + cost, 0);
            taken.take(*step);
            order.push(*step);
            false
        });
        if order.len() > before && enough(&order) {
            break;
        }
        level *= 2.0;
    }
    order
}

/// Which steps were taken.
struct TakenSteps<'a> {
    steps: &'a [Step],
    is: Vec<bool>,
    /// Of each item, how many steps were not.
    left: Vec<u32>,
}

impl TakenSteps<'_> {
    fn may(&self, step: u32) -> bool {
        let one = &self.steps[step as usize];
        match one.after {
            After::Nothing => true,
            After::Step(before) => self.is[before as usize],
            // Only steps with the same condition stand behind it.
            After::All => {
                let behind = self.steps[step as usize..].iter().take_while(|next| next.item == one.item).count() as u32;
                self.left[one.item as usize] == behind
            }
        }
    }

    fn take(&mut self, step: u32) {
        self.is[step as usize] = true;
        self.left[self.steps[step as usize].item as usize] -= 1;
    }
}

fn counts(steps: &[Step]) -> Vec<u32> {
    let mut counts = vec![0; steps.iter().map(|step| step.item as usize + 1).max().unwrap_or(0)];
    steps.iter().for_each(|step| counts[step.item as usize] += 1);
    counts
}

/// The gain of each step for a token, counted with what it makes possible and never above what must come before it. Of the
/// gain of paths and signatures, a part counts.
pub fn priorities(steps: &[Step], breadth: f32) -> Vec<f32> {
    // From the end: what a step leads to at best. What must come first stands before it.
    let mut blocks: Vec<(f32, f32)> = steps.iter().map(|step| (step.worth(breadth), step.cost)).collect();
    let mut best: Vec<Option<(f32, f32)>> = vec![None; steps.len()];
    for (index, step) in steps.iter().enumerate().rev() {
        if let Some((gain, cost)) = best[index]
            && Step::density(gain, cost) > Step::density(step.worth(breadth), step.cost)
        {
            blocks[index] = (step.worth(breadth) + gain, step.cost + cost);
        }
        if let After::Step(before) = step.after {
            let better =
                |known: &(f32, f32)| Step::density(known.0, known.1) >= Step::density(blocks[index].0, blocks[index].1);
            let known = &mut best[before as usize];
            if !known.as_ref().is_some_and(better) {
                *known = Some(blocks[index]);
            }
        }
    }
    let mut priority: Vec<f32> = blocks.iter().map(|(gain, cost)| Step::density(*gain, *cost)).collect();
    let mut lowest = f32::INFINITY;
    for index in 0..steps.len() {
        if index == 0 || steps[index - 1].item != steps[index].item {
            lowest = f32::INFINITY;
        }
        let before = match steps[index].after {
            After::Nothing => f32::INFINITY,
            After::Step(before) => priority[before as usize],
            After::All => lowest,
        };
        priority[index] = priority[index].min(before);
        lowest = lowest.min(priority[index]);
    }
    priority
}
