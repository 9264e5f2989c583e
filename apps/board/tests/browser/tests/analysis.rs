//! Analysis: lines, the tree, positions and files.

use std::fmt::Write as _;

use serde_json::json;

use crate::Scenario;
use crate::page::{Page, key};

pub const ALL: &[Scenario] = &[
    ("lines, arrows, chances", lines),
    ("threats and only moves", threats),
    ("tree", tree),
    ("report, why, book", report),
    ("a dropped file", dropped_file),
    ("games of a file beside a position", file_and_position),
    ("position editor", editor),
];

fn analyse(page: &Page, options: serde_json::Value) {
    let mut all = json!({ "kind": "analyse" });
    for (name, value) in options.as_object().into_iter().flatten() {
        all[name] = value.clone();
    }
    page.open(&all);
}

fn engine(page: &Page) {
    page.browser.run("document.querySelector('#lines-panel input').click();");
}

fn lines(page: &Page) {
    analyse(page, json!({ "fen": "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1" }));
    engine(page);
    page.browser.until("document.querySelectorAll('.lines .pv .mv').length > 2");
    page.says(".lines li:first-child .score", "#1");
    page.browser.until(
        "[...document.querySelectorAll('#arrows text')].some((text) => text.textContent === '#1')",
    );
    page.browser.until(
        "document.getElementById('meter').getAttribute('aria-valuetext') === 'White mates in 1'",
    );
    page.browser.until("document.querySelectorAll('.lines li').length === 3");
    analyse(page, json!({}));
    engine(page);
    page.browser.until("document.querySelectorAll('.wdl span').length === 3 && document.querySelectorAll('.lines .pv .mv').length > 0");
    // A click on a move of a line plays it, also if new lines come before the release.
    page.browser.hold(page.middle(".lines .pv .mv"));
    let depth = page.text("#lines-panel .depth");
    page.browser
        .until(&format!("document.querySelector('#lines-panel .depth').innerText !== '{depth}'"));
    page.browser.let_go();
    page.browser.until("document.querySelectorAll('#moves .mv').length === 1");
    // Stepping back shows at once what was found.
    page.browser.keys(&[key::PAGE_UP]);
    page.browser.until("document.querySelectorAll('.lines .pv .mv').length > 0");
    engine(page);
}

fn threats(page: &Page) {
    // White to move: unless it does something, Black mates.
    analyse(page, json!({ "fen": "6k1/5ppp/8/8/8/8/qr3PPP/2R3K1 w - - 0 1" }));
    engine(page);
    page.browser.until("document.querySelectorAll('.lines .pv .mv').length > 0");
    let none = "document.querySelectorAll('#arrows .threatens').length === 0";
    page.browser.until(none);
    page.browser.run("[...document.querySelectorAll('#lines-panel label')].find((label) => label.innerText === 'Threats').click();");
    page.browser.until("[...document.querySelectorAll('#arrows .threatens text')].some((text) => text.textContent.startsWith('−'))");
    page.says("#threat", "Black threatens");
    page.enter("threat");
    page.says("#reply", "Black threatens");
    // Rc8 mates: the only good move, beside which all others are nothing.
    page.says(".lines li:first-child .score", "#1");
    page.browser.until("document.querySelector('.lines li:first-child .only') && true");
    page.browser.until("[...document.querySelectorAll('#arrows text')].some((text) => text.textContent === '#1 □')");
    page.switch("Only good moves (□)");
    page.browser.until("!document.querySelector('.lines .only')");
    page.switch("Threats in analyses");
    page.browser.until(none);
    page.browser.until("document.getElementById('threat').textContent === ''");
    engine(page);
    page.browser.run("localStorage.clear();");
}

fn tree(page: &Page) {
    analyse(page, json!({ "pgn": "1. e4 e5 2. Nf3 *" }));
    page.ply(3);
    page.browser.keys(&[key::HOME]);
    page.moves("d4");
    page.browser.until("document.querySelectorAll('.side-line .mv').length === 1");
    page.tab("notes");
    page.browser.run("document.querySelector('[title=\"good move\"]').click();");
    page.says(".side-line", "d4!");
    page.browser.run("const text = document.querySelector('#tab-body textarea'); text.value = 'A comment'; text.dispatchEvent(new Event('change'));");
    page.says(".side-line", "A comment");
    page.button("Promote line");
    page.says("#moves .pair", "d4!");
    page.says(".side-line", "e4");
    page.browser.run("[...document.querySelectorAll('#tab-body button')].find((button) => button.innerText === 'Undo').focus();");
    page.browser.keys(&[key::ENTER]);
    page.says("#moves .pair", "e4");
    assert_eq!(page.browser.run("return document.activeElement.innerText;"), "Undo");
    // The list of moves has the focus when the move that had it is deleted, and stays in the order of Tab.
    page.browser.run("document.querySelector('.side-line .mv').focus();");
    page.button("Delete from here");
    page.browser.until("document.querySelectorAll('.side-line').length === 0");
    let focus = "return [document.activeElement.id, document.activeElement.tabIndex];";
    assert_eq!(page.browser.run(focus), json!(["moves", 0]));
    page.browser.run("document.activeElement.blur();");
    page.browser.run("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }));");
    page.says(".side-line", "A comment");
    assert!(page.pgn().contains("1. e4 (1. d4 $1 { A comment })"), "{}", page.pgn());
    half_a_comment(page);
}

