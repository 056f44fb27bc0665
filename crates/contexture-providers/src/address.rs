//! From a base URL to the address of a request.
//!
//! Takes what somebody wrote, or the API's own address; gives where to send to, and how to name the server. Refuses names and
//! passwords: they would go into logs and errors. Never shows what it refuses, which may have one.

use super::key::printable;
use super::{Endpoint, ModelRequest, ProviderError, home};
use contexture_core::providers::Dialect;
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

/// How an answer is to come.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(super) enum AnswerMode {
    Streamed,
    Whole,
}

pub(super) fn address(request: &ModelRequest, mode: AnswerMode) -> Result<Address, ProviderError> {
    let wrong = |cause: &str| ProviderError::BaseUrl(cause.to_owned());
    let base = request.base_url.unwrap_or(home(request.api).base_url);
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
    let base = url.path().trim_end_matches('/');
    let dialect = request.api.provider().dialect;
    let path = format!("{base}/{}{}", version(dialect, base), endpoint(dialect, request.endpoint)?);
    url.set_path(&path);
    if dialect.in_address {
        name_model(&mut url, request.model, mode)?;
    }
    let host = url.host_str().unwrap_or_default();
    let name = host.trim_start_matches('[').trim_end_matches(']');
    let is_local = name == "localhost" || name.parse::<IpAddr>().is_ok_and(|address| address.is_loopback());
    let server = url.port().map_or_else(|| host.to_owned(), |port| format!("{host}:{port}"));
    let is_plain = url.scheme() == "http";
    Ok(Address { url, server, is_plain, is_local })
}

/// What the base URL lacks. Those who know Anthropic's and Google's libraries leave the version out, others write it; OpenAI's
/// libraries never add one.
fn version(dialect: &Dialect, base: &str) -> &'static str {
    let last = base.rsplit('/').next().unwrap_or_default();
    let has_version = last.strip_prefix('v').is_some_and(|rest| rest.starts_with(|c: char| c.is_ascii_digit()));
    dialect.version.filter(|_| !has_version).unwrap_or_default()
}

fn endpoint(dialect: &Dialect, endpoint: Endpoint) -> Result<&'static str, ProviderError> {
    match endpoint {
        Endpoint::Chat => Ok(dialect.path),
        Endpoint::Text => dialect.text_path.ok_or(ProviderError::Request("this API continues no plain text")),
    }
}

