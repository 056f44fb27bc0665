//! Gemini CLI in place of an API: a program that has logged in by itself, asked for one answer.
//!
//! Takes a system text and a prompt; gives the answer in the same events as the APIs. The program is started without a shell, in a
//! folder that has nothing of the project, with no tools, no extensions and no servers of its own; the prompt goes to its standard
//! input and the key, if one is given, into its environment. It ends with us, whatever it has started itself.

use super::cancel::STEP;
use super::draft::{Draft, Finished};
use super::fault::of_answer;
use super::key::printable;
use super::read::whole_number;
use super::{Answer, Event, Key, PartialAnswer, Policy, ProviderError, Stop, Unanswered, home};
use contexture_core::{Api, Cancel};
use serde_json::{Value, json};
use std::borrow::Cow;
use std::io::{self, Read, Write};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::mpsc::{Receiver, RecvTimeoutError, SyncSender, sync_channel};
use std::thread;
use std::time::{Duration, Instant};

/// The variable that names the program.
pub const CLI_VARIABLE: &str = "CONTEXTURE_GEMINI_CLI";

/// What the program reads of its standard input; the rest it leaves out with a warning. As of its version 0.61.
pub const CLI_LIMIT: usize = 8 << 20;

/// Its name where the search path has it.
const NAME: &str = "gemini";

/// In place of a system text. Without any, the program takes its own: that of an agent with tools.
const BARE: &str = "Answer what is asked.";

/// The program stays for what it still wants to write after the answer.
const GOODBYE: Duration = Duration::from_secs(1);

/// What is kept of the program's complaints: the end says the most.
const COMPLAINT: usize = 16 << 10;

/// A question to the program. It has no `Debug`: it is what somebody said.
pub struct CliRequest<'a> {
    /// `None` is `gemini` on the search path.
    pub program: Option<&'a Path>,
    /// `None` is the one that the program takes by itself.
    pub model: Option<&'a str>,
    /// `None` is whatever the program has logged in with.
    pub key: Option<&'a Key>,
    pub system: &'a str,
    pub prompt: &'a str,
    pub timeout: Duration,
}

impl CliRequest<'_> {
    /// What the program is given: its prompt as it goes in, and its system text.
    pub fn input(&self) -> String {
        json!({"system": self.system_text(), "prompt": prompt(self.prompt)}).to_string()
    }

    fn system_text(&self) -> &str {
        if self.system.trim().is_empty() { BARE } else { self.system }
    }
}

/// The prompt in what [`CliRequest::input`] gave, as it was before it became one. A text that had `\@` is not the same.
pub fn cli_prompt(input: &str) -> Option<String> {
    let input: Value = serde_json::from_str(input).ok()?;
    let prompt = input.get("prompt")?.as_str()?.replace("\\@", "@");
    Some(prompt.strip_prefix('\n').filter(|prompt| prompt.starts_with('/')).map_or(prompt.clone(), str::to_owned))
}

/// Asks, and hands out the answer while it comes. The program asks again by itself where its server wants that.
pub fn stream_cli(
    request: &CliRequest,
    policy: &Policy,
    hand: &mut dyn FnMut(Event),
    cancel: &Cancel,
) -> Result<Answer, Unanswered> {
    let prompt = prompt(request.prompt);
    let program = name(request);
    if prompt.len() > CLI_LIMIT {
        return Err(ProviderError::PromptTooLarge { program, bytes: prompt.len(), limit: CLI_LIMIT }.into());
    }
    if cancel.is_cancelled() {
        return Err(ProviderError::Cancelled.into());
    }
    let mut talk = Talk::new(request);
    let starting =
        |error: io::Error| ProviderError::NoProgram { program: name(request), cause: error.kind().to_string() };
    let folder = tempfile::tempdir().map_err(starting)?;
    let mut child = Running(start(request, folder.path()).map_err(starting)?);
    tracing::debug!(program, bytes = prompt.len(), "asking a program");
    let pieces = pieces(&mut child.0, prompt.into_owned());
    let heard = talk.listen(&mut child, &pieces, policy, hand, cancel);
    let answer = talk.end(heard)?;
    hand(Event::End(answer.stop.clone()));
    child.leave(cancel);
    Ok(answer)
}

/// The program with everything it started. Dropped, it is gone.
struct Running(Child);

