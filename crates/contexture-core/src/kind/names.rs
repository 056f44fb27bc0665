//! Files that are not code, by name. Code is in the table of languages of `contexture-syntax`.
//!
//! No library takes the place of this table: `mime_guess` and `infer` give media types, which say neither which summary a file gets nor the word
//! after a fence, and most names here have none.

use super::FileKind::{self, *};

/// A kind, the word after a fence, and lower-case names: `*.ending`, a whole name, or `#!program`.
pub static ROWS: &[(FileKind, &str, &str)] = &[
    (Css, "css", "*.css *.pcss"),
    (Css, "less", "*.less"),
    (Css, "sass", "*.sass"),
    (Css, "scss", "*.scss"),
    (Css, "stylus", "*.styl"),
    (Csv { separator: ',' }, "csv", "*.csv"),
    (Csv { separator: '\t' }, "tsv", "*.tab *.tsv"),
    (Csv { separator: '|' }, "csv", "*.psv"),
    (Dockerfile, "dockerfile", "*.containerfile *.dockerfile containerfile dockerfile"),
    (Env, "dotenv", "*.env .env .envrc .flaskenv"),
    (Headed { mark: '*' }, "org", "*.org"),
    (Headed { mark: '=' }, "asciidoc", "*.adoc *.asc *.asciidoc"),
    (Html, "erb", "*.erb"),
    (Html, "handlebars", "*.handlebars *.hbs"),
    (Html, "html", "*.ejs *.htm *.html *.mustache *.shtml *.xhtml"),
    (Html, "jinja", "*.j2 *.jinja *.jinja2 *.njk"),
    (Html, "liquid", "*.liquid"),
    (Html, "razor", "*.cshtml *.razor"),
    (Html, "twig", "*.twig"),
    (
        Ini,
        "ini",
        "*.cfg *.cnf *.conf *.desktop *.editorconfig *.inf *.ini *.mount *.reg *.service *.socket *.timer .coveragerc \
         .curlrc .editorconfig .flake8 .gitconfig .gitmodules .hgrc .npmrc .pylintrc .pypirc .wgetrc setup.cfg \
         tox.ini",
    ),
    (Ini, "properties", "*.properties"),
    (
        Json,
        "json",
        "*.arb *.avsc *.code-workspace *.geojson *.gltf *.har *.hjson *.json *.map *.topojson *.webmanifest .babelrc \
         .eslintrc .jshintrc .prettierrc .swcrc .watchmanconfig bun.lock composer.lock deno.lock flake.lock \
         pipfile.lock",
    ),
    (Json, "json5", "*.json5"),
    (Json, "jsonc", "*.jsonc"),
    (Jsonl, "jsonl", "*.jsonl *.jsonlines *.ldjson *.ndjson"),
    (Makefile, "makefile", "*.mak *.make *.mk bsdmakefile gnumakefile kbuild makefile makefile.am makefile.in #!make"),
    (Markdown, "markdown", "*.markdown *.md *.mdc *.mdown *.mkd *.qmd *.rmd"),
    (Markdown, "mdx", "*.mdx"),
    (Notebook, "json", "*.ipynb"),
    (Restructured, "rst", "*.rest *.rst"),
    (Sql, "sql", "*.ddl *.dml *.mysql *.pgsql *.plsql *.psql *.sql"),
    (Text, "bibtex", "*.bib"),
    (Text, "diff", "*.diff *.patch"),
    (Text, "go-mod", "go.mod go.work"),
    (Text, "latex", "*.cls *.sty *.tex"),
    (Text, "log", "*.log"),
    (
        Text,
        "text",
        "*.sln *.text *.txt .dockerignore .gitattributes .gitignore .hgignore .mailmap .npmignore authors changelog \
         changes codeowners contributors copying hacking install licence license news notice readme todo version",
    ),
    (Toml, "toml", "*.toml cargo.lock pdm.lock pipfile poetry.lock uv.lock"),
    (Xml, "svg", "*.svg"),
    (
        Xml,
        "xml",
        "*.atom *.axaml *.csproj *.fsproj *.gpx *.iml *.kml *.nuspec *.plist *.pom *.props *.qrc *.resx *.rss \
         *.storyboard *.targets *.tmx *.ui *.vbproj *.vcxproj *.wsdl *.xaml *.xib *.xlf *.xliff *.xml *.xsd *.xsl \
         *.xslt app.config nuget.config packages.config web.config",
    ),
    (Yaml, "yaml", "*.yaml *.yml .clang-format .clang-tidy .yamllint citation.cff pnpm-lock.yaml procfile"),
];