/// Google has the model and the way to answer in the address. A model may be named with its collection. What could lead elsewhere is
/// refused, also where it would be written with escapes: servers undo them.
fn name_model(url: &mut Url, model: &str, mode: AnswerMode) -> Result<(), ProviderError> {
    if model.trim().is_empty() {
        return Err(ProviderError::Request("no model is named"));
    }
    let (collection, model) = model.split_once('/').unwrap_or(("models", model));
    let is_sign = |c: char| c.is_ascii_alphanumeric() || matches!(c, '-' | '_' | '.' | '@');
    let is_name = |name: &str| name.starts_with(|c: char| c.is_ascii_alphanumeric()) && name.chars().all(is_sign);
    if !is_name(collection) || !is_name(model) {
        return Err(ProviderError::Model(printable(&format!("{collection}/{model}"), None)));
    }
    let method = match mode {
        AnswerMode::Streamed => "streamGenerateContent",
        AnswerMode::Whole => "generateContent",
    };
    if let Ok(mut segments) = url.path_segments_mut() {
        segments.pop_if_empty().extend([collection, &format!("{model}:{method}")]);
    }
    if mode == AnswerMode::Streamed {
        url.set_query(Some("alt=sse"));
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;
    use contexture_core::Api;
    use std::time::Duration;

    fn request(api: Api, base_url: Option<&str>) -> ModelRequest<'_> {
        ModelRequest {
            api,
            model: "m",
            base_url,
            key: None,
            body: "{}",
            endpoint: Endpoint::Chat,
            timeout: Duration::ZERO,
        }
    }

    fn chat(base: &str) -> Result<Address, ProviderError> {
        address(&request(Api::OpenAi, Some(base)), AnswerMode::Whole)
    }

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
            let address = chat(base).unwrap();
            assert_eq!((address.url.as_str(), address.is_plain), (wanted, wanted.starts_with("http:")));
        }
        let text = ModelRequest { endpoint: Endpoint::Text, ..request(Api::OpenAi, Some("http://host:8000/v1")) };
        let text = address(&text, AnswerMode::Whole).unwrap();
        assert_eq!(
            (text.url.as_str(), &*text.server, text.is_local),
            ("http://host:8000/v1/completions", "host:8000", false)
        );
        for local in ["http://localhost:1", "http://127.0.0.9", "http://[::1]:5/v1"] {
            assert!(chat(local).unwrap().is_local, "{local}");
        }
        assert!(!chat("http://localhost.example.com").unwrap().is_local);
    }

    #[test]
    fn every_api_has_a_home() {
        let url = |api| address(&request(api, None), AnswerMode::Streamed).unwrap().url.to_string();
        let homes = [
            (Api::Anthropic, "https://api.anthropic.com/v1/messages"),
            (Api::OpenAi, "https://api.openai.com/v1/chat/completions"),
            (Api::Responses, "https://api.openai.com/v1/responses"),
            (Api::Gemini, "https://generativelanguage.googleapis.com/v1beta/models/m:streamGenerateContent?alt=sse"),
            (Api::DeepSeek, "https://api.deepseek.com/chat/completions"),
            (Api::MiniMax, "https://api.minimax.io/anthropic/v1/messages"),
        ];
        homes.iter().for_each(|(api, home)| assert_eq!(url(*api), *home));
        assert!(Api::ALL.iter().all(|api| url(*api).starts_with("https://")));
    }

    #[test]
    fn versions_are_added_where_libraries_add_them() {
        let of = |api, base| address(&request(api, Some(base)), AnswerMode::Whole).unwrap().url.path().to_owned();
        assert_eq!(of(Api::Anthropic, "http://h"), "/v1/messages");
        assert_eq!(of(Api::Anthropic, "http://h/v1/"), "/v1/messages");
        assert_eq!(of(Api::MiniMax, "http://h/x/anthropic"), "/x/anthropic/v1/messages");
        assert_eq!(of(Api::MiniMax, "http://h/vault"), "/vault/v1/messages");
        assert_eq!(of(Api::Gemini, "http://h"), "/v1beta/models/m:generateContent");
        assert_eq!(of(Api::Gemini, "http://h/v1alpha"), "/v1alpha/models/m:generateContent");
        assert_eq!(of(Api::Responses, "http://h"), "/responses");
    }

    #[test]
    fn models_stay_inside_of_their_segment() {
        let of = |model| {
            let request = ModelRequest { model, ..request(Api::Gemini, Some("http://h/v1")) };
            address(&request, AnswerMode::Whole).map(|address| address.url.to_string())
        };
        assert_eq!(of("gemini-3-pro").unwrap(), "http://h/v1/models/gemini-3-pro:generateContent");
        assert_eq!(of("models/a").unwrap(), "http://h/v1/models/a:generateContent");
        assert_eq!(of("tunedModels/a").unwrap(), "http://h/v1/tunedModels/a:generateContent");
        for wrong in
            ["../../x?y=1", "..", "../x", "a/..", "a/b/c", "a?b", "a#b", "a b", "a%2f", "/a", "a/", "models/a:x", "ä"]
        {
            assert!(matches!(of(wrong), Err(ProviderError::Model(_))), "{wrong}");
        }
        assert!(matches!(of(" "), Err(ProviderError::Request(_))));
    }

    #[test]
    fn only_some_apis_continue_plain_text() {
        let is_some =
            |api| address(&ModelRequest { endpoint: Endpoint::Text, ..request(api, None) }, AnswerMode::Whole).is_ok();
        assert!([Api::OpenAi, Api::DeepSeek].into_iter().all(is_some));
        assert!(![Api::Anthropic, Api::Responses, Api::Gemini, Api::MiniMax].into_iter().any(is_some));
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
            let Err(error) = chat(base) else { panic!("{base}") };
            let told = format!("{error} {error:?} {}", error.hint());
            assert!(matches!(error, ProviderError::BaseUrl(_)) && !told.contains("hidden"), "{base}: {told}");
        }
    }
}
