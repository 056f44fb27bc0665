//! Who is asked, and what that costs.
//!
//! Takes what the command line names and the models of a persona; gives providers with their models, the first one first, and US
//! dollars for what a server counted. What is not known is an error that says what to name; no price is ever guessed.

use super::{OpError, open};
use crate::requests::{DocumentRequest, Via};
use contexture_core::models::{self, Price};
use contexture_core::{Api, Note, Topic};
use contexture_gather::config::{Config, Model, Persona};
use contexture_providers::{Key, Usage, home};

/// Finds the key of an API, where there is one.
pub type KeySource<'a> = &'a (dyn Fn(Api) -> Result<Option<Key>, OpError> + Sync);

/// One of those who may be asked.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ModelChoice {
    pub via: Via,
    /// `None`: the one that a program takes by itself.
    pub model: Option<String>,
}

impl ModelChoice {
    /// The model's name, else the provider's.
    pub fn name(&self) -> &str {
        self.model.as_deref().unwrap_or(self.via.as_str())
    }
}

/// The command line, else the models of the persona in their order, without those of providers that nobody knows. At least one.
pub fn choose_models(via: Option<Via>, model: Option<&str>, preferred: &[Model]) -> Result<Vec<ModelChoice>, OpError> {
    let choice = |via: Via, model: &str| ModelChoice { via, model: Some(model.to_owned()) };
    match (via, model) {
        (None, None) if preferred.is_empty() => Err(no_model_named()),
        (None, None) => {
            let known = |model: &Model| Some(choice(Via::parse(&model.provider)?, &model.model));
            let all: Vec<ModelChoice> = preferred.iter().filter_map(known).collect();
            match preferred.first() {
                Some(first) if all.is_empty() => Err(open::unknown("provider", &first.provider, Via::WORDS.iter())),
                _ => Ok(all),
            }
        }
        (Some(via), Some(model)) => Ok(vec![choice(via, model)]),
        (Some(via), None) => {
            // Of the persona's models the first that this provider serves.
            let own = preferred.iter().find(|model| Via::parse(&model.provider) == Some(via));
            match own {
                Some(own) => Ok(vec![choice(via, &own.model)]),
                None if via == Via::GeminiCli => Ok(vec![ModelChoice { via, model: None }]),
                None => Err(OpError::usage("no model is named").hint("`--model NAME` says which one is asked")),
            }
        }
        (None, Some(model)) => {
            let served = preferred.iter().find(|known| known.model == model).map(|known| known.provider.as_str());
            let served = served.or_else(|| models::find(model).map(|model| model.provider));
            let via = served.and_then(Via::parse).ok_or_else(|| {
                OpError::usage(format!("nobody is known to serve `{model}`"))
                    .hint("`--provider P` says whose API it is")
            })?;
            Ok(vec![choice(via, model)])
        }
    }
}

/// The persona that a request names, else the project's.
pub fn persona<'c>(config: &'c Config, request: &DocumentRequest) -> Result<Option<&'c Persona>, OpError> {
    let name = request.persona.as_ref().or(config.project.persona.as_ref());
    Ok(name.map(|name| config.persona(name)).transpose()?)
}

/// The model of a persona that is meant, with the settings that are for that one alone: of this API and this name. Without a name the
/// first of the API, else the first of all; without an API, whoever serves it.
pub fn preferred_model<'p>(persona: &'p Persona, api: Option<Api>, name: Option<&str>) -> Option<&'p Model> {
    let is_of = |model: &&Model| api.is_none_or(|api| Via::parse(&model.provider) == Some(Via::Api(api)));
    let all = &persona.preferred_models;
    match name {
        Some(name) => all.iter().filter(is_of).find(|model| model.model == name),
        None => all.iter().find(is_of).or_else(|| all.first()),
    }
}

/// The key that a provider's own server needs: without one it answers nobody, and what it was sent has left for nothing.
pub fn require_key(api: Api, base_url: Option<&str>, key: Option<&Key>) -> Result<(), OpError> {
    if key.is_some() || base_url.is_some() {
        return Ok(());
    }
    let names: Vec<String> = home(api).key_names.iter().map(|name| format!("`{name}`")).collect();
    Err(OpError::usage(format!("there is no key for `{api}`: {} is not set", names.join(" or ")))
        .hint("set it in the environment; `--key-env NAME` names another variable, `--base-url URL` another server"))
}

/// Models of a persona that nobody here can ask.
pub fn unknown_providers_note(preferred: &[Model]) -> Option<Note> {
    let strange = preferred.iter().filter(|model| Via::parse(&model.provider).is_none());
    let names: Vec<String> = strange.map(|model| format!("`{}` of `{}`", model.model, model.provider)).collect();
    let text = format!("passed over, no such provider is known: {}", names.join(", "));
    (!names.is_empty()).then(|| Note::new(Topic::Setting, text).hint(format!("there are: {}", Via::WORDS.join(", "))))
}

pub fn no_model_named() -> OpError {
    OpError::usage("nobody is named to be asked")
        .hint("`--provider anthropic --model NAME`, or a persona with `preferred_models`")
}

/// US dollars for a million tokens.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Rates {
    Known(&'static Price),
    /// `--price-in` and `--price-out`.
    Given {
        input: f64,
        output: f64,
    },
}

impl Rates {
    /// Of a model, where its price is known.
    pub fn of(model: &str) -> Option<Self> {
        models::price(model).map(Self::Known)
    }

    /// `None` where nobody has counted.
    pub fn cost(self, usage: &Usage) -> Option<f64> {
        let (input, output) = (usage.input?, usage.output?);
        Some(match self {
            Self::Known(price) => price.cost(input, output, usage.cached.unwrap_or(0), usage.written.unwrap_or(0)),
            Self::Given { input: price_in, output: price_out } => {
                (input as f64 * price_in + output as f64 * price_out) / 1e6
            }
        })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn costs_follow_the_counted_usage() {
        let given = Rates::Given { input: 1.0, output: 10.0 };
        let usage = Usage { input: Some(1_000_000), output: Some(100_000), ..Usage::default() };
        assert_eq!(given.cost(&usage), Some(2.0));
        assert_eq!(given.cost(&Usage { output: None, ..usage }), None);
    }
}
