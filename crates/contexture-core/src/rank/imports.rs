//! What an import means in its language: a file of the project, a name within a part of it, or something outside.
//!
//! Takes one import as it is written, the path of the file it stands in, and all files of the project; gives an [`Import`] for each thing that
//! is imported. How a language names files is the [`ImportRule`] of its row. Reads no configuration but the names of packages: aliases of bundlers and
//! search paths of compilers are not known.

use super::RankEntry;
use contexture_syntax::{ImportRule, all_languages};
use std::collections::BTreeMap;

/// One thing that is imported.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Import {
    /// The names that are left to look for; none where the file alone is meant.
    pub names: String,
    pub target: ImportTarget,
}

#[derive(Clone, PartialEq, Eq, Debug)]
pub enum ImportTarget {
    /// A library, or the standard one.
    Outside,
    /// These files; names that are imported are defined in this folder, or handed on from elsewhere.
    Files(Vec<usize>, String),
    /// A name that is defined somewhere below this folder.
    Within(String),
    /// Nobody knows.
    Name,
}

/// The files of a project by their paths, and its packages.
pub struct Project<'a> {
    files: &'a [RankEntry<'a>],
    places: BTreeMap<&'a str, usize>,
    /// Crates, modules of Go and packages of JavaScript by their names: the folder of each.
    packages: BTreeMap<String, &'a str>,
}

