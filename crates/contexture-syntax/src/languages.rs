//! The languages: one row of data each, no logic.
//!
//! [`LANGUAGES`] have a grammar: a new one is a row here, a dependency in `Cargo.toml`, a query file in `queries/` and a fixture in `fixtures/`;
//! the tests find all of them (docs/how-to/extend.md). [`PLAIN`] are known by the names of their files, their comments and their imports only.
//! No library takes the place of these rows: tables of names (`hyperpolyglot`, Linguist's list) know neither comments nor imports, map names to
//! other words than those after a fence, and would have to be corrected row by row to agree with what is parsed.

use crate::language::{DocPlace, ImportRule, Language, MarkPlace, Marks, Nested, VisibilityRule};
use crate::structure::Visibility::{self, Internal, Private, Public};

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

/// What most languages have in common; a row names the rest.
const BASE: Language = Language {
    name: "",
    fence: "",
    files: "",
    unparsed: "",
    fences: &[],
    line_comments: &["//"],
    block_comments: &[("/*", "*/")],
    imports: &[],
    quoted_imports: &[],
    inner_imports: &[],
    mixins: &[],
    import_rule: ImportRule::Name,
    entry_endings: "",
    grammar: None,
    queries: &[],
    separator: ".",
    marks: Marks {
        body: "{ /* … */ }", gap: "/* … */", value: "{ /* … */ }", rim: 1, place: MarkPlace::Anywhere
    },
    doc: DocPlace::Above,
    visibility: words(&[], Public),
    keywords: "",
    nested: Nested::Drop,
    declarators: "",
    prepare: None,
};

/// Comments end with their line.
const LINES: Language = Language { block_comments: &[], ..BASE };

/// Scripts: `#` to the end of the line is the usual comment.
const HASH: Language = Language { line_comments: &["#"], ..LINES };

/// Three slashes begin documentation.
const SLASHES: Language = Language { line_comments: &["///", "//"], ..BASE };

const C: Language = Language {
    name: "C",
    fence: "c",
    files: "*.c *.h #!tcc",
    imports: &["#include"],
    import_rule: ImportRule::Header,
    entry_endings: "c",
    grammar: grammar!("c", c::LANGUAGE),
    queries: &[include_str!("../queries/c.scm")],
    separator: "::",
    marks: Marks { value: "/* … */", ..BASE.marks },
    visibility: VisibilityRule::Sections { words: &["static"] },
    keywords: "struct enum union typedef #define",
    // References are of C++ only; C's grammar has no such node.
    declarators: "pointer_declarator function_declarator array_declarator parenthesized_declarator init_declarator \
                  attributed_declarator reference_declarator",
    prepare: Some(crate::prepare::c::c),
    ..SLASHES
};

/// Shared by JavaScript, TypeScript and what contains them.
const ECMASCRIPT: Language = Language {
    quoted_imports: &["import ", "import{", "import\"", "import'"],
    inner_imports: &[" from \"", " from '", "}from\"", "}from'", "require("],
    import_rule: ImportRule::Script,
    visibility: words(&[("private", Private), ("protected", Internal), ("_", Private)], Public),
    nested: Nested::Keep,
    ..BASE
};

const TYPESCRIPT: Language = Language {
    name: "TypeScript",
    fence: "typescript",
    files: "*.ts *.mts *.cts #!ts-node #!tsx #!deno",
    line_comments: &["///", "//"],
    entry_endings: "ts mts",
    grammar: grammar!("typescript", typescript::LANGUAGE_TYPESCRIPT),
    queries: &[include_str!("../queries/typescript.scm"), include_str!("../queries/ecmascript.scm")],
    keywords: "function function* class async export default const let var static interface enum type \
               namespace declare abstract readonly public",
    prepare: Some(crate::prepare::typescript::prepare),
    ..ECMASCRIPT
};

