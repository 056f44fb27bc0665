//! A server on a free port over a project of its own, and a client that says exactly what it is told to say.

use contexture::ops::loom::KeyOf;
use contexture::ops::{Door, OpError};
use contexture_core::Api;
use contexture_gather::Env;
use contexture_providers::Key;
use contexture_server::http::{Limits, Options, Server};
use serde_json::Value;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::time::Duration;
use tempfile::TempDir;

pub struct Served {
    pub folder: TempDir,
    pub address: SocketAddr,
    pub token: String,
    stop: Option<tokio::sync::oneshot::Sender<()>>,
    thread: Option<std::thread::JoinHandle<()>>,
}

pub struct Reply {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Reply {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("{} {}", self.status, self.body))
    }
}

pub fn door(folder: &Path) -> Door {
    let below = |name: &str| Some(folder.join(name));
    Door {
        env: Env {
            cwd: folder.join("project"),
            config_dir: below("config"),
            cache_dir: below("cache"),
            data_dir: below("data"),
            ..Env::default()
        },
        roots: Vec::new(),
        config_file: None,
        no_cache: false,
        threads: 2,
        progress: Arc::default(),
        input: None,
        shared: None,
    }
}

/// There is one key, for one API.
fn key(of: KeyOf) -> Result<Option<Key>, OpError> {
    Ok((of == KeyOf::Provider(Api::OpenAi)).then(|| Key::new("key-of-a-test").unwrap()))
}

impl Served {
    pub fn start() -> Self {
        Self::with(&[
            (
                "src/lib.rs",
                "//! A library.\n\n/// Adds.\npub fn add(a: u32, b: u32) -> u32 {\n    let mut sum = a;\n    for _ in 0..b {\n        sum += 1;\n    }\n    sum\n}\n",
            ),
            (
                "src/main.rs",
                "fn main() {\n    let words = [\"a\", \"b\", \"c\"];\n    for word in words {\n        println!(\"{word}\");\n    }\n}\n",
            ),
            ("README.md", "# Demo\n\nWords.\n"),
            ("Cargo.lock", "# generated\n"),
        ])
    }

    pub fn with(files: &[(&str, &str)]) -> Self {
        Self::limited(files, Limits::default())
    }

    pub fn limited(files: &[(&str, &str)], limits: Limits) -> Self {
        let folder = TempDir::new().unwrap();
        for name in ["project", "config", "cache", "data"] {
            std::fs::create_dir(folder.path().join(name)).unwrap();
        }
        for (name, text) in files {
            let path = folder.path().join("project").join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(path, text).unwrap();
        }
        let (tell, told) = std::sync::mpsc::channel();
        let (stop, stopped) = tokio::sync::oneshot::channel::<()>();
        let door = door(folder.path());
        let thread = std::thread::spawn(move || {
            let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
            runtime.block_on(async {
                let options = Options { listen: "127.0.0.1:0".parse().unwrap(), keys: Arc::new(key), limits };
                let server = Server::bind(door, options).await.unwrap();
                tell.send((server.address(), server.token().reveal().to_owned())).unwrap();
                server.run(async { drop(stopped.await) }).await.unwrap();
            });
        });
        let (address, token) = told.recv().unwrap();
        Self { folder, address, token, stop: Some(stop), thread: Some(thread) }
    }

    pub fn write(&self, name: &str, text: &str) {
        std::fs::write(self.folder.path().join("project").join(name), text).unwrap();
    }

    /// The lines of a head as they are, and a body.
    pub fn raw(&self, line: &str, headers: &[(&str, &str)], body: &str) -> Reply {
        let mut stream = self.connect();
        let mut head = format!("{line} HTTP/1.1\r\n");
        for (name, value) in headers {
            head.push_str(&format!("{name}: {value}\r\n"));
        }
        head.push_str(&format!("content-length: {}\r\nconnection: close\r\n\r\n", body.len()));
        stream.write_all(head.as_bytes()).unwrap();
        // A server that refuses the head need not read the rest.
        let _ = stream.write_all(body.as_bytes());
        let mut bytes = Vec::new();
        let _ = stream.read_to_end(&mut bytes);
        let text = String::from_utf8_lossy(&bytes).into_owned();
        let (head, body) = text.split_once("\r\n\r\n").unwrap_or((&text, ""));
        let status = head.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0);
        let is_chunked = head.to_ascii_lowercase().contains("transfer-encoding: chunked");
        let body = if is_chunked { unchunked(body) } else { body.to_owned() };
        Reply { status, head: head.to_owned(), body }
    }

    pub fn connect(&self) -> TcpStream {
        let stream = TcpStream::connect(self.address).unwrap();
        stream.set_read_timeout(Some(Duration::from_secs(30))).unwrap();
        stream
    }

    pub fn host(&self) -> String {
        self.address.to_string()
    }

    /// As a program with the token.
    pub fn ask(&self, name: &str, body: &Value) -> Reply {
        let token = format!("Bearer {}", self.token);
        let headers =
            [("host", self.host()), ("authorization", token), ("content-type", "application/json".to_owned())];
        let headers: Vec<(&str, &str)> = headers.iter().map(|(name, value)| (*name, value.as_str())).collect();
        self.raw(&format!("POST /api/{name}"), &headers, &body.to_string())
    }

    pub fn get(&self, path: &str) -> Reply {
        let token = format!("Bearer {}", self.token);
        self.raw(&format!("GET {path}"), &[("host", &self.host()), ("authorization", &token)], "")
    }

    /// Events as they come: name and data.
    pub fn events(&self) -> impl Iterator<Item = (String, Value)> + use<> {
        let mut stream = self.connect();
        let head = format!(
            "GET /api/events HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\n\r\n",
            self.host(),
            self.token
        );
        stream.write_all(head.as_bytes()).unwrap();
        let mut lines = BufReader::new(stream).lines().map_while(Result::ok);
        std::iter::from_fn(move || {
            let name = lines.by_ref().find_map(|line| Some(line.strip_prefix("event: ")?.to_owned()))?;
            let data = lines.by_ref().find_map(|line| Some(line.strip_prefix("data: ")?.to_owned()))?;
            Some((name, serde_json::from_str(&data).unwrap()))
        })
    }
}

impl Served {
    /// Tells it to stop, and does not wait.
    pub fn stop(&mut self) {
        if let Some(stop) = self.stop.take() {
            let _ = stop.send(());
        }
    }

    /// Stops it, and waits for what is under way.
    pub fn finish(&mut self) {
        self.stop();
        if let Some(thread) = self.thread.take() {
            let _ = thread.join();
        }
    }

    /// The head and the body of a question as they go over the wire.
    pub fn question(&self, name: &str, body: &Value) -> (String, String) {
        let body = body.to_string();
        let head = format!(
            "POST /api/{name} HTTP/1.1\r\nhost: {}\r\nauthorization: Bearer {}\r\ncontent-type: application/json\r\ncontent-length: {}\r\n\r\n",
            self.host(),
            self.token,
            body.len()
        );
        (head, body)
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        self.finish();
    }
}

fn unchunked(mut body: &str) -> String {
    let mut out = String::new();
    while let Some((size, rest)) = body.split_once("\r\n") {
        let size = usize::from_str_radix(size.trim(), 16).unwrap_or(0);
        if size == 0 || rest.len() < size {
            break;
        }
        out.push_str(&rest[..size]);
        body = rest[size..].trim_start_matches("\r\n");
    }
    out
}