impl<'a> Project<'a> {
    pub fn of(files: &'a [RankEntry<'a>]) -> Self {
        let places = files.iter().enumerate().map(|(at, file)| (file.path, at)).collect();
        let packages = files.iter().filter_map(|file| Some((package(file)?, folder(file.path)))).collect();
        Self { files, places, packages }
    }

    /// What is imported by an import that stands in the file of this path.
    pub fn imports(&self, path: &str, import: &str) -> Vec<Import> {
        let ending = path.rsplit_once('.').map_or("", |(_, ending)| ending);
        let rule = all_languages()
            .find(|language| language.endings().any(|known| known == ending))
            .map(|language| language.import_rule);
        let whole = |target: ImportTarget| vec![Import { names: import.to_owned(), target }];
        match rule.unwrap_or(ImportRule::Name) {
            ImportRule::Rust => self.rust(path, import),
            ImportRule::Python => self.python(path, import),
            ImportRule::Script => {
                let names = import.split(['"', '\'', '`']).next().unwrap_or_default();
                let target = quoted(import).next().map_or(ImportTarget::Name, |from| self.script(path, from));
                vec![Import { names: names.to_owned(), target }]
            }
            ImportRule::Go => {
                quoted(import).map(|from| Import { names: String::new(), target: self.go(from) }).collect()
            }
            ImportRule::Jvm => {
                let last = import.trim().trim_end_matches(';').rsplit('.').next().unwrap_or_default();
                vec![Import { names: last.to_owned(), target: self.java(import) }]
            }
            ImportRule::Header => vec![Import { names: String::new(), target: self.header(path, import) }],
            ImportRule::CSharp => {
                let is_system =
                    ["System", "Microsoft", "Windows"].iter().any(|name| import.contains(&format!("using {name}")));
                whole(if is_system { ImportTarget::Outside } else { ImportTarget::Name })
            }
            ImportRule::Name => whole(ImportTarget::Name),
        }
    }

    /// What a file is called, without its folder and its extension.
    pub fn name(&self, file: usize) -> &'a str {
        let path = self.files.get(file).map_or("", |file| file.path);
        let own = path.strip_suffix("/mod.rs").or_else(|| path.strip_suffix("/__init__.py")).unwrap_or(path);
        let name = own.rsplit('/').next().unwrap_or(own);
        name.split('.').next().unwrap_or(name)
    }

    fn at(&self, path: &str) -> Option<usize> {
        self.places.get(path).copied()
    }

    fn rust(&self, path: &str, import: &str) -> Vec<Import> {
        let own = rust_folder(path);
        let root = self.rust_root(own);
        let import = import.trim_start().trim_start_matches("pub").trim_start();
        let import = if import.starts_with('(') { import.split_once(')').map_or("", |(_, rest)| rest) } else { import }
            .trim_start();
        if let Some(name) = import.strip_prefix("mod ") {
            let child = join(own, name.trim().trim_end_matches(';'));
            let target = self.module(&child).map_or(ImportTarget::Name, |file| ImportTarget::Files(vec![file], child));
            let said = if target == ImportTarget::Name { name.to_owned() } else { String::new() };
            return vec![Import { names: said, target }];
        }
        let tree = import.trim_start_matches("use ").trim_start_matches("extern crate ").trim();
        let mut imports = Vec::new();
        for said in branches(tree.trim_end_matches(';')) {
            let mut segments = said.split("::").map(|part| part.split(" as ").next().unwrap_or(part).trim());
            let first = segments.next().unwrap_or_default();
            let mut base = match first {
                "std" | "core" | "alloc" | "proc_macro" | "test" => None,
                "crate" => Some(root.to_owned()),
                "self" => Some(own.to_owned()),
                "super" => Some(folder(own).to_owned()),
                name => match self.packages.get(name) {
                    Some(package) => Some(join(package, "src")),
                    // A module beside this one, or a library.
                    None => self.module(&join(own, name)).map(|_| join(own, name)),
                },
            };
            // `use child::Name` names a file at once.
            let mut file = base.as_ref().filter(|base| **base == join(own, first)).and_then(|base| self.module(base));
            let mut rest = segments.peekable();
            while let (Some(here), Some(segment)) = (&base, rest.peek()) {
                if *segment == "super" {
                    base = Some(folder(here).to_owned());
                } else {
                    let Some(found) = self.module(&join(here, segment)) else { break };
                    (file, base) = (Some(found), Some(join(here, segment)));
                }
                rest.next();
            }
            let left = rest.collect::<Vec<_>>().join(" ");
            let said = if base.is_none() { said.clone() } else { left };
            let target = match (base, file) {
                (None, _) => ImportTarget::Outside,
                (Some(base), Some(file)) => ImportTarget::Files(vec![file], base),
                (Some(base), None) => ImportTarget::Within(base),
            };
            imports.push(Import { names: said, target });
        }
        imports
    }

    /// The file of a module of Rust, by the folder of its children.
    fn module(&self, folder: &str) -> Option<usize> {
        self.at(&format!("{folder}.rs")).or_else(|| self.at(&format!("{folder}/mod.rs")))
    }

    /// The folder of the crate that a folder of modules belongs to.
    fn rust_root<'b>(&self, own: &'b str) -> &'b str {
        let is_root = |at: &&str| ["lib.rs", "main.rs"].iter().any(|name| self.at(&join(at, name)).is_some());
        ancestors(own).find(is_root).unwrap_or(own)
    }

    fn python(&self, path: &str, import: &str) -> Vec<Import> {
        let import = import.replace(['(', ')', '\\', '\n'], " ");
        let own = folder(path);
        if let Some((from, names)) =
            import.trim_start().strip_prefix("from ").and_then(|rest| rest.split_once(" import "))
        {
            let dots = from.trim().bytes().take_while(|byte| *byte == b'.').count();
            let module = from.trim()[dots..].replace('.', "/");
            let names: Vec<&str> = names.split(',').filter_map(|name| name.split_whitespace().next()).collect();
            let found = match dots {
                0 => ancestors(own)
                    .chain(["src", "lib"])
                    .find_map(|base| self.python_files(&join(base, &module), &names)),
                _ => self.python_files(&join(ancestors(own).nth(dots - 1).unwrap_or_default(), &module), &names),
            };
            return vec![Import { names: names.join(" "), target: found.unwrap_or(ImportTarget::Outside) }];
        }
        let modules = import.trim_start().trim_start_matches("import ").split(',');
        let import = |module: &str| {
            let name = module.split_whitespace().next().unwrap_or_default().replace('.', "/");
            let mut bases = ancestors(own).chain(["src", "lib"]);
            let found = bases.find_map(|base| self.python_files(&join(base, &name), &[]));
            let said = if found.is_some() { String::new() } else { module.to_owned() };
            Import { names: said, target: found.unwrap_or(ImportTarget::Outside) }
        };
        modules.map(import).collect()
    }

    /// A module of Python or modules of a package.
    fn python_files(&self, module: &str, names: &[&str]) -> Option<ImportTarget> {
        let own = self.at(&format!("{module}.py")).or_else(|| self.at(&format!("{module}/__init__.py")));
        let inner = |name: &&str| {
            let inner = join(module, name);
            self.at(&format!("{inner}.py")).or_else(|| self.at(&format!("{inner}/__init__.py")))
        };
        let inner: Vec<usize> = names.iter().filter_map(inner).collect();
        let files = if inner.is_empty() { own.into_iter().collect() } else { inner };
        (!files.is_empty()).then(|| ImportTarget::Files(files, module.to_owned()))
    }

    fn script(&self, path: &str, from: &str) -> ImportTarget {
        const ENDS: [&str; 14] = [
            "",
            ".ts",
            ".tsx",
            ".js",
            ".jsx",
            ".mjs",
            ".cjs",
            ".d.ts",
            ".vue",
            ".svelte",
            ".json",
            "/index.ts",
            "/index.tsx",
            "/index.js",
        ];
        let find = |base: &str| {
            // What is imported as `.js` may be written as `.ts`.
            let bare = [".js", ".jsx", ".mjs", ".cjs"].iter().find_map(|end| base.strip_suffix(end)).unwrap_or(base);
            let at = |base: &str| ENDS.iter().find_map(|end| self.at(&format!("{base}{end}")));
            at(base).or_else(|| at(bare)).map(|file| ImportTarget::Files(vec![file], folder(base).to_owned()))
        };
        if from.starts_with('.') {
            return find(&resolved(folder(path), from)).unwrap_or(ImportTarget::Name);
        }
        // What bundlers commonly call the folder of sources.
        if let Some(rest) = from.strip_prefix("@/").or_else(|| from.strip_prefix("~/")) {
            let mut bases =
                ancestors(folder(path)).flat_map(|base| [join(base, rest), join(base, &format!("src/{rest}"))]);
            return bases.find_map(|base| find(&base)).unwrap_or(ImportTarget::Name);
        }
        match self.packages.iter().find(|(name, _)| {
            from == **name || from.strip_prefix(name.as_str()).is_some_and(|rest| rest.starts_with('/'))
        }) {
            Some((_, folder)) => ImportTarget::Within((*folder).to_owned()),
            None => ImportTarget::Outside,
        }
    }

    fn go(&self, from: &str) -> ImportTarget {
        let inside = self.packages.iter().find_map(|(module, base)| {
            let rest = from.strip_prefix(module.as_str()).filter(|rest| rest.is_empty() || rest.starts_with('/'))?;
            Some(join(base, rest.trim_start_matches('/')))
        });
        let Some(wanted) = inside else { return ImportTarget::Outside };
        let is_part = |file: &&RankEntry<'_>| {
            folder(file.path) == wanted && file.path.ends_with(".go") && !file.path.ends_with("_test.go")
        };
        let files = self.files.iter().filter(is_part).filter_map(|file| self.at(file.path)).collect();
        ImportTarget::Files(files, wanted)
    }

    fn java(&self, import: &str) -> ImportTarget {
        let name =
            import.trim().trim_start_matches("import ").trim_start_matches("static ").trim_end_matches(';').trim();
        let way = name
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .trim_end_matches(['*', '_'])
            .trim_end_matches('.')
            .replace('.', "/");
        let is_end =
            |path: &str, end: &str| path.strip_suffix(end).is_some_and(|rest| rest.is_empty() || rest.ends_with('/'));
        let of = |wanted: &dyn Fn(&str) -> bool| -> Vec<usize> {
            self.files.iter().filter(|file| wanted(file.path)).filter_map(|file| self.at(file.path)).collect()
        };
        // A class, the class of a member, or all of a package.
        for way in ancestors(&way).take_while(|way| way.contains('/')) {
            let files =
                of(&|path| ["java", "kt", "scala", "groovy"].iter().any(|kind| is_end(path, &format!("{way}.{kind}"))));
            if !files.is_empty() {
                return ImportTarget::Files(files, String::new());
            }
        }
        let files = of(&|path| !way.is_empty() && is_end(folder(path), &way));
        if files.is_empty() { ImportTarget::Outside } else { ImportTarget::Files(files, String::new()) }
    }

    fn header(&self, path: &str, import: &str) -> ImportTarget {
        let system = import.split_once('<').and_then(|(_, rest)| rest.split_once('>')).map(|(name, _)| name);
        let Some(name) = system.or_else(|| quoted(import).next()) else { return ImportTarget::Name };
        let beside = self.at(&resolved(folder(path), name)).filter(|_| system.is_none());
        let end = format!("/{name}");
        let elsewhere = || {
            let is_named = |file: &&RankEntry<'_>| file.path == name || file.path.ends_with(&end);
            // In brackets a bare name is one of the system: `<io.h>`.
            let is_own = system.is_none() || name.contains('/');
            self.files.iter().filter(is_named).filter(|_| is_own).find_map(|file| self.at(file.path))
        };
        match beside.or_else(elsewhere) {
            Some(file) => ImportTarget::Files(vec![file], folder(self.files[file].path).to_owned()),
            None => ImportTarget::Outside,
        }
    }
}

