//! `init`, `config`, `prune`, `doctor`, `completions`, `man`.

use super::build::shown_path;
use crate::args::{Cli, ConfigArgs, ConfigVerb};
use crate::failure::{ErrorKind, Failure};
use crate::ui::{Ui, count};
use clap::CommandFactory;
use contexture::answers::{DoctorAnswer, FileWritten, PruneAnswer, SettingAnswer, SettingChanged, SettingsAnswer};
use contexture::ops::{self, Door};
use contexture::requests::{PruneRequest, SettingRequest};
use contexture_gather::config;
use std::io::Write;
use std::path::PathBuf;

pub fn init(door: &Door, ui: &Ui) -> Result<(), Failure> {
    let shown = shown_path(door, &ops::init(door)?);
    ui.show(|| FileWritten { path: shown.clone() }, || format!("{shown}\n"))?;
    ui.say("every key is there as a comment; `contexture config --origins` says what holds");
    Ok(())
}

pub fn config(door: &Door, args: ConfigArgs, ui: &Ui) -> Result<(), Failure> {
    match args.verb {
        Some(ConfigVerb::Schema) => {
            ui.print_json(&config::schema())?;
            Ok(())
        }
        Some(ConfigVerb::Get(SettingRequest { key })) => {
            let setting = ops::config_of(door)?.get(&key)?;
            let text = || format!("{}\n", setting.value.as_ref().map(ToString::to_string).unwrap_or_default());
            Ok(ui.show(|| SettingAnswer::from(&setting), text)?)
        }
        Some(ConfigVerb::Set(request)) => {
            let (key, file) = (&request.key, ops::config_set(door, &request)?);
            if ui.json {
                ui.print_answer(SettingChanged::new(key, &file))?;
            }
            ui.say(&format!("set `{key}` in {}", file.display()));
            Ok(())
        }
        None => {
            let config = ops::config_of(door)?;
            if ui.json {
                return Ok(ui.print_answer(SettingsAnswer::from(&config))?);
            }
            let mut out = String::new();
            for setting in config.origins() {
                let value = setting.value.as_ref().map_or("(unset)".into(), ToString::to_string);
                match args.origins {
                    true => out.push_str(&format!("{} = {value}  # {}\n", setting.key, setting.origin)),
                    false => out.push_str(&format!("{} = {value}\n", setting.key)),
                }
            }
            ui.print(&out)?;
            ui.notes(&config.notes);
            Ok(())
        }
    }
}

pub fn prune(door: &Door, request: &PruneRequest, ui: &Ui) -> Result<(), Failure> {
    let pruned = ops::prune(door, request)?;
    let removed: Vec<String> = pruned.removed.iter().map(|path| shown_path(door, path)).collect();
    if ui.json {
        ui.print_answer(PruneAnswer { removed, kept: pruned.kept })?;
    } else {
        ui.print(&removed.iter().map(|path| format!("{path}\n")).collect::<String>())?;
        ui.say(&format!("removed {}, kept {}", count(removed.len() as u64), count(pruned.kept as u64)));
    }
    Ok(())
}

pub fn doctor(door: &Door, ui: &Ui) -> Result<(), Failure> {
    let found = DoctorAnswer::from(ops::doctor(door));
    if ui.json {
        ui.print_answer(&found)?;
    } else {
        let mut out = String::new();
        for check in &found.checks {
            out.push_str(&format!("{} {:<20} {}\n", if check.ok { "ok " } else { "BAD" }, check.name, check.text));
            if let Some(hint) = check.hint.as_ref().filter(|hint| !hint.is_empty()) {
                out.push_str(&format!("    hint: {hint}\n"));
            }
        }
        ui.print(&out)?;
    }
    if found.ok { Ok(()) } else { Err(Failure::new(ErrorKind::Failed, "something is wrong, see above")) }
}

pub fn completions(shell: clap_complete::Shell) -> Result<(), Failure> {
    let mut script = Vec::new();
    clap_complete::generate(shell, &mut Cli::command(), "contexture", &mut script);
    std::io::stdout().lock().write_all(&script)?;
    Ok(())
}

pub fn man(dir: Option<PathBuf>, ui: &Ui) -> Result<(), Failure> {
    match dir {
        Some(dir) => {
            std::fs::create_dir_all(&dir)?;
            clap_mangen::generate_to(Cli::command(), &dir)?;
            ui.say(&format!("wrote the manual pages to {}", dir.display()));
        }
        None => {
            let mut page = Vec::new();
            clap_mangen::Man::new(Cli::command()).render(&mut page)?;
            std::io::stdout().lock().write_all(&page)?;
        }
    }
    Ok(())
}
