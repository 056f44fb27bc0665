//! Traps of C++.

use contexture_syntax::{Structure, read};
use insta::assert_snapshot;

views_of!("C++");

#[test]
fn members_and_who_may_use_them() {
    let text = "\
class A {
  int hidden;
  void secret() {}
 public:
  A() = default;
  ~A();
  void open();
  template <class T> void many(T t) {}
#ifdef X
  void when();
#endif
 protected:
  static int shared();
 private slots:
  void slot();
  Q_OBJECT
 public:
  class B { int own; };
};
struct S { int open; static int also(); };
static int internal() { return 0; }
";
    assert_snapshot!(symbol_list(text), @"
    class A 1-19 public
    field A::hidden 2-2 private
    method A::secret 3-3 private
    method A::A 5-5 public
    method A::~A 6-6 public
    method A::open 7-7 public
    method A::many 8-8 public
    method A::when 10-10 public
    method A::shared 13-13 internal
    method A::slot 15-15 private
    class A::B 18-18 public
    field A::B::own 18-18 private
    struct S 20-20 public
    field S::open 20-20 public
    method S::also 20-20 public
    function internal 21-21 private
    ");
}

#[test]
fn definitions_outside_of_their_class() {
    let text = "\
A::A(int x) : Base<int>(x), y_{x}, z_([] { return 1; }()) { work(); }
A::~A() = default;
API A::A() noexcept(false)
try : a(1) { work(); } catch (...) { fail(); }
template <class T, int N>
auto ns::A<T, N>::get() const & -> decltype(T::x) { return x; }
A::operator bool() const { return true; }
A& A::operator=(const A& other) { return *this; }
bool operator<(const A& a, const A& b) { return a.x < b.x; }
void A::operator()(int) { }
std::ostream& operator<< (std::ostream& o, const A& a) { return o; }
long double operator\"\"_km(long double v) { return v; }
void* operator new(std::size_t n) { return 0; }
int A::counter = 0;
A::Table A::table_{1, 2};
int ::global() { return 0; }
";
    assert_snapshot!(symbol_list(text), @r#"
    method A::A 1-1 public
    method A::~A 2-2 public
    method A::A 3-4 public
    method ns::A<T, N>::get 6-6 public
    method A::operator bool 7-7 public
    method A::operator= 8-8 public
    function operator< 9-9 public
    method A::operator() 10-10 public
    function operator<< 11-11 public
    function operator""_km 12-12 public
    function operator new 13-13 public
    variable A::counter 14-14 public
    variable A::table_ 15-15 public
    function global 16-16 public
    "#);
    assert_snapshot!(bones(text), @r#"
    A::A(int x) { /* … */ }
    A::~A() = default;
    API A::A() noexcept(false)
    try { /* … */ } catch (...) { fail(); }
    template <class T, int N>
    auto ns::A<T, N>::get() const & -> decltype(T::x) { return x; }
    A::operator bool() const { /* … */ }
    A& A::operator=(const A& other) { /* … */ }
    bool operator<(const A& a, const A& b) { /* … */ }
    void A::operator()(int) { }
    std::ostream& operator<< (std::ostream& o, const A& a) { return o; }
    long double operator""_km(long double v) { return v; }
    void* operator new(std::size_t n) { return 0; }
    int A::counter = 0;
    A::Table A::table_{1, 2};
    int ::global() { return 0; }
    "#);
}

#[test]
fn macros_around_classes_and_functions() {
    let text = "\
FMT_BEGIN_NAMESPACE
namespace detail {
/// Exported.
class LIB_EXPORT ALIGN_AS(8) Shape final : public Base<int>, private Other {
  Q_DISABLE_COPY(Shape)
  MOCK_METHOD(int, size, (), (const, override));
 public:
  LIB_INLINE explicit Shape(int x) LIB_NOEXCEPT : x_(x) {}
  LIB_NODISCARD LIB_CONSTEXPR virtual int get() const LIB_LOCKS(mu_) { return x_; }
  int x_ GUARDED_BY(mu_) = 0;
  friend LIB_API bool operator==(const Shape& a, const Shape& b) { return a.x_ == b.x_; }
};
TEST_F(Fixture, Works) { struct Local { void m() {} }; }
INSTANTIATE_TEST(All, Fixture, Values(1, 2));
BENCHMARK(BM_One)->Arg(1);
DEFINE_bool(flag, true, \"help\");
}  // namespace detail
FMT_END_NAMESPACE
";
    assert_snapshot!(symbol_list(text), @r#"
    namespace detail 2-17 public
    class detail::Shape 4-12 public "/// Exported."
    method detail::Shape::Shape 8-8 public
    method detail::Shape::get 9-9 public
    field detail::Shape::x_ 10-10 public
    method detail::Shape::operator== 11-11 public
    function detail::TEST_F 13-13 public
    struct detail::TEST_F::Local 13-13 public
    method detail::TEST_F::Local::m 13-13 public
    "#);
    assert_snapshot!(bones(text), @r#"
    FMT_BEGIN_NAMESPACE
    namespace detail {
    /// Exported.
    class LIB_EXPORT ALIGN_AS(8) Shape final : public Base<int>, private Other {
      Q_DISABLE_COPY(Shape)
      MOCK_METHOD(int, size, (), (const, override));
     public:
      LIB_INLINE explicit Shape(int x) LIB_NOEXCEPT : x_(x) {}
      LIB_NODISCARD LIB_CONSTEXPR virtual int get() const LIB_LOCKS(mu_) { /* … */ }
      int x_ GUARDED_BY(mu_) = 0;
      friend LIB_API bool operator==(const Shape& a, const Shape& b) { /* … */ }
    };
    TEST_F(Fixture, Works) { /* … */ }
    INSTANTIATE_TEST(All, Fixture, Values(1, 2));
    BENCHMARK(BM_One)->Arg(1);
    DEFINE_bool(flag, true, "help");
    }  // namespace detail
    FMT_END_NAMESPACE
    "#);
}

#[test]
fn templates() {
    let text = "\
template <typename T, typename = std::enable_if_t<(sizeof(T) > 4)>> struct Holder;
template <> struct hash<std::pair<int, int>> { size_t operator()(int a) const { return a >> 1; } };
template <typename T> requires (sizeof(T) > 1) && Small<T>
int constrained(T t) requires Big<T> { return 1; }
template <class... Ts> struct visitor : Ts... { using Ts::operator()...; };
template <class T> inline constexpr bool is_small = sizeof(T) < 8;
template class std::vector<int>;
extern template void f<int>(int);
template <template <class> class C> void nested(C<int> c) {}
std::function<void(int)> callback = [](int x) { return x; };
std::map<int, std::vector<int>> made(3);
";
    assert_snapshot!(symbol_list(text), @"
    struct hash 2-2 public
    method hash::operator() 2-2 public
    function constrained 4-4 public
    struct visitor 5-5 public
    constant is_small 6-6 public
    function nested 9-9 public
    variable callback 10-10 public
    variable made 11-11 public
    ");
}

#[test]
fn enumerations_aliases_and_namespaces() {
    let text = "\
enum class Color : std::uint8_t { Red [[deprecated]] = 1, Green = Red << 1, Blue };
enum Old { A, B };
namespace a::b::inline c { int f(); }
inline namespace v1 { }
namespace alias = a::b;
using namespace std;
using std::string;
template <class T> using List = std::vector<T>;
typedef std::map<int, int> Table;
union U { int a; float b; U() : a(0) {} };
static_assert(sizeof(int) == 4, \"{\");
[[nodiscard]] int marked() { return R\"x({ \" } )x\"[0]; }
int separators = 1'000'000; int after() { return '\\''; }
";
    assert_snapshot!(symbol_list(text), @"
    enum Color 1-1 public
    variant Color::Red 1-1 public
    variant Color::Green 1-1 public
    variant Color::Blue 1-1 public
    enum Old 2-2 public
    variant Old::A 2-2 public
    variant Old::B 2-2 public
    namespace c 3-3 public
    function c::f 3-3 public
    namespace v1 4-4 public
    type List 8-8 public
    type Table 9-9 public
    union U 10-10 public
    field U::a 10-10 public
    field U::b 10-10 public
    method U::U 10-10 public
    function marked 12-12 public
    variable separators 13-13 public
    function after 13-13 public
    ");
    assert_snapshot!(lines(text), @r#"
    enum Color : std::uint8_t  L1
      variant Red  L1
      variant Green  L1
      variant Blue  L1
    enum Old  L2
      variant A  L2
      variant B  L2
    namespace a::b::inline c  L3
      function int f()  L3
    namespace inline namespace v1  L4
    type template <class T> using List = std::vector<T>  L8
    type typedef std::map<int, int> Table  L9
    union U  L10
      field int a  L10
      field float b  L10
      method U()  L10
    function [[nodiscard]] int marked()  L12
    variable int separators = 1'000'000  L13
    function int after()  L13
    "#);
}

#[test]
fn documentation() {
    let text = "\
// Not for f: a line between.

/// For f.
/// Two lines.
API int f() { return 0; }

/** For A. */
template <class T>
class A {
  int x;  // behind

  /* For m. */
  void m();
};
";
    assert_snapshot!(symbol_list(text), @r#"
    function f 5-5 public "/// For f.\n/// Two lines."
    class A 9-14 public "/** For A. */"
    field A::x 10-10 private
    method A::m 13-13 private "/* For m. */"
    "#);
}

#[test]
fn odd_files() {
    assert_snapshot!(symbol_list(""), @"");
    assert_snapshot!(symbol_list("class A { void f() { } }; int g() { return 0; }"), @"
    class A 1-1 public
    method A::f 1-1 private
    function g 1-1 public
    ");
    assert_snapshot!(symbol_list("class A {\r\n public:\r\n  void f() {\r\n  }\r\n};\r\n"), @"
    class A 1-5 public
    method A::f 3-4 public
    ");
    assert_snapshot!(symbol_list("namespace größe { class Länge { int breite() { return 0; } }; }"), @"
    namespace größe 1-1 public
    class größe::Länge 1-1 public
    method größe::Länge::breite 1-1 private
    ");
    assert_snapshot!(symbol_list("namespace a {\nclass B {\n  void f() {\n    work();\n"), @"
    namespace a 1-4 public
    class a::B 2-4 public
    method a::B::f 3-4 private
    ");
    assert_snapshot!(symbol_list("struct A { int x; } int f() { return 0; }"), @"
    function f 1-1 public
    struct f::A 1-1 public
    field f::A::x 1-1 public
    ");
}

#[test]
fn ranges_end_between_characters() {
    let text = "class A {\n  A() = default;\n#xplicit A(N n)\n  : s_{s}include <é>\n#include <vectü {\n    ++coöu>";
    for (end, _) in text.char_indices() {
        let structure = read(language(), &text[..end]).unwrap();
        assert_eq!(Structure::from_bytes(&structure.to_bytes(), &text[..end]), Some(structure));
    }
}

#[test]
fn names_in_capitals_behind_tags() {
    let text = "\
struct Foo { int a; };
struct Foo GLOBAL{1};
struct ns::Foo QUALIFIED{};
struct Foo small{}, more[2]{};
class Foo OBJECT(1, 2);
enum Color FAVOURITE{RED};
static const struct Foo TABLE[] = {{1}};
struct Foo MAKE(int a) { return {}; }
struct Foo DECLARED(int a);
class EXPORT_API Bar { struct Foo MEMBER{1}; class Foo OTHER; };
struct EXPORT_API Baz : Foo { void f() {} };
class EXPORT_API Forward;
struct EXPORT_API Ahead;
enum EXPORT_API Opaque : int;
class Closed LIB_FINAL : public Foo { int a; };
struct Tight LIB_FINAL {};
class SHOUT final {};
template <class T> struct Foo VALUE{1};
struct Maker { static CREATE_FUNC(Maker); };
static DEFINE_MUTEX(lock);
DECLARE(int)
int (*chosen(int x))(void) { return 0; }
";
    assert_snapshot!(symbol_list(text), @"
    struct Foo 1-1 public
    field Foo::a 1-1 public
    constant GLOBAL 2-2 public
    constant QUALIFIED 3-3 public
    variable small 4-4 public
    variable more 4-4 public
    constant OBJECT 5-5 public
    constant FAVOURITE 6-6 public
    constant TABLE 7-7 private
    function MAKE 8-8 public
    function DECLARED 9-9 public
    class Bar 10-10 public
    field Bar::MEMBER 10-10 private
    field Bar::OTHER 10-10 private
    struct Baz 11-11 public
    method Baz::f 11-11 public
    class Closed 15-15 public
    field Closed::a 15-15 private
    struct Tight 16-16 public
    class SHOUT 17-17 public
    constant VALUE 18-18 public
    struct Maker 19-19 public
    variable lock 20-20 private
    function chosen 22-22 public
    ");
}

#[test]
fn bodies_with_handlers() {
    let text = "\
int main() try { return 1000 + 1; } catch (const int& e) { return 2000; } catch (...) { return 3; }
struct A {
  A() try : x(1) { work(); } catch (...) { fail(); throw; }
  int m() noexcept try {
    struct Local { int y; };
    return 1;
  } catch (const std::exception& e) {
    return 2;
  }
  // For everything else.
  catch (...) {
    return 3;
  }
  int x;
};
A::~A()
try
{
  work();
}
catch (...)
{
  fail_loudly();
}
int after() try { return 1; }
int last() { return 100000; }
";
    assert_snapshot!(symbol_list(text), @"
    function main 1-1 public
    struct A 2-15 public
    method A::A 3-3 public
    method A::m 4-13 public
    struct A::m::Local 5-5 public
    field A::m::Local::y 5-5 public
    field A::x 14-14 public
    method A::~A 16-24 public
    function after 25-25 public
    function last 26-26 public
    ");
    assert_snapshot!(bones(text), @"
    int main() try { /* … */ } catch (const int& e) { /* … */ } catch (...) { return 3; }
    struct A {
      A() try { /* … */ } catch (...) { /* … */ }
      int m() noexcept try { /* … */ } catch (const std::exception& e) { /* … */ }
      // For everything else.
      catch (...) { /* … */ }
      int x;
    };
    A::~A()
    try
    {
      work();
    }
    catch (...)
    { /* … */ }
    int after() try { return 1; }
    int last() { /* … */ }
    ");
}

#[test]
fn namespaces_without_a_name_are_for_the_file() {
    let text = "\
namespace {
int hidden() { return 1; }
class C { public: int m(); };
namespace inner { int deep(); }
template <class T> T many(T t) { return t; }
}
namespace a { namespace { int also(); } int open(); }
int open();
";
    assert_snapshot!(symbol_list(text), @"
    function hidden 2-2 private
    class C 3-3 private
    method C::m 3-3 public
    namespace inner 4-4 private
    function inner::deep 4-4 private
    function many 5-5 private
    namespace a 7-7 public
    function a::also 7-7 private
    function a::open 7-7 public
    function open 8-8 public
    ");
}
