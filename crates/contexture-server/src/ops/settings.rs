//! Settings, numbered documents, and the state of the installation.

use super::OpError;
use super::open::{Door, Request};
use super::preset::file_of;
use super::written;
use contexture_gather::config::{self, Config, Scope, edit};
use contexture_gather::followable;
use contexture_gather::outputs::{self, Keep, Pruned};
use contexture_gather::runs::Runs;
use std::path::PathBuf;

pub fn config_of(door: &Door) -> Result<Config, OpError> {
    let roots = door.open_roots()?;
    door.load_config(&roots)
}

/// Changes one key in a file; everything else in it stays as it is. Settings that nothing could be done with are not written.
pub fn config_set(door: &Door, key: &str, value: &str, scope: Scope) -> Result<PathBuf, OpError> {
    let config = config_of(door)?;
    let path = file_of(&config, scope)?;
    let before = usable(door, config).err().map(|error| error.to_string());
    let check = |text: &str| {
        let roots = door.open_roots()?;
        let file = door.config_file.as_ref().map(|file| door.env.cwd.join(file));
        let loaded = config::load_if(roots.project(), &door.env, &[], file.as_deref(), Some((&path, text)));
        match loaded.map_err(OpError::from).and_then(|config| usable(door, config)) {
            // What was wrong before is another key's matter: one is set after the other.
            Err(error) if before.as_ref() != Some(&error.to_string()) => Err(unusable(key, &error)),
            Ok(()) | Err(_) => Ok(()),
        }
    };
    config::edit_checked(&path, |text| edit::set_key(text, key, value), check)?;
    Ok(path)
}

/// Whether a document could be made with these settings.
fn usable(door: &Door, config: Config) -> Result<(), OpError> {
    let opened = door.resolve(door.open_roots()?, config, &Request::default())?;
    opened.output_dir()?;
    Ok(followable(&opened.roots, &opened.config, &opened.ask)?)
}

fn unusable(key: &str, cause: &OpError) -> OpError {
    let mut hints = cause.hints();
    hints.push(format!("`contexture config get {key}` tells what holds"));
    OpError::Usage { message: format!("`{key}` is not set: {cause}"), hints }
}

/// Writes a commented configuration. One that is there already stays.
pub fn init(door: &Door) -> Result<PathBuf, OpError> {
    let roots = door.open_roots()?;
    let path = roots.project().join(config::PROJECT_FILE);
    if path.symlink_metadata().is_ok() {
        let message = format!("`{}` is there already", config::PROJECT_FILE);
        return Err(OpError::Conflict { message, hints: vec!["`contexture config set KEY VALUE` changes it".into()] });
    }
    config::write_file(&path, &config::template()).map_err(|error| OpError::io("cannot write", &path, &error))?;
    Ok(path)
}

pub fn prune(door: &Door, keep: Option<Keep>) -> Result<Pruned, OpError> {
    let opened = door.open(&Request::default())?;
    let keep = match keep.or(opened.config.output.keep.map(Keep::Newest)) {
        Some(keep) => keep,
        None => {
            return Err(
                OpError::usage("nothing says what to keep").hint("`contexture prune --keep 20` keeps the newest 20")
            );
        }
    };
    let dir = opened.output_dir()?;
    Ok(outputs::prune(&dir, &opened.namespace, keep, door.env.now)?)
}

/// One line of `doctor`.
pub struct Check {
    pub name: &'static str,
    pub ok: bool,
    pub text: String,
    pub hint: Option<String>,
}

/// Looks at everything a run depends on. Fails at nothing: what is wrong is in the list.
pub fn doctor(door: &Door) -> Vec<Check> {
    let mut checks = Vec::new();
    let mut add = |name, result: Result<String, (String, String)>| {
        let (ok, text, hint) = match result {
            Ok(text) => (true, text, None),
            Err((text, hint)) => (false, text, Some(hint)),
        };
        checks.push(Check { name, ok, text, hint });
    };
    add("version", Ok(env!("CARGO_PKG_VERSION").to_owned()));
    let roots = match door.open_roots() {
        Ok(roots) => roots,
        Err(error) => {
            add("root", Err((error.to_string(), error.hints().join("; "))));
            return checks;
        }
    };
    add("root", Ok(roots.project().display().to_string()));
    match door.load_config(&roots) {
        Err(error) => add("configuration", Err((error.to_string(), error.hints().join("; ")))),
        Ok(config) => {
            let state = |(path, exists): &(PathBuf, bool)| {
                format!("{} ({})", path.display(), if *exists { "used" } else { "not there" })
            };
            add("configuration", Ok(state(&config.project_file)));
            if let Some(file) = &config.user_file {
                add("user configuration", Ok(state(file)));
            }
            add("output folder", Ok(roots.project().join(&config.output.dir).display().to_string()));
            for note in &config.notes {
                add("setting", Ok(note.to_string()));
            }
            match door.open_cache(&roots, &config) {
                None => add("cache", Ok("switched off".into())),
                Some(Ok(cache)) => {
                    add("cache", cache.check().map_err(|error| (error, "delete the file: it is made again".into())))
                }
                Some(Err(note)) => {
                    add("cache", Err((note.text, "results are the same without it; runs take longer".into())))
                }
            }
            add("summaries", written::told(door, &roots, &config));
        }
    }
    match door.env.data_dir.as_deref().map(Runs::look) {
        None => add("runs", Ok("this user has no data folder: runs leave no manifest".into())),
        Some(Ok(None)) => add("runs", Ok("none yet".into())),
        Some(found) => {
            let checked = found.and_then(|runs| runs.map_or(Ok(String::new()), |runs| runs.check()));
            let hint = "move the file away; documents are the same without it";
            add("runs", checked.map_err(|error| (error.to_string(), hint.into())));
        }
    }
    match contexture_gather::git::Repo::discover(roots.project()) {
        Ok(_) => add("git", Ok("the root is in a repository".into())),
        Err(error) => add("git", Ok(format!("`--diff`, `--log` and `diff` views are not available: {error}"))),
    }
    add("threads", Ok(door.threads.to_string()));
    checks
}
