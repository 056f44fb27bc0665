//! Trees to try the formats with.

use contexture_core::{
    Action, Api, AuthorType, Bundle, Call, EdgeSource, EdgeType, Image, ImageSource, LoomAgent, LoomEdge, LoomNode,
    LoomPath, LoomTree, Message, MessagePart, PathChoice, Permissions, Preferences, RawResponse, Role, SourceRole,
    Stash, Thought, TreeMode, Truncation,
};
use proptest::prelude::*;
use std::sync::Arc;

/// One of each record.
pub fn small() -> Bundle {
    let thought = Thought { by: Api::Anthropic, text: "hm".into(), seal: "{}".into(), call: None };
    let mixed = Message {
        role: Role::Assistant,
        thoughts: vec![thought],
        parts: vec![
            MessagePart::Text("see ".into()),
            MessagePart::Image(Image { media_type: "image/png".into(), source: ImageSource::Data("AAAA".into()) }),
            MessagePart::Image(Image { media_type: String::new(), source: ImageSource::Gone { bytes: 7 } }),
        ],
        calls: vec![Call { id: "c".into(), name: "ls".into(), arguments: "{}".into() }],
        answers: None,
        name: None,
    };
    let empty = Message { parts: vec![MessagePart::Text("".into())], ..Message::new(Role::User, "") };
    let mut nodes = vec![
        node("n1", AuthorType::Human, Message::new(Role::User, "Hello \\< \u{1F600}\u{1}  ")),
        node("n2", AuthorType::Model, mixed),
        node("n3", AuthorType::Human, empty),
        node("n4", AuthorType::Human, Message { name: Some("ls".into()), ..Message::result("c", "x") }),
    ];
    nodes[2].edited_from = Some("n1".into());
    nodes[2].pruned = Some("n3".into());
    nodes[3].excluded = true;
    nodes[3].bookmark = Some("here".into());
    nodes[3].origin = Some("x/1".into());
    nodes[3].created = i64::MAX;
    let mut edges = vec![edge("e1", "n1", "n2"), edge("e2", "n1", "n4")];
    edges[0].sources.push(EdgeSource { node: "n3".into(), role: SourceRole::Context });
    edges[1].kind = EdgeType::Annotation;
    let mut tree = bundle(nodes, edges);
    tree.tree.system_context = Some("Be kind.".into());
    tree.tree.buffer_mode_system_context = true;
    tree.tree.preferences =
        Preferences { truncation: Some(Truncation::Rolling), minimum_recent_nodes: Some(2), token_buffer: None };
    tree.agents[1].permissions.loom_aware = true;
    tree.agents[1].system_prompt = Some("You are.".into());
    tree.paths[0].choices =
        vec![PathChoice { target: "n2".into(), edge: Some("e1".into()), source: Some("n1".into()) }];
    tree.pins = vec!["n1".into()];
    tree.stashes = vec![Stash { label: "idea".into(), text: "text".into(), recalled: true }];
    tree.actions = vec![Action { at: 5, text: "edit n1".into() }];
    tree.responses = vec![RawResponse {
        node: "n2".into(),
        provider: "openai".into(),
        model: "gpt".into(),
        body: "{}".into(),
        input_tokens: Some(1),
        output_tokens: None,
        latency_ms: 12,
        created: 6,
    }];
    tree
}

pub fn node(id: &str, author_type: AuthorType, message: Message) -> LoomNode {
    LoomNode {
        id: id.into(),
        local: id.into(),
        message: Arc::new(message),
        author: if author_type == AuthorType::Human { "a1" } else { "a2" }.into(),
        author_type,
        edited_from: None,
        created: 1_700_000_000_000,
        excluded: false,
        pruned: None,
        bookmark: None,
        origin: None,
    }
}

pub fn edge(id: &str, source: &str, target: &str) -> LoomEdge {
    LoomEdge {
        id: id.into(),
        sources: vec![EdgeSource { node: source.into(), role: SourceRole::Primary }],
        target: target.into(),
        kind: EdgeType::Continuation,
        created: 1_700_000_000_000,
    }
}

