//! One turn of an agent: a message goes in, tools are called for as long as the model wants to, an answer comes out.

use contexture::agent::{
    ContextBuilder, LlmMessage, LlmRole, LlmToolCall, Now, Session, Spoken, append, openai, timestamp,
};
use std::error::Error;
use std::path::PathBuf;

/// How often a model may call tools before the person is asked: one that goes round in circles would do so forever.
const ROUNDS: usize = 8;

/// What the model may call, as the server takes it. Neither tool changes anything.
pub const TOOLS: &str = r#"[
{"type":"function","function":{"name":"now","description":"Tells which day it is.","parameters":{"type":"object","properties":{}}}},
{"type":"function","function":{"name":"list_files","description":"Lists the names in the workspace folder.","parameters":{"type":"object","properties":{}}}}
]"#;

/// Told to a person as it is: a sentence.
pub type Failure = Box<dyn Error + Send + Sync>;

/// An agent and its conversation.
pub struct Agent {
    pub context: Box<dyn ContextBuilder>,
    pub http: reqwest::Client,
    pub url: String,
    pub key: Option<String>,
    pub model: String,
    pub workspace: PathBuf,
    /// The session on disk, and the same in memory.
    pub file: PathBuf,
    pub session: Session,
}

impl Agent {
    /// The answer to a message; to the end of the session where the message is empty.
    pub async fn turn(&mut self, message: &str) -> Result<String, Failure> {
        // Stored before anything can fail. The context has it once, although the session ends with it.
        if !message.is_empty() {
            self.remember(vec![LlmMessage::new(LlmRole::User, message)]).await?;
        }
        let mut message = message;
        for _ in 0..ROUNDS {
            let messages = self.context.build_context(&self.session, message).await?;
            let answer = self.ask(&messages).await?;
            let text = answer.text().to_string();
            let results: Vec<LlmMessage> =
                answer.calls.iter().map(|call| LlmMessage::result(call.id.clone(), self.run(call))).collect();
            let is_done = results.is_empty();
            // In one step, so that the file never has calls without their results.
            self.remember([vec![answer], results].concat()).await?;
            if is_done {
                return Ok(text);
            }
            // From here on, the session ends with what is to be answered.
            message = "";
        }
        Err(format!("the model called tools {ROUNDS} times and gave no answer").into())
    }

    /// Adds to the session: on disk first, so that what is in memory is never lost.
    async fn remember(&mut self, messages: Vec<LlmMessage>) -> Result<(), Failure> {
        let spoken: Vec<Spoken> = messages.into_iter().map(Spoken::from).collect();
        let (file, new) = (self.file.clone(), spoken.clone());
        // Waits for the disk, and for other programs that write to the session: not on a thread that others compute on.
        tokio::task::spawn_blocking(move || append(&file, &new, &timestamp())).await??;
        self.session.messages.extend(spoken);
        Ok(())
    }

    /// Sends a request, and gives the message that comes back.
    async fn ask(&self, messages: &[LlmMessage]) -> Result<LlmMessage, Failure> {
        let model = serde_json::Value::from(self.model.as_str());
        let body = format!("{{\"model\":{model},\"tools\":{TOOLS},\"messages\":{}}}", openai::messages_json(messages));
        let mut request = self.http.post(&self.url).header("content-type", "application/json").body(body);
        if let Some(key) = &self.key {
            request = request.bearer_auth(key);
        }
        let response = request.send().await.map_err(told)?;
        let status = response.status();
        let body = response.text().await.map_err(told)?;
        match openai::answer(&body) {
            Ok(answer) if status.is_success() => Ok(answer),
            Err(error) if status.is_success() => Err(error.into()),
            Err(error @ openai::AnswerError::Refused(_)) => Err(format!("{status}: {error}").into()),
            _ => Err(format!("the server refused: {status}").into()),
        }
    }

    /// Runs a tool. The model is told what went wrong, as it is told results.
    fn run(&self, call: &LlmToolCall) -> String {
        match call.name.as_str() {
            "now" => Now::system().day,
            "list_files" => match std::fs::read_dir(&self.workspace) {
                Ok(entries) => {
                    let names = entries.flatten().map(|entry| entry.file_name().to_string_lossy().into_owned());
                    // Folders have no order, and what is sent to a model should not change by itself.
                    names.collect::<std::collections::BTreeSet<_>>().into_iter().collect::<Vec<_>>().join("\n")
                }
                Err(error) => format!("cannot list the workspace: {error}"),
            },
            name => format!("there is no tool `{name}`"),
        }
    }
}

/// An error of the HTTP client with its innermost cause, which says what happened.
fn told(error: reqwest::Error) -> String {
    let causes = std::iter::successors(error.source(), |&cause| cause.source());
    let cause = causes.last().map_or_else(String::new, |cause| format!(": {cause}"));
    format!("{error}{cause}")
}
