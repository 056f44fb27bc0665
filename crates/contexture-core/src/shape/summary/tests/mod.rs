//! A summary of each kind, and the laws that hold for any text.

mod laws;
mod secrets;
mod shapes;

use super::*;

/// A whole file.
fn whole<'a>(path: &'a str, text: &'a str) -> SummarySource<'a> {
    SummarySource { path, text, size: text.len() as u64, whole: true, defines: &[] }
}

/// The summary of a text as if it stood in a file four times as long: the quarter is tested among the laws.
fn summary(path: &str, text: &str) -> String {
    let source = SummarySource { path, text, size: 1 << 20, whole: true, defines: &[] };
    let room = SummarySource { whole: false, ..source };
    // JSON and tables differ where the text is only a beginning; they are long enough in their tests.
    let source = if matches!(kind_of(path, text), FileKind::Json | FileKind::Csv { .. } | FileKind::Jsonl) {
        source
    } else {
        room
    };
    summarize(&source, &|text| text.len() as u64 / 4)
}

#[test]
fn rust() {
    let text = "// Copyright 2024 Somebody. All rights reserved.\n//\n// Licensed under the MIT License.\n\n//! Reads a thing.\n//!\n//! It must not write.\n//! ```\n//! use example::Thing;\n//! ```\n\n#![forbid(unsafe_code)]\n\nuse std::collections::{BTreeMap, BTreeSet};\nuse crate::thing::Thing as Other;\npub use self::a::B;\n\n/// Item.\npub struct A;\n";
    insta::assert_snapshot!(summary("a.rs", text), @"
    Reads a thing.
    It must not write.
    imports: std::collections, crate::thing::Thing, self::a::B
    ");
}

#[test]
fn python() {
    let text = "#!/usr/bin/env python3\n# -*- coding: utf-8 -*-\n# A note.\nr\"\"\"Serves pages.\n\nDetails follow here.\n\"\"\"\nfrom __future__ import annotations\nimport os, sys as system\nfrom .models import (\n    User,\n)\nimport numpy as np  # arrays\n\ndef main():\n    import late\n";
    insta::assert_snapshot!(summary("a.py", text), @"
    Serves pages.
    Details follow here.
    imports: __future__, os, sys, .models, numpy
    ");
}

#[test]
fn c_and_cpp() {
    let text = "/* queue.c - a queue without locks\n * Copyright (C) 2020 Somebody\n *\n * This program is free software; you can redistribute it and/or modify\n * it under the terms of the GNU General Public License.\n */\n#include <stdio.h>\n#include \"queue.h\" /* ours */\n\nint main(void) { return 0; }\n";
    insta::assert_snapshot!(summary("queue.c", text), @r#"
    queue.c - a queue without locks
    imports: <stdio.h>, "queue.h"
    "#);
    let text = "#pragma once\n#include <vector>\n\n/**\n * @file\n * @brief Keeps shapes.\n * @author Somebody\n */\nnamespace a {}\n";
    insta::assert_snapshot!(summary("a.hpp", text), @"
    Keeps shapes.
    imports: <vector>
    ");
}

#[test]
fn scripts() {
    let text = "#!/usr/bin/env node\n'use strict';\n/* eslint-disable no-console */\n/**\n * Starts the server.\n */\nimport fs from 'fs';\nimport {\n  a,\n  b,\n} from \"./ab.js\";\nconst path = require('path');\nexport const x = 'no import';\nexport * from './c';\n";
    insta::assert_snapshot!(summary("a.mjs", text), @"
    Starts the server.
    imports: fs, ./ab.js, path, ./c
    ");
    let text = "// The pages of the site.\nimport type { A } from './a';\nimport './style.css';\n";
    insta::assert_snapshot!(summary("a.tsx", text), @"
    The pages of the site.
    imports: ./a, ./style.css
    ");
}

#[test]
fn languages_with_import_lines() {
    let cases = [
        ("a.go", "// Package a talks.\npackage a\n\nimport (\n\t\"fmt\"\n\tx \"example.com/y\"\n)\n\nimport \"os\"\n"),
        (
            "A.java",
            "package a.b;\n\nimport java.util.List;\nimport static java.lang.Math.max;\n\n/** Adds numbers. */\nclass A {}\n",
        ),
        ("A.cs", "// A small tool.\nusing System;\nusing static System.Math;\n"),
        (
            "a.rb",
            "# frozen_string_literal: true\n\n# Sends mail to people.\nrequire 'net/smtp'\nrequire_relative \"lib/a\"\n",
        ),
        ("a.php", "<?php\n/**\n * Shows a page.\n */\nnamespace A;\nuse A\\B\\C;\nuse function A\\d;\n"),
        ("A.kt", "package a\n\nimport a.b.C\n\n/** Holds a thing. */\nclass A\n"),
        ("a.swift", "//\n//  Draws the view.\n//\nimport Foundation\n@testable import App\n"),
        ("a.scala", "package a\nimport scala.util.{Try, Success}\n/** Tries things out. */\nobject A\n"),
        ("a.lua", "--[[ Plays a tune. ]]\nlocal x = require(\"a.b\")\nlocal y = require 'c'\n"),
        ("a.sh", "#!/bin/sh\n# Builds all of it.\nset -eu\n. ./lib.sh\nsource \"$HOME/x.sh\"\n"),
    ];
    let shown: Vec<String> = cases.iter().map(|(path, text)| format!("{path}\n{}", summary(path, text))).collect();
    insta::assert_snapshot!(shown.join("\n\n"), @r#"
    a.go
    Package a talks.
    imports: fmt, example.com/y, os

    A.java
    Adds numbers.
    imports: java.util.List, java.lang.Math.max

    A.cs
    A small tool.
    imports: System, System.Math

    a.rb
    Sends mail to people.
    imports: net/smtp, lib/a

    a.php
    Shows a page.
    imports: A\B\C, A\d

    A.kt
    Holds a thing.
    imports: a.b.C

    a.swift
    Draws the view.
    imports: Foundation, App

    a.scala
    Tries things out.
    imports: scala.util

    a.lua
    Plays a tune.
    imports: a.b, c

    a.sh
    Builds all of it.
    imports: ./lib.sh, $HOME/x.sh
    "#);
}

#[test]
fn code_that_says_nothing_is_shown_by_its_first_lines() {
    insta::assert_snapshot!(summary("a.rs", "// SPDX-License-Identifier: MIT\n\nfn main() {\n    go();\n}\n"), @"
    fn main() {
        go();
    ");
}

#[test]
fn markdown() {
    let text = "---\ntitle: x\n---\n[![badge](b.svg)](l)\n\n# A *Tool*\n\nIt reads files, e.g. code. It has more to say.\n\n```sh\n# no heading\n```\n\n## Use\n\n- a list\n\nRun `it` now!\n\nSecond\n======\n";
    insta::assert_snapshot!(summary("README.md", text), @"
    # A Tool
    It reads files, e.g. code.
      ## Use
      Run it now!
    # Second
    ");
}

#[test]
fn other_text() {
    let rst = "=====\nTitle\n=====\n\n.. note:: hidden\n\nFirst words. More.\n\nPart\n----\nSaid here.\n";
    insta::assert_snapshot!(summary("a.rst", rst), @"
    # Title
    First words.
      ## Part
      Said here.
    ");
    insta::assert_snapshot!(summary("a.adoc", "= Title\n:toc:\n\nFirst words.\n\n== Part\n\n----\n== code\n----\n"), @"
    # Title
    First words.
      ## Part
    ");
    insta::assert_snapshot!(summary("a.txt", "First. Second.\nThird.\n\n*****\n\nOther paragraph goes\non here. End.\n"), @"
    First.
    Other paragraph goes on here.
    ");
    insta::assert_snapshot!(summary("x.weird", "line one\n\npassword: hunter2\n\x1b[31mred\x07\n"), @"
    line one
    password: ***
    �[31mred�
    ");
}

#[test]
fn toml() {
    let text = "# Settings of the server.\n\ntitle = \"x\" # why\nlist = [\n  \"a\", # one\n  \"b\",\n]\n\n[server]\nport = 8080\napi_key = \"abc\"\nlogin = { user = \"u\", password = \"p\" }\nurl = \"postgres://me:pw@host/db\"\ntext = \"\"\"\nlong\n\"\"\"\nmax_tokens = 400\n\n[[bin]]\nname = \"a\"\n[[bin]]\nname = \"b\"\n[[bin]]\nname = \"c\"\n";
    insta::assert_snapshot!(summary("a.toml", text), @r#"
    # Settings of the server.
    title = "x"
    list = [ "a", "b", ]
    server.port = 8080
    server.api_key = ***
    server.login = ***
    server.url = "postgres://***@host/db"
    server.text = """ long """
    server.max_tokens = 400
    bin.name = "a"
    bin.name = "b"
    bin: 3 tables
    "#);
}

#[test]
fn yaml() {
    let text = "# Tests on every push.\nname: CI\non:\n  push:\n    branches: [main]\nenv:\n  TOKEN: ${{ secrets.TOKEN }}\n  DB_PASSWORD: \"hunter2\" # no\njobs:\n  test:\n    runs-on: ubuntu\n    steps:\n      - uses: actions/checkout@v4\n        with:\n          depth: 0\n      - run: |\n          make: all\n      - name: x\n    deep:\n      deeper:\n        deepest: 1\nscript: |\n  no: key\nlist:\n- a\n- b: 1\nplain:\n  - x\n  - y\n";
    insta::assert_snapshot!(summary("ci.yml", text), @"
    # Tests on every push.
    name = CI
    on.push.branches = [main]
    env.TOKEN = ${{ secrets.TOKEN }}
    env.DB_PASSWORD = ***
    jobs.test.runs-on = ubuntu
    jobs.test.steps = [3 items: uses, with, run, name]
    jobs.test.deep.deeper = …
    script = no: key …
    list = [2 items: b]
    plain = [x, y]
    ");
}

#[test]
fn ini_and_env() {
    let text = "[metadata]\nname = a\nclassifiers =\n    one\n    two\n; comment\n[db]\nsecret: x\n";
    insta::assert_snapshot!(summary("setup.cfg", text), @"
    metadata.name = a
    metadata.classifiers = one two
    db.secret = ***
    ");
    let text = "# local\nexport PORT=3000\nAWS_SECRET_ACCESS_KEY=wJalrXUtnFEMI\nEMPTY_TOKEN=\nNEXT=$OTHER\nID=ghp_0123456789abcdefghij0123\n";
    insta::assert_snapshot!(summary(".env", text), @"
    PORT = 3000
    AWS_SECRET_ACCESS_KEY = ***
    EMPTY_TOKEN =
    NEXT = $OTHER
    ID = ***
    ");
}

#[test]
fn json() {
    let text = r#"{
  // comment
  "name": "a", "private": true, "n": 1.5, "none": null,
  "scripts": {"build": "tsc -p .", "test": "x \"y\""},
  "files": ["dist", "src"],
  "people": [{"id": 1, "name": "x"}, {"id": 2}],
  "a": {"b": {"c": {"d": {"e": 1}, "f": 2}}},
  "clientSecret": "abc",
  "empty": {}, "nested": [[1], [2]],
  "hash": "5d41402abc4b2a76b9719d911017c592",
}"#;
    let padded = format!("{text}{}", " ".repeat(4000));
    insta::assert_snapshot!(summary("package.json", &padded), @r#"
    name = "a"
    private = true
    n = 1.5
    none = null
    scripts.build = "tsc -p ."
    scripts.test = "x \"y\""
    files = ["dist", "src"]
    people = [2 items: id, name]
    a.b.c.d = {e}
    a.b.c.f = 2
    clientSecret = ***
    empty = {}
    nested = [2 items]
    hash = "***"
    "#);
    let list = format!("[{}]", vec![r#"{"id": 1, "tags": ["a"], "password": "x"}"#; 50].join(","));
    insta::assert_snapshot!(summary("list.json", &list), @"[50 items: id, tags, password], 1048576 bytes");
}

#[test]
fn malformed_json_is_text() {
    insta::assert_snapshot!(summary("a.json", &format!("Not found. {}", "sorry ".repeat(50))), @"Not found. sorry sorry sorry sorry sorry sorry sorry sorry sorry sorry…");
    insta::assert_snapshot!(summary("a.json", &format!("{{\"a\": {}", "[".repeat(200))), @r#"{"a": [[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[[…"#);
}

#[test]
fn tables() {
    let text = format!("id,name\n{}", "1,\"Ada, L\"\n".repeat(30));
    insta::assert_snapshot!(summary("a.csv", &text), @r#"
    30 rows × 2 columns, 1048576 bytes
    columns: id, name
    1,"Ada, L"
    1,"Ada, L"
    "#);
    let text = "{\"id\": 1, \"who\": null}\n".repeat(30);
    insta::assert_snapshot!(summary("a.jsonl", &text), @r#"
    30 records, 1048576 bytes
    columns: id (number), who (null)
    {"id": 1, "who": null}
    {"id": 1, "who": null}
    {"id": 1, "who": null}
    {"id": 1, "who": null}
    "#);
}

#[test]
fn notebook_of_cells() {
    let text = r##"{"cells": [{"cell_type": "markdown", "source": "# Study\n\nWe look. Then we see."},
        {"cell_type": "code", "source": ["import numpy as np\n", "x = 1"]}]}"##;
    insta::assert_snapshot!(summary("a.ipynb", text), @"
    notebook of 2 cells, 1 of them code
    # Study
    We look.
    imports: numpy
    ");
}

#[test]
fn html_xml_and_css() {
    let text = "<!doctype html><html><head><title>My &amp; page</title><meta name=\"description\" content='About it'><link rel=stylesheet href=\"a.css\"><script src=\"a.js\"></script><script>if (a < b) document.write('<h1>no</h1>')</script></head><body><!-- <h1>no</h1> --><h1>Big\n <b>title</b></h1><p>text</p><h2 class=\"a>b\">Part</h2></body></html>";
    insta::assert_snapshot!(summary("a.html", text), @"
    title: My &amp; page
    description: About it
    # Big title
      ## Part
    scripts: a.js
    styles: a.css
    ");
    let text = "<?xml version=\"1.0\"?>\n<project xmlns=\"x\">\n <groupId>a.b</groupId>\n <deps><dep><name>x</name><scope/></dep></deps>\n <db><password>p</password></db>\n</project>";
    insta::assert_snapshot!(summary("pom.xml", text), @"
    groupId = a.b
    deps.dep.name = x
    db.password = ***
    elements: groupId, deps, db
    ");
    let text = "/* The look of it. */\n@import \"x;y.css\";\n:root { --main: red; --gap: 1px }\na, .b > c { color: var(--main) }\n/* x */ @media (min-width: 1px) { .d:is(a, b) { margin: 0 } }\n";
    insta::assert_snapshot!(summary("a.css", text), @r#"
    The look of it.
    at-rules: @import "x;y.css", @media (min-width: 1px)
    custom properties: --main, --gap
    selectors: :root, a, .b > c, .d:is(a, b)
    "#);
}

#[test]
fn sql_make_and_docker() {
    let text = "-- The shop.\ncreate table if not exists users (\n  id bigint primary key,\n  -- who\n  name varchar(10, 2) default 'a,b)',\n  primary key (id)\n);\nINSERT INTO users VALUES (1);\nCREATE UNIQUE INDEX i ON users (name);\n";
    insta::assert_snapshot!(summary("a.sql", text), @"
    -- The shop.
    create table if not exists users (id, name)
    CREATE UNIQUE INDEX i ON users (name)
    ");
    let text =
        "# Builds the tool.\nCC ?= gcc\nAPI_TOKEN := abc\n.PHONY: all\nall: a.o b.o ## build all\n\tcc: x\nclean:\n";
    insta::assert_snapshot!(summary("Makefile", text), @"
    # Builds the tool.
    all: a.o b.o  # build all
    clean:
    CC = gcc
    API_TOKEN = ***
    ");
    let text = "FROM rust:1 AS build\nARG VERSION=1\nENV DB_PASSWORD=hunter2\nRUN a && \\\n    b\nFROM debian\nCOPY --from=build /x /x\nEXPOSE 80\nENTRYPOINT [\"/x\"]\n";
    insta::assert_snapshot!(summary("Dockerfile", text), @r#"
    FROM rust:1 AS build
    ARG VERSION=1
    ENV DB_PASSWORD=***
    RUN a && b
    FROM debian
    COPY --from=build /x /x
    EXPOSE 80
    ENTRYPOINT ["/x"]
    "#);
}
