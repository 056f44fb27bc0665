//! `build` and `show`.

use super::{agent, request};
use crate::args::{BuildArgs, HistoryArgs, Paths, QueryFile, ShowArgs};
use crate::clipboard;
use crate::failure::{ErrorKind, Failure};
use crate::ui::{Ui, count, counted};
use contexture::answers::{DocumentAnswer, ShowAnswer};
use contexture::ops::{self, BudgetFrom, CompiledDocument, Door, Target};
use contexture::requests::{DocumentRequest, Word};
use contexture_core::models::WindowShares;
use contexture_core::{Fit, History, Level, SymbolMode};
use std::collections::BTreeMap;
use std::io::{self, IsTerminal, Write};
use std::path::Path;
use std::time::Duration;

pub fn run(door: &Door, args: &BuildArgs, ui: &Ui) -> Result<(), Failure> {
    let request = document(door, &args.document.0, &args.paths, &args.query, &args.history)?;
    let to_stdout = args.output.as_deref() == Some(Path::new("-"));
    let target = match &args.output {
        _ if to_stdout => Target::Caller,
        Some(file) => Target::File(file.clone()),
        None if args.copy => Target::Caller,
        None => Target::Numbered,
    };
    // A person who looks at standard output would see the progress in the middle of the document.
    let at_once = to_stdout && !ui.json && !io::stdout().is_terminal();
    let written = if at_once {
        let mut out = plain_stdout()?;
        let (written, done) = ui.with_progress(&door.progress, || ops::build_into(door, &request, &mut out))?;
        done?;
        written
    } else {
        ui.with_progress(&door.progress, || ops::build(door, &request, &target))?
    };
    let made = &written.document;
    let path = written.path.as_ref().map(|path| shown_path(door, path));
    if to_stdout && !ui.json && !at_once {
        made.compiled.output.write_to(&mut plain_stdout()?)?;
    }
    if args.copy {
        let text = made.compiled.output.text();
        let how = clipboard::copy(&text).map_err(|cause| {
            Failure::new(ErrorKind::Failed, format!("the clipboard could not be used: {cause}"))
                .hint("`-o FILE` writes the document instead")
        })?;
        ui.say(&format!("copied through {how}"));
    }
    if ui.json {
        let answer = DocumentAnswer {
            run: (target == Target::Numbered).then_some(written.run),
            document: to_stdout.then(|| made.compiled.output.text().to_string()),
            ..DocumentAnswer::new(made, path.as_deref())
        };
        ui.print_answer(answer)?;
    } else if let Some(path) = &path {
        ui.print(&format!("{path}\n"))?;
    }
    ui.notes(&made.compiled.notes);
    if !ui.json {
        ui.say(&summary(made));
    }
    timings(&made.timings, ui);
    // The process ends here: giving back the memory of a large project piece by piece would only take time.
    std::mem::forget(written);
    Ok(())
}

/// The document that the flags of `build` and `send` describe.
pub fn document(
    door: &Door,
    document: &DocumentRequest,
    paths: &Paths,
    query: &QueryFile,
    history: &HistoryArgs,
) -> Result<DocumentRequest, Failure> {
    let history = match (history.no_history, history.history_only) {
        (true, _) => History::Without,
        (_, true) => History::Only,
        _ => History::With,
    };
    Ok(DocumentRequest {
        message: document.message.as_deref().map(agent::text).transpose()?,
        history: Some(history.into()),
        ..request(door, document, Some(paths), Some(query))?
    })
}

/// Standard output as a plain file: Rust's own looks for line ends in everything that passes.
#[cfg(unix)]
pub fn plain_stdout() -> io::Result<std::fs::File> {
    use std::os::fd::AsFd;
    Ok(io::stdout().as_fd().try_clone_to_owned()?.into())
}

#[cfg(not(unix))]
pub fn plain_stdout() -> io::Result<io::StdoutLock<'static>> {
    Ok(io::stdout().lock())
}

/// A path as the person would type it: relative where it is below the working directory.
pub fn shown_path(door: &Door, path: &Path) -> String {
    path.strip_prefix(&door.env.cwd).unwrap_or(path).display().to_string()
}

