//! Whatever comes in: nothing but messages of the protocol goes out, and the server lives.

use super::client::Client;
use super::small;
use contexture_testkit::cases;
use proptest::prelude::*;
use proptest::strategy::ValueTree;
use proptest::test_runner::{Config, TestRunner};
use serde_json::{Value, json};

fn value() -> impl Strategy<Value = Value> {
    let leaf = prop_oneof![
        Just(Value::Null),
        any::<bool>().prop_map(Value::from),
        any::<i64>().prop_map(Value::from),
        any::<f64>().prop_map(|number| json!(number)),
        ".{0,20}".prop_map(Value::from),
        prop::sample::select(vec!["src/lib.rs", "../x", "/", "", "contexture://file/a", "2026-07-28", "-1", "full"])
            .prop_map(Value::from),
    ];
    leaf.prop_recursive(4, 24, 6, |inner| {
        let key = prop_oneof![
            prop::sample::select(vec![
                "name",
                "arguments",
                "uri",
                "path",
                "paths",
                "query",
                "budget",
                "view",
                "offset",
                "_meta",
                "progressToken",
                "cursor",
                "ref",
                "argument",
                "value",
                "type",
                "requestId",
                "protocolVersion",
                "clientInfo",
                "capabilities",
                "mask",
                "lines",
                "text",
                "tree",
                "node",
            ])
            .prop_map(str::to_owned),
            ".{0,6}",
        ];
        prop_oneof![
            prop::collection::vec(inner.clone(), 0..5).prop_map(Value::from),
            prop::collection::vec((key, inner), 0..6)
                .prop_map(|members| members.into_iter().collect::<serde_json::Map<_, _>>().into()),
        ]
    })
}

fn line() -> impl Strategy<Value = Vec<u8>> {
    let method = prop::sample::select(vec![
        "tools/call",
        "tools/list",
        "resources/read",
        "resources/list",
        "resources/templates/list",
        "prompts/list",
        "prompts/get",
        "completion/complete",
        "ping",
        "initialize",
        "server/discover",
        "notifications/cancelled",
        "notifications/initialized",
        "notifications/roots/list_changed",
        "subscriptions/listen",
        "logging/setLevel",
        "tasks/get",
        "no/such",
        "",
    ]);
    let tool =
        prop::sample::select(vec!["plan", "build", "read", "search", "tokens", "why", "loom_path", "loom_append", "x"]);
    let request = (prop::option::of(1_000_000..2_000_000_u64), method, value()).prop_map(|(id, method, params)| {
        let mut message = json!({"jsonrpc": "2.0", "method": method, "params": params});
        if let Some(id) = id {
            message["id"] = id.into();
        }
        message.to_string().into_bytes()
    });
    let call = (1_000_000..2_000_000_u64, tool, value()).prop_map(|(id, tool, arguments)| {
        json!({"jsonrpc": "2.0", "id": id, "method": "tools/call", "params": {"name": tool, "arguments": arguments}})
            .to_string()
            .into_bytes()
    });
    prop_oneof![
        3 => request,
        3 => call,
        1 => value().prop_map(|value| value.to_string().into_bytes()),
        1 => prop::collection::vec(any::<u8>(), 0..80),
        1 => "[\\[\\]{}\",:a1 ]{0,60}".prop_map(String::into_bytes),
    ]
}

#[test]
fn any_line_is_borne() {
    let env = small();
    let mut client = Client::greeted(&env, &["-vvv", "--allow-write"]);
    let mut runner = TestRunner::new_with_rng(
        Config::default(),
        proptest::test_runner::TestRng::deterministic_rng(proptest::test_runner::RngAlgorithm::ChaCha),
    );
    // Not all at once: a pipe holds only so much, and what comes back must be read meanwhile.
    let many = cases(300);
    for number in 0..many {
        let mut bytes = line().new_tree(&mut runner).unwrap().current();
        bytes.retain(|byte| *byte != b'\n');
        bytes.push(b'\n');
        client.raw(&bytes);
        if number % 20 == 19 {
            // Every line that came is a message: the client looks at each.
            client.heard.clear();
            let (read, _) = client.call("read", json!({"path": "src/lib.rs"}));
            assert_eq!(read["view"], "full");
        }
    }
    client.raw(&[b"[".repeat(100_000), b"\n".to_vec()].concat());
    client.raw(&[b"{\"a\":".repeat(50_000), b"\n".to_vec()].concat());
    client.raw(&[b"x".repeat(17 * 1024 * 1024), b"\n".to_vec()].concat());
    client.call("plan", json!({}));
    assert_eq!(client.leave(), Some(0));
}
