//! What git knows about a folder, read without running anything the repository configures.
//!
//! Takes a root; gives revisions, the files of a revision, their bytes, the newest commits and what the index says, with
//! paths below the root. Only commands that read objects and the index are spawned (`rev-parse`, `ls-tree`, `cat-file`,
//! `log`, `diff-index --cached`), never one that looks at the work tree: comparing files would run the filters that a
//! repository may name. The comparison is ours to do, with `blob_oid` and the bytes gather has read anyway. Nothing is
//! written, nothing is fetched.

mod child;
mod commits;
mod error;
mod files;
mod head;
mod index;
mod location;
mod log;
mod objects;
// The fixtures need links, modes and shell scripts.
#[cfg(test)]
#[cfg(unix)]
pub(crate) mod tests;

pub use error::GitError;
pub(crate) use index::{Index, Stamp, Tracked};
pub(crate) use objects::blob_oid;

use child::Git;
use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

/// A repository, seen from a root inside its work tree.
#[derive(Clone, Debug)]
pub struct Repo {
    git: Git,
    /// Where refs and objects are.
    common: PathBuf,
    /// The root's path below the top of the work tree, with a slash at its end; empty when the root is the top.
    prefix: OsString,
    /// Whether objects may come from another repository.
    borrows: bool,
}

/// A file in a revision.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Blob {
    /// The object's id, as hexadecimal digits.
    pub oid: String,
    /// `0o100644` or `0o100755`.
    pub mode: u32,
}

impl Repo {
    /// The repository `root` lies in: its own `.git` or that of the nearest folder above.
    pub fn discover(root: &Path) -> Result<Self, GitError> {
        match Self::discover_to_weigh(root)? {
            repo if repo.borrows => Err(GitError::Refused("its git folder borrows objects from another repository")),
            repo => Ok(repo),
        }
    }

    /// Also one whose objects lie in another repository. Its text may be anyone's: it may be weighed, but never shown.
    pub(crate) fn discover_to_weigh(root: &Path) -> Result<Self, GitError> {
        let root = root.canonicalize().map_err(|_| GitError::NoRepository)?;
        let place = location::find(&root)?;
        let git = Git::new(place.git_dir, place.top.clone())?;
        if let Some(back) = place.must_point_back {
            location::check_submodule(&git, &back)?;
        }
        let mut prefix = OsString::new();
        for part in root.strip_prefix(&place.top).unwrap_or(Path::new("")).components() {
            prefix.push(part);
            prefix.push("/");
        }
        Ok(Self { git, common: place.common, prefix, borrows: place.borrows })
    }

    /// The full id of the commit that `rev` names.
    pub fn resolve(&self, rev: &str) -> Result<String, GitError> {
        // A revision is one word on a command line: it may not be an option, nor hide a second line.
        if rev.is_empty() || rev.starts_with('-') || rev.chars().any(char::is_control) {
            return Err(GitError::BadRevision(rev.to_owned()));
        }
        let name = format!("{rev}^{{commit}}");
        let reply = self.git.run("rev-parse", ["--verify", "--quiet", "--end-of-options", &name], Vec::new())?;
        let oid = String::from_utf8_lossy(&reply.stdout).trim().to_owned();
        if reply.ok && objects::is_oid(&oid) {
            return Ok(oid);
        }
        let any = self.git.run("rev-list", ["--max-count=1", "--all"], Vec::new())?;
        if any.ok && any.stdout.is_empty() {
            return Err(GitError::NoCommits);
        }
        Err(GitError::UnknownRevision(rev.to_owned()))
    }

    /// The files of a revision below the root. Links and submodules are left out: they have no text of their own.
    pub fn tree(&self, rev: &str) -> Result<BTreeMap<String, Blob>, GitError> {
        let oid = self.resolve(rev)?;
        let mut args: Vec<OsString> = ["-r", "-z", "--full-tree"].map(OsString::from).to_vec();
        args.push(oid.into());
        if !self.prefix.is_empty() {
            args.extend(["--".into(), self.prefix.clone()]);
        }
        let listing = self.git.run("ls-tree", args, Vec::new())?.or_fail("ls-tree")?;
        Ok(listing.split(|byte| *byte == 0).filter_map(|entry| self.tree_entry(entry)).collect())
    }

    /// `100644 blob OID<tab>path`
    fn tree_entry(&self, entry: &[u8]) -> Option<(String, Blob)> {
        let tab = entry.iter().position(|byte| *byte == b'\t')?;
        let (head, path) = (std::str::from_utf8(entry.get(..tab)?).ok()?, entry.get(tab + 1..)?);
        let mut fields = head.split(' ');
        let mode = u32::from_str_radix(fields.next()?, 8).ok()?;
        let is_file = fields.next()? == "blob" && mode & 0o170_000 == 0o100_000;
        let oid = fields.next().filter(|oid| is_file && objects::is_oid(oid))?;
        Some((self.below_root(path)?, Blob { oid: oid.to_owned(), mode }))
    }

    /// A path of the repository as a path below the root. A tree made by hand may hold names no checkout would write.
    fn below_root(&self, path: &[u8]) -> Option<String> {
        let path = path.strip_prefix(self.prefix.as_encoded_bytes())?;
        let odd = |part: &[u8]| matches!(part, b"" | b"." | b"..") || part.eq_ignore_ascii_case(b".git");
        if path.split(|byte| *byte == b'/').any(odd) {
            return None;
        }
        // The same mapping as `names::display_path`: a byte that is no UTF-8 becomes U+10FF00 + byte.
        let mut text = String::with_capacity(path.len());
        for chunk in path.utf8_chunks() {
            text.push_str(chunk.valid());
            text.extend(chunk.invalid().iter().filter_map(|byte| char::from_u32(0x10_FF00 + u32::from(*byte))));
        }
        Some(text)
    }
}
