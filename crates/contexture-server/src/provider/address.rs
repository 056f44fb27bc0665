//! From a base URL to the address of a request.
//!
//! Takes what somebody wrote; gives where to send to, and how to name the server. Refuses names and passwords: they would go into
//! logs and errors. Never shows what it refuses, which may have one.

use super::{Endpoint, ProviderError};
use reqwest::Url;
use std::net::IpAddr;

pub(super) struct Address {
    pub url: Url,
    /// Host and port: all that is told of the address.
    pub server: String,
    pub is_plain: bool,
    /// On this machine.
    pub is_local: bool,
}

pub(super) fn address(base: &str, endpoint: Endpoint) -> Result<Address, ProviderError> {
    let wrong = |cause: &str| ProviderError::BaseUrl(cause.to_owned());
    let mut url = Url::parse(base.trim()).map_err(|error| wrong(&error.to_string()))?;
    if !matches!(url.scheme(), "http" | "https") {
        return Err(wrong("it is neither `http` nor `https`"));
    }
    if !url.username().is_empty() || url.password().is_some() {
        return Err(wrong("it has a name or a password in it"));
    }
    if url.query().is_some() || url.fragment().is_some() {
        return Err(wrong("it has a query or a fragment"));
    }
    let endpoint = match endpoint {
        Endpoint::Chat => "chat/completions",
        Endpoint::Text => "completions",
    };
    let path = format!("{}/{endpoint}", url.path().trim_end_matches('/'));
    url.set_path(&path);
    let host = url.host_str().unwrap_or_default();
    let name = host.trim_start_matches('[').trim_end_matches(']');
    let is_local = name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    let server = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    let is_plain = url.scheme() == "http";
    Ok(Address { url, server, is_plain, is_local })
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_forms_of_base_urls() {
        let forms = [
            ("http://127.0.0.1:8000/v1", "http://127.0.0.1:8000/v1/chat/completions"),
            ("http://127.0.0.1:8000/v1/", "http://127.0.0.1:8000/v1/chat/completions"),
            ("http://127.0.0.1:8000/v1///", "http://127.0.0.1:8000/v1/chat/completions"),
            ("  https://host \n", "https://host/chat/completions"),
            ("https://host/", "https://host/chat/completions"),
            ("HTTPS://Host:443/a/b%20c", "https://host/a/b%20c/chat/completions"),
            ("http://[::1]:80", "http://[::1]/chat/completions"),
        ];
        for (base, wanted) in forms {
            let address = address(base, Endpoint::Chat).unwrap();
            assert_eq!((address.url.as_str(), address.is_plain), (wanted, wanted.starts_with("http:")));
        }
        let text = address("http://host:8000/v1", Endpoint::Text).unwrap();
        assert_eq!(
            (text.url.as_str(), &*text.server, text.is_local),
            ("http://host:8000/v1/completions", "host:8000", false)
        );
        for local in ["http://localhost:1", "http://127.0.0.9", "http://[::1]:5/v1"] {
            assert!(address(local, Endpoint::Chat).unwrap().is_local, "{local}");
        }
        assert!(!address("http://localhost.example.com", Endpoint::Chat).unwrap().is_local);
    }

    #[test]
    fn wrong_ones_are_refused_and_not_shown() {
        let wrong = [
            "",
            "hidden",
            "hidden/v1",
            "hidden:8000/v1",
            "ftp://hidden/v1",
            "file:///hidden",
            "http://",
            "http://hidden:99999/",
            "http://hidden:hidden@host/v1",
            "http://hidden@host/v1",
            "http://:hidden@host/v1",
            "https://host/v1?key=hidden",
            "https://host/v1#hidden",
            "http://hidden host/",
        ];
        for base in wrong {
            let Err(error) = address(base, Endpoint::Chat) else { panic!("{base}") };
            let told = format!("{error} {error:?} {}", error.hint());
            assert!(matches!(error, ProviderError::BaseUrl(_)) && !told.contains("hidden"), "{base}: {told}");
        }
    }
}
