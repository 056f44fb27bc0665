//! Transcripts of coding agents: Claude Code, Codex, pi.

use super::{fails, import, listing};
use contexture_conversations::sessions::ImportOptions;
use contexture_conversations::sessions::import::read;

fn full() -> ImportOptions {
    ImportOptions { full_log: true, ..ImportOptions::default() }
}

fn leaf(id: &str) -> ImportOptions {
    ImportOptions { leaf: Some(id.into()), ..ImportOptions::default() }
}

/// One message of the model over three lines, two calls side by side whose results hang on different lines, a sub-agent, a
/// fork, markup, an error line, and half a last line.
pub const CLAUDE: &str = r#"{"type":"summary","summary":"Old title","leafUuid":"x"}
{"type":"file-history-snapshot","messageId":"m","snapshot":{},"isSnapshotUpdate":false}
{"parentUuid":null,"isSidechain":false,"userType":"external","cwd":"/p","sessionId":"s-1","version":"2.0.50","gitBranch":"main","type":"user","message":{"role":"user","content":"Caveat: the messages below"},"isMeta":true,"uuid":"u0","timestamp":"2026-01-01T00:00:00.000Z"}
{"parentUuid":"u0","isSidechain":false,"sessionId":"s-1","type":"user","message":{"role":"user","content":"<command-name>/clear</command-name>\n<command-args></command-args>"},"uuid":"u0b","timestamp":"2026-01-01T00:00:00.500Z"}
{"parentUuid":"u0b","isSidechain":false,"sessionId":"s-1","type":"user","message":{"role":"user","content":[{"type":"text","text":"read a and b"},{"type":"image","source":{"type":"base64","media_type":"image/png","data":"aGVsbG8gd29ybGQ="}}]},"uuid":"u1","timestamp":"2026-01-01T00:00:01.000Z"}
{"parentUuid":"u1","isSidechain":false,"sessionId":"s-1","type":"assistant","message":{"id":"msg_1","model":"claude","role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"x"}]},"requestId":"r","uuid":"a1","timestamp":"2026-01-01T00:00:02.000Z"}
{"parentUuid":"a1","isSidechain":false,"sessionId":"s-1","type":"assistant","message":{"id":"msg_1","model":"claude","role":"assistant","content":[{"type":"text","text":"Reading both."}]},"requestId":"r","uuid":"a2","timestamp":"2026-01-01T00:00:03.000Z"}
{"parentUuid":"a2","isSidechain":false,"sessionId":"s-1","type":"assistant","message":{"id":"msg_1","model":"claude","role":"assistant","content":[{"type":"tool_use","id":"toolu_1","name":"Read","input":{"file_path":"/p/a"}}]},"requestId":"r","uuid":"a3","timestamp":"2026-01-01T00:00:04.000Z"}
{"parentUuid":"a3","isSidechain":false,"sessionId":"s-1","type":"assistant","message":{"id":"msg_1","model":"claude","role":"assistant","content":[{"type":"tool_use","id":"toolu_2","name":"Read","input":{"file_path":"/p/b"}}]},"requestId":"r","uuid":"a4","timestamp":"2026-01-01T00:00:04.500Z"}
{"parentUuid":"a3","isSidechain":false,"sessionId":"s-1","type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_1","type":"tool_result","content":"text of a"}]},"uuid":"r1","timestamp":"2026-01-01T00:00:05.000Z","toolUseResult":{"type":"text","file":{"content":"text of a"}}}
{"parentUuid":"a4","isSidechain":false,"sessionId":"s-1","type":"user","message":{"role":"user","content":[{"tool_use_id":"toolu_2","type":"tool_result","is_error":true,"content":[{"type":"text","text":"no such file"}]}]},"uuid":"r2","timestamp":"2026-01-01T00:00:05.500Z"}
{"parentUuid":null,"isSidechain":true,"sessionId":"s-1","type":"user","message":{"role":"user","content":"work of a sub-agent"},"uuid":"side1","timestamp":"2026-01-01T00:00:06.000Z"}
{"parentUuid":"r2","isSidechain":false,"sessionId":"s-1","type":"attachment","attachment":{"type":"todo"},"uuid":"at1","timestamp":"2026-01-01T00:00:06.100Z"}
{"parentUuid":"at1","isSidechain":false,"sessionId":"s-1","type":"assistant","message":{"id":"msg_2","model":"claude","role":"assistant","content":[{"type":"text","text":"b is missing."}]},"uuid":"a5","timestamp":"2026-01-01T00:00:07.000Z"}
{"parentUuid":"a5","isSidechain":false,"sessionId":"s-1","type":"user","message":{"role":"user","content":"a question that was edited"},"uuid":"u2","timestamp":"2026-01-01T00:00:08.000Z"}
{"parentUuid":"u2","isSidechain":false,"sessionId":"s-1","type":"assistant","message":{"id":"e","model":"<synthetic>","role":"assistant","content":[{"type":"text","text":"API Error"}]},"isApiErrorMessage":true,"uuid":"a6","timestamp":"2026-01-01T00:00:09.000Z"}
{"parentUuid":"a5","isSidechain":false,"sessionId":"s-1","type":"user","message":{"role":"user","content":"make b"},"uuid":"u3","timestamp":"2026-01-01T00:00:10.000Z"}
{"parentUuid":"u3","isSidechain":false,"sessionId":"s-1","type":"assistant","message":{"id":"msg_3","model":"claude","role":"assistant","content":[{"type":"text","text":"Made."},{"type":"new_block"}]},"uuid":"a7","timestamp":"2026-01-01T00:00:11.000Z"}
{"type":"custom-title","customTitle":"Two files","sessionId":"s-1"}
{"type":"queue-operation","operation":"enqueue","sessionId":"s-1"}
{"parentUuid":"a7","isSidechain":false,"sessionId":"s-1","type":"user","message":{"role":"user","content":"half a li"#;

const COMPACTED: &str = r#"{"parentUuid":null,"isSidechain":false,"sessionId":"s-2","type":"user","message":{"role":"user","content":"long ago"},"uuid":"1","timestamp":"t1"}
{"parentUuid":"1","isSidechain":false,"sessionId":"s-2","type":"assistant","message":{"id":"m","role":"assistant","content":"an answer"},"uuid":"2","timestamp":"t2"}
{"parentUuid":null,"logicalParentUuid":"2","isSidechain":false,"sessionId":"s-2","type":"system","subtype":"compact_boundary","content":"Conversation compacted","compactMetadata":{"trigger":"auto","preTokens":155000},"uuid":"3","timestamp":"t3"}
{"parentUuid":"3","isSidechain":false,"sessionId":"s-2","type":"user","message":{"role":"user","content":"This session is being continued: they greeted."},"isCompactSummary":true,"isVisibleInTranscriptOnly":true,"uuid":"4","timestamp":"t4"}
{"parentUuid":"4","isSidechain":false,"sessionId":"s-2","type":"user","message":{"role":"user","content":"go on"},"uuid":"5","timestamp":"t5"}
"#;

#[test]
fn claude_code() {
    insta::assert_snapshot!(listing(&import(CLAUDE)), @r#"
    claude-code s-1 "Two files"
     5 2026-01-01T00:00:01.000Z user "read a and b" <image/png gone 11>
     6 2026-01-01T00:00:02.000Z assistant "Reading both." -> Read(toolu_1) {"file_path":"/p/a"} -> Read(toolu_2) {"file_path":"/p/b"}
    10 2026-01-01T00:00:05.000Z tool(toolu_1) "text of a"
    11 2026-01-01T00:00:05.500Z tool(toolu_2) "no such file"
    14 2026-01-01T00:00:07.000Z assistant "b is missing."
    17 2026-01-01T00:00:10.000Z user "make b"
    18 2026-01-01T00:00:11.000Z assistant "Made."
    skipped 1: block new_block
    skipped 1: error line of the program
    skipped 1: line attachment
    skipped 1: line file-history-snapshot
    skipped 1: line queue-operation
    skipped 1: markup of a command
    skipped 1: message of a sub-agent
    skipped 1: message of another branch
    skipped 1: note of the program
    skipped 1: the last line is half written
    note: the last line is half written: line 21
    "#);
}

#[test]
fn claude_code_another_leaf() {
    insta::assert_snapshot!(listing(&read(CLAUDE.as_bytes(), &leaf("u2")).unwrap()), @r#"
    claude-code s-1 "Two files"
     5 2026-01-01T00:00:01.000Z user "read a and b" <image/png gone 11>
     6 2026-01-01T00:00:02.000Z assistant "Reading both." -> Read(toolu_1) {"file_path":"/p/a"} -> Read(toolu_2) {"file_path":"/p/b"}
    10 2026-01-01T00:00:05.000Z tool(toolu_1) "text of a"
    11 2026-01-01T00:00:05.500Z tool(toolu_2) "no such file"
    14 2026-01-01T00:00:07.000Z assistant "b is missing."
    15 2026-01-01T00:00:08.000Z user "a question that was edited"
    skipped 1: block new_block
    skipped 1: error line of the program
    skipped 1: line attachment
    skipped 1: line file-history-snapshot
    skipped 1: line queue-operation
    skipped 1: markup of a command
    skipped 1: message of a sub-agent
    skipped 2: message of another branch
    skipped 1: note of the program
    skipped 1: the last line is half written
    note: the last line is half written: line 21
    "#);
    insta::assert_snapshot!(fails(CLAUDE, &leaf("nothing")), @"
    nothing has this id: `nothing`
    `--leaf` can be `a7`, `a6`, `side1`, `r1`
    ");
}

#[test]
fn claude_code_compaction() {
    insta::assert_snapshot!(listing(&import(COMPACTED)), @r#"
    claude-code s-2 ""
     4 t4 user "This session is being continued: they greeted."
     5 t5 user "go on"
    skipped 1: line system
    skipped 2: message before a compaction
    "#);
    insta::assert_snapshot!(listing(&read(COMPACTED.as_bytes(), &full()).unwrap()), @r#"
    claude-code s-2 ""
     1 t1 user "long ago"
     2 t2 assistant "an answer"
     5 t5 user "go on"
    skipped 1: line system
    skipped 1: summary of a compaction
    "#);
}

#[test]
fn claude_code_compaction_that_keeps_some() {
    let span = COMPACTED.replace(
        "\"preTokens\":155000",
        "\"preservedSegment\":{\"headUuid\":\"2\",\"anchorUuid\":\"4\",\"tailUuid\":\"2\"}",
    );
    insta::assert_snapshot!(listing(&import(&span)), @r#"
    claude-code s-2 ""
     4 t4 user "This session is being continued: they greeted."
     2 t2 assistant "an answer"
     5 t5 user "go on"
    skipped 1: line system
    skipped 1: message before a compaction
    "#);
    let list =
        COMPACTED.replace("\"preTokens\":155000", "\"preservedMessages\":{\"anchorUuid\":\"4\",\"uuids\":[\"2\"]}");
    assert_eq!(listing(&import(list)), listing(&import(span)));
}

#[test]
fn claude_code_a_lost_line_costs_itself() {
    let lost = COMPACTED.replacen("\"uuid\":\"2\"", "\"uuid\":", 1);
    insta::assert_snapshot!(listing(&read(lost.as_bytes(), &full()).unwrap()), @r#"
    claude-code s-2 ""
     1 t1 user "long ago"
     5 t5 user "go on"
    skipped 1: a line cannot be read
    skipped 1: line system
    skipped 1: summary of a compaction
    note: parents are missing: 1: the entry before each in the file is taken for it
    note: a line cannot be read: line 2
    "#);
}

#[test]
fn claude_code_circles_end_and_the_file_of_a_sub_agent_is_its_own() {
    let circle = COMPACTED.replacen("\"parentUuid\":null", "\"parentUuid\":\"5\"", 1);
    insta::assert_snapshot!(listing(&read(circle.as_bytes(), &full()).unwrap()), @r#"
    claude-code s-2 ""
     1 t1 user "long ago"
     2 t2 assistant "an answer"
     5 t5 user "go on"
    skipped 1: line system
    skipped 1: summary of a compaction
    note: entries are their own parents: the conversation begins behind the circle
    "#);
    let side = COMPACTED.replace("\"isSidechain\":false", "\"isSidechain\":true");
    assert_eq!(import(side).session.messages.len(), 2);
}

#[test]
fn claude_code_unknown_role() {
    insta::assert_snapshot!(fails(CLAUDE.replacen("\"role\":\"assistant\"", "\"role\":\"narrator\"", 1), &full()), @"
    line 6: unknown role: `narrator`
    write one of `system`, `user`, `assistant`, `tool` there, or delete the message
    ");
}

pub const CODEX: &str = r#"{"timestamp":"2026-01-01T00:00:00.000Z","type":"session_meta","payload":{"id":"0199-abc","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p","originator":"codex_cli_rs","cli_version":"0.60.0","instructions":null,"source":"cli","model_provider":"openai"}}
{"timestamp":"2026-01-01T00:00:00.100Z","type":"response_item","payload":{"type":"message","role":"developer","content":[{"type":"input_text","text":"<permissions instructions>"}]}}
{"timestamp":"2026-01-01T00:00:00.200Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"<environment_context>\n  <cwd>/p</cwd>\n</environment_context>"}]}}
{"timestamp":"2026-01-01T00:00:01.000Z","type":"event_msg","payload":{"type":"user_message","message":"list it","kind":"plain"}}
{"timestamp":"2026-01-01T00:00:01.000Z","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"list it"},{"type":"input_image","image_url":"data:image/png;base64,aGVsbG8="}]}}
{"timestamp":"2026-01-01T00:00:01.500Z","type":"turn_context","payload":{"cwd":"/p","model":"gpt-5"}}
{"timestamp":"2026-01-01T00:00:02.000Z","type":"response_item","payload":{"type":"reasoning","summary":[{"type":"summary_text","text":"**Listing**"}],"content":null,"encrypted_content":"x"}}
{"timestamp":"2026-01-01T00:00:02.500Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"Listing."}]}}
{"timestamp":"2026-01-01T00:00:03.000Z","type":"response_item","payload":{"type":"function_call","name":"shell","arguments":"{\"command\":[\"ls\"]}","call_id":"call_1"}}
{"timestamp":"2026-01-01T00:00:03.100Z","type":"response_item","payload":{"type":"custom_tool_call","status":"completed","call_id":"call_2","name":"apply_patch","input":"*** Begin Patch"}}
{"timestamp":"2026-01-01T00:00:03.200Z","type":"response_item","payload":{"type":"function_call_output","call_id":"call_1","output":"{\"output\":\"a\\nb\\n\",\"metadata\":{\"exit_code\":0}}"}}
{"timestamp":"2026-01-01T00:00:03.300Z","type":"response_item","payload":{"type":"custom_tool_call_output","call_id":"call_2","output":[{"type":"input_text","text":"patched"},{"type":"input_image","image_url":"data:image/png;base64,aGk="}]}}
{"timestamp":"2026-01-01T00:00:03.400Z","type":"response_item","payload":{"type":"local_shell_call","id":"ls_1","call_id":"call_3","status":"completed","action":{"type":"exec","command":["pwd"]}}}
{"timestamp":"2026-01-01T00:00:03.500Z","type":"response_item","payload":{"type":"function_call_output","call_id":"call_3","output":{"content":"/p","success":true}}}
{"timestamp":"2026-01-01T00:00:03.600Z","type":"response_item","payload":{"type":"web_search_call","status":"completed","action":{"type":"search","query":"x"}}}
{"timestamp":"2026-01-01T00:00:04.000Z","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"a and b"}]}}
{"timestamp":"2026-01-01T00:00:05.000Z","type":"a_new_thing","payload":{}}
"#;

const CODEX_COMPACTED: &str = r#"{"timestamp":"t6","type":"compacted","payload":{"message":"They listed.","replacement_history":[{"type":"message","role":"user","content":[{"type":"input_text","text":"list it"}]},{"type":"message","role":"user","content":[{"type":"input_text","text":"A summary: they listed."}]},{"type":"compaction","encrypted_content":"x"}]}}
{"timestamp":"t7","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"delete a"}]}}
{"timestamp":"t8","type":"response_item","payload":{"type":"message","role":"assistant","content":[{"type":"output_text","text":"deleted"}]}}
{"timestamp":"t9","type":"event_msg","payload":{"type":"thread_rolled_back","num_turns":1}}
{"timestamp":"t10","type":"response_item","payload":{"type":"message","role":"user","content":[{"type":"input_text","text":"delete b"}]}}
"#;

#[test]
fn codex() {
    insta::assert_snapshot!(listing(&import(CODEX)), @r#"
    codex 0199-abc ""
     5 2026-01-01T00:00:01.000Z user "list it" <image/png gone 5>
     8 2026-01-01T00:00:02.500Z assistant "Listing." -> shell(call_1) {"command":["ls"]} -> apply_patch(call_2) {"input":"*** Begin Patch"}
    11 2026-01-01T00:00:03.200Z tool(call_1) "{\"output\":\"a\\nb\\n\",\"metadata\":{\"exit_code\":0}}"
    12 2026-01-01T00:00:03.300Z tool(call_2) "patched" <image/png gone 2>
    13 2026-01-01T00:00:03.400Z assistant -> local_shell(call_3) {"type":"exec","command":["pwd"]}
    14 2026-01-01T00:00:03.500Z tool(call_3) "/p"
    16 2026-01-01T00:00:04.000Z assistant "a and b"
    skipped 1: instructions
    skipped 1: item web_search_call
    skipped 1: line a_new_thing
    skipped 1: line event_msg
    skipped 1: line turn_context
    skipped 1: scaffolding
    skipped 1: thinking
    "#);
}

#[test]
fn codex_compaction_and_turns_taken_back() {
    let text = format!("{CODEX}{CODEX_COMPACTED}");
    insta::assert_snapshot!(listing(&import(&text)), @r#"
    codex 0199-abc ""
    18 t6 user "list it"
    18 t6 user "A summary: they listed."
    22 t10 user "delete b"
    skipped 1: instructions
    skipped 1: item compaction
    skipped 1: item web_search_call
    skipped 1: line a_new_thing
    skipped 1: line event_msg
    skipped 1: line turn_context
    skipped 7: message before a compaction
    skipped 2: message taken back
    skipped 1: scaffolding
    skipped 1: thinking
    "#);
    assert_eq!(read(text.as_bytes(), &full()).unwrap().session.messages.len(), 10);
    let old = r#"{"timestamp":"t6","type":"compacted","payload":{"message":"They listed."}}"#;
    insta::assert_snapshot!(listing(&import(format!("{CODEX}{old}"))), @r#"
    codex 0199-abc ""
    18 t6 user "Summary of the conversation before this point:\n\nThey listed."
    skipped 1: instructions
    skipped 1: item web_search_call
    skipped 1: line a_new_thing
    skipped 1: line event_msg
    skipped 1: line turn_context
    skipped 7: message before a compaction
    skipped 1: scaffolding
    skipped 1: thinking
    "#);
}

#[test]
fn codex_without_envelopes() {
    let text = "{\"id\":\"old-1\",\"timestamp\":\"2025-05-01T00:00:00Z\",\"instructions\":null,\"git\":{}}\n{\"record_type\":\"state\"}\n{\"type\":\"message\",\"role\":\"user\",\"content\":[{\"type\":\"input_text\",\"text\":\"hi\"}]}\n{\"type\":\"function_call\",\"name\":\"shell\",\"arguments\":\"{}\",\"call_id\":\"c\"}\n";
    insta::assert_snapshot!(listing(&import(text)), @r#"
    codex old-1 ""
     3 - user "hi"
     4 - assistant -> shell(c) {}
    skipped 1: line without a type
    "#);
}

#[test]
fn codex_compressed() {
    let packed = ruzstd::encoding::compress_to_vec(CODEX.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    assert_eq!(listing(&import(&packed)), listing(&import(CODEX)));
    // Two frames one after the other, with one to pass over between them, are one file.
    let (head, tail) = CODEX.split_at(CODEX.find("{\"timestamp\":\"2026-01-01T00:00:04").unwrap());
    let mut frames = ruzstd::encoding::compress_to_vec(head.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest);
    frames.extend([0x50, 0x2A, 0x4D, 0x18, 3, 0, 0, 0, 1, 2, 3]);
    frames.extend(ruzstd::encoding::compress_to_vec(tail.as_bytes(), ruzstd::encoding::CompressionLevel::Fastest));
    assert_eq!(listing(&import(&frames)), listing(&import(CODEX)));
    // A file that is cut off gives the lines before the cut.
    let cut = import(&frames[..frames.len() - 8]);
    assert!(cut.notes.iter().any(|note| note.text.starts_with("compressed data is damaged")), "{:?}", cut.notes);
    assert!(cut.session.messages.len() >= 5);
}

#[test]
fn wishes_that_a_format_cannot_fulfil_are_errors() {
    insta::assert_snapshot!(fails(CODEX, &leaf("x")), @"
    nothing has this id: `x`
    leave `--leaf` out
    ");
    let other = ImportOptions { conversation: Some("x".into()), ..ImportOptions::default() };
    insta::assert_snapshot!(fails(PI, &other), @"
    no conversation has this id or title: `x`
    leave `--conversation` out
    ");
}

#[test]
fn codex_unknown_role() {
    insta::assert_snapshot!(fails(CODEX.replacen("\"role\":\"assistant\"", "\"role\":\"judge\"", 1), &full()), @"
    line 8: unknown role: `judge`
    write one of `system`, `user`, `assistant`, `tool` there, or delete the message
    ");
}

pub const PI: &str = r#"{"type":"session","version":3,"id":"pi-1","timestamp":"2026-01-01T00:00:00.000Z","cwd":"/p"}
{"type":"model_change","id":"00000001","parentId":null,"timestamp":"t1","provider":"anthropic","modelId":"m"}
{"type":"message","id":"00000002","parentId":"00000001","timestamp":"t2","message":{"role":"user","content":"look","timestamp":1}}
{"type":"message","id":"00000003","parentId":"00000002","timestamp":"t3","message":{"role":"assistant","content":[{"type":"thinking","thinking":"hm"},{"type":"text","text":"Looking."},{"type":"toolCall","id":"c1","name":"read","arguments":{"path":"a"}},{"type":"toolCall","id":"c2","name":"read","arguments":{"path":"b"}}],"provider":"anthropic","model":"m","usage":{},"stopReason":"toolUse"}}
{"type":"message","id":"00000004","parentId":"00000003","timestamp":"t4","message":{"role":"toolResult","toolCallId":"c1","toolName":"read","content":[{"type":"text","text":"A"},{"type":"image","data":"aGVsbG8=","mimeType":"image/png"}],"isError":false}}
{"type":"message","id":"00000005","parentId":"00000004","timestamp":"t5","message":{"role":"toolResult","toolCallId":"c2","toolName":"read","content":[{"type":"text","text":"no b"}],"isError":true}}
{"type":"message","id":"00000006","parentId":"00000005","timestamp":"t6","message":{"role":"assistant","content":[{"type":"text","text":"wrong way"}]}}
{"type":"branch_summary","id":"00000007","parentId":"00000005","timestamp":"t7","fromId":"00000006","summary":"It went the wrong way."}
{"type":"message","id":"00000008","parentId":"00000007","timestamp":"t8","message":{"role":"bashExecution","command":"ls","output":"a\n","exitCode":0,"cancelled":false,"truncated":false}}
{"type":"message","id":"00000009","parentId":"00000008","timestamp":"t9","message":{"role":"bashExecution","command":"env","output":"SECRET","exitCode":0,"excludeFromContext":true}}
{"type":"custom","id":"0000000a","parentId":"00000009","timestamp":"ta","customType":"state","data":{}}
{"type":"custom_message","id":"0000000b","parentId":"0000000a","timestamp":"tb","customType":"note","content":"remember the milk","display":true}
{"type":"label","id":"0000000c","parentId":"0000000b","timestamp":"tc","targetId":"00000002","label":"start"}
{"type":"session_info","id":"0000000d","parentId":"0000000c","timestamp":"td","name":"Looking around"}
"#;

const PI_COMPACTED: &str = r#"{"type":"compaction","id":"0000000e","parentId":"0000000d","timestamp":"te","summary":"They looked at a.","firstKeptEntryId":"00000008","tokensBefore":50000}
{"type":"message","id":"0000000f","parentId":"0000000e","timestamp":"tf","message":{"role":"user","content":[{"type":"text","text":"thanks"}]}}
"#;

#[test]
fn pi() {
    insta::assert_snapshot!(listing(&import(PI)), @r#"
    pi pi-1 "Looking around"
     3 t2 user "look"
     4 t3 assistant "Looking." -> read(c1) {"path":"a"} -> read(c2) {"path":"b"}
     5 t4 tool(c1)[read] "A" <image/png gone 5>
     6 t5 tool(c2)[read] "no b"
     8 t7 user "Summary of a branch that was left:\n\nIt went the wrong way."
     9 t8 user "I ran `ls`:\n\na\n"
    12 tb user "remember the milk"
    skipped 1: command kept from the model
    skipped 1: line custom
    skipped 1: line model_change
    skipped 1: message of another branch
    skipped 1: thinking
    "#);
}

#[test]
fn pi_compaction_and_another_leaf() {
    let text = format!("{PI}{PI_COMPACTED}");
    insta::assert_snapshot!(listing(&import(&text)), @r#"
    pi pi-1 "Looking around"
    15 te user "Summary of the conversation before this point:\n\nThey looked at a."
     9 t8 user "I ran `ls`:\n\na\n"
    12 tb user "remember the milk"
    16 tf user "thanks"
    skipped 1: command kept from the model
    skipped 1: line custom
    skipped 1: line model_change
    skipped 5: message before a compaction
    skipped 1: message of another branch
    skipped 1: thinking
    "#);
    let whole = read(text.as_bytes(), &full()).unwrap();
    assert_eq!(whole.session.messages.len(), import(PI).session.messages.len() + 1);
    let other = read(text.as_bytes(), &leaf("00000006")).unwrap();
    assert_eq!(&*other.session.messages.last().unwrap().message.text(), "wrong way");
}

#[test]
fn pi_first_version_is_a_line() {
    let text = r#"{"type":"session","id":"v1","timestamp":"t0","cwd":"/p","provider":"x","modelId":"m"}
{"type":"message","timestamp":"t1","message":{"role":"user","content":"one"}}
{"type":"message","timestamp":"t2","message":{"role":"assistant","content":[{"type":"text","text":"two"}]}}
{"type":"compaction","timestamp":"t3","summary":"one was said","firstKeptEntryIndex":2,"tokensBefore":1}
{"type":"message","timestamp":"t4","message":{"role":"user","content":"three"}}
"#;
    insta::assert_snapshot!(listing(&import(text)), @r#"
    pi v1 ""
     4 t3 user "Summary of the conversation before this point:\n\none was said"
     3 t2 assistant "two"
     5 t4 user "three"
    skipped 1: message before a compaction
    "#);
    let reset = text.replace("{\"type\":\"compaction\",", "{\"type\":\"reset\",");
    insta::assert_snapshot!(listing(&import(reset)), @r#"
    pi v1 ""
     5 t4 user "three"
    skipped 2: message before a compaction
    "#);
    insta::assert_snapshot!(fails(text.replace("\"role\":\"assistant\"", "\"role\":\"ghost\""), &full()), @"
    line 3: unknown role: `ghost`
    write one of `system`, `user`, `assistant`, `tool` there, or delete the message
    ");
}

#[test]
fn pi_messages_that_broke_off_are_left_out() {
    let aborted = r#"{"type":"message","id":"ff","parentId":"0000000d","timestamp":"t","message":{"role":"assistant","content":[],"stopReason":"aborted"}}"#;
    let read = import(format!("{PI}{aborted}"));
    assert_eq!(read.session.messages, import(PI).session.messages);
    assert_eq!(read.skipped["empty message"], 1);
}

#[test]
fn pi_a_missing_parent_is_told() {
    let text = PI.replace("\"parentId\":\"00000004\"", "\"parentId\":\"gone\"");
    let read = import(text);
    assert_eq!(read.session.messages.len(), import(PI).session.messages.len());
    insta::assert_snapshot!(read.notes[0].text, @"parents are missing: 1: the entry before each in the file is taken for it");
}
