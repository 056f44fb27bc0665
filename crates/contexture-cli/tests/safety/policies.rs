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
fn warn_and_off_show() {
    let canary = Canary::fresh();
    let env = with_key(&canary.0);
    let warned = env.run(&["build", "-o", "-", "--secrets", "warn"]);
    assert!(warned.stdout.contains(&canary.0) && warned.stderr.contains("github-pat on line 2"), "{}", warned.all());
    assert!(!warned.stderr.contains(&canary.0), "{}", warned.stderr);
    let off = env.run(&["build", "-o", "-", "--secrets", "off"]);
    assert!(off.stdout.contains(&canary.0) && !off.stderr.contains("github-pat"), "{}", off.all());
    assert_eq!(env.run(&["config", "set", "--global", "safety.secrets", "warn"]).code, Some(0));
    assert!(env.run(&["build", "-o", "-", "a.py"]).stdout.contains(&canary.0));
    assert_eq!(env.run(&["config", "set", "--global", "safety.secrets", "redact"]).code, Some(0));
    assert_eq!(env.run(&["config", "set", "--global", "safety.allow", &canary.fingerprint()]).code, Some(0));
    assert!(env.run(&["build", "-o", "-", "a.py"]).stdout.contains(&canary.0));
    assert_eq!(env.run(&["config", "set", "--global", "safety.allow", "no fingerprint"]).code, Some(0));
    let ran = env.run(&["build", "-o", "-", "a.py"]);
    canary.stayed(&ran, "allow");
    assert!(ran.stderr.contains("is no fingerprint"), "{}", ran.stderr);
}

#[test]
fn a_project_cannot_loosen_what_the_user_has() {
    let canary = Canary::fresh();
    let env = with_key(&canary.0);
    env.write("agent/SOUL.md", "kind\n");
    let looser =
        ["secrets = \"warn\"".into(), "secrets = \"off\"".into(), format!("allow = [\"{}\"]", canary.fingerprint())];
    for line in &looser {
        env.write("contexture.toml", format!("[safety]\n{line}\n"));
        let agent = ["agent", "--workspace", "agent", "-m", &canary.0];
        for words in [&["build", "-o", "-", "a.py"][..], &["show", "a.py"], &["related", "a.py"], &["tokens"], &agent] {
            let ran = env.run(words);
            assert_eq!(ran.code, Some(0), "{}", ran.all());
            canary.stayed(&ran, line);
            assert!(ran.stderr.contains("contexture.toml:2: ignored `safety."), "{words:?}: {}", ran.all());
            assert!(ran.stderr.contains("contexture config set --global safety."), "{words:?}: {}", ran.all());
        }
        let origins = env.run(&["config", "--origins"]);
        assert!(origins.stdout.contains("safety.secrets = \"redact\"  # default\n"), "{}", origins.stdout);
        assert!(origins.stdout.contains("safety.allow = (unset)  # default\n"), "{}", origins.stdout);
        assert!(env.run(&["build", "-o", "-", "a.py", "--secrets", "warn"]).stdout.contains(&canary.0));
    }
    // A persona has no say in it either.
    env.write("contexture.toml", "[personas.p]\nsecrets = \"off\"\n");
    assert_eq!(env.run(&["build", "-o", "-", "--persona", "p"]).code, Some(2));
}

#[test]
fn what_would_loosen_safety_is_not_written_to_the_project() {
    let env = env();
    let text = "# mine\n[safety]\nsecrets = \"deny\"\n";
    env.write("contexture.toml", text);
    for (key, value) in [("safety.secrets", "off"), ("safety.hidden_text", "off"), ("safety.allow", "0123456789abcdef")]
    {
        let ran = env.run(&["config", "set", key, value]);
        assert_eq!(ran.code, Some(2), "{}", ran.all());
        let told = format!("`{key}` is not set: a project's file cannot loosen it; your setting is ");
        let hint = format!("hint: `contexture config set --global {key} {value}` sets it for you");
        assert!(ran.stderr.contains(&told) && ran.stderr.contains(&hint), "{}", ran.stderr);
        assert_eq!(env.read("contexture.toml"), text);
        assert_eq!(env.run(&["config", "set", "--global", key, value]).code, Some(0));
    }
    // What is there already is no success either.
    let env = super::env();
    env.write("contexture.toml", "[safety]\nsecrets = \"off\"\n");
    assert_eq!(env.run(&["config", "set", "safety.secrets", "off"]).code, Some(2));
    assert_eq!(env.run(&["config", "set", "safety.secrets", "deny"]).code, Some(0));
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
    env.write("contexture.toml", "");
    env.run(&["config", "set", "--global", "safety.hidden_text", "off"]);
    let off = env.run(&["build", "a.md", "-o", "-"]);
    assert!(off.stdout.contains('\u{202e}') && !off.stderr.contains("U+202E"), "{}", off.all());
}
