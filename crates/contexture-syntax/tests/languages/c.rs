//! Traps of C.

use contexture_syntax::{by_name, errors, language_of, read, skeleton, symbols};
use insta::assert_snapshot;
use proptest::prelude::*;

views_of!("C");

#[test]
fn macros_around_functions() {
    let text = "\
/* Opens. */
LIB_API int lib_open(const char *name LIB_NONNULL) LIB_NOTHROW LIB_ATTR(1)
{ return 0; }
LIB_EXTERN(int) lib_close(void) { return 0; }
static LIB_INLINE struct lib *LIB_CALL lib_get(void) { return 0; }
DECLARE_STACK(foo)
DECLARE_STACK(bar)
int after_macros(void) { return 1; }
BEGIN_DECLS

static void printflike(1, 2)
logged(const char *format, ...) { (void)format; }
int (lib_max)(int a, int b) { return a > b ? a : b; }
size_t NAME(sum)(void) { return 0; }
TEST(group, name) { check(1); }
main() { return 0; }
ZEXTERN int ZEXPORT inflate OF((int flush));
";
    assert_snapshot!(symbol_list(text), @r#"
    function lib_open 2-3 public "/* Opens. */"
    function lib_close 4-4 public
    function lib_get 5-5 private
    function after_macros 8-8 public
    function logged 12-12 private
    function lib_max 13-13 public
    function NAME 14-14 public
    function TEST 15-15 public
    function main 16-16 public
    function inflate 17-17 public
    "#);
    assert_snapshot!(bones(text), @r#"
    /* Opens. */
    LIB_API int lib_open(const char *name LIB_NONNULL) LIB_NOTHROW LIB_ATTR(1)
    { return 0; }
    LIB_EXTERN(int) lib_close(void) { return 0; }
    static LIB_INLINE struct lib *LIB_CALL lib_get(void) { return 0; }
    DECLARE_STACK(foo)
    DECLARE_STACK(bar)
    int after_macros(void) { return 1; }
    BEGIN_DECLS

    static void printflike(1, 2)
    logged(const char *format, ...) { /* … */ }
    int (lib_max)(int a, int b) { /* … */ }
    size_t NAME(sum)(void) { return 0; }
    TEST(group, name) { check(1); }
    main() { return 0; }
    ZEXTERN int ZEXPORT inflate OF((int flush));
    "#);
}

#[test]
fn conditions_that_split_braces() {
    let text = "\
#ifdef A
int f(int a) {
#else
int f(long a) {
#endif
#if B
    if (a) {
#else
    if (!a) {
#endif
        return 1;
    }
    return 0;
}
#ifdef A
int g(int a)
#else
int g(long a)
#endif
{ return a; }
#if 0
this isn't code {
#endif
#ifdef __cplusplus
extern \"C\" {
#endif
#if X
int h(void) { return 1; }
#else
int i(void) { return 2; }
#endif
#ifdef __cplusplus
}
#endif
int j(int a,
#ifdef WIDE
      int b,
#endif
      int c) { return c; }
";
    assert_snapshot!(symbol_list(text), @"
    function f 2-14 public
    function g 16-20 public
    function h 28-28 public
    function i 30-30 public
    function j 35-39 public
    ");
    assert_snapshot!(bones(text), @r#"
    #ifdef A
    int f(int a) {
    #else
    int f(long a) {
    #endif
    #if B
        if (a) {
    #else
        if (!a) {
    #endif
            return 1;
        }
        return 0;
    }
    #ifdef A
    int g(int a)
    #else
    int g(long a)
    #endif
    { return a; }
    #if 0
    this isn't code {
    #endif
    #ifdef __cplusplus
    extern "C" {
    #endif
    #if X
    int h(void) { return 1; }
    #else
    int i(void) { return 2; }
    #endif
    #ifdef __cplusplus
    }
    #endif
    int j(int a,
    #ifdef WIDE
          int b,
    #endif
          int c) { return c; }
    "#);
}

#[test]
fn braces_that_never_match() {
    let text = "\
#ifdef A
#define OPEN {
int f(void)
OPEN
  work();
}
#endif
int g(void)
{
  if (x) {
#ifdef B
    y();
  }
#endif
#ifndef B
  }
#endif
}
int h(void)
{
}
";
    assert_snapshot!(symbol_list(text), @"
    macro OPEN 2-2 public
    function f 3-5 public
    function g 8-16 public
    function h 19-21 public
    ");
}

#[test]
fn old_style_definitions() {
    let text = "\
int f(a, b)
    int a;
    char *b, (*c)(void);
{
    return a;
}
static g() { return 1; }
int prototype(int a);
struct s { int x; } value;
";
    assert_snapshot!(symbol_list(text), @"
    function f 1-6 public
    function g 7-7 private
    function prototype 8-8 public
    variable value 9-9 public
    struct s 9-9 public
    field s::x 9-9 public
    ");
    assert_snapshot!(bones(text), @r#"
    int f(a, b)
        int a;
        char *b, (*c)(void);
    { /* … */ }
    static g() { return 1; }
    int prototype(int a);
    struct s { int x; } value;
    "#);
}

#[test]
fn types_and_their_names() {
    let text = "\
typedef struct { int a; } anonymous_t;
typedef struct named { int b; } named_t, *named_p;
struct __attribute__((packed)) packed { char c; } PACKED;
enum { ONE, TWO = 1 << 3, LIST(X) THREE };
static ALIGNED union { int d; float e; } bits;
typedef int (*callback)(void *, int), array[4];
struct forward;
struct outer { struct inner { int x; } in; struct { int y; } un; };
struct list make(void) { struct local { int z; }; return x; }
int *table[] = { 1, {2}, [3] = 4 }, other = 5;
const int x = sizeof(struct { int q; }), LIMIT = 3;
";
    assert_snapshot!(symbol_list(text), @"
    struct anonymous_t 1-1 public
    field anonymous_t::a 1-1 public
    type named_t 2-2 public
    type named_p 2-2 public
    struct named 2-2 public
    field named::b 2-2 public
    struct packed 3-3 public
    field packed::c 3-3 public
    variant ONE 4-4 public
    variant TWO 4-4 public
    variant THREE 4-4 public
    variable bits 5-5 private
    field bits::d 5-5 public
    field bits::e 5-5 public
    type callback 6-6 public
    type array 6-6 public
    struct outer 8-8 public
    field outer::in 8-8 public
    struct outer::inner 8-8 public
    field outer::inner::x 8-8 public
    field outer::un 8-8 public
    field outer::un::y 8-8 public
    function make 9-9 public
    struct make::local 9-9 public
    field make::local::z 9-9 public
    variable table 10-10 public
    variable other 10-10 public
    variable x 11-11 public
    constant LIMIT 11-11 public
    ");
    assert_snapshot!(lines(text), @"
    struct anonymous_t: typedef struct  L1
      field int a  L1
    type named_t: typedef struct named  L2
    type named_p: typedef struct named  L2
    struct named  L2
      field int b  L2
    struct __attribute__((packed)) packed  L3
      field char c  L3
    variant ONE  L4
    variant TWO  L4
    variant THREE  L4
    type typedef int (*callback)(void *, int), array[4]  L6
    type typedef int (*callback)(void *, int), array[4]  L6
    struct outer  L8
      field in: struct inner  L8
      struct inner  L8
        field int x  L8
      field un: struct  L8
        field int y  L8
    function struct list make(void)  L9
      struct local  L9
        field int z  L9
    variable table: int *table[] = { 1, {2}, [3] = 4 }, other = 5  L10
    variable other: int *table[] = { 1, {2}, [3] = 4 }, other = 5  L10
    variable x: const int x = sizeof(struct { int q; }), LIMIT = 3  L11
    constant LIMIT: const int x = sizeof(struct { int q; }), LIMIT = 3  L11
    variable bits: static ALIGNED union  L5
      field int d  L5
      field float e  L5
    ");
}

#[test]
fn functions_and_their_pointers() {
    let text = "\
int (*pointer)(int a);
static void (*const table[2])(void) = { a, b };
int (*chosen(int which))(void) { return 0; }
void (*signal(int number, void (*handler)(int)))(int);
struct ops { int (*open)(const char *name); void (*close)(void); };
";
    assert_snapshot!(symbol_list(text), @"
    variable pointer 1-1 public
    variable table 2-2 private
    function chosen 3-3 public
    function signal 4-4 public
    struct ops 5-5 public
    field ops::open 5-5 public
    field ops::close 5-5 public
    ");
}

#[test]
fn macros_are_symbols_wherever_they_stand() {
    let text = "\
#define ONE 1 // one
#  define TWO(a, rest...) \\
    f(a);                 \\
    g(rest)
int f(void) {
#define INNER 3
    return INNER;
}
#define QUOTE '\"'
#define EMPTY
#define LAST 1";
    assert_snapshot!(symbol_list(text), @"
    macro ONE 1-1 public
    macro TWO 2-4 public
    function f 5-8 public
    macro f::INNER 6-6 public
    macro QUOTE 9-9 public
    macro EMPTY 10-10 public
    macro LAST 11-11 public
    ");
    assert_snapshot!(bones(text), @r#"
    #define ONE 1 // one
    #  define TWO(a, rest...) \
        /* … */
    int f(void) { /* … */ }
    #define QUOTE '"'
    #define EMPTY
    #define LAST 1
    "#);
}

#[test]
fn odd_files() {
    assert_snapshot!(symbol_list(""), @"");
    assert_snapshot!(symbol_list("int f(void) { return 0; } int g;"), @"
    function f 1-1 public
    variable g 1-1 public
    ");
    assert_snapshot!(symbol_list("/* doc */\r\nint f(void)\r\n{\r\n\treturn 0;\r\n}\r\n"), @r#"function f 2-5 public "/* doc */""#);
    assert_snapshot!(symbol_list("\u{feff}int größe(void) { return 0; }\nstruct größe { int länge; };\n"), @"
    function größe 1-1 public
    struct größe 2-2 public
    field größe::länge 2-2 public
    ");
    assert_snapshot!(symbol_list("int f(void) {\n  if (x) {\n"), @"function f 1-2 public");
    assert_snapshot!(symbol_list("struct s { int a;\nint b\n"), @"
    struct s 1-2 public
    field s::a 1-1 public
    ");
    assert_snapshot!(symbol_list("}}} ) ] int f(void) {}"), @"function f 1-1 public");
    assert_snapshot!(symbol_list("int f(void) { char c = '{', *s = \"}\\\"{\"; /* { */ } // {\nint g(void) {}\n"), @"
    function f 1-1 public
    function g 2-2 public
    ");
    assert_snapshot!(symbol_list("int class, new, this; int template(int operator) { return 0; }"), @"
    variable class 1-1 public
    variable new 1-1 public
    variable this 1-1 public
    function template 1-1 public
    ");
}

#[test]
fn headers_are_read_as_what_they_are() {
    let is = |text: &str| language_of("a.h", text).unwrap().name;
    assert_eq!(is("#ifdef __cplusplus\nextern \"C\" {\n#endif\nint f(void);\n#ifdef __cplusplus\n}\n#endif\n"), "C");
    assert_eq!(is("//***/*** class A {\nint class; /* namespace a { */ char *s = \"std::x\";\n"), "C");
    assert_eq!(is("#ifndef __cplusplus\ntypedef int bool;\n#else\nclass A { };\n#endif\nint f(void);\n"), "C");
    assert_eq!(
        is("#if defined(__cplusplus) && __cplusplus > 1\n#include <vector>\n#endif\nint f(void); int g(void);\n"),
        "C"
    );
    assert_eq!(is("#define A(x) std::x\nint f(void);\n"), "C");
    assert_eq!(is("//***/***\nnamespace a {\nint f();\n}\n"), "C++");
    assert_eq!(is("#ifdef __cplusplus\nclass A { int b; int c; int d; };\n#endif\n"), "C++");
    for text in [
        "class A;",
        "class EXPORT A : public B { };",
        "template<class T> T f();",
        "using a = b;",
        "#include <vector>\n",
        "struct A : B { };",
        "struct A { ~A(); };",
        "enum class E { A };",
        "void f(const A& a);",
        "int a::b;",
        "struct A { private: int b; };",
        "extern \"C\" int f();",
        "struct A { virtual int f(); };",
    ] {
        assert_eq!(is(text), "C++", "{text}");
    }
}

proptest! {
    /// Whatever the text, what the parser is given is as long, and names stand where they stood.
    #[test]
    fn preparing_moves_nothing(words in proptest::collection::vec(0_usize..PIECES.len(), 0..60), plus in "\\PC{0,12}") {
        let mut text: String = words.iter().map(|at| PIECES[*at]).collect();
        text.push_str(&plus);
        for name in ["C", "C++"] {
            let language = by_name(name).unwrap();
            let prepared = language.prepare.and_then(|prepare| prepare(&text)).unwrap();
            prop_assert_eq!(prepared.len(), text.len());
            let structure = read(language, &text).unwrap();
            let shown = skeleton(language, &structure, &text);
            prop_assert!(errors(language, &shown).unwrap() <= errors(language, &text).unwrap());
            for symbol in symbols(language, &structure, &text) {
                prop_assert!(!symbol.name.is_empty());
                prop_assert!(text.contains(symbol.name.split(' ').next().unwrap()));
            }
        }
    }
}

const PIECES: &[&str] = &[
    "int ",
    "f",
    "g",
    "(",
    ")",
    "{",
    "}",
    ";",
    ",",
    "<",
    ">",
    "struct ",
    "class ",
    "enum ",
    "template ",
    "operator",
    "::",
    "=",
    "\n",
    "#if X\n",
    "#else\n",
    "#endif\n",
    "#if 0\n",
    "#define A(x) \\\n x\n",
    "\"",
    "'",
    "/*",
    "*/",
    "//",
    "*",
    "&",
    "[",
    "]",
    ":",
    "~",
    "MACRO",
    "MACRO(x) ",
    "namespace n ",
    "public:",
    "R\"(",
    "typedef ",
    "static ",
    "friend ",
    "\\\n",
    "größe",
    "1",
    "extern \"C\" ",
    "using a = b;",
    "int f() { return 1; }\n",
    "struct s { int x; };\n",
    "->",
];

#[test]
fn hostile_texts_take_linear_time() {
    for unit in [
        "(",
        "{",
        "<",
        "a<",
        "f(a) b;",
        "operator ",
        "struct ",
        "#if X\n",
        "a::",
        "A B ",
        "f(",
        "x = {",
        "#define ",
        "R\"(",
        "enum {",
        "template<",
        "namespace a{",
        "A(1)\n",
        ":a{",
        "int f() {",
        "struct A {",
        "[[",
        "/*",
        "int a,",
        "*(",
        "typedef struct {",
        "f(a)int a;",
        "}",
        "extern \"C\" {",
        "const A ",
    ] {
        for name in ["C", "C++"] {
            let text = unit.repeat(200_000 / unit.len());
            let prepare = by_name(name).unwrap().prepare.unwrap();
            assert_eq!(prepare(&text).unwrap().len(), text.len());
        }
    }
}

#[test]
fn names_in_capitals_behind_tags() {
    let text = "\
struct opts { int a; };
static const struct opts OPTS[] = { { 1 } };
enum color { RED };
enum color FAV = RED;
struct opts FN_PROTO(int);
struct opts FN(void) { return 0; }
struct holder { struct Foo MEMBER; struct Foo ARR[3]; const union u CU; enum color BITS : 3; };
struct opts A1, B1, *C1 = 0;
struct opts LOUD UNUSED, quiet UNUSED;
struct LIB_EXPORT tag VAR;
struct LIB_EXPORT forward;
FOO_API const struct opts DEFAULTS;
BEGIN_DECLS
static const type_t INFO = { 1 };
typedef struct opts OPTS_T;
struct __packed first { int a; } __aligned(8);
struct last { int b; } __packed __aligned(8);
static struct opts *cache __read_mostly, *CACHE __read_mostly;
static u8 buffer[4] __aligned(8);
static const ALIGNED(32) u8 lined[4] = { 1 };
typedef STACK_OF(X509) X_T;
static __always_inline foo_t __helper(int a) { return a; }
";
    assert_snapshot!(symbol_list(text), @"
    struct opts 1-1 public
    field opts::a 1-1 public
    constant OPTS 2-2 private
    enum color 3-3 public
    variant color::RED 3-3 public
    constant FAV 4-4 public
    function FN_PROTO 5-5 public
    function FN 6-6 public
    struct holder 7-7 public
    field holder::MEMBER 7-7 public
    field holder::ARR 7-7 public
    field holder::CU 7-7 public
    field holder::BITS 7-7 public
    constant A1 8-8 public
    constant B1 8-8 public
    constant C1 8-8 public
    constant LOUD 9-9 public
    variable quiet 9-9 public
    constant VAR 10-10 public
    constant DEFAULTS 12-12 public
    constant INFO 14-14 private
    type OPTS_T 15-15 public
    struct first 16-16 public
    field first::a 16-16 public
    struct last 17-17 public
    field last::b 17-17 public
    variable cache 18-18 private
    constant CACHE 18-18 private
    variable buffer 19-19 private
    variable lined 20-20 private
    type X_T 21-21 public
    function __helper 22-22 private
    ");
}

#[test]
fn macros_that_declare() {
    let text = "\
static DEFINE_MUTEX(lock);
static LIST_HEAD(head);
static DEFINE_PER_CPU(int, counter);
extern LIB_VAR(shared);
static old();
static *old_pointer(x);
int tail(void) { return 100000; }
DECLARE(int)
int (*chosen(int x))(void) { return 0; }
DECLARE(int)
foo_t (*pointer)(int);
DECLARE(int) int (wrapped)(int x) { return 1; }
DECLARE(int)
foo_t plain(void) { return 1; }
TAILQ_HEAD(heads, entry) queue = TAILQ_HEAD_INITIALIZER(queue);
struct entry { TAILQ_ENTRY(entry) link; LIST_ENTRY(entry) *others[2]; };
RB_GENERATE(tree, node, link, compare);
METHODDEF(void)
method(int a)
{ return; }
";
    assert_snapshot!(symbol_list(text), @"
    variable lock 1-1 private
    variable head 2-2 private
    variable shared 4-4 public
    function old 5-5 private
    function old_pointer 6-6 private
    function tail 7-7 public
    function chosen 9-9 public
    variable pointer 11-11 public
    function wrapped 12-12 public
    function plain 14-14 public
    variable queue 15-15 public
    struct entry 16-16 public
    field entry::link 16-16 public
    field entry::others 16-16 public
    function method 19-20 public
    ");
}

#[test]
fn macros_that_are_data_stay() {
    let text = "\
#define ERRORS(X) \\
  X(OK) \\
  X(BAD)
#define EMPTY_NODE \\
  { 0, 0, \\
    3 }
#define SUM(a, b) \\
  ((a) + /* do { x; } */ \\
   (b))
#define TYPE \\
  unsigned \\
  long
#define TEXT \\
  \"if (x) return; \" \\
  \"do { ; }\"
#define WORDS(X) \\
  X(if, 1) X(return, 2) \\
  X(do, 3)
#define FIELDS \\
  int a; \\
  int b;
#define SWAP(a, b) \\
  do { int t = a; \\
  a = b; b = t; } while (0)
#define CHECK(x) \\
  if (x) \\
    return x
#define FUNCTION(name) \\
  int name(void) \\
  { return 1; }
#define EACH(i) \\
  for (i = 0; \\
       i < 3; i++)
#define CALLS(x) \\
  first(x); \\
  second(x)
int f(void) { return 0; }
";
    assert_snapshot!(bones(text), @r#"
    #define ERRORS(X) \
      X(OK) \
      X(BAD)
    #define EMPTY_NODE \
      { 0, 0, \
        3 }
    #define SUM(a, b) \
      ((a) + /* do { x; } */ \
       (b))
    #define TYPE \
      unsigned \
      long
    #define TEXT \
      "if (x) return; " \
      "do { ; }"
    #define WORDS(X) \
      X(if, 1) X(return, 2) \
      X(do, 3)
    #define FIELDS \
      int a; \
      int b;
    #define SWAP(a, b) \
      /* … */
    #define CHECK(x) \
      /* … */
    #define FUNCTION(name) \
      /* … */
    #define EACH(i) \
      /* … */
    #define CALLS(x) \
      /* … */
    int f(void) { return 0; }
    "#);
    assert_snapshot!(lines(text), @"
    macro ERRORS(X)  L1-3
    macro EMPTY_NODE  L4-6
    macro SUM(a, b)  L7-9
    macro TYPE  L10-12
    macro TEXT  L13-15
    macro WORDS(X)  L16-18
    macro FIELDS  L19-21
    macro SWAP(a, b)  L22-24
    macro CHECK(x)  L25-27
    macro FUNCTION(name)  L28-30
    macro EACH(i)  L31-33
    macro CALLS(x)  L34-36
    function int f(void)  L37
    ");
}
