//! The defects of the builder that this one was modelled on, each as a test that it is not here.

use super::*;
use contexture::agent::read_file;
use serde_json::Value;

/// Agents store a message before they build: it was sent twice.
#[test]
fn defect_01_the_current_message_appears_once() {
    let context = full().context();
    for said in [vec![], vec![user("Which tea?")], vec![user("a"), assistant("b"), user("Which tea?")]] {
        let talk = talk(&context.build(&session(said), Some("Which tea?")).unwrap());
        assert_eq!(talk.iter().filter(|line| *line == "user Which tea?").count(), 1);
        assert_eq!(talk.last().unwrap(), "user Which tea?");
    }
}

/// The first line of a skill is `---`, which was shown as what it does.
#[test]
fn defect_02_frontmatter_is_not_what_a_skill_does() {
    let context = full().context().build(&Session::default(), Some("x")).unwrap();
    let skills = shown(&context.messages).into_iter().find(|line| line.contains("skills:")).unwrap();
    assert_eq!(skills, "system Available skills:\n- brew: Brews tea.");
}

/// Only a result right behind the calls was kept, so the second of two had none.
#[test]
fn defect_03_parallel_calls_keep_all_results() {
    let said = vec![
        user("q"),
        calling(&["a", "b", "c"]),
        LlmMessage::result("c", "3"),
        LlmMessage::result("a", "1"),
        LlmMessage::result("b", "2"),
        assistant("done"),
    ];
    let context = full().context().build(&session(said), Some("next")).unwrap();
    let wanted = ["user q", "assistant a,b,c", "tool a", "tool b", "tool c", "assistant done", "user next"];
    assert_eq!(talk(&context), wanted);
    let texts: Vec<_> = context.messages.iter().filter(|m| m.role == LlmRole::Tool).map(|m| m.text()).collect();
    assert_eq!(texts.iter().map(|text| text.to_string()).collect::<Vec<_>>(), ["1", "2", "3"]);
}

/// Calls in the middle of a history whose results were lost stayed unanswered.
#[test]
fn defect_04_lost_results_are_filled_in() {
    let said = vec![user("q"), calling(&["a", "b"]), LlmMessage::result("a", "1"), user("again"), assistant("yes?")];
    let context = full().context().build(&session(said), Some("next")).unwrap();
    let wanted = ["user q", "assistant a,b", "tool a", "tool b", "user again", "assistant yes?", "user next"];
    assert_eq!(talk(&context), wanted);
    let filled = context.messages.iter().find(|message| message.answers.as_deref() == Some("b")).unwrap();
    assert_eq!(&*filled.text(), "[no result was recorded for this call]");
}

/// Older messages with the text of the current one could never be cut.
#[test]
fn defect_05_an_older_equal_text_can_be_left_out() {
    let long = "word ".repeat(300);
    let mut said = vec![user("yes"), assistant("old")];
    for _ in 0..10 {
        said.extend([user("more"), assistant(&long)]);
    }
    let context = full().context().max_tokens(1_500).build(&session(said), Some("yes")).unwrap();
    let talk = talk(&context);
    assert_eq!(talk.iter().filter(|line| *line == "user yes").count(), 1);
    assert_eq!((talk.last().unwrap().as_str(), talk.contains(&"assistant old".into())), ("user yes", false));
    assert!(context.tokens.0 <= 1_500);
}

