//! Same inputs, same bytes: any thread count, any order of files on disk, any state of the cache.
#![allow(clippy::unwrap_used)]

use contexture_testkit::TestEnv;
use proptest::prelude::*;

fn env() -> TestEnv {
    TestEnv::new(env!("CARGO_BIN_EXE_contexture"))
}

fn file_name() -> impl Strategy<Value = String> {
    "[a-c]{1,2}(/[a-d.]{1,3}[a-z]){0,2}\\.(rs|py|md|txt|toml|json|csv)"
}

fn text() -> impl Strategy<Value = String> {
    let line = prop_oneof![
        "[ -~]{0,60}",
        Just("```".into()),
        Just("# Heading".into()),
        Just("漢字 и текст 👍".into()),
        Just("key = \"value\"".into())
    ];
    (prop::collection::vec(line, 0..12), any::<bool>())
        .prop_map(|(lines, end)| lines.join("\n") + if end { "\n" } else { "" })
}

proptest! {
    // Each case runs the program eight times.
    #![proptest_config(ProptestConfig::with_cases(contexture_testkit::cases(12)))]
    #[test]
    fn threads_order_and_cache_leave_no_trace(files in prop::collection::btree_map(file_name(), text(), 1..14), order in any::<u64>()) {
        let (one, other) = (env(), env());
        let mut shuffled: Vec<_> = files.iter().collect();
        // A different order of creation gives a different order of directory entries.
        shuffled.sort_by_key(|(name, _)| name.bytes().fold(order, |hash, byte| (hash ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)));
        let clash = |name: &String| files.keys().any(|other| other != name && other.starts_with(&format!("{name}/")));
        for (name, text) in files.iter().filter(|(name, _)| !clash(name)) {
            one.write(name, text);
        }
        for (name, text) in shuffled.into_iter().filter(|(name, _)| !clash(name)) {
            other.write(name, text);
        }
        for strategy in ["full", "summarize"] {
            let base = ["build", "-o", "-", "--quiet", "--tree", "full", "--strategy", strategy];
            let with = |env: &TestEnv, more: &[&str]| {
                let ran = env.run(&[&base, more].concat());
                assert_eq!(ran.code, Some(0), "{}", ran.stderr);
                ran.stdout
            };
            let first = with(&one, &["--threads", "1", "--no-cache"]);
            prop_assert_eq!(&first, &with(&one, &["--threads", "8"]), "cold cache");
            prop_assert_eq!(&first, &with(&one, &["--threads", "8"]), "warm cache");
            prop_assert_eq!(&first, &with(&other, &["--threads", "8", "--no-cache"]), "other order");
        }
    }
}

#[test]
fn the_json_report_is_the_same_with_and_without_the_cache() {
    let env = env();
    env.write("a.rs", "fn a() {}\n").write("b/c.md", "# C\n\ntext\n").write("d.txt", "\n\n  starts blank\n");
    let cold = env.run(&["build", "-o", "-", "--json", "--no-cache"]).stdout;
    let filling = env.run(&["build", "-o", "-", "--json"]).stdout;
    let warm = env.run(&["build", "-o", "-", "--json"]).stdout;
    assert_eq!(cold, filling);
    assert_eq!(cold, warm);
}

#[test]
fn the_clock_and_the_folder_reach_no_byte() {
    // Only modification times differ between the two projects, and the place they lie in.
    let (one, other) = (env(), env());
    for env in [&one, &other] {
        env.write("a.rs", "fn a() {}\n").write("Cargo.toml", "[package]\nname = \"x\"\n");
    }
    let old = std::time::SystemTime::UNIX_EPOCH + std::time::Duration::from_secs(1);
    std::fs::File::options().write(true).open(other.root().join("a.rs")).unwrap().set_modified(old).unwrap();
    let build = |env: &TestEnv| env.run(&["build", "-o", "-", "--json"]).stdout;
    assert_eq!(build(&one), build(&other));
}

#[test]
fn a_damaged_or_forged_cache_changes_nothing() {
    let env = env();
    env.write("a.rs", "fn a() {}\n");
    let before = env.run(&["build", "-o", "-", "--json"]).stdout;
    let cache = env.home().join(".cache/contexture/cache.sqlite");
    assert!(cache.exists());
    std::fs::write(&cache, "nonsense ".repeat(1000)).unwrap();
    assert_eq!(env.run(&["build", "-o", "-", "--json"]).stdout, before);
    // A cache that comes with a project is not used: the setting is refused for folders inside the root.
    env.write("contexture.toml", "[aggregation]\ncache_dir = \".cache\"\n");
    let ran = env.run(&["build", "a.rs", "-o", "-", "--json"]);
    assert_eq!(ran.code, Some(0), "{}", ran.stderr);
    assert!(!env.root().join(".cache").exists());
}
