//! Slices as a person meets them: marked, found again, shown, stored anew.
#![allow(clippy::unwrap_used)]

use contexture_testkit::TestEnv;
use insta::assert_snapshot;

const CODE: &str = "\
use std::fmt;

fn first() -> u32 {
    let mut sum = 0;
    for number in numbers() {
        sum += number;
    }
    sum
}

fn second(name: &str) -> String {
    let greeting = format!(\"hello {name}\");
    println!(\"{greeting}\");
    greeting
}
";

fn env() -> TestEnv {
    let env = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    env.write("src/lib.rs", CODE);
    env
}

/// The slice as `make` prints it for a configuration file.
fn marked(env: &TestEnv, path: &str, lines: &str, tag: &str) -> String {
    env.run(&["slice", "make", path, lines, "--tag", tag]).stdout.trim_end().to_owned()
}

/// With what stands for a hash or a fingerprint instead of it.
fn short(text: &str) -> String {
    let mut out = String::new();
    for part in text.split_inclusive('"') {
        let word = part.trim_end_matches('"');
        let is_hash = word.len() == 64 && word.chars().all(|c| c.is_ascii_hexdigit());
        out.push_str(if is_hash {
            "HASH"
        } else if word.starts_with("1.") && word.len() > 40 {
            "PRINT"
        } else {
            word
        });
        out.push_str(&part[word.len()..]);
    }
    out
}

#[test]
fn make_prints_a_slice_to_store() {
    let env = env();
    let args = ["slice", "make", "src/lib.rs", "11-15", "--tag", "greet", "--comment", "says hello"];
    assert_snapshot!(short(&env.run(&args).all()), @r#"
    exit 0
    --- stdout
    { start_line = 11, end_line = 15, tag = "greet", comment = "says hello", content_hash = "HASH", anchor_lines = ["}", ""], fingerprint = "2.BQoAAAH0P0Ay6D3trMfsqBpFMI69i9RqHAAAAAAAAAAAAQAPOhCnFCr1WhiBEtdOx5DL9sTx1CsdOXIP1CsdFCr1PzYAd7HC8g1avl_x1CsdCDQBuHBVfozIP5Yq_QXdwYcsVsqdftKhDehGeq1328HCGH_m7rbapg" }
    --- stderr
    5 lines of src/lib.rs; put it into the list `custom_slices` of the entry:
      { path = "src/lib.rs", view_mode = "custom", custom_slices = [ … ] }
    "#);
    assert_snapshot!(short(&env.run(&[&args[..], &["--json"]].concat()).stdout), @r#"
    {
      "start_line": 11,
      "end_line": 15,
      "tag": "greet",
      "comment": "says hello",
      "content_hash": "HASH",
      "anchor_lines": [
        "}",
        ""
      ],
      "fingerprint": "2.BQoAAAH0P0Ay6D3trMfsqBpFMI69i9RqHAAAAAAAAAAAAQAPOhCnFCr1WhiBEtdOx5DL9sTx1CsdOXIP1CsdFCr1PzYAd7HC8g1avl_x1CsdCDQBuHBVfozIP5Yq_QXdwYcsVsqdftKhDehGeq1328HCGH_m7rbapg"
    }
    "#);
}

#[test]
fn make_says_what_is_no_range() {
    let env = env();
    let mut said = String::new();
    for args in
        [["src/lib.rs", "0-3"], ["src/lib.rs", "9-3"], ["src/lib.rs", "9-99"], ["src/lib.rs", "x"], ["gone.rs", "1-2"]]
    {
        let ran = env.run(&["slice", "make", args[0], args[1]]);
        said.push_str(&format!("exit {} {}", ran.code.unwrap(), ran.stderr));
    }
    assert_snapshot!(said, @r#"
    exit 2 error: not a range of lines, counted from 1: `0-3`
    exit 2 error: not a range of lines, counted from 1: `9-3`
    exit 2 error: the range ends at line 99, the file has 15
    exit 2 error: not a range of lines: `x`
    hint: `contexture slice make PATH 10-20`
    exit 2 error: no such file: gone.rs
    "#);
}

#[test]
fn resolve_answers_for_one_and_for_many() {
    let env = env();
    let one = env.run(&["slice", "make", "src/lib.rs", "11-15", "--tag", "greet", "--json"]).stdout;
    let two = env.run(&["slice", "make", "src/lib.rs", "3-9", "--json"]).stdout;
    env.write("one.json", &one).write("many.json", format!("[{one},{two}]"));
    env.write("one.toml", marked(&env, "src/lib.rs", "11-15", "greet"));
    env.write("src/lib.rs", format!("//! New.\n{}", CODE.replace("sum", "total")));
    assert_snapshot!(env.run(&["slice", "resolve", "src/lib.rs", "--slice", "one.json"]).all(), @r#"
    exit 0
    --- stdout
    moved      11-15 -> 12-16  greet  (its lines stand there and nowhere else)
    --- stderr
    "#);
    assert_snapshot!(env.run(&["slice", "resolve", "src/lib.rs", "--slice", "one.json", "--json"]).stdout, @r#"
    {
      "v": 1,
      "path": "src/lib.rs",
      "outcome": "moved",
      "start_line": 12,
      "end_line": 16,
      "confidence": 0.99,
      "why": "its lines stand there and nowhere else",
      "tag": "greet",
      "old_start_line": 11,
      "old_end_line": 15
    }
    "#);
    let many = env.run(&["slice", "resolve", "src/lib.rs", "--slice", "many.json", "--json"]).json();
    assert_eq!(many["slices"][0]["outcome"], "moved");
    assert_eq!(many["slices"].as_array().unwrap().len(), 2);
    let toml = env.run(&["slice", "resolve", "src/lib.rs", "--slice", "one.toml"]);
    assert_eq!(
        toml.stdout,
        env.run_with_stdin(&["slice", "resolve", "src/lib.rs", "--slice", "-"], one.as_bytes()).stdout
    );
    assert_snapshot!(env.run_with_stdin(&["slice", "resolve", "src/lib.rs", "--slice", "-"], b"{}").all(), @r#"
    exit 2
    --- stdout
    --- stderr
    error: -: `slice` needs `start_line` and `end_line`
    hint: `contexture slice make PATH 1-20 --json` prints one
    "#);
    assert_snapshot!(env.run_with_stdin(&["slice", "resolve", "src/lib.rs", "--slice", "-"], b"no").all(), @r#"
    exit 2
    --- stdout
    --- stderr
    error: -: neither JSON nor TOML of a slice
    hint: `contexture slice make PATH 1-20 --json` prints one
    "#);
}

fn composition(env: &TestEnv) -> String {
    let (second, first) = (marked(env, "src/lib.rs", "11-15", "greet"), marked(env, "src/lib.rs", "3-9", "sum"));
    format!(
        "# The files.\n[files]\npaths = [\n  # marked\n  {{ path = \"src/lib.rs\", view_mode = \"custom\", custom_slices = [\n    {second}, # hello\n    {first},\n  ] }}, # behind\n]\n"
    )
}

#[test]
fn a_document_shows_slices_where_they_are_now() {
    let env = env();
    env.write("contexture.toml", composition(&env));
    let bare = |text: String| text.split("--- stderr").next().unwrap().to_owned();
    assert_snapshot!(bare(env.run(&["build", "-o", "-"]).all()), @r#"
    exit 0
    --- stdout
    ## Files

    ### `src/lib.rs` (custom)

    ```rust
    --- lines 3-9: sum
    fn first() -> u32 {
        let mut sum = 0;
        for number in numbers() {
            sum += number;
        }
        sum
    }
    --- lines 11-15: greet
    fn second(name: &str) -> String {
        let greeting = format!("hello {name}");
        println!("{greeting}");
        greeting
    }
    ```
    "#);
    env.write("src/lib.rs", format!("//! New.\n\n{}", CODE.replace("    sum\n", "    sum * 2\n")));
    assert_snapshot!(bare(env.run(&["build", "-o", "-", "--line-numbers"]).all()), @r#"
    exit 0
    --- stdout
    ## Files

    ### `src/lib.rs` (custom)

    ```rust
    --- lines 5-11 (changed, was 3-9): sum
     5  fn first() -> u32 {
     6      let mut sum = 0;
     7      for number in numbers() {
     8          sum += number;
     9      }
    10      sum * 2
    11  }
    --- lines 13-17 (moved from 11-15): greet
    13  fn second(name: &str) -> String {
    14      let greeting = format!("hello {name}");
    15      println!("{greeting}");
    16      greeting
    17  }
    ```
    "#);
}

#[test]
fn a_slice_that_is_gone_leaves_a_line_and_is_a_loss() {
    let env = env();
    env.write("contexture.toml", composition(&env));
    env.write("src/lib.rs", &CODE[..CODE.find("fn second").unwrap()]);
    assert_snapshot!(env.run(&["build", "-o", "-"]).all(), @r#"
    exit 0
    --- stdout
    ## Files

    ### `src/lib.rs` (custom)

    ```rust
    --- lines 3-9: sum
    fn first() -> u32 {
        let mut sum = 0;
        for number in numbers() {
            sum += number;
        }
        sum
    }
    --- LOST, was lines 11-15 (only 1 % of it is left): greet
    ```

    --- stderr
    note: src/lib.rs: slice `greet`, lines 11-15, is lost: only 1 % of it is left
    1 item, 80 tokens (exact, o200k_base), 237 bytes, 0 left out
    "#);
    let strict = env.run(&["build", "-o", "-", "--strict"]);
    assert_eq!((strict.code, strict.stdout.as_str()), (Some(5), ""));
}

#[test]
fn line_numbers_alone_are_never_shown_as_a_slice() {
    let env = env();
    let entry = "{ path = \"src/lib.rs\", custom_slices = [{ start_line = 3, end_line = 9 }] }";
    env.write("contexture.toml", format!("[files]\npaths = [{entry}]\n"));
    assert_snapshot!(env.run(&["build", "-o", "-"]).stdout, @r#"
    ## Files

    ### `src/lib.rs` (custom)

    ```rust
    --- AMBIGUOUS, was lines 3-9 (only line numbers are stored; lines that `contexture slice make` marks are found again)
    ```
    "#);
}

#[test]
fn refresh_stores_what_was_found_and_touches_nothing_else() {
    let env = env();
    let before = composition(&env);
    env.write("contexture.toml", &before);
    env.write("src/lib.rs", format!("//! New.\n\n{}", &CODE[..CODE.find("fn second").unwrap()]));
    assert_snapshot!(env.run(&["slice", "refresh"]).all(), @"
    exit 0
    --- stdout
    src/lib.rs: lost       was 11-15  greet  (only 1 % of it is left)
    src/lib.rs: moved      3-9 -> 5-11  sum  (its lines stand there and nowhere else)
    --- stderr
    stored anew: 1 of 2 slices
    not found and left as they are: 1; where no note says more, `contexture slice make` marks lines anew
    ");
    assert_snapshot!(short(&env.read("contexture.toml")), @r#"
    # The files.
    [files]
    paths = [
      # marked
      { path = "src/lib.rs", view_mode = "custom", custom_slices = [
        { start_line = 11, end_line = 15, tag = "greet", content_hash = "HASH", anchor_lines = ["}", ""], fingerprint = "2.BQoAAAH0P0Ay6D3trMfsqBpFMI69i9RqHAAAAAAAAAAAAQAPOhCnFCr1WhiBEtdOx5DL9sTx1CsdOXIP1CsdFCr1PzYAd7HC8g1avl_x1CsdCDQBuHBVfozIP5Yq_QXdwYcsVsqdftKhDehGeq1328HCGH_m7rbapg" }, # hello
        { start_line = 5, end_line = 11, tag = "sum", content_hash = "HASH", anchor_lines = ["use std::fmt;", "", ""], fingerprint = "2.BwQBAACcEzu-RhrAw3AKJwOWtnP2MqUNEZ_otanpFSoVAQAMBVL4FCr1OhCnFCr1WhiBEtdOx5DL9sTx1CsdOXIP1CsdFCr1WBx6XXs1evJaIKE7fveBCdeJziCiWU822kXB8MCMjovCGH_m7rbapmBOu6fD4N3Qwhh_5u622qY" },
      ] }, # behind
    ]
    "#);
    let once = env.read("contexture.toml");
    assert_eq!(env.run(&["slice", "refresh", "src/lib.rs"]).code, Some(0));
    assert_eq!(env.read("contexture.toml"), once);
    // What was lost comes back with its text.
    env.write("src/lib.rs", CODE);
    assert_eq!(env.run(&["slice", "refresh"]).code, Some(0));
    let shown = |text: &str| env.write("contexture.toml", text).run(&["build", "-o", "-"]).stdout;
    assert_eq!(shown(&env.read("contexture.toml")), shown(&before));
}

#[test]
fn refresh_works_on_sections_and_completes_what_others_stored() {
    let env = env();
    let hash = env.run(&["slice", "make", "src/lib.rs", "11-15", "--json"]).json()["content_hash"]
        .as_str()
        .unwrap()
        .to_owned();
    env.write(
        "contexture.toml",
        format!(
            "[[files.paths]]\npath = \"src/lib.rs\"\n\n[[files.paths.custom_slices]]\nstart_line = 11 # first\nend_line = 15 # last\ncontent_hash = \"{hash}\" # sum\nmine = 1\n\n[output]\nkeep = 3\n"
        ),
    );
    env.write("src/lib.rs", format!("// new\n{CODE}"));
    let ran = env.run(&["slice", "refresh", "--json"]).json();
    assert_eq!((&ran["slices"][0]["outcome"], &ran["slices"][0]["stored"]), (&"moved".into(), &true.into()));
    assert_snapshot!(short(&env.read("contexture.toml")), @r#"
    [[files.paths]]
    path = "src/lib.rs"

    [[files.paths.custom_slices]]
    start_line = 12 # first
    end_line = 16 # last
    content_hash = "HASH" # sum
    mine = 1
    anchor_lines = ["}", ""]
    fingerprint = "2.BQsAAAH0P0Ay6D3trMfsqBppBlU0-SWtFQAAAAAAAAAAAQAQmcOZOhCnFCr1WhiBEtdOx5DL9sTx1CsdOXIP1CsdFCr1PzYAd7HC8g1avl_x1CsdCDQBuHBVfozIP5Yq_QXdwYcsVsqdftKhDehGeq1328HCGH_m7rbapg"

    [output]
    keep = 3
    "#);
}

#[test]
fn refresh_says_when_there_is_nothing_to_do() {
    let env = env();
    assert_snapshot!(env.run(&["slice", "refresh"]).all(), @r#"
    exit 2
    --- stdout
    --- stderr
    error: the composition has no slices
    hint: `contexture slice make PATH 10-20` prints one to put into `custom_slices` of an entry
    "#);
    env.write("contexture.toml", composition(&env));
    assert_snapshot!(env.run(&["slice", "refresh", "src/main.rs"]).all(), @r#"
    exit 2
    --- stdout
    --- stderr
    error: the composition has no slices of `src/main.rs`
    "#);
}

#[test]
fn a_renamed_file_is_known_by_its_slices() {
    let env = env();
    env.write("contexture.toml", composition(&env)).write("notes.md", "other\n");
    std::fs::rename(env.root().join("src/lib.rs"), env.root().join("src/core.rs")).unwrap();
    let ran = env.run(&["build", "-o", "-", "--strict"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(ran.stdout.contains("### `src/core.rs` (custom)"), "{}", ran.stdout);
    assert_snapshot!(ran.stderr, @r#"
    note: src/lib.rs: it is gone; the text of its slices stands in `src/core.rs`
    hint: write `src/core.rs` in the composition
    1 item, 98 tokens (exact, o200k_base), 324 bytes, 0 left out
    "#);
    // What is shown is also what is stored anew.
    let refreshed = env.run(&["slice", "refresh"]);
    assert!(refreshed.code == Some(0) && !refreshed.stdout.contains("lost"), "{}", refreshed.all());
    // Two files hold the text: nobody can tell.
    env.write("copy.rs", CODE);
    assert_eq!(env.run(&["build", "-o", "-", "--strict"]).code, Some(5));
}
