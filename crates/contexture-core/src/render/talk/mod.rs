//! Writes a context as messages: the list that all share, or the body of a request to one provider.
//!
//! Takes what is shown, in order; gives bytes that a longer conversation continues: what was written for a message never
//! changes because of what follows it, but for marks that a provider's cache wants. May merge what a provider wants merged, may not
//! drop.

mod anthropic;
mod gemini;
mod openai;
mod paper;
mod responses;
mod rope;
mod write;

pub use crate::count::FRAME;
pub use openai::message_json;
pub(crate) use paper::{Paper, Pictures, Refused, around, pictures};

use crate::count::Meter;
use crate::fitting::layers::{Shown, What};
use crate::model::{Api, ItemId, Layer, Message, Output, Part, Role, Snapshot, Text, Tokens, ToolSchema};
use crate::options::{Format, Options};
use crate::reuse;
use rayon::prelude::*;
pub use rope::quoted;
use rope::{OWN_BLOCKS, Rope};
use std::sync::Arc;

/// What stands above the items of a layer.
pub fn header(layer: Layer) -> &'static str {
    match layer {
        Layer::Memory => "Relevant memories:\n",
        Layer::Skill => "Available skills:\n",
        Layer::Tools => "Available tools:\n",
        Layer::System | Layer::Bootstrap | Layer::SkillBody | Layer::History | Layer::Current => "",
    }
}

/// A context as a conversation.
#[derive(Clone, Debug, Default)]
pub struct Talk {
    /// Each a message of the system.
    pub system: Vec<SystemText>,
    pub history: Vec<Arc<Message>>,
    /// What was chosen for the current message and stands before it.
    pub near: Vec<SystemText>,
    pub current: Option<Arc<Message>>,
    pub tools: Vec<ToolSchema>,
    /// A document that the current message is about, and that stands before it.
    pub paper: Option<Paper>,
    /// Of each message of the history, the place in the snapshot where it comes from, and what is known of its tokens: those of calls and
    /// results that stand together are at the last of them.
    from: Vec<usize>,
    prices: Vec<u64>,
    /// Of a path: the tokens of each message of the history that is of one node alone. Neighbours of one role are one message,
    /// and its tokens are not the sum of those of its nodes.
    known: Option<Vec<Option<u64>>>,
}

/// A text of the system.
#[derive(Clone, Debug)]
pub struct SystemText {
    pub layer: Layer,
    pub text: Text,
    /// Chosen for the current message; the next one may choose otherwise.
    pub turns: bool,
}

