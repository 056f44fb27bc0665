//! Gemini CLI: programs in its place that say what it says, as recorded from its version 0.61.

use crate::server::{KEY, checked};
use contexture_providers::{
    Answer, CLI_LIMIT, Cancel, CliRequest, Event, Key, Policy, ProviderError, Stop, Usage, stream_cli,
};
use std::fs;
use std::os::unix::fs::PermissionsExt;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use tempfile::TempDir;

scenarios! {
    a_program_answers it_gets_its_prompt_and_nothing_else it_chooses_its_model_itself errors_of_the_api_are_told
    errors_of_the_program_are_told missing_programs_are_named half_an_answer_is_none prompts_have_a_limit
    what_is_no_answer_is_counted
}

const INIT: &str = r#"{"type":"init","timestamp":"2026-11-16T19:19:26.681Z","session_id":"13f94635","model":"gemini-2.5-flash"}
{"type":"message","timestamp":"2026-11-16T19:19:26.684Z","role":"user","content":"Say ä.\n"}
{"type":"message","timestamp":"2026-11-16T19:19:26.760Z","role":"assistant","content":"Hello","delta":true}
"#;
const REST: &str = r#"{"type":"message","timestamp":"2026-11-16T19:19:26.761Z","role":"assistant","content":" there. 🌳","delta":true}
{"type":"result","timestamp":"2026-11-16T19:19:26.870Z","status":"success","stats":{"total_tokens":18,"input_tokens":10,"output_tokens":3,"cached":4,"input":6,"duration_ms":190,"tool_calls":0,"models":{"gemini-2.5-flash":{"total_tokens":18,"input_tokens":10,"output_tokens":3,"cached":4,"input":6}}}}
"#;
const REJECTED: &str = r#"{"type":"result","timestamp":"2026-11-16T19:19:32.992Z","status":"error","error":{"type":"unknown","message":"[API Error: {\"error\":{\"code\":400,\"message\":\"API key not valid. Please pass a valid API key.\",\"status\":\"INVALID_ARGUMENT\",\"details\":[{\"reason\":\"API_KEY_INVALID\"}]}}]"},"stats":{}}
"#;

/// A program that does this, in a folder that goes with it.
struct Stand {
    folder: TempDir,
    program: PathBuf,
}

impl Stand {
    /// `$D` is the folder.
    fn new(script: &str) -> Self {
        let folder = tempfile::tempdir().unwrap();
        let program = folder.path().join("gemini");
        let head = format!("#!/bin/sh\nD='{}'\n", folder.path().display());
        fs::write(&program, head + script).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o700)).unwrap();
        Self { folder, program }
    }

    /// One that reads its prompt and says this.
    fn saying(said: &str) -> Self {
        let stand = Self::new("cat > \"$D/prompt\"; cat \"$D/said\"");
        fs::write(stand.folder.path().join("said"), said).unwrap();
        stand
    }

    fn read(&self, name: &str) -> String {
        fs::read_to_string(self.folder.path().join(name)).unwrap()
    }

    fn ask(&self) -> CliRequest<'_> {
        asking(&self.program)
    }
}

fn asking(program: &Path) -> CliRequest<'_> {
    let timeout = Duration::from_secs(60);
    CliRequest { program: Some(program), model: None, key: None, system: "", prompt: "Say ä.\n", timeout }
}

fn run(ask: &CliRequest) -> (Result<Answer, ProviderError>, Vec<Event>) {
    let mut events = Vec::new();
    let hand = &mut |event| events.push(event);
    let result = checked(stream_cli(ask, &Policy::default(), hand, &Cancel::new()));
    (result, events)
}

