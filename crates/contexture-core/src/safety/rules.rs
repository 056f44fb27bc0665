//! The rule set: the rules of the rule crate and our own rows, with the words that give each away, in one automaton.
//!
//! Made once for a process and only when there is something to scan. Patterns are compiled when their words are met for the first time.

use super::calls::{BEHIND, CALLS};
use super::command::{self, COMMANDS};
use super::names::{EXACT, NAMES, Name};
use super::read::RuleMatch;
use super::rows::{Row, reaches_back, rows};
use super::{Severity, address, assignment, block, header, value};
use aho_corasick::dfa::DFA;
use aho_corasick::{MatchKind, StartKind};
use nosecrets_rules::{Rule as Given, load_builtin_rules};
use regex_automata::meta::Regex;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input};
use std::ops::Range;
use std::sync::{LazyLock, OnceLock};

/// Raised when what is found may change: rows, filters, or the version of the rule crate. What was scanned before is scanned again then.
pub const VERSION: u32 = 5;

pub(super) struct Rules {
    pub words: DFA,
    /// For each word of the automaton.
    pub meant: Vec<Word>,
    pub rules: Vec<Rule>,
}

/// A word that gives something away.
#[derive(Clone, Copy, Debug)]
pub(super) struct Word {
    pub text: &'static str,
    /// Only in this case.
    pub is_exact: bool,
    pub leads_to: Lead,
}

#[derive(Clone, Copy, Debug)]
pub(super) enum Lead {
    /// A place in the list of rules.
    Rule(usize),
    /// A name of a secret: what is assigned to it is looked at.
    Name(Name),
    /// A form with a reader of its own, how bad it would be if it left, and whether it has a shape of its own.
    Form(fn(&str, Range<usize>) -> RuleMatch, Severity, bool),
    /// A call, and which of its arguments is a secret.
    Call(usize, Name),
    /// The next word is a password; whether without quotes, too.
    Behind(bool),
    /// `INSERT INTO`: columns and their values.
    Insert,
    /// A private key: as a block, or as the private lines of PuTTY.
    Key(fn(&str, Range<usize>) -> Option<Range<usize>>),
    /// A block as base64.
    Encoded,
    /// A key as JSON.
    Jwk,
}

/// A rule with a pattern.
pub(super) struct Rule {
    pub id: &'static str,
    pub severity: Severity,
    pattern: String,
    compiled: OnceLock<Option<Regex>>,
    capture: usize,
    place: MatchStart,
    given: Option<Given>,
    allow: OnceLock<Vec<Regex>>,
}

/// Where the pattern is tried.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum MatchStart {
    /// Right where the word stands, or so many bytes before it.
    Here { back: usize },
    /// Around the word.
    Around,
}

/// Of the text around a word: rules that need more context than this have none. A line of settings is shorter.
const BEFORE: usize = 120;
const AFTER: usize = 400;

static RULES: LazyLock<Rules> = LazyLock::new(Rules::new);

