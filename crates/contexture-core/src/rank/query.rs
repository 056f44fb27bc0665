//! What a task says: its words, and the names, paths and frames it quotes.
//!
//! Takes the text of a bug report, a wish, a traceback or a question; gives a [`Query`]. Reads only the text; what of it the
//! project has is found out by the ranking.

use super::frames::{self, Frame};
use super::terms::{self, Term};
use std::collections::{BTreeMap, BTreeSet};

/// What a task says, taken apart once and asked of every file.
#[derive(Clone, Debug, Default)]
pub struct Query {
    /// Words with their weight, sorted.
    pub terms: Vec<(Term, f32)>,
    /// How often each of them stands in the first line, in the text, and in code.
    pub zones: Vec<[f32; 3]>,
    /// Two words that follow each other, with their weight.
    pub pairs: BTreeMap<(Term, Term), f32>,
    /// Identifiers to the letter, with how much they look like names.
    pub names: BTreeMap<Term, f32>,
    /// Every word in small letters.
    pub stems: BTreeSet<String>,
    /// Names with their scopes, `a.b` as `["a", "b"]`, to the letter.
    pub dotted: Vec<Vec<Term>>,
    /// The same in small letters, as modules are compared with paths.
    pub modules: BTreeSet<String>,
    /// Everything that looks like a path, with `/`, without `./` before it.
    pub paths: BTreeSet<String>,
    pub frames: Vec<Frame>,
    /// Whether the task speaks of tests.
    pub of_tests: bool,
    /// The name that the task is, when it is nothing else: `parse`, `Reader::parse`, `reader.parse()`.
    pub only: Option<Term>,
}

/// How much is read of the beginning and of the end of a task: a log of megabytes says the same again, and its trace last.
const FIRST: usize = 48 * 1024;
const LAST: usize = 16 * 1024;

/// How much a word says by where it stands: measured as how much more often it stands in what a fix changes than elsewhere.
const TITLE: f32 = 2.0;
const INLINE: f32 = 1.6;
const PROSE: f32 = 1.0;
const CODE: f32 = 0.8;
const HEADING: f32 = 0.4;
/// A list of installed versions names many things that have nothing to do with the task.
const ENVIRONMENT: f32 = 0.15;

impl Query {
    /// Whether not all of a task is read.
    pub fn is_long(text: &str) -> bool {
        text.len() > FIRST + LAST
    }

    /// Takes the text of a task apart. Of a very long one ([`Query::is_long`]) the beginning and the end are read.
    pub fn parse(text: &str) -> Self {
        let cut = match Self::is_long(text) {
            true => [&text[..text.floor_char_boundary(FIRST)], &text[text.ceil_char_boundary(text.len() - LAST)..]]
                .join("\n"),
            false => String::new(),
        };
        let text = if cut.is_empty() { text } else { cut.as_str() };
        let mut query = Self::default();
        let mut weights: BTreeMap<Term, (f32, [f32; 3])> = BTreeMap::new();
        zones(text, |part, weight, zone| {
            let mut last = None;
            terms::words(part, |word| {
                if is_filler(word) {
                    return;
                }
                terms::word_terms(word, |term| {
                    let (sum, zones) = weights.entry(term).or_default();
                    *sum += weight;
                    zones[zone] += if weight > ENVIRONMENT { 1.0 } else { weight };
                });
                if word.len() > 1 && !is_file_name(part, word) {
                    let looks = if terms::is_compound(word) {
                        1.0
                    } else if word.len() > 6 {
                        0.7
                    } else {
                        0.4
                    };
                    let said = query.names.entry(terms::exact(word)).or_insert(0.0f32);
                    *said = said.max(looks * weight);
                    query.stems.insert(word.to_ascii_lowercase());
                }
                terms::plain_terms(word, |term| {
                    if let Some(last) = last.replace(term) {
                        *query.pairs.entry((last, term)).or_default() += weight;
                    }
                });
            });
        });
        // A word said ten times is not ten times as important.
        query.zones = weights.values().map(|(_, zones)| zones.map(|times| times.ln_1p())).collect();
        query.terms = weights.into_iter().map(|(term, (times, _))| (term, 1.0 + times.ln_1p())).collect();
        for word in text.split(|c: char| c.is_whitespace() || "`'\"(),;<>[]{}=|*!?".contains(c)) {
            query.read_word(word.trim_matches(['.', ':', '~', '@']));
        }
        query.frames = frames::read(text);
        query.only = only_name(text);
        query.of_tests = {
            let mut any = false;
            terms::words(text, |word| {
                any |= matches!(word.to_ascii_lowercase().as_str(), "test" | "tests" | "testing")
            });
            any
        };
        query
    }

