//! Builds the panel where npm is there, and writes a table of its files for the server to hold.
//!
//! Takes `web/` of the repository; gives `panel.rs` in the folder of the build. Without npm, or where it fails, the table is empty: the
//! server then says how to build the panel, and everything else works. `CONTEXTURE_PANEL=skip` leaves it out on purpose.

use std::fmt::Write;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

fn main() {
    let web = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../web");
    for part in
        ["src", "index.html", "package.json", "package-lock.json", "vite.config.ts", "svelte.config.js", "public"]
    {
        println!("cargo::rerun-if-changed={}", web.join(part).display());
    }
    println!("cargo::rerun-if-changed=build.rs");
    println!("cargo::rerun-if-env-changed=CONTEXTURE_PANEL");
    let out = PathBuf::from(env::var_os("OUT_DIR").expect("cargo sets it"));
    let is_skipped = env::var_os("CONTEXTURE_PANEL").is_some_and(|word| word == "skip");
    let built = if is_skipped || !web.join("package.json").exists() { None } else { build(&web, &out.join("panel")) };
    let mut table = String::from("pub static FILES: &[(&str, &str, &[u8])] = &[\n");
    for (name, path) in built.map(|folder| files(&folder)).unwrap_or_default() {
        let _ = writeln!(table, "    ({name:?}, {:?}, include_bytes!({:?})),", kind(&name), path.display().to_string());
    }
    table.push_str("];\n");
    fs::write(out.join("panel.rs"), table).expect("the folder of the build can be written to");
}

/// Runs npm; what it makes goes into a folder of the build, so that the sources stay as they are but for `node_modules`.
fn build(web: &Path, into: &Path) -> Option<PathBuf> {
    let run = |words: &[&str]| {
        let done = Command::new("npm").args(words).current_dir(web).env("CI", "true").output();
        match done {
            Ok(done) if done.status.success() => true,
            Ok(done) => {
                let told = String::from_utf8_lossy(&done.stderr);
                println!(
                    "cargo::warning=the panel is left out: `npm {}` failed: {}",
                    words.join(" "),
                    told.lines().last().unwrap_or_default()
                );
                false
            }
            Err(_) => {
                println!("cargo::warning=the panel is left out: npm is not there");
                false
            }
        }
    };
    let is_installed = fresh(&web.join("node_modules/.package-lock.json"), &web.join("package-lock.json"));
    if !is_installed && !run(&["ci", "--no-audit", "--no-fund"]) {
        return None;
    }
    let into_text = into.display().to_string();
    run(&["exec", "--", "vite", "build", "--outDir", &into_text, "--emptyOutDir"]).then(|| into.to_owned())
}

/// Whether what was made is newer than what it was made from.
fn fresh(made: &Path, from: &Path) -> bool {
    let time = |path: &Path| fs::metadata(path).and_then(|data| data.modified()).ok();
    matches!((time(made), time(from)), (Some(made), Some(from)) if made >= from)
}

/// Every file below a folder with its name there, sorted.
fn files(folder: &Path) -> Vec<(String, PathBuf)> {
    let mut all = Vec::new();
    let mut due = vec![folder.to_owned()];
    while let Some(next) = due.pop() {
        for entry in fs::read_dir(next).into_iter().flatten().flatten() {
            let path = entry.path();
            if path.is_dir() {
                due.push(path);
            } else if let Ok(name) = path.strip_prefix(folder) {
                all.push((name.to_string_lossy().replace('\\', "/"), path));
            }
        }
    }
    all.sort();
    all
}

fn kind(name: &str) -> &'static str {
    match name.rsplit('.').next().unwrap_or_default() {
        "html" => "text/html; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "svg" => "image/svg+xml",
        "png" => "image/png",
        "ico" => "image/x-icon",
        "json" => "application/json",
        "woff2" => "font/woff2",
        _ => "application/octet-stream",
    }
}
