//! Writes an agent's context as messages: the list that all share, or the body of a request to one provider.
//!
//! Takes what is shown, in order; gives bytes that a longer conversation continues: what was written for a message never
//! changes because of what follows it. May merge what a provider wants merged, may not drop.

mod anthropic;
mod gemini;
mod openai;
mod write;

pub use crate::count::FRAME;
pub use openai::message_json;

use crate::count::Meter;
use crate::fitting::layers::{Shown, What};
use crate::model::{Api, Block, Layer, Message, Output, Part, Piece, Role, Text, Tokens, ToolSchema};
use crate::options::{Format, Options};
use rayon::prelude::*;
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
            (talk.history, known) = merged(talk.history, known);
            talk.known = Some(known);
            current = merged(current, Vec::new()).0;
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
fn merged(messages: Vec<Arc<Message>>, known: Vec<Option<u64>>) -> (Vec<Arc<Message>>, Vec<Option<u64>>) {
    let is_plain = |message: &Message| message.calls.is_empty() && message.role != Role::Tool;
    let joins = |a: &Arc<Message>, b: &Arc<Message>| a.role == b.role && is_plain(a) && is_plain(b);
    if messages.windows(2).all(|pair| !joins(&pair[0], &pair[1])) {
        return (messages, known);
    }
    let mut tokens = Vec::with_capacity(known.len());
    let mut at = 0;
    let run = |run: &[Arc<Message>]| {
        tokens.push(known.get(at).copied().flatten().filter(|_| run.len() == 1));
        at += run.len();
        match run {
            [one] => one.clone(),
            many => Arc::new(joined_message(many)),
        }
    };
    (messages.chunk_by(joins).map(run).collect(), tokens)
}

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
    Message { parts, ..Message::new(many[0].role, "") }
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

/// The name of the model as a member of a request, where one is given.
pub fn model_member(out: &mut String, options: &Options) {
    if let Some(model) = &options.agent.model {
        out.push_str("\"model\":");
        write::string(out, model);
        out.push_str(",\n");
    }
}

/// The inside of a JSON string.
pub fn json_text(text: &str) -> String {
    let mut quoted = String::with_capacity(text.len() + 16);
    write::string(&mut quoted, text);
    quoted.pop();
    quoted.remove(0);
    quoted
}

/// The bytes of a conversation. The static part ends before the first thing that is chosen for the current message.
pub fn output(talk: &Talk, options: &Options) -> Output {
    let mut out = Rope::default();
    match options.format {
        Format::Request(Api::Anthropic | Api::MiniMax) => anthropic::write(talk, options, &mut out),
        Format::Request(Api::Gemini) => gemini::write(talk, options, &mut out),
        Format::Request(Api::OpenAi | Api::DeepSeek | Api::Responses) => openai::write(talk, options, &mut out),
        Format::Messages | Format::Markdown | Format::Xml | Format::Json | Format::Text => {
            openai::write_list(talk, &mut out)
        }
    }
    out.finish()
}

/// Bytes on their way into an [`Output`].
#[derive(Default)]
struct Rope {
    blocks: Vec<Block>,
    text: String,
    prefix: Option<usize>,
}

/// Texts are gathered up to this before a block is made of them: a long conversation has few blocks, and none is copied while it
/// grows.
const BLOCK: usize = 64 * 1024;

impl Rope {
    /// A good place for the end of a block.
    fn pause(&mut self) {
        if self.text.len() >= BLOCK {
            self.cut();
        }
    }

    /// A text that is a block of its own if it is long.
    fn piece(&mut self, text: String) {
        if text.len() < BLOCK {
            self.text.push_str(&text);
            return self.pause();
        }
        self.cut();
        self.blocks.push(Block { item: None, pieces: vec![Piece::Frame(text)], tokens: Tokens(0) });
    }

    fn cut(&mut self) {
        if !self.text.is_empty() {
            let text = std::mem::take(&mut self.text);
            self.blocks.push(Block { item: None, pieces: vec![Piece::Frame(text)], tokens: Tokens(0) });
        }
    }

    /// From here on, bytes may be others for the next message.
    fn end_prefix(&mut self) {
        if self.prefix.is_none() {
            self.cut();
            self.prefix = Some(self.blocks.len());
        }
    }

    fn finish(mut self) -> Output {
        self.end_prefix();
        self.cut();
        Output { prefix_blocks: self.prefix.unwrap_or(self.blocks.len()), blocks: self.blocks }
    }
}
