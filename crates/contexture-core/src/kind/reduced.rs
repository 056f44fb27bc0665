//! Files that say little for what they cost: lock files, minified code, source maps, generated code.
//!
//! Takes a path and a text, of which only the beginning is read; gives the reason in two words. A file that merely
//! speaks of generated code must not be taken for it, so markers count only in the comments before the first code.

use super::{FileKind, kind_of};
use contexture_syntax::has_word;

/// Why a file is better shown by its name alone, unless it was named by hand.
pub fn reduced_reason(path: &str, text: &str) -> Option<&'static str> {
    let name = path.rsplit(['/', '\\']).next().unwrap_or(path).to_ascii_lowercase();
    let head = text.get(..text.floor_char_boundary(HEAD)).unwrap_or(text);
    if is_lock(&name) {
        Some("lock file")
    } else if name.ends_with(".map") && head.trim_start().starts_with('{') {
        Some("source map")
    } else if is_minified(&name, path, head) {
        Some("minified")
    } else if GENERATED_ENDINGS.split(' ').any(|ending| name.ends_with(ending)) || has_marker(head) {
        Some("generated")
    } else {
        None
    }
}

/// What is read at most. A minified file shows itself in its first lines, a marker in the first comment.
const HEAD: usize = 64 * 1024;
/// A marker stands near the top: after a licence of a page at most.
const MARKER_LINES: usize = 80;
/// Written code has lines of 25 to 45 bytes on average, code with long tables seldom over 100. Minifiers write one line,
/// or break it after 500.
const MINIFIED_MEAN: usize = 200;
/// Below this a long line or two decide too much.
const MINIFIED_FROM: usize = 2048;

/// In lower case.
const LOCKS: &str = ".package-lock.json .terraform.lock.hcl aqua-checksums.json berksfile.lock buf.lock buildscript-gradle.lockfile \
     bun.lock cabal.project.freeze cargo.lock cartfile.resolved chart.lock composer.lock conan.lock conda-lock.yml \
     deno.lock devbox.lock devenv.lock dub.selections.json flake.lock gemfile.lock gems.locked go.sum go.work.sum \
     gradle.lockfile lazy-lock.json mise.lock mix.lock module.bazel.lock npm-shrinkwrap.json opam.locked \
     package-lock.json package.resolved packages.lock.json paket.lock pdm.lock pipfile.lock pixi.lock pnpm-lock.yaml \
     podfile.lock poetry.lock project.assets.json pubspec.lock puppetfile.lock pylock.toml rebar.lock renv.lock \
     requirements.lock shard.lock shrinkwrap.yaml spago.lock stack.yaml.lock symfony.lock uv.lock wally.lock \
     yarn.lock";

/// Names only generators give.
const GENERATED_ENDINGS: &str = "_pb2.py _pb2.pyi _pb2_grpc.py .pb.go .pb.h .pb.cc .pbobjc.h .pbobjc.m .g.dart .freezed.dart .designer.cs .g.cs \
     .g.i.cs";

fn is_lock(name: &str) -> bool {
    has_word(LOCKS, name) || (name.starts_with("pylock.") && name.ends_with(".toml"))
}

fn is_minified(name: &str, path: &str, head: &str) -> bool {
    if [".min.js", ".min.mjs", ".min.cjs", ".min.css"].iter().any(|ending| name.ends_with(ending)) {
        return true;
    }
    let script = match kind_of(path, "") {
        FileKind::Css => true,
        FileKind::Code(code) => code.name == "JavaScript",
        _ => false,
    };
    if !script || head.len() < MINIFIED_FROM {
        return false;
    }
    let lines = memchr::memchr_iter(b'\n', head.as_bytes()).count() + 1;
    head.len() / lines > MINIFIED_MEAN && (head.len() - embedded(head)) / lines > MINIFIED_MEAN
}

/// Bytes of embedded data: a style sheet with a font in it is not minified, the font is cut elsewhere.
fn embedded(head: &str) -> usize {
    let mut bytes = 0;
    let mut rest = head;
    while let Some((_, data)) = rest.split_once(";base64,") {
        let end = data.find(['"', '\'', ')', '`', ' ', '\n']).unwrap_or(data.len());
        bytes += end;
        rest = data.get(end..).unwrap_or("");
    }
    bytes
}

