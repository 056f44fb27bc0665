//! The languages: one row of data each, no logic.
//!
//! A new language is a row here, a query file in `queries/` and a fixture in `fixtures/`; the tests find all three.

use crate::language::{Doc, Language, Marks, Nested, Place, VisibilityRule};
use crate::structure::Visibility::{Internal, Private, Public};
use std::sync::OnceLock;

/// The grammar, when this build has it.
macro_rules! grammar {
    ($feature:literal, $($grammar:tt)+) => {{
        #[cfg(feature = $feature)]
        {
            Some(|| $($grammar)+.into())
        }
        #[cfg(not(feature = $feature))]
        {
            None
        }
    }};
}

/// Every language, whether or not this build has its grammar.
pub static LANGUAGES: [&Language; 17] = [
    &PYTHON,
    &C,
    &CPP,
    &RUST,
    &JAVASCRIPT,
    &TYPESCRIPT,
    &TSX,
    &GO,
    &JAVA,
    &CSHARP,
    &RUBY,
    &PHP,
    &KOTLIN,
    &SWIFT,
    &SCALA,
    &LUA,
    &BASH,
];

/// What stands for a body in braces.
const BRACES: Marks =
    Marks { body: "{ /* … */ }", gap: "/* … */", value: "{ /* … */ }", rim: 1, place: Place::Anywhere };

const ECMASCRIPT_VISIBILITY: VisibilityRule = VisibilityRule::Words {
    words: &[("private", Private), ("protected", Internal), ("_", Private)],
    members: Public,
    rest: Public,
};

const TYPESCRIPT_KEYWORDS: &[&str] = &[
    "function",
    "function*",
    "class",
    "async",
    "export",
    "default",
    "const",
    "let",
    "var",
    "static",
    "interface",
    "enum",
    "type",
    "namespace",
    "declare",
    "abstract",
    "readonly",
    "public",
];

static PYTHON: Language = Language {
    name: "Python",
    endings: &["py", "pyi", "pyw"],
    names: &["SConstruct", "SConscript", "wscript"],
    interpreters: &["python", "pypy"],
    grammar: grammar!("python", tree_sitter_python::LANGUAGE),
    queries: &[include_str!("../queries/python.scm")],
    separator: ".",
    marks: Marks { body: "...", gap: "...", value: "...", rim: 0, place: Place::Anywhere },
    comment: "#",
    doc: Doc::String,
    visibility: VisibilityRule::Underscore,
    keywords: &["def", "async", "class", "type"],
    nested: Nested::Keep,
    declarators: &[],
    prepare: None,
    rules: OnceLock::new(),
};

static C: Language = Language {
    name: "C",
    endings: &["c", "h"],
    names: &[],
    interpreters: &["tcc"],
    grammar: grammar!("c", tree_sitter_c::LANGUAGE),
    queries: &[include_str!("../queries/c.scm")],
    separator: "::",
    marks: Marks { value: "/* … */", ..BRACES },
    comment: "//",
    doc: Doc::Above,
    visibility: VisibilityRule::Sections { words: &["static"] },
    keywords: &["struct", "enum", "union", "typedef", "#define"],
    nested: Nested::Drop,
    declarators: &[
        "pointer_declarator",
        "function_declarator",
        "array_declarator",
        "parenthesized_declarator",
        "init_declarator",
        "attributed_declarator",
    ],
    prepare: Some(crate::prepare::c::c),
    rules: OnceLock::new(),
};

static CPP: Language = Language {
    name: "C++",
    endings: &[
        "cpp", "cc", "cxx", "c++", "hpp", "hh", "hxx", "h++", "ipp", "tpp", "tcc", "txx", "inl", "ixx", "cppm", "cu",
        "cuh", "ino",
    ],
    names: &[],
    interpreters: &[],
    grammar: grammar!("cpp", tree_sitter_cpp::LANGUAGE),
    queries: &[include_str!("../queries/cpp.scm"), include_str!("../queries/c.scm")],
    separator: "::",
    marks: Marks { value: "/* … */", ..BRACES },
    comment: "//",
    doc: Doc::Above,
    visibility: VisibilityRule::Sections { words: &["static"] },
    keywords: &["class", "struct", "enum", "union", "namespace", "typedef", "using", "#define"],
    nested: Nested::Drop,
    declarators: &[
        "pointer_declarator",
        "function_declarator",
        "array_declarator",
        "parenthesized_declarator",
        "init_declarator",
        "attributed_declarator",
        "reference_declarator",
    ],
    prepare: Some(crate::prepare::c::cpp),
    rules: OnceLock::new(),
};

