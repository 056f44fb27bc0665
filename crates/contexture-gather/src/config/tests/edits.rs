//! Edits by example: what changes, and that nothing else does.

use super::super::edit::*;
use super::*;

const FILE: &str = "\
# my project
[project] # the head
name = \"old\"   # keep me

# about files
[files]
paths = [ # the list
    \"a\", # first
    # a group
    { path = \"b\", view_mode = \"outline\", mine = 1 }, # second
    'c',

    # the end
]
";

fn entries(list: &str) -> Vec<PathEntry> {
    let value: serde_json::Value = serde_json::from_str(list).unwrap();
    value.as_array().unwrap().iter().map(|value| PathEntry::from_json(value).unwrap()).collect()
}

#[test]
fn a_value_changes_and_its_comment_stays() {
    assert_eq!(set_key(FILE, "project.name", "new \"x\"").unwrap(), FILE.replace("\"old\"", r#""new \"x\"""#));
    assert_eq!(set_key(FILE, "project.name", "old").unwrap(), FILE);
}

#[test]
fn new_keys_and_sections() {
    assert_snapshot!(set_key("[project] # head\nname = \"x\" # tail\n[output]\n", "project.strategy", "full").unwrap(), @r#"
    [project] # head
    name = "x" # tail
    strategy = "full"
    [output]
    "#);
    assert_snapshot!(set_key("", "budget.max_tokens", "9").unwrap(), @"
    [budget]
    max_tokens = 9
    ");
    assert_snapshot!(set_key("[output]\nkeep = 1", "output.dir", "o").unwrap(), @r#"
    [output]
    keep = 1
    dir = "o"
    "#);
    assert_snapshot!(set_key("project.name = \"x\"\n[output]\n", "project.strategy", "full").unwrap(), @r#"
    project.name = "x"
    project.strategy = "full"
    [output]
    "#);
    assert_snapshot!(set_key("project = { name = \"x\" } # c\n", "project.strategy", "full").unwrap(), @r#"project = { name = "x", strategy = "full" } # c"#);
    assert_snapshot!(set_key("project = {}\n", "project.strategy", "full").unwrap(), @r#"project = { strategy = "full" }"#);
    assert_snapshot!(set_key("[presets.a]\n", "presets.\"b c\".files", "x").unwrap(), @r#"
    [presets.a]

    [presets."b c"]
    files = ["x"]
    "#);
    assert_snapshot!(set_key("[[files.paths]]\npath = \"a\"\n", "files.base_dir", "src").unwrap(), @r#"
    [[files.paths]]
    path = "a"

    [files]
    base_dir = "src"
    "#);
    assert_eq!(
        set_key("[output]\r\nkeep = 1\r\n", "output.dir", "o").unwrap(),
        "[output]\r\nkeep = 1\r\ndir = \"o\"\r\n"
    );
    assert_eq!(set_key("\u{feff}[output]", "output.dir", "o").unwrap(), "\u{feff}[output]\ndir = \"o\"\n");
}

#[test]
fn a_key_is_set_under_its_explanation() {
    let text = set_key(&template(), "project.strategy", "full").unwrap();
    assert!(text.contains("# strategy = \"auto\"\nstrategy = \"full\"\n"), "{text}");
    let text = set_key(&text, "project.name", "x").unwrap();
    assert!(text.contains("# name = \"my-project\"\nname = \"x\"\n"), "{text}");
    assert_eq!(unset_key(&unset_key(&text, "project.name").unwrap(), "project.strategy").unwrap(), template());
}

#[test]
fn edits_that_are_refused() {
    let refused = [
        set_key(FILE, "project.nam", "x"),
        set_key(FILE, "project.summary_only", "perhaps"),
        set_key("[project]\nx = 1\n", "project.name", "x"),
        set_key("x = \n", "project.name", "x"),
        set_key(FILE, "presets.a b.files", "x"),
        set_key("project = 1", "project.name", "x"),
        remove_preset("presets = { a = { files = [] } }\n", "a"),
    ];
    let refused = refused.map(|result| told(&result.unwrap_err()).replace("\nhint: ", " / "));
    assert_snapshot!(refused.join("\n"), @r#"
    unknown key: `project.nam` / did you mean `name`?
    `project.summary_only` must be `true` or `false`, found a string: `"perhaps"` / for example `summary_only = true`
    unknown key: `project.x` / `contexture config --origins` lists every key
    not a value; strings must be in quotes / for example `name = "text"`
    not a key: `presets.a b.files` / put an odd name in quotes: `presets."my preset".files`
    `project` must be a section, found a whole number: `1`
    `presets.a` stands in an inline table / take it out by hand
    "#);
    // A wrong value can be mended.
    assert!(set_key("[project]\nstrategy = \"ful\"\n", "project.strategy", "full").is_ok());
}

#[test]
fn the_composition_keeps_what_stays() {
    let same = entries(r#"["a", {"path": "b", "view_mode": "outline", "mine": 1}, "c"]"#);
    assert_eq!(set_files(FILE, &same).unwrap(), FILE);
    let other = entries(r#"["c", "a", {"path": "d", "tier": 2}]"#);
    assert_snapshot!(set_files(FILE, &other).unwrap(), @r#"
    # my project
    [project] # the head
    name = "old"   # keep me

    # about files
    [files]
    paths = [ # the list
        # a group
        'c',
        "a", # first
        { path = "d", tier = 2 },

        # the end
    ]
    "#);
    assert_snapshot!(set_files(FILE, &[]).unwrap(), @r#"
    # my project
    [project] # the head
    name = "old"   # keep me

    # about files
    [files]
    paths = [ # the list
        # a group

        # the end
    ]
    "#);
    assert_snapshot!(set_files("[files]\npaths = ['a', \"b\"] # all\n", &entries(r#"["b", "a", "c"]"#)).unwrap(), @r#"
    [files]
    paths = ["b", 'a', "c"] # all
    "#);
    assert_snapshot!(set_files("", &entries(r#"["a"]"#)).unwrap(), @r#"
    [files]
    paths = ["a"]
    "#);
    let long: Vec<PathEntry> = (0..6).map(|n| PathEntry::new(format!("src/a/long/path/number/{n}.rs"))).collect();
    assert_snapshot!(set_files("", &long).unwrap(), @r#"
    [files]
    paths = [
        "src/a/long/path/number/0.rs",
        "src/a/long/path/number/1.rs",
        "src/a/long/path/number/2.rs",
        "src/a/long/path/number/3.rs",
        "src/a/long/path/number/4.rs",
        "src/a/long/path/number/5.rs",
    ]
    "#);
    assert_eq!(
        set_files(&set_files("", &long).unwrap(), &long[..1]).unwrap(),
        "[files]\npaths = [\n    \"src/a/long/path/number/0.rs\",\n]\n"
    );
    assert_snapshot!(set_screenshots("[screenshots]\npaths = [\"a.png\"]\n", &["b.png".into()]).unwrap(), @r#"
    [screenshots]
    paths = ["b.png"]
    "#);
}

#[test]
fn a_composition_written_as_sections() {
    let text = "\
[files]
base_dir = \".\"

# one
[[files.paths]]
path = \"a\" # first
tier = 1

# two
[[files.paths]]
path = \"b\"
[files.paths.ast_mask]
f = \"def\"

[output]
keep = 1
";
    let other = entries(r#"[{"path": "b", "ast_mask": {"f": "def"}}, {"path": "n", "tier": 2}]"#);
    assert_snapshot!(set_files(text, &other).unwrap(), @r#"
    [files]
    base_dir = "."

    # two
    [[files.paths]]
    path = "b"
    [files.paths.ast_mask]
    f = "def"
    [[files.paths]]
    path = "n"
    tier = 2

    [output]
    keep = 1
    "#);
    assert_snapshot!(set_files(text, &[]).unwrap(), @r#"
    [files]
    base_dir = "."
    paths = []

    [output]
    keep = 1
    "#);
}

#[test]
fn presets_come_and_go() {
    let preset = |name: &str, files: &str| Preset {
        name: name.into(),
        description: Some("what for".into()),
        files: entries(files),
        screenshots: vec!["x.png".into()],
        scope: Scope::Project,
    };
    let saved = save_preset(FILE, &preset("my preset", r#"["a"]"#)).unwrap();
    assert_snapshot!(saved.strip_prefix(FILE).unwrap().trim_start(), @r#"
    [presets."my preset"]
    description = "what for"
    files = ["a"]
    screenshots = ["x.png"]
    "#);
    let bare = Preset { description: None, screenshots: vec![], ..preset("my preset", r#"["a", "b"]"#) };
    assert_snapshot!(save_preset(&saved, &bare).unwrap().strip_prefix(FILE).unwrap().trim_start(), @r#"
    [presets."my preset"]
    files = ["a", "b"]
    "#);
    assert_eq!(remove_preset(&saved, "my preset").unwrap(), FILE);
    assert_eq!(remove_preset(FILE, "none").unwrap(), FILE);
    let text = "[project]\nname = \"x\"\n# not about a\n\n# about a\n[presets.a]\nfiles = []\n\n[output]\nkeep = 1\n";
    assert_eq!(remove_preset(text, "a").unwrap(), "[project]\nname = \"x\"\n# not about a\n\n[output]\nkeep = 1\n");
}

#[test]
fn files_are_replaced_whole() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("deep/er/contexture.toml");
    assert!(edit_file(&path, |text| set_key(text, "project.name", "x")).unwrap());
    assert!(!edit_file(&path, |text| set_key(text, "project.name", "x")).unwrap());
    assert_eq!(fs::read_to_string(&path).unwrap(), "[project]\nname = \"x\"\n");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        fs::set_permissions(&path, fs::Permissions::from_mode(0o600)).unwrap();
        let link = folder.path().join("link.toml");
        std::os::unix::fs::symlink(&path, &link).unwrap();
        write_file(&link, "[project]\n").unwrap();
        assert!(link.symlink_metadata().unwrap().is_symlink());
        assert_eq!(fs::metadata(&path).unwrap().permissions().mode() & 0o777, 0o600);
    }
    let error = edit_file(&path, |text| set_key(text, "project.nam", "x")).unwrap_err();
    assert_eq!(error.to_string(), "unknown key: `project.nam`");
    fs::write(&path, "x").unwrap();
    let error = edit_file(&path, |text| set_key(text, "project.name", "x")).unwrap_err();
    assert!(error.to_string().starts_with(&format!("{}:1:2: ", path.display())));
    assert_eq!(fs::read_to_string(&path).unwrap(), "x");
    assert_eq!(fs::read_dir(path.parent().unwrap()).unwrap().count(), 1);
}

#[test]
fn two_editors_at_once_lose_nothing() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("contexture.toml");
    std::thread::scope(|scope| {
        for editor in 0..4 {
            let path = &path;
            scope.spawn(move || {
                for number in 0..5 {
                    let key = format!("presets.p{editor}-{number}.files");
                    edit_file(path, |text| set_key(text, &key, "a")).unwrap();
                }
            });
        }
    });
    let text = fs::read_to_string(&path).unwrap();
    assert_eq!(text.matches("[presets.").count(), 20);
}
