//! Requests of all providers: valid, marked within limits, and found again as a provider that keeps to its rule would find them.

use super::talk::{self, Workspace, conversation, snapshot, text, workspace};
use super::{Words, answerable, check_valid, made};
use contexture_core::providers::Answers;
use contexture_core::reuse::{CacheKind, Request, Rule, predict, rule};
use contexture_core::{Api, Counter, Format, Message, Options, RequestOptions, Role};
use contexture_testkit::{cases, hand_over};
use proptest::prelude::*;
use serde_json::Value;
use std::collections::BTreeSet;

/// A provider that keeps what its rule says, and nothing else. It compares texts of whole requests; tokens of blocks are taken from
/// the request that is read.
struct Provider {
    rule: Rule,
    kept: BTreeSet<String>,
    /// Of requests that are kept by themselves.
    seen: Vec<Vec<String>>,
}

struct Block {
    text: String,
    is_marked: bool,
    ends_message: bool,
    tokens: u64,
}

impl Provider {
    fn serve(&mut self, blocks: &[Block]) -> (u64, u64) {
        let texts: Vec<String> = blocks.iter().map(|block| block.text.clone()).collect();
        let prefix = |to: usize| texts[..to].join("\u{1}");
        let tokens = |to: usize| blocks[..to].iter().map(|block| block.tokens).sum::<u64>();
        let end = blocks.len();
        let marks: Vec<usize> = (0..end).filter(|at| blocks[*at].is_marked).map(|at| at + 1).collect();
        match self.rule.kind {
            CacheKind::Marks { lookback, .. } => {
                let mut best = 0;
                for mark in marks.iter().rev() {
                    let back = (0..lookback).map(|back| mark.saturating_sub(back)).filter(|at| *at > 0);
                    best = best.max(back.into_iter().find(|at| self.kept.contains(&prefix(*at))).unwrap_or(0));
                }
                let long = marks.iter().filter(|mark| tokens(**mark) >= self.rule.minimum);
                self.kept.extend(long.map(|mark| prefix(*mark)));
                (tokens(best), tokens(best))
            }
            CacheKind::Points { most, lookback } => {
                let mut points: Vec<usize> =
                    (0..end).filter(|at| blocks[*at].is_marked || blocks[*at].ends_message).map(|at| at + 1).collect();
                points = points.split_off(points.len().saturating_sub(lookback));
                let best = points.into_iter().rev().find(|at| self.kept.contains(&prefix(*at))).unwrap_or(0);
                let mut written = marks.iter().rev().take(most - 1).copied().collect::<Vec<_>>();
                written.push(end);
                self.kept.extend(written.into_iter().filter(|at| tokens(*at) >= self.rule.minimum).map(prefix));
                (tokens(best), tokens(best))
            }
            CacheKind::Steps(_) | CacheKind::Prefix => {
                let step = if let CacheKind::Steps(step) = self.rule.kind { step } else { 1 };
                let same = |seen: &Vec<String>| seen.iter().zip(&texts).take_while(|(a, b)| a == b).count();
                let best = self.seen.iter().map(same).max().unwrap_or(0);
                // Where two blocks part, some of their tokens are the same.
                let (least, most) = (tokens(best), tokens((best + 1).min(end)));
                let most = if self.seen.is_empty() { 0 } else { most };
                let kept = |tokens: u64| if tokens < self.rule.minimum { 0 } else { tokens / step * step };
                self.seen.push(texts);
                (kept(least), kept(most))
            }
            CacheKind::Units => {
                let is_whole = |to: usize| self.kept.contains(&prefix(to));
                let best = (1..=end).rev().find(|to| is_whole(*to)).unwrap_or(0);
                for seen in &self.seen {
                    let same = seen.iter().zip(&texts).take_while(|(a, b)| a == b).count();
                    self.kept.insert(prefix(same));
                }
                self.kept.insert(prefix(end));
                self.seen.push(texts);
                (tokens(best), tokens(best))
            }
        }
    }
}