impl Running {
    fn leave(&mut self, cancel: &Cancel) {
        let begun = Instant::now();
        while begun.elapsed() < GOODBYE && !cancel.is_cancelled() && matches!(self.0.try_wait(), Ok(None)) {
            thread::sleep(STEP);
        }
    }
}

impl Drop for Running {
    /// Errors are those of a program that has ended.
    fn drop(&mut self) {
        #[cfg(unix)]
        if let Ok(None) = self.0.try_wait() {
            let group = rustix::process::Pid::from_child(&self.0);
            let _ = rustix::process::kill_process_group(group, rustix::process::Signal::KILL);
        }
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// What comes out of the program.
enum Piece {
    Said(Vec<u8>),
    Complained(Vec<u8>),
}

/// What the program says, line by line.
struct Talk<'a> {
    program: String,
    key: Option<&'a Key>,
    begun: Instant,
    timeout: Duration,
    /// When the first piece of the answer came.
    first: Option<Duration>,
    draft: Draft<'a>,
    /// Its events but those that repeat the prompt.
    raw: Vec<u8>,
    line: Vec<u8>,
    complaint: Vec<u8>,
}

impl<'a> Talk<'a> {
    fn new(request: &CliRequest<'a>) -> Self {
        let (raw, line, complaint) = Default::default();
        Self {
            program: name(request),
            key: request.key,
            begun: Instant::now(),
            timeout: request.timeout,
            first: None,
            draft: Draft::new(request.key),
            raw,
            line,
            complaint,
        }
    }

    /// Up to the end of the answer.
    fn listen(
        &mut self,
        child: &mut Running,
        pieces: &Receiver<Piece>,
        policy: &Policy,
        hand: &mut dyn FnMut(Event),
        cancel: &Cancel,
    ) -> Result<(), ProviderError> {
        let mut last_heard = Instant::now();
        while !self.draft.is_whole {
            if cancel.is_cancelled() {
                return Err(ProviderError::Cancelled);
            }
            let server = || self.program.clone();
            if self.begun.elapsed() >= self.timeout {
                return Err(ProviderError::TimedOut { server: server(), after: self.timeout });
            }
            if last_heard.elapsed() >= policy.silence {
                return Err(ProviderError::Silent {
                    server: server(),
                    after: policy.silence,
                    received: self.draft.received,
                });
            }
            match pieces.recv_timeout(STEP) {
                Ok(Piece::Said(bytes)) => {
                    last_heard = Instant::now();
                    self.hear(&bytes, policy)?;
                }
                Ok(Piece::Complained(bytes)) => self.add_complaint(&bytes),
                Err(RecvTimeoutError::Timeout) => continue,
                Err(RecvTimeoutError::Disconnected) => return Err(self.exit_error(&mut child.0)),
            }
            let events = self.draft.events();
            if !events.is_empty() {
                self.first.get_or_insert_with(|| self.begun.elapsed());
            }
            events.into_iter().for_each(&mut *hand);
        }
        Ok(())
    }

    /// The program said all it will say.
    fn end(self, heard: Result<(), ProviderError>) -> Result<Answer, Unanswered> {
        let (usage, latency) = (self.draft.usage(), self.begun.elapsed());
        let is_silent = self.raw.is_empty();
        let raw = match &heard {
            Err(ProviderError::TooLarge { .. }) => String::new(),
            _ => self.draft.raw(&self.raw),
        };
        match heard.and_then(|()| self.draft.finish()) {
            Ok(Finished { message, others, model, stop, usage }) => {
                Ok(Answer { message, others, raw, model, stop, usage, before: Vec::new(), latency, first: self.first })
            }
            Err(error) => {
                // A program that says nothing has asked nobody.
                let partial = (!is_silent).then(|| Box::new(PartialAnswer { usage, raw }));
                Err(Unanswered { error, partial, before: Vec::new() })
            }
        }
    }

    fn hear(&mut self, bytes: &[u8], policy: &Policy) -> Result<(), ProviderError> {
        for piece in bytes.split_inclusive(|byte| *byte == b'\n') {
            if self.line.len() + piece.len() > policy.largest_event.saturating_add(CLI_LIMIT) {
                return Err(ProviderError::TooLarge { limit: policy.largest_event });
            }
            self.line.extend_from_slice(piece);
            if piece.ends_with(b"\n") {
                let line = std::mem::take(&mut self.line);
                self.event(&line)?;
            }
        }
        if self.raw.len() > policy.largest {
            return Err(ProviderError::TooLarge { limit: policy.largest });
        }
        Ok(())
    }

