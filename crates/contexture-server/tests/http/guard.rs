//! Who is let in: no route answers with success to a wrong name, a foreign page or a missing token.

use super::client::Served;
use serde_json::Value;

/// Every route of the list that the server itself gives, and the pages.
fn routes(served: &Served) -> Vec<(String, String)> {
    let list: Value = served.get("/openapi.json").json();
    let mut all: Vec<(String, String)> = Vec::new();
    for (path, methods) in list["paths"].as_object().unwrap() {
        for method in methods.as_object().unwrap().keys().filter(|key| ["get", "post"].contains(&key.as_str())) {
            all.push((method.to_uppercase(), path.clone()));
        }
    }
    assert!(all.len() > 50, "{}", all.len());
    all.extend([
        ("GET".into(), "/".into()),
        ("GET".into(), "/assets/x.js".into()),
        ("POST".into(), "/api/none".into()),
    ]);
    all
}

#[test]
fn nobody_is_let_in_by_a_wrong_head() {
    let served = Served::start();
    let port = served.address.port();
    let (host, token) = (served.host(), format!("Bearer {}", served.token));
    let own = format!("http://{host}");
    let foreign_hosts: Vec<String> = [
        "evil.example",
        "localhost.evil.example",
        "127.0.0.1.evil.example",
        "0.0.0.0",
        "127.0.0.1",
        "localhost",
        "[::1]",
        "",
        "127.0.0.1:1",
        "localhost:1",
        "[::]",
        "0",
        "2130706433",
        "127.1",
        "[::ffff:127.0.0.1]",
    ]
    .iter()
    .flat_map(|name| [(*name).to_owned(), format!("{name}:{port}")])
    .filter(|name| ![format!("127.0.0.1:{port}"), format!("localhost:{port}"), format!("[::1]:{port}")].contains(name))
    .collect();
    let foreign_origins = [
        "http://evil.example",
        "null",
        "https://127.0.0.1",
        "http://localhost",
        "file://",
        "http://127.0.0.1:1",
        "",
        "http://localhost.evil.example",
        "http://0.0.0.0",
        "chrome-extension://x",
    ];
    let wrong_tokens = [
        "",
        "Bearer",
        "Bearer ",
        "Bearer x",
        &token[..token.len() - 1],
        &token.replace("Bearer", "Basic"),
        &format!("{token}0"),
    ];
    let mut tried = 0;
    for (method, path) in routes(&served) {
        let line = format!("{method} {path}");
        let mut refused = |headers: &[(&str, &str)], allowed: &[u16]| {
            let reply = served.raw(&line, &[headers, &[("content-type", "application/json")]].concat(), "{}");
            assert!(allowed.contains(&reply.status), "{line} {headers:?}: {} {}", reply.status, reply.head);
            tried += 1;
        };
        for name in &foreign_hosts {
            refused(&[("host", name), ("authorization", &token)], &[400, 403]);
        }
        refused(&[("authorization", &token)], &[400, 403]);
        refused(&[("host", &host), ("host", "evil.example"), ("authorization", &token)], &[400, 403]);
        for origin in foreign_origins {
            refused(&[("host", &host), ("origin", origin), ("authorization", &token)], &[403]);
        }
        for site in ["cross-site", "same-site", "x"] {
            refused(&[("host", &host), ("sec-fetch-site", site), ("authorization", &token)], &[403]);
        }
        for wrong in wrong_tokens {
            refused(&[("host", &host), ("origin", &own), ("authorization", wrong)], &[401]);
        }
        refused(&[("host", &host), ("origin", &own)], &[401]);
        refused(&[("host", &host), ("cookie", &format!("contexture-{port}={}", served.token))], &[401]);
        refused(&[("host", &host), ("cookie", &format!("contexture-{port}="))], &[401]);
    }
    assert!(tried > 3_000, "{tried}");
}