fn a_program_answers() {
    let stand = Stand::saying(&format!("Loaded cached credentials.\n{INIT}{REST}"));
    let (answer, events) = run(&stand.ask());
    let answer = answer.unwrap();
    let usage = Usage { input: Some(10), output: Some(8), cached: Some(4), written: None, thinking: Some(5) };
    let told =
        [Event::Text("Hello".into()), Event::Text(" there. 🌳".into()), Event::Usage(usage), Event::End(Stop::End)];
    assert_eq!((events.as_slice(), answer.usage), (told.as_slice(), usage));
    assert_eq!((&*answer.message.text(), answer.model.as_deref()), ("Hello there. 🌳", Some("gemini-2.5-flash")));
    // All its events but the prompt, which is no answer.
    assert_eq!(answer.raw.lines().count(), 4);
    assert!(!answer.raw.contains("Say ä") && answer.first <= Some(answer.latency));
    assert_eq!(stand.read("prompt"), "Say ä.\n");
}

fn it_gets_its_prompt_and_nothing_else() {
    let stand = Stand::new(
        "printf '%s\\n' \"$@\" > \"$D/words\"; env > \"$D/env\"; ls > \"$D/files\"; cat .gemini/settings.json > \"$D/settings\"
         cat \"$GEMINI_SYSTEM_MD\" > \"$D/system\"; cat > \"$D/prompt\"; pwd > \"$D/place\"; cat \"$D/said\"",
    );
    fs::write(stand.folder.path().join("said"), format!("{INIT}{REST}")).unwrap();
    let key = Key::new(KEY).unwrap();
    let prompt = "/clear @src/main.rs `$(touch x)` me@host\n";
    let ask = CliRequest { model: Some("-y"), key: Some(&key), system: "Be brief.", prompt, ..stand.ask() };
    assert!(run(&ask).0.is_ok());
    // No key, no prompt, and a model that cannot be taken for a flag.
    let words = "--output-format\nstream-json\n--extensions\nnone\n--allowed-mcp-server-names\nnone\n--model=-y\n";
    assert_eq!((stand.read("words").as_str(), stand.read("files").as_str()), (words, ""));
    assert_eq!(
        (stand.read("system"), stand.read("prompt")),
        ("Be brief.".into(), "\n/clear \\@src/main.rs `$(touch x)` me\\@host\n".into())
    );
    assert_eq!(
        stand.read("settings"),
        r#"{"tools":{"core":["none"]},"context":{"fileName":["contexture-has-no-notes.md"]}}"#
    );
    let env = stand.read("env");
    assert!(env.contains(&format!("GEMINI_API_KEY={KEY}\n")) && env.contains("GEMINI_CLI_TRUST_WORKSPACE=true\n"));
    assert!(!env.contains("ANTHROPIC_API_KEY") && !env.contains("OPENAI_API_KEY"));
    // Its folder went with the answer.
    assert!(!Path::new(stand.read("place").trim()).exists());
}

fn it_chooses_its_model_itself() {
    let said = format!("{INIT}{REST}").replacen("\"model\":\"gemini-2.5-flash\"", "\"model\":\"auto\"", 1);
    let said = said.replace("\"models\":{", "\"models\":{\"gemini-small\":{\"total_tokens\":3},");
    assert_eq!(run(&Stand::saying(&said).ask()).0.unwrap().model.as_deref(), Some("gemini-2.5-flash"));
}

fn errors_of_the_api_are_told() {
    let (answer, events) = run(&Stand::saying(REJECTED).ask());
    let message = "API key not valid. Please pass a valid API key.".into();
    assert_eq!((answer, events), (Err(ProviderError::KeyRejected { status: 400, message }), vec![]));
    let busy = REJECTED.replace("400", "429").replace("API_KEY_INVALID", "x");
    assert!(matches!(run(&Stand::saying(&busy).ask()).0, Err(ProviderError::TooManyRequests { .. })));
}

