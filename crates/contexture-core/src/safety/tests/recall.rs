//! Recall: keys of every kind, drawn at random, in every place a key stands in.

use super::super::rows::rows;
use super::scan;

/// A small generator, so that the corpus is the same in every run.
pub(super) struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self, below: usize) -> usize {
        self.0 = self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % below
    }

    pub fn word(&mut self, alphabet: &str, length: usize) -> String {
        let letters: Vec<char> = alphabet.chars().collect();
        (0..length).map(|_| letters[self.next(letters.len())]).collect()
    }
}

pub(super) const ALNUM: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789";
pub(super) const HEX: &str = "0123456789abcdef";
const UPPER: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789";
const BASE32: &str = "ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Each kind of key with a shape of its own.
fn shaped(dice: &mut Dice) -> Vec<(&'static str, String)> {
    let mut all: Vec<(&'static str, String)> = Vec::new();
    let mut put = |id, key: String| all.push((id, key));
    put("aws-access-key", format!("AKIA{}", dice.word(BASE32, 16)));
    put("gcp-api-key", format!("AIza{}", dice.word(ALNUM, 35)));
    put("github-pat", format!("ghp_{}", dice.word(ALNUM, 36)));
    put("github-fine-grained-pat", format!("github_pat_{}", dice.word(ALNUM, 82)));
    put("github-oauth", format!("gho_{}", dice.word(ALNUM, 36)));
    put("npm-token", format!("npm_{}", dice.word(ALNUM, 36)));
    put("pypi-token", format!("pypi-AgEIcHlwaS5vcmc{}", dice.word(ALNUM, 70)));
    put(
        "slack-token",
        format!("xoxb-{}-{}-{}", dice.word("0123456789", 12), dice.word("0123456789", 12), dice.word(ALNUM, 24)),
    );
    put(
        "slack-webhook",
        format!(
            "https://hooks.slack.com/services/T{}/B{}/{}",
            dice.word(UPPER, 9),
            dice.word(UPPER, 9),
            dice.word(ALNUM, 24)
        ),
    );
    put("stripe-secret-key", format!("sk_live_{}", dice.word(ALNUM, 24)));
    put("sendgrid-api-key", format!("SG.{}.{}", dice.word(ALNUM, 22), dice.word(ALNUM, 43)));
    put("twilio-api-key", format!("SK{}", dice.word(HEX, 32)));
    put("mailgun-api-key", format!("key-{}", dice.word(HEX, 32)));
    put("digitalocean-token", format!("dop_v1_{}", dice.word(HEX, 64)));
    put("square-access-token", format!("sq0atp-{}", dice.word(ALNUM, 22)));
    put("anthropic-api-key", format!("sk-ant-api03-{}", dice.word(ALNUM, 93)));
    put("openai-api-key", format!("sk-proj-{}", dice.word(ALNUM, 74)));
    put("llm-api-key", format!("sk-{}", dice.word(ALNUM, 48)));
    put("llm-api-key", format!("sk-{}", dice.word(HEX, 32)));
    put("openrouter-api-key", format!("sk-or-v1-{}", dice.word(HEX, 64)));
    put("xai-api-key", format!("xai-{}", dice.word(ALNUM, 80)));
    put("groq-api-key", format!("gsk_{}", dice.word(ALNUM, 52)));
    put("huggingface-token", format!("hf_{}", dice.word(ALNUM, 34)));
    put("replicate-api-token", format!("r8_{}", dice.word(ALNUM, 37)));
    put("perplexity-api-key", format!("pplx-{}", dice.word(ALNUM, 48)));
    put("gitlab-token", format!("glpat-{}", dice.word(ALNUM, 20)));
    put("gitlab-token", format!("glpat-{}.01.{}", dice.word(ALNUM, 27), dice.word(HEX, 9)));
    put("databricks-token", format!("dapi{}", dice.word(HEX, 32)));
    put("vault-token", format!("hvs.{}", dice.word(ALNUM, 90)));
    put("docker-token", format!("dckr_pat_{}", dice.word(ALNUM, 27)));
    put("rubygems-token", format!("rubygems_{}", dice.word(HEX, 48)));
    put("shopify-token", format!("shpat_{}", dice.word(HEX, 32)));
    put("linear-api-key", format!("lin_api_{}", dice.word(ALNUM, 40)));
    put("newrelic-key", format!("NRAK-{}", dice.word(UPPER, 27)));
    put("grafana-token", format!("glsa_{}_{}", dice.word(ALNUM, 32), dice.word(HEX, 8)));
    put("telegram-bot-token", format!("{}:AA{}", dice.word("123456789", 10), dice.word(ALNUM, 33)));
    put("azure-client-secret", format!("{}8Q~{}", dice.word(ALNUM, 3), dice.word(ALNUM, 34)));
    put("json-web-token", format!("eyJhbGciOiJIUzI1NiJ9.eyJ{}.{}", dice.word(ALNUM, 40), dice.word(ALNUM, 43)));
    put("age-secret-key", format!("AGE-SECRET-KEY-1{}", dice.word("QPZRY9X8GF2TVDW0S3JN54KHCE6MUA7L", 58)));
    put("tailscale-key", format!("tskey-auth-{}-{}", dice.word(ALNUM, 12), dice.word(ALNUM, 32)));
    put("supabase-access-token", format!("sbp_{}", dice.word(HEX, 40)));
    put("doppler-token", format!("dp.pt.{}", dice.word(ALNUM, 43)));
    put(
        "discord-webhook",
        format!("https://discord.com/api/webhooks/{}/{}", dice.word("123456789", 18), dice.word(ALNUM, 68)),
    );
    put("nvidia-api-key", format!("nvapi-{}", dice.word(ALNUM, 64)));
    put("figma-token", format!("figd_{}", dice.word(ALNUM, 40)));
    put("sentry-token", format!("sntryu_{}", dice.word(HEX, 64)));
    all
}

/// Each kind of value that only a name gives away.
fn named(dice: &mut Dice) -> Vec<(&'static str, String)> {
    vec![
        ("db_password", format!("{}#{}!", dice.word(ALNUM, 6), dice.word(ALNUM, 5))),
        ("PASSWORD", dice.word(ALNUM, 14)),
        ("client_secret", dice.word(ALNUM, 32)),
        ("secret_key", dice.word(ALNUM, 50)),
        ("api_key", dice.word(HEX, 32)),
        ("API_KEY", dice.word(ALNUM, 24)),
        ("access_token", dice.word(ALNUM, 40)),
        ("auth_token", dice.word(HEX, 40)),
        ("apiKey", dice.word(ALNUM, 28)),
        ("aws_secret_access_key", dice.word("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/", 40)),
        ("refresh_token", format!("1//{}", dice.word(ALNUM, 60))),
        ("private_key", dice.word(HEX, 64)),
    ]
}

/// Where a value stands behind a name.
const PLACES: &[&str] = &[
    "{name} = \"{value}\"",
    "{name} = '{value}'",
    "{name}: {value}",
    "{name}: \"{value}\"",
    "{name}={value}",
    "export {name}={value}",
    "\"{name}\": \"{value}\",",
    "{\\\"{name}\\\": \\\"{value}\\\"}",
    "'{name}' => '{value}',",
    "<{name}>{value}</{name}>",
    "config[\"{name}\"] = \"{value}\";",
    "{name} := `{value}`",
    "let {name}: &str = \"{value}\";",
    "-e {name}={value} image",
    "https://host.internal/path?{name}={value}&page=2",
    "+    {name} = \"{value}\"",
    "#define {name} \"{value}\"",
    "set {name} \"{value}\"",
];

/// Places of a password that were missed once: where its name and its value are told apart, and in commands.
const APART: &[&str] = &[
    "env:\n  - name: DB_PASSWORD\n    value: \"{value}\"\n",
    "- name: DB_PASSWORD\r\n  value: {value}\r\n",
    "- { name: DB_PASSWORD, value: \"{value}\" }",
    "{\n  \"name\": \"DB_PASSWORD\",\n  \"value\": \"{value}\"\n}",
    "ParameterKey=DBPassword,ParameterValue={value}",
    "<add key=\"Password\" value=\"{value}\"/>",
    "<property name=\"db.password\" value=\"{value}\" />",
    "FROM scratch\nENV DB_PASSWORD {value}\n",
    "variable \"db_password\" { default = \"{value}\" }",
    "variable \"db_password\" {\n  type        = string\n  description = \"of the default user\"\n  default     = \"{value}\"\n}\n",
    "password: |\n  {value}\n",
    "db:\n  password: >-\n    {value}\n  port: 1\n",
    "machine host.internal login me password {value}",
    "machine host.internal\n  login me\n  password {value}\n",
    "default login me password {value}",
    "curl -u admin:{value} https://host.internal",
    "curl -s \\\n  --user 'admin:{value}' \\\n  https://host.internal",
    "mysql -u root -p{value} db",
    "mysqldump -uroot -p'{value}' db > all.sql",
    "sshpass -p {value} ssh me@host.internal",
    "config.setPassword(\"{value}\");",
    "builder.with_password('{value}')",
    "builder.password(\"{value}\")",
    "postgres://admin:{value}@db.example.com",
    "postgres://admin:{value}@counterexample.com/db",
    "postgres://admin:{value}@example.com/db",
];

#[test]
fn passwords_apart_from_their_names_are_found() {
    let mut dice = Dice(20_261_118);
    for place in APART {
        for _ in 0..20 {
            let value = format!("{}7{}k2{}", dice.word(ALNUM, 5), dice.word(ALNUM, 4), dice.word(ALNUM, 5));
            let text = place.replace("{value}", &value);
            let found: Vec<&str> = scan(&text).into_iter().map(|finding| &text[finding.range]).collect();
            assert_eq!(found, [value.as_str()], "{text}");
        }
    }
}

#[test]
fn an_underscore_is_no_part_of_a_token() {
    let mut dice = Dice(20_261_119);
    // Of these an underscore may be a part.
    let goes_on = |key: &str, finding: &str| finding.strip_suffix("_old") == Some(key);
    let (mut planted, mut missed) = (0, Vec::new());
    for (id, key) in shaped(&mut dice).into_iter().filter(|(_, key)| !key.starts_with("https://")) {
        for text in [format!("\"TOKEN_{key}\""), format!("w_{key}.txt"), format!("1_{key}_old")] {
            planted += 1;
            let is_found = scan(&text).iter().any(|finding| {
                let found = &text[finding.range.clone()];
                found.contains(&key) || goes_on(&key, found)
            });
            if !is_found {
                missed.push(format!("{id}: {text}"));
            }
        }
    }
    assert!(missed.is_empty(), "{} of {planted}: {missed:#?}", missed.len());
}

#[test]
fn keys_of_all_kinds_are_found_in_all_places() {
    let mut dice = Dice(20_261_117);
    let (mut planted, mut found, mut missed) = (0, 0, Vec::new());
    for _ in 0..4 {
        let mut cases: Vec<(String, String)> = Vec::new();
        for (id, key) in shaped(&mut dice) {
            cases.push((format!("{id} alone"), key.clone()));
            cases.extend(
                PLACES.iter().map(|place| {
                    (format!("{id} in {place}"), place.replace("{name}", "value").replace("{value}", &key))
                }),
            );
            cases.extend(
                [
                    format!("see {key}, please"),
                    format!("({key})"),
                    format!("curl -u {key}: https://api"),
                    format!("| a | {key} |"),
                ]
                .map(|text| (id.to_owned(), text)),
            );
            for (what, text) in cases.drain(..) {
                planted += 1;
                let secret = key.trim_start_matches("https://hooks.slack.com/services/");
                let is_found =
                    scan(&text).iter().any(|finding| text[finding.range.clone()].contains(&secret[secret.len() / 2..]));
                if is_found { found += 1 } else { missed.push(format!("{what}: {text}")) }
            }
        }
        for (name, value) in named(&mut dice) {
            for place in PLACES {
                let text = place.replace("{name}", name).replace("{value}", &value);
                planted += 1;
                let is_found = scan(&text).iter().any(|finding| text[finding.range.clone()].contains(&value));
                if is_found { found += 1 } else { missed.push(text) }
            }
        }
    }
    assert!(planted >= 4_000, "{planted}");
    let recall = f64::from(found) / f64::from(planted);
    assert!(recall >= 0.95, "{recall:.3} of {planted}; missed for example {:#?}", &missed[..missed.len().min(60)]);
}

#[test]
fn every_row_finds_its_own() {
    // A row whose pattern cannot match what it begins with would never be missed otherwise.
    let mut dice = Dice(7);
    let met: std::collections::BTreeSet<&str> =
        shaped(&mut dice).into_iter().flat_map(|(_, key)| scan(&key)).map(|finding| finding.rule).collect();
    assert!(met.len() >= 38, "{met:?}");
    assert!(rows().count() >= 90);
}
