//! Games.

use serde_json::{Value, json};

use crate::Scenario;
use crate::driver::Point;
use crate::page::{Page, key};
use crate::server::Server;

pub const ALL: &[Scenario] = &[
    ("a game by dragging", by_dragging),
    ("a game by keyboard", by_keyboard),
    ("castling, en passant, promotion", special_moves),
    ("chess960", chess960),
    ("premove", premove),
    ("hint and threat", helps),
    ("reload in the middle", reload),
    ("kill and resume", kill_and_resume),
    ("one side from this page", one_side),
    ("new game dialog", new_game),
    ("sounds", sounds),
    ("evaluation bar in a game", game_meter),
];

fn by_dragging(page: &Page) {
    page.two_people(&json!({}));
    // In the air a piece is below the pointer, and its targets are marked.
    page.browser.press(page.point("g1"));
    page.browser.until("document.querySelectorAll('.cell.target').length === 2");
    page.browser.press(page.point("g1"));
    page.browser.until("document.querySelectorAll('.cell.target').length === 0");
    for (from, to) in
        [("e2", "e4"), ("e7", "e5"), ("f1", "c4"), ("b8", "c6"), ("d1", "h5"), ("g8", "f6")]
    {
        page.drag(from, to);
    }
    let marked = "[...document.querySelectorAll('.cell.last')].map((cell) => cell.dataset.square).sort().join()";
    page.browser.until(&format!("{marked} === 'f6,g8'"));
    // What is not legal goes back.
    page.browser.drag(page.point("a1"), page.point("a5"));
    page.expect("a1", "white R");
    page.drag("h5", "f7");
    page.says("#status", "1-0");
    page.browser.until("document.querySelector('[data-square=e8].check') && true");
    page.ply(7);
    assert!(page.pgn().contains("4. Qxf7# 1-0"), "{}", page.pgn());
}

/// Moves the cursor of the board to a square, as seen from White, by keys alone.
fn walk(page: &Page, to: &str) {
    let at = page.browser.run("return document.activeElement.dataset.square;");
    let at = at.as_str().expect("a square has the focus").as_bytes().to_vec();
    let to = to.as_bytes();
    let steps = |less: u8, more: u8, forward: &'static str, back: &'static str| {
        let count = usize::from(less.abs_diff(more));
        vec![if more > less { forward } else { back }; count]
    };
    let mut keys = steps(at[0], to[0], key::RIGHT, key::LEFT);
    keys.extend(steps(at[1], to[1], key::UP, key::DOWN));
    page.browser.keys(&keys);
}

fn by_keyboard(page: &Page) {
    page.two_people(&json!({}));
    let session = page.state()["session"].clone();
    page.browser.run("document.querySelector('.skip').click();");
    assert_eq!(page.browser.run("return location.hash.slice(1);"), session);
    walk(page, "f2");
    page.browser.keys(&[key::ENTER, key::UP, key::ENTER]);
    page.expect("f3", "white P");
    // A letter on the board begins to type.
    page.browser.keys(&["e", "5", key::ENTER]);
    page.expect("e5", "black P");
    page.enter("g4");
    page.expect("g4", "white P");
    page.says("#reply", "White: g 4");
    page.enter("pawns");
    page.says("#reply", "white: pawns a2 b2 c2 d2 e2 f3 g4 h2");
    page.enter("e5");
    page.says("#reply", "e5 black pawn");
    page.enter("Qd4");
    page.says("#reply", "no legal move");
    page.browser.run("document.querySelector('.cell[tabindex=\"0\"]').focus();");
    walk(page, "d8");
    page.browser.keys(&[" "]);
    walk(page, "h4");
    let label = page.browser.run("return document.activeElement.getAttribute('aria-label');");
    assert_eq!(label, "h4, empty, can be reached");
    page.browser.keys(&[" "]);
    page.says("#status", "0-1");
    let said = page.browser.run("return document.getElementById('say').textContent;");
    assert!(said.as_str().is_some_and(|said| said.contains("queen h 4, mate")), "{said}");
    page.browser.keys(&[key::HOME]);
    page.expect("f2", "white P");
    page.browser.keys(&[key::END]);
    page.expect("h4", "black Q");
}

fn special_moves(page: &Page) {
    page.two_people(&json!({ "fen": "r3k3/6pP/8/5P2/8/8/8/R3K2R w KQq - 0 1" }));
    page.click("e1", "g1");
    page.expect("f1", "white R");
    page.enter("g5");
    page.expect("g5", "black P");
    page.drag("f5", "g6");
    page.expect("g5", "");
    page.click("e8", "c8");
    page.expect("d8", "black R");
    page.browser.drag(page.point("h7"), page.point("h8"));
    page.browser.until("document.querySelectorAll('dialog .choices button').length === 4");
    page.browser.click("dialog [data-promotion=n]");
    page.expect("h8", "white N");
    assert!(page.pgn().contains("3. h8=N"), "{}", page.pgn());
}

