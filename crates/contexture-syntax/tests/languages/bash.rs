//! Traps of Bash.

use super::support;
use contexture_syntax::{Language, by_name};
use insta::assert_snapshot;

fn language() -> &'static Language {
    by_name("Bash").unwrap()
}

fn told(text: &str) -> String {
    support::told(language(), text)
}

fn bones(text: &str) -> String {
    support::bones(language(), text)
}

fn lines(text: &str) -> String {
    support::lines(language(), text)
}

#[test]
fn functions_of_all_forms() {
    let text = "\
a() { :; }
b () { :; }
function c { :; }
function d() { :; }
function e
{
    :
}
f()
(
    :
)
g() if true; then :; fi
h-i.j:k() { :; }
l::m() { :; }
größe() { :; }
n() { :; } >&2
";
    assert_snapshot!(told(text), @"
    function a 1-1 public
    function b 2-2 public
    function c 3-3 public
    function d 4-4 public
    function e 5-8 public
    function f 9-12 public
    function g 13-13 public
    function h-i.j:k 14-14 public
    function l::m 15-15 public
    function größe 16-16 public
    function n 17-17 public
    ");
}

#[test]
fn conditional_and_nested_functions() {
    let text = "\
if x; then a() { :; }; elif y; then a() { :; }; else a() { :; }; fi
for i in 1; do b() { :; }; done
while x; do c() { :; }; done
case $x in 1) d() { :; } ;; *) e() { :; } ;; esac
{ f() { :; }; } >log
( g() { :; } )
x && h() { :; }
type i >/dev/null || i() { :; }
outer() {
    LOCAL=1
    inner() { :; }
}
";
    assert_snapshot!(told(text), @"
    function a 1-1 public
    function a 1-1 public
    function a 1-1 public
    function b 2-2 public
    function c 3-3 public
    function d 4-4 public
    function e 4-4 public
    function f 5-5 public
    function g 6-6 public
    function h 7-7 public
    function i 8-8 public
    function outer 9-12 public
    function outer/inner 11-11 public
    ");
}

#[test]
fn variables() {
    let text = "\
a=1
B_C=2
d+=3
e[1]=4
readonly H=1 i=2
export J
export K=1
declare -r L=(1 2)
command_with=1 env
func() { local m=1; n=2; }
if x; then o=1; fi
f=1 g=2
";
    assert_snapshot!(told(text), @"
    variable a 1-1 public
    constant B_C 2-2 public
    variable d 3-3 public
    variable H 5-5 public
    variable i 5-5 public
    variable K 7-7 public
    variable L 8-8 public
    function func 10-10 public
    variable o 11-11 public
    variable f 12-12 public
    variable g 12-12 public
    ");
}

#[test]
fn text_is_not_code() {
    let text = "\
cat <<EOF
no() { :; }
EOF
cat <<-'EOF'
	no() { :; }
	EOF
x='
no() { :; }
'
# no() { :; }
yes() { cat <<EOF
no() { :; }
EOF
}
also() { :; }
";
    assert_snapshot!(told(text), @r##"
    variable x 7-9 public
    function yes 11-14 public "# no() { :; }"
    function also 15-15 public
    "##);
}

#[test]
fn words_the_grammar_cannot_read() {
    let text = r#"a() { x=${x%%]:*}; }
b() { x="${x#\[$i\]:}"; y=${1//&/\&amp;}; z="${n:$i:1}"; }
exec 8<>pipe
if [ 1 -eq 2 -o \
    3 -eq 4 ]; then c() { :; }; fi
d() { :; }
"#;
    assert_snapshot!(told(text), @"
    function a 1-1 public
    function b 2-2 public
    function c 5-5 public
    function d 6-6 public
    ");
}

#[test]
fn comments() {
    let text = "\
#!/bin/sh
# Of the file.

# Of a.
# More of a.
a() { :; }

# Of nothing.

b() { :; } # behind
";
    assert_snapshot!(told(text), @r##"
    function a 6-6 public "# Of a.\n# More of a."
    function b 10-10 public
    "##);
}

#[test]
fn skeletons_of_functions() {
    let text = "\
a() {
    one
    # what stands inside goes
    cat <<EOF
}
EOF
}
function b
# below the head
{
    one two three four
}
c() ( one; two; three; four )
d() { :; }
e() { one two three four; } 2>&1 | cat
f() {
    g() {
        one two three four
    }
    g
}
h() [[ one && two && three ]]
";
    assert_snapshot!(bones(text), @"
    a() { : …; }
    function b
    { : …; }
    c() { : …; }
    d() { :; }
    e() { : …; } 2>&1 | cat
    f() { : …; }
    h() { : …; }
    ");
}

#[test]
fn odd_files_are_read() {
    for text in [
        "",
        "\n",
        "\u{feff}",
        "f() {",
        "f() { if",
        "cat <<E\n",
        "${",
        "${x%%[",
        "}}}}",
        "case x in",
        "exec 8<>",
        "'",
        "f()",
    ] {
        let _ = (told(text), lines(text));
        bones(text);
    }
}

#[test]
fn line_breaks_of_two_bytes_change_nothing_but_themselves() {
    let text = include_str!("../../fixtures/sample.sh");
    let crlf = text.replace('\n', "\r\n");
    assert_eq!(told(text), told(&crlf).replace("\\r\\n", "\\n"));
    assert_eq!(bones(text), bones(&crlf).replace("\r\n", "\n"));
}

#[test]
fn every_beginning_of_a_file_is_read() {
    let text = include_str!("../../fixtures/sample.sh");
    for (at, _) in text.char_indices().step_by(97) {
        bones(&text[..at]);
    }
}
