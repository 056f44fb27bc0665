//! The table of rules.

use super::*;

#[test]
fn every_row_can_be_read_and_has_its_source() {
    let lines = Api::ALL.iter().flat_map(|api| api.provider().cache.trim().lines());
    assert_eq!(rules().len(), lines.count());
    for &api in Api::ALL {
        let others = rule(api, None).unwrap();
        assert!(others.model.is_empty(), "{api}");
        assert!(
            rules()
                .iter()
                .filter(|rule| rule.api == api)
                .all(|rule| rule.minimum <= others.minimum || api == Api::OpenAi)
        );
    }
    assert!(rules().iter().all(|rule| rule.source.starts_with("https://") && rule.checked.len() == 10));
}

#[test]
fn the_longest_name_holds() {
    let minimum = |api: Api, model: &str| rule(api, Some(model)).unwrap().minimum;
    assert_eq!(minimum(Api::Anthropic, "claude-opus-4-1-20250805"), 1024);
    assert_eq!(minimum(Api::Anthropic, "claude-opus-4-5"), 4096);
    assert_eq!(minimum(Api::Anthropic, "Claude-Opus-5-5"), 512);
    assert_eq!(minimum(Api::Anthropic, "anthropic/claude-sonnet-5"), 1024);
    assert_eq!(minimum(Api::Anthropic, "somebody-else"), 4096);
    assert!(matches!(rule(Api::OpenAi, Some("gpt-5.5")).unwrap().kind, CacheKind::Steps(128)));
    assert!(matches!(
        rule(Api::Responses, Some("gpt-5.6-sol")).unwrap().kind,
        CacheKind::Points { most: 4, lookback: 80 }
    ));
}

#[test]
fn a_picture_is_what_its_api_calls_one() {
    let words = |text: &str| text.split_whitespace().count() as u64;
    let tokens = |api: Api, block: &str| {
        let body = match api {
            Api::Gemini => format!(r#"{{"contents":[{{"role":"user","parts":[{block}]}}]}}"#),
            Api::Responses => format!(r#"{{"input":[{{"role":"user","content":[{block}]}}]}}"#),
            _ => format!(r#"{{"messages":[{{"role":"user","content":[{block}]}}]}}"#),
        };
        let read = Request::read(api, &body, &words).unwrap();
        read.tokens(1) - crate::count::FRAME
    };
    let picture = crate::count::IMAGE;
    assert_eq!(
        tokens(Api::Anthropic, r#"{"type":"image","source":{"type":"base64","media_type":"image/png","data":"AAAA"}}"#),
        picture
    );
    assert_eq!(
        tokens(Api::Anthropic, r#"{"type":"document","source":{"type":"base64","data":"AAAA"},"title":"a"}"#),
        picture
    );
    assert_eq!(tokens(Api::OpenAi, r#"{"type":"image_url","image_url":{"url":"https://a"}}"#), picture);
    assert_eq!(tokens(Api::Responses, r#"{"type":"input_image","image_url":"https://a"}"#), picture);
    assert_eq!(tokens(Api::Gemini, r#"{"inlineData":{"mimeType":"image/png","data":"AAAA"}}"#), picture);
    // Words under the same names are words.
    let text = |key: &str| format!(r#"{{"type":"text","text":"one two","{key}":"three"}}"#);
    for key in ["source", "image_url", "inlineData"] {
        assert_eq!(tokens(Api::OpenAi, &text(key)), 3, "{key}");
    }
    let found =
        r#"{"type":"search_result","source":"https://a","title":"one","content":[{"type":"text","text":"two three"}]}"#;
    assert_eq!(tokens(Api::Anthropic, found), 4);
    assert_eq!(tokens(Api::Anthropic, r#"{"type":"document","source":{"type":"text","data":"one two"}}"#), 2);
}
