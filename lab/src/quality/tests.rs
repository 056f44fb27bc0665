//! Tests of the measurement itself: tasks from small histories made here, and documents written by hand.

use super::diff::{Touch, size, touches};
use super::gold::{Function, is_foreign, is_test_path, touched};
use super::history::History;
use super::project::Project;
use super::score::{Judge, Score};
use super::tasks::{File, Task, choose};
use super::{bm25, gold, message, report};
use contexture_testkit::TestEnv;

const OLD: &str = "use std::fmt;\n\n/// Adds.\n#[inline]\nfn add(a: u32, b: u32) -> u32 {\n    a + b\n}\n\nimpl Sum {\n    fn new(\n        \
                   a: u32,\n    ) -> Self {\n        let twice = 2 * a;\n\n        Self(twice)\n    }\n}\n\n#[cfg(test)]\nmod tests {\n    #[test]\n    \
                   fn adds() {\n        assert_eq!(super::add(1, 2), 3);\n    }\n}\n";

#[test]
fn a_message_is_left_without_what_others_added() {
    let raw = "Speed up the walk (#12)\n\nIt was slow, fixes #3 and see GH-4.\n\n\nFixes: owner/name#5, #6\nCloses https://example.org/o/n/issues/7\n\
               * Co-authored-by: A <a@example.org>\n---------\n<!-- fill in\nthis -->\n- [x] tests\nSigned-off-by: B <b@example.org>\n";
    assert_eq!(message::clean(raw), "Speed up the walk\n\nIt was slow, and\n");
    assert_eq!(message::clean("Colour: `#fff` stays <!-- so does this\n"), "Colour: `#fff` stays <!-- so does this\n");
    assert_eq!(message::clean("Signed-off-by: B <b@example.org>\n"), "");
}

#[test]
fn upkeep_and_short_messages_are_no_tasks() {
    let asks = |raw: &str| message::is_task(raw, &message::clean(raw));
    assert!(asks("Stop at the first line that is not a comment"));
    assert!(!asks("Stop at the first line (#123456)"));
    assert!(!asks("Revert \"stop at the first line that is not a comment\""));
    assert!(!asks("Stop again after the first line\n\nThis reverts commit 0123456789."));
    assert!(!asks("chore(deps): raise the parser so that builds work again"));
    assert!(!asks("Update the parser to 1.2.3 so that builds work again"));
    assert!(!asks("1.2.3: all that was done since the last time"));
    assert!(!asks("Bump everything that is used for building and testing"));
}

#[test]
fn names_are_whole_words() {
    assert!(message::names("call `new_walk()` twice", "new_walk"));
    assert!(!message::names("call renew_walk twice", "new_walk"));
    assert!(message::names("in walk.rs, always", "walk.rs"));
}

#[test]
fn places_come_from_the_heads_of_hunks() {
    let patch = "diff --git a/x b/x\n--- a/x\n+++ b/x\n@@ -3 +3 @@ fn f()\n-a\n+@@ -9,9 +9,9 @@\n@@ -7,0 +8,2 @@\n+b\n+c\n@@ -10,2 +12,0 @@\n-d\n-e\n";
    let found = touches(patch);
    assert_eq!(found, [Touch::Lines { first: 3, last: 3 }, Touch::After(7), Touch::Lines { first: 10, last: 11 }]);
    assert_eq!(size(&found), 4);
}

#[test]
fn gold_is_the_innermost_function_around_a_change() {
    let names = |touches: &[Touch]| {
        let found = touched("a.rs", OLD, touches).expect("Rust");
        (found.functions.into_iter().map(|one| one.name).collect::<Vec<_>>(), found.only_tests)
    };
    let line = |line| Touch::Lines { first: line, last: line };
    assert_eq!(names(&[line(6)]), (vec!["add".to_owned()], false));
    assert_eq!(names(&[line(4)]), (vec!["add".to_owned()], false));
    assert_eq!(names(&[Touch::After(5)]), (vec!["add".to_owned()], false));
    // Behind the last line is not inside, and the line before an insertion decides.
    assert_eq!(names(&[Touch::After(7)]), (vec![], false));
    assert_eq!(names(&[Touch::After(0)]), (vec![], false));
    assert_eq!(names(&[Touch::Lines { first: 6, last: 13 }]), (vec!["add".to_owned(), "new".to_owned()], false));
    assert_eq!(names(&[line(23)]), (vec![], true));
    assert_eq!(names(&[line(23), line(1)]), (vec![], false));
}

