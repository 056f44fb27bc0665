//! Settings of programs that start MCP servers: where they are, and an entry of ours in them.
//!
//! Takes the text of such a file; gives it with the entry, or without it, and every other byte as it was. A file that cannot be
//! understood is refused with line and column.

use super::edit::{edit_any, owned_path, spot};
use super::error::{ConfigError, SourceText};
use super::node::Node;
use super::{jsonc, source};
use crate::Env;
use contexture_core::keywords;
use serde_json::{Map, Value, json};
use std::path::{Path, PathBuf};

/// What our entry is called everywhere.
pub const NAME: &str = "contexture";

/// A program with a model in it that starts MCP servers.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Client {
    Claude,
    Codex,
    Cursor,
    Zed,
    VsCode,
}

/// How the server is started.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct ServerCommand {
    pub command: String,
    pub args: Vec<String>,
}

keywords!(Client { Claude = "claude", Codex = "codex", Cursor = "cursor", Zed = "zed", VsCode = "vscode" });

impl Client {
    /// Its name for people, the file of a project, the member that has the servers, and the word that it replaces by the folder that
    /// is open in it; those without such a word start servers in that folder.
    fn row(self) -> (&'static str, &'static str, &'static str, Option<&'static str>) {
        const FOLDER: Option<&str> = Some("${workspaceFolder}");
        match self {
            Self::Claude => ("Claude Code", ".mcp.json", "mcpServers", None),
            Self::Codex => ("Codex", ".codex/config.toml", "mcp_servers", None),
            Self::Cursor => ("Cursor", ".cursor/mcp.json", "mcpServers", FOLDER),
            Self::Zed => ("Zed", ".zed/settings.json", "context_servers", None),
            Self::VsCode => ("VS Code", ".vscode/mcp.json", "servers", FOLDER),
        }
    }

    /// The name people know.
    pub fn title(self) -> &'static str {
        self.row().0
    }

    /// The file of a project.
    pub fn project_file(self, project: &Path) -> PathBuf {
        project.join(self.row().1)
    }

    fn section(self) -> &'static str {
        self.row().2
    }

    /// The word that the client replaces by the folder that is open in it.
    pub fn open_folder(self) -> Option<&'static str> {
        self.row().3
    }

    /// The file of the user; `None` where this user has no home.
    pub fn user_file(self, env: &Env) -> Option<PathBuf> {
        let home = env.home.as_ref();
        Some(match self {
            Self::Claude => home?.join(".claude.json"),
            Self::Codex => home?.join(".codex/config.toml"),
            Self::Cursor => home?.join(".cursor/mcp.json"),
            Self::Zed => env.config_home.as_ref()?.join("zed/settings.json"),
            Self::VsCode if cfg!(target_os = "macos") => home?.join("Library/Application Support/Code/User/mcp.json"),
            Self::VsCode => env.config_home.as_ref()?.join("Code/User/mcp.json"),
        })
    }

    /// The text with our entry in it, or without it. `name` is what messages call the file.
    pub fn edit(self, text: &str, name: &str, start: Option<&ServerCommand>) -> Result<String, ConfigError> {
        let done = match self {
            Self::Codex => self.edit_toml(text, start),
            Self::Claude | Self::Cursor | Self::Zed | Self::VsCode => {
                let done = match start {
                    Some(start) => jsonc::get(text, self.section(), NAME)
                        .and_then(|old| jsonc::put(text, self.section(), NAME, &self.entry(old, start))),
                    None => jsonc::remove(text, self.section(), NAME),
                };
                done.map_err(|problem| SourceText::file("", text).error(problem))
            }
        };
        done.map_err(|mut error| {
            error.place = name.to_owned();
            error.hint.get_or_insert_with(|| "the file was left alone; mend it, or edit it by hand".into());
            error
        })
    }

    /// What a person added to an entry of ours, such as variables, stays.
    fn entry(self, old: Option<Value>, start: &ServerCommand) -> Value {
        let mut entry = match old {
            Some(Value::Object(members)) => members,
            Some(_) | None => Map::new(),
        };
        if matches!(self, Self::Claude | Self::VsCode) {
            entry.insert("type".into(), json!("stdio"));
        }
        entry.insert("command".into(), json!(start.command));
        entry.insert("args".into(), json!(start.args));
        entry.into()
    }

    fn edit_toml(self, text: &str, start: Option<&ServerCommand>) -> Result<String, ConfigError> {
        let section = owned_path(&[self.section(), NAME]);
        let Some(start) = start else { return edit_any(text, &section, |text| spot::remove(text, &section)) };
        let at = |leaf: &str| owned_path(&[self.section(), NAME, leaf]);
        let quoted = |text: &str| Node::from(text).to_string();
        let args = start.args.iter().map(|arg| quoted(arg)).collect::<Vec<_>>().join(", ");
        edit_any(text, &section, |text| {
            let text = spot::put(text, &at("command"), &quoted(&start.command))?;
            spot::put(&text, &at("args"), &format!("[{args}]"))
        })
    }
}

/// The text of a client's file; empty where there is none.
pub fn read(path: &Path, name: &str) -> Result<String, ConfigError> {
    Ok(source::read(path, name)?.unwrap_or_default())
}

/// Puts new text in the place of the old, if that is still what is there.
pub fn write(path: &Path, name: &str, old: &str, new: &str) -> Result<(), ConfigError> {
    source::edit_file(path, |now| {
        if now == old {
            return Ok(new.to_owned());
        }
        let mut error = SourceText::named(name).failed("changed while it was looked at: nothing was written");
        error.hint = Some("try again".into());
        Err(error)
    })
    .map(drop)
}