static RUST: Language = Language {
    name: "Rust",
    endings: &["rs"],
    names: &[],
    interpreters: &["rust-script", "cargo"],
    grammar: grammar!("rust", tree_sitter_rust::LANGUAGE),
    queries: &[include_str!("../queries/rust.scm")],
    separator: "::",
    marks: BRACES,
    comment: "//",
    doc: Doc::Above,
    visibility: VisibilityRule::Words {
        words: &[
            ("#macro_export", Public),
            ("self", Private),
            ("crate", Internal),
            ("super", Internal),
            ("pub", Public),
        ],
        members: Private,
        rest: Private,
    },
    keywords: &[
        "fn",
        "pub",
        "struct",
        "enum",
        "union",
        "trait",
        "impl",
        "mod",
        "const",
        "static",
        "type",
        "macro_rules!",
    ],
    nested: Nested::Drop,
    declarators: &[],
    prepare: None,
    rules: OnceLock::new(),
};

static JAVASCRIPT: Language = Language {
    name: "JavaScript",
    endings: &["js", "mjs", "cjs", "jsx"],
    names: &["Jakefile"],
    interpreters: &["node", "nodejs", "bun", "zx"],
    grammar: grammar!("javascript", tree_sitter_javascript::LANGUAGE),
    queries: &[include_str!("../queries/ecmascript.scm"), include_str!("../queries/javascript.scm")],
    separator: ".",
    marks: BRACES,
    comment: "//",
    doc: Doc::Above,
    visibility: ECMASCRIPT_VISIBILITY,
    keywords: &["function", "function*", "class", "async", "export", "default", "const", "let", "var", "static"],
    nested: Nested::Keep,
    declarators: &[],
    prepare: None,
    rules: OnceLock::new(),
};

static TYPESCRIPT: Language = Language {
    name: "TypeScript",
    endings: &["ts", "mts", "cts"],
    names: &[],
    interpreters: &["ts-node", "tsx", "deno"],
    grammar: grammar!("typescript", tree_sitter_typescript::LANGUAGE_TYPESCRIPT),
    queries: &[include_str!("../queries/typescript.scm"), include_str!("../queries/ecmascript.scm")],
    separator: ".",
    marks: BRACES,
    comment: "//",
    doc: Doc::Above,
    visibility: ECMASCRIPT_VISIBILITY,
    keywords: TYPESCRIPT_KEYWORDS,
    nested: Nested::Keep,
    declarators: &[],
    prepare: Some(crate::prepare::typescript::prepare),
    rules: OnceLock::new(),
};

static TSX: Language = Language {
    name: "TSX",
    endings: &["tsx"],
    names: &[],
    interpreters: &[],
    grammar: grammar!("typescript", tree_sitter_typescript::LANGUAGE_TSX),
    queries: &[include_str!("../queries/typescript.scm"), include_str!("../queries/ecmascript.scm")],
    separator: ".",
    marks: BRACES,
    comment: "//",
    doc: Doc::Above,
    visibility: ECMASCRIPT_VISIBILITY,
    keywords: TYPESCRIPT_KEYWORDS,
    nested: Nested::Keep,
    declarators: &[],
    prepare: Some(crate::prepare::typescript::prepare),
    rules: OnceLock::new(),
};

static GO: Language = Language {
    name: "Go",
    endings: &["go"],
    names: &[],
    interpreters: &[],
    grammar: grammar!("go", tree_sitter_go::LANGUAGE),
    queries: &[include_str!("../queries/go.scm")],
    separator: ".",
    marks: Marks { value: "interface{ /* … */ }", ..BRACES },
    comment: "//",
    doc: Doc::Above,
    visibility: VisibilityRule::Capital,
    keywords: &["func", "type", "const", "var", "package"],
    nested: Nested::Drop,
    declarators: &[],
    prepare: None,
    rules: OnceLock::new(),
};

