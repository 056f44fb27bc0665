//! The laws of an agent's context (order, protected layers, validity, budget, caches), over random conversations, workspaces, limits and providers.
#![allow(clippy::unwrap_used)]

mod requests;
mod talk;

use contexture_core::check::check;
use contexture_core::{
    Api, Compiled, Counter, Forgetful, Format, ImageSource, InProcess, ItemKind, Layer, Level, Message, MessagePart,
    Meter, Options, OverBudget, Role, Snapshot, Tokenizer, Tokens, Tools, compile,
};
use contexture_testkit::{cases, screened};
use proptest::prelude::*;
use std::collections::BTreeMap;
use talk::{Workspace, conversation, options, snapshot, workspace};

/// Counts words and signs: fast, and unlike bytes.
struct Words;

impl Counter for Words {
    fn name(&self) -> &str {
        "words"
    }
    fn exact(&self) -> bool {
        true
    }
    fn count(&self, text: &str) -> u64 {
        text.split(|c: char| !c.is_alphanumeric()).count() as u64
    }
    fn joins(&self, left: &str, right: &str) -> bool {
        left.is_empty() || right.is_empty()
    }
}

fn made(
    snapshot: &Snapshot,
    options: &Options,
    budget: Option<u64>,
    counter: &dyn Counter,
) -> Result<Compiled, OverBudget> {
    let options = Options { budget: budget.map(Tokens), ..options.clone() };
    compile(&screened(snapshot), &options, &Tools { meter: Meter::new(counter, &Forgetful), code: &InProcess })
        .map_err(|error| error.over_budget().unwrap())
}

/// Tokens of a message, counted once more and apart.
fn cost(message: &Message, counter: &dyn Counter) -> u64 {
    let parts = message.parts.iter().map(|part| match part {
        MessagePart::Text(text) => counter.count(text),
        MessagePart::Image(image) => match image.source {
            ImageSource::Gone { .. } => counter.count(&image.placeholder()),
            _ => 1_600,
        },
    });
    let calls = message
        .calls
        .iter()
        .map(|call| 4 + counter.count(&call.id) + counter.count(&call.name) + counter.count(&call.arguments));
    let thoughts = message.thoughts.iter().map(|thought| 4 + counter.count(&thought.text));
    4 + parts.sum::<u64>()
        + calls.sum::<u64>()
        + thoughts.sum::<u64>()
        + message.answers.as_deref().map_or(0, |id| counter.count(id))
}

fn check_valid(compiled: &Compiled, format: Format) -> Result<(), String> {
    let text = compiled.output.text();
    let violations = match format {
        Format::Messages => check(Api::OpenAi, &format!("{{\"model\":\"m\",\"messages\":{text}}}")),
        Format::Request(api) => check(api, &text),
        Format::Markdown | Format::Xml | Format::Json | Format::Text => Vec::new(),
    };
    // A conversation may be empty, and whoever sends it can name the model.
    let may_be = ["`messages` is empty", "`input` is empty", "`model` is missing"];
    match violations.iter().find(|violation| !may_be.contains(&violation.text.as_str())) {
        Some(violation) => Err(format!("{violation} ({})\n{text}", violation.hint)),
        None => Ok(()),
    }
}

/// Whether a conversation without a message of its own can be continued: somebody must have asked.
fn is_open(workspace: &Workspace, history: &[Message]) -> bool {
    let said = |message: &&Message| {
        !message.parts.iter().all(|part| matches!(part, MessagePart::Text(text) if text.trim().is_empty()))
    };
    workspace.message.is_some() || history.iter().rev().find(said).is_some_and(|message| message.role == Role::User)
}

/// The workspace, with a message where the conversation does not end with one.
fn answerable(workspace: &Workspace, history: &[Message]) -> Workspace {
    let message = if is_open(workspace, history) { workspace.message.clone() } else { Some("go on".into()) };
    Workspace { message, ..workspace.clone() }
}

/// What is shown, and whether whole.
fn shown(compiled: &Compiled) -> BTreeMap<String, Level> {
    compiled.plan.picks.iter().map(|pick| (pick.item.to_string(), pick.level)).collect()
}

