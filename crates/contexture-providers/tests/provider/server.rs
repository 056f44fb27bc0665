//! A server that follows a script, and questions for it.

use contexture_core::Api;
use contexture_providers::{
    Answer, Cancel, Endpoint, Event, Key, ModelRequest, Policy, ProviderError, Unanswered, Wait, complete, stream,
};
use std::cell::RefCell;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::LazyLock;
use std::thread::JoinHandle;
use std::time::Duration;

pub const KEY: &str = "sk-test-7f3a9c0e51d24b86";
pub const BODY: &str = r#"{"model":"small","messages":[{"role":"user","content":"Say ä."}]}"#;
/// Long enough for the slowest machine: only what hangs ends by it.
const PATIENT: Duration = Duration::from_secs(60);

pub fn asking(base_url: &str) -> ModelRequest<'_> {
    static READ: LazyLock<Key> = LazyLock::new(|| Key::new(&format!("{KEY}\n")).unwrap());
    ModelRequest {
        api: Api::OpenAi,
        model: "small",
        base_url: Some(base_url),
        key: Some(&READ),
        body: BODY,
        endpoint: Endpoint::Chat,
        timeout: PATIENT,
    }
}

/// No error shows the key, and no answer has it, in whatever way it is shown.
pub fn checked(result: Result<Answer, Unanswered>) -> Result<Answer, ProviderError> {
    if let Err(Unanswered { partial, .. }) = &result {
        assert!(!format!("{partial:?}").contains(KEY));
    }
    let result = result.map_err(|unanswered| unanswered.error);
    if let Err(error) = &result {
        let told = format!("{error} {error:?} {error:#?} {}", error.hint()).to_lowercase();
        assert!(!told.contains(KEY) && !told.contains("7f3a9c0e") && error.to_string().lines().count() == 1, "{told}");
        assert!(!error.hint().is_empty());
    }
    if let Ok(answer) = &result {
        assert!(!format!("{answer:?}").contains(KEY));
    }
    result
}

/// What a server does with a connection, before it closes it.
#[derive(Clone)]
pub enum Step {
    /// Reads a request.
    Request,
    /// Writes in pieces of odd sizes.
    Send(Vec<u8>),
    /// Writes chunks until the client has enough: these, again and again.
    Flood(String),
    /// Says nothing more until the client leaves.
    Hold,
    /// Leaves with bytes unread, which resets the connection.
    Reset,
}

impl Step {
    pub fn reply(status: u16, headers: &str, body: &str) -> Vec<Self> {
        let length = body.len();
        let answer = format!("HTTP/1.1 {status} Some Reason\r\n{headers}content-length: {length}\r\n\r\n{body}");
        vec![Self::Request, Self::Send(answer.into_bytes())]
    }

    /// Characters of more than one byte are cut too.
    pub fn chunked(body: &str) -> Vec<Self> {
        let chunks = chunks("", body.as_bytes().chunks(7));
        vec![Self::Request, Self::Send([&chunks, b"0\r\n\r\n".as_slice()].concat())]
    }

    /// A stream, whose client gets it in these pieces.
    pub fn stream<'a>(pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<Self> {
        let chunks = chunks("content-type: text/event-stream; charset=utf-8\r\n", pieces);
        vec![Self::Request, Self::Send([&chunks, b"0\r\n\r\n".as_slice()].concat())]
    }

    /// A stream that goes on with what comes after it.
    pub fn begun(stream: &str) -> Vec<Self> {
        vec![Self::Request, Self::Send(chunks("content-type: text/event-stream\r\n", [stream.as_bytes()]))]
    }

    /// Errors of writing are those of a client that left.
    fn act(&self, stream: &TcpStream, requests: &mut Vec<Request>) {
        let mut stream = stream;
        match self {
            Self::Request => requests.push(Request::read(stream)),
            Self::Send(bytes) => {
                let mut rest = bytes.as_slice();
                for size in [1, 2, 5, 11, 3, 700].into_iter().cycle() {
                    let (piece, more) = rest.split_at(size.min(rest.len()));
                    if piece.is_empty() || stream.write_all(piece).is_err() {
                        return;
                    }
                    rest = more;
                }
            }
            Self::Flood(text) => {
                let text = text.repeat((1 << 20) / text.len());
                let chunk = format!("{:x}\r\n{text}\r\n", text.len());
                while stream.write_all(chunk.as_bytes()).is_ok() {}
            }
            Self::Hold => while stream.read(&mut [0; 64]).is_ok_and(|count| count > 0) {},
            Self::Reset => {
                let _ = stream.read(&mut [0; 1]);
            }
        }
    }
}