fn chess960(page: &Page) {
    page.two_people(&json!({ "game": "chess960", "fen": "4k3/8/8/8/8/8/8/1R1K2R1 w BG - 0 1" }));
    // The king takes its rook.
    page.browser.drag(page.point("d1"), page.point("g1"));
    page.expect("g1", "white K");
    page.expect("f1", "white R");
    page.ply(1);
}

fn premove(page: &Page) {
    page.open(&json!({
        "kind": "play", "fen": "4k2r/6pp/8/8/8/8/PP6/R3K3 w - - 0 1", "clock": { "move_s": 3 },
        "white": { "kind": "engine", "full": true }, "black": { "kind": "person", "name": "Bob" },
    }));
    // The engine thinks about its first move; Black is below.
    page.browser.until("document.querySelector('.thinking') && true");
    page.browser.drag(page.point("g7"), page.point("g5"));
    page.browser.until("document.querySelectorAll('.cell.premove').length === 2");
    page.says("#status", "Premove g7g5");
    page.ply(2);
    page.expect("g5", "black P");
    page.browser.until("document.querySelectorAll('.cell.premove').length === 0");
    // In Chess960 the king castles by its rook. Escape cancels it, wherever the focus is.
    page.open(&json!({
        "kind": "play", "game": "chess960", "fen": "4k2r/6pp/8/8/8/8/PP6/R3K3 w k - 0 1", "clock": { "move_s": 60 },
        "white": { "kind": "engine", "full": true }, "black": { "kind": "person", "name": "Bob" },
    }));
    page.browser.until("document.querySelector('.thinking') && true");
    let cancel = || {
        page.says("#status", "Premove e8h8");
        page.browser.run("document.activeElement.blur();");
        page.browser.keys(&[key::ESCAPE]);
        page.browser.until("document.querySelectorAll('.cell.premove').length === 0");
    };
    page.click("e8", "h8");
    cancel();
    for square in ["e8", "h8"] {
        page.browser.tap(page.point(square));
    }
    cancel();
}

fn helps(page: &Page) {
    page.two_people(&json!({ "fen": "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1" }));
    for said in ["rook", "d1", "Rd8#"] {
        page.button("Hint");
        page.says("#reply", said);
    }
    page.browser.until("document.querySelector('#arrows .hinted') && true");
    // A queen that hangs is warned of.
    page.switch("Warn of threats");
    page.two_people(&json!({ "fen": "6k1/8/8/3p4/4Q3/8/8/4K3 w - - 0 1" }));
    page.says("#threat", "queen");
    page.browser.run("localStorage.clear();");
}

fn reload(page: &Page) {
    page.two_people(&json!({}));
    page.moves("e4 e5 Nf3");
    page.browser.reload();
    page.browser.until("document.body?.dataset.ready === 'yes'");
    page.expect("f3", "white N");
    page.ply(3);
    page.moves("Nc6");
    page.expect("c6", "black N");
    // A page that is left lets go of its connection, and takes it up again on the way back.
    let following = |event: &str| {
        page.browser.run_async(&format!(
            "{event} return (await import(new URL('assets/js/api.js', location.href.split('#')[0]))).isFollowing();"
        ))
    };
    assert_eq!(following(""), true);
    assert_eq!(following("dispatchEvent(new PageTransitionEvent('pagehide'));"), false);
    let back = "dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));";
    assert_eq!(following(back), true);
}

fn kill_and_resume(page: &Page) {
    let state = tempfile::tempdir().expect("there is room");
    let mut server = Server::start(state.path(), &[]);
    let first = Page { browser: page.browser, address: &server.address };
    first.load();
    first.two_people(&json!({ "clock": { "base_s": 600, "increment_s": 0 } }));
    first.moves("d4 d5 c4");
    server.kill();
    let server = Server::start(state.path(), &[]);
    let second = Page { browser: page.browser, address: &server.address };
    second.load();
    second.browser.run("document.querySelector('[data-do=games]').click();");
    second.browser.until("document.querySelector('dialog td button') && true");
    second.browser.run("[...document.querySelectorAll('dialog td button')].find((button) => button.innerText.includes('Ann')).click();");
    second.expect("c4", "white P");
    second.ply(3);
    second.moves("e6");
    second.expect("e6", "black P");
    // Back to the server of the other scenarios: what the log holds of the dead one is no failure.
    page.browser.log("browser");
    page.browser.log("performance");
    page.load();
}

fn one_side(page: &Page) {
    page.two_people(&json!({}));
    page.button("Sides");
    page.browser.until("document.querySelector('dialog select') && true");
    page.browser.run("const list = document.querySelector('dialog select'); list.value = 'white'; list.dispatchEvent(new Event('change'));");
    page.browser.click("dialog button.main");
    page.drag("e2", "e4");
    // Whoever has offered a draw does not answer.
    page.button("Offer a draw");
    page.says("#status", "offers a draw");
    let text = page.text("#actions-panel");
    assert!(!text.contains("Accept") && !text.contains("Decline"), "{text}");
    page.browser.press(page.point("e7"));
    assert_eq!(page.browser.run("return document.querySelectorAll('.cell.selected').length;"), 0);
    page.browser.drag(page.point("e7"), page.point("e5"));
    page.enter("e5");
    page.says("#reply", "turn");
    page.ply(1);
    page.expect("e7", "black P");
    // In a rematch at the same session the page has the other side.
    let session = page.state()["session"].clone();
    page.button("Resign");
    page.browser.until("document.querySelector('dialog') && true");
    page.browser.click("dialog button.main");
    page.says("#status", "0-1");
    page.button("Rematch");
    page.browser.until("document.querySelector('.cell').dataset.square === 'h1'");
    page.says("#bottom-strip", "Ann");
    assert_eq!(page.state()["session"], session);
    let legal = "document.querySelectorAll('.cell.movable').length";
    assert_eq!(page.browser.run(&format!("return {legal};")), 0);
    rematch_elsewhere(page, &session);
}

