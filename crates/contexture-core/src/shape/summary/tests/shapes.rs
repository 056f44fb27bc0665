//! Summaries of files as they are found in the wild: cut configurations, texts by content, templates.

use super::{summary, whole};

#[test]
fn directives_are_no_purpose() {
    let cases = [
        (
            "a.js",
            "/* global $, window:true */\n/* eslint no-console: 0, x: \"off\" */\n/* jshint esversion: 6 */\n// @ts-check\n\n// Draws the page.\nlet a = 1;\n",
        ),
        ("a.ps1", "#Requires -Version 5.1\n#AnyRequires -Util Basic\n\n# Adds a user.\n$x = 1\n"),
        ("A.cs", "//NoWarn -Name CS0618\n//SomeRequires -Ref x\n// Wraps a handle.\nusing System;\n"),
        (
            "a.py",
            "# -*- coding: utf-8 -*-\n# pylint: disable=all\n# flake8: noqa\n# vim: set sw=4:\n\n# ------ Imports ------\n\n# Makes tea.\nimport os\n",
        ),
        ("a.yml", "# yaml-language-server: $schema=x\n# vim: set sw=4 :\n# Sets it up.\na: 1\n"),
        ("b.py", "# Global state of the game.\nimport os\n"),
    ];
    let shown: Vec<String> = cases.iter().map(|(path, text)| format!("{path}\n{}", summary(path, text))).collect();
    insta::assert_snapshot!(shown.join("\n"), @"
    a.js
    Draws the page.
    a.ps1
    Adds a user.
    A.cs
    Wraps a handle.
    imports: System
    a.py
    Makes tea.
    imports: os
    a.yml
    # Sets it up.
    a = 1
    b.py
    Global state of the game.
    imports: os
    ");
}

#[test]
fn a_cut_configuration_shows_every_key_of_the_first_level() {
    let mut text = String::from("{\"name\": \"a\", \"services\": {");
    for at in 0..12 {
        text.push_str(&format!(
            "\"web{at}\": {{\"image\": \"image{at}\", \"secret\": \"x\", \"deep\": {{\"x\": 1}}}},"
        ));
    }
    text.push_str("}, \"secrets\": {\"one\": 1, \"two\": 2}, \"last\": true}");
    insta::assert_snapshot!(super::summarize(&whole("a.json", &text), &|text| text.len() as u64 / 4), @r#"
    name = "a"
    services: {web0, web1, web2, web3, web4, web5, web6, web7, … 4 more}
    services.web0.image = "image0"
    secrets: {one, two}
    secrets.one = ***
    secrets.two = ***
    last = true
    … 35 more keys
    "#);
    let tables: String = (0..60).map(|at| format!("[t{at}]\na = 1\nb = 2\nc = 'some longer text here'\n")).collect();
    let shown = super::summarize(&whole("a.toml", &tables), &|text| text.len() as u64 / 2);
    assert!(shown.starts_with("t0 (3 keys)\nt1 (3 keys)\n"), "{shown}");
    assert!(shown.ends_with("\n… 180 more keys"), "{shown}");
}

#[test]
fn restructured_text_by_its_content() {
    let text = "=======\n Title\n=======\n\n.. _label:\n\n.. |badge| image:: x.svg\n   :alt: no\n\n|badge|\n\n..\n   hidden words\n\nThe :ref:`first <x>` ``code`` words. More.\n\nPart\n----\n\n.. note::\n\n   Hidden.\n\n====  ====\na     row\n====  ====\n1     no words\n====  ====\n\n+---+---+\n| a | b |\n+---+---+\n\nSaid here.\n\nOther\n-----\n\n<p>raw</p>\n\n-----\n\nAfter a rule.\n";
    for path in ["a.rst", "a.txt", "README"] {
        insta::allow_duplicates! {
            insta::assert_snapshot!(summary(path, text), @"
            # Title
            The first code words.
              ## Part
              Said here.
              ## Other
              After a rule.
            ");
        }
    }
}

#[test]
fn markdown_by_its_content() {
    let text = "# One\n\nSome words are said here.\n\n## Two\n\nMore words are said here.\n";
    insta::assert_snapshot!(summary("notes.txt", text), @"
    # One
    Some words are said here.
      ## Two
      More words are said here.
    ");
    insta::assert_snapshot!(summary("x.txt", "# one\na==1\n# two\nb==2\n"), @"
    # one a==1 # two b==2
    ");
}

#[test]
fn labels_numbers_and_glyphs_are_no_sentences() {
    let text = "(a-label)=\n# \u{e001}One `code`\n\n(b)=\nThe {ref}`thing` says `so`. More.\n\n## Two\n\n<div>x</div>\n\n1. \n\n1. First step. Then.\n";
    insta::assert_snapshot!(summary("a.md", text), @"
    # One code
    The thing says so.
      ## Two
      First step.
    ");
    insta::assert_snapshot!(summary("a.txt", "1.\n\n2. Second thing. More.\n"), @"
    2. Second thing.
    ");
}

#[test]
fn templates() {
    let text = "<html><head><link rel=\"stylesheet\" href=\"{% static \"css/a.css\" %}\"><link rel=\"stylesheet\" href=\"{{ url_for('static', filename='b.css') }}\"><script src=\"{% if a > b %}{{ x }}{% endif %}/c.js\"></script></head><h1 title=\"{% trans \"a > b\" %}\">Big</h1></html>";
    insta::assert_snapshot!(summary("a.html", text), @"
    # Big
    scripts: {% if a > b %}{{ x }}{% endif %}/c.js
    styles: css/a.css, b.css
    ");
}

#[test]
fn yaml_lists_and_texts() {
    let text = "repos:\n  -\n    repo: one\n    rev: 1\n  -\n    repo: two\nsteps:\n- name: Build it\n  run: x\n- name: \"Test it\"\n- run: y\nlist:\n  -\n    a: 1\nscalars:\n  -\n    x\nscript: |\n\n  echo one: two\n  echo three\nquoted: \"begins here\n  and: goes on\"\nplain:\n  text under it\nend: 1\n";
    insta::assert_snapshot!(summary("a.yml", text), @r#"
    repos = [2 items by repo: one, two]
    steps = [3 items by name: Build it, Test it, …]
    list = [1 items: a]
    scalars = [x]
    script = echo one: two …
    quoted = "begins here …
    plain = text under it
    end = 1
    "#);
}

#[test]
fn catalogues_lists_and_drawings() {
    let text = "# x\nmsgid \"\"\nmsgstr \"\"\n\"Language: de\\n\"\n\n#, fuzzy\nmsgid \"Yes\"\nmsgstr \"Ja\"\n\nmsgid \"No\"\nmsgstr \"\"\n\nmsgid \"\"\n\"long \"\nmsgstr \"\"\n\"lang\"\n";
    insta::assert_snapshot!(summary("de.po", text), @"
    gettext catalogue for `de`: at least 3 messages, 2 translated, 1 fuzzy
    messages: Yes, No
    ");
    let text: String = (0..100).map(|at| format!("{at} {}.5 -3e4\n", at * 2)).collect();
    insta::assert_snapshot!(summary("data.txt", &text), @"
    at least 100 lines of numbers in 3 columns
    0 0.5 -3e4
    1 2.5 -3e4
    2 4.5 -3e4
    3 6.5 -3e4
    4 8.5 -3e4
    ");
    let text: String = (0..100).map(|at| format!("package{at}==1.{at}\n")).collect();
    insta::assert_snapshot!(summary("list.txt", &text), @"
    at least 100 lines
    package0==1.0
    package1==1.1
    package2==1.2
    package3==1.3
    package4==1.4
    ");
    let text = "<?xml version=\"1.0\"?><svg viewBox=\"0 0 24 24\" width='24'><title>Arrow</title><g><path d=\"M0\"/><path d=\"M1\"/></g></svg>";
    insta::assert_snapshot!(summary("a.svg", text), @"
    drawing: viewBox 0 0 24 24, width 24
    Arrow
    elements: 2 path, 1 g, 1 title
    ");
}
