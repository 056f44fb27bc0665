//! Random conversations and workspaces: parallel calls, orphans, doubles, empty and null content, pictures, equal texts.

use contexture_core::providers::Answers;
use contexture_core::{
    AgentOptions, Api, Base, Body, Call, Format, Image, ImageSource, Item, ItemId, ItemKind, Layer, Memory, Message,
    MessagePart, Options, RequestOptions, Role, SelectedBy, Skill, Snapshot, Thought, Tokens, ToolSchema, Wish,
};
use proptest::prelude::*;
use proptest::sample::select;
use std::sync::Arc;

pub fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        6 => select(vec!["yes", "continue", "ok, next", "What is the plan?", "Ümläute und 漢字", "line\nline\n\nline", "{\"a\":1}", "`code`", "$deploy now", "🎉"]).prop_map(str::to_owned),
        2 => (1usize..120).prop_map(|words| "some words to read ".repeat(words)),
        1 => select(vec!["", " ", "\n"]).prop_map(str::to_owned),
        1 => (20usize..150).prop_map(|lines| "long output of a tool\n".repeat(lines)),
    ]
}

fn part() -> impl Strategy<Value = MessagePart> {
    let image = prop_oneof![
        Just(ImageSource::Data("aGVsbG8=".into())),
        Just(ImageSource::Url("https://example.org/a.png".into())),
        (0u64..3000).prop_map(|bytes| ImageSource::Gone { bytes }),
    ];
    prop_oneof![
        5 => text().prop_map(|text| MessagePart::Text(text.into())),
        1 => image.prop_map(|source| MessagePart::Image(Image { media_type: "image/png".into(), source })),
    ]
}

/// Few ids, so that they meet: twice, without a call, without a result.
fn id() -> impl Strategy<Value = String> {
    select(vec!["a", "b", "c", "call_1", "", "weird id!", "ünï"]).prop_map(str::to_owned)
}

fn call() -> impl Strategy<Value = Call> {
    let arguments = select(vec!["{}", "{\"path\":\"a.rs\"}", "", "not json", "[1,2]", "{\"deep\":{\"x\":null}}"]);
    (id(), select(vec!["read", "write file", "", "searchEverything"]), arguments)
        .prop_map(|(id, name, arguments)| Call { id, name: name.into(), arguments: arguments.into() })
}

