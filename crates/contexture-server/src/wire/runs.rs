//! Runs as JSON.

use super::{Value, json};
use crate::ops::runs::{
    Altered, Cause, Change, Common, Difference, First, Found, Hunk, Line, Lines, Replayed, RunsDiff, SinceLast,
};
use contexture_core::shape::diff::Sign;
use contexture_gather::runs::{
    BlockRecord, Effective, ItemRecord, Kept, LeftRecord, Manifest, NoteRecord, RunOutput, RunTokens, Sent, Summary,
};

pub fn list(runs: &[Summary]) -> Value {
    json!({"v": 1, "runs": runs.iter().map(summary).collect::<Vec<_>>()})
}

fn summary(run: &Summary) -> Value {
    json!({
        "number": run.number,
        "kind": run.kind.as_str(),
        "created": run.created,
        "options": options(&run.options),
        "tokens": tokens(&run.tokens),
        "output": output(&run.output),
        "items": run.items,
        "left_out": run.left_out,
        "sent": run.sent.as_ref().map(sent),
    })
}

/// Everything that is known of a run.
pub fn manifest(run: &Manifest) -> Value {
    let left = |left: &LeftRecord| json!({"path": left.path, "reason": left.reason});
    let note =
        |note: &NoteRecord| json!({"topic": note.topic, "path": note.path, "text": note.text, "hint": note.hint});
    let block = |block: &BlockRecord| {
        let path = block.item.and_then(|item| run.items.get(item)).map(|item| &item.path);
        json!({"item": block.item, "path": path, "bytes": block.bytes, "tokens": block.tokens, "hash": block.hash.to_string()})
    };
    json!({
        "v": 1,
        "number": run.number,
        "kind": run.kind.as_str(),
        "created": run.created,
        "version": run.version,
        "request": run.request,
        "options": options(&run.options),
        "tokens": tokens(&run.tokens),
        "output": output(&run.output),
        "prefix": {"bytes": run.prefix.bytes, "tokens": run.prefix.tokens},
        "config": run.config.to_string(),
        "settings": run.settings,
        "items": run.items.iter().map(item).collect::<Vec<_>>(),
        "left_out": run.left_out.iter().map(left).collect::<Vec<_>>(),
        "notes": run.notes.iter().map(note).collect::<Vec<_>>(),
        "blocks": run.blocks.iter().map(block).collect::<Vec<_>>(),
        "sent": run.sent.as_ref().map(sent),
    })
}

pub fn diff(diff: &RunsDiff) -> Value {
    let mut all = json!({"v": 1, "old": diff.old.number, "new": diff.new.number});
    if let (Some(all), Value::Object(more)) = (all.as_object_mut(), difference(&diff.difference)) {
        all.extend(more);
        all.insert("cache".into(), diff.found.as_ref().map_or(Value::Null, found));
    }
    all
}

/// What changed since the last run. `first_difference` is where its bytes are left, `kept` what stands before.
pub fn since(since: &SinceLast) -> Value {
    let Difference { added, removed, changed, altered: settings, first, common: kept } = &since.difference;
    let items = |items: &[ItemRecord]| items.iter().map(item).collect::<Vec<_>>();
    let broken = first.as_ref().map(|first| {
        let (old, new) = (first.old.as_ref(), first.new.as_ref());
        let item = if matches!(first.cause, Cause::Removed(_)) { old.or(new) } else { new.or(old) };
        let mut all = broken(item, &first.cause);
        all["byte"] = json!(first.byte);
        all["exact"] = json!(first.until.is_none());
        all["until"] = json!(first.until);
        all["place"] = json!(first.place);
        all
    });
    json!({
        "run": since.run,
        "same": first.is_none(),
        "first_difference": broken,
        "kept": common(kept),
        "added": items(added),
        "removed": items(removed),
        "changed": changed.iter().map(change).collect::<Vec<_>>(),
        "altered": settings.iter().map(altered).collect::<Vec<_>>(),
        "lines": since.lines.as_ref().map(lines),
    })
}

/// Which item the earlier bytes are left in, and why.
pub(super) fn broken(item: Option<&String>, cause: &Cause) -> Value {
    json!({"item": item, "cause": cause.as_str(), "why": cause.to_string()})
}

fn lines(lines: &Lines) -> Value {
    let line = |line: &Line| {
        let sign = match line.sign {
            Sign::Same => " ",
            Sign::Removed => "-",
            Sign::Added => "+",
        };
        json!([sign, line.text, line.left])
    };
    let hunk = |hunk: &Hunk| {
        json!({
            "old_start": hunk.old.0, "old_lines": hunk.old.1, "new_start": hunk.new.0, "new_lines": hunk.new.1,
            "byte": hunk.byte, "item": hunk.item, "lines": hunk.lines.iter().map(line).collect::<Vec<_>>(),
        })
    };
    json!({
        "added": lines.added,
        "removed": lines.removed,
        "hunks": lines.hunks.iter().map(hunk).collect::<Vec<_>>(),
        "left": {"hunks": lines.left_hunks, "lines": lines.left_lines},
    })
}