/// The blocks of a request, taken apart without the reader that is tested.
fn blocks(api: Api, body: &str) -> Vec<Block> {
    let request: Value = serde_json::from_str(body).unwrap();
    let mut out: Vec<Block> = Vec::new();
    fn add(out: &mut Vec<Block>, who: &str, value: &Value, ends_message: bool) {
        let mut value = value.clone();
        let mut is_marked = false;
        if let Some(object) = value.as_object_mut() {
            is_marked |= object.remove("cache_control").is_some();
            is_marked |= object.remove("prompt_cache_breakpoint").is_some();
        }
        out.push(Block { text: format!("{who} {value}"), is_marked, ends_message, tokens: 0 });
    }
    let list = |value: &Value| value.as_array().cloned().unwrap_or_default();
    let mut whole = |who: &str, values: &[Value]| {
        for (nth, value) in values.iter().enumerate() {
            add(&mut out, who, value, nth + 1 == values.len());
        }
    };
    let (key, content) = match api.provider().dialect.answers {
        Answers::Messages => {
            whole("tools", &list(&request["tools"]));
            whole("system", &list(&request["system"]));
            ("messages", "content")
        }
        Answers::Chat => {
            whole("tools", &list(&request["tools"]));
            ("messages", "content")
        }
        Answers::Responses => {
            whole("tools", &list(&request["tools"]));
            request.get("instructions").inspect(|text| whole("instructions", std::slice::from_ref(text)));
            ("input", "content")
        }
        Answers::Gemini => {
            whole("system", &list(&request["systemInstruction"]["parts"]));
            whole("tools", &list(&request["tools"]));
            ("contents", "parts")
        }
    };
    for message in list(&request[key]) {
        let parts = list(&message[content]);
        if parts.is_empty() {
            add(&mut out, "message", &message, true);
            continue;
        }
        let role = message["role"].as_str().unwrap_or_default().to_owned();
        let others =
            message.as_object().unwrap().iter().filter(|(key, _)| !["role", "type", content].contains(&key.as_str()));
        // Members of an object stand in the order of their names.
        let others: std::collections::BTreeMap<&String, &Value> = others.collect();
        let mut all: Vec<(String, Value)> = parts.into_iter().map(|part| (role.clone(), part)).collect();
        all.extend(others.into_iter().map(|(key, value)| (format!("{role} {key}"), value.clone())));
        let last = all.len() - 1;
        for (nth, (who, value)) in all.into_iter().enumerate() {
            add(&mut out, &who, &value, nth == last);
        }
    }
    out
}

/// A turn of a conversation that goes on, or is changed somewhere.
#[derive(Clone, Debug)]
enum Next {
    Says(String, String),
    Calls(usize),
    Changes(usize, String),
    Forgets(usize),
}

fn next() -> impl Strategy<Value = Next> {
    prop_oneof![
        4 => (text(), text()).prop_map(|(asked, said)| Next::Says(asked, said)),
        2 => (1usize..30).prop_map(Next::Calls),
        1 => (any::<prop::sample::Index>(), text()).prop_map(|(at, text)| Next::Changes(at.index(1000), text)),
        1 => any::<prop::sample::Index>().prop_map(|at| Next::Forgets(at.index(1000))),
    ]
}

fn apply(history: &mut Vec<Message>, next: &Next) {
    match next {
        Next::Says(asked, said) => {
            history.push(Message::new(Role::User, format!("{asked}?")));
            history.push(Message::new(Role::Assistant, format!("{said}.")));
        }
        Next::Calls(many) => {
            let ids: Vec<String> = (0..*many).map(|nth| format!("n{}_{nth}", history.len())).collect();
            let call =
                |id: &String| contexture_core::Call { id: id.clone(), name: "run".into(), arguments: "{}".into() };
            history.push(Message::calling("", ids.iter().map(call).collect()));
            history.extend(ids.iter().map(|id| Message::result(id.clone(), "done")));
        }
        Next::Changes(at, text) if !history.is_empty() => {
            let at = at % history.len();
            let role = history[at].role;
            if role != Role::Tool {
                history[at] = Message::new(role, format!("{text}!"));
            }
        }
        Next::Forgets(at) if !history.is_empty() => drop(history.remove(at % history.len())),
        Next::Changes(..) | Next::Forgets(_) => {}
    }
}

