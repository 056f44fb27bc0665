//! Traps of Java.

use contexture_syntax::{outline, read, symbols};
use insta::assert_snapshot;
use std::fmt::Write;

views_of!("Java");

#[test]
fn overloads_and_constructors_are_told_each() {
    let text =
        "class A {\n  A() {}\n  <T> A(T t) {}\n  void f() {}\n  void f(int x) {}\n  int f(int... x)[] { return x; }\n}";
    assert_snapshot!(symbol_list(text), @"
    class A 1-7 internal
    method A.A 2-2 internal
    method A.A 3-3 internal
    method A.f 4-4 internal
    method A.f 5-5 internal
    method A.f 6-6 internal
    ");
}

#[test]
fn classes_without_names_have_methods() {
    let text = "\
class A {
  Runnable field = new Runnable() { public void run() {} };
  Object[] more = { new Object() { public String toString() { return \"\"; } } };
  void f() {
    call(new B(1) { int local; void inner() {} }.x, () -> { class C { void c() {} } });
    for (var x : new D() { void d() {} }) switch (x) { case 1: record E(int e) {} default: enum F { G } }
    try (var r = new H() { void h() {} }) { } catch (I i) { interface J { void j(); } } finally { return y ? new K() { void k() {} } : null; }
  }
}
";
    assert_snapshot!(symbol_list(text), @"
    class A 1-9 internal
    field A.field 2-2 internal
    method A.field.run 2-2 public
    field A.more 3-3 internal
    method A.more.toString 3-3 public
    method A.f 4-8 internal
    method A.f.inner 5-5 internal
    class A.f.C 5-5 internal
    method A.f.C.c 5-5 internal
    method A.f.d 6-6 internal
    class A.f.E 6-6 internal
    enum A.f.F 6-6 internal
    variant A.f.F.G 6-6 public
    method A.f.h 7-7 internal
    interface A.f.J 7-7 internal
    method A.f.J.j 7-7 public
    method A.f.k 7-7 internal
    ");
}

#[test]
fn annotations_are_no_part_of_a_head_but_of_the_whole() {
    let text = "\
/** Doc. */
@Entity(access = \"private\")
// note
@Table
public class A {
  @Id /* key */ @Column(name = \"id\") private long id;
  @Override
  // Between.
  public @Nullable String name() { return null; }
}
";
    let structure = read(language(), text).unwrap();
    assert_snapshot!(outline(language(), &structure, text), @"
    class A  L5-10
      method public @Nullable String name()  L9
      field private long id  L6
    ");
    assert_snapshot!(symbol_list(text), @r#"
    class A 5-10 public "/** Doc. */"
    field A.id 6-6 private
    method A.name 9-9 public
    "#);
    let first: Vec<_> = symbols(language(), &structure, text).iter().map(|s| (s.first_line, s.start_line)).collect();
    assert_eq!(first, [(2, 5), (6, 6), (7, 9)]);
}

#[test]
fn visibility_is_said_by_words_and_by_what_is_around() {
    let text = "\
package a.b.c;
public interface I { int X = 1; void f(); private void g() {} class In { int y; } }
enum E { A, B { void b() {} }; protected int z; }
@interface N { int v() default 1; }
abstract class C { protected abstract void h(); public static final int K = 1, L = 2; final int m = 3; static int n; }
";
    assert_snapshot!(symbol_list(text), @"
    namespace a.b.c 1-1 public
    interface I 2-2 public
    constant I.X 2-2 public
    method I.f 2-2 public
    method I.g 2-2 private
    class I.In 2-2 public
    field I.In.y 2-2 internal
    enum E 3-3 internal
    variant E.A 3-3 public
    variant E.B 3-3 public
    method E.B.b 3-3 public
    field E.z 3-3 internal
    interface N 4-4 internal
    method N.v 4-4 public
    class C 5-5 internal
    method C.h 5-5 internal
    constant C.K 5-5 public
    constant C.L 5-5 public
    field C.m 5-5 internal
    field C.n 5-5 internal
    ");
}

#[test]
fn modules_are_told() {
    assert_snapshot!(symbol_list("/** Doc. */\nopen module a.b {\n  requires java.base;\n}\n"), @r#"module a.b 2-4 internal "/** Doc. */""#);
}

#[test]
fn a_skeleton_keeps_what_a_caller_needs() {
    let text = "\
class A {
    static { load(); start(); go(); }
    private static final Map<String, Integer> MAP = Map.of(\"a\", 1,
        \"b\", 2);
    final Function<A, A> f = a -> { return a.copy().change(); };
    @Override
    /* not public */
    <T extends Comparable<T>> T g(final T t)
        throws E // why
    {
        String s = \"}\"; char c = '}'; // }
        return t;
    }
    abstract void none();
    A(int x) { super(x); this.x = x; y = x; }
}
";
    assert_snapshot!(bones(text), @r#"
    class A {
        static { /* … */ }
        private static final Map<String, Integer> MAP = Map.of("a", 1,
            "b", 2);
        final Function<A, A> f = a -> { /* … */ };
        @Override
        /* not public */
        <T extends Comparable<T>> T g(final T t)
            throws E // why
        { /* … */ }
        abstract void none();
        A(int x) { /* … */ }
    }
    "#);
}

#[test]
fn line_ends_names_and_ends_of_files_are_as_people_leave_them() {
    assert_snapshot!(symbol_list("/** Doc. */\r\nclass Größe {\r\n  int 数;\r\n  void f() {\r\n  }\r\n}"), @r#"
    class Größe 2-6 internal "/** Doc. */"
    field Größe.数 3-3 internal
    method Größe.f 4-5 internal
    "#);
    assert_eq!(
        bones("class A {\r\n  void f() {\r\n    one(1, 2);\r\n  }\r\n}\r\n"),
        "class A {\r\n  void f() { /* … */ }\r\n}\r\n"
    );
    assert_eq!(symbol_list(""), "");
    assert_snapshot!(symbol_list("class A { int x; void f() {} } enum B { C, D }"), @"
    class A 1-1 internal
    field A.x 1-1 internal
    method A.f 1-1 internal
    enum B 1-1 internal
    variant B.C 1-1 public
    variant B.D 1-1 public
    ");
    assert_snapshot!(symbol_list("class A {\n  void whole() {}\n  void cut() {\n    if (x) {"), @"method whole 2-2 internal");
    bones("class A {\n  void whole() {}\n  void cut() {\n    if (x) {");
}

#[test]
fn thousands_of_names_on_a_line_are_read_in_linear_time() {
    let mut text = String::from("class A { int n0");
    for at in 1..3_000 {
        write!(text, ", n{at}").unwrap();
    }
    text.push_str("; }\n");
    assert_eq!(symbols(language(), &read(language(), &text).unwrap(), &text).len(), 3_001);
}

#[test]
fn initialisers_lose_their_bodies() {
    let text = "\
class A {
    static {
        go();
        go();
    }
    {
        go();
        new B() { void inner() { go(); } };
    }
    void f() { { go(); } }
    Map<A, B> map = new HashMap<>() {{
        put(1, 2);
        put(3, 4);
    }};
}
";
    assert_snapshot!(symbol_list(text), @"
    class A 1-15 internal
    method A.inner 8-8 internal
    method A.f 10-10 internal
    field A.map 11-14 internal
    ");
    assert_snapshot!(bones(text), @"
    class A {
        static { /* … */ }
        { /* … */ }
        void f() { { go(); } }
        Map<A, B> map = new HashMap<>() {{ /* … */ }};
    }
    ");
}