/// What a provider's cache finds again.
fn found(found: &Found) -> Value {
    let Found { rule, reuse, item, cause } = found;
    let first = reuse.difference.as_ref().map(|first| {
        json!({
            "byte": first.byte,
            "earlier_byte": first.earlier_byte,
            "place": first.place,
            "change": first.change.as_str(),
            "item": item,
            "cause": cause.as_ref().map(ToString::to_string),
        })
    });
    json!({
        "provider": rule.api.as_str(),
        "reused_tokens": reuse.tokens,
        "tokens": reuse.of,
        "written_tokens": reuse.written,
        "first": first,
        "rule": {"kind": rule.kind.as_str(), "minimum": rule.minimum, "minutes": rule.minutes, "checked": rule.checked, "source": rule.source},
    })
}

/// `path` is where the bytes were written, if anywhere.
/// With the text of the document, where somebody is to have it here.
pub fn replay(replayed: &Replayed, path: Option<&str>, with_text: bool) -> Value {
    let mut value = json!({
        "v": 1,
        "number": replayed.manifest.number,
        "same": replayed.difference.is_none(),
        "path": path,
        "output": output(&replayed.manifest.output),
        "difference": replayed.difference.as_ref().map(difference),
    });
    if with_text {
        value["document"] = replayed.made.compiled.output.text().into();
    }
    value
}

/// The text of a request or of an answer.
pub fn kept(what: Kept, bytes: &[u8]) -> Value {
    json!({"v": 1, "what": what.as_str(), "text": String::from_utf8_lossy(bytes)})
}

fn difference(difference: &Difference) -> Value {
    let items = |items: &[ItemRecord]| items.iter().map(item).collect::<Vec<_>>();
    json!({
        "same": difference.first.is_none(),
        "added": items(&difference.added),
        "removed": items(&difference.removed),
        "changed": difference.changed.iter().map(change).collect::<Vec<_>>(),
        "altered": difference.altered.iter().map(altered).collect::<Vec<_>>(),
        "first": difference.first.as_ref().map(first),
        "common": common(&difference.common),
    })
}

fn change(change: &Change) -> Value {
    json!({
        "path": change.new.path,
        "kind": change.new.kind,
        "content": change.content,
        "view": {"old": change.old.view, "new": change.new.view},
        "tokens": {"old": change.old.tokens, "new": change.new.tokens},
        "reason": {"old": change.old.reason, "new": change.new.reason},
    })
}

fn altered(altered: &Altered) -> Value {
    json!({"what": altered.what.as_str(), "name": altered.name, "old": altered.old, "new": altered.new})
}

fn first(first: &First) -> Value {
    json!({
        "byte": first.byte,
        "exact": first.until.is_none(),
        "until": first.until,
        "item": {"old": first.old, "new": first.new},
        "place": first.place,
        "cause": first.cause.as_str(),
        "why": first.cause.to_string(),
    })
}

fn common(common: &Common) -> Value {
    json!({"bytes": common.bytes, "tokens": common.tokens, "exact": common.exact})
}

fn item(item: &ItemRecord) -> Value {
    let mut value = json!({
        "path": item.path,
        "kind": item.kind,
        "view": item.view,
        "tokens": item.tokens,
        "hash": item.hash.map(|hash| hash.to_string()),
        "reason": item.reason,
    });
    if let Some(object) = value.as_object_mut() {
        object.extend(item.error.iter().map(|error| ("error".to_owned(), json!(error))));
        object.extend(item.written.iter().map(|hash| ("written".to_owned(), json!(hash.to_string()))));
    }
    value
}

fn options(options: &Effective) -> Value {
    let Effective { strategy, strategy_from, format, tokenizer, budget, budget_from } = options;
    json!({
        "strategy": strategy, "strategy_from": strategy_from, "format": format, "tokenizer": tokenizer,
        "budget": budget, "budget_from": budget_from,
    })
}

fn tokens(tokens: &RunTokens) -> Value {
    let RunTokens { count, exact, tokenizer, budget } = tokens;
    json!({"count": count, "exact": exact, "tokenizer": tokenizer, "budget": budget})
}

fn output(output: &RunOutput) -> Value {
    json!({"hash": output.hash.to_string(), "bytes": output.bytes, "path": output.path})
}

fn sent(sent: &Sent) -> Value {
    let Sent { provider, model, server: _, usage, latency_ms, cost, error } = sent;
    let usage = usage.as_ref().map(
        |usage| json!({"input": usage.input, "output": usage.output, "cached": usage.cached, "written": usage.written}),
    );
    json!({"provider": provider, "model": model, "usage": usage, "latency_ms": latency_ms, "cost": cost, "error": error})
}