impl Talk {
    pub(crate) fn of(shown: &[Shown], options: &Options) -> Self {
        let mut talk = Self::default();
        let mut current = Vec::new();
        let mut known = Vec::with_capacity(if options.loom.is_some() { shown.len() } else { 0 });
        talk.history.reserve(shown.len());
        let place = |shown: &Shown| (message_of(shown.layer), options.agent.near && shown.turns);
        for run in shown.chunk_by(|a, b| place(a) == place(b)) {
            let Some(layer) = run.first().map(|shown| shown.layer) else { continue };
            let turns = run.iter().any(|shown| shown.turns);
            let mut texts: Vec<&str> = Vec::new();
            for shown in run {
                match &shown.what {
                    What::Text(text) => texts.push(text),
                    What::Schemas(schemas) => talk.tools.extend(schemas.iter().cloned()),
                    What::Said(messages) if layer == Layer::Current => current.extend(messages.iter().cloned()),
                    What::Said(messages) => {
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
    pub(crate) fn measure(&self, shown: &[Shown], meter: &Meter<'_>) -> Tokens {
        if let Some(known) = &self.known {
            let said = self.history.par_iter().zip(known).with_min_len(256);
            let said = said.map(|(message, known)| known.unwrap_or_else(|| meter.spoken(message))).sum::<u64>();
            let current = self.current.as_ref().map_or(0, |message| meter.spoken(message));
            let system = self.system.iter().map(|part| FRAME + meter.words(&part.text).0);
            return Tokens(said + current + system.sum::<u64>());
        }
        let said = shown.iter().filter(|shown| matches!(shown.what, What::Said(_) | What::Schemas(_)));
        let texts = self.system.iter().chain(&self.near).map(|part| FRAME + meter.words(&part.text).0);
        Tokens(said.map(|shown| shown.tokens).sum::<u64>() + texts.sum::<u64>())
    }
}

impl Talk {
    /// The tokens of what stands before all that is chosen for the current message, of `all` tokens.
    pub(crate) fn prefix(&self, shown: &[Shown], all: Tokens, meter: &Meter<'_>) -> Tokens {
        if self.known.is_some() {
            return Tokens(all.0 - self.current.as_ref().map_or(0, |message| meter.spoken(message)));
        }
        let end = self.system.iter().position(|part| part.turns);
        let texts =
            self.system[..end.unwrap_or(self.system.len())].iter().map(|part| FRAME + meter.words(&part.text).0);
        let is_before = |shown: &&Shown| match shown.what {
            What::Schemas(_) => true,
            What::Said(_) => shown.layer == Layer::History && end.is_none(),
            What::Text(_) => false,
        };
        Tokens(shown.iter().filter(is_before).map(|shown| shown.tokens).sum::<u64>() + texts.sum::<u64>())
    }
}

/// Neighbours of one role as one message, a blank line between their texts (L7); tokens that are known stay known where a message
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
    let mut parts: Vec<Part> = Vec::new();
    let mut text = String::new();
    for part in many.iter().flat_map(|message| &message.parts) {
        match part {
            Part::Text(more) => {
                text.push_str(if text.is_empty() { "" } else { "\n\n" });
                text.push_str(more);
            }
            Part::Image(_) => {
                parts.extend((!text.is_empty()).then(|| Part::Text(std::mem::take(&mut text).into())));
                parts.push(part.clone());
            }
        }
    }
    parts.extend((!text.is_empty()).then(|| Part::Text(text.into())));
    let thoughts = many.iter().flat_map(|message| message.thoughts.iter().cloned()).collect();
    Message { parts, thoughts, ..Message::new(many[0].role, "") }
}

/// Layers that share a message.
fn message_of(layer: Layer) -> Layer {
    if layer == Layer::SkillBody { Layer::Skill } else { layer }
}

fn joined(layer: Layer, run: &[Shown], texts: &[&str]) -> Text {
    if layer == Layer::System {
        return texts.iter().map(|text| text.trim()).collect::<Vec<_>>().join("\n\n").into();
    }
    // A list of skills, and behind a blank line the texts of those in use.
    let mut out = String::from(header(layer));
    for (shown, text) in run.iter().filter(|shown| matches!(shown.what, What::Text(_))).zip(texts) {
        if shown.layer == Layer::SkillBody && !out.is_empty() {
            out.push('\n');
        }
        out.push_str(text);
    }
    out.truncate(out.trim_end().len());
    out.into()
}

/// What an API must be told of the longest answer, where nobody says.
pub const ANSWER: u64 = 4_096;

/// The name of the model as a member of a request, where one is given.
pub fn model_member(out: &mut String, options: &Options) {
    if let Some(model) = &options.request.model {
        out.push_str("\"model\":");
        write::string(out, model);
        out.push_str(",\n");
    }
}

/// The longest answer under the name that the API has for it; most need not be told.
pub fn answer_member(out: &mut String, options: &Options, name: &str, default: Option<u64>) {
    if let Some(most) = options.request.max_answer.or(default) {
        out.push_str(&format!("\"{name}\":{most},\n"));
    }
}

/// How freely a model answers, where somebody says.
fn taste(out: &mut String, options: &Options) {
    for (name, value) in [("temperature", options.request.temperature), ("top_p", options.request.top_p)] {
        if let Some(value) = value.filter(|value| value.is_finite()) {
            out.push_str(&format!("\"{name}\":{value},\n"));
        }
    }
}

/// The inside of a JSON string.
pub fn json_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    write::escaped(&mut out, text);
    out
}

/// What each part of a conversation takes.
struct Sizes {
    tools: u64,
    system: Vec<u64>,
    history: Vec<u64>,
    near: Vec<u64>,
    current: u64,
}

impl Talk {
    fn sizes(&self, meter: &Meter<'_>) -> Sizes {
        // Texts of the system are parts of one: none has a frame of its own, and no mark may stand on too little.
        let text = |part: &SystemText| meter.words(&part.text).0;
        let history = match &self.known {
            Some(known) => {
                let said = self.history.par_iter().zip(known).with_min_len(256);
                said.map(|(message, known)| known.unwrap_or_else(|| meter.spoken(message))).collect()
            }
            None => self.prices.clone(),
        };
        Sizes {
            tools: self.tools.iter().map(|tool| meter.schema(tool)).sum(),
            system: self.system.iter().map(text).collect(),
            history,
            near: self.near.iter().map(text).collect(),
            current: self.current.as_ref().map_or(0, |message| meter.spoken(message)),
        }
    }

    /// The item that a message of the history comes from, where it is worth telling.
    fn item<'a>(&self, snapshot: &'a Snapshot, nth: usize) -> Option<&'a ItemId> {
        let at = self.from.get(nth).filter(|_| self.history.len() <= OWN_BLOCKS)?;
        Some(&snapshot.items.get(*at)?.id)
    }
}

/// What writes a request sees.
struct Writing<'a> {
    talk: &'a Talk,
    options: &'a Options,
    snapshot: &'a Snapshot,
    sizes: Sizes,
    rule: Option<&'static reuse::Rule>,
    api: Option<Api>,
}

