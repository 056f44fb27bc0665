//! Traps of Kotlin.

use insta::assert_snapshot;

views_of!("Kotlin");

#[test]
fn overloads_and_extensions_are_all_told() {
    let text = "\
package a.b
fun f() {}
fun f(x: Int) = x
fun String.f(y: Int): Int {
    fun local() {
        println(y)
    }
    return y
}
val String.size2 get() = length
operator fun Int.plus(other: A): A = A(this)
";
    assert_snapshot!(symbol_list(text), @"
    namespace a.b 1-1 public
    function f 2-2 public
    function f 3-3 public
    function f 4-9 public
    function f.local 5-7 public
    variable size2 10-10 public
    function plus 11-11 public
    ");
    assert_snapshot!(bones(text), @"
    package a.b
    fun f() {}
    fun f(x: Int) = x
    fun String.f(y: Int): Int { /* … */ }
    val String.size2 get() = length
    operator fun Int.plus(other: A): A = A(this)
    ");
}

#[test]
fn members_of_a_companion_are_those_of_its_class() {
    let text = "\
class A {
    companion object {
        const val LIMIT = 1
        @JvmStatic
        fun create() = A()
    }
    object Named { fun g() {} }
}
";
    assert_snapshot!(symbol_list(text), @"
    class A 1-8 public
    constant A.LIMIT 3-3 public
    method A.create 5-5 public
    object A.Named 7-7 public
    method A.Named.g 7-7 public
    ");
}

#[test]
fn who_may_use_it_is_said_before_the_name() {
    let text = "\
private class A internal constructor(private val a: Int, val b: Int, c: Int) {
    protected open fun p() {}
    internal var i = 0
        private set
    public fun q() {}
}
";
    assert_snapshot!(symbol_list(text), @"
    class A 1-6 private
    field A.a 1-1 private
    field A.b 1-1 public
    method A.p 2-2 internal
    field A.i 3-4 internal
    method A.q 5-5 public
    ");
}

#[test]
fn accessors_and_lambdas_that_compute_lose_their_code() {
    let text = "\
class A {
    val x: Int
        get() {
            val local = 1
            return local
        }
    var y = 0
        set(value) {
            check(value > 0)
            field = value
        }
    val z by lazy {
        val made = 1
        made
    }
    init {
        val local = 2
        println(local)
    }
}
";
    assert_snapshot!(bones(text), @"
    class A {
        val x: Int
            get() { /* … */ }
        var y = 0
            set(value) { /* … */ }
        val z by lazy { /* … */ }
        init { /* … */ }
    }
    ");
    assert_snapshot!(symbol_list(text), @"
    class A 1-20 public
    field A.x 2-6 public
    field A.y 7-11 public
    field A.z 12-15 public
    ");
}

#[test]
fn objects_in_expressions_are_looked_into() {
    let text = "\
val listener = object : Listener {
    override fun on(event: Event) {
        println(event)
    }
}
fun f() {
    run(object : Runnable {
        override fun run() {
            class Inner
        }
    })
}
";
    assert_snapshot!(symbol_list(text), @"
    variable listener 1-5 public
    function listener.on 2-4 public
    function f 6-12 public
    function f.run 8-10 public
    class f.run.Inner 9-9 public
    ");
    assert_snapshot!(bones(text), @"
    val listener = object : Listener {
        override fun on(event: Event) { /* … */ }
    }
    fun f() { /* … */ }
    ");
}

#[test]
fn what_the_grammar_takes_for_names_is_read_all_the_same() {
    let text = "\
@Target(A, B)
@Retention(C)
annotation class Bare

@X
public expect annotation class Twice

@Y
public class Alone

class Store
@PublishedApi
internal constructor(private val storage: IntArray)

val visitor = visit(fun(node) {
    println(node)
})
@Deprecated(\"x\")
@OptIn(A::class)
internal fun below() {
    println()
}
annotation class Defaults(val names: Array<String> = [], val more: Int = 1)
";
    assert_snapshot!(symbol_list(text), @"
    class Bare 3-3 public
    class Twice 6-6 public
    class Alone 9-9 public
    class Store 11-13 public
    field Store.storage 13-13 private
    variable visitor 15-17 public
    function below 20-22 internal
    class Defaults 23-23 public
    field Defaults.names 23-23 public
    field Defaults.more 23-23 public
    ");
    assert_snapshot!(bones(text), @r#"
    @Target(A, B)
    @Retention(C)
    annotation class Bare

    @X
    public expect annotation class Twice

    @Y
    public class Alone

    class Store
    @PublishedApi
    internal constructor(private val storage: IntArray)

    val visitor = visit(fun(node) { /* … */ })
    @Deprecated("x")
    @OptIn(A::class)
    internal fun below() { /* … */ }
    annotation class Defaults(val names: Array<String> = [], val more: Int = 1)
    "#);
}

#[test]
fn comments_above_annotations_are_documentation() {
    let text = "\
/** One. */
@Suppress(\"x\")
fun one() {
    println()
}

/** Not of two. */

fun two(): /* the type */ Int
// before the body
{
    return 2
}
";
    assert_snapshot!(symbol_list(text), @r#"
    function one 3-5 public "/** One. */"
    function two 9-13 public
    "#);
    assert_snapshot!(bones(text), @r#"
    /** One. */
    @Suppress("x")
    fun one() { /* … */ }

    /** Not of two. */

    fun two(): /* the type */ Int
    { /* … */ }
    "#);
}

#[test]
fn an_enumeration_has_variants_with_bodies() {
    let text = "\
enum class E(val n: Int) : I { A(1) { override fun f() = 1 }, @Old B(2); abstract fun f(): Int }
fun interface F { fun call() }
";
    assert_snapshot!(symbol_list(text), @"
    enum E 1-1 public
    field E.n 1-1 public
    variant E.A 1-1 public
    function E.A.f 1-1 public
    variant E.B 1-1 public
    method E.f 1-1 public
    interface F 2-2 public
    method F.call 2-2 public
    ");
}

#[test]
fn names_in_backticks_and_of_any_script() {
    let text = "\
fun `is empty`() {}
class Größe(val höhe: Int)
typealias Имя = () -> Unit
";
    assert_snapshot!(symbol_list(text), @"
    function `is empty` 1-1 public
    class Größe 2-2 public
    field Größe.höhe 2-2 public
    type Имя 3-3 public
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
fn contexts_belong_to_what_they_stand_before() {
    let text = "\
context(l: Log)
fun one() {
    l.log(\"one\")
    l.log(\"two\")
}

data object Solo

/** Says how. */
context(a: A, b: (B) -> C)
private fun two(a: context(Log) (Int) -> Int): Int {
    println(a)
    return a
}

class K(val x: Int) {
    context(Log) fun m() = 1

    @A
    context(
        l: Log,
    )
    val p: Int
        get() = 1
}
";
    assert_snapshot!(symbol_list(text), @r#"
    function one 2-5 public
    object Solo 7-7 public
    function two 11-14 private "/** Says how. */"
    class K 16-25 public
    field K.x 16-16 public
    method K.m 17-17 public
    field K.p 23-24 public
    "#);
    assert_snapshot!(lines(text), @"
    function context(l: Log) fun one()  L1-5
    object data object Solo  L7
    class K(val x: Int)  L16-25
      field x: Int  L16
      method context(Log) fun m()  L17
      field context(l: Log) val p: Int …  L20-24
    function context(a: A, b: (B) -> C) private fun two(a: context(Log) (Int) -> Int): Int  L10-14
    ");
    assert_snapshot!(bones(text), @"
    context(l: Log)
    fun one() { /* … */ }

    data object Solo

    /** Says how. */
    context(a: A, b: (B) -> C)
    private fun two(a: context(Log) (Int) -> Int): Int { /* … */ }

    class K(val x: Int) {
        context(Log) fun m() = 1

        @A
        context(
            l: Log,
        )
        val p: Int
            get() = 1
    }
    ");
}

#[test]
fn lambdas_as_values_lose_their_bodies() {
    let text = "\
class A {
    val f = { x: Int ->
        println(x)
        println(x)
    }
    private val g: () -> Unit = {
        println(1)
        println(2)
    }
    val h by lazy { 1 }
}
";
    assert_snapshot!(symbol_list(text), @"
    class A 1-11 public
    field A.f 2-5 public
    field A.g 6-9 private
    field A.h 10-10 public
    ");
    assert_snapshot!(bones(text), @"
    class A {
        val f = { x: Int ->
            println(x)
            println(x)
        }
        private val g: () -> Unit = { /* … */ }
        val h by lazy { 1 }
    }
    ");
}
