//! Fits an agent's context: what must be shown, then tools, skills, memories, and the history in what is left.
//!
//! Takes the layers of a snapshot; gives what is shown of each, in the order a model reads it, and why. When there is not
//! enough room, whole turns go first, oldest first, then the least relevant memories, then skills and lines of the tools'
//! description; who the agent is, the bootstrap and the current message stay.

mod choice;
mod offer;
mod plan;

use super::{FittedLayers, OverBudget, Writer};
use crate::shape::Tools;
use crate::types::{Options, Snapshot, Tokens};
use choice::Choice;
use offer::LayerOffer;

/// Without a budget; more than any context, and small enough to count with.
const UNLIMITED: u64 = 1 << 50;
/// When the whole is measured larger than its parts, parts are chosen anew for so much less. Twice is enough for all that was seen.
const TRIES: usize = 8;

pub fn fit(
    snapshot: &Snapshot,
    options: &Options,
    tools: &Tools<'_>,
    writer: &impl Writer,
) -> Result<FittedLayers, OverBudget> {
    let offer = LayerOffer::of(snapshot, options, tools);
    let protected = offer.layer_views(&Choice::default());
    let least = writer.measure_layers(&protected);
    let budget = options.budget.unwrap_or(Tokens(UNLIMITED));
    if least > budget {
        let costs = protected.iter().map(|shown| (snapshot.items[shown.index].path.clone(), Tokens(shown.tokens)));
        return Err(OverBudget::new(costs, least, budget));
    }
    let mut excess = 0;
    for _ in 0..TRIES {
        let choice = offer.choose(budget.0, least.0 + excess);
        let measured = writer.measure_layers(&offer.layer_views(&choice));
        if measured <= budget {
            return Ok(offer.fitted(&choice));
        }
        excess += measured.0 - budget.0;
    }
    Ok(offer.fitted(&Choice::default()))
}
