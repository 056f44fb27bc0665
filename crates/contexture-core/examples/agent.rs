//! The next call of an agent, from what it knows: the body of a request, within a limit, that its provider takes.
//!
//! `cargo run -p contexture-core --example agent`
//!
//! `contexture-gather` makes the same items of a workspace's files, and `contexture::agent` keeps them from turn to turn.

use contexture_core::safety::{Safety, Unknown, screen};
use contexture_core::shape::memory;
use contexture_core::{
    Api, Body, Call, Forgetful, Format, InProcess, Item, Layer, Message, Meter, Options, RequestOptions, Role,
    Snapshot, Tokenizer, Tokens, ToolSchema, Tools, compile,
};
use std::error::Error;
use std::io::Write;
use std::sync::Arc;

const SOUL: &str = "You keep the garden diary. Answer in one sentence.\n";
const MEMORY: &str =
    "- The tomatoes stand behind the shed.\n- Ann waters on Mondays.\n- The neighbour's cat is called Miso.\n";

pub fn run(out: &mut dyn Write) -> Result<(), Box<dyn Error>> {
    let mut items = vec![Item::layer(Layer::System, "SOUL.md", Body::text(SOUL))];
    // In the order in which a model reads the layers.
    for memory in memory::split(MEMORY) {
        items.push(Item::layer(Layer::Memory, format!("MEMORY.md:{}", memory.line), Body::Memory(Arc::new(memory))));
    }
    let schemas = [ToolSchema {
        name: "weather".into(),
        description: "The weather of a day.".into(),
        parameters: r#"{"type":"object","properties":{"day":{"type":"string"}},"required":["day"]}"#.into(),
    }];
    items.push(Item::layer(Layer::Tools, "tools", Body::Schemas(schemas.into())));
    let call = Call { id: "call_1".into(), name: "weather".into(), arguments: r#"{"day":"Monday"}"#.into() };
    let history = [
        Message::new(Role::User, "Will it rain on Monday?"),
        Message::calling("", vec![call]),
        Message::result("call_1", "Sun, 24 degrees."),
        Message::new(Role::Assistant, "No: sun, 24 degrees."),
    ];
    for (nth, message) in history.into_iter().enumerate() {
        items.push(Item::layer(Layer::History, format!("session#{}", nth + 1), Body::Message(Arc::new(message))));
    }
    let asked = Message::new(Role::User, "Who waters the tomatoes then?");
    items.push(Item::layer(Layer::Current, "message", Body::Message(Arc::new(asked))));

    let snapshot = screen(Snapshot { items, ..Snapshot::default() }, &Safety::default(), &Unknown);
    let request =
        RequestOptions { model: Some("claude-sonnet-4-5".into()), max_answer: Some(500), ..RequestOptions::default() };
    let format = Format::Request(Api::Anthropic);
    let options = Options { format, budget: Some(Tokens(400)), request, ..Options::default() };
    let tools = Tools { meter: Meter::new(&Tokenizer::O200k, &Forgetful), code: &InProcess };
    let compiled = compile(&snapshot, &options, &tools)?;

    // A body that the API would refuse is an error of `compile`; this is ready to be sent.
    compiled.output.write_to(out)?;
    writeln!(out, "\n{} tokens", compiled.measured)?;
    for size in &compiled.layers {
        writeln!(out, "{}: {} of {} items, {} tokens", size.layer.as_str(), size.shown_items, size.items, size.tokens)?;
    }
    Ok(())
}

fn main() -> Result<(), Box<dyn Error>> {
    run(&mut std::io::stdout().lock())
}
