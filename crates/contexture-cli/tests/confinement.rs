//! A byte outside the roots never enters an output, and legal layouts are not refused.
#![allow(clippy::unwrap_used)]
#![cfg(unix)]

use contexture_testkit::TestEnv;
use std::os::unix::fs::symlink;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const CANARY: &str = "canary-7f3a9c51e2d84b60";

/// A project with a canary beside it.
fn env() -> TestEnv {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    std::fs::create_dir_all(env.temp().join("outside/sub")).unwrap();
    std::fs::write(env.temp().join("outside/secret.txt"), CANARY).unwrap();
    std::fs::write(env.temp().join("outside/sub/deep.txt"), CANARY).unwrap();
    std::fs::create_dir_all(env.temp().join("project-twin")).unwrap();
    std::fs::write(env.temp().join("project-twin/secret.txt"), CANARY).unwrap();
    env.write("src/a.rs", "fn a() {}\n");
    env
}

fn refused(env: &TestEnv, args: &[&str]) {
    for format in ["md", "json", "xml"] {
        let ran = env.run(&[&["build", "-o", "-", "--format", format], args].concat());
        assert!(!ran.stdout.contains(CANARY) && !ran.stderr.contains(CANARY), "{args:?}\n{}", ran.stdout);
    }
    let ran = env.run(&["show", args[0]]);
    assert!(!ran.stdout.contains(CANARY), "{args:?}");
}

#[test]
fn links_and_dots_lead_nowhere() {
    let env = env();
    let root = env.root();
    let outside = env.temp().join("outside");
    symlink(outside.join("secret.txt"), root.join("link.txt")).unwrap();
    symlink("../outside/secret.txt", root.join("relative.txt")).unwrap();
    symlink(&outside, root.join("folder")).unwrap();
    symlink("link.txt", root.join("chain.txt")).unwrap();
    symlink("folder/../folder/sub", root.join("loop-ish")).unwrap();
    symlink("dangling-target", root.join("dangling.txt")).unwrap();
    symlink("self.txt", root.join("self.txt")).unwrap();
    symlink("/proc/self/environ", root.join("environ.txt")).unwrap();
    let absolute = outside.join("secret.txt").to_string_lossy().into_owned();
    let twin = env.temp().join("project-twin/secret.txt").to_string_lossy().into_owned();
    let dotted = format!("{}/../outside/secret.txt", root.to_string_lossy());
    for path in [
        "link.txt",
        "relative.txt",
        "folder/secret.txt",
        "folder",
        "folder/**",
        "chain.txt",
        "loop-ish/deep.txt",
        "dangling.txt",
        "self.txt",
        "../outside/secret.txt",
        "src/../../outside/secret.txt",
        "./../outside/**",
        "/proc/self/environ",
        "/etc/passwd",
        "environ.txt",
        "..",
        "/",
        "~/x",
        "src/a.rs/../../../outside/secret.txt",
        "folder/./secret.txt",
        "../project-twin/secret.txt",
        &absolute,
        &twin,
        &dotted,
    ] {
        refused(&env, &[path]);
    }
    refused(&env, &["."]);
}

#[test]
fn a_project_cannot_widen_its_own_roots() {
    let env = env();
    let outside = env.temp().join("outside").to_string_lossy().into_owned();
    for toml in [
        "[files]\nbase_dir = \"../outside\"\npaths = [\"secret.txt\"]\n".to_owned(),
        format!("[files]\nbase_dir = \"{outside}\"\npaths = [\"**\"]\n"),
        format!("[files]\npaths = [\"{outside}/secret.txt\", \"../outside/*\"]\n"),
        format!("[screenshots]\nbase_dir = \"{outside}\"\npaths = [\"*\"]\n"),
        "[discussion]\nhistory_file = \"../outside/secret.txt\"\n".to_owned(),
    ] {
        env.write("contexture.toml", &toml);
        let ran = env.run(&["build", "-o", "-"]);
        assert!(!ran.stdout.contains(CANARY) && !ran.stderr.contains(CANARY), "{toml}\n{}", ran.all());
    }
}

