//! Traps of Rust.

use contexture_syntax::{Mask, masked_view, outline, read, symbols};
use insta::assert_snapshot;
use std::collections::BTreeMap;

views_of!("Rust");

#[test]
fn items_are_found_in_every_kind_of_code() {
    let text = "\
fn outer() {
    const LIMIT: u8 = 1;
    if let Some(x) = y { static S: u8 = 2; } else { type T = u8; }
    match z { 1 => { struct A; } _ => spawn(async move { enum B { C } }).await? }
    let f = |x| { fn inner() { trait Deep { fn d(&self); } } x };
    let n = loop { break { mod m { pub fn in_m() {} } 3 } };
    vec.iter().map(|_| -> u8 { macro_rules! mac { () => {} } 1 });
    S { field: unsafe { union U { a: u8 } }, ..{ impl S {} d } };
}
";
    assert_snapshot!(symbol_list(text), @"
    function outer 1-9 private
    constant outer::LIMIT 2-2 private
    variable outer::S 3-3 private
    type outer::T 3-3 private
    struct outer::A 4-4 private
    enum outer::B 4-4 private
    variant outer::B::C 4-4 public
    function outer::inner 5-5 private
    trait outer::inner::Deep 5-5 private
    method outer::inner::Deep::d 5-5 public
    module outer::m 6-6 private
    function outer::m::in_m 6-6 public
    macro outer::mac 7-7 private
    union outer::U 8-8 private
    field outer::U::a 8-8 private
    impl outer::S 8-8 public
    ");
}

#[test]
fn macros_are_not_looked_into() {
    assert_snapshot!(symbol_list("cfg_rt! { pub fn hidden() {} }\nfn f() { quote! { struct No; } }"), @"function f 2-2 private");
}

