//! `setup`.

use super::build::shown_path;
use crate::args::SetupArgs;
use crate::failure::{ErrorKind, Failure};
use crate::ui::{Ui, harmless};
use contexture::answers::SetupAnswer;
use contexture::ops::Door;
use contexture::ops::setup::{self, Setup};
use std::io::{self, BufRead, IsTerminal, Write};

pub fn run(door: &Door, args: &SetupArgs, ui: &Ui) -> Result<(), Failure> {
    let found = setup::setup(door, &args.setup)?;
    let name = shown_path(door, &found.file);
    let diff = found.diff(&name);
    if !ui.json {
        ui.print(&harmless(&diff))?;
    }
    let written = confirm(&found, args, ui, &name)?;
    if ui.json {
        let (client, changes) = (found.client.into(), found.is_change());
        ui.print_answer(SetupAnswer { client, file: name, changes, written, diff })?;
    }
    Ok(())
}

/// Writes if somebody wants it; gives whether it was.
fn confirm(found: &Setup, args: &SetupArgs, ui: &Ui, name: &str) -> Result<bool, Failure> {
    let title = found.client.title();
    if !found.is_change() {
        ui.say(&match args.setup.undo {
            true => format!("{title} has no entry of contexture in {name}"),
            false => format!("{title} has this entry already in {name}"),
        });
        return Ok(false);
    }
    if args.dry_run {
        return Ok(false);
    }
    if !args.yes && !ask_on_terminal(name)? {
        ui.say("nothing was written");
        return Ok(false);
    }
    found.write()?;
    ui.say(&match args.setup.undo {
        true => format!("taken out of {name}"),
        false => format!("written to {name}; `{}` takes it out again", undo(found, args)),
    });
    Ok(true)
}

/// The command that takes back what was written where it was written.
fn undo(found: &Setup, args: &SetupArgs) -> String {
    let place = match (&args.setup.file, args.setup.project) {
        (Some(file), _) => format!(" --file {}", crate::ui::path(&file.display().to_string())),
        (None, true) => " --project".to_owned(),
        (None, false) => String::new(),
    };
    format!("contexture setup {}{place} --undo", found.client.as_str())
}

/// Asks on a terminal. Elsewhere nobody could answer.
fn ask_on_terminal(name: &str) -> Result<bool, Failure> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(Failure::new(ErrorKind::Usage, "nothing was written: there is no terminal to ask on")
            .hint("`--yes` writes without asking, `--dry-run` only shows"));
    }
    let mut err = anstream::stderr();
    write!(err, "write this to {}? [y/N] ", crate::ui::path(name))?;
    err.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}
