//! A builder that is kept: opens what changed, and nothing else.

use super::*;

fn system(context: &WorkspaceContext) -> String {
    let context = context.build(&Session::default(), Some("Hello")).unwrap();
    shown(&context.messages).join("\n")
}

#[test]
fn nothing_is_read_again_when_nothing_changed() {
    let folder = full();
    let context = folder.context();
    let first = system(&context);
    assert_eq!(context.files_read(), 5);
    assert_eq!((system(&context), context.files_read()), (first.clone(), 0));
    // Clones share what is known.
    assert_eq!((system(&context.clone()), context.files_read()), (first.clone(), 0));
    assert_eq!((system(&context.clone().max_tokens(5_000)), context.files_read()), (first, 0));
}

#[test]
fn a_file_that_changed_came_or_went_is_seen() {
    let folder = full();
    let context = folder.context();
    system(&context);
    folder.write("SOUL.md", "I am Ada.\n");
    assert!(system(&context).contains("I am Ada."));
    assert_eq!(context.files_read(), 1);
    folder.write("skills/bake/SKILL.md", "---\nname: bake\ndescription: Bakes bread.\n---\n");
    assert!(system(&context).contains("- bake: Bakes bread.\n- brew: Brews tea."));
    assert_eq!(context.files_read(), 1);
    fs::remove_file(folder.path().join("memory/MEMORY.md")).unwrap();
    fs::remove_dir_all(folder.path().join("skills/brew")).unwrap();
    let now = system(&context);
    assert!(!now.contains("green tea") && !now.contains("brew"), "{now}");
    assert_eq!(context.files_read(), 0);
    folder.write("memory/MEMORY.md", "- likes black tea\n");
    assert!(system(&context).contains("likes black tea"));
}

#[test]
fn a_reused_builder_gives_the_same_context_as_a_new_one() {
    let folder = full();
    let kept = folder.context();
    let mut said = session(vec![user("Hello")]);
    for nth in 0..20 {
        said.messages.extend(session(vec![assistant(&format!("a{nth}")), user(&format!("q{nth}"))]).messages);
        folder.write("memory/MEMORY.md", &format!("- number {nth}\n"));
        let new = folder.context().build(&said, None).unwrap();
        let same = kept.build(&said, None).unwrap();
        assert_eq!(format!("{same:?}"), format!("{new:?}"));
    }
}
