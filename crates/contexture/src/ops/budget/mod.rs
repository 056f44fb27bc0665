//! Who decides how many tokens a document may have, and who counts them.
//!
//! Takes what the command line, a persona and the settings say; gives one budget with the one who set it. Reads nothing.

#[cfg(test)]
mod tests;

use super::OpError;
use super::model_choice::preferred_model;
use super::open::unknown;
use crate::requests::DocumentRequest;
use contexture_core::models::{self, Model, WindowShares};
use contexture_core::{Counter, Format, Note, Tokenizer, Topic};
use contexture_gather::config::{self, Budget, Persona};
use std::fmt;

/// Where a budget came from. Its text is `tokens.budget_from` of the JSON.
#[derive(Clone, PartialEq, Eq, Debug)]
pub enum BudgetFrom {
    /// `--budget`.
    Flag,
    /// `--model`; the name as the person wrote it.
    Model { name: String, room: WindowShares },
    /// A persona's own number, or the window of its first model.
    Persona { name: String, room: Option<WindowShares> },
    /// `max_tokens`, of any file or variable.
    Config,
}

impl BudgetFrom {
    /// How a window was divided, where one was.
    pub fn room(&self) -> Option<&WindowShares> {
        match self {
            Self::Model { room, .. } => Some(room),
            Self::Persona { room, .. } => room.as_ref(),
            Self::Flag | Self::Config => None,
        }
    }
}

impl fmt::Display for BudgetFrom {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Self::Flag => out.write_str("--budget"),
            Self::Model { name, .. } => write!(out, "--model {name}"),
            Self::Persona { name, .. } => write!(out, "persona {name}"),
            Self::Config => out.write_str("[budget] max_tokens"),
        }
    }
}

/// A budget, its counter, and what a person should know of both.
pub(super) struct BudgetDecision {
    pub budget: Option<(u64, BudgetFrom)>,
    pub tokenizer: Tokenizer,
    pub notes: Vec<Note>,
}

/// From the strongest: `--budget`, `--model`, the persona's number, the persona's first model, `max_tokens`. The persona's number holds for
/// all models that it prefers, also where one of them is named. The counter is the one that is named, else the model's.
pub(super) fn decide(
    request: &DocumentRequest,
    settings: &Budget,
    persona: Option<&Persona>,
) -> Result<BudgetDecision, OpError> {
    // For a request any model will do: its name goes into it.
    let is_free = request.format().is_some_and(|format| format.api().is_some());
    let asked = match (request.model.as_deref(), is_free) {
        (Some(name), false) => Some(known_model(name, "--budget")?),
        (Some(name), true) => models::find(name),
        (None, _) => None,
    };
    let api = request.format().and_then(|format| format.api());
    let named = persona.and_then(|persona| preferred_model(persona, api, Some(request.model.as_deref()?)));
    let preferred = named.or_else(|| preferred_model(persona?, api, None));
    let preferred_model = preferred.and_then(|preferred| models::find(&preferred.model));
    let tokenizer = tokenizer(request, settings, asked.or(preferred_model))?;
    let room = |model: &Model, answer: Option<u64>| model.room(answer, settings.token_buffer, tokenizer);
    let mut notes = Vec::new();

    let budget = if let Some(budget) = request.budget {
        Some((budget.0, BudgetFrom::Flag))
    } else if let (Some(model), Some(name)) = (asked, &request.model)
        && (named.is_none() || persona.is_none_or(|persona| persona.budget.is_none()))
    {
        let room = room(model, named.and_then(|named| named.max_output_tokens));
        notes.extend(miscounted(model, tokenizer));
        Some((room.budget, BudgetFrom::Model { name: name.clone(), room }))
    } else if let Some((persona, budget)) = persona.and_then(|persona| Some((persona, persona.budget?))) {
        Some((budget, BudgetFrom::Persona { name: persona.name.clone(), room: None }))
    } else if let (Some(persona), Some(preferred), Some(model)) = (persona, preferred, preferred_model) {
        let room = room(model, preferred.max_output_tokens);
        notes.extend(miscounted(model, tokenizer));
        Some((room.budget, BudgetFrom::Persona { name: persona.name.clone(), room: Some(room) }))
    } else {
        let unknown = request.model.as_ref().or(preferred.map(|preferred| &preferred.model));
        notes.extend(unknown.map(|name| no_window(name)));
        settings.max_tokens.map(|budget| (budget, BudgetFrom::Config))
    };
    Ok(BudgetDecision { budget, tokenizer, notes })
}

