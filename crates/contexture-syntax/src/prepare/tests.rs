//! What copies look like, and laws for any text.

use super::{bash, c, csharp, kotlin, swift, typescript};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

/// A copy has the length of its text, whatever is in it.
macro_rules! length_stays {
    ($($test:ident: $prepare:path, $pieces:expr;)*) => {
        proptest! {
            $(
                #[test]
                fn $test(parts in vec(select(&$pieces[..]), 0..60)) {
                    let text = parts.concat();
                    if let Some(made) = $prepare(&text) {
                        prop_assert_eq!(made.len(), text.len());
                    }
                }
            )*
        }
    };
}

length_stays! {
    length_stays_in_bash: bash::prepare, [
        "${", "$(", "$((", "((", "))", "(", ")", "{ ", "; }", "}", "f() ", "function g ", "if a; then ", "; fi",
        "for i in 1; do ", "; done", "case x in a) ", ";; ", "esac", "[[ a ", " ]]", "cat <<E ", "<<-'E'", "E\n",
        "\tE\n", "ö", "'", "\"", "`", "\\", "\n", "\r\n", "# c", "; ", " | ", " && ", "a=(", "b=1 ", "export ",
        " >x", "! ", "time ", "x", " ", "x%", "[", "8<>", " -o \\\n",
    ];
    length_stays_in_cpp: c::cpp, [
        "struct ", "a", "B", " ", "\n", "{", "}", "(", ")", "<", ">", "template ", "::", "*", ";", ",", "=", "\"",
        "'", "/*", "*/", "//", "\\", "\n#if X\n", "\n#endif\n", "\n#define ",
    ];
    length_stays_in_kotlin: kotlin::prepare, [
        "class ", "object ", "{", "}", " ", "\n", "constructor(", "internal ", "fun(", "a", "é", ")", "[]",
        "expect ", "annotation ", ";", "@A", "context(", ":",
    ];
    length_stays_in_swift: swift::prepare, [
        "/", "\\", "\\/", "= ", "(", "return ", "é", "a", "\n", " ", "\r\n", "#",
    ];
    length_stays_in_typescript: typescript::prepare, [
        "<", ">", ",", "`", "in ", "out ", "T", "é", "\n", " ", "(", ")", "/*", "*/", "//", "import(", "'", ").",
        "export type", "*",
    ];
}

proptest! {
    /// Whatever is blank was there before, and lines stay where they are.
    #[test]
    fn only_blanks_in_csharp(parts in vec(select(&[
        "\n#if X\n", "\n#elif Y\n", "\n # else\r\n", "\n#endif\n", "{", "}", "else ", "void f();", "ö", "\"", "@\"",
        "\"\"\"", "'", "/*", "*/", "//", "\\",
    ][..]), 0..40)) {
        let text = parts.concat();
        if let Some(made) = csharp::prepare(&text) {
            prop_assert_eq!(made.len(), text.len());
            let same = made.bytes().zip(text.bytes()).all(|(new, old)| new == old || (new == b' ' && old != b'\n'));
            prop_assert!(same);
        }
    }
}

#[test]
fn only_what_the_grammar_of_kotlin_cannot_read_changes() {
    let text = "@A\npublic annotation class B\nclass C\ninternal constructor(val x: Int = [])\nf(fun(a, b) {})\nobject D { fun g() {} }\n";
    let made = "@A\npublic            class B\nclass C internal constructor(val x: Int = 0 )\nf(fun(    ) {})\nobject D { fun g() {};}\n";
    assert_eq!(kotlin::prepare(text).as_deref(), Some(made));
    let text = "context(a: (B) -> C)\nprivate fun f(x: context(D) () -> E) {}\n@A context(F) fun g()\n";
    let made = "open                \nprivate fun f(x:            () -> E) {}\n@A open       fun g()\n";
    assert_eq!(kotlin::prepare(text).as_deref(), Some(made));
    assert_eq!(kotlin::prepare("fun context(a: A)\nfun f() {\n    context(a)\n    b.context(c) { fun }\n}\n"), None);
    assert_eq!(kotlin::prepare("class A {\n    val annotation = actual\n}\n"), None);
}

#[test]
fn only_slashes_in_expressions_of_swift_change() {
    let text = "let a = /b{2}\\/\\\\/\nf(of: /\\/\\//, with: \"\\/\") // = \\/\n";
    let made = "let a = /b{2}xx\\\\/\nf(of: /xxxx/, with: \"\\/\") // = \\/\n";
    assert_eq!(swift::prepare(text).as_deref(), Some(made));
    assert_eq!(swift::prepare("let a = b / c\nlet d = #/\\//#\nlet e = /\\/\n"), None);
}
