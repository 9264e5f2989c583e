//! What holds for everyone: small screens, screen readers, no request elsewhere, no jumps.

use std::fs;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::OnceLock;

use serde_json::{Value, json};
use sha2::{Digest, Sha256};
use tamarin_board_browser::Page;

use crate::Scenario;

pub const ALL: &[Scenario] = &[
    ("phone", phone),
    ("dark colors, less motion", dark),
    ("accessibility", accessibility),
    ("more contrast, forced colors", contrast),
    ("screen reader", screen_reader),
    ("no layout shift, first paint", shifts),
    ("weight of the page", weight),
];

/// axe-core, which looks for obstacles to accessibility (MPL-2.0, by Deque Systems). It is no part
/// of this repository: npm fetches it once into the target folder.
const AXE: &str = "axe-core-4.14.1";

/// Of `axe.min.js` in the package of that version.
const AXE_SHA_256: &str = "29348999450cdf2849a8e70b7912fc2da85a849da39c0d0d5394f51d4a9ed95c";

/// The script, or `None` where it cannot be had; then a SKIP is printed, once.
fn axe() -> Option<&'static str> {
    static SCRIPT: OnceLock<Option<String>> = OnceLock::new();
    let found = SCRIPT.get_or_init(|| {
        let path = Path::new(env!("CARGO_TARGET_TMPDIR")).join(format!("{AXE}.min.js"));
        let kept = || fs::read_to_string(&path).ok().filter(|text| is_axe(text));
        let found = kept().map_or_else(|| fetch(&path), Ok);
        found.map_err(|why| println!("SKIP: no search for obstacles to accessibility: {why}")).ok()
    });
    found.as_deref()
}

fn is_axe(text: &str) -> bool {
    let digits = Sha256::digest(text).iter().map(|byte| format!("{byte:02x}")).collect::<String>();
    digits == AXE_SHA_256
}

/// Fetches the package, and keeps its script.
///
/// # Panics
/// If the script is another one than that of the version.
fn fetch(path: &Path) -> Result<String, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let package = AXE.replace("core-", "core@");
    let npm = [
        "pack",
        &package,
        "--ignore-scripts",
        "--silent",
        "--fetch-retries=0",
        "--fetch-timeout=30000",
    ];
    let tar = ["-xzf", &format!("{AXE}.tgz"), "package/axe.min.js"];
    for (program, arguments) in [("npm", &npm[..]), ("tar", &tar)] {
        let mut command = Command::new(program);
        let output =
            command.args(arguments).current_dir(folder.path()).stdin(Stdio::null()).output();
        if !output.map_err(|error| format!("{program}: {error}"))?.status.success() {
            return Err(format!("{program} cannot fetch or unpack {AXE}"));
        }
    }
    let text = fs::read_to_string(folder.path().join("package/axe.min.js"));
    let text = text.map_err(|error| error.to_string())?;
    assert!(is_axe(&text), "this is not {AXE}");
    // By way of a second name, so that a run beside this one never reads half of it.
    let part = path.with_extension(format!("{}.part", std::process::id()));
    let put = fs::write(&part, &text).and_then(|()| fs::rename(&part, path));
    put.map_err(|error| error.to_string())?;
    Ok(text)
}

