//! Traps of JavaScript.

use contexture_syntax::{Mask, errors, masked_view, read, skeleton, symbols};
use insta::assert_snapshot;
use proptest::prelude::*;
use std::collections::BTreeMap;

views_of!("JavaScript");

#[test]
fn functions_have_the_names_they_are_assigned_to() {
    let text = "\
var a = function () {}, b = () => 1, c = 2;
d = function* () {};
T.prototype.m = function () {};
T.prototype = { n: function () {}, o() {} };
T.prototype.p = a;
T.prototype['quoted name'] = function () {};
T.q = async () => {};
a.b.c.d = function () {};
this.r = function () {}.bind(this);
call().s = function () {};
x['t'] = function () {};
u = v = function () {};
";
    assert_snapshot!(symbol_list(text), @"
    function a 1-1 public
    function b 1-1 public
    variable c 1-1 public
    function d 2-2 public
    method T.m 3-3 public
    object T 4-4 public
    method T.n 4-4 public
    method T.o 4-4 public
    field T.p 5-5 public
    method T.quoted name 6-6 public
    method T.q 7-7 public
    method a.b.c.d 8-8 public
    function r 9-9 public
    function s 10-10 public
    method x.t 11-11 public
    function v 12-12 public
    ");
}

#[test]
fn a_function_with_two_names_is_told_by_both_unless_they_are_the_same() {
    let text = "\
exports.same = function same() { function inner() {} };
var one = function other() { function inner() {} };
module.exports = class App { run() {} };
const A = class B {};
";
    assert_snapshot!(symbol_list(text), @"
    function same 1-1 public
    function same.inner 1-1 public
    function one 2-2 private
    function other 2-2 private
    function other.inner 2-2 public
    class module.exports 3-3 public
    class App 3-3 public
    method App.run 3-3 public
    class A 4-4 private
    class B 4-4 private
    ");
}

#[test]
fn objects_with_functions_are_objects_and_others_are_values() {
    let text = "\
const api = { get() {}, set: (x) => x, nested: { deep() {} }, value: { a: 1 } };
const table = { a: 1, b: [2, { c: 3 }] };
call({ handler() {}, 'Program:exit'() {}, 'a.b': function () {}, [key]: () => 1, 5() {} });
f(() => ({ returned() {} }));
";
    assert_snapshot!(symbol_list(text), @"
    object api 1-1 public
    method api.get 1-1 public
    method api.set 1-1 public
    object api.nested 1-1 public
    method api.nested.deep 1-1 public
    variable table 2-2 public
    method handler 3-3 public
    method Program:exit 3-3 public
    method a.b 3-3 public
    method [key] 3-3 public
    method 5 3-3 public
    method returned 4-4 public
    ");
}

#[test]
fn definitions_are_found_wherever_code_stands() {
    let text = "\
if (x) { function a() {} } else function b() {}
try { var c = () => 1 } catch (e) { function d() {} } finally { function e() {} }
for (;;) { function f() {} }
switch (x) { case 1: function g() {} default: { function h() {} } }
label: while (1) { var i = function () {}; }
(function () { function j() {} })();
!function () { function k() {} }();
new Foo(function () { return { l() {} } });
x ? function m() {} : [class N {}];
p().then(() => { function o() {} }).catch(function q() {});
y = y || function () {};
var z = z || function r() {};
class S { static { function t() {} } }
async function u() { await v(() => { class W {} }); }
";
    assert_snapshot!(symbol_list(text), @"
    function a 1-1 public
    function b 1-1 public
    function c 2-2 public
    function d 2-2 public
    function e 2-2 public
    function f 3-3 public
    function g 4-4 public
    function h 4-4 public
    function i 5-5 public
    function j 6-6 public
    function k 7-7 public
    method l 8-8 public
    function m 9-9 public
    class N 9-9 public
    function o 10-10 public
    function q 10-10 public
    function y 11-11 public
    function z 12-12 public
    function r 12-12 public
    class S 13-13 public
    method S.t 13-13 public
    function u 14-14 public
    class u.W 14-14 public
    ");
}

#[test]
fn what_a_class_extends_may_hold_functions() {
    let text = "class A extends make(B, { m() { return 1; } }) {}\nclass C extends f(function () { function g() {} }) { h() {} }\n";
    assert_snapshot!(symbol_list(text), @"
    class A 1-1 public
    method A.m 1-1 public
    class C 2-2 public
    method C.g 2-2 public
    method C.h 2-2 public
    ");
}

#[test]
fn values_in_functions_are_locals_and_functions_are_not() {
    let text = "\
function f() {
  const a = 1;
  let b = { c: 2 };
  const d = () => a;
  const e = { g() {} };
  T.prototype.h = d;
}
define(['x'], function (x) { var inModule = 1; });
";
    assert_snapshot!(symbol_list(text), @"
    function f 1-7 public
    function f.d 4-4 public
    object f.e 5-5 public
    method f.e.g 5-5 public
    field f.T.h 6-6 public
    ");
}

#[test]
fn a_module_keeps_what_it_does_not_export() {
    assert_snapshot!(symbol_list("import a from 'a';\nfunction b() {}\nexport function c() {}\nconst d = 1, e = 2;\nexport { d, b as x };\nclass F { m() {} _n() {} #o() {} }\nexport default F;\nexport const { g, h: i } = j;\nfunction k() {}\n"), @"
    function b 2-2 public
    function c 3-3 public
    variable d 4-4 public
    variable e 4-4 private
    class F 6-6 public
    method F.m 6-6 public
    method F._n 6-6 private
    method F.#o 6-6 private
    variable g 8-8 public
    variable i 8-8 public
    function k 9-9 private
    ");
    assert_snapshot!(symbol_list("const fs = require('fs');\nfunction a() {}\nfunction b() {}\nfunction c() {}\nfunction d() {}\nmodule.exports = { a, x: b, y() {} };\nexports.z = function () {};\nexports.c = c;\n"), @"
    variable fs 1-1 private
    function a 2-2 public
    function b 3-3 public
    function c 4-4 public
    function d 5-5 private
    method y 6-6 public
    function z 7-7 public
    ");
    assert_snapshot!(symbol_list("function a() {}\nvar _b = 1, $ = 2, _ = 3;\n"), @"
    function a 1-1 public
    variable _b 2-2 private
    variable $ 2-2 public
    variable _ 2-2 public
    ");
}

#[test]
fn a_default_export_without_a_name_is_called_default() {
    assert_snapshot!(symbol_list("export default function () {}"), @"function default 1-1 public");
    assert_snapshot!(symbol_list("export default class { m() {} }"), @"
    class default 1-1 public
    method default.m 1-1 public
    ");
    assert_snapshot!(symbol_list("export default (a) => (b) => {}"), @"function default 1-1 public");
    assert_snapshot!(symbol_list("export default { name: 'x', data() {}, methods: { go() {} } }"), @"
    object default 1-1 public
    method default.data 1-1 public
    object default.methods 1-1 public
    method default.methods.go 1-1 public
    ");
    assert_snapshot!(symbol_list("export default function named() {}"), @"function named 1-1 public");
}

#[test]
fn documentation_stands_above_the_statement() {
    let text = "\
/** of a */
export const a = () => 1;

// of b,
// in two lines
T.prototype.b = function () {};

/** far away */

function c() {}
class D {
  /** of e */
  @dec e() {}
  x = 1; // not of f
  f() {}
}
";
    assert_snapshot!(symbol_list(text), @r#"
    function a 2-2 public "/** of a */"
    method T.b 6-6 public "// of b,\n// in two lines"
    function c 10-10 private
    class D 11-16 private
    method D.e 13-13 public "/** of e */"
    field D.x 14-14 public
    method D.f 15-15 public
    "#);
}

#[test]
fn a_skeleton_keeps_what_a_caller_needs() {
    let text = "\
'use strict';
const { a } = require('a');
@dec({ x: 1 })
class A extends mix(B, C) {
  static s = 1; #p = { a: 1 };
  get g() { return this.#p; }
  arrow = async (x) => {
    return x;
  };
}
const short = (x) => x + 1;
const long = (x) => x
  .map(1);
const typed = (x) =>
  /** @type {any} */ (
    x
  );
const made = () => ({
  one() { return 'one' },
  two: 2,
});
app.get('/', (req, res) => {
  res.send('hello');
});
it('works', function () { expect(1).toBe(1); });
const [first] = list.map(function (x) { return x.first; });
";
    assert_snapshot!(bones(text), @"
    'use strict';
    const { a } = require('a');
    @dec({ x: 1 })
    class A extends mix(B, C) {
      static s = 1; #p = { a: 1 };
      get g() { /* … */ }
      arrow = async (x) => { /* … */ };
    }
    const short = (x) => x + 1;
    const long = (x) => x
      .map(1);
    const typed = (x) =>
      /** @type {any} */ (
        x
      );
    const made = () => ({
      one() { /* … */ },
      two: 2,
    });
    app.get('/', (req, res) => { /* … */ });
    it('works', function () { /* … */ });
    const [first] = list.map(function (x) { /* … */ });
    ");
}

#[test]
fn a_module_in_a_function_keeps_its_definitions_with_their_comments() {
    let text = "\
(function (root, factory) {
  if (typeof define === 'function') define(factory); else root.lib = factory();
})(this, function () {
  var state = {};

  /** Sets a value. */
  function set(key, value) { state[key] = value; }
  // Not a comment of what follows.

  set('a', 1);
  // Gets a value.
  var get = function (key) {
    if (!key) { return null; }
    return state[key];
  };
  return { set: set, get: get };
});
";
    assert_snapshot!(bones(text), @"
    (function (root, factory) { /* … */ })(this, function () {
      /* … */

      /** Sets a value. */
      function set(key, value) { /* … */ }
      /* … */
      // Gets a value.
      var get = function (key) { /* … */ };
      /* … */
    });
    ");
}

#[test]
fn marked_bodies_stay() {
    let text = "\
// [HOT]
const f = (x) => {
  return x * 2 * 3 * 4;
};
function g(x) {
  return x * 2 * 3 * 4;
}
class A {
  // [HOT] measured
  m() {
    return this.x * 2 * 3;
  }
}
";
    assert_snapshot!(bones(text), @"
    // [HOT]
    const f = (x) => {
      return x * 2 * 3 * 4;
    };
    function g(x) { /* … */ }
    class A {
      // [HOT] measured
      m() {
        return this.x * 2 * 3;
      }
    }
    ");
}

#[test]
fn a_mask_shows_what_is_asked_for_by_its_qualified_name() {
    let text = "class A {\n  m(x) { return x; }\n}\nA.prototype.n = function (y) { return y; };\nconst o = { p() { return 1; } };\n";
    let mask: BTreeMap<String, Mask> =
        [("A.n".to_owned(), Mask::Def), ("o.p".to_owned(), Mask::Def), ("A.m".to_owned(), Mask::Sig)].into();
    let shown = masked_view(language(), &read(language(), text).unwrap(), text, &mask, Mask::Hide);
    assert!(shown.unknown.is_empty(), "{:?}", shown.unknown);
    assert_snapshot!(shown.text, @"
      m(x) { return x; }

    A.prototype.n = function (y) { return y; };

    p() { return 1; }
    ");
}

#[test]
fn line_ends_names_and_ends_of_files_are_as_people_leave_them() {
    assert_snapshot!(symbol_list(""), @"");
    assert_snapshot!(symbol_list("#!/usr/bin/env node"), @"");
    assert_snapshot!(symbol_list("/** d */\r\nfunction a() {\r\n  return 1;\r\n}\r\nvar b = function () {\r\n};\r\n"), @r#"
    function a 2-4 public "/** d */"
    function b 5-6 public
    "#);
    assert_snapshot!(symbol_list("function größe(){}class Ünï{ñ(){}}const 名=()=>1"), @"
    function größe 1-1 public
    class Ünï 1-1 public
    method Ünï.ñ 1-1 public
    function 名 1-1 public
    ");
    assert_snapshot!(symbol_list("class A {\n  m() {}\n  n() { if (x) {\n"), @"method m 2-2 public");
    assert_snapshot!(symbol_list("function a(){return function b(){}}var c=function(){},d={e:function(){}};"), @"
    function a 1-1 public
    function a.b 1-1 public
    function c 1-1 public
    object d 1-1 public
    method d.e 1-1 public
    ");
    assert_snapshot!(bones("function a() {\r\n  return 1;\r\n}\r\n"), @"function a() { /* … */ }");
}

#[test]
fn deep_and_wide_texts_are_read_in_linear_time() {
    let wide = format!("var n0{};", (1..5_000).map(|at| format!(", n{at} = {{ a: {at} }}")).collect::<String>());
    assert_eq!(symbols(language(), &read(language(), &wide).unwrap(), &wide).len(), 5_000);
    let sum = format!("x = {}1;", "1 + ".repeat(20_000));
    assert!(read(language(), &sum).is_ok());
    let chain = format!("a{};", ".then(x => x)".repeat(3_000));
    assert!(read(language(), &chain).is_ok());
    let curried = format!("f = {}1;", "a => ".repeat(3_000));
    assert!(read(language(), &curried).is_ok());
    let brackets = "[".repeat(100_000);
    let _ = read(language(), &brackets);
}

proptest! {
    /// Pieces of code in any order and number: views are made, and a skeleton has no more errors than its source.
    #[test]
    fn any_pieces_have_views(pieces in proptest::collection::vec(prop_oneof![
        Just("function f() { return 1; }\n"), Just("const a = () => {\n b();\n};\n"), Just("class A { m() { x(); } "),
        Just("}"), Just("{"), Just("("), Just(")"), Just("export default "), Just("=> \n y"), Just("x = function () {\n z(); }"),
        Just("`${"), Just("`"), Just("/* "), Just("*/"), Just("// c\n"), Just("'"), Just("\n"), Just("get "), Just("module.exports = {"),
        Just("async "), Just(", "), Just("T.prototype.x = "), Just("é"), Just("<a>{"), Just("@d "),
    ], 0..24)) {
        let text = pieces.concat();
        let structure = read(language(), &text).unwrap();
        let shown = skeleton(language(), &structure, &text);
        prop_assert!(errors(language(), &shown).unwrap() <= errors(language(), &text).unwrap(), "{text}\n---\n{shown}");
    }
}

#[test]
fn objects_that_hold_functions_are_named_at_every_level() {
    let text = "\
const api = { v1: { users: { list(p) {} } }, v2: { users: { list(p) {} } } };
createRouter({ routes: { users: { list() {} } }, data: { limits: { most: 1 } } });
app.pages = { home: { open: () => 1 }, sizes: { small: 1 } };
const data = { a: { b: 1 } };
";
    assert_snapshot!(symbol_list(text), @"
    variable api 1-1 public
    object api.v1 1-1 public
    object api.v1.users 1-1 public
    method api.v1.users.list 1-1 public
    object api.v2 1-1 public
    object api.v2.users 1-1 public
    method api.v2.users.list 1-1 public
    object routes 2-2 public
    object routes.users 2-2 public
    method routes.users.list 2-2 public
    object app.pages 3-3 public
    object app.pages.home 3-3 public
    method app.pages.home.open 3-3 public
    variable data 4-4 public
    ");
}
