//! `serve --open`: the token is on no command line, and in no file that others can read.

#![cfg(unix)]
#![allow(clippy::unwrap_used)]

use contexture_testkit::TestEnv;
use rustix::fs::{CWD, FileType, Mode, mknodat};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader};
use std::os::unix::fs::PermissionsExt;
use std::path::Path;
use std::process::Stdio;

fn mode(path: &Path) -> u32 {
    std::fs::metadata(path).unwrap().permissions().mode() & 0o777
}

#[test]
fn a_page_for_the_user_alone_leads_to_the_panel() {
    let env = TestEnv::small(env!("CARGO_BIN_EXE_contexture"));
    let (programs, temporary) = (env.temp().join("programs"), env.temp().join("temporary"));
    std::fs::create_dir(&programs).unwrap();
    std::fs::create_dir(&temporary).unwrap();
    // The opener hands over its words; reading them waits for it.
    let words = env.temp().join("words");
    mknodat(CWD, &words, FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    for name in ["xdg-open", "open"] {
        let program = programs.join(name);
        std::fs::write(&program, "#!/bin/sh\nprintf '%s\\n' \"$@\" > \"$WORDS\"\n").unwrap();
        std::fs::set_permissions(&program, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    let mut server = env
        .command(&["serve", "--open", "--listen", "127.0.0.1:0"])
        .env("PATH", &programs)
        .env("TMPDIR", &temporary)
        .env("WORDS", &words)
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .spawn()
        .unwrap();
    let mut address = String::new();
    BufReader::new(server.stdout.take().unwrap()).read_line(&mut address).unwrap();
    let (address, token) = (address.trim(), address.trim().split_once("token=").unwrap().1);
    let said = std::fs::read_to_string(&words).unwrap();
    assert!(!said.contains(token) && said.lines().count() == 1, "{said}");
    let page = Path::new(said.trim());
    assert!(page.starts_with(&temporary), "{said}");
    assert_eq!((mode(page), mode(page.parent().unwrap())), (0o600, 0o700));
    let html = std::fs::read_to_string(page).unwrap();
    let refresh = format!("<meta http-equiv=\"refresh\" content=\"0;url={address}\">");
    assert!(html.contains(&refresh), "{html}");
    kill_process(Pid::from_child(&server), Signal::TERM).unwrap();
    assert!(server.wait().unwrap().success());
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
}

#[test]
fn without_an_opener_the_address_is_all_there_is() {
    let env = TestEnv::small(env!("CARGO_BIN_EXE_contexture"));
    let temporary = env.temp().join("temporary");
    std::fs::create_dir(&temporary).unwrap();
    let mut server = env
        .command(&["serve", "--open", "--listen", "127.0.0.1:0"])
        .env("PATH", "/nonexistent")
        .env("TMPDIR", &temporary)
        .stdout(Stdio::piped())
        .stderr(Stdio::piped())
        .spawn()
        .unwrap();
    let mut said = BufReader::new(server.stderr.take().unwrap()).lines();
    assert!(said.any(|line| line.unwrap() == "note: no browser was found; open the address above"));
    kill_process(Pid::from_child(&server), Signal::TERM).unwrap();
    assert!(server.wait().unwrap().success());
    assert_eq!(std::fs::read_dir(&temporary).unwrap().count(), 0);
}
