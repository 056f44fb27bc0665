//! Why there is no answer, and what to do. No variant has the key in it, nor the path of an address.

use std::time::Duration;

/// Texts of servers are one line of at most 300 characters, empty where the server says nothing.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ProviderError {
    #[error("cannot use the base URL: {0}")]
    BaseUrl(String),
    #[error("`{0}` cannot be the name of a model")]
    Model(String),
    #[error("cannot use the key: {0}")]
    Key(&'static str),
    #[error("cannot send the request: {0}")]
    Request(&'static str),
    #[error("cannot start the HTTP client: {0}")]
    Client(String),
    #[error("cannot connect to `{server}`: {cause}")]
    Connect { server: String, cause: String },
    /// The connection broke, or what came is not HTTP.
    #[error("no whole answer from `{server}`: {cause}")]
    Broken { server: String, cause: String },
    #[error("no answer from `{server}` within {after:?}")]
    TimedOut { server: String, after: Duration },
    /// The connection stands, and nothing comes.
    #[error("`{server}` says nothing for {after:?}{}", received_so_far(*.received))]
    Silent { server: String, after: Duration, received: usize },
    /// A stream ended before the answer did.
    #[error("`{server}` broke off{}", received_so_far(*.received))]
    Cut { server: String, received: usize },
    #[error("cancelled")]
    Cancelled,
    #[error("the server rejects the key ({status}){}", after_colon(.message))]
    KeyRejected { status: u16, message: String },
    #[error("too many requests{}", after_colon(.message))]
    TooManyRequests { delay: Option<Duration>, message: String },
    /// The account has nothing left: no wait helps.
    #[error("the account has nothing left ({status}){}", after_colon(.message))]
    Spent { status: u16, message: String },
    #[error("the server failed ({status}){}", after_colon(.message))]
    Server { status: u16, message: String },
    /// With status 200 where the body says that it is an error.
    #[error("the server refuses the request ({status}){}", after_colon(.message))]
    Refused { status: u16, message: String },
    /// `to` is without what stands behind the path, and empty where the server names no address.
    #[error("the server redirects ({status}){}", after_colon(.to))]
    Redirected { status: u16, to: String },
    /// A page for browsers, or something else that no API sends. With the media type as the server names it.
    #[error("the server sends `{0}` in place of an answer")]
    NotApi(String),
    #[error("the answer is no JSON: {0}")]
    NotJson(String),
    #[error("the answer is not of this API: {0}")]
    NotAnswer(&'static str),
    #[error("the answer is larger than {limit} bytes")]
    TooLarge { limit: usize },
    #[error("the answer says nothing and calls no tool")]
    Empty,
    /// The model, or who watches over it, does not want to answer. `reason` is the API's word for it.
    #[error("the model does not answer this (`{reason}`){}", after_colon(.message))]
    Refusal { reason: String, message: String },
    #[error("cannot start `{program}`: {cause}")]
    NoProgram { program: String, cause: String },
    /// `code` is what it ended with, if it ended by itself.
    #[error("`{program}` failed{}{}", code.map(|code| format!(" ({code})")).unwrap_or_default(), after_colon(.message))]
    Program { program: String, code: Option<i32>, message: String },
    #[error("the prompt has {bytes} bytes, `{program}` reads {limit}")]
    PromptTooLarge { program: String, bytes: usize, limit: usize },
}

impl ProviderError {
    /// One thing to do about it.
    pub fn hint(&self) -> String {
        match self {
            Self::BaseUrl(_) => "it looks like `https://api.openai.com/v1` or `http://127.0.0.1:8000/v1`; \
                                 keys are given apart from it"
                .into(),
            Self::Model(_) => "Google's are like `gemini-3-pro` or `tunedModels/NAME`".into(),
            Self::Key(_) => "give the key as the provider shows it, in one line".into(),
            Self::Request(_) => "build it again with the `--format` of this provider".into(),
            Self::Client(_) => "for `https` the system needs its root certificates (`ca-certificates`)".into(),
            Self::Connect { .. } => "check that the server runs, and that the base URL is right".into(),
            Self::Broken { .. } | Self::Cut { .. } => "try again; if it stays so, look into the server's log".into(),
            Self::TimedOut { .. } | Self::Silent { .. } => "allow more time, or ask for fewer tokens".into(),
            Self::Cancelled => "nothing of it is kept; ask again".into(),
            Self::KeyRejected { .. } => "check that a key is given, and that it is one of this server".into(),
            Self::TooManyRequests { delay: Some(delay), .. } => {
                format!("try again in {} s", delay.as_secs_f64().ceil())
            }
            Self::TooManyRequests { .. } => "try again later, or check what the account may use".into(),
            Self::Spent { .. } => "look at the account's balance and limits at the provider".into(),
            Self::Server { .. } => "try again later".into(),
            Self::Refused { status: 404 | 405, .. } => {
                "check the name of the model and the base URL, which most often ends with `/v1`".into()
            }
            Self::Refused { status: 413, .. } => "send less: lower `--budget`".into(),
            Self::Refused { .. } => "change the request as the server says".into(),
            Self::Redirected { .. } => "redirects are not followed: give the address it leads to as base URL".into(),
            Self::NotApi(_) | Self::NotJson(_) | Self::NotAnswer(_) => {
                "check that the base URL is one of a server that speaks this API".into()
            }
            Self::TooLarge { .. } => "ask for fewer tokens or fewer choices".into(),
            Self::Empty => "ask again, or allow more tokens: a model that reasons may have used them up".into(),
            Self::Refusal { .. } => "change what is asked or what is shown, or ask another model".into(),
            Self::NoProgram { .. } => {
                "install it with `npm install -g @google/gemini-cli`, or name it in `CONTEXTURE_GEMINI_CLI`".into()
            }
            Self::Program { code: Some(41), .. } => "run `gemini` and log in, or set `GEMINI_API_KEY`".into(),
            Self::Program { .. } => "see what `gemini -p hello` says".into(),
            Self::PromptTooLarge { .. } => "send less with `--budget`, or ask the API in place of the program".into(),
        }
    }
}

fn after_colon(message: &str) -> String {
    if message.is_empty() { String::new() } else { format!(": {message}") }
}

fn received_so_far(received: usize) -> String {
    match received {
        0 => " before any of the answer came".into(),
        received => format!(" after {received} bytes of the answer"),
    }
}