#[test]
fn a_function_is_its_lines_without_attributes() {
    let found = touched("a.rs", OLD, &[Touch::After(5), Touch::After(13)]).expect("Rust").functions;
    let lines = ["fn add(a: u32, b: u32) -> u32 {", "a + b", "}"].map(str::to_owned).to_vec();
    assert_eq!(
        found.first(),
        Some(&Function { at: 0, name: "add".into(), head: "fn add(a: u32, b: u32) -> u32".into(), lines })
    );
    assert_eq!(found.get(1).map(|one| one.head.as_str()), Some("fn new("));
    let arrow = "export const f = async (x: number) => {\n  return x;\n};\n";
    let found = touched("a.ts", arrow, &[Touch::Lines { first: 2, last: 2 }]).expect("TypeScript").functions;
    assert_eq!(found.first().map(|one| one.head.as_str()), Some("export const f = async (x: number)"));
    assert_eq!(found.first().map(|one| one.lines.len()), Some(3));
}

#[test]
fn tests_and_what_others_wrote_is_told_by_path_and_text() {
    for path in [
        "a_test.go",
        "src/a.test.ts",
        "src/a.spec.tsx",
        "tests/a.rs",
        "src/x/__tests__/a.ts",
        "src/tests.rs",
        "ATest.java",
    ] {
        assert!(is_test_path(path), "{path}");
    }
    for path in ["src/attest.rs", "contest.go", "src/latest/a.ts", "a.rs"] {
        assert!(!is_test_path(path), "{path}");
    }
    assert!(
        is_foreign("vendor/a.go", "")
            && is_foreign("a.pb.go", "")
            && is_foreign("a.go", "// Code generated by x. DO NOT EDIT.")
    );
    assert!(!is_foreign("src/a.go", "package a\n"));
}

fn project(sources: &[(&str, &str)]) -> Project {
    let sources: Vec<(String, String)> = sources.iter().map(|(path, text)| ((*path).into(), (*text).into())).collect();
    Project { paths: sources.iter().map(|(path, _)| path.clone()).collect(), sources }
}

fn task(path: &str, text: &str, touches: &[Touch]) -> Task {
    let touched = touched(path, text, touches).expect("a language");
    let lines = gold::lines(text, touches);
    let gold = vec![File { path: path.into(), functions: touched.functions, values: touched.values, lines }];
    let (commit, parent) = ("c".to_owned(), "p".to_owned());
    Task { language: "rust".into(), history: 0, commit, parent, query: "q".into(), gold, named: false }
}

fn shares(score: Score) -> (f64, f64, f64) {
    (score.file, score.sig, score.body)
}

#[test]
fn a_document_is_judged_by_paths_heads_and_whole_bodies() {
    let project = project(&[("src/a.rs", OLD), ("b/src/a.rs", "fn other() {}\n")]);
    let task = task("src/a.rs", OLD, &[Touch::After(5), Touch::After(13)]);
    let judge = Judge::new(&task, &project);
    let of = |text: &str| shares(judge.score(text, 1000));
    assert_eq!(of(&format!("### `src/a.rs`\n```\n{OLD}```\n")), (1.0, 1.0, 1.0));
    assert_eq!(of("src/a.rs\n"), (1.0, 0.0, 0.0));
    assert_eq!(of("b/src/a.rs and src/a.rs.bak/x\n"), (0.0, 0.0, 0.0));
    // Without the path nothing counts.
    assert_eq!(of(OLD), (0.0, 0.0, 0.0));
    assert_eq!(of("src/a.rs\nfn add(a: u32,  b: u32) -> u32 { /* … */ }\n"), (1.0, 0.5, 0.0));
    assert_eq!(of("src/a.rs\nfn add(a: u32, b: u32) -> u32 {\n\n  a + b\n}\n"), (1.0, 0.5, 0.5));
    assert_eq!(of("src/a.rs\nfn add(a: u32, b: u32) -> u32 {\n  // …\n}\n"), (1.0, 0.5, 0.0));
    let numbered =
        "src/a.rs\n10  fn new(\n11 | a: u32,\n12 | ) -> Self {\n13  let twice = 2 * a;\n14\n15  Self(twice)\n16 │ }\n";
    assert_eq!(of(numbered), (1.0, 0.5, 0.5));
}

