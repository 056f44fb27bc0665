//! All of a manifest but its request and its lists, as one JSON object.
//!
//! Gives JSON and takes it back. Fields of later versions are passed over; what is missing or of another type is damage.

use super::error::{Result, damage};
use super::manifest::{EffectiveOptions, Manifest, RunKind, RunOutput, RunPrefix, RunTokens, SentRequest, Summary};
use contexture_core::ContentHash;
use serde::{Deserialize, Serialize};
use serde_json::Value;
use std::collections::BTreeMap;

#[derive(Serialize, Deserialize)]
pub(super) struct Head {
    kind: String,
    created: String,
    version: String,
    options: EffectiveOptions,
    tokens: RunTokens,
    output: RunOutput,
    prefix: RunPrefix,
    #[serde(with = "hex")]
    config: ContentHash,
    settings: BTreeMap<String, String>,
    items: u64,
    left_out: u64,
    sent: Option<StoredRequest>,
}

/// A sent request with the address of its server, which answers do not show.
#[derive(Serialize, Deserialize)]
pub(super) struct StoredRequest {
    #[serde(flatten)]
    request: SentRequest,
    server: Option<String>,
}

impl StoredRequest {
    pub fn of(request: &SentRequest) -> Self {
        Self { request: request.clone(), server: request.server.clone() }
    }

    fn into_sent(self) -> SentRequest {
        SentRequest { server: self.server, ..self.request }
    }
}

impl Head {
    pub fn of(manifest: &Manifest) -> Self {
        Self {
            kind: manifest.kind.to_string(),
            created: manifest.created.clone(),
            version: manifest.version.clone(),
            options: manifest.options.clone(),
            tokens: manifest.tokens.clone(),
            output: manifest.output.clone(),
            prefix: manifest.prefix,
            config: manifest.config,
            settings: manifest.settings.clone(),
            items: manifest.items.len() as u64,
            left_out: manifest.left_out.len() as u64,
            sent: manifest.sent.as_ref().map(StoredRequest::of),
        }
    }

    pub fn parse(text: &str) -> Result<Self> {
        serde_json::from_str(text).map_err(|error| match error.is_data() {
            true => damage("a head cannot be read"),
            false => damage(&error.to_string()),
        })
    }

    fn kind(&self) -> Result<RunKind> {
        RunKind::parse(&self.kind).ok_or_else(|| damage("a head cannot be read"))
    }

    /// A manifest without its request and its lists.
    pub fn into_manifest(self, number: u64) -> Result<Manifest> {
        Ok(Manifest {
            number,
            kind: self.kind()?,
            created: self.created,
            version: self.version,
            request: Value::Null,
            options: self.options,
            tokens: self.tokens,
            output: self.output,
            prefix: self.prefix,
            config: self.config,
            settings: self.settings,
            items: Vec::new(),
            left_out: Vec::new(),
            notes: Vec::new(),
            blocks: Vec::new(),
            sent: self.sent.map(StoredRequest::into_sent),
        })
    }

    pub fn into_summary(self, number: u64) -> Result<Summary> {
        let kind = self.kind()?;
        let Self { created, options, tokens, output, items, left_out, sent, .. } = self;
        let sent = sent.map(StoredRequest::into_sent);
        Ok(Summary { number, kind, created, options, tokens, output, items, left_out, sent })
    }
}

/// A hash as hexadecimal digits.
pub(super) mod hex {
    use contexture_core::ContentHash;
    use serde::de::{Deserialize, Deserializer, Error};
    use serde::ser::Serializer;

    pub fn serialize<S: Serializer>(hash: &ContentHash, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(hash)
    }

    pub fn deserialize<'de, D: Deserializer<'de>>(from: D) -> Result<ContentHash, D::Error> {
        read(String::deserialize(from)?.as_bytes()).ok_or_else(|| D::Error::custom("no hash"))
    }

    fn read(hex: &[u8]) -> Option<ContentHash> {
        let mut bytes = [0; 32];
        if hex.len() != 64 {
            return None;
        }
        for (byte, digits) in bytes.iter_mut().zip(hex.chunks_exact(2)) {
            *byte = u8::from_str_radix(std::str::from_utf8(digits).ok()?, 16).ok()?;
        }
        Some(ContentHash(bytes))
    }
}
