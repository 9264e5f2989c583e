//! What hands know from other pages.

use serde_json::json;
use tamarin_board_browser::{Page, key};

use crate::Scenario;

pub const ALL: &[Scenario] = &[
    ("keys after the mouse", keys_after_mouse),
    ("wheel and swipe", wheel_and_swipe),
    ("castling onto the rook", onto_the_rook),
    ("promotion on its square", promotion),
    ("escape during a drag", escape),
    ("clicks without a pointer", assistive),
    ("paste anywhere", paste),
    ("the way back", way_back),
];

/// The node on the board.
fn at(page: &Page) -> i64 {
    page.state()["at"].as_i64().expect("a number")
}

/// A fork: after 1. e4, 1... e5 has the variations 1... c5 and 1... d5.
const FORK: &str = "1. e4 e5 (1... c5) (1... d5) 2. Nf3 *";

fn keys_after_mouse(page: &Page) {
    page.analyse(json!({}));
    page.click("e2", "e4");
    page.ply(1);
    page.press(page.point("e5"));
    page.keys(&[key::LEFT]);
    page.expect("e2", "white P");
    page.keys(&[key::RIGHT]);
    page.expect("e4", "white P");
    page.analyse(json!({ "pgn": FORK }));
    page.press(page.point("e5"));
    page.keys(&[key::RIGHT]);
    page.expect("e4", "white P");
    for (keys, target) in [
        (&[key::DOWN][..], "c5"),
        (&[key::DOWN, key::DOWN], "d5"),
        (&[key::UP], "d5"),
        (&[key::UP, key::DOWN], "e5"),
    ] {
        page.keys(keys);
        page.says("#moves .next", target);
        page.keys(&[key::RIGHT]);
        page.expect(target, "black P");
        page.keys(&[key::LEFT]);
        page.until_fen(FENS[1]);
    }
    // Where nothing is to be chosen, to the ends of the game.
    page.keys(&[key::RIGHT]);
    page.expect("e5", "black P");
    page.keys(&[key::DOWN]);
    page.expect("f3", "white N");
    page.keys(&[key::UP]);
    page.expect("e2", "white P");
    // F, L, X and Space.
    page.keys(&["f"]);
    page.until("document.querySelector('.cell').dataset.square === 'h1'");
    page.keys(&["f", "x", "l"]);
    page.shows(".lines .pv .mv");
    assert_eq!(page.state()["analysis"]["threats"], true);
    page.keys(&["x", " "]);
    page.until("document.querySelectorAll('.cell.last').length === 2");
    page.keys(&["l"]);
    page.until("!document.querySelector('#lines-panel input').checked");
    // Whoever came by keys moves the cursor.
    page.pick(".skip");
    page.keys(&[key::RIGHT]);
    page.until("document.activeElement.dataset.square === 'f5'");
}

fn wheel_and_swipe(page: &Page) {
    page.analyse(json!({ "pgn": "1. e4 e5 2. Nf3 Nc6 *" }));
    for (turns, pixels, expected) in [(20, 4, 1), (1, 100, 2), (12, 4, 2), (1, -120, 1)] {
        page.run(&format!(
            "for (let i = 0; i < {turns}; i += 1) document.getElementById('board').dispatchEvent(new WheelEvent('wheel', {{ deltaY: {pixels}, bubbles: true, cancelable: true }}));"
        ));
        page.until_fen(FENS[expected]);
        assert_eq!(at(page), expected as i64, "{turns} turns of {pixels}");
    }
    page.swipe(page.point("g5"), page.point("c5"));
    page.until_fen(FENS[2]);
    page.swipe(page.point("c5"), page.point("g5"));
    page.until_fen(FENS[1]);
}

/// The positions of 1. e4 e5.
const FENS: [&str; 3] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w",
    "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b",
    "rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w",
];

fn onto_the_rook(page: &Page) {
    for (game, fen, from, to, king) in [
        ("chess", "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1", "e1", "h1", "g1"),
        ("chess", "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 0 1", "e8", "a8", "c8"),
        ("chess960", "4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1", "e1", "g1", "g1"),
        ("chess960", "4k3/8/8/8/8/8/8/1R2K1R1 w BG - 0 1", "e1", "c1", "c1"),
    ] {
        page.analyse(json!({ "game": game, "fen": fen }));
        page.click(from, to);
        page.ply(1);
        let side = if from.ends_with('1') { "white K" } else { "black K" };
        page.expect(king, side);
    }
    page.analyse(json!({ "fen": "r3k2r/8/8/8/8/8/8/R3K2R w KQkq - 0 1" }));
    page.drag_to(page.point("e1"), page.point("a1"));
    page.ply(1);
    page.expect("c1", "white K");
}

