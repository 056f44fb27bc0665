//! Skills as people write them.

use super::*;
use proptest::prelude::*;

/// The skill that a text makes in the folder `demo`, and what is said about it.
fn show(text: &str) -> String {
    let folder = Folder::new(&[("skills/demo/SKILL.md", text)]);
    let workspace = folder.read();
    let said = notes(
        &workspace
            .notes
            .iter()
            .filter(|note| note.path.as_deref().is_some_and(|path| path.ends_with("SKILL.md")))
            .cloned()
            .collect::<Vec<_>>(),
    );
    let shown = workspace.skills.iter().map(|skill| {
        let flags =
            format!("{}{}", if skill.always { " always" } else { "" }, if skill.hidden { " hidden" } else { "" });
        format!("{}: {}{flags}\n{:?}\n", skill.name, skill.description, &*skill.body)
    });
    shown.collect::<String>() + &said
}

/// The original took the first line that is not empty, which is `---` here.
#[test]
fn defect_2_frontmatter_is_not_the_description() {
    insta::assert_snapshot!(show(&skill("demo", "Does it.")), @r#"
    demo: Does it.
    "Body of demo.\n"
    "#);
    insta::assert_snapshot!(show("\r\n---\r\nname: demo\r\ndescription: >\r\n  Folded\r\n  text.\r\n---\r\nBody\r\n"), @r#"
    demo: Folded text.
    "Body\r\n"
    "#);
}

#[test]
fn plain_form() {
    insta::assert_snapshot!(show("# Skill: Web Search\n\n## Description\nFinds\npages.\n\n## Parameters\n- `q` (string, required): words\n"), @r##"
    Web Search: Finds pages.
    "# Skill: Web Search\n\n## Description\nFinds\npages.\n\n## Parameters\n- `q` (string, required): words\n"
    "##);
    insta::assert_snapshot!(show("# Skill: x\n\n## Parameters\n- `q`\n"), @r"unread | skills/demo/SKILL.md: line 1: no text below `## Description`: skill left out");
    insta::assert_snapshot!(show("\n\n# Just a text\n"), @r"unread | skills/demo/SKILL.md: line 3: neither frontmatter nor `# Skill: Name`: skill left out");
}

#[test]
fn lenient_yaml() {
    insta::assert_snapshot!(show("---\nname: demo\ndescription: Use: when\n  it matters\nlicense: MIT\n---\nB"), @r#"
    demo: Use: when it matters
    "B"
    setting | skills/demo/SKILL.md: line 3: a value that is not valid YAML was taken as it stands
    "#);
    insta::assert_snapshot!(show("---\nname: demo\ndescription: `code` first\n---\n"), @r#"
    demo: `code` first
    ""
    setting | skills/demo/SKILL.md: line 3: a value that is not valid YAML was taken as it stands
    "#);
    insta::assert_snapshot!(show("---\nname: demo\ndescription: [beta] does it\n---\n"), @r#"
    demo: [beta] does it
    ""
    setting | skills/demo/SKILL.md: line 3: a value that is not valid YAML was taken as it stands
    "#);
    insta::assert_snapshot!(show("---\nname: on\ndescription: 12\n---\n"), @r#"
    on: 12
    ""
    setting | skills/demo/SKILL.md: line 2: `name` is not its folder's: `on`
    "#);
    insta::assert_snapshot!(show("---\ndescription: No name.\n---\n"), @r#"
    demo: No name.
    ""
    setting | skills/demo/SKILL.md: line 1: no `name`: the folder's is taken
    "#);
    insta::assert_snapshot!(show("---\nname: Demo Skill\ndescription: x\n---\n"), @r#"
    Demo Skill: x
    ""
    setting | skills/demo/SKILL.md: line 2: `name` should be of `a-z`, `0-9` and single hyphens: `Demo Skill`
    "#);
    insta::assert_snapshot!(show(&format!("---\nname: {}\ndescription: x\n---\n", "n".repeat(65))), @r#"
    nnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnnn: x
    ""
    setting | skills/demo/SKILL.md: line 2: `name` has 65 characters: at most 64
    "#);
    insta::assert_snapshot!(show("---\nname: other\ndescription: \"a\\nb\\tc\\e d\"\n---\n"), @r#"
    other: a b c d
    ""
    setting | skills/demo/SKILL.md: line 2: `name` is not its folder's: `other`
    "#);
}

#[test]
fn what_is_left_out_is_told_with_its_line() {
    insta::assert_snapshot!(show("---\nname: demo\nother: x\n---\n"), @r"unread | skills/demo/SKILL.md: line 1: no `description`: skill left out");
    insta::assert_snapshot!(show("---\nname: demo\ndescription:\n---\n"), @r"unread | skills/demo/SKILL.md: line 3: no `description`: skill left out");
    insta::assert_snapshot!(show("---\nname: demo\ndescription: [a, b]\n---\n"), @r"unread | skills/demo/SKILL.md: line 3: no `description`: skill left out");
    insta::assert_snapshot!(show("---\nname: demo\nbad: [1,\ndescription: x\n---\n"), @r#"
    demo: x
    ""
    setting | skills/demo/SKILL.md: line 3: a value that is not valid YAML was taken as it stands
    "#);
    insta::assert_snapshot!(show("---\nname: demo\n  bad: place\ndescription: x\n---\n"), @r"unread | skills/demo/SKILL.md: line 3: frontmatter cannot be read, mapping values are not allowed in this context: skill left out");
    insta::assert_snapshot!(show("---\nname: demo\ndescription: \0\n---\n"), @r"unread | skills/demo/SKILL.md: not text (unknown type): skill left out");
    insta::assert_snapshot!(show("---\nname: demo\ndescription: x\n"), @r"unread | skills/demo/SKILL.md: line 1: frontmatter is not closed by `---`: skill left out");
    insta::assert_snapshot!(show("---\n- a\n---\n"), @r"unread | skills/demo/SKILL.md: line 2: frontmatter cannot be read, not a list of `key: value`: skill left out");
    insta::assert_snapshot!(show("---\n---\n"), @r"unread | skills/demo/SKILL.md: line 1: no `description`: skill left out");
    insta::assert_snapshot!(show(""), @r"unread | skills/demo/SKILL.md: empty: skill left out");
}

#[test]
fn flags() {
    for matter in [
        "always: true",
        "metadata:\n  always: \"true\"",
        "metadata:\n  openclaw:\n    always: true",
        "metadata: {\"nanobot\": {\"always\": true}}",
        "metadata: '{\"nanobot\": {\"always\": true}}'",
        "metadata:\n  openclaw: '{\"always\": true}'",
    ] {
        let folder = Folder::new(&[("skills/a/SKILL.md", &format!("---\nname: a\ndescription: x\n{matter}\n---\n"))]);
        assert!(folder.read().skills[0].always, "{matter}");
    }
    let text = "---\nname: a\ndescription: x\ndisable-model-invocation: true\nalways: false\nmetadata: plain\n---\n";
    let workspace = Folder::new(&[("skills/a/SKILL.md", text)]).read();
    assert!(workspace.skills[0].hidden && !workspace.skills[0].always);
}

#[test]
fn a_long_description_is_cut() {
    let workspace = Folder::new(&[("skills/a/SKILL.md", &skill("a", &"ä".repeat(2000)))]).read();
    assert_eq!(workspace.skills[0].description.chars().count(), 1024);
    assert!(workspace.notes.iter().any(|note| note.text == "line 3: `description` of 2000 characters: cut at 1024"));
}

#[test]
fn hostile_yaml() {
    let bomb: String =
        (1..9).map(|n| format!("a{n}: &a{n} [{}]\n", vec![format!("*a{}", n - 1); 10].join(","))).collect();
    let deep: String = (0..3000).map(|depth| format!("{}a:\n", " ".repeat(depth))).collect();
    for matter in [
        format!("a0: &a0 [x]\n{bomb}"),
        format!("a: {}", "[".repeat(100_000)),
        format!("a: {}", "{a: ".repeat(50_000)),
        deep,
    ] {
        let text = format!("---\nname: a\n{matter}\ndescription: x\n---\n");
        let workspace = Folder::new(&[("skills/a/SKILL.md", &text), ("skills/b/SKILL.md", &skill("b", "x"))]).read();
        assert!(names(&workspace).contains(&"b"));
        let told = notes(&workspace.notes);
        assert!(told.contains("skills/a/SKILL.md: line ") && told.len() < 2000, "{told}");
    }
}

/// The original listed skills in the order of the disk, which is another one on every machine.
#[test]
fn defect_11_skills_are_sorted() {
    let mut orders = Vec::new();
    for seed in [1, 7, 11] {
        let folder = Folder::new(&[]);
        for n in 0..40 {
            let name = format!("s{}", n * seed % 40);
            folder.write(&format!("skills/{name}/SKILL.md"), skill(&name, "x"));
        }
        let workspace = folder.read();
        assert!(workspace.skills.is_sorted_by(|a, b| a.name.as_bytes() < b.name.as_bytes()));
        orders.push(format!("{:?} {}", workspace.skills, notes(&workspace.notes)));
    }
    assert!(orders.iter().all(|order| *order == orders[0]));
}

#[test]
fn nested_shadowed_and_of_a_project() {
    let folder = Folder::new(&[
        ("skills/top/SKILL.md", &skill("top", "workspace")),
        ("skills/top/inner/SKILL.md", &skill("inner", "inside of a skill: never looked at")),
        ("skills/a/b/c/deep/SKILL.md", &skill("deep", "depth four")),
        ("skills/a/b/c/d/deeper/SKILL.md", &skill("deeper", "depth five")),
        ("skills/node_modules/x/SKILL.md", &skill("x", "a package")),
        ("skills/twin/SKILL.md", &skill("top", "same name in the same source")),
        ("skills/README.md", "no skill"),
    ]);
    let project = Folder::new(&[
        (".agents/skills/top/SKILL.md", &skill("top", "agents")),
        (".agents/skills/mid/SKILL.md", &skill("mid", "agents")),
        (".claude/skills/mid/SKILL.md", &skill("mid", "claude")),
        (".claude/skills/low/SKILL.md", &skill("low", "claude")),
        (".claude/skills/deep/SKILL.md", &skill("deep", "depth four")),
    ]);
    let workspace = WorkspaceReader::new(folder.path()).project(project.path()).read();
    let all: String = workspace.skills.iter().map(|s| format!("{} {} {}\n", s.name, s.description, s.path)).collect();
    insta::assert_snapshot!(all + &notes(&workspace.notes), @r"
    deep depth four skills/a/b/c/deep/SKILL.md
    low claude .claude/skills/low/SKILL.md
    mid agents .agents/skills/mid/SKILL.md
    top workspace skills/top/SKILL.md
    empty | SOUL.md: file not found: the built-in default is used
    empty | AGENTS.md: file not found: the built-in default is used
    empty | TOOLS.md: file not found: the built-in default is used
    empty | memory/MEMORY.md: file not found: layer left out
    setting | skills/twin/SKILL.md: line 2: `name` is not its folder's: `top`
    setting | skills/twin/SKILL.md: skill `top` is shadowed: `skills/top/SKILL.md`
    setting | .agents/skills/top/SKILL.md: skill `top` is shadowed: `skills/top/SKILL.md`
    setting | .claude/skills/mid/SKILL.md: skill `mid` is shadowed: `.agents/skills/mid/SKILL.md`
    ");
}

#[test]
fn two_thousand_skills() {
    let folder = Folder::new(&[]);
    for n in 0..2000 {
        folder.write(&format!("skills/s{n:04}/SKILL.md"), skill(&format!("s{n:04}"), "x"));
    }
    let reader = WorkspaceReader::new(folder.path());
    assert_eq!(reader.read().skills.len(), 2000);
    assert_eq!(reader.reads(), 2000);
    reader.read();
    assert_eq!(reader.reads(), 0);
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(300))]
    #[test]
    fn any_frontmatter_is_a_skill_or_a_note(matter in r##"((name|description|metadata|always|x): ?|[-\[\]{}:'"#&*!|>%@` a-zä0\n\t,]|\n){0,40}"##, prefix in "(---\n)?(name: a\ndescription: )?") {
        let source = crate::layers::skills::SkillSource { text: &format!("{prefix}{matter}\n---\nbody").into(), folder: "a", path: "a/SKILL.md" };
        let mut said = Vec::new();
        match crate::layers::skills::parse(&source, &mut said) {
            Some(skill) => {
                prop_assert!(!skill.description.is_empty() && !skill.name.is_empty());
                let shown = skill.name.clone() + &skill.description;
                prop_assert!(!shown.contains(|c: char| c.is_control()));
            }
            None => prop_assert!(said.iter().any(|note| note.text.starts_with("line "))),
        }
    }
}
