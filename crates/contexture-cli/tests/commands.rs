//! The verbs as a person meets them: what is printed, what is written, how it ends.
#![allow(clippy::unwrap_used)]

use contexture_testkit::TestEnv;
use insta::assert_snapshot;

fn env() -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_contexture"))
}

fn small() -> TestEnv {
    TestEnv::small(env!("CARGO_BIN_EXE_contexture"))
}

#[test]
fn without_a_verb_there_is_a_plan_and_nothing_is_written() {
    let env = small();
    assert_snapshot!(env.run(&[]).all());
    assert!(!env.root().join(".contexture").exists());
}

#[test]
fn build_writes_a_numbered_document() {
    let env = small();
    assert_snapshot!(env.run(&["build"]).all());
    assert_snapshot!("document", env.read(".contexture/out/project_001.md"));
    assert_eq!(env.run(&["build", "--quiet"]).stdout, ".contexture/out/project_002.md\n");
    std::fs::remove_file(env.root().join(".contexture/out/project_002.md")).unwrap();
    assert_eq!(env.run(&["build", "--quiet"]).stdout, ".contexture/out/project_003.md\n");
    assert_eq!(env.read(".contexture/out/.gitignore"), "*\n");
}

#[test]
fn build_as_json() {
    let env = small();
    assert_snapshot!(env.run(&["build", "--json"]).stdout);
}

#[test]
fn why_the_whole_folder_and_a_symbol_of_a_name_with_a_colon() {
    let env = small();
    env.write("a:b.py", "def f():\n    return 1\n");
    let ran = env.run(&["why", "."]);
    assert!(ran.stdout.starts_with(".: shown, ") && ran.stdout.contains("of its files are shown"), "{}", ran.all());
    let ran = env.run(&["why", "a:b.py:f", "--budget", "200"]);
    assert!(ran.stdout.starts_with("a:b.py:f"), "{}", ran.all());
    assert!(env.run(&["why", "a:b.py"]).stdout.contains("shown as `full`"));
}

#[test]
fn why_a_file_is_in_or_not() {
    let env = small();
    env.write(
        "contexture.toml",
        "[files]\npaths = [\"src/**\", { path = \"README.md\", view_mode = \"summary\" }, \"Cargo.lock\"]\n",
    );
    let mut out = String::new();
    for path in [
        "src/main.rs",
        "README.md",
        "Cargo.lock",
        "keep.log",
        "a.log",
        "target/debug/x.txt",
        "node_modules/p/index.js",
        "src/mian.rs",
        "../x",
        "src",
        ".git/config",
    ] {
        out.push_str(&env.run(&["why", path]).all().replace("exit 0\n--- stdout\n", "").replace("--- stderr\n", ""));
    }
    assert_snapshot!(out);
}

