//! Over HTTP: who may ask, and what is answered. The official client is asked in `cargo xtask judges`.

use super::small;
use contexture_testkit::TestEnv;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{SocketAddr, TcpStream};
use std::process::{Child, Stdio};
use std::time::Duration;

struct Server {
    child: Child,
    address: SocketAddr,
    token: String,
}

impl Server {
    fn start(env: &TestEnv) -> Self {
        let mut child = env
            .command(&["mcp", "--http"])
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .expect("the program runs");
        let mut said = BufReader::new(child.stderr.take().expect("standard error")).lines();
        let mut line = || said.next().expect("a line").expect("text");
        let address = line().trim_start_matches("http://").trim_end_matches("/mcp").parse().expect("an address");
        let token = line().trim_start_matches("token: ").to_owned();
        Self { child, address, token }
    }

    /// The status of an answer, and all of it.
    fn ask(&self, method: &str, path: &str, headers: &[(&str, &str)], body: &str) -> (u16, String) {
        let mut stream = TcpStream::connect(self.address).expect("a connection");
        stream.set_read_timeout(Some(Duration::from_secs(20))).expect("a timeout");
        let mut request =
            format!("{method} {path} HTTP/1.1\r\nConnection: close\r\nContent-Length: {}\r\n", body.len());
        for (name, value) in headers {
            request.push_str(&format!("{name}: {value}\r\n"));
        }
        stream.write_all(format!("{request}\r\n{body}").as_bytes()).expect("sent");
        let mut answer = Vec::new();
        let _ = stream.read_to_end(&mut answer);
        let answer = String::from_utf8_lossy(&answer).into_owned();
        (answer.split(' ').nth(1).and_then(|status| status.parse().ok()).unwrap_or(0), answer)
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

const HELLO: &str = r#"{"jsonrpc":"2.0","id":1,"method":"initialize","params":{"protocolVersion":"2025-11-25","capabilities":{},"clientInfo":{"name":"t","version":"1"}}}"#;

#[test]
fn only_who_knows_the_token_and_our_names_is_answered() {
    let env = small();
    let server = Server::start(&env);
    assert_eq!(server.token.len(), 64);
    let port = server.address.port();
    let own = format!("127.0.0.1:{port}");
    let bearer = format!("Bearer {}", server.token);
    let plain = [("Content-Type", "application/json"), ("Accept", "application/json, text/event-stream")];
    let ask = |headers: &[(&str, &str)]| server.ask("POST", "/mcp", &[&plain, headers].concat(), HELLO);
    let (status, answer) = ask(&[("Host", &own), ("Authorization", &bearer)]);
    assert!(status == 200 && answer.contains("protocolVersion"), "{answer}");
    assert!(!answer.to_lowercase().contains("access-control"), "{answer}");
    let (hosts, origins) = (
        [
            "evil.example".to_owned(),
            format!("evil.example:{port}"),
            format!("127.0.0.1.evil:{port}"),
            format!("0.0.0.0:{port}"),
            "127.0.0.1:1".into(),
            format!("[::ffff:127.0.0.1]:{port}"),
            String::new(),
        ],
        [
            "http://evil.example".to_owned(),
            "null".into(),
            format!("https://{own}"),
            format!("http://{own}.evil"),
            "http://127.0.0.1".into(),
            "http://localhost:1".into(),
            "x".into(),
        ],
    );
    for host in &hosts {
        let (status, answer) = ask(&[("Host", host), ("Authorization", &bearer)]);
        assert!(status >= 400, "{host}: {answer}");
    }
    for origin in &origins {
        let (status, answer) = ask(&[("Host", &own), ("Origin", origin), ("Authorization", &bearer)]);
        assert_eq!(status, 403, "{origin}: {answer}");
    }
    let half = &bearer[..bearer.len() - 1];
    for wrong in
        ["", "Bearer", "Bearer ", &server.token, half, &format!("{bearer}0"), &bearer.to_uppercase(), "Basic x"]
    {
        let (status, answer) = ask(&[("Host", &own), ("Authorization", wrong)]);
        assert_eq!(status, 401, "{wrong}: {answer}");
    }
    for path in ["/", "/mcp/", "/mcp/x", "/../mcp", "/.env"] {
        for auth in ["Bearer x", &bearer] {
            let (status, answer) = server.ask("GET", path, &[("Host", &own), ("Authorization", auth)], "");
            assert!(status >= 400, "{path}: {answer}");
        }
    }
}

#[test]
fn it_listens_on_this_machine_alone() {
    let env = small();
    let ran = env.run(&["mcp", "--http", "--listen", "0.0.0.0:0"]);
    assert_eq!(ran.code, Some(2), "{}", ran.stderr);
    assert!(ran.stderr.contains("other machines"), "{}", ran.stderr);
    assert_eq!(env.run(&["mcp", "--root", "missing"]).code, Some(2));
}
