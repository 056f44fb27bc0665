//! The languages whose comments and imports can be read: one row of data each, no logic.
//!
//! A new language is a new row here and its endings in `names`; every consumer reads the row.

use super::CodeKind;

/// Block comments of the C family.
const SLASH_STAR: &[(&str, &str)] = &[("/*", "*/")];
pub static PYTHON: CodeKind = CodeKind {
    name: "Python",
    fence: "python",
    line: &["#"],
    block: &[("\"\"\"", "\"\"\""), ("'''", "'''")],
    named: &["import ", "from "],
    quoted: &[],
    within: &[],
};
pub static C: CodeKind = CodeKind {
    name: "C",
    fence: "c",
    line: &["///", "//"],
    block: SLASH_STAR,
    named: &["#include"],
    quoted: &[],
    within: &[],
};
pub static CPP: CodeKind = CodeKind {
    name: "C++",
    fence: "cpp",
    line: &["///", "//"],
    block: SLASH_STAR,
    named: &["#include", "import "],
    quoted: &[],
    within: &[],
};
pub static RUST: CodeKind = CodeKind {
    name: "Rust",
    fence: "rust",
    line: &["//!", "///", "//"],
    block: SLASH_STAR,
    named: &["use ", "pub use ", "pub(crate) use ", "extern crate "],
    quoted: &[],
    within: &[],
};
pub static JAVASCRIPT: CodeKind = CodeKind {
    name: "JavaScript",
    fence: "javascript",
    line: &["//"],
    block: SLASH_STAR,
    named: &[],
    quoted: &["import ", "import{", "import\"", "import'"],
    within: &[" from \"", " from '", "}from\"", "}from'", "require("],
};
pub static TYPESCRIPT: CodeKind = CodeKind {
    name: "TypeScript",
    fence: "typescript",
    line: &["///", "//"],
    block: SLASH_STAR,
    named: &[],
    quoted: &["import ", "import{", "import\"", "import'"],
    within: &[" from \"", " from '", "}from\"", "}from'", "require("],
};
pub static VUE: CodeKind = CodeKind {
    name: "Vue",
    fence: "vue",
    line: &["//"],
    block: &[("<!--", "-->"), ("/*", "*/")],
    named: &[],
    quoted: &["import ", "import{", "import\"", "import'"],
    within: &[" from \"", " from '", "}from\"", "}from'", "require("],
};
pub static SVELTE: CodeKind = CodeKind {
    name: "Svelte",
    fence: "svelte",
    line: &["//"],
    block: &[("<!--", "-->"), ("/*", "*/")],
    named: &[],
    quoted: &["import ", "import{", "import\"", "import'"],
    within: &[" from \"", " from '", "}from\"", "}from'", "require("],
};
pub static GO: CodeKind = CodeKind {
    name: "Go",
    fence: "go",
    line: &["//"],
    block: SLASH_STAR,
    named: &[],
    quoted: &["import "],
    within: &[],
};
pub static JAVA: CodeKind = CodeKind {
    name: "Java",
    fence: "java",
    line: &["//"],
    block: SLASH_STAR,
    named: &["import "],
    quoted: &[],
    within: &[],
};
pub static CSHARP: CodeKind = CodeKind {
    name: "C#",
    fence: "csharp",
    line: &["///", "//"],
    block: SLASH_STAR,
    named: &["using ", "global using "],
    quoted: &[],
    within: &[],
};
pub static RUBY: CodeKind = CodeKind {
    name: "Ruby",
    fence: "ruby",
    line: &["#"],
    block: &[("=begin", "=end")],
    named: &[],
    quoted: &["require ", "require_relative ", "load "],
    within: &[],
};
pub static PHP: CodeKind = CodeKind {
    name: "PHP",
    fence: "php",
    line: &["//", "#"],
    block: SLASH_STAR,
    named: &["use "],
    quoted: &["require ", "require_once ", "include ", "include_once "],
    within: &[],
};
pub static KOTLIN: CodeKind = CodeKind {
    name: "Kotlin",
    fence: "kotlin",
    line: &["//"],
    block: SLASH_STAR,
    named: &["import "],
    quoted: &[],
    within: &[],
};
pub static SWIFT: CodeKind = CodeKind {
    name: "Swift",
    fence: "swift",
    line: &["///", "//"],
    block: SLASH_STAR,
    named: &["import ", "@testable import "],
    quoted: &[],
    within: &[],
};
pub static SCALA: CodeKind = CodeKind {
    name: "Scala",
    fence: "scala",
    line: &["//"],
    block: SLASH_STAR,
    named: &["import "],
    quoted: &[],
    within: &[],
};
pub static LUA: CodeKind = CodeKind {
    name: "Lua",
    fence: "lua",
    line: &["---", "--"],
    block: &[("--[[", "]]")],
    named: &[],
    quoted: &[],
    within: &["require(", "require \"", "require '"],
};
pub static BASH: CodeKind = CodeKind {
    name: "Bash",
    fence: "bash",
    line: &["#"],
    block: &[],
    named: &["source ", ". "],
    quoted: &[],
    within: &[],
};
pub static PERL: CodeKind = CodeKind {
    name: "Perl",
    fence: "perl",
    line: &["#"],
    block: &[("=pod", "=cut"), ("=head1", "=cut")],
    named: &["use ", "require "],
    quoted: &[],
    within: &[],
};
pub static R: CodeKind = CodeKind {
    name: "R",
    fence: "r",
    line: &["#'", "#"],
    block: &[],
    named: &["library(", "require("],
    quoted: &["source("],
    within: &[],
};
pub static JULIA: CodeKind = CodeKind {
    name: "Julia",
    fence: "julia",
    line: &["#"],
    block: &[("\"\"\"", "\"\"\""), ("#=", "=#")],
    named: &["using ", "import "],
    quoted: &[],
    within: &[],
};
pub static HASKELL: CodeKind = CodeKind {
    name: "Haskell",
    fence: "haskell",
    line: &["-- |", "--"],
    block: &[("{-", "-}")],
    named: &["import "],
    quoted: &[],
    within: &[],
};
pub static ELIXIR: CodeKind = CodeKind {
    name: "Elixir",
    fence: "elixir",
    line: &["#"],
    block: &[],
    named: &["import ", "alias ", "use ", "require "],
    quoted: &[],
    within: &[],
};
pub static ERLANG: CodeKind = CodeKind {
    name: "Erlang",
    fence: "erlang",
    line: &["%%", "%"],
    block: &[],
    named: &[],
    quoted: &["-include(", "-include_lib("],
    within: &[],
};
pub static DART: CodeKind = CodeKind {
    name: "Dart",
    fence: "dart",
    line: &["///", "//"],
    block: SLASH_STAR,
    named: &[],
    quoted: &["import ", "export ", "part "],
    within: &[],
};
pub static ZIG: CodeKind = CodeKind {
    name: "Zig",
    fence: "zig",
    line: &["//!", "///", "//"],
    block: &[],
    named: &[],
    quoted: &[],
    within: &["@import("],
};
pub static NIM: CodeKind = CodeKind {
    name: "Nim",
    fence: "nim",
    line: &["##", "#"],
    block: &[("#[", "]#")],
    named: &["import ", "from ", "include "],
    quoted: &[],
    within: &[],
};
pub static OCAML: CodeKind = CodeKind {
    name: "OCaml",
    fence: "ocaml",
    line: &[],
    block: &[("(**", "*)"), ("(*", "*)")],
    named: &["open "],
    quoted: &[],
    within: &[],
};
pub static FSHARP: CodeKind = CodeKind {
    name: "F#",
    fence: "fsharp",
    line: &["///", "//"],
    block: &[("(*", "*)")],
    named: &["open "],
    quoted: &[],
    within: &[],
};
pub static CLOJURE: CodeKind = CodeKind {
    name: "Clojure",
    fence: "clojure",
    line: &[";;;", ";;", ";"],
    block: &[],
    named: &[],
    quoted: &[],
    within: &[],
};
pub static LISP: CodeKind = CodeKind {
    name: "Lisp",
    fence: "lisp",
    line: &[";;;", ";;", ";"],
    block: &[("#|", "|#")],
    named: &[],
    quoted: &[],
    within: &[],
};
pub static GROOVY: CodeKind = CodeKind {
    name: "Groovy",
    fence: "groovy",
    line: &["//"],
    block: SLASH_STAR,
    named: &["import "],
    quoted: &[],
    within: &[],
};
pub static POWERSHELL: CodeKind = CodeKind {
    name: "PowerShell",
    fence: "powershell",
    line: &["#"],
    block: &[("<#", "#>")],
    named: &["Import-Module ", "using module "],
    quoted: &[],
    within: &[],
};
pub static OBJECTIVE_C: CodeKind = CodeKind {
    name: "Objective-C",
    fence: "objectivec",
    line: &["///", "//"],
    block: SLASH_STAR,
    named: &["#import", "#include", "@import "],
    quoted: &[],
    within: &[],
};
pub static MATLAB: CodeKind = CodeKind {
    name: "MATLAB",
    fence: "matlab",
    line: &["%%", "%"],
    block: &[("%{", "%}")],
    named: &["import "],
    quoted: &[],
    within: &[],
};
pub static VB: CodeKind = CodeKind {
    name: "Visual Basic",
    fence: "vbnet",
    line: &["'''", "'"],
    block: &[],
    named: &["Imports "],
    quoted: &[],
    within: &[],
};
pub static SOLIDITY: CodeKind = CodeKind {
    name: "Solidity",
    fence: "solidity",
    line: &["///", "//"],
    block: SLASH_STAR,
    named: &[],
    quoted: &["import "],
    within: &[],
};
pub static PROTOBUF: CodeKind = CodeKind {
    name: "Protocol Buffers",
    fence: "protobuf",
    line: &["//"],
    block: SLASH_STAR,
    named: &[],
    quoted: &["import "],
    within: &[],
};
pub static THRIFT: CodeKind = CodeKind {
    name: "Thrift",
    fence: "thrift",
    line: &["//", "#"],
    block: SLASH_STAR,
    named: &[],
    quoted: &["include "],
    within: &[],
};
pub static GRAPHQL: CodeKind = CodeKind {
    name: "GraphQL",
    fence: "graphql",
    line: &["#"],
    block: &[("\"\"\"", "\"\"\"")],
    named: &[],
    quoted: &[],
    within: &[],
};
pub static HCL: CodeKind =
    CodeKind { name: "HCL", fence: "hcl", line: &["#", "//"], block: SLASH_STAR, named: &[], quoted: &[], within: &[] };
