//! The one JSON shape: what `--json` prints. Versioned by `v`; fields are only ever added.

pub mod bench;
pub mod fields;
pub mod loom;
pub mod presets;
pub mod request;
pub mod runs;
pub mod send;
pub mod settings;
pub mod summaries;

use crate::ops::{
    AgentMade, FileTokens, Found, Kind as ErrorKind, Made, OpError, Passage, Preview, Reason, Related, RelatedFile,
    Scanned, SessionRead, Shown, SliceState, SlicesFound, SlicesRefreshed, Stats, Symbols, Written,
};
use contexture_core::check::Violation;
use contexture_core::safety::{HiddenFound, Report, Safety, SecretFound};
use contexture_core::{
    Api, Body, Compiled, Explained, Format, ItemKind, Layer, LayerSize, LeftOut, Level, Message, Move, Note, Pick,
    Section, Why,
};
use contexture_gather::layers::{Document, Skill, State};
use contexture_gather::sessions::Appended;
use contexture_syntax::Kind;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;

/// The fields of an object behind the version.
fn with_version(value: Value) -> Value {
    let mut all = json!({"v": 1});
    if let (Some(all), Value::Object(fields)) = (all.as_object_mut(), value) {
        all.extend(fields);
    }
    all
}

/// Why an operation gave nothing. `code` is the exit code of the terminal (X4).
pub fn error(error: &OpError) -> Value {
    let mut told = failure(error.kind(), &error.to_string(), &error.hints());
    if let OpError::Denied(report) = error {
        told["error"]["safety"] = safety(report);
    }
    told
}

/// Causes and hints quote names, and a name that is near to what was asked for may hold a secret.
pub fn failure(kind: ErrorKind, message: &str, hints: &[String]) -> Value {
    let (message, hints) = (told(message), hints.iter().map(|hint| told(hint)).collect::<Vec<_>>());
    json!({"v": 1, "error": {"code": kind as u8, "kind": kind.as_str(), "message": message, "hints": hints}})
}

/// What an error says, without secrets.
pub fn told(text: &str) -> String {
    let safety = Safety::default();
    safety.text("", text, &mut Report::new(&safety)).unwrap_or_else(|| text.to_owned())
}

/// A document or a plan of one. `path` is where it was written, if anywhere.
pub fn document(made: &Made, path: Option<&str>) -> Value {
    let tokens = json!({
        "count": made.compiled.measured.0,
        "exact": made.exact,
        "tokenizer": made.tokenizer,
        "budget": made.budget.map(|budget| budget.0),
        "budget_from": made.budget_from.as_ref().map(ToString::to_string),
    });
    let mut all = compiled(&made.compiled, path, tokens);
    if let Some(fit) = &made.compiled.fit {
        let moves = |moves: &[Move]| moves.iter().map(step).collect::<Vec<_>>();
        let fit = json!({"share_of_bound": rounded(fit.share()), "first_to_go": moves(&fit.last), "first_to_come": moves(&fit.next)});
        all.insert("fit".into(), fit);
    }
    all.into()
}

/// The same of a numbered document, with the number of its run. What goes elsewhere is told without one: the same inputs, the same bytes.
pub fn written(written: &Written, path: Option<&str>) -> Value {
    let mut value = document(&written.made, path);
    value["run"] = json!(written.run);
    value
}

/// A document with its text and its parts, beside the last run.
pub fn preview(preview: &Preview) -> Value {
    let Compiled { output, plan, prefix, .. } = &preview.made.compiled;
    let section = |section: &Section| {
        let pick = section.pick.and_then(|pick| plan.picks.get(pick));
        json!({
            "title": section.title,
            "level": if pick.is_some() { 2 } else { 1 },
            "start": section.bytes.start,
            "end": section.bytes.end,
            "item": pick.map(|pick| json!({"path": pick.path, "kind": kind(pick.kind), "view": pick.level.as_str()})),
        })
    };
    json!({
        "v": 1,
        "sections": preview.made.compiled.sections().iter().map(section).collect::<Vec<_>>(),
        "prefix": {"bytes": output.prefix_bytes(), "tokens": prefix.0},
        "last": preview.last.as_ref().map(runs::since),
        "document": document(&preview.made, None),
        "text": output.text(),
    })
}

