//! Connections that are slow, silent or many, and the end of a server.

use super::client::Served;
use contexture_server::http::Limits;
use serde_json::json;
use std::io::{BufRead, BufReader, Read, Write};
use std::net::{TcpListener, TcpStream};
use std::time::Duration;

const SHORT: Duration = Duration::from_millis(50);
/// Longer than a test may take: what is limited by it hangs where it should not.
const LONG: Duration = Duration::from_secs(3600);

fn patient() -> Limits {
    Limits { head: LONG, body: LONG, last: LONG, ..Limits::default() }
}

/// All that comes until the other side closes.
fn rest(stream: &mut TcpStream) -> String {
    let mut bytes = Vec::new();
    stream.read_to_end(&mut bytes).unwrap();
    String::from_utf8_lossy(&bytes).into_owned()
}

#[test]
fn a_body_that_stops_is_told_and_closed() {
    let served = Served::limited(&[("a.txt", "a\n")], Limits { body: SHORT, ..patient() });
    for part in [0, 5] {
        let mut stream = served.connect();
        let (head, body) = served.question("plan", &json!({"request": {}}));
        stream.write_all(head.as_bytes()).unwrap();
        stream.write_all(&body.as_bytes()[..part]).unwrap();
        let answer = rest(&mut stream);
        assert!(answer.starts_with("HTTP/1.1 408 ") && answer.contains("connection: close"), "{answer}");
    }
}

#[test]
fn a_body_in_pieces_is_taken_whole() {
    let served = Served::limited(&[("a.txt", "a\n")], Limits { body: Duration::from_secs(20), ..patient() });
    let mut stream = served.connect();
    let (head, body) = served.question("show", &json!({"path": "a.txt", "view": "full"}));
    stream.write_all(head.replace("content-type", "connection: close\r\ncontent-type").as_bytes()).unwrap();
    for byte in body.as_bytes() {
        stream.write_all(&[*byte]).unwrap();
    }
    assert!(rest(&mut stream).starts_with("HTTP/1.1 200 "));
}

#[test]
fn who_says_nothing_is_sent_away() {
    let served = Served::limited(&[], Limits { head: SHORT, ..patient() });
    let mut silent = served.connect();
    rest(&mut silent);
    let mut slow = served.connect();
    slow.write_all(b"GET / HTTP/1.1\r\nhost:").unwrap();
    rest(&mut slow);
}

#[test]
fn who_only_waits_makes_room() {
    let served = Served::limited(&[("a.txt", "a\n")], Limits { connections: 3, ..patient() });
    let mut events = served.events();
    assert_eq!(events.next().unwrap().0, "hello");
    let mut waiting = served.connect();
    let (head, body) = served.question("plan", &json!({}));
    waiting.write_all(format!("{head}{body}").as_bytes()).unwrap();
    let mut line = String::new();
    BufReader::new(waiting.try_clone().unwrap()).read_line(&mut line).unwrap();
    assert!(line.contains("200"), "{line}");
    let _silent = served.connect();
    for _ in 0..5 {
        assert_eq!(served.ask("plan", &json!({})).status, 200);
    }
    // Who listens keeps the place.
    std::fs::write(served.folder.path().join("project/a.txt"), "other\n").unwrap();
    assert_eq!(events.next().unwrap().0, "files");
}

#[test]
fn the_end_does_not_wait_for_listeners() {
    let mut served = Served::limited(&[], patient());
    let mut events = served.events();
    assert_eq!(events.next().unwrap().0, "hello");
    let _silent = served.connect();
    served.stop();
    assert_eq!(events.next(), None);
    // Ends only when the server has.
    drop(served);
}

#[test]
fn what_is_under_way_is_finished_however_long_it_takes() {
    let limits = Limits { last: Duration::ZERO, ..patient() };
    let mut served = Served::limited(&[("a.txt", "a\n")], limits);
    let provider = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", provider.local_addr().unwrap());
    let ask = json!({"provider": "openai", "model": "gpt-5", "base_url": base, "request": {"message": "why?"}});
    let (head, body) = served.question("send", &ask);
    let mut stream = served.connect();
    stream.write_all(format!("{head}{body}").as_bytes()).unwrap();
    let (mut asked, _) = provider.accept().unwrap();
    served.stop();
    // Nobody is let in any more once it stops.
    while TcpStream::connect(served.address).is_ok() {}
    let said = "{\"error\": {\"message\": \"no\"}}";
    let answer = format!(
        "HTTP/1.1 400 Bad Request\r\ncontent-type: application/json\r\ncontent-length: {}\r\nconnection: close\r\n\r\n{said}",
        said.len()
    );
    asked.write_all(answer.as_bytes()).unwrap();
    let told = rest(&mut stream);
    assert!(told.contains("\"error\"") && told.ends_with("0\r\n\r\n"), "{told}");
}
