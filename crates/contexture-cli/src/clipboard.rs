//! Puts text on the clipboard: by the desktop's own program, or through the terminal (OSC 52), which also works over ssh.

use base64::Engine;
use std::fs::OpenOptions;
use std::io::{self, Write};
use std::process::{Command, Stdio};

/// Terminals cut off longer sequences, some without a word; xterm's own limit is of this order.
const OSC52_LIMIT: usize = 1_000_000;

/// How the text got there.
pub fn copy(text: &str) -> Result<&'static str, String> {
    let set = |name: &str| std::env::var_os(name).is_some_and(|value| !value.is_empty());
    let over_ssh = set("SSH_TTY") || set("SSH_CONNECTION");
    if !over_ssh {
        let mut programs: Vec<(&'static str, &[&str])> = Vec::new();
        if cfg!(target_os = "macos") {
            programs.push(("pbcopy", &[]));
        }
        if set("WAYLAND_DISPLAY") {
            programs.push(("wl-copy", &[]));
        }
        if set("DISPLAY") {
            programs.push(("xclip", &["-selection", "clipboard"]));
            programs.push(("xsel", &["--clipboard", "--input"]));
        }
        if cfg!(windows) || set("WSL_DISTRO_NAME") {
            programs.push(("clip.exe", &[]));
        }
        for (program, arguments) in programs {
            if pipe_to(program, arguments, text).is_ok() {
                return Ok(program);
            }
        }
    }
    through_terminal(text).map(|()| "the terminal (OSC 52)")
}

fn pipe_to(program: &str, arguments: &[&str], text: &str) -> io::Result<()> {
    let mut child = Command::new(program)
        .args(arguments)
        .stdin(Stdio::piped())
        .stdout(Stdio::null())
        .stderr(Stdio::null())
        .spawn()?;
    if let Some(mut stdin) = child.stdin.take() {
        stdin.write_all(text.as_bytes())?;
    }
    if child.wait()?.success() { Ok(()) } else { Err(io::Error::other("failed")) }
}

fn through_terminal(text: &str) -> Result<(), String> {
    if text.len() > OSC52_LIMIT {
        return Err(format!(
            "{} bytes are too many for the terminal's clipboard, which takes {OSC52_LIMIT}",
            text.len()
        ));
    }
    let data = base64::engine::general_purpose::STANDARD.encode(text);
    let mut tty = OpenOptions::new()
        .write(true)
        .open("/dev/tty")
        .map_err(|_| "no clipboard program was found and there is no terminal".to_owned())?;
    write!(tty, "\x1b]52;c;{data}\x07").and_then(|()| tty.flush()).map_err(|error| error.to_string())
}
