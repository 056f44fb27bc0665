//! What a name alone says: how it is shown, and whether it may enter.

use std::path::{Path, PathBuf};

/// A path as shown to people and models: `/` between components. A byte that is no UTF-8 becomes U+10FF00 + byte, which
/// `render::printable` writes as the lone surrogate it is in Python's file names.
pub fn display_path(path: &Path) -> String {
    let mut out = String::new();
    for part in path.components() {
        if !out.is_empty() && !out.ends_with('/') {
            out.push('/');
        }
        for chunk in part.as_os_str().as_encoded_bytes().utf8_chunks() {
            out.push_str(chunk.valid());
            out.extend(chunk.invalid().iter().filter_map(|&byte| char::from_u32(0x10FF00 + u32::from(byte))));
        }
    }
    out
}

/// The path that [`display_path`] shows: the other direction.
pub fn original_path(shown: &str) -> PathBuf {
    #[cfg(unix)]
    if shown.contains(|c| matches!(c, '\u{10FF80}'..='\u{10FFFF}')) {
        use std::os::unix::ffi::OsStringExt;
        let mut bytes = Vec::with_capacity(shown.len());
        for c in shown.chars() {
            match c {
                '\u{10FF80}'..='\u{10FFFF}' => bytes.push((c as u32 - 0x10FF00) as u8),
                c => bytes.extend_from_slice(c.encode_utf8(&mut [0; 4]).as_bytes()),
            }
        }
        return std::ffi::OsString::from_vec(bytes).into();
    }
    PathBuf::from(shown)
}

/// `history.toml` and `*_history.toml`, in any case: conversations enter as history, never as files.
pub(crate) fn is_history(path: &Path) -> bool {
    path.file_name().is_some_and(|name| {
        let name = name.to_string_lossy().to_lowercase();
        name == "history.toml" || name.ends_with("_history.toml")
    })
}

/// A file that one of our edits is written to before it gets its name, as [`unfinished`] calls it. One that is left over is of an edit that
/// was killed.
pub(crate) fn is_unfinished(path: &Path) -> bool {
    // What a project has that we edit: its settings, and those of programs that start us.
    const EDITED: [&str; 5] = ["contexture.toml", ".mcp.json", "mcp.json", "config.toml", "settings.json"];
    let name = path.file_name().unwrap_or_default().to_string_lossy();
    let whole =
        name.strip_prefix('.').and_then(|name| name.strip_suffix(".tmp")).and_then(|name| name.rsplit_once('.'));
    let is_number = |text: &str| !text.is_empty() && text.bytes().all(|byte| byte.is_ascii_digit());
    let are_numbers = |text: &str| text.split_once('-').is_some_and(|(a, b)| is_number(a) && is_number(b));
    whole.is_some_and(|(name, numbers)| EDITED.contains(&name) && are_numbers(numbers))
}

/// What the new text of a file is called until it is whole. The process and a counter keep two writers apart.
pub fn unfinished(name: &str, process: u32, number: u64) -> String {
    format!(".{name}.{process}-{number}.tmp")
}

/// Folders of version control: their contents are not the project's.
pub fn is_version_control(name: &str) -> bool {
    matches!(name, ".git" | ".hg" | ".svn" | ".jj" | ".bzr" | "CVS" | ".pijul")
}

/// Folders that hold other people's code or what tools left behind, also where nobody ignored them.
pub fn dependency_folder(name: &str) -> Option<&'static str> {
    match name {
        "node_modules" | "bower_components" => Some("installed packages"),
        ".venv" | ".tox" | ".nox" | "site-packages" => Some("installed packages"),
        "__pycache__" | ".mypy_cache" | ".pytest_cache" | ".ruff_cache" => Some("a tool's cache"),
        ".gradle" | ".terraform" | ".next" | ".svelte-kit" | ".nuxt" | ".turbo" | ".parcel-cache" => {
            Some("a tool's cache")
        }
        _ => None,
    }
}