/// A comment that is being written is kept once, whatever takes its move off the board.
fn half_a_comment(page: &Page) {
    analyse(page, json!({ "pgn": "1. e4 e5 *" }));
    page.browser.keys(&[key::END]);
    page.until_fen("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w");
    page.tab("notes");
    let write = |text: &str| {
        page.browser.run(&format!(
            "const text = document.querySelector('#tab-body textarea'); text.focus(); text.value = '{text}';"
        ));
    };
    let wheel = |by: &str| {
        page.browser.run(&format!(
            "document.getElementById('board').dispatchEvent(new WheelEvent('wheel', {{ {by}, bubbles: true, cancelable: true }}));"
        ));
    };
    write("Half a thought");
    wheel("deltaX: -100");
    wheel("deltaY: -100");
    page.says("#moves", "Half a thought");
    assert_eq!(page.state()["at"], 1, "a swipe sideways is no step");
    write("Another");
    page.browser.run("document.querySelector('#tab-body textarea').dispatchEvent(new Event('change')); document.getElementById('tab-why').click(); document.getElementById('tab-notes').click();");
    page.says("#moves", "Another");
    page.button("Undo");
    page.browser.until("!document.getElementById('moves').innerText.includes('Another')");
    assert!(page.text("#moves").contains("Half a thought"));
}

const MATE: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

fn report(page: &Page) {
    analyse(page, json!({ "pgn": MATE }));
    page.tab("report");
    page.button("Analyze the whole game");
    page.says("#moves", "g4??");
    page.browser.until("/\\d %[^]*\\d %/.test(document.querySelector('.accuracies').innerText)");
    page.browser.until("document.querySelectorAll('.graph circle').length > 0");
    page.browser.run("[...document.querySelectorAll('#moves .mv')].find((move) => move.querySelector('.san').innerText.startsWith('g4')).click();");
    page.tab("why");
    page.button("Why g4?");
    page.says("#tab-body", "mate");
    learn(page);
    page.tab("book");
    page.browser.keys(&[key::HOME]);
    page.browser.run("document.querySelector('[data-do=first]').click();");
    page.says("#tab-body", "e4");
}

/// A round in which White's mistakes are looked at again.
fn learn(page: &Page) {
    // The engine has looked at the position: its lines are known to the page.
    page.browser.run("[...document.querySelectorAll('#moves .mv')].find((move) => move.querySelector('.san').innerText.startsWith('e5')).click();");
    engine(page);
    page.browser.until("document.querySelectorAll('.lines .pv .mv').length > 0");
    engine(page);
    page.tab("learn");
    page.browser.run("const side = document.querySelector('#tab-body select'); side.value = 'white'; side.dispatchEvent(new Event('change'));");
    page.says("#tab-body", "2 judged mistakes to learn from");
    page.button("Begin");
    page.says("#tab-body", "Mistake 1 of 2");
    page.says("#tab-body", "f3 was played here.");
    page.button("Next");
    page.says("#tab-body", "Mistake 2 of 2");
    page.says("#tab-body", "g4 was played here. Find a better move for White.");
    page.until_fen("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w");
    page.browser.until("document.querySelectorAll('#arrows .played').length === 1");
    // The engine keeps its lines to itself here, although it knows them.
    let silent = page
        .browser
        .run("return document.querySelectorAll('.lines .pv .mv, #arrows .engine').length;");
    assert_eq!(silent, 0);
    page.enter("Kf2");
    page.says("#tab-body", "Kf2 loses");
    page.button("Try again");
    page.button("Give a hint");
    page.says(".hinted-text", "Think about a move of your");
    page.button("Give a hint");
    page.says(".hinted-text", "Move the");
    page.browser.until("document.querySelectorAll('.cell.hint').length === 1");
    page.button("Show the answer");
    page.says(".hinted-text", "Play ");
    page.browser.until("document.querySelectorAll('#arrows .hinted').length === 1");
    let answer = page.text(".hinted-text");
    let answer = answer.trim_start_matches("Play ").trim_end_matches('.');
    page.enter(answer);
    page.says("#tab-body", &format!("{answer} is good"));
    page.button("Next");
    page.says("#tab-body", "The round is over: 1 of 2 found.");
}

