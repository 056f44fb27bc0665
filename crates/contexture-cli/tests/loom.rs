//! `loom` as people use it: trees, pictures, paths, contexts, what is cut, what is hidden, files, servers, damage.
#![allow(clippy::unwrap_used)]

use contexture_testkit::{Ran, TestEnv};
use insta::assert_snapshot;
use serde_json::{Value, json};
use std::io::{Read, Write};
use std::net::TcpListener;

fn env() -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_contexture"))
}

fn loom(env: &TestEnv, args: &[&str]) -> Ran {
    env.run(&[&["loom"], args].concat())
}

/// Does something and gives the short id it prints.
fn done(env: &TestEnv, args: &[&str]) -> String {
    let ran = loom(env, args);
    assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.all());
    ran.stdout.trim().to_owned()
}

fn json(env: &TestEnv, args: &[&str]) -> Value {
    let ran = loom(env, &[args, &["--json"]].concat());
    assert_eq!(ran.code, Some(0), "{args:?}: {}", ran.all());
    ran.json()
}

/// Short ids are random: each stands by its number in the list.
fn named(text: &str, ids: &[&str]) -> String {
    let is_part = |c: char| c.is_ascii_alphanumeric();
    let word = |word: &str| match ids.iter().position(|id| *id == word.trim_matches(|c| !is_part(c))) {
        Some(nth) => word.replace(ids[nth], &format!("N{nth:03}")),
        None => word.to_owned(),
    };
    text.split_inclusive([' ', '\n']).map(word).collect()
}

/// Two questions about tea, the second asked in two ways; a remark and a bookmark.
fn tea(env: &TestEnv) -> Vec<String> {
    let tree = done(env, &["new", "Tea", "--system", "Be brief."]);
    let a = done(env, &["add", "Which tea keeps me awake?"]);
    let b = done(env, &["add", "--as", "model", "Green tea, gently."]);
    let c = done(env, &["add", "And coffee?"]);
    done(env, &["fork", &b, "--name", "why"]);
    let d = done(env, &["add", "Is it the caffeine?"]);
    let e = done(env, &["add", "--as", "model", "Mostly.  "]);
    let f = done(env, &["annotate", &b, "check this with a doctor"]);
    done(env, &["bookmark", &a, "--label", "start"]);
    vec![tree, a, b, c, d, e, f]
}

#[test]
fn a_tree_is_drawn_and_assembled() {
    let env = env();
    let ids = tea(&env);
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    assert_snapshot!(named(&loom(&env, &["show"]).all(), &ids));
    assert_snapshot!(named(&loom(&env, &["assemble"]).all(), &ids));
    assert_snapshot!("anthropic", loom(&env, &["assemble", "--format", "anthropic", "-q"]).stdout);
    assert_snapshot!("md", named(&loom(&env, &["assemble", "--format", "md", "-q"]).stdout, &ids));
    assert_snapshot!("path", named(&loom(&env, &["path"]).all(), &ids));
    // The other branch is still there.
    let other = loom(&env, &["assemble", ids[3], "-q"]).stdout;
    assert!(other.contains("And coffee?") && !other.contains("caffeine"), "{other}");
    let list = json(&env, &["list"]);
    assert_eq!(list["trees"][0]["nodes"], 6);
    assert_eq!(list["trees"][0]["in_use"], true);
}

#[test]
fn every_verb_speaks_json() {
    let env = env();
    let ids = tea(&env);
    let node = json(&env, &["add", "more"]);
    assert_eq!(node["node"]["text"], "more");
    assert_eq!(node["node"]["author_type"], "human");
    assert_eq!(node["tree"]["title"], "Tea");
    let middle = &json(&env, &["show", &ids[2]])["node"];
    assert_eq!(middle["connections"]["continuations"], 2);
    assert_eq!((&middle["sources"][0]["local"], &middle["sources"][0]["role"]), (&json!(ids[1]), &json!("primary")));
    assert_eq!(middle["targets"].as_array().unwrap().len(), 3);
    let shown = json(&env, &["show"]);
    assert_eq!(shown["outline"].as_array().unwrap().len(), 7);
    assert!(shown["path_tokens"].as_u64().unwrap() > 10);
    for args in [
        vec!["path"],
        vec!["path", "--list"],
        vec!["agent"],
        vec!["agent", "Ada", "--kind", "model", "--allow", "loom_aware"],
        vec!["stash"],
        vec!["stash", "plan", "drink less"],
        vec!["stash", "plan", "--recall"],
        vec!["set", "--minimum-recent-nodes", "2"],
        vec!["edit", &ids[4], "Is it something else?"],
        vec!["fork", &ids[2], "--name", "third"],
        vec!["exclude", &ids[1]],
        vec!["prune", &ids[3]],
        vec!["restore", &ids[3]],
        vec!["pin", &ids[2]],
        vec!["bookmark", &ids[2]],
        vec!["annotate", &ids[2], "so it is"],
        vec!["assemble"],
        vec!["export"],
        vec!["verify"],
    ] {
        assert_eq!(json(&env, &args)["v"], 1, "{args:?}");
    }
}

