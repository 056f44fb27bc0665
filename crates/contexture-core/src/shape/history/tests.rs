//! Repairs of conversations, each as a listing of what is sent.

use super::*;
use crate::types::Call;
use insta::assert_snapshot;

fn user(text: &str) -> Message {
    Message::new(Role::User, text)
}

fn assistant(text: &str) -> Message {
    Message::new(Role::Assistant, text)
}

fn calls(ids: &[&str]) -> Message {
    let call = |id: &&str| Call { id: (*id).into(), name: "run".into(), arguments: "{}".into() };
    Message::calling("", ids.iter().map(call).collect())
}

fn result(id: &str, text: &str) -> Message {
    Message::result(id, text)
}

/// A line for each group, and what was dropped.
fn listing(messages: Vec<Message>) -> String {
    let messages: Vec<Arc<Message>> = messages.into_iter().map(Arc::new).collect();
    let repaired = repair(&messages, None);
    let mut out = String::new();
    for group in &repaired.groups {
        let one = |(at, message): &(Option<usize>, Arc<Message>)| {
            let at = at.map_or("-".into(), |at| at.to_string());
            let ids: Vec<&str> = message.calls.iter().map(|call| call.id.as_str()).collect();
            let ids = if ids.is_empty() { message.answers.clone().unwrap_or_default() } else { ids.join("+") };
            format!("{at} {} {ids}{}", message.role, &*message.text())
        };
        let turn = if group.opens_turn { "> " } else { "  " };
        out.push_str(&format!("{turn}{}\n", group.messages.iter().map(one).collect::<Vec<_>>().join(" | ")));
    }
    for (at, flaw) in &repaired.dropped {
        out.push_str(&format!("x {at}: {}\n", flaw.as_str()));
    }
    out
}

#[test]
fn parallel_results_stay_with_their_calls_in_the_order_of_the_calls() {
    let talk = vec![user("go"), calls(&["a", "b"]), result("b", "2"), result("a", "1"), assistant("done")];
    assert_snapshot!(listing(talk), @"
    > 0 user go
      1 assistant a+b | 3 tool a1 | 2 tool b2
      4 assistant done
    ");
}

#[test]
fn a_result_is_found_by_its_id_wherever_it_stands() {
    let talk = vec![user("go"), calls(&["a"]), user("wait"), assistant("yes"), result("a", "1")];
    assert_snapshot!(listing(talk), @"
    > 0 user go
      1 assistant a | 4 tool a1
    > 2 user wait
      3 assistant yes
    ");
}

#[test]
fn orphans_and_second_results_are_dropped_and_missing_ones_filled() {
    let talk = vec![
        result("x", "0"),
        user("go"),
        calls(&["a", "b"]),
        result("a", "1"),
        result("a", "again"),
        result("y", "2"),
    ];
    assert_snapshot!(listing(talk), @"
    > 1 user go
      2 assistant a+b | 3 tool a1 | - tool b[no result was recorded for this call]
    x 0: it answers no call before it
    x 4: its call was answered before
    x 5: it answers no call before it
    ");
}

#[test]
fn an_id_that_is_used_again_belongs_to_the_newer_call() {
    let talk =
        vec![calls(&["a"]), calls(&["a"]), result("a", "new"), calls(&["a", "a"]), result("a", "1"), result("a", "2")];
    assert_snapshot!(listing(talk), @"
      0 assistant a | - tool a[no result was recorded for this call]
      1 assistant a_2 | 2 tool a_2new
      3 assistant a_3+a_4 | 4 tool a_31 | 5 tool a_42
    ");
}

#[test]
fn nothing_is_empty_and_ids_are_plain() {
    let talk = vec![user(" \n"), assistant(""), calls(&["", "a b!"]), result("", " "), result("a b!", "ok")];
    assert_snapshot!(listing(talk), @"
      2 assistant call+a_b_ | 3 tool call(empty result) | 4 tool a_b_ok
    x 0: it is empty
    x 1: it is empty
    ");
}

#[test]
fn what_needs_no_repair_is_not_copied() {
    let messages: Vec<Arc<Message>> = [user("go"), calls(&["a"]), result("a", "1")].into_iter().map(Arc::new).collect();
    let repaired = repair(&messages, None);
    let shown: Vec<&Arc<Message>> =
        repaired.groups.iter().flat_map(|group| group.messages.iter().map(|(_, message)| message)).collect();
    assert!(shown.iter().zip(&messages).all(|(shown, message)| Arc::ptr_eq(shown, message)));
}

#[test]
fn a_hundred_thousand_calls_of_one_name_are_repaired_in_time() {
    let messages: Vec<Arc<Message>> =
        (0..100_000).map(|nth| Arc::new(if nth % 2 == 0 { calls(&["same"]) } else { result("same", "ok") })).collect();
    let repaired = repair(&messages, None);
    assert_eq!((repaired.groups.len(), repaired.dropped.len()), (50_000, 0));
}
