//! Traps of Bash.

use insta::assert_snapshot;

views_of!("Bash");

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
    assert_snapshot!(symbol_list(text), @"
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
    assert_snapshot!(symbol_list(text), @"
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
    assert_snapshot!(symbol_list(text), @"
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
    assert_snapshot!(symbol_list(text), @r##"
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
    assert_snapshot!(symbol_list(text), @"
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
    assert_snapshot!(symbol_list(text), @r##"
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
        let _ = (symbol_list(text), lines(text));
        bones(text);
    }
}

#[test]
fn here_documents_do_not_hide_functions() {
    let text = r#"a() {
  cat <<USAGE; exit
help text
USAGE
}
b() {
  cat <<USAGE;
help text
USAGE
}
c() { cat <<EOF; }
usage of this program
EOF
d() { cat <<A; cat <<-'B'
a }
A
	b {
	B
}
e() { echo "another body here"; }
"#;
    assert_snapshot!(symbol_list(text), @"
    function a 1-5 public
    function b 6-10 public
    function c 11-13 public
    function d 14-19 public
    function e 20-20 public
    ");
    assert_snapshot!(bones(text), @"
    a() { : …; }
    b() { : …; }
    c() { : …; }
    d() { : …; }
    e() { : …; }
    ");
}

#[test]
fn tests_do_not_hide_functions() {
    let text = r#"find_dir()
{
  for L in "$@"; do
    [ "$OP" "$L" ] || continue
  done
}
f() {
  if [ \( ! -h "$A" -a -d "$A" \) -o \( -h "$A" \) ]; then
    echo 1
  fi
}
g() { (cd / && ls | grep x) }
h() {
 echo 1
}
"#;
    assert_snapshot!(symbol_list(text), @"
    function find_dir 1-6 public
    function f 7-11 public
    function g 12-12 public
    function h 13-15 public
    ");
    assert_snapshot!(bones(text), @"
    find_dir()
    { : …; }
    f() { : …; }
    g() { : …; }
    h() { : …; }
    ");
}

#[test]
fn a_here_document_goes_with_its_body_or_both_stay() {
    let text = "\
f() { cat <<X | while read l; do echo $l; done; }
rm -rf /tmp/zzz
X
g() { cat <<-'EOT'; }
\t} text
\tEOT
h() ( cat <<E; ls /tmp ) # why
text
E
i() { cat <<E; } | sort
text
E
cat <<E; j() {
text
E
  one two three four
}
k() { one two three four; } <<E
text
E
cat <<E; l() { cat <<F; }
text
E
text
F
if a; then m() { cat <<E; }; fi
text
E
n() { one two three four; }
";
    assert_snapshot!(symbol_list(text), @"
    function f 1-3 public
    function g 4-6 public
    function h 7-9 public
    function i 10-10 public
    function j 13-17 public
    function k 18-20 public
    function l 21-21 public
    function m 26-26 public
    function n 29-29 public
    ");
    assert_snapshot!(bones(text), @"
    f() { : …; }
    g() { : …; }
    h() { : …; }
    i() { cat <<E; } | sort
    text
    E
    cat <<E; j() {
    text
    E
      one two three four
    }
    k() { : …; } <<E
    text
    E
    cat <<E; l() { cat <<F; }
    text
    E
    text
    F
    if a; then m() { cat <<E; }; fi
    text
    E
    n() { : …; }
    ");
}

#[test]
fn groups_in_a_body_do_not_end_it() {
    let text = r#"ac_fn_c_try_cpp ()
{
  as_lineno=${as_lineno-"$1"} as_lineno_stack=as_lineno_stack=$as_lineno_stack
  if { { ac_try="$ac_cpp conftest.$ac_ext"
case "(($ac_try" in
  *\"* | *\`* | *\\*) ac_try_echo=\$ac_try;;
  *) ac_try_echo=$ac_try;;
esac
eval ac_try_echo="\"\$as_me:${as_lineno-$LINENO}: $ac_try_echo\""
$as_echo "$ac_try_echo"; } >&5
  (eval "$ac_cpp conftest.$ac_ext") 2>conftest.err
  test $ac_status = 0; } > conftest.i && {
	 test -z "$ac_c_preproc_warn_flag$ac_c_werror_flag" ||
	 test ! -s conftest.err
       }; then :
  ac_retval=0
fi
  as_fn_set_status $ac_retval

} # ac_fn_c_try_cpp
after() { one two three four; }
"#;
    assert_snapshot!(symbol_list(text), @"
    function ac_fn_c_try_cpp 1-20 public
    function after 21-21 public
    ");
    assert_snapshot!(bones(text), @"
    ac_fn_c_try_cpp ()
    { : …; } # ac_fn_c_try_cpp
    after() { : …; }
    ");
}

#[test]
fn bodies_of_other_kinds() {
    let text = "\
a() for x in 1 2 3; do
    echo one two $x
done
b() while read l; do inner() { one two three; }; done <file
c() case $1 in
    a) one ;;
    b|c) d() { :; } ;;
esac
e() if a; then b; else c; fi >&2 2>x
f() (( a + b + c + d ))
g() for ((i=0;i<3;i++)) { echo one two; }
function h (one two three)
i() until a; do b; done
";
    assert_snapshot!(symbol_list(text), @"
    function a 1-3 public
    function b 4-4 public
    function b/inner 4-4 public
    function c 5-8 public
    function c/d 7-7 public
    function e 9-9 public
    function f 10-10 public
    function g 11-11 public
    function h 12-12 public
    function i 13-13 public
    ");
    assert_snapshot!(bones(text), @"
    a() { : …; }
    b() { : …; } <file
    c() { : …; }
    e() { : …; } >&2 2>x
    f() { : …; }
    g() for ((i=0;i<3;i++)) { : …; }
    function h { : …; }
    i() { : …; }
    ");
}
