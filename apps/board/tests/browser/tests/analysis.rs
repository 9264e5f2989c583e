//! Analysis: lines, the tree, positions and files.

use std::fmt::Write as _;

use serde_json::json;
use tamarin_board_browser::{Page, key};

use crate::Scenario;

pub const ALL: &[Scenario] = &[
    ("lines, arrows, chances", lines),
    ("threats and only moves", threats),
    ("tree", tree),
    ("half a comment", half_a_comment),
    ("report, why, learn, book", report),
    ("repertoire, animated picture", repertoire),
    ("a dropped file", dropped_file),
    ("games of a file beside a position", file_and_position),
    ("position editor", editor),
];

/// The moves of the lines of the engine.
const LINES: &str = ".lines .pv .mv";

/// Waits until an arrow has this text.
fn arrow(page: &Page, text: &str) {
    page.until(&format!(
        "[...document.querySelectorAll('#arrows text')].some((one) => one.textContent === '{text}')"
    ));
}

fn lines(page: &Page) {
    page.analyse(json!({ "fen": "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1" }));
    page.engine();
    page.says(".lines li:first-child .score", "#1");
    arrow(page, "#1");
    page.shows("#meter[aria-valuetext='White mates in 1']");
    page.counts(".lines li", 3);
    page.analyse(json!({}));
    page.engine();
    page.counts(".wdl span", 3);
    page.shows(LINES);
    // A click on a move of a line plays it, also if new lines come before the release.
    page.hold(page.middle(LINES));
    let depth = page.text("#lines-panel .depth");
    page.until(&format!("document.querySelector('#lines-panel .depth').innerText !== '{depth}'"));
    page.let_go();
    page.counts("#moves .mv", 1);
    // Stepping back shows at once what was found.
    page.keys(&[key::PAGE_UP]);
    page.shows(LINES);
    page.engine();
}

fn threats(page: &Page) {
    // White to move: unless it does something, Black mates.
    page.analyse(json!({ "fen": "6k1/5ppp/8/8/8/8/qr3PPP/2R3K1 w - - 0 1" }));
    page.engine();
    page.shows(LINES);
    page.counts("#arrows .threatens", 0);
    page.pick_text("#lines-panel label", "Threats");
    page.until("[...document.querySelectorAll('#arrows .threatens text')].some((text) => text.textContent.startsWith('−'))");
    page.says("#threat", "Black threatens");
    page.enter("threat");
    page.says("#reply", "Black threatens");
    // Rc8 mates: the only good move, beside which all others are nothing.
    page.says(".lines li:first-child .score", "#1");
    page.shows(".lines li:first-child .only");
    arrow(page, "#1 □");
    page.switch("Only good moves (□)");
    page.counts(".lines .only", 0);
    page.switch("Threats in analyses");
    page.counts("#arrows .threatens", 0);
    page.until("document.getElementById('threat').textContent === ''");
    page.engine();
}

fn tree(page: &Page) {
    page.analyse(json!({ "pgn": "1. e4 e5 2. Nf3 *" }));
    page.ply(3);
    page.keys(&[key::HOME]);
    page.moves("d4");
    page.counts(".side-line .mv", 1);
    page.tab("notes");
    page.pick("[title=\"good move\"]");
    page.says(".side-line", "d4!");
    page.set("#tab-body textarea", "A comment");
    page.says(".side-line", "A comment");
    page.button("Promote line");
    page.says("#moves .pair", "d4!");
    page.says(".side-line", "e4");
    page.run("[...document.querySelectorAll('#tab-body button')].find((button) => button.innerText === 'Undo').focus();");
    page.keys(&[key::ENTER]);
    page.says("#moves .pair", "e4");
    assert_eq!(page.run("return document.activeElement.innerText;"), "Undo");
    // The list of moves has the focus when the move that had it is deleted, and stays in the order of Tab.
    page.run("document.querySelector('.side-line .mv').focus();");
    page.button("Delete from here");
    page.counts(".side-line", 0);
    let focus = "return [document.activeElement.id, document.activeElement.tabIndex];";
    assert_eq!(page.run(focus), json!(["moves", 0]));
    page.run("document.activeElement.blur();");
    page.run("document.dispatchEvent(new KeyboardEvent('keydown', { key: 'z', ctrlKey: true, bubbles: true }));");
    page.says(".side-line", "A comment");
    assert!(page.pgn().contains("1. e4 (1. d4 $1 { A comment })"), "{}", page.pgn());
}