fn has_marker(head: &str) -> bool {
    let mut closing: Option<&str> = None;
    let mut before = String::new();
    for line in head.lines().take(MARKER_LINES) {
        let line = line.trim().trim_start_matches('\u{feff}');
        // What opens before the first code is read as far as it is a comment.
        let comment = if let Some(end) = closing {
            if line.contains(end) {
                closing = None;
            }
            line
        } else if let Some((open, end)) = BLOCKS.iter().find(|(open, _)| line.starts_with(open)) {
            let inside = line.get(open.len()..).unwrap_or("");
            if !inside.contains(end) {
                closing = Some(end);
            }
            inside
        } else if LINES.iter().any(|mark| line.starts_with(mark)) {
            line
        } else if line.is_empty() || PREAMBLE.iter().any(|word| line.starts_with(word)) {
            continue;
        } else {
            return false;
        };
        let said = comment.trim_matches(|c: char| !c.is_alphanumeric() && !"@<`'\"".contains(c));
        // Every line is cut: no marker is longer, and a hostile line costs no more than a word.
        let said = said.get(..said.floor_char_boundary(200)).unwrap_or(said).to_ascii_lowercase();
        if says_generated(&said, &before) {
            return true;
        }
        before = said;
    }
    false
}

const BLOCKS: &[(&str, &str)] =
    &[("/*", "*/"), ("<!--", "-->"), ("\"\"\"", "\"\"\""), ("'''", "'''"), ("{-", "-}"), ("(*", "*)"), ("<#", "#>")];
const LINES: &[&str] = &["//", "#", "--", ";", "%", "'", "REM ", "rem ", "::", "\"", "!"];
/// Code that may stand above a marker.
const PREAMBLE: &[&str] = &["package ", "<?php", "<?xml", "<!doctype", "<!DOCTYPE", "'use strict'", "\"use strict\""];

/// Whether a comment line, in lower case and without its marks, says that the file was generated. `before` is the line
/// before it: `Generated by protoc.` and `DO NOT EDIT!` often stand on two.
fn says_generated(said: &str, before: &str) -> bool {
    const BEGINNINGS: &str = "<auto-generated|<autogenerated|this file is auto-generated|this file is autogenerated|\
         this file is automatically generated|this file is generated|this file is machine-generated|\
         this file is automatically @generated|this file is @generated|this file was auto-generated|\
         this file was autogenerated|this file was automatically generated|this file was generated|\
         this file has been generated|this file has been auto-generated|this file has been automatically generated|\
         this code was generated by a tool|generated automatically by |generated automatically from ";
    const WARNINGS: &[&str] =
        &["do not edit", "don't edit", "do not modify", "do not change", "not be edited", "will be overwritten"];
    // `@generated` leads its line, or it is a word in a sentence about other files.
    let tag = said
        .strip_prefix("@generated")
        .is_some_and(|rest| !rest.starts_with(|c: char| c.is_alphanumeric() || c == '`'));
    let speaks_of_it = |line: &str| {
        line.match_indices("generated").any(|(at, _)| {
            // In quotes or backticks it is talk about a marker.
            !line.get(..at).is_some_and(|lead| lead.contains(['`', '"']))
        })
    };
    tag || was_generated_by(said)
        || BEGINNINGS.split('|').any(|words| said.starts_with(words))
        || (WARNINGS.iter().any(|words| said.contains(words)) && (speaks_of_it(said) || speaks_of_it(before)))
        || (said.contains("generated") && WARNINGS.iter().any(|words| before.contains(words)) && speaks_of_it(said))
}

/// `This module was auto-generated by x`: before the phrase stand only words that name the file and say so. Any other
/// word (`parses files automatically generated by x`) makes it a sentence about other files.
fn was_generated_by(said: &str) -> bool {
    const PHRASES: &[&str] =
        &["auto generated by ", "auto-generated by ", "autogenerated by ", "automatically generated by "];
    const WORDS: &str = "this the file code module document page source script header note warning content contents class package \
         list documentation was is are were has have been following all";
    PHRASES.iter().filter_map(|phrase| said.find(phrase)).any(|at| {
        let lead = said.get(..at).unwrap_or("");
        lead.split_whitespace().all(|word| has_word(WORDS, word.trim_matches(|c: char| !c.is_alphanumeric())))
    })
}
