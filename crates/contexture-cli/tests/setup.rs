//! `setup`: entries in the settings of clients, shown, written, taken out.
#![allow(clippy::unwrap_used)]

use contexture_testkit::{Ran, TestEnv};
use insta::assert_snapshot;
use std::path::PathBuf;

fn new() -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_contexture"))
}

/// Everything a run said, without what differs from one machine to the next.
fn said(ran: &Ran) -> String {
    ran.all().replace(env!("CARGO_BIN_EXE_contexture"), "[PROGRAM]")
}

fn home(env: &TestEnv, path: &str, text: &str) -> PathBuf {
    let file = env.home().join(path);
    std::fs::create_dir_all(file.parent().unwrap()).unwrap();
    std::fs::write(&file, text).unwrap();
    file
}

const FILES: [(&str, &str); 5] = [
    ("claude", ".claude.json"),
    ("codex", ".codex/config.toml"),
    ("cursor", ".cursor/mcp.json"),
    ("zed", ".config/zed/settings.json"),
    ("vscode", ".config/Code/User/mcp.json"),
];

#[test]
fn an_entry_for_each_client() {
    let env = new();
    let all: Vec<String> = FILES
        .map(|(client, file)| {
            let shown = env.run(&["setup", client, "--dry-run"]);
            assert!(!env.home().join(file).exists());
            let written = env.run(&["setup", client, "--yes"]);
            assert_eq!(written.code, Some(0), "{}", written.stderr);
            assert_eq!(shown.stdout, written.stdout);
            let text = std::fs::read_to_string(env.home().join(file)).unwrap();
            format!("# {file}\n{}", text.replace(env!("CARGO_BIN_EXE_contexture"), "[PROGRAM]"))
        })
        .into();
    assert_snapshot!(all.join("\n"), @r#"
    # .claude.json
    {
      "mcpServers": {
        "contexture": {
          "type": "stdio",
          "command": "[PROGRAM]",
          "args": ["mcp"]
        }
      }
    }

    # .codex/config.toml
    [mcp_servers.contexture]
    command = "[PROGRAM]"
    args = ["mcp"]

    # .cursor/mcp.json
    {
      "mcpServers": {
        "contexture": {
          "command": "[PROGRAM]",
          "args": ["mcp", "--root", "${workspaceFolder}"]
        }
      }
    }

    # .config/zed/settings.json
    {
      "context_servers": {
        "contexture": {
          "command": "[PROGRAM]",
          "args": ["mcp"]
        }
      }
    }

    # .config/Code/User/mcp.json
    {
      "servers": {
        "contexture": {
          "type": "stdio",
          "command": "[PROGRAM]",
          "args": ["mcp", "--root", "${workspaceFolder}"]
        }
      }
    }
    "#);
}

#[test]
fn what_is_there_stays_to_the_byte() {
    let env = new();
    let texts = [
        (
            "claude",
            ".claude.json",
            "{\n  \"numStartups\": 3,\n  \"mcpServers\": {\n    \"other\": {\"command\": \"x\"}\n  },\n  \"big\": 12345678901234567890123,\n  \"f\": 1.10\n}",
        ),
        (
            "codex",
            ".codex/config.toml",
            "# Mine.\r\nmodel = \"m\" # note\r\n\r\n[mcp_servers.other]\r\ncommand = \"x\"\r\n\r\n[tui]\r\ntheme = 'a'\r\n",
        ),
        ("cursor", ".cursor/mcp.json", "{\"mcpServers\":{\"other\":{\"url\":\"http://x\"}}}\n"),
        (
            "zed",
            ".config/zed/settings.json",
            "// Zed settings\n{\n  \"theme\": \"One\", // dark\n  \"context_servers\": {\n    /* none */\n    \"other\": {\"command\": \"x\",},\n  },\n}\n",
        ),
        (
            "vscode",
            ".config/Code/User/mcp.json",
            "{\n\t\"inputs\": [],\n\t\"servers\": {\n\t\t\"other\": {\n\t\t\t\"type\": \"http\"\n\t\t}\n\t}\n}\n",
        ),
    ];
    for (client, file, text) in texts {
        let file = home(&env, file, text);
        let shown = env.run(&["setup", client, "--dry-run", "--json"]).json();
        assert_eq!((&shown["changes"], &shown["written"]), (&true.into(), &false.into()));
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
        let ran = env.run(&["setup", client, "--yes"]);
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        let new = std::fs::read_to_string(&file).unwrap();
        // Every line that was there is there, but for a comma.
        let lines = |text: &str| text.lines().map(|line| line.trim_end_matches(',').to_owned()).collect::<Vec<_>>();
        assert!(client == "cursor" || lines(text).iter().all(|line| lines(&new).contains(line)), "{new}");
        let again = env.run(&["setup", client, "--yes"]);
        assert!(again.stdout.is_empty() && again.stderr.contains("has this entry already"), "{}", again.stderr);
        let undone = env.run(&["setup", client, "--yes", "--undo"]);
        assert_eq!(undone.code, Some(0), "{}", undone.stderr);
        assert_eq!(std::fs::read_to_string(&file).unwrap(), text, "{client}");
        let nothing = env.run(&["setup", client, "--undo", "--yes"]);
        assert!(nothing.stderr.contains("has no entry"), "{}", nothing.stderr);
    }
}

#[test]
fn roots_and_places() {
    let env = new();
    env.write("sub/a.txt", "a\n");
    let mut all = Vec::new();
    for words in [
        &["setup", "claude", "--dry-run", "--root", "sub", "--allow-write"][..],
        &["setup", "claude", "--dry-run", "--project"],
        &["setup", "vscode", "--dry-run", "--project"],
        &["setup", "codex", "--dry-run", "--project"],
        &["setup", "zed", "--dry-run", "--file", "mine.json"],
    ] {
        all.push(format!("$ {}\n{}", words.join(" "), said(&env.run(words))));
    }
    assert_snapshot!(all.join("\n"), @r#"
    $ setup claude --dry-run --root sub --allow-write
    exit 0
    --- stdout
    --- [TEMP]/home/.claude.json
    +++ [TEMP]/home/.claude.json (after)
    @@ -0,0 +1,9 @@
    +{
    +  "mcpServers": {
    +    "contexture": {
    +      "type": "stdio",
    +      "command": "[PROGRAM]",
    +      "args": ["mcp", "--root", "[TEMP]/project/sub", "--allow-write"]
    +    }
    +  }
    +}
    --- stderr

    $ setup claude --dry-run --project
    exit 0
    --- stdout
    --- .mcp.json
    +++ .mcp.json (after)
    @@ -0,0 +1,9 @@
    +{
    +  "mcpServers": {
    +    "contexture": {
    +      "type": "stdio",
    +      "command": "contexture",
    +      "args": ["mcp"]
    +    }
    +  }
    +}
    --- stderr

    $ setup vscode --dry-run --project
    exit 0
    --- stdout
    --- .vscode/mcp.json
    +++ .vscode/mcp.json (after)
    @@ -0,0 +1,9 @@
    +{
    +  "servers": {
    +    "contexture": {
    +      "type": "stdio",
    +      "command": "contexture",
    +      "args": ["mcp", "--root", "${workspaceFolder}"]
    +    }
    +  }
    +}
    --- stderr

    $ setup codex --dry-run --project
    exit 0
    --- stdout
    --- .codex/config.toml
    +++ .codex/config.toml (after)
    @@ -0,0 +1,3 @@
    +[mcp_servers.contexture]
    +command = "contexture"
    +args = ["mcp"]
    --- stderr

    $ setup zed --dry-run --file mine.json
    exit 0
    --- stdout
    --- mine.json
    +++ mine.json (after)
    @@ -0,0 +1,8 @@
    +{
    +  "context_servers": {
    +    "contexture": {
    +      "command": "[PROGRAM]",
    +      "args": ["mcp"]
    +    }
    +  }
    +}
    --- stderr
    "#);
}

#[test]
fn what_cannot_be_read_is_left_alone() {
    let env = new();
    let mut all = Vec::new();
    for (client, file, text) in [
        ("claude", ".claude.json", "{\n  \"a\": 1\n  \"b\": 2\n}\n"),
        ("cursor", ".cursor/mcp.json", "{\"mcpServers\": [] }"),
        ("codex", ".codex/config.toml", "model = \"m\"\n[mcp_servers\n"),
        ("zed", ".config/zed/settings.json", "{ // no end"),
    ] {
        let file = home(&env, file, text);
        for words in [&["setup", client, "--yes"][..], &["setup", client, "--yes", "--undo"]] {
            let ran = env.run(words);
            assert_eq!(ran.code, Some(2), "{client}");
            assert_eq!(std::fs::read_to_string(&file).unwrap(), text);
            all.push(said(&ran));
        }
    }
    assert_snapshot!(all.join("\n"), @"
    exit 2
    --- stdout
    --- stderr
    error: [TEMP]/home/.claude.json:2:9: expected comma
    hint: the file was left alone; mend it, or edit it by hand

    exit 2
    --- stdout
    --- stderr
    error: [TEMP]/home/.claude.json:2:9: expected comma
    hint: the file was left alone; mend it, or edit it by hand

    exit 2
    --- stdout
    --- stderr
    error: [TEMP]/home/.cursor/mcp.json:1:16: `mcpServers` must be an object
    hint: edit the file by hand

    exit 2
    --- stdout
    --- stderr
    error: [TEMP]/home/.cursor/mcp.json:1:16: `mcpServers` must be an object
    hint: edit the file by hand

    exit 2
    --- stdout
    --- stderr
    error: [TEMP]/home/.codex/config.toml:2:13: unclosed table, expected `]`
    hint: the file was left alone; mend it, or edit it by hand

    exit 2
    --- stdout
    --- stderr
    error: [TEMP]/home/.codex/config.toml:2:13: unclosed table, expected `]`
    hint: the file was left alone; mend it, or edit it by hand

    exit 2
    --- stdout
    --- stderr
    error: [TEMP]/home/.config/zed/settings.json:1:1: unterminated object
    hint: the file was left alone; mend it, or edit it by hand

    exit 2
    --- stdout
    --- stderr
    error: [TEMP]/home/.config/zed/settings.json:1:1: unterminated object
    hint: the file was left alone; mend it, or edit it by hand
    ");
}

#[test]
fn nobody_is_asked_without_a_terminal() {
    let env = new();
    let ran = env.run_with_stdin(&["setup", "cursor"], b"y\n");
    assert_eq!(ran.code, Some(2));
    assert!(ran.stdout.contains("+++") && ran.stderr.contains("no terminal to ask on"), "{}", ran.stderr);
    assert!(!env.home().join(".cursor").exists());
}

#[cfg(target_os = "linux")]
#[test]
fn on_a_terminal_somebody_decides() {
    use rustix::pty::{OpenptFlags, grantpt, openpt, ptsname, unlockpt};
    use std::io::Write;
    use std::process::Stdio;
    for (answer, is_written) in [("n\n", false), ("\n", false), ("y\n", true)] {
        let env = new();
        let master = openpt(OpenptFlags::RDWR | OpenptFlags::NOCTTY).unwrap();
        grantpt(&master).unwrap();
        unlockpt(&master).unwrap();
        let name = ptsname(&master, Vec::new()).unwrap().into_string().unwrap();
        let open = || std::fs::OpenOptions::new().read(true).write(true).open(&name).unwrap();
        let mut child = env
            .command(&["setup", "cursor"])
            .stdin(Stdio::from(open()))
            .stderr(Stdio::from(open()))
            .stdout(Stdio::null())
            .spawn()
            .unwrap();
        std::fs::File::from(master.try_clone().unwrap()).write_all(answer.as_bytes()).unwrap();
        assert!(child.wait().unwrap().success());
        assert_eq!(env.home().join(".cursor/mcp.json").exists(), is_written, "{answer:?}");
    }
}

#[test]
fn what_a_person_added_to_the_entry_stays() {
    let env = new();
    let text = "{\n  \"mcpServers\": {\n    \"contexture\": {\n      \"command\": \"old\",\n      \"env\": {\"A\": \"b\"}\n    }\n  }\n}\n";
    std::fs::write(env.root().join("s.json"), text).unwrap();
    let ran = env.run(&["setup", "claude", "--file", "s.json", "--yes"]);
    assert!(ran.stderr.contains("`contexture setup claude --file s.json --undo` takes it out again"), "{}", ran.stderr);
    let new = std::fs::read_to_string(env.root().join("s.json")).unwrap();
    assert!(new.contains("\"A\": \"b\"") && !new.contains("\"old\""), "{new}");
    let ran = env.run(&["setup", "claude", "--project", "--yes"]);
    assert!(ran.stderr.contains("`contexture setup claude --project --undo`"), "{}", ran.stderr);
}

#[cfg(unix)]
#[test]
fn links_that_a_repository_brings_lead_nowhere() {
    use std::os::unix::fs::symlink;
    let env = new();
    let outside = env.temp().join("outside");
    std::fs::create_dir_all(&outside).unwrap();
    std::fs::write(outside.join("victim.json"), "{}\n").unwrap();
    symlink(outside.join("victim.json"), env.root().join(".mcp.json")).unwrap();
    symlink(&outside, env.root().join(".cursor")).unwrap();
    for client in ["claude", "cursor"] {
        let ran = env.run(&["setup", client, "--project", "--yes"]);
        assert_eq!(ran.code, Some(2), "{}", ran.all());
        assert!(ran.stderr.contains("leads out of the project, to "), "{}", ran.stderr);
    }
    assert_eq!(std::fs::read_to_string(outside.join("victim.json")).unwrap(), "{}\n");
    assert_eq!(std::fs::read_dir(&outside).unwrap().count(), 1);
    // A link to nothing would become a file.
    symlink(outside.join("gone"), env.home().join(".claude.json")).unwrap();
    let ran = env.run(&["setup", "claude", "--yes"]);
    assert!(ran.code == Some(2) && ran.stderr.contains("is a link to nothing"), "{}", ran.all());
    assert!(env.home().join(".claude.json").is_symlink());
}