fn chunks<'a>(headers: &str, pieces: impl IntoIterator<Item = &'a [u8]>) -> Vec<u8> {
    let mut answer = format!("HTTP/1.1 200 OK\r\n{headers}Transfer-Encoding: chunked\r\n\r\n").into_bytes();
    for piece in pieces.into_iter().filter(|piece| !piece.is_empty()) {
        answer.extend(format!("{:x}\r\n", piece.len()).bytes());
        answer.extend(piece);
        answer.extend(b"\r\n");
    }
    answer
}

pub struct Request {
    pub head: String,
    pub body: String,
}

impl Request {
    fn read(stream: &TcpStream) -> Self {
        let mut reader = BufReader::new(stream);
        let mut head = String::new();
        while !head.ends_with("\r\n\r\n") {
            assert!(reader.read_line(&mut head).unwrap() > 0, "the request ends in its head");
        }
        let mut request = Self { head, body: String::new() };
        let mut body = vec![0; request.header("content-length").unwrap().parse().unwrap()];
        reader.read_exact(&mut body).unwrap();
        request.body = String::from_utf8(body).unwrap();
        request
    }

    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }
}

/// Follows one script for each connection, and then listens no more.
pub struct Server {
    pub url: String,
    thread: JoinHandle<Vec<Request>>,
}

impl Server {
    pub fn start(scripts: impl IntoIterator<Item = Vec<Step>>) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1", listener.local_addr().unwrap());
        let scripts: Vec<Vec<Step>> = scripts.into_iter().collect();
        let thread = std::thread::spawn(move || {
            let mut requests = Vec::new();
            for script in scripts {
                let (stream, _) = listener.accept().unwrap();
                stream.set_nodelay(true).unwrap();
                script.iter().for_each(|step| step.act(&stream, &mut requests));
            }
            requests
        });
        Self { url, thread }
    }

    pub fn name(&self) -> String {
        self.url.trim_start_matches("http://").trim_end_matches("/v1").to_owned()
    }

    pub fn ask(&self, endpoint: Endpoint) -> Result<Answer, ProviderError> {
        checked(complete(&ModelRequest { endpoint, ..asking(&self.url) }, &Policy::default(), &Cancel::new()))
    }

    /// Without waiting, and with the milliseconds that it would have waited.
    pub fn ask_patiently(&self) -> (Result<Answer, ProviderError>, Vec<u128>) {
        let pauses = RefCell::new(Vec::new());
        let pause = |wait: &Wait<'_>, _: &Cancel| {
            pauses.borrow_mut().push(wait.delay.as_millis());
            true
        };
        let policy = Policy { pause: &pause, ..Policy::default() };
        let result = checked(complete(&asking(&self.url), &policy, &Cancel::new()));
        (result, pauses.into_inner())
    }

    /// An answer in pieces, and the pieces. Does not wait between attempts.
    pub fn stream(&self, api: Api) -> (Result<Answer, ProviderError>, Vec<Event>) {
        self.stream_with(api, &Policy { pause: &|_, _| true, ..Policy::default() })
    }

    pub fn stream_with(&self, api: Api, policy: &Policy) -> (Result<Answer, ProviderError>, Vec<Event>) {
        let mut events = Vec::new();
        let ask = ModelRequest { api, ..asking(&self.url) };
        let result = checked(stream(&ask, policy, &mut |event| events.push(event), &Cancel::new()));
        (result, events)
    }

    /// All that came in, when the script is done.
    pub fn requests(self) -> Vec<Request> {
        self.thread.join().unwrap()
    }
}
