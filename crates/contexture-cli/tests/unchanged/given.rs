//! The inputs: copied from `given/`, completed with files that a repository cannot hold, and copied again for cases to work on.

use std::collections::BTreeMap;
use std::fs::{self, File};
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::{Duration, SystemTime};
use tempfile::TempDir;

/// Names and contents.
pub type Files = BTreeMap<String, Vec<u8>>;

/// In two parts, so that no scanner takes it for a real one.
pub fn key() -> String {
    ["AKIA", "Q3EGWJ7MXNB2RTLD"].concat()
}

/// A folder with `project`, `home`, `desk` (a workspace of an agent), `foreign` (sessions of other programs) and `trees`.
pub struct Given {
    temp: TempDir,
}

impl Given {
    /// The original that cases get copies of.
    pub fn original() -> Self {
        let given = Self::empty();
        copy(&Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/unchanged/given"), given.path());
        let stations = given.read("py/tidewatch/stations.py").replace("@KEY@", &key());
        given.write("py/tidewatch/stations.py", stations);
        given.write(".env", format!("TIDE_BASE=http://127.0.0.1:8099\nTIDE_KEY={}\n", key()));
        given.write(".gitignore", "build/\n*.log\n!keep.log\n");
        given.write("build/out.txt", "made by the build\n");
        given.write("noise.log", "noise\n");
        given.write("keep.log", "kept\n");
        given.write("node_modules/tiny-chart/index.js", "module.exports = 1;\n");
        given.write("docs/windows.txt", "first line\r\nsecond line\r\n");
        given.write("docs/latin1.txt", b"h\xF6chster Wasserstand: 3,4 m\n");
        given.write(
            "docs/wide.txt",
            "\u{FEFF}wide letters\n".encode_utf16().flat_map(u16::to_le_bytes).collect::<Vec<u8>>(),
        );
        given.write("docs/hidden.md", "# Hidden\n\nA zero\u{200B}width space and a right-to-left \u{202E}mark.\n");
        given.write("data/empty.txt", "");
        given.write("data/blob.bin", (0..=255u8).collect::<Vec<u8>>());
        given.write("images/buoy.png", PNG);
        given.history();
        given.age();
        given
    }

    fn empty() -> Self {
        let temp = tempfile::Builder::new().prefix("contexture-unchanged").tempdir().expect("a temporary folder");
        fs::create_dir(temp.path().join("home")).expect("a folder");
        Self { temp }
    }

    pub fn copied(&self) -> Self {
        let given = Self::empty();
        copy(self.path(), given.path());
        given.age();
        given
    }

    /// Removes everything that the program keeps for its user but the cache, which no output depends on and which saves most of the
    /// time.
    pub fn empty_home(&self) {
        for name in [".config", ".local"] {
            let folder = self.path().join("home").join(name);
            if folder.exists() {
                fs::remove_dir_all(folder).expect("a folder can be removed");
            }
        }
    }

    /// Two commits, and changes that are not committed: one file altered, one staged, two untracked, one removed.
    fn history(&self) {
        self.git(&["init", "-q"]);
        let (model, fetch) = (self.read("py/tidewatch/model.py"), self.read("scripts/fetch.sh"));
        self.write("py/tidewatch/model.py", model.replace("0.0021 * (wind - 4) ** 2", "0.002 * wind"));
        self.write("docs/old.md", "# Old\n\nThis page goes away.\n");
        let left = [".", ":!.env", ":!langs/buoy.lua", ":!java"];
        self.git(&[&["add", "--"], &left[..]].concat());
        self.git(&["commit", "-q", "-m", "Predict levels"]);
        self.write("py/tidewatch/model.py", &model);
        self.git(&["add", "py", "java"]);
        self.git(&["commit", "-q", "-m", "Fit the surge again\n\nThe fit of 2022 is quadratic."]);
        self.write("scripts/fetch.sh", fetch.replace("--silent", "--silent --show-error"));
        self.write("Makefile", self.read("Makefile").replace("pytest py/tests", "pytest -q py/tests"));
        self.git(&["add", "Makefile"]);
        fs::remove_file(self.root().join("docs/old.md")).expect("the file");
    }

    /// Files that were written just now are read with more care; none of these was.
    fn age(&self) {
        let time = SystemTime::UNIX_EPOCH + Duration::from_secs(1_696_000_000);
        for path in files(&self.root()) {
            File::options().write(true).open(path).and_then(|file| file.set_modified(time)).expect("a time can be set");
        }
    }

    pub fn path(&self) -> &Path {
        self.temp.path()
    }

    pub fn root(&self) -> PathBuf {
        self.path().join("project")
    }

    pub fn read(&self, path: &str) -> String {
        fs::read_to_string(self.root().join(path)).unwrap_or_else(|error| panic!("{path}: {error}"))
    }

    pub fn write(&self, path: &str, content: impl AsRef<[u8]>) {
        let path = self.root().join(path);
        fs::create_dir_all(path.parent().expect("a folder")).expect("a folder");
        fs::write(path, content).expect("a file");
    }

    /// Runs git with nothing of the machine in its environment.
    pub fn git(&self, args: &[&str]) {
        let words = ["user.name=Test", "user.email=test@example.org", "init.defaultBranch=main", "core.autocrlf=false"];
        let done = Command::new("git")
            .args(words.iter().flat_map(|word| ["-c", word]))
            .args(args)
            .current_dir(self.root())
            .env_clear()
            .env("PATH", std::env::var_os("PATH").unwrap_or_default())
            .env("HOME", self.path().join("home"))
            .env("GIT_CONFIG_GLOBAL", "/dev/null")
            .env("GIT_CONFIG_NOSYSTEM", "1")
            .env("GIT_AUTHOR_DATE", "2023-07-01T12:00:00Z")
            .env("GIT_COMMITTER_DATE", "2023-07-01T12:00:00Z")
            .stdin(Stdio::null())
            .output()
            .expect("git runs");
        assert!(done.status.success(), "git {args:?}: {}", String::from_utf8_lossy(&done.stderr));
    }

    /// Every file but those of git and the cache.
    pub fn contents(&self) -> Files {
        let mut all = BTreeMap::new();
        for path in files(self.path()) {
            let name = path.strip_prefix(self.path()).expect("below").to_string_lossy().replace('\\', "/");
            if !name.starts_with("project/.git/") && !name.starts_with("home/.cache/") {
                all.insert(name, fs::read(path).unwrap_or_default());
            }
        }
        all
    }
}

fn copy(from: &Path, to: &Path) {
    for file in files(from) {
        let target = to.join(file.strip_prefix(from).expect("below"));
        fs::create_dir_all(target.parent().expect("a folder")).expect("a folder");
        fs::copy(&file, target).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    }
}

fn files(folder: &Path) -> Vec<PathBuf> {
    let mut all = Vec::new();
    let mut open = vec![folder.to_owned()];
    while let Some(next) = open.pop() {
        for entry in fs::read_dir(&next).unwrap_or_else(|error| panic!("{}: {error}", next.display())) {
            let path = entry.expect("an entry").path();
            if path.is_dir() { open.push(path) } else { all.push(path) }
        }
    }
    all.sort();
    all
}

/// One red pixel.
const PNG: &[u8] = &[
    0x89, b'P', b'N', b'G', 13, 10, 26, 10, 0, 0, 0, 13, b'I', b'H', b'D', b'R', 0, 0, 0, 1, 0, 0, 0, 1, 8, 2, 0, 0, 0,
    0x90, 0x77, 0x53, 0xDE, 0, 0, 0, 12, b'I', b'D', b'A', b'T', 0x08, 0xD7, 0x63, 0xF8, 0xCF, 0xC0, 0, 0, 3, 1, 1, 0,
    0x18, 0xDD, 0x8D, 0xB0, 0, 0, 0, 0, b'I', b'E', b'N', b'D', 0xAE, 0x42, 0x60, 0x82,
];
