//! What holds for everyone: small screens, screen readers, no request elsewhere, no jumps.

use serde_json::{Value, json};

use crate::Scenario;
use crate::axe;
use crate::page::Page;

pub const ALL: &[Scenario] = &[
    ("phone", phone),
    ("dark colors, less motion", dark),
    ("accessibility", accessibility),
    ("more contrast, forced colors", contrast),
    ("screen reader", screen_reader),
    ("no layout shift, first paint", shifts),
    ("weight of the page", weight),
];

/// The page has logged no error, and asked nobody but its server.
pub fn check_log(page: &Page) {
    for message in page.browser.log("browser") {
        let text = message["message"].as_str().unwrap_or_default();
        // A refused command answers 4xx, which the browser notes by itself.
        let is_refusal = text.contains("/api/") && text.contains("status of 4");
        assert!(message["level"] != "SEVERE" || is_refusal, "{text}");
    }
    let origin = page.address.split('/').take(3).collect::<Vec<_>>().join("/");
    for entry in page.browser.log("performance") {
        let text = entry["message"].as_str().unwrap_or_default();
        let message: Value = serde_json::from_str(text).unwrap_or_default();
        let message = &message["message"];
        if message["method"] != "Network.requestWillBeSent" {
            continue;
        }
        let url = message["params"]["request"]["url"].as_str().unwrap_or_default();
        let is_own =
            ["about:", "data:", "blob:", "chrome"].iter().any(|kind| url.starts_with(kind));
        assert!(url.starts_with(&origin) || is_own, "the page asked {url}");
    }
}

fn phone(page: &Page) {
    page.browser.resize(360, 740);
    page.two_people(&json!({}));
    page.browser.tap(page.point("e2"));
    page.browser.until("document.querySelector('[data-square=e2].selected') && true");
    page.browser.tap(page.point("e4"));
    page.expect("e4", "white P");
    for options in [json!({ "kind": "analyse" }), json!({ "kind": "analyse", "game": "locusts12" })]
    {
        page.open(&options);
        let wide = page.browser.run("return document.documentElement.scrollWidth;");
        assert_eq!(wide, 360, "{options}");
        let board = page.browser.run("const box = document.getElementById('board').getBoundingClientRect(); return [box.width, box.right];");
        assert!(board[0].as_f64().is_some_and(|width| width > 340.0), "{board}");
        assert!(board[1].as_f64().is_some_and(|right| right <= 360.5), "{board}");
    }
}

fn media(page: &Page, features: &Value) {
    page.browser.command("Emulation.setEmulatedMedia", &json!({ "features": features }));
}

fn dark(page: &Page) {
    let color = "return getComputedStyle(document.body).backgroundColor;";
    media(page, &json!([{ "name": "prefers-color-scheme", "value": "light" }]));
    let light = page.browser.run(color);
    media(
        page,
        &json!([{ "name": "prefers-color-scheme", "value": "dark" }, { "name": "prefers-reduced-motion", "value": "reduce" }]),
    );
    assert_ne!(page.browser.run(color), light);
    page.two_people(&json!({}));
    page.browser.press(page.point("e2"));
    page.browser.press(page.point("e4"));
    page.expect("e4", "white P");
    let moving = page.browser.run("return document.getAnimations().length;");
    assert_eq!(moving, 0);
    media(page, &json!([]));
}

/// Nothing that axe-core knows of stands in anybody's way.
fn violations(page: &Page, place: &str) {
    let Some(axe) = axe::script() else { return };
    if page.browser.run("return !window.axe;") == true {
        page.browser.run(&format!("{axe}\nwindow.axe = axe;"));
    }
    let script = "const found = await axe.run(document, { resultTypes: ['violations'] });
        return found.violations.map((one) => one.id + ': ' + one.nodes.slice(0, 4).map((node) => node.target.join(' ') + ' ' + node.failureSummary).join('; '));";
    let found = page.browser.run_async(script);
    assert_eq!(found, json!([]), "{place}: {found:#}");
}

fn accessibility(page: &Page) {
    page.two_people(&json!({ "clock": { "base_s": 300, "increment_s": 3 } }));
    page.moves("e4 e5");
    violations(page, "game");
    for name in ["new-game", "files", "settings", "games", "help"] {
        page.browser.run(&format!("document.querySelector('[data-do={name}]').click();"));
        page.browser.until("document.querySelector('dialog[open]') && true");
        violations(page, name);
        page.browser.run("document.querySelector('dialog').close();");
        page.browser.until("!document.querySelector('dialog')");
    }
    page.open(&json!({ "kind": "analyse", "pgn": "1. e4 $1 {Good.} e5 $4 (1... c5) 2. Nf3 *" }));
    for name in ["report", "notes", "why", "book", "learn", "position", "text", "rules"] {
        page.tab(name);
        violations(page, name);
    }
    media(page, &json!([{ "name": "prefers-color-scheme", "value": "dark" }]));
    page.tab("report");
    violations(page, "dark");
    media(page, &json!([]));
}

