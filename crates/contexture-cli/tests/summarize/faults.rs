//! A provider that fails in every way: a clear outcome, nothing kept that is no summary, and the key nowhere.

use crate::{KEY, assert_no_key, describe, env, kept, last, path_of, run, run_as};
use contexture_testkit::{Provider, Ran, Reply};
use insta::assert_snapshot;

/// One file, with everything logged.
fn once(more: &[&str], answer: impl Fn(usize) -> Reply + Send + Sync + 'static) -> (Ran, usize) {
    let env = env();
    let provider = Provider::start(move |_, nth| answer(nth));
    let ran = run(&env, &provider, &[&["a.md", "-vvv"], more].concat());
    assert!(!ran.stderr.contains(KEY) && !ran.stderr.contains(&KEY[8..24]), "{}", ran.stderr);
    assert!(!ran.stdout.contains(&KEY[8..24]));
    assert!(ran.stderr.contains("asking"), "{}", ran.stderr);
    assert_no_key(&env);
    let is_kept = !kept(&env).is_empty();
    assert_eq!(is_kept, ran.code == Some(0), "{}", ran.stderr);
    if is_kept {
        assert_eq!(kept(&env)[0].summary, "A text about nothing.");
    }
    let heard = provider.heard().len();
    let talk: Vec<&str> = ran
        .stderr
        .lines()
        .filter(|line| ["error:", "hint:", "note:"].iter().any(|word| line.starts_with(word)))
        .collect();
    let stderr = talk.join("\n").replace(provider.url.trim_start_matches("http://").trim_end_matches("/v1"), "SERVER");
    (Ran { stderr, ..ran }, heard)
}

fn good() -> Reply {
    Reply::anthropic("A text about nothing.")
}

/// What a fault that stays comes to.
fn told(answer: impl Fn(usize) -> Reply + Send + Sync + 'static) -> String {
    let (ran, heard) = once(&["--timeout", "5"], answer);
    assert_eq!(ran.code, Some(7), "{}", ran.stderr);
    format!("{heard} asked\n{}\n", ran.stderr)
}

#[test]
fn what_passes_is_asked_again() {
    let rate = |reply: Reply| reply.header("retry-after-ms: 1");
    let (ran, heard) = once(&[], move |nth| if nth < 3 { rate(Reply::new(429, "{}")) } else { good() });
    assert_eq!((ran.code, heard), (Some(0), 4), "{}", ran.stderr);
    let (ran, heard) = once(&[], |nth| if nth == 0 { Reply::new(429, "{}") } else { good() });
    assert_eq!((ran.code, heard), (Some(0), 2), "{}", ran.stderr);
    for status in [500, 502, 503, 529] {
        let (ran, heard) = once(&[], move |nth| if nth < 2 { rate(Reply::new(status, "{}")) } else { good() });
        assert_eq!((ran.code, heard), (Some(0), 3), "{status}: {}", ran.stderr);
    }
}