/// Rules of the table ask for thousands of tokens; small conversations have them under a rule that asks for few.
fn small(api: Api, model: Option<&str>, minimum: u64) -> Rule {
    Rule { minimum, ..*rule(api, model).unwrap() }
}

fn check_requests(
    workspace: &Workspace,
    mut history: Vec<Message>,
    nexts: &[Next],
    options: &Options,
    api: Api,
    minimum: u64,
) -> Result<(), TestCaseError> {
    let rule = small(api, options.request.model.as_deref(), minimum);
    let mut provider = Provider { rule, kept: BTreeSet::new(), seen: Vec::new() };
    let mut bodies: Vec<String> = Vec::new();
    let count = |text: &str| Words.count(text);
    for nth in 0..=nexts.len() {
        if nth > 0 {
            apply(&mut history, &nexts[nth - 1]);
        }
        let workspace = answerable(workspace, &history);
        let compiled = made(&snapshot(&workspace, &history), options, None, &Words).unwrap();
        check_valid(&compiled, options.format).map_err(TestCaseError::fail)?;
        bodies.push(compiled.output.text());
        hand_over(api.as_str(), bodies.last().unwrap());
        let body = bodies.last().unwrap();
        let request = Request::read(api, body, &count).unwrap();
        let own: Vec<Block> = blocks(api, body)
            .into_iter()
            .zip(&request.segments)
            .map(|(block, segment)| Block { tokens: segment.tokens, ..block })
            .collect();
        prop_assert_eq!(own.len(), request.segments.len(), "{}", body);
        // Marks: no more than allowed, and none on too little, by what the conversation was counted with.
        let table = contexture_core::reuse::rule(api, options.request.model.as_deref()).unwrap();
        let marks: Vec<usize> = (0..own.len()).filter(|at| own[*at].is_marked).collect();
        match table.kind {
            CacheKind::Marks { most, .. } | CacheKind::Points { most, .. } => {
                prop_assert!(marks.len() <= most, "{}", body)
            }
            CacheKind::Steps(_) | CacheKind::Prefix | CacheKind::Units => prop_assert!(marks.is_empty(), "{}", body),
        }
        if let Some(first) = marks.first() {
            // Neighbours that became one message have one frame in place of two.
            let frames = 4 * (history.len() as u64 + 2);
            prop_assert!(request.tokens(first + 1) + frames >= table.minimum, "{}", body);
        }
        let earlier: Vec<Request<'_>> =
            bodies[..nth].iter().map(|body| Request::read(api, body, &count).unwrap()).collect();
        let predicted = predict(&rule, &earlier.iter().collect::<Vec<_>>(), &request);
        let (least, most) = provider.serve(&own);
        prop_assert!(
            (least..=most).contains(&predicted.tokens),
            "{} is not between {least} and {most}: {:?}\n{}",
            predicted.tokens,
            rule,
            bodies.join("\n")
        );
        prop_assert!(predicted.tokens <= predicted.of);
    }
    Ok(())
}

/// Marks are placed by rules of the table; models of these have them for few tokens.
fn marked() -> impl Strategy<Value = (Api, Option<&'static str>)> {
    prop::sample::select(vec![
        (Api::Anthropic, Some("claude-opus-5")),
        (Api::Anthropic, None),
        (Api::MiniMax, None),
        (Api::OpenAi, Some("gpt-5.6")),
        (Api::OpenAi, None),
        (Api::Responses, Some("gpt-6")),
        (Api::Responses, Some("gpt-5.5")),
        (Api::Gemini, Some("gemini-2.5-pro")),
        (Api::DeepSeek, None),
    ])
}