impl Rules {
    pub fn get() -> &'static Self {
        &RULES
    }

    fn new() -> Self {
        let mut rules = Vec::new();
        let mut meant = Vec::new();
        for (start, row) in rows() {
            let lead = Lead::Rule(rules.len());
            meant.push(Word { text: start, is_exact: true, leads_to: lead });
            rules.push(Rule::of_row(start, row));
        }
        // The rules are part of the program: a test reads them all.
        for given in load_builtin_rules().unwrap_or_default() {
            let lead = Lead::Rule(rules.len());
            let Some(wired) = lead_of_rule(&given.id) else {
                let words = given.keywords.iter().map(|word| &*word.clone().leak());
                meant.extend(words.map(|text| Word { text, is_exact: false, leads_to: lead }));
                rules.push(Rule::new(given));
                continue;
            };
            if let RuleLead::By(words, is_exact) = wired {
                meant.extend(words.iter().map(|text| Word { text, is_exact, leads_to: lead }));
                rules.push(Rule::new(given));
            }
        }
        for (words, is_exact) in [(NAMES, false), (EXACT, true)] {
            let word = |name: Name| move |text: &&'static str| Word { text, is_exact, leads_to: Lead::Name(name) };
            words.iter().for_each(|(name, words)| meant.extend(words.iter().map(word(*name))));
        }
        let plain = |text, leads_to| Word { text, is_exact: false, leads_to };
        let form = |reader, severity| Lead::Form(reader, severity, false);
        meant.push(plain("://", Lead::Form(address::credentials, Severity::High, true)));
        meant.extend(["@tcp(", "@unix("].map(|text| plain(text, Lead::Form(address::dsn, Severity::High, true))));
        meant.push(plain("authorization", form(header::authorization, Severity::High)));
        meant.push(plain("insert into ", Lead::Insert));
        let pairs = ["\"auth\"", "\\\"auth\\\"", "_auth", "'auth'"];
        meant.extend(pairs.map(|text| plain(text, form(header::pair, Severity::High))));
        let phrases = ["mnemonic", "seed_phrase", "seedphrase", "seed phrase", "recovery_phrase"];
        meant.extend(phrases.map(|text| plain(text, form(assignment::phrase, Severity::Critical))));
        let exact = |text, leads_to| Word { text, is_exact: true, leads_to };
        meant.extend(CALLS.iter().map(|(text, nth, name)| exact(text, Lead::Call(*nth, *name))));
        meant.extend(BEHIND.iter().map(|(text, is_bare)| plain(text, Lead::Behind(*is_bare))));
        meant.extend(["bearer ", "basic "].map(|text| plain(text, form(header::behind_scheme, Severity::High))));
        meant.extend(["-u ", "--user ", "--user="].map(|text| exact(text, form(command::user, Severity::High))));
        meant.extend(COMMANDS.iter().map(|known| exact(known.name, form(command::password, Severity::High))));
        meant.push(exact("PRIVATE KEY", Lead::Key(block::key)));
        meant.push(exact("LS0tLS1CRUdJTi", Lead::Encoded));
        meant.push(exact("Private-Lines: ", Lead::Key(block::putty)));
        meant.push(exact("\"kty\"", Lead::Jwk));
        let words = DFA::builder()
            .match_kind(MatchKind::Standard)
            .start_kind(StartKind::Unanchored)
            .ascii_case_insensitive(true)
            .prefilter(false)
            .build(meant.iter().map(|word| word.text));
        // Far below the limits of the automaton; without one, nothing would be found, and tests would say so.
        let words = words.unwrap_or_else(|error| unreachable!("some hundred words: {error}"));
        Self { words, meant, rules }
    }
}

/// What becomes of a rule of the crate whose words are too common to look for, or that is done otherwise here.
enum RuleLead {
    By(&'static [&'static str], bool),
    /// By code of ours, under the same id.
    Elsewhere,
}

fn lead_of_rule(id: &str) -> Option<RuleLead> {
    use RuleLead::{By, Elsewhere};
    let wired = match id {
        "aws-access-key" => By(&["AKIA", "ABIA", "ACCA", "ASIA"], true),
        "aws-secret-key" => By(&["aws_secret", "aws-secret", "awssecret", "aws.secret", "aws_s3_secret"], false),
        "azure-storage-key" => {
            By(&["accountkey", "account_key", "account-key", "storagekey", "storage_key", "storage-key"], false)
        }
        "cloudflare-origin-ca-key" => By(&["v1.0-"], false),
        "gcp-api-key" => By(&["AIza"], true),
        "sendgrid-api-key" => By(&["SG."], true),
        "twilio-api-key" => By(
            &[
                "SK0", "SK1", "SK2", "SK3", "SK4", "SK5", "SK6", "SK7", "SK8", "SK9", "SKa", "SKb", "SKc", "SKd",
                "SKe", "SKf",
            ],
            true,
        ),
        "mailchimp-api-key" => By(&["-us1", "-us2", "-us3", "-us4", "-us5", "-us6", "-us7", "-us8", "-us9"], true),
        "mailgun-api-key" => By(&["key-"], true),
        "jdbc-password-param" => By(&["jdbc:"], false),
        "render-api-key" => By(&["render_api", "render-api", "renderapi", "render_token", "render-token"], false),
        "supabase-anon-key" | "supabase-service-role-key" => By(&["supabase"], false),
        "netlify-access-token" => By(&["netlify"], false),
        "vercel-token" => By(&["vercel"], false),
        "railway-token" => By(&["railway"], false),
        "paypal-client-secret" => By(&["paypal"], false),
        "twilio-auth-token" => By(&["twilio"], false),
        "flyio-access-token" => By(&["fo1_", "fm1a_", "fm1r_", "fm2_"], true),
        "private-key" | "generic-api-key" | "generic-secret" | "password-assignment" | "basic-auth" => Elsewhere,
        id if id.ends_with("-connection-uri") => Elsewhere,
        _ => return None,
    };
    Some(wired)
}