pub static NIX: CodeKind =
    CodeKind { name: "Nix", fence: "nix", line: &["#"], block: SLASH_STAR, named: &[], quoted: &[], within: &[] };
pub static CMAKE: CodeKind = CodeKind {
    name: "CMake",
    fence: "cmake",
    line: &["#"],
    block: &[("#[[", "]]")],
    named: &["include(", "find_package("],
    quoted: &[],
    within: &[],
};
pub static STARLARK: CodeKind = CodeKind {
    name: "Starlark",
    fence: "starlark",
    line: &["#"],
    block: &[("\"\"\"", "\"\"\"")],
    named: &[],
    quoted: &["load("],
    within: &[],
};
pub static VIM: CodeKind =
    CodeKind { name: "Vim script", fence: "vim", line: &["\""], block: &[], named: &[], quoted: &[], within: &[] };
pub static FISH: CodeKind =
    CodeKind { name: "Fish", fence: "fish", line: &["#"], block: &[], named: &["source "], quoted: &[], within: &[] };
pub static TCL: CodeKind = CodeKind {
    name: "Tcl",
    fence: "tcl",
    line: &["#"],
    block: &[],
    named: &["package require ", "source "],
    quoted: &[],
    within: &[],
};
pub static FORTRAN: CodeKind = CodeKind {
    name: "Fortran",
    fence: "fortran",
    line: &["!"],
    block: &[],
    named: &["use "],
    quoted: &[],
    within: &[],
};
pub static PASCAL: CodeKind = CodeKind {
    name: "Pascal",
    fence: "pascal",
    line: &["//"],
    block: &[("{", "}"), ("(*", "*)")],
    named: &[],
    quoted: &[],
    within: &[],
};
pub static ASSEMBLY: CodeKind = CodeKind {
    name: "Assembly",
    fence: "asm",
    line: &[";", "#", "//"],
    block: SLASH_STAR,
    named: &[],
    quoted: &[],
    within: &[],
};
pub static GLSL: CodeKind =
    CodeKind { name: "GLSL", fence: "glsl", line: &["//"], block: SLASH_STAR, named: &[], quoted: &[], within: &[] };