/// The page has logged no error, and asked nobody but its server.
pub fn check_log(page: &Page) {
    for message in page.log("browser") {
        let text = message["message"].as_str().unwrap_or_default();
        // A refused command answers 4xx, which the browser notes by itself.
        let is_refusal = text.contains("/api/") && text.contains("status of 4");
        assert!(message["level"] != "SEVERE" || is_refusal, "{text}");
    }
    let origin = page.address.split('/').take(3).collect::<Vec<_>>().join("/");
    for entry in page.log("performance") {
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
    page.resize(360, 740);
    page.two_people(json!({}));
    page.tap(page.point("e2"));
    page.shows("[data-square=e2].selected");
    page.tap(page.point("e4"));
    page.expect("e4", "white P");
    for game in ["chess", "locusts12"] {
        page.analyse(json!({ "game": game }));
        assert_eq!(page.run("return document.documentElement.scrollWidth;"), 360, "{game}");
        let board = page.run("const box = document.getElementById('board').getBoundingClientRect(); return [box.width, box.right];");
        assert!(board[0].as_f64().is_some_and(|width| width > 340.0), "{board}");
        assert!(board[1].as_f64().is_some_and(|right| right <= 360.5), "{board}");
    }
}

/// Sets what the page is told about its medium: names and values.
fn media(page: &Page, features: &[(&str, &str)]) {
    let feature = |(name, value): &(&str, &str)| json!({ "name": name, "value": value });
    let features: Vec<Value> = features.iter().map(feature).collect();
    page.command("Emulation.setEmulatedMedia", &json!({ "features": features }));
}

const DARK: (&str, &str) = ("prefers-color-scheme", "dark");

fn dark(page: &Page) {
    let color = "return getComputedStyle(document.body).backgroundColor;";
    media(page, &[("prefers-color-scheme", "light")]);
    let light = page.run(color);
    media(page, &[DARK, ("prefers-reduced-motion", "reduce")]);
    assert_ne!(page.run(color), light);
    page.two_people(json!({}));
    page.press(page.point("e2"));
    page.press(page.point("e4"));
    page.expect("e4", "white P");
    assert_eq!(page.run("return document.getAnimations().length;"), 0);
    media(page, &[]);
}

/// Nothing that axe-core knows of stands in anybody's way.
fn violations(page: &Page, place: &str) {
    let Some(axe) = axe() else { return };
    if page.run("return !window.axe;") == true {
        page.run(&format!("{axe}\nwindow.axe = axe;"));
    }
    let script = "const found = await axe.run(document, { resultTypes: ['violations'] });
        return found.violations.map((one) => one.id + ': ' + one.nodes.slice(0, 4).map((node) => node.target.join(' ') + ' ' + node.failureSummary).join('; '));";
    let found = page.run_async(script);
    assert_eq!(found, json!([]), "{place}: {found:#}");
}

fn accessibility(page: &Page) {
    page.two_people(json!({ "clock": { "base_s": 300, "increment_s": 3 } }));
    page.moves("e4 d5 exd5");
    violations(page, "game");
    for name in ["new-game", "files", "settings", "games", "help"] {
        page.pick(&format!("[data-do={name}]"));
        page.shows("dialog[open]");
        violations(page, name);
        page.run("document.querySelector('dialog').close();");
        page.counts("dialog", 0);
    }
    page.analyse(json!({ "pgn": "1. e4 $1 {Good.} e5 $4 (1... c5) 2. Nf3 *" }));
    for name in ["report", "notes", "why", "book", "learn", "position", "text", "rules"] {
        page.tab(name);
        violations(page, name);
    }
    media(page, &[DARK]);
    page.tab("report");
    violations(page, "dark");
    media(page, &[]);
}

/// With more contrast or forced colors, squares, what is selected and what may be reached differ.
fn contrast(page: &Page) {
    for more in [("prefers-contrast", "more"), ("forced-colors", "active")] {
        media(page, &[DARK, more]);
        page.two_people(json!({ "clock": { "base_s": 300, "increment_s": 3 } }));
        page.moves("e4 e5");
        page.press(page.point("b1"));
        page.counts(".cell.target", 2);
        violations(page, &format!("game, {more:?}"));
        let looks = |selector: &str, pseudo: &str| {
            page.run(&format!(
                "const style = getComputedStyle(document.querySelector('{selector}'), '{pseudo}'); return [style.backgroundColor, style.opacity, style.outlineStyle];"
            ))
        };
        for (one, other, pseudo) in [
            ("[data-square=a1]", "[data-square=a2]", ""),
            (".cell.selected", "[data-square=d4]", "::before"),
            (".cell.target", "[data-square=d4]", "::after"),
        ] {
            assert_ne!(looks(one, pseudo), looks(other, pseudo), "{more:?}: {one}");
        }
    }
    media(page, &[]);
}

fn screen_reader(page: &Page) {
    page.two_people(json!({}));
    // What a screen reader gets: the accessibility tree of the browser.
    let names = |role: &str| -> Vec<String> {
        let tree = page.command("Accessibility.getFullAXTree", &json!({}));
        let nodes = tree["nodes"].as_array().expect("a list").iter();
        let name = |node: &Value| node["name"]["value"].as_str().unwrap_or_default().to_owned();
        nodes.filter(|node| node["role"]["value"] == role).map(name).collect()
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
    page.until(&format!("{log}.endsWith('White: e takes d 5')"));
    page.until(&format!("{log}.includes('Black: d 5')"));
    assert_eq!(names("gridcell")[27], "d5, white pawn, last move");
    // The evaluation is spoken: when it is asked for, and by itself where that is wanted.
    page.analyse(json!({ "fen": "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1" }));
    page.switch("Speak the evaluation");
    page.enter("analyze");
    page.says("#spoken-score[role=status]", "White mates in 1, depth ");
    page.enter("score");
    page.says("#reply[role=status]", "White mates in 1, depth ");
    assert!(names("meter").contains(&"Evaluation for White".to_owned()));
    page.enter("stop");
}

fn shifts(page: &Page) {
    let paint = page.run(
        "return performance.getEntriesByName('first-contentful-paint')[0]?.startTime ?? null;",
    );
    println!("first contentful paint after {paint} ms");
    page.analyse(json!({}));
    page.engine();
    page.shows(".lines .pv .mv");
    page.run("window.shifts = []; new PerformanceObserver((list) => { for (const entry of list.getEntries()) \
        window.shifts.push([entry.value, entry.sources.map((source) => source.node?.id || source.node?.className || '').join(' ')]); }) \
        .observe({ type: 'layout-shift' });");
    let script = format!(
        "for (const mv of ['e2e4', 'c7c5', 'g1f3', 'd7d6']) await {}.command('move', {{ mv }});
         await new Promise((resolve) => setTimeout(resolve, 300));
         return window.shifts;",
        page.module("api")
    );
    assert_eq!(page.run_async(&script), json!([]));
}

/// Everything together is less than 400 kB.
fn weight(page: &Page) {
    let script = "return performance.getEntriesByType('resource').concat(performance.getEntriesByType('navigation')) \
        .filter((entry) => !entry.name.includes('/api/')).reduce((sum, entry) => sum + entry.decodedBodySize, 0);";
    let bytes = page.run(script).as_u64().unwrap_or_default();
    println!("the page weighs {bytes} bytes");
    assert!((50_000..400_000).contains(&bytes), "{bytes}");
}