impl Rule {
    fn of_row(start: &str, row: &Row) -> Self {
        let back = reaches_back(row.id);
        // What stands before the word is part of the token: any of its characters, as many as there are.
        let before = if back > 0 { format!("[A-Za-z0-9_~.]{{0,{back}}}") } else { String::new() };
        let start: String =
            start.chars().flat_map(|c| if c.is_ascii_alphanumeric() { vec![c] } else { vec!['\\', c] }).collect();
        // Where a token ends at a border, an underscore is one: `TOKEN_old` is a token with something behind it.
        let pattern = match row.rest.strip_suffix(r"\b") {
            Some(rest) => format!("({before}{start}{rest}){BORDER}"),
            None => format!("({before}{start}{})", row.rest),
        };
        Self {
            id: row.id,
            severity: row.severity,
            pattern,
            compiled: OnceLock::new(),
            capture: 1,
            place: MatchStart::Here { back },
            given: None,
            allow: OnceLock::new(),
        }
    }

    fn new(given: Given) -> Self {
        Self {
            id: given.id.clone().leak(),
            severity: given.severity.into(),
            pattern: with_borders(&given.pattern),
            compiled: OnceLock::new(),
            capture: given.capture,
            place: MatchStart::Around,
            given: Some(given),
            allow: OnceLock::new(),
        }
    }

    fn regex(&self) -> Option<&Regex> {
        self.compiled.get_or_init(|| compile(&self.pattern).ok()).as_ref()
    }

    /// Whether the pattern can be used; for the test that reads them all.
    #[cfg(test)]
    pub fn check(&self) -> Result<(), String> {
        compile(&self.pattern)?;
        let mut allow = self.given.iter().filter_map(|given| given.allow.as_ref()).flat_map(|allow| &allow.patterns);
        allow.try_for_each(|pattern| compile(pattern).map(drop))
    }

    /// The values this rule finds around a word at `word`, in order.
    pub fn find(&self, text: &str, word: Range<usize>, mut found: impl FnMut(Range<usize>)) {
        let Some(regex) = self.regex() else { return };
        let bytes = text.as_bytes();
        let (span, anchored) = match self.place {
            MatchStart::Here { back } => {
                let longest = if self.id == "json-web-token" { LONGEST_IN_PARTS } else { LONGEST };
                let is_part = |byte: u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'~' | b'.');
                let before = bytes[..word.start].iter().rev().take(back).take_while(|byte| is_part(**byte)).count();
                let start = word.start - before;
                // A token does not begin in the middle of a word; an underscore ends one.
                let goes_on = |at: usize| bytes[at].is_ascii_alphanumeric();
                if start > 0 && back == 0 && goes_on(start - 1) && goes_on(start) {
                    return;
                }
                (start..bytes.len().min(word.end + longest), Anchored::Yes)
            }
            MatchStart::Around => (word.start.saturating_sub(BEFORE)..bytes.len().min(word.end + AFTER), Anchored::No),
        };
        let mut slots = vec![None; 2 * (self.capture + 1)];
        let mut at = span.start;
        while at < span.end {
            let input = Input::new(bytes).range(at..span.end).anchored(anchored);
            if regex.search_slots(&input, &mut slots).is_none() {
                return;
            }
            let whole = slots[1].map_or(span.end, |end| end.get());
            if let (Some(start), Some(end)) = (slots[2 * self.capture], slots[2 * self.capture + 1]) {
                let range = whole_characters(text, start.get()..end.get());
                if let Some(range) = range.filter(|range| self.is_meant(&text[range.clone()])) {
                    // Only what is a secret is followed to its end: words inside of it are not looked at again.
                    found(range.start..value_end(bytes, range.end, span.end));
                }
            }
            if anchored == Anchored::Yes {
                return;
            }
            at = whole.max(at + 1);
        }
    }

    /// Whether the value is one: by what the rule itself demands and allows, and by what is no secret anywhere.
    fn is_meant(&self, found: &str) -> bool {
        if value::is_sham(found) || self.id == "jdbc-password-param" && !value::is_password(found) {
            return false;
        }
        let Some(given) = &self.given else { return true };
        if let Some(wanted) = &given.validate {
            let starts =
                wanted.prefix.is_empty() || wanted.prefix.iter().any(|start| found.starts_with(start.as_str()));
            let length = found.len();
            let fits = wanted.length.is_none_or(|wanted| wanted == length)
                && wanted.min_length.is_none_or(|least| length >= least)
                && wanted.max_length.is_none_or(|most| length <= most);
            if !starts || !fits {
                return false;
            }
            // Without a beginning of its own, only chance tells a value from a name.
            if wanted.prefix.is_empty() && !value::is_random(found, 16) && self.id != "heroku-api-key" {
                return false;
            }
        }
        if given.allow.as_ref().is_some_and(|allow| allow.values.iter().any(|value| value == found)) {
            return false;
        }
        let compiled = || {
            let patterns = given.allow.iter().flat_map(|allow| &allow.patterns);
            patterns.filter_map(|pattern| compile(pattern).ok()).collect()
        };
        !self.allow.get_or_init(compiled).iter().any(|regex| regex.is_match(found.as_bytes()))
    }
}

