//! The laws of assembled paths (order, merging, buffers, cuts, budget, caches), over random paths, budgets, strategies and modes.
#![allow(clippy::unwrap_used)]

use contexture_core::{
    Api, AuthorType, Body, CompileError, Compiled, ContentHash, Counter, Forgetful, Format, InProcess, Item, ItemId,
    ItemKind, Layer, LoomNode, LoomOptions, Message, Meter, Options, OverBudget, Pick, Role, SelectedBy, Snapshot,
    Tokenizer, Tokens, Tools, TreeMode, Truncation, Wish, compile,
};
use contexture_testkit::{cases, screened};
use proptest::prelude::*;
use proptest::sample::select;
use std::collections::BTreeMap;
use std::sync::Arc;

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
        if text.is_empty() { 0 } else { text.split(|c: char| !c.is_alphanumeric()).count() as u64 }
    }
    fn joins(&self, left: &str, right: &str) -> bool {
        left.is_empty() || right.is_empty()
    }
}

#[derive(Clone, Debug)]
struct Path {
    system: Vec<String>,
    nodes: Vec<(AuthorType, String)>,
    working: Option<String>,
}

fn item(layer: Layer, name: &str, body: Body) -> Item {
    let id = ItemId(name.into());
    let hash = match &body {
        Body::Message(message) => message.hash(),
        Body::Text { text, .. } => ContentHash::of(&**text),
        _ => ContentHash::of(""),
    };
    let selected_by = SelectedBy::Path;
    let kind = ItemKind::Layer(layer);
    Item {
        id,
        kind,
        path: name.into(),
        selected_by,
        body,
        hash: Some(hash),
        size: 0,
        modified: 0,
        wish: Wish::default(),
        written: None,
        located: None,
    }
}

fn snapshot(path: &Path) -> Snapshot {
    let text = |text: &String| Body::Text { text: text.as_str().into(), base: Default::default() };
    let system = path.system.iter().enumerate().map(|(nth, said)| item(Layer::System, &format!("s{nth}"), text(said)));
    let node = |(nth, (author, said)): (usize, &(AuthorType, String))| {
        let message = Message::new(LoomNode::role(*author), said.as_str());
        item(Layer::History, &format!("n{nth:04}"), Body::Message(Arc::new(message)))
    };
    let nodes = path.nodes.iter().enumerate().map(node);
    let working = path
        .working
        .iter()
        .map(|said| item(Layer::Current, "working", Body::Message(Arc::new(Message::new(Role::User, said.as_str())))));
    Snapshot { items: system.chain(nodes).chain(working).collect(), ..Snapshot::default() }
}

fn options(mode: TreeMode, truncation: Truncation, minimum_recent: usize, format: Format) -> Options {
    Options { loom: Some(LoomOptions { mode, truncation, minimum_recent }), format, ..Options::default() }
}

fn made(path: &Path, options: &Options, budget: Option<u64>, counter: &dyn Counter) -> Result<Compiled, OverBudget> {
    let options = Options { budget: budget.map(Tokens), ..options.clone() };
    compile(&screened(&snapshot(path)), &options, &Tools { meter: Meter::new(counter, &Forgetful), code: &InProcess })
        .map_err(|error| error.over_budget().unwrap())
}

fn said() -> impl Strategy<Value = String> {
    let word = select(vec!["so", "tree", "branch\n", "näh", " ", "…", "x = 1;", "\n\n", "👍🏽", "#", "\u{200b}"]);
    let short = prop::collection::vec(word, 0..12).prop_map(|words| words.join(" "));
    prop_oneof![12 => short.clone(), 1 => (short, 20..200usize).prop_map(|(text, times)| text.repeat(times))]
}

fn author() -> impl Strategy<Value = AuthorType> {
    select(vec![AuthorType::Human, AuthorType::Model])
}