/// A comment that is being written is kept once, whatever takes its move off the board.
fn half_a_comment(page: &Page) {
    page.analyse(json!({ "pgn": "1. e4 e5 *" }));
    page.keys(&[key::END]);
    page.until_fen("rnbqkbnr/pppp1ppp/8/4p3/4P3/8/PPPP1PPP/RNBQKBNR w");
    page.tab("notes");
    let write = |text: &str| {
        page.run(&format!(
            "const text = document.querySelector('#tab-body textarea'); text.focus(); text.value = '{text}';"
        ));
    };
    write("Half a thought");
    for by in ["deltaX", "deltaY"] {
        page.run(&format!(
            "document.getElementById('board').dispatchEvent(new WheelEvent('wheel', {{ {by}: -100, bubbles: true, cancelable: true }}));"
        ));
    }
    page.says("#moves", "Half a thought");
    assert_eq!(page.state()["at"], 1, "a swipe sideways is no step");
    write("Another");
    page.run("document.querySelector('#tab-body textarea').dispatchEvent(new Event('change')); document.getElementById('tab-why').click(); document.getElementById('tab-notes').click();");
    page.says("#moves", "Another");
    page.button("Undo");
    page.until("!document.getElementById('moves').innerText.includes('Another')");
    assert!(page.text("#moves").contains("Half a thought"));
}

const MATE: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n";

fn report(page: &Page) {
    page.analyse(json!({ "pgn": MATE }));
    page.tab("report");
    page.button("Analyze the whole game");
    page.says("#moves", "g4??");
    page.until("/\\d %[^]*\\d %/.test(document.querySelector('.accuracies').innerText)");
    page.shows(".graph circle");
    page.pick_text("#moves .mv", "g4");
    page.tab("why");
    page.button("Why g4?");
    page.says("#tab-body", "mate");
    learn(page);
    page.tab("book");
    page.keys(&[key::HOME]);
    page.pick("[data-do=first]");
    page.says("#tab-body", "e4");
    page.tab("learn");
    lessons(page);
}

/// A round in which White's mistakes are looked at again.
fn learn(page: &Page) {
    // The engine has looked at the position: its lines are known to the page.
    page.pick_text("#moves .mv", "e5");
    page.engine();
    page.shows(LINES);
    page.engine();
    page.tab("learn");
    page.set("#tab-body select", "white");
    page.says("#tab-body", "2 judged mistakes to learn from");
    page.button("Begin");
    page.says("#tab-body", "Mistake 1 of 2");
    page.says("#tab-body", "f3 was played here.");
    page.button("Next");
    page.says("#tab-body", "Mistake 2 of 2");
    page.says("#tab-body", "g4 was played here. Find a better move for White.");
    page.until_fen("rnbqkbnr/pppp1ppp/8/4p3/8/5P2/PPPPP1PP/RNBQKBNR w");
    page.counts("#arrows .played", 1);
    // The engine keeps its lines to itself here, although it knows them.
    let silent = "return document.querySelectorAll('.lines .pv .mv, #arrows .engine').length;";
    assert_eq!(page.run(silent), 0);
    page.enter("Kf2");
    page.says("#tab-body", "Kf2 loses");
    page.button("Try again");
    page.button("Give a hint");
    page.says(".hinted-text", "Think about a move of your");
    page.button("Give a hint");
    page.says(".hinted-text", "Move the");
    page.counts(".cell.hint", 1);
    page.button("Show the answer");
    page.says(".hinted-text", "Play ");
    page.counts("#arrows .hinted", 1);
    let answer = page.text(".hinted-text");
    let answer = answer.trim_start_matches("Play ").trim_end_matches('.');
    page.enter(answer);
    page.says("#tab-body", &format!("{answer} is good"));
    page.button("Next");
    page.says("#tab-body", "The round is over: 1 of 2 found.");
}

/// Lessons of `play`; a picture of what is on the board, in other pieces.
fn lessons(page: &Page) {
    page.button("Lessons");
    page.says("#tab-body", "Lesson 1 of 17: The rook");
    page.enter("Rd2");
    page.says(".hinted-text", "Rd2 is not the solution");
    page.expect("d1", "white R");
    page.drag("d1", "d5");
    page.says(".hinted-text", "Right: Rxd5.");
    page.button("Next");
    page.says("#tab-body", "Lesson 2 of 17");
    page.pick("[data-do=settings]");
    page.set("dialog .row .grow:last-child select", "angular");
    page.run("document.querySelector('dialog').close();");
    page.shows("[data-square=h1] use[href='#angular-bishop']");
    let picture = page.run_async(&format!("return {}.boardPicture();", page.module("picture")));
    let picture = picture.as_str().expect("a text");
    assert_eq!(picture.matches("viewBox=\"0 0 100 100\"").count(), 4, "{picture}");
    assert!(picture.starts_with("<svg") && !picture.contains("<use"), "{picture}");
}