/// The bytes of a conversation. The static part ends before the first thing that is chosen for the current message.
pub fn output(talk: &Talk, snapshot: &Snapshot, options: &Options, meter: &Meter<'_>) -> Output {
    let api = options.format.api();
    let rule = api.filter(|_| options.request.marks);
    let rule = rule.and_then(|api| reuse::rule(api, options.request.model.as_deref()));
    // Only marks ask what everything takes.
    let has_marks =
        rule.is_some_and(|rule| matches!(rule.kind, reuse::Kind::Marks { .. } | reuse::Kind::Points { .. }));
    let rule = rule.filter(|_| has_marks);
    let sizes = match rule {
        Some(_) => talk.sizes(meter),
        None => Sizes { tools: 0, system: Vec::new(), history: Vec::new(), near: Vec::new(), current: 0 },
    };
    let writing = Writing { talk, options, snapshot, sizes, rule, api };
    let mut out = Rope::default();
    match options.format {
        Format::Request(Api::Anthropic | Api::MiniMax) => anthropic::write(&writing, &mut out),
        Format::Request(Api::Gemini) => gemini::write(&writing, &mut out),
        Format::Request(Api::OpenAi | Api::DeepSeek) => openai::write(&writing, &mut out),
        Format::Request(Api::Responses) => responses::write(&writing, &mut out),
        Format::Messages | Format::Markdown | Format::Xml | Format::Json | Format::Text => {
            openai::write_list(&writing, &mut out)
        }
    }
    let mark = match rule.map(|rule| rule.kind) {
        Some(reuse::Kind::Points { .. }) => ",\"prompt_cache_breakpoint\":{\"mode\":\"explicit\"}",
        _ => ",\"cache_control\":{\"type\":\"ephemeral\"}",
    };
    out.finish(rule, mark)
}

impl Writing<'_> {
    fn history_size(&self, nth: usize) -> u64 {
        self.sizes.history.get(nth).copied().unwrap_or(0)
    }

    /// Texts of the system that stay over all turns, and their tokens.
    fn fixed(&self) -> (&[SystemText], u64) {
        let end = self.talk.system.iter().position(|part| part.turns).unwrap_or(self.talk.system.len());
        (&self.talk.system[..end], self.sizes.system.iter().take(end).sum())
    }

    /// The others, and what the system said in the history where an API has no other place for it.
    fn turning(&self, with_said: bool) -> (Vec<SystemText>, u64) {
        let end = self.fixed().0.len();
        let said =
            self.talk.history.iter().enumerate().filter(|(_, message)| with_said && message.role == Role::System);
        let mut tokens = self.sizes.system.iter().skip(end).sum::<u64>();
        let mut parts = self.talk.system[end..].to_vec();
        for (nth, message) in said {
            tokens += self.history_size(nth);
            parts.push(SystemText { layer: Layer::History, text: message.text(), turns: false });
        }
        (parts, tokens)
    }
}
