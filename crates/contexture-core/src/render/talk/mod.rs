//! Writes a context as messages: the list that all share, or the body of a request to one provider.
//!
//! Takes what is shown, in order; gives bytes that a longer conversation continues: what was written for a message never
//! changes because of what follows it, but for marks that a provider's cache wants. May merge what a provider wants merged, may not
//! drop.

mod paper;

pub use crate::count::FRAME;
pub use crate::providers::message_json;
pub use crate::providers::writing::{ANSWER, SystemText, Talk, answer_member, json_text, model_member, quoted};
pub(crate) use paper::{RefusedPicture, around, pictures};

use crate::count::Meter;
use crate::providers::writing::{Rope, Sizes, Writing};
use crate::providers::{reuse, write_list};
use crate::shape::layers::header;
use crate::types::{
    Api, ItemKind, Layer, LayerContent, LayerSize, LayerView, Message, MessagePart, Options, Output, Role, Snapshot,
    Text, Tokens,
};
use rayon::prelude::*;
use std::sync::Arc;

impl Talk {
    pub(crate) fn of(shown: &[LayerView], options: &Options) -> Self {
        let mut talk = Self::default();
        let mut current = Vec::new();
        let mut known = Vec::with_capacity(if options.loom.is_some() { shown.len() } else { 0 });
        talk.history.reserve(shown.len());
        let place = |shown: &LayerView| (message_of(shown.layer), options.agent.near && shown.turns);
        for run in shown.chunk_by(|a, b| place(a) == place(b)) {
            let Some(layer) = run.first().map(|shown| shown.layer) else { continue };
            let turns = run.iter().any(|shown| shown.turns);
            let mut texts: Vec<&str> = Vec::new();
            for shown in run {
                match &shown.content {
                    LayerContent::Text(text) => texts.push(text),
                    LayerContent::Schemas(schemas) => talk.tools.extend(schemas.iter().cloned()),
                    LayerContent::Messages(messages) if layer == Layer::Current => {
                        current.extend(messages.iter().cloned())
                    }
                    LayerContent::Messages(messages) => {
                        talk.from.extend(messages.iter().map(|_| shown.index));
                        let last = messages.len().saturating_sub(1);
                        let price = |nth: usize| if nth == last { shown.tokens } else { 0 };
                        talk.prices.extend((0..messages.len()).map(price));
                        if options.loom.is_some() {
                            let tokens = (messages.len() == 1).then_some(shown.tokens);
                            known.extend(messages.iter().map(|_| tokens));
                        }
                        talk.history.extend(messages.iter().cloned());
                    }
                }
            }
            if texts.is_empty() {
                continue;
            }
            // What stands in a tree is shown to the byte.
            let text = match options.loom {
                Some(_) => texts.join("\n\n").into(),
                None => joined(layer, run, &texts),
            };
            let is_near = options.agent.near && turns;
            if is_near { &mut talk.near } else { &mut talk.system }.push(SystemText { layer, text, turns });
        }
        if options.loom.is_some() {
            let from = std::mem::take(&mut talk.from);
            (talk.history, known, talk.from) = merged(talk.history, known, from);
            talk.known = Some(known);
            current = merged(current, Vec::new(), Vec::new()).0;
        }
        talk.current = current.into_iter().next();
        talk
    }

    /// The messages one by one, in the order a model reads them.
    pub fn into_messages(self) -> Vec<Arc<Message>> {
        let system = |part: &SystemText| Arc::new(Message::new(Role::System, part.text.clone()));
        let mut all = self.history;
        all.splice(0..0, self.system.iter().map(system));
        all.extend(self.near.iter().map(system));
        all.extend(self.current);
        all
    }

    /// All tokens. Those of the history are known.
    pub(crate) fn measure(&self, shown: &[LayerView], meter: &Meter<'_>) -> Tokens {
        if let Some(known) = &self.known {
            let said = self.history.par_iter().zip(known).with_min_len(256);
            let said = said.map(|(message, known)| known.unwrap_or_else(|| meter.message_tokens(message))).sum::<u64>();
            let current = self.current.as_ref().map_or(0, |message| meter.message_tokens(message));
            let system = self.system.iter().map(|part| FRAME + meter.words(&part.text).0);
            return Tokens(said + current + system.sum::<u64>());
        }
        let said =
            shown.iter().filter(|shown| matches!(shown.content, LayerContent::Messages(_) | LayerContent::Schemas(_)));
        let texts = self.system.iter().chain(&self.near).map(|part| FRAME + meter.words(&part.text).0);
        Tokens(said.map(|shown| shown.tokens).sum::<u64>() + texts.sum::<u64>())
    }
}

impl Talk {
    /// The tokens of what stands before all that is chosen for the current message, of `all` tokens.
    pub(crate) fn prefix(&self, shown: &[LayerView], all: Tokens, meter: &Meter<'_>) -> Tokens {
        if self.known.is_some() {
            return Tokens(all.0 - self.current.as_ref().map_or(0, |message| meter.message_tokens(message)));
        }
        let end = self.system.iter().position(|part| part.turns);
        let texts =
            self.system[..end.unwrap_or(self.system.len())].iter().map(|part| FRAME + meter.words(&part.text).0);
        let is_before = |shown: &&LayerView| match shown.content {
            LayerContent::Schemas(_) => true,
            LayerContent::Messages(_) => shown.layer == Layer::History && end.is_none(),
            LayerContent::Text(_) => false,
        };
        Tokens(shown.iter().filter(is_before).map(|shown| shown.tokens).sum::<u64>() + texts.sum::<u64>())
    }
}

