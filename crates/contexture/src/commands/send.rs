//! `send`: a document with a question to a model, the answer on standard output while it comes.

use super::build::document;
use crate::args::SendArgs;
use crate::failure::{Failure, Kind};
use crate::ui::{Ui, count};
use contexture_core::Api;
use contexture_server::ops::send::{self, Done, Ready, SendRequest, Step};
use contexture_server::ops::{Door, OpError, Request};
use contexture_server::provider::{CLI_VARIABLE, Cancel, Event, Key, Policy, Usage, home};
use contexture_server::wire;
use serde_json::{Value, json};
use std::io::{self, Write};
use std::path::PathBuf;
use std::time::Duration;

pub fn run(door: &Door, args: SendArgs, ui: &Ui) -> Result<(), Failure> {
    let key_env = args.key_env.clone();
    let key = |api: Api| key(api, key_env.as_deref());
    let request = SendRequest {
        document: Request {
            temperature: args.temperature,
            no_manifest: args.no_manifest,
            ..document(&args.paths, &args.select, &args.parts, &args.request)?
        },
        via: args.provider,
        base_url: args.base_url,
        timeout: Duration::from_secs(args.timeout),
        key: &key,
        is_own_key: key_env.is_some(),
        cli: std::env::var_os(CLI_VARIABLE).filter(|path| !path.is_empty()).map(PathBuf::from),
        policy: Policy::default(),
    };
    if args.dry_run {
        let ready = ui.with_progress(&door.progress, || send::ready(door, &request))?;
        if ui.json {
            return Ok(ui.print_json(&json!({"v": 1, "request": asked(&ready, None)}))?);
        }
        ui.notes(&ready.made.compiled.notes);
        return Ok(ui.print(&format!("{}\n", leaving(&ready)))?);
    }
    let cancel = Cancel::new();
    on_interrupt(&cancel);
    let mut printer = Printer { ui, ends_line: true, failed: None };
    let done = send::send(door, &request, &mut |step| printer.step(&step, &cancel), &cancel);
    printer.close()?;
    if let Some(error) = printer.failed {
        return Err(error.into());
    }
    let done = done?;
    if ui.json {
        line(&told(&done))?;
    }
    ui.notes(&done.notes);
    ui.say(&spent(&done));
    Ok(())
}

/// The first time, what is done is kept and the rest is left; the second time, everything ends at once.
pub fn on_interrupt(cancel: &Cancel) {
    let cancel = cancel.clone();
    let handler = move || {
        if cancel.is_cancelled() {
            std::process::exit(Kind::Interrupted as i32);
        }
        cancel.cancel();
    };
    // Without it, an interrupt ends the program as it does any other.
    let _ = ctrlc::set_handler(handler);
}

/// From the environment alone: what stands on a command line is read by others.
pub fn key(api: Api, named: Option<&str>) -> Result<Option<Key>, OpError> {
    let read = |name: &str| std::env::var(name).ok().filter(|key| !key.trim().is_empty());
    let (key, name) = match named {
        Some(name) => {
            let key = read(name).ok_or_else(|| {
                OpError::usage(format!("the variable `{name}` is not set"))
                    .hint("`--key-env` names the variable that holds the key, never the key")
            })?;
            (Some(key), name)
        }
        None => home(api).key_names.iter().find_map(|name| Some((Some(read(name)?), *name))).unwrap_or((None, "")),
    };
    let wrong = |error: &dyn std::fmt::Display| OpError::usage(format!("`{name}`: {error}"));
    key.map(|key| Key::new(&key)).transpose().map_err(|error| wrong(&error).hint(error.hint()))
}

/// Puts what comes on standard output: text as it is, or events, a line each.
struct Printer<'a> {
    ui: &'a Ui,
    ends_line: bool,
    failed: Option<io::Error>,
}

impl Printer<'_> {
    fn step(&mut self, step: &Step<'_>, cancel: &Cancel) {
        let written = match step {
            Step::Leaving { ready, run } if self.ui.json => {
                line(&json!({"v": 1, "event": "request", "request": asked(ready, *run)}))
            }
            Step::Leaving { ready, .. } => {
                self.ui.say(&leaving(ready));
                Ok(())
            }
            Step::Instead { model, because } if self.ui.json => {
                line(&json!({"v": 1, "event": "instead", "model": model, "because": because.to_string()}))
            }
            Step::Instead { model, because } => {
                self.ui.say(&format!("note: `{model}` is asked instead: {because}"));
                Ok(())
            }
            Step::Event(event) => self.event(event),
        };
        // Nobody reads any more: there is nothing to wait for.
        if let Err(error) = written {
            self.failed.get_or_insert(error);
            cancel.cancel();
        }
    }

    fn event(&mut self, event: &Event) -> io::Result<()> {
        if self.ui.json {
            return line(&shown(event));
        }
        match event {
            Event::Text(text) => {
                self.ends_line = text.ends_with('\n');
                let mut out = io::stdout().lock();
                out.write_all(text.as_bytes())?;
                out.flush()
            }
            Event::Thought(_) | Event::Call { .. } | Event::Arguments { .. } | Event::Usage(_) | Event::End(_) => {
                Ok(())
            }
        }
    }

    fn close(&mut self) -> io::Result<()> {
        if !self.ends_line && !self.ui.json {
            io::stdout().write_all(b"\n")?;
        }
        Ok(())
    }
}

