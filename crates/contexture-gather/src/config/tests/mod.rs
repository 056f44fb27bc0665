//! Behaviour by example: errors, layers, what is described.

mod edits;
mod laws;

use super::*;
use insta::assert_snapshot;
use std::fs;

/// A folder with a project and a user's folder beside it.
struct Home {
    folder: tempfile::TempDir,
    env: Env,
}

impl Home {
    fn new(project: &str, user: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let (root, config) = (folder.path().join("project"), folder.path().join("user"));
        fs::create_dir_all(&root).unwrap();
        fs::create_dir_all(&config).unwrap();
        if !project.is_empty() {
            fs::write(root.join(PROJECT_FILE), project).unwrap();
        }
        if !user.is_empty() {
            fs::write(config.join(USER_FILE), user).unwrap();
        }
        let env = Env { cwd: root, config_dir: Some(config), ..Env::default() };
        Self { folder, env }
    }

    fn var(mut self, name: &str, value: &str) -> Self {
        self.env.vars.insert(name.into(), value.into());
        self
    }

    fn load(&self, flags: &[Flag], file: Option<&str>) -> Result<Config, ConfigError> {
        load(&self.env.cwd, &self.env, flags, file.map(Path::new))
    }

    /// The error as a person sees it, with the temporary folder taken out.
    fn error(&self) -> String {
        self.told(self.load(&[], None))
    }

    fn told(&self, result: Result<Config, ConfigError>) -> String {
        told(&result.unwrap_err()).replace(&self.folder.path().display().to_string(), "HOME")
    }
}

fn told(error: &ConfigError) -> String {
    match &error.hint {
        Some(hint) => format!("{error}\nhint: {hint}"),
        None => error.to_string(),
    }
}

/// The errors of these texts as files of a project, a line for each.
fn told_of(texts: &[&str]) -> String {
    let told = texts.iter().map(|text| Home::new(text, "").error().replace("\nhint: ", " / "));
    told.collect::<Vec<_>>().join("\n")
}

#[test]
fn no_file_is_no_error() {
    let config = Home::new("", "").load(&[], None).unwrap();
    assert_eq!(config.project.name, None);
    assert_eq!(config.project.strategy, StrategyName::Auto);
    assert_eq!(config.output.dir, ".contexture/out");
    assert_eq!(config.files.base_dir, ".");
    assert!(config.files.paths.is_none());
    assert!(config.aggregation.cache_enabled);
    assert!(config.notes.is_empty());
    assert!(!config.project_file.1);
    let nowhere = Env { cwd: "/nonexistent".into(), ..Env::default() };
    assert!(load(Path::new("/nonexistent"), &nowhere, &[], None).is_ok());
}

