//! `cache status|clear|gc|verify`.

use crate::{env, folder, kept, provider, run};
use contexture_gather::summaries::{self, FILE};
use contexture_testkit::TestEnv;
use insta::assert_snapshot;

/// With the moments of writing taken out.
fn timeless(text: &str) -> String {
    let is_moment = |word: &&str| word.len() == 20 && word.starts_with("20") && word.ends_with('Z');
    let moments = text.split([' ', '"', '\n']).filter(is_moment);
    moments.fold(text.to_owned(), |text, moment| text.replace(moment, "[NOW]"))
}

fn cache(env: &TestEnv, args: &[&str]) -> String {
    timeless(&env.run(&[&["cache"], args].concat()).all())
}

#[test]
fn status_tells_what_is_there_and_who_wrote_it() {
    let (env, provider) = (env(), provider());
    assert_snapshot!(cache(&env, &["status"]), @"
    exit 0
    --- stdout
    none   a.md
    none   c.rs
    none   conf.toml
    --- stderr
    tier 2: 0 fresh, 0 stale, 3 without; 3 not summarised
    `contexture summarize --tier 2` asks for what is missing
    ");
    assert!(!folder(&env).join(FILE).exists());
    run(&env, &provider, &["a.md", "c.rs"]);
    env.write("a.md", format!("{}More.\n", env.read("a.md")));
    assert_snapshot!(cache(&env, &["status"]), @"
    exit 0
    --- stdout
    stale  a.md  anthropic/claude-haiku-5-5, tier 2, [NOW]
    fresh  c.rs  anthropic/claude-haiku-5-5, tier 2, [NOW]
    none   conf.toml
    --- stderr
    tier 2: 1 fresh, 1 stale, 1 without; 3 not summarised
    `contexture summarize --tier 2` asks for what is missing
    ");
    let json = env.run(&["cache", "status", "--json", "c.rs", "conf.toml"]).json();
    assert_snapshot!(timeless(&serde_json::to_string(&json).unwrap()), @r#"{"v":1,"tier":2,"files":[{"path":"c.rs","state":"fresh","by":"anthropic/claude-haiku-5-5","generated_at":"[NOW]","tier":2,"tiers":[2]},{"path":"conf.toml","state":"none","by":null,"generated_at":null,"tier":null,"tiers":[]}],"fresh":1,"stale":0,"none":1,"not_summarized":0,"damaged":0,"notes":[]}"#);
    // At another tier nothing was written.
    assert_snapshot!(cache(&env, &["status", "--tier", "1", "c.rs"]), @"
    exit 0
    --- stdout
    none   c.rs  (there is one for tier 2)
    --- stderr
    tier 1: 0 fresh, 0 stale, 1 without; 0 not summarised; 1 with one for another tier, which is not shown
    `contexture summarize --tier 1` asks for what is missing
    ");
    // Three files at several tiers: what counts is what a document at that tier shows.
    run(&env, &provider, &["--tier", "1", "a.md", "conf.toml"]);
    run(&env, &provider, &["--tier", "3", "c.rs"]);
    assert_snapshot!([1, 2, 3, 4].map(|tier| cache(&env, &["status", "--tier", &tier.to_string()])).concat(), @"
    exit 0
    --- stdout
    fresh  a.md  anthropic/claude-haiku-5-5, tier 1, [NOW]
    none   c.rs  (there is one for tier 2, 3)
    fresh  conf.toml  anthropic/claude-haiku-5-5, tier 1, [NOW]
    --- stderr
    tier 1: 2 fresh, 0 stale, 1 without; 3 not summarised; 1 with one for another tier, which is not shown
    `contexture summarize --tier 1` asks for what is missing
    exit 0
    --- stdout
    stale  a.md  anthropic/claude-haiku-5-5, tier 2, [NOW]  (there is one for tier 1)
    fresh  c.rs  anthropic/claude-haiku-5-5, tier 2, [NOW]
    none   conf.toml  (there is one for tier 1)
    --- stderr
    tier 2: 1 fresh, 1 stale, 1 without; 3 not summarised; 2 with one for another tier, which is not shown
    `contexture summarize --tier 2` asks for what is missing
    exit 0
    --- stdout
    stale  a.md  anthropic/claude-haiku-5-5, tier 2, [NOW]  (there is one for tier 1)
    fresh  c.rs  anthropic/claude-haiku-5-5, tier 3, [NOW]
    none   conf.toml  (there is one for tier 1)
    --- stderr
    tier 3: 1 fresh, 1 stale, 1 without; 3 not summarised; 2 with one for another tier, which is not shown
    `contexture summarize --tier 3` asks for what is missing
    exit 0
    --- stdout
    stale  a.md  anthropic/claude-haiku-5-5, tier 2, [NOW]  (there is one for tier 1)
    fresh  c.rs  anthropic/claude-haiku-5-5, tier 3, [NOW]
    none   conf.toml  (there is one for tier 1)
    --- stderr
    tier 4: 1 fresh (1 of another tier, shown in its place), 1 stale, 1 without; 3 not summarised; 2 with one for another tier, which is not shown
    `contexture summarize --tier 4` asks for what is missing
    ");
    let json = env.run(&["cache", "status", "--json", "c.rs"]).json();
    assert_eq!(json["files"][0]["tiers"], serde_json::json!([2, 3]));
    // What other projects have is not ours, though their files have the same names.
    let mut entry = kept(&env).remove(0);
    entry.file_path = "other:conf.toml".into();
    entry.file_hash = contexture_core::ContentHash::of("elsewhere");
    summaries::open(&folder(&env)).unwrap().summaries.put(&[entry]).unwrap();
    assert!(cache(&env, &["status", "conf.toml"]).contains("none   conf.toml"));
}

#[test]
fn clear_takes_away_what_is_named() {
    let (env, provider) = (env(), provider());
    run(&env, &provider, &[]);
    assert_snapshot!(cache(&env, &["clear"]), @"
    exit 2
    --- stdout
    --- stderr
    error: nothing says what to clear
    hint: `cache clear PATH…`, `cache clear --stale` or `cache clear --all`
    ");
    assert_snapshot!(cache(&env, &["clear", "c.rs"]), @"
    exit 0
    --- stdout
    1 summary removed, 2 kept
    --- stderr
    ");
    assert_eq!(kept(&env).len(), 2);
    // What is out of date goes, and with it nothing else.
    env.write("a.md", format!("{}More.\n", env.read("a.md")));
    std::fs::remove_file(env.root().join("conf.toml")).unwrap();
    assert_snapshot!(cache(&env, &["clear", "--stale"]), @"
    exit 0
    --- stdout
    1 summary removed, 1 kept
    --- stderr
    ");
    assert_eq!(kept(&env)[0].file_path, "project:conf.toml");
    // A file that is gone is known by its name.
    assert!(cache(&env, &["clear", "conf.toml"]).contains("1 summary removed, 0 kept"));
    run(&env, &provider, &[]);
    let all = env.run(&["cache", "clear", "--all", "--json"]).json();
    assert_eq!((&all["removed"], &all["kept"]), (&2.into(), &0.into()));
    assert!(all["derived"].as_u64() > Some(0), "{all}");
    assert_eq!(kept(&env).len(), 0);
}

#[test]
fn gc_keeps_what_files_have_and_what_is_of_others() {
    let (env, provider) = (env(), provider());
    run(&env, &provider, &[]);
    let mut entry = kept(&env).remove(0);
    entry.file_path = "other:a.md".into();
    entry.file_hash = contexture_core::ContentHash::of("elsewhere");
    summaries::open(&folder(&env)).unwrap().summaries.put(&[entry]).unwrap();
    std::fs::rename(env.root().join("a.md"), env.root().join("moved.md")).unwrap();
    std::fs::remove_file(env.root().join("c.rs")).unwrap();
    // The composition does not matter: what is not in it is a file of the project all the same.
    env.write("contexture.toml", "[files]\npaths = [\"moved.md\"]\n");
    let gone = env.run(&["cache", "gc", "--json"]).json();
    assert_eq!((&gone["removed"], &gone["kept"]), (&1.into(), &3.into()), "{gone}");
    assert!(kept(&env).iter().all(|entry| entry.file_path != "project:c.rs"));
    assert!(env.run(&["build", "moved.md", "-o", "-", "--strategy", "summarize"]).stdout.contains("Says what `a.md`"));
}

#[test]
fn verify_tells_what_is_no_database_and_where_it_went() {
    let (env, provider) = (env(), provider());
    run(&env, &provider, &["a.md"]);
    let break_all = || {
        for file in [FILE, "cache.sqlite"] {
            for end in ["", "-wal", "-shm"] {
                let _ = std::fs::remove_file(folder(&env).join(format!("{file}{end}")));
            }
            std::fs::write(folder(&env).join(file), "a text and no database\n".repeat(20)).unwrap();
        }
    };
    break_all();
    assert_snapshot!(cache(&env, &["verify"]), @"
    exit 8
    --- stdout
    the store of summaries was damaged (file is not a database): set aside as [TEMP]/home/.cache/contexture/summaries.sqlite.damaged-1, 0 summaries saved
    the cache of derived results was damaged: set aside as [TEMP]/home/.cache/contexture/cache.sqlite.damaged; it is made anew
    summaries: 0 whole, 0 damaged
    derived results: [TEMP]/home/.cache/contexture/cache.sqlite: 0 counts, 0 other results
    --- stderr
    error: what was there was damaged and is set aside
    hint: `contexture summarize` writes what is missing
    ");
    assert_eq!(env.run(&["cache", "verify"]).code, Some(0));
    // Who asks for a repair gets one.
    break_all();
    let repaired = env.run(&["cache", "verify", "--repair", "--json"]);
    assert_eq!((repaired.code, &repaired.json()["ok"]), (Some(0), &true.into()), "{}", repaired.stdout);
    assert_eq!(repaired.json()["repaired"]["cause"], "file is not a database");
    assert_eq!(repaired.json()["derived_aside"], "cache.sqlite.damaged");
}

#[test]
fn verify_lists_what_is_damaged() {
    let (env, provider) = (env(), provider());
    assert_snapshot!(cache(&env, &["verify"]).replace(&*folder(&env).to_string_lossy(), "[CACHE]"), @"
    exit 0
    --- stdout
    summaries: none yet
    derived results: [TEMP]/home/.cache/contexture/cache.sqlite: 0 counts, 0 other results
    --- stderr
    ");
    run(&env, &provider, &[]);
    let sound = env.run(&["cache", "verify", "--json"]);
    assert_eq!(
        (sound.code, &sound.json()["ok"], &sound.json()["summaries"]["entries"]),
        (Some(0), &true.into(), &3.into())
    );
    let file = folder(&env).join(FILE);
    let mut bytes = std::fs::read(&file).unwrap();
    let at = bytes.windows(16).position(|part| part == b"Says what `a.md`").unwrap();
    bytes[at] ^= 1;
    std::fs::write(&file, bytes).unwrap();
    let damaged = env.run(&["cache", "verify"]);
    assert_eq!(damaged.code, Some(8));
    assert!(damaged.stdout.contains("summaries: 2 whole, 1 damaged"), "{}", damaged.stdout);
    assert!(damaged.stdout.contains("project:a.md: the checksum does not hold"), "{}", damaged.stdout);
    assert_eq!(env.run(&["cache", "status", "--json"]).json()["damaged"], 1);
    // It is asked for again, or the store is repaired.
    let repaired = env.run(&["cache", "verify", "--repair", "--json"]);
    assert_eq!((repaired.code, &repaired.json()["repaired"]["saved"]), (Some(0), &2.into()), "{}", repaired.stderr);
    run(&env, &provider, &[]);
    assert_eq!((kept(&env).len(), provider.heard().len()), (3, 4));
}
