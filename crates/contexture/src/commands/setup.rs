//! `setup`.

use super::build::shown_path;
use crate::args::{ClientName, SetupArgs};
use crate::failure::{Failure, Kind};
use crate::ui::{Ui, harmless};
use contexture_server::ops::Door;
use contexture_server::ops::setup::{self, Client, Setup, SetupRequest};
use serde_json::json;
use std::io::{self, BufRead, IsTerminal, Write};

pub fn run(door: &Door, args: &SetupArgs, ui: &Ui) -> Result<(), Failure> {
    let request = SetupRequest {
        client: client(args.client),
        project: args.project,
        allow_write: args.allow_write,
        undo: args.undo,
        file: args.file.clone(),
    };
    let found = setup::setup(door, &request)?;
    let name = shown_path(door, &found.file);
    let diff = found.diff(&name);
    if !ui.json {
        ui.print(&harmless(&diff))?;
    }
    let written = decided(&found, args, ui, &name)?;
    if ui.json {
        ui.print_json(&json!({"v": 1, "client": found.client.as_str(), "file": name, "changes": found.is_change(), "written": written, "diff": diff}))?;
    }
    Ok(())
}

/// Writes if somebody wants it; gives whether it was.
fn decided(found: &Setup, args: &SetupArgs, ui: &Ui, name: &str) -> Result<bool, Failure> {
    let title = found.client.title();
    if !found.is_change() {
        ui.say(&match args.undo {
            true => format!("{title} has no entry of contexture in {name}"),
            false => format!("{title} has this entry already in {name}"),
        });
        return Ok(false);
    }
    if args.dry_run {
        return Ok(false);
    }
    if !args.yes && !asked(name)? {
        ui.say("nothing was written");
        return Ok(false);
    }
    found.write()?;
    ui.say(&match args.undo {
        true => format!("taken out of {name}"),
        false => format!("written to {name}; `{}` takes it out again", undo(found, args)),
    });
    Ok(true)
}

/// The command that takes back what was written where it was written.
fn undo(found: &Setup, args: &SetupArgs) -> String {
    let place = match (&args.file, args.project) {
        (Some(file), _) => format!(" --file {}", crate::ui::path(&file.display().to_string())),
        (None, true) => " --project".to_owned(),
        (None, false) => String::new(),
    };
    format!("contexture setup {}{place} --undo", found.client.as_str())
}

/// Asks on a terminal. Elsewhere nobody could answer.
fn asked(name: &str) -> Result<bool, Failure> {
    if !io::stdin().is_terminal() || !io::stderr().is_terminal() {
        return Err(Failure::new(Kind::Usage, "nothing was written: there is no terminal to ask on")
            .hint("`--yes` writes without asking, `--dry-run` only shows"));
    }
    let mut err = anstream::stderr();
    write!(err, "write this to {}? [y/N] ", crate::ui::path(name))?;
    err.flush()?;
    let mut answer = String::new();
    io::stdin().lock().read_line(&mut answer)?;
    Ok(matches!(answer.trim().to_lowercase().as_str(), "y" | "yes"))
}

fn client(name: ClientName) -> Client {
    match name {
        ClientName::Claude => Client::Claude,
        ClientName::Codex => Client::Codex,
        ClientName::Cursor => Client::Cursor,
        ClientName::Zed => Client::Zed,
        ClientName::Vscode => Client::VsCode,
    }
}
