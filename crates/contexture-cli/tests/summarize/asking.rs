//! What is asked for, what is kept, what it costs, and what is found again.

use crate::{KEY, describe, env, folder, kept, last, path_of, provider, run, run_as};
use contexture_testkit::{Provider, Reply, TestEnv};
use insta::assert_snapshot;

fn paths(provider: &Provider) -> Vec<String> {
    let mut paths: Vec<String> = provider.heard().iter().map(path_of).collect();
    paths.sort();
    paths
}

#[test]
fn what_is_missing_is_asked_for_once_and_shown() {
    let (env, provider) = (env(), provider());
    let before = env.run(&["build", "-o", "-", "--strategy", "summarize"]).stdout;
    let ran = run(&env, &provider, &[]);
    assert_snapshot!(ran.all(), @"
    exit 0
    --- stdout
    a.md
    c.rs
    conf.toml
    --- stderr
    3 summaries by anthropic/claude-haiku-5-5 at tier 2: 3,000 tokens in, 300 out, $0.00045; 3 not summarised
    ");
    assert_eq!(paths(&provider), ["a.md", "c.rs", "conf.toml"]);
    let first = &provider.heard()[0];
    assert!(first.head.starts_with("POST /v1/messages HTTP/1.1\r\n"), "{}", first.head);
    assert_eq!(first.header("x-api-key"), Some(KEY));
    assert_eq!(first.json()["model"], "claude-haiku-5-5");
    let entries = kept(&env);
    assert_eq!(entries.len(), 3);
    assert_eq!(entries[0].file_path, "project:a.md");
    assert_eq!(entries[0].summary, "Says what `a.md` holds, in a sentence of its own.");
    assert_eq!((entries[0].input_tokens, entries[0].output_tokens), (Some(1000), Some(100)));
    assert_eq!((entries[0].generator_tier, entries[0].view.as_str()), (2, "summary"));
    assert_eq!(entries[0].generator.to_string(), "anthropic/claude-haiku-5-5");
    // The outline of code is kept with it.
    assert_eq!((entries[0].outline.is_empty(), entries[1].outline.contains("one(start: u32) -> u32")), (true, true));
    let ran = run(&env, &provider, &[]);
    assert_snapshot!(ran.all(), @"
    exit 0
    --- stdout
    --- stderr
    0 summaries by anthropic/claude-haiku-5-5 at tier 2; 3 there already; 3 not summarised
    ");
    assert_eq!(provider.heard().len(), 3);
    // The document has them, warm, cold and without any cache.
    let build = |more: &[&str]| {
        let ran = env.run(&[&["build", "-o", "-", "--strategy", "summarize"], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        ran.stdout
    };
    let warm = build(&[]);
    assert!(warm.contains("Says what `a.md` holds") && warm.contains("Says what `conf.toml` holds"));
    assert_eq!(build(&["--no-cache"]), warm);
    std::fs::remove_file(folder(&env).join("cache.sqlite")).unwrap();
    assert_eq!(build(&[]), warm);
    assert_eq!(build(&["--no-written"]), before);
}

#[test]
fn each_input_of_the_key_alone_misses() {
    let (env, provider) = (env(), provider());
    let asked = |more: &[&str]| {
        let before = provider.heard().len();
        let ran = run(&env, &provider, &[&["a.md"], more].concat());
        assert_eq!(ran.code, Some(0), "{}", ran.stderr);
        provider.heard().len() - before
    };
    assert_eq!(asked(&[]), 1);
    assert_eq!(asked(&[]), 0);
    assert_eq!(asked(&["--tier", "1"]), 1);
    assert_eq!(asked(&["--tier", "3"]), 1);
    assert_eq!(asked(&["--tier", "4"]), 1);
    assert_eq!(asked(&["--again"]), 1);
    env.write("a.md", format!("{} ", env.read("a.md")));
    assert_eq!(asked(&[]), 1);
    assert_eq!(asked(&["--tier", "2"]), 0);
    // The wishes of a persona for its model.
    env.write(
        "contexture.toml",
        "[personas.warm]\npreferred_models = [{ provider = \"anthropic\", model = \"claude-haiku-5-5\", temperature = 0.5 }]\n",
    );
    assert_eq!(asked(&["--persona", "warm"]), 1);
    assert_eq!(asked(&["--persona", "warm"]), 0);
    // The same bytes under another name of the same kind are the same; of another kind they are asked about in other words.
    let text = env.read("a.md");
    let one = |path: &str| {
        env.write(path, &text);
        let before = provider.heard().len();
        assert_eq!(run(&env, &provider, &[path]).code, Some(0));
        provider.heard().len() - before
    };
    assert_eq!((one("b.md"), one("b.csv")), (0, 1));
    let other = run_as(
        &env,
        &["summarize", "a.md", "--provider", "anthropic", "--model", "claude-opus-5", "--base-url", &provider.url],
    );
    assert_eq!(other.code, Some(0), "{}", other.stderr);
    assert_eq!(kept(&env).iter().filter(|entry| entry.generator.model == "claude-opus-5").count(), 1);
    assert_eq!(kept(&env).len(), 8);
}

#[test]
fn tiers_ask_for_more_or_less_and_documents_show_their_own() {
    let env = env();
    let provider = Provider::start(|heard, _| {
        let system = heard.json()["system"].to_string();
        let tier =
            ["detailed", "key details only", "one short paragraph"].iter().position(|word| system.contains(word));
        Reply::anthropic(&format!("Of tier {}, about it.", tier.unwrap() + 1))
    });
    for tier in ["1", "2", "3"] {
        assert_eq!(run(&env, &provider, &["a.md", "--tier", tier]).code, Some(0));
    }
    let words = |nth: usize| {
        let system = provider.heard()[nth].json()["system"].to_string();
        system.split("at most ").last().unwrap().split(' ').next().unwrap().parse::<u64>().unwrap()
    };
    assert_eq!([words(0), words(1), words(2)], [60, 60, 60]);
    let shown = |tier: &str| env.run(&["build", "a.md", "-o", "-", "--strategy", "summarize", "--tier", tier]).stdout;
    assert!(shown("1").contains("Of tier 1") && shown("2").contains("Of tier 2") && shown("3").contains("Of tier 3"));
    assert!(shown("4").contains("Of tier 3"));
    env.write("long.md", env.read("a.md").repeat(20));
    for tier in ["1", "2", "3"] {
        assert_eq!(run(&env, &provider, &["long.md", "--tier", tier]).code, Some(0));
    }
    assert_eq!([words(3), words(4), words(5)], [300, 150, 60]);
}

#[test]
fn the_persona_says_who_is_asked() {
    let env = env();
    let provider = Provider::start(|heard, _| Reply::openai(&describe(heard)));
    env.write(
        "contexture.toml",
        "[project]\npersona = \"p\"\n[personas.p]\ntier = 1\npreferred_models = [{ provider = \"openai\", model = \"some-model\" }]\n",
    );
    let ran = run_as(&env, &["summarize", "a.md", "--base-url", &provider.url, "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let heard = &provider.heard()[0];
    assert!(heard.head.starts_with("POST /v1/chat/completions HTTP/1.1\r\n"), "{}", heard.head);
    assert_eq!(heard.header("authorization"), Some(format!("Bearer {KEY}").as_str()));
    let last = last(&ran);
    assert_eq!((&last["provider"], &last["model"], &last["tier"]), (&"openai".into(), &"some-model".into(), &1.into()));
    assert_eq!((&last["cost"], &last["usage"]["input"]), (&serde_json::Value::Null, &1000.into()));
    assert_eq!(kept(&env)[0].generator.to_string(), "openai/some-model");
    // Nobody is named.
    let nobody = TestEnv::new(env!("CARGO_BIN_EXE_contexture"));
    assert_snapshot!(nobody.run(&["summarize"]).all(), @"
    exit 2
    --- stdout
    --- stderr
    error: nobody is named to be asked
    hint: `--provider anthropic --model NAME`, or a persona with `preferred_models`
    ");
}

#[test]
fn a_dry_run_sends_nothing() {
    let (env, provider) = (env(), provider());
    let ran = run(&env, &provider, &["--dry-run"]);
    assert_snapshot!(ran.all(), @"
    exit 0
    --- stdout
          641  text     $0.00010  a.md
        1,020  code     $0.00013  c.rs
          562  config   $0.00007  conf.toml
    --- stderr
    3 summaries to ask anthropic claude-haiku-5-5 for at tier 2: estimated 2,223 tokens in, 176 out, about $0.00031; 0 there already, 3 not summarised
    ");
    let json: serde_json::Value = serde_json::from_str(&run(&env, &provider, &["--dry-run", "--json"]).stdout).unwrap();
    assert_eq!(json["tokens"]["exact"], false);
    assert_eq!(json["files"][1]["kind"], "code");
    let skipped: Vec<String> =
        json["skipped"].as_array().unwrap().iter().map(|skipped| format!("{skipped}\n")).collect();
    assert_snapshot!(skipped.concat(), @r#"
    {"path":"Cargo.lock","reason":"lock file"}
    {"path":"pixel.bin","reason":"binary: unknown type"}
    {"path":"tiny.md","reason":"smaller than 320 bytes: its summary would say nothing"}
    "#);
    let sum: f64 = json["files"].as_array().unwrap().iter().map(|file| file["cost"].as_f64().unwrap()).sum();
    assert!((json["cost"].as_f64().unwrap() - sum).abs() < 1e-12 && sum > 0.0);
    assert_eq!((provider.heard().len(), kept(&env).len()), (0, 0));
    assert!(!folder(&env).join("summaries.sqlite").exists());
}

#[test]
fn a_limit_of_cost_holds() {
    let (env, provider) = (env(), provider());
    for at in 0..30 {
        env.write(&format!("many/{at:02}.md"), format!("{at} {}", env.read("a.md")));
    }
    // A thousand tokens in and a hundred out, as the server counts, cost 0.2 cents here; an answer may cost 4.2 cents.
    let prices = ["many", "--price-in", "1", "--price-out", "10", "--json"];
    let ran = run(&env, &provider, &[&prices[..], &["--max-cost", "0.06"]].concat());
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    let end = last(&ran);
    let (done, left) = (end["done"].as_array().unwrap().len(), end["left"].as_array().unwrap().len());
    assert_eq!((done + left, kept(&env).len(), provider.heard().len()), (30, done, done));
    assert!(end["cost"].as_f64().unwrap() <= 0.06 && done > 4 && left > 4, "{done} {left} {}", end["cost"]);
    assert_eq!(end["stopped"]["by"], "max_cost");
    assert!(end["notes"].to_string().contains("stopped before `--max-cost 0.06` could be passed"), "{}", end["notes"]);
    // The next run goes on.
    let ran = run(&env, &provider, &prices);
    assert_eq!((last(&ran)["done"].as_array().unwrap().len(), kept(&env).len()), (left, 30));
    // Without money nothing is asked.
    let ran = run(&env, &provider, &["--max-cost", "0", "--again"]);
    assert_eq!((ran.code, provider.heard().len()), (Some(0), 30));
    assert!(ran.stderr.contains("hint: the next one may cost up to 0.0"), "{}", ran.stderr);
    let unknown = ["summarize", "--provider", "openai", "--model", "m", "--max-cost", "1"];
    assert_snapshot!(env.run(&unknown).all(), @"
    exit 2
    --- stdout
    --- stderr
    error: the price of `m` is not known, so `--max-cost` cannot hold
    hint: `--price-in X --price-out X` give it, in US dollars for a million tokens
    ");
}

#[test]
fn what_is_no_answer_is_paid_for() {
    let env = env();
    for at in 0..30 {
        env.write(&format!("many/{at:02}.md"), format!("{at} {}", env.read("a.md")));
    }
    // Refused, empty, and broken off, of which nobody says what it cost.
    for nth in 0..3 {
        let provider = Provider::start(move |_, _| match nth {
            0 => Reply::anthropic_stopped("I will not.", "refusal"),
            1 => Reply::anthropic(""),
            _ => Reply::anthropic("A text.").cut(),
        });
        let prices = ["many", "--price-in", "1", "--price-out", "10", "--json", "--max-cost", "0.06"];
        let end = last(&run(&env, &provider, &prices));
        let (cost, heard) = (end["cost"].as_f64().unwrap(), provider.heard().len());
        if nth < 2 {
            assert_eq!(
                (end["stopped"]["by"].as_str(), end["usage"]["input"].as_u64()),
                (Some("max_cost"), Some(1_000 * heard as u64))
            );
            assert!((cost - 0.002 * heard as f64).abs() < 1e-9 && heard < 30, "{cost} {heard}");
        }
        assert!(cost > 0.0, "{end}");
    }
}

/// An error in place of an answer, with success: each attempt counts, and none is begun that could cost too much.
#[test]
fn attempts_that_are_repeated_are_paid_for() {
    let env = env();
    let failed = r#"{"type":"error","error":{"type":"api_error","message":"m"}}"#;
    let provider = Provider::start(move |_, _| Reply::new(200, failed).header("retry-after-ms: 1"));
    let prices = ["a.md", "--jobs", "1", "--price-in", "1000", "--price-out", "10", "--json"];
    let all = last(&run(&env, &provider, &prices));
    let (cost, heard) = (all["cost"].as_f64().unwrap(), provider.heard().len());
    assert!(heard > 2, "{heard}");
    let told = run(&env, &provider, &prices[..prices.len() - 1]).stderr;
    assert!(told.contains("0 summaries by anthropic/") && told.contains(": $"), "{told}");
    let provider = Provider::start(move |_, _| Reply::new(200, failed).header("retry-after-ms: 1"));
    let most = (cost * 0.9).to_string();
    let end = last(&run(&env, &provider, &[&prices[..], &["--max-cost", &most]].concat()));
    let asked = provider.heard().len();
    assert!(asked < heard && end["cost"].as_f64().unwrap() <= cost * 0.9, "{asked} {heard} {end}");
    assert_eq!(end["stopped"]["by"], "max_cost");
}

#[test]
fn events_are_lines_of_json() {
    let (env, provider) = (env(), provider());
    let ran = run(&env, &provider, &["--json", "--jobs", "1", "a.md", "c.rs"]);
    let lines: Vec<serde_json::Value> = ran.stdout.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    let told: Vec<String> =
        lines.iter().map(|line| format!("{} {} {}", line["v"], line["event"], line["path"])).collect();
    assert_snapshot!(told.join("\n"), @r#"
    1 "begin" null
    1 "done" "a.md"
    1 "done" "c.rs"
    1 "end" null
    "#);
    assert!(lines[2]["cost_so_far"].as_f64() > lines[1]["cost_so_far"].as_f64());
}
