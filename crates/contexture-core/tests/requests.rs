//! Requests to the byte: a document and a conversation for each API.
#![allow(clippy::unwrap_used)]

use contexture_core::check::check;
use contexture_core::reuse::{self, predict};
use contexture_core::{
    Api, Body, Call, Counter, Forgetful, Format, Image, ImageSource, InProcess, Item, ItemId, ItemKind, Layer, Message,
    MessagePart, Meter, Options, Pixels, RequestOptions, Role, SelectedBy, Snapshot, Thought, Tokenizer, Tokens,
    ToolSchema, Tools, Wish, compile,
};
use contexture_testkit::{hand_over, item, screened};
use std::sync::Arc;

fn written(snapshot: &Snapshot, options: &Options) -> contexture_core::Compiled {
    let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess };
    compile(&screened(snapshot), options, &tools).unwrap()
}

fn layer(layer: Layer, path: &str, body: Body) -> Item {
    Item {
        id: ItemId(path.into()),
        kind: ItemKind::Layer(layer),
        path: path.into(),
        selected_by: SelectedBy::Path,
        body,
        hash: None,
        size: 0,
        modified: 0,
        wish: Wish::default(),
        written: None,
        located: None,
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
    let picture =
        MessagePart::Image(Image { media_type: "image/gif".into(), source: ImageSource::Data("R0lGODlh".into()) });
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
        said(
            0,
            Message {
                parts: vec![MessagePart::Text("What is \"a\"?".into()), picture],
                ..Message::new(Role::User, "")
            },
        ),
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
    picture.body = Body::Image {
        media_type: "image/png",
        pixels: Pixels { width: 800, height: 600 },
        data: Some("iVBORw0KGgo=".into()),
    };
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

/// Another question behind the same document: of what is kept by itself, all but the last step is found again.
#[test]
fn a_document_is_found_again_under_another_question() {
    let mut snapshot = document();
    snapshot.items.retain(|item| item.kind == ItemKind::File);
    snapshot.items[0] = item(ItemKind::File, "a.rs", &"let x = \"a word, and another\";\n".repeat(900));
    let count = |text: &str| Tokenizer::O200k.count(text);
    for (api, model, step) in
        [(Api::OpenAi, "gpt-5.1", 128), (Api::Responses, "gpt-5.1", 128), (Api::Gemini, "gemini-2.5-pro", 1)]
    {
        let body = |question: &str| {
            let mut options = asked(api, model);
            options.request.message = Some(question.into());
            written(&snapshot, &options).output.text()
        };
        let (first, second) = (body("What is x?"), body("Which words are there?"));
        let (first, second) =
            (reuse::Request::read(api, &first, &count).unwrap(), reuse::Request::read(api, &second, &count).unwrap());
        let found = predict(reuse::rule(api, Some(model)).unwrap(), &[&first], &second);
        // The question and the marks around messages are few.
        assert!(found.of > 8_000 && found.tokens + step + 24 > found.of, "{api}: {} of {}", found.tokens, found.of);
        assert_eq!(found.tokens % step, 0, "{api}");
    }
}

#[test]
fn what_is_asked_takes_its_part_of_the_budget() {
    let whole = written(&document(), &asked(Api::Anthropic, "m"));
    let bare = written(&document(), &Options { format: Format::Markdown, ..Options::default() });
    // A picture, what is asked, who answers, and the marks around messages. In Markdown the picture stands as data.
    assert!(whole.measured.0 > 1_600 + 2_000 && bare.measured.0 < whole.measured.0);
    let picture = whole.plan.picks.iter().find(|pick| pick.path == "shot.png").unwrap();
    assert!((1_601..1_650).contains(&picture.tokens.0), "{}", picture.tokens);
    let budget = 2_200;
    let fitted = written(&document(), &Options { budget: Some(Tokens(budget)), ..asked(Api::Anthropic, "m") });
    assert!(fitted.measured.0 <= budget, "{}", fitted.measured);
    let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess };
    let options = Options { budget: Some(Tokens(100)), ..asked(Api::Anthropic, "m") };
    let over = compile(&screened(&document()), &options, &tools).unwrap_err().over_budget().unwrap();
    assert!(over.budget == Tokens(100) && over.needed.0 > 1_600, "{over}");
    assert_eq!(over.largest[0], ("shot.png".to_owned(), Tokens(1_600)));
}

/// Why there is no request.
fn refused(snapshot: &Snapshot, options: &Options) -> String {
    let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess };
    compile(&screened(snapshot), options, &tools).map(|made| made.output.text()).unwrap_err().to_string()
}

