//! An answer while it comes.
//!
//! Takes texts, thoughts, calls and figures as the readers of the APIs find them; gives events to hand out as they come, and at the
//! end the messages. Knows no API.

use super::key::{has, release_held, split_held, without_key};
use super::{Event, Key, ProviderError, Stop, Usage, pieces};
use contexture_core::{Call, Message, MessagePart, Role, Text, Thought};
use std::collections::BTreeMap;

#[derive(Default)]
pub(super) struct Draft<'a> {
    key: Option<&'a Key>,
    pub model: Option<String>,
    pub usage: Usage,
    pub stop: Option<Stop>,
    /// Its end came.
    pub is_whole: bool,
    /// Bytes of text, thoughts and arguments so far.
    pub received: usize,
    choices: BTreeMap<u64, Choice>,
    events: Vec<Event>,
    told: Usage,
    /// The end of what came last, where the key may begin with it.
    held: Option<(Flow, String)>,
}

/// What comes in pieces.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Flow {
    Text,
    Thought,
    /// Of the call at this place.
    Arguments(usize),
}

/// One of the answers to one question. Only what the first says is told while it comes.
#[derive(Default)]
pub(super) struct Choice {
    text: String,
    pub thoughts: Vec<Thought>,
    calls: Vec<(Call, String)>,
    /// Where the call with a number of the API stands.
    places: BTreeMap<u64, usize>,
    /// The API's word, and what the model says to it.
    refusal: Option<(String, String)>,
}

/// What a whole answer has in it.
pub(super) struct Finished {
    pub message: Message,
    pub others: Vec<Message>,
    pub model: Option<String>,
    pub stop: Stop,
    pub usage: Usage,
}

impl<'a> Draft<'a> {
    pub fn new(key: Option<&'a Key>) -> Self {
        Self { key, ..Self::default() }
    }

    pub fn choice(&mut self, choice: u64) -> &mut Choice {
        self.choices.entry(choice).or_default()
    }

    pub fn text(&mut self, choice: u64, piece: &str) {
        if !piece.is_empty() {
            self.received += piece.len();
            self.choice(choice).text.push_str(piece);
            self.tell_piece(choice, Flow::Text, piece);
        }
    }

    /// Tells a thought; what of it goes back to the model is put into the choice by those who know the form.
    pub fn thought(&mut self, choice: u64, piece: &str) {
        if !piece.is_empty() {
            self.received += piece.len();
            self.tell_piece(choice, Flow::Thought, piece);
        }
    }

    /// A call, by its number in the API. What comes later of id and name is filled in where nothing stood.
    pub fn call(&mut self, choice: u64, number: u64, id: &str, name: &str) {
        let said = self.choice(choice);
        let place = *said.places.entry(number).or_insert(said.calls.len());
        if place == said.calls.len() {
            said.calls
                .push((Call { id: String::new(), name: String::new(), arguments: Text::default() }, String::new()));
        }
        let Some((call, _)) = said.calls.get_mut(place) else { return };
        let was_named = !call.name.is_empty();
        if call.id.is_empty() {
            call.id = id.to_owned();
        }
        if call.name.is_empty() {
            call.name = name.to_owned();
        }
        if !was_named && !name.is_empty() {
            self.received += name.len();
            if choice == 0 {
                self.release();
                let keep = |text: &str| without_key(text.to_owned(), self.key);
                self.events.push(Event::Call { call: place, id: keep(id), name: keep(name) });
            }
        }
    }

    pub fn arguments(&mut self, choice: u64, number: u64, piece: &str) {
        if piece.is_empty() {
            return;
        }
        self.received += piece.len();
        let said = self.choice(choice);
        let Some(place) = said.places.get(&number).copied() else { return };
        if let Some((_, arguments)) = said.calls.get_mut(place) {
            arguments.push_str(piece);
        }
        self.tell_piece(choice, Flow::Arguments(place), piece);
    }

    /// Whether a call has arguments yet.
    pub fn is_bare(&self, choice: u64, number: u64) -> bool {
        let call = |choice: &Choice| choice.calls.get(*choice.places.get(&number)?).map(|(_, text)| text.is_empty());
        self.choices.get(&choice).and_then(call).unwrap_or(true)
    }

    /// How many calls there are.
    pub fn calls(&self, choice: u64) -> usize {
        self.choices.get(&choice).map_or(0, |choice| choice.calls.len())
    }

