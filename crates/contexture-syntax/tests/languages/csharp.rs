//! Traps of C#.

use insta::assert_snapshot;

views_of!("C#");

#[test]
fn overloads_and_operators() {
    let text = "\
class V {
    V() {}
    V(int x) : this() {}
    ~V() {}
    void F() {}
    void F(int x) {}
    void F<T>(T x) where T : class {}
    public static V operator +(V a, V b) { return a; }
    public static V operator ++(V a) => a;
    public static bool operator true(V a) => true;
    public static implicit operator int?(V a) => 1;
    public static explicit operator List<V>(V a) { return null; }
    public int this[int i] => i;
}
";
    assert_snapshot!(symbol_list(text), @"
    class V 1-14 internal
    method V.V 2-2 private
    method V.V 3-3 private
    method V.~V 4-4 private
    method V.F 5-5 private
    method V.F 6-6 private
    method V.F 7-7 private
    method V.operator + 8-8 public
    method V.operator ++ 9-9 public
    method V.operator true 10-10 public
    method V.operator int? 11-11 public
    method V.operator List<V> 12-12 public
    field V.this 13-13 public
    ");
}

#[test]
fn what_an_interface_is_given_is_told_with_it() {
    let text = "\
class A : IEnumerable<int>, I {
    IEnumerator IEnumerable.GetEnumerator() { return null; }
    IEnumerator<int> IEnumerable<int>.GetEnumerator() => null;
    int I.P { get { return 1; } }
}
";
    assert_snapshot!(symbol_list(text), @"
    class A 1-5 internal
    method A.IEnumerable.GetEnumerator 2-2 private
    method A.IEnumerable<int>.GetEnumerator 3-3 private
    field A.I.P 4-4 private
    ");
}

