//! `summarize`: asks a model for the summaries that are missing.

use super::request;
use super::send::{dollars, event, key, on_interrupt};
use crate::args::SummarizeArgs;
use crate::failure::Failure;
use crate::ui::{Counting, Ui, count, counted, path};
use contexture::answers::SummarizeEvent;
use contexture::ops::Door;
use contexture::ops::loom::KeyOf;
use contexture::ops::summarize::{PlannedRow, SummarizeStep, Summarized, SummaryPlan, summarize, summarize_plan};
use contexture::requests::SummarizeRequest;
use contexture_core::{Api, Counter};
use contexture_providers::Cancel;
use std::fmt::Write;
use std::io;
use std::time::Duration;

/// How many files a plan names before the rest is only counted.
const LISTED: usize = 40;
/// A shorter wait is no news to whoever looks on.
const LONG: Duration = Duration::from_secs(1);

pub fn run(door: &Door, args: SummarizeArgs, ui: &Ui) -> Result<(), Failure> {
    let key = |api: Api| key(KeyOf::Provider(api), args.key.key_env.as_deref());
    let files = request(door, &args.document.0, Some(&args.paths), None)?;
    let request = SummarizeRequest { request: files, ..args.request };
    if request.dry_run {
        let planned = ui.with_progress(&door.progress, || summarize_plan(door, &request))?;
        return plan(&planned, ui);
    }
    let cancel = &door.progress.cancel;
    on_interrupt(cancel);
    let mut teller = ProgressPrinter { ui, bar: None, total: 0, done: 0, tokens: 0, failed: None };
    let summarized = summarize(door, &request, &key, &mut |step| teller.step(&step, cancel));
    if let Some(bar) = teller.bar.take() {
        bar.finish();
    }
    if let Some(error) = teller.failed {
        return Err(error.into());
    }
    let summarized = summarized?;
    if ui.json {
        event(SummarizeEvent::from(&summarized))?;
    } else {
        let list = summarized.done.iter().map(|done| format!("{}\n", path(&done.path)));
        ui.print(&list.collect::<String>())?;
    }
    ui.notes(&summarized.notes);
    ui.say(&result_line(&summarized));
    summarized.verdict(args.strict).map_err(|error| Failure::from(error).said_already(ui))
}

/// Shows how far it is: events, a line each, or a bar.
struct ProgressPrinter<'a> {
    ui: &'a Ui,
    bar: Option<Counting>,
    total: u64,
    done: u64,
    tokens: u64,
    failed: Option<io::Error>,
}

impl ProgressPrinter<'_> {
    fn step(&mut self, step: &SummarizeStep<'_>, cancel: &Cancel) {
        if self.ui.json {
            // Nobody reads any more: there is nothing to wait for.
            if let Err(error) = event(SummarizeEvent::from(step)) {
                self.failed.get_or_insert(error);
                cancel.cancel();
            }
            return;
        }
        match step {
            SummarizeStep::Begun { total } => {
                self.total = *total as u64;
                self.bar = self.ui.counting(self.total);
            }
            SummarizeStep::Done { done, cost } => {
                self.done += 1;
                for tokens in [done.usage.input, done.usage.output].into_iter().flatten() {
                    self.tokens = self.tokens.saturating_add(tokens);
                }
                let cost = done.cost.map(|_| format!(", {}", dollars(*cost))).unwrap_or_default();
                self.show(&format!("{} tokens{cost}", count(self.tokens)));
            }
            SummarizeStep::Failed(_) => {
                self.done += 1;
                self.show("");
            }
            SummarizeStep::Waiting { delay, reason } if *delay >= LONG => {
                let text = format!("waits {} s: {}", delay.as_secs_f64().round(), path(reason));
                match &self.bar {
                    Some(bar) => bar.aside(|| self.ui.say(&text)),
                    None => self.ui.say(&text),
                }
            }
            SummarizeStep::Waiting { .. } => {}
        }
    }

    fn show(&self, text: &str) {
        if let Some(bar) = &self.bar {
            bar.set(self.done, text);
        }
    }
}

fn plan(planned: &SummaryPlan, ui: &Ui) -> Result<(), Failure> {
    if ui.json {
        return Ok(ui.print_answer(SummarizeEvent::from(planned))?);
    }
    let mut out = String::new();
    for PlannedRow { path: name, kind, input_tokens: input, cost, .. } in planned.files.iter().take(LISTED) {
        let cost = cost.map(|cost| format!("{:>10}", dollars(cost))).unwrap_or_default();
        let _ = writeln!(out, "{:>9}  {:<6} {cost}  {}", count(*input), kind.get(), path(name));
    }
    if planned.files.len() > LISTED {
        let _ = writeln!(out, "and {} more; `--json` has them all", count((planned.files.len() - LISTED) as u64));
    }
    ui.print(&out)?;
    ui.notes(&planned.notes);
    let (input, output) =
        planned.files.iter().fold((0, 0), |sum, file| (sum.0 + file.input_tokens, sum.1 + file.output_tokens));
    let exact = if planned.writer.tokenizer.exact() { "about " } else { "estimated " };
    let cost = planned.cost.map_or_else(|| "the price is not known".into(), |cost| format!("about {}", dollars(cost)));
    ui.say(&format!(
        "{} to ask {} {} for at tier {}: {exact}{} tokens in, {} out, {cost}; {} there already, {} not summarised",
        counted(planned.files.len() as u64, "summary"),
        planned.writer.api,
        path(&planned.writer.model),
        planned.tier.number(),
        count(input),
        count(output),
        count(planned.fresh as u64),
        count(planned.unfit.len() as u64),
    ));
    Ok(())
}

fn result_line(summarized: &Summarized) -> String {
    let used = &summarized.usage;
    let tokens = |tokens: Option<u64>| tokens.map_or("?".into(), count);
    let mut out = format!(
        "{} by {}/{} at tier {}",
        counted(summarized.done.len() as u64, "summary"),
        summarized.writer.api,
        path(&summarized.writer.model),
        summarized.tier.number(),
    );
    let is_counted = used.input.is_some() || used.output.is_some();
    let figures = is_counted.then(|| format!("{} tokens in, {} out", tokens(used.input), tokens(used.output)));
    // Where nobody counted, what was asked has its price all the same.
    let cost = summarized.cost.filter(|cost| is_counted || *cost > 0.0).map(dollars);
    let figures: Vec<String> = figures.into_iter().chain(cost).collect();
    if !figures.is_empty() {
        let _ = write!(out, ": {}", figures.join(", "));
    }
    for (number, what) in [
        (summarized.failed.len(), "failed"),
        (summarized.left.len(), "left"),
        (summarized.fresh, "there already"),
        (summarized.unfit.len(), "not summarised"),
    ] {
        if number > 0 {
            let _ = write!(out, "; {} {what}", count(number as u64));
        }
    }
    out
}