/// The rule by which a file is taken to hold keys or passwords, judged by its path alone, in any case.
pub fn secret_rule(path: &Path) -> Option<String> {
    let lower = path.to_string_lossy().to_lowercase();
    let mut parts = lower.rsplit(['/', '\\']);
    let name = parts.next().unwrap_or_default();
    if let Some(folder) = parts.find(|part| matches!(*part, ".ssh" | ".aws" | ".gnupg" | ".azure" | ".kube")) {
        return Some(format!("{folder}/"));
    }
    // Samples are written to be read.
    let sample =
        [".example", ".sample", ".template", ".dist", ".defaults", ".test"].iter().any(|end| name.ends_with(end));
    if name.starts_with(".env") && !sample {
        return Some(".env*".into());
    }
    let (stem, extension) = name.rsplit_once('.').unwrap_or((name, ""));
    match extension {
        "pem" | "key" | "p12" | "pfx" | "jks" | "keystore" | "kdbx" | "ppk" | "ovpn" => {
            return Some(format!("*.{extension}"));
        }
        "env" if !stem.is_empty() => return Some("*.env".into()),
        _ => {}
    }
    let keys = ["id_rsa", "id_dsa", "id_ecdsa", "id_ed25519", "id_xmss"];
    if name.starts_with("id_")
        && (extension.is_empty() || keys.iter().any(|key| name.starts_with(key)))
        && extension != "pub"
    {
        return Some("id_*".into());
    }
    // `credentials.py` is code; `credentials`, `credentials.json` and the like are the thing itself.
    let data = ["", "json", "toml", "yaml", "yml", "ini", "xml", "csv", "txt", "properties", "cfg", "conf", "bak"];
    if name.starts_with("credentials") && data.contains(&extension) {
        return Some("credentials*".into());
    }
    let exact = ".netrc _netrc .npmrc .pypirc .pgpass .git-credentials .htpasswd .dockercfg .s3cfg .boto .vault-token \
        secrets.json secrets.yml secrets.yaml secrets.toml master.key terraform.tfvars terraform.tfstate .credentials \
        service-account.json wp-config.php";
    exact.split(' ').any(|known| known == name).then(|| name.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_a_killed_edit_leaves_is_known() {
        assert!(is_unfinished(Path::new(&format!("a/{}", unfinished("contexture.toml", 17, 3)))));
        assert!(is_unfinished(Path::new(&unfinished(".mcp.json", 17, 3))));
        for other in
            ["contexture.toml", ".contexture.toml.tmp", ".contexture.toml.1-.tmp", ".notes.1-2.tmp", "x.1-2.tmp"]
        {
            assert!(!is_unfinished(Path::new(other)), "{other}");
        }
    }

    #[test]
    fn names_of_secrets_are_known_in_any_case() {
        let secret = ".env .ENV .Env.local .envrc prod.env a/B.PEM server.key id_rsa ID_ED25519 id_work .ssh/config \
            x/.AWS/credentials .netrc .npmrc credentials Credentials.JSON credentials.bak .git-credentials";
        for name in secret.split(' ') {
            assert!(secret_rule(Path::new(name)).is_some(), "{name}");
        }
        let plain = ".env.example environment.py id_map.py credentials.py id_rsa.pub key.rs src/envelope.rs keys.md";
        for name in plain.split(' ') {
            assert!(secret_rule(Path::new(name)).is_none(), "{name}");
        }
    }

    #[test]
    fn history_files_are_known_in_any_case() {
        for name in ["history.toml", "a/History.TOML", "project_history.toml"] {
            assert!(is_history(Path::new(name)), "{name}");
        }
        assert!(!is_history(Path::new("prehistory.toml")));
    }

    #[cfg(unix)]
    #[test]
    fn a_name_that_is_no_utf8_is_shown_without_loss() {
        use std::os::unix::ffi::OsStrExt;
        let path = Path::new(std::ffi::OsStr::from_bytes(b"a\xff/b"));
        assert_eq!(contexture_core::render::printable(&display_path(path)), "\"a\\udcff/b\"");
        assert_eq!(original_path(&display_path(path)), path);
    }
}