/// A limit between nothing and a little more than all.
fn limit(whole: u64, share: f64) -> u64 {
    (share * 1.1 * whole as f64) as u64
}

fn check_context(
    workspace: &Workspace,
    history: &[Message],
    options: &Options,
    shares: (f64, f64),
    counter: &dyn Counter,
) -> Result<(), TestCaseError> {
    let workspace = &answerable(workspace, history);
    let snapshot = snapshot(workspace, history);
    let whole = made(&snapshot, options, None, counter).unwrap();
    let mut limits = [limit(whole.measured.0, shares.0), limit(whole.measured.0, shares.1)];
    limits.sort_unstable();
    let mut last: Option<Compiled> = None;
    for limit in limits {
        let compiled = match made(&snapshot, options, Some(limit), counter) {
            Ok(compiled) => compiled,
            Err(over) => {
                prop_assert!(over.needed.0 > limit && last.is_none());
                let least = made(&snapshot, options, Some(over.needed.0), counter);
                prop_assert!(least.is_ok(), "the smallest limit that would do does not");
                continue;
            }
        };
        prop_assert!(compiled.measured.0 <= limit, "{} of {limit}", compiled.measured);
        let schemas = workspace.schemas.iter().map(|tool| {
            4 + counter.count(&tool.name) + counter.count(&tool.description) + counter.count(&tool.parameters)
        });
        let counted =
            compiled.messages.iter().map(|message| cost(message, counter)).sum::<u64>() + schemas.sum::<u64>();
        prop_assert_eq!(compiled.measured.0, counted);
        check_valid(&compiled, options.format)
            .map_err(|why| TestCaseError::fail(format!("{why}\n{}", compiled.output.text())))?;

        // Protected layers to the byte, first and last.
        let system = format!("{}\n\n{}", workspace.soul.trim(), workspace.agents.trim());
        prop_assert_eq!(&*compiled.messages[0].text(), system.trim());
        prop_assert_eq!(&*compiled.messages[1].text(), "Date: 2026-11-16");
        if let Some(message) = &workspace.message {
            let last = compiled.messages.last().unwrap();
            prop_assert_eq!((last.role, &*last.text()), (Role::User, message.as_str()));
        }

        // Every item once.
        let mut all: Vec<&str> = compiled
            .plan
            .picks
            .iter()
            .map(|pick| pick.path.as_str())
            .chain(compiled.plan.left_out.iter().map(|left| left.path.as_str()))
            .collect();
        all.sort_unstable();
        let mut items: Vec<&str> = snapshot.items.iter().map(|item| item.path.as_str()).collect();
        items.sort_unstable();
        prop_assert_eq!(all, items);

        // The same again.
        let again = made(&snapshot, options, Some(limit), counter).unwrap();
        prop_assert_eq!(again.output.text(), compiled.output.text());

        // More never shows less.
        if let Some(last) = &last {
            let (less, more) = (shown(last), shown(&compiled));
            for (item, level) in &less {
                prop_assert!(more.get(item).is_some_and(|now| now >= level), "{item} with {} of {:?}", limit, limits);
            }
        }
        // Turns go before memories.
        let is_shown = |layer: Layer| compiled.plan.picks.iter().any(|pick| pick.kind == ItemKind::Layer(layer));
        let memories_without_room = compiled
            .plan
            .left_out
            .iter()
            .any(|left| left.path.starts_with("memory/") && left.why.to_string() == "there is no room for it");
        let answered = compiled.plan.picks.iter().all(|pick| {
            pick.kind != ItemKind::Layer(Layer::History) || pick.why.to_string() == "the message that is answered"
        });
        prop_assert!(!memories_without_room || !is_shown(Layer::History) || answered);
        last = Some(compiled);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(250)))]

    #[test]
    fn a_context_is_within_its_limit_whole_and_valid(workspace in workspace(), history in conversation(), options in options(), a in 0.0f64..1.0, b in 0.0f64..1.0) {
        check_context(&workspace, &history, &options, (a, b), &Words)?;
    }
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(12)))]

    #[test]
    fn a_context_is_so_with_a_real_tokenizer(workspace in workspace(), history in conversation(), options in options(), a in 0.0f64..1.0, b in 0.0f64..1.0) {
        check_context(&workspace, &history, &options, (a, b), &Tokenizer::O200k)?;
        check_context(&workspace, &history, &options, (a, b), &Tokenizer::Estimate(contexture_core::Family::Claude))?;
    }

    #[test]
    fn a_document_of_a_context_is_within_its_limit(workspace in workspace(), history in conversation(), options in options(), share in 0.0f64..1.0) {
        let workspace = answerable(&workspace, &history);
        let options = Options { format: Format::Markdown, ..options };
        let snapshot = snapshot(&workspace, &history);
        let whole = made(&snapshot, &options, None, &Tokenizer::O200k).unwrap();
        let limit = limit(whole.measured.0, share);
        match made(&snapshot, &options, Some(limit), &Tokenizer::O200k) {
            Ok(compiled) => {
                prop_assert!(compiled.measured.0 <= limit);
                prop_assert_eq!(compiled.measured.0, Tokenizer::O200k.count(&compiled.output.text()));
            }
            Err(over) => prop_assert!(over.needed.0 > limit),
        }
    }
}

