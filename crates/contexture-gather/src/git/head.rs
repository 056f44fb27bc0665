//! Which commit a work tree stands on, told from git's own small files.
//!
//! Takes nothing but the repository; gives an id. No process is started for a plain branch or a detached head, which is
//! what nearly every repository has; whatever is written in another way (`reftable`, a chain of refs) is asked of git.

use super::files::{GitFile, read};
use super::{GitError, Repo, objects};

/// A ref holds an id or a name; names end at 4,096 bytes.
const REF_CAP: u64 = 8192;

/// Half a million branches and tags of 120 bytes. Past that, git searches better than a scan does.
const PACKED_CAP: u64 = 64 * 1024 * 1024;

/// One line for each commit that a shallow clone ends at; a clone with more of them is asked anew each time.
const SHALLOW_CAP: u64 = 1024 * 1024;

impl Repo {
    /// The id of the commit that `HEAD` names.
    pub fn head(&self) -> Result<String, GitError> {
        match self.read_head() {
            Some(Some(oid)) => Ok(oid),
            Some(None) => Err(GitError::NoCommits),
            None => self.resolve("HEAD"),
        }
    }

    /// What the commits that can be seen depend on besides the head: where a shallow clone ends. Deepening it moves no
    /// head. `None` when that cannot be told.
    pub fn shallow(&self) -> Option<Vec<u8>> {
        match read(&self.common, "shallow", SHALLOW_CAP) {
            GitFile::File(bytes, _) => Some(bytes),
            GitFile::Nothing => Some(Vec::new()),
            GitFile::Odd => None,
        }
    }

    /// The root's path in the repository, as bytes.
    pub fn prefix(&self) -> &[u8] {
        self.prefix.as_encoded_bytes()
    }

    /// `Some(None)` on a branch without commits; `None` when it is not for us to tell.
    fn read_head(&self) -> Option<Option<String>> {
        let GitFile::File(head, _) = read(self.git.git_dir(), "HEAD", REF_CAP) else { return None };
        let Some(name) = head.strip_prefix(b"ref:") else { return oid(&head).map(Some) };
        let name = std::str::from_utf8(name).ok()?.trim_ascii();
        // Branches are shared by all work trees. No part of a name that git accepts begins with a dot.
        if !name.starts_with("refs/heads/") || name.split('/').any(|part| part.is_empty() || part.starts_with('.')) {
            return None;
        }
        match read(&self.common, name, REF_CAP) {
            GitFile::File(text, _) => return oid(&text).map(Some),
            GitFile::Odd => return None,
            GitFile::Nothing => {}
        }
        match read(&self.common, "packed-refs", PACKED_CAP) {
            GitFile::File(packed, _) => packed_oid(&packed, name),
            GitFile::Nothing => Some(None),
            GitFile::Odd => None,
        }
    }
}

/// Lines of `OID NAME`; comments and peeled tags begin with other characters.
fn packed_oid(packed: &[u8], name: &str) -> Option<Option<String>> {
    for line in packed.split(|byte| *byte == b'\n') {
        if let Some(id) = line.strip_suffix(name.as_bytes()).and_then(|line| line.strip_suffix(b" ")) {
            return oid(id).map(Some);
        }
    }
    Some(None)
}

fn oid(text: &[u8]) -> Option<String> {
    let text = std::str::from_utf8(text).ok()?.trim_ascii();
    objects::is_oid(text).then(|| text.to_owned())
}
