//! Other games, and rules from a file.

use serde_json::json;

use crate::Scenario;
use crate::page::{Page, key};

pub const ALL: &[Scenario] = &[
    ("xiangqi", xiangqi),
    ("rules editor", rules),
    ("analysis of a variant", analysis),
    ("pieces in hand", hands),
    ("pictures by moves", pictures),
];

fn xiangqi(page: &Page) {
    page.open(&json!({
        "kind": "play", "game": "xiangqi", "white": { "kind": "person" }, "black": { "kind": "engine", "level": 1 },
    }));
    page.browser.until("document.querySelectorAll('.cell').length === 90");
    page.drag("h3", "e3");
    page.ply(2);
    let label = page
        .browser
        .run("return document.querySelector('[data-square=e3]').getAttribute('aria-label');");
    assert!(label.as_str().is_some_and(|label| label.starts_with("e3, white cannon")), "{label}");
    page.enter("white");
    page.says("#reply", "cannons b3 e3");
}

fn rules(page: &Page) {
    page.open(&json!({ "kind": "analyse" }));
    page.tab("rules");
    page.says("#rules-verdict", "No errors");
    let spelling =
        page.browser.run("return document.querySelector('#tab-body textarea').spellcheck;");
    assert_eq!(spelling, false);
    // The first entry of the list of games is none.
    let draft = page.browser.run("const list = document.querySelector('#tab-body select'); list.value = ''; list.dispatchEvent(new Event('change')); return document.querySelector('#tab-body textarea').value;");
    assert!(draft.as_str().is_some_and(|text| text.contains("@royal k")), "{draft}");
    let write = |text: &str| {
        page.browser.run(&format!(
            "const area = document.querySelector('#tab-body textarea'); area.value = {}; area.dispatchEvent(new Event('input'));",
            json!(text)
        ));
    };
    write("@royal k\n\nk W1F1\nx {-square (1}\n\nboard:\n. k .\n. . .\n. K .\n");
    page.says(".diagnostics", "Line 4");
    page.browser
        .until("document.querySelectorAll('.rules-box pre .bad')[0]?.innerText.trim() === '4'");
    write("@royal k\n\nk W1F1\n\nboard:\n. k . .\n. . . .\n. K . .\n");
    page.says("#rules-verdict", "No errors");
    page.button("Two people");
    page.browser.until("document.querySelectorAll('.cell').length === 12");
    page.drag("b1", "a1");
    page.ply(1);
}

/// A piece looks like one of chess by its moves, and not by its letter.
fn pictures(page: &Page) {
    let rules = "@royal k\n\nk W1F1\nb W1\nt F\n\nboard:\n. . k .\n. . . .\n. . . .\nK B T .\n";
    page.open(&json!({ "kind": "analyse", "rules": rules }));
    let script = "return ['b1', 'c1'].map((square) => document.querySelector(`[data-square=${square}] use`).getAttribute('href'));";
    page.browser.until("document.querySelectorAll('.cell').length === 16");
    assert_eq!(page.browser.run(script), json!(["#disc", "#bishop"]));
    page.browser.until("document.querySelector('[data-square=b1]').getAttribute('aria-label').startsWith('b1, white piece B')");
}

/// Kings and rooks on 4 by 4 squares.
const ROOKS: &str =
    "@name Rooks\n@royal k\n\nk W1F1\nr W\n\nboard:\n. . k r\n. . . .\n. . . .\nK . . R\n";

fn analysis(page: &Page) {
    page.open(&json!({ "kind": "analyse", "rules": ROOKS }));
    page.browser.run("document.querySelector('#lines-panel input').click();");
    // Three lines with arrows, the best one first: White takes a rook.
    page.browser.until("document.querySelectorAll('.lines .pv .mv:first-of-type').length === 3");
    page.browser.until("document.querySelectorAll('#arrows .engine, #arrows .other').length === 3");
    page.browser.until("document.querySelectorAll('#arrows text').length === 3");
    page.browser.run("document.querySelector('#lines-panel input').click();");
    page.moves("a1a2 d4d1");
    page.tab("report");
    page.button("Analyze the whole game");
    page.says("#moves", "??");
    page.browser.until("/\\d %[^]*\\d %/.test(document.querySelector('.accuracies').innerText)");
    // A file of games by these rules.
    let game = page.pgn();
    let other = game.replace("[White \"?\"]", "[White \"Zoe\"]");
    assert_ne!(game, other);
    page.drop_file("games.pgn", &format!("{game}\n{other}"));
    page.says("#games-panel h2", "2 games");
    page.browser.run("[...document.querySelectorAll('.games-table tbody button')].find((button) => button.innerText === 'Zoe').click();");
    page.says("#bottom-strip", "Zoe");
    page.ply(2);
    page.browser.until("document.querySelectorAll('.cell').length === 16");
}

/// What a tray shows: `p1 n2`, without what is not there.
fn tray(page: &Page, side: &str) -> String {
    let script = format!(
        "return [...document.querySelectorAll('.hand button[data-side={side}]:not(:disabled)')].map((piece) => piece.dataset.drop + piece.querySelector('.count').textContent).join(' ');"
    );
    page.browser.run(&script).as_str().unwrap_or_default().to_owned()
}

/// The middle of a piece in a tray.
fn in_hand(page: &Page, piece: &str, side: &str) -> (i64, i64) {
    page.middle(&format!(".hand [data-drop={piece}][data-side={side}]"))
}

