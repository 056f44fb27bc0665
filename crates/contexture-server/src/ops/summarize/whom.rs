//! The one model that writes the summaries of a run.
//!
//! Takes what the command line names and a persona; gives one API, one model, how it is asked, and its prices.

use super::super::whom::{self, Rates, Via, Who};
use super::prompt::{MAX_ANSWER, Sort, Tier, version};
use super::{OpError, SummarizeRequest};
use crate::provider::Usage;
use contexture_core::models;
use contexture_core::{Api, Family, Tokenizer};
use contexture_gather::config::Persona;
use contexture_gather::summaries::Generator;

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

impl Whom {
    /// Who an entry is by that this model writes.
    pub fn generator(&self, sort: Sort, tier: Tier) -> Generator {
        Generator {
            provider: self.api.as_str().to_owned(),
            model: self.model.clone(),
            prompt_version: version(sort, tier),
        }
    }

    /// US dollars, where a price is known; for what nobody has counted, by what was expected of input and output.
    pub fn cost(&self, usage: &Usage, (input, output): (u64, u64)) -> Option<f64> {
        let usage = Usage { input: usage.input.or(Some(input)), output: usage.output.or(Some(output)), ..*usage };
        self.rates?.cost(&usage)
    }

    /// The wishes that a persona has for its model; empty where there are none.
    pub fn params(&self) -> String {
        let wish = |name: &str, value: Option<f64>| value.map(|value| format!("{name}={value}"));
        let wishes = [wish("temperature", self.temperature), wish("top_p", self.top_p)];
        wishes.into_iter().flatten().collect::<Vec<_>>().join(" ")
    }
}

/// The command line, else the persona's first model. Only servers write summaries.
pub fn whom(request: &SummarizeRequest<'_>, persona: Option<&Persona>) -> Result<Whom, OpError> {
    let preferred = persona.map(|persona| persona.preferred_models.as_slice()).unwrap_or_default();
    let all = whom::whom(request.api.map(Via::Api), request.model.as_deref(), preferred)?;
    let (api, model) = match all.into_iter().next() {
        Some(Who { via: Via::Api(api), model: Some(model) }) => (api, model),
        Some(who) => {
            return Err(OpError::usage(format!("`{}` writes no summaries", who.via.as_str()))
                .hint("`--provider P --model NAME` names an API and a model that do"));
        }
        None => return Err(whom::nobody()),
    };
    let own = persona.and_then(|persona| whom::own(persona, Some(api), Some(&model)));
    let rates = match (request.price_in, request.price_out) {
        (Some(input), Some(output)) => Some(Rates::Given { input, output }),
        (None, None) => Rates::of(&model),
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

#[cfg(test)]
mod tests {
    use super::*;
    use contexture_gather::config::{Model, Scope};

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
            told(request(), Some(&persona(&[("nobody", "n"), ("deepseek", "d")]))),
            told(SummarizeRequest { api: Some(Api::OpenAi), ..model("d") }, Some(&one)),
            told(request(), Some(&persona(&[("gemini-cli", "gemini-x")]))),
        ].join("\n"), @r#"
        nobody is named to be asked; `--provider anthropic --model NAME`, or a persona with `preferred_models`
        gemini gemini-x "temperature=0.25" false
        deepseek d "temperature=0.25" false
        no model is named; `--model NAME` says which one is asked
        deepseek d "temperature=0.25" false
        anthropic claude-haiku-5-5 "" true
        nobody is known to serve `unheard-of`; `--provider P` says whose API it is
        openai unheard-of "" false
        the price of `unheard-of` is not known, so `--max-cost` cannot hold; `--price-in X --price-out X` give it, in US dollars for a million tokens
        one price alone says nothing; give both `--price-in` and `--price-out`, in US dollars for a million tokens
        no provider is called `nobody`; there are: anthropic, openai, responses, gemini, deepseek, minimax, gemini-cli
        deepseek d "temperature=0.25" false
        openai d "" false
        `gemini-cli` writes no summaries; `--provider P --model NAME` names an API and a model that do
        "#);
    }
}