/// What everything that was compiled has.
fn compiled(compiled: &Compiled, path: Option<&str>, tokens: Value) -> Map<String, Value> {
    let left = |left: &LeftOut| json!({"path": left.path, "reason": left.why.to_string()});
    [
        ("v", json!(1)),
        ("path", json!(path)),
        ("tokens", tokens),
        ("bytes", json!(compiled.output.bytes())),
        ("items", compiled.plan.picks.iter().map(item).collect()),
        ("left_out", compiled.plan.left_out.iter().map(left).collect()),
        ("notes", notes(&compiled.notes)),
        ("prefix", json!({"bytes": compiled.output.prefix_bytes(), "tokens": compiled.prefix.0})),
        ("safety", safety(&compiled.safety)),
    ]
    .into_iter()
    .map(|(key, value)| (key.to_owned(), value))
    .collect()
}

/// An agent's context: what a document has, its messages, what every layer takes, and the bytes of its format.
pub fn agent(made: &AgentMade, path: Option<&str>) -> Value {
    let tokens = json!({
        "count": made.compiled.measured.0,
        "exact": made.exact,
        "tokenizer": made.tokenizer,
        "budget": made.limit.0,
        "budget_from": made.limit_from,
    });
    let mut all = compiled(&made.compiled, path, tokens);
    all.insert("messages".into(), made.compiled.messages.iter().map(|message| self::message(message)).collect());
    all.insert("layers".into(), layers(made));
    // A request is JSON itself.
    let text = || made.compiled.output.text();
    let request = match made.format {
        Format::Request(_) => serde_json::from_str(&text()).ok(),
        Format::Markdown | Format::Text => Some(text().into()),
        Format::Messages | Format::Xml | Format::Json => None,
    };
    all.extend(request.map(|request| ("request".to_owned(), request)));
    all.into()
}

/// A message as `--format messages` has it.
fn message(message: &Message) -> Value {
    serde_json::from_str(&contexture_core::render::talk::message_json(message)).unwrap_or(Value::Null)
}

/// For each layer: where it is from, its size as it is and as it is shown, its tokens, and its state.
fn layers(made: &AgentMade) -> Value {
    let workspace = &made.workspace;
    let document = |document: &Document| json!({"path": document.path, "raw_bytes": document.raw_bytes, "state": document.state.as_str()});
    let mut all = Map::new();
    for size in &made.compiled.layers {
        let sources: Vec<Value> = match size.layer {
            Layer::System => std::iter::once(&workspace.soul).chain(&workspace.agents).map(document).collect(),
            Layer::Memory => workspace.memory.iter().map(|memory| document(&memory.document)).collect(),
            Layer::Skill | Layer::SkillBody => {
                let shown = |skill: &Skill| json!({"path": skill.path, "raw_bytes": skill.raw_bytes, "state": "ok"});
                workspace.skills.iter().map(shown).collect()
            }
            Layer::Tools => vec![document(&workspace.tools)],
            Layer::Bootstrap | Layer::History | Layer::Current => Vec::new(),
        };
        let mut layer = json!({
            "tokens": size.tokens.0,
            "raw_bytes": workspace.memory.as_ref().filter(|_| size.layer == Layer::Memory).map_or(size.raw_bytes, |memory| memory.document.raw_bytes),
            "shown_bytes": size.shown_bytes,
            "items": size.items,
            "shown_items": size.shown_items,
            "state": state(made, size),
            "sources": sources,
        });
        if let (Layer::Memory, Some(object)) = (size.layer, layer.as_object_mut()) {
            object.insert("entries".into(), memories(made));
        }
        all.insert(size.layer.as_str().into(), layer);
    }
    all.into()
}

