//! Requests to the byte: a document and a conversation for each API.
#![allow(clippy::unwrap_used)]

use contexture_core::check::check;
use contexture_core::{
    Api, Body, Call, Forgetful, Format, Image, ImageSource, InProcess, Item, ItemId, ItemKind, Layer, Message, Meter,
    Named, Options, Part, RequestOptions, Role, Snapshot, Thought, Tokenizer, Tokens, ToolSchema, Tools, Wish, compile,
};
use contexture_testkit::{hand_over, item};
use std::sync::Arc;

fn written(snapshot: &Snapshot, options: &Options) -> contexture_core::Compiled {
    let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess };
    compile(snapshot, options, &tools).unwrap()
}

fn layer(layer: Layer, path: &str, body: Body) -> Item {
    Item {
        id: ItemId(path.into()),
        kind: ItemKind::Layer(layer),
        path: path.into(),
        named: Named::ByHand,
        body,
        hash: None,
        size: 0,
        modified: 0,
        wish: Wish::default(),
        written: None,
    }
}

fn said(nth: usize, message: Message) -> Item {
    layer(Layer::History, &format!("{nth}"), Body::Message(Arc::new(message)))
}

fn conversation() -> Snapshot {
    let text = |text: &str| Body::Text { text: text.into(), base: contexture_core::Base::NotAsked };
    let schema = ToolSchema {
        name: "read file".into(),
        description: "Reads.".into(),
        parameters: r#"{"type":"object","properties":{"path":{"type":"string"}}}"#.into(),
    };
    let picture = Part::Image(Image { media_type: "image/gif".into(), source: ImageSource::Data("R0lGODlh".into()) });
    let thought = |by: Api, text: &str, seal: &str, call: Option<usize>| Thought {
        by,
        text: text.into(),
        seal: seal.into(),
        call,
    };
    let call = |id: &str| Call { id: id.into(), name: "read file".into(), arguments: r#"{"path":"a"}"#.into() };
    let calling = Message {
        thoughts: vec![
            thought(Api::Anthropic, "I look.", r#"{"type":"thinking","thinking":"I look.","signature":"s1"}"#, None),
            thought(
                Api::Responses,
                "",
                r#"{"type":"reasoning","id":"rs_1","summary":[],"encrypted_content":"e"}"#,
                None,
            ),
            thought(Api::Gemini, "", "c2ln", Some(0)),
            thought(Api::DeepSeek, "I look too.", "", None),
        ],
        ..Message::calling("Let me look.", vec![call("c1"), call("c2")])
    };
    let items = vec![
        layer(Layer::System, "SOUL.md", text("You are kind.")),
        layer(Layer::Tools, "tools", Body::Schemas(vec![schema].into())),
        said(0, Message { parts: vec![Part::Text("What is \"a\"?".into()), picture], ..Message::new(Role::User, "") }),
        said(1, calling),
        said(2, Message::result("c2", "two")),
        said(3, Message::result("c1", "")),
        said(4, Message::new(Role::Assistant, "It is one.")),
        layer(Layer::Current, "current", Body::Message(Arc::new(Message::new(Role::User, "Thanks.\nAnd b?")))),
    ];
    Snapshot { items, ..Snapshot::default() }
}

fn request(api: Api, model: &str) -> Options {
    let request = RequestOptions { model: Some(model.into()), temperature: Some(0.5), ..RequestOptions::default() };
    Options { format: Format::Request(api), request, ..Options::default() }
}

fn body(api: Api, model: &str) -> String {
    let text = written(&conversation(), &request(api, model)).output.text();
    assert_eq!(check(api, &text), [], "{text}");
    hand_over(api.as_str(), &text);
    text
}

#[test]
fn a_conversation_for_anthropic() {
    insta::assert_snapshot!(body(Api::Anthropic, "m"));
}

#[test]
fn a_conversation_for_openai() {
    insta::assert_snapshot!(body(Api::OpenAi, "m"));
}

#[test]
fn a_conversation_for_responses() {
    insta::assert_snapshot!(body(Api::Responses, "m"));
}

#[test]
fn a_conversation_for_gemini() {
    insta::assert_snapshot!(body(Api::Gemini, "m"));
}

#[test]
fn a_conversation_for_deepseek() {
    insta::assert_snapshot!(body(Api::DeepSeek, "m"));
}

#[test]
fn a_conversation_for_minimax() {
    insta::assert_snapshot!(body(Api::MiniMax, "m"));
}

fn document() -> Snapshot {
    let long = "let x = \"a word, and another\";\n".repeat(200);
    let mut picture = item(ItemKind::Screenshot, "shot.png", "");
    picture.body = Body::Image { media_type: "image/png", data: Some("iVBORw0KGgo=".into()) };
    let mut asked = item(ItemKind::Discussion, "1", "");
    asked.body = Body::Said { role: Some("user".into()), content: "earlier words".into() };
    Snapshot {
        items: vec![
            item(ItemKind::File, "a.rs", &long),
            item(ItemKind::File, "b.md", "# B\n\n\"quoted\"\ttext\n"),
            picture,
            asked,
        ],
        ..Snapshot::default()
    }
}

fn asked(api: Api, model: &str) -> Options {
    let mut options = request(api, model);
    options.request.system = Some("You read code.".into());
    options.request.message = Some("What is x?".into());
    options
}

/// With the long part cut out.
fn short(text: &str) -> String {
    text.replace(&"let x = \\\"a word, and another\\\";\\n".repeat(199), "…")
}

#[test]
fn a_document_for_all() {
    let mut all = String::new();
    for (api, model) in [
        (Api::Anthropic, "claude-opus-5"),
        (Api::OpenAi, "gpt-5.6"),
        (Api::OpenAi, "gpt-4.1"),
        (Api::Responses, "gpt-5.6"),
        (Api::Gemini, "gemini-3.8-flash"),
        (Api::DeepSeek, "deepseek-v4-pro"),
        (Api::MiniMax, "MiniMax-M3"),
    ] {
        let text = written(&document(), &asked(api, model)).output.text();
        assert_eq!(check(api, &text), [], "{text}");
        hand_over(api.as_str(), &text);
        all.push_str(&format!("== {api} {model}\n{}", short(&text)));
    }
    insta::assert_snapshot!(all);
}

#[test]
fn what_is_asked_takes_its_part_of_the_budget() {
    let whole = written(&document(), &asked(Api::Anthropic, "m"));
    let bare = written(&document(), &Options { format: Format::Markdown, ..Options::default() });
    // A picture, what is asked, who answers, and the marks around messages. In Markdown the picture stands as data.
    assert!(whole.measured.0 > 1_600 + 2_000 && bare.measured.0 < whole.measured.0);
    let budget = 2_200;
    let fitted = written(&document(), &Options { budget: Some(Tokens(budget)), ..asked(Api::Anthropic, "m") });
    assert!(fitted.measured.0 <= budget, "{}", fitted.measured);
    let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess };
    let options = Options { budget: Some(Tokens(100)), ..asked(Api::Anthropic, "m") };
    let over = compile(&document(), &options, &tools).unwrap_err();
    assert!(over.budget == Tokens(100) && over.needed.0 > 1_600, "{over}");
}

#[test]
fn every_block_of_a_document_knows_its_item() {
    let made = written(&document(), &asked(Api::Responses, "gpt-5.6"));
    let items: Vec<&str> = made.output.blocks.iter().filter_map(|block| block.item.as_ref()).map(|id| &*id.0).collect();
    assert_eq!(items.len(), 4, "{items:?}");
    let talk = written(&conversation(), &request(Api::Anthropic, "m"));
    let items: Vec<&str> = talk.output.blocks.iter().filter_map(|block| block.item.as_ref()).map(|id| &*id.0).collect();
    assert_eq!(items, ["0", "1", "3", "2", "4"]);
}
