//! Which packages the corpora are made of: one row each, with its version and the languages that it is there for.
//!
//! Data only. The choice: at least three unrelated projects for a language, old and new syntax side by side, hand-written
//! sources instead of built ones. How a row becomes files is in `corpora`.

/// A language of the views, as the words of the command and the folders of the corpora name it.
pub struct Language {
    pub key: &'static str,
    /// Endings of its files. A file without one counts when its first line names an interpreter of `shebangs`.
    pub endings: &'static [&'static str],
    pub shebangs: &'static [&'static str],
}

pub const LANGUAGES: &[Language] = &[
    language("python", &["py", "pyi"]),
    language("c", &["c", "h"]),
    language("cpp", &["cc", "cpp", "cxx", "h", "hh", "hpp", "hxx"]),
    language("rust", &["rs"]),
    language("javascript", &["js", "jsx", "mjs", "cjs"]),
    language("typescript", &["ts", "mts", "cts"]),
    language("tsx", &["tsx"]),
    language("go", &["go"]),
    language("java", &["java"]),
    language("csharp", &["cs"]),
    language("ruby", &["rb"]),
    language("php", &["php"]),
    language("kotlin", &["kt", "kts"]),
    language("swift", &["swift"]),
    language("scala", &["scala"]),
    language("lua", &["lua"]),
    Language { key: "bash", endings: &["sh", "bash"], shebangs: &["bash", "sh"] },
];

/// Where a package comes from: the registries that the machine's own `apt-get`, `cargo`, `npm` and `pip` are set to use.
#[derive(Clone, Copy, PartialEq)]
pub enum From {
    DebianSource,
    /// Used where the mirror lacks the source archive; scripts are the same in the built package.
    DebianBinary,
    Crate,
    Npm,
    Wheel,
}

pub struct Package {
    pub from: From,
    pub name: &'static str,
    pub version: &'static str,
    pub languages: &'static [&'static str],
    /// Only files whose path inside the package contains one of these; none given: all files.
    pub only: &'static [&'static str],
}

const C: &[&str] = &["c"];
const CPP: &[&str] = &["cpp"];
const RUST: &[&str] = &["rust"];
const JS: &[&str] = &["javascript"];
const TS: &[&str] = &["typescript"];
const TSX: &[&str] = &["typescript", "tsx"];
const MOBILE: &[&str] = &["kotlin", "swift"];
const MOBILE_TSX: &[&str] = &["kotlin", "swift", "typescript", "tsx"];

