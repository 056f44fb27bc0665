//! Traps of Go.

use contexture_syntax::{Mask, errors, masked_view, outline, read, symbols};
use insta::assert_snapshot;
use std::collections::BTreeMap;
use std::fmt::Write;

views_of!("Go");

#[test]
fn methods_belong_to_the_types_of_their_receivers() {
    let text = "\
package p
func (T) A() {}
func (t *T) B() {}
func (t *G[K, V]) C() {}
func (t G[_]) D() {}
func (t (*T)) E() {}
";
    assert_snapshot!(symbol_list(text), @"
    namespace p 1-1 public
    method T.A 2-2 public
    method T.B 3-3 public
    method G.C 4-4 public
    method G.D 5-5 public
    method E 6-6 public
    ");
}

#[test]
fn types_in_functions_are_told_and_values_are_not() {
    let text = "\
package p
func f() {
	const c = 1
	var v = func() { type A int }
	x := 2
	switch x := y.(type) {
	case int:
		type B struct{ f int }
	default:
		defer func() { type C = int }()
	}
	for range z { if a { type D interface{ m() } } else { select { case <-q: type E []int } } }
	return map[int]func(){1: func() { type F int }}
}
";
    assert_snapshot!(symbol_list(text), @"
    namespace p 1-1 public
    function f 2-14 private
    type f.A 4-4 public
    struct f.B 8-8 public
    field f.B.f 8-8 private
    type f.C 10-10 public
    interface f.D 12-12 public
    method f.D.m 12-12 private
    type f.E 12-12 public
    type f.F 13-13 public
    ");
}

#[test]
fn a_group_is_not_part_of_what_stands_in_it() {
    let text = "\
package p

// One.
type One struct{}

// Group.
type (
	// Two.
	Two = One // not this
	three int
)

const A, b = 1, 2

// Var.
var (
	X, y int
	Z    = func() {}
)
var e struct{ Deep struct{ Deeper int } }
";
    assert_snapshot!(symbol_list(text), @r#"
    namespace p 1-1 public
    struct One 4-4 public "// One."
    type Two 9-9 public "// Two."
    type three 10-10 private
    constant A 13-13 public
    constant b 13-13 private
    variable X 17-17 public
    variable y 17-17 private
    variable Z 18-18 public
    variable e 20-20 private
    field e.Deep 20-20 public
    field e.Deep.Deeper 20-20 public
    "#);
    let structure = read(language(), text).unwrap();
    assert_snapshot!(outline(language(), &structure, text), @"
    namespace p  L1
    struct One  L4
    type Two = One  L9
    constant A: const A, b = 1, 2  L13
    variable X: X, y int  L17
    variable Z = func() {}  L18
    type three int  L10
    constant b: const A, b = 1, 2  L13
    variable y: X, y int  L17
    variable e struct{ Deep struct{ Deeper int } }  L20
      field Deep struct{ Deeper int }  L20
        field Deeper int  L20
    ");
}

#[test]
fn embedded_fields_are_called_like_their_types() {
    let text = "package p\ntype S struct { *A; b.B; C[int]; *d.D[E] `tag`; f, G int; _ int }\n";
    assert_snapshot!(symbol_list(text), @"
    namespace p 1-1 public
    struct S 2-2 public
    field S.A 2-2 public
    field S.B 2-2 public
    field S.C 2-2 public
    field S.D 2-2 public
    field S.f 2-2 private
    field S.G 2-2 public
    field S._ 2-2 private
    ");
}

#[test]
fn a_skeleton_keeps_values_and_empties_functions_in_them() {
    let text = "\
package p
var table = []row{{1, 2}, {3, 4}}
var hooks = struct{ f func() }{
	f: func() {
		call(1, 2, 3)
	},
}
func short() { a() }
func long() (n int, err error) { // why
	return 1, nil
}
func asm(x int)
";
    assert_snapshot!(bones(text), @"
    package p
    var table = []row{{1, 2}, {3, 4}}
    var hooks = struct{ f func() }{
    	f: func() { /* … */ },
    }
    func short() { a() }
    func long() (n int, err error) { /* … */ }
    func asm(x int)
    ");
}

#[test]
fn a_mask_shows_the_signature_of_an_interface() {
    let text = "package p\n\n// Doc.\ntype I interface {\n\tA(x int, y int) error\n\tB()\n}\n\ntype S struct {\n\tA, B, C string\n}\n";
    let structure = read(language(), text).unwrap();
    let masks = BTreeMap::from([("I".to_owned(), Mask::Sig), ("S".to_owned(), Mask::Sig)]);
    let shown = masked_view(language(), &structure, text, &masks, Mask::Hide).text;
    assert_snapshot!(shown, @"
    // Doc.
    type I interface{ /* … */ }

    type S struct { /* … */ }
    ");
    assert_eq!(errors(language(), &shown), Ok(0));
}

#[test]
fn line_ends_names_and_ends_of_files_are_as_people_leave_them() {
    assert_snapshot!(symbol_list("package p\r\n\r\n// Doc.\r\nfunc Ärger() {\r\n}\r\nfunc 世界() {}"), @r#"
    namespace p 1-1 public
    function Ärger 4-5 public "// Doc."
    function 世界 6-6 private
    "#);
    assert_eq!(bones("package p\r\nfunc a() {\r\n\tone(1, 2)\r\n}\r\n"), "package p\r\nfunc a() { /* … */ }\r\n");
    assert_eq!(symbol_list(""), "");
    assert_snapshot!(symbol_list("package p; func a() {}; type T int; var x, Y = 1, 2"), @"
    namespace p 1-1 public
    function a 1-1 private
    type T 1-1 public
    variable x 1-1 private
    variable Y 1-1 public
    ");
    assert_snapshot!(symbol_list("package p\nfunc whole() {}\nfunc cut() {\n\tif x {"), @"
    namespace p 1-1 public
    function whole 2-2 private
    function cut 3-3 private
    ");
    bones("package p\nfunc whole() {}\nfunc cut() {\n\tif x {");
}

#[test]
fn thousands_of_names_on_a_line_are_read_in_linear_time() {
    let mut text = String::from("package p\nvar n0");
    for at in 1..3_000 {
        write!(text, ", n{at}").unwrap();
    }
    text.push_str(" int\n");
    assert_eq!(symbols(language(), &read(language(), &text).unwrap(), &text).len(), 3_001);
}