fn dropped_file(page: &Page) {
    let mut games = String::new();
    for number in 1..=500 {
        let result = ["1-0", "0-1", "1/2-1/2"][number % 3];
        let _ = write!(
            games,
            "[White \"W{number:03}\"]\n[Black \"B\"]\n[Result \"{result}\"]\n\n1. e4 e5 2. Nf3 Nc6 {result}\n\n"
        );
    }
    page.drop_file("games.pgn", &games);
    page.says("#games-panel h2", "500 games");
    let first = "document.querySelector('.games-table tbody tr').innerText";
    page.browser.until(&format!("{first}.includes('W001')"));
    page.browser.run("[...document.querySelectorAll('.games-table th button')].find((button) => button.innerText.startsWith('White')).click();");
    page.browser.run("[...document.querySelectorAll('.games-table th button')].find((button) => button.innerText.startsWith('White')).click();");
    page.browser.until(&format!("{first}.includes('W500')"));
    page.browser.run("document.querySelector('.games-table tbody button').click();");
    page.browser
        .until("document.querySelector('.games-table tr.here')?.innerText.includes('W500')");
    page.ply(4);
    page.says("#bottom-strip", "W500");
    // Accuracies come in by themselves; the index was asked for once.
    page.browser.until("[...document.querySelectorAll('.games-table tbody tr')].some((row) => row.children[5].innerText !== '') || document.querySelector('.games-table tbody')");
    page.button("Stop");
    page.says("#games-panel", "Go on");
    let asked = page.browser.run("return performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/index')).length;");
    assert_eq!(asked, 1);
}

fn file_and_position(page: &Page) {
    page.drop_file("games.pgn", "[White \"W1\"]\n\n1. e4 *\n\n[White \"W2\"]\n\n1. d4 *\n");
    page.says("#games-panel h2", "2 games");
    page.tab("position");
    page.button("Start position");
    page.browser.until("document.getElementById('games-panel').hidden");
    assert_eq!(page.state()["file"], json!(null));
    page.browser.run("document.querySelector('[data-do=games]').click();");
    let row = "[...document.querySelectorAll('dialog td button')].find((button) => button.innerText.includes('W1'))";
    page.browser.until(&format!("({row}) && true"));
    page.browser.run(&format!("({row}).click();"));
    page.says("#games-panel h2", "2 games");
    page.tab("text");
    page.button("Load this PGN");
    page.browser.until("document.getElementById('games-panel').hidden");
    page.button("Back to them");
    page.says("#games-panel h2", "2 games");
}

fn editor(page: &Page) {
    analyse(page, json!({}));
    page.tab("position");
    page.button("Empty board");
    page.browser.until("document.querySelectorAll('.cell .piece').length === 0");
    for (piece, square) in [("white king", "e1"), ("black king", "e8"), ("white queen", "d1")] {
        page.browser
            .run(&format!("document.querySelector('.palette [aria-label=\"{piece}\"]').click();"));
        page.browser.press(page.point(square));
    }
    page.button("Move pieces");
    page.browser.drag(page.point("d1"), page.point("d2"));
    page.expect("d2", "white Q");
    page.button("Analyze this position");
    page.until_fen("4k3/8/8/8/8/8/3Q4/4K3 w");
    // Without a king it is refused, and everything stays.
    page.button("Remove pieces");
    page.browser.press(page.point("e8"));
    page.expect("e8", "");
    page.button("Analyze this position");
    page.says("#notices", "king");
    assert!(page.state()["position"]["fen"].as_str().is_some_and(|fen| fen.starts_with("4k3/")));
    // The right button removes a piece, and draws no ring.
    let at = page.point("d2");
    page.browser.run(&format!(
        "for (const kind of ['pointerdown', 'pointerup']) document.querySelector('[data-square=d2]').dispatchEvent(new PointerEvent(kind, {{ button: 2, clientX: {}, clientY: {}, bubbles: true }}));",
        at.0, at.1
    ));
    page.expect("d2", "");
    page.tab("report");
    page.browser.until("document.querySelectorAll('#arrows .drawn').length === 0");
}