fn promotion(page: &Page) {
    for (flipped, square) in [(false, "a8"), (true, "h8")] {
        page.analyse(json!({ "fen": "8/P6P/8/8/3k4/8/8/4K3 w - - 0 1" }));
        if flipped {
            page.keys(&["f"]);
            page.until("document.querySelector('.cell').dataset.square === 'h1'");
        }
        page.click(&format!("{}7", &square[..1]), square);
        page.shows("dialog .choices button");
        let over = page.run(&format!(
            "const [dialog, cell] = ['dialog', '[data-square={square}]'].map((name) => document.querySelector(name).getBoundingClientRect());
             return dialog.left < cell.right && dialog.right > cell.left && dialog.top < cell.bottom && dialog.bottom > cell.top;"
        ));
        assert_eq!(over, true, "{square}");
        page.pick("dialog [data-promotion=r]");
        page.expect(square, "white R");
    }
    page.analyse(json!({ "fen": "8/P6P/8/8/3k4/8/8/4K3 w - - 0 1" }));
    page.enter("a8");
    page.says("#reply", "a8=N");
}

fn escape(page: &Page) {
    page.two_people(json!({}));
    page.hold_and_move(page.point("e2"), page.point("e4"));
    page.shows(".piece.dragged");
    page.keys(&[key::ESCAPE]);
    page.counts(".piece.dragged", 0);
    page.let_go();
    page.expect("e2", "white P");
    page.ply(0);
    // A move of the opponent leaves the piece in the air.
    page.hold_and_move(page.point("e2"), page.point("e4"));
    page.run_async(&format!("await {}.command('move', {{ mv: 'd2d4' }});", page.module("api")));
    page.ply(1);
    page.counts(".piece.dragged", 1);
    page.let_go();
    page.counts(".piece.dragged", 0);
}

fn assistive(page: &Page) {
    page.two_people(json!({}));
    for (from, to) in [("e2", "e4"), ("e7", "e5")] {
        for square in [from, to] {
            page.pick(&format!("[data-square={square}]"));
        }
        page.shows(&format!("[data-square={to}] .piece"));
    }
    // Enter is about the square that has the focus.
    page.run("document.querySelector('[data-square=d2]').focus();");
    page.keys(&[key::ENTER]);
    page.shows("[data-square=d2].selected");
}

/// What is on the clipboard, and the position that it opens.
fn paste(page: &Page) {
    for (text, fen) in [
        ("8/8/8/4k3/8/8/4P3/4K3 w - - 0 1", "8/8/8/4k3/8/8/4P3/4K3 w"),
        ("[White \"Ann\"]\n\n1. e4 e5 *", FENS[0]),
        ("1. e4 e5", FENS[0]),
    ] {
        page.two_people(json!({}));
        page.run(&format!(
            "const data = new DataTransfer(); data.setData('text/plain', {});
             document.body.dispatchEvent(new ClipboardEvent('paste', {{ clipboardData: data, bubbles: true, cancelable: true }}));",
            json!(text)
        ));
        page.until("document.body.dataset.kind === 'analyse'");
        page.until_fen(fen);
    }
    // What cannot be read stays in its field, with the place.
    page.pick("[data-do=files]");
    page.set("dialog textarea", "1. e4 e5 2. Ke3 *");
    page.button("Open the text");
    page.says("dialog .error", "Ke3");
    let selected = "return getSelection().toString() || (({ value, selectionStart: a, selectionEnd: b }) => value.slice(a, b))(document.querySelector('dialog textarea'));";
    assert_eq!(page.run(selected), "Ke3");
    page.set("dialog textarea", "1. e4 c5 *");
    page.button("Open the text");
    page.counts("dialog", 0);
    page.ply(2);
}

fn way_back(page: &Page) {
    page.two_people(json!({}));
    let first = page.state()["session"].clone();
    page.analyse(json!({}));
    page.run("history.back();");
    page.until(&format!(
        "location.hash.slice(1) === {first} && document.body.dataset.kind === 'play'"
    ));
}