    /// A word between spaces: a path, or a name with its scopes.
    fn read_word(&mut self, word: &str) {
        if word.len() < 3 || word.len() > 300 {
            return;
        }
        let slashed = word.replace('\\', "/");
        // What stands behind a colon is a line number; `a::b` has none.
        let path = match slashed.split_once(':') {
            Some((path, rest)) if rest.starts_with(|c: char| c.is_ascii_digit()) => path,
            _ => &slashed,
        };
        let path = path.trim_start_matches("./").trim_start_matches('/');
        let last = path.rsplit('/').next().unwrap_or("");
        if let Some((stem, ending)) = last.rsplit_once('.')
            && !stem.is_empty()
            && (1..=5).contains(&ending.len())
            && ending.bytes().all(|byte| byte.is_ascii_alphanumeric())
            && ending.starts_with(|c: char| c.is_ascii_alphabetic())
        {
            self.paths.insert(path.to_owned());
        }
        let parts: Vec<&str> = slashed
            .split(['.', '/', '#'])
            .flat_map(|part| part.split("::"))
            .flat_map(|part| part.split("->"))
            .collect();
        let is_name =
            |part: &&str| !part.is_empty() && part.bytes().all(|byte| byte.is_ascii_alphanumeric() || byte == b'_');
        if parts.len() > 1 && parts.len() < 12 && parts.iter().all(is_name) {
            self.dotted.push(parts.iter().map(|part| terms::exact(part)).collect());
            self.modules.insert(parts.join("/").to_lowercase());
        }
    }
}

/// The last part of a name with its scopes, when the text is one.
fn only_name(text: &str) -> Option<Term> {
    let name = text.trim().trim_matches('`').trim_end_matches("()");
    let is_name = |c: char| c.is_alphanumeric() || "_.:#".contains(c);
    let last = name.rsplit(['.', ':', '#']).next().unwrap_or("");
    let is_file = contexture_syntax::language_of(name, "").is_some();
    (!last.is_empty() && !is_file && name.chars().all(is_name)).then(|| terms::exact(last))
}

/// Calls `found` with each part of a text and its weight: the first line, headings, code, what is quoted, and the rest.
fn zones<'t>(text: &'t str, mut found: impl FnMut(&'t str, f32, usize)) {
    let mut lines = text.lines().filter(|line| !line.trim().is_empty());
    found(lines.next().unwrap_or(""), TITLE, 0);
    let (mut code, mut comment, mut environment) = (false, false, false);
    for line in lines {
        let trimmed = line.trim();
        if trimmed.starts_with("```") || trimmed.starts_with("~~~") {
            code = !code;
            continue;
        }
        let is_heading = !code
            && (trimmed.starts_with('#')
                || (trimmed.starts_with("**") && trimmed.trim_end_matches(':').ends_with("**")));
        if is_heading {
            environment = is_of_environment(trimmed);
        }
        if (environment && !is_heading) || is_version(trimmed) {
            found(line, ENVIRONMENT, 1);
            continue;
        }
        if code || line.starts_with("    ") || line.starts_with('\t') || line.starts_with(">>>") {
            found(line, CODE, 2);
            continue;
        }
        // Forms that people fill in have remarks for them.
        comment |= trimmed.starts_with("<!--");
        if comment {
            comment = !trimmed.contains("-->");
            continue;
        }
        if is_heading {
            found(line, HEADING, 1);
            continue;
        }
        for (index, part) in line.split('`').enumerate() {
            found(part, if index % 2 == 1 { INLINE } else { PROSE }, 1);
        }
    }
}

/// Whether a heading announces what is installed where the problem was seen, and says nothing else but perhaps the name of a project.
fn is_of_environment(heading: &str) -> bool {
    let (mut announces, mut others) = (false, 0);
    terms::words(heading, |word| match word.to_ascii_lowercase().as_str() {
        "version" | "versions" | "environment" | "platform" | "installed" => announces = true,
        "and" | "your" | "info" | "information" | "system" | "operating" | "os" | "dependencies" | "packages" => {}
        _ => others += 1,
    });
    announces && others <= 1
}

