//! Enters the MCP server into the settings of a client, or takes it out again.
//!
//! Takes a client; gives the file, what would change in it and, when told to, writes that and nothing else. Somebody who saw
//! the difference decides.

use super::OpError;
use super::open::Door;
use crate::requests::SetupRequest;
use contexture_gather::config::clients::{self, Client, ServerCommand};
use similar::TextDiff;
use std::path::{Path, PathBuf};

/// A change that nobody made yet.
pub struct Setup {
    pub client: Client,
    pub file: PathBuf,
    pub old: String,
    pub new: String,
}

impl Setup {
    /// Whether the file would be changed.
    pub fn is_change(&self) -> bool {
        self.old != self.new
    }

    /// As a unified diff.
    pub fn diff(&self, name: &str) -> String {
        let after = format!("{name} (after)");
        TextDiff::from_lines(self.old.as_str(), self.new.as_str()).unified_diff().header(name, &after).to_string()
    }

    /// Writes the change.
    pub fn write(&self) -> Result<(), OpError> {
        Ok(clients::write(&self.file, &self.file.display().to_string(), &self.old, &self.new)?)
    }
}

/// Computes the change to a client's settings; writes nothing.
pub fn setup(door: &Door, request: &SetupRequest) -> Result<Setup, OpError> {
    let client = request.client.get();
    let roots = door.open_roots()?;
    let file = match (&request.file, request.project) {
        (Some(file), _) => door.env.cwd.join(file),
        (None, true) => client.project_file(roots.project()),
        (None, false) => client.user_file(&door.env).ok_or_else(|| {
            OpError::failed("this user has no home folder").hint("`--project` or `--file FILE` names another place")
        })?,
    };
    if request.file.is_none() && request.project {
        check_inside_project(roots.project(), &file)?;
    }
    if file.is_symlink() && !file.exists() {
        return Err(OpError::usage(format!("`{}` is a link to nothing", file.display()))
            .hint("make what it leads to, or take the link away"));
    }
    let name = file.display().to_string();
    let old = clients::read(&file, &name)?;
    let start = (!request.undo).then(|| start(door, request));
    let new = client.edit(&old, &name, start.as_ref())?;
    Ok(Setup { client, file, old, new })
}

/// A repository may bring links, and what they lead to is not the project's to change.
fn check_inside_project(project: &Path, file: &Path) -> Result<(), OpError> {
    let there = file.ancestors().find(|path| path.exists()).unwrap_or(project);
    let (Ok(real), Ok(project)) = (there.canonicalize(), project.canonicalize()) else { return Ok(()) };
    if real.starts_with(&project) {
        return Ok(());
    }
    let (file, real) = (file.display(), real.display());
    Err(OpError::usage(format!("`{file}` leads out of the project, to `{real}`"))
        .hint(format!("`--file {real}` names that file, if it is meant")))
}

/// How the client is to start this server.
fn start(door: &Door, request: &SetupRequest) -> ServerCommand {
    // What others check out names a program, not a place on this machine.
    let program = door.env.program.as_ref().filter(|_| !request.project);
    let mut args = vec!["mcp".to_owned()];
    let roots = door.roots.iter().map(|root| door.env.cwd.join(root).components().collect::<PathBuf>());
    let mut roots: Vec<String> = roots.map(|root| root.display().to_string()).collect();
    if roots.is_empty() {
        roots.extend(request.client.get().open_folder().map(str::to_owned));
    }
    args.extend(roots.into_iter().flat_map(|root| ["--root".to_owned(), root]));
    if request.allow_write {
        args.push("--allow-write".into());
    }
    ServerCommand {
        command: program.map_or_else(|| clients::NAME.to_owned(), |program| program.display().to_string()),
        args,
    }
}