fn errors_of_the_program_are_told() {
    let script = "cat > /dev/null; echo 'Warning: 256-color support not detected.' >&2
        printf '\\033[31mInvalid auth method selected.\\033[0m\\n    at main (file.js:1:2)\\n}\\n' >&2; exit 41";
    let stand = Stand::new(script);
    let error = run(&stand.ask()).0.unwrap_err();
    let program = stand.program.display();
    assert_eq!(error.to_string(), format!("`{program}` failed (41): Invalid auth method selected."));
    assert_eq!(error.hint(), "run `gemini` and log in, or set `GEMINI_API_KEY`");
    // The key is taken out of what the program says.
    let key = Key::new(KEY).unwrap();
    let stand = Stand::new(&format!("echo 'the key {KEY} is wrong' >&2; exit 1"));
    let error = run(&CliRequest { key: Some(&key), ..stand.ask() }).0.unwrap_err();
    assert!(error.to_string().ends_with("failed (1): the key … is wrong"), "{error}");
}

fn missing_programs_are_named() {
    let error = run(&asking(Path::new("/nowhere/gemini"))).0.unwrap_err();
    assert_eq!(error.to_string(), "cannot start `/nowhere/gemini`: entity not found");
    assert_eq!(
        error.hint(),
        "install it with `npm install -g @google/gemini-cli`, or name it in `CONTEXTURE_GEMINI_CLI`"
    );
}

fn half_an_answer_is_none() {
    let stand = Stand::saying(INIT);
    let (answer, events) = run(&stand.ask());
    let server = stand.program.display().to_string();
    assert_eq!(answer, Err(ProviderError::Cut { server, received: 5 }));
    assert_eq!(events, [Event::Text("Hello".into())]);
}

fn prompts_have_a_limit() {
    let prompt = "x".repeat(CLI_LIMIT + 1);
    let error = run(&CliRequest { prompt: &prompt, ..asking(Path::new("/nowhere/gemini")) }).0.unwrap_err();
    assert!(matches!(error, ProviderError::PromptTooLarge { .. }), "{error}");
}

/// The program and what it started itself are gone soon after the wish.
#[test]
fn a_program_that_is_cancelled_is_gone() {
    let stand = Stand::new("sleep 1000 & echo $! > \"$D/child\"; cat \"$D/said\"; wait");
    fs::write(stand.folder.path().join("said"), INIT).unwrap();
    let cancel = Cancel::new();
    let mut wished = None;
    let mut hand = |_| {
        wished = Some(Instant::now());
        cancel.cancel();
    };
    let result = checked(stream_cli(&stand.ask(), &Policy::default(), &mut hand, &cancel));
    assert_eq!(result, Err(ProviderError::Cancelled));
    // Far less than the thousand seconds that the program would take.
    assert!(wished.unwrap().elapsed() < Duration::from_secs(30));
    let child = stand.read("child");
    let state = || fs::read_to_string(format!("/proc/{}/stat", child.trim())).unwrap_or_default();
    // Dead ones may be listed until somebody has asked for their end.
    while !state().is_empty() && !state().contains(") Z ") {}
}

#[test]
fn a_program_has_its_time() {
    let stand = Stand::new("cat \"$D/said\"; sleep 1000");
    fs::write(stand.folder.path().join("said"), INIT).unwrap();
    let after = Duration::from_millis(300);
    let (answer, _) = run(&CliRequest { timeout: after, ..stand.ask() });
    assert!(matches!(answer, Err(ProviderError::TimedOut { .. })));
    let policy = Policy { silence: after, ..Policy::default() };
    let answer = checked(stream_cli(&stand.ask(), &policy, &mut |_| {}, &Cancel::new()));
    assert!(matches!(answer, Err(ProviderError::Silent { received: 5, .. })));
}

fn what_is_no_answer_is_counted() {
    let ask = |said: &str| {
        let stand = Stand::saying(said);
        stream_cli(&stand.ask(), &Policy::default(), &mut |_| {}, &Cancel::new()).unwrap_err()
    };
    let failed = REST.replace("success", "error");
    let partial = ask(&[INIT, &failed].concat()).partial.unwrap();
    assert_eq!((partial.usage.input, partial.usage.output), (Some(10), Some(8)));
    assert!(partial.raw.contains("Hello") && partial.raw.contains("there."), "{}", partial.raw);
    assert_eq!(ask("").partial, None);
}
