//! Who is let in.

use crate::client::{serve, serve_with};
use serde_json::json;

#[test]
fn only_this_host_this_origin_and_this_token_are_let_in() {
    let served = serve();
    let (port, token) = (served.place.port(), served.token.clone());
    assert_eq!(token.len(), 32);
    let page = format!("/{token}/");
    let ask = |path: &str, headers: String| served.request("GET", path, &headers, b"").status;
    let good = [
        format!("Host: 127.0.0.1:{port}\r\n"),
        format!("Host: localhost:{port}\r\n"),
        format!("Host: 127.0.0.1:{port}\r\nOrigin: http://127.0.0.1:{port}\r\n"),
    ];
    for headers in good {
        assert_eq!(ask(&page, headers.clone()), 200, "{headers}");
    }
    let bad = [
        "Host: evil.example\r\n".to_owned(),
        format!("Host: evil.example:{port}\r\n"),
        format!("Host: 127.0.0.1.evil.example:{port}\r\n"),
        "Host: 127.0.0.1\r\n".to_owned(),
        format!("Host: 127.0.0.1:{}\r\n", port ^ 1),
        format!("Host: 10.0.0.1:{port}\r\n"),
        "Origin: http://evil.example\r\n".to_owned(),
        "Origin: null\r\n".to_owned(),
        format!("Origin: https://127.0.0.1:{port}\r\n"),
    ];
    for headers in bad {
        assert_eq!(ask(&page, headers.clone()), 403, "{headers}");
    }
    let cross = "Sec-Fetch-Site: cross-site\r\n".to_owned();
    assert_eq!(ask(&format!("/{token}/api/sessions"), cross), 403);
    for path in ["/", "/x/", "//", &format!("/{}/", &token[1..]), &format!("/{token}x/")] {
        assert_eq!(ask(path, String::new()), 404, "{path}");
    }
}

#[test]
fn answers_forbid_everything_that_is_not_from_here() {
    let served = serve();
    let answer = served.get("");
    assert!(answer.head.contains("content-security-policy: default-src 'self'"), "{}", answer.head);
    for header in ["x-frame-options: deny", "x-content-type-options: nosniff", "etag: "] {
        assert!(answer.head.contains(header), "{header}");
    }
    let tag = answer.head.lines().find_map(|line| line.strip_prefix("etag: ")).unwrap().to_owned();
    let path = format!("/{}/", served.token);
    let again = served.request("GET", &path, &format!("If-None-Match: {tag}\r\n"), b"");
    assert_eq!((again.status, again.body.as_str()), (304, ""));
    assert_eq!(served.post("api/open", &json!({"kind": "analyse"})).status, 200);
    assert_eq!(served.get("api/open").status, 404, "another method");
    assert!(served.get("assets/sounds/move.wav").head.contains("content-type: audio/wav"));
    assert_eq!(served.get("assets/sounds/none.wav").status, 404);
}

#[test]
fn rejects_requests_that_are_too_long() {
    let served = serve();
    let session = served.open(&json!({"kind": "analyse"}));
    let long = json!({"do": "comment", "text": "x".repeat(70 << 10)});
    assert_eq!(served.perform(&session, &long).status, 413);
    let games = " ".repeat((16 << 20) + 1);
    let answer = served.perform(&session, &json!({"do": "load_pgn", "text": games}));
    assert_eq!(answer.status, 413);
    assert!(answer.error().contains("larger than 16 MiB"), "{}", answer.error());
}

#[test]
fn tables_make_room_for_new_ones() {
    let served = serve();
    let first = served.open(&json!({"kind": "analyse"}));
    let _page = served.listen(&first);
    let second = served.open(&json!({"kind": "analyse"}));
    for _ in 0..40 {
        served.open(&json!({"kind": "analyse"}));
    }
    assert_eq!(served.sessions.count(), 32);
    assert_eq!(served.get(&format!("api/state?session={second}")).status, 404);
    assert_eq!(served.get(&format!("api/state?session={first}")).status, 200, "a page shows it");
}

#[test]
fn others_are_let_in_only_where_that_is_wanted() {
    let alone = serve();
    let session = alone.open(&json!({"kind": "analyse"}));
    assert_eq!(alone.state(&session)["invitation"], serde_json::Value::Null);
    let shared = serve_with(None, [0, 0, 0, 0]);
    let headers = format!("Host: 10.0.0.7:{}\r\n", shared.place.port());
    let path = format!("/{}/", shared.token);
    assert_eq!(shared.request("GET", &path, &headers, b"").status, 200);
    let name = format!("Host: evil.example:{}\r\n", shared.place.port());
    assert_eq!(shared.request("GET", &path, &name, b"").status, 403);
}
