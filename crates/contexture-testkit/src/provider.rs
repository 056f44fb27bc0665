//! A provider of models on this machine: a real HTTP server whose answers are a function of the test.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::sync::atomic::{AtomicBool, AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};
use std::thread::JoinHandle;

/// A request as it came in.
#[derive(Clone, Debug)]
pub struct Heard {
    pub head: String,
    pub body: String,
}

impl Heard {
    pub fn header(&self, name: &str) -> Option<&str> {
        let mut lines = self.head.lines().filter_map(|line| line.split_once(": "));
        lines.find(|(key, _)| key.eq_ignore_ascii_case(name)).map(|(_, value)| value)
    }

    /// The body as JSON.
    pub fn json(&self) -> serde_json::Value {
        serde_json::from_str(&self.body).expect("JSON")
    }
}

/// What goes back.
#[derive(Clone, Debug)]
pub struct Reply {
    status: u16,
    headers: String,
    body: String,
    end: End,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum End {
    Whole,
    /// In the middle of the body.
    Cut,
    /// Never, until the client leaves.
    Hold,
    /// More of the same, until the client leaves.
    Flood,
}

impl Reply {
    pub fn new(status: u16, body: impl Into<String>) -> Self {
        Self { status, headers: "content-type: application/json\r\n".into(), body: body.into(), end: End::Whole }
    }

    /// An answer of Anthropic's Messages.
    pub fn anthropic(text: &str) -> Self {
        Self::anthropic_stopped(text, "end_turn")
    }

    pub fn anthropic_stopped(text: &str, stop: &str) -> Self {
        let body = serde_json::json!({
            "id": "msg_1", "type": "message", "role": "assistant", "model": "claude-of-the-test",
            "content": [{"type": "text", "text": text}], "stop_reason": stop,
            "usage": {"input_tokens": 1000, "output_tokens": 100},
        });
        Self::new(200, body.to_string())
    }

    /// An answer of Chat Completions.
    pub fn openai(text: &str) -> Self {
        let body = serde_json::json!({
            "id": "c", "object": "chat.completion", "model": "gpt-of-the-test",
            "choices": [{"index": 0, "message": {"role": "assistant", "content": text}, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 1000, "completion_tokens": 100},
        });
        Self::new(200, body.to_string())
    }

    pub fn header(mut self, line: &str) -> Self {
        self.headers.push_str(&format!("{line}\r\n"));
        self
    }

    pub fn content_type(mut self, kind: &str) -> Self {
        self.headers = format!("content-type: {kind}\r\n");
        self
    }

    pub fn cut(self) -> Self {
        Self { end: End::Cut, ..self }
    }

    pub fn held(self) -> Self {
        Self { end: End::Hold, ..self }
    }

    pub fn flooded(self) -> Self {
        Self { end: End::Flood, ..self }
    }

    /// Errors of writing are those of a client that left.
    fn send(&self, stream: &mut TcpStream) {
        let Self { status, headers, body, end } = self;
        let length = match end {
            End::Flood => usize::MAX >> 8,
            End::Whole | End::Cut | End::Hold => body.len(),
        };
        let head = format!("HTTP/1.1 {status} Some Reason\r\n{headers}content-length: {length}\r\n\r\n");
        let sent = match end {
            End::Whole | End::Flood => body.as_bytes(),
            End::Cut | End::Hold => &body.as_bytes()[..body.len() / 2],
        };
        if stream.write_all(head.as_bytes()).and_then(|()| stream.write_all(sent)).is_err() {
            return;
        }
        match end {
            End::Whole | End::Cut => {}
            End::Hold => while stream.read(&mut [0; 64]).is_ok_and(|count| count > 0) {},
            End::Flood => while stream.write_all(&[b' '; 1 << 16]).is_ok() {},
        }
    }
}

/// The server. It ends when it is dropped.
pub struct Provider {
    /// `http://127.0.0.1:PORT/v1`.
    pub url: String,
    heard: Arc<Mutex<Vec<Heard>>>,
    is_over: Arc<AtomicBool>,
    thread: Option<JoinHandle<()>>,
}

impl Provider {
    /// `answer` gets each request and how many came before it; it is called from several threads at once.
    pub fn start(answer: impl Fn(&Heard, usize) -> Reply + Send + Sync + 'static) -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").expect("a port");
        let url = format!("http://{}/v1", listener.local_addr().expect("an address"));
        let heard = Arc::new(Mutex::new(Vec::new()));
        let is_over = Arc::new(AtomicBool::new(false));
        let (answer, number) = (Arc::new(answer), Arc::new(AtomicUsize::new(0)));
        let (all, over) = (heard.clone(), is_over.clone());
        let thread = std::thread::spawn(move || {
            for stream in listener.incoming() {
                if over.load(Ordering::SeqCst) {
                    return;
                }
                let Ok(mut stream) = stream else { continue };
                let (answer, all, number) = (answer.clone(), all.clone(), number.clone());
                std::thread::spawn(move || {
                    // A client that was killed sends half a request, or none.
                    let Some(request) = read(&stream) else { return };
                    let nth = number.fetch_add(1, Ordering::SeqCst);
                    all.lock().expect("no panic").push(request.clone());
                    answer(&request, nth).send(&mut stream);
                });
            }
        });
        Self { url, heard, is_over, thread: Some(thread) }
    }

    /// Everything that came in so far.
    pub fn heard(&self) -> Vec<Heard> {
        self.heard.lock().expect("no panic").clone()
    }
}

impl Drop for Provider {
    fn drop(&mut self) {
        self.is_over.store(true, Ordering::SeqCst);
        // Wakes the thread that waits for a connection.
        let _ = TcpStream::connect(self.url.trim_start_matches("http://").trim_end_matches("/v1"));
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }
}

fn read(stream: &TcpStream) -> Option<Heard> {
    let mut reader = BufReader::new(stream);
    let mut heard = Heard { head: String::new(), body: String::new() };
    while !heard.head.ends_with("\r\n\r\n") {
        if reader.read_line(&mut heard.head).ok()? == 0 {
            return None;
        }
    }
    let mut body = vec![0; heard.header("content-length")?.parse().ok()?];
    reader.read_exact(&mut body).ok()?;
    heard.body = String::from_utf8(body).ok()?;
    Some(heard)
}
