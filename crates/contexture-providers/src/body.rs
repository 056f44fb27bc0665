//! A finished request becomes one whose answer comes in pieces.
//!
//! Takes the JSON of a request; gives it with the members that ask for a stream at its front. It is put in as text: a request may
//! have ten megabytes, and its bytes are what the provider's cache goes by.

use super::ProviderError;
use contexture_core::Api;

/// The bytes that leave where the answer is to come in pieces.
pub fn streaming(body: &str, api: Api) -> Result<String, ProviderError> {
    let start = body.trim_start_matches([' ', '\t', '\r', '\n']);
    let Some(rest) = start.strip_prefix('{') else {
        return Err(ProviderError::Request("it is no JSON object"));
    };
    let members = api.provider().dialect.stream;
    let is_empty = rest.trim_start_matches([' ', '\t', '\r', '\n']).starts_with('}');
    let comma = if is_empty || members.is_empty() { "" } else { "," };
    Ok(["{", members, comma, rest].concat())
}

/// A request that has members as before they were put in.
pub fn unstreamed(body: &str) -> Option<String> {
    let all = Api::ALL.iter().map(|api| api.provider().dialect.stream).filter(|members| !members.is_empty());
    let rests = all.filter_map(|members| body.strip_prefix('{')?.strip_prefix(members)?.strip_prefix(','));
    // Some begin with the members of others.
    let rest = rests.min_by_key(|rest| rest.len());
    rest.map(|rest| ["{", rest].concat())
}

#[cfg(test)]
mod tests {
    use super::*;
    use serde_json::Value;

    #[test]
    fn the_members_stand_first_and_the_rest_is_untouched() {
        let of = |body: &str, api| streaming(body, api).unwrap();
        assert_eq!(of("{\"a\": 1.0}\n", Api::Anthropic), "{\"stream\":true,\"a\": 1.0}\n");
        assert_eq!(of(" \n{\n}", Api::Responses), "{\"stream\":true\n}");
        assert_eq!(of("{\"a\":1}", Api::Gemini), "{\"a\":1}");
        let chat = "{\"stream\":true,\"stream_options\":{\"include_usage\":true},\"a\":1}";
        assert_eq!((&*of("{\"a\":1}", Api::OpenAi), &*of("{\"a\":1}", Api::DeepSeek)), (chat, chat));
    }

    #[test]
    fn the_members_can_be_taken_out_again() {
        for &api in Api::ALL.iter().filter(|api| !api.provider().dialect.in_address) {
            let body = "{\"a\":{\"stream\":true}}";
            assert_eq!(unstreamed(&streaming(body, api).unwrap()).as_deref(), Some(body));
            assert_eq!(unstreamed(body), None);
        }
    }

    #[test]
    fn what_is_an_object_stays_one() {
        for &api in Api::ALL {
            for body in ["{}", "{ }", "{\"messages\":[{\"content\":\"{\"}]}", "\r\n\t{\"b\":{}}\n"] {
                let streamed = streaming(body, api).unwrap();
                let mut value: Value = serde_json::from_str(&streamed).unwrap();
                let object = value.as_object_mut().unwrap();
                assert_eq!(object.remove("stream").is_some(), !api.provider().dialect.in_address, "{streamed}");
                object.remove("stream_options");
                assert_eq!(value, serde_json::from_str::<Value>(body).unwrap());
            }
            for body in ["", "  ", "[]", "\"{\"", "null", "\u{feff}{}"] {
                assert!(matches!(streaming(body, api), Err(ProviderError::Request(_))), "{body}");
            }
        }
    }
}