#[test]
fn nothing_of_a_hidden_node_gets_out() {
    let env = env();
    done(&env, &["new", "Secrets", "--system", "You keep secrets."]);
    let root = done(&env, &["add", "root words"]);
    let excluded = done(&env, &["add", "XXEXCLUDEDXX"]);
    let middle = done(&env, &["add", "--as", "model", "middle words"]);
    let pruned = done(&env, &["add", "--parent", &root, "--stay", "XXPRUNEDXX"]);
    let remark = done(&env, &["annotate", &middle, "XXREMARKXX"]);
    let context = done(&env, &["add", "--parent", &root, "--stay", "XXCONTEXTXX"]);
    let leaf = done(
        &env,
        &[
            "add",
            "--parent",
            &middle,
            "--context",
            &context,
            "--context",
            &pruned,
            "--context",
            &remark,
            "--instruction",
            &excluded,
            "--instruction",
            &pruned,
            "leaf words",
        ],
    );
    for pinned in [&excluded, &pruned, &remark, &context] {
        done(&env, &["pin", pinned]);
    }
    let before = loom(&env, &["assemble"]).stdout;
    for word in ["XXEXCLUDEDXX", "XXPRUNEDXX", "XXCONTEXTXX"] {
        assert!(before.contains(word), "{word} is shown at first: {before}");
    }
    done(&env, &["exclude", &excluded, &context]);
    done(&env, &["prune", &pruned]);
    for format in ["messages", "openai", "anthropic", "gemini", "md"] {
        for more in
            [vec![], vec!["--loom-aware"], vec!["--json"], vec!["--max-tokens", "400"], vec!["--loom-aware", "--json"]]
        {
            let ran = loom(&env, &[vec!["assemble", &leaf, "--format", format], more].concat());
            assert_eq!(ran.code, Some(0), "{}", ran.all());
            assert!(!ran.all().contains("XX"), "{}", ran.all());
            assert!(ran.stdout.contains("leaf words"));
        }
    }
    for format in ["pyloom", "loomsidian", "pi", "chatgpt"] {
        let text = loom(&env, &["export", "--format", format]).stdout;
        assert!(format == "pyloom" || !text.contains("XXPRUNED"), "{format}: {text}");
    }
    let with = loom(&env, &["assemble", &leaf, "--with-annotations"]).stdout;
    assert!(with.contains("XXREMARKXX") && !with.contains("XXEXCLUDED"), "{with}");
    // Brought back, it is there again.
    done(&env, &["restore", &pruned]);
    assert!(loom(&env, &["assemble", &leaf]).stdout.contains("XXPRUNEDXX"));
}