fn summary(made: &CompiledDocument) -> String {
    let budget = made.budget.map(|budget| format!(" of {}{}", count(budget.0), source(made))).unwrap_or_default();
    let how = if made.exact { "exact" } else { "estimated" };
    let near = made.compiled.fit.as_ref().map(|fit| format!("; {}", near(fit))).unwrap_or_default();
    format!(
        "{}, {} tokens ({how}, {}){budget}, {} bytes, {} left out{near}",
        counted(made.compiled.plan.picks.len() as u64, "item"),
        count(made.compiled.measured.0),
        made.tokenizer,
        count(made.compiled.output.bytes() as u64),
        count(made.compiled.plan.left_out.len() as u64),
    )
}

/// Where the budget came from, as a clause: ` (claude-opus-5: window 1,000,000 − answer 128,000 − buffer 1,024)`.
pub fn source(made: &CompiledDocument) -> String {
    let Some(from) = &made.budget_from else { return String::new() };
    let Some(room) = from.room() else { return format!(" ({from})") };
    let who = match from {
        BudgetFrom::Persona { .. } => format!("{from}, "),
        _ => String::new(),
    };
    format!(" ({who}{})", room_line(room))
}

/// How a model's window was divided.
pub fn room_line(room: &WindowShares) -> String {
    let margin =
        if room.margin > 0 { format!(", less {} % as counts are estimates", room.margin) } else { String::new() };
    let (window, answer, buffer) = (count(room.window), count(room.answer), count(room.buffer));
    format!("{}: window {window} − answer {answer} − buffer {buffer}{margin}", room.model)
}

/// How good the choice is. Rounded down: nothing is called the best that is not.
pub fn near(fit: &Fit) -> String {
    format!("{:.1} % of the upper bound", (fit.share() * 1000.0).floor() / 10.0)
}

pub fn timings(timings: &[(&'static str, Duration)], ui: &Ui) {
    if ui.timings {
        let rooms: Vec<String> =
            timings.iter().map(|(room, time)| format!("{room} {:.1} ms", time.as_secs_f64() * 1000.0)).collect();
        ui.say(&format!("timings: {}", rooms.join(", ")));
    }
}

pub fn show(door: &Door, args: &ShowArgs, ui: &Ui) -> Result<(), Failure> {
    let request = DocumentRequest { mask: masks(&args.mask)?, ..args.document.0.clone() };
    if !request.mask.is_empty() && request.view().is_some_and(|view| view != Level::Masked) {
        let failure = Failure::new(ErrorKind::Usage, "`--mask` has no meaning in another view than `masked`");
        return Err(failure.hint("leave `--view` out"));
    }
    door.check_typed(std::slice::from_ref(&args.path))?;
    let shown = ops::show(door, &request, &args.path)?;
    if ui.json {
        return Ok(ui.print_answer(ShowAnswer::from(&shown))?);
    }
    ui.notes(&shown.notes);
    if let Some(error) = &shown.error {
        ui.say(error);
    }
    match (&shown.error, &shown.fell_back) {
        (Some(_), Some(_)) => ui.say(&format!("note: `{}` is shown instead", shown.level)),
        (None, Some(cause)) => ui.say(&format!("note: `{}` is shown: {cause}", shown.level)),
        _ => {}
    }
    if request.line_numbers && !matches!(shown.level, Level::Full | Level::Custom) {
        ui.say(&format!("note: lines are numbered in `full` and `custom`, not in `{}`", shown.level));
    }
    let mut out = io::stdout().lock();
    out.write_all(shown.text.as_bytes())?;
    // A file as it is stays as it is, unless a person looks at it.
    let exact = shown.level == Level::Full && !out.is_terminal();
    if !shown.text.is_empty() && !shown.text.ends_with('\n') && !exact {
        out.write_all(b"\n")?;
    }
    out.flush()?;
    Ok(())
}

/// `SYMBOL=MODE`; a symbol may hold `=` itself, as operators do.
fn masks(words: &[String]) -> Result<BTreeMap<String, Word<SymbolMode>>, Failure> {
    let mut masks = BTreeMap::new();
    for word in words {
        match word.rsplit_once('=').and_then(|(symbol, word)| Some((symbol, SymbolMode::parse(word)?))) {
            Some((symbol, mode)) if !symbol.is_empty() => masks.insert(symbol.to_owned(), mode.into()),
            _ => {
                let failure = Failure::new(ErrorKind::Usage, format!("`--mask {word}` is no SYMBOL=MODE"));
                return Err(failure.hint("for example `--mask Class.method=def`; modes are def, sig, hide"));
            }
        };
    }
    Ok(masks)
}
