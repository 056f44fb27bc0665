//! `init`, `config`, `prune`, `doctor`, `completions`, `man`.

use crate::args::{Cli, ConfigArgs, ConfigVerb, PruneArgs};
use crate::failure::{Failure, Kind};
use crate::ui::{Ui, count};
use clap::CommandFactory;
use contexture_gather::config::{self, Scope};
use contexture_gather::outputs::Keep;
use contexture_server::ops::{self, Door};
use contexture_server::wire;
use std::io::Write;
use std::path::PathBuf;

pub fn init(door: &Door, ui: &Ui) -> Result<(), Failure> {
    let path = ops::init(door)?;
    let shown = path.strip_prefix(&door.env.cwd).unwrap_or(&path).display().to_string();
    if ui.json {
        ui.print_json(&wire::settings::made(&shown))?;
    } else {
        ui.print(&format!("{shown}\n"))?;
    }
    ui.say("every key is there as a comment; `contexture config --origins` says what holds");
    Ok(())
}

pub fn config(door: &Door, args: ConfigArgs, ui: &Ui) -> Result<(), Failure> {
    match args.verb {
        Some(ConfigVerb::Schema) => {
            ui.print_json(&config::schema())?;
            Ok(())
        }
        Some(ConfigVerb::Get { key }) => {
            let setting = ops::config_of(door)?.get(&key)?;
            if ui.json {
                ui.print_json(&wire::settings::one(&setting))?;
            } else {
                ui.print(&format!("{}\n", setting.value.as_ref().map(ToString::to_string).unwrap_or_default()))?;
            }
            Ok(())
        }
        Some(ConfigVerb::Set { key, value, global }) => {
            let scope = if global { Scope::Global } else { Scope::Project };
            let file = ops::config_set(door, &key, &value, scope)?;
            if ui.json {
                ui.print_json(&wire::settings::set(&key, &file))?;
            }
            ui.say(&format!("set `{key}` in {}", file.display()));
            Ok(())
        }
        None => {
            let config = ops::config_of(door)?;
            if ui.json {
                return Ok(ui.print_json(&wire::settings::all(&config))?);
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

pub fn prune(door: &Door, args: &PruneArgs, ui: &Ui) -> Result<(), Failure> {
    let keep = args.keep.map(Keep::Newest).or(args.days.map(Keep::Days));
    let pruned = ops::prune(door, keep)?;
    let removed: Vec<String> = pruned
        .removed
        .iter()
        .map(|path| path.strip_prefix(&door.env.cwd).unwrap_or(path).display().to_string())
        .collect();
    if ui.json {
        ui.print_json(&wire::settings::pruned(&removed, pruned.kept))?;
    } else {
        ui.print(&removed.iter().map(|path| format!("{path}\n")).collect::<String>())?;
        ui.say(&format!("removed {}, kept {}", count(removed.len() as u64), count(pruned.kept as u64)));
    }
    Ok(())
}

pub fn doctor(door: &Door, ui: &Ui) -> Result<(), Failure> {
    let checks = ops::doctor(door);
    let sound = checks.iter().all(|check| check.ok);
    if ui.json {
        ui.print_json(&wire::settings::checks(&checks))?;
    } else {
        let mut out = String::new();
        for check in &checks {
            out.push_str(&format!("{} {:<20} {}\n", if check.ok { "ok " } else { "BAD" }, check.name, check.text));
            if let Some(hint) = check.hint.as_ref().filter(|hint| !hint.is_empty()) {
                out.push_str(&format!("    hint: {hint}\n"));
            }
        }
        ui.print(&out)?;
    }
    if sound { Ok(()) } else { Err(Failure::new(Kind::Failed, "something is wrong, see above")) }
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
