//! Roots that an older client sends. They may only narrow what the command line allows.
//!
//! Asked for once, in the course of the first request that needs to know; a client that says they changed is asked again.

use super::Mcp;
use super::uri::decoded;
use contexture::ops::OpError;
use contexture_gather::config::PROJECT_FILE;
use rmcp::RoleServer;
use rmcp::service::RequestContext;
use std::path::{Path, PathBuf};
use std::time::Duration;
use tokio::sync::Mutex;

/// A client that has roots knows them.
const PATIENCE: Duration = Duration::from_secs(3);

/// `None` until the client was asked.
#[derive(Default)]
pub struct NarrowedRoots(Mutex<Option<Vec<PathBuf>>>);

impl NarrowedRoots {
    pub async fn forget(&self) {
        *self.0.lock().await = None;
    }
}

impl Mcp {
    /// The roots of a request.
    /// A folder inside of a root that has settings is refused: by itself it would be read without them, and what they deny or leave out
    /// would be told.
    pub(super) async fn roots(&self, context: &RequestContext<RoleServer>) -> Result<Vec<PathBuf>, OpError> {
        let allowed = self.shared.door.root_paths();
        if context.client_capabilities().is_none_or(|client| client.roots.is_none()) {
            return Ok(allowed);
        }
        let mut known = self.narrowed.0.lock().await;
        if known.is_none() {
            *known = Some(match ask(context).await {
                Some(wanted) => narrowed(&allowed, &wanted),
                // One that does not answer does not narrow.
                None => allowed,
            });
        }
        let roots = known.clone().unwrap_or_default();
        let is_told_apart = self.shared.door.config_file.is_some();
        let inside = without_settings(&self.shared.door.root_paths(), &roots).filter(|_| !is_told_apart);
        if let Some((root, folder)) = inside {
            let file = root.join(PROJECT_FILE);
            let (folder, file) = (folder.display(), file.display());
            return Err(OpError::usage(format!(
                "the client's root `{folder}` lies inside a project, whose settings would not hold there"
            ))
            .hint(format!("open the folder of `{file}` in the client"))
            .hint(format!("`contexture mcp --root {folder}` serves that folder by itself")));
        }
        if roots.is_empty() {
            return Err(OpError::usage("the roots of the client share nothing with those of this server")
                .hint("`contexture mcp --root DIR` names what may be read"));
        }
        Ok(roots)
    }
}

#[expect(deprecated, reason = "older generations of the protocol have roots")]
async fn ask(context: &RequestContext<RoleServer>) -> Option<Vec<PathBuf>> {
    let answer = tokio::time::timeout(PATIENCE, context.peer.list_roots()).await.ok()?.ok()?;
    Some(answer.roots.iter().filter_map(|root| local(&root.uri)).collect())
}

/// The folder that `file:///…` names.
fn local(uri: &str) -> Option<PathBuf> {
    let rest = uri.strip_prefix("file://")?;
    let path = rest.strip_prefix("localhost").unwrap_or(rest);
    path.starts_with('/').then(|| decoded(path).map(PathBuf::from))?
}

/// A root that lies inside an allowed one with settings of its own, and that one.
fn without_settings<'a>(allowed: &[PathBuf], roots: &'a [PathBuf]) -> Option<(PathBuf, &'a PathBuf)> {
    let real: Vec<PathBuf> = allowed.iter().filter_map(|path| path.canonicalize().ok()).collect();
    roots.iter().find_map(|folder| {
        let is_above =
            |root: &&PathBuf| folder.starts_with(root) && *root != folder && root.join(PROJECT_FILE).is_file();
        Some((real.iter().find(is_above)?.clone(), folder))
    })
}

/// What lies in both, with links followed; what cannot be looked at lies in none.
fn narrowed(allowed: &[PathBuf], wanted: &[PathBuf]) -> Vec<PathBuf> {
    let real = |path: &Path| path.canonicalize().ok();
    let wanted: Vec<PathBuf> = wanted.iter().filter_map(|path| real(path)).collect();
    let mut both: Vec<PathBuf> = Vec::new();
    for root in allowed.iter().filter_map(|path| real(path)) {
        if wanted.iter().any(|wish| root.starts_with(wish)) {
            both.push(root);
        } else {
            both.extend(wanted.iter().filter(|wish| wish.starts_with(&root) && wish.is_dir()).cloned());
        }
    }
    let mut seen = std::collections::BTreeSet::new();
    both.retain(|root| seen.insert(root.clone()));
    both
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::*;

    #[test]
    fn roots_of_a_client_only_narrow() {
        let temp = tempfile::tempdir().unwrap();
        let base = temp.path().canonicalize().unwrap();
        for dir in ["a/b", "ab", "c"] {
            std::fs::create_dir_all(base.join(dir)).unwrap();
        }
        let all = |dirs: &[&str]| dirs.iter().map(|dir| base.join(dir)).collect::<Vec<_>>();
        assert_eq!(narrowed(&all(&["a"]), &all(&["a/b"])), all(&["a/b"]));
        assert_eq!(narrowed(&all(&["a/b"]), &all(&["a"])), all(&["a/b"]));
        assert_eq!(narrowed(&all(&["a"]), std::slice::from_ref(&base)), all(&["a"]));
        // `/x/a` does not hold `/x/ab`.
        assert_eq!(narrowed(&all(&["a"]), &all(&["ab", "c", "missing"])), Vec::<PathBuf>::new());
        assert_eq!(narrowed(&all(&["a", "c"]), &all(&["c", "a/b", "a"])), all(&["a", "c"]));
    }

    #[test]
    fn a_folder_is_not_read_without_the_settings_of_its_project() {
        let temp = tempfile::tempdir().unwrap();
        let base = temp.path().canonicalize().unwrap();
        std::fs::create_dir_all(base.join("a/b")).unwrap();
        let (allowed, inside) = (vec![base.join("a")], vec![base.join("a/b")]);
        assert_eq!(without_settings(&allowed, &inside), None);
        std::fs::write(base.join("a").join(PROJECT_FILE), "").unwrap();
        assert_eq!(without_settings(&allowed, &inside), Some((base.join("a"), &inside[0])));
        assert_eq!(without_settings(&allowed, &allowed), None);
    }

    #[test]
    fn addresses_of_folders() {
        assert_eq!(local("file:///a%20b/c"), Some("/a b/c".into()));
        assert_eq!(local("file://localhost/a"), Some("/a".into()));
        for other in ["/a", "file://host/a", "http://a/b", "file://", "file:///%"] {
            assert_eq!(local(other), None, "{other}");
        }
    }
}
