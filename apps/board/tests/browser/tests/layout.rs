//! Where things stand, and that nothing is lost.

use serde_json::json;
use tamarin_board_browser::{Page, key};

use crate::Scenario;

pub const ALL: &[Scenario] = &[
    ("one layout for all sizes", sizes),
    ("room for moves and lines", room),
    ("drag and paint in the editor", editor),
    ("dialogs on a phone, going on, threads, table and depth", dialogs),
    ("arrows that stay", arrows),
    ("forget and undo", forget),
    ("a report that stays", report),
];

/// Evaluated moves with a variation.
const GAME: &str = "[White \"Ann\"]\n[Black \"Bob\"]\n[WhiteElo \"2100\"]\n\n1. e4 { [%eval 0.3] [%clk 0:09:58] } e5 { [%eval 0.2] [%clk 0:09:50] } 2. Nf3 $14 (2. f4 exf4) 2... Nc6 $146 *";

/// Where an element ends, and where it begins: left, top, right, bottom.
fn place(page: &Page, selector: &str) -> [f64; 4] {
    let place = page.run(&format!(
        "const box = document.querySelector({}).getBoundingClientRect(); return [box.left, box.top, box.right, box.bottom];",
        json!(selector)
    ));
    [0, 1, 2, 3].map(|index| place[index].as_f64().expect("a number"))
}

fn sizes(page: &Page) {
    for kind in ["analysis", "game"] {
        if kind == "game" {
            page.two_people(json!({ "clock": { "base_s": 300, "increment_s": 3 } }));
        } else {
            page.analyse(json!({ "pgn": GAME }));
        }
        for (width, height) in [
            (360, 740),
            (740, 360),
            (640, 400),
            (768, 1024),
            (1280, 800),
            (1920, 1080),
            (2560, 1440),
        ] {
            page.resize(width, height);
            let what = format!("{kind}, {width} by {height}");
            let [_, _, right, bottom] = place(page, "#board");
            let [left, top, _, under] = place(page, ".steps");
            let (width, height) = (f64::from(width), f64::from(height));
            assert!(right <= width && bottom <= height && under <= height, "{what}: {under}");
            // Below the board, or in a low window beside it.
            assert!(top >= bottom || (height < 480.0 && left >= right), "{what}: {top}");
            let wide = page.run("return document.documentElement.scrollWidth;");
            assert!(wide.as_f64().is_some_and(|wide| wide <= width), "{what}: {wide}");
            // With the board the first moves or buttons are seen.
            let next = if kind == "game" { "#actions-panel button" } else { "#moves" };
            let next = if width > 800.0 || height < 480.0 { "#moves" } else { next };
            assert!(place(page, next)[1] + 30.0 < height, "{what}: {next}");
        }
    }
}

fn room(page: &Page) {
    page.two_people(
        json!({ "white": { "kind": "person", "name": "A name that goes on and on ".repeat(3) } }),
    );
    let [left, _, right, _] = place(page, ".side");
    assert!(right - left > 500.0, "a long name takes no room from the moves");
    for (height, least) in [(800, 300.0), (1440, 900.0)] {
        page.resize(1920, height);
        let [_, top, _, bottom] = place(page, "#moves");
        assert!(bottom - top > least, "{height}: {}", bottom - top);
    }
    page.resize(1280, 800);
    // The engine is off: no empty rows.
    page.analyse(json!({}));
    page.counts(".lines li", 0);
    page.says("#tab-body", "A graph of the evaluations");
    page.counts(".graph", 0);
    page.analyse(json!({ "pgn": GAME }));
    page.shows(".graph .back");
    page.says("#moves", "+/=");
    page.says("#moves", " N");
    page.says("#bottom-strip", "2100");
    page.pick_text("#moves .mv", "e5");
    page.says("#clock-black", "9:50");
    // What stays stands above the moves, and covers nothing.
    page.run_async(&format!(
        "{}.notify('Something stays.', {{ stays: true }});",
        page.module("notices")
    ));
    let [.., bottom] = place(page, ".notice");
    assert!(bottom <= place(page, "#moves")[1], "{bottom}");
}

fn editor(page: &Page) {
    page.analyse(json!({ "fen": "4k3/8/8/8/8/8/8/4K3 w - - 0 1" }));
    page.tab("position");
    // With the mouse from the palette onto the board.
    let queen = page.middle(".palette [aria-label=\"white queen\"]");
    page.drag_to(queen, page.point("d1"));
    page.expect("d1", "white Q");
    // A stroke with a piece of the palette.
    page.pick(".palette [aria-label=\"black pawn\"]");
    page.shows(".palette [aria-label=\"black pawn\"][aria-pressed=true]");
    page.drag_to(page.point("a7"), page.point("c7"));
    for square in ["a7", "b7", "c7"] {
        page.expect(square, "black P");
    }
    // What was typed is set up before another piece is chosen.
    page.set("#tab-body input[type=text]", "4k3/8/8/3pP3/8/8/8/4K3 w - d6 0 1");
    page.pick(".palette [aria-label=\"white rook\"]");
    page.expect("d5", "black P");
    page.until("document.querySelector('#tab-body input[type=text]').value.includes(' d6 ')");
    // A piece that is moved follows the pointer.
    page.button("Move pieces");
    page.hold_and_move(page.point("e1"), page.point("f3"));
    page.shows(".carried .piece");
    page.let_go();
    page.expect("f3", "white K");
    page.expect("e1", "");
    page.resize(360, 740);
    assert!(place(page, ".palette")[3] < 740.0, "the palette is seen with the board");
}