/// `ok`, `truncated` when something of it has no place, `missing`, or `default` when built-in text stands for it.
fn state(made: &AgentMade, size: &LayerSize) -> &'static str {
    let workspace = &made.workspace;
    let name = size.layer.as_str();
    let of_layer = |kind: ItemKind| matches!(kind, ItemKind::Layer(layer) if layer.as_str() == name);
    let is_cut = made.compiled.plan.picks.iter().any(|pick| of_layer(pick.kind) && pick.level != Level::Full);
    let documents: Vec<&Document> = match size.layer {
        Layer::System => std::iter::once(&workspace.soul).chain(&workspace.agents).collect(),
        Layer::Memory => workspace.memory.iter().map(|memory| &memory.document).collect(),
        Layer::Tools => vec![&workspace.tools],
        _ => Vec::new(),
    };
    let any = |state: State| documents.iter().any(|document| document.state == state);
    // The text of a skill is left out until it is in use: that is no loss.
    let is_less = match size.layer {
        Layer::Skill | Layer::SkillBody => {
            let lines =
                |of: Layer| made.compiled.plan.picks.iter().filter(|pick| pick.kind == ItemKind::Layer(of)).count();
            lines(Layer::Skill) < workspace.skills.iter().filter(|skill| !skill.hidden).count()
        }
        _ => size.shown_items < size.items,
    };
    match () {
        () if size.items == 0 => "missing",
        () if is_cut || is_less || any(State::Truncated) => "truncated",
        () if any(State::Default) => "default",
        () => "ok",
    }
}

fn memories(made: &AgentMade) -> Value {
    let texts: BTreeMap<&str, &str> = made
        .snapshot
        .items
        .iter()
        .filter_map(|item| match &item.body {
            Body::Memory(memory) => Some((&*item.id.0, memory.text.as_str())),
            _ => None,
        })
        .collect();
    let entry = |pick: &Pick| match pick.why {
        Why::Remembered { score, .. } => {
            let text = texts.get(&*pick.item.0).copied();
            Some(json!({"text": text, "score": rounded(f64::from(score)), "path": pick.path, "tokens": pick.tokens.0}))
        }
        _ => None,
    };
    made.compiled.plan.picks.iter().filter_map(entry).collect()
}

/// A session that a message was added to.
pub fn appended(path: &str, done: &Appended) -> Value {
    let aside = done.set_aside.as_ref().map(|path| path.display().to_string());
    json!({"v": 1, "path": path, "messages": done.messages, "bytes": done.bytes, "created": done.created, "set_aside": aside, "notes": notes(&done.notes)})
}

/// What a provider would refuse.
pub fn checked(provider: Api, found: &[Violation]) -> Value {
    let one = |violation: &Violation| json!({"at": violation.at, "text": violation.text, "hint": violation.hint});
    let all: Vec<Value> = found.iter().map(one).collect();
    json!({"v": 1, "provider": provider.as_str(), "valid": found.is_empty(), "violations": all})
}

pub fn session(read: &SessionRead) -> Value {
    let session: Value = serde_json::from_str(&read.json).unwrap_or(Value::Null);
    json!({
        "v": 1,
        "format": read.imported.format,
        "session": session,
        "skipped": read.imported.skipped,
        "notes": notes(&read.imported.notes),
    })
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
        "reason": pick.reason(),
    });
    if let (Some(error), Some(object)) = (&pick.error, value.as_object_mut()) {
        object.insert("error".into(), json!(error));
    }
    if let (Some(written), Some(object)) = (&pick.written, value.as_object_mut()) {
        object.insert("written".into(), json!({"by": written.by, "hash": written.hash.to_string()}));
    }
    value
}

pub(crate) fn kind(kind: ItemKind) -> &'static str {
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

