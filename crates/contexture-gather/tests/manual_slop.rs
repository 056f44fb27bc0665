//! Projects of Manual Slop as ours: what is taken over, what is told, and that the result can always be loaded.
#![allow(clippy::unwrap_used)]

use contexture_core::{Level, SymbolMode};
use contexture_gather::Env;
use contexture_gather::config::manual_slop::{HistoryFile, ImportedProject, import, import_file};
use contexture_gather::config::{self, Config, ExecutionMode};
use insta::assert_snapshot;
use proptest::prelude::*;
use std::path::Path;

const PROJECT: &str = r#"
[project]
name = "demo"
git_dir = "."
system_prompt = "Be brief."
main_context = "NOTES.md"
summary_only = true
execution_mode = "beads"

[output]
output_dir = "./md_gen"
namespace = "demo"

[files]
base_dir = "."
tier_assignments = {}
paths = [
    "src/**/*.py",
    { path = "src/a.py", view_mode = "sig", auto_aggregate = true, force_full = false, selected = true, injected_at = 17.5 },
    { path = "src/b.py", view_mode = "Agg", mood = "happy" },
    { relative_path = "src/c.py", view_mode = "masked", ast_mask = { "C.run" = "def", "C.stop" = "full", helper = "agg", gone = "fold" } },
    { path = "src/d.py", view_mode = "custom", custom_slices = [
        { start_line = 3, end_line = 9, tag = "core", comment = "why", content_hash = "ab", anchor_lines = ["x"], radius = 2 },
        { start_line = 9, end_line = 3 },
    ] },
    { path = "src/e.py", view_mode = "upside_down", tier = 9 },
    { view_mode = "full" },
    "",
]

[screenshots]
base_dir = "/home/someone/pictures"
paths = ["a.png", { path = "b.png" }, 7]

[discussion]
active = "main"
roles = ["User", "AI"]

[discussion.discussions.main]
git_commit = "abc"
history = ["User: hello", { role = "AI", content = "hi", collapsed = true }]

[discussion.discussions.other_take_1]
history = []

[aggregation]
default_mode = "summarize"
cache_enabled = true
cache_dir = ".slop_cache"

[context_presets.parser]
description = ""
files = ["src/p.py"]
screenshots = []

[presets.terse]
system_prompt = "Say little."
temperature = 0.2

[personas.reviewer]
system_prompt = "You review."
preferred_models = [
    { provider = "anthropic", model = "m", temperature = 0.1, top_p = 1, max_output_tokens = 4096, extra = 1 },
    { provider = "gemini" },
]
tool_preset = "all"
bias_profile = "none"
context_preset = "parser"
aggregation_strategy = "full"

[personas.lost]
context_preset = "nowhere"

[ai]
provider = "gemini"
model = "g"
"#;

fn told(imported: &ImportedProject) -> String {
    let note = |note: &contexture_core::Note| match &note.hint {
        Some(hint) => format!("{note} ({hint})\n"),
        None => format!("{note}\n"),
    };
    imported.notes.iter().map(note).collect()
}

fn loaded(imported: &ImportedProject) -> Config {
    let dir = tempfile::tempdir().unwrap();
    std::fs::write(dir.path().join(config::PROJECT_FILE), &imported.text).unwrap();
    let env = Env { cwd: dir.path().into(), ..Env::default() };
    config::load(dir.path(), &env, &[], None).unwrap_or_else(|error| panic!("{error}\n{}", imported.text))
}

fn imported(text: &str) -> ImportedProject {
    import(text, "manual_slop.toml", None).unwrap()
}

