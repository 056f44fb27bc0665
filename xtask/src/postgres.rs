//! Sees to it that the tests find a PostgreSQL to start: Debian's package is installed where it is missing and may be.
//!
//! Gives an error only where nothing may be skipped; elsewhere it says what the tests will pass over.

use crate::proc;
use std::path::Path;
use std::process::Command;

pub fn provide() -> Result<(), String> {
    if is_there() {
        println!("initdb and pg_ctl are there");
        return Ok(());
    }
    let is_root = proc::capture(Command::new("id").arg("-u")).is_ok_and(|id| id.trim() == "0");
    let has_apt = Command::new("apt-get").arg("--version").output().is_ok_and(|output| output.status.success());
    if is_root && has_apt {
        println!("installing Debian's `postgresql`: the tests start a server of their own with it");
        let mut install = Command::new("apt-get");
        install.args(["install", "--yes", "--no-install-recommends", "postgresql"]);
        install.env("DEBIAN_FRONTEND", "noninteractive");
        let mut update = Command::new("apt-get");
        let done = proc::show(&mut install)
            .or_else(|_| proc::show(update.args(["update", "--quiet"])).and_then(|()| proc::show(&mut install)));
        if done.is_ok() && is_there() {
            return Ok(());
        }
    }
    let missing = "PostgreSQL is not there: install Debian's `postgresql`";
    if std::env::var_os("CI").is_some() {
        return Err(missing.into());
    }
    println!("{missing}; tests of a shared store will be passed over");
    Ok(())
}

/// On the path, or where Debian has the programs of each version.
fn is_there() -> bool {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let debian = std::fs::read_dir("/usr/lib/postgresql").into_iter().flatten();
    let debian = debian.filter_map(|entry| Some(entry.ok()?.path().join("bin")));
    let has_both = |folder: &Path| ["initdb", "pg_ctl"].iter().all(|name| folder.join(name).exists());
    std::env::split_paths(&path).chain(debian).any(|folder| has_both(&folder))
}
