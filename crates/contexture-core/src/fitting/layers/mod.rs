//! Fits an agent's context: what must be shown, then tools, skills, memories, and the history in what is left.
//!
//! Takes the layers of a snapshot; gives what is shown of each, in the order a model reads it, and why. When there is not
//! enough room, whole turns go first, oldest first, then the least relevant memories, then skills and lines of the tools'
//! description; who the agent is, the bootstrap and the current message stay (W8).

mod choice;
mod offered;
mod told;

use crate::compile::Tools;
use crate::count::Meter;
use crate::fit::OverBudget;
use crate::model::{ItemKind, Layer, LayerSize, LeftOut, Level, Message, Snapshot, Text, Tokens, ToolSchema, Why};
use crate::options::Options;
use crate::render::talk::{self, Talk};
use choice::Choice;
use offered::Offered;
use std::sync::Arc;

/// An item of a layer that is shown.
#[derive(Clone, Debug)]
pub(crate) struct Shown {
    /// Its place in the snapshot.
    pub index: usize,
    pub layer: Layer,
    pub level: Level,
    pub why: Why,
    pub what: What,
    /// Of `what` alone.
    pub tokens: u64,
    /// Chosen for the current message; another one may choose otherwise.
    pub turns: bool,
}

#[derive(Clone, Debug)]
pub(crate) enum What {
    Text(Text),
    Said(Vec<Arc<Message>>),
    Schemas(Arc<[ToolSchema]>),
}

pub(crate) struct Fitted {
    /// In the order of the layers.
    pub shown: Vec<Shown>,
    pub left_out: Vec<LeftOut>,
}

/// Without a budget; more than any context, and small enough to count with.
const UNLIMITED: u64 = 1 << 50;
/// When the whole is measured larger than its parts, parts are chosen anew for so much less. Twice is enough for all that was seen.
const TRIES: usize = 8;

pub(crate) fn fit(
    snapshot: &Snapshot,
    options: &Options,
    tools: &Tools<'_>,
    measure: impl Fn(&[Shown]) -> Tokens,
) -> Result<Fitted, OverBudget> {
    let offered = Offered::of(snapshot, options, tools);
    let protected = offered.shown(&Choice::default());
    let least = measure(&protected);
    let budget = options.budget.unwrap_or(Tokens(UNLIMITED));
    if least > budget {
        let costs = protected.iter().map(|shown| (snapshot.items[shown.index].path.clone(), Tokens(shown.tokens)));
        return Err(OverBudget::new(costs, least, budget));
    }
    let mut excess = 0;
    for _ in 0..TRIES {
        let choice = offered.choose(budget.0, least.0 + excess);
        let measured = measure(&offered.shown(&choice));
        if measured <= budget {
            return Ok(offered.fitted(&choice));
        }
        excess += measured.0 - budget.0;
    }
    Ok(offered.fitted(&Choice::default()))
}

/// What each layer takes: its message in a conversation, whatever the format.
pub(crate) fn sizes(snapshot: &Snapshot, shown: &[Shown], talk: &Talk, meter: &Meter<'_>) -> Vec<LayerSize> {
    let name = |layer: Layer| layer.as_str();
    let mut sizes: Vec<LayerSize> = Vec::new();
    for layer in Layer::ALL {
        if sizes.last().is_some_and(|last| name(last.layer) == name(layer)) {
            continue;
        }
        let items =
            || snapshot.items.iter().filter(|item| matches!(item.kind, ItemKind::Layer(of) if name(of) == name(layer)));
        let shown = || shown.iter().filter(|shown| name(shown.layer) == name(layer));
        let texts = || talk.system.iter().chain(&talk.near).filter(|part| name(part.layer) == name(layer));
        let said = shown().filter(|shown| !matches!(shown.what, What::Text(_))).map(|shown| shown.tokens);
        let tokens = said.sum::<u64>() + texts().map(|part| talk::FRAME + meter.words(&part.text).0).sum::<u64>();
        let bytes = |shown: &Shown| match &shown.what {
            What::Text(_) => 0,
            What::Said(messages) => messages.iter().map(|message| message.bytes()).sum::<u64>(),
            What::Schemas(schemas) => schemas.iter().map(|schema| schema.parameters.len() as u64).sum(),
        };
        sizes.push(LayerSize {
            layer,
            tokens: Tokens(tokens),
            raw_bytes: items().map(|item| item.size).sum(),
            shown_bytes: shown().map(bytes).sum::<u64>() + texts().map(|part| part.text.len() as u64).sum::<u64>(),
            // A skill is one, whether its text is shown or not.
            items: items().filter(|item| item.kind == ItemKind::Layer(layer)).count(),
            shown_items: shown().filter(|shown| shown.layer == layer).count(),
        });
    }
    sizes
}