#[test]
fn what_would_be_refused_is_not_handed_out() {
    let tool = |name: &str, parameters: &str| ToolSchema {
        name: name.into(),
        description: String::new(),
        parameters: parameters.into(),
    };
    let with = |tools: Vec<ToolSchema>| {
        let mut snapshot = conversation();
        snapshot.items[1].body = Body::Schemas(tools.into());
        snapshot
    };
    for &api in Api::ALL {
        let options = request(api, "m");
        let twice = with(vec![tool("a b", r#"{"type":"object"}"#), tool("a_b", r#"{"type":"object"}"#)]);
        let told = refused(&twice, &options);
        assert!(told.starts_with(&format!("`{api}` would refuse the request: tools")), "{told}");
        assert!(told.contains("[1]: another tool is called `a_b`, too"), "{told}");
        for parameters in ["7", r#"{"type":"string"}"#] {
            let told = refused(&with(vec![tool("a", parameters)]), &options);
            assert!(told.contains("[0]: ") && told.ends_with("is no schema of an object"), "{told}");
        }
        assert!(refused(&with(vec![tool("a", "{")]), &options).contains("it is no JSON"));
        assert!(refused(&Snapshot::default(), &options).contains("there is nothing to show, and nothing is asked"));
        let mut hot = request(api, "m");
        hot.request.temperature = Some(9.0);
        if api.provider().no_temperature.is_none() {
            let told = refused(&document(), &hot);
            assert!(told.contains("`temperature` is no number from 0 to"), "{told}");
        }
    }
}

#[test]
fn a_request_may_wait_for_its_model() {
    let mut options = asked(Api::OpenAi, "m");
    options.request.model = None;
    let made = written(&document(), &options);
    assert_eq!(check(Api::OpenAi, &made.output.text())[0].text, "`model` is missing");
    assert!(made.notes.iter().any(|note| note.text == "the request names no model, and `openai` demands one"));
}

#[test]
fn a_picture_that_is_too_large_is_told_and_stays_a_path() {
    let mut snapshot = document();
    if let Body::Image { pixels, .. } = &mut snapshot.items[2].body {
        pixels.width = 9_000;
    }
    let made = written(&snapshot, &asked(Api::Anthropic, "m"));
    let why = "9000 × 600 pixels, `anthropic` takes 8000 a side";
    assert!(!made.output.text().contains("base64") && made.output.text().contains("shot.png"));
    let pick = made.plan.picks.iter().find(|pick| pick.path == "shot.png").unwrap();
    assert_eq!(pick.why.to_string(), format!("shown by its path: {why}"));
    assert!(made.notes.iter().any(|note| note.text == format!("the picture is not sent: {why}")));
    assert!(written(&snapshot, &asked(Api::OpenAi, "m")).output.text().contains("base64"));
}

#[test]
fn a_picture_that_an_api_does_not_take_is_told_and_stays_a_path() {
    let told = |api: Api, media: &'static str, is_read: bool| {
        let mut snapshot = document();
        if let Body::Image { media_type, data, .. } = &mut snapshot.items[2].body {
            *media_type = media;
            *data = data.take().filter(|_| is_read);
        }
        let made = written(&snapshot, &asked(api, "m"));
        let text = made.output.text();
        assert!(!text.contains("iVBORw0KGgo=") && text.contains("shot.png"), "{text}");
        let pick = made.plan.picks.iter().find(|pick| pick.path == "shot.png").unwrap();
        let notes =
            made.notes.iter().filter(|note| note.text.starts_with("the picture")).map(|note| note.text.as_str());
        format!("{}; {}", pick.why, notes.collect::<Vec<_>>().join(", "))
    };
    for api in [Api::DeepSeek, Api::MiniMax] {
        let why = format!("`{api}` is shown no pictures");
        let both = format!("shown by its path: {why}; the picture is not sent: {why}");
        assert_eq!(told(api, "image/png", true), both);
        assert_eq!(told(api, "image/png", false), both);
    }
    let why = "`gemini` takes no image/gif";
    assert_eq!(
        told(Api::Gemini, "image/gif", true),
        format!("shown by its path: {why}; the picture is not sent: {why}")
    );
    // Where it was left a path by whoever asked, nothing is to be told.
    assert_eq!(told(Api::Gemini, "image/gif", false), "asked for by [screenshots]; ");
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

#[test]
fn a_request_without_a_document_is_that_of_an_empty_snapshot() {
    for api in Api::ALL.iter().copied() {
        let request = RequestOptions {
            model: Some("m".into()),
            max_answer: Some(100),
            temperature: Some(0.5),
            system: Some("Be short.".into()),
            message: Some("Why?".into()),
            ..RequestOptions::default()
        };
        let options = Options { format: Format::Request(api), request: request.clone(), ..Options::default() };
        let whole = written(&Snapshot::default(), &options);
        let meter = Meter::new(&Tokenizer::O200k, &Forgetful);
        let body = contexture_core::request_body(api, request, &Default::default(), &meter).unwrap();
        assert_eq!(body, (whole.output.text(), whole.measured), "{api}");
    }
}
