//! `summarize` and `cache` as JSON.

use super::notes;
use crate::ops::summarize::{Done, Failed, Planned, PlannedFile, Step, Stopped, Summarized, Whom};
use crate::ops::{CacheStatus, CacheVerified, Cleared, FileStatus};
use crate::provider::Usage;
use contexture_gather::summaries::{Damage, Repaired, Verified};
use serde_json::{Map, Value, json};

/// What `summarize --dry-run` prints.
pub fn planned(planned: &Planned) -> Value {
    let file = |file: &PlannedFile| {
        json!({
            "path": file.path, "kind": file.sort.as_str(), "input_tokens": file.input, "output_tokens": file.output,
            "cost": file.cost,
        })
    };
    let sum = |of: fn(&PlannedFile) -> u64| planned.files.iter().map(of).sum::<u64>();
    let mut all = head(&planned.whom, planned.tier.number());
    all.insert("dry_run".into(), true.into());
    all.insert("files".into(), planned.files.iter().map(file).collect());
    all.insert("fresh".into(), planned.fresh.into());
    all.insert("skipped".into(), skipped(&planned.unfit));
    all.insert(
        "tokens".into(),
        json!({"input": sum(|file| file.input), "output": sum(|file| file.output), "exact": false}),
    );
    all.insert("cost".into(), json!(planned.cost));
    all.insert("notes".into(), notes(&planned.notes));
    all.into()
}

/// The last line of `summarize --json`.
pub fn summarized(summarized: &Summarized) -> Value {
    let stopped = summarized.stopped.as_ref().map(|stopped| match stopped {
        Stopped::MaxCost { max, next } => json!({"by": "max_cost", "max_cost": max, "next_cost": next}),
        Stopped::Provider { message, .. } => json!({"by": "provider", "message": message}),
        Stopped::Interrupted => json!({"by": "interrupt"}),
        Stopped::Store { message, .. } => json!({"by": "store", "message": message}),
    });
    let mut all = head(&summarized.whom, summarized.tier.number());
    all.insert("event".into(), "end".into());
    all.insert("done".into(), summarized.done.iter().map(done).collect());
    all.insert("failed".into(), summarized.failed.iter().map(failed).collect());
    all.insert("left".into(), json!(summarized.left));
    all.insert("fresh".into(), summarized.fresh.into());
    all.insert("skipped".into(), skipped(&summarized.unfit));
    all.insert("stopped".into(), json!(stopped));
    all.insert("usage".into(), usage(&summarized.usage));
    all.insert("cost".into(), json!(summarized.cost));
    all.insert("notes".into(), notes(&summarized.notes));
    all.into()
}

/// A line of `summarize --json`.
pub fn step(step: &Step<'_>) -> Value {
    let (event, mut all) = match step {
        Step::Begun { total } => ("begin", json!({"total": total})),
        Step::Done { done: told, cost } => {
            let mut all = done(told);
            if let (Some(all), Some(_)) = (all.as_object_mut(), told.cost) {
                all.insert("cost_so_far".into(), json!(cost));
            }
            ("done", all)
        }
        Step::Failed(told) => ("failed", failed(told)),
        Step::Waiting { delay, reason } => ("waiting", json!({"seconds": delay.as_secs_f64(), "reason": reason})),
    };
    if let Some(all) = all.as_object_mut() {
        all.insert("v".into(), 1.into());
        all.insert("event".into(), event.into());
    }
    all
}

pub fn status(status: &CacheStatus) -> Value {
    let file = |file: &FileStatus| {
        let author = file.state.author();
        json!({
            "path": file.path, "state": file.state.as_str(), "by": author.map(|author| &author.by),
            "generated_at": author.map(|author| &author.at), "tier": author.map(|author| author.tier),
            "tiers": file.tiers,
        })
    };
    let count = |word: &str| status.files.iter().filter(|file| file.state.as_str() == word).count();
    json!({
        "v": 1,
        "tier": status.tier,
        "files": status.files.iter().map(file).collect::<Vec<_>>(),
        "fresh": count("fresh"),
        "stale": count("stale"),
        "none": count("none"),
        "not_summarized": status.unfit,
        "damaged": status.damaged,
        "notes": notes(&status.notes),
    })
}

pub fn cleared(cleared: &Cleared) -> Value {
    let Cleared { swept, derived, freed, notes: told } = cleared;
    json!({
        "v": 1, "removed": swept.removed, "damaged": swept.damaged, "kept": swept.kept, "derived": derived,
        "freed_bytes": freed, "notes": notes(told),
    })
}

pub fn verified(verified: &CacheVerified) -> Value {
    let damage = |damage: &Damage| json!({"key": damage.shown_key(), "path": damage.file_path, "cause": damage.cause});
    let summaries = |found: &Verified| {
        json!({
            "entries": found.entries, "damaged": found.damaged.iter().map(damage).collect::<Vec<_>>(),
            "problems": found.problems,
        })
    };
    let derived = verified.derived.as_ref().map(|derived| match derived {
        Ok(text) => json!({"ok": true, "text": text}),
        Err(cause) => json!({"ok": false, "text": cause}),
    });
    let name = |path: &std::path::Path| path.file_name().map(|name| name.to_string_lossy().into_owned());
    let repaired = |done: &Repaired| json!({"cause": done.cause, "aside": name(&done.aside), "saved": done.saved});
    json!({
        "v": 1, "ok": verified.is_sound(), "summaries": verified.summaries.as_ref().map(summaries), "derived": derived,
        "repaired": verified.repaired.as_ref().map(repaired),
        "derived_aside": verified.derived_aside.as_deref().and_then(name), "notes": notes(&verified.notes),
    })
}

fn head(whom: &Whom, tier: u8) -> Map<String, Value> {
    let pairs = [
        ("v", json!(1)),
        ("provider", whom.api.as_str().into()),
        ("model", whom.model.as_str().into()),
        ("tier", tier.into()),
    ];
    pairs.into_iter().map(|(key, value)| (key.to_owned(), value)).collect()
}

fn done(done: &Done) -> Value {
    json!({"path": done.path, "tokens": done.tokens, "usage": usage(&done.usage), "cost": done.cost})
}

fn failed(failed: &Failed) -> Value {
    json!({"path": failed.path, "reason": failed.reason})
}

fn skipped(unfit: &[(String, String)]) -> Value {
    unfit.iter().map(|(path, reason)| json!({"path": path, "reason": reason})).collect()
}

fn usage(usage: &Usage) -> Value {
    let Usage { input, output, cached, written, thinking } = usage;
    json!({"input": input, "output": output, "cached": cached, "written": written, "thinking": thinking})
}