#[test]
fn the_printed_address_gives_a_strict_cookie_and_the_cookie_lets_in() {
    let served = Served::start();
    let host = served.host();
    let own = format!("http://{host}");
    let first =
        served.raw(&format!("GET /?token={}", served.token), &[("host", &host), ("sec-fetch-site", "none")], "");
    assert_eq!(first.status, 303);
    assert!(first.head.contains("location: /\r\n"), "{}", first.head);
    let cookie = first.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    assert!(cookie.ends_with("; Path=/; HttpOnly; SameSite=Strict"), "{cookie}");
    assert!(!cookie.contains(&served.token) && !first.head.contains(&served.token));
    let cookie = cookie.split(';').next().unwrap();
    assert_eq!(served.raw("GET /", &[("host", &host), ("cookie", cookie)], "").status, 200);
    let json = ("content-type", "application/json");
    let plan = |headers: &[(&str, &str)]| served.raw("POST /api/plan", headers, "{}").status;
    assert_eq!(plan(&[("host", &host), ("cookie", cookie), ("origin", &own), json]), 200);
    // A browser names where a request comes from; one that does not is none of ours.
    assert_eq!(plan(&[("host", &host), ("cookie", cookie), json]), 403);
    assert_eq!(plan(&[("host", &host), ("cookie", cookie), ("origin", "http://evil.example"), json]), 403);
    assert_eq!(plan(&[("host", &host), ("cookie", cookie), ("origin", &own), ("content-type", "text/plain")]), 415);
    // The token in an address opens the front page alone.
    for line in ["GET /openapi.json", "GET /api/project", "POST /api/plan", "POST /"] {
        let reply =
            served.raw(&format!("{line}?token={}", served.token), &[("host", &host), ("origin", &own), json], "{}");
        assert_eq!(reply.status, 401, "{line}");
    }
}

#[test]
fn a_file_of_the_user_may_lead_to_the_printed_address() {
    let served = Served::start();
    let host = served.host();
    let site = ("sec-fetch-site", "cross-site");
    let invited = format!("GET /?token={}", served.token);
    let first = served.raw(&invited, &[("host", &host), site], "");
    assert_eq!(first.status, 200, "{}", first.body);
    // A redirect would go on without the cookie, which is strict.
    assert!(first.body.contains("<meta http-equiv=\"refresh\" content=\"0;url=/\">"), "{}", first.body);
    assert!(!first.body.contains(&served.token) && !first.head.contains(&served.token));
    let cookie = first.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let cookie = ("cookie", cookie.split(';').next().unwrap());
    assert_eq!(served.raw("GET /", &[("host", &host), cookie, ("sec-fetch-site", "same-origin")], "").status, 200);
    // Without the token, another site is another site.
    assert_eq!(served.raw("GET /", &[("host", &host), cookie, site], "").status, 403);
    assert_eq!(served.raw(&invited[..invited.len() - 1], &[("host", &host), cookie, site], "").status, 403);
    assert_eq!(served.raw(&invited, &[("host", &host), site, ("origin", "null")], "").status, 403);
    assert_eq!(served.raw(&invited.replace('?', "openapi.json?"), &[("host", &host), cookie, site], "").status, 403);
}

#[test]
fn every_answer_bears_the_policy_and_none_shares_with_others() {
    let served = Served::start();
    for reply in
        [served.get("/"), served.get("/openapi.json"), served.get("/none"), served.raw("GET /", &[("host", "x")], "")]
    {
        let head = reply.head.to_ascii_lowercase();
        assert!(head.contains("content-security-policy: default-src 'none'; script-src 'self'"), "{head}");
        assert!(head.contains("x-content-type-options: nosniff") && head.contains("frame-ancestors 'none'"), "{head}");
        assert!(!head.contains("access-control-"), "{head}");
    }
    let host = served.host();
    let asked = served.raw(
        "OPTIONS /api/plan",
        &[("host", &host), ("origin", "http://evil.example"), ("access-control-request-method", "POST")],
        "",
    );
    assert_eq!(asked.status, 403);
}

#[test]
fn a_session_outlives_the_server_and_a_token_does_not() {
    let served = Served::start();
    let host = served.host();
    let first = served.raw(&format!("GET /?token={}", served.token), &[("host", &host)], "");
    let cookie = first.head.lines().find_map(|line| line.strip_prefix("set-cookie: ")).unwrap();
    let kept = std::fs::read_to_string(served.folder.path().join("data/serve.key")).unwrap();
    // What is kept makes the cookie and is not in it: browsers send cookies to every port of a host.
    assert!(kept.len() == 64 && !cookie.contains(&kept), "{cookie}");
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        let mode = std::fs::metadata(served.folder.path().join("data/serve.key")).unwrap().permissions().mode();
        assert_eq!(mode & 0o077, 0, "{mode:o}");
    }
}