/// Neither arguments nor names nor schemas nor the frame of a message were counted.
#[test]
fn defect_06_everything_that_is_sent_is_counted() {
    let tokens =
        |context: WorkspaceContext, said: Vec<LlmMessage>| context.build(&session(said), Some("x")).unwrap().tokens.0;
    let folder = full();
    let none = tokens(folder.context(), vec![]);
    let with_call = |arguments: &str, name: &str| {
        let call = LlmToolCall { id: "a".into(), name: name.into(), arguments: arguments.into() };
        let said = vec![user("q"), LlmMessage::calling("", vec![call]), LlmMessage::result("a", "1")];
        tokens(folder.context(), said)
    };
    let short = with_call("{}", "now");
    assert!(short >= none + 3 * 4 + 3);
    assert!(with_call(&format!("{{\"text\":\"{}\"}}", "word ".repeat(200)), "now") >= short + 200);
    assert!(with_call("{}", "a_tool_with_a_long_name_of_many_words") >= short + 5);
    // Each message has a frame.
    let frames = |count| tokens(folder.context().max_messages(100), (0..count).map(|_| user("a")).collect());
    assert_eq!(frames(20) - frames(10), 10 * (1 + 4));
    let schema = format!(r#"[{{"name":"now","description":"{}"}}]"#, "word ".repeat(200));
    assert!(tokens(folder.context().tools(tool_schemas(&schema).unwrap()), vec![]) >= none + 150);
}

/// Layers that were over the limit together were a line in a log.
#[test]
fn defect_07_an_overfull_context_is_an_error_with_both_numbers() {
    let folder = full();
    folder.write("SOUL.md", &"word ".repeat(3_000));
    let error = folder.context().max_tokens(1_000).build(&Session::default(), Some("x")).unwrap_err();
    let ContextError::OverLimit(over) = &error else { panic!("{error:?}") };
    assert_eq!((over.budget.0, over.needed.0 > 3_000, &*over.largest[0].0), (1_000, true, "SOUL.md"));
    let told = format!("what must be shown needs {} tokens, the budget is 1000", over.needed);
    assert_eq!(error.to_string().replace(',', ""), told.replace(',', ""));
    // The number that is told is the smallest that will do.
    let build = |limit| folder.context().max_tokens(limit).build(&Session::default(), Some("x"));
    assert!(build(over.needed.0).is_ok() && build(over.needed.0 - 1).is_err());

    // No file can take everything, and with the defaults there is room for a conversation.
    folder.write("SOUL.md", &"word word\n".repeat(200_000));
    let most = folder.context().max_tokens(1_000_000).build(&Session::default(), Some("x")).unwrap();
    let cut = most.messages[0].text().len();
    assert!((1_000_000..1_100_000).contains(&cut), "{cut}");
    assert!(most.notes.iter().any(|note| note.to_string().starts_with("SOUL.md: 2000000 bytes: cut at a line")));
    let defaults = Folder::new(&[]).context().build(&Session::default(), Some("x")).unwrap();
    assert!(defaults.tokens.0 < 1_000, "{}", defaults.tokens.0);
}

/// The limit of memories took the first lines of the file: headings, and the oldest days.
#[test]
fn defect_08_memories_are_chosen_by_what_is_asked() {
    let mut file = String::from("# Memory\n");
    for day in 1..=28 {
        file += &format!("\n## 2026-01-{day:02}\n\n- walked {day} miles\n- slept {day} hours\n");
    }
    file += "\n## 2026-02-01\n\n- the bicycle is red\n";
    let folder = full();
    folder.write("memory/MEMORY.md", &file);
    let context = folder.context().build(&Session::default(), Some("Which colour is my bicycle?")).unwrap();
    let memory = shown(&context.messages).into_iter().find(|line| line.contains("memories:")).unwrap();
    assert!(memory.contains("the bicycle is red"), "{memory}");
    // Twenty entries, neither headings nor empty lines.
    assert_eq!(memory.lines().skip(1).filter(|line| line.starts_with("- ")).count(), 20);
    assert_eq!(memory.lines().count(), 21);
}

/// A time that the program itself had written could not be read, and stayed in the text.
#[test]
fn defect_09_times_of_memories_are_read_back() {
    let folder = full();
    let file =
        "# Memory\n\n- likes tea (added at 2026-01-05T08:00:00+00:00)\n- has a cat (added at  2026-01-06T08:00:00Z)\n";
    folder.write("memory/MEMORY.md", file);
    let context = folder.context().build(&Session::default(), Some("tea cat")).unwrap();
    let memory = shown(&context.messages).into_iter().find(|line| line.contains("memories:")).unwrap();
    assert!(!memory.contains("added at"), "{memory}");
    assert!(memory.contains("2026-01-05") && memory.contains("2026-01-06"), "{memory}");
}

/// Texts were cut at a byte, which panicked inside a character.
#[test]
fn defect_10_no_cut_falls_into_a_character() {
    for shift in 0..4 {
        let text = |length: usize| format!("{}{}", "a".repeat(shift), "𝄞".repeat(length));
        let folder = full();
        folder.write("SOUL.md", &text(20_000));
        folder.write("memory/MEMORY.md", &format!("- {}\n", text(2_000)));
        let skill = format!("---\nname: brew\ndescription: {}\n---\n{}\n", text(400), text(9_000));
        folder.write("skills/brew/SKILL.md", &skill);
        let said = session(vec![user(&text(100)), assistant(&text(100))]);
        let context =
            folder.context().max_tokens(1_000_000).build(&said, Some(&format!("$brew {}", text(50)))).unwrap();
        assert!(context.messages.iter().all(|message| !message.text().contains('\u{fffd}')));
    }
}

/// Skills came in the order of the folder, which no two machines share.
#[test]
fn defect_11_skills_are_sorted() {
    let lines = |names: &[&str]| {
        let folder = Folder::new(&[]);
        for name in names {
            let text = format!("---\nname: {name}\ndescription: Does {name}.\n---\n");
            folder.write(&format!("skills/{name}/SKILL.md"), &text);
        }
        let context = folder.context().build(&Session::default(), Some("x")).unwrap();
        shown(&context.messages).into_iter().find(|line| line.contains("skills:")).unwrap()
    };
    let sorted = lines(&["a", "b", "c", "d", "e"]);
    assert_eq!(sorted, lines(&["d", "b", "e", "a", "c"]));
    assert!(sorted.ends_with("- a: Does a.\n- b: Does b.\n- c: Does c.\n- d: Does d.\n- e: Does e."));
}

/// A clock with seconds stood before the history: no provider could ever use its cache.
#[test]
fn defect_12_all_day_long_the_bytes_are_the_same() {
    let folder = full();
    let at = |seconds| {
        let context = folder.context().clock(move || Now::at(seconds, "UTC"));
        context.build(&session(vec![user("a"), assistant("b")]), Some("c")).unwrap().output.text()
    };
    // From the first to the last second of 2026-11-16.
    assert_eq!(at(1_794_787_200), at(1_794_787_200 + 86_399));
    assert_ne!(at(1_794_787_200), at(1_794_787_200 + 86_400));
    assert!(at(1_794_787_200).contains("2026-11-16"));
}

/// Six messages of the system in a row: many servers take one, and some have a field of its own for it.
#[test]
fn defect_13_the_system_is_one_where_it_must_be() {
    let folder = full();
    let build = |format| {
        let said = session(vec![user("a"), assistant("b")]);
        folder.context().format(format).build(&said, Some("c")).unwrap()
    };
    let systems = |list: &Value| list.as_array().unwrap().iter().filter(|m| m["role"] == "system").count();
    let list: Value = serde_json::from_str(&openai::messages_json(&build(Format::Messages).messages)).unwrap();
    assert_eq!((systems(&list), list.as_array().unwrap().len()), (1, 4));
    let body = |format| serde_json::from_str::<Value>(&build(format).output.text()).unwrap();
    assert_eq!(systems(&body(Format::Request(Api::OpenAi))["messages"]), 1);
    let anthropic = body(Format::Request(Api::Anthropic));
    assert_eq!(systems(&anthropic["messages"]), 0);
    assert!(anthropic["system"].to_string().contains("I am Oda."));
    assert!(body(Format::Request(Api::Gemini))["systemInstruction"].to_string().contains("I am Oda."));
}

/// Whoever was not known spoke as the user.
#[test]
fn defect_14_roles_are_not_confused() {
    let folder = full();
    folder.write(
        "sessions/a_1.json",
        "{\"messages\": [\n{\"role\": \"user\", \"content\": \"a\"},\n{\"role\": \"narrator\", \"content\": \"b\"}]}",
    );
    let error = read_file(&folder.path().join("sessions/a_1.json")).unwrap_err().to_string();
    assert!(error.ends_with("line 3: unknown role: `narrator`"), "{error}");
    let list =
        "{\"messages\": [{\"role\": \"system\", \"content\": \"be kind\"}, {\"role\": \"user\", \"content\": \"a\"},
        {\"role\": \"assistant\", \"content\": \"b\"}, {\"role\": \"system\", \"content\": \"be brief\"}]}";
    folder.write("sessions/a_2.json", list);
    let said = read_file(&folder.path().join("sessions/a_2.json")).unwrap().unwrap().session;
    let context = folder.context().build(&said, Some("c")).unwrap();
    let all = shown(&context.messages);
    assert_eq!(all[5..], ["system be kind", "user a", "assistant b", "system be brief", "user c"]);
}