/// A model of the table, or an error that names what serves any other.
pub(super) fn known_model(name: &str, flag: &str) -> Result<&'static Model, OpError> {
    models::find(name).ok_or_else(|| unknown("model", name, names()).hint(format!("`{flag} N` fits any other model")))
}

pub(super) fn known_tokenizer(name: &str) -> Result<Tokenizer, OpError> {
    Tokenizer::parse(name).ok_or_else(|| unknown("tokenizer", name, Tokenizer::WORDS.iter().copied()))
}

fn names() -> impl Iterator<Item = &'static str> {
    models::all().iter().map(|model| model.name)
}

fn tokenizer(request: &DocumentRequest, settings: &Budget, model: Option<&Model>) -> Result<Tokenizer, OpError> {
    match (request.tokenizer, &settings.tokenizer) {
        (Some(tokenizer), _) => Ok(tokenizer.get()),
        (None, Some(name)) => known_tokenizer(name),
        (None, None) => Ok(model.map_or_else(|| counter_of(request.format()), |model| model.tokenizer)),
    }
}

/// Who counts a request of which only the API is known.
fn counter_of(format: Option<Format>) -> Tokenizer {
    format.and_then(Format::api).map_or(Tokenizer::O200k, |api| api.provider().tokenizer)
}

/// A window is filled by a counter that is not the model's: the figures are right, the promise that it fits is not.
fn miscounted(model: &Model, tokenizer: Tokenizer) -> Option<Note> {
    let text = format!(
        "`{}` counts tokens otherwise than `{}`: the document may not fit its window",
        model.name,
        tokenizer.name()
    );
    let hint = format!("`--tokenizer {}` fits it best", model.tokenizer.name());
    (tokenizer != model.tokenizer).then(|| Note::new(Topic::Setting, text).hint(hint))
}

/// A persona may name any model, also one of a private server; it only gives no budget then.
fn no_window(name: &str) -> Note {
    let note = Note::new(Topic::Setting, format!("no window is known for the model: `{name}`"));
    match config::nearest(name, names()) {
        Some(near) => note.hint(format!("did you mean `{near}`?")),
        None => note.hint("`--budget N`, or `budget` of a persona, sets how many tokens a document may have"),
    }
}

/// What a conversation may take, and who counts it.
pub(super) struct ConversationLimit {
    pub tokenizer: Tokenizer,
    /// How a model's window was divided, where one is the limit.
    pub room: Option<WindowShares>,
    /// With who set it.
    pub limit: Option<(u64, String)>,
}

/// What is said of it on a command line.
pub(super) struct LimitRequest<'a> {
    pub max_tokens: Option<u64>,
    pub model: Option<&'a str>,
    pub tokenizer: Option<&'a str>,
    pub format: Option<Format>,
    /// Tokens of a window that stay free besides the answer.
    pub buffer: u64,
}

pub(super) fn conversation_limit(ask: &LimitRequest<'_>, settings: &Budget) -> Result<ConversationLimit, OpError> {
    // With a limit of its own, any model will do: its name goes into the request.
    let model = match (ask.model, ask.max_tokens) {
        (Some(name), None) => Some(known_model(name, "--max-tokens")?),
        (Some(name), Some(_)) => models::find(name),
        (None, _) => None,
    };
    let tokenizer = match ask.tokenizer.or(settings.tokenizer.as_deref()) {
        Some(name) => known_tokenizer(name)?,
        // Whoever reads the request counts it; only for these formats it is known who that is.
        None => match (model, ask.format) {
            (Some(model), _) => model.tokenizer,
            (None, format) => counter_of(format),
        },
    };
    let room = model.map(|model| model.room(None, ask.buffer, tokenizer));
    let limit = match (ask.max_tokens, &room) {
        (Some(limit), _) => Some((limit, "--max-tokens".to_owned())),
        (None, Some(room)) => Some((room.budget, format!("--model {}", room.model))),
        (None, None) => None,
    };
    Ok(ConversationLimit { tokenizer, room, limit })
}
