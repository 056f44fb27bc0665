//! `cargo xtask panel`: the panel's own checks, and the panel in a real browser before the real server.
//!
//! Takes no arguments; needs npm, and Debian's Chromium for the browser, which it installs where it may. Gives an error when a check or a test
//! failed. What is missing is said; with `CI` set it is an error.

use crate::proc;
use std::io::{BufRead, BufReader};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};

pub fn run() -> Result<(), String> {
    check()?;
    let web = proc::root().join("web");
    let browser = match browser() {
        Ok(browser) => browser,
        Err(cause) => return missing(&format!("not looked at in a browser: {cause}")),
    };
    proc::show(proc::cargo().args(["build", "--quiet", "--package", "contexture"]))?;
    let folder = proc::target().join("panel");
    let served = Served::start(&folder, &web)?;
    proc::show(
        Command::new("npm")
            .args(["run", "--silent", "e2e"])
            .current_dir(&web)
            .env("PANEL_URL", &served.url)
            .env("CHROMIUM", browser),
    )
}

/// Without a browser: types, unit tests, and the size of what is served.
pub fn check() -> Result<(), String> {
    let web = proc::root().join("web");
    if Command::new("npm").arg("--version").output().is_err() {
        return missing("npm is not there; the panel is neither checked nor built");
    }
    let npm = |words: &[&str]| proc::show(Command::new("npm").args(words).current_dir(&web));
    npm(&["ci", "--no-audit", "--no-fund"])?;
    npm(&["run", "check"])?;
    npm(&["test"])?;
    // Tells the compressed size, and fails above the limit.
    npm(&["run", "build"])
}

fn missing(cause: &str) -> Result<(), String> {
    match std::env::var_os("CI") {
        Some(_) => Err(cause.to_owned()),
        None => {
            println!("{cause}");
            Ok(())
        }
    }
}

/// Where Chromium is; installed when it is missing and this user may.
fn browser() -> Result<PathBuf, String> {
    let found =
        || ["/usr/bin/chromium", "/usr/bin/chromium-browser"].map(PathBuf::from).into_iter().find(|path| path.exists());
    if let Some(path) = std::env::var_os("CHROMIUM").map(PathBuf::from).or_else(found) {
        return Ok(path);
    }
    println!("installing chromium");
    proc::capture(Command::new("apt-get").args(["update", "-qq"]))?;
    proc::capture(
        Command::new("apt-get")
            .args(["install", "-y", "-qq", "--no-install-recommends", "chromium"])
            .env("DEBIAN_FRONTEND", "noninteractive"),
    )?;
    found().ok_or_else(|| "there is no chromium; `apt-get install chromium` brings it".to_owned())
}

fn program() -> PathBuf {
    proc::target().join("debug/contexture")
}

/// The program serving a project that was made for the tests, with a home of its own.
struct Served {
    child: Child,
    url: String,
}

impl Served {
    fn start(folder: &Path, web: &Path) -> Result<Self, String> {
        let failed = |what: &str, error: std::io::Error| format!("{what}: {error}");
        if folder.exists() {
            std::fs::remove_dir_all(folder)
                .map_err(|error| failed("cannot empty the folder of the panel's tests", error))?;
        }
        let project = folder.join("project");
        std::fs::create_dir_all(&project)
            .map_err(|error| failed("cannot make the project of the panel's tests", error))?;
        proc::capture(Command::new("node").arg(web.join("e2e/fixture.mjs")).arg(&project))?;
        let mut child = Command::new(program())
            .args(["serve", "--listen", "127.0.0.1:0"])
            .current_dir(&project)
            .env("HOME", folder)
            .env("CONTEXTURE_CONFIG_DIR", folder.join("config"))
            .env("CONTEXTURE_CACHE_DIR", folder.join("cache"))
            .env("CONTEXTURE_DATA_DIR", folder.join("data"))
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .map_err(|error| failed("the server does not start", error))?;
        let mut url = String::new();
        let read = child.stdout.take().map(|out| BufReader::new(out).read_line(&mut url));
        match read {
            Some(Ok(_)) if url.starts_with("http://") => Ok(Self { child, url: url.trim().to_owned() }),
            _ => {
                let _ = child.kill();
                Err("the server told no address".to_owned())
            }
        }
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}
