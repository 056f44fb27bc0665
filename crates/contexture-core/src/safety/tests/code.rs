//! Code stays as it is where no secret stands; data keeps the rules that code must not have.

use super::super::TextKind;
use super::{masked, masked_as};

/// Each was changed by the rules for tables or by the line below a name.
const UNTOUCHED: &[(&str, &str)] = &[
    (
        "urls.py",
        "urlpatterns = [
    path(\"login/\", views.LoginView.as_view(), name=\"login\"),
    path(
        \"password_change/\",
        views.PasswordChangeView.as_view(),
        name=\"password_change\",
    ),
    path(
        \"password_change/done/\",
        views.PasswordChangeDoneView.as_view(),
        name=\"password_change_done\",
    ),
]
",
    ),
    (
        "shell.py",
        "def run(command: str) -> int:
    return subprocess.run(
        [
            pwsh,
            \"-NoProfile\",
            command,
        ],
        check=False,
    ).returncode
",
    ),
    (
        "imports.py",
        "from auth import (
    password_validation,
    PBKDF2PasswordHasher,
)
",
    ),
    ("decorators.py", "class Empty:\n\tpass\n\t@cached_property\n\tdef size(self):\n\t\treturn 0\n"),
    ("defaults.py", "def login(\n    password,\n    *,\n    retries=3,\n):\n    pass\n"),
    ("form.py", "password = (\n    \"registration/password_reset_form2.html\"\n)\n"),
    ("auth.ts", "const password =\n  'form.fields.password2';\n"),
];

#[test]
fn code_without_secrets_stays_as_it_is() {
    for (path, text) in UNTOUCHED {
        assert_eq!(TextKind::of_file(path, text), TextKind::Code, "{path}");
        assert_eq!(masked_as(text, TextKind::Code), *text, "{path}");
        assert_ne!(masked(text), *text, "{path} shows nothing: it is untouched as data, too");
    }
}

#[test]
fn secrets_in_code_are_still_masked() {
    for (text, rule) in [
        ("password = \"kT9#mWq2!x\"\n", "password-assignment"),
        ("connect(host, password=\"kT9#mWq2!x\")\n", "password-assignment"),
        ("API_KEY = 'p0Kd8Jw3Nz6Rt1Vb5Xc9Hf2Q'\n", "generic-api-key"),
        ("run(\n    \"ghp_16C7e42F292c6912E7710c838347Ae178B4a\",\n)\n", "github-pat"),
        ("url = \"postgres://app:Xk29fLq8@db.internal/app\"\n", "postgres-connection-uri"),
        ("db.execute(\"INSERT INTO users (name, password) VALUES ('bob', 'Xk29fLq8Wm')\")\n", "password-assignment"),
    ] {
        let after = masked_as(text, TextKind::Code);
        assert!(after.contains(&format!("[REDACTED:{rule}]")), "{after}");
        assert_eq!(after, masked(text));
    }
}

#[test]
fn tables_and_values_below_their_names_are_still_found_in_data() {
    for (path, text, after) in [
        (
            "users.csv",
            "id,name,password\n1,bob,Xk29fLq8Wm\n2,eve,Yk31gMr7Xn\n",
            "id,name,password\n1,bob,[REDACTED:password-assignment]\n2,eve,[REDACTED:password-assignment]\n",
        ),
        (
            ".env",
            "#!/bin/sh\nDB_PASSWORD=\\\nXk29fLq8Wm4f7Jk2\n# log in with Xk29fLq8Wm4f7Jk2\n",
            "#!/bin/sh\nDB_PASSWORD=\\\n[REDACTED:password-assignment]\n# log in with [REDACTED:password-assignment]\n",
        ),
        ("app.yaml", "password:\n  Xk29fLq8Wm\n", "password:\n  [REDACTED:password-assignment]\n"),
        ("notes.txt", "user,password\nbob,Xk29fLq8Wm\n", "user,password\nbob,[REDACTED:password-assignment]\n"),
        ("dump", "user,password\nbob,Xk29fLq8Wm\n", "user,password\nbob,[REDACTED:password-assignment]\n"),
    ] {
        let kind = TextKind::of_file(path, text);
        assert_eq!(kind, TextKind::Data, "{path}");
        assert_eq!(masked_as(text, kind), after, "{path}");
    }
}

#[test]
fn in_code_only_severe_findings_are_masked_again_elsewhere() {
    // The value of a name may be an identifier; a token has a shape that no identifier has.
    let medium = "api_key = \"p0Kd8Jw3Nz6Rt1Vb5Xc9Hf2Q\"\nprint(p0Kd8Jw3Nz6Rt1Vb5Xc9Hf2Q)\n";
    let high = "client.get(\"https://bob:Xk29fLq8Wm4f7Jk2@db.internal/\")\nprint(\"Xk29fLq8Wm4f7Jk2\")\n";
    assert_eq!(
        masked_as(medium, TextKind::Code),
        "api_key = \"[REDACTED:generic-api-key]\"\nprint(p0Kd8Jw3Nz6Rt1Vb5Xc9Hf2Q)\n"
    );
    assert_eq!(masked(medium), "api_key = \"[REDACTED:generic-api-key]\"\nprint([REDACTED:generic-api-key])\n");
    for kind in [TextKind::Code, TextKind::Data] {
        assert_eq!(
            masked_as(high, kind),
            "client.get(\"https://bob:[REDACTED:url-credentials]@db.internal/\")\nprint(\"[REDACTED:url-credentials]\")\n"
        );
    }
}

#[test]
fn every_language_with_a_grammar_is_code_and_nothing_else_is() {
    let code = "a.py a.c a.hpp a.rs a.js a.ts a.tsx a.go A.java a.cs a.rb a.php a.kt a.swift a.scala a.lua a.sh";
    for path in code.split(' ') {
        assert_eq!(TextKind::of_file(path, ""), TextKind::Code, "{path}");
    }
    assert_eq!(TextKind::of_file("run", "#!/usr/bin/env python3\n"), TextKind::Code);
    let data = "a.csv a.toml a.yaml a.json .env .env.local a.ini a.md a.txt a.html a.sql a";
    for path in data.split(' ').chain([""]) {
        assert_eq!(TextKind::of_file(path, "x = 1\n"), TextKind::Data, "{path}");
    }
}