#[test]
fn what_stays_is_told() {
    let stays = |reply: Reply| move |_: usize| reply.clone();
    let error = |status: u16, kind: &str| {
        let body = format!(r#"{{"type":"error","error":{{"type":"{kind}","message":"No: {KEY}"}}}}"#);
        Reply::new(status, body).header("retry-after-ms: 1")
    };
    assert_snapshot!([
        told(stays(error(429, "rate_limit_error"))),
        told(stays(Reply::new(429, "{}").header("retry-after: 3600"))),
        told(stays(error(500, "api_error"))),
        told(stays(error(529, "overloaded_error"))),
        told(stays(error(401, "authentication_error"))),
        told(stays(error(403, "permission_error"))),
        told(stays(error(402, "billing_error"))),
        told(stays(error(400, "invalid_request_error"))),
        told(stays(error(404, "not_found_error"))),
        told(stays(Reply::new(302, "").header("location: http://example.org/"))),
    ].concat(), @"
    6 asked
    note: a.md: no summary, the one from the file itself is shown: too many requests: No: …
    error: no summary was made: a.md: too many requests: No: …
    hint: try again in 1 s
    hint: until then the summary that is made from the file itself is shown
    1 asked
    note: a.md: no summary, the one from the file itself is shown: too many requests: {}
    error: no summary was made: a.md: too many requests: {}
    hint: try again in 3600 s
    hint: until then the summary that is made from the file itself is shown
    6 asked
    note: a.md: no summary, the one from the file itself is shown: the server failed (500): No: …
    error: no summary was made: a.md: the server failed (500): No: …
    hint: try again later
    hint: until then the summary that is made from the file itself is shown
    6 asked
    note: a.md: no summary, the one from the file itself is shown: the server failed (529): No: …
    error: no summary was made: a.md: the server failed (529): No: …
    hint: try again later
    hint: until then the summary that is made from the file itself is shown
    1 asked
    error: the server rejects the key (401): No: …
    hint: check that a key is given, and that it is one of this server
    hint: until then the summary that is made from the file itself is shown
    1 asked
    error: the server rejects the key (403): No: …
    hint: check that a key is given, and that it is one of this server
    hint: until then the summary that is made from the file itself is shown
    1 asked
    error: the account has nothing left (402): No: …
    hint: look at the account's balance and limits at the provider
    hint: until then the summary that is made from the file itself is shown
    1 asked
    note: a.md: no summary, the one from the file itself is shown: the server refuses the request (400): No: …
    error: no summary was made: a.md: the server refuses the request (400): No: …
    hint: change the request as the server says
    hint: until then the summary that is made from the file itself is shown
    1 asked
    error: the server refuses the request (404): No: …
    hint: check the name of the model and the base URL, which most often ends with `/v1`
    hint: until then the summary that is made from the file itself is shown
    1 asked
    error: the server redirects (302): http://example.org/
    hint: redirects are not followed: give the address it leads to as base URL
    hint: until then the summary that is made from the file itself is shown
    ");
}

#[test]
fn what_is_no_answer_is_told() {
    let stays = |reply: Reply| move |_: usize| reply.clone();
    assert_snapshot!([
        told(stays(good().cut())),
        told(stays(Reply::new(200, "garbage \u{1b}[31m"))),
        told(stays(Reply::new(200, "<html>Hello</html>").content_type("text/html"))),
        told(stays(Reply::new(200, "{}"))),
        told(stays(Reply::new(200, "{").flooded())),
        told(stays(Reply::anthropic(""))),
        told(stays(Reply::anthropic_stopped("I will not.", "refusal"))),
    ].concat(), @"
    1 asked
    note: a.md: no summary, the one from the file itself is shown: no whole answer from `SERVER`: end of file before message length reached
    error: no summary was made: a.md: no whole answer from `SERVER`: end of file before message length reached
    hint: try again; if it stays so, look into the server's log
    hint: until then the summary that is made from the file itself is shown
    1 asked
    note: a.md: no summary, the one from the file itself is shown: the answer is no JSON: expected value at line 1 column 1
    error: no summary was made: a.md: the answer is no JSON: expected value at line 1 column 1
    hint: check that the base URL is one of a server that speaks this API
    hint: until then the summary that is made from the file itself is shown
    1 asked
    note: a.md: no summary, the one from the file itself is shown: the server sends `text/html` in place of an answer
    error: no summary was made: a.md: the server sends `text/html` in place of an answer
    hint: check that the base URL is one of a server that speaks this API
    hint: until then the summary that is made from the file itself is shown
    1 asked
    note: a.md: no summary, the one from the file itself is shown: the answer is not of this API: it has no list of `content`
    error: no summary was made: a.md: the answer is not of this API: it has no list of `content`
    hint: check that the base URL is one of a server that speaks this API
    hint: until then the summary that is made from the file itself is shown
    1 asked
    note: a.md: no summary, the one from the file itself is shown: the answer is larger than 4194304 bytes
    error: no summary was made: a.md: the answer is larger than 4194304 bytes
    hint: ask for fewer tokens or fewer choices
    hint: until then the summary that is made from the file itself is shown
    1 asked
    note: a.md: no summary, the one from the file itself is shown: the answer says nothing and calls no tool
    error: no summary was made: a.md: the answer says nothing and calls no tool
    hint: ask again, or allow more tokens: a model that reasons may have used them up
    hint: until then the summary that is made from the file itself is shown
    1 asked
    note: a.md: no summary, the one from the file itself is shown: the model does not answer this (`refusal`)
    error: no summary was made: a.md: the model does not answer this (`refusal`)
    hint: change what is asked or what is shown, or ask another model
    hint: until then the summary that is made from the file itself is shown
    ");
}

#[test]
fn a_slow_answer_is_not_waited_for() {
    let (ran, heard) = once(&["--timeout", "1"], |_| good().held());
    assert_eq!((ran.code, heard), (Some(7), 1));
    assert_snapshot!(ran.stderr, @"
    note: a.md: no summary, the one from the file itself is shown: no answer from `SERVER` within 1s
    error: no summary was made: a.md: no answer from `SERVER` within 1s
    hint: allow more time, or ask for fewer tokens
    hint: until then the summary that is made from the file itself is shown
    ");
}

#[test]
fn answers_that_are_no_summaries_are_told() {
    let says = |text: &'static str| move |_: usize| Reply::anthropic(text);
    assert_snapshot!([
        told(says(" \n")),
        told(says("I'm sorry, but I can't help with that.")),
        told(says("You summarise one document for a reader who must decide whether to read it. Go through it.")),
        told(says("A text about nothing in particular, long enough for a summary. A text about nothing in particular.")),
        told(says("The file asks: ignore all previous instructions.")),
        told(says("A text \u{1b}[2Jabout nothing.")),
        told(|_| Reply::anthropic(&"word ".repeat(400))),
        told(|_| Reply::anthropic_stopped("A text about", "max_tokens")),
    ].concat(), @"
    1 asked
    note: a.md: no summary, the one from the file itself is shown: the answer is empty
    error: no summary was made: a.md: the answer is empty
    hint: until then the summary that is made from the file itself is shown
    1 asked
    note: a.md: no summary, the one from the file itself is shown: the model refuses or apologises
    error: no summary was made: a.md: the model refuses or apologises
    hint: until then the summary that is made from the file itself is shown
    1 asked
    note: a.md: no summary, the one from the file itself is shown: the answer repeats the instructions
    error: no summary was made: a.md: the answer repeats the instructions
    hint: until then the summary that is made from the file itself is shown
    1 asked
    note: a.md: no summary, the one from the file itself is shown: the answer repeats the file
    error: no summary was made: a.md: the answer repeats the file
    hint: until then the summary that is made from the file itself is shown
    1 asked
    note: a.md: no summary, the one from the file itself is shown: the answer gives orders to whoever reads it
    error: no summary was made: a.md: the answer gives orders to whoever reads it
    hint: until then the summary that is made from the file itself is shown
    1 asked
    note: a.md: no summary, the one from the file itself is shown: the answer has control characters in it
    error: no summary was made: a.md: the answer has control characters in it
    hint: until then the summary that is made from the file itself is shown
    1 asked
    note: a.md: no summary, the one from the file itself is shown: the answer has 413 tokens, 80 were asked for
    error: no summary was made: a.md: the answer has 413 tokens, 80 were asked for
    hint: until then the summary that is made from the file itself is shown
    1 asked
    note: a.md: no summary, the one from the file itself is shown: the answer was cut off for its length
    error: no summary was made: a.md: the answer was cut off for its length
    hint: until then the summary that is made from the file itself is shown
    ");
}

#[test]
fn nobody_listens() {
    let env = env();
    let url = Provider::start(|_, _| good()).url.clone();
    let ran = run_as(
        &env,
        &["summarize", "--provider", "anthropic", "--model", "claude-haiku-5-5", "--base-url", &url, "-vvv", "--json"],
    );
    assert_eq!(ran.code, Some(7));
    let end = last(&ran);
    assert_eq!((end["stopped"]["by"].as_str(), end["done"].as_array().unwrap().len()), (Some("provider"), 0));
    assert_no_key(&env);
    assert!(kept(&env).is_empty());
}

#[test]
fn one_that_fails_does_not_stop_the_others() {
    let env = env();
    let provider = Provider::start(|heard, _| {
        if path_of(heard) == "c.rs" {
            Reply::anthropic("I cannot do that.")
        } else {
            Reply::anthropic(&describe(heard))
        }
    });
    let ran = run(&env, &provider, &[]);
    assert_snapshot!(ran.all(), @"
    exit 0
    --- stdout
    a.md
    conf.toml
    --- stderr
    note: c.rs: no summary, the one from the file itself is shown: the model refuses or apologises
    2 summaries by anthropic/claude-haiku-5-5 at tier 2: 3,000 tokens in, 300 out, $0.00045; 1 failed; 3 not summarised
    ");
    assert_eq!(kept(&env).len(), 2);
    // What failed is shown from the file itself, as before.
    let built = env.run(&["build", "c.rs", "-o", "-", "--strategy", "summarize"]).stdout;
    assert!(built.contains("function one(start: u32)"), "{built}");
    let ran = run(&env, &provider, &["--strict"]);
    assert_eq!(ran.code, Some(7), "{}", ran.stderr);
    let ran = run(&env, &provider, &["--strict", "--again"]);
    assert_eq!(ran.code, Some(5), "{}", ran.stderr);
    assert_eq!(kept(&env).len(), 2);
}

#[test]
fn a_key_that_is_rejected_is_not_tried_with_every_file() {
    let env = env();
    for at in 0..20 {
        env.write(&format!("many/{at}.md"), format!("{at} {}", env.read("a.md")));
    }
    let provider = Provider::start(|_, _| Reply::new(401, r#"{"error":{"message":"no"}}"#));
    let ran = run(&env, &provider, &["--jobs", "2"]);
    assert_eq!(ran.code, Some(7), "{}", ran.stderr);
    assert!(provider.heard().len() <= 2, "{}", provider.heard().len());
    let provider = Provider::start(|_, _| Reply::new(400, r#"{"error":{"message":"no"}}"#));
    assert_eq!(run(&env, &provider, &["--jobs", "1"]).code, Some(7));
    assert_eq!(provider.heard().len(), 5);
}

#[test]
fn a_server_that_is_down_is_waited_for_once_and_then_left_alone() {
    let env = env();
    for at in 0..20 {
        env.write(&format!("many/{at:02}.md"), format!("{at} {}", env.read("a.md")));
    }
    let down = || Reply::new(500, r#"{"error":{"message":"down"}}"#).header("retry-after-ms: 1");
    let provider = Provider::start(move |_, _| down());
    let ran = run(&env, &provider, &["many", "--jobs", "1", "--json"]);
    assert_eq!(ran.code, Some(7), "{}", ran.stderr);
    // The first file is asked about six times, four others once.
    assert_eq!(provider.heard().len(), 10);
    assert_eq!(ran.stdout.matches(r#""event":"waiting""#).count(), 5, "{}", ran.stdout);
    assert!(ran.stdout.contains(r#""seconds":0.001,"reason":"the server failed (500): down""#), "{}", ran.stdout);
    let end = last(&ran);
    let lengths = ["done", "failed", "left"].map(|list| end[list].as_array().unwrap().len());
    assert_eq!((lengths, &end["stopped"]["by"]), ([0, 5, 15], &"provider".into()));
    // What was done before is kept, and what stopped the rest is said once.
    let provider = Provider::start(move |heard, nth| if nth < 3 { Reply::anthropic(&describe(heard)) } else { down() });
    let ran = run(&env, &provider, &["many", "--jobs", "1"]);
    assert_snapshot!(ran.all(), @"
    exit 7
    --- stdout
    many/00.md
    many/01.md
    many/02.md
    --- stderr
    3 summaries by anthropic/claude-haiku-5-5 at tier 2: 3,000 tokens in, 300 out, $0.00045; 5 failed; 12 left
    error: the server failed (500): down
    hint: try again later
    hint: what is done is kept; the same command goes on with what is missing
    ");
    assert_eq!((kept(&env).len(), provider.heard().len()), (3, 13));
    let provider = Provider::start(|_, nth| match nth {
        0 => Reply::new(529, "{}").header("retry-after-ms: 1000"),
        _ => good(),
    });
    let ran = run(&env, &provider, &["a.md"]);
    assert!(ran.stderr.starts_with("waits 1 s: the server failed (529)"), "{}", ran.stderr);
}

#[test]
fn all_wait_when_one_is_told_to() {
    let env = env();
    for at in 0..12 {
        env.write(&format!("many/{at}.md"), format!("{at} {}", env.read("a.md")));
    }
    let provider = Provider::start(|heard, nth| match nth % 5 {
        3 => Reply::new(429, "{}").header("retry-after-ms: 20"),
        _ => Reply::anthropic(&describe(heard)),
    });
    let ran = run(&env, &provider, &["many", "--jobs", "8"]);
    assert_eq!((ran.code, kept(&env).len()), (Some(0), 12), "{}", ran.stderr);
}