static JAVA: Language = Language {
    name: "Java",
    endings: &["java"],
    names: &[],
    interpreters: &["java", "jbang"],
    grammar: grammar!("java", tree_sitter_java::LANGUAGE),
    queries: &[include_str!("../queries/java.scm")],
    separator: ".",
    marks: Marks { value: "null /* … */", ..BRACES },
    comment: "//",
    doc: Doc::Above,
    visibility: VisibilityRule::Words {
        words: &[("private", Private), ("protected", Internal), ("public", Public)],
        members: Internal,
        rest: Internal,
    },
    keywords: &["class", "interface", "enum", "record", "public", "final"],
    nested: Nested::Drop,
    declarators: &[],
    prepare: None,
    rules: OnceLock::new(),
};

static CSHARP: Language = Language {
    name: "C#",
    endings: &["cs", "csx"],
    names: &[],
    interpreters: &["dotnet-script"],
    grammar: grammar!("csharp", tree_sitter_c_sharp::LANGUAGE),
    queries: &[include_str!("../queries/csharp.scm")],
    separator: ".",
    marks: Marks { value: "default /* … */", ..BRACES },
    comment: "//",
    doc: Doc::Above,
    visibility: VisibilityRule::Words {
        words: &[("private", Private), ("internal", Internal), ("protected", Internal), ("public", Public)],
        members: Private,
        rest: Internal,
    },
    keywords: &["class", "interface", "enum", "struct", "record", "public", "namespace"],
    nested: Nested::Drop,
    declarators: &[],
    prepare: Some(crate::prepare::csharp::prepare),
    rules: OnceLock::new(),
};

static RUBY: Language = Language {
    name: "Ruby",
    endings: &["rb", "rake", "gemspec", "ru", "rbw", "podspec", "thor", "jbuilder"],
    names: &[
        "Rakefile",
        "Gemfile",
        "Vagrantfile",
        "Guardfile",
        "Podfile",
        "Brewfile",
        "Capfile",
        "Fastfile",
        "Dangerfile",
        "Berksfile",
        "Thorfile",
    ],
    interpreters: &["ruby", "jruby", "rake"],
    grammar: grammar!("ruby", tree_sitter_ruby::LANGUAGE),
    queries: &[include_str!("../queries/ruby.scm")],
    separator: "::",
    marks: Marks { body: "# …", gap: "# …", value: "nil # …", rim: 0, place: Place::OwnLine },
    comment: "#",
    doc: Doc::Above,
    visibility: VisibilityRule::Words {
        words: &[("private_class_method", Private), ("private", Private), ("protected", Internal)],
        members: Public,
        rest: Public,
    },
    keywords: &["def", "class", "module", "self"],
    nested: Nested::Drop,
    declarators: &[],
    prepare: None,
    rules: OnceLock::new(),
};

static PHP: Language = Language {
    name: "PHP",
    endings: &["php", "phtml", "php5", "php7", "phps", "inc"],
    names: &[],
    interpreters: &["php"],
    grammar: grammar!("php", tree_sitter_php::LANGUAGE_PHP),
    queries: &[include_str!("../queries/php.scm")],
    separator: "::",
    marks: Marks { value: "null /* … */", ..BRACES },
    comment: "//",
    doc: Doc::Above,
    visibility: VisibilityRule::Words {
        words: &[("private", Private), ("protected", Internal)],
        members: Public,
        rest: Public,
    },
    keywords: &[
        "function",
        "class",
        "interface",
        "trait",
        "enum",
        "namespace",
        "const",
        "public",
        "static",
        "abstract",
        "final",
    ],
    nested: Nested::Drop,
    declarators: &[],
    prepare: None,
    rules: OnceLock::new(),
};

