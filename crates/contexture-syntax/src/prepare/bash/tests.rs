//! What the copy of a script looks like.

use super::{bones, prepare, words};
use proptest::collection::vec;
use proptest::prelude::*;
use proptest::sample::select;

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

#[rustfmt::skip]
const BROKEN: &[&str] = &[
    "f() {", "'", "\"$(", "${x", "if x; then", "}", "fi", "f()", "case x in a)", "x >", "for x (a b) y", ";", "$((1)",
];

#[test]
fn what_is_no_script_is_left_to_the_grammar() {
    for text in BROKEN {
        assert_eq!(bones::prepare(text), None, "{text}");
    }
    for text in ["", "\n", "a\\", "\u{feff}#!/bin/sh", "cat <<E", "cat <<E\n", "a;", "ö='ö'", "$((1))", "$((a); b)"] {
        assert_eq!(copy(text).len(), text.len(), "{text}");
    }
}

/// Each of these took its length squared if something was read again and again.
#[rustfmt::skip]
const REPEATED: &[&str] = &[
    "((", "$((a) ", "$(<<a ", "<<a ", "f() { ", "f() { cat <<E; }; ", "a[", "@(", "time ", "x=(", "${", "((a); b)\n",
    "f() { :; } <<E; ",
];

#[test]
fn cost_is_linear() {
    for part in REPEATED {
        let _ = prepare(&part.repeat(50_000));
    }
}

#[test]
fn only_what_is_misread_is_rewritten() {
    let text = "x=${host%%]:*}; y=${z:$i:1}; exec 8<>p; w=${v:-plain}";
    insta::assert_snapshot!(words::prepare(text).unwrap(), @"x=${host%xxxx}; y=${z%xxxx}; exec 8> p; w=${v:-plain}");
    for text in ["${x}", "${x:-y}", "${x%.*}", "'${x['", "${x%[", "# a -o \\\n", "a <> b", "${!x[@]}"] {
        assert_eq!(words::prepare(text), None, "{text}");
    }
}

proptest! {
    #[test]
    fn length_stays_where_words_are_replaced(parts in vec(
        select(vec!["${", "x%", "[", "]", "}", "ö", "'", "\n", "8<>", " -o \\\n", "#"]), 0..40,
    )) {
        let text = parts.concat();
        if let Some(made) = words::prepare(&text) {
            prop_assert_eq!(made.len(), text.len());
        }
    }
}
