//! Other games, and rules from a file.

use serde_json::json;
use tamarin_board_browser::{Page, Point, key};

use crate::Scenario;

pub const ALL: &[Scenario] = &[
    ("xiangqi", xiangqi),
    ("rules editor", rules),
    ("analysis of a variant", analysis),
    ("pieces in hand", hands),
    ("pieces in hand by cursor", by_cursor),
    ("pieces in hand on a phone", on_a_phone),
    ("pieces in hand in the editor", in_the_editor),
    ("pictures by moves", pictures),
];

fn xiangqi(page: &Page) {
    page.two_people(json!({ "game": "xiangqi", "black": { "kind": "engine", "level": 1 } }));
    page.counts(".cell", 90);
    page.drag("h3", "e3");
    page.ply(2);
    page.shows("[data-square=e3][aria-label^='e3, white cannon']");
    page.enter("white");
    page.says("#reply", "cannons b3 e3");
    // Points with palaces and a river, or squares in two colors.
    page.counts("#board-lines line", 10 + 2 + 2 * 7 + 4);
    page.switch("Traditional xiangqi, shogi");
    page.counts("#board-lines line", 0);
    page.shows("[data-square=e3] use[href='#cannon']");
    page.switch("Traditional xiangqi, shogi");
}

fn rules(page: &Page) {
    page.analyse(json!({}));
    page.tab("rules");
    page.says("#rules-verdict", "No errors");
    page.shows("#tab-body textarea[spellcheck=false]");
    // The first entry of the list of games is none.
    page.set("#tab-body select", "");
    let draft = page.run("return document.querySelector('#tab-body textarea').value;");
    assert!(draft.as_str().is_some_and(|text| text.contains("@royal k")), "{draft}");
    let write = |text: &str| page.set("#tab-body textarea", text);
    write("@royal k\n\nk W1F1\nx {-square (1}\n\nboard:\n. k .\n. . .\n. K .\n");
    page.says(".diagnostics", "Line 4");
    page.says(".rules-box pre .bad", "4");
    write("@royal k\n\nk W1F1\n\nboard:\n. k . .\n. . . .\n. K . .\n");
    page.says("#rules-verdict", "No errors");
    page.button("Two people");
    page.counts(".cell", 12);
    page.drag("b1", "a1");
    page.ply(1);
}

/// A piece looks like one of chess by its moves, and not by its letter.
fn pictures(page: &Page) {
    let rules = "@royal k\n\nk W1F1\nb W1\nt F\n\nboard:\n. . k .\n. . . .\n. . . .\nK B T .\n";
    page.analyse(json!({ "rules": rules }));
    page.counts(".cell", 16);
    page.shows("[data-square=b1] use[href='#disc']");
    page.shows("[data-square=c1] use[href='#bishop']");
    page.shows("[data-square=b1][aria-label^='b1, white piece B']");
}

/// Kings and rooks on 4 by 4 squares.
const ROOKS: &str =
    "@name Rooks\n@royal k\n\nk W1F1\nr W\n\nboard:\n. . k r\n. . . .\n. . . .\nK . . R\n";

fn analysis(page: &Page) {
    page.analyse(json!({ "rules": ROOKS }));
    page.engine();
    // Three lines with arrows, the best one first: White takes a rook.
    page.counts(".lines .pv .mv:first-of-type", 3);
    page.counts("#arrows .engine, #arrows .other", 3);
    page.counts("#arrows text", 3);
    page.engine();
    page.moves("a1a2 d4d1");
    page.tab("report");
    page.button("Analyze the whole game");
    page.says("#moves", "??");
    page.until("/\\d %[^]*\\d %/.test(document.querySelector('.accuracies').innerText)");
    // A file of games by these rules.
    let game = page.pgn();
    let other = game.replace("[White \"?\"]", "[White \"Zoe\"]");
    assert_ne!(game, other);
    page.drop_file("games.pgn", &format!("{game}\n{other}"));
    page.says("#games-panel h2", "2 games");
    page.pick_text(".games-table tbody button", "Zoe");
    page.says("#bottom-strip", "Zoe");
    page.says("#moves", "??");
    page.counts(".cell", 16);
}

/// Waits until the trays of White and Black show this: `p1 n2`, without what is not there.
fn trays(page: &Page, white: &str, black: &str) {
    for (side, expected) in [("white", white), ("black", black)] {
        page.until(&format!(
            "[...document.querySelectorAll('.hand button[data-side={side}]:not(:disabled)')].map((piece) => piece.dataset.drop + piece.querySelector('.count').textContent).join(' ') === '{expected}'"
        ));
    }
}

/// The middle of a piece in a tray.
fn in_hand(page: &Page, piece: &str, side: &str) -> Point {
    page.middle(&format!(".hand [data-drop={piece}][data-side={side}]"))
}

