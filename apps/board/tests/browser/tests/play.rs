//! Games.

use serde_json::{Value, json};
use tamarin_board_browser::{Page, Server, key};

use crate::Scenario;

pub const ALL: &[Scenario] = &[
    ("twelve tabs", twelve_tabs),
    ("a game by dragging", by_dragging),
    ("a game by keyboard", by_keyboard),
    ("castling, en passant, promotion", special_moves),
    ("premove", premove),
    ("hint and threat", helps),
    ("take back and play again", take_back),
    ("reload in the middle", reload),
    ("kill and resume", kill_and_resume),
    ("one side from this page", one_side),
    ("new game dialog", new_game),
    ("sounds", sounds),
    ("evaluation bar in a game", game_meter),
];

/// White mates in one.
const MATE: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

fn by_dragging(page: &Page) {
    page.two_people(json!({}));
    // In the air a piece is below the pointer, and its targets are marked.
    for targets in [2, 0] {
        page.press(page.point("g1"));
        page.counts(".cell.target", targets);
    }
    for (from, to) in
        [("e2", "e4"), ("e7", "e5"), ("f1", "c4"), ("b8", "c6"), ("d1", "h5"), ("g8", "f6")]
    {
        page.drag(from, to);
    }
    let marked = "[...document.querySelectorAll('.cell.last')].map((cell) => cell.dataset.square).sort().join()";
    page.until(&format!("{marked} === 'f6,g8'"));
    // What is not legal goes back.
    page.drag_to(page.point("a1"), page.point("a5"));
    page.expect("a1", "white R");
    page.drag("h5", "f7");
    page.says("#status", "1-0");
    page.shows("[data-square=e8].check");
    page.ply(7);
    assert!(page.pgn().contains("4. Qxf7# 1-0"), "{}", page.pgn());
}

/// Moves the cursor of the board to a square, as seen from White, by keys alone.
fn walk(page: &Page, to: &str) {
    let at = page.run("return document.activeElement.dataset.square;");
    let at = at.as_str().expect("a square has the focus").as_bytes().to_vec();
    let to = to.as_bytes();
    let steps = |less: u8, more: u8, forward: &'static str, back: &'static str| {
        let count = usize::from(less.abs_diff(more));
        vec![if more > less { forward } else { back }; count]
    };
    let mut keys = steps(at[0], to[0], key::RIGHT, key::LEFT);
    keys.extend(steps(at[1], to[1], key::UP, key::DOWN));
    page.keys(&keys);
}

fn by_keyboard(page: &Page) {
    page.two_people(json!({}));
    let session = page.state()["session"].clone();
    page.pick(".skip");
    assert_eq!(page.run("return location.hash.slice(1);"), session);
    walk(page, "f2");
    page.keys(&[key::ENTER, key::UP, key::ENTER]);
    page.expect("f3", "white P");
    // A letter on the board begins to type.
    page.keys(&["e", "5", key::ENTER]);
    page.expect("e5", "black P");
    for (typed, reply) in [
        ("g4", "White: g 4"),
        ("pawns", "white: pawns a2 b2 c2 d2 e2 f3 g4 h2"),
        ("e5", "e5 black pawn"),
        ("Qd4", "no legal move"),
    ] {
        page.enter(typed);
        page.says("#reply", reply);
    }
    page.expect("g4", "white P");
    page.run("document.querySelector('.cell[tabindex=\"0\"]').focus();");
    walk(page, "d8");
    page.keys(&[" "]);
    walk(page, "h4");
    let label = page.run("return document.activeElement.getAttribute('aria-label');");
    assert_eq!(label, "h4, empty, can be reached");
    page.keys(&[" "]);
    page.says("#status", "0-1");
    let said = page.run("return document.getElementById('say').textContent;");
    assert!(said.as_str().is_some_and(|said| said.contains("queen h 4, mate")), "{said}");
    page.keys(&[key::HOME]);
    page.expect("f2", "white P");
    page.keys(&[key::END]);
    page.expect("h4", "black Q");
}

fn special_moves(page: &Page) {
    page.two_people(json!({ "fen": "r3k3/6pP/8/5P2/8/8/8/R3K2R w KQq - 0 1" }));
    page.click("e1", "g1");
    page.expect("f1", "white R");
    page.enter("g5");
    page.expect("g5", "black P");
    page.drag("f5", "g6");
    page.expect("g5", "");
    page.click("e8", "c8");
    page.expect("d8", "black R");
    page.drag_to(page.point("h7"), page.point("h8"));
    page.counts("dialog .choices button", 4);
    page.click_on("dialog [data-promotion=n]");
    page.expect("h8", "white N");
    assert!(page.pgn().contains("3. h8=N"), "{}", page.pgn());
    // In Chess960 the king takes its rook.
    page.two_people(json!({ "game": "chess960", "fen": "4k3/8/8/8/8/8/8/1R1K2R1 w BG - 0 1" }));
    page.drag_to(page.point("d1"), page.point("g1"));
    page.expect("g1", "white K");
    page.expect("f1", "white R");
    page.ply(1);
}