pub fn bundle(nodes: Vec<LoomNode>, edges: Vec<LoomEdge>) -> Bundle {
    let agent = |id: &str, name: &str, kind, model: Option<&str>| LoomAgent {
        id: id.into(),
        name: name.into(),
        kind,
        system_prompt: None,
        model: model.map(Into::into),
        permissions: Permissions::default(),
    };
    let active = nodes.last().map(|node| node.id.clone());
    Bundle {
        tree: LoomTree {
            id: "t1".into(),
            local: "t1".into(),
            title: "A tree".into(),
            mode: TreeMode::Dialogue,
            system_context: None,
            buffer_mode_system_context: false,
            preferences: Preferences::default(),
            created: 1_700_000_000_000,
        },
        agents: vec![
            agent("a1", "human", AuthorType::Human, None),
            agent("a2", "gpt", AuthorType::Model, Some("openai:gpt")),
        ],
        nodes,
        edges,
        paths: vec![LoomPath { id: "p1".into(), name: "main".into(), active, choices: Vec::new() }],
        path: Some("main".into()),
        pins: Vec::new(),
        stashes: Vec::new(),
        actions: Vec::new(),
        responses: Vec::new(),
    }
}

/// A chain of so many nodes.
pub fn chain(length: usize) -> Bundle {
    let id = |number: usize| format!("n{number}");
    let nodes = (0..length).map(|number| {
        let kind = if number % 2 == 0 { AuthorType::Human } else { AuthorType::Model };
        node(&id(number), kind, Message::new(LoomNode::role(kind), format!("{number} ")))
    });
    let edges = (1..length).map(|number| edge(&format!("e{number}"), &id(number - 1), &id(number)));
    bundle(nodes.collect(), edges.collect())
}

pub fn text() -> impl Strategy<Value = String> {
    prop_oneof![
        "[a-z \"\\\\{}\\[\\]<>,:]{0,20}",
        "\\PC{0,10}",
        "(.|[\u{0}-\u{1f}]){0,10}",
        "(\\\\|<|\\[|\u{1F600}){0,8} {0,2}"
    ]
}

/// A tree of messages as programs write them: some nodes excluded, pruned by cascade, bookmarked.
pub fn plain() -> impl Strategy<Value = Bundle> {
    let one = (
        any::<prop::sample::Index>(),
        0..4u8,
        text(),
        (0..8u8, 0..8u8),
        prop::option::weighted(0.2, "[a-z \"]{0,5}"),
        0..4_000_000_000_000i64,
    );
    (prop::collection::vec(one, 1..14), any::<prop::sample::Index>()).prop_map(|(list, active)| {
        let mut nodes: Vec<LoomNode> = Vec::new();
        let mut edges = Vec::new();
        for (number, (above, kind, text, (excluded, pruned), bookmark, created)) in list.into_iter().enumerate() {
            let id = format!("n{number}");
            let message = match kind {
                0 | 1 => Message::new(Role::User, text),
                2 => Message::new(Role::Assistant, text),
                _ => Message::calling(
                    text,
                    vec![Call { id: "c".into(), name: "ls".into(), arguments: "{\"a\":1}".into() }],
                ),
            };
            let author = if kind < 2 { AuthorType::Human } else { AuthorType::Model };
            let mut new = node(&id, author, message);
            (new.excluded, new.bookmark, new.created) = (excluded == 0, bookmark, created + 1);
            if number > 0 {
                let above = &nodes[above.index(number)];
                new.pruned = above.pruned.clone();
                edges.push(edge(&format!("e{number}"), &above.id, &id));
            }
            if pruned == 0 {
                new.pruned = Some(id);
            }
            nodes.push(new);
        }
        let active = nodes[active.index(nodes.len())].id.clone();
        let mut bundle = bundle(nodes, edges);
        bundle.paths[0].active = Some(active);
        bundle
    })
}

fn part() -> impl Strategy<Value = MessagePart> {
    let source = prop_oneof![
        "[A-Za-z0-9+/]{0,8}".prop_map(|data| ImageSource::Data(data.into())),
        text().prop_map(ImageSource::Url),
        any::<u64>().prop_map(|bytes| ImageSource::Gone { bytes }),
    ];
    let image = (text(), source).prop_map(|(media_type, source)| MessagePart::Image(Image { media_type, source }));
    prop_oneof![3 => text().prop_map(|text| MessagePart::Text(text.into())), 1 => image]
}

fn message() -> impl Strategy<Value = Message> {
    let role = prop_oneof![Just(Role::System), Just(Role::User), Just(Role::Assistant), Just(Role::Tool)];
    let call =
        (text(), text(), text()).prop_map(|(id, name, arguments)| Call { id, name, arguments: arguments.into() });
    let optional = || prop::option::of(text());
    let thought = (prop::sample::select(Api::ALL.to_vec()), text(), text(), prop::option::of(0usize..3))
        .prop_map(|(by, text, seal, call)| Thought { by, text: text.into(), seal: seal.into(), call });
    let thoughts = prop::collection::vec(thought, 0..2);
    (role, thoughts, prop::collection::vec(part(), 0..3), prop::collection::vec(call, 0..2), optional(), optional())
        .prop_map(|(role, thoughts, parts, calls, answers, name)| Message {
            thoughts,
            parts,
            calls,
            answers,
            name,
            ..Message::new(role, "")
        })
}

