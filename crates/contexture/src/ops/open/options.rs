//! The single options of a request, each from whoever decides about it: the command line, the persona, the project.

use super::super::model_choice;
use crate::requests::DocumentRequest;
use contexture_core::rank::Query;
use contexture_core::{Note, Options, RequestOptions, Strategy, StrategyMode, StrategySource, Topic};
use contexture_gather::config::{Config, DefaultMode, Origin, Persona, StrategyName};
use contexture_gather::{GatherRequest, Roots};

/// What a request says beside the document: the command line first, then the persona.
pub(super) fn wanted(request: &DocumentRequest, persona: Option<&Persona>) -> RequestOptions {
    // The settings of a persona are each for its own model.
    let own = persona.and_then(|persona| {
        model_choice::preferred_model(
            persona,
            request.format().and_then(|format| format.api()),
            request.model.as_deref(),
        )
    });
    let said =
        |text: &Option<String>| text.as_ref().filter(|text| !text.trim().is_empty()).map(|text| text.as_str().into());
    RequestOptions {
        model: request.model.clone().or_else(|| Some(own?.model.clone())),
        max_answer: request.max_answer.or_else(|| own?.max_output_tokens),
        temperature: request.temperature.or_else(|| own?.temperature),
        top_p: own.and_then(|own| own.top_p),
        system: persona.and_then(|persona| said(&persona.system_prompt)),
        message: said(&request.message).or_else(|| said(&request.query)),
        marks: !request.no_marks,
    }
}

/// Settings that an API has no member for are told, not sent.
pub(super) fn taste_note(options: &Options) -> Option<Note> {
    let is_set = options.request.temperature.is_some() || options.request.top_p.is_some();
    let why = options.format.api()?.provider().no_temperature.filter(|_| is_set)?;
    Some(Note::new(Topic::Setting, format!("`temperature` and `top_p` are left out: {why}")))
}

/// What is to be said of a query that does less than it seems to.
pub(super) fn query_note(request: &DocumentRequest, options: &Options, ask: &GatherRequest) -> Option<Note> {
    let given = request.query.as_ref()?;
    let note = |text: &str| Note::new(Topic::Setting, text);
    let Some(query) = &options.query else { return Some(note("the query is empty: nothing is ranked for it")) };
    if options.budget.is_none() && !ask.around {
        let text = "the query has no effect: everything is shown";
        return Some(
            note(text).hint("`--budget N` shows what the query needs; named paths bring passages from outside"),
        );
    }
    if Query::parse(query).terms.is_empty() {
        return Some(note("the query has no words: nothing is ranked for it"));
    }
    Query::is_long(given).then(|| note("the query is long: its first 48 KiB and its last 16 KiB are read"))
}

/// Who decides: the command line, a persona, a tier, the project, the default of the project's aggregation.
pub(super) fn strategy(request: &DocumentRequest, config: &Config, persona: Option<&Persona>) -> Strategy {
    let named = |name: StrategyName, source: StrategySource| {
        let mode = match name {
            StrategyName::Summarize => StrategyMode::Summarize,
            StrategyName::Auto if config.project.summary_only => StrategyMode::Summarize,
            StrategyName::Full | StrategyName::Auto => StrategyMode::OwnView,
        };
        Strategy { mode, name: name.as_str(), source }
    };
    if let Some(name) = request.strategy {
        return named(name.get(), StrategySource::Flag);
    }
    if let Some(persona) = persona
        && let Some(name) = persona.aggregation_strategy
    {
        return named(name, StrategySource::Persona(persona.name.clone()));
    }
    if let Some(tier) = request.tier.or_else(|| persona?.tier) {
        let (mode, name) = match tier {
            1 => (StrategyMode::OwnView, "full"),
            2 => (StrategyMode::Summarize, "summarize"),
            _ => (StrategyMode::Skeleton, "skeleton"),
        };
        return Strategy { mode, name, source: StrategySource::Tier(tier) };
    }
    let was_set = |key: &str| *config.origin(key) != Origin::Default;
    if was_set("project.strategy") || was_set("project.summary_only") {
        return named(config.project.strategy, StrategySource::Project);
    }
    let source =
        if was_set("aggregation.default_mode") { StrategySource::Aggregation } else { StrategySource::Default };
    match config.aggregation.default_mode {
        DefaultMode::Summarize => Strategy { mode: StrategyMode::Summarize, name: "summarize", source },
        DefaultMode::Outline => Strategy { mode: StrategyMode::Outline, name: "outline", source },
        DefaultMode::Full if source == StrategySource::Default => {
            Strategy { mode: StrategyMode::OwnView, name: "auto", source }
        }
        DefaultMode::Full => Strategy { mode: StrategyMode::OwnView, name: "full", source },
    }
}

/// What numbered documents are called: the setting, else the project's or the folder's name as far as it can be a file's.
pub(super) fn namespace(config: &Config, roots: &Roots) -> String {
    if let Some(namespace) = &config.output.namespace {
        return namespace.clone();
    }
    let name =
        config.project.name.clone().or_else(|| Some(roots.project().file_name()?.to_string_lossy().into_owned()));
    let clean: String = name
        .unwrap_or_default()
        .chars()
        .map(|c| if c.is_alphanumeric() || matches!(c, '.' | '_' | '-' | '+') { c } else { '-' })
        .take(64)
        .collect();
    let clean = clean.trim_start_matches(['.', '-']);
    if clean.is_empty() { "context".into() } else { clean.to_owned() }
}