/// Moves of the tree are found, others taken back; a line with a mistake comes again.
fn repertoire(page: &Page) {
    page.analyse(json!({ "pgn": "1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *" }));
    page.tab("learn");
    page.button("Train this repertoire");
    page.says("#tab-body", "0 of 2 lines known");
    page.says("#tab-body", "Play the move of White that the repertoire has.");
    assert_eq!(page.text("#moves"), "", "the answers are hidden");
    page.enter("d4");
    page.says(".hinted-text", "d4 is not in the repertoire. Try again.");
    page.until("document.querySelector('#board [data-square=d4] .piece') === null");
    for _ in 0..3 {
        page.enter("e4");
        page.says("#tab-body", "Right: e4");
        let is_open_game = page.run("return !!document.querySelector('[data-square=e5] .piece');");
        page.enter(if is_open_game == true { "Nc3" } else { "Nf3" });
        page.until("document.querySelector('#board [data-square=e4] .piece') === null || document.querySelector('#tab-body').innerText.includes('You know')");
    }
    page.says(".hinted-text", "You know this repertoire: 2 lines without a mistake.");
    assert_eq!(page.state()["tree"].as_array().map(Vec::len), Some(6), "nothing was added");
    page.button("Close");
    page.button("Train this repertoire");
    page.two_people(json!({}));
    page.moves("e4");
    page.says("#moves", "e4");
    page.analyse(json!({ "pgn": "1. e4 e5 (1... c5 2. Nf3) 2. Nc3 *" }));
    let picture = format!(
        "return {}.gamePicture().then(async (blob) => {{ const decoder = new ImageDecoder({{ data: await blob.arrayBuffer(), type: blob.type }}); await decoder.completed; const images = []; for (const frameIndex of [0, 1]) {{ const {{ image }} = await decoder.decode({{ frameIndex }}); images.push(image.codedWidth, image.duration); }} return [decoder.tracks.selectedTrack.frameCount, ...images]; }});",
        page.module("picture")
    );
    assert_eq!(page.run_async(&picture), json!([4, 480, 1_000_000, 480, 1_000_000]));
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
    page.says(".games-table tbody tr", "W001");
    page.pick_text(".games-table th button", "White");
    page.pick_text(".games-table th button", "White");
    page.says(".games-table tbody tr", "W500");
    page.pick(".games-table tbody button");
    page.says(".games-table tr.here", "W500");
    page.ply(4);
    page.says("#bottom-strip", "W500");
    // Accuracies come in when they are asked for; the index was asked for once.
    page.button("Analyze all games");
    page.shows("#games-panel progress");
    page.button("Stop");
    page.until("/Go on|Analyze all games/.test(document.getElementById('games-panel').innerText)");
    let asked = page.run("return performance.getEntriesByType('resource').filter(({ name }) => name.includes('/api/index')).length;");
    assert_eq!(asked, 1);
    page.set("#games-panel [type=search]", "w49 b");
    page.counts(".games-table tbody tr", 10);
    page.set("#games-panel select", "1-0");
    page.counts(".games-table tbody tr", 3);
}

fn file_and_position(page: &Page) {
    page.drop_file("games.pgn", "[White \"W1\"]\n\n1. e4 *\n\n[White \"W2\"]\n\n1. d4 1-0\n");
    page.says("#games-panel h2", "2 games");
    // What was played, which games have the position, and a file of one's own.
    page.tab("book");
    page.says("#tab-body", "Games of the open file");
    page.shows("#tab-body .wdl[aria-label^='White won 100 %']");
    page.counts(".games-table tbody tr", 2);
    page.pick_text("#games-panel label", "This position");
    page.keys(&[key::RIGHT]);
    page.counts(".games-table tbody tr", 1);
    page.button("Keep");
    page.shows("dialog input");
    page.set("dialog input", "Mine");
    page.pick("dialog .main");
    page.says("#games-panel h2", "Mine: 2 games");
    page.tab("position");
    page.button("Start position");
    page.shows("#games-panel[hidden]");
    assert_eq!(page.state()["file"], json!(null));
    page.pick("[data-do=games]");
    page.pick_text("dialog td button", "W1");
    page.says("#games-panel h2", "2 games");
    page.tab("text");
    page.button("Load this PGN");
    page.shows("#games-panel[hidden]");
    page.button("Back to them");
    page.says("#games-panel h2", "2 games");
    page.pick("[data-do=files]");
    page.pick_text("dialog td button", "Mine");
    page.says("#games-panel h2", "Mine: 2 games");
}

fn editor(page: &Page) {
    page.analyse(json!({}));
    page.tab("position");
    page.button("Empty board");
    page.counts(".cell .piece", 0);
    for (piece, square) in [("white king", "e1"), ("black king", "e8"), ("white queen", "d1")] {
        page.pick(&format!(".palette [aria-label=\"{piece}\"]"));
        page.press(page.point(square));
    }
    page.button("Move pieces");
    page.drag_to(page.point("d1"), page.point("d2"));
    page.expect("d2", "white Q");
    page.button("Analyze this position");
    page.until_fen("4k3/8/8/8/8/8/3Q4/4K3 w");
    // Without a king it is refused, and everything stays.
    page.button("Remove pieces");
    page.press(page.point("e8"));
    page.expect("e8", "");
    page.button("Analyze this position");
    page.says("#notices", "king");
    assert!(page.state()["position"]["fen"].as_str().is_some_and(|fen| fen.starts_with("4k3/")));
    // The right button removes a piece, and draws no ring.
    let (x, y) = page.point("d2");
    page.run(&format!(
        "for (const kind of ['pointerdown', 'pointerup']) document.querySelector('[data-square=d2]').dispatchEvent(new PointerEvent(kind, {{ button: 2, clientX: {x}, clientY: {y}, bubbles: true }}));"
    ));
    page.expect("d2", "");
    page.tab("report");
    page.counts("#arrows .drawn", 0);
}