#[test]
fn a_root_added_by_hand_is_read() {
    let env = env();
    let outside = env.temp().join("outside");
    let ran = env.run(&["build", "-o", "-", "--root", ".", "--root", &outside.to_string_lossy()]);
    assert!(
        ran.stdout.contains(CANARY)
            && ran.stdout.contains("### `outside/secret.txt`")
            && ran.stdout.contains("### `project/src/a.rs`"),
        "{}",
        ran.all()
    );
}

#[test]
fn legal_layouts_are_not_refused() {
    let env = env();
    let root = env.root();
    symlink("src/a.rs", root.join("in-root.rs")).unwrap();
    symlink(root.join("src/a.rs"), root.join("absolute-in-root.rs")).unwrap();
    symlink("src", root.join("folder-in-root")).unwrap();
    let absolute = root.join("src/a.rs").to_string_lossy().into_owned();
    for path in ["in-root.rs", "absolute-in-root.rs", "folder-in-root/a.rs", "src/../src/a.rs", "./src/a.rs", &absolute]
    {
        let ran = env.run(&["build", path, "-o", "-", "--strict"]);
        assert!(ran.code == Some(0) && ran.stdout.contains("fn a() {}"), "{path}\n{}", ran.all());
    }
    // The root itself named through a link.
    let link = env.temp().join("link-to-project");
    symlink(&root, &link).unwrap();
    let ran = env.run(&["build", "-o", "-", "--root", &link.to_string_lossy(), "src/a.rs"]);
    assert!(ran.stdout.contains("fn a() {}"), "{}", ran.all());
    let through = link.join("src/a.rs").to_string_lossy().into_owned();
    let ran = env.run(&["build", "-o", "-", &through]);
    assert!(ran.stdout.contains("fn a() {}"), "{}", ran.all());
}

#[test]
fn links_are_passed_over_by_a_walk_with_a_reason() {
    let env = env();
    symlink("src/a.rs", env.root().join("again.rs")).unwrap();
    symlink(".", env.root().join("src/loop")).unwrap();
    let report = env.run(&["build", "-o", "-", "--json"]).json();
    let left: Vec<&str> =
        report["left_out"].as_array().unwrap().iter().map(|left| left["path"].as_str().unwrap()).collect();
    assert_eq!(left, ["again.rs", "src/loop"]);
}

#[test]
fn special_files_are_refused_at_once() {
    let env = env();
    let pipe = env.root().join("pipe");
    assert!(std::process::Command::new("mkfifo").arg(&pipe).status().unwrap().success());
    let socket = std::os::unix::net::UnixListener::bind(env.root().join("socket")).unwrap();
    symlink("/dev/zero", env.root().join("zero")).unwrap();
    let started = std::time::Instant::now();
    for path in ["pipe", "socket", "zero", "."] {
        let ran = env.run(&["build", path, "-o", "-"]);
        assert_eq!(ran.code, Some(0), "{}", ran.all());
        assert!(!ran.stdout.contains('\0'));
    }
    assert!(started.elapsed().as_secs() < 20);
    let report = env.run(&["build", "pipe", "-o", "-", "--json"]).json();
    assert_eq!(report["items"][0]["error"], "ERROR: not a regular file (a pipe): pipe");
    drop(socket);
}

#[test]
fn a_swap_between_check_and_open_gains_nothing() {
    // A folder and a link to the outside change places while the program reads.
    let env = env();
    let root = env.root();
    env.write("swap/secret.txt", "harmless\n");
    symlink(env.temp().join("outside"), root.join("other")).unwrap();
    let stop = Arc::new(AtomicBool::new(false));
    let swapper = {
        let (stop, root) = (Arc::clone(&stop), root.clone());
        std::thread::spawn(move || {
            let mut swaps = 0u64;
            while !stop.load(Ordering::Relaxed) {
                let (a, b) = (root.join("swap"), root.join("other"));
                rustix::fs::renameat_with(rustix::fs::CWD, &a, rustix::fs::CWD, &b, rustix::fs::RenameFlags::EXCHANGE)
                    .unwrap();
                swaps += 1;
            }
            swaps
        })
    };
    for _ in 0..20 {
        for path in ["swap/secret.txt", "other/secret.txt", "."] {
            let ran = env.run(&["build", path, "-o", "-", "--tokenizer", "estimate"]);
            assert!(!ran.stdout.contains(CANARY), "{}", ran.all());
        }
    }
    stop.store(true, Ordering::Relaxed);
    assert!(swapper.join().unwrap() > 100);
}

