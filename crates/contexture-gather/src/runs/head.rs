//! All of a manifest but its request and its lists, as one JSON object.
//!
//! Gives JSON and takes it back. Fields of later versions are passed over; what is missing or of another type is damage.

use super::manifest::{Effective, Manifest, RunKind, RunOutput, RunPrefix, RunTokens, Sent, Summary, Usage};
use contexture_core::ContentHash;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

pub(super) fn write(manifest: &Manifest) -> String {
    let Manifest {
        number: _,
        kind,
        created,
        version,
        request: _,
        options,
        tokens,
        output,
        prefix,
        config,
        settings,
        ..
    } = manifest;
    let head = json!({
        "kind": kind.as_str(),
        "created": created,
        "version": version,
        "options": {
            "strategy": options.strategy, "strategy_from": options.strategy_from, "format": options.format,
            "tokenizer": options.tokenizer, "budget": options.budget, "budget_from": options.budget_from,
        },
        "tokens": {"count": tokens.count, "exact": tokens.exact, "tokenizer": tokens.tokenizer, "budget": tokens.budget},
        "output": {"hash": output.hash.to_string(), "bytes": output.bytes, "path": output.path},
        "prefix": {"bytes": prefix.bytes, "tokens": prefix.tokens},
        "config": config.to_string(),
        "settings": settings.iter().map(|(key, value)| (key.clone(), json!(value))).collect::<Map<_, _>>(),
        "items": manifest.items.len(),
        "left_out": manifest.left_out.len(),
        "sent": manifest.sent.as_ref().map(write_sent),
    });
    head.to_string()
}

pub(super) fn write_sent(sent: &Sent) -> Value {
    let usage = |usage: &Usage| {
        let Usage { input, output, cached, written } = usage;
        json!({"input": input, "output": output, "cached": cached, "written": written})
    };
    let Sent { provider, model, server, usage: used, latency_ms, cost, error } = sent;
    json!({
        "provider": provider, "model": model, "server": server, "usage": used.as_ref().map(usage), "latency_ms": latency_ms,
        "cost": cost, "error": error,
    })
}

/// A manifest without its request and its lists; `None` is damage.
pub(super) fn read(head: &Value, number: u64) -> Option<Manifest> {
    let Summary { number, kind, created, options, tokens, output, sent, .. } = summary(head, number)?;
    let settings = head.get("settings")?.as_object()?;
    let prefix = head.get("prefix")?;
    Some(Manifest {
        number,
        kind,
        created,
        version: text(head, "version")?,
        request: Value::Null,
        options,
        tokens,
        output,
        prefix: RunPrefix { bytes: whole(prefix, "bytes")?, tokens: whole(prefix, "tokens")? },
        config: hash(head, "config")?,
        settings: settings
            .iter()
            .map(|(key, value)| Some((key.clone(), value.as_str()?.to_owned())))
            .collect::<Option<BTreeMap<_, _>>>()?,
        items: Vec::new(),
        left_out: Vec::new(),
        notes: Vec::new(),
        blocks: Vec::new(),
        sent,
    })
}

pub(super) fn summary(head: &Value, number: u64) -> Option<Summary> {
    let (options, tokens, output) = (head.get("options")?, head.get("tokens")?, head.get("output")?);
    Some(Summary {
        number,
        kind: RunKind::parse(head.get("kind")?.as_str()?)?,
        created: text(head, "created")?,
        options: Effective {
            strategy: text(options, "strategy")?,
            strategy_from: text(options, "strategy_from")?,
            format: text(options, "format")?,
            tokenizer: text(options, "tokenizer")?,
            budget: maybe(options, "budget", Value::as_u64)?,
            budget_from: maybe(options, "budget_from", owned)?,
        },
        tokens: RunTokens {
            count: whole(tokens, "count")?,
            exact: tokens.get("exact")?.as_bool()?,
            tokenizer: text(tokens, "tokenizer")?,
            budget: maybe(tokens, "budget", Value::as_u64)?,
        },
        output: RunOutput {
            hash: hash(output, "hash")?,
            bytes: whole(output, "bytes")?,
            path: maybe(output, "path", owned)?,
        },
        items: whole(head, "items")?,
        left_out: whole(head, "left_out")?,
        sent: maybe(head, "sent", read_sent)?,
    })
}

fn read_sent(sent: &Value) -> Option<Sent> {
    let usage = |usage: &Value| {
        Some(Usage {
            input: whole(usage, "input")?,
            output: whole(usage, "output")?,
            cached: whole(usage, "cached")?,
            written: whole(usage, "written")?,
        })
    };
    Some(Sent {
        provider: text(sent, "provider")?,
        model: text(sent, "model")?,
        // Runs of earlier versions do not tell.
        server: sent.get("server").and_then(owned),
        usage: maybe(sent, "usage", usage)?,
        latency_ms: maybe(sent, "latency_ms", Value::as_u64)?,
        cost: maybe(sent, "cost", Value::as_f64)?,
        error: maybe(sent, "error", owned)?,
    })
}

fn text(value: &Value, key: &str) -> Option<String> {
    value.get(key).and_then(owned)
}

fn whole(value: &Value, key: &str) -> Option<u64> {
    value.get(key)?.as_u64()
}

fn owned(value: &Value) -> Option<String> {
    value.as_str().map(str::to_owned)
}

/// Null is nothing; what is there must be of the right type.
fn maybe<T>(value: &Value, key: &str, read: impl Fn(&Value) -> Option<T>) -> Option<Option<T>> {
    match value.get(key)? {
        Value::Null => Some(None),
        value => read(value).map(Some),
    }
}

fn hash(value: &Value, key: &str) -> Option<ContentHash> {
    let hex = value.get(key)?.as_str()?.as_bytes();
    let mut bytes = [0; 32];
    if hex.len() != 64 {
        return None;
    }
    for (byte, digits) in bytes.iter_mut().zip(hex.chunks_exact(2)) {
        *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
    }
    Some(ContentHash(bytes))
}