fn premove(page: &Page) {
    let open = |game: &str, castling: &str, seconds: u8| {
        page.open(json!({
            "kind": "play", "game": game, "fen": format!("4k2r/6pp/8/8/8/8/PP6/R3K3 w {castling} - 0 1"),
            "clock": { "move_s": seconds }, "white": { "kind": "engine", "full": true },
            "black": { "kind": "person", "name": "Bob" },
        }));
        // The engine thinks about its first move; Black is below.
        page.shows(".thinking");
    };
    open("chess", "-", 3);
    page.drag_to(page.point("g7"), page.point("g5"));
    page.counts(".cell.premove", 2);
    page.says("#status", "Premove g7g5");
    page.ply(2);
    page.expect("g5", "black P");
    page.counts(".cell.premove", 0);
    // In Chess960 the king castles by its rook. Escape cancels it, wherever the focus is.
    open("chess960", "k", 60);
    let cancel = || {
        page.says("#status", "Premove e8h8");
        page.run("document.activeElement.blur();");
        page.keys(&[key::ESCAPE]);
        page.counts(".cell.premove", 0);
    };
    page.click("e8", "h8");
    cancel();
    for square in ["e8", "h8"] {
        page.tap(page.point(square));
    }
    cancel();
}

fn helps(page: &Page) {
    page.two_people(json!({ "fen": MATE }));
    for said in ["rook", "d1", "Rd8#"] {
        page.button("Hint");
        page.says("#reply", said);
    }
    page.shows("#arrows .hinted");
    // A queen that hangs is warned of.
    page.switch("Warn of threats");
    page.two_people(json!({ "fen": "6k1/8/8/3p4/4Q3/8/8/4K3 w - - 0 1" }));
    page.says("#threat", "queen");
}

fn take_back(page: &Page) {
    page.two_people(json!({}));
    page.moves("e4 d5 exd5");
    page.says("#bottom-strip .captured", "+1");
    page.button("Take back");
    page.ply(2);
    page.expect("e4", "white P");
    page.button("Play again");
    page.ply(3);
    page.expect("d5", "white P");
}

fn reload(page: &Page) {
    page.two_people(json!({}));
    page.moves("e4 e5 Nf3");
    page.reload();
    page.until("document.body?.dataset.ready === 'yes'");
    page.expect("f3", "white N");
    page.ply(3);
    page.moves("Nc6");
    page.expect("c6", "black N");
    // A page that is left lets go of its connection, and takes it up again on the way back.
    for (event, follows) in [
        ("", true),
        ("dispatchEvent(new PageTransitionEvent('pagehide'));", false),
        ("dispatchEvent(new PageTransitionEvent('pageshow', { persisted: true }));", true),
    ] {
        let script = format!("{event} return {}.isFollowing();", page.module("api"));
        assert_eq!(page.run_async(&script), follows, "{event}");
    }
}

fn kill_and_resume(page: &Page) {
    let state = tempfile::tempdir().expect("there is room");
    let server = Server::start(state.path());
    let first = Page { browser: page.browser, address: &server.address };
    first.load();
    first.two_people(json!({ "clock": { "base_s": 600, "increment_s": 0 } }));
    first.moves("d4 d5 c4");
    drop(server);
    let server = Server::start(state.path());
    let second = Page { browser: page.browser, address: &server.address };
    second.load();
    second.pick("[data-do=games]");
    second.pick_text("dialog td button", "Ann");
    second.expect("c4", "white P");
    second.ply(3);
    second.moves("e6");
    second.expect("e6", "black P");
    // Back to the server of the other scenarios: what the log holds of the dead one is no failure.
    page.log("browser");
    page.log("performance");
    page.load();
}

/// Gives the game up.
fn resign(page: &Page, result: &str) {
    page.button("Resign");
    page.shows("dialog");
    page.click_on("dialog button.main");
    page.says("#status", result);
}