#[test]
fn changed_lines_count_with_a_neighbor_and_signatures_without_bodies_are_bare() {
    let text = "const A: u32 = 1;\n\nfn f() -> u32 {\n    A + 1\n}\n";
    let project = project(&[("a.rs", text)]);
    let task = task("a.rs", text, &[Touch::Lines { first: 1, last: 1 }, Touch::After(4)]);
    let judge = Judge::new(&task, &project);
    let of = |text: &str| {
        let score = judge.score(text, 1000);
        (score.line, score.first, (score.bare * 100.0).round())
    };
    assert_eq!(of("## a.rs\n"), (0.0, 1.0, 0.0));
    assert_eq!(of("## a.rs\nconst A: u32 = 1;\n⋮ 2-5\n"), (0.0, 1.0, 0.0));
    assert_eq!(of("## a.rs\nconst A: u32 = 1;\nfn f() -> u32 { … } ⋮ 4-5\n"), (0.0, 1.0, 52.0));
    assert_eq!(of(&format!("## a.rs\n{text}")), (1.0, 0.2, 0.0));
    assert_eq!(of("## a.rs\n⋮ 1-3\n    A + 1\n}\n"), (0.5, 0.5, 0.0));
}

#[test]
fn a_document_over_its_budget_shows_nothing() {
    let project = project(&[("a.rs", OLD)]);
    let task = task("a.rs", OLD, &[Touch::After(5)]);
    let score = Judge::new(&task, &project).score(&format!("a.rs\n{OLD}"), 20);
    assert!(score.over && score.tokens > 20);
    assert_eq!(shares(score), (0.0, 0.0, 0.0));
}

#[test]
fn what_stands_in_several_files_counts_in_its_own_part() {
    let text = "fn new() -> Self {\n    Self(0)\n}\n";
    let project = project(&[("a.rs", text), ("b.rs", text)]);
    let task = task("a.rs", text, &[Touch::After(1)]);
    let judge = Judge::new(&task, &project);
    let of = |text: &str| shares(judge.score(text, 1000));
    assert_eq!(of(&format!("## a.rs\n…\n## b.rs\n{text}")), (1.0, 0.0, 0.0));
    assert_eq!(of(&format!("## b.rs\n…\n## a.rs\n{text}")), (1.0, 1.0, 1.0));
    assert_eq!(of("### `a.rs` (skeleton)\nfn new() -> Self { /* … */ }\n## b.rs\n"), (1.0, 1.0, 0.0));
}

#[test]
fn words_are_split_and_better_files_come_first() {
    let mut words = Vec::new();
    bm25::words("HTTPServer get_user2Name, Straße", |word| words.push(word.to_owned()));
    assert_eq!(words, ["http", "server", "get", "user2", "name", "straße"]);
    let project = project(&[
        ("a.rs", "fn zero() {}\n"),
        ("b.rs", "fn openFile() {}\n"),
        ("tests/open_file.rs", "\n"),
        ("c.go", "file"),
    ]);
    let ranked = bm25::ranked(&project, "rust", "the file does not open");
    assert_eq!(ranked.iter().map(|(path, _)| path.as_str()).collect::<Vec<_>>(), ["b.rs", "a.rs"]);
    assert_eq!(bm25::pack(&ranked, 1000), "## b.rs\nfn openFile() {}\n\n## a.rs\nfn zero() {}\n\n");
    assert_eq!(bm25::pack(&ranked, 2), "");
}

/// A history of four commits, two of them tasks.
fn history(env: &TestEnv) -> History {
    let commit = |message: &str| {
        env.git(&["add", "--all"]);
        env.git(&["commit", "--quiet", "--message", message]);
    };
    env.git(&["init", "--quiet"]);
    env.write("src/a.rs", OLD).write("b.go", "package b\n\nfunc B() int {\n\treturn 1\n}\n");
    commit("All that there is at the beginning of this history");
    env.write("src/a.rs", OLD.replace("a + b", "b + a"));
    commit("Sum the numbers in the order that readers expect (#1)\n\nSigned-off-by: B <b@example.org>");
    env.write("src/a.rs", OLD.replace("a + b", "a - b").replace("3);", "-1);"));
    commit("Short of words (#2)");
    env.write("b.go", "package b\n\nfunc B() int {\n\treturn 2\n}\n").write("b_test.go", "package b\n");
    commit("Let B give what the callers of b.go need from it");
    History::open(&env.root().to_string_lossy()).expect("a history")
}