/// What each layer takes: its message in a conversation, whatever the format.
pub(crate) fn layer_sizes(snapshot: &Snapshot, shown: &[LayerView], talk: &Talk, meter: &Meter<'_>) -> Vec<LayerSize> {
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
        let said = shown().filter(|shown| !matches!(shown.content, LayerContent::Text(_))).map(|shown| shown.tokens);
        let tokens = said.sum::<u64>() + texts().map(|part| FRAME + meter.words(&part.text).0).sum::<u64>();
        let bytes = |shown: &LayerView| match &shown.content {
            LayerContent::Text(_) => 0,
            LayerContent::Messages(messages) => messages.iter().map(|message| message.bytes()).sum::<u64>(),
            LayerContent::Schemas(schemas) => schemas.iter().map(|schema| schema.parameters.len() as u64).sum(),
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

/// Neighbours of one role as one message, a blank line between their texts; tokens that are known stay known where a message
/// stays alone. Calls and results stay by themselves.
fn merged(messages: Vec<Arc<Message>>, known: Vec<Option<u64>>, from: Vec<usize>) -> Merged {
    let is_plain = |message: &Message| message.calls.is_empty() && message.role != Role::Tool;
    let joins = |a: &Arc<Message>, b: &Arc<Message>| a.role == b.role && is_plain(a) && is_plain(b);
    if messages.windows(2).all(|pair| !joins(&pair[0], &pair[1])) {
        return (messages, known, from);
    }
    let (mut tokens, mut firsts) = (Vec::with_capacity(known.len()), Vec::with_capacity(from.len()));
    let mut at = 0;
    let run = |run: &[Arc<Message>]| {
        tokens.push(known.get(at).copied().flatten().filter(|_| run.len() == 1));
        firsts.extend(from.get(at));
        at += run.len();
        match run {
            [one] => one.clone(),
            many => Arc::new(joined_message(many)),
        }
    };
    (messages.chunk_by(joins).map(run).collect(), tokens, firsts)
}

/// Messages, the tokens of those that are known, and where they come from.
type Merged = (Vec<Arc<Message>>, Vec<Option<u64>>, Vec<usize>);

fn joined_message(many: &[Arc<Message>]) -> Message {
    let mut parts: Vec<MessagePart> = Vec::new();
    let mut text = String::new();
    for part in many.iter().flat_map(|message| &message.parts) {
        match part {
            MessagePart::Text(more) => {
                text.push_str(if text.is_empty() { "" } else { "\n\n" });
                text.push_str(more);
            }
            MessagePart::Image(_) => {
                parts.extend((!text.is_empty()).then(|| MessagePart::Text(std::mem::take(&mut text).into())));
                parts.push(part.clone());
            }
        }
    }
    parts.extend((!text.is_empty()).then(|| MessagePart::Text(text.into())));
    let thoughts = many.iter().flat_map(|message| message.thoughts.iter().cloned()).collect();
    Message { parts, thoughts, ..Message::new(many[0].role, "") }
}

/// Layers that share a message.
fn message_of(layer: Layer) -> Layer {
    if layer == Layer::SkillBody { Layer::Skill } else { layer }
}

fn joined(layer: Layer, run: &[LayerView], texts: &[&str]) -> Text {
    if layer == Layer::System {
        return texts.iter().map(|text| text.trim()).collect::<Vec<_>>().join("\n\n").into();
    }
    // A list of skills, and behind a blank line the texts of those in use.
    let mut out = String::from(header(layer));
    for (shown, text) in run.iter().filter(|shown| matches!(shown.content, LayerContent::Text(_))).zip(texts) {
        if shown.layer == Layer::SkillBody && !out.is_empty() {
            out.push('\n');
        }
        out.push_str(text);
    }
    out.truncate(out.trim_end().len());
    out.into()
}

impl Talk {
    fn sizes(&self, meter: &Meter<'_>) -> Sizes {
        // Texts of the system are parts of one: none has a frame of its own, and no mark may stand on too little.
        let text = |part: &SystemText| meter.words(&part.text).0;
        let history = match &self.known {
            Some(known) => {
                let said = self.history.par_iter().zip(known).with_min_len(256);
                said.map(|(message, known)| known.unwrap_or_else(|| meter.message_tokens(message))).collect()
            }
            None => self.prices.clone(),
        };
        Sizes {
            tools: self.tools.iter().map(|tool| meter.schema(tool)).sum(),
            system: self.system.iter().map(text).collect(),
            history,
            near: self.near.iter().map(text).collect(),
            current: self.current.as_ref().map_or(0, |message| meter.message_tokens(message)),
        }
    }
}

/// The bytes of a conversation. The static part ends before the first thing that is chosen for the current message.
pub fn output(talk: &Talk, snapshot: &Snapshot, options: &Options, meter: &Meter<'_>) -> Output {
    let api = options.format.api();
    let rule = api.filter(|_| options.request.marks);
    let rule = rule.and_then(|api| reuse::rule(api, options.request.model.as_deref()));
    // Only marks ask what everything takes.
    let has_marks =
        rule.is_some_and(|rule| matches!(rule.kind, reuse::CacheKind::Marks { .. } | reuse::CacheKind::Points { .. }));
    let rule = rule.filter(|_| has_marks);
    let sizes = rule.map(|_| talk.sizes(meter)).unwrap_or_default();
    let provider = api.map(Api::provider);
    let writing = Writing { talk, options, snapshot, sizes, rule, provider };
    let mut out = Rope::default();
    match provider {
        Some(provider) => (provider.dialect.write)(&writing, &mut out),
        None => write_list(&writing, &mut out),
    }
    out.finish(rule, provider.map_or("", |provider| provider.dialect.mark))
}
