//! The arguments of `mcp` and `setup`.

use clap::{Args, ValueEnum};
use std::net::SocketAddr;
use std::path::PathBuf;

#[derive(Args, Debug)]
pub struct McpArgs {
    /// Let agents add nodes to trees, and have documents written as numbered files.
    #[arg(long)]
    pub allow_write: bool,
    /// Serve over streamable HTTP at /mcp instead of standard input and output; the token is told on standard error.
    #[arg(long)]
    pub http: bool,
    /// Where to listen, on this machine; port 0 takes any that is free.
    #[arg(long, value_name = "ADDRESS", default_value = "127.0.0.1:0", requires = "http")]
    pub listen: SocketAddr,
}

#[derive(Args, Debug)]
pub struct SetupArgs {
    /// Which client.
    pub client: ClientName,
    /// Write without asking.
    #[arg(long, short)]
    pub yes: bool,
    /// Take the entry out again.
    #[arg(long)]
    pub undo: bool,
    /// Only show what would change.
    #[arg(long, conflicts_with = "yes")]
    pub dry_run: bool,
    /// Enter it in the project's own file, which others may get with it, instead of in the user's.
    #[arg(long)]
    pub project: bool,
    /// Another file than the one the client usually has.
    #[arg(long, value_name = "FILE", conflicts_with = "project")]
    pub file: Option<PathBuf>,
    /// Enter it with `--allow-write`.
    #[arg(long)]
    pub allow_write: bool,
}

#[derive(ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
pub enum ClientName {
    Claude,
    Codex,
    Cursor,
    Zed,
    Vscode,
}