#[test]
fn a_path_that_does_not_fit_is_cut_and_says_how() {
    let env = env();
    done(&env, &["new", "Long", "--system", "Be brief."]);
    let ids: Vec<String> = (0..30)
        .map(|nth| {
            let who = if nth % 2 == 0 { "human" } else { "model" };
            done(&env, &["add", "--as", who, &format!("Node {nth} says some words about tea and about trees.")])
        })
        .collect();
    let whole = json(&env, &["assemble"]);
    assert_eq!(whole["truncation"]["truncated"], false);
    let all = whole["tokens"]["count"].as_u64().unwrap();

    let cut = json(&env, &["assemble", "--max-tokens", "250"]);
    let truncation = &cut["truncation"];
    assert_eq!((&truncation["truncated"], &truncation["strategy"]), (&json!(true), &json!("truncateMiddle")));
    assert_eq!(truncation["tokens_before"], all);
    assert!(cut["tokens"]["count"].as_u64().unwrap() <= 250);
    assert_eq!(cut["messages"][0]["content"], "Be brief.");
    let text = cut["messages"].to_string();
    let removed = truncation["removed"].as_array().unwrap().len();
    assert!(text.contains("Node 0 ") && text.contains("Node 29 ") && text.contains("Node 26 "), "{text}");
    assert!(text.contains(&format!("[… {removed} nodes left out here …]")), "{text}");
    assert_eq!(cut["left_out"].as_array().unwrap().len(), removed);

    let rolling = json(&env, &["assemble", "--max-tokens", "250", "--strategy", "rollingWindow"]);
    let text = rolling["messages"].to_string();
    assert!(!text.contains("Node 0 ") && text.contains("Node 29 ") && !text.contains("left out"), "{text}");

    let stop = loom(&env, &["assemble", "--max-tokens", "250", "--strategy", "stopAtLimit"]);
    assert_eq!(stop.code, Some(3));
    assert!(stop.stdout.is_empty());
    assert!(stop.stderr.contains(&all.to_string()) && stop.stderr.contains("250"), "{}", stop.stderr);
    assert!(ids.iter().any(|id| stop.stderr.contains(id)), "{}", stop.stderr);
    // What a tree sets holds for it; a flag beats it.
    done(&env, &["set", "--strategy", "stopAtLimit"]);
    assert_eq!(loom(&env, &["assemble", "--max-tokens", "250"]).code, Some(3));
    assert_eq!(loom(&env, &["assemble", "--max-tokens", "250", "--strategy", "rollingWindow"]).code, Some(0));
    // The system context alone does not fit.
    let none = loom(&env, &["assemble", "--max-tokens", "5", "--strategy", "truncateMiddle"]);
    assert_eq!(none.code, Some(3), "{}", none.all());
    // The settings of the project hold where nobody else says anything.
    env.write("contexture.toml", "[budget]\nmax_tokens = 250\ntruncation_strategy = \"rollingWindow\"\n");
    done(&env, &["new", "Other"]);
    done(&env, &["add", "hello"]);
    let report = json(&env, &["assemble"]);
    assert_eq!(report["truncation"]["strategy"], "rollingWindow");
    assert_eq!(
        (&report["tokens"]["budget"], &report["tokens"]["budget_from"]),
        (&json!(250), &json!("[budget] max_tokens"))
    );
    // A model that is named beats them, and a number beats the model.
    assert!(json(&env, &["assemble", "--model", "gpt-5"])["tokens"]["budget"].as_u64().unwrap() > 100_000);
    assert_eq!(json(&env, &["assemble", "--model", "gpt-5", "--max-tokens", "99"])["tokens"]["budget"], 99);
}

#[test]
fn a_buffer_is_its_bytes() {
    let env = env();
    done(&env, &["new", "Novel", "--mode", "buffer", "--system", "You write."]);
    for (who, text) in [("human", "It was a dark  "), ("model", "\tand stormy night;\n\n"), ("human", "  \n")] {
        let ran = env.run_with_stdin(&["loom", "add", "-", "--as", who], text.as_bytes());
        assert_eq!(ran.code, Some(0), "{}", ran.all());
    }
    let text = "It was a dark  \tand stormy night;\n\n  \n";
    assert_eq!(loom(&env, &["assemble", "-q"]).stdout, text);
    assert_eq!(loom(&env, &["assemble", "-q", "--working", "so "]).stdout, format!("{text}so "));
    assert_eq!(json(&env, &["assemble"])["text"], text);
    let request: Value = serde_json::from_str(&loom(&env, &["assemble", "-q", "--format", "openai"]).stdout).unwrap();
    assert_eq!(request["prompt"], text);
    assert_eq!(loom(&env, &["assemble", "--format", "anthropic"]).code, Some(2));
    // An instruction is system context: it stands before a buffer only when that does.
    let told = done(&env, &["add", "--stay", "In rhyme."]);
    done(&env, &["add", "--instruction", &told, "!"]);
    assert_eq!(loom(&env, &["assemble", "-q"]).stdout, format!("{text}!"));
    assert_eq!(json(&env, &["assemble"])["left_out"][0]["path"], told);
    done(&env, &["set", "--buffer-system", "true"]);
    assert_eq!(loom(&env, &["assemble", "-q"]).stdout, format!("You write.\n\nIn rhyme.\n\n{text}!"));
}

#[test]
fn an_edit_in_a_buffer_is_a_version() {
    let env = env();
    done(&env, &["new", "Versions", "--mode", "buffer"]);
    done(&env, &["add", "one "]);
    let two = done(&env, &["add", "two "]);
    done(&env, &["add", "three"]);
    done(&env, &["edit", &two, "2 "]);
    assert_eq!(loom(&env, &["assemble", "-q"]).stdout, "one 2 three");
    done(&env, &["path", "--choose", &two]);
    assert_eq!(loom(&env, &["assemble", "-q"]).stdout, "one two three");
}