pub fn line(value: &Value) -> io::Result<()> {
    let mut out = io::stdout().lock();
    writeln!(out, "{value}")?;
    out.flush()
}

fn shown(event: &Event) -> Value {
    match event {
        Event::Text(text) => json!({"v": 1, "event": "text", "text": text}),
        Event::Thought(text) => json!({"v": 1, "event": "thought", "text": text}),
        Event::Call { call, id, name } => json!({"v": 1, "event": "call", "call": call, "id": id, "name": name}),
        Event::Arguments { call, piece } => json!({"v": 1, "event": "arguments", "call": call, "piece": piece}),
        Event::Usage(used) => json!({"v": 1, "event": "usage", "usage": usage(used)}),
        Event::End(stop) => json!({"v": 1, "event": "end", "stop": stop.as_str()}),
    }
}

fn usage(used: &Usage) -> Value {
    let Usage { input, output, cached, written, thinking } = used;
    json!({"input": input, "output": output, "cached": cached, "written": written, "thinking": thinking})
}

fn asked(ready: &Ready, run: Option<u64>) -> Value {
    json!({
        "provider": ready.via.as_str(),
        "model": ready.model,
        "run": run,
        "bytes": ready.made.compiled.output.bytes(),
        "tokens": ready.expected,
        "learnt_from": ready.learnt,
        "cost": ready.cost(),
        "cache": ready.reuse.as_ref().map(|reuse| json!({"reused_tokens": reuse.tokens, "written_tokens": reuse.written, "tokens": reuse.of})),
        "document": wire::document(&ready.made, None),
    })
}

fn told(done: &Done) -> Value {
    let answer = &done.answer;
    json!({
        "v": 1,
        "event": "done",
        "answer": &*answer.message.text(),
        "provider": done.ready.via.as_str(),
        "model": answer.model.as_ref().or(done.ready.model.as_ref()),
        "stop": answer.stop.as_str(),
        "usage": usage(&answer.usage),
        "cost": done.cost,
        "latency_ms": answer.latency.as_millis() as u64,
        "run": done.run,
        "notes": wire::notes(&done.notes),
    })
}

/// What leaves, in one line.
fn leaving(ready: &Ready) -> String {
    let model = ready.model.as_ref().map(|model| format!(" {model}")).unwrap_or_default();
    let how = match (ready.made.exact, ready.learnt) {
        (true, 0) => String::new(),
        (false, 0) => " (estimated)".into(),
        (_, many) => format!(" (learnt from {})", crate::ui::counted(many as u64, "answer")),
    };
    let cached = ready.reuse.as_ref().map(|reuse| format!(", about {} of them kept by its cache", count(reuse.tokens)));
    let cost = ready.cost().map(|cost| format!(", {} without the answer", dollars(cost)));
    format!(
        "to {}{model}: {} tokens{how}, {} bytes{}{}",
        ready.via.as_str(),
        count(ready.expected),
        count(ready.made.compiled.output.bytes() as u64),
        cached.unwrap_or_default(),
        cost.unwrap_or_default(),
    )
}

fn spent(done: &Done) -> String {
    let used = &done.answer.usage;
    let tokens = |name: &str, tokens: Option<u64>| tokens.map(|tokens| format!("{} {name}", count(tokens)));
    let cached = used.cached.filter(|cached| *cached > 0).map(|cached| format!("{} of it cached", count(cached)));
    let parts = [tokens("in", used.input), cached, tokens("out", used.output), done.cost.map(dollars)];
    let mut parts: Vec<String> = parts.into_iter().flatten().collect();
    parts.push(format!("{:.1} s", done.answer.latency.as_secs_f64()));
    parts.extend(done.run.map(|run| format!("run {run}")));
    parts.join(", ")
}

pub fn dollars(cost: f64) -> String {
    if cost < 0.01 { format!("${cost:.5}") } else { format!("${cost:.2}") }
}
