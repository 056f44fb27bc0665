//! Traps of PHP.

use insta::assert_snapshot;

views_of!("PHP");

#[test]
fn conditional_and_nested_functions() {
    let text = "\
<?php
if (!function_exists('a')) { function a() {} } else { function a($b) {} }
if (X): function c() {} else: function c() {} endif;
function outer() { $v = 1; function inner() { class Deep { function m() {} } } }
try { function d() {} } catch (E $e) { function e() {} } finally { function f() {} }
switch ($x) { case 1: function g() {} default: function h() {} }
";
    assert_snapshot!(symbol_list(text), @"
    function a 2-2 public
    function a 2-2 public
    function c 3-3 public
    function c 3-3 public
    function outer 4-4 public
    function outer::inner 4-4 public
    class outer::inner::Deep 4-4 public
    method outer::inner::Deep::m 4-4 public
    function d 5-5 public
    function e 5-5 public
    function f 5-5 public
    function g 6-6 public
    function h 6-6 public
    ");
}

#[test]
fn classes_without_a_name() {
    let text = "\
<?php
return new class extends Base implements I {
    public $p = 1;
    public function run() { return f(function () { return new class { function deep() {} }; }); }
};
$x = ['k' => fn () => new class { const C = 1; function inArray() {} }];
";
    assert_snapshot!(symbol_list(text), @"
    field $p 3-3 public
    method run 4-4 public
    method run::deep 4-4 public
    constant C 6-6 public
    method inArray 6-6 public
    ");
}

#[test]
fn members() {
    let text = "\
<?php
abstract class A {
    const B = 1, C = 2;
    final protected const int D = 3;
    public $e, $f = 1;
    protected static ?array $g = null;
    private readonly int $h;
    var $i;
    function __construct(private int $promoted, $plain) {}
    abstract protected function j();
    final public static function &k(): static {}
    public int $hooked { get => 1; set { $this->x = $value; } }
}
interface I { const X = 1; public function y(); }
enum E: int implements I { case One = 1; case Two = 2; const Z = self::One; public static function w() {} }
";
    assert_snapshot!(symbol_list(text), @"
    class A 2-13 public
    constant A::B 3-3 public
    constant A::C 3-3 public
    constant A::D 4-4 internal
    field A::$e 5-5 public
    field A::$f 5-5 public
    field A::$g 6-6 internal
    field A::$h 7-7 private
    field A::$i 8-8 public
    method A::__construct 9-9 public
    field A::$promoted 9-9 private
    method A::j 10-10 internal
    method A::k 11-11 public
    field A::$hooked 12-12 public
    interface I 14-14 public
    constant I::X 14-14 public
    method I::y 14-14 public
    enum E 15-15 public
    variant E::One 15-15 public
    variant E::Two 15-15 public
    constant E::Z 15-15 public
    method E::w 15-15 public
    ");
}

#[test]
fn names_of_functions_and_constants() {
    let text = r#"<?php
define('A_B', 1);
\define('NOT_SEEN', 2);
const C = 1;
$f = function ($x) { return $x; };
$this->g = function () {};
function &größe() {}
function 名前() {}
class list_ { function list() {} function class() {} }
"#;
    assert_snapshot!(symbol_list(text), @"
    constant A_B 2-2 public
    constant C 4-4 public
    function f 5-5 public
    function größe 7-7 public
    function 名前 8-8 public
    class list_ 9-9 public
    method list_::list 9-9 public
    method list_::class 9-9 public
    ");
}

#[test]
fn attributes_and_comments() {
    let text = "\
<?php
/** Of the class. */
#[Attr(1), Other]
final class A {
    /** Of the property. */
    #[Column] public int $p;
    // Of the method.
    #[Route('/x')]
    public function m() {}

    /** Of nothing. */

    public function n() {}
}
";
    assert_snapshot!(symbol_list(text), @r#"
    class A 4-14 public "/** Of the class. */"
    field A::$p 6-6 public "/** Of the property. */"
    method A::m 9-9 public "// Of the method."
    method A::n 13-13 public
    "#);
}

#[test]
fn namespaces() {
    let text = r#"<?php
namespace A\B { class C { function m() {} } function f() {} }
namespace { class D {} }
"#;
    assert_snapshot!(symbol_list(text), @r"
    namespace A\B 2-2 public
    class A\B::C 2-2 public
    method A\B::C::m 2-2 public
    function A\B::f 2-2 public
    class D 3-3 public
    ");
}

#[test]
fn text_around_code() {
    let text = "\
<html><?php function a() { ?> <b>function not() {}</b> <?php } ?>
<p><?php if ($x): ?> <i></i> <?php function b() {} endif; ?></p>
";
    assert_snapshot!(symbol_list(text), @"
    function a 1-1 public
    function b 2-2 public
    ");
}

#[test]
fn skeletons_of_callables() {
    let text = "\
<?php
add_action('init', function () use ($x) {
    many(); many(); many();
});
Route::get('/', fn () =>
    view('home')
);
function a() { ?> <b>text</b> <?php }
class A {
    public function b(
        int $x = 1,
    ): int
    // below the head
    {
        return <<<TEXT
        }
        TEXT;
    }
    abstract function c();
}
";
    assert_snapshot!(bones(text), @"
    <?php
    add_action('init', function () use ($x) { /* … */ });
    Route::get('/', fn () =>
        view('home')
    );
    function a() { /* … */ }
    class A {
        public function b(
            int $x = 1,
        ): int
        { /* … */ }
        abstract function c();
    }
    ");
}

#[test]
fn odd_files_are_read() {
    for text in [
        "",
        "\n",
        "\u{feff}",
        "<?php",
        "<p>text</p>",
        "<?php class A {",
        "<?php function f() { if (",
        "<?php }}}}",
        "<?php $x = <<<E\nfunction f() {",
        "<?= 1 ?>",
    ] {
        let _ = (symbol_list(text), lines(text));
        bones(text);
    }
}

#[test]
fn a_namespace_of_statements_holds_up_to_the_next() {
    let text = "\
<?php
namespace A\\B;
use X;
class P { function hd() { a(); } }
if (true) { function g() { b(); } }
// Of the other.
namespace C;
class P { }
const X = 1;
";
    assert_snapshot!(symbol_list(text), @r#"
    namespace A\B 2-5 public
    class A\B::P 4-4 public
    method A\B::P::hd 4-4 public
    function A\B::g 5-5 public
    namespace C 7-9 public "// Of the other."
    class C::P 8-8 public
    constant C::X 9-9 public
    "#);
    assert_snapshot!(lines(text), @r"
    namespace A\B  L2-5
      class P  L4
        method hd()  L4
      function g()  L5
    namespace C  L7-9
      class P  L8
      constant X = 1  L9
    ");
}

#[test]
fn who_may_write_a_property_is_not_who_may_read_it() {
    let text = "\
<?php
class A {
    public private(set) string $a;
    private(set) string $b;
    public protected(set) int $c;
    protected private(set) int $d;
    private int $e;
}
";
    assert_snapshot!(symbol_list(text), @"
    class A 2-8 public
    field A::$a 3-3 public
    field A::$b 4-4 public
    field A::$c 5-5 public
    field A::$d 6-6 internal
    field A::$e 7-7 private
    ");
}

#[test]
fn promoted_parameters_are_fields_of_the_class() {
    let text = "\
<?php
class A {
    /** Makes it. */
    public function __construct(
        #[Sensitive]
        private readonly int $a,
        public private(set) int $b = 1,
        int $no = 2,
    ) {
        go($no);
        go($no);
    }
}
";
    assert_snapshot!(symbol_list(text), @r#"
    class A 2-13 public
    method A::__construct 4-12 public "/** Makes it. */"
    field A::$a 6-6 private
    field A::$b 7-7 public
    "#);
    assert_snapshot!(bones(text), @"
    <?php
    class A {
        /** Makes it. */
        public function __construct(
            #[Sensitive]
            private readonly int $a,
            public private(set) int $b = 1,
            int $no = 2,
        ) { /* … */ }
    }
    ");
}

#[test]
fn arrow_functions_with_names() {
    let text = "\
<?php
$g = fn() => 1;
$h = fn(int $a): int => compute($a, $a, $a);
";
    assert_snapshot!(symbol_list(text), @"
    function g 2-2 public
    function h 3-3 public
    ");
    assert_snapshot!(bones(text), @"
    <?php
    $g = fn() => 1;
    $h = fn(int $a): int => compute($a, $a, $a);
    ");
}
