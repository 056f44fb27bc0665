//! Runs the program where nothing of the machine is seen: its own home, its own project, a clean environment.

use std::path::{Path, PathBuf};
use std::process::{Command, Output, Stdio};
use tempfile::TempDir;

pub struct TestEnv {
    program: PathBuf,
    temp: TempDir,
}

pub struct Ran {
    pub code: Option<i32>,
    pub stdout: String,
    pub stderr: String,
}

impl TestEnv {
    /// `program` is `env!("CARGO_BIN_EXE_contexture")` of the calling test.
    pub fn new(program: &str) -> Self {
        let temp = tempfile::Builder::new().prefix("contexture-test").tempdir().expect("a temporary folder");
        let env = Self { program: program.into(), temp };
        for dir in [env.home(), env.root()] {
            std::fs::create_dir_all(dir).expect("a folder");
        }
        env
    }

    /// With a small project in it: two sources, a readme, and what a walk leaves out or shows short.
    pub fn small(program: &str) -> Self {
        let env = Self::new(program);
        env.write("README.md", "# Small\n\nA project to look at.\n")
            .write("src/main.rs", "//! Says hello.\n\nfn main() {\n    println!(\"hello\");\n}\n")
            .write("src/lib.rs", "//! The library.\n\npub fn one() -> u32 {\n    1\n}\n")
            .write("Cargo.lock", "# lock\n")
            .write(".gitignore", "target/\n*.log\n!keep.log\n")
            .write("target/debug/x.txt", "built\n")
            .write("a.log", "noise\n")
            .write("keep.log", "kept\n")
            .write("node_modules/p/index.js", "x\n");
        env
    }

    /// The project folder, named `project`.
    pub fn root(&self) -> PathBuf {
        self.temp.path().join("project")
    }

    pub fn home(&self) -> PathBuf {
        self.temp.path().join("home")
    }

    pub fn temp(&self) -> &Path {
        self.temp.path()
    }

    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) -> &Self {
        let path = self.root().join(path);
        if let Some(parent) = path.parent() {
            std::fs::create_dir_all(parent).expect("a folder");
        }
        std::fs::write(path, content).expect("a file");
        self
    }

    pub fn read(&self, path: &str) -> String {
        std::fs::read_to_string(self.root().join(path)).expect("a readable file")
    }

    /// A command with a clean environment, in the project folder.
    pub fn command(&self, args: &[&str]) -> Command {
        let mut command = Command::new(&self.program);
        command
            .args(args)
            .current_dir(self.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.home())
            .env("XDG_CONFIG_HOME", self.home().join(".config"))
            .env("XDG_CACHE_HOME", self.home().join(".cache"))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("NO_COLOR", "1")
            .env("TZ", "UTC")
            .stdin(Stdio::null());
        command
    }

    pub fn run(&self, args: &[&str]) -> Ran {
        self.ran(self.command(args).output().expect("the program runs"))
    }

    pub fn run_with_stdin(&self, args: &[&str], input: &[u8]) -> Ran {
        use std::io::Write;
        let mut child = self
            .command(args)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        child.stdin.take().expect("standard input").write_all(input).expect("input is taken");
        self.ran(child.wait_with_output().expect("the program ends"))
    }

    /// Runs git in the project, hermetically.
    pub fn git(&self, args: &[&str]) {
        let status = Command::new("git")
            .args([
                "-c",
                "user.name=Test",
                "-c",
                "user.email=test@example.org",
                "-c",
                "init.defaultBranch=main",
                "-c",
                "commit.gpgsign=false",
            ])
            .args(args)
            .current_dir(self.root())
            .env("HOME", self.home())
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_DATE", "2026-01-02T03:04:05Z")
            .env("GIT_COMMITTER_DATE", "2026-01-02T03:04:05Z")
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status()
            .expect("git runs");
        assert!(status.success(), "git {args:?}");
    }

    fn ran(&self, output: Output) -> Ran {
        let clean = |bytes: Vec<u8>| {
            let text = String::from_utf8_lossy(&bytes).into_owned();
            let temp = self.temp.path().canonicalize().expect("the temporary folder");
            text.replace(&*temp.to_string_lossy(), "[TEMP]").replace(&*self.temp.path().to_string_lossy(), "[TEMP]")
        };
        Ran { code: output.status.code(), stdout: clean(output.stdout), stderr: clean(output.stderr) }
    }
}

impl Ran {
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.stdout)
            .unwrap_or_else(|error| panic!("{error} in {:?}\n{}", self.stdout, self.stderr))
    }

    /// Everything a person would see, for snapshots.
    pub fn all(&self) -> String {
        format!(
            "exit {}\n--- stdout\n{}--- stderr\n{}",
            self.code.map_or("by signal".into(), |code| code.to_string()),
            self.stdout,
            self.stderr
        )
    }
}
