//! Traps of Scala.

use insta::assert_snapshot;

views_of!("Scala");

#[test]
fn overloads_and_local_functions() {
    let text = "\
object A {
  def f(x: Int): Int = x
  def f(x: String): Int = {
    def local(y: Int) = {
      val z = y
      z
    }
    local(1)
  }
  def g: Int =
    f(1) +
      f(2)

  def h() { println(\"procedure\") }
  def +(other: A): A
}
";
    assert_snapshot!(symbol_list(text), @"
    object A 1-16 public
    method A.f 2-2 public
    method A.f 3-9 public
    function A.f.local 4-7 public
    method A.g 10-12 public
    method A.h 14-14 public
    method A.+ 15-15 public
    ");
    assert_snapshot!(bones(text), @"
    object A {
      def f(x: Int): Int = x
      def f(x: String): Int = { /* … */ }
      def g: Int =
        ???

      def h() { /* … */ }
      def +(other: A): A
    }
    ");
}

#[test]
fn lines_that_end_a_block_keep_their_places() {
    let text = "\
def f(x: Int): Int =
  val y = x
  y + 1

class B:
  def g =
    println(1)
    println(2)

  def h = 3
end B

object C
";
    assert_snapshot!(symbol_list(text), @"
    function f 1-3 public
    class B 5-11 public
    method B.g 6-8 public
    method B.h 10-10 public
    object C 13-13 public
    ");
    assert_snapshot!(bones(text), @"
    def f(x: Int): Int =
      ???

    class B:
      def g =
        ???

      def h = 3
    end B

    object C
    ");
}

#[test]
fn a_block_that_makes_a_value_is_code() {
    let text = "\
class A {
  val a = {
    val local = 1
    local
  }
  lazy val b: Int = 2
  var c, d: Int = 0
  val (e, f) = (1, 2)
  val g = new H {
    override def i: Int = {
      println(\"i\")
      1
    }
  }
  test(\"name\") {
    val local = 2
    assert(local == 2)
  }
}
";
    assert_snapshot!(symbol_list(text), @"
    class A 1-19 public
    field A.a 2-5 public
    field A.b 6-6 public
    field A.c 7-7 public
    field A.d 7-7 public
    field A.g 9-14 public
    function A.g.i 10-13 public
    ");
    assert_snapshot!(bones(text), @r#"
    class A {
      val a = { /* … */ }
      lazy val b: Int = 2
      var c, d: Int = 0
      val (e, f) = (1, 2)
      val g = new H {
        override def i: Int = { /* … */ }
      }
      test("name") { /* … */ }
    }
    "#);
}

#[test]
fn who_may_use_it_is_said_before_the_name() {
    let text = "\
private class A(val a: Int, private var b: Int, c: Int) {
  protected def d = 1
  private[this] val e = 2
  final override lazy val f = 3
}
";
    assert_snapshot!(symbol_list(text), @"
    class A 1-5 private
    field A.a 1-1 public
    field A.b 1-1 private
    method A.d 2-2 internal
    field A.e 3-3 private
    field A.f 4-4 public
    ");
}

#[test]
fn packages_hold_what_stands_in_their_braces() {
    let text = "\
package a.b
package c {
  class D
  package object e { type F = Int }
}
";
    assert_snapshot!(symbol_list(text), @"
    namespace a.b 1-1 public
    namespace c 2-5 public
    class c.D 3-3 public
    object c.e 4-4 public
    type c.e.F 4-4 public
    ");
}

#[test]
fn given_instances_extensions_and_enumerations() {
    let text = "\
given ord: Ord[Int] with
  def compare(x: Int, y: Int): Int =
    val z = x - y
    z
given Ord[String] = ???
extension [A](xs: List[A])
  def second: A = xs.tail.head
enum E:
  case A, B
  case C(x: Int) extends E
  def f = 1
opaque type T = Int
";
    assert_snapshot!(symbol_list(text), @"
    object ord 1-4 public
    method ord.compare 2-4 public
    extension List 6-7 public
    method List.second 7-7 public
    enum E 8-11 public
    variant E.A 9-9 public
    variant E.B 9-9 public
    variant E.C 10-10 public
    method E.f 11-11 public
    type T 12-12 public
    ");
    assert_snapshot!(bones(text), @"
    given ord: Ord[Int] with
      def compare(x: Int, y: Int): Int =
        ???
    given Ord[String] = ???
    extension [A](xs: List[A])
      def second: A = xs.tail.head
    enum E:
      case A, B
      case C(x: Int) extends E
      def f = 1
    opaque type T = Int
    ");
}

#[test]
fn comments_above_annotations_are_documentation() {
    let text = "\
/** One. */
@deprecated(\"x\", \"1\")
@tailrec final def one(): Int = 1

/** Not of two. */

def two() = 2
case class Größe(höhe: Int)
def `is empty` = true
";
    assert_snapshot!(symbol_list(text), @r#"
    function one 3-3 public "/** One. */"
    function two 7-7 public
    class Größe 8-8 public
    field Größe.höhe 8-8 public
    function `is empty` 9-9 public
    "#);
}

#[test]
fn any_text_gives_a_view() {
    for text in ["", "\n", "\u{feff}", "}}}}((", "\"", "\u{0}"] {
        assert_eq!(symbol_list(text), "", "{text:?}");
        assert_eq!(bones(text), text);
    }
}

#[test]
fn an_extension_is_one_whatever_is_passed_to_it() {
    let text = "\
extension (u: User)(using c: Ctx)
  def greet: String = c.hi(u)
extension [T](u: List[T])(using Ctx)(using d: D) {
  def a: Int = 1
}
extension (using c: Ctx)(x: Foo)
  def b: Int = 1
";
    assert_snapshot!(symbol_list(text), @"
    extension User 1-2 public
    method User.greet 2-2 public
    extension List 3-5 public
    method List.a 4-4 public
    extension Foo 6-7 public
    method Foo.b 7-7 public
    ");
}

#[test]
fn parameters_of_a_case_class_are_fields() {
    let text = "\
case class P(x: Int, private val y: String)(using z: Ctx) {
  class Q(no: Int, val yes: Int)
}
class R(no: Int)(implicit val yes: Ctx)
";
    assert_snapshot!(symbol_list(text), @"
    class P 1-3 public
    field P.x 1-1 public
    field P.y 1-1 private
    class P.Q 2-2 public
    field P.Q.yes 2-2 public
    class R 4-4 public
    field R.yes 4-4 public
    ");
}

#[test]
fn functions_in_values_lose_their_bodies() {
    let text = "\
class A {
  val f = (x: Int) => {
    println(x)
    x + 1
  }
  val g: Int => Int = { x =>
    println(x)
    x + 1
  }
  val h = (x: Int) =>
    println(x)
    x
}
";
    assert_snapshot!(symbol_list(text), @"
    class A 1-13 public
    field A.f 2-5 public
    field A.g 6-9 public
    field A.h 10-12 public
    ");
    assert_snapshot!(bones(text), @"
    class A {
      val f = (x: Int) => { /* … */ }
      val g: Int => Int = { /* … */ }
      val h = (x: Int) =>
        println(x)
        x
    }
    ");
}