fn path() -> impl Strategy<Value = Path> {
    let nodes = prop_oneof![
        3 => prop::collection::vec((author(), said()), 0..12),
        1 => prop::collection::vec((author(), said()), 0..60),
    ];
    (prop::collection::vec("[a-z]{1,8}( [a-z]{1,8}){0,6}", 0..3), nodes, prop::option::weighted(0.3, "[a-z]{1,9}"))
        .prop_map(|(system, nodes, working)| Path { system, nodes, working })
}

fn how() -> impl Strategy<Value = (TreeMode, Truncation, usize, Format)> {
    let modes = prop_oneof![
        (
            Just(TreeMode::Dialogue),
            select(vec![
                Format::Messages,
                Format::Request(Api::OpenAi),
                Format::Request(Api::Anthropic),
                Format::Request(Api::Gemini),
                Format::Markdown
            ]),
        ),
        (Just(TreeMode::Buffer), select(vec![Format::Text, Format::Request(Api::OpenAi), Format::Markdown])),
    ];
    (modes, select(Truncation::ALL), 0..7usize).prop_map(|((mode, format), cut, minimum)| (mode, cut, minimum, format))
}

/// The nodes that are shown, each with how much of it.
fn shown(compiled: &Compiled) -> BTreeMap<String, u64> {
    let is_node = |pick: &&Pick| pick.kind == ItemKind::Layer(Layer::History);
    compiled.plan.picks.iter().filter(is_node).map(|pick| (pick.path.clone(), pick.tokens.0)).collect()
}

fn is_sayable(text: &str, mode: TreeMode) -> bool {
    mode == TreeMode::Buffer || !text.trim().is_empty()
}