#[test]
fn visibility() {
    let text = r#"class Default { int f; void M() {} enum E { A } }
public class P { public int A; protected int B; internal int C; private protected int D; protected internal int E; }
interface I { void M(); int P { get; } }
file static class F { const int K = 1; public const string S = "s", T = "t"; }
"#;
    assert_snapshot!(symbol_list(text), @"
    class Default 1-1 internal
    field Default.f 1-1 private
    method Default.M 1-1 private
    enum Default.E 1-1 private
    variant Default.E.A 1-1 public
    class P 2-2 public
    field P.A 2-2 public
    field P.B 2-2 internal
    field P.C 2-2 internal
    field P.D 2-2 private
    field P.E 2-2 internal
    interface I 3-3 internal
    method I.M 3-3 public
    field I.P 3-3 public
    class F 4-4 internal
    constant F.K 4-4 private
    constant F.S 4-4 public
    constant F.T 4-4 public
    ");
}

#[test]
fn attributes_and_comments() {
    let text = "\
/// <summary>One.</summary>
[Serializable]
// Two.
class A {
    // Doc of F.
    [Test]
    public void F() {}

    // Not of G.

    public void G() {} // behind
    /* Of H. */ public void H() {}
}
";
    assert_snapshot!(symbol_list(text), @r#"
    class A 4-13 internal "/// <summary>One.</summary>"
    method A.F 7-7 public "// Doc of F."
    method A.G 11-11 public
    method A.H 12-12 public "/* Of H. */"
    "#);
}

#[test]
fn namespaces_of_files_and_statements_without_a_class() {
    let text = "\
using static System.Math;
using Alias = System.Text.StringBuilder;
namespace A.B;
public record R(int X, int Y);
public readonly record struct S(int X) { public int Twice => X * 2; }
delegate T Maker<out T>();
";
    assert_snapshot!(symbol_list(text), @"
    type Alias 2-2 internal
    namespace A.B 3-6 public
    class A.B.R 4-4 public
    struct A.B.S 5-5 public
    field A.B.S.Twice 5-5 public
    type A.B.Maker 6-6 internal
    ");
}

#[test]
fn functions_in_functions() {
    let text = "\
Console.WriteLine(Twice(1));
int Twice(int x) { return x + x; }
class A {
    void F() {
        int x = 1;
        if (x > 0) { void Inner() { static int Deep() => 1; } }
        try { } catch { void Caught() {} } finally { }
        foreach (var y in z) { int Each() { return 1; } }
    }
}
";
    assert_snapshot!(symbol_list(text), @"
    function Twice 2-2 internal
    class A 3-10 internal
    method A.F 4-9 private
    function A.F.Inner 6-6 internal
    function A.F.Inner.Deep 6-6 internal
    function A.F.Caught 7-7 internal
    function A.F.Each 8-8 internal
    ");
}

#[test]
fn names_in_other_letters_and_with_signs() {
    let text = "\
class Größe { void Ändern() {} int @class; void 名前() {} }
";
    assert_snapshot!(symbol_list(text), @"
    class Größe 1-1 internal
    method Größe.Ändern 1-1 private
    field Größe.@class 1-1 private
    method Größe.名前 1-1 private
    ");
}

#[test]
fn conditions_around_whole_members_show_all_branches() {
    let text = "\
class A {
#if X
    void F() {}
#elif Y
    void G() {}
#else
    void H() {}
#endif
#region R
    void I() {}
#endregion
}
";
    assert_snapshot!(symbol_list(text), @"
    class A 1-12 internal
    method A.F 3-3 private
    method A.G 5-5 private
    method A.H 7-7 private
    method A.I 10-10 private
    ");
}

#[test]
fn conditions_anywhere_else_show_the_first_branch() {
    let text = r##"class A
#if X
    : B
#else
    : C
#endif
{
#if X
    void F(int a) {
#else
    void F(string a) {
#endif
        if (a) { }
#if X
        else { }
#endif
    }
    enum E { A,
#if X
        B,
#endif
        C }
    int P {
#if X
        get { return 1; }
#else
        get { return 2; }
#endif
    }
    string s = "#if"; string t = @"
#if in a text
"; /*
#else in a comment
*/
    void G() {}
}
"##;
    assert_snapshot!(symbol_list(text), @"
    class A 1-36 internal
    method A.F 9-17 private
    enum A.E 18-22 private
    variant A.E.A 18-18 public
    variant A.E.B 20-20 public
    variant A.E.C 22-22 public
    field A.P 23-29 private
    field A.s 30-30 private
    field A.t 30-32 private
    method A.G 35-35 private
    ");
}

#[test]
fn skeletons_of_members() {
    let text = r#"class A {
    int P { get { return 1; } set { x = value; } }
    int Q
    {
        // why
        get => 1;
        [Obsolete] set
        {
            x = value;
        }
    }
    public A(int x)
        // a comment below the head
        : base(x)
    {
        y = x;
    }
    string Long() =>
        "a" +
        "b";
    string Short() => "a";
    void Empty() { }
    abstract void None();
    static readonly Func<int> f = () => {
        return 1;
    };
}
"#;
    assert_snapshot!(bones(text), @r#"
    class A {
        int P { get { return 1; } set { /* … */ } }
        int Q
        {
            // why
            get => 1;
            [Obsolete] set
            { /* … */ }
        }
        public A(int x)
            // a comment below the head
            : base(x)
        { /* … */ }
        string Long() =>
            "a" +
            "b";
        string Short() => "a";
        void Empty() { }
        abstract void None();
        static readonly Func<int> f = () => { /* … */ };
    }
    "#);
}

#[test]
fn skeletons_around_conditions() {
    let text = "\
class A {
    void F()
    {
#if X
        a();
#else
        b();
#endif
    }
#if X
    void G() { a(); b(); c(); }
#else
    void G() { b(); c(); a(); }
#endif
#if X
    void H(int x) {
#else
    void H() {
#endif
        many(); many(); many();
    }
    void I() { many(); many(); many(); }
}
";
    assert_snapshot!(bones(text), @"
    class A {
        void F()
        { /* … */ }
    #if X
        void G() { /* … */ }
    #else
        void G() { /* … */ }
    #endif
    #if X
        void H(int x) {
    #else
        void H() {
    #endif
            many(); many(); many();
        }
        void I() { /* … */ }
    }
    ");
}

#[test]
fn odd_files_are_read() {
    for text in [
        "",
        "\n",
        "\u{feff}",
        "class A {",
        "class A { void F() { if (",
        "#if",
        "#endif\n#else\n#if X",
        "}}}}",
        "class A { string s = @\"",
        "class A { /*",
    ] {
        let _ = (symbol_list(text), lines(text));
        bones(text);
    }
}

#[test]
fn functions_in_fields_lose_their_bodies() {
    let text = "\
class A {
    Func<int, int> f = x => {
        Go(x);
        return x;
    };
    static readonly Action a = () => { Go(); Go(); Go(); }, b = null;
    Action c = delegate { Go(); Go(); Go(); };
    Action<int> P { get; } = x => { Go(); Go(); Go(); Go(); };
    int e = 1;
}
";
    assert_snapshot!(symbol_list(text), @"
    class A 1-10 internal
    field A.f 2-5 private
    field A.a 6-6 private
    field A.b 6-6 private
    field A.c 7-7 private
    field A.P 8-8 private
    field A.e 9-9 private
    ");
    assert_snapshot!(bones(text), @"
    class A {
        Func<int, int> f = x => { /* … */ };
        static readonly Action a = () => { Go(); Go(); Go(); }, b = null;
        Action c = delegate { /* … */ };
        Action<int> P { get; } = x => { /* … */ };
        int e = 1;
    }
    ");
}