/// A tree whose last node continues two others by two edges.
fn ambiguous(env: &TestEnv) -> Vec<String> {
    done(env, &["new", "Two ways"]);
    let root = done(env, &["add", "root"]);
    let left = done(env, &["add", "--parent", &root, "left"]);
    let right = done(env, &["add", "--parent", &root, "right"]);
    let end = done(env, &["add", "--parent", &left, "end"]);
    env.write("two.json", loom(env, &["export"]).stdout);
    let tree: Value = serde_json::from_str(&env.read("two.json")).unwrap();
    let id = |local: &str| {
        let nodes = tree["nodes"].as_array().unwrap();
        nodes.iter().find(|node| node["local"] == local).unwrap()["id"].as_str().unwrap().to_owned()
    };
    let mut more = tree.clone();
    let mut edge = tree["edges"].as_array().unwrap().last().unwrap().clone();
    edge["id"] = json!("0123456789abcdefghjkmnpqrs");
    edge["sources"] = json!([{"node": id(&right), "role": "primary"}]);
    more["edges"].as_array_mut().unwrap().push(edge);
    env.write("two.json", more.to_string());
    vec![left, right, end]
}

#[test]
fn several_ways_are_an_error_that_lists_them() {
    let env = env();
    let ids = ambiguous(&env);
    let other = env.root().join("other.db").display().to_string();
    let at = |args: &[&str]| loom(&env, &[args, &["--store", &other]].concat());
    assert_eq!(at(&["import", "two.json"]).code, Some(0), "{}", at(&["import", "two.json"]).all());
    let ran = at(&["assemble"]);
    assert_eq!(ran.code, Some(6), "{}", ran.all());
    assert!(ran.stderr.contains(&ids[0]) && ran.stderr.contains(&ids[1]), "{}", ran.stderr);
    assert!(at(&["assemble", "--choose", &ids[1], "-q"]).stdout.contains("right"));
    assert_eq!(at(&["path", "--choose", &ids[0]]).code, Some(0));
    assert!(at(&["assemble", "-q"]).stdout.contains("left"));
    assert_eq!(at(&["verify"]).code, Some(0));
}