    /// A line. What is not JSON is a word of another part of the program.
    fn event(&mut self, line: &[u8]) -> Result<(), ProviderError> {
        let Ok(event) = serde_json::from_slice::<Value>(line) else { return Ok(()) };
        let text = |pointer: &str| event.pointer(pointer).and_then(Value::as_str).unwrap_or_default();
        if text("/role") == "user" {
            return Ok(());
        }
        self.raw.extend_from_slice(line);
        match text("/type") {
            "init" => self.draft.model = Some(text("/model").to_owned()),
            "message" => self.draft.text(0, text("/content")),
            "result" => {
                self.figures(event.get("stats").unwrap_or(&Value::Null));
                if text("/status") != "success" {
                    return Err(self.program_error(text("/error/message"), None));
                }
                self.draft.stop = Some(Stop::End);
                self.draft.is_whole = true;
                self.draft.tell_usage();
            }
            _ => {}
        }
        Ok(())
    }

    /// The program counts thoughts in the total alone.
    fn figures(&mut self, stats: &Value) {
        let number = |name: &str| stats.get(name).and_then(whole_number);
        let (input, output) = (number("input_tokens"), number("output_tokens"));
        let known = [input, output].into_iter().flatten().fold(0, u64::saturating_add);
        let thinking = number("total_tokens").and_then(|total| total.checked_sub(known)).filter(|left| *left > 0);
        let usage = &mut self.draft.usage;
        (usage.input, usage.cached, usage.thinking) = (input, number("cached"), thinking);
        usage.output = output.map(|output| output.saturating_add(thinking.unwrap_or_default()));
        // Its word for a choice of its own.
        if self.draft.model.as_deref() == Some("auto") {
            let models = stats.get("models").and_then(Value::as_object).into_iter().flatten();
            let most = models.max_by_key(|(_, of)| of.get("total_tokens").and_then(Value::as_u64));
            self.draft.model = most.map(|(name, _)| name.clone());
        }
    }

    fn add_complaint(&mut self, bytes: &[u8]) {
        self.complaint.extend_from_slice(bytes);
        let before = self.complaint.len().saturating_sub(COMPLAINT);
        self.complaint.drain(..before);
    }

    /// The program closed its output without an answer.
    fn exit_error(&self, child: &mut Child) -> ProviderError {
        let begun = Instant::now();
        let mut code = None;
        while code.is_none() && begun.elapsed() < GOODBYE {
            match child.try_wait() {
                Ok(None) => thread::sleep(STEP),
                Ok(Some(status)) => code = Some(status.code()),
                Err(_) => code = Some(None),
            }
        }
        let code = code.flatten();
        if code == Some(0) {
            return ProviderError::Cut { server: self.program.clone(), received: self.draft.received };
        }
        // The last line that begins a complaint, not the lines of code that it came through.
        let complaint = String::from_utf8_lossy(&self.complaint).into_owned();
        let says = |line: &&str| line.starts_with(|c: char| c.is_alphabetic() || matches!(c, '\u{1b}' | '[' | '{'));
        self.program_error(complaint.lines().rfind(says).unwrap_or_default(), code)
    }