/// `numpy: 1.21.0`, `- Python 3.8.5`, `pytest==6.2`: a name and its version, and little else.
fn is_version(line: &str) -> bool {
    let line = line.trim_start_matches(['-', '*', '|', ' ', '>']);
    let end = line.find(|c: char| !(c.is_alphanumeric() || "_-. ".contains(c))).unwrap_or(line.len());
    let number = line.find(|c: char| c.is_ascii_digit()).unwrap_or(line.len());
    let (name, rest) = line.split_at(end.min(number));
    if rest.starts_with('=') && !rest.starts_with("==") {
        // An assignment in code.
        return false;
    }
    let version = rest.trim_start_matches([':', '=', ' ', '`', '*', '@', 'v', '|', '~', '>', '<']);
    let digits = version.bytes().take_while(|byte| byte.is_ascii_digit() || *byte == b'.').count();
    let has_dot = version[..digits].trim_end_matches('.').contains('.');
    let words = |text: &str| text.split_whitespace().count();
    has_dot && !name.trim().is_empty() && words(name) <= 3 && words(&version[digits..]) <= 4
}

/// Whether a word is the stem of a file's name: `__init__` in `__init__.py`.
fn is_file_name(text: &str, word: &str) -> bool {
    let end = (word.as_ptr() as usize - text.as_ptr() as usize) + word.len();
    let Some(rest) = text.get(end..).and_then(|rest| rest.strip_prefix('.')) else { return false };
    let ending = rest.split(|c: char| !c.is_ascii_alphanumeric()).next().unwrap_or("");
    contexture_syntax::LANGUAGES.iter().any(|language| language.endings().any(|known| known == ending))
}

/// Words that say nothing about what is meant; sorted.
#[rustfmt::skip]
const FILLERS: &[&str] = &[
    "a", "about", "actual", "after", "all", "also", "an", "and", "any", "are", "as", "at", "be", "because", "been",
    "before", "behavior", "behaviour", "being", "bug", "but", "by", "can", "cannot", "causes", "code", "correct",
    "could", "currently", "described", "did", "do", "does", "doesn", "doing", "don", "down", "each", "else", "error",
    "etc", "even", "every", "example", "expect", "expected", "first", "fix", "following", "for", "from", "get",
    "gets", "getting", "give", "gives", "had", "has", "have", "having", "help", "here", "how", "however", "i", "if",
    "in", "instead", "into", "is", "isn", "issue", "it", "its", "just", "know", "like", "make", "makes", "may",
    "maybe", "me", "might", "more", "most", "much", "must", "my", "need", "needs", "new", "no", "not", "now", "of",
    "on", "one", "only", "or", "other", "our", "out", "over", "please", "possible", "problem", "python", "reproduce",
    "result", "results", "run", "running", "same", "see", "seems", "should", "since", "so", "some", "something",
    "still", "such", "than", "that", "the", "their", "them", "then", "there", "these", "they", "this", "to", "too",
    "tried", "try", "trying", "up", "use", "used", "using", "version", "very", "want", "was", "way", "we", "well",
    "were", "what", "when", "where", "whether", "which", "while", "who", "why", "will", "with", "without", "won",
    "work", "working", "works", "would", "wrong", "yes", "you", "your",
];

pub(super) fn is_filler(word: &str) -> bool {
    // None of them is longer.
    word.len() <= 10 && FILLERS.binary_search(&word.to_ascii_lowercase().as_str()).is_ok()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn lists_of_installed_versions_say_little() {
        let task = "Rounding is wrong\n\nThe sum of pillows is off.\n\n\
            - scipy: 1.4.1\n- distributed==2.10.0\npillows is at 1.5 of what it should be\n\n\
            ### Environment and Quilt version\nubuntu with a heavy kernel\n\n\
            ### System dependencies\nmattress = 0.5\nblankets too\n";
        let query = Query::parse(task);
        let of = |word: &str| {
            let term = terms::first(word);
            query.terms.iter().find(|(known, _)| *known == term).map_or(0.0, |(_, weight)| *weight)
        };
        for listed in ["scipy", "distributed", "ubuntu", "kernel"] {
            assert!(of(listed) < of("blankets") - 0.3, "{listed}: {} of {}", of(listed), of("blankets"));
        }
        assert!(of("pillows") > of("blankets"), "a sentence with a number in it is not a list of versions");
        assert!(of("mattress") >= of("blankets"), "an assignment is not a version");
    }
}