pub static BATCH: CodeKind = CodeKind {
    name: "Batch",
    fence: "batch",
    line: &["rem ", "REM ", "::"],
    block: &[],
    named: &[],
    quoted: &[],
    within: &[],
};
pub static AWK: CodeKind =
    CodeKind { name: "AWK", fence: "awk", line: &["#"], block: &[], named: &[], quoted: &[], within: &[] };
pub static VERILOG: CodeKind = CodeKind {
    name: "Verilog",
    fence: "verilog",
    line: &["//"],
    block: SLASH_STAR,
    named: &[],
    quoted: &[],
    within: &[],
};
pub static VHDL: CodeKind =
    CodeKind { name: "VHDL", fence: "vhdl", line: &["--"], block: &[], named: &[], quoted: &[], within: &[] };
pub static D: CodeKind = CodeKind {
    name: "D",
    fence: "d",
    line: &["///", "//"],
    block: SLASH_STAR,
    named: &["import "],
    quoted: &[],
    within: &[],
};
pub static ELM: CodeKind = CodeKind {
    name: "Elm",
    fence: "elm",
    line: &["--"],
    block: &[("{-|", "-}"), ("{-", "-}")],
    named: &["import "],
    quoted: &[],
    within: &[],
};
pub static GDSCRIPT: CodeKind = CodeKind {
    name: "GDScript",
    fence: "gdscript",
    line: &["##", "#"],
    block: &[],
    named: &[],
    quoted: &[],
    within: &[],
};
pub static CRYSTAL: CodeKind = CodeKind {
    name: "Crystal",
    fence: "crystal",
    line: &["#"],
    block: &[],
    named: &[],
    quoted: &["require "],
    within: &[],
};
pub static JUST: CodeKind =
    CodeKind { name: "just", fence: "just", line: &["#"], block: &[], named: &[], quoted: &[], within: &[] };

/// The languages that also have a grammar, for names that only the parsers know.
pub static PARSED: [&CodeKind; 16] = [
    &PYTHON,
    &C,
    &CPP,
    &RUST,
    &JAVASCRIPT,
    &TYPESCRIPT,
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