/// Every language that can be parsed, whether or not this build has its grammar.
pub static LANGUAGES: &[Language] = &[
    Language {
        name: "Python",
        fence: "python",
        files: "*.py *.pyi *.pyw SConstruct SConscript wscript #!python #!pypy",
        unparsed: "*.pyx #!uv",
        block_comments: &[("\"\"\"", "\"\"\""), ("'''", "'''")],
        imports: &["import ", "from "],
        import_rule: ImportRule::Python,
        entry_endings: "py",
        grammar: grammar!("python", python::LANGUAGE),
        queries: &[include_str!("../queries/python.scm")],
        marks: Marks { body: "...", gap: "...", value: "...", rim: 0, place: MarkPlace::Anywhere },
        doc: DocPlace::String,
        visibility: VisibilityRule::Underscore,
        keywords: "def async class type",
        nested: Nested::Keep,
        ..HASH
    },
    C,
    Language {
        name: "C++",
        fence: "cpp",
        files: "*.cpp *.cc *.cxx *.c++ *.hpp *.hh *.hxx *.h++ *.ipp *.tpp *.tcc *.txx *.inl *.ixx *.cppm *.cu *.cuh *.ino",
        imports: &["#include", "import "],
        entry_endings: "cc cpp cxx",
        grammar: grammar!("cpp", cpp::LANGUAGE),
        queries: &[include_str!("../queries/cpp.scm"), include_str!("../queries/c.scm")],
        keywords: "class struct enum union namespace typedef using #define",
        prepare: Some(crate::prepare::c::cpp),
        ..C
    },
    Language {
        name: "Rust",
        fence: "rust",
        files: "*.rs #!rust-script #!cargo",
        line_comments: &["//!", "///", "//"],
        imports: &["use ", "pub use ", "pub(crate) use ", "extern crate "],
        import_rule: ImportRule::Rust,
        entry_endings: "rs",
        grammar: grammar!("rust", rust::LANGUAGE),
        queries: &[include_str!("../queries/rust.scm")],
        separator: "::",
        visibility: words(
            &[("#macro_export", Public), ("self", Private), ("crate", Internal), ("super", Internal), ("pub", Public)],
            Private,
        ),
        keywords: "fn pub struct enum union trait impl mod const static type macro_rules!",
        ..BASE
    },
    Language {
        name: "JavaScript",
        fence: "javascript",
        files: "*.js *.mjs *.cjs *.jsx Jakefile #!node #!nodejs #!bun #!zx",
        unparsed: "*.es6",
        fences: &[("*.jsx", "jsx")],
        entry_endings: "js mjs cjs jsx",
        grammar: grammar!("javascript", javascript::LANGUAGE),
        queries: &[include_str!("../queries/ecmascript.scm"), include_str!("../queries/javascript.scm")],
        keywords: "function function* class async export default const let var static",
        ..ECMASCRIPT
    },
    TYPESCRIPT,
    Language {
        name: "TSX",
        fence: "tsx",
        files: "*.tsx",
        entry_endings: "tsx",
        grammar: grammar!("typescript", typescript::LANGUAGE_TSX),
        ..TYPESCRIPT
    },
    Language {
        name: "Go",
        fence: "go",
        files: "*.go",
        quoted_imports: &["import "],
        import_rule: ImportRule::Go,
        entry_endings: "go",
        grammar: grammar!("go", go::LANGUAGE),
        queries: &[include_str!("../queries/go.scm")],
        marks: Marks { value: "interface{ /* … */ }", ..BASE.marks },
        visibility: VisibilityRule::Capital,
        keywords: "func type const var package",
        ..BASE
    },
    Language {
        name: "Java",
        fence: "java",
        files: "*.java #!java #!jbang",
        imports: &["import "],
        import_rule: ImportRule::Jvm,
        entry_endings: "java",
        grammar: grammar!("java", java::LANGUAGE),
        queries: &[include_str!("../queries/java.scm")],
        marks: Marks { value: "null /* … */", ..BASE.marks },
        visibility: words(&[("private", Private), ("protected", Internal), ("public", Public)], Internal),
        keywords: "class interface enum record public final",
        ..BASE
    },
    Language {
        name: "C#",
        fence: "csharp",
        files: "*.cs *.csx #!dotnet-script",
        imports: &["using ", "global using "],
        import_rule: ImportRule::CSharp,
        entry_endings: "cs",
        grammar: grammar!("csharp", csharp::LANGUAGE),
        queries: &[include_str!("../queries/csharp.scm")],
        marks: Marks { value: "default /* … */", ..BASE.marks },
        visibility: VisibilityRule::Words {
            words: &[("private", Private), ("internal", Internal), ("protected", Internal), ("public", Public)],
            members: Private,
            rest: Internal,
        },
        keywords: "class interface enum struct record public namespace",
        prepare: Some(crate::prepare::csharp::prepare),
        ..SLASHES
    },
    Language {
        name: "Ruby",
        fence: "ruby",
        files: "*.rb *.rake *.gemspec *.ru *.rbw *.podspec *.thor *.jbuilder Rakefile Gemfile Vagrantfile \
                Guardfile Podfile Brewfile Capfile Fastfile Dangerfile Berksfile Thorfile #!ruby #!jruby #!rake",
        block_comments: &[("=begin", "=end")],
        quoted_imports: &["require ", "require_relative ", "load "],
        mixins: &["include ", "extend ", "prepend "],
        entry_endings: "rb",
        grammar: grammar!("ruby", ruby::LANGUAGE),
        queries: &[include_str!("../queries/ruby.scm")],
        separator: "::",
        marks: Marks { body: "# …", gap: "# …", value: "nil # …", rim: 0, place: MarkPlace::OwnLine },
        visibility: words(&[("private_class_method", Private), ("private", Private), ("protected", Internal)], Public),
        keywords: "def class module self",
        ..HASH
    },
    Language {
        name: "PHP",
        fence: "php",
        files: "*.php *.phtml *.php5 *.php7 *.phps *.inc #!php",
        unparsed: "*.php8",
        line_comments: &["#", "//"],
        imports: &["use "],
        quoted_imports: &["require ", "require_once ", "include ", "include_once "],
        mixins: &["use "],
        entry_endings: "php",
        grammar: grammar!("php", php::LANGUAGE_PHP),
        queries: &[include_str!("../queries/php.scm")],
        separator: "::",
        marks: Marks { value: "null /* … */", ..BASE.marks },
        visibility: words(&[("private", Private), ("protected", Internal)], Public),
        keywords: "function class interface trait enum namespace const public static abstract final",
        ..BASE
    },
    Language {
        name: "Kotlin",
        fence: "kotlin",
        files: "*.kt *.kts #!kotlin",
        imports: &["import "],
        import_rule: ImportRule::Jvm,
        entry_endings: "kt kts",
        grammar: grammar!("kotlin", kotlin::LANGUAGE),
        queries: &[include_str!("../queries/kotlin.scm")],
        marks: Marks { value: "TODO(/* … */)", ..BASE.marks },
        visibility: words(&[("private", Private), ("protected", Internal), ("internal", Internal)], Public),
        keywords: "fun class interface object val var typealias enum public override",
        prepare: Some(crate::prepare::kotlin::prepare),
        ..BASE
    },
    Language {
        name: "Swift",
        fence: "swift",
        files: "*.swift #!swift",
        imports: &["import ", "@testable import "],
        entry_endings: "swift",
        grammar: grammar!("swift", swift::LANGUAGE),
        queries: &[include_str!("../queries/swift.scm")],
        visibility: words(
            &[("public", Public), ("open", Public), ("private", Private), ("fileprivate", Private)],
            Internal,
        ),
        keywords: "func class struct enum protocol extension var let typealias actor case public",
        prepare: Some(crate::prepare::swift::prepare),
        ..SLASHES
    },
    Language {
        name: "Scala",
        fence: "scala",
        files: "*.scala *.sc *.sbt #!scala #!amm",
        imports: &["import "],
        import_rule: ImportRule::Jvm,
        entry_endings: "scala",
        grammar: grammar!("scala", scala::LANGUAGE),
        queries: &[include_str!("../queries/scala.scm")],
        marks: Marks { value: "???", ..BASE.marks },
        visibility: words(&[("private", Private), ("protected", Internal)], Public),
        keywords: "def class trait object val var type enum case package given",
        ..BASE
    },
    Language {
        name: "Lua",
        fence: "lua",
        files: "*.lua *.rockspec *.luau .luacheckrc #!lua #!luajit #!texlua",
        line_comments: &["---", "--"],
        block_comments: &[("--[[", "]]")],
        inner_imports: &["require(", "require \"", "require '"],
        entry_endings: "lua",
        grammar: grammar!("lua", lua::LANGUAGE),
        queries: &[include_str!("../queries/lua.scm")],
        marks: Marks { body: "-- …", gap: "-- …", value: "nil -- …", rim: 0, place: MarkPlace::OwnLine },
        visibility: words(&[("local", Private)], Public),
        keywords: "function local",
        nested: Nested::Keep,
        ..BASE
    },
    Language {
        name: "Bash",
        fence: "bash",
        files: "*.sh *.bash *.ksh *.bats *.zsh *.ebuild *.eclass .bashrc .bash_profile .bash_aliases \
                .bash_logout .profile .zshrc .zshenv .zprofile PKGBUILD APKBUILD #!sh #!bash #!dash #!ksh #!zsh #!ash",
        unparsed: "#!bats",
        fences: &[("*.zsh", "zsh")],
        imports: &["source ", ". "],
        grammar: grammar!("bash", bash::LANGUAGE),
        queries: &[include_str!("../queries/bash.scm")],
        separator: "/",
        marks: Marks { body: "{ : …; }", gap: ": …", value: ":", rim: 1, place: MarkPlace::Anywhere },
        keywords: "function",
        prepare: Some(crate::prepare::bash::prepare),
        ..HASH
    },
];

