//! Interrupts and kills: what was told as done is there.
//!
//! `PROPTEST_CASES=1000` makes a thousand kills.
#![cfg(unix)]

use crate::{KEY, describe, env, kept};
use contexture_testkit::{Provider, Reply, TestEnv, cases, figure};
use rustix::process::{Pid, Signal, kill_process};
use std::io::{BufRead, BufReader, Read};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

fn summarize(env: &TestEnv, provider: &Provider) -> Command {
    let words =
        ["summarize", "many", "--json", "--jobs", "3", "--provider", "anthropic", "--model", "claude-haiku-5-5"];
    let mut command = env.command(&[&words[..], &["--base-url", &provider.url]].concat());
    command.env("ANTHROPIC_API_KEY", KEY).stdout(Stdio::piped()).stderr(Stdio::piped());
    command
}

fn pid(child: &Child) -> Pid {
    Pid::from_raw(child.id().try_into().unwrap()).unwrap()
}

/// The paths that were told as done. A line that a kill tore is none.
fn done(text: &str) -> Vec<String> {
    let lines = text.lines().filter_map(|line| serde_json::from_str::<serde_json::Value>(line).ok());
    lines.filter(|line| line["event"] == "done").map(|line| line["path"].as_str().unwrap().to_owned()).collect()
}

/// Everything that came before a kill; it may have torn a character.
fn text(mut pipe: impl Read) -> String {
    let mut bytes = Vec::new();
    pipe.read_to_end(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

fn many(env: &TestEnv, count: usize, round: u32) {
    let text = env.read("a.md");
    for at in 0..count {
        env.write(&format!("many/{at:03}.md"), format!("{round} {at} {text}"));
    }
}

#[test]
fn an_interrupt_keeps_what_is_done() {
    let env = env();
    many(&env, 20, 0);
    // Every third answer never ends.
    let provider = Provider::start(|heard, nth| {
        let reply = Reply::anthropic(&describe(heard));
        if nth % 3 == 2 { reply.held() } else { reply }
    });
    let mut child = summarize(&env, &provider).spawn().unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let mut text = String::new();
    // The first two of three are answered, and no more than that can be.
    while done(&text).len() < 2 {
        text.push_str(&lines.next().unwrap().unwrap());
        text.push('\n');
    }
    kill_process(pid(&child), Signal::INT).unwrap();
    let begun = Instant::now();
    text.extend(lines.map(|line| line.unwrap() + "\n"));
    assert_eq!(child.wait().unwrap().code(), Some(130));
    assert!(begun.elapsed() < Duration::from_secs(5));
    let end: serde_json::Value = serde_json::from_str(text.lines().last().unwrap()).unwrap();
    assert_eq!(end["stopped"]["by"], "interrupt");
    let (done, left) = (end["done"].as_array().unwrap().len(), end["left"].as_array().unwrap().len());
    assert_eq!((done + left, kept(&env).len()), (20, done));
}

#[test]
fn kills_lose_no_finished_summary() {
    let env = env();
    let provider = Provider::start(|heard, _| Reply::anthropic(&describe(heard)));
    let (mut random, mut acknowledged, mut asked_twice) = (0x9e37_79b9_7f4a_7c15_u64, 0, 0);
    let kills = cases(12);
    // As long as a whole run takes, measured once.
    many(&env, 40, 0);
    let begun = Instant::now();
    let first = summarize(&env, &provider).output().unwrap();
    assert!(first.status.success(), "{}", String::from_utf8_lossy(&first.stderr));
    let whole = begun.elapsed();
    for round in 1..=kills {
        many(&env, 40, round);
        let before = kept(&env).len();
        random ^= random << 13;
        random ^= random >> 7;
        random ^= random << 17;
        let end = whole.mul_f64((random % 1000) as f64 / 1000.0);
        let begun = Instant::now();
        let mut child = summarize(&env, &provider).spawn().unwrap();
        let (stdout, stderr) = (child.stdout.take().unwrap(), child.stderr.take().unwrap());
        let reader = std::thread::spawn(move || text(stdout));
        let errors = std::thread::spawn(move || text(stderr));
        while begun.elapsed() < end {
            std::thread::yield_now();
        }
        // It may be done by itself.
        let _ = kill_process(pid(&child), Signal::KILL);
        let status = child.wait().unwrap();
        let (said, errors) = (reader.join().unwrap(), errors.join().unwrap());
        let at = format!("kill {round} after {end:?} of {whole:?}, {status}\n{said}{errors}");
        // Killed, or done as if nobody had wanted to.
        assert!(status.code().is_none_or(|code| code == 0), "{at}");
        let told = done(&said);
        acknowledged += told.len();
        let there = kept(&env);
        assert!(there.len() >= before + told.len(), "{} < {before} + {}: {at}", there.len(), told.len());
        for path in &told {
            let hash = contexture_core::ContentHash::of(std::fs::read(env.root().join(path)).unwrap());
            let entry =
                there.iter().find(|entry| entry.file_hash == hash).unwrap_or_else(|| panic!("lost: {path}: {at}"));
            assert_eq!(entry.summary, format!("Says what `{path}` holds, in a sentence of its own."));
        }
        // What is there is not asked for again.
        asked_twice += there.len() - before - told.len();
    }
    let verified = env.run(&["cache", "verify"]);
    assert_eq!(verified.code, Some(0), "{}", verified.all());
    assert!(acknowledged > 0);
    figure(&format!("{kills} kills, {acknowledged} acknowledged, {asked_twice} kept and not told"));
}