pub const PACKAGES: &[Package] = &[
    wheel("django", "5.2.8", &["python"], &[]),
    wheel("sympy", "1.14.0", &["python"], &[]),
    wheel("pydantic", "2.12.5", &["python"], &[]),
    wheel("networkx", "3.5", &["python"], &[]),
    wheel("mypy", "1.18.2", &["python"], &["/typeshed/"]),
    krate("libsqlite3-sys", "0.39.1", C, &["sqlite3/"]),
    krate("openssl-src", "400.0.2", C, &[]),
    krate("libz-sys", "1.1.31", C, &[]),
    krate("libgit2-sys", "0.18.8", C, &[]),
    krate("zstd-sys", "2.1.2", C, &[]),
    debian("redis", "5:7.0.15-1~deb12u7", C, &["src/"]),
    debian("tmux", "3.3a-3", C, &[]),
    debian("nginx", "1.22.1-9+deb12u9", C, &[]),
    debian("lua5.4", "5.4.4-3+deb12u1", C, &[]),
    krate("librocksdb-sys", "0.19.0", CPP, &[]),
    krate("protobuf-src", "2.1.1", CPP, &["src/", "abseil"]),
    debian("re2", "20220601+dfsg-1", CPP, &[]),
    debian("fmtlib", "9.1.0+ds1-2", CPP, &[]),
    debian("spdlog", "1:1.10.0+ds-0.4", CPP, &[]),
    debian("googletest", "1.12.1-0.2", CPP, &[]),
    debian("poco", "1.11.0-3+deb12u1", CPP, &["/include/", "/src/"]),
    krate("syn", "3.0.9", RUST, &[]),
    krate("tokio", "1.54.1", RUST, &[]),
    krate("regex-automata", "0.4.18", RUST, &[]),
    krate("serde_core", "1.0.229", RUST, &[]),
    krate("clap_builder", "4.6.7", RUST, &[]),
    krate("rayon", "1.12.0", RUST, &[]),
    krate("bevy_ecs", "0.20.1", RUST, &[]),
    krate("diesel", "2.3.14", RUST, &[]),
    krate("wgpu-core", "30.0.1", RUST, &[]),
    krate("hyper", "1.12.0", RUST, &[]),
    krate("ra_ap_hir_ty", "0.0.349", RUST, &[]),
    npm("lodash", "4.18.1", JS, &[]),
    npm("express", "5.3.0", JS, &[]),
    npm("react-dom", "19.3.1", JS, &[".development.js"]),
    npm("eslint", "10.14.0", JS, &[]),
    npm("webpack", "5.112.2", JS, &["lib/"]),
    npm("three", "0.187.0", JS, &["src/", "examples/jsm/"]),
    npm("jquery", "4.0.0", JS, &["src/"]),
    npm("ramda", "0.32.0", JS, &["src/"]),
    npm("rxjs", "7.8.2", TS, &["src/"]),
    npm("zod", "4.6.7", TS, &["src/"]),
    npm("effect", "4.1.0", TS, &["src/"]),
    npm("@tanstack/query-core", "5.107.1", TS, &["src/"]),
    npm("typescript", "5.9.3", TS, &["lib/lib."]),
    npm("tldraw", "5.1.1", TSX, &["src/"]),
    npm("@react-navigation/core", "7.23.0", TSX, &["src/"]),
    npm("react-native-paper", "5.15.3", TSX, &["src/"]),
    npm("native-base", "3.4.28", TSX, &["src/"]),
    debian("golang-1.19", "1.19.8-2", &["go"], &["src/", "test/"]),
    debian("caddy", "2.6.2-5", &["go"], &[]),
    debian("prometheus", "2.42.0+ds-5+deb12u1", &["go"], &[]),
    debian("etcd", "3.4.23-4", &["go"], &[]),
    debian("hugo", "0.111.3-1", &["go"], &[]),
    debian("openjdk-17", "17.0.19+10-1~deb12u2", &["java"], &["src/java.base/share/classes/java/"]),
    debian("guava-libraries", "31.1-1", &["java"], &["guava/src/", "guava-tests/"]),
    debian("junit5", "5.9.2-1", &["java"], &[]),
    debian("libspring-java", "4.3.30-2", &["java"], &["src/main/"]),
    debian("ant", "1.10.13-1", &["java"], &[]),
    debian("nunit", "2.6.4+dfsg-1.1", &["csharp"], &[]),
    debian("keepass2", "2.47+dfsg-2", &["csharp"], &[]),
    debian("newtonsoft-json", "6.0.8+dfsg-1.1", &["csharp"], &[]),
    debian(
        "mono",
        "6.8.0.105+dfsg-3.3+deb12u1",
        &["csharp"],
        &["/mcs/mcs/", "/corefx/src/System.Linq", "/corefx/src/System.Collections", "/mcs/tests/"],
    ),
    debian("dbus-sharp", "0.8.1-2.1", &["csharp"], &[]),
    npm("com.cysharp.unitask", "2.2.5", &["csharp"], &[]),
    npm("com.neuecc.unirx", "7.1.0", &["csharp"], &[]),
    debian("rails", "2:6.1.7.10+dfsg-1~deb12u2", &["ruby"], &[]),
    debian("ruby3.1", "3.1.2-7+deb12u1", &["ruby"], &["lib/", "test/ruby/"]),
    debian("rubocop", "1.39.0+dfsg-1", &["ruby"], &[]),
    deb("ruby-sequel", "5.63.0-1", &["ruby"], &[]),
    deb("ruby-sinatra", "3.0.5-3+deb12u1", &["ruby"], &[]),
    debian("symfony", "5.4.53+dfsg-0+deb12u1", &["php"], &[]),
    debian("phpunit", "9.6.7-1+deb12u1", &["php"], &[]),
    debian("php-laravel-framework", "8.83.26+dfsg-2", &["php"], &[]),
    debian("wordpress", "6.1.9+dfsg1-0+deb12u1", &["php"], &[]),
    debian("composer", "2.5.5-1+deb12u5", &["php"], &[]),
    debian("kotlin", "1.3.31+ds1-1", &["kotlin"], &["libraries/", "compiler/frontend", "compiler/psi", "idea/src"]),
    debian("kotlinx-coroutines", "1.0.1-2", &["kotlin"], &[]),
    npm("react-native", "0.76.5", &["kotlin"], &[]),
    npm("react-native-screens", "4.28.0", &["kotlin"], &[]),
    npm("expo-modules-core", "58.0.7", MOBILE, &[]),
    npm("react-native-vision-camera", "5.2.3", MOBILE, &["/src/", "/ios/"]),
    npm("@stripe/stripe-react-native", "0.78.0", MOBILE_TSX, &["android/", "ios/", "src/"]),
    npm("@expo/ui", "58.0.6", MOBILE_TSX, &["android/", "ios/", "src/"]),
    npm("expo-updates", "57.0.24", MOBILE, &[]),
    npm("react-native-iap", "16.7.1", MOBILE, &[]),
    npm("@capacitor/ios", "8.5.2", &["swift"], &[]),
    debian("scala", "2.11.12-5", &["scala"], &["src/"]),
    debian("json4s", "3.5.1+really3.2.10-1", &["scala"], &[]),
    debian("gradle", "4.4.1-18", &["scala"], &[]),
    wheel("pythondata-cpu-vexriscv", "1.0.1.post407", &["scala"], &[]),
    debian("neovim", "0.7.2-7", &["lua"], &[]),
    debian("luarocks", "3.8.0+dfsg1-1", &["lua"], &[]),
    debian("awesome", "4.3-7", &["lua"], &[]),
    debian("lua-http", "0.4-1", &["lua"], &[]),
    debian("lua-lgi", "0.9.2-3", &["lua"], &[]),
    deb("lua-penlight", "1.13.1-3", &["lua"], &[]),
    deb("lua-check", "1.1.0-1", &["lua"], &[]),
    deb("luakit", "1:2.3.3-1", &["lua"], &[]),
    deb("nmap-common", "7.93+dfsg1-1", &["lua"], &[]),
    deb("bats", "1.8.2-1", &["bash"], &[]),
    debian("bash-completion", "1:2.11-6", &["bash"], &[]),
    debian("dracut", "059-4", &["bash"], &[]),
    debian("git", "1:2.39.5-0+deb12u3", &["bash"], &[]),
    debian("devscripts", "2.23.4+deb12u2", &["bash"], &[]),
];

const fn language(key: &'static str, endings: &'static [&'static str]) -> Language {
    Language { key, endings, shebangs: &[] }
}

type Words = &'static [&'static str];

const fn debian(name: &'static str, version: &'static str, languages: Words, only: Words) -> Package {
    Package { from: From::DebianSource, name, version, languages, only }
}

const fn deb(name: &'static str, version: &'static str, languages: Words, only: Words) -> Package {
    Package { from: From::DebianBinary, name, version, languages, only }
}

const fn krate(name: &'static str, version: &'static str, languages: Words, only: Words) -> Package {
    Package { from: From::Crate, name, version, languages, only }
}

const fn npm(name: &'static str, version: &'static str, languages: Words, only: Words) -> Package {
    Package { from: From::Npm, name, version, languages, only }
}

const fn wheel(name: &'static str, version: &'static str, languages: Words, only: Words) -> Package {
    Package { from: From::Wheel, name, version, languages, only }
}
