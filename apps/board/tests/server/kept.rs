//! Games that outlive the server.

use crate::client::{PLENTY, serve_with};
use serde_json::json;

#[test]
fn a_game_goes_on_at_another_server_with_its_clocks_and_notes() {
    let folder = tempfile::tempdir().unwrap();
    let first = serve_with(Some(folder.path()), PLENTY, [127, 0, 0, 1]);
    let person = json!({"kind": "person", "name": "Ann"});
    let open = json!({"kind": "play", "white": person, "black": person, "chess960": 100,
                      "clock": {"base_s": 600}});
    let table = first.open(&open);
    let legal = first.state(&table)["legal"][0]["mv"].clone();
    first.good(&table, &json!({"do": "move", "mv": legal}));
    let before = first.good(&table, &json!({"do": "comment", "text": "said", "node": 1}));
    // The game is locked as long as its server lives.
    let other = serve_with(Some(folder.path()), PLENTY, [127, 0, 0, 1]);
    assert_eq!(other.get("api/tables").json().as_array().unwrap().len(), 1);
    assert_eq!(other.get(&format!("api/state?table={table}")).status, 404);
    first.hall.leave_all();
    let after = other.wait(&table, |state| !state.is_null());
    for part in ["position", "tree", "players", "at", "game", "result"] {
        assert_eq!(after[part], before[part], "{part}");
    }
    assert_eq!(after["clock"]["white_ms"], 600_000);
    let list = other.post(&format!("api/forget?table={table}"), &json!({})).json();
    assert_eq!(list, json!([]));
}

#[test]
fn damaged_and_foreign_files_are_no_games() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("0123456789abcdef.json"), "{\"open\":").unwrap();
    std::fs::write(folder.path().join("passwords.json"), "{}").unwrap();
    let served = serve_with(Some(folder.path()), PLENTY, [127, 0, 0, 1]);
    assert_eq!(served.get("api/tables").json(), json!([]));
    for id in ["0123456789abcdef", "passwords", "../x", "..%2fx", ""] {
        assert_eq!(served.get(&format!("api/state?table={id}")).status, 404, "{id}");
    }
}
