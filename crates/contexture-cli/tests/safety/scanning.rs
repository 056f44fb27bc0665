//! `scan`.

use super::{Canary, env};

#[test]
fn what_is_there_is_listed_and_the_exit_code_says_so() {
    let canary = Canary::fresh();
    let env = env();
    env.write("a.py", "x = 1\n");
    let clean = env.run(&["scan"]);
    assert_eq!((clean.code, clean.stdout.as_str()), (Some(0), ""), "{}", clean.all());
    assert!(clean.stderr.contains("nothing found in 1 file"), "{}", clean.stderr);

    env.write("b.py", format!("x = 1\ntoken = '{}'\n", canary.0))
        .write("c.md", "a\u{202e}b\n")
        .write(".env", format!("KEY={}\n", canary.0));
    let found = env.run(&["scan"]);
    canary.stayed(&found, "scan");
    assert_eq!(found.code, Some(4), "{}", found.all());
    let row = format!(
        "b.py:2: github-pat, fingerprint {} (critical)\nc.md:1: 1 invisible character: U+202E\n",
        canary.fingerprint()
    );
    assert_eq!(found.stdout, row, "{}", found.all());
    assert!(found.stderr.contains("1 possible secret, 1 hidden character in 3 files"), "{}", found.stderr);

    // Keys by name are left out, unless they are named.
    let named = env.run(&["scan", ".env", "--json"]);
    assert_eq!(named.code, Some(4), "{}", named.all());
    canary.stayed(&named, "scan .env");
    assert_eq!(named.json()["secrets"][0]["path"], ".env");
    assert_eq!(named.json()["secrets"][0]["fingerprint"], canary.fingerprint().as_str());

    // A policy of `off` is a reason to ask; what is allowed is only counted.
    env.run(&["config", "set", "--global", "safety.secrets", "off"]);
    env.run(&["config", "set", "--global", "safety.allow", &canary.fingerprint()]);
    let allowed = env.run(&["scan", "b.py"]);
    assert_eq!(allowed.code, Some(0), "{}", allowed.all());
    assert!(allowed.stderr.contains("1 let through by `safety.allow`"), "{}", allowed.stderr);
}