#[test]
fn a_whole_project() {
    let all = imported(PROJECT);
    assert_snapshot!(all.text, @r#"
    [project]
    name = "demo"
    summary_only = true
    execution_mode = "beads"

    [output]
    dir = "./md_gen"
    namespace = "demo"

    [files]
    base_dir = "."
    paths = [
        "src/**/*.py",
        { path = "src/a.py", view_mode = "masked", selected = true, ast_signatures = true, injected_at = 17.5 },
        { path = "src/b.py", view_mode = "summary", mood = "happy" },
        { path = "src/c.py", view_mode = "masked", ast_mask = { "C.run" = "def", "C.stop" = "def", helper = "sig" } },
        { path = "src/d.py", view_mode = "custom", custom_slices = [{ start_line = 3, end_line = 9, tag = "core", comment = "why", content_hash = "ab", anchor_lines = ["x"], radius = 2 }] },
        "src/e.py",
    ]

    [screenshots]
    paths = [
        "a.png",
        "b.png",
    ]

    [discussion]
    history = [
        "User: hello",
        { role = "AI", content = "hi", collapsed = true },
    ]

    [aggregation]
    default_mode = "summarize"
    cache_enabled = true

    [presets.parser]
    files = ["src/p.py"]
    screenshots = []

    [personas.terse]
    system_prompt = "Say little."

    [personas.reviewer]
    system_prompt = "You review."
    preferred_models = [{ provider = "anthropic", model = "m", temperature = 0.1, top_p = 1, max_output_tokens = 4096 }]
    context_preset = "parser"
    aggregation_strategy = "full"

    [personas.lost]
    "#);
    assert_snapshot!(told(&all), @r#"
    manual_slop.toml:4: `project.git_dir` has no counterpart and was left out
    manual_slop.toml:5: `project.system_prompt` has no counterpart and was left out (a persona has one: `[personas.NAME] system_prompt`)
    manual_slop.toml:6: `project.main_context` has no counterpart and was left out (add the file to `files.paths`)
    manual_slop.toml:16: `files.tier_assignments` has no counterpart and was left out
    manual_slop.toml:21: `files.paths[3].ast_mask.helper` = "agg" became "sig"
    manual_slop.toml:21: `files.paths[3].ast_mask.gone` was left out: a symbol is `def`, `sig` or `hide`
    manual_slop.toml:24: `files.paths[4].custom_slices[1]` was left out: `entry.custom_slices[0]` ends before it starts: `end_line = 3`, `start_line = 9`
    manual_slop.toml:26: `files.paths[5].view_mode` was left out: `entry.view_mode` must be one of `full`, `diff`, `skeleton`, `custom`, `masked`, `outline`, `summary`, `name`, `none`, found: `"upside_down"`
    manual_slop.toml:26: `files.paths[5].tier` was left out: `entry.tier` must be a whole number from 1 to 4, found: `9`
    manual_slop.toml:27: `files.paths[6]` has no path and was left out
    manual_slop.toml:28: `files.paths[7]` was left out: `files.paths[7]` is an empty path
    manual_slop.toml:32: `screenshots.base_dir` leads out of the project and was left out (put contexture.toml into that folder, or name it with `--root DIR`)
    manual_slop.toml:33: `screenshots.paths[2]` has no path and was left out
    manual_slop.toml:37: `discussion.roles` has no counterpart and was left out
    manual_slop.toml:40: `discussion.discussions.main.git_commit` has no counterpart and was left out
    manual_slop.toml:43: `discussion.discussions.other_take_1` is not the active discussion and was left out
    manual_slop.toml:49: `aggregation.cache_dir` was left out: a cache that comes with a project is not trusted (`contexture config set --global aggregation.cache_dir DIR`)
    manual_slop.toml:58: `presets.terse.temperature` was left out: it is of no model, which has a `provider` and a `model`
    manual_slop.toml:63: `personas.reviewer.preferred_models[0].extra` has no counterpart and was left out
    manual_slop.toml:64: `personas.reviewer.preferred_models[1]` names no model with a provider: its model was left out
    manual_slop.toml:66: `personas.reviewer.tool_preset` has no counterpart and was left out
    manual_slop.toml:67: `personas.reviewer.bias_profile` has no counterpart and was left out
    manual_slop.toml:75: `ai.provider` has no counterpart and was left out
    manual_slop.toml:76: `ai.model` has no counterpart and was left out
    manual_slop.toml:72: `personas.lost.context_preset = "nowhere"` was left out: this file has no such name in `presets`
    "#);
    let config = loaded(&all);
    let files = config.files.paths.unwrap();
    assert_eq!(files[1].view_mode, Some(Level::Masked));
    assert!(files[1].ast_signatures && files[1].selected);
    assert_eq!(files[2].view_mode, Some(Level::Summary));
    assert_eq!(files[3].ast_mask["helper"], SymbolMode::Sig);
    assert_eq!(files[4].custom_slices.len(), 1);
    assert_eq!(config.discussion.history.len(), 2);
}

#[test]
fn beads_in_three_spellings() {
    let mode = |text: &str| {
        let all = imported(text);
        (loaded(&all).project.execution_mode, all.notes.len())
    };
    assert_eq!(mode("[project]\nexecution_mode = \"beads\"\n"), (ExecutionMode::Beads, 0));
    assert_eq!(mode("[project]\nmode = \"beads\"\n"), (ExecutionMode::Beads, 0));
    assert_eq!(mode("[beads]\nenabled = true\n"), (ExecutionMode::Beads, 0));
    assert_eq!(mode("[project]\nmode = \"native\"\n[beads]\nenabled = false\n"), (ExecutionMode::Standard, 0));
    // The first one holds, and the other is told.
    assert_eq!(mode("[project]\nmode = \"native\"\n[beads]\nenabled = true\n"), (ExecutionMode::Standard, 1));
}

#[test]
fn older_shapes() {
    let all = imported(
        "namespace = \"n\"\noutput_dir = \"out\"\nfiles = [\"a.py\"]\nscreenshots = [\"p.png\"]\nhistory = \"one\"\n\
         [[personas]]\nname = \"x\"\nprovider = \"openai\"\nmodel = \"m\"\ntemperature = -1.0\n\
         [[context_presets]]\nname = \"y\"\nfiles = [\"b\"]\n[[context_presets]]\nfiles = [\"c\"]\n",
    );
    assert_snapshot!(all.text, @r#"
    [output]
    namespace = "n"
    dir = "out"

    [files]
    paths = ["a.py"]

    [screenshots]
    paths = ["p.png"]

    [discussion]
    history = ["one"]

    [presets.y]
    files = ["b"]

    [personas.x]
    preferred_models = [{ provider = "openai", model = "m" }]
    "#);
    assert_snapshot!(told(&all), @r"
    manual_slop.toml:10: `personas[0].temperature` was left out: `x[0].temperature` must be a number from 0 to 2, found: `-1.0`
    manual_slop.toml:15: `context_presets[1]` has no name and was left out
    ");
    loaded(&all);
}

#[test]
fn a_preset_with_files_and_a_prompt_is_both() {
    let all = imported(
        "[context_presets.c]\nsystem_prompt = \"Say little.\"\ndescription = \"Parsing\"\nfiles = [\"p.py\"]\ntier = 2\n\
         [[presets]]\nname = \"d\"\nsystem_prompt = \"a\"\nscreenshots = [\"p.png\"]\n\
         [[presets]]\nname = \"e\"\nsystem_prompt = \"b\"\nfiles = []\n",
    );
    assert_snapshot!(all.text, @r#"
    [presets.c]
    description = "Parsing"
    files = ["p.py"]

    [presets.d]
    screenshots = ["p.png"]

    [personas.c]
    system_prompt = "Say little."
    tier = 2
    context_preset = "c"

    [personas.d]
    system_prompt = "a"
    context_preset = "d"

    [personas.e]
    system_prompt = "b"
    "#);
    assert_eq!(told(&all), "");
    assert_eq!(loaded(&all).personas["c"].context_preset.as_deref(), Some("c"));
    // Of a name that another preset has, only the first is one.
    let twice = imported("[presets.c]\nfiles = [\"a\"]\n[context_presets.c]\nsystem_prompt = \"s\"\nfiles = [\"b\"]\n");
    assert_snapshot!(twice.text, @r#"
    [presets.c]
    files = ["a"]

    [personas.c]
    system_prompt = "s"
    "#);
    assert_snapshot!(told(&twice), @"manual_slop.toml:5: `context_presets.c` was left out: the name is taken already");
}

#[test]
fn the_history_beside_the_project() {
    let dir = tempfile::tempdir().unwrap();
    let file = dir.path().join("manual_slop.toml");
    let beside = dir.path().join("manual_slop_history.toml");
    let read = || import_file(&file, "manual_slop.toml", dir.path()).unwrap();
    std::fs::write(&file, "[project]\nname = \"x\"\n").unwrap();
    assert!(loaded(&read()).discussion.history_file.is_none());
    std::fs::write(&beside, "history = [\"said\"]\n").unwrap();
    assert_eq!(loaded(&read()).discussion.history_file.as_deref(), Some("manual_slop_history.toml"));
    // One of several discussions is taken into the project itself.
    std::fs::write(
        &beside,
        "active = \"b\"\n[discussions.a]\nhistory = [\"1\"]\n[discussions.b]\nhistory = [\"2\", \"3\"]\n",
    )
    .unwrap();
    let all = read();
    assert_eq!(loaded(&all).discussion.history.len(), 2);
    assert_snapshot!(told(&all), @"manual_slop_history.toml: `discussion.discussions.a` is not the active discussion and was left out");
    std::fs::write(&file, "[discussion]\nhistory = [\"here\"]\n").unwrap();
    assert_snapshot!(told(&read()), @"manual_slop_history.toml: was left out: the project itself has a discussion");
    assert!(import_file(&dir.path().join("none.toml"), "none.toml", dir.path()).is_err());
    assert!(import_file(dir.path(), "folder", dir.path()).is_err());
    let elsewhere = tempfile::tempdir().unwrap();
    std::fs::write(&file, "").unwrap();
    let all = import_file(&file, "manual_slop.toml", elsewhere.path()).unwrap();
    assert!(told(&all).contains("it lies outside of the folder that the new file is for"), "{}", told(&all));
}

#[test]
fn twenty_thousand_presets_take_no_time_to_speak_of() {
    let text: String = (0..20_000).map(|n| format!("[presets.p{n}]\nfiles = [\"a\"]\n")).collect();
    let all = imported(&text);
    assert_eq!(loaded(&all).presets.len(), 20_000);
}

#[test]
fn deep_nesting_is_told_and_left_out() {
    let deep = format!("[files]\npaths = [{{ path = \"a\", x = {}1{} }}]\n", "[".repeat(70), "]".repeat(70));
    let all = imported(&deep);
    assert!(told(&all).contains("`files.paths[0].x` was left out: it nests too deep"), "{}", told(&all));
    loaded(&all);
}

/// Words that mean something there, so that random files meet the odd cases often.
fn word() -> impl Strategy<Value = String> {
    prop::sample::select(vec![
        "project",
        "output",
        "files",
        "screenshots",
        "discussion",
        "aggregation",
        "presets",
        "context_presets",
        "personas",
        "beads",
        "name",
        "namespace",
        "output_dir",
        "base_dir",
        "paths",
        "history",
        "discussions",
        "active",
        "main",
        "mode",
        "execution_mode",
        "enabled",
        "summary_only",
        "strategy",
        "persona",
        "path",
        "relative_path",
        "view_mode",
        "ast_mask",
        "custom_slices",
        "start_line",
        "end_line",
        "tier",
        "system_prompt",
        "preferred_models",
        "provider",
        "model",
        "temperature",
        "context_preset",
        "description",
        "default_mode",
        "cache_dir",
        "\"odd name\"",
        "\"\"",
        "x",
    ])
    .prop_map(String::from)
}

fn value() -> impl Strategy<Value = String> {
    let leaf = prop_oneof![
        4 => prop::sample::select(vec![
            "\"beads\"", "\"full\"", "\"sig\"", "\"agg\"", "\"\"", "\"a/b.py\"", "\"../x\"", "\"\\u0000\"", "\"\\u001b[2J\"",
            "true", "false", "0", "-1", "3", "9223372036854775807", "1.5", "nan", "inf", "2026-01-01", "12:00:00", "\"main\"",
        ]).prop_map(String::from),
        1 => "[ -!#-\\[\\]-~]{0,12}".prop_map(|text| format!("\"{text}\"")),
    ];
    leaf.prop_recursive(4, 24, 4, |inner| {
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..4).prop_map(|list| format!("[{}]", list.join(", "))),
            prop::collection::btree_map(word(), inner, 0..4).prop_map(|map| {
                let fields: Vec<String> = map.iter().map(|(key, value)| format!("{key} = {value}")).collect();
                format!("{{ {} }}", fields.join(", "))
            }),
        ]
    })
}

fn document() -> impl Strategy<Value = String> {
    let path = prop::collection::vec(word(), 1..4).prop_map(|path| path.join("."));
    let sections = prop::collection::btree_map(path, prop::collection::btree_map(word(), value(), 0..5), 0..6);
    (prop::collection::btree_map(word(), value(), 0..4), sections).prop_map(|(top, sections)| {
        let keys = |keys: &std::collections::BTreeMap<String, String>| {
            keys.iter().map(|(key, value)| format!("{key} = {value}\n")).collect::<String>()
        };
        let tables: String = sections.iter().map(|(path, fields)| format!("[{path}]\n{}", keys(fields))).collect();
        format!("{}{tables}", keys(&top))
    })
}

proptest! {
    #![proptest_config(ProptestConfig { cases: 400, failure_persistence: None, ..ProptestConfig::default() })]
    #[test]
    fn what_is_imported_loads(text in document(), history in prop::option::of(document())) {
        let history = history.as_deref().map(|text| HistoryFile { name: "x_history.toml", text });
        if let Ok(all) = import(&text, "manual_slop.toml", history) {
            loaded(&all);
        }
    }

    #[test]
    fn any_text_is_a_project_or_an_error(text in "[\\[\\]{}=\", a-z\n.#0-9\\\\-]{0,80}") {
        if let Ok(all) = import(&text, "m.toml", Some(HistoryFile { name: "h", text: &text })) {
            loaded(&all);
        }
    }

    #[test]
    fn any_bytes_in_the_file(bytes in prop::collection::vec(any::<u8>(), 0..200)) {
        let dir = tempfile::tempdir().unwrap();
        std::fs::write(dir.path().join("m.toml"), bytes).unwrap();
        let _ = import_file(&dir.path().join("m.toml"), "m.toml", Path::new("."));
    }
}

#[test]
fn what_cannot_be_used_is_told_and_nothing_leads_out() {
    let imported = import(
        r#"
[output]
namespace = "../x"

[files]
paths = ["../secret.txt", "/etc/passwd", { path = "a/../../b" }, "src/*.py"]

[screenshots]
paths = ["../shot.png", "C:\\shot.png", "shot.png"]

[discussion]
history = [5, "said", [1]]

[presets.one]
files = ["~/x"]

[personas.hot]
preferred_models = [{ provider = "openai", model = "m", temperature = 9, top_p = 1.5 }]
"#,
        "manual_slop.toml",
        None,
    )
    .unwrap();
    assert_snapshot!(imported.text, @r#"
    [files]
    paths = ["src/*.py"]

    [screenshots]
    paths = ["shot.png"]

    [discussion]
    history = ["said"]

    [presets.one]
    files = []

    [personas.hot]
    preferred_models = [{ provider = "openai", model = "m" }]
    "#);
    assert_snapshot!(imported.notes.iter().map(ToString::to_string).collect::<Vec<_>>().join("\n"), @"
    manual_slop.toml:3: `output.namespace` was left out: namespace cannot be used in a file name: `../x`: it starts with a dot
    manual_slop.toml:6: `files.paths[0]` leads out of the project and was left out
    manual_slop.toml:6: `files.paths[1]` leads out of the project and was left out
    manual_slop.toml:6: `files.paths[2]` leads out of the project and was left out
    manual_slop.toml:9: `screenshots.paths[0]` leads out of the project and was left out
    manual_slop.toml:9: `screenshots.paths[1]` leads out of the project and was left out
    manual_slop.toml:12: `discussion.history[0]` is no text and was left out
    manual_slop.toml:12: `discussion.history[2]` is no text and was left out
    manual_slop.toml:15: `presets.one.files[0]` leads out of the project and was left out
    manual_slop.toml:18: `personas.hot.preferred_models[0].temperature` was left out: `hot[0].temperature` must be a number from 0 to 2, found: `9`
    manual_slop.toml:18: `personas.hot.preferred_models[0].top_p` was left out: `hot[0].top_p` must be a number from 0 to 1, found: `1.5`
    ");
    let file = import("[discussion]\nhistory_file = \"../h.toml\"\n", "m.toml", None).unwrap();
    assert!(file.text.is_empty() && file.notes[0].text.contains("leads out of the project"), "{file:?}");
}

#[test]
fn an_absolute_path_within_the_project_is_taken_from_there() {
    let dir = tempfile::tempdir().unwrap();
    let root = dir.path().canonicalize().unwrap();
    let file = root.join("manual_slop.toml");
    std::fs::write(&file, format!("[files]\npaths = [{:?}]\n", root.join("src/a.py"))).unwrap();
    let imported = import_file(&file, "manual_slop.toml", &root).unwrap();
    assert!(imported.text.contains("\"src/a.py\"") && imported.notes.is_empty(), "{imported:?}");
}
