//! What opens the server: 256 random bits, as text.
//!
//! A secret has no `Debug` and no `Display`, and is compared in a time that tells nothing of it. The one of the session is kept in
//! the user's data folder for its owner alone, so that a panel that is open survives a restart of the server.

use contexture_core::ContentHash;
use contexture_gather::outputs;
use std::io;
use std::path::Path;

#[derive(Clone)]
pub struct Secret(String);

/// 256 bits, as hexadecimal digits.
const DIGITS: usize = 64;

impl Secret {
    pub fn random() -> io::Result<Self> {
        let mut bytes = [0_u8; DIGITS / 2];
        getrandom::fill(&mut bytes).map_err(|error| io::Error::other(error.to_string()))?;
        Ok(Self(bytes.iter().map(|byte| format!("{byte:02x}")).collect()))
    }

    /// The one in a file of this folder; a new one where there is none that can be used. Where it cannot be kept, it holds until the end.
    pub fn load_or_create(folder: &Path) -> io::Result<Self> {
        let path = folder.join("serve.key");
        let is_whole = |text: &str| text.len() == DIGITS && text.bytes().all(|byte| byte.is_ascii_hexdigit());
        if let Ok(text) = std::fs::read_to_string(&path)
            && is_whole(text.trim())
        {
            return Ok(Self(text.trim().to_owned()));
        }
        let made = Self::random()?;
        let kept = std::fs::create_dir_all(folder).map_err(|error| error.to_string()).and_then(|()| {
            let written = outputs::write_private(&path, |out| out.write_all(made.0.as_bytes()));
            written.map(drop).map_err(|error| error.to_string())
        });
        if let Err(cause) = kept {
            tracing::info!(%cause, "the key of sessions is not kept: a panel that is open must be opened again after a restart");
        }
        Ok(made)
    }

    /// Another secret that whoever has this one can make again, and nobody else. It tells nothing of this one.
    pub fn for_one(&self, what: &[&[u8]]) -> Self {
        let inner = ContentHash::of_parts([self.0.as_bytes()].into_iter().chain(what.iter().copied()));
        Self(ContentHash::of_parts([self.0.as_bytes(), inner.0.as_slice()]).to_string())
    }

    /// For the one line that is printed, and the cookie.
    pub fn reveal(&self) -> &str {
        &self.0
    }

    pub fn is(&self, said: &str) -> bool {
        let (own, said) = (self.0.as_bytes(), said.as_bytes());
        let differs = own.iter().zip(said).fold(0, |differs, (a, b)| differs | (a ^ b));
        own.len() == said.len() && differs == 0
    }
}

#[cfg(test)]
#[allow(clippy::unwrap_used)]
mod tests {
    use super::Secret;

    #[test]
    fn a_key_that_cannot_be_kept_is_a_key() {
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("file");
        std::fs::write(&file, "").unwrap();
        assert_eq!(Secret::load_or_create(&file.join("data")).unwrap().reveal().len(), 64);
    }

    #[test]
    fn a_secret_for_one_opens_no_other() {
        let key = Secret("a".repeat(64));
        let one = key.for_one(&[b"/a/app", &7878_u16.to_le_bytes()]);
        assert!(one.is(key.for_one(&[b"/a/app", &7878_u16.to_le_bytes()]).reveal()));
        assert!(!one.is(key.for_one(&[b"/b/app", &7878_u16.to_le_bytes()]).reveal()));
        assert!(!one.is(key.for_one(&[b"/a/app", &7879_u16.to_le_bytes()]).reveal()));
        assert!(!one.is(key.reveal()) && one.reveal().len() == 64);
    }
}