proptest! {
    #![proptest_config(ProptestConfig { cases: cases(200), max_shrink_iters: 400, failure_persistence: None, ..ProptestConfig::default() })]

    #[test]
    fn requests_are_valid_and_found_again_as_predicted(
        workspace in workspace(),
        long in any::<bool>(),
        history in conversation(),
        nexts in prop::collection::vec(next(), 0..4),
        (api, model) in marked(),
        near in any::<bool>(),
        minimum in prop_oneof![Just(0u64), 1u64..400],
    ) {
        // A long beginning, so that rules of the table want their marks.
        let soul = if long { "be kind and brief ".repeat(400) } else { workspace.soul.clone() };
        let workspace = Workspace { soul, ..workspace };
        let mut options = Options { format: Format::Request(api), ..Options::default() };
        options.agent.near = near;
        options.agent.max_messages = None;
        options.request = RequestOptions { model: model.map(str::to_owned), ..RequestOptions::default() };
        check_requests(&workspace, history, &nexts, &options, api, minimum)?;
    }

    /// Taking the marks away gives the request without them: what is said is the same.
    #[test]
    fn marks_change_nothing_else(workspace in workspace(), history in conversation(), (api, model) in marked()) {
        let workspace = Workspace { soul: "be kind and brief ".repeat(400), ..answerable(&workspace, &history) };
        let snapshot = snapshot(&workspace, &history);
        let request = |marks: bool| RequestOptions { model: model.map(str::to_owned), marks, ..RequestOptions::default() };
        let body = |marks: bool| {
            let options = Options { format: Format::Request(api), request: request(marks), ..Options::default() };
            made(&snapshot, &options, None, &Words).unwrap().output.text()
        };
        let texts = |body: &str| -> String {
            blocks(api, body).into_iter().map(|block| block.text).filter(|text| !text.starts_with("instructions")).collect()
        };
        // Where a mark stands on a part, what was one text is a list of it.
        let is_same = matches!(api, Api::Anthropic | Api::MiniMax | Api::Gemini | Api::DeepSeek);
        if is_same {
            prop_assert_eq!(texts(&body(true)), texts(&body(false)));
        }
        prop_assert!(!body(false).contains("cache_control\":") && !body(false).contains("prompt_cache_breakpoint\":"));
    }
}

