//! The builder in async code: usable as `dyn`, from many tasks, and never in the way of others.

use super::*;
use std::sync::Mutex;
use std::sync::mpsc::channel;
use std::task::{Poll, Waker};
use std::thread::{self, ThreadId};

fn is_shared<T: Send + Sync + ?Sized>(_: &T) {}
fn is_sent<T: Send>(value: T) -> T {
    value
}

#[tokio::test]
async fn a_builder_is_shared_as_dyn() {
    let folder = full();
    let builder: Arc<dyn ContextBuilder> = Arc::new(folder.context());
    is_shared(&*builder);
    let said = session(vec![user("Hello")]);
    let messages = is_sent(builder.build_context(&said, "Which tea?")).await.unwrap();
    assert_eq!(messages, folder.context().build(&said, Some("Which tea?")).unwrap().messages);
    let tasks: Vec<_> = (0..8)
        .map(|_| {
            let (builder, said) = (builder.clone(), said.clone());
            tokio::spawn(async move { builder.build_context(&said, "Which tea?").await.unwrap() })
        })
        .collect();
    for task in tasks {
        assert_eq!(task.await.unwrap(), messages);
    }
}

/// The clock is asked in the middle of the work: it tells which thread works, and holds it up for as long as the test wants.
#[test]
fn the_thread_that_waits_does_no_work() {
    let folder = full();
    let (go, held) = channel::<()>();
    let (held, worked) = (Mutex::new(held), Arc::new(Mutex::new(Vec::<ThreadId>::new())));
    let (here, seen) = (thread::current().id(), worked.clone());
    let builder = folder.context().clock(move || {
        seen.lock().unwrap().push(thread::current().id());
        if thread::current().id() != here {
            held.lock().unwrap().recv().unwrap();
        }
        Now { day: "2026-11-16".into(), zone: "UTC".into() }
    });
    let said = Session::default();
    let mut future = builder.build_context(&said, "Hello");
    let mut context = std::task::Context::from_waker(Waker::noop());
    // The work cannot end before it may go on: both polls come back while it is held up.
    assert!(future.as_mut().poll(&mut context).is_pending());
    assert!(future.as_mut().poll(&mut context).is_pending());
    go.send(()).unwrap();
    let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
    assert_eq!(runtime.block_on(future).unwrap().last(), Some(&user("Hello")));
    let worked = worked.lock().unwrap();
    assert_eq!((worked.len(), worked.contains(&here)), (1, false));
}

#[tokio::test]
async fn others_get_on_while_a_context_is_built() {
    let folder = full();
    let (go, held) = channel::<()>();
    let held = Mutex::new(held);
    let builder = folder.context().clock(move || {
        // Without a limit, a builder that blocks would hold up the test forever.
        held.lock().unwrap().recv_timeout(Duration::from_secs(20)).unwrap();
        Now { day: "2026-11-16".into(), zone: "UTC".into() }
    });
    // Only this other task lets the work go on, and both run on the one thread of this runtime.
    let other = tokio::spawn(async move { go.send(()).unwrap() });
    assert!(builder.build_context(&Session::default(), "Hello").await.is_ok());
    other.await.unwrap();
}

#[tokio::test]
async fn a_dropped_future_does_no_harm() {
    let folder = full();
    let builder = folder.context();
    let said = Session::default();
    drop(builder.build_context(&said, "never polled"));
    let mut future = builder.build_context(&said, "polled once");
    let first = std::future::poll_fn(|context| Poll::Ready(future.as_mut().poll(context).is_ready())).await;
    drop(future);
    assert!(!first || builder.files_read() == 5);
    assert_eq!(builder.build_context(&said, "Hello").await.unwrap().last(), Some(&user("Hello")));
}

#[tokio::test]
async fn a_clock_that_panics_is_an_error() {
    let folder = full();
    let builder = folder.context().clock(|| panic!("no time"));
    assert_eq!(builder.build_context(&Session::default(), "Hello").await, Err(ContextError::GivenUp));
}
