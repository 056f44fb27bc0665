//! The agent of the example, against a server on this machine that says what it was told to say.
#![allow(clippy::unwrap_used)]

#[path = "../examples/agent_loop/turn.rs"]
mod turn;

use contexture::agent::{LlmMessage, Now, Session, WorkspaceContext, read_file, tool_schemas};
use serde_json::Value;
use std::fs;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::path::Path;
use std::sync::mpsc::{Receiver, Sender, channel};
use turn::{Agent, TOOLS};

const TWO_CALLS: &str = r#"{"choices":[{"message":{"role":"assistant","content":null,"tool_calls":[
    {"id":"call_a","type":"function","function":{"name":"now","arguments":"{}"}},
    {"id":"call_b","type":"function","function":{"name":"list_files","arguments":"{}"}}]}}]}"#;

fn text(says: &str) -> String {
    format!(r#"{{"choices":[{{"message":{{"role":"assistant","content":"{says}"}}}}]}}"#)
}

/// What came in.
struct Request {
    head: String,
    body: String,
}

impl Request {
    fn messages(&self) -> Vec<Value> {
        let body: Value = serde_json::from_str(&self.body).unwrap();
        body["messages"].as_array().unwrap().clone()
    }

    /// All bytes up to the end of the last message.
    fn up_to_last_message(&self) -> &str {
        self.body.strip_suffix("\n]}").unwrap()
    }
}

/// Answers one request after the other, and gives each of them to the test before it answers.
struct Server {
    url: String,
    requests: Receiver<Request>,
    answers: Sender<(u16, String)>,
}

impl Server {
    fn start() -> Self {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let url = format!("http://{}/v1/chat/completions", listener.local_addr().unwrap());
        let (told, requests) = channel();
        let (answers, next) = channel::<(u16, String)>();
        // Ends with the test, which holds the other ends of its channels.
        std::thread::spawn(move || {
            while let Ok((stream, _)) = listener.accept() {
                let request = received(&stream);
                let Ok((status, body)) = next.recv() else { return };
                if told.send(request).is_err() {
                    return;
                }
                let head =
                    format!("HTTP/1.1 {status} X\r\nconnection: close\r\ncontent-length: {}\r\n\r\n", body.len());
                (&stream).write_all(format!("{head}{body}").as_bytes()).unwrap();
            }
        });
        Self { url, requests, answers }
    }

    fn will_say(&self, answers: &[&str]) {
        answers.iter().for_each(|answer| self.answers.send((200, (*answer).to_owned())).unwrap());
    }

    fn request(&self) -> Request {
        self.requests.try_recv().unwrap()
    }
}

fn received(stream: &TcpStream) -> Request {
    let mut reader = BufReader::new(stream);
    let mut head = String::new();
    while !head.ends_with("\r\n\r\n") {
        assert!(reader.read_line(&mut head).unwrap() > 0, "the request ends in its head");
    }
    let head = head.to_ascii_lowercase();
    let length = head.lines().find_map(|line| line.strip_prefix("content-length: ")).unwrap();
    let mut body = vec![0; length.parse().unwrap()];
    reader.read_exact(&mut body).unwrap();
    Request { head, body: String::from_utf8(body).unwrap() }
}

/// A workspace with something in every layer.
fn workspace(folder: &Path) {
    let files = [
        ("SOUL.md", "I am Oda.\n"),
        ("AGENTS.md", "Answer briefly.\n"),
        ("TOOLS.md", "## now\nTells the day.\n"),
        ("memory/MEMORY.md", "- likes green tea\n"),
        ("skills/brew/SKILL.md", "---\nname: brew\ndescription: Brews tea.\n---\nBoil water.\n"),
    ];
    for (path, text) in files {
        let path = folder.join(path);
        fs::create_dir_all(path.parent().unwrap()).unwrap();
        fs::write(path, text).unwrap();
    }
}

fn agent(folder: &Path, server: &Server) -> Agent {
    let _ = rustls::crypto::ring::default_provider().install_default();
    let context = WorkspaceContext::new(folder)
        .max_tokens(16_000)
        .tools(tool_schemas(TOOLS).unwrap())
        .clock(|| Now { day: "2026-11-16".into(), zone: "UTC".into() });
    Agent {
        context: Box::new(context),
        // No proxy of the machine the test runs on.
        http: reqwest::Client::builder().no_proxy().build().unwrap(),
        url: server.url.clone(),
        key: None,
        model: "small \"one\"".into(),
        workspace: folder.to_owned(),
        file: folder.join("sessions/test_1.json"),
        session: Session::default(),
    }
}

fn stored(agent: &Agent) -> Vec<LlmMessage> {
    let read = read_file(&agent.file).unwrap().unwrap();
    assert_eq!(read.notes, []);
    read.session.messages.iter().map(|spoken| (*spoken.message).clone()).collect()
}

fn roles(messages: &[Value]) -> Vec<&str> {
    messages.iter().map(|message| message["role"].as_str().unwrap()).collect()
}

#[tokio::test]
async fn tools_are_called_and_everything_is_kept() {
    let folder = tempfile::tempdir().unwrap();
    workspace(folder.path());
    let server = Server::start();
    let mut agent = agent(folder.path(), &server);
    server.will_say(&[TWO_CALLS, &text("Green tea.")]);
    assert_eq!(agent.turn("Which tea do I like?").await.unwrap(), "Green tea.");

    // The layers in their order, in one message of the system; then what was asked, once.
    let first = server.request();
    assert!(first.head.starts_with("post /v1/chat/completions http/1.1\r\n"), "{}", first.head);
    assert!(!first.head.contains("authorization"));
    let body: Value = serde_json::from_str(&first.body).unwrap();
    assert_eq!((&body["model"], body["tools"].as_array().unwrap().len()), (&"small \"one\"".into(), 2));
    let messages = first.messages();
    assert_eq!(roles(&messages), ["system", "user"]);
    let system = messages[0]["content"].as_str().unwrap();
    let parts =
        ["I am Oda.", "Answer briefly.", "2026-11-16", "Tools: 2", "likes green tea", "brew: Brews tea.", "## now"];
    let places: Vec<usize> = parts.iter().map(|part| system.find(part).unwrap_or_else(|| panic!("{part}"))).collect();
    assert!(places.is_sorted(), "{system}");
    assert_eq!(messages[1]["content"], "Which tea do I like?");

    // Each call with its result, in the order of the calls.
    let second = server.request();
    let messages = second.messages();
    assert_eq!(roles(&messages), ["system", "user", "assistant", "tool", "tool"]);
    assert_eq!(messages[2]["tool_calls"][1]["function"]["name"], "list_files");
    assert_eq!((&messages[3]["tool_call_id"], &messages[4]["tool_call_id"]), (&"call_a".into(), &"call_b".into()));
    assert_eq!(messages[4]["content"], "AGENTS.md\nSOUL.md\nTOOLS.md\nmemory\nsessions\nskills");
    assert!(second.body.starts_with(first.up_to_last_message()));
    assert_eq!(second.body.matches("Which tea do I like?").count(), 1);

    // All of it is on disk.
    let kept = stored(&agent);
    assert_eq!(
        kept.iter().map(|message| message.role.as_str()).collect::<Vec<_>>(),
        ["user", "assistant", "tool", "tool", "assistant"]
    );
    assert_eq!((&*kept[4].text(), kept[1].calls.len()), ("Green tea.", 2));

    // The next turn goes on where the last one was, to the byte.
    server.will_say(&[&text("You are welcome.")]);
    agent.turn("Thank you").await.unwrap();
    let third = server.request();
    assert!(third.body.starts_with(second.up_to_last_message()));
    assert_eq!(roles(&third.messages())[5..], ["assistant", "user"]);
    assert_eq!(stored(&agent).len(), 7);
}

#[tokio::test]
async fn an_agent_continues_from_the_session_file() {
    let folder = tempfile::tempdir().unwrap();
    workspace(folder.path());
    let server = Server::start();
    let mut first = agent(folder.path(), &server);
    server.will_say(&[TWO_CALLS, &text("Green tea."), &text("Yes."), &text("Yes.")]);
    first.turn("Which tea do I like?").await.unwrap();
    first.turn("Sure?").await.unwrap();
    server.request();
    server.request();
    let as_it_was = server.request();

    let file = read_file(&first.file).unwrap().unwrap().session;
    let shorter = Session { messages: file.messages[..6].to_vec(), ..file };
    let mut second = Agent { session: shorter, ..agent(folder.path(), &server) };
    second.turn("").await.unwrap();
    assert_eq!(server.request().body, as_it_was.body);
}

#[tokio::test]
async fn messages_survive_a_failing_server() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start();
    let mut agent = agent(folder.path(), &server);
    agent.key = Some("secret-key".into());
    let failures = [
        (429, r#"{"error":{"message":"slow down"}}"#, "429 Too Many Requests: the server says: slow down"),
        (502, "<html>bad gateway</html>", "the server refused: 502 Bad Gateway"),
        (200, "{}", "the answer has no message in `choices`"),
    ];
    for (nth, (status, body, wanted)) in failures.into_iter().enumerate() {
        server.answers.send((status, body.to_owned())).unwrap();
        let error = agent.turn(if nth == 0 { "Hello?" } else { "" }).await.unwrap_err();
        assert_eq!(error.to_string(), wanted);
    }
    assert_eq!(stored(&agent).len(), 1);
    // Asked once more, it is answered.
    server.will_say(&[&text("Here I am.")]);
    assert_eq!(agent.turn("").await.unwrap(), "Here I am.");
    assert_eq!(stored(&agent).len(), 2);
    let requests: Vec<Request> = server.requests.try_iter().collect();
    assert!(requests.iter().all(|request| request.head.contains("authorization: bearer secret-key\r\n")));
    assert!(requests.iter().all(|request| request.body == requests[0].body));
    assert_eq!(requests[3].body.matches("Hello?").count(), 1);
    assert_eq!(
        agent.turn("").await.unwrap_err().to_string(),
        "nothing to answer: there is no message, and the session does not end with one of a user or a tool"
    );
}

#[tokio::test]
async fn a_server_that_hangs_up_is_told_with_the_cause() {
    let folder = tempfile::tempdir().unwrap();
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    std::thread::spawn(move || listener.incoming().for_each(drop));
    let mut agent = Agent { url: format!("http://{address}/v1"), ..agent(folder.path(), &Server::start()) };
    let error = agent.turn("Hello?").await.unwrap_err().to_string();
    // The address, and behind it why.
    let (place, cause) = error.split_once("): ").unwrap_or_else(|| panic!("{error}"));
    assert!(place.contains(&address.to_string()) && cause.to_lowercase().contains("connection"), "{error}");
    assert_eq!(stored(&agent).len(), 1);
}

#[tokio::test]
async fn a_model_that_only_calls_tools_is_stopped() {
    let folder = tempfile::tempdir().unwrap();
    let server = Server::start();
    let mut agent = agent(folder.path(), &server);
    let unknown = TWO_CALLS.replace("\"now\"", "\"rm\"");
    server.will_say(&[unknown.as_str(); 8]);
    let error = agent.turn("Go on").await.unwrap_err();
    assert_eq!(error.to_string(), "the model called tools 8 times and gave no answer");
    let kept = stored(&agent);
    assert_eq!((kept.len(), &*kept[2].text()), (1 + 8 * 3, "there is no tool `rm`"));
    // The same ids in each round: sent, every call has a result of its own.
    let last = server.requests.try_iter().last().unwrap().messages();
    let ids = |key: &str| -> Vec<String> {
        let of = |message: &Value| match key {
            "tool" => vec![message["tool_call_id"].clone()],
            _ => message["tool_calls"].as_array().into_iter().flatten().map(|call| call["id"].clone()).collect(),
        };
        last.iter().filter(|message| message["role"] == key).flat_map(of).map(|id| id.to_string()).collect()
    };
    assert_eq!((ids("tool").len(), ids("tool")), (14, ids("assistant")));
}