/// The history as it is shown, message by message.
fn history_of(compiled: &Compiled) -> Vec<usize> {
    let of = |pick: &contexture_core::Pick| pick.path.strip_prefix("session:").and_then(|at| at.parse().ok());
    compiled.plan.picks.iter().filter_map(of).collect()
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(30)))]

    /// A conversation that only grows: the bytes before the current message stay, unless the history begins elsewhere; and then
    /// it has lost a tenth of its messages or of its bytes at least.
    #[test]
    fn a_growing_conversation_keeps_its_prefix(
        workspace in workspace(),
        talk in prop::collection::vec((talk::text(), 0usize..4, talk::text()), 5..60),
        format in talk::format(),
        most in prop_oneof![Just(Some(50)), Just(None), (5usize..30).prop_map(Some)],
        limit in 200u64..3_000,
    ) {
        let mut options = Options { format, ..Options::default() };
        options.agent.near = true;
        options.agent.max_messages = most;
        options.request.marks = false;
        // What the message names would be another thing that changes.
        let workspace = Workspace { skills: Vec::new(), ..workspace };
        let mut history: Vec<Message> = Vec::new();
        let mut last: Option<(String, Vec<usize>)> = None;
        for (nth, (asked, calls, answer)) in talk.into_iter().enumerate() {
            let asked = format!("{nth} {asked}");
            let workspace = Workspace { message: Some(asked.clone()), ..workspace.clone() };
            let snapshot = snapshot(&workspace, &history);
            let now = match made(&snapshot, &options, Some(limit), &Words) {
                Ok(now) => now,
                Err(_) => { last = None; history.push(Message::new(Role::User, asked)); history.push(Message::new(Role::Assistant, "no")); continue }
            };
            let prefix = now.output.static_prefix();
            let places = history_of(&now);
            if let Some((before, old)) = &last {
                // A message so large that it alone has hardly room is a case of need.
                let needy = now.plan.picks.iter().any(|pick| pick.level == Level::Custom) || places.is_empty() || old.is_empty();
                if places.first() == old.first() && !needy && places.starts_with(old) {
                    prop_assert!(prefix.starts_with(before.as_str()), "{before}\n=====\n{prefix}");
                }
                if !needy && places.first() > old.first() {
                    let gone = old.iter().filter(|at| !places.contains(at));
                    let bytes = |at: &usize| history[*at].size();
                    let (messages, size) = (gone.clone().count(), gone.map(bytes).sum::<u64>());
                    let all = old.iter().map(bytes).sum::<u64>();
                    prop_assert!(messages * 10 >= old.len() || size * 10 >= all, "{messages} of {}, {size} of {all}", old.len());
                }
                prop_assert!(needy || places.first() >= old.first(), "the history begins earlier again");
            }
            last = Some((prefix, places));
            history.push(Message::new(Role::User, asked));
            for call in 0..calls {
                let id = format!("c{nth}_{call}");
                let call = contexture_core::Call { id: id.clone(), name: "run".into(), arguments: "{}".into() };
                history.push(Message::calling("", vec![call]));
                history.push(Message::result(id, answer.clone()));
            }
            history.push(Message::new(Role::Assistant, answer));
        }
    }
}
