//! Who is asked for summaries, and what that costs.
//!
//! Takes what the command line names and a persona; gives one API, one model and its prices. What is not known is an error that says
//! what to name; no price is ever guessed.

use super::{OpError, SummarizeRequest};
use contexture_core::models::{self, Price};
use contexture_core::{Api, Family, Tokenizer};
use contexture_gather::config::{Model, Persona};
use contexture_gather::summaries::Generator;

use super::prompt::{MAX_ANSWER, Sort, Tier, version};
use crate::provider::Usage;

/// One model, and how it is asked.
#[derive(Clone, PartialEq, Debug)]
pub struct Whom {
    pub api: Api,
    pub model: String,
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    /// The most tokens of an answer.
    pub max_answer: u64,
    pub tokenizer: Tokenizer,
    pub rates: Option<Rates>,
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
    pub fn cost(self, input: u64, output: u64) -> f64 {
        self.cost_of(&Usage { input: Some(input), output: Some(output), ..Usage::default() }, (0, 0))
    }

    /// Of an answer; where the server counts nothing, what was expected.
    pub fn cost_of(self, usage: &Usage, (input, output): (u64, u64)) -> f64 {
        let (input, output) = (usage.input.unwrap_or(input), usage.output.unwrap_or(output));
        match self {
            Self::Known(price) => price.cost(input, output, usage.cached.unwrap_or(0), usage.written.unwrap_or(0)),
            Self::Given { input: price_in, output: price_out } => {
                (input as f64 * price_in + output as f64 * price_out) / 1e6
            }
        }
    }
}

impl Whom {
    /// Who an entry is by that this model writes.
    pub fn generator(&self, sort: Sort, tier: Tier) -> Generator {
        Generator {
            provider: self.api.as_str().to_owned(),
            model: self.model.clone(),
            prompt_version: version(sort, tier),
        }
    }