/// Any records at all, whether they fit each other or not.
pub fn wild() -> impl Strategy<Value = Bundle> {
    let optional = || prop::option::of(text());
    let author = || prop_oneof![Just(AuthorType::Human), Just(AuthorType::Model)];
    let node = (
        ("[a-e]{1,2}", text(), message(), "a[12]", author()),
        (
            prop::option::of("[a-e]{1,2}"),
            any::<i64>(),
            any::<bool>(),
            prop::option::of("[a-e]{1,2}"),
            optional(),
            optional(),
        ),
    )
        .prop_map(
            |(
                (id, local, message, author, author_type),
                (edited_from, created, excluded, pruned, bookmark, origin),
            )| {
                let (message, author) = (Arc::new(message), author.into());
                LoomNode {
                    id,
                    local,
                    message,
                    author,
                    author_type,
                    edited_from,
                    created,
                    excluded,
                    pruned,
                    bookmark,
                    origin,
                }
            },
        );
    let role = prop_oneof![Just(SourceRole::Primary), Just(SourceRole::Context), Just(SourceRole::Instruction)];
    let source = ("[a-e]{1,2}", role).prop_map(|(node, role)| EdgeSource { node, role });
    let kind = prop_oneof![Just(EdgeType::Continuation), Just(EdgeType::Annotation)];
    let edge = ("[a-e]{1,2}", prop::collection::vec(source, 0..3), "[a-e]{1,2}", kind, any::<i64>())
        .prop_map(|(id, sources, target, kind, created)| LoomEdge { id, sources, target, kind, created });
    let choice = ("[a-e]{1,2}", optional(), prop::option::of("[a-e]{1,2}"))
        .prop_map(|(target, edge, source)| PathChoice { target, edge, source });
    let path = (text(), "[a-c]", prop::option::of("[a-e]{1,2}"), prop::collection::vec(choice, 0..3))
        .prop_map(|(id, name, active, choices)| LoomPath { id, name, active, choices });
    let agent = (text(), text(), author(), optional(), optional(), any::<[bool; 5]>()).prop_map(
        |(id, name, kind, system_prompt, model, [loom_aware, loom_write, loom_generate, doc_read, doc_write])| {
            LoomAgent {
                id,
                name,
                kind,
                system_prompt: system_prompt.map(Into::into),
                model,
                permissions: Permissions { loom_aware, loom_write, loom_generate, doc_read, doc_write },
            }
        },
    );
    let mode = prop_oneof![Just(TreeMode::Dialogue), Just(TreeMode::Buffer)];
    let truncation =
        prop::option::of(prop_oneof![Just(Truncation::Middle), Just(Truncation::Rolling), Just(Truncation::Stop)]);
    let tree =
        (text(), text(), text(), mode, optional(), any::<bool>(), truncation, any::<(Option<u64>, Option<u64>, i64)>())
            .prop_map(|(id, local, title, mode, system, flag, truncation, (recent, buffer, created))| LoomTree {
                id,
                local,
                title,
                mode,
                system_context: system.map(Into::into),
                buffer_mode_system_context: flag,
                preferences: Preferences { truncation, minimum_recent_nodes: recent, token_buffer: buffer },
                created,
            });
    let stash = (text(), text(), any::<bool>()).prop_map(|(label, text, recalled)| Stash {
        label,
        text: text.into(),
        recalled,
    });
    let action = (any::<i64>(), text()).prop_map(|(at, text)| Action { at, text });
    let response = (text(), text(), text(), text(), any::<(Option<u64>, Option<u64>, u64, i64)>()).prop_map(
        |(node, provider, model, body, (input_tokens, output_tokens, latency_ms, created))| RawResponse {
            node,
            provider,
            model,
            body: body.into(),
            input_tokens,
            output_tokens,
            latency_ms,
            created,
        },
    );
    (
        (
            tree,
            prop::collection::vec(agent, 0..3),
            prop::collection::vec(node, 0..7),
            prop::collection::vec(edge, 0..9),
        ),
        (prop::collection::vec(path, 0..3), prop::option::of("[a-c]"), prop::collection::vec(text(), 0..3)),
        (
            prop::collection::vec(stash, 0..2),
            prop::collection::vec(action, 0..2),
            prop::collection::vec(response, 0..2),
        ),
    )
        .prop_map(|((tree, agents, nodes, edges), (paths, path, pins), (stashes, actions, responses))| Bundle {
            tree,
            agents,
            nodes,
            edges,
            paths,
            path,
            pins,
            stashes,
            actions,
            responses,
        })
}