fn hands(page: &Page) {
    page.two_people(&json!({ "game": "crazyhouse" }));
    assert_eq!(tray(page, "white") + &tray(page, "black"), "");
    page.moves("e4 d5 exd5 Qxd5");
    assert_eq!((tray(page, "white"), tray(page, "black")), ("p1".into(), "p1".into()));
    // Click and click; its targets are marked.
    page.browser.press(in_hand(page, "p", "white"));
    page.browser.until("document.querySelector('[data-square=e4].target') && !document.querySelector('[data-square=e8].target')");
    page.browser.press(page.point("e4"));
    page.expect("e4", "white P");
    page.ply(5);
    assert_eq!((tray(page, "white"), tray(page, "black")), (String::new(), "p1".into()));
    // Dragged out of the tray; what is dropped on no square goes back.
    let (pawn, a6) = (in_hand(page, "p", "black"), page.point("a6"));
    page.browser.drag(pawn, (pawn.0, 5));
    page.browser.until("!document.querySelector('.carried, .cell.target')");
    page.browser.drag(pawn, a6);
    page.expect("a6", "black P");
    page.ply(6);
    // By keyboard: typed, and by the tray and the cursor.
    page.moves("exd5");
    assert_eq!(tray(page, "white"), "q1");
    page.moves("e5");
    page.enter("q@h5");
    page.ply(9);
    page.expect("h5", "white Q");
    page.says("#reply", "queen dropped on h 5");
    page.moves("Nf6 Qxf7+ Kxf7");
    assert_eq!((tray(page, "white"), tray(page, "black")), ("p1".into(), "q1".into()));
    assert!(page.pgn().contains("3. P@e4 P@a6"), "{}", page.pgn());
    by_cursor(page);
    on_a_phone(page);
    in_the_editor(page);
}

fn by_cursor(page: &Page) {
    page.two_people(&json!({ "game": "minishogi", "fen": "4k/5/5/5/K4[Gp] w - - 0 1" }));
    page.browser.run("document.querySelector('.hand [data-drop=g][data-side=white]').focus();");
    page.browser.keys(&[key::ENTER]);
    page.browser.until("document.querySelector('.hand [data-drop=g][aria-pressed=true]') && document.querySelector('[data-square=c3].target')");
    // The cursor is where the last piece was put down on the board before: on e4.
    page.browser.run("document.querySelector('.cell[tabindex=\"0\"]').focus();");
    page.browser.keys(&[key::LEFT, key::LEFT, key::LEFT, key::DOWN, key::ENTER]);
    page.expect("b3", "white G");
    page.ply(1);
    let script = format!(
        "const game = ({}).state().game; const {{ spokenMove }} = {}; return ['+Pe6', 'e7=+P', 'Gxb3+'].map((san) => spokenMove(san, game));",
        page.module("store"),
        page.module("speech")
    );
    let said = ["promoted pawn e 6", "e 7, promotes", "gold general takes b 3, check"];
    assert_eq!(page.browser.run_async(&script), json!(said));
}

fn on_a_phone(page: &Page) {
    page.browser.resize(360, 740);
    page.two_people(&json!({ "game": "shogi", "fen": "4k4/9/9/9/9/9/9/9/4K4[RBGSNLP] w - - 0 1", "clock": { "base_s": 600, "increment_s": 0 } }));
    let wide = page.browser.run("return document.documentElement.scrollWidth;");
    assert_eq!(wide, 360);
    let trays = page.browser.run("return [...document.querySelectorAll('.hand')].map((hand) => { const box = hand.getBoundingClientRect(); return box.left >= 0 && box.right <= 360 && hand.children.length === 7; });");
    assert_eq!(trays, json!([true, true]));
    page.browser.tap(in_hand(page, "r", "white"));
    page.browser.until("document.querySelector('[data-square=e5].target') && true");
    page.browser.tap(page.point("e5"));
    page.expect("e5", "white R");
    page.browser.resize(1280, 800);
}

fn in_the_editor(page: &Page) {
    page.open(&json!({ "kind": "analyse", "game": "crazyhouse", "fen": "4k3/8/8/8/8/8/8/4K3[n] w - - 0 1" }));
    page.tab("position");
    let set = |piece: &str, side: &str, count: u8| {
        page.browser.run(&format!(
            "const field = document.querySelector('#tab-body [data-held={piece}][data-side={side}]'); field.value = {count}; field.dispatchEvent(new Event('input'));"
        ));
    };
    set("q", "white", 1);
    set("p", "white", 2);
    set("n", "black", 0);
    page.button("Analyze this position");
    page.until_fen("4k3/8/8/8/8/8/8/4K3[QPP] w");
    assert_eq!((tray(page, "white"), tray(page, "black")), ("q1 p2".into(), String::new()));
    page.tab("report");
    // A drop as an arrow is a ring, with its score.
    page.browser.run("document.querySelector('#lines-panel input').click();");
    page.browser.until("document.querySelector('#arrows .ring') && document.querySelectorAll('.lines .pv .mv').length > 0");
    page.browser.run("document.querySelector('#lines-panel input').click();");
    page.moves("P@e4");
    page.expect("e4", "white P");
    // What a promotion has made stays marked.
    let promoted = "1k6/8/8/8/8/8/8/K5QQ~";
    page.open(
        &json!({ "kind": "analyse", "game": "crazyhouse", "fen": format!("{promoted} w - - 0 1") }),
    );
    page.tab("position");
    page.browser.until(&format!(
        "document.querySelector('#tab-body input[type=text]').value.startsWith('{promoted}')"
    ));
}
