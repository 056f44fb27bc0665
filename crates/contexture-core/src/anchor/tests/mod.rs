//! What becomes of slices: by example, by law, and on hostile input.

mod edits;
mod hostile;

use super::{make, resolve};
use crate::types::Slice;
use insta::assert_snapshot;

const CODE: &str = "\
use std::fmt;

fn first() -> u32 {
    let mut sum = 0;
    for number in numbers() {
        sum += number;
    }
    sum
}

fn second(name: &str) -> String {
    let greeting = format!(\"hello {name}\");
    println!(\"{greeting}\");
    greeting
}

fn third() {
    first();
    second(\"you\");
}
";

/// Marks lines of a text and says where they are in another.
fn follow(old: &str, (start, end): (u64, u64), new: &str) -> String {
    told(&make(old, start, end, None, None).unwrap(), new)
}

fn told(slice: &Slice, text: &str) -> String {
    let now = resolve(slice, text);
    match now.lines {
        Some((start, end)) => format!("{} {start}-{end}, {:.2}: {}", now.outcome, now.confidence, now.why),
        None => format!("{}: {}", now.outcome, now.why),
    }
}

#[test]
fn lines_that_stay_are_exact_and_lines_that_shift_are_moved() {
    assert_snapshot!(follow(CODE, (11, 15), CODE), @"exact 11-15, 1.00: the file has not changed, white space aside");
    let below = format!("{CODE}\nfn fourth() {{}}\n");
    assert_snapshot!(follow(CODE, (11, 15), &below), @"exact 11-15, 1.00: nothing before it has changed");
    let above = format!("//! A file.\n\n{CODE}");
    assert_snapshot!(follow(CODE, (11, 15), &above), @"moved 13-17, 1.00: nothing after it has changed");
    let both = format!("//! A file.\n\n{}\nfn fourth() {{}}\n", CODE.replace("sum += number;", "sum += number * 2;"));
    assert_snapshot!(follow(CODE, (11, 15), &both), @"moved 13-17, 0.99: its lines stand there and nowhere else");
}

#[test]
fn edits_inside_are_a_change_of_the_same_place() {
    let inserted = CODE.replace("    greeting\n", "    log(&greeting);\n    greeting\n");
    assert_snapshot!(follow(CODE, (11, 15), &inserted), @"changed 11-16, 0.94: 100 % of it is left, in its place");
    let deleted = CODE.replace("    println!(\"{greeting}\");\n", "");
    assert_snapshot!(follow(CODE, (11, 15), &deleted), @"changed 11-14, 0.84: 75 % of it is left, in its place");
    let first_line = CODE.replace("fn second(name: &str)", "pub fn second(name: &str, loud: bool)");
    assert_snapshot!(follow(CODE, (11, 15), &first_line), @"changed 11-15, 0.89: 89 % of it is left, in its place");
    let one = CODE.replace("    let mut sum = 0;", "    let mut sum = 10;");
    assert_snapshot!(follow(CODE, (4, 4), &one), @"changed 4-4, 0.78: its neighbours are there, and the text between them is 60 % like it");
}

#[test]
fn white_space_is_no_edit_but_the_text_is_not_the_same() {
    let crlf = CODE.replace('\n', "\r\n");
    assert_snapshot!(follow(CODE, (11, 15), &crlf), @"exact 11-15, 1.00: the file has not changed, white space aside");
    let deeper: String = CODE.lines().map(|line| format!("\t{line}\n")).collect();
    assert_snapshot!(follow(CODE, (11, 15), &format!("mod inner {{\n{deeper}}}\n")), @"changed 12-16, 0.99: its lines stand there and nowhere else");
}

#[test]
fn a_function_that_was_moved_is_found() {
    let (head, tail) = (CODE.find("fn first").unwrap(), CODE.find("fn second").unwrap());
    let moved = format!("{}{}\n{}", &CODE[..head], &CODE[tail..], &CODE[head..tail]);
    assert_snapshot!(follow(CODE, (3, 9), &moved), @"moved 14-20, 0.85: its lines stand there and nowhere else, away from their old neighbours");
    let edited = moved.replace("    sum\n", "    sum * 2\n");
    assert_snapshot!(follow(CODE, (3, 9), &edited), @"changed 14-20, 0.64: 89 % of it is left, away from its old neighbours");
}

#[test]
fn what_is_gone_is_lost() {
    let without: String = CODE
        .lines()
        .enumerate()
        .filter(|(at, _)| !(10..15).contains(at))
        .map(|(_, line)| format!("{line}\n"))
        .collect();
    assert_snapshot!(follow(CODE, (11, 15), &without), @"lost: only 1 % of it is left");
    assert_snapshot!(follow(CODE, (11, 15), ""), @"lost: none of its lines is left");
    assert_snapshot!(follow(CODE, (11, 15), "entirely\nother\ntext\n"), @"lost: none of its lines is left");
    let replaced = CODE.replace("    let mut sum = 0;", "    std::process::exit(1);");
    assert_snapshot!(follow(CODE, (4, 4), &replaced), @"lost: none of its lines is left");
}

/// Three functions with one body.
fn twins() -> String {
    let body = "    let input = read();\n    check(&input);\n    write(input);\n}\n\n";
    ["alpha", "beta", "gamma"].map(|name| format!("fn {name}() {{\n{body}")).concat()
}

#[test]
fn of_equal_blocks_the_neighbours_tell_which_is_meant() {
    let text = twins();
    assert_snapshot!(follow(&text, (8, 11), &format!("// new\n{text}// more\n")), @"moved 9-12, 0.95: its lines stand in several places, its neighbours only here");
    // The marked one is deleted: the others are not it.
    let without: String =
        text.lines().enumerate().filter(|(at, _)| !(6..12).contains(at)).map(|(_, line)| format!("{line}\n")).collect();
    assert_snapshot!(follow(&text, (8, 11), &without), @"ambiguous: its lines stand in 2 places, but in none with its neighbours");
    // A copy with its neighbours: nobody can tell which is which.
    assert_snapshot!(follow(CODE, (11, 15), &format!("// new\n{CODE}{CODE}// end\n")), @"ambiguous: its lines stand in 2 places, and its neighbours do not tell which is meant");
}

#[test]
fn braces_are_told_by_their_neighbours_or_not_at_all() {
    assert_snapshot!(follow(CODE, (9, 9), &format!("// new\n{CODE}// end\n")), @"moved 10-10, 0.95: its lines stand in several places, its neighbours only here");
    assert_snapshot!(follow(CODE, (9, 9), "{\n}\n{\n}\n"), @"ambiguous: its lines stand in 2 places, and its neighbours do not tell which is meant");
}

#[test]
fn the_first_and_the_last_line() {
    assert_snapshot!(follow(CODE, (1, 1), &format!("// new\n{CODE}// end\n")), @"moved 2-2, 0.99: its lines stand there and nowhere else");
    assert_snapshot!(follow(CODE, (17, 20), &format!("// new\n{CODE}// end\n")), @"moved 18-21, 0.99: its lines stand there and nowhere else");
    assert_snapshot!(follow(CODE, (1, 20), &format!("// new\n{CODE}// end\n")), @"moved 2-21, 0.99: its lines stand there and nowhere else");
    assert_snapshot!(follow("only", (1, 1), "only\n"), @"exact 1-1, 1.00: the file has not changed, white space aside");
}

#[test]
fn slices_of_other_programs_are_claimed_by_their_hash_alone() {
    let whole = make(CODE, 11, 15, None, None).unwrap();
    let new = format!("// new\n{CODE}// end\n");
    let hashed = Slice { fingerprint: None, ..whole.clone() };
    assert_snapshot!(told(&hashed, CODE), @"exact 11-15, 0.95: the only lines with its content hash");
    assert_snapshot!(told(&hashed, &new), @"moved 12-16, 0.95: the only lines with its content hash");
    assert_snapshot!(told(&hashed, &CODE.replace("hello", "bye")), @"lost: no lines have its content hash");
    assert_snapshot!(told(&hashed, &format!("{new}{CODE}")), @"ambiguous: its content hash fits several places, and its neighbours do not tell which is meant");
    let numbers = Slice { content_hash: None, anchor_lines: Vec::new(), ..hashed.clone() };
    assert_snapshot!(told(&numbers, CODE), @"ambiguous: only line numbers are stored; lines that `contexture slice make` marks are found again");
    // Some programs hash the last line end too.
    let part: String = CODE.lines().skip(10).take(5).map(|line| format!("{line}\n")).collect();
    let ended = Slice { content_hash: Some(crate::types::ContentHash::of(part).to_string()), ..hashed };
    assert_snapshot!(told(&ended, &new), @"moved 12-16, 0.95: the only lines with its content hash");
}

#[test]
fn a_fingerprint_of_other_text_is_not_used() {
    let mut slice = make(CODE, 11, 15, None, None).unwrap();
    slice.end_line = 14;
    assert_snapshot!(told(&slice, CODE), @"ambiguous: its stored lines were changed by hand: they are not as many as its fingerprint holds");
    let other = make(CODE, 3, 9, None, None).unwrap();
    let mixed = Slice { fingerprint: other.fingerprint, ..make(CODE, 11, 15, None, None).unwrap() };
    assert_snapshot!(told(&mixed, CODE), @"exact 11-15, 0.95: the only lines with its content hash");
}

#[test]
fn what_a_slice_stores() {
    let slice = make(CODE, 11, 15, Some("greet"), Some("says hello")).unwrap();
    assert_eq!(slice.content_hash.as_deref(), Some(sha_of(CODE, 10, 5).as_str()));
    assert_eq!(slice.anchor_lines, ["}", "", "", "fn third() {"]);
    assert!(slice.fingerprint.as_ref().is_some_and(|print| print.len() < 400), "{:?}", slice.fingerprint);
    let crlf = make(&CODE.replace('\n', "\r\n"), 11, 15, Some("greet"), Some("says hello")).unwrap();
    assert_eq!(crlf, slice);
}

fn sha_of(text: &str, skip: usize, take: usize) -> String {
    let lines: Vec<&str> = text.lines().skip(skip).take(take).collect();
    crate::types::ContentHash::of(lines.join("\n")).to_string()
}

#[test]
fn a_range_that_is_none_is_refused() {
    let refused = |start, end| make(CODE, start, end, None, None).unwrap_err().to_string();
    assert_snapshot!(refused(0, 3), @"not a range of lines, counted from 1: `0-3`");
    assert_snapshot!(refused(5, 3), @"not a range of lines, counted from 1: `5-3`");
    assert_snapshot!(refused(5, 300), @"the range ends at line 300, the file has 20");
    assert_snapshot!(make("", 1, 1, None, None).unwrap_err(), @"the range ends at line 1, the file has 0");
}

/// Functions of one shape: their names tell them apart, their other lines do not.
fn shaped(names: &[&str]) -> String {
    let one = |name: &&str| {
        format!(
            "def test_{name}(client):\n    response = client.get(\"/{name}\")\n    assert response.status_code == 200\n    assert response.json()[\"name\"] == \"{name}\"\n\n\n"
        )
    };
    names.iter().map(one).collect()
}

#[test]
fn functions_of_one_shape_that_change_places_are_not_taken_for_each_other() {
    let names = ["sigma", "delta", "tau", "rho", "omega", "kappa", "zeta", "theta"];
    let old = shaped(&names);
    for (from, to) in (0..names.len()).flat_map(|from| (0..names.len()).map(move |to| (from, to))) {
        let start = 6 * from as u64 + 1;
        let slice = make(&old, start, start + 3, None, None).unwrap();
        let mut swapped = names;
        swapped.swap(from, to);
        let found = resolve(&slice, &shaped(&swapped));
        let place = 6 * to as u64 + 1;
        assert_eq!(found.lines, Some((place, place + 3)), "{from} {to}: {found:?}");
        // One that is gone is not found in a neighbour that took its place.
        let mut fewer = names.to_vec();
        fewer.swap((from + 1) % names.len(), (from + 2) % names.len());
        fewer.retain(|name| *name != names[from]);
        assert_eq!(resolve(&slice, &shaped(&fewer)).lines, None, "{from}");
    }
    let slice = make(&old, 1, 4, None, None).unwrap();
    assert_snapshot!(told(&slice, &shaped(&["tau", "delta", "sigma"])), @"moved 13-16, 0.85: its lines stand there and nowhere else, away from their old neighbours");
    assert_snapshot!(told(&slice, &shaped(&["tau", "delta", "sigma"]).replace("== \"sigma\"", "== \"Sigma\"")), @"lost: such lines are there, but they stood elsewhere in the file before");
}
