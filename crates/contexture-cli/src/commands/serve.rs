//! `serve` and `mcp`: the panel and the operations over HTTP, and tools for agents, until it is interrupted.

use super::send::key;
use crate::args::{McpArgs, PORT, ServeArgs};
use crate::failure::{ErrorKind, Failure};
use crate::ui::Ui;
use contexture::answers::{to_value, versioned};
use contexture::ops::Door;
use contexture_server::http::{Limits, Options, Secret, Server};
use contexture_server::mcp::{Mcp, Writes, http, serve_stdio};
use serde::Serialize;
use std::io::{self, Write};
use std::net::{Ipv4Addr, SocketAddr};
use std::process::{Command, Stdio};
use std::sync::Arc;
use tempfile::{NamedTempFile, TempDir};

/// How many ports are tried.
const TRIES: u16 = 20;

/// Where the server listens, and what opens it.
#[derive(Serialize)]
struct ServedAnswer<'a> {
    url: &'a str,
    address: String,
    token: &'a str,
}

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
            let (address, token) = (server.address().to_string(), server.token().reveal());
            let served = to_value(versioned(ServedAnswer { url: &url, address, token }));
            ui.print(&format!("{served}\n"))?;
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
        // Until the end: the page holds the token.
        let _page = if args.open { open(&url, ui) } else { None };
        server.run(stop).await?;
        Ok(())
    })
}

/// Done at the first Ctrl-C, or when the system asks to end: what is under way is finished. The second one ends the program.
fn interrupted() -> Result<impl Future<Output = ()>, Failure> {
    let (stop, stopped) = tokio::sync::oneshot::channel();
    let mut stop = Some(stop);
    let handler = move || match stop.take() {
        Some(stop) => drop(stop.send(())),
        None => std::process::exit(ErrorKind::Interrupted as i32),
    };
    ctrlc::set_handler(handler).map_err(|error| Failure::new(ErrorKind::Failed, error.to_string()))?;
    Ok(async { drop(stopped.await) })
}

async fn bind(door: Door, args: &ServeArgs) -> Result<Server, Failure> {
    let options =
        |listen: SocketAddr| Options { listen, keys: Arc::new(|of| key(of, None)), limits: Limits::default() };
    if let Some(listen) = args.listen {
        if listen.ip().is_unspecified() {
            return Err(Failure::new(
                ErrorKind::Usage,
                format!("`{listen}` is every address of this machine, and no page can be opened there"),
            )
            .hint(format!("name the one address that you will open, such as `--listen 127.0.0.1:{PORT}`")));
        }
        return Server::bind(door, options(listen)).await.map_err(|error| address_in_use(listen, &error));
    }
    let address = |port| SocketAddr::from((Ipv4Addr::LOCALHOST, port));
    for port in PORT..PORT + TRIES {
        match Server::bind(door.clone(), options(address(port))).await {
            Err(error) if error.kind() == io::ErrorKind::AddrInUse => {}
            Err(error) => return Err(address_in_use(address(port), &error)),
            Ok(server) => return Ok(server),
        }
    }
    let error = io::Error::from(io::ErrorKind::AddrInUse);
    Err(address_in_use(address(PORT), &error))
}

fn address_in_use(listen: SocketAddr, error: &io::Error) -> Failure {
    Failure::new(ErrorKind::Failed, format!("cannot listen on {listen}: {}", error.kind()))
        .hint("`--listen 127.0.0.1:0` takes any port that is free")
}

/// A page that leads to the panel, readable by this user alone. It is gone when this is dropped.
struct StartPage {
    file: NamedTempFile,
    /// Dropped after the file in it.
    _folder: TempDir,
}

impl StartPage {
    fn write(url: &str) -> io::Result<Self> {
        let mut folder = tempfile::Builder::new();
        #[cfg(unix)]
        folder.permissions(std::os::unix::fs::PermissionsExt::from_mode(0o700));
        let folder = folder.prefix("contexture-").tempdir()?;
        // Made anew with mode 0600.
        let mut file = tempfile::Builder::new().prefix("open-").suffix(".html").tempfile_in(&folder)?;
        let url = url.replace('&', "&amp;").replace('"', "&quot;").replace('<', "&lt;");
        writeln!(
            file,
            "<!doctype html><html lang=\"en\"><meta charset=\"utf-8\"><meta name=\"referrer\" content=\"no-referrer\">\
             <meta http-equiv=\"refresh\" content=\"0;url={url}\"><title>Contexture</title>\
             <p><a href=\"{url}\">Open the panel</a></p></html>"
        )?;
        file.flush()?;
        Ok(Self { file, _folder: folder })
    }
}

/// By whatever opens pages here. Others on this machine see the words of every command line, so the opener gets the path of a page that
/// leads to the address, and never the address with its token. The address is printed in any case.
fn open(url: &str, ui: &Ui) -> Option<StartPage> {
    let page = match StartPage::write(url) {
        Ok(page) => page,
        Err(error) => {
            ui.say(&format!("note: cannot write the page to open: {}; open the address above", error.kind()));
            return None;
        }
    };
    let programs: &[&str] = if cfg!(target_os = "macos") { &["open"] } else { &["xdg-open", "wslview"] };
    let is_open = programs.iter().any(|program| {
        let quiet = || Stdio::null();
        Command::new(program).arg(page.file.path()).stdin(quiet()).stdout(quiet()).stderr(quiet()).spawn().is_ok()
    });
    if !is_open {
        ui.say("note: no browser was found; open the address above");
    }
    is_open.then_some(page)
}

pub fn mcp(door: Door, args: &McpArgs, ui: &Ui) -> Result<(), Failure> {
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
