//! Which language a file is taken for.

use contexture_syntax::language_of;

fn language_name(path: &str, text: &str) -> &'static str {
    language_of(path, text).map_or("none", |language| language.name)
}

#[test]
fn by_ending_and_by_name() {
    for (path, name) in [
        ("a.py", "Python"),
        ("a/b.PYI", "Python"),
        ("SConstruct", "Python"),
        ("a.c", "C"),
        ("a.C", "C++"),
        ("a.H", "C++"),
        ("a.cu", "C++"),
        ("a.rs", "Rust"),
        ("a.mjs", "JavaScript"),
        ("a.jsx", "JavaScript"),
        ("a.d.ts", "TypeScript"),
        ("a.tsx", "TSX"),
        ("a.go", "Go"),
        ("a.java", "Java"),
        ("a.cs", "C#"),
        ("a.rb", "Ruby"),
        ("Rakefile", "Ruby"),
        ("Gemfile", "Ruby"),
        ("a.php", "PHP"),
        ("a.kts", "Kotlin"),
        ("a.swift", "Swift"),
        ("a.scala", "Scala"),
        ("a.sbt", "Scala"),
        ("a.lua", "Lua"),
        ("a.sh", "Bash"),
        (".bashrc", "Bash"),
        ("py", "none"),
        ("a.txt", "none"),
        ("a.", "none"),
        ("", "none"),
        ("Makefile", "none"),
        ("windows\\path\\a.py", "Python"),
    ] {
        assert_eq!(language_name(path, ""), name, "{path}");
    }
}

#[test]
fn by_the_first_line() {
    for (text, name) in [
        ("#!/usr/bin/env python3\n", "Python"),
        ("#!/usr/bin/env -S python3.12 -u\n", "Python"),
        ("#! /usr/bin/python\r\n", "Python"),
        ("\u{feff}#!/bin/bash\n", "Bash"),
        ("#!/bin/sh -e", "Bash"),
        ("#!/usr/bin/env LANG=C ruby\n", "Ruby"),
        ("#!/usr/bin/env node\n", "JavaScript"),
        ("#!/usr/bin/lua5.4\n", "Lua"),
        ("#!/usr/bin/php\n", "PHP"),
        ("#!/usr/bin/env\n", "none"),
        ("#!\n", "none"),
        ("#", "none"),
        (" #!/bin/sh\n", "none"),
        ("python\n", "none"),
    ] {
        assert_eq!(language_name("script", text), name, "{text:?}");
    }
    // An ending says more than the line.
    assert_eq!(language_name("a.py", "#!/bin/sh\n"), "Python");
    assert_eq!(language_name("a.txt", "#!/bin/sh\n"), "Bash");
}

#[test]
fn an_ending_with_two_meanings_is_looked_into() {
    assert_eq!(language_name("a.h", "int f(void);\n"), "C");
    assert_eq!(language_name("a.h", "namespace a { class B; }\n"), "C++");
    assert_eq!(language_name("a.ts", "<?xml version=\"1.0\"?><TS></TS>\n"), "none");
    assert_eq!(language_name("a.inc", "<?php\n"), "PHP");
    assert_eq!(language_name("a.inc", "x = 1\n"), "none");
}