fn one_side(page: &Page) {
    page.two_people(json!({}));
    page.button("Sides");
    page.shows("dialog select");
    page.set("dialog select", "white");
    page.click_on("dialog button.main");
    page.drag("e2", "e4");
    // Whoever has offered a draw does not answer.
    page.button("Offer a draw");
    page.says("#status", "offers a draw");
    let text = page.text("#actions-panel");
    assert!(!text.contains("Accept") && !text.contains("Decline"), "{text}");
    page.press(page.point("e7"));
    assert_eq!(page.run("return document.querySelectorAll('.cell.selected').length;"), 0);
    page.drag_to(page.point("e7"), page.point("e5"));
    page.enter("e5");
    page.says("#reply", "turn");
    page.ply(1);
    page.expect("e7", "black P");
    // In a rematch at the same session the page has the other side.
    let session = page.state()["session"].clone();
    resign(page, "0-1");
    page.button("Rematch");
    page.until("document.querySelector('.cell').dataset.square === 'h1'");
    page.says("#bottom-strip", "Ann");
    assert_eq!(page.state()["session"], session);
    assert_eq!(page.run("return document.querySelectorAll('.cell.movable').length;"), 0);
    rematch_elsewhere(page, &session);
}

/// The opponent begins a rematch while this page shows the game before: on the way back it has the
/// other side too.
fn rematch_elsewhere(page: &Page, session: &Value) {
    resign(page, "1-0");
    page.button("Analyze this game");
    page.until(&format!("location.hash.slice(1) !== {session}"));
    page.run_async(&format!(
        "const person = (name) => ({{ kind: 'person', name }});
         await {}.command('new', {{ kind: 'play', white: person('Ann'), black: person('Bob') }}, {session});
         location.hash = {session};",
        page.module("api")
    ));
    page.until("document.body.dataset.kind === 'play'");
    page.says("#bottom-strip", "Ann");
    page.counts(".cell.movable", 16);
}

fn new_game(page: &Page) {
    page.button("New game");
    page.shows("#new-game");
    for (field, value) in [
        ("white-player", "level 3"),
        ("black-player", "person"),
        ("black-name", "Zoe"),
        ("clock", "300+3"),
    ] {
        page.set(&format!("[data-field=\"{field}\"]"), value);
    }
    page.button("Begin");
    page.says("#bottom-strip", "Zoe");
    page.says("#top-strip", "level 3");
    // Black is below, and White begins.
    page.ply(1);
    let (a1, h8) = (page.point("a1"), page.point("h8"));
    assert!(a1.1 < h8.1, "{a1:?} {h8:?}");
    page.keys(&[key::F2]);
    page.until("document.querySelector('.cell').dataset.square === 'a8'");
}

/// What the page lets sound is written down; a switch silences it.
fn sounds(page: &Page) {
    page.run(
        "window.played = []; HTMLMediaElement.prototype.play = function () { window.played.push(this.src.split('/').pop()); return Promise.resolve(); };",
    );
    let heard = |names: &str| {
        page.until(&format!("window.played.join(' ') === {}", json!(names)));
        page.run("window.played = [];");
    };
    page.two_people(json!({}));
    page.moves("e4 f5 exf5 g5 Qh5#");
    heard("move.wav move.wav capture.wav move.wav end.wav");
    page.pick("[data-do=back]");
    page.pick("[data-do=back]");
    heard("move.wav capture.wav");
    page.two_people(json!({ "fen": "4k3/8/8/8/8/8/8/R3K3 w - - 0 1" }));
    page.moves("Ra8+");
    page.drag_to(page.point("e8"), page.point("d8"));
    heard("check.wav refused.wav");
    // Ten seconds before its end, a clock says so, once.
    page.two_people(json!({ "clock": { "base_s": 10.3, "increment_s": 0 } }));
    page.moves("e4 e5");
    heard("move.wav move.wav");
    page.until("/^0:09/.test(document.getElementById('clock-white').textContent)");
    heard("low.wav");
    page.switch("Sounds");
    page.moves("Nf3");
    assert_eq!(page.run("return window.played;"), json!([]));
}

fn game_meter(page: &Page) {
    page.two_people(json!({ "fen": MATE }));
    page.shows("#meter[hidden]");
    page.switch("Evaluation bar in games");
    page.shows("#meter:not([hidden])[aria-valuetext='White mates in 1']");
    // It gives no move away.
    page.shows("#lines-panel[hidden]");
    page.counts("#arrows > *", 0);
    page.moves("h3");
    page.shows("#meter[aria-valuetext^='White is']");
    page.switch("Evaluation bar in games");
    page.shows("#meter[hidden]");
}

/// Any number of tabs show a game: none of them waits for the others.
fn twelve_tabs(page: &Page) {
    page.analyse(json!({}));
    page.run("window.tabs = Array.from({ length: 11 }, () => open(location.href));");
    page.until("window.tabs.every((tab) => tab.document.body?.dataset.ready === 'yes')");
    page.moves("e4");
    page.until("window.tabs.every((tab) => tab.document.querySelector('[data-square=e4] .piece'))");
    page.run("window.tabs[10].document.querySelector('[data-do=back]').click();");
    page.expect("e2", "white P");
    page.run("for (const tab of window.tabs) tab.close();");
}
