//! The table of rules.

use super::*;

#[test]
fn every_row_can_be_read_and_has_its_source() {
    let lines = include_str!("rules.tsv").lines().filter(|line| !line.is_empty() && !line.starts_with('#'));
    assert_eq!(rules().len(), lines.count() - 1);
    for api in Api::ALL {
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
    assert!(matches!(rule(Api::OpenAi, Some("gpt-5.5")).unwrap().kind, Kind::Steps(128)));
    assert!(matches!(rule(Api::Responses, Some("gpt-5.6-sol")).unwrap().kind, Kind::Points { most: 4, lookback: 80 }));
}