#[test]
fn both_of_two_conditional_definitions_are_told() {
    assert_snapshot!(symbol_list("#[cfg(a)]\nfn f() {}\n#[cfg(not(a))]\nfn f() {}"), @"
    function f 2-2 private
    function f 4-4 private
    ");
}

#[test]
fn documentation_stands_above_attributes_or_below_them() {
    let text = "\
//! For the file.
fn no_doc() {}

/// Above.
/// Two lines.
#[inline]
fn a() {}

#[inline]
// Between.
#[cold]
fn b() {}

/// Lost.

fn c() {} // behind
fn d() {}
/** Block. */ fn e() {}
";
    assert_snapshot!(symbol_list(text), @r#"
    function no_doc 2-2 private
    function a 7-7 private "/// Above.\n/// Two lines."
    function b 12-12 private "// Between."
    function c 16-16 private
    function d 17-17 private
    function e 18-18 private "/** Block. */"
    "#);
}

#[test]
fn visibility_is_said_by_words_traits_and_attributes() {
    let text = "\
pub(in crate::a) struct S { pub x: u8, y: u8 }
pub(self) fn f() {}
impl S { pub(crate) fn g() {} fn h() {} }
impl crate::T for S { fn k() {} const C: u8 = 1; }
pub enum E { A { x: u8 }, B(u8) }
#[doc(hidden)]
#[macro_export]
macro_rules! open { () => () }
macro_rules! closed { () => () }
trait T { fn k(); const C: u8; }
";
    assert_snapshot!(symbol_list(text), @"
    struct S 1-1 internal
    field S::x 1-1 public
    field S::y 1-1 private
    function f 2-2 private
    impl S 3-3 internal
    method S::g 3-3 internal
    method S::h 3-3 private
    impl S 4-4 internal
    method S::k 4-4 public
    constant S::C 4-4 public
    enum E 5-5 public
    variant E::A 5-5 public
    field E::A::x 5-5 public
    variant E::B 5-5 public
    macro open 8-8 public
    macro closed 9-9 private
    trait T 10-10 private
    method T::k 10-10 public
    constant T::C 10-10 public
    ");
}

#[test]
fn names_of_implementations_are_those_of_types() {
    let text = "\
impl<T> a::b::S<T> { fn m() {} }
impl<'a> T for &'a mut S<'a> { fn m() {} }
impl T for dyn U { fn m() {} }
impl<T: U> V for [T; 3] { fn m() {} }
impl T for (A, B) { fn m() {} }
impl !Send for S {}
";
    assert_snapshot!(symbol_list(text), @"
    impl a::b::S 1-1 public
    method a::b::S::m 1-1 private
    impl S 2-2 public
    method S::m 2-2 public
    impl U 3-3 public
    method U::m 3-3 public
    impl [T; 3] 4-4 public
    method [T; 3]::m 4-4 public
    impl (A, B) 5-5 public
    method (A, B)::m 5-5 public
    impl S 6-6 public
    ");
}

#[test]
fn a_skeleton_keeps_what_a_caller_needs() {
    let text = "\
static LAZY: L<u8> = L::new(|| {
    let many = 1;
    many
});
fn f<T>(x: T) -> [u8; { 3 }]
where
    T: Copy, // a reason
// before the body
{
    \"}\"; r#\"{\"#; '{'; 1
}
macro_rules! m (
    ($a:ident, { $b:tt }) => ( fn $a() { $b } );
    [$($c:expr),*] => [ [$($c),*].len() + 1000000 ]
);
trait T { fn short() {} fn long() { a_long_call(1, 2, 3) } }
";
    assert_snapshot!(bones(text), @"
    static LAZY: L<u8> = L::new(|| { /* … */ });
    fn f<T>(x: T) -> [u8; { 3 }]
    where
        T: Copy, // a reason
    { /* … */ }
    macro_rules! m (
        ($a:ident, { $b:tt }) => { /* … */ };
        [$($c:expr),*] => { /* … */ }
    );
    trait T { fn short() {} fn long() { /* … */ } }
    ");
}

#[test]
fn what_a_body_says_of_its_function_stays() {
    let text = "\
fn f() {
    #![allow(unused)] // why
    //! Doc.

    one(); // two
    three();
}
fn g() { #![cold] }
fn k() {
    // plain
    one();
}
mod m {
    //! Doc.
    fn h() { one(); two(); three() }
}
";
    assert_snapshot!(bones(text), @"
    fn f() {
        #![allow(unused)] // why
        //! Doc.

        /* … */
    }
    fn g() { #![cold] }
    fn k() { /* … */ }
    mod m {
        //! Doc.
        fn h() { /* … */ }
    }
    ");
    assert_eq!(bones(text), bones(&bones(text)));
}

#[test]
fn a_marked_body_stays_whole() {
    let text = "\
fn a() {
    // [HOT]
    fn nested() { one(); two(); three(); four() }
}
fn b() { one(); two(); three(); four() }
";
    assert_snapshot!(bones(text), @"
    fn a() {
        // [HOT]
        fn nested() { one(); two(); three(); four() }
    }
    fn b() { /* … */ }
    ");
}

#[test]
fn line_ends_names_and_ends_of_files_are_as_people_leave_them() {
    assert_snapshot!(symbol_list("/// Doc.\r\nfn a() {\r\n}\r\nstruct Größe;\r\nfn 名前() {}"), @r#"
    function a 2-3 private "/// Doc."
    struct Größe 4-4 private
    function 名前 5-5 private
    "#);
    assert_eq!(bones("fn a() {\r\n    one(1);\r\n}\r\n"), "fn a() { /* … */ }\r\n");
    assert_eq!(symbol_list(""), "");
    assert_snapshot!(symbol_list("fn a() {} struct S { x: u8 } fn r#fn() {}"), @"
    function a 1-1 private
    struct S 1-1 private
    field S::x 1-1 private
    function r#fn 1-1 private
    ");
    assert_snapshot!(symbol_list("fn whole() {}\nimpl S {\n    fn cut(&self) {\n        if x {"), @"function whole 1-1 private");
    bones("fn whole() {}\nimpl S {\n    fn cut(&self) {\n        if x {");
}

#[test]
fn an_outline_says_each_word_once() {
    let text =
        "impl<T> S<T> { pub async fn f(&self) {} }\nimpl D for S {}\nunsafe impl Sync for S {}\npub const fn g() {}";
    let structure = read(language(), text).unwrap();
    assert_snapshot!(outline(language(), &structure, text), @"
    impl <T> S<T>  L1
      method pub async fn f(&self)  L1
    impl D for S  L2
    impl unsafe impl Sync for S  L3
    function g()  L4
    ");
}

#[test]
fn a_mask_shows_the_signature_of_a_method() {
    let text = "struct S;\n\nimpl S {\n    /// Doc.\n    #[inline]\n    fn m(&self) -> u8 {\n        a_value_of_some_length()\n    }\n}\n";
    let structure = read(language(), text).unwrap();
    let masks = BTreeMap::from([("S::m".to_owned(), Mask::Sig)]);
    assert_snapshot!(masked_view(language(), &structure, text, &masks, Mask::Hide).text, @"
    /// Doc.
    #[inline]
    fn m(&self) -> u8 { /* … */ }
    ");
}

#[test]
fn hostile_sizes_are_read_in_linear_time() {
    let nested = format!("fn a() {{ {} {} }}", "{ fn b() {".repeat(2_000), "} }".repeat(2_000));
    assert_eq!(symbols(language(), &read(language(), &nested).unwrap(), &nested).len(), 2_001);
    let flat = "fn f() { const C: u8 = 1; } ".repeat(10_000);
    assert_eq!(symbols(language(), &read(language(), &flat).unwrap(), &flat).len(), 20_000);
}