/// Where a token begins and ends: letters and digits go on, an underscore does not. It is no part of what is found.
const BORDER: &str = r"(?:\b|_)";

/// The rules of the crate take an underscore for a letter, so that `TOKEN_ghp_…` would be one word.
fn with_borders(pattern: &str) -> String {
    let Some(rest) = pattern.strip_prefix(r"\b(") else { return pattern.to_owned() };
    match rest.strip_suffix(r")\b") {
        Some(token) => format!("{BORDER}({token}){BORDER}"),
        None => format!("{BORDER}({rest}"),
    }
}

/// Tokens of known shapes are shorter; a longer one goes on by its characters. Those with parts are looked at as a whole.
const LONGEST: usize = 320;
const LONGEST_IN_PARTS: usize = 4096;

/// A value that reaches the end of what was looked at goes on as long as its characters do.
fn value_end(bytes: &[u8], end: usize, looked: usize) -> usize {
    if end < looked {
        return end;
    }
    let is_part = |byte: &&u8| byte.is_ascii_alphanumeric() || matches!(byte, b'+' | b'/' | b'=' | b'_' | b'.' | b'-');
    end + bytes[end..].iter().take_while(is_part).count()
}

/// By bytes: what is not ASCII is none of the patterns' business. Time is linear in what is looked at, whatever the pattern.
fn compile(pattern: &str) -> Result<Regex, String> {
    Regex::builder()
        .syntax(syntax::Config::new().unicode(false).utf8(false))
        .configure(
            Regex::config()
                .utf8_empty(false)
                .nfa_size_limit(Some(64 << 20))
                .onepass(false)
                .dfa(false)
                .hybrid(false)
                .auto_prefilter(false),
        )
        .build(pattern)
        .map_err(|error| format!("{pattern}: {error}"))
}

/// A range widened to whole characters; `None` when there is nothing in it.
pub(super) fn whole_characters(text: &str, range: Range<usize>) -> Option<Range<usize>> {
    let range = text.floor_char_boundary(range.start)..text.ceil_char_boundary(range.end);
    (!range.is_empty()).then_some(range)
}

impl From<nosecrets_rules::Severity> for Severity {
    fn from(given: nosecrets_rules::Severity) -> Self {
        match given {
            nosecrets_rules::Severity::Critical => Self::Critical,
            nosecrets_rules::Severity::High => Self::High,
            nosecrets_rules::Severity::Medium => Self::Medium,
            nosecrets_rules::Severity::Low => Self::Low,
        }
    }
}