#[test]
fn one_file_by_two_names_is_shown_once() {
    let env = env();
    std::fs::hard_link(env.root().join("src/a.rs"), env.root().join("src/b.rs")).unwrap();
    let report = env.run(&["build", "-o", "-", "--json"]).json();
    assert_eq!(report["items"].as_array().unwrap().len(), 1);
    assert_eq!(report["left_out"][0]["reason"], "the same file as `src/a.rs`");
}

#[test]
fn history_never_enters_whichever_way_it_is_named() {
    let env = env();
    env.write("history.toml", CANARY).write("x_history.toml", CANARY).write("sub/HISTORY.toml", CANARY);
    symlink("history.toml", env.root().join("notes.md")).unwrap();
    std::fs::hard_link(env.root().join("history.toml"), env.root().join("linked.md")).unwrap();
    for path in [".", "history.toml", "x_history.toml", "sub/HISTORY.toml", "notes.md", "linked.md", "*", "**/*.toml"] {
        refused(&env, &[path]);
    }
}

#[test]
fn history_stays_out_of_every_root() {
    let env = env();
    let outside = env.temp().join("outside");
    std::fs::remove_file(outside.join("secret.txt")).unwrap();
    std::fs::remove_file(outside.join("sub/deep.txt")).unwrap();
    for folder in [env.root(), outside.clone()] {
        std::fs::write(folder.join("history.toml"), CANARY).unwrap();
        std::fs::hard_link(folder.join("history.toml"), folder.join("linked.md")).unwrap();
    }
    let ran = env.run(&["build", "-o", "-", "--root", ".", "--root", &outside.to_string_lossy()]);
    assert!(ran.code == Some(0) && !ran.stdout.contains(CANARY), "{}", ran.all());
}

#[test]
fn names_of_secrets_enter_only_by_hand() {
    let env = env();
    for name in [".env", ".env.local", "server.pem", "id_rsa", ".npmrc", "sub/.ENV", "credentials.json"] {
        env.write(name, CANARY);
    }
    refused(&env, &["."]);
    refused(&env, &["**"]);
    let report = env.run(&["build", "-o", "-", "--json"]).json();
    assert!(report["left_out"].as_array().unwrap().len() >= 7);
    let by_hand = env.run(&["build", ".env", "-o", "-"]);
    assert!(by_hand.stdout.contains(CANARY) && by_hand.stderr.contains("may hold secrets"), "{}", by_hand.all());
}

/// A pipe where a rule file or a file of git belongs is never waited for.
#[test]
fn pipes_in_the_place_of_small_files_are_not_opened() {
    let pipe = |path: std::path::PathBuf| {
        assert!(std::process::Command::new("mkfifo").arg(path).status().unwrap().success());
    };
    for name in [".gitignore", ".ignore", ".contextureignore", ".git/info/exclude"] {
        let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
        env.write("a.py", "x = 1\n").write(".git/info/other", "").write("sub/b.py", "y = 1\n");
        pipe(env.root().join(name));
        let ran = env.run(&["build", "-o", "-"]);
        assert!(ran.stderr.contains(&format!("its {name} is a pipe or a device")), "{}", ran.stderr);
    }
    for name in ["HEAD", "config", "packed-refs", "shallow", "objects/info/commit-graph"] {
        let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
        env.write("a.py", "x = 1\n").write(".git/HEAD", "ref: refs/heads/main\n");
        env.write(".git/objects/info/x", "").write(".git/refs/heads/x", "");
        let path = env.root().join(".git").join(name);
        let _ = std::fs::remove_file(&path);
        pipe(path);
        let ran = env.run(&["build", "--budget", "500", "--query", "x", "-o", "-"]);
        assert_eq!(ran.code, Some(0), "{name}: {}", ran.stderr);
        assert!(ran.stdout.contains("x = 1"), "{name}: {}", ran.stdout);
    }
}