/// What models thought, sealed as their APIs want it back.
fn thoughts() -> impl Strategy<Value = Vec<Thought>> {
    let thought = |by: Api| {
        let (text, seal) = match by.provider().dialect.answers {
            Answers::Messages => ("hm", r#"{"type":"thinking","thinking":"hm","signature":"x"}"#),
            Answers::Responses => ("", r#"{"type":"reasoning","id":"r","summary":[],"encrypted_content":"x"}"#),
            Answers::Gemini => ("", "c2ln"),
            Answers::Chat => ("hm, hm", ""),
        };
        Thought { by, text: text.into(), seal: seal.into(), call: (by == Api::Gemini).then_some(0) }
    };
    prop::collection::vec(select(Api::ALL.to_vec()).prop_map(thought), 0..2)
}

pub fn message() -> impl Strategy<Value = Message> {
    let parts = || prop::collection::vec(part(), 0..3);
    let plain = |role: Role| move |parts: Vec<MessagePart>| Message { parts, ..Message::new(role, "") };
    prop_oneof![
        4 => text().prop_map(|text| Message::new(Role::User, text)),
        1 => parts().prop_map(plain(Role::User)),
        3 => text().prop_map(|text| Message::new(Role::Assistant, text)),
        1 => parts().prop_map(plain(Role::Assistant)),
        1 => text().prop_map(|text| Message::new(Role::System, text)),
        4 => (text(), thoughts(), prop::collection::vec(call(), 1..4))
            .prop_map(|(text, thoughts, calls)| Message { thoughts, ..Message::calling(text, calls) }),
        6 => (prop::option::weighted(0.9, id()), parts()).prop_map(|(answers, parts)| Message { parts, answers, ..Message::new(Role::Tool, "") }),
    ]
}

/// A turn as agents have them: a person, calls with their results, an answer.
fn turn() -> impl Strategy<Value = Vec<Message>> {
    (text(), prop::collection::vec((text(), 1usize..4), 0..4), text()).prop_map(|(asked, calls, answer)| {
        let mut turn = vec![Message::new(Role::User, asked)];
        for (nth, (result, many)) in calls.into_iter().enumerate() {
            let ids: Vec<String> = (0..many).map(|k| format!("t{nth}_{k}")).collect();
            let call = |id: &String| Call { id: id.clone(), name: "run".into(), arguments: "{\"x\":1}".into() };
            turn.push(Message::calling("", ids.iter().map(call).collect()));
            turn.extend(ids.iter().rev().map(|id| Message::result(id.clone(), result.clone())));
        }
        turn.push(Message::new(Role::Assistant, answer));
        turn
    })
}

pub fn conversation() -> impl Strategy<Value = Vec<Message>> {
    prop_oneof![
        prop::collection::vec(message(), 0..40),
        prop::collection::vec(turn(), 0..20).prop_map(|turns| turns.concat()),
    ]
}

#[derive(Clone, Debug)]
pub struct Workspace {
    pub soul: String,
    pub agents: String,
    pub memories: Vec<Memory>,
    pub skills: Vec<Skill>,
    pub tools: String,
    pub schemas: Vec<ToolSchema>,
    pub message: Option<String>,
}

pub fn workspace() -> impl Strategy<Value = Workspace> {
    let memory = (text(), prop::option::of(0i32..400), prop::option::of(0.0f32..1.0));
    let skill = (select(vec!["deploy", "review", "git", "tea"]), text(), any::<bool>(), any::<bool>());
    let schema = Just(ToolSchema {
        name: "read".into(),
        description: "Reads.".into(),
        parameters: "{\"type\":\"object\",\"properties\":{}}".into(),
    });
    let filled = || text().prop_map(|text| if text.trim().is_empty() { "go".to_owned() } else { text });
    (
        (filled(), filled()),
        prop::collection::vec(memory, 0..12),
        prop::collection::vec(skill, 0..5),
        text(),
        prop::collection::vec(schema, 0..2),
        prop::option::weighted(0.9, filled()),
    )
        .prop_map(|((soul, agents), memories, skills, tools, schemas, message)| {
            let memory = |(nth, (text, day, importance)): (usize, (String, Option<i32>, Option<f32>))| Memory {
                trail: ["Notes".into()].into(),
                text: text.trim().to_owned() + ".",
                day,
                importance,
                line: nth + 1,
            };
            let mut skills: Vec<Skill> = skills
                .into_iter()
                .map(|(name, text, always, hidden)| Skill {
                    name: name.into(),
                    description: "does it".into(),
                    body: text.into(),
                    always,
                    hidden,
                })
                .collect();
            skills.sort_by(|a, b| a.name.cmp(&b.name));
            skills.dedup_by(|a, b| a.name == b.name);
            let memories = memories.into_iter().enumerate().map(memory).collect();
            Workspace { soul, agents, memories, skills, tools, schemas, message }
        })
}

pub fn format() -> impl Strategy<Value = Format> {
    let mut all = vec![Format::Messages];
    all.extend(Api::ALL.iter().copied().map(Format::Request));
    select(all)
}

/// Models with other rules for the cache; some need few tokens to be kept.
fn model() -> impl Strategy<Value = Option<String>> {
    let names = vec![None, Some("claude-opus-5"), Some("claude-haiku-4-5"), Some("gpt-5.5"), Some("gpt-5.6")];
    select(names).prop_map(|name| name.map(str::to_owned))
}

pub fn options() -> impl Strategy<Value = Options> {
    let most = prop_oneof![Just(Some(50)), Just(None), (0usize..12).prop_map(Some)];
    (format(), most, 0usize..8, 0u64..300, any::<bool>(), model()).prop_map(
        |(format, max_messages, max_memories, tokens, near, model)| {
            let memory_tokens = Tokens(tokens * 4);
            let agent = AgentOptions { max_messages, max_memories, memory_tokens, near };
            // Marks move with the conversation; laws of bytes look at what stands without them.
            let request = RequestOptions { model, marks: false, ..RequestOptions::default() };
            Options { format, agent, request, ..Options::default() }
        },
    )
}

fn item(layer: Layer, path: String, body: Body, size: usize) -> Item {
    Item {
        id: ItemId(format!("{}/{path}", layer.as_str()).into()),
        kind: ItemKind::Layer(layer),
        path,
        selected_by: SelectedBy::Path,
        hash: None,
        body,
        size: size as u64,
        modified: 0,
        wish: Wish::default(),
        written: None,
        located: None,
    }
}

pub fn snapshot(workspace: &Workspace, history: &[Message]) -> Snapshot {
    let text = |layer, path: &str, text: &str| {
        item(layer, path.into(), Body::Text { text: text.into(), base: Base::NotAsked }, text.len())
    };
    let mut items = vec![
        text(Layer::System, "SOUL.md", &workspace.soul),
        text(Layer::System, "AGENTS.md", &workspace.agents),
        text(Layer::Bootstrap, "bootstrap", "Date: 2026-11-16"),
    ];
    for (nth, memory) in workspace.memories.iter().enumerate() {
        items.push(item(
            Layer::Memory,
            format!("memory/MEMORY.md:{nth}"),
            Body::Memory(Arc::new(memory.clone())),
            memory.text.len(),
        ));
    }
    for layer in [Layer::Skill, Layer::SkillBody] {
        for skill in &workspace.skills {
            let path = format!("skills/{}{}", skill.name, if layer == Layer::Skill { "" } else { "/SKILL.md" });
            items.push(item(layer, path, Body::Skill(Arc::new(skill.clone())), skill.body.len()));
        }
    }
    if !workspace.tools.trim().is_empty() {
        items.push(text(Layer::Tools, "TOOLS.md", &workspace.tools));
    }
    if !workspace.schemas.is_empty() {
        items.push(item(Layer::Tools, "tools".into(), Body::Schemas(workspace.schemas.clone().into()), 10));
    }
    for (nth, message) in history.iter().enumerate() {
        items.push(item(
            Layer::History,
            format!("session:{nth}"),
            Body::Message(Arc::new(message.clone())),
            message.size() as usize,
        ));
    }
    if let Some(message) = &workspace.message {
        let message = Message::new(Role::User, message.as_str());
        items.push(item(Layer::Current, "message".into(), Body::Message(Arc::new(message)), 10));
    }
    Snapshot { items, ..Snapshot::default() }
}