/// With more contrast or forced colors, squares, what is selected and what may be reached differ.
fn contrast(page: &Page) {
    for more in [
        json!({ "name": "prefers-contrast", "value": "more" }),
        json!({ "name": "forced-colors", "value": "active" }),
    ] {
        media(page, &json!([{ "name": "prefers-color-scheme", "value": "dark" }, more]));
        page.two_people(&json!({ "clock": { "base_s": 300, "increment_s": 3 } }));
        page.moves("e4 e5");
        page.browser.press(page.point("b1"));
        page.browser.until("document.querySelectorAll('.cell.target').length === 2");
        violations(page, &format!("game, {more}"));
        let looks = |selector: &str, pseudo: &str| {
            page.browser.run(&format!(
                "const style = getComputedStyle(document.querySelector('{selector}'), '{pseudo}'); return [style.backgroundColor, style.opacity, style.outlineStyle];"
            ))
        };
        for (one, other, pseudo) in [
            ("[data-square=a1]", "[data-square=a2]", ""),
            (".cell.selected", "[data-square=d4]", "::before"),
            (".cell.target", "[data-square=d4]", "::after"),
        ] {
            assert_ne!(looks(one, pseudo), looks(other, pseudo), "{more}: {one}");
        }
    }
    media(page, &json!([]));
}

/// What a screen reader gets: the accessibility tree of the browser.
fn tree(page: &Page) -> Vec<Value> {
    let tree = page.browser.command("Accessibility.getFullAXTree", &json!({}));
    tree["nodes"].as_array().cloned().unwrap_or_default()
}

fn screen_reader(page: &Page) {
    page.two_people(&json!({}));
    let names = |role: &str| -> Vec<String> {
        let all = tree(page).into_iter().filter(|node| node["role"]["value"] == role);
        all.map(|node| node["name"]["value"].as_str().unwrap_or_default().to_owned()).collect()
    };
    let squares = names("gridcell");
    assert_eq!(squares.len(), 64);
    for (place, name) in [(0, "a8, black rook"), (35, "d4, empty"), (60, "e1, white king")] {
        assert_eq!(squares[place], name);
    }
    assert_eq!((names("grid"), names("row").len()), (vec!["Board".to_owned()], 8));
    // Moves are announced in a log, in words.
    assert_eq!(names("log").len(), 1);
    page.moves("e4 d5 exd5");
    let log = "document.querySelector('[role=log][aria-live=polite]').textContent";
    page.browser.until(&format!("{log}.endsWith('White: e takes d 5')"));
    page.browser.until(&format!("{log}.includes('Black: d 5')"));
    assert_eq!(names("gridcell")[27], "d5, white pawn, last move");
    // The evaluation is spoken: when it is asked for, and by itself where that is wanted.
    page.open(&json!({ "kind": "analyse", "fen": "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1" }));
    page.switch("Speak the evaluation");
    page.enter("analyze");
    page.browser.until("document.querySelector('#spoken-score[role=status]').textContent.startsWith('White mates in 1, depth ')");
    page.enter("score");
    page.browser.until("document.querySelector('#reply[role=status]').textContent.includes('White mates in 1, depth ')");
    assert!(names("meter").contains(&"Evaluation for White".to_owned()));
    page.enter("stop");
    page.browser.run("localStorage.clear();");
}

fn shifts(page: &Page) {
    let paint = page.browser.run(
        "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null;",
    );
    println!("first contentful paint after {paint} ms");
    page.open(&json!({ "kind": "analyse" }));
    let watch = "window.shifts = []; new PerformanceObserver((list) => { for (const entry of list.getEntries()) \
        window.shifts.push([entry.value, entry.sources.map((source) => source.node?.id || source.node?.className || '').join(' ')]); }) \
        .observe({ type: 'layout-shift' });";
    page.browser.run(watch);
    page.browser.run("document.querySelector('#lines-panel input').click();");
    page.browser.until("document.querySelectorAll('.lines .pv .mv').length > 0");
    let script =
        "const api = await import(new URL('assets/js/api.js', location.href.split('#')[0]));
        for (const mv of ['e2e4', 'c7c5', 'g1f3', 'd7d6']) await api.command('move', { mv });
        await new Promise((resolve) => setTimeout(resolve, 300));
        return window.shifts;";
    assert_eq!(page.browser.run_async(script), json!([]));
}

/// Everything together is less than 400 kB.
fn weight(page: &Page) {
    let script = "return performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')) \
        .filter((entry) => !entry.name.includes('/api/')).reduce((sum, entry) => sum + entry.decodedBodySize, 0);";
    let bytes = page.browser.run(script).as_u64().unwrap_or_default();
    println!("the page weighs {bytes} bytes");
    assert!((50_000..400_000).contains(&bytes), "{bytes}");
}