/// Help on a phone is read from its beginning; who is chosen to play is not cut off.
fn dialogs(page: &Page) {
    page.resize(360, 740);
    for (name, field) in [("help", "dialog h2"), ("new-game", "[data-field=black-player]")] {
        page.pick(&format!("[data-do={name}]"));
        page.shows(field);
        let script = "const { scrollTop, scrollWidth, clientWidth } = document.querySelector('dialog'); return [scrollTop, scrollWidth - clientWidth];";
        assert_eq!(page.run(script), json!([0, 0]), "{name}");
        let [left, _, right, _] = place(page, field);
        assert!(right - left > 200.0, "{name}");
        page.run("document.querySelector('dialog').close();");
        page.counts("dialog", 0);
    }
    page.two_people(json!({}));
    page.moves("e4 e5");
    page.pick("[data-do=back]");
    page.says("#status", "End leads back");
    // A game goes on from any move, and what was taken back can be played again.
    page.button("Go on from here");
    page.ply(1);
    page.button("Play again");
    page.ply(2);
    page.analyse(json!({}));
    for (label, value) in
        [("Number of threads", "1"), ("Transposition table", "16"), ("Depth", "10")]
    {
        page.set(&format!("[aria-label='{label}']"), value);
    }
    page.engine();
    page.shows(".lines .pv .mv");
    let state = page.state();
    let wanted = ["threads", "hash", "depth"].map(|name| state["analysis"][name].clone());
    assert_eq!(json!(wanted), json!([1, 16, 10]));
    // Another engine, by the protocol of engines.
    page.set("[aria-label='Engine']", "tamarin");
    let store = page.module("store");
    page.run_async(&format!(
        "while ({store}.state().analysis.program !== 'tamarin' || !{store}.lines()?.lines.length) await new Promise((resolve) => setTimeout(resolve, 10));"
    ));
}

fn arrows(page: &Page) {
    page.analyse(json!({ "pgn": "1. e4 e5 *" }));
    let draw = |from: &str, to: &str, keys: &str| {
        let at = |square: &str, kind: &str| {
            let (x, y) = page.point(square);
            format!(
                "document.querySelector('[data-square={square}]').dispatchEvent(new PointerEvent('{kind}', {{ button: 2, clientX: {x}, clientY: {y}, bubbles: true{keys} }}));"
            )
        };
        page.run(&(at(from, "pointerdown") + &at(to, "pointerup")));
    };
    for (count, (from, to, keys)) in (1..).zip([
        ("e2", "e4", ""),
        ("d2", "d4", ", shiftKey: true"),
        ("c3", "c3", ", altKey: true"),
    ]) {
        draw(from, to, keys);
        page.counts("#arrows .written", count);
    }
    page.keys(&[key::RIGHT]);
    page.expect("e4", "white P");
    page.counts("#arrows .written", 0);
    page.keys(&[key::LEFT]);
    page.counts("#arrows .written", 3);
    let text = page.pgn();
    assert!(text.contains("[%cal Ge2e4,Rd2d4]") && text.contains("[%csl Bc3]"), "{text}");
    // Once more takes it away.
    draw("e2", "e4", "");
    page.counts("#arrows .written", 2);
}

fn forget(page: &Page) {
    page.two_people(json!({ "white": { "kind": "person", "name": "Zarah" } }));
    page.moves("e4 e5");
    page.analyse(json!({}));
    page.pick("[data-do=games]");
    page.shows("dialog input[type=search]");
    page.set("dialog input[type=search]", "zarah unfinished");
    let shown = "[...document.querySelectorAll('dialog tbody tr')].filter((row) => !row.hidden)";
    page.until(&format!("{shown}.length === 1 && {shown}[0].innerText.includes('Zarah')"));
    let row = "dialog [aria-label='Forget Zarah – Bob']";
    page.pick(row);
    page.says("dialog tr:not([hidden]) td.quiet", "is forgotten");
    page.button("Undo");
    page.shows(row);
    page.run("document.querySelector('dialog').close();");
}

fn report(page: &Page) {
    page.drop_file(
        "games.pgn",
        "[White \"W1\"]\n\n1. f3 e5 2. g4 Qh4# *\n\n[White \"W2\"]\n\n1. d4 *\n",
    );
    page.says("#games-panel", "Analyze all games");
    assert_eq!(page.state()["file"]["running"], false);
    page.tab("report");
    page.button("Analyze the whole game");
    page.says(".accuracies", "1 blunder");
    page.says("#moves .side-line", "2.");
    assert!(page.pgn().contains("[%eval"), "{}", page.pgn());
}
