//! The one model that writes the summaries of a run.
//!
//! Takes what the command line names and a persona; gives one API, one model, how it is asked, and its prices.

use super::super::model_choice::{self, ModelChoice, Rates};
use super::OpError;
use super::prompt::{MAX_ANSWER, PromptKind, Tier, version};
use crate::requests::{SummarizeRequest, Via, Word};
use contexture_core::models;
use contexture_core::{Api, Family, Tokenizer};
use contexture_gather::config::Persona;
use contexture_gather::summaries::Generator;
use contexture_providers::Usage;

/// One model, and how it is asked.
#[derive(Clone, PartialEq, Debug)]
pub struct SummaryModel {
    pub api: Api,
    pub model: String,
    pub temperature: Option<f64>,
    pub top_p: Option<f64>,
    /// The most tokens of an answer.
    pub max_answer: u64,
    pub tokenizer: Tokenizer,
    pub rates: Option<Rates>,
}

impl SummaryModel {
    /// Who an entry is by that this model writes.
    pub fn generator(&self, kind: PromptKind, tier: Tier) -> Generator {
        Generator {
            provider: self.api.as_str().to_owned(),
            model: self.model.clone(),
            prompt_version: version(kind, tier),
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
pub fn choose_model(request: &SummarizeRequest, persona: Option<&Persona>) -> Result<SummaryModel, OpError> {
    let preferred = persona.map(|persona| persona.preferred_models.as_slice()).unwrap_or_default();
    let all = model_choice::choose_models(
        request.provider.map(Word::get).map(Via::Api),
        request.model.as_deref(),
        preferred,
    )?;
    let (api, model) = match all.into_iter().next() {
        Some(ModelChoice { via: Via::Api(api), model: Some(model) }) => (api, model),
        Some(who) => {
            return Err(OpError::usage(format!("`{}` writes no summaries", who.via.as_str()))
                .hint("`--provider P --model NAME` names an API and a model that do"));
        }
        None => return Err(model_choice::no_model_named()),
    };
    let own = persona.and_then(|persona| model_choice::preferred_model(persona, Some(api), Some(&model)));
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
    Ok(SummaryModel {
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

    fn told(request: SummarizeRequest, persona: Option<&Persona>) -> String {
        match choose_model(&request, persona) {
            Ok(writer) => format!("{} {} {:?} {}", writer.api, writer.model, writer.params(), writer.rates.is_some()),
            Err(error) => format!("{error}; {}", error.hints().join("; ")),
        }
    }

    #[test]
    fn the_command_line_overrides_the_persona() {
        let request = SummarizeRequest::default;
        let model = |model: &str| SummarizeRequest { model: Some(model.into()), ..request() };
        let one = persona(&[("google", "gemini-x"), ("deepseek", "d")]);
        insta::assert_snapshot!([
            told(request(), None),
            told(request(), Some(&one)),
            told(SummarizeRequest { provider: Some(Api::DeepSeek.into()), ..request() }, Some(&one)),
            told(SummarizeRequest { provider: Some(Api::OpenAi.into()), ..request() }, Some(&one)),
            told(model("d"), Some(&one)),
            told(model("claude-haiku-5-5"), Some(&one)),
            told(model("unheard-of"), Some(&one)),
            told(SummarizeRequest { provider: Some(Api::OpenAi.into()), ..model("unheard-of") }, None),
            told(SummarizeRequest { max_cost: Some(1.0), provider: Some(Api::OpenAi.into()), ..model("unheard-of") }, None),
            told(SummarizeRequest { price_in: Some(1.0), provider: Some(Api::OpenAi.into()), ..model("unheard-of") }, None),
            told(request(), Some(&persona(&[("nobody", "n")]))),
            told(request(), Some(&persona(&[("nobody", "n"), ("deepseek", "d")]))),
            told(SummarizeRequest { provider: Some(Api::OpenAi.into()), ..model("d") }, Some(&one)),
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