    /// The wishes that a persona has for its model; empty where there are none.
    pub fn params(&self) -> String {
        let wish = |name: &str, value: Option<f64>| value.map(|value| format!("{name}={value}"));
        let wishes = [wish("temperature", self.temperature), wish("top_p", self.top_p)];
        wishes.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// The command line, else the persona's first model.
pub fn whom(request: &SummarizeRequest<'_>, persona: Option<&Persona>) -> Result<Whom, OpError> {
    let preferred = persona.map(|persona| persona.preferred_models.as_slice()).unwrap_or_default();
    let of_api = |model: &&Model| api_of(&model.provider) == request.api;
    let model = match (&request.model, request.api) {
        (Some(model), _) => model.clone(),
        (None, None) => preferred.first().map(|model| model.model.clone()).ok_or_else(nobody)?,
        (None, Some(_)) => preferred.iter().find(of_api).map(|model| model.model.clone()).ok_or_else(|| {
            OpError::usage("no model is named").hint("`--model NAME` says which one writes the summaries")
        })?,
    };
    let own = preferred.iter().find(|preferred| preferred.model == model);
    let api = match request.api {
        Some(api) => api,
        None => {
            let word = own.map(|own| own.provider.as_str()).or(models::find(&model).map(|model| model.provider));
            word.and_then(api_of).ok_or_else(|| unserved(&model))?
        }
    };
    let rates = match (request.price_in, request.price_out) {
        (Some(input), Some(output)) => Some(Rates::Given { input, output }),
        (None, None) => models::price(&model).map(Rates::Known),
        _ => {
            return Err(OpError::usage("one price alone says nothing")
                .hint("give both `--price-in` and `--price-out`, in US dollars for a million tokens"));
        }
    };
    if request.max_cost.is_some() && rates.is_none() {
        return Err(OpError::usage(format!("the price of `{model}` is not known, so `--max-cost` cannot hold"))
            .hint("`--price-in X --price-out X` give it, in US dollars for a million tokens"));
    }
    let tokenizer = models::find(&model).map_or(Tokenizer::Estimate(Family::Generic), |model| model.tokenizer);
    Ok(Whom {
        api,
        temperature: own.and_then(|own| own.temperature),
        top_p: own.and_then(|own| own.top_p),
        max_answer: own.and_then(|own| own.max_output_tokens).map_or(MAX_ANSWER, |most| most.min(MAX_ANSWER)),
        model,
        tokenizer,
        rates,
    })
}

/// The words of tables and personas.
fn api_of(word: &str) -> Option<Api> {
    if word == "google" { Some(Api::Gemini) } else { Api::parse(word) }
}

fn nobody() -> OpError {
    OpError::usage("no model is named")
        .hint("`--provider anthropic --model NAME`, or a persona with `preferred_models`")
}

fn unserved(model: &str) -> OpError {
    OpError::usage(format!("whose API serves `{model}` is not known")).hint("`--provider P` says so")
}

#[cfg(test)]
mod tests {
    use super::*;
    use contexture_gather::config::Scope;

    fn persona(models: &[(&str, &str)]) -> Persona {
        let model = |(provider, model): &(&str, &str)| Model {
            provider: (*provider).into(),
            model: (*model).into(),
            temperature: Some(0.25),
            ..Model::default()
        };
        Persona {
            name: "p".into(),
            scope: Scope::Project,
            system_prompt: None,
            preferred_models: models.iter().map(model).collect(),
            context_preset: None,
            aggregation_strategy: None,
            tier: None,
            budget: None,
        }
    }

    fn told(request: SummarizeRequest<'_>, persona: Option<&Persona>) -> String {
        match whom(&request, persona) {
            Ok(whom) => format!("{} {} {:?} {}", whom.api, whom.model, whom.params(), whom.rates.is_some()),
            Err(error) => format!("{error}; {}", error.hints().join("; ")),
        }
    }

    #[test]
    fn the_command_line_comes_before_the_persona() {
        let request = || SummarizeRequest::new(&|_| Ok(None));
        let model = |model: &str| SummarizeRequest { model: Some(model.into()), ..request() };
        let one = persona(&[("google", "gemini-x"), ("deepseek", "d")]);
        insta::assert_snapshot!([
            told(request(), None),
            told(request(), Some(&one)),
            told(SummarizeRequest { api: Some(Api::DeepSeek), ..request() }, Some(&one)),
            told(SummarizeRequest { api: Some(Api::OpenAi), ..request() }, Some(&one)),
            told(model("d"), Some(&one)),
            told(model("claude-haiku-5-5"), Some(&one)),
            told(model("unheard-of"), Some(&one)),
            told(SummarizeRequest { api: Some(Api::OpenAi), ..model("unheard-of") }, None),
            told(SummarizeRequest { max_cost: Some(1.0), api: Some(Api::OpenAi), ..model("unheard-of") }, None),
            told(SummarizeRequest { price_in: Some(1.0), api: Some(Api::OpenAi), ..model("unheard-of") }, None),
            told(request(), Some(&persona(&[("nobody", "n")]))),
        ].join("\n"), @r#"
        no model is named; `--provider anthropic --model NAME`, or a persona with `preferred_models`
        gemini gemini-x "temperature=0.25" false
        deepseek d "temperature=0.25" false
        no model is named; `--model NAME` says which one writes the summaries
        deepseek d "temperature=0.25" false
        anthropic claude-haiku-5-5 "" true
        whose API serves `unheard-of` is not known; `--provider P` says so
        openai unheard-of "" false
        the price of `unheard-of` is not known, so `--max-cost` cannot hold; `--price-in X --price-out X` give it, in US dollars for a million tokens
        one price alone says nothing; give both `--price-in` and `--price-out`, in US dollars for a million tokens
        whose API serves `n` is not known; `--provider P` says so
        "#);
    }

    #[test]
    fn costs_are_those_of_the_answer() {
        let given = Rates::Given { input: 1.0, output: 10.0 };
        assert_eq!(given.cost(1_000_000, 100_000), 2.0);
        let usage = Usage { input: Some(2_000_000), ..Usage::default() };
        assert_eq!(given.cost_of(&usage, (7, 100_000)), 3.0);
    }
}
