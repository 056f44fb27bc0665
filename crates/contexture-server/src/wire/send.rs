//! A request on its way, and its answer, event by event.

use crate::ops::send::{Done, Ready, Step};
use crate::provider::{Event, Usage, Wait};
use serde_json::{Value, json};

pub fn step(step: &Step<'_>) -> Value {
    match step {
        Step::Leaving { ready, run } => json!({"v": 1, "event": "request", "request": asked(ready, *run)}),
        Step::Failed { because, usage: used, before, cost, run } => {
            let (error, used) = (because.to_string(), used.as_ref().map(usage));
            let before: Vec<Value> = before.iter().map(usage).collect();
            json!({"v": 1, "event": "failed", "error": error, "usage": used, "before": before, "cost": cost, "run": run})
        }
        Step::Instead { model, because } => {
            json!({"v": 1, "event": "instead", "model": model, "because": because.to_string()})
        }
        Step::Event(event) => self::event(event),
    }
}

pub fn waiting(wait: &Wait<'_>) -> Value {
    let seconds = wait.delay.as_secs_f64();
    json!({"v": 1, "event": "waiting", "error": wait.error.to_string(), "seconds": seconds})
}

fn event(event: &Event) -> Value {
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

/// What would leave, or leaves.
pub fn asked(ready: &Ready, run: Option<u64>) -> Value {
    json!({
        "provider": ready.via.as_str(),
        "model": ready.model,
        "run": run,
        "bytes": ready.made.compiled.output.bytes(),
        "tokens": ready.expected,
        "learnt_from": ready.learnt,
        "cost": ready.cost(),
        "cache": ready.reuse.as_ref().map(|reuse| json!({"reused_tokens": reuse.tokens, "written_tokens": reuse.written, "tokens": reuse.of})),
        "document": super::document(&ready.made, None),
    })
}

pub fn done(done: &Done) -> Value {
    let answer = &done.answer;
    json!({
        "v": 1,
        "event": "done",
        "answer": &*answer.message.text(),
        "provider": done.ready.via.as_str(),
        "model": answer.model.as_ref().or(done.ready.model.as_ref()),
        "stop": answer.stop.as_str(),
        "usage": usage(&answer.usage),
        "before": answer.before.iter().map(usage).collect::<Vec<_>>(),
        "cost": done.cost,
        "latency_ms": answer.latency.as_millis() as u64,
        "run": done.run,
        "notes": super::notes(&done.notes),
    })
}
