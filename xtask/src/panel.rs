//! `cargo xtask panel`: the panel's own checks, and the panel in a real browser before the real program.
//!
//! Takes nothing, or `--big` for the tests of size alone; needs npm, and Debian's Chromium for the browser, which it installs where it may. Gives
//! an error when a check or a test failed. What is missing is said; with `CI` set it is an error. The tests start the program themselves, on
//! projects and homes of their own (`web/e2e`): here it is only built.

use crate::proc;
use std::path::PathBuf;
use std::process::Command;
use xtask::packages::{BINARY, PROGRAM};

pub fn run(args: &[String]) -> Result<(), String> {
    match args {
        [] => {
            check()?;
            browse()
        }
        [word] if word == "--big" => big(),
        [word, ..] => Err(format!("`panel` takes nothing or `--big`: `{word}`")),
    }
}

/// In a real browser, before the program as it is built for tests.
pub fn browse() -> Result<(), String> {
    in_browser("e2e", proc::program)
}

/// A hundred thousand files, and a tree of as many nodes, before the program as it is released; prints the figures.
fn big() -> Result<(), String> {
    if !has_npm() {
        return missing(NO_NPM);
    }
    install()?;
    in_browser("e2e:big", || {
        proc::show(proc::cargo().args(["build", "--quiet", "--package", PROGRAM, "--release"]))?;
        Ok(proc::target().join("release").join(BINARY))
    })
}

fn in_browser(script: &str, program: impl Fn() -> Result<PathBuf, String>) -> Result<(), String> {
    if !has_npm() {
        return missing(NO_NPM);
    }
    let browser = match browser() {
        Ok(browser) => browser,
        Err(cause) => return missing(&format!("not looked at in a browser: {cause}")),
    };
    proc::show(
        Command::new("npm")
            .args(["run", "--silent", script])
            .current_dir(proc::root().join("web"))
            .env("CONTEXTURE", program()?)
            .env("CHROMIUM", browser),
    )
}

/// Without a browser: types, unit tests, and the size of what is served.
pub fn check() -> Result<(), String> {
    if !has_npm() {
        return missing(NO_NPM);
    }
    install()?;
    npm(&["run", "types:check"])?;
    npm(&["run", "check"])?;
    npm(&["test"])?;
    // Tells the compressed size, and fails above the limit.
    npm(&["run", "build"])
}

/// Installs what the panel is built and tested with, where the list of it is newer. Must not run while the program is built: that uses it.
pub fn install() -> Result<(), String> {
    let web = proc::root().join("web");
    let time = |path: &str| std::fs::metadata(web.join(path)).and_then(|data| data.modified()).ok();
    let installed = time("node_modules/.package-lock.json");
    if installed.is_some() && installed >= time("package-lock.json") {
        return Ok(());
    }
    npm(&["ci", "--no-audit", "--no-fund"])
}

const NO_NPM: &str = "npm is not there; the panel is neither checked nor built";

fn has_npm() -> bool {
    Command::new("npm").arg("--version").output().is_ok()
}

fn npm(words: &[&str]) -> Result<(), String> {
    proc::show(Command::new("npm").args(words).current_dir(proc::root().join("web")))
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
pub fn browser() -> Result<PathBuf, String> {
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
