//! Settings of programs that start MCP servers: where they are, and an entry of ours in them.
//!
//! Takes the text of such a file; gives it with the entry, or without it, and every other byte as it was. A file that cannot be
//! understood is refused with line and column.

use super::edit::{edit_any, owned, spot};
use super::error::{ConfigError, Place};
use super::node::Node;
use super::{jsonc, source};
use crate::Env;
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
pub struct Start {
    pub command: String,
    pub args: Vec<String>,
}

impl Client {
    /// Every client whose settings are known.
    pub const ALL: [Self; 5] = [Self::Claude, Self::Codex, Self::Cursor, Self::Zed, Self::VsCode];

    /// The word on a command line.
    pub fn as_str(self) -> &'static str {
        match self {
            Self::Claude => "claude",
            Self::Codex => "codex",
            Self::Cursor => "cursor",
            Self::Zed => "zed",
            Self::VsCode => "vscode",
        }
    }

    /// The name people know.
    pub fn title(self) -> &'static str {
        match self {
            Self::Claude => "Claude Code",
            Self::Codex => "Codex",
            Self::Cursor => "Cursor",
            Self::Zed => "Zed",
            Self::VsCode => "VS Code",
        }
    }

    /// The file of a project.
    pub fn project_file(self, project: &Path) -> PathBuf {
        project.join(match self {
            Self::Claude => ".mcp.json",
            Self::Codex => ".codex/config.toml",
            Self::Cursor => ".cursor/mcp.json",
            Self::Zed => ".zed/settings.json",
            Self::VsCode => ".vscode/mcp.json",
        })
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

    /// The word that the client replaces by the folder that is open in it.
    pub fn open_folder(self) -> Option<&'static str> {
        match self {
            Self::Cursor | Self::VsCode => Some("${workspaceFolder}"),
            // These start servers in that folder.
            Self::Claude | Self::Codex | Self::Zed => None,
        }
    }

    fn section(self) -> &'static str {
        match self {
            Self::Claude | Self::Cursor => "mcpServers",
            Self::Codex => "mcp_servers",
            Self::Zed => "context_servers",
            Self::VsCode => "servers",
        }
    }

    /// The text with our entry in it, or without it. `name` is what messages call the file.
    pub fn edited(self, text: &str, name: &str, start: Option<&Start>) -> Result<String, ConfigError> {
        let done = match self {
            Self::Codex => self.edited_toml(text, start),
            Self::Claude | Self::Cursor | Self::Zed | Self::VsCode => {
                let done = match start {
                    Some(start) => jsonc::get(text, self.section(), NAME)
                        .and_then(|old| jsonc::put(text, self.section(), NAME, &self.entry(old, start))),
                    None => jsonc::remove(text, self.section(), NAME),
                };
                done.map_err(|problem| Place::file("", text).error(problem))
            }
        };
        done.map_err(|mut error| {
            error.place = name.to_owned();
            error.hint.get_or_insert_with(|| "the file was left alone; mend it, or edit it by hand".into());
            error
        })
    }

    /// What a person added to an entry of ours, such as variables, stays.
    fn entry(self, old: Option<Value>, start: &Start) -> Value {
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

    fn edited_toml(self, text: &str, start: Option<&Start>) -> Result<String, ConfigError> {
        let section = owned(&[self.section(), NAME]);
        let Some(start) = start else { return edit_any(text, &section, |text| spot::remove(text, &section)) };
        let at = |leaf: &str| owned(&[self.section(), NAME, leaf]);
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
        let mut error = Place::named(name).failed("changed while it was looked at: nothing was written");
        error.hint = Some("try again".into());
        Err(error)
    })
    .map(drop)
}
