//! The one JSON shape: what `--json` prints. Versioned by `v`; fields are only ever added.

use crate::ops::{FileTokens, Made, Reason, Stats, Symbols};
use contexture_core::{Explained, ItemKind, Move, Note, Pick};
use contexture_syntax::Kind;
use serde_json::{Value, json};
use std::collections::BTreeMap;

/// A document or a plan of one. `path` is where it was written, if anywhere.
pub fn document(made: &Made, path: Option<&str>) -> Value {
    let compiled = &made.compiled;
    let mut value = json!({
        "v": 1,
        "path": path,
        "tokens": {
            "count": compiled.measured.0,
            "exact": made.exact,
            "tokenizer": made.tokenizer,
            "budget": made.budget.map(|budget| budget.0),
            "budget_from": made.budget_from.as_ref().map(ToString::to_string),
        },
        "bytes": compiled.output.bytes(),
        "items": compiled.plan.picks.iter().map(item).collect::<Vec<_>>(),
        "left_out": compiled.plan.left_out.iter().map(|left| json!({"path": left.path, "reason": left.why.to_string()})).collect::<Vec<_>>(),
        "notes": notes(&compiled.notes),
        "prefix": {"bytes": compiled.output.prefix_bytes(), "tokens": compiled.prefix.0},
    });
    if let (Some(fit), Some(object)) = (&compiled.fit, value.as_object_mut()) {
        let moves = |moves: &[Move]| moves.iter().map(step).collect::<Vec<_>>();
        let fit = json!({"share_of_bound": rounded(fit.share()), "first_to_go": moves(&fit.last), "first_to_come": moves(&fit.next)});
        object.insert("fit".into(), fit);
    }
    value
}

/// One step of a ladder.
fn step(step: &Move) -> Value {
    json!({"path": step.path, "symbol": step.symbol, "shows": step.what, "tokens": step.tokens, "worth": rounded(step.worth)})
}

/// Figures for people and panels: four digits are more than they mean.
fn rounded(value: f64) -> f64 {
    (value * 1e4).round() / 1e4
}

fn explained(explained: &Explained) -> Value {
    let parts = |parts: &[(&'static str, f64)]| {
        parts.iter().map(|(name, value)| json!({"what": name, "adds": rounded(*value)})).collect::<Vec<_>>()
    };
    let symbols = explained.symbols.iter().map(|symbol| {
        json!({
            "qualified": symbol.qualified,
            "shown": symbol.shown,
            "relevance": rounded(symbol.probability),
            "parts": parts(&symbol.parts),
            "next": symbol.up.as_ref().map(step),
        })
    });
    json!({
        "rank": explained.rank,
        "of": explained.of,
        "relevance": rounded(explained.probability),
        "parts": parts(&explained.parts),
        "next": explained.up.as_ref().map(step),
        "symbols": symbols.collect::<Vec<_>>(),
    })
}

pub fn item(pick: &Pick) -> Value {
    let mut value = json!({
        "path": pick.path,
        "kind": kind(pick.kind),
        "view": pick.level.as_str(),
        "tokens": pick.tokens.0,
        "hash": pick.hash.map(|hash| hash.to_string()),
        "reason": pick.why.to_string(),
    });
    if let (Some(error), Some(object)) = (&pick.error, value.as_object_mut()) {
        object.insert("error".into(), json!(error));
    }
    value
}

fn kind(kind: ItemKind) -> &'static str {
    match kind {
        ItemKind::File => "file",
        ItemKind::Screenshot => "screenshot",
        ItemKind::Diff => "diff",
        ItemKind::Log => "log",
        ItemKind::Beads => "beads",
        ItemKind::Retrieved => "retrieved",
        ItemKind::Discussion => "discussion",
        ItemKind::Layer(layer) => layer.as_str(),
    }
}

pub fn notes(notes: &[Note]) -> Value {
    notes.iter().map(note).collect()
}

fn note(note: &Note) -> Value {
    json!({"topic": note.topic.as_str(), "path": note.path, "text": note.text, "hint": note.hint})
}

pub fn tokens(counted: &FileTokens) -> Value {
    json!({
        "v": 1,
        "tokens": {"count": counted.total, "exact": counted.exact, "tokenizer": counted.tokenizer},
        "files": counted.files.iter().map(|file| json!({"path": file.path, "tokens": file.tokens, "bytes": file.bytes, "error": file.error})).collect::<Vec<_>>(),
        "folders": counted.folders.iter().map(|(path, tokens)| json!({"path": path, "tokens": tokens})).collect::<Vec<_>>(),
        "notes": notes(&counted.notes),
    })
}

pub fn reason(reason: &Reason) -> Value {
    json!({
        "v": 1,
        "path": reason.path,
        "shown": reason.shown,
        "view": reason.view.map(contexture_core::Level::as_str),
        "tokens": reason.tokens,
        "reason": reason.why,
        "details": reason.details,
        "hint": reason.hint,
        "weighed": reason.explained.as_ref().map(explained),
    })
}

pub fn stats(stats: &Stats) -> Value {
    let row = |row: &crate::ops::StatsRow| json!({"name": row.name, "files": row.files, "bytes": row.bytes, "lines": row.lines, "tokens": row.tokens, "symbols": kinds(&row.symbols)});
    json!({
        "v": 1,
        "total": row(&stats.total),
        "tokens": {"count": stats.total.tokens, "exact": stats.exact, "tokenizer": stats.tokenizer},
        "languages": stats.languages.iter().map(row).collect::<Vec<_>>(),
        "folders": stats.folders.iter().map(row).collect::<Vec<_>>(),
        "notes": notes(&stats.notes),
    })
}

fn kinds(kinds: &BTreeMap<Kind, u64>) -> Value {
    kinds.iter().map(|(kind, count)| (kind.as_str().to_owned(), json!(count))).collect::<serde_json::Map<_, _>>().into()
}

/// A plain list: what other programs rely on.
pub fn symbols(found: &Symbols) -> Value {
    let symbol = |symbol: &contexture_syntax::Symbol| {
        json!({
            "name": symbol.name,
            "qualified": symbol.qualified,
            "kind": symbol.kind.as_str(),
            "start_line": symbol.start_line,
            "end_line": symbol.end_line,
            "first_line": symbol.first_line,
            "signature": symbol.signature,
            "visibility": symbol.visibility.as_str(),
            "doc": symbol.doc,
        })
    };
    found.symbols.iter().map(symbol).collect()
}

/// Where a slice is now. The lines are null when none is claimed.
pub fn resolved(now: &contexture_core::anchor::Resolved) -> Value {
    json!({
        "outcome": now.outcome.as_str(),
        "start_line": now.lines.map(|(start, _)| start),
        "end_line": now.lines.map(|(_, end)| end),
        "confidence": now.confidence,
        "why": now.why,
    })
}