#[test]
fn show_prints_one_view() {
    let env = small();
    assert_eq!(env.run(&["show", "src/lib.rs"]).stdout, env.read("src/lib.rs"));
    assert_snapshot!(env.run(&["show", "src/lib.rs", "--line-numbers"]).stdout, @r"
    1  //! The library.
    2  
    3  pub fn one() -> u32 {
    4      1
    5  }
    ");
    assert_snapshot!(env.run(&["show", "src/lib.rs", "--view", "summary"]).stdout);
    assert_snapshot!(env.run(&["show", "src/lob.rs"]).all(), @r"
    exit 2
    --- stdout
    --- stderr
    error: no such file: src/lob.rs
    hint: did you mean src/lib.rs?
    ");
}

#[test]
fn tokens_and_stats() {
    let env = small();
    assert_snapshot!("tokens", env.run(&["tokens"]).all());
    assert_snapshot!("tokens_tree", env.run(&["tokens", "--tree"]).all());
    assert_snapshot!("stats", env.run(&["stats"]).all());
    assert_eq!(env.run(&["tokens", "src/lib.rs", "--json"]).json()["files"][0]["tokens"], 17);
}

#[test]
fn line_numbers_tree_and_formats() {
    let env = small();
    assert_snapshot!(env.run(&["build", "-o", "-", "--quiet", "--tree", "selected", "-n", "src", "Cargo.lock"]).stdout);
    assert_snapshot!("xml", env.run(&["build", "-o", "-", "--quiet", "--format", "xml", "src/lib.rs"]).stdout);
    assert_snapshot!("json", env.run(&["build", "-o", "-", "--quiet", "--format", "json", "src/lib.rs"]).stdout);
}

#[test]
fn paths_come_from_standard_input_too() {
    let env = small();
    let lines = env.run_with_stdin(&["build", "-", "-o", "-", "--quiet"], b"src/lib.rs\nREADME.md\r\n");
    let zeros = env.run_with_stdin(&["build", "--stdin0", "-o", "-", "--quiet"], b"src/lib.rs\0README.md\0");
    assert_eq!(lines.stdout, zeros.stdout);
    assert!(lines.stdout.contains("### `README.md`") && lines.stdout.contains("### `src/lib.rs`"));
    assert_eq!(env.run_with_stdin(&["build", "-"], b"").code, Some(2));
    // A list from a program is no choice by hand: lock files stay short, keys stay out.
    env.write(".env", "KEY=1\n");
    let listed = env.run_with_stdin(&["build", "-", "-o", "-", "--json"], b"Cargo.lock\n.env\n").json();
    assert_eq!(listed["items"][0]["view"], "name");
    assert_eq!(listed["left_out"][0]["path"], ".env");
}

#[test]
fn include_and_exclude() {
    let env = small();
    let paths = |args: &[&str]| {
        let report = env.run(&[&["build", "-o", "-", "--json"], args].concat()).json();
        let list: Vec<String> =
            report["items"].as_array().unwrap().iter().map(|item| item["path"].as_str().unwrap().to_owned()).collect();
        list.join(" ")
    };
    assert_eq!(paths(&["--include", "*.rs"]), "src/lib.rs src/main.rs");
    assert_eq!(paths(&["--include", "src/", "--exclude", "main.rs"]), "src/lib.rs");
    assert_eq!(paths(&["--exclude", "src", "--exclude", "*.lock"]), ".gitignore README.md keep.log");
}

#[test]
fn ignore_rules_are_gits() {
    // Nested ignore files, re-inclusion, info/exclude, our own ignore file.
    let env = env();
    env.write(".gitignore", "*.log\n!keep.log\n/build\nout/\n")
        .write("sub/.gitignore", "!special.log\nlocal.txt\n")
        .write("sub/.ignore", "hidden.txt\n")
        .write("sub/.contextureignore", "ours.txt\n")
        .write(".git/info/exclude", "excluded.txt\n")
        .write(".git/HEAD", "ref: refs/heads/main\n");
    for name in [
        "a.log",
        "keep.log",
        "build/x",
        "sub/build/x",
        "out/x",
        "sub/out/x",
        "sub/special.log",
        "sub/other.log",
        "sub/local.txt",
        "local.txt",
        "sub/hidden.txt",
        "hidden.txt",
        "sub/ours.txt",
        "ours.txt",
        "excluded.txt",
        "sub/excluded.txt",
        ".github/workflow.yml",
    ] {
        env.write(name, "x\n");
    }
    let report = env.run(&["build", "-o", "-", "--json"]).json();
    let shown: Vec<&str> =
        report["items"].as_array().unwrap().iter().map(|item| item["path"].as_str().unwrap()).collect();
    assert_eq!(
        shown.join(" "),
        ".github/workflow.yml .gitignore hidden.txt keep.log local.txt ours.txt sub/.contextureignore sub/.gitignore sub/.ignore sub/build/x sub/special.log"
    );
    assert!(env.run(&["why", "sub/excluded.txt"]).stdout.contains("ignored by `excluded.txt` in .git/info/exclude:1"));
    assert!(env.run(&["why", "sub/ours.txt"]).stdout.contains("ignored by `ours.txt` in sub/.contextureignore:1"));
    assert!(env.run(&["why", "out/x"]).stdout.contains("ignored by `out/` in .gitignore:4, which leaves out `out`"));
    // A file that is named by hand is taken, whatever ignores it.
    assert!(env.run(&["build", "a.log", "-o", "-"]).stdout.contains("### `a.log`"));
    assert!(env.run(&["build", "out", "-o", "-"]).stdout.contains("### `out/x`"));
}

#[test]
fn hostile_patterns_end_at_once() {
    let env = small();
    let braces = "{a,b}".repeat(20) + "x";
    let stars = "**/".repeat(200) + "x";
    let long = "a".repeat(5000) + "*";
    for (pattern, code) in [
        (braces.as_str(), 0),
        (stars.as_str(), 0),
        (long.as_str(), 2),
        ("[", 2),
        ("a[", 2),
        ("{a", 2),
        ("src/[z-a]", 2),
    ] {
        let ran = env.run(&["build", pattern, "-o", "-"]);
        assert_eq!(ran.code, Some(code), "{pattern}: {}", ran.all());
        let ran = env.run(&["build", "--exclude", pattern, "-o", "-"]);
        assert!(matches!(ran.code, Some(0 | 2)), "{pattern}: {}", ran.all());
    }
    env.write(".gitignore", (0..100_000).map(|n| format!("name{n}\n")).collect::<String>());
    assert_eq!(env.run(&["build", "src", "-o", "-"]).code, Some(0));
}

#[test]
fn missing_and_unmatched() {
    let env = small();
    env.write("contexture.toml", "[files]\npaths = [\"src/lib.rs\", \"gone.rs\", \"no/*.such\"]\n");
    assert_snapshot!(env.run(&["build", "-o", "-"]).all());
    assert_snapshot!("strict", env.run(&["build", "--strict"]).all());
    assert!(!env.root().join(".contexture").exists());
}

#[test]
fn a_path_of_the_command_line_that_does_not_exist_stops_everything() {
    let env = small();
    for words in [
        &["build"][..],
        &["build", "src/main.rs"],
        &["tokens"],
        &["tokens", "src/main.rs"],
        &["stats"],
        &["scan"],
        &["show"],
        &["symbols"],
        &["related"],
        &["slice", "make"],
        &["summarize", "--dry-run"],
        &["send", "--provider", "openai", "--model", "m", "--message", "x", "--dry-run"],
    ] {
        let lines: &[&str] = if words[0] == "slice" { &["1-2"] } else { &[] };
        let ran = env.run(&[words, &["src/lob.rs"], lines].concat());
        let told = "error: no such file: src/lob.rs\nhint: did you mean src/lib.rs?\n";
        assert_eq!((ran.code, ran.stdout.as_str(), ran.stderr.as_str()), (Some(2), "", told), "{words:?}");
        let outside = env.run(&[words, &["/etc/hostname"], lines].concat());
        assert_eq!((outside.code, outside.stdout.as_str()), (Some(2), ""), "{words:?}: {}", outside.all());
        assert!(outside.stderr.contains("error: outside the project: /etc/hostname\nhint: "), "{}", outside.stderr);
    }
    let address = env.run(&["build", "https://example.com/a.rs"]);
    assert_eq!(address.code, Some(2), "{}", address.all());
    assert!(address.stderr.contains("error: not a path: https://example.com/a.rs\nhint: "), "{}", address.stderr);
    assert_eq!(env.run(&["build", "quite/another"]).stderr, "error: no such file: quite/another\n");
    assert!(!env.root().join(".contexture").exists());
    // Patterns may match nothing, and lists of programs may be out of date.
    for (words, input) in
        [(&["build", "-o", "-", "src/lib.rs", "none/*.rs"][..], ""), (&["build", "-o", "-", "-"], "src/lob.rs\n")]
    {
        let ran = env.run_with_stdin(words, input.as_bytes());
        assert_eq!(ran.code, Some(0), "{}", ran.all());
    }
}

#[test]
fn an_unreadable_folder_and_file_are_items_with_their_error() {
    use std::os::unix::fs::PermissionsExt;
    use std::os::unix::process::CommandExt;
    let env = small();
    env.write("closed/x.txt", "x").write("closed.txt", "x");
    let open = std::fs::Permissions::from_mode(0o755);
    for dir in [env.temp().to_path_buf(), env.root(), env.root().join("src"), env.home()] {
        std::fs::set_permissions(dir, open.clone()).unwrap();
    }
    for closed in ["closed", "closed.txt"] {
        std::fs::set_permissions(env.root().join(closed), std::fs::Permissions::from_mode(0o000)).unwrap();
    }
    let mut command = env.command(&["build", "-o", "-", "--no-cache", "--json"]);
    let root = rustix::process::geteuid().is_root();
    // Nothing is closed to the superuser, so the program runs as somebody else.
    if root {
        let own = env.temp().join("contexture");
        std::fs::copy(env!("CARGO_BIN_EXE_contexture"), &own).unwrap();
        std::fs::set_permissions(&own, open).unwrap();
        let mut other = std::process::Command::new(own);
        other
            .args(["build", "-o", "-", "--no-cache", "--json"])
            .current_dir(env.root())
            .env_clear()
            .env("HOME", "/nonexistent")
            .uid(65534)
            .gid(65534);
        command = other;
    }
    let output = command.output().unwrap();
    std::fs::set_permissions(env.root().join("closed"), std::fs::Permissions::from_mode(0o755)).unwrap();
    let report: serde_json::Value = serde_json::from_slice(&output.stdout)
        .unwrap_or_else(|_| panic!("{}", String::from_utf8_lossy(&output.stderr)));
    let errors: Vec<&str> =
        report["items"].as_array().unwrap().iter().filter_map(|item| item["error"].as_str()).collect();
    assert_eq!(errors, ["ERROR: permission denied: closed", "ERROR: permission denied: closed.txt"]);
}

#[test]
fn prune_keeps_the_newest() {
    let env = small();
    for _ in 0..4 {
        env.run(&["build", "--quiet", "src/lib.rs"]);
    }
    assert_snapshot!(env.run(&["prune", "--keep", "2"]).all());
    assert_eq!(env.run(&["build", "--quiet", "src/lib.rs"]).stdout, ".contexture/out/project_005.md\n");
    assert_eq!(env.run(&["prune", "--days", "1"]).stdout, "");
    assert_eq!(env.run(&["prune"]).code, Some(2));
}

#[test]
fn the_discussion_and_its_split() {
    let env = small();
    env.write("contexture.toml", "[discussion]\nhistory = [\"hello\", { role = \"AI\", content = \"# hi\" }, { role = \"User\" }]\nhistory_file = \"p_history.toml\"\n")
        .write("p_history.toml", "history = [{ role = \"User\", content = \"from the file\" }]\n");
    let all = env.run(&["build", "src/lib.rs", "-o", "-", "--quiet"]).stdout;
    let without = env.run(&["build", "src/lib.rs", "-o", "-", "--quiet", "--no-history"]).stdout;
    let only = env.run(&["build", "src/lib.rs", "-o", "-", "--quiet", "--history-only"]).stdout;
    assert_eq!(all, format!("{without}{only}"));
    assert_snapshot!(only);
}

#[test]
fn screenshots() {
    let env = small();
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0\x1f\x15\xc4\x89";
    env.write("shots/one.png", png).write("shots/t (2).png", png).write("shots/no.png", "not a picture");
    env.write(
        "contexture.toml",
        "[files]\npaths = [\"src/lib.rs\"]\n[screenshots]\npaths = [\"shots/*.png\", \"gone.png\"]\n",
    );
    assert_snapshot!(env.run(&["build", "-o", "-"]).all());
    let embedded = env.run(&["build", "-o", "-", "--embed", "base64"]).stdout;
    assert!(embedded.contains("![one.png](data:image/png;base64,iVBORw0KGgo"), "{embedded}");
    // What a picture takes is not counted, so a total with one in it is no exact count.
    let is_exact = || {
        let ran =
            env.run(&["build", "-o", "out.json", "--format", "openai", "--model", "gpt-5.2", "-m", "q", "--json"]);
        serde_json::from_str::<serde_json::Value>(&ran.stdout).unwrap()["tokens"]["exact"].take()
    };
    assert_eq!(is_exact(), false);
    env.write("contexture.toml", "[files]\npaths = [\"src/lib.rs\"]\n");
    assert_eq!(is_exact(), true);
}

#[test]
fn a_picture_says_how_large_it_is() {
    let env = small();
    let png =
        |width: &[u8]| [b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0".as_slice(), width, b"\0\0\0\x01\x08\x06\0\0\0"].concat();
    env.write("empty.png", b"\x89PNG\r\n\x1a\n").write("small.png", png(b"\0\x01")).write("huge.png", png(b"\x23\x28"));
    env.write("contexture.toml", "[files]\npaths = [\"src/lib.rs\"]\n[screenshots]\npaths = [\"*.png\"]\n");
    let ran = env.run(&["build", "-o", "-", "--format", "anthropic", "--model", "claude-opus-5"]);
    assert!(ran.stderr.contains("screenshot left out: not a picture: image/png without its size"), "{}", ran.all());
    assert!(
        ran.stderr.contains("the picture is not sent: 9000 × 1 pixels, `anthropic` takes 8000 a side"),
        "{}",
        ran.all()
    );
    assert_eq!(ran.stdout.matches("base64").count(), 1, "{}", ran.all());
    let ran = env.run(&["build", "-o", "-", "--format", "openai", "--model", "gpt-5", "--budget", "2000"]);
    assert_eq!(ran.code, Some(3));
    assert!(ran.stderr.contains("the largest are `huge.png` 1600, `small.png` 1600"), "{}", ran.all());
}

#[test]
fn beads() {
    let env = small();
    env.write("contexture.toml", "[project]\nexecution_mode = \"beads\"\n[files]\npaths = [\"src/lib.rs\"]\n");
    env.write(
        ".beads/issues.jsonl",
        "{\"id\":\"bd-1\",\"title\":\"First\",\"status\":\"closed\"}\n{\"id\":\"bd-2\",\"title\":\"Second\",\"status\":\"open\",\"description\":\"do it\"}\nnot json\n",
    );
    let document = env.run(&["build", "-o", "-"]).stdout;
    let section = &document[document.find("## Beads Mode: Progress Track").expect("the section")..];
    assert!(
        section.contains("First (bd-1)") && section.contains("Second (bd-2)") && section.contains("do it"),
        "{section}"
    );
    std::fs::remove_dir_all(env.root().join(".beads")).unwrap();
    assert!(!env.run(&["build", "-o", "-"]).stdout.contains("Beads"));
}

#[test]
fn git_sections_and_the_diff_view() {
    let env = small();
    std::fs::remove_dir_all(env.root().join("target")).unwrap();
    env.git(&["init", "-q"]);
    // Before the first commit every file is untracked, and shown whole.
    assert!(env.run(&["show", "README.md", "--view", "diff"]).stdout.contains("+++ b/README.md"));
    env.git(&["add", "README.md", "src", ".gitignore"]);
    env.git(&["commit", "-q", "-m", "first"]);
    env.write("src/lib.rs", "//! The library.\n\npub fn one() -> u32 {\n    2\n}\n").write("new.txt", "new\n");
    let document = env.run(&["build", "src/main.rs", "-o", "-", "--diff", "--log", "1"]).stdout;
    let suffix = &document[document.find("## Diff").expect("a diff")..];
    assert!(
        suffix.contains("-    1\n+    2\n")
            && suffix.contains("+++ b/new.txt")
            && suffix.contains("## Log")
            && suffix.contains("first"),
        "{suffix}"
    );
    assert_snapshot!(env.run(&["show", "src/lib.rs", "--view", "diff"]).stdout);
    assert!(env.run(&["show", "new.txt", "--view", "diff"]).stdout.contains("+new"));
    let unknown = env.run(&["build", "src/main.rs", "-o", "-", "--diff", "nope"]);
    assert!(unknown.code == Some(2) && unknown.stderr.contains("unknown revision: `nope`"), "{}", unknown.all());
    assert_eq!(env.run(&["show", "README.md", "--view", "diff"]).stdout, "(unchanged)\n");
}

#[test]
fn every_kind_of_file_has_a_view() {
    let env = env();
    env.write("empty.txt", "")
        .write("bom.txt", b"\xef\xbb\xbfbom\n")
        .write("latin.txt", b"caf\xe9\n")
        .write("utf16.txt", b"\xff\xfeh\0i\0\n\0")
        .write("crlf.txt", "a\r\nb\r\n")
        .write("data.csv", (0..60).map(|n| format!("{n},name{n}\n")).collect::<String>())
        .write("logo.png", b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR")
        .write("app.min.js", "x=1;")
        .write("book.ipynb", r##"{"cells":[{"cell_type":"code","source":["print(1)"],"outputs":[{"data":{"image/png":"AAAA"}}]},{"cell_type":"markdown","source":"# T"}],"nbformat":4}"##)
        .write("image.svg", format!("<svg>{}</svg>\n", (0..900u32).map(|n| b"ABCdefGHIjklMNOpqrSTUvwx0123456789+/"[(n * n * 7 + n / 3) as usize % 36] as char).collect::<String>()));
    assert_snapshot!(env.run(&["build", "-o", "-"]).all());
}

#[test]
fn a_huge_file_is_not_read_whole() {
    // Sparse files of 50 GB; whatever reads them whole does not come back.
    let env = small();
    std::fs::File::create(env.root().join("huge.bin")).unwrap().set_len(50_000_000_000).unwrap();
    let text = std::fs::File::create(env.root().join("huge.json")).unwrap();
    std::io::Write::write_all(&mut &text, b"{\"key\": [").unwrap();
    std::io::Write::write_all(&mut &text, "1, ".repeat(100_000).as_bytes()).unwrap();
    text.set_len(2_000_000_000).unwrap();
    let report = env.run(&["build", "-o", "-", "--json"]).json();
    let view =
        |path: &str| report["items"].as_array().unwrap().iter().find(|item| item["path"] == path).unwrap().clone();
    assert_eq!(view("huge.bin")["view"], "name");
    assert_eq!(view("huge.json")["view"], "summary");
    assert_eq!(env.run(&["build", "huge.json", "huge.bin", "-o", "-"]).code, Some(0));
}

#[test]
fn a_megabyte_of_one_character_is_counted_exactly() {
    let env = env();
    env.write("a.txt", "a".repeat(1_000_000)).write("s.txt", " ".repeat(1_000_000));
    let report = env.run(&["tokens", "--json"]).json();
    assert_eq!(report["files"][0]["tokens"], 125_000);
}

#[test]
fn a_file_that_is_neither_read_nor_opened() {
    // `none` and `auto_aggregate = false` files may be unreadable, a pipe, anything: nobody opens them.
    let env = small();
    assert!(std::process::Command::new("mkfifo").arg(env.root().join("pipe")).status().unwrap().success());
    env.write("contexture.toml", "[files]\npaths = [{ path = \"pipe\", view_mode = \"none\" }, { path = \"src/lib.rs\", auto_aggregate = false }]\n");
    let ran = env.run(&["build", "-o", "-"]);
    assert_eq!(ran.stdout, "## Files\n\n### `pipe` (excluded)\n\n(context excluded)\n\n");
}

#[test]
fn a_diff_view_that_cannot_be_made_says_so_in_place() {
    let env = small();
    let ran = env.run(&["build", "src/lib.rs", "--view", "diff", "-o", "-"]);
    assert!(ran.stdout.contains("ERROR in diff view mode for src/lib.rs: not in a git repository"), "{}", ran.all());
    assert!(ran.stdout.contains("### `src/lib.rs` (summary)"), "{}", ran.all());
    assert_eq!(env.run(&["build", "src/lib.rs", "--view", "diff", "--strict"]).code, Some(5));
}

#[test]
fn our_own_files_do_not_enter_where_outputs_go_to_the_root() {
    let env = small();
    env.write("contexture.toml", "[output]\ndir = \".\"\nnamespace = \"p\"\n").write("docs/p_001.md", "not ours\n");
    assert_eq!(env.run(&["build", "--quiet"]).stdout, "p_001.md\n");
    let report = env.run(&["build", "-o", "-", "--json"]).json();
    let paths: Vec<&str> =
        report["items"].as_array().unwrap().iter().map(|item| item["path"].as_str().unwrap()).collect();
    assert!(
        paths.contains(&"docs/p_001.md")
            && !paths.contains(&"p_001.md")
            && !paths.iter().any(|path| path.ends_with(".seq")),
        "{paths:?}"
    );
}

#[test]
fn exclude_beats_what_is_named() {
    let env = small();
    let report = env.run(&["build", "src/lib.rs", "README.md", "--exclude", "*.md", "-o", "-", "--json"]).json();
    assert_eq!(report["items"].as_array().unwrap().len(), 1);
    assert_eq!(report["left_out"][0]["reason"], "`exclude` has `*.md`");
}

#[test]
fn a_diff_shows_nothing_that_was_taken_out() {
    let env = env();
    for name in ["none.txt", "away.txt", "excluded.txt", "shown.txt", ".env"] {
        env.write(name, "before\n");
    }
    env.git(&["init", "-q"]);
    env.git(&["add", "-A", "-f"]);
    env.git(&["commit", "-q", "-m", "first"]);
    for name in ["none.txt", "away.txt", "excluded.txt", "shown.txt", ".env"] {
        env.write(name, format!("changed {name}\n"));
    }
    env.write(
        "contexture.toml",
        "[files]\npaths = [\"**\", { path = \"none.txt\", view_mode = \"none\" }, { path = \"away.txt\", auto_aggregate = false }]\nexclude = [\"excluded.txt\"]\n",
    );
    let document = env.run(&["build", "--diff", "-o", "-", "--quiet"]).stdout;
    assert!(document.contains("+changed shown.txt"), "{document}");
    for name in ["none.txt", "away.txt", "excluded.txt", ".env"] {
        assert!(!document.contains(&format!("changed {name}")), "{name}\n{document}");
    }
}

#[test]
fn a_failed_write_of_json_is_a_failure() {
    let env = small();
    for args in
        [&["build", "--json"][..], &["tokens", "--json"], &["config", "--json"], &["config", "schema"], &["--json"]]
    {
        let full = std::fs::File::options().write(true).open("/dev/full").unwrap();
        let output = env.command(args).stdout(full).output().unwrap();
        assert_eq!(output.status.code(), Some(1), "{args:?}");
    }
}

#[test]
fn a_project_cannot_choose_where_the_cache_lies() {
    let env = small();
    let elsewhere = env.temp().join("elsewhere");
    env.write("contexture.toml", format!("[aggregation]\ncache_dir = \"{}\"\n", elsewhere.display()));
    let ran = env.run(&["build", "src", "-o", "-"]);
    assert!(
        ran.code == Some(0) && ran.stderr.contains("`aggregation.cache_dir` of a project is not used"),
        "{}",
        ran.all()
    );
    assert!(!elsewhere.exists());
}

#[test]
fn too_many_ignore_patterns_end_in_a_clear_error() {
    let env = small();
    env.write("sub/.gitignore", (0..100_000).map(|n| format!("foo{n}*.x\n")).collect::<String>())
        .write("sub/a.txt", "a\n");
    let report = env.run(&["build", "-o", "-", "--json"]).json();
    let item = report["items"].as_array().unwrap().iter().find(|item| item["path"] == "sub").unwrap().clone();
    assert_eq!(item["error"], "ERROR: unreadable (its .gitignore holds more than 5000 patterns): sub");
}

#[test]
fn a_document_written_into_the_project_does_not_enter_the_next() {
    let env = small();
    let build = || {
        assert_eq!(env.run(&["build", "-o", "all.md", "--quiet"]).code, Some(0));
        env.read("all.md")
    };
    assert_eq!(build(), build());
}

#[test]
fn wishes_stand_when_a_file_is_named_twice_and_force_full_beats_a_view() {
    let env = small();
    env.write("contexture.toml", "[files]\npaths = [{ path = \"README.md\", view_mode = \"none\" }, \"./README.md\", { path = \"src/lib.rs\", force_full = true }]\n");
    let view = |args: &[&str], item: usize| {
        env.run(&[&["build", "-o", "-", "--json"], args].concat()).json()["items"][item]["view"].clone()
    };
    assert_eq!(view(&[], 0), "none");
    assert_eq!(view(&["--view", "none"], 1), "full");
}

#[test]
fn a_project_cannot_send_documents_elsewhere() {
    let env = small();
    for dir in ["../elsewhere", "/tmp/elsewhere", "link"] {
        let _ = std::os::unix::fs::symlink(env.temp(), env.root().join("link"));
        env.write("contexture.toml", format!("[output]\ndir = \"{dir}\"\n"));
        assert_eq!(env.run(&["build"]).code, Some(2), "{dir}");
    }
}

#[test]
fn the_document_survives_a_closed_pipe() {
    let env = small();
    env.write("big.txt", "line of text\n".repeat(200_000));
    let mut child = env
        .command(&["build", "-o", "-", "--quiet", "--tokenizer", "estimate"])
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped())
        .spawn()
        .unwrap();
    drop(child.stdout.take());
    let output = child.wait_with_output().unwrap();
    assert_eq!(output.status.code(), Some(0));
    assert_eq!(String::from_utf8_lossy(&output.stderr), "");
}

#[test]
fn completions_man_help_and_doctor() {
    let env = small();
    assert!(env.run(&["completions", "bash"]).stdout.contains("complete -F"));
    assert!(env.run(&["man"]).stdout.contains(".TH contexture"));
    assert_snapshot!("help", env.run(&["--help"]).stdout);
    assert_snapshot!("build_help", env.run(&["build", "--help"]).stdout);
    let doctor = env.run(&["doctor", "--json"]).json();
    assert_eq!(doctor["ok"], true);
    assert_snapshot!("unknown_verb", env.run(&["buld"]).all());
}
