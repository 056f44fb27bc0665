//! What goes to models: an agent's context, a document with a question, files that are to be summarised.

use super::super::answer::Wrong;
use super::super::calls::Call;
use crate::ops::send::{self, SendRequest};
use crate::ops::summarize::{SummarizeRequest, summarize as ask_all, summarize_plan};
use crate::ops::{self, AgentRequest, OpError, Request, Via};
use crate::provider::{Cancel, Policy};
use crate::wire;
use contexture_core::{Api, Format};
use serde_json::{Value, json};
use std::path::PathBuf;
use std::time::Duration;

/// A model that reasons for long says nothing meanwhile.
const TIME: Duration = Duration::from_secs(600);

pub fn agent(call: &Call<'_>) -> Result<Value, Wrong> {
    let request = AgentRequest {
        message: call.owned("message").unwrap_or_default(),
        workspace: call.text("workspace").map(PathBuf::from),
        session: call.text("session").map(PathBuf::from),
        max_tokens: call.number("max_tokens"),
        memory_tokens: call.number("memory_tokens"),
        model: call.owned("model"),
        format: call.text("format").map(format).transpose()?,
        near: call.flag("near"),
        no_manifest: call.flag("no_manifest"),
        ..AgentRequest::default()
    };
    Ok(wire::agent(&ops::agent(&call.door, &request)?, None))
}

pub fn format(word: &str) -> Result<Format, OpError> {
    Format::parse(word).ok_or_else(|| OpError::usage(format!("no format is called `{}`", word.escape_debug())))
}

fn via(call: &Call<'_>) -> Option<Via> {
    call.text("provider").and_then(Via::parse)
}

pub fn send(call: &Call<'_>, tell: &mut dyn FnMut(Value), cancel: &Cancel) -> Result<(), OpError> {
    let keys = &call.served.keys;
    let key = |api: Api| keys(api);
    let model = call.owned("model");
    let document = call.request()?;
    let request = SendRequest {
        document: Request { model: model.or_else(|| document.model.clone()), ..document },
        via: via(call),
        base_url: call.owned("base_url"),
        timeout: TIME,
        key: &key,
        is_own_key: false,
        cli: None,
        policy: Policy::default(),
    };
    if call.flag("dry_run") {
        let ready = send::ready(&call.door, &request)?;
        tell(json!({"v": 1, "event": "request", "request": wire::send::asked(&ready, None)}));
        return Ok(());
    }
    let done = send::send(&call.door, &request, &mut |step| tell(wire::send::step(&step)), cancel)?;
    tell(wire::send::done(&done));
    Ok(())
}

pub fn summarize(call: &Call<'_>, tell: &mut dyn FnMut(Value), cancel: &Cancel) -> Result<(), OpError> {
    let keys = &call.served.keys;
    let key = |api: Api| keys(api);
    let api = match via(call) {
        Some(Via::Api(api)) => Some(api),
        Some(Via::GeminiCli) => return Err(OpError::usage("`gemini-cli` writes no summaries")),
        None => None,
    };
    let request = SummarizeRequest {
        files: call.request()?,
        api,
        model: call.owned("model"),
        base_url: call.owned("base_url"),
        max_cost: call.real("max_cost"),
        ..SummarizeRequest::new(&key)
    };
    if call.flag("dry_run") {
        tell(wire::summaries::planned(&summarize_plan(&call.door, &request)?));
        return Ok(());
    }
    let done = ask_all(&call.door, &request, &mut |step| tell(wire::summaries::step(&step)), cancel)?;
    tell(wire::summaries::summarized(&done));
    Ok(())
}
