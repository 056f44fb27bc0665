//! Views from syntax as a person meets them: symbols, show, focus, stats; warm and cold; parsers that die.
#![allow(clippy::unwrap_used)]

use contexture_testkit::TestEnv;
use insta::assert_snapshot;

fn env() -> TestEnv {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    env.write("src/app.py", APP)
        .write(
            "src/data.py",
            "\"\"\"Rows.\"\"\"\n\ndef load(path):\n    with open(path) as file:\n        return file.read()\n",
        )
        .write("src/a.py", "def small(x, y):\n    total = x + y\n    return total\n")
        .write("lib.rs", "/// Adds.\npub fn add(a: u32, b: u32) -> u32 {\n    let sum = a + b;\n    sum\n}\n")
        .write("README.md", "# Views\n\nA project with code.\n");
    env
}

const APP: &str = "\
\"\"\"The application.\"\"\"
import sys

LIMIT = 10

class App:
    \"\"\"Runs.\"\"\"
    name: str = \"app\"

    def run(self, times: int = 1) -> None:
        \"\"\"Runs it.\"\"\"
        for _ in range(times):
            print(self.name, file=sys.stderr)

    def _secret(self):
        return \"a body that is longer than the mark\"

if sys.platform == \"win32\":
    def home():
        return \"C:\\\\Users\\\\somebody\"
else:
    def home():
        return \"/home/somebody/somewhere\"
";

#[test]
fn symbols_of_a_file() {
    let env = env();
    assert_snapshot!(env.run(&["symbols", "src/app.py"]).all());
    assert_snapshot!(env.run(&["symbols", "src/app.py", "--json"]).stdout);
    let languages: Vec<&str> = contexture_syntax::LANGUAGES.iter().map(|language| language.name).collect();
    let refused = env.run(&["symbols", "README.md"]).all().replace(&languages.join(", "), "[LANGUAGES]");
    assert_snapshot!(refused);
    assert_snapshot!(env.run(&["symbols", "src/ap.py"]).all());
}

#[test]
fn show_makes_views() {
    let env = env();
    assert_snapshot!(env.run(&["show", "src/app.py", "--view", "skeleton"]).all());
    assert_snapshot!(env.run(&["show", "src/app.py", "--view", "outline"]).all());
    assert_snapshot!(env.run(&["show", "src/app.py", "--mask", "App.run=def", "--mask", "home=sig"]).all());
    assert_snapshot!(env.run(&["show", "src/app.py", "--mask", "App.rnu=def", "--mask", "LIMIT=def"]).all());
    assert_snapshot!(env.run(&["show", "src/app.py", "--mask", "App.run"]).all());
    assert_snapshot!(env.run(&["show", "README.md", "--view", "skeleton"]).all());
}

#[test]
fn a_focus_is_never_a_part_of_a_name() {
    let env = env();
    assert_snapshot!(env.run(&["build", "-o", "-", "--focus", "a.py"]).all());
    let views = |focus: &str| {
        let made = env.run(&["build", "--json", "--focus", focus]).json();
        let items = made["items"].as_array().unwrap().iter();
        items.map(|item| format!("{} {}\n", item["path"].as_str().unwrap(), item["view"].as_str().unwrap())).collect()
    };
    let by_path: String = views("src/data.py");
    assert_snapshot!(by_path, @"
    README.md summary
    lib.rs skeleton
    src/a.py skeleton
    src/app.py skeleton
    src/data.py full
    ");
    for same in ["data.py", "./src/data.py", "src/d*.py", env.root().join("src/data.py").to_str().unwrap()] {
        assert_eq!(views(same), by_path, "{same}");
    }
    assert_snapshot!(env.run(&["build", "--quiet", "-o", "out.md", "--focus", "ta.py"]).all());
    assert_snapshot!(env.run(&["build", "-o", "out.md", "--focus", "ta.py"]).all());
}

#[test]
fn stats_count_symbols_by_kind() {
    let env = env();
    let stats = env.run(&["stats", "--json"]).json();
    assert_snapshot!(stats["total"]["symbols"].to_string());
    assert_snapshot!(env.run(&["stats"]).stdout);
}

#[test]
fn what_is_remembered_gives_the_same_bytes() {
    let env = env();
    let build = ["build", "--view", "skeleton", "-o", "-"];
    let cold = env.run(&build).stdout;
    assert_eq!(env.run(&build).stdout, cold);
    assert_eq!(env.run(&[&build[..], &["--no-cache"]].concat()).stdout, cold);
    assert_eq!(env.run(&[&build[..], &["--threads", "1"]].concat()).stdout, cold);
    env.write("src/a.py", "def larger(x, y, z):\n    total = x + y + z\n    return total\n");
    let changed = env.run(&build).stdout;
    assert!(changed.contains("def larger(x, y, z):\n    ..."));
    assert_eq!(env.run(&[&build[..], &["--no-cache"]].concat()).stdout, changed);
}

/// A text on which a real parser gives up: the run goes on, and the file says why.
#[test]
fn a_file_nobody_can_parse_costs_one_view() {
    let env = env();
    env.write("deep.rs", "fn f(){".repeat(12_000) + &"}".repeat(12_000));
    let ran = env.run(&["build", "--view", "skeleton", "-o", "-", "--include", "*.rs"]);
    let shown = ran.all();
    assert!(shown.contains("ERROR in skeleton view mode for deep.rs: nested deeper than 10000 levels"), "{shown}");
    assert!(shown.contains("pub fn add(a: u32, b: u32) -> u32 { /* … */ }"), "{shown}");
    assert_eq!(ran.code, Some(0));
    let strict = env.run(&["build", "--view", "skeleton", "-o", "-", "--include", "*.rs", "--strict"]);
    assert_eq!(strict.code, Some(5));
    assert_eq!(strict.stdout, "");
}

/// Parsers are other processes: one that is killed is replaced, and its file says so.
#[cfg(unix)]
#[test]
fn a_worker_speaks_only_when_asked() {
    let env = env();
    let ran = env.run_with_stdin(&["__parse"], b"");
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(0), ""));
    let ran = env.run_with_stdin(&["__parse"], &[255, 255, 255, 255, 0]);
    assert_eq!((ran.code, ran.stdout.as_str()), (Some(1), ""));
}