/// Languages without a grammar here, as far as names of files, comments and imports go.
pub static PLAIN: &[Language] = &[
    Language {
        name: "Vue",
        fence: "vue",
        files: "*.vue",
        block_comments: &[("<!--", "-->"), ("/*", "*/")],
        entry_endings: "vue",
        ..ECMASCRIPT
    },
    Language {
        name: "Svelte",
        fence: "svelte",
        files: "*.astro *.svelte",
        fences: &[("*.astro", "astro")],
        block_comments: &[("<!--", "-->"), ("/*", "*/")],
        entry_endings: "svelte",
        ..ECMASCRIPT
    },
    Language {
        name: "Perl",
        fence: "perl",
        files: "*.pl *.pm *.t #!perl",
        block_comments: &[("=pod", "=cut"), ("=head1", "=cut")],
        imports: &["use ", "require "],
        entry_endings: "pl",
        ..HASH
    },
    Language {
        name: "R",
        fence: "r",
        files: "*.r .rprofile #!rscript",
        line_comments: &["#'", "#"],
        imports: &["library(", "require("],
        quoted_imports: &["source("],
        entry_endings: "r",
        ..LINES
    },
    Language {
        name: "Julia",
        fence: "julia",
        files: "*.jl #!julia",
        block_comments: &[("\"\"\"", "\"\"\""), ("#=", "=#")],
        imports: &["using ", "import "],
        entry_endings: "jl",
        ..HASH
    },
    Language {
        name: "Haskell",
        fence: "haskell",
        files: "*.hs *.hsc *.lhs #!runghc #!runhaskell #!stack",
        line_comments: &["-- |", "--"],
        block_comments: &[("{-", "-}")],
        imports: &["import "],
        entry_endings: "hs",
        ..BASE
    },
    Language {
        name: "Elixir",
        fence: "elixir",
        files: "*.ex *.exs #!elixir",
        imports: &["import ", "alias ", "use ", "require "],
        entry_endings: "ex exs",
        ..HASH
    },
    Language {
        name: "Erlang",
        fence: "erlang",
        files: "*.erl *.hrl #!escript",
        line_comments: &["%%", "%"],
        quoted_imports: &["-include(", "-include_lib("],
        entry_endings: "erl",
        ..LINES
    },
    Language {
        name: "Dart",
        fence: "dart",
        files: "*.dart #!dart",
        quoted_imports: &["import ", "export ", "part "],
        entry_endings: "dart",
        ..SLASHES
    },
    Language {
        name: "Zig",
        fence: "zig",
        files: "*.zig *.zon",
        line_comments: &["//!", "///", "//"],
        inner_imports: &["@import("],
        entry_endings: "zig",
        ..LINES
    },
    Language {
        name: "Nim",
        fence: "nim",
        files: "*.nim *.nimble *.nims",
        line_comments: &["##", "#"],
        block_comments: &[("#[", "]#")],
        imports: &["import ", "from ", "include "],
        entry_endings: "nim",
        ..BASE
    },
    Language {
        name: "OCaml",
        fence: "ocaml",
        files: "*.ml *.mli",
        line_comments: &[],
        block_comments: &[("(**", "*)"), ("(*", "*)")],
        imports: &["open "],
        entry_endings: "ml",
        ..BASE
    },
    Language {
        name: "F#",
        fence: "fsharp",
        files: "*.fs *.fsi *.fsx",
        line_comments: &["///", "//"],
        block_comments: &[("(*", "*)")],
        imports: &["open "],
        entry_endings: "fs",
        ..BASE
    },
    Language {
        name: "Clojure",
        fence: "clojure",
        files: "*.bb *.clj *.cljc *.cljs *.edn #!bb",
        line_comments: &[";;;", ";;", ";"],
        entry_endings: "clj",
        ..LINES
    },
    Language {
        name: "Lisp",
        fence: "lisp",
        files: "*.cl *.el *.lisp *.rkt *.scm *.ss",
        fences: &[("*.el", "elisp"), ("*.rkt", "racket"), ("*.scm", "scheme"), ("*.ss", "scheme")],
        line_comments: &[";;;", ";;", ";"],
        block_comments: &[("#|", "|#")],
        ..BASE
    },
    Language {
        name: "Groovy",
        fence: "groovy",
        files: "*.gradle *.groovy jenkinsfile #!groovy",
        imports: &["import "],
        import_rule: ImportRule::Jvm,
        ..BASE
    },
    Language {
        name: "PowerShell",
        fence: "powershell",
        files: "*.ps1 *.psd1 *.psm1 #!pwsh",
        block_comments: &[("<#", "#>")],
        imports: &["Import-Module ", "using module "],
        ..HASH
    },
    Language {
        name: "Objective-C",
        fence: "objectivec",
        files: "*.m *.mm",
        imports: &["#import", "#include", "@import "],
        import_rule: ImportRule::Header,
        entry_endings: "m mm",
        ..SLASHES
    },
    Language {
        name: "MATLAB",
        fence: "matlab",
        line_comments: &["%%", "%"],
        block_comments: &[("%{", "%}")],
        imports: &["import "],
        ..BASE
    },
    Language {
        name: "Visual Basic",
        fence: "vbnet",
        files: "*.bas *.vb *.vbs",
        line_comments: &["'''", "'"],
        imports: &["Imports "],
        ..LINES
    },
    Language { name: "Solidity", fence: "solidity", files: "*.sol", quoted_imports: &["import "], ..SLASHES },
    Language { name: "Protocol Buffers", fence: "protobuf", files: "*.proto", quoted_imports: &["import "], ..BASE },
    Language {
        name: "Thrift",
        fence: "thrift",
        files: "*.thrift",
        line_comments: &["//", "#"],
        quoted_imports: &["include "],
        ..BASE
    },
    Language {
        name: "GraphQL",
        fence: "graphql",
        files: "*.gql *.graphql *.graphqls",
        block_comments: &[("\"\"\"", "\"\"\"")],
        ..HASH
    },
    Language {
        name: "HCL",
        fence: "hcl",
        files: "*.hcl *.nomad *.tf *.tfvars",
        fences: &[("*.tf", "terraform")],
        line_comments: &["#", "//"],
        ..BASE
    },
    Language { name: "Nix", fence: "nix", files: "*.nix", line_comments: &["#"], ..BASE },
    Language {
        name: "CMake",
        fence: "cmake",
        files: "*.cmake cmakelists.txt",
        block_comments: &[("#[[", "]]")],
        imports: &["include(", "find_package("],
        ..HASH
    },
    Language {
        name: "Starlark",
        fence: "starlark",
        files: "*.bazel *.bzl *.star build tiltfile workspace",
        block_comments: &[("\"\"\"", "\"\"\"")],
        quoted_imports: &["load("],
        ..HASH
    },
    Language {
        name: "Vim script",
        fence: "vim",
        files: "*.vim *.vimrc .vimrc _vimrc",
        line_comments: &["\""],
        ..LINES
    },
    Language { name: "Fish", fence: "fish", files: "*.fish #!fish", imports: &["source "], ..HASH },
    Language {
        name: "Tcl",
        fence: "tcl",
        files: "*.tcl #!tclsh #!wish",
        imports: &["package require ", "source "],
        ..HASH
    },
    Language {
        name: "Fortran",
        fence: "fortran",
        files: "*.f *.f03 *.f08 *.f77 *.f90 *.f95 *.for",
        line_comments: &["!"],
        imports: &["use "],
        ..LINES
    },
    Language {
        name: "Pascal",
        fence: "pascal",
        files: "*.dpr *.lpr *.pas",
        block_comments: &[("{", "}"), ("(*", "*)")],
        ..BASE
    },
    Language { name: "Assembly", fence: "asm", files: "*.asm *.nasm *.s", line_comments: &[";", "#", "//"], ..BASE },
    Language {
        name: "GLSL",
        fence: "glsl",
        files: "*.comp *.frag *.geom *.glsl *.hlsl *.metal *.vert *.wgsl",
        fences: &[("*.hlsl", "hlsl"), ("*.wgsl", "wgsl")],
        ..BASE
    },
    Language { name: "Batch", fence: "batch", files: "*.bat *.cmd", line_comments: &["rem ", "REM ", "::"], ..LINES },
    Language { name: "AWK", fence: "awk", files: "*.awk #!awk #!gawk #!mawk", ..HASH },
    Language {
        name: "Verilog",
        fence: "verilog",
        files: "*.sv *.svh *.v *.vh",
        fences: &[("*.sv", "systemverilog"), ("*.svh", "systemverilog")],
        ..BASE
    },
    Language { name: "VHDL", fence: "vhdl", files: "*.vhd *.vhdl", line_comments: &["--"], ..LINES },
    Language { name: "D", fence: "d", files: "*.d *.di", imports: &["import "], ..SLASHES },
    Language {
        name: "Elm",
        fence: "elm",
        files: "*.elm",
        line_comments: &["--"],
        block_comments: &[("{-|", "-}"), ("{-", "-}")],
        imports: &["import "],
        ..BASE
    },
    Language { name: "GDScript", fence: "gdscript", files: "*.gd", line_comments: &["##", "#"], ..LINES },
    Language { name: "Crystal", fence: "crystal", files: "*.cr", quoted_imports: &["require "], ..HASH },
    Language { name: "just", fence: "just", files: "*.just .justfile justfile", ..HASH },
];

/// One of these words before the name says it; without one, everything has the same visibility.
const fn words(words: &'static [(&'static str, Visibility)], rest: Visibility) -> VisibilityRule {
    VisibilityRule::Words { words, members: rest, rest }
}
