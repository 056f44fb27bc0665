//! What the policies do, who sets them, and what is said about it.

use super::{Canary, env};
use contexture_testkit::TestEnv;

fn with_key(key: &str) -> TestEnv {
    let env = env();
    env.write("a.py", format!("x = 1\ntoken = '{key}'\n")).write("b.py", "y = 2\n");
    env
}

#[test]
fn deny_writes_nothing_and_lists_everything() {
    let canary = Canary::fresh();
    let env = with_key(&canary.0);
    let ran = env.run(&["build", "--secrets", "deny"]);
    assert_eq!(ran.code, Some(4), "{}", ran.all());
    canary.stayed(&ran, "deny");
    let told = format!("a.py:2: github-pat, fingerprint {}", canary.fingerprint());
    assert!(ran.stderr.contains(&told) && ran.stderr.contains("safety] allow"), "{}", ran.stderr);
    assert!(!env.root().join(".contexture").exists());
    let json = env.run(&["build", "--secrets", "deny", "-o", "-", "--json"]);
    assert_eq!((json.code, json.json()["error"]["code"].clone()), (Some(4), 4.into()));
    assert_eq!(json.json()["error"]["safety"]["secrets"][0]["fingerprint"], canary.fingerprint().as_str());
    for words in [
        &["show", "a.py"][..],
        &["agent", "-m", &canary.0],
        &["send", "--provider", "openai", "--model", "m", "--message", "x", "--dry-run"],
    ] {
        let ran = env.run(&[words, &["--secrets", "deny"]].concat());
        assert_eq!(ran.code, Some(4), "{words:?}: {}", ran.all());
        canary.stayed(&ran, words[0]);
    }
    // What only asks is answered.
    env.write("contexture.toml", "[safety]\nsecrets = \"deny\"\n");
    assert_eq!(env.run(&["why", "a.py"]).code, Some(0));
    assert_eq!(env.run(&["tokens"]).code, Some(0));
}

#[test]
fn warn_and_off_show_and_a_project_that_says_so_is_told_of() {
    let canary = Canary::fresh();
    let env = with_key(&canary.0);
    let warned = env.run(&["build", "-o", "-", "--secrets", "warn"]);
    assert!(warned.stdout.contains(&canary.0) && warned.stderr.contains("github-pat on line 2"), "{}", warned.all());
    assert!(!warned.stderr.contains(&canary.0), "{}", warned.stderr);
    let off = env.run(&["build", "-o", "-", "--secrets", "off"]);
    assert!(off.stdout.contains(&canary.0) && !off.stderr.contains("github-pat"), "{}", off.all());
    for (policy, told) in [("warn", "lets secrets be shown"), ("off", "has nobody look for secrets")] {
        env.write("contexture.toml", format!("[safety]\nsecrets = \"{policy}\"\n"));
        let ran = env.run(&["build", "-o", "-", "a.py"]);
        assert!(ran.stdout.contains(&canary.0) && ran.stderr.contains(told), "{}", ran.all());
        canary.stayed(&env.run(&["build", "-o", "-", "a.py", "--secrets", "redact"]), policy);
    }
    let allow = format!("[safety]\nallow = [\"{}\"]\n", canary.fingerprint());
    env.write("contexture.toml", &allow);
    let ran = env.run(&["build", "-o", "-", "a.py"]);
    assert!(ran.stdout.contains(&canary.0) && ran.stderr.contains("lets a secret through"), "{}", ran.all());
    env.write("contexture.toml", "[safety]\nallow = [\"no fingerprint\"]\n");
    let ran = env.run(&["build", "-o", "-", "a.py"]);
    canary.stayed(&ran, "allow");
    assert!(ran.stderr.contains("is no fingerprint"), "{}", ran.stderr);
}

#[test]
fn warm_cold_and_no_cache_give_the_same_bytes_and_reports() {
    let canary = Canary::fresh();
    let env = with_key(&canary.0);
    env.write("c.md", "text with \u{202e} in it\n");
    let words = ["build", "-o", "-", "--json", "--no-manifest"];
    let cold = env.run(&words);
    let warm = env.run(&words);
    let none = env.run(&[&words[..], &["--no-cache"]].concat());
    assert_eq!((&cold.stdout, &warm.stdout), (&warm.stdout, &none.stdout));
    assert_eq!(cold.json()["safety"]["secrets"].as_array().unwrap().len(), 1);
    assert_eq!(cold.json()["safety"]["hidden"][0]["code_points"][0], "U+202E");
}

#[test]
fn hidden_text_is_told_stripped_written_out_or_denied() {
    let env = env();
    env.write("a.md", "safe\nnot \u{202e}safe\u{200b}\n");
    let with = |policy: &str| {
        env.write("contexture.toml", format!("[safety]\nhidden_text = \"{policy}\"\n"));
        env.run(&["build", "a.md", "-o", "-"])
    };
    let warned = with("warn");
    assert!(warned.stdout.contains("not \u{202e}safe") && warned.stderr.contains("U+200B, U+202E"), "{}", warned.all());
    assert!(with("strip").stdout.contains("not safe\n"));
    assert!(with("escape").stdout.contains("not <U+202E>safe<U+200B>\n"));
    let denied = with("deny");
    assert_eq!(denied.code, Some(4), "{}", denied.all());
    assert!(denied.stderr.contains("a.md:2: 2 invisible characters: U+200B, U+202E"), "{}", denied.stderr);
    let off = with("off");
    assert!(
        off.stdout.contains('\u{202e}') && off.stderr.contains("has nobody look for invisible characters"),
        "{}",
        off.all()
    );
}