#[test]
fn a_mask_that_cannot_be_followed_is_said() {
    let env = env();
    // All of the names, not only the first.
    assert_snapshot!(env.run(&["show", "src/app.py", "--mask", "App.rnu=def", "--mask", "hom=sig"]).stderr);
    // Only hiding shows the rest.
    let hidden = env.run(&["show", "src/app.py", "--mask", "App=hide"]).stdout;
    assert!(hidden.contains("LIMIT = 10") && hidden.contains("def home") && !hidden.contains("App"), "{hidden}");
    assert_snapshot!(env.run(&["show", "src/app.py", "--view", "full", "--mask", "App=sig"]).all());
    assert_snapshot!(env.run(&["show", "src/data.py", "--view", "skeleton", "-n"]).all());
}

#[test]
fn strict_fails_where_a_view_of_one_file_could_not_be_made() {
    let env = env();
    for entry in [
        "{ path = \"README.md\", view_mode = \"outline\" }",
        "{ path = \"README.md\", ast_signatures = true }",
        "{ path = \"README.md\", ast_mask = { f = \"def\" } }",
        "{ path = \"src/app.py\", view_mode = \"masked\" }",
    ] {
        env.write("contexture.toml", format!("[files]\npaths = [{entry}]\n"));
        let ran = env.run(&["build", "-o", "-", "--strict"]);
        assert_eq!((ran.code, ran.stdout.as_str()), (Some(5), ""), "{entry}: {}", ran.stderr);
        let ran = env.run(&["build", "-o", "-"]);
        assert!(ran.code == Some(0) && ran.stderr.contains("was wished, `summary` is shown"), "{}", ran.all());
    }
    // A flag for all files asks each for what it can show.
    env.write("contexture.toml", "[files]\npaths = [\"README.md\", \"lib.rs\"]\n");
    assert_eq!(env.run(&["build", "-o", "-", "--strict", "--view", "skeleton"]).code, Some(0));
}

#[test]
fn what_is_counted_is_whole_files_that_are_there() {
    let env = env();
    for verb in ["tokens", "stats"] {
        let ran = env.run(&[verb, "src/nope.py"]);
        assert_eq!((ran.code, ran.stderr.as_str()), (Some(2), "error: no such file: src/nope.py\n"), "{verb}");
        assert_eq!(env.run(&[verb, "--view", "name"]).code, Some(2), "{verb}");
    }
    // One of several in a list is a row of its own.
    let ran = env.run_with_stdin(&["tokens", "-"], b"src/nope.py\nlib.rs\n");
    assert!(ran.code == Some(0) && ran.stdout.contains("src/nope.py"), "{}", ran.all());
}

#[test]
fn a_file_too_large_for_the_parser_is_said_to_be() {
    let env = env();
    env.write("big.py", "x = 1\n".repeat(2 << 20));
    assert_snapshot!(env.run(&["symbols", "big.py"]).stderr, @"error: `big.py`: 12,582,912 bytes is too large to be parsed");
    env.write("broken.kt", "@@@ ((( fun\n");
    let shown = env.run(&["show", "broken.kt", "--view", "outline"]).stderr;
    assert!(shown.contains("the parser could not read what it defines"), "{shown}");
}

#[test]
fn a_summary_lists_nothing_that_stands_in_what_is_private() {
    let env = env();
    let body = "        value = compute(1, 2, 3, 4, 5, 6, 7, 8)\n        return value\n".repeat(30);
    let text = format!(
        "\"\"\"Things.\"\"\"\n\nclass Shown:\n    def told(self):\n{body}\n    def _hidden(self):\n        def inner():\n            return 1\n{body}\n\ndef outer():\n    def local():\n        return 2\n    return local\n\nclass _Private:\n    def method(self):\n        return 3\n"
    );
    env.write("src/things.py", text);
    assert_snapshot!(env.run(&["show", "src/things.py", "--view", "summary"]).stdout, @"
    class Shown
      method told(self)
    function outer()
    ");
}