#[test]
fn tasks_of_a_history_are_always_the_same() {
    let env = TestEnv::new("none");
    let history = history(&env);
    let languages = ["rust", "go"].map(str::to_owned);
    let told = |count| {
        let tasks = choose(&history, 0, &languages, count).expect("tasks");
        let one = |task: &Task| {
            let gold: Vec<String> =
                task.gold.iter().map(|file| format!("{} {}", file.path, file.functions.len())).collect();
            (task.commit.clone(), task.language.clone(), task.query.clone(), gold.join(" "), task.named)
        };
        tasks.iter().map(one).collect::<Vec<_>>()
    };
    let all = told(9);
    assert_eq!(all, told(9));
    assert_eq!(told(0), []);
    assert!(all.is_sorted_by(|a, b| a.0 < b.0));
    let mut plain: Vec<_> =
        all.into_iter().map(|(_, language, query, gold, named)| (language, query, gold, named)).collect();
    plain.sort();
    let go = ("go".into(), "Let B give what the callers of b.go need from it\n".into(), "b.go 1".into(), true);
    let rust = ("rust".into(), "Sum the numbers in the order that readers expect\n".into(), "src/a.rs 1".into(), false);
    assert_eq!(plain, [go, rust]);
}

#[test]
fn the_tree_before_a_commit_is_exported_with_its_history() {
    let env = TestEnv::new("none");
    let history = history(&env);
    let tasks = choose(&history, 0, &["rust".to_owned()], 9).expect("tasks");
    let task = tasks.first().expect("a task");
    let folder = env.temp().join("tree");
    history.export(&task.parent, &folder).expect("a tree");
    assert_eq!(std::fs::read_to_string(folder.join("src/a.rs")).expect("a file"), OLD);
    let read = Project::read(&folder).expect("a project");
    assert_eq!(read.paths.iter().map(String::as_str).collect::<Vec<_>>(), ["b.go", "src/a.rs"]);
    let earlier = History::open(&folder.to_string_lossy()).expect("a history");
    assert_eq!((earlier.head.as_str(), earlier.commits().expect("commits").len()), (task.parent.as_str(), 0));
}

#[test]
fn a_history_may_end_earlier_and_is_told_by_its_folder() {
    let env = TestEnv::new("none");
    history(&env);
    let place = format!("{}@HEAD~1", env.root().to_string_lossy());
    let history = History::open(&place).expect("a history");
    assert_eq!((history.name.as_str(), history.commits().expect("commits").len()), ("project", 2));
    assert!(History::open(&env.home().to_string_lossy()).is_err());
}

#[test]
fn figures_stand_between_the_markers() {
    let old = "# Head\n<!-- quality -->\nold\n<!-- /quality -->\ntail\n";
    assert_eq!(
        report::between(old, "new\n").as_deref(),
        Some("# Head\n<!-- quality -->\nnew\n<!-- /quality -->\ntail\n")
    );
    assert_eq!(report::between("no markers", "new"), None);
}

#[test]
fn a_document_tells_histories_without_places_of_this_machine() {
    let env = TestEnv::new("none");
    let history = history(&env);
    let place = env.root().to_string_lossy().into_owned();
    let request = super::parse(&["--history".to_owned(), place.clone()]).expect("a request");
    let tasks = choose(&history, 0, &request.languages, 9).expect("tasks");
    let score = |file| Score { file, sig: 1.0, body: 0.5, ..Score::default() };
    let cell = |task, file| report::Cell { program: "p".into(), budget: 2_000, task, score: score(file) };
    let table = report::table(&request, &tasks, &[cell(0, 1.0), cell(1, 0.0)], &["p".to_owned()]);
    assert_eq!(table.lines().filter(|line| line.contains("| p | 1 |") && line.contains("| 0.50 ± 0.00 |")).count(), 2);
    let document = env.temp().join("quality.md");
    std::fs::write(&document, "<!-- quality --><!-- /quality -->").expect("a file");
    report::write(&document, &request, &[history], &tasks, &table).expect("written");
    let text = std::fs::read_to_string(&document).expect("a file");
    assert!(
        text.contains(&table) && text.contains("--history ../project@") && text.contains(": 1 rust, 1 go\n"),
        "{text}"
    );
    assert!(!text.contains(&*env.temp().to_string_lossy()), "{text}");
}

#[test]
fn a_request_names_what_is_wrong_with_it() {
    let wrong = |words: &[&str]| {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        super::parse(&words).err().unwrap_or_default()
    };
    assert!(wrong(&[]).contains("no history"));
    assert!(wrong(&["--history", ".", "--language", "latin"]).contains("`latin`"));
    assert!(wrong(&["--history", ".", "--budgets", "2000,x"]).contains("`x`"));
    assert!(wrong(&["--history", ".", "--command", "p", "--write"]).contains("--command"));
    assert_eq!(wrong(&["--history", ".", "--language", "python", "--write"]), "");
}
