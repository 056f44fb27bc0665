//! `mcp`.

use super::serve::interrupted;
use crate::args::McpArgs;
use crate::failure::Failure;
use crate::ui::Ui;
use contexture_server::http::Secret;
use contexture_server::mcp::http;
use contexture_server::mcp::{Mcp, Writes, serve_stdio};
use contexture_server::ops::Door;

pub fn run(door: Door, args: &McpArgs, ui: &Ui) -> Result<(), Failure> {
    // A root that is not there is a mistake of whoever started this, and told at once.
    door.open_roots()?;
    let writes = if args.allow_write { Writes::Allowed } else { Writes::Refused };
    let mcp = Mcp::new(door, writes);
    if !args.http {
        return Ok(serve_stdio(mcp)?);
    }
    let token = Secret::random()?;
    let told = token.clone();
    let ready = |address| ui.say(&format!("http://{address}{}\ntoken: {}", http::PATH, told.reveal()));
    Ok(http::serve_http(&mcp, args.listen, token, ready, interrupted()?)?)
}
