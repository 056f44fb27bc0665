//! What goes to models: an agent's context, a document with a question, files that are to be summarised.

use super::super::answer::Wrong;
use super::super::calls::Call;
use crate::ops::send::{self, SendRequest};
use crate::ops::summarize::{SummarizeRequest, Which, summarize as ask_all, summarize_plan};
use crate::ops::{self, AgentRequest, Door, OpError, Request, Via};
use crate::provider::{Cancel, Policy};
use crate::wire;
use contexture_core::check::check as provider_check;
use contexture_core::safety::Secrets;
use contexture_core::{Api, Format};
use contexture_gather::sessions::ImportOptions;
use serde_json::{Value, json};
use std::path::{Path, PathBuf};
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
        import: import(call),
        tokenizer: call.owned("tokenizer"),
        max_messages: call.size("max_messages"),
        max_memories: call.size("max_memories"),
        tools: None,
        schemas: call.value("tools").map(Value::to_string),
        agents_from: call.text("agents_from").map(PathBuf::from),
        secrets: call.text("secrets").and_then(Secrets::parse),
        no_manifest: call.flag("no_manifest"),
    };
    Ok(wire::agent(&ops::agent(&call.door, &request)?, None))
}

fn import(call: &Call<'_>) -> ImportOptions {
    ImportOptions {
        leaf: call.owned("leaf"),
        full_log: call.flag("full_log"),
        conversation: call.owned("conversation"),
    }
}

/// What is imported comes with the call: a server reads no file because a page names it.
pub fn session_import(call: &Call<'_>) -> Result<Value, Wrong> {
    let door = Door { input: Some(call.needed("text").as_bytes().to_vec()), ..call.door.clone() };
    Ok(wire::session(&ops::session_import(&door, Path::new("-"), &import(call))?))
}

pub fn session_append(call: &Call<'_>) -> Result<Value, Wrong> {
    let calls = call.value("tool_calls").map(Value::to_string);
    let content = call.needed("content").to_owned();
    let message = ops::spoken(call.needed("role"), content, call.owned("tool_call_id"), calls.as_deref())?;
    let file = call.needed("file");
    Ok(wire::appended(file, &ops::append_inside(&call.door, file, message)?))
}

pub fn check(call: &Call<'_>) -> Result<Value, Wrong> {
    let api = Api::parse(call.needed("provider")).unwrap_or(Api::OpenAi);
    Ok(wire::checked(api, &provider_check(api, call.needed("body"))))
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
        timeout: call.seconds("timeout").unwrap_or(TIME),
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
    let usual = SummarizeRequest::new(&key);
    let request = SummarizeRequest {
        price_in: call.real("price_in"),
        price_out: call.real("price_out"),
        jobs: call.size("jobs").map_or(usual.jobs, |jobs| jobs.clamp(1, 64)),
        which: if call.flag("again") { Which::All } else { Which::Missing },
        timeout: call.seconds("timeout").unwrap_or(usual.timeout),
        files: call.request()?,
        api,
        model: call.owned("model"),
        base_url: call.owned("base_url"),
        max_cost: call.real("max_cost"),
        ..usual
    };
    if call.flag("dry_run") {
        tell(wire::summaries::planned(&summarize_plan(&call.door, &request)?));
        return Ok(());
    }
    let done = ask_all(&call.door, &request, &mut |step| tell(wire::summaries::step(&step)), cancel)?;
    tell(wire::summaries::summarized(&done));
    Ok(())
}