/// Passages that answer a query, the most relevant file first.
pub fn found(found: &Found) -> Value {
    let passage = |passage: &Passage| json!({"path": passage.path, "lines": passage.lines, "rank": passage.rank, "text": passage.text});
    json!({
        "v": 1,
        "query": found.query,
        "passages": found.passages.iter().map(passage).collect::<Vec<_>>(),
        "files": found.files,
        "tokens": {"count": found.tokens, "exact": found.exact, "tokenizer": found.tokenizer},
        "notes": notes(&found.notes),
    })
}

/// Files that others refer to.
pub fn related(related: &Related) -> Value {
    let file = |file: &RelatedFile| json!({"path": file.path, "imported": file.is_imported, "names": file.names, "reason": file.reason()});
    json!({
        "v": 1,
        "of": related.of,
        "files": related.files.iter().map(file).collect::<Vec<_>>(),
        "notes": notes(&related.notes),
    })
}

/// What was found, and what became of it.
pub fn safety(report: &Report) -> Value {
    let secret = |found: &SecretFound| {
        json!({
            "path": found.path,
            "line": found.line,
            "rule": found.rule,
            "severity": found.severity.as_str(),
            "fingerprint": found.fingerprint.to_string(),
            "action": found.action.as_str(),
        })
    };
    let hidden = |found: &HiddenFound| {
        let codes: Vec<String> = found.code_points.iter().map(|code| format!("U+{:04X}", *code as u32)).collect();
        json!({"path": found.path, "line": found.line, "code_points": codes, "count": found.count})
    };
    json!({
        "policy": report.secrets_policy.as_str(),
        "hidden_text": report.hidden_policy.as_str(),
        "secrets": report.secrets.iter().map(secret).collect::<Vec<_>>(),
        "hidden": report.hidden.iter().map(hidden).collect::<Vec<_>>(),
    })
}

/// A scan: what a run has under `safety`, with how much was looked at.
pub fn scanned(scanned: &Scanned) -> Value {
    let mut all = safety(&scanned.report);
    if let Some(object) = all.as_object_mut() {
        // No run did anything about it.
        if let Some(secrets) = object.get_mut("secrets").and_then(Value::as_array_mut) {
            secrets.iter_mut().filter_map(Value::as_object_mut).for_each(|secret| drop(secret.remove("action")));
        }
        object.insert("v".into(), json!(1));
        object.insert("files".into(), json!(scanned.files));
        object.insert("bytes".into(), json!(scanned.bytes));
        object.insert("allowed".into(), json!(scanned.allowed));
        object.insert("notes".into(), notes(&scanned.notes));
    }
    all
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

/// The same with what is stored of the slice.
pub fn slice(slice: &contexture_core::Slice, now: &contexture_core::anchor::Resolved) -> Value {
    let mut value = resolved(now);
    if let Some(object) = value.as_object_mut() {
        object.insert("tag".into(), json!(slice.tag));
        object.insert("old_start_line".into(), json!(slice.start_line));
        object.insert("old_end_line".into(), json!(slice.end_line));
    }
    value
}

/// Slices as they were stored anew.
pub fn refreshed(refreshed: &SlicesRefreshed) -> Value {
    let one = |state: &SliceState| {
        let mut value = slice(&state.old, &state.now);
        value["path"] = json!(state.path);
        value["stored"] = json!(state.stored);
        value
    };
    let slices: Vec<Value> = refreshed.slices.iter().map(one).collect();
    json!({"v": 1, "file": refreshed.file.display().to_string(), "slices": slices, "notes": notes(&refreshed.notes)})
}

pub fn slices(found: &SlicesFound) -> Value {
    let slices: Vec<Value> = found.found.iter().map(|(stored, now)| slice(stored, now)).collect();
    json!({"v": 1, "path": found.path, "slices": slices, "notes": notes(&found.notes)})
}

/// One file's view.
pub fn shown(shown: &Shown) -> Value {
    json!({"v": 1, "path": shown.path, "view": shown.level.as_str(), "text": &*shown.text, "tokens": shown.tokens, "fell_back": shown.fell_back, "error": shown.error, "notes": notes(&shown.notes), "safety": safety(&shown.safety)})
}