#[test]
fn a_tree_comes_back_as_it_was() {
    let env = env();
    let ids = tea(&env);
    done(&env, &["exclude", &ids[3]]);
    done(&env, &["pin", &ids[2]]);
    done(&env, &["stash", "plan", "drink less"]);
    let first = loom(&env, &["export"]).stdout;
    env.write("tea.json", &first);
    let other = env.root().join("other.db").display().to_string();
    let at = |args: &[&str]| loom(&env, &[args, &["--store", &other]].concat());
    let ran = at(&["import", "tea.json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    assert_eq!(at(&["export"]).stdout, first);
    // Not twice, but as a copy.
    let twice = at(&["import", "tea.json"]);
    assert_eq!(twice.code, Some(6), "{}", twice.all());
    assert!(twice.stderr.contains("--copy"), "{}", twice.stderr);
    assert_eq!(at(&["import", "tea.json", "--copy"]).code, Some(0));
    assert_eq!(at(&["list", "--json"]).json()["trees"].as_array().unwrap().len(), 2);
    for format in ["pyloom", "loomsidian", "pi", "chatgpt", "loom-engine"] {
        let file = format!("{format}.out");
        assert_eq!(at(&["export", "--format", format, "-o", &file]).code, Some(0), "{format}");
        let ran = at(&["import", &file]);
        assert_eq!(ran.code, Some(0), "{format}: {}", ran.all());
        assert!(ran.stderr.contains(format), "{}", ran.stderr);
    }
}

#[test]
fn what_is_no_tree_is_refused_and_nothing_is_written() {
    let env = env();
    tea(&env);
    let whole: Value = serde_json::from_str(&loom(&env, &["export"]).stdout).unwrap();
    let other = env.root().join("other.db").display().to_string();
    let at = |args: &[&str]| loom(&env, &[args, &["--store", &other]].concat());
    let change = |what: &str, change: &dyn Fn(&mut Value)| {
        let mut broken = whole.clone();
        change(&mut broken);
        // One record a line, as an export has it.
        let text = serde_json::to_string_pretty(&broken).unwrap();
        env.write("broken.json", text);
        let ran = at(&["import", "broken.json"]);
        assert!(matches!(ran.code, Some(1 | 2 | 6)), "{what}: {}", ran.all());
        assert!(ran.stderr.contains("hint:"), "{what}: {}", ran.stderr);
        assert_eq!(at(&["list", "--json"]).json()["trees"].as_array().unwrap().len(), 0, "{what}");
        ran.stderr
    };
    let missing = change("missing parent", &|tree| tree["edges"][0]["sources"][0]["node"] = json!("nobody"));
    assert!(missing.contains("line") && missing.contains("nobody"), "{missing}");
    change("dangling target", &|tree| tree["edges"][0]["target"] = json!("nobody"));
    change("duplicate id", &|tree| {
        let node = tree["nodes"][1].clone();
        tree["nodes"].as_array_mut().unwrap().push(node);
    });
    change("second root", &|tree| drop(tree["edges"].as_array_mut().unwrap().pop()));
    let circle = change("cycle", &|tree| {
        let (root, last) = (tree["nodes"][0]["id"].clone(), tree["nodes"][4]["id"].clone());
        let mut edge = tree["edges"][0].clone();
        edge["id"] = json!("0123456789abcdefghjkmnpqrs");
        edge["target"] = root;
        edge["sources"] = json!([{"node": last, "role": "primary"}]);
        tree["edges"].as_array_mut().unwrap().push(edge);
    });
    assert!(circle.contains("cycle"), "{circle}");
    let role = change("wrong role", &|tree| tree["edges"][0]["sources"][0]["role"] = json!("chief"));
    assert!(role.contains("chief") && role.contains("line"), "{role}");
    change("wrong author type", &|tree| tree["nodes"][0]["author_type"] = json!("ghost"));
    change("changed text", &|tree| tree["nodes"][0]["content"]["text"] = json!("another"));
    env.write("broken.json", "{\"contexture_loom\": 1,\n\"tree\": ");
    assert_eq!(at(&["import", "broken.json"]).code, Some(1));
    assert_eq!(at(&["import", "nowhere.json"]).code, Some(1));
}

#[test]
fn wrong_words_get_a_hint() {
    let env = env();
    let ran = loom(&env, &["add", "hello"]);
    assert_eq!(ran.code, Some(2));
    assert!(ran.stderr.contains("contexture loom new"), "{}", ran.stderr);
    let ids = tea(&env);
    for args in [
        vec!["show", "zzzzzz"],
        vec!["add", "--parent", "zzzzzz", "text"],
        vec!["assemble", "--path", "nowhere"],
        vec!["assemble", "--agent", "nobody"],
        vec!["assemble", "--tree", "nothing"],
        vec!["assemble", "--format", "text"],
        vec!["agent", "Ada", "--allow", "everything"],
        vec!["stash", "nothing", "--recall"],
        vec!["add", ""],
        vec!["new", " "],
    ] {
        let ran = loom(&env, &args);
        assert_eq!(ran.code, Some(2), "{args:?}: {}", ran.all());
        assert!(ran.stderr.contains("hint:"), "{args:?}: {}", ran.stderr);
    }
    // Below what is pruned nothing grows, and what went with another comes back with it.
    done(&env, &["prune", &ids[2]]);
    for args in [vec!["add", "--parent", &ids[4], "text"], vec!["restore", &ids[4]]] {
        let ran = loom(&env, &args);
        assert_eq!(ran.code, Some(6), "{args:?}: {}", ran.all());
        assert!(ran.stderr.contains(&ids[2]), "{}", ran.stderr);
    }
    env.write("contexture.toml", "[store]\nurl = \"sqlite:../elsewhere.db\"\n");
    let ran = loom(&env, &["list"]);
    assert_eq!(ran.code, Some(2), "{}", ran.all());
    env.write("contexture.toml", "[store]\nurl = \"sqlite:trees.db\"\n");
    done(&env, &["new", "Inside"]);
    assert!(env.root().join("trees.db").exists());
}

#[test]
fn damage_is_found_and_what_can_be_read_is_saved() {
    let env = env();
    done(&env, &["new", "Tea", "--store", "trees.db"]);
    for nth in 0..200 {
        done(&env, &["add", &format!("node {nth} {}", "words ".repeat(30)), "--store", "trees.db"]);
    }
    assert_eq!(loom(&env, &["verify", "--store", "trees.db"]).code, Some(0));
    let file = env.root().join("trees.db");
    let mut bytes = std::fs::read(&file).unwrap();
    let at = bytes.windows(8).position(|window| window == b"node 150").expect("a text");
    bytes[at + 5] = b'9';
    std::fs::write(&file, &bytes).unwrap();
    let ran = loom(&env, &["verify", "--store", "trees.db"]);
    assert_eq!(ran.code, Some(8), "{}", ran.all());
    assert_eq!(loom(&env, &["verify", "--store", "trees.db", "--json"]).json()["ok"], false);
    let ran = loom(&env, &["verify", "--repair", "--store", "trees.db", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.all());
    let report = ran.json();
    assert!(report["nodes"].as_u64().unwrap() >= 199, "{report}");
    assert!(!report["lost"].as_array().unwrap().is_empty(), "{report}");
    assert_eq!(loom(&env, &["verify", "--store", "trees.db"]).code, Some(0));
    let aside = std::fs::read_dir(env.root()).unwrap().flatten();
    assert!(aside.into_iter().any(|entry| std::fs::read(entry.path()).is_ok_and(|copy| copy == bytes)));
}

#[test]
fn paths_are_used_forked_and_listed() {
    let env = env();
    let ids = tea(&env);
    assert_snapshot!(
        named(&loom(&env, &["path", "--list"]).stdout, &ids.iter().map(String::as_str).collect::<Vec<_>>()),
        @r"
      main  ends at N003
    * why  ends at N005
    "
    );
    assert_eq!(loom(&env, &["path", "--name", "main", "--use"]).code, Some(0));
    assert!(loom(&env, &["assemble", "-q"]).stdout.contains("And coffee?"));
    // Twice the same node: another name.
    done(&env, &["fork", &ids[1]]);
    done(&env, &["fork", &ids[1]]);
    let names = json(&env, &["path", "--list"])["paths"].to_string();
    assert!(names.contains(&format!("\"{}-2\"", ids[1])), "{names}");
    assert_eq!(loom(&env, &["fork", &ids[1], "--name", "main"]).code, Some(6));
}

#[test]
fn a_side_branch_is_drawn_as_a_chain() {
    let env = env();
    done(&env, &["new", "Branches"]);
    let root = done(&env, &["add", "root"]);
    let b1 = done(&env, &["add", "--parent", &root, "--stay", "b1"]);
    let b2 = done(&env, &["add", "--parent", &b1, "--stay", "b2"]);
    let b3 = done(&env, &["add", "--parent", &b2, "--stay", "b3"]);
    let b4 = done(&env, &["add", "--parent", &b2, "--stay", "b4"]);
    let c1 = done(&env, &["add", "--parent", &root, "--stay", "c1"]);
    let end = done(&env, &["add", "end"]);
    let ids = [root, b1, b2, b3, b4, c1, end];
    let ids: Vec<&str> = ids.iter().map(String::as_str).collect();
    let picture = named(&loom(&env, &["show"]).stdout, &ids);
    assert_snapshot!(picture.split_once('\n').unwrap().1, @r"
    ● N000 human  root  1 t  3 branches
    ├─○ N001 human  b1  2 t
    │ ○ N002 human  b2  2 t  2 branches
    │ ├─○ N003 human  b3  2 t
    │ ├─○ N004 human  b4  2 t
    ├─○ N005 human  c1  2 t
    ● N006 human  end  1 t  ◀
    ");
    // Of versions, the one on the path is drawn on it, and what follows below it.
    done(&env, &["new", "Versions", "--mode", "buffer"]);
    let one = done(&env, &["add", "one "]);
    let two = done(&env, &["add", "two "]);
    let three = done(&env, &["add", "three"]);
    let other = done(&env, &["edit", &two, "2 "]);
    let ids = [one.as_str(), &two, &three, &other];
    assert_snapshot!(named(&loom(&env, &["show"]).stdout, &ids).split_once('\n').unwrap().1, @r"
    ● N000 human  one  2 t  2 branches
    ├─○ N001 human  two  2 t
    ● N003 human  2  2 t  edited
    ● N002 human  three  1 t  several sources · ◀
    ");
    done(&env, &["prune", &other]);
    assert_eq!(loom(&env, &["assemble", "-q"]).stdout, "one two three");
}

#[test]
fn an_edit_changes_the_text_alone() {
    let env = env();
    done(&env, &["new", "Pictures"]);
    let png = b"\x89PNG\r\n\x1a\n\0\0\0\rIHDR\0\0\0\x01\0\0\0\x01\x08\x06\0\0\0";
    env.write("dot.png", png).write("notes.txt", "no picture");
    let node = done(&env, &["add", "- a list item", "--image", "dot.png"]);
    let edited = done(&env, &["edit", &node, "--another"]);
    let request = loom(&env, &["assemble", "-q", "--format", "anthropic"]).stdout;
    assert!(
        request.contains("--another") && request.contains("image/png") && !request.contains("list item"),
        "{request}"
    );
    assert_eq!(loom(&env, &["add", "x", "--image", "notes.txt"]).code, Some(2));
    for args in [vec!["edit", &edited, ""], vec!["annotate", &edited, ""]] {
        assert_eq!(loom(&env, &args).code, Some(2), "{args:?}");
    }
}

#[test]
fn what_stands_outside_is_left_alone() {
    let env = env();
    let outside = env.temp().join("outside");
    std::fs::create_dir_all(&outside).unwrap();
    done(&env, &["new", "Private", "--store", &outside.join("private.db").display().to_string()]);
    #[cfg(unix)]
    {
        std::os::unix::fs::symlink(outside.join("private.db"), env.root().join("link.db")).unwrap();
        std::os::unix::fs::symlink(&outside, env.root().join("folder")).unwrap();
        std::os::unix::fs::symlink(outside.join("new.db"), env.root().join("nowhere.db")).unwrap();
        for url in ["sqlite:link.db", "sqlite:folder/new.db", "sqlite:nowhere.db", "mysql:foo", "sqlite:../x.db"] {
            env.write("contexture.toml", format!("[store]\nurl = \"{url}\"\n"));
            let ran = loom(&env, &["new", "Mine"]);
            assert_eq!(ran.code, Some(2), "{url}: {}", ran.all());
        }
        assert!(!outside.join("new.db").exists());
    }
    env.write("contexture.toml", "");
    tea(&env);
    assert_eq!(loom(&env, &["export", "--format", "loom-engine", "-o", "engine"]).code, Some(0));
    assert_eq!(loom(&env, &["export", "--format", "loom-engine", "-o", "engine"]).code, Some(6));
}

/// A server that gives one answer to each connection, and keeps what it was asked.
fn server(answers: Vec<(u16, String)>) -> (String, std::thread::JoinHandle<Vec<String>>) {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let url = format!("http://{}/v1", listener.local_addr().unwrap());
    let handle = std::thread::spawn(move || {
        let mut asked = Vec::new();
        for (status, body) in answers {
            let (mut stream, _) = listener.accept().unwrap();
            let mut request = Vec::new();
            let mut piece = [0; 4096];
            loop {
                let read = stream.read(&mut piece).unwrap();
                request.extend_from_slice(&piece[..read]);
                let text = String::from_utf8_lossy(&request).to_string();
                let length = text
                    .to_lowercase()
                    .split("content-length: ")
                    .nth(1)
                    .and_then(|rest| rest.split("\r\n").next()?.parse::<usize>().ok());
                let head = text.find("\r\n\r\n").map(|at| at + 4);
                if read == 0 || head.is_some_and(|head| request.len() >= head + length.unwrap_or(0)) {
                    asked.push(text);
                    break;
                }
            }
            let answer = format!(
                "HTTP/1.1 {status} X\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{body}",
                body.len()
            );
            stream.write_all(answer.as_bytes()).unwrap();
        }
        asked
    });
    (url, handle)
}

#[test]
fn answers_are_kept_with_what_the_server_said() {
    let env = env();
    let ids = tea(&env);
    let body = json!({
        "model": "small-2",
        "choices": [{"message": {"role": "assistant", "content": " Yes. "}}, {"message": {"role": "assistant", "content": "No."}}],
        "usage": {"prompt_tokens": 41, "completion_tokens": 3},
    });
    let (url, handle) = server(vec![(200, body.to_string())]);
    let mut command = env.command(&[
        "loom",
        "generate",
        "--base-url",
        &url,
        "--model",
        "small",
        "-n",
        "2",
        "--working",
        "Really?",
        "--json",
    ]);
    let output = command.env("CONTEXTURE_API_KEY", "sk-verysecret123").output().unwrap();
    let report: Value = serde_json::from_slice(&output.stdout).unwrap_or_else(|_| {
        panic!("{} {}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr))
    });
    let asked = handle.join().unwrap();
    assert!(asked[0].starts_with("POST /v1/chat/completions ") && asked[0].contains("Bearer sk-verysecret123"));
    assert!(
        asked[0].contains("Really?") && asked[0].contains("Be brief.") && asked[0].contains("\"n\":2"),
        "{}",
        asked[0]
    );
    assert_eq!(report["usage"]["input_tokens"], 41, "{report}");
    let texts: Vec<&str> =
        report["nodes"].as_array().unwrap().iter().map(|node| node["text"].as_str().unwrap()).collect();
    assert_eq!(texts, [" Yes. ", "No."]);
    let shown = json(&env, &["show", report["nodes"][0]["id"].as_str().unwrap()]);
    assert_eq!(shown["node"]["responses"][0]["body"], body.to_string());
    assert_eq!(shown["node"]["responses"][0]["output_tokens"], 3);
    assert_eq!(shown["node"]["author_name"], "small-2");
    // What was written is a node, and the answers are branches of it.
    let drawn = json(&env, &["show"]);
    let active = drawn["outline"].as_array().unwrap().iter().find(|row| row["active"] == true).unwrap();
    assert_eq!((&active["text"], &active["continuations"]), (&json!("Really?"), &json!(2)));
    // The path that is named goes on; the one in use stays where it is.
    let used = json(&env, &["path"])["leaf"].clone();
    let (url, handle) = server(vec![(400, "{}".into()), (200, body.to_string())]);
    let other = ["loom", "generate", "--base-url", &url, "--model", "small", "--path", "main", "--working", "Milk?"];
    for code in [7, 0] {
        let ran = env.run(&other);
        assert_eq!(ran.code, Some(code), "{}", ran.all());
    }
    let asked = handle.join().unwrap();
    assert_eq!(asked.last().unwrap().matches("Milk?").count(), 1, "{asked:?}");
    assert_eq!(json(&env, &["path"])["leaf"], used);
    let main = json(&env, &["path", "--name", "main"]);
    assert_eq!(main["nodes"].as_array().unwrap().last().unwrap()["text"], "Milk?");
    let drawn = json(&env, &["show"]);
    // A server that refuses: nothing is added, and the key is nowhere.
    let nodes = drawn["nodes"].clone();
    let (url, handle) = server(vec![(401, "{\"error\":{\"message\":\"bad key sk-verysecret123\"}}".into())]);
    let mut command = env.command(&["loom", "generate", &ids[1], "--base-url", &url, "--model", "small"]);
    let output = command.env("CONTEXTURE_API_KEY", "sk-verysecret123").output().unwrap();
    handle.join().unwrap();
    assert_eq!(output.status.code(), Some(7), "{}", String::from_utf8_lossy(&output.stderr));
    let said = String::from_utf8_lossy(&output.stderr).to_string() + &String::from_utf8_lossy(&output.stdout);
    assert!(!said.contains("verysecret") && said.contains("hint:"), "{said}");
    assert_eq!(json(&env, &["show"])["nodes"], nodes);
}

#[test]
fn an_agent_that_knows_of_the_tree_is_told() {
    let env = env();
    let ids = tea(&env);
    done(&env, &["agent", "Ada", "--kind", "model", "--system", "You are Ada.", "--allow", "loom_aware,loom_write"]);
    done(&env, &["pin", &ids[1]]);
    done(&env, &["stash", "plan", "drink less"]);
    done(&env, &["stash", "law", "no tea after six"]);
    done(&env, &["stash", "law", "--recall"]);
    let report = json(&env, &["assemble", "--agent", "Ada"]);
    let messages = report["messages"].as_array().unwrap();
    let text = |nth: usize| messages[nth]["content"].as_str().unwrap();
    assert!(text(0).starts_with("You are Ada.\n\nBe brief.\n\nYou work in a loom"), "{}", text(0));
    let label = text(1).lines().next().unwrap();
    assert!(label.starts_with(&format!("[{}] human · 20", ids[1])), "{label}");
    assert!(text(1).contains("bookmarked: start\n---\nWhich tea"), "{}", text(1));
    assert!(text(2).contains("2 continuations · 1 annotation\n---\n"), "{}", text(2));
    let last = text(messages.len() - 1);
    assert!(last.contains("Pinned:") && last.contains("no tea after six") && last.contains("Stashed: plan"), "{last}");
    assert!(!last.contains("drink less"));
    let at = |what: &str| last.find(what).unwrap_or_else(|| panic!("{what} in {last}"));
    assert!(at("=== Operational Memory ===") < at("=== Loom Context ==="));
    assert!(last.trim_end().ends_with("===") && last.contains("Permissions: loom_aware, loom_write"), "{last}");
    // One without the permission is not.
    done(&env, &["agent", "Ben", "--kind", "model"]);
    assert_eq!(loom(&env, &["assemble", "--agent", "Ben", "--loom-aware"]).code, Some(2));
    assert!(!loom(&env, &["assemble", "--agent", "Ben"]).stdout.contains("Loom Context"));
    // What stood there before stays as it is when the conversation goes on.
    let before = loom(&env, &["assemble", "--agent", "Ada", "-q"]).stdout;
    let end = before.find("=== Operational Memory").unwrap();
    done(&env, &["add", "Good."]);
    let after = loom(&env, &["assemble", "--agent", "Ada", "-q"]).stdout;
    let same = before.bytes().zip(after.bytes()).take_while(|(a, b)| a == b).count();
    assert!(same + 40 >= end, "{same} of {end}");
}
