//! Everything stops soon after somebody wishes it.

use crate::server::{Server, Step, asking, checked};
use contexture_core::Api;
use contexture_providers::{
    Answer, Cancel, Event, ModelRequest, Policy, ProviderError, Unanswered, Wait, complete, stream,
};
use std::net::TcpListener;
use std::sync::mpsc;
use std::thread;
use std::time::{Duration, Instant};

/// What it may take, and what a machine with other work may add.
const SOON: Duration = Duration::from_millis(100 + 150);

/// Runs until the signal comes, then wishes; gives how long it took from there.
fn stopped(
    ready: impl FnOnce() + Send + 'static,
    run: impl FnOnce(&Cancel) -> Result<Answer, Unanswered>,
) -> (Result<Answer, ProviderError>, Duration) {
    let cancel = Cancel::new();
    let (wish, wished) = (cancel.clone(), mpsc::channel());
    let sender = wished.0;
    let thread = thread::spawn(move || {
        ready();
        sender.send(Instant::now()).unwrap();
        wish.cancel();
    });
    let result = checked(run(&cancel));
    let ended = Instant::now();
    thread.join().unwrap();
    (result, ended - wished.1.recv().unwrap())
}

#[test]
fn before_it_begins() {
    let cancel = Cancel::new();
    cancel.cancel();
    let server = TcpListener::bind("127.0.0.1:0").unwrap();
    let base = format!("http://{}", server.local_addr().unwrap());
    let result = complete(&asking(&base), &Policy::default(), &cancel);
    assert_eq!(result, Err(ProviderError::Cancelled.into()));
    server.set_nonblocking(true).unwrap();
    assert!(server.accept().is_err());
}

#[test]
fn while_an_answer_is_awaited() {
    for is_stream in [false, true] {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let base = format!("http://{}", listener.local_addr().unwrap());
        // The connection is there, and nobody answers.
        let ready = move || std::mem::forget(listener.accept().unwrap());
        let (result, took) = stopped(ready, |cancel| {
            let ask = asking(&base);
            if is_stream {
                stream(&ask, &Policy::default(), &mut |_| {}, cancel)
            } else {
                complete(&ask, &Policy::default(), cancel)
            }
        });
        assert_eq!(result, Err(ProviderError::Cancelled));
        assert!(took < SOON, "{took:?}");
    }
}

#[test]
fn while_it_streams() {
    let begun = "data: {\"choices\":[{\"delta\":{\"content\":\"So\"}}]}\n\n";
    let server = Server::start([[Step::begun(begun), vec![Step::Hold]].concat()]);
    let (sender, receiver) = mpsc::channel();
    let (result, took) = stopped(
        move || receiver.recv().unwrap(),
        |cancel| {
            let mut hand = |event| {
                assert_eq!(event, Event::Text("So".into()));
                sender.send(()).unwrap();
            };
            stream(&asking(&server.url), &Policy::default(), &mut hand, cancel)
        },
    );
    assert_eq!(result, Err(ProviderError::Cancelled));
    assert!(took < SOON, "{took:?}");
    // The server sees that the client left.
    assert_eq!(server.requests().len(), 1);
}

#[test]
fn while_it_waits_to_ask_again() {
    let server = Server::start([Step::reply(429, "retry-after: 20\r\n", "")]);
    let (sender, receiver) = mpsc::channel();
    let (result, took) = stopped(
        move || receiver.recv().unwrap(),
        |cancel| {
            let pause = |wait: &Wait<'_>, cancel: &Cancel| {
                assert_eq!((wait.delay, wait.is_by_server), (Duration::from_secs(20), true));
                sender.send(()).unwrap();
                (Policy::default().pause)(wait, cancel)
            };
            let policy = Policy { pause: &pause, ..Policy::default() };
            complete(&ModelRequest { api: Api::Anthropic, ..asking(&server.url) }, &policy, cancel)
        },
    );
    assert_eq!(result, Err(ProviderError::Cancelled));
    assert!(took < SOON, "{took:?}");
}

/// A machine that says nothing to the first word of a connection: the queue of a listener that takes none is full.
#[cfg(target_os = "linux")]
#[test]
fn while_it_connects() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let address = listener.local_addr().unwrap();
    let mut queue = Vec::new();
    while let Ok(stream) = std::net::TcpStream::connect_timeout(&address, Duration::from_millis(50)) {
        queue.push(stream);
        assert!(queue.len() < 100_000);
    }
    // The system lists a connection that has sent its first word and got none back with state 02.
    let end = format!(":{:04X} 02", address.port());
    let ready = move || while !std::fs::read_to_string("/proc/net/tcp").unwrap().contains(&end) {};
    let run = |cancel: &Cancel| complete(&asking(&format!("http://{address}")), &Policy::default(), cancel);
    let (result, took) = stopped(ready, run);
    assert_eq!(result, Err(ProviderError::Cancelled));
    assert!(took < SOON, "{took:?}");
}