fn hands(page: &Page) {
    page.two_people(json!({ "game": "crazyhouse" }));
    trays(page, "", "");
    page.moves("e4 d5 exd5 Qxd5");
    trays(page, "p1", "p1");
    // Click and click; its targets are marked.
    page.press(in_hand(page, "p", "white"));
    page.shows("[data-square=e4].target");
    page.counts("[data-square=e8].target", 0);
    page.press(page.point("e4"));
    page.expect("e4", "white P");
    page.ply(5);
    trays(page, "", "p1");
    // Dragged out of the tray; what is dropped on no square goes back.
    let (pawn, a6) = (in_hand(page, "p", "black"), page.point("a6"));
    page.drag_to(pawn, (pawn.0, 5));
    page.counts(".carried, .cell.target", 0);
    page.drag_to(pawn, a6);
    page.expect("a6", "black P");
    page.ply(6);
    // By keyboard: typed, and by the tray and the cursor.
    page.moves("exd5");
    trays(page, "q1", "");
    page.moves("e5");
    page.enter("q@h5");
    page.ply(9);
    page.expect("h5", "white Q");
    page.says("#reply", "queen dropped on h 5");
    page.moves("Nf6 Qxf7+ Kxf7");
    trays(page, "p1", "q1");
    assert!(page.pgn().contains("3. P@e4 P@a6"), "{}", page.pgn());
}

fn by_cursor(page: &Page) {
    page.two_people(json!({ "game": "minishogi", "fen": "4k/5/5/5/K4[Gp] w - - 0 1" }));
    // The cursor is where the last piece was put down on the board.
    page.click("a1", "a2");
    page.ply(1);
    page.click("e5", "e4");
    page.ply(2);
    page.run("document.querySelector('.hand [data-drop=g][data-side=white]').focus();");
    page.keys(&[key::ENTER]);
    page.shows(".hand [data-drop=g][aria-pressed=true]");
    page.shows("[data-square=c3].target");
    page.run("document.querySelector('.cell[tabindex=\"0\"]').focus();");
    page.keys(&[key::LEFT, key::LEFT, key::LEFT, key::DOWN, key::ENTER]);
    page.expect("b3", "white G");
    page.ply(3);
    let script = format!(
        "const game = {}.state().game; const {{ spokenMove }} = {}; return ['+Pe6', 'e7=+P', 'Gxb3+'].map((san) => spokenMove(san, game));",
        page.module("store"),
        page.module("speech")
    );
    let said = ["promoted pawn e 6", "e 7, promotes", "gold general takes b 3, check"];
    assert_eq!(page.run_async(&script), json!(said));
}

fn on_a_phone(page: &Page) {
    page.resize(360, 740);
    page.two_people(json!({ "game": "shogi", "fen": "4k4/9/9/9/9/9/9/9/4K4[RBGSNLP] w - - 0 1", "clock": { "base_s": 600, "increment_s": 0 } }));
    assert_eq!(page.run("return document.documentElement.scrollWidth;"), 360);
    let trays = page.run("return [...document.querySelectorAll('.hand')].map((hand) => { const box = hand.getBoundingClientRect(); return box.left >= 0 && box.right <= 360 && hand.children.length === 7; });");
    assert_eq!(trays, json!([true, true]));
    page.tap(in_hand(page, "r", "white"));
    page.shows("[data-square=e5].target");
    page.tap(page.point("e5"));
    page.expect("e5", "white R");
}

fn in_the_editor(page: &Page) {
    page.analyse(json!({ "game": "crazyhouse", "fen": "4k3/8/8/8/8/8/8/4K3[n] w - - 0 1" }));
    page.tab("position");
    for (piece, side, count) in [("q", "white", "1"), ("p", "white", "2"), ("n", "black", "0")] {
        page.set(&format!("#tab-body [data-held={piece}][data-side={side}]"), count);
    }
    page.button("Analyze this position");
    page.until_fen("4k3/8/8/8/8/8/8/4K3[QPP] w");
    trays(page, "q1 p2", "");
    page.tab("report");
    // A drop as an arrow is a ring, with its score.
    page.engine();
    page.shows("#arrows .ring");
    page.shows(".lines .pv .mv");
    page.engine();
    page.moves("P@e4");
    page.expect("e4", "white P");
    // What a promotion has made stays marked.
    let promoted = "1k6/8/8/8/8/8/8/K5QQ~";
    page.analyse(json!({ "game": "crazyhouse", "fen": format!("{promoted} w - - 0 1") }));
    page.tab("position");
    page.until(&format!(
        "document.querySelector('#tab-body input[type=text]').value.startsWith('{promoted}')"
    ));
}
