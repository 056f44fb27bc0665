//! What is found and what is not, for each family of rules; what redaction leaves.

mod clean;
mod code;
mod hidden;
mod laws;
mod places;
mod recall;
mod screen;

use super::rules::Rules;
use super::{Finding, Fingerprint, TextKind, redact};
use contexture_syntax::has_word;

/// What is found in a text that is not code.
fn scan(text: &str) -> Vec<Finding> {
    super::scan(text, TextKind::Data)
}

/// A text that is not code, with markers in place of its secrets.
fn masked(text: &str) -> String {
    masked_as(text, TextKind::Data)
}

fn masked_as(text: &str, kind: TextKind) -> String {
    let nobody = |_: &Fingerprint| false;
    redact(text, kind, &nobody).map_or_else(|| text.to_owned(), |redacted| redacted.text)
}

#[test]
fn every_rule_compiles_and_is_led_to() {
    let rules = Rules::get();
    for rule in &rules.rules {
        rule.check().unwrap();
    }
    let given = nosecrets_rules::load_builtin_rules().unwrap();
    assert!(given.len() >= 50, "the rules of the crate are read");
    let by_code = "private-key generic-api-key generic-secret password-assignment basic-auth postgres-connection-uri \
         mysql-connection-uri mongodb-connection-uri redis-connection-uri mssql-connection-uri";
    for rule in &given {
        let is_known = rules.rules.iter().any(|known| known.id == rule.id) || has_word(by_code, &rule.id);
        assert!(is_known, "{} is neither used nor done by code of ours", rule.id);
    }
    // Short words would be met everywhere.
    assert!(rules.meant.iter().all(|word| word.text.len() >= 3 || word.is_exact), "{:?}", rules.meant);
}

#[test]
fn another_rule_set_is_another_version() {
    // When this fails, raise VERSION: what was found clean before may not be.
    let given = nosecrets_rules::load_builtin_rules().unwrap();
    let all: Vec<String> = given.iter().map(|rule| format!("{rule:?}")).collect();
    let rows: Vec<String> = super::rows::rows().map(|(start, row)| format!("{}{start}{}", row.id, row.rest)).collect();
    let print = crate::ContentHash::of(all.concat() + &rows.concat()).short();
    insta::assert_snapshot!(format!("{} {print}", super::VERSION));
}

#[test]
fn private_keys_keep_their_lines() {
    let body = "MIIEvQIBADANBgkqhkiG9w0BAQEFAASCBKcwggSjAgEAAoIBAQCZUyhpNIZvpLml\nwFxT7e89xIJAGpKhBe86c+qMiqIYEP32r2FIBVt+gNu1Qq8x/n\n";
    let key = format!("before\n-----BEGIN RSA PRIVATE KEY-----\n{body}-----END RSA PRIVATE KEY-----\nafter\n");
    insta::assert_snapshot!(masked(&key));
    insta::assert_snapshot!(masked(&key.replace('\n', "\r\n")).replace('\r', "␍"));
    let diff: String = key.lines().map(|line| format!("+{line}\n")).collect();
    insta::assert_snapshot!(masked(&diff));
    insta::assert_snapshot!(masked(&format!("{{\"key\": {:?}}}", key.trim())));
    insta::assert_snapshot!(masked(
        "-----BEGIN OPENSSH PRIVATE KEY-----\nb3BlbnNzaC1rZXktdjEAAAAABG5vbmUAAAAEbm9uZQ\nQyNTUxOQAAACDtt1DH8tXyLMzGtDCWUF\n\nand it was cut off\n"
    ));
    insta::assert_snapshot!(masked("-----BEGIN PRIVATE KEY-----\n...\n-----END PRIVATE KEY-----\n"));
}

#[test]
fn names_give_values_away() {
    let all = "\
password = \"kT9#mWq2!x\"
\"token\": \"aB3dE6gH9jK2mN5pQ8sT1vW4\",
API_KEY=9f86d081884c7d659a2feaa0c55ad015
client_secret: k9Lm2Nq7Rt4Vx8Zb3Cf6Hj1Pw5Sy0Ad2
<password>Tr0ub4dor&amp;3</password>
mysql --password=Xk29fLq8Wm db
curl -H \"Authorization: Bearer 4f7Jk2Lm9Qx8Zb3Cf6Hj1Pw5Sy\"
Authorization: Basic YWRtaW46WGsyOWZMcThXbQ==
const char *db_password = \"Zx7!kPq0mN\";
let access_token: &str = \"p0Kd8Jw3Nz6Rt1Vb5Xc9Hf2Q\";
https://example.org/?access_token=p0Kd8Jw3Nz6Rt1Vb5Xc9Hf2Q&x=1
AccountKey=Eby8vdM02xNOcqFlqUwJPLlmEtlCDXJ1OUzFT50uSRZ6IFsuFq2UVErCz4I6tq/K1SZFPTOtr/KBHBeksoGMGw==;
postgres://app:Xk29fLq8@db.internal:5432/app
https://x-access-token:p0Kd8Jw3Nz6Rt1Vb5Xc9Hf2Q@github.com/a/b
";
    insta::assert_snapshot!(masked(all));
}

#[test]
fn the_same_secret_is_known_by_the_same_fingerprint() {
    let token = "ghp_16C7e42F292c6912E7710c838347Ae178B4a";
    let found: Vec<_> = [format!("a {token} b"), format!("token = '{token}'"), format!("\n\n{token}")]
        .iter()
        .flat_map(|text| scan(text))
        .collect();
    assert_eq!(found.len(), 3);
    assert!(found.iter().all(|finding| finding.fingerprint == Fingerprint::of(token)));
    assert_eq!(found.iter().map(|finding| finding.line).collect::<Vec<_>>(), [1, 1, 3]);
    assert_eq!(Fingerprint::parse(&Fingerprint::of(token).to_string()), Some(Fingerprint::of(token)));
    assert_eq!(Fingerprint::parse("+123456789abcdef"), None);
    assert_eq!(Fingerprint::parse("12"), None);
    let allowed = |print: &Fingerprint| *print == Fingerprint::of(token);
    assert_eq!(redact(&format!("{token} {token}"), TextKind::Data, &allowed), None);
}

#[test]
fn a_value_is_masked_wherever_it_stands_again() {
    let text = "api_key = \"p0Kd8Jw3Nz6Rt1Vb5Xc9Hf2Q\"\nprint('p0Kd8Jw3Nz6Rt1Vb5Xc9Hf2Q')\n";
    insta::assert_snapshot!(masked(text));
}
