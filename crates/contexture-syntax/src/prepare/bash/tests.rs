//! What the copy of a script looks like, and laws for any text.

use super::{bones, prepare};
use proptest::prelude::*;

fn copy(text: &str) -> String {
    bones::prepare(text).unwrap()
}

#[test]
fn only_bones_are_left() {
    insta::assert_snapshot!(copy(r##"# of a
a() { [ "$x" = 'y }' ] && cat <<EOF >&2
text of a }
EOF
}
A="$(echo ")" # )
)" 2>&1
export B=1 -x c
for i in "$@"; do case $i in (x|y) ((n <<= 1)) ;& *) b () { (c) } ;; esac; done
"##), @"
    # of a
    x() ( x xxxx x xxxxx x && xxx xxxxx xxx
                   
    )
    A=xxxxxxxxxxxxxxxxxx     
    export B=x xx x
    for xxxxxxxxxx;do case xx in xxxx) xxxxxxxxxxx ;; x) x () ( (x);) ;; esac; done
    ");
}

#[test]
fn a_function_takes_the_lines_of_its_here_documents_along() {
    insta::assert_snapshot!(copy("a() { cat <<A; }\ntext\nA\nb() { cat <<B; } | c\ntext\nB\nd() { e; } <<D\ntext\nD\nf\n"), @"
    x() ( xxx xxx; 
          )
    x() [ xxxxxxxx ] | x
          
    x() ( x; ) >xxxxxxxxx
    x
    ");
}

#[test]
fn what_is_no_script_is_left_to_the_grammar() {
    for text in [
        "f() {",
        "'",
        "\"$(",
        "${x",
        "if x; then",
        "}",
        "fi",
        "f()",
        "case x in a)",
        "x >",
        "for x (a b) y",
        ";",
        "$((1)",
    ] {
        assert_eq!(bones::prepare(text), None, "{text}");
    }
    for text in ["", "\n", "a\\", "\u{feff}#!/bin/sh", "cat <<E", "cat <<E\n", "a;", "ö='ö'", "$((1))", "$((a); b)"] {
        assert_eq!(copy(text).len(), text.len(), "{text}");
    }
}

#[test]
fn cost_is_linear() {
    // Each of these took its length squared if something was read again and again.
    for part in [
        "((",
        "$((a) ",
        "$(<<a ",
        "<<a ",
        "f() { ",
        "f() { cat <<E; }; ",
        "a[",
        "@(",
        "time ",
        "x=(",
        "${",
        "((a); b)\n",
        "f() { :; } <<E; ",
    ] {
        let _ = prepare(&part.repeat(50_000));
    }
}

proptest! {
    #[test]
    fn length_stays(parts in proptest::collection::vec(
        prop_oneof![
            Just("${"), Just("$("), Just("$(("), Just("(("), Just("))"), Just("("), Just(")"), Just("{ "), Just("; }"), Just("}"),
            Just("f() "), Just("function g "), Just("if a; then "), Just("; fi"), Just("for i in 1; do "), Just("; done"),
            Just("case x in a) "), Just(";; "), Just("esac"), Just("[[ a "), Just(" ]]"), Just("cat <<E "), Just("<<-'E'"), Just("E\n"), Just("\tE\n"),
            Just("ö"), Just("'"), Just("\""), Just("`"), Just("\\"), Just("\n"), Just("\r\n"), Just("# c"), Just("; "), Just(" | "), Just(" && "),
            Just("a=("), Just("b=1 "), Just("export "), Just(" >x"), Just("! "), Just("time "), Just("x"), Just(" "),
        ], 0..60,
    )) {
        let text = parts.concat();
        if let Some(made) = prepare(&text) {
            prop_assert_eq!(made.len(), text.len());
        }
    }
}