    /// Where the program tells what the API said, it is an error of the API.
    fn program_error(&self, message: &str, code: Option<i32>) -> ProviderError {
        let inner = message.find('{').zip(message.rfind('}')).and_then(|(from, to)| message.get(from..=to));
        let inner: Option<Value> = inner.and_then(|inner| serde_json::from_str(inner).ok());
        match inner.as_ref().and_then(|inner| inner.get("error")) {
            Some(error) => of_answer(error, self.key).error,
            None => {
                let plain = message.replace("\u{1b}[31m", "").replace("\u{1b}[0m", "");
                ProviderError::Program { program: self.program.clone(), code, message: printable(&plain, self.key) }
            }
        }
    }
}

fn name(request: &CliRequest) -> String {
    request.program.map_or_else(|| NAME.into(), |program| program.display().to_string())
}

fn start(request: &CliRequest, folder: &Path) -> io::Result<Child> {
    let (work, system) = (folder.join("work"), folder.join("system.md"));
    std::fs::create_dir_all(work.join(".gemini"))?;
    // Settings of this folder alone: no tool has that name, and no notes for agents are looked for.
    let settings = json!({"tools": {"core": ["none"]}, "context": {"fileName": ["contexture-has-no-notes.md"]}});
    std::fs::write(work.join(".gemini/settings.json"), settings.to_string())?;
    std::fs::write(&system, request.system_text())?;
    let mut command = Command::new(request.program.unwrap_or(Path::new(NAME)));
    command.args(["--output-format", "stream-json", "--extensions", "none", "--allowed-mcp-server-names", "none"]);
    command.args(request.model.map(|model| format!("--model={model}")));
    command.current_dir(&work).env("GEMINI_SYSTEM_MD", &system);
    // The folder is ours; and a second process of its own would only take time.
    command.env("GEMINI_CLI_TRUST_WORKSPACE", "true").env("GEMINI_CLI_NO_RELAUNCH", "true");
    for &api in Api::ALL.iter().filter(|api| **api != Api::Gemini) {
        for name in home(api).key_names {
            command.env_remove(name);
        }
    }
    if let (Some(key), [name, ..]) = (request.key, home(Api::Gemini).key_names) {
        key.give(&mut command, name);
    }
    #[cfg(unix)]
    std::os::unix::process::CommandExt::process_group(&mut command, 0);
    command.stdin(Stdio::piped()).stdout(Stdio::piped()).stderr(Stdio::piped()).spawn()
}

/// Gives the program its prompt, and what it says as it comes. The threads end with the program.
fn pieces(child: &mut Child, prompt: String) -> Receiver<Piece> {
    // A few pieces in advance; the program waits while nobody takes them.
    let (sender, receiver) = sync_channel(16);
    if let Some(mut stdin) = child.stdin.take() {
        // An error is a program that does not read on.
        thread::spawn(move || stdin.write_all(prompt.as_bytes()));
    }
    if let Some(stdout) = child.stdout.take() {
        let sender = sender.clone();
        thread::spawn(move || forward(stdout, &sender, Piece::Said));
    }
    if let Some(stderr) = child.stderr.take() {
        thread::spawn(move || forward(stderr, &sender, Piece::Complained));
    }
    receiver
}

fn forward(mut from: impl Read, to: &SyncSender<Piece>, piece: fn(Vec<u8>) -> Piece) {
    let mut bytes = vec![0; 64 << 10];
    while let Ok(count @ 1..) = from.read(&mut bytes) {
        if to.send(piece(bytes.get(..count).unwrap_or_default().to_vec())).is_err() {
            return;
        }
    }
}

/// The prompt as the program takes it for nothing but a prompt: what begins with `/` is a command to it, and `@word` is a file that
/// it would read, or a change of the text around it. It takes `\@` as it stands.
fn prompt(text: &str) -> Cow<'_, str> {
    if !text.starts_with('/') && !text.contains('@') {
        return text.into();
    }
    let mut out = String::with_capacity(text.len() + text.len() / 16);
    if text.starts_with('/') {
        out.push('\n');
    }
    let mut last = ' ';
    for c in text.chars() {
        if c == '@' && last != '\\' {
            out.push('\\');
        }
        out.push(c);
        last = c;
    }
    out.into()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_went_in_can_be_told() {
        let of = |prompt| {
            CliRequest { program: None, model: None, key: None, system: " ", prompt, timeout: GOODBYE }.input()
        };
        assert_eq!(of("/me@host"), r#"{"system":"Answer what is asked.","prompt":"\n/me\\@host"}"#);
        for prompt in ["/me@host", "\nme", "a"] {
            assert_eq!(cli_prompt(&of(prompt)).as_deref(), Some(prompt));
        }
        assert_eq!(cli_prompt("# Files"), None);
    }

    #[test]
    fn prompts_are_no_commands() {
        assert_eq!(prompt("a / b"), "a / b");
        assert_eq!(prompt("/help"), "\n/help");
        assert_eq!(prompt("me@host @ä \\@x @"), "me\\@host \\@ä \\@x \\@");
    }
}