    /// The model does not want to. Of several words the first counts; what it says is collected.
    pub fn refuse(&mut self, choice: u64, reason: &str, said: &str) {
        let refusal = self.choice(choice).refusal.get_or_insert_with(|| (reason.to_owned(), String::new()));
        refusal.1.push_str(said);
    }

    /// Tells the figures where they have changed. They wait until something of the answer has come: before that the server may be
    /// asked again.
    pub fn tell_usage(&mut self) {
        if self.is_whole {
            self.release();
        }
        let usage = self.usage();
        if (self.received > 0 || self.is_whole) && self.told != usage {
            self.told = usage;
            self.events.push(Event::Usage(usage));
        }
    }

    /// The figures, as far as they can be believed.
    pub fn usage(&self) -> Usage {
        self.usage.plausible()
    }

    /// What can be handed out.
    pub fn events(&mut self) -> Vec<Event> {
        std::mem::take(&mut self.events)
    }

    pub fn finish(self) -> Result<Finished, ProviderError> {
        let usage = self.usage();
        let (mut messages, mut refusal) = (Vec::new(), None);
        for choice in self.choices.into_values() {
            match choice.refusal {
                Some(refused) => refusal = refusal.or(Some(refused)),
                None => messages.extend(message(choice, self.key)),
            }
        }
        let mut messages = messages.into_iter();
        let Some(message) = messages.next() else {
            return Err(match refusal {
                Some((reason, said)) => {
                    let show = |text: &str| super::key::printable(text, self.key);
                    ProviderError::Refusal { reason: show(&reason), message: show(&said) }
                }
                None => ProviderError::Empty,
            });
        };
        let model = self.model.filter(|model| !model.is_empty()).map(|model| without_key(model, self.key));
        let stop = match self.stop.unwrap_or(Stop::Untold) {
            Stop::Other(word) => Stop::Other(super::key::printable(&word, self.key)),
            stop => stop,
        };
        Ok(Finished { message, others: messages.collect(), model, stop, usage })
    }

    /// What of this kind came before may have ended with the beginning of the key.
    fn tell_piece(&mut self, choice: u64, flow: Flow, piece: &str) {
        if choice != 0 {
            return;
        }
        if self.held.as_ref().is_some_and(|(held, _)| *held != flow) {
            self.release();
        }
        let text = self.held.take().map(|(_, held)| held).unwrap_or_default() + piece;
        let (told, held) = split_held(text, self.key);
        self.push(flow, told);
        self.held = (!held.is_empty()).then_some((flow, held));
    }

    /// Nothing more comes that could make the key of what waits.
    pub fn release(&mut self) {
        if let Some((flow, held)) = self.held.take() {
            self.push(flow, release_held(&held, self.key));
        }
    }

    fn push(&mut self, flow: Flow, piece: String) {
        if !piece.is_empty() {
            self.events.push(match flow {
                Flow::Text => Event::Text(piece),
                Flow::Thought => Event::Thought(piece),
                Flow::Arguments(call) => Event::Arguments { call, piece },
            });
        }
    }

    /// All bytes that came, without the key. Where it came in pieces there is no place to take it out of, and nothing is kept.
    pub fn raw(&self, bytes: &[u8]) -> String {
        let (mut raw, end) = split_held(String::from_utf8_lossy(bytes).into_owned(), self.key);
        raw.push_str(&release_held(&end, self.key));
        if pieces::hold(&raw, self.key) { String::new() } else { raw }
    }
}

/// `None` where nothing is said and no tool is called. Calls without a name cannot be followed.
fn message(choice: Choice, key: Option<&Key>) -> Option<Message> {
    let keep = |text: String| Text::from(without_key(text, key));
    let calls: Vec<Call> = choice
        .calls
        .into_iter()
        .filter(|(call, _)| !call.name.is_empty())
        .map(|(call, arguments)| {
            let arguments = if arguments.trim().is_empty() { "{}".to_owned() } else { arguments };
            Call { id: without_key(call.id, key), name: without_key(call.name, key), arguments: keep(arguments) }
        })
        .collect();
    if choice.text.is_empty() && calls.is_empty() {
        return None;
    }
    let parts = if choice.text.is_empty() { Vec::new() } else { vec![MessagePart::Text(keep(choice.text))] };
    // A sealed thought cannot be changed: with the key in it, it does not go back.
    let is_clean = |thought: &Thought| !has(&thought.text, key) && !has(&thought.seal, key);
    let thoughts = choice.thoughts.into_iter().filter(is_clean).collect();
    Some(Message { role: Role::Assistant, thoughts, parts, calls, answers: None, name: None })
}
