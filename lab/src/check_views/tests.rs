//! Tests of the judges themselves: they must find what is wrong, and blame ctags only where the tree shows it.

use super::packages::{LANGUAGES, PACKAGES};
use super::{causes, ctags, definition, ours, python, report, rust_items};
use std::collections::BTreeSet;
use std::path::Path;

#[test]
fn every_package_is_there_for_known_languages_and_every_language_has_three() {
    for package in PACKAGES {
        for key in package.languages {
            assert!(LANGUAGES.iter().any(|language| language.key == *key), "{} for {key}", package.name);
        }
    }
    for language in LANGUAGES {
        let names: BTreeSet<&str> = PACKAGES
            .iter()
            .filter(|package| package.languages.contains(&language.key))
            .map(|package| package.name)
            .collect();
        assert!(names.len() >= 3, "{} has only {names:?}", language.key);
    }
}

/// A language without packages is not judged; those that are, stay so.
#[test]
fn every_language_with_packages_has_a_judge() {
    assert!(LANGUAGES.len() >= 17);
    for language in LANGUAGES {
        let is_ours = contexture_syntax::LANGUAGES.iter().any(|ours| ours.fence == language.key);
        assert!(is_ours && ctags::knows(language.key), "{}", language.key);
    }
}

#[test]
fn names_are_compared_without_what_only_one_side_writes() {
    assert_eq!(ctags::plain("cpp", "operator =="), ctags::plain("cpp", "operator=="));
    assert_eq!(ctags::plain("lua", "M.sub:run"), "run");
    assert_eq!(ctags::plain("csharp", "ICollection.CopyTo"), "CopyTo");
    assert_eq!(ctags::plain("csharp", "operator bool"), "bool");
    assert_eq!(ctags::plain("lua", "{__call"), "__call");
    assert_eq!(ctags::plain("javascript", "#hidden"), "hidden");
    assert_eq!(ctags::plain("ruby", "a.b"), "a.b");
}

#[test]
fn words_are_found_whole() {
    let found = |line, word| causes::find_words(line, word).collect::<Vec<_>>();
    assert_eq!(found("interface { f(); f }", "f"), [12, 17]);
    assert_eq!(found("iff", "f"), [0; 0]);
    assert_eq!(found("a == b", "=="), [2]);
}

/// What stands at the last place of a word in JavaScript, as the judge of ctags' mistakes sees it.
fn javascript(text: &str, kind: &str, word: &str) -> Option<&'static str> {
    let language = contexture_syntax::by_name("JavaScript").unwrap();
    let mut parser = tree_sitter::Parser::new();
    parser.set_language(&(language.grammar.unwrap())()).unwrap();
    let tree = parser.parse(text, None).unwrap();
    let at = causes::find_words(text, word).last().unwrap();
    let node = tree.root_node().descendant_for_byte_range(at, at + word.len()).unwrap();
    definition::missing("javascript", kind, node)
}

#[test]
fn definitions_are_never_called_mistakes() {
    for text in [
        "function f() {}",
        "const f = () => 1;",
        "x.f = function () {};",
        "x['f'] = a = function () {};",
        "x = { f: function () {} };",
        "x = { 'f': () => 1 };",
        "x = { f() {} };",
        "class A { f() {} }",
        "class A { f = () => 1 }",
    ] {
        assert_eq!(javascript(text, "function", "f"), None, "{text}");
    }
    assert_eq!(javascript("class A {}", "class", "A"), None);
    assert_eq!(javascript("x.A = class {}", "class", "A"), None);
}

#[test]
fn what_is_no_definition_is_told() {
    let told = [
        javascript("x = { options: { a: 1 } }", "class", "options"),
        javascript("C.prototype.f = other;", "method", "f"),
        javascript("return_(f());", "function", "f"),
        javascript("switch (a) { case 1: }", "class", "case"),
        javascript("C.prototype[name] = function () {};", "function", "C"),
    ];
    assert_eq!(
        told.map(Option::unwrap_or_default),
        [
            "an object for a class",
            "something assigned that is no function",
            "a call",
            "a keyword",
            "a name that is used"
        ]
    );
}

#[test]
fn a_declaring_word_before_the_name_outweighs_the_tree() {
    let declared = |line: &str, word: &str| causes::is_declared(line, causes::find_words(line, word).last().unwrap());
    assert!(declared("internal expect annotation class Local()", "Local"));
    assert!(declared("fun <T> List<T>.last(): T", "last"));
    assert!(declared("export default function* walk() {", "walk"));
    assert!(!declared("class Pair<A, B>", "B"));
    assert!(!declared("function f() { g() }", "g"));
}

fn rust(source: &str, skeleton: &str) -> Vec<String> {
    let symbols = ours::read("a.rs", source).unwrap().symbols;
    let verdict = rust_items::text_of(Path::new("a.rs"), source, &symbols, skeleton);
    verdict.problems.into_iter().map(|(_, line, told)| format!("{line} {told}")).collect()
}

#[test]
fn syn_sees_what_a_skeleton_loses() {
    let source = "/// Doc.\npub fn f(a: u8) -> u8 {\n    a\n}\n\nstruct S {\n    a: u8,\n}\n";
    assert!(rust(source, &source.replace("    a\n", "")).is_empty());
    assert_eq!(rust(source, &source.replace("/// Doc.\n", "")), ["2 changed in the skeleton, fn: f"]);
    assert_eq!(rust(source, &source.replace("    a: u8,\n", "")), ["6 changed in the skeleton, struct: S"]);
    assert_eq!(rust(source, &source.replace("u8 {", "u8 {{")).len(), 1);
}

#[test]
fn answers_of_the_python_judge_are_read() {
    let mut verdict = python::Verdict::default();
    python::note(&mut verdict, r#"{"path": "a.py", "definitions": 3, "problems": [["order differs", 7, "f"]]}"#)
        .unwrap();
    python::note(&mut verdict, r#"{"path": "b.py", "skipped": "source does not parse: line 1"}"#).unwrap();
    assert_eq!((verdict.compared, verdict.definitions, verdict.problems.len()), (1, 3, 1));
    assert_eq!(verdict.skipped.into_iter().collect::<Vec<_>>(), [("source does not parse".to_owned(), 1)]);
}

#[test]
fn figures_replace_what_stands_between_the_markers() {
    let old = "a\n<!-- check-views -->\nold\n<!-- /check-views -->\nb\n";
    assert_eq!(
        report::between(old, "new\n").as_deref(),
        Some("a\n<!-- check-views -->\nnew\n<!-- /check-views -->\nb\n")
    );
    assert_eq!(report::between("no markers", "new"), None);
}
