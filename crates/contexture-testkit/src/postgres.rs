//! A PostgreSQL server of a test's own: made in a temporary folder, reached by a socket in it, gone with the value.
//!
//! Takes the programs `initdb` and `pg_ctl` of the system; gives addresses of empty databases. Without the programs there is
//! no server: continuous integration fails then, and elsewhere the test says so and is passed over.

use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::sync::atomic::{AtomicUsize, Ordering};
use tempfile::TempDir;

pub struct Postgres {
    dir: TempDir,
    bin: PathBuf,
    /// As whom it runs: the server refuses to be root.
    user: Option<String>,
    made: AtomicUsize,
}

/// Users that a system has for such things, the best first.
const USERS: [&str; 2] = ["postgres", "nobody"];
/// A socket has no port; the number is part of its name.
const PORT: &str = "5432";

impl Postgres {
    /// `None` where the system has no PostgreSQL.
    ///
    /// # Panics
    /// In continuous integration without PostgreSQL, and when the server does not start.
    pub fn start() -> Option<Self> {
        let Some(bin) = programs() else {
            let missing = "initdb and pg_ctl are not there: install Debian's `postgresql`, or `cargo xtask test` does";
            assert!(std::env::var_os("CI").is_none(), "{missing}");
            tell(&format!("passed over: {missing}"));
            return None;
        };
        // The name of a socket may have some hundred bytes.
        let dir = tempfile::Builder::new().prefix("ctx-pg").tempdir_in("/tmp").expect("a temporary folder");
        let user = is_root().then(|| {
            let has = |user: &&&str| Command::new("id").arg(user).output().is_ok_and(|output| output.status.success());
            USERS.iter().find(has).expect("a user other than root").to_string()
        });
        if let Some(user) = &user {
            run(Command::new("chown").arg(user).arg(dir.path()));
        }
        let server = Self { dir, bin, user, made: AtomicUsize::new(0) };
        let data = server.data();
        run(server
            .command("initdb")
            .args(["--auth=trust", "--username=test", "--encoding=UTF8", "--locale=C", "--no-sync"])
            .arg("--pgdata")
            .arg(&data));
        let socket = server.dir.path().display();
        let options = format!(
            "-c listen_addresses='' -c unix_socket_directories='{socket}' -c port={PORT} \
             -c shared_preload_libraries=pg_stat_statements -c max_connections=100"
        );
        run(server
            .command("pg_ctl")
            .args(["start", "--wait", "--silent", "--options", &options])
            .arg("--log")
            .arg(server.dir.path().join("log"))
            .arg("--pgdata")
            .arg(&data));
        Some(server)
    }

    /// The address of a new, empty database.
    pub fn database(&self) -> String {
        let name = format!("test{}", self.made.fetch_add(1, Ordering::Relaxed));
        self.ask("postgres", &format!("CREATE DATABASE {name}"));
        self.address(&name)
    }

    pub fn address(&self, database: &str) -> String {
        format!("postgres:///{database}?host={}&port={PORT}&user=test", self.dir.path().display())
    }

    /// What `psql` says to a statement.
    pub fn ask(&self, database: &str, statement: &str) -> String {
        let mut psql = self.command("psql");
        psql.args(["--no-psqlrc", "--tuples-only", "--no-align", "--username=test", "--port", PORT]);
        let output = run(psql.arg("--host").arg(self.dir.path()).args(["--command", statement, database]));
        output.trim_end().to_owned()
    }

    fn data(&self) -> PathBuf {
        self.dir.path().join("data")
    }

    fn command(&self, program: &str) -> Command {
        let beside = self.bin.join(program);
        let program = if beside.exists() { beside } else { program.into() };
        let mut command = match &self.user {
            Some(user) => {
                let mut command = Command::new("runuser");
                command.args(["-u", user, "--"]).arg(program);
                command
            }
            None => Command::new(program),
        };
        // In a folder that its user may enter.
        command.current_dir(self.dir.path()).stdin(Stdio::null()).env("LC_ALL", "C");
        command
    }
}

impl Drop for Postgres {
    /// Also when a test panics. Nothing of it is wanted any more, so it need not be gentle.
    fn drop(&mut self) {
        let mut stop = self.command("pg_ctl");
        stop.args(["stop", "--mode=immediate", "--wait", "--silent", "--pgdata"]).arg(self.data());
        let _ = stop.stdout(Stdio::null()).stderr(Stdio::null()).status();
    }
}

/// The folder with the programs: on the path, or where Debian has them, the newest version first.
fn programs() -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    let mut folders: Vec<PathBuf> = std::env::split_paths(&path).collect();
    let mut debian: Vec<PathBuf> = std::fs::read_dir("/usr/lib/postgresql")
        .into_iter()
        .flatten()
        .filter_map(|entry| Some(entry.ok()?.path().join("bin")))
        .collect();
    debian.sort();
    folders.extend(debian.into_iter().rev());
    folders.into_iter().find(|folder| ["initdb", "pg_ctl"].iter().all(|name| folder.join(name).exists()))
}

fn is_root() -> bool {
    let output = Command::new("id").arg("-u").output();
    output.is_ok_and(|output| output.stdout.trim_ascii() == b"0")
}

fn run(command: &mut Command) -> String {
    let output = command.output().unwrap_or_else(|error| panic!("{command:?}: {error}"));
    let said = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(output.status.success(), "{command:?}: {}{}", said(&output.stdout), said(&output.stderr));
    said(&output.stdout)
}

/// Past the harness, which hides what a test that passes prints.
fn tell(text: &str) {
    use std::io::Write;
    let place = Path::new("/dev/stderr");
    if let Ok(mut stderr) = std::fs::File::options().append(true).open(place) {
        let _ = writeln!(stderr, "{text}");
    }
}
