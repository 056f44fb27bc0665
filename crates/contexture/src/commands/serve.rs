//! `serve`: the panel and the operations over HTTP, until it is interrupted.

use super::send::key;
use crate::args::ServeArgs;
use crate::failure::{Failure, Kind};
use crate::ui::Ui;
use contexture_core::Api;
use contexture_server::http::{Limits, Options, Server};
use contexture_server::ops::Door;
use serde_json::json;
use std::io::{self, ErrorKind};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::sync::Arc;

/// Where it listens when nobody says; the next one that is free when it is taken.
const PORT: u16 = 7878;
const TRIES: u16 = 20;

pub fn run(door: Door, args: &ServeArgs, ui: &Ui) -> Result<(), Failure> {
    // What cannot be opened now would fail with every question.
    door.open_roots()?;
    // Before the address is told: whoever reads it may stop us at once.
    let stop = interrupted()?;
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build()?;
    runtime.block_on(async {
        let server = bind(door, args).await?;
        let url = server.url();
        if ui.json {
            // On one line: whoever reads it does not wait for an end.
            let token = server.token().reveal();
            let told = json!({"v": 1, "url": url, "address": server.address().to_string(), "token": token});
            ui.print(&format!("{told}\n"))?;
        } else {
            ui.print(&format!("{url}\n"))?;
        }
        if !server.address().ip().is_loopback() {
            ui.say("warning: others on this network can reach it; whoever has the address above can read the project");
        }
        if let Some(note) = server.note() {
            ui.say(&format!("note: {note}"));
        }
        ui.say("open the address in a browser; Ctrl-C stops");
        if args.open {
            open(&url, ui);
        }
        server.run(stop).await?;
        Ok(())
    })
}

/// Done at the first Ctrl-C, or when the system asks to end: what is under way is finished. The second one ends the program.
pub fn interrupted() -> Result<impl Future<Output = ()>, Failure> {
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let mut stop = Some(stop);
    let handler = move || match stop.take() {
        Some(stop) => drop(stop.send(())),
        None => std::process::exit(Kind::Interrupted as i32),
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::new(Kind::Failed, error.to_string()))?;
    Ok(async { drop(stopped.await) })
}

async fn bind(door: Door, args: &ServeArgs) -> Result<Server, Failure> {
    let options =
        |listen: SocketAddr| Options { listen, keys: Arc::new(|api: Api| key(api, None)), limits: Limits::default() };
    if let Some(listen) = args.listen {
        if listen.ip().is_unspecified() {
            return Err(Failure::new(
                Kind::Usage,
                format!("`{listen}` is every address of this machine, and no page can be opened there"),
            )
            .hint("name the one address that you will open, such as `--listen 127.0.0.1:7878`"));
        }
        return Server::bind(door, options(listen)).await.map_err(|error| taken(listen, &error));
    }
    let address = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    for port in PORT..PORT + TRIES {
        match Server::bind(door.clone(), options(address(port))).await {
            Err(error) if error.kind() == ErrorKind::AddrInUse => {}
            Err(error) => return Err(taken(address(port), &error)),
            Ok(server) => return Ok(server),
        }
    }
    let error = io::Error::from(ErrorKind::AddrInUse);
    Err(taken(address(PORT), &error))
}

fn taken(listen: SocketAddr, error: &io::Error) -> Failure {
    Failure::new(Kind::Failed, format!("cannot listen on {listen}: {}", error.kind()))
        .hint("`--listen 127.0.0.1:0` takes any port that is free")
}

/// By whatever opens pages here. The address is printed in any case.
fn open(url: &str, ui: &Ui) {
    let programs: &[&str] = if cfg!(target_os = "macos") { &["open"] } else { &["xdg-open", "wslview"] };
    let is_open = programs.iter().any(|program| {
        let quiet = || Stdio::null();
        Command::new(program).arg(url).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn().is_ok()
    });
    if !is_open {
        ui.say("note: no browser was found; open the address by hand");
    }
}
