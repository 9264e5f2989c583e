//! Other games, and rules from a file.

use serde_json::json;

use crate::Scenario;
use crate::page::Page;

/// All scenarios.
pub const ALL: &[Scenario] = &[
    ("xiangqi", xiangqi),
    ("twelve by twelve", twelve),
    ("rules editor", rules),
    ("analysis of a variant", analysis),
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

fn twelve(page: &Page) {
    page.two_people(&json!({ "game": "locusts12" }));
    page.browser.until("document.querySelectorAll('.cell').length === 144");
    // The king moves by leaving a leo behind.
    let legal = page.state()["legal"].clone();
    let first = legal.as_array().and_then(|moves| moves.first()).expect("there is a move").clone();
    let square = |name: &str| first[name].as_str().expect("a square").to_owned();
    page.browser.drag(page.point(&square("from")), page.point(&square("to")));
    page.ply(1);
    assert_eq!(page.piece(&square("to")), "white K");
    assert_eq!(page.piece(&square("from")), "white L");
    // The whole board is in the window.
    let fits = page.browser.run("const box = document.getElementById('board').getBoundingClientRect(); return box.bottom <= innerHeight && box.right <= innerWidth;");
    assert_eq!(fits, true);
}

fn rules(page: &Page) {
    page.open(&json!({ "kind": "analyse" }));
    page.tab("rules");
    page.says("#rules-verdict", "No errors");
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