/// What a manifest calls its package.
fn package(file: &RankEntry<'_>) -> Option<String> {
    let name = file.path.rsplit('/').next()?;
    let text = file.text?;
    match name {
        "Cargo.toml" => {
            let (_, own) = text.split_once("[package]")?;
            let line = own.lines().find(|line| line.trim_start().starts_with("name"))?;
            Some(quoted(line).next()?.replace('-', "_"))
        }
        "go.mod" => text.lines().find_map(|line| Some(line.strip_prefix("module ")?.trim().to_owned())),
        "package.json" => {
            let line = text.lines().find(|line| line.trim_start().starts_with("\"name\""))?;
            quoted(line.split_once(':')?.1).next().map(str::to_owned)
        }
        _ => None,
    }
}

/// The paths of a tree of uses: `a::{b, c::{d, e}}` are `a::b`, `a::c::d` and `a::c::e`.
fn branches(tree: &str) -> Vec<String> {
    let (mut all, mut stems, mut now) = (Vec::new(), vec![String::new()], String::new());
    for sign in tree.chars() {
        match sign {
            '{' => {
                let stem = stems.last().map_or("", String::as_str).to_owned() + now.trim();
                stems.push(stem);
                now.clear();
            }
            ',' | '}' => {
                if !now.trim().is_empty() {
                    all.push(stems.last().map_or("", String::as_str).to_owned() + now.trim());
                }
                now.clear();
                if sign == '}' && stems.len() > 1 {
                    stems.pop();
                }
            }
            _ => now.push(sign),
        }
    }
    if !now.trim().is_empty() {
        all.push(stems.last().map_or("", String::as_str).to_owned() + now.trim());
    }
    all
}