static KOTLIN: Language = Language {
    name: "Kotlin",
    endings: &["kt", "kts"],
    names: &[],
    interpreters: &["kotlin"],
    grammar: grammar!("kotlin", tree_sitter_kotlin_ng::LANGUAGE),
    queries: &[include_str!("../queries/kotlin.scm")],
    separator: ".",
    marks: Marks { value: "TODO(/* … */)", ..BRACES },
    comment: "//",
    doc: Doc::Above,
    visibility: VisibilityRule::Words {
        words: &[("private", Private), ("protected", Internal), ("internal", Internal)],
        members: Public,
        rest: Public,
    },
    keywords: &["fun", "class", "interface", "object", "val", "var", "typealias", "enum", "public", "override"],
    nested: Nested::Drop,
    declarators: &[],
    prepare: Some(crate::prepare::kotlin::prepare),
    rules: OnceLock::new(),
};

static SWIFT: Language = Language {
    name: "Swift",
    endings: &["swift"],
    names: &[],
    interpreters: &["swift"],
    grammar: grammar!("swift", tree_sitter_swift::LANGUAGE),
    queries: &[include_str!("../queries/swift.scm")],
    separator: ".",
    marks: BRACES,
    comment: "//",
    doc: Doc::Above,
    visibility: VisibilityRule::Words {
        words: &[("public", Public), ("open", Public), ("private", Private), ("fileprivate", Private)],
        members: Internal,
        rest: Internal,
    },
    keywords: &[
        "func",
        "class",
        "struct",
        "enum",
        "protocol",
        "extension",
        "var",
        "let",
        "typealias",
        "actor",
        "case",
        "public",
    ],
    nested: Nested::Drop,
    declarators: &[],
    prepare: Some(crate::prepare::swift::prepare),
    rules: OnceLock::new(),
};

static SCALA: Language = Language {
    name: "Scala",
    endings: &["scala", "sc", "sbt"],
    names: &[],
    interpreters: &["scala", "amm"],
    grammar: grammar!("scala", tree_sitter_scala::LANGUAGE),
    queries: &[include_str!("../queries/scala.scm")],
    separator: ".",
    marks: Marks { value: "???", ..BRACES },
    comment: "//",
    doc: Doc::Above,
    visibility: VisibilityRule::Words {
        words: &[("private", Private), ("protected", Internal)],
        members: Public,
        rest: Public,
    },
    keywords: &["def", "class", "trait", "object", "val", "var", "type", "enum", "case", "package", "given"],
    nested: Nested::Drop,
    declarators: &[],
    prepare: None,
    rules: OnceLock::new(),
};

static LUA: Language = Language {
    name: "Lua",
    endings: &["lua", "rockspec", "luau"],
    names: &[".luacheckrc"],
    interpreters: &["lua", "luajit", "texlua"],
    grammar: grammar!("lua", tree_sitter_lua::LANGUAGE),
    queries: &[include_str!("../queries/lua.scm")],
    separator: ".",
    marks: Marks { body: "-- …", gap: "-- …", value: "nil -- …", rim: 0, place: Place::OwnLine },
    comment: "--",
    doc: Doc::Above,
    visibility: VisibilityRule::Words { words: &[("local", Private)], members: Public, rest: Public },
    keywords: &["function", "local"],
    nested: Nested::Keep,
    declarators: &[],
    prepare: None,
    rules: OnceLock::new(),
};

static BASH: Language = Language {
    name: "Bash",
    endings: &["sh", "bash", "ksh", "bats", "zsh", "ebuild", "eclass"],
    names: &[
        ".bashrc",
        ".bash_profile",
        ".bash_aliases",
        ".bash_logout",
        ".profile",
        ".zshrc",
        ".zshenv",
        ".zprofile",
        "PKGBUILD",
        "APKBUILD",
    ],
    interpreters: &["sh", "bash", "dash", "ksh", "zsh", "ash"],
    grammar: grammar!("bash", tree_sitter_bash::LANGUAGE),
    queries: &[include_str!("../queries/bash.scm")],
    separator: "/",
    marks: Marks { body: "{ : …; }", gap: ": …", value: ":", rim: 1, place: Place::Anywhere },
    comment: "#",
    doc: Doc::Above,
    visibility: VisibilityRule::Words { words: &[], members: Public, rest: Public },
    keywords: &["function"],
    nested: Nested::Drop,
    declarators: &[],
    prepare: Some(crate::prepare::bash::prepare),
    rules: OnceLock::new(),
};
