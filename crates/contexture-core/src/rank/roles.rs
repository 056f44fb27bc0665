//! What a path says of a file's place in a project: where people begin to read, and what describes the whole.
//!
//! Takes paths; gives weights that are only compared with the same kind of weight of other files. Knows the customs of
//! languages by name and never looks into a file.

use super::paths;

/// Tests and what is beside the point describe the project much less than its code does.
pub const OTHER: f32 = 0.05;
/// Of the length of names that are looked at: longer ones are no custom.
const LONGEST: usize = 40;

#[derive(Clone, Copy, PartialEq, Debug, Default)]
pub struct Roles {
    pub readme: f32,
    pub manifest: f32,
    pub entry: f32,
    /// 1 for what stands at the top, less with every folder.
    pub shallow: f32,
    /// 1 for the project's own, little for tests, examples and what others wrote.
    pub own: f32,
}

pub fn roles(path: &str) -> Roles {
    let depth = path.matches('/').count().min(16);
    let name = path.rsplit('/').next().unwrap_or(path);
    let own = if paths::is_test(path) || paths::is_aside(path) || is_beside(path) { OTHER } else { 1.0 };
    let mut roles = Roles { own, shallow: 0.7f32.powi(depth as i32), ..Roles::default() };
    if name.len() > LONGEST {
        return roles;
    }
    let name = name.to_ascii_lowercase();
    // What describes a part of the project is worth a fraction of what describes all of it, so that forty packages
    // together are not worth more than the whole they make up.
    let part = 0.06f32.powi(depth as i32) * own;
    roles.readme = readme(&name) * part;
    roles.manifest = manifest(&name) * part;
    // With every folder less, so that the many at the bottom of a tree leave something to the few at the top.
    roles.entry = entry(path, &name) * own * 0.25f32.powi(depth as i32);
    roles
}

fn readme(name: &str) -> f32 {
    let (stem, ending) = name.split_once('.').unwrap_or((name, ""));
    match (stem, ending) {
        ("readme", "" | "md" | "rst" | "txt" | "adoc" | "org" | "markdown" | "mdx" | "rdoc") => 1.0,
        ("architecture" | "design" | "overview" | "agents" | "claude", "md" | "rst" | "adoc") => 0.3,
        ("contributing" | "hacking" | "development", "md" | "rst" | "adoc") => 0.1,
        _ => 0.0,
    }
}

/// What names a project and what it needs weighs more than what only builds it.
fn manifest(name: &str) -> f32 {
    match name {
        "cargo.toml" | "package.json" | "pyproject.toml" | "go.mod" | "pom.xml" | "build.gradle"
        | "build.gradle.kts" | "composer.json" | "gemfile" | "mix.exs" | "package.swift" | "pubspec.yaml"
        | "build.sbt" | "project.clj" | "deps.edn" | "deno.json" | "rebar.config" | "stack.yaml" | "dune-project"
        | "build.zig.zon" | "cmakelists.txt" | "project.toml" => 1.0,
        "setup.py"
        | "setup.cfg"
        | "requirements.txt"
        | "meson.build"
        | "environment.yml"
        | "module.bazel"
        | "settings.gradle"
        | "settings.gradle.kts"
        | "build.zig"
        | "pnpm-workspace.yaml"
        | "go.work"
        | "lerna.json" => 0.5,
        "makefile" | "dockerfile" | "justfile" | "rakefile" | "docker-compose.yml" | "compose.yaml" | "tox.ini"
        | "tsconfig.json" | "procfile" | "flake.nix" => 0.2,
        _ if [".csproj", ".sln", ".cabal", ".gemspec", ".opam", ".podspec", ".fsproj", ".nimble", ".rockspec"]
            .iter()
            .any(|ending| name.ends_with(ending)) =>
        {
            1.0
        }
        _ => 0.0,
    }
}

fn entry(path: &str, name: &str) -> f32 {
    let Some((stem, ending)) = name.rsplit_once('.') else { return 0.0 };
    if !contexture_syntax::all_languages().any(|language| contexture_syntax::has_word(language.entry_endings, ending)) {
        return 0.0;
    }
    match stem {
        "main" | "lib" | "__main__" | "program" | "application" => 1.0,
        "index" | "__init__" | "cli" | "app" | "server" | "manage" | "wsgi" | "asgi" | "core" => 0.7,
        "mod" | "root" | "init" | "routes" | "urls" | "bootstrap" => 0.4,
        // A package's main file is often called like its folder, or like the project.
        _ if path.rsplit('/').nth(1).is_some_and(|folder| folder.eq_ignore_ascii_case(stem)) => 0.5,
        _ => 0.0,
    }
}

/// Settings of tools, what stands in `.github` and the like, and sites about the project.
fn is_beside(path: &str) -> bool {
    let is_site = |part: &str| matches!(part, "www" | "website" | "site");
    path.split('/').any(|part| part.starts_with('.') || is_site(part))
        || path.rsplit('/').next().is_some_and(|name| name.contains(".config."))
}