/// What is kept by itself is found to the word, however a text is written: as a string, as a part, behind others. The texts are compared
/// here, not blocks.
#[test]
fn what_two_texts_begin_with_is_found_in_steps() {
    let count = |text: &str| Words.count(text);
    // Long words at its end: a share of the bytes would tell too few.
    let paper = format!("{}{}", "a b c ".repeat(1_000), "\\\"incomprehensibilities\\\" ".repeat(500));
    let request = |api: Api, role: &str, asked: &str| {
        let text = format!("\"{paper}{asked}\"");
        match api {
            Api::Gemini => format!(r#"{{"contents":[{{"role":"{role}","parts":[{{"text":{text}}}]}}]}}"#),
            Api::Responses => format!(
                r#"{{"model":"m","input":[{{"role":"{role}","content":[{{"type":"input_text","text":{text}}}]}}]}}"#
            ),
            _ => format!(
                r#"{{"model":"m","messages":[{{"role":"system","content":"be brief"}},{{"role":"{role}","content":{text}}}]}}"#
            ),
        }
    };
    for (api, model, step) in
        [(Api::OpenAi, "gpt-5.1", 128), (Api::Responses, "gpt-5.1", 128), (Api::Gemini, "gemini-2.5-pro", 1)]
    {
        let rule = rule(api, Some(model)).unwrap();
        let found = |a: &str, b: &str| {
            let (a, b) = (Request::read(api, a, &count).unwrap(), Request::read(api, b, &count).unwrap());
            let reuse = predict(rule, &[&a], &b);
            assert!(reuse.tokens < reuse.of);
            reuse.tokens
        };
        let (first, second) = (request(api, "user", "what now"), request(api, "user", "what else is there"));
        let least = (count(&paper.replace('\\', "")) - 1) / step * step;
        assert!(found(&first, &second) >= least, "{api}: {} of {least}", found(&first, &second));
        // The other way round, and where one text begins with the other.
        assert!(found(&second, &first) >= least, "{api}");
        assert!(found(&request(api, "user", ""), &first) >= least, "{api}");
        // Nothing of it is found where another says it.
        assert_eq!(found(&first, &request(api, "developer", "what now")), 0, "{api}");
    }
}

#[test]
fn a_long_beginning_is_marked_and_found_again() {
    let workspace = Workspace {
        soul: "be kind and brief ".repeat(400),
        agents: "work".into(),
        memories: Vec::new(),
        skills: Vec::new(),
        tools: String::new(),
        schemas: Vec::new(),
        message: Some("first".into()),
    };
    let body = |message: &str, history: &[Message], model: &str, api: Api| {
        let workspace = Workspace { message: Some(message.into()), ..workspace.clone() };
        let request = RequestOptions { model: Some(model.into()), ..RequestOptions::default() };
        let options = Options { format: Format::Request(api), request, ..Options::default() };
        made(&snapshot(&workspace, history), &options, None, &Words).unwrap().output.text()
    };
    let said = [Message::new(Role::User, "first"), Message::new(Role::Assistant, "answer")];
    let count = |text: &str| Words.count(text);
    for (api, model, marks) in [
        (Api::Anthropic, "claude-opus-5", 2),
        (Api::MiniMax, "MiniMax-M2.7", 2),
        (Api::OpenAi, "gpt-5.6", 1),
        (Api::Responses, "gpt-5.6", 1),
        (Api::Gemini, "gemini-2.5-pro", 0),
        (Api::DeepSeek, "deepseek-v4-pro", 0),
    ] {
        let (first, second) = (body("first", &[], model, api), body("second", &said, model, api));
        let (a, b) = (Request::read(api, &first, &count).unwrap(), Request::read(api, &second, &count).unwrap());
        assert_eq!(a.segments.iter().filter(|segment| segment.is_marked).count(), marks, "{api}: {first}");
        let rule = rule(api, Some(model)).unwrap();
        let reuse = predict(rule, &[&a], &b);
        // Gemini wants more than this conversation has.
        let wanted = if rule.minimum <= 1_600 { 1_600 } else { 0 };
        assert!(reuse.tokens >= wanted, "{api}: {} of {}", reuse.tokens, reuse.of);
        let other = predict(rule, &[&a], &Request::read(api, &second.replace("kind", "curt"), &count).unwrap());
        assert_eq!(other.tokens, 0, "{api}");
        let difference = other.difference.unwrap();
        assert_eq!(&second.replace("kind", "curt")[difference.byte..difference.byte + 4], "curt", "{api}");
    }
    let _ = talk::format();
}

/// Marks count a picture as what stands for it.
#[test]
fn a_picture_told_in_words_is_no_long_beginning() {
    let workspace = Workspace {
        soul: "yes".into(),
        agents: "go".into(),
        memories: Vec::new(),
        skills: Vec::new(),
        tools: String::new(),
        schemas: Vec::new(),
        message: None,
    };
    let picture = contexture_core::Image {
        media_type: "image/png".into(),
        source: contexture_core::ImageSource::Data("aGVsbG8=".into()),
    };
    let mut shows = Message::new(Role::User, "");
    shows.parts = vec![contexture_core::MessagePart::Image(picture)];
    let history = vec![Message::new(Role::Assistant, "yes"), shows];
    for api in [Api::MiniMax, Api::DeepSeek] {
        let options = Options { format: Format::Request(api), ..Options::default() };
        check_requests(&workspace, history.clone(), &[], &options, api, 0).unwrap();
    }
}
