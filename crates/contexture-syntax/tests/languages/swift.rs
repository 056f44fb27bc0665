//! Traps of Swift.

use insta::assert_snapshot;

views_of!("Swift");

#[test]
fn overloads_differ_by_labels() {
    let text = "\
struct A {
    func f(a: Int) { print(a); print(a) }
    func f(b: Int) -> Int { return b }
    static func == (l: A, r: A) -> Bool { return l.x == r.x }
    init?() { return nil }
    init(from x: Int) throws { self.init() }
}
";
    assert_snapshot!(symbol_list(text), @"
    struct A 1-7 internal
    method A.f 2-2 internal
    method A.f 3-3 internal
    method A.== 4-4 internal
    method A.init 5-5 internal
    method A.init 6-6 internal
    ");
    assert_snapshot!(bones(text), @"
    struct A {
        func f(a: Int) { /* … */ }
        func f(b: Int) -> Int { return b }
        static func == (l: A, r: A) -> Bool { /* … */ }
        init?() { /* … */ }
        init(from x: Int) throws { /* … */ }
    }
    ");
}

#[test]
fn accessors_show_which_there_are() {
    let text = "\
class A {
    var a: Int { return 1 + 2 + 3 + 4 }
    var b: Int {
        get { let local = 1 + 2 + 3; return local }
        set(value) {
            print(value)
        }
    }
    var c = 0 {
        didSet {
            print(c)
        }
    }
    lazy var d: Int = {
        let local = 1
        return local
    }()
    subscript(i: Int) -> Int {
        get { return i + 1 + 2 + 3 }
        set { print(newValue, i) }
    }
}
";
    assert_snapshot!(bones(text), @"
    class A {
        var a: Int { /* … */ }
        var b: Int {
            get { /* … */ }
            set(value) {
                /* … */
            }
        }
        var c = 0 {
            didSet {
                print(c)
            }
        }
        lazy var d: Int = {
            /* … */
        }()
        subscript(i: Int) -> Int {
            get { /* … */ }
            set { /* … */ }
        }
    }
    ");
    assert_snapshot!(symbol_list(text), @"
    class A 1-22 internal
    field A.a 2-2 internal
    field A.b 3-8 internal
    field A.c 9-13 internal
    field A.d 14-17 internal
    method A.subscript 18-21 internal
    ");
}

#[test]
fn who_may_use_it_is_said_before_the_name() {
    let text = "\
public class A {
    private(set) var a = 1
    public private(set) var b = 2
    fileprivate func c() {}
    open func d() {}
    func e() {}
}
protocol P { var f: Int { get }; func g() }
public enum E { case h }
";
    assert_snapshot!(symbol_list(text), @"
    class A 1-7 public
    field A.a 2-2 internal
    field A.b 3-3 public
    method A.c 4-4 private
    method A.d 5-5 public
    method A.e 6-6 internal
    protocol P 8-8 internal
    field P.f 8-8 public
    method P.g 8-8 public
    enum E 9-9 public
    variant E.h 9-9 public
    ");
}

#[test]
fn extensions_are_named_after_their_type() {
    let text = "\
extension A.B where T: P {
    func f() {}
    struct C { let x = 1 }
}
extension Array<Int> { func g() {} }
";
    assert_snapshot!(symbol_list(text), @"
    extension A.B 1-4 internal
    method A.B.f 2-2 internal
    struct A.B.C 3-3 internal
    field A.B.C.x 3-3 internal
    extension Array 5-5 internal
    method Array.g 5-5 internal
    ");
}

#[test]
fn local_functions_and_types_are_told_and_locals_are_not() {
    let text = "\
func f() {
    let x = 1
    struct S { var y = 2 }
    if x > 0 {
        func g() {}
    }
    #if DEBUG
    func h() {}
    #endif
}
let t = (1, 2), u = 3
let (v, w) = t
";
    assert_snapshot!(symbol_list(text), @"
    function f 1-10 internal
    struct f.S 3-3 internal
    field f.S.y 3-3 internal
    function f.g 5-5 internal
    function f.h 8-8 internal
    variable t 11-11 internal
    variable u 11-11 internal
    ");
    assert_snapshot!(bones(text), @"
    func f() { /* … */ }
    let t = (1, 2), u = 3
    let (v, w) = t
    ");
}

#[test]
fn comments_above_attributes_are_documentation() {
    let text = "\
/// One.
/// More.
@available(iOS 13, *)
@MainActor public func one() async {
    print(\"x\")
}

/** Not of two. */

func two() {}
";
    assert_snapshot!(symbol_list(text), @r#"
    function one 4-6 public "/// One.\n/// More."
    function two 10-10 internal
    "#);
    assert_snapshot!(bones(text), @"
    /// One.
    /// More.
    @available(iOS 13, *)
    @MainActor public func one() async { /* … */ }

    /** Not of two. */

    func two() {}
    ");
}

#[test]
fn cases_of_a_line_are_all_told() {
    let text = "\
indirect enum E { case a, b(Int), c = 3
  /// d
  case d }
actor Größe { func 函数() {} }
";
    assert_snapshot!(symbol_list(text), @r#"
    enum E 1-3 internal
    variant E.a 1-1 public
    variant E.b 1-1 public
    variant E.c 1-1 public
    variant E.d 3-3 public "/// d"
    class Größe 4-4 internal
    method Größe.函数 4-4 internal
    "#);
}

#[test]
fn macros_and_associated_types() {
    let text = "\
@freestanding(expression)
public macro stringify<T>(_ value: T) -> (T, String) = #externalMacro(module: \"M\", type: \"S\")
protocol P { associatedtype T: Q = Int; typealias U = Int; init() }
infix operator <+>
func <+> (l: Int, r: Int) -> Int { l + r }
";
    assert_snapshot!(symbol_list(text), @"
    macro stringify 2-2 public
    protocol P 3-3 internal
    type P.T 3-3 public
    type P.U 3-3 public
    method P.init 3-3 public
    function <+> 5-5 internal
    ");
}

#[test]
fn any_text_gives_a_view() {
    for text in ["", "\n", "\u{feff}", "}}}}((", "\"", "\u{0}"] {
        assert_eq!(symbol_list(text), "", "{text:?}");
        assert_eq!(bones(text), text);
    }
}

#[test]
fn slashes_in_regular_expressions() {
    let text = r#"
let re = /a{2}\/b/
func foo() { print("a body that is long") }
func bar() -> Regex { return /x\/}/ }
let quotient = a / b / c
func last() { print("a body that is long, too") }
"#;
    assert_snapshot!(symbol_list(text), @"
    variable re 2-2 internal
    function foo 3-3 internal
    function bar 4-4 internal
    variable quotient 5-5 internal
    function last 6-6 internal
    ");
    assert_snapshot!(bones(text), @r"

    let re = /a{2}\/b/
    func foo() { /* … */ }
    func bar() -> Regex { /* … */ }
    let quotient = a / b / c
    func last() { /* … */ }
    ");
}
