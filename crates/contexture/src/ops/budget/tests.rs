//! Who decides the budget, as a table.

#![allow(clippy::unwrap_used)]

use super::*;
use crate::requests::DocumentRequest;
use contexture_gather::config::{self, Scope};

#[derive(Clone, Copy, Default)]
struct BudgetSources {
    flag: Option<u64>,
    model: Option<&'static str>,
    persona: bool,
    own: Option<u64>,
    preferred: Option<&'static str>,
    settings: Option<u64>,
}

fn decided(said: BudgetSources, tokenizer: Option<&str>) -> Result<BudgetDecision, OpError> {
    let request = DocumentRequest {
        budget: said.flag.map(crate::requests::TokenCount),
        model: said.model.map(str::to_owned),
        ..DocumentRequest::default()
    };
    let settings = Budget {
        max_tokens: said.settings,
        token_buffer: 1_024,
        tokenizer: tokenizer.map(str::to_owned),
        truncation: Default::default(),
        minimum_recent_nodes: 4,
    };
    let model = |name: &str| config::Model { provider: "any".into(), model: name.into(), ..config::Model::default() };
    let persona = Persona {
        name: "p".into(),
        scope: Scope::Project,
        system_prompt: None,
        preferred_models: said.preferred.map(model).into_iter().collect(),
        context_preset: None,
        aggregation_strategy: None,
        tier: None,
        budget: said.own,
    };
    decide(&request, &settings, said.persona.then_some(&persona))
}

#[test]
fn the_strongest_source_sets_the_budget() {
    let all = BudgetSources {
        flag: Some(1),
        model: Some("gpt-4.1"),
        persona: true,
        own: Some(2),
        preferred: Some("gpt-5.5"),
        settings: Some(3),
    };
    let (no_flag, no_own) =
        (BudgetSources { flag: None, ..all }, BudgetSources { flag: None, model: None, own: None, ..all });
    let table: [(BudgetSources, Option<(u64, &str)>); 10] = [
        (all, Some((1, "--budget"))),
        (no_flag, Some((1_047_576 - 32_768 - 1_024, "--model gpt-4.1"))),
        (
            BudgetSources { model: Some("gpt-4.1-2025-04-14"), ..no_flag },
            Some((1_013_784, "--model gpt-4.1-2025-04-14")),
        ),
        (BudgetSources { model: None, ..no_flag }, Some((2, "persona p"))),
        // `send` names the model of the persona that is asked.
        (BudgetSources { model: Some("gpt-5.5"), ..no_flag }, Some((2, "persona p"))),
        (no_own, Some((1_050_000 - 128_000 - 1_024, "persona p"))),
        (BudgetSources { preferred: None, ..no_own }, Some((3, "[budget] max_tokens"))),
        (BudgetSources { preferred: Some("my-own-model"), ..no_own }, Some((3, "[budget] max_tokens"))),
        (BudgetSources { persona: false, ..no_own }, Some((3, "[budget] max_tokens"))),
        (BudgetSources::default(), None),
    ];
    for (said, expected) in table {
        let budget = decided(said, None).unwrap().budget.map(|(budget, from)| (budget, from.to_string()));
        assert_eq!(budget, expected.map(|(budget, from)| (budget, from.to_owned())));
    }
}

#[test]
fn the_model_counts_unless_someone_names_a_counter() {
    let tokenizer =
        |said: BudgetSources, named: Option<&str>| decided(said, named).unwrap().tokenizer.name().to_owned();
    let claude = BudgetSources { model: Some("claude-opus-5"), ..BudgetSources::default() };
    let persona = BudgetSources { persona: true, preferred: Some("gemini-2.5-pro"), ..BudgetSources::default() };
    assert_eq!(tokenizer(BudgetSources::default(), None), "o200k_base");
    assert_eq!(tokenizer(claude, None), "claude");
    assert_eq!(tokenizer(BudgetSources { flag: Some(9), ..claude }, None), "claude");
    assert_eq!(tokenizer(claude, Some("cl100k_base")), "cl100k_base");
    assert_eq!(tokenizer(persona, None), "gemini");
    assert_eq!(tokenizer(BudgetSources { own: Some(9), ..persona }, None), "gemini");
    assert_eq!(tokenizer(BudgetSources { model: claude.model, ..persona }, None), "claude");
}

#[test]
fn a_foreign_tokenizer_gives_a_note() {
    let notes = |said: BudgetSources, named: Option<&str>| decided(said, named).unwrap().notes;
    let claude = BudgetSources { model: Some("claude-opus-5"), ..BudgetSources::default() };
    assert!(notes(claude, None).is_empty());
    let [note] = <[Note; 1]>::try_from(notes(claude, Some("o200k_base"))).unwrap();
    assert_eq!(
        note.text,
        "`claude-opus-5` counts tokens otherwise than `o200k_base`: the document may not fit its window"
    );
    assert!(
        notes(BudgetSources { flag: Some(9), ..claude }, Some("o200k_base")).is_empty(),
        "the budget is the person's own"
    );
}

#[test]
fn unknown_names_are_errors() {
    let unknown = BudgetSources { flag: Some(9), model: Some("claude-opsu-5"), ..BudgetSources::default() };
    let error = decided(unknown, None).err().unwrap();
    assert_eq!(error.to_string(), "no model is called `claude-opsu-5`");
    assert_eq!(error.hints(), ["did you mean `claude-opus-5`?", "`--budget N` fits any other model"]);
    let persona = BudgetSources { persona: true, preferred: Some("claude-opsu-5"), ..BudgetSources::default() };
    let [note] = <[Note; 1]>::try_from(decided(persona, None).unwrap().notes).unwrap();
    assert_eq!(note.text, "no window is known for the model: `claude-opsu-5`");
    assert_eq!(note.hint.as_deref(), Some("did you mean `claude-opus-5`?"));
    assert!(
        decided(BudgetSources { own: Some(9), ..persona }, None).unwrap().notes.is_empty(),
        "nobody asked for its window"
    );
}