/// What stands in quotes.
fn quoted(text: &str) -> impl Iterator<Item = &str> {
    text.split(['"', '\'', '`']).skip(1).step_by(2)
}

fn folder(path: &str) -> &str {
    path.rsplit_once('/').map_or("", |(folder, _)| folder)
}

fn join(folder: &str, name: &str) -> String {
    match (folder, name) {
        ("", name) => name.to_owned(),
        (folder, "") => folder.to_owned(),
        (folder, name) => format!("{folder}/{name}"),
    }
}

/// A folder and those above it, the root last.
fn ancestors(folder: &str) -> impl Iterator<Item = &str> {
    std::iter::successors(Some(folder), |at| (!at.is_empty()).then(|| self::folder(at)))
}

/// The folder in which the modules of a file of Rust stand.
fn rust_folder(path: &str) -> &str {
    let stem = path.strip_suffix(".rs").unwrap_or(path);
    match stem.rsplit('/').next() {
        Some("mod" | "lib" | "main") => folder(stem),
        _ => stem,
    }
}

/// A path from a folder, with its dots taken out. What leads above the root is nothing of the project.
fn resolved(folder: &str, way: &str) -> String {
    let mut parts: Vec<&str> = folder.split('/').filter(|part| !part.is_empty()).collect();
    for part in way.split('/') {
        match part {
            "" | "." => {}
            ".." => drop(parts.pop()),
            part => parts.push(part),
        }
    }
    parts.join("/")
}