#[test]
fn unknown_keys_are_errors_with_a_suggestion() {
    let texts = [
        "[project]\nname = \"x\"\nstratgy = \"full\"\n",
        "[projct]\nname = \"x\"\n",
        "strategy = \"full\"\n",
        "[project]\nmax_tokens = 1\n",
        "[presets.a]\nfile = []\n",
        "[personas.\"odd name\"]\nsystem_promt = \"\"\n",
        "[personas.a]\npreferred_models = [{ provider = \"p\", model = \"m\", temprature = 1 }]\n",
        "[budget]\n\"a\\u0007`b\" = 1\n",
        "[project.deeper]\nname = 1\n",
    ];
    assert_snapshot!(told_of(&texts), @r#"
    contexture.toml:3:1: unknown key: `project.stratgy` / did you mean `strategy`?
    contexture.toml:1:2: unknown key: `projct` / did you mean `[project]`?
    contexture.toml:1:1: unknown key: `strategy` / did you mean `project.strategy`?
    contexture.toml:2:1: unknown key: `project.max_tokens` / did you mean `budget.max_tokens`?
    contexture.toml:2:1: unknown key: `presets.a.file` / did you mean `files`?
    contexture.toml:2:1: unknown key: `personas."odd name".system_promt` / did you mean `system_prompt`?
    contexture.toml:2:52: unknown key: `personas.a.preferred_models[0].temprature` / did you mean `temperature`?
    contexture.toml:2:1: unknown key: `budget."a\u0007�b"` / `contexture config --origins` lists every key
    contexture.toml:1:10: unknown key: `project.deeper` / `contexture config --origins` lists every key
    "#);
}

#[test]
fn wrong_types_say_what_was_expected() {
    let texts = [
        "[budget]\nmax_tokens = \"many\"\n",
        "[budget]\nmax_tokens = -5\n",
        "[project]\nsummary_only = 1\n",
        "[project]\nstrategy = \"sumarize\"\n",
        "[project]\nstrategy = \"quickly\"\n",
        "project = 3\n",
        "[files]\npaths = \"src\"\n",
        "[files]\ninclude = [\"a\", 3]\n",
        "[personas.a]\ntier = 9\n",
        "[output]\ndir = \"\"\n",
    ];
    assert_snapshot!(told_of(&texts), @r#"
    contexture.toml:2:14: `budget.max_tokens` must be a whole number, at least 1, found a string: `"many"` / for example `max_tokens = 32000`
    contexture.toml:2:14: `budget.max_tokens` must be a whole number, at least 1, found: `-5` / for example `max_tokens = 32000`
    contexture.toml:2:16: `project.summary_only` must be `true` or `false`, found a whole number: `1` / for example `summary_only = true`
    contexture.toml:2:12: `project.strategy` must be one of `auto`, `summarize`, `full`, found: `"sumarize"` / did you mean `summarize`?
    contexture.toml:2:12: `project.strategy` must be one of `auto`, `summarize`, `full`, found: `"quickly"` / for example `strategy = "full"`
    contexture.toml:1:1: `project` must be a section, found a whole number: `3` / for example `[project]` on a line of its own
    contexture.toml:2:9: `files.paths` must be a list of paths and `{ path = … }` tables, found a string: `"src"` / for example `paths = ["src/**/*.rs", { path = "src/lib.rs", view_mode = "skeleton" }]`
    contexture.toml:2:17: `files.include[1]` must be a string, found a whole number: `3` / for example `include = ["*.rs"]`
    contexture.toml:2:8: `personas.a.tier` must be a whole number from 1 to 4, found: `9` / for example `tier = 2`
    contexture.toml:2:7: `output.dir` must be a path, found: `""` / for example `dir = "build/context"`
    "#);
}

#[test]
fn wrong_entries_name_the_line() {
    let texts = [
        "[files]\npaths = [\n  \"a\",\n  { path = \"b\", view_mode = \"skelton\" },\n]\n",
        "[files]\npaths = [{ view_mode = \"full\" }]\n",
        "[files]\npaths = [\"\"]\n",
        "[files]\npaths = [4]\n",
        "[[files.paths]]\npath = \"a\"\nforce_full = \"yes\"\n",
        "[files]\npaths = [{ path = \"a\", ast_mask = { \"A.b\" = \"sigg\" } }]\n",
        "[files]\npaths = [{ path = \"a\", custom_slices = [{ start_line = 9, end_line = 2 }] }]\n",
        "[files]\npaths = [{ path = \"a\", custom_slices = [{ start_line = 0, end_line = 2 }] }]\n",
        "[presets.p]\nfiles = [{ path = \"a\", tier = 7 }]\n",
    ];
    assert_snapshot!(told_of(&texts), @r#"
    contexture.toml:4:29: `files.paths[1].view_mode` must be one of `full`, `diff`, `skeleton`, `custom`, `masked`, `outline`, `summary`, `name`, `none`, found: `"skelton"` / did you mean `skeleton`?
    contexture.toml:2:10: `files.paths[0]` has no `path` / for example `{ path = "src/lib.rs", view_mode = "skeleton" }`
    contexture.toml:2:10: `files.paths[0]` is an empty path / `"."` means the whole folder
    contexture.toml:2:10: `files.paths[0]` must be a path or a table with `path`, found a whole number: `4` / for example `"src/**/*.rs"` or `{ path = "src/lib.rs", view_mode = "skeleton" }`
    contexture.toml:3:14: `files.paths[0].force_full` must be `true` or `false`, found a string: `"yes"`
    contexture.toml:2:45: `files.paths[0].ast_mask."A.b"` must be one of `def`, `sig`, `hide`, found: `"sigg"` / did you mean `sig`?
    contexture.toml:2:41: `files.paths[0].custom_slices[0]` ends before it starts: `end_line = 2`, `start_line = 9`
    contexture.toml:2:56: `files.paths[0].custom_slices[0].start_line` must be a line number, counted from 1, found: `0`
    contexture.toml:2:31: `presets.p.files[0].tier` must be a whole number from 1 to 4, found: `7`
    "#);
}

#[test]
fn syntax_errors_are_one_line() {
    let texts = [
        "[project]\nname = x\n",
        "[project]\nname = \"a\"\nname = \"b\"\n",
        "[project]\n[project]\n",
        "[files]\npaths = [\n  \"a\",\n",
        "name\n",
        &format!("a = {}", "[".repeat(100_000)),
    ];
    assert_snapshot!(told_of(&texts), @r#"
    contexture.toml:2:8: not a value; strings must be in quotes / for example `name = "text"`
    contexture.toml:3:1: duplicate key: `name` / each key may stand once; remove or rename one of the two
    contexture.toml:2:2: duplicate key: `project` / each key may stand once; remove or rename one of the two
    contexture.toml:3:7: unclosed array, expected `]`
    contexture.toml:1:5: key with no value, expected `=`
    contexture.toml:1:85: cannot recurse further; max recursion depth met
    "#);
}

#[test]
fn files_that_cannot_be_read() {
    let home = Home::new("", "");
    fs::write(home.env.cwd.join(PROJECT_FILE), b"[project]\nname = \"\xff\"\n").unwrap();
    assert_snapshot!(home.error(), @"
    contexture.toml: is not UTF-8: line 2
    hint: save the file as UTF-8
    ");
    fs::write(home.env.cwd.join(PROJECT_FILE), "#".repeat(4 * 1024 * 1024 + 1)).unwrap();
    assert_snapshot!(home.error(), @"contexture.toml: is too large for a configuration file: more than 4 MiB");
    fs::remove_file(home.env.cwd.join(PROJECT_FILE)).unwrap();
    fs::create_dir(home.env.cwd.join(PROJECT_FILE)).unwrap();
    assert_snapshot!(home.error(), @"contexture.toml: is a folder, not a file");
    assert_snapshot!(home.told(home.load(&[], Some("other.toml"))), @"other.toml: configuration file not found");
    let home = Home::new("", "[project]\nnam = 1\n");
    assert_snapshot!(home.error(), @"
    HOME/user/config.toml:2:1: unknown key: `project.nam`
    hint: did you mean `name`?
    ");
}

/// Nobody writes to it, so an ordinary open would wait for ever.
#[cfg(target_os = "linux")]
#[test]
fn a_pipe_does_not_block() {
    use rustix::fs::{CWD, FileType, Mode, mknodat};
    let home = Home::new("", "");
    mknodat(CWD, home.env.cwd.join(PROJECT_FILE), FileType::Fifo, Mode::from_raw_mode(0o600), 0).unwrap();
    assert_snapshot!(home.error(), @"contexture.toml: is not a regular file");
}

#[cfg(unix)]
#[test]
fn a_link_out_of_the_root_is_refused() {
    let home = Home::new("", "");
    fs::write(home.folder.path().join("secret.toml"), "[project]\nname = \"outside\"\n").unwrap();
    std::os::unix::fs::symlink("../secret.toml", home.env.cwd.join(PROJECT_FILE)).unwrap();
    assert_snapshot!(home.error(), @"
    contexture.toml: is a symbolic link that leads out of the root or nowhere
    hint: `--config FILE` reads a file from anywhere
    ");
    assert_eq!(home.load(&[], Some("../secret.toml")).unwrap().project.name.as_deref(), Some("outside"));
    fs::remove_file(home.env.cwd.join(PROJECT_FILE)).unwrap();
    fs::write(home.env.cwd.join("real.toml"), "[project]\nname = \"inside\"\n").unwrap();
    std::os::unix::fs::symlink("real.toml", home.env.cwd.join(PROJECT_FILE)).unwrap();
    assert_eq!(home.load(&[], None).unwrap().project.name.as_deref(), Some("inside"));
}

#[test]
fn the_strongest_layer_wins_and_is_named() {
    let user = "[project]\nname = \"user\"\nstrategy = \"full\"\nsummary_only = true\n[output]\nkeep = 3\n";
    let file = "# top\n[project]\nname = \"file\"\nstrategy = \"summarize\"\n\n[safety]\nsecrets = \"deny\"\n";
    let home = Home::new(file, user)
        .var("CONTEXTURE_PROJECT_STRATEGY", "auto")
        .var("CONTEXTURE_BUDGET_MAX_TOKENS", "1_000")
        .var("CONTEXTURE_FILES_EXCLUDE", "a b/*\n{c,d}")
        .var("CONTEXTURE_OUTPUT_DIR", "")
        .var("CONTEXTURE_PROJECT_NAM", "x")
        .var("CONTEXTURE_FILES_WHATEVER", "x")
        .var("CONTEXTURE_LOG", "debug");
    let config = home.load(&[("budget.max_tokens", 9i64.into(), "--budget")], None).unwrap();
    let lines = config
        .origins()
        .iter()
        .filter(|setting| setting.value.is_some())
        .map(|setting| format!("{} = {}  ({})", setting.key, setting.value.as_ref().unwrap(), setting.origin));
    assert_snapshot!(lines.collect::<Vec<_>>().join("\n"), @r#"
    project.name = "file"  (contexture.toml:3)
    project.strategy = "auto"  (env CONTEXTURE_PROJECT_STRATEGY)
    project.summary_only = true  (user config.toml:4)
    project.execution_mode = "standard"  (default)
    output.dir = ".contexture/out"  (default)
    output.keep = 3  (user config.toml:6)
    files.base_dir = "."  (default)
    files.exclude = ["a b/*", "{c,d}"]  (env CONTEXTURE_FILES_EXCLUDE)
    screenshots.base_dir = "."  (default)
    screenshots.embed = "link"  (default)
    aggregation.default_mode = "full"  (default)
    aggregation.cache_enabled = true  (default)
    budget.max_tokens = 9  (flag --budget)
    budget.token_buffer = 1024  (default)
    budget.truncation_strategy = "truncateMiddle"  (default)
    budget.minimum_recent_nodes = 4  (default)
    safety.secrets = "deny"  (contexture.toml:7)
    safety.hidden_text = "warn"  (default)
    agent.max_history_messages = 50  (default)
    agent.max_memory_entries = 20  (default)
    "#);
    let notes: Vec<String> =
        config.notes.iter().map(|note| format!("{note} / {}", note.hint.as_deref().unwrap_or("-"))).collect();
    assert_snapshot!(notes.join("\n"), @"
    unknown variable: `CONTEXTURE_FILES_WHATEVER` / `contexture config --origins` lists every key
    unknown variable: `CONTEXTURE_PROJECT_NAM` / did you mean `CONTEXTURE_PROJECT_NAME`?
    ");
    assert_eq!(config.budget.max_tokens, Some(9));
    assert_eq!(config.files.exclude, ["a b/*", "{c,d}"]);
    assert_eq!(config.origin("project.name"), &Origin::Project { file: PROJECT_FILE.into(), line: 3 });
    assert_eq!(config.get("project.persona").unwrap().value, None);
    assert_eq!(config.get("personas.nobody.tier").unwrap().value, None);
    assert_snapshot!(told(&config.get("project.nam").unwrap_err()), @"
    unknown key: `project.nam`
    hint: did you mean `name`?
    ");
}

#[test]
fn a_project_may_tighten_safety_and_not_loosen_it() {
    let told = |project: &str, user: &str, var: &str| {
        let home = Home::new(&format!("[safety]\n{project}\n"), &format!("[safety]\n{user}\n"));
        let home = home.var("CONTEXTURE_SAFETY_SECRETS", var);
        let config = home.load(&[], None).unwrap();
        let shown = |setting: &&Setting| setting.key.starts_with("safety.") && setting.origin != Origin::Default;
        let row = |setting: &Setting| {
            format!("{} = {}  ({})\n", setting.key, setting.value.as_ref().unwrap(), setting.origin)
        };
        let rows: String = config.origins().iter().filter(shown).map(row).collect();
        let note = |note: &Note| format!("{note} / {}\n", note.hint.as_deref().unwrap_or("-"));
        rows + &config.notes.iter().map(note).collect::<String>()
    };
    for (looser, held) in [("off", "redact"), ("warn", "redact"), ("redact", "deny"), ("off", "warn")] {
        let text = told(&format!("secrets = \"{looser}\""), &format!("secrets = \"{held}\""), "");
        assert!(text.starts_with(&format!("safety.secrets = \"{held}\"  (user config.toml:2)\n")), "{text}");
        assert!(text.contains(&format!("ignored `safety.secrets = \"{looser}\"`")), "{text}");
    }
    for (looser, held) in [("off", "warn"), ("warn", "escape"), ("escape", "strip"), ("strip", "deny")] {
        let text = told(&format!("hidden_text = \"{looser}\""), &format!("hidden_text = \"{held}\""), "");
        assert!(text.starts_with(&format!("safety.hidden_text = \"{held}\"  (user config.toml:2)\n")), "{text}");
        let text = told(&format!("hidden_text = \"{held}\""), &format!("hidden_text = \"{looser}\""), "");
        assert_eq!(text, format!("safety.hidden_text = \"{held}\"  (contexture.toml:2)\n"));
    }
    assert_snapshot!(told("secrets = \"off\"\nallow = [\"0123456789abcdef\"]", "", ""), @r#"
    contexture.toml:2: ignored `safety.secrets = "off"`: a project's file cannot loosen `[safety]`; your setting is `redact` / `contexture config set --global safety.secrets off` sets it for you
    contexture.toml:3: ignored `safety.allow = ["0123456789abcdef"]`: a project's file cannot loosen `[safety]`; your setting is unset / `contexture config set --global safety.allow VALUE` sets it for you
    "#);
    assert_snapshot!(told("secrets = \"deny\"\nallow = []", "secrets = \"off\"\nallow = [\"0123456789abcdef\"]", ""), @r#"
    safety.secrets = "deny"  (contexture.toml:2)
    safety.allow = []  (contexture.toml:3)
    "#);
    assert_snapshot!(told("allow = [\"a\"]", "allow = [\"0123456789abcdef\"]", ""), @r#"
    safety.allow = ["0123456789abcdef"]  (user config.toml:2)
    contexture.toml:2: ignored `safety.allow = ["a"]`: a project's file cannot loosen `[safety]`; your setting is `["0123456789abcdef"]` / `contexture config set --global safety.allow VALUE` sets it for you
    "#);
    // A part of what the user allows takes nothing away and needs no note.
    let own = "allow = [\"0123456789abcdef\", \"0123456789abcdee\"]";
    assert_snapshot!(told("allow = [\"0123456789abcdef\"]", own, ""), @r#"safety.allow = ["0123456789abcdef", "0123456789abcdee"]  (user config.toml:2)"#);
    // A variable is the user's, and may loosen.
    assert_snapshot!(told("secrets = \"warn\"", "secrets = \"deny\"", "off"), @r#"safety.secrets = "off"  (env CONTEXTURE_SAFETY_SECRETS)"#);
    assert_snapshot!(told("secrets = \"warn\"", "secrets = \"off\"", "redact"), @r#"
    safety.secrets = "redact"  (env CONTEXTURE_SAFETY_SECRETS)
    contexture.toml:2: ignored `safety.secrets = "warn"`: a project's file cannot loosen `[safety]`; your setting is `redact` / `contexture config set --global safety.secrets warn` sets it for you
    "#);
}

#[test]
fn every_key_of_safety_says_what_a_project_may_do() {
    let judged: Vec<&str> = KEYS.iter().filter(|key| key.against.is_some()).map(|key| key.path).collect();
    let all: Vec<&str> = KEYS.iter().filter(|key| key.section() == "safety").map(|key| key.path).collect();
    assert_eq!(judged, all);
}

#[test]
fn wrong_variables_and_flags_are_named() {
    let home = Home::new("", "").var("CONTEXTURE_BUDGET_MAX_TOKENS", "lots");
    assert_snapshot!(home.error(), @r#"
    env CONTEXTURE_BUDGET_MAX_TOKENS: `budget.max_tokens` must be a whole number, at least 1, found a string: `"lots"`
    hint: for example `max_tokens = 32000`
    "#);
    let home = Home::new("", "").var("CONTEXTURE_FILES_PATHS", "[1, ");
    assert_snapshot!(home.error(), @r#"
    env CONTEXTURE_FILES_PATHS: `files.paths` is not a TOML list: `[1, `
    hint: for example `["src/**/*.rs", { path = "src/lib.rs", view_mode = "skeleton" }]`
    "#);
    let home = Home::new("", "");
    assert_snapshot!(home.told(home.load(&[("project.strategy", "ful".into(), "--strategy")], None)), @r#"
    flag --strategy: `project.strategy` must be one of `auto`, `summarize`, `full`, found: `"ful"`
    hint: did you mean `full`?
    "#);
}

#[test]
fn presets_and_personas_of_both_scopes() {
    let user = "[presets.a]\ndescription = \"user\"\n[presets.u]\n[personas.p]\ntier = 1\nbudget = 5\n";
    let file = "[presets.a]\nfiles = [\"x\"]\n[personas.p]\ntier = 2\naggregation_strategy = \"full\"\n\
                preferred_models = [{ provider = \"q\", model = \"m\", temperature = 0, top_p = 0.5 }]\n";
    let config = Home::new(file, user).load(&[], None).unwrap();
    let shown: Vec<String> = visible_presets(&config.presets)
        .iter()
        .map(|seen| format!("{} {} hides:{}", seen.preset.name, seen.preset.scope, seen.shadows.is_some()))
        .collect();
    assert_eq!(shown, ["a project hides:true", "u global hides:false"]);
    let persona = config.persona("p").unwrap();
    assert_eq!((persona.tier, persona.budget, persona.scope), (Some(2), None, Scope::Project));
    assert_eq!(persona.preferred_models[0].top_p, Some(0.5));
    assert_eq!(config.preset("u").unwrap().files, []);
    assert_snapshot!(told(&config.preset("aa").unwrap_err()), @"
    no such preset: `aa`
    hint: did you mean `a`?
    ");
    assert_snapshot!(told(&config.persona("zebra").unwrap_err()), @r"
    no such persona: `zebra`
    hint: `contexture persona list` shows all
    ");
}

#[test]
fn two_presets_compared() {
    let text = "[presets.a]\nfiles = [\"same\", \"gone\", { path = \"b\", tier = 1 }]\nscreenshots = [\"x.png\"]\n\
                [presets.b]\ndescription = \"d\"\nfiles = [\"same\", { path = \"b\", view_mode = \"outline\" }, \"new\"]\n";
    let config = Home::new(text, "").load(&[], None).unwrap();
    let found = diff(config.preset("a").unwrap(), config.preset("b").unwrap());
    assert_eq!(found.added, [PathEntry::new("new")]);
    assert_eq!(found.removed, [PathEntry::new("gone")]);
    assert_eq!(found.screenshots_removed, ["x.png"]);
    assert!(found.description.is_some());
    let changes: Vec<String> = found.changed[0]
        .fields
        .iter()
        .map(|change| format!("{} {:?} -> {:?}", change.field, change.old, change.new))
        .collect();
    assert_snapshot!(changes.join("\n"), @r#"
    tier Some("1") -> None
    view_mode None -> Some("\"outline\"")
    "#);
    assert!(diff(config.preset("a").unwrap(), config.preset("a").unwrap()).is_empty());
}

#[test]
fn histories_of_any_shape() {
    let told = |text: &str| {
        let entries = parse_history(text, "x_history.toml").unwrap();
        entries.iter().map(|entry| format!("{:?} {:?}", entry.role, entry.content)).collect::<Vec<_>>().join("\n")
    };
    assert_snapshot!(told("history = [\"one\", { role = \"user\", content = \"two\" }, { role = \"x\" }, 3, true, []]"), @r#"
    None "one"
    Some("user") "two"
    Some("x") ""
    None "3"
    None "true"
    None ""
    "#);
    assert_snapshot!(told("[[history]]\nrole = 7\ncontent = 1.5\n[[history]]\ncontent = [{ type = \"text\", text = \"a\" }, \"b\"]\n"), @r#"
    Some("7") "1.5"
    None "a\nb"
    "#);
    assert_snapshot!(told("entries = \"just text\""), @r#"None "just text""#);
    assert_snapshot!(told("[discussion]\nhistory = [{ content = { deep = 1979-05-27 } }]"), @r#"None "{ deep = 1979-05-27 }""#);
    assert_eq!(parse_history("", "x").unwrap(), []);
    assert_snapshot!(parse_history("history = [", "x_history.toml").unwrap_err(), @"x_history.toml:1:12: unclosed array, expected `]`");
    let config =
        Home::new("[discussion]\nhistory = [\"a\", { role = \"r\", other = 1 }]\n", "").load(&[], None).unwrap();
    assert_eq!(config.discussion.history[1], HistoryEntry { role: Some("r".into()), content: String::new() });
}

#[test]
fn older_words_for_views() {
    let entry = |word: &str| PathEntry::from_toml(&format!("{{ path = \"a\", view_mode = \"{word}\" }}")).unwrap();
    assert_eq!(entry("sig").to_toml(), r#"{ path = "a", view_mode = "masked", ast_signatures = true }"#);
    assert_eq!(entry("agg").view_mode, Some(contexture_core::Level::Summary));
    assert!(entry("def").wish().definitions);
    assert_eq!(PathEntry::new("a").wish(), contexture_core::Wish::default());
}

#[test]
fn the_template_is_valid_with_and_without_its_comments() {
    let text = template();
    let settings = |text: &str| {
        let config = Home::new(text, "").load(&[], None).unwrap();
        let set = config.origins().iter().filter(|setting| setting.origin != Origin::Default).count();
        set + config.ignored.len()
    };
    assert_eq!(settings(&text), 0);
    let uncommented: String = text
        .lines()
        .map(|line| match line.strip_prefix("# ") {
            Some(rest) if rest.starts_with('[') || rest.split(" = ").next().is_some_and(|key| !key.contains(' ')) => {
                format!("{rest}\n")
            }
            _ => format!("{line}\n"),
        })
        .collect();
    assert_eq!(settings(&uncommented), KEYS.len());
}

#[test]
fn every_row_of_the_table_is_sound() {
    for key in KEYS {
        let path: Vec<&str> = key.path.split('.').collect();
        assert!(keys::find(&path).is_some_and(|found| found.path == key.path), "{}", key.path);
        assert!(SECTIONS.iter().any(|(section, _)| *section == key.section()), "{}", key.path);
        assert!(key.doc.ends_with('.') && !key.doc.contains('|'), "{}", key.path);
        for text in [Some(key.example), key.default].into_iter().flatten() {
            let value: toml_edit::Value = text.parse().unwrap();
            layer::check(&Node::of_value(&value), key, key.path).unwrap();
        }
    }
}

#[test]
fn the_schema_is_draft_4() {
    let schema = schema();
    assert_eq!(schema["properties"]["project"]["properties"]["strategy"]["enum"][2], "full");
    assert_eq!(schema["properties"]["presets"]["additionalProperties"]["additionalProperties"], false);
    let text = schema.to_string();
    for newer in ["\"const\"", "\"$defs\"", "\"examples\"", "\"if\"", "exclusiveMinimum", "\"$id\""] {
        assert!(!text.contains(newer), "{newer}");
    }
    for key in KEYS {
        assert!(text.contains(&format!("\"{}\":", key.leaf())), "{}", key.path);
    }
}

/// The manual is written by hand around tables that come from the table of keys.
#[test]
fn the_manual_agrees_with_the_table() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../docs/configuration.md");
    let manual = fs::read_to_string(path).unwrap();
    assert!(manual.contains(&reference()), "put this into docs/configuration.md:\n{}", reference());
}