/// The opponent begins a rematch while this page shows the game before: on the way back it has the
/// other side too.
fn rematch_elsewhere(page: &Page, session: &Value) {
    page.button("Resign");
    page.browser.until("document.querySelector('dialog') && true");
    page.browser.click("dialog button.main");
    page.says("#status", "1-0");
    page.button("Analyze this game");
    page.browser.until(&format!("location.hash.slice(1) !== {session}"));
    let script = format!(
        "const person = (name) => ({{ kind: 'person', name }});
         await ({}).command('new', {{ kind: 'play', white: person('Ann'), black: person('Bob') }}, {session});
         location.hash = {session};",
        page.module("api")
    );
    page.browser.run_async(&script);
    page.browser.until("document.body.dataset.kind === 'play'");
    page.says("#bottom-strip", "Ann");
    page.browser.until("document.querySelectorAll('.cell.movable').length === 16");
}

fn new_game(page: &Page) {
    page.button("New game");
    page.browser.until("document.querySelector('#new-game') && true");
    let set = |field: &str, value: &str| {
        page.browser.run(&format!(
            "const list = document.querySelector('[data-field=\"{field}\"]'); list.value = '{value}'; \
             list.dispatchEvent(new Event('change', {{ bubbles: true }}));"
        ));
    };
    set("white-player", "level 3");
    set("black-player", "person");
    set("black-name", "Zoe");
    set("clock", "300+3");
    page.button("Begin");
    page.says("#bottom-strip", "Zoe");
    page.says("#top-strip", "level 3");
    // Black is below, and White begins.
    page.ply(1);
    let (a1, h8): (Point, Point) = (page.point("a1"), page.point("h8"));
    assert!(a1.1 < h8.1, "{a1:?} {h8:?}");
    page.browser.keys(&["\u{e032}"]);
    page.browser.until("document.querySelector('.cell').dataset.square === 'a8'");
    page.browser.run("localStorage.clear();");
}

/// What the page lets sound is written down; a switch silences it.
fn sounds(page: &Page) {
    page.browser.run(
        "window.played = []; HTMLMediaElement.prototype.play = function () { window.played.push(this.src.split('/').pop()); return Promise.resolve(); };",
    );
    let heard = |names: &str| {
        page.browser.until(&format!("window.played.join(' ') === {}", json!(names)));
        page.browser.run("window.played = [];");
    };
    page.two_people(&json!({}));
    page.moves("e4 f5 exf5 g5 Qh5#");
    heard("move.wav move.wav capture.wav move.wav end.wav");
    page.browser.run("for (const i of [1, 2]) document.querySelector('[data-do=back]').click();");
    heard("move.wav capture.wav");
    page.two_people(&json!({ "fen": "4k3/8/8/8/8/8/8/R3K3 w - - 0 1" }));
    page.moves("Ra8+");
    page.browser.drag(page.point("e8"), page.point("d8"));
    heard("check.wav refused.wav");
    // Ten seconds before its end, a clock says so, once.
    page.two_people(&json!({ "clock": { "base_s": 10.3, "increment_s": 0 } }));
    page.moves("e4 e5");
    heard("move.wav move.wav");
    page.browser.until("/^0:09/.test(document.getElementById('clock-white').textContent)");
    heard("low.wav");
    page.switch("Sounds");
    page.moves("Nf3");
    assert_eq!(page.browser.run("return window.played;"), json!([]));
    page.browser.run("localStorage.clear();");
}

fn game_meter(page: &Page) {
    page.two_people(&json!({ "fen": "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1" }));
    let meter = "document.getElementById('meter')";
    assert_eq!(page.browser.run(&format!("return {meter}.hidden;")), true);
    page.switch("Evaluation bar in games");
    page.browser.until(&format!(
        "!{meter}.hidden && {meter}.getAttribute('aria-valuetext') === 'White mates in 1'"
    ));
    // It gives no move away.
    let given = page.browser.run(
        "return [document.querySelectorAll('#arrows > *').length, document.getElementById('lines-panel').hidden];",
    );
    assert_eq!(given, json!([0, true]));
    page.moves("h3");
    page.browser.until(&format!("{meter}.getAttribute('aria-valuetext').startsWith('White is')"));
    page.switch("Evaluation bar in games");
    page.browser.until(&format!("{meter}.hidden"));
    page.browser.run("localStorage.clear();");
}