fn check(path: &Path, how: (TreeMode, Truncation, usize, Format), shares: (f64, f64)) -> Result<(), TestCaseError> {
    let (mode, truncation, minimum, format) = how;
    let options = options(mode, truncation, minimum, format);
    let tools = Tools { meter: Meter::new(&Words, &Forgetful), code: &InProcess };
    if let Err(CompileError::Refused(refused)) = compile(&screened(&snapshot(path)), &options, &tools) {
        // Only of nothing no request is made.
        let said = path.system.iter().chain(path.nodes.iter().map(|(_, said)| said)).chain(&path.working);
        prop_assert!(said.into_iter().all(|said| said.trim().is_empty()), "{refused}");
        return Ok(());
    }
    let whole = made(path, &options, None, &Words).unwrap();
    let sayable: Vec<usize> = (0..path.nodes.len()).filter(|at| is_sayable(&path.nodes[*at].1, mode)).collect();
    prop_assert_eq!(shown(&whole).len(), sayable.len());
    let mut limits = [shares.0, shares.1].map(|share| (share * 1.1 * whole.measured.0 as f64) as u64);
    limits.sort_unstable();
    let mut last: Option<Compiled> = None;
    for limit in limits {
        let compiled = match made(path, &options, Some(limit), &Words) {
            Ok(compiled) => compiled,
            Err(over) => {
                prop_assert!(over.needed.0 > limit && over.budget.0 == limit, "{over:?}");
                prop_assert!(made(path, &options, Some(over.needed.0), &Words).is_ok(), "{over:?} is not enough");
                prop_assert!(last.is_none(), "less was enough");
                if truncation == Truncation::Stop {
                    prop_assert_eq!(over.needed, whole.measured);
                    prop_assert!(!over.largest.is_empty());
                }
                continue;
            }
        };
        let cut = compiled.truncation.as_ref().unwrap();
        prop_assert!(compiled.measured.0 <= limit, "{} of {limit}", compiled.measured);
        prop_assert_eq!(cut.before, whole.measured);
        prop_assert_eq!(cut.after, compiled.measured);
        prop_assert_eq!(cut.strategy, truncation);
        let now = shown(&compiled);
        // Every node is shown or left out, and told so.
        prop_assert_eq!(now.len() + cut.removed.len(), sayable.len());
        prop_assert_eq!(compiled.plan.picks.len() + compiled.plan.left_out.len(), snapshot(path).items.len());
        prop_assert_eq!(cut.truncated, !cut.removed.is_empty() || !cut.shortened.is_empty());
        prop_assert_eq!(cut.truncated, whole.measured.0 > limit);
        prop_assert!(truncation != Truncation::Stop || !cut.truncated);
        // At least one, and the newest of them.
        let kept = sayable.iter().rev().take_while(|at| now.contains_key(&format!("n{at:04}"))).count();
        prop_assert!(kept >= 1 || sayable.is_empty());
        prop_assert_eq!(cut.is_shrunk(), kept < minimum.min(sayable.len()), "{:?} {}", cut, kept);
        if cut.is_shrunk() {
            let newest = Path { nodes: sayable.iter().map(|at| path.nodes[*at].clone()).collect(), ..path.clone() };
            let start = newest.nodes.len() - minimum.min(newest.nodes.len());
            let newest = Path { nodes: newest.nodes[start..].to_vec(), ..newest };
            let needed = made(&newest, &options, None, &Words).unwrap().measured.0;
            // The marker takes some.
            let marker = if truncation == Truncation::Middle { 48 } else { 0 };
            prop_assert!(needed + marker > limit, "{needed} of {limit} would have done");
        }
        if truncation == Truncation::Rolling {
            prop_assert_eq!(kept, now.len(), "a window has no holes");
            if cut.truncated && cut.shortened.is_empty() {
                let more = Path { nodes: path.nodes[sayable[sayable.len() - kept - 1]..].to_vec(), ..path.clone() };
                let needed = made(&more, &options, None, &Words).unwrap().measured.0;
                prop_assert!(needed > limit, "{} nodes fit, {} are shown", kept + 1, kept);
            }
        }
        if truncation == Truncation::Middle && !cut.removed.is_empty() {
            let text = compiled.output.text();
            let marker =
                format!("{} node{} left out here", cut.removed.len(), if cut.removed.len() == 1 { "" } else { "s" });
            prop_assert_eq!(text.matches(&marker).count(), 1, "{}", text);
        }
        if let (TreeMode::Dialogue, Format::Messages) = (mode, format) {
            let systems = path.system.join("\n\n");
            let first = compiled.messages.first();
            prop_assert!(path.system.is_empty() || first.is_some_and(|first| *first.text() == systems));
            let spoken = &compiled.messages[usize::from(!path.system.is_empty())..];
            let spoken = &spoken[..spoken.len() - usize::from(path.working.is_some())];
            prop_assert!(spoken.windows(2).all(|pair| pair[0].role != pair[1].role), "{spoken:?}");
        }
        // More budget never shows less.
        if let Some(last) = &last {
            for (node, tokens) in shown(last) {
                let more = now.get(&node);
                // The marker is counted with its neighbour, and its number is shorter where less is missing.
                prop_assert!(more.is_some_and(|more| *more + 48 >= tokens), "{node}: {tokens} and then {more:?}");
            }
        }
        last = Some(compiled);
    }
    Ok(())
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(1500)))]

    #[test]
    fn a_path_is_within_its_budget_and_cut_as_its_strategy_says(
        path in path(), how in how(), shares in (0.0..1.0f64, 0.0..1.0f64),
    ) {
        check(&path, how, shares)?;
    }

    #[test]
    fn a_buffer_is_the_plain_concatenation(nodes in prop::collection::vec((author(), any::<String>()), 0..20), working in any::<Option<String>>()) {
        let text: String = nodes.iter().map(|(_, said)| said.as_str()).chain(working.as_deref()).collect();
        let path = Path { system: Vec::new(), nodes, working: working.filter(|said| !said.is_empty()) };
        let buffer = |format| options(TreeMode::Buffer, Truncation::Middle, 4, format);
        let compiled = made(&path, &buffer(Format::Text), None, &Words).unwrap();
        prop_assert_eq!(compiled.output.text(), text.clone());
        prop_assert_eq!(compiled.measured.0, Words.count(&text));
        let request = made(&path, &buffer(Format::Request(Api::OpenAi)), None, &Words).unwrap().output.text();
        let request: serde_json::Value = serde_json::from_str(&request).unwrap();
        prop_assert_eq!(request["prompt"].as_str().unwrap(), text);
    }

}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(cases(60)))]

    /// While a path grows, its beginning stays, and all bytes before the place where it is cut.
    #[test]
    fn a_growing_path_keeps_its_beginning(
        sizes in prop::collection::vec(1..8usize, 30..120), budget in 120..400u64, mode in select(TreeMode::ALL),
    ) {
        let node = |(nth, size): (usize, &usize)| {
            let author = if nth % 2 == 0 { AuthorType::Human } else { AuthorType::Model };
            (author, format!("{nth} {}.", "word ".repeat(*size)))
        };
        let nodes: Vec<_> = sizes.iter().enumerate().map(node).collect();
        let format = if mode == TreeMode::Buffer { Format::Text } else { Format::Messages };
        let options = options(mode, Truncation::Middle, 4, format);
        let mut head: Option<String> = None;
        let mut last = String::new();
        let mut moves = 0;
        let mut turns = 0;
        for count in 10..nodes.len() {
            let path = Path { system: vec!["be kind".into()], nodes: nodes[..count].to_vec(), working: None };
            let text = made(&path, &options, Some(budget), &Words).unwrap().output.text();
            if let Some((before, _)) = text.split_once("[…") {
                let head = head.get_or_insert_with(|| before.to_owned());
                prop_assert_eq!(before, head.as_str());
                turns += 1;
                let end = last.len().saturating_sub(8);
                moves += usize::from(!text.starts_with(&last[..last.floor_char_boundary(end)]));
            }
            last = text;
        }
        prop_assert!(moves <= turns / 2 + 2, "{} moves in {} turns", moves, turns);
    }
}

