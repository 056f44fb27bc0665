//! Traps of Python.

use insta::assert_snapshot;

views_of!("Python");

#[test]
fn conditional_definitions_are_all_told() {
    assert_snapshot!(symbol_list("if a:\n    def f(): pass\nelif b:\n    def f(x): pass\nelse:\n    class f: pass\ntry:\n    def g(): pass\nexcept E:\n    def g(): pass\nfinally:\n    def h(): pass\nwith a as b:\n    def i(): pass\nfor x in y:\n    def j(): pass\nwhile x:\n    def k(): pass\nmatch x:\n    case 1:\n        def l(): pass\n"), @"
    function f 2-2 public
    function f 4-4 public
    class f 6-6 public
    function g 8-8 public
    function g 10-10 public
    function h 12-12 public
    function i 14-14 public
    function j 16-16 public
    function k 18-18 public
    function l 21-21 public
    ");
}

#[test]
fn a_clause_beside_one_with_a_definition_goes() {
    assert_snapshot!(bones("def f():\n    if a:\n        def g():\n            return 1\n    else:\n        x = call(\n            1)\n    try:\n        long_call()\n    finally:\n        class C:\n            y = 1\n    return g\n"), @"
    def f():
        if a:
            def g():
                ...
        else:
            ...
        try:
            ...
        finally:
            class C:
                y = 1
        ...
    ");
}

#[test]
fn words_of_definitions_in_strings_and_comments_change_nothing() {
    let text = "def f():\n    x = 'def g(): class'\n    # class C: def\n    return x\n";
    assert_snapshot!(symbol_list(text), @"function f 1-4 public");
    assert_snapshot!(bones(text), @"
    def f():
        ...
    ");
}

#[test]
fn a_docstring_is_a_plain_string_that_begins_a_body() {
    assert_snapshot!(symbol_list("def a():\n    'doc'\ndef b():\n    f'no {doc}'\ndef c():\n    b'no doc'\ndef d():\n    x = 'no doc'\ndef e():\n    # first\n    'one' 'two'\ndef f(): 'doc'\nclass G:\n    u'doc'\nasync def h():\n    ('doc')\n"), @r#"
    function a 1-2 public "'doc'"
    function b 3-4 public
    function c 5-6 public
    function d 7-8 public
    function e 9-11 public "'one' 'two'"
    function f 12-12 public "'doc'"
    class G 13-14 public "u'doc'"
    function h 15-16 public "('doc')"
    "#);
}

#[test]
fn bodies_on_the_line_of_their_head() {
    assert_snapshot!(bones("def f(): return call_of_something_long(1)\nclass A: x = 1; y = 2\ndef g(): pass\nif x: y = 1\nlambda: 0\n"), @"
    def f(): ...
    class A: x = 1; y = 2
    def g(): ...
    if x: y = 1
    lambda: 0
    ");
}

#[test]
fn decorators_with_comments_between() {
    let text = "# about f\n@a\n# about b\n@b(1,\n   2)\n# last\ndef f(x):\n    return x\n";
    assert_snapshot!(symbol_list(text), @"function f 7-8 public");
    assert_snapshot!(bones(text), @"
    # about f
    @a
    # about b
    @b(1,
       2)
    # last
    def f(x):
        ...
    ");
}

#[test]
fn tabs_form_feeds_and_line_ends_of_other_systems() {
    assert_snapshot!(bones("class A:\n\tdef f(self):\n\t\tif x:\n\t\t\treturn 1\n\x0c\ndef g():\n\treturn 2\n"), @"class A:\n\tdef f(self):\n\t\t...\n\u{c}\ndef g():\n\t...");
    assert_snapshot!(bones("def f():\r\n    a = 1\r\n    return a\r\nx = 1\r\n").replace('\r', "␍"), @"
    def f():␍
        ...␍
    x = 1␍
    ");
}

#[test]
fn a_marked_function_keeps_its_body() {
    assert_snapshot!(bones("@core_logic\ndef f():\n    return call(1)\n"), @"
    @core_logic
    def f():
        return call(1)
    ");
    assert_snapshot!(bones("def f():\n    # [HOT] speed\n    return 1\n\ndef g():\n    return call(2)\n"), @"
    def f():
        # [HOT] speed
        return 1

    def g():
        ...
    ");
}

#[test]
fn what_is_broken_is_told_as_far_as_it_goes() {
    assert_snapshot!(symbol_list("def f(:\n    pass\nclass A\n    def g(self): pass\ndef h():\n  return (1\n"), @"
    function f 1-2 public
    class A 3-4 public
    function h 5-6 public
    ");
    assert_snapshot!(symbol_list("def"), @"");
    assert_snapshot!(symbol_list("\u{0}\u{feff}class"), @"");
}