#[test]
fn real_counters_keep_the_laws() {
    let nodes =
        (0..40).map(|nth| (AuthorType::ALL[nth % 2], format!("Node {nth} says: {}", "tea and trees. ".repeat(nth))));
    let path = Path { system: vec!["You are kind.".into()], nodes: nodes.collect(), working: None };
    for tokenizer in [Tokenizer::O200k, Tokenizer::Cl100k, Tokenizer::Estimate(contexture_core::Family::Claude)] {
        for mode in [TreeMode::Dialogue, TreeMode::Buffer] {
            let format = if mode == TreeMode::Buffer { Format::Text } else { Format::Messages };
            for truncation in [Truncation::Middle, Truncation::Rolling] {
                let mut last = 0;
                for budget in (100..5_000).step_by(150) {
                    let options = options(mode, truncation, 4, format);
                    let Ok(compiled) = made(&path, &options, Some(budget), &tokenizer) else { continue };
                    assert!(compiled.measured.0 <= budget);
                    let now = shown(&compiled).len();
                    assert!(now >= last, "{now} nodes in {budget}, {last} before");
                    last = now;
                }
                assert!(last > 15);
            }
        }
    }
}

#[test]
fn neighbours_are_one_message_and_the_marker_is_a_persons() {
    let node = |author, text: &str| (author, text.to_owned());
    let nodes = vec![
        node(AuthorType::Human, "one"),
        node(AuthorType::Human, "two  "),
        node(AuthorType::Model, "three"),
        node(AuthorType::Model, " "),
        node(AuthorType::Model, "four"),
    ];
    let path = Path { system: vec!["sys".into(), "tree".into()], nodes, working: None };
    let options = options(TreeMode::Dialogue, Truncation::Middle, 1, Format::Messages);
    let compiled = made(&path, &options, None, &Words).unwrap();
    let texts: Vec<(Role, String)> =
        compiled.messages.iter().map(|message| (message.role, message.text().to_string())).collect();
    assert_eq!(
        texts,
        [
            (Role::System, "sys\n\ntree".to_owned()),
            (Role::User, "one\n\ntwo  ".to_owned()),
            (Role::Assistant, "three\n\nfour".to_owned()),
        ]
    );
}
