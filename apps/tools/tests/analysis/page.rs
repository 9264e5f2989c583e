//! The report for a browser, in a browser.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::Path;
use std::process::Command;

use crate::analysis::analyse::objects;
use crate::support::engine::good;
use crate::support::files::Folder;

/// Castling on both sides, en passant, promotion with capture, and a blunder; then Chess960.
const GAMES: &str = "[Event \"</script><b>&\"]\n[White \"M\u{fc}ller <i>\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n\
    1. e4 d5 2. e5 f5 3. exf6 { en <passant> } Qd6 4. fxg7 Bg4 5. Nf3 Nc6 6. Bb5 O-O-O 7. O-O Qg3 8. gxh8=Q 1-0\n\n\
    [Event \"960\"]\n[Variant \"Chess960\"]\n[FEN \"bnrkrnqb/pppppppp/8/8/8/8/PPPPPPPP/BNRKRNQB w ECec - 0 1\"]\n\n\
    1. e4 e5 2. Ne3 Ne6 3. Ng4 Ng5 4. Qf1 d6 5. Nf6 O-O-O *\n";

/// The name of the browser, if there is one.
fn browser() -> Option<&'static str> {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    names.into_iter().find(|name| Command::new(name).arg("--version").output().is_ok())
}

/// Chromium refuses to run as root: then the command runs as the user `nobody`, who may use the
/// folder.
fn leave_root(command: &mut Command, folder: &Path) {
    const NOBODY: u32 = 65534;
    if fs::metadata(folder).expect("it is there").uid() == 0 {
        fs::set_permissions(folder, Permissions::from_mode(0o777)).expect("it is ours");
        command.uid(NOBODY).gid(NOBODY);
    }
}

/// The report of these games, and what a script that is added to it writes down; nothing where there
/// is no browser.
fn seen(games: &str, script: &str, options: &[&str]) -> Vec<String> {
    let Some(browser) = browser() else {
        println!("SKIP: no chromium for the report");
        return Vec::new();
    };
    let folder = Folder::new();
    let (games, page) = (folder.file("games.pgn", games), folder.name("report.html"));
    good(&[&["analyse", &games, "-o", &page, "-q"], options].concat());
    let text = folder.read("report.html").replace("</body>", &format!("{script}</body>"));
    let dom = opened(browser, &folder, &folder.file("clicked.html", text));
    let (_, rest) = dom.split_once("data-seen=\"").unwrap_or_else(|| panic!("not clicked: {dom}"));
    let seen = rest.split_once('"').expect("the value ends").0;
    let seen = seen.replace("&lt;", "<").replace("&gt;", ">");
    seen.split(';').map(str::to_owned).collect()
}

/// What a page looks like after its scripts have run, which must end within two minutes.
fn opened(browser: &str, folder: &Folder, page: &str) -> String {
    let mut command = Command::new("timeout");
    leave_root(&mut command, folder.root());
    command
        .env("HOME", folder.root())
        .args(["120", browser, "--headless", "--disable-gpu", "--dump-dom", "--no-first-run"])
        .args(["--disable-dev-shm-usage", "--virtual-time-budget=20000"])
        // Whatever is asked for by name goes nowhere.
        .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1200,900"])
        .arg(format!("--user-data-dir={}", folder.name("profile")))
        .arg(format!("file://{page}"));
    let output = command.output().expect("the browser starts");
    String::from_utf8(output.stdout).expect("the page is text")
}

/// Clicks through the report and writes down what it sees.
const CLICKS: &str = r##"<script>
const seen = [];
const pieces = () => [...document.querySelectorAll("#board use")]
  .map((use) => use.dataset.square + use.dataset.piece).sort().join("");
const click = (id) => document.getElementById(id).click();
const note = (name, value) => seen.push(name + "=" + value);
window.onerror = (message) => note("error", message);
const play = (name) => {
  note(name + "-squares", document.querySelectorAll("#board rect:not(.last)").length);
  const boards = [pieces()];
  for (let ply = Number(document.body.dataset.ply), last = -1; ply !== last; ) {
    last = ply;
    click("forth");
    ply = Number(document.body.dataset.ply);
    if (ply !== last) boards.push(pieces());
  }
  note(name + "-boards", boards.join("/"));
  note(name + "-title", document.getElementById("title").textContent);
  note(name + "-dots", document.querySelectorAll("#graph circle").length);
  click("first");
};
play("one");
document.querySelector('.moves a[data-ply="3"]').click();
note("clicked", document.body.dataset.ply);
const graph = document.getElementById("graph"), box = graph.getBoundingClientRect();
graph.dispatchEvent(new MouseEvent("click", { clientX: box.left + box.width * 0.999, clientY: box.top + 5 }));
note("graph", document.body.dataset.ply);
dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }));
note("key", document.body.dataset.ply);
dispatchEvent(new KeyboardEvent("keydown", { key: "Home" }));
const before = pieces();
document.querySelectorAll("#now .line a")[1].click();
note("line", pieces() === before ? "same" : document.querySelectorAll("#now a.here").length);
dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }));
dispatchEvent(new KeyboardEvent("keydown", { key: "ArrowLeft" }));
note("returned", pieces() === before);
const first = () => document.querySelector("#board use[data-square=e1]").getAttribute("transform");
const place = first();
click("flip");
note("turned", first() !== place);
click("flip");
const bar = document.getElementById("bar").style.height;
note("bar", Number.parseFloat(bar) > 1 && Number.parseFloat(bar) < 99);
const list = document.getElementById("games");
list.value = "1";
list.onchange();
play("two");
document.querySelector("#moments button")?.click();
note("bold", document.querySelectorAll("header b, header i, .moves b b, .moves i").length);
note("outside", performance.getEntriesByType("resource").length);
document.body.dataset.seen = seen.join(";");
</script>"##;

#[test]
fn report_loads_nothing_from_elsewhere() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let page = folder.name("report.html");
    good(&["analyse", &games, "-o", &page, "-n", "2000", "-q"]);
    let text = folder.read("report.html");
    // The name of the SVG elements is no address.
    let text = text.replace("http://www.w3.org/2000/svg", "");
    for word in ["http:", "https:", "src=", "@import", "url("] {
        assert!(!text.contains(word), "{word}");
    }
    assert_eq!(text.matches("</script>").count(), 3, "a name ends a script");
}

#[test]
fn boards_moves_graph_and_lines_are_clicked_through() {
    let options = ["-n", "4000", "--lines", "2"];
    let seen = seen(GAMES, CLICKS, &options);
    if seen.is_empty() {
        return;
    }
    let folder = Folder::new();
    let found = objects(&folder.file("games.pgn", GAMES), &options);
    let value = |name: &str| {
        let pair = seen.iter().find_map(|pair| pair.strip_prefix(&format!("{name}=")));
        pair.unwrap_or_else(|| panic!("no {name} in {seen:?}")).to_owned()
    };
    assert!(!seen.iter().any(|pair| pair.starts_with("error=")), "{seen:?}");
    // The last positions: after castling, en passant and a promotion; castled in Chess960.
    let pieces = [
        "a1Ra2Pa7pb1Nb2Pb5Bb7pc1Bc2Pc6nc7pc8kd1Qd2Pd5pd8re7pf1Rf2Pf3Nf8bg1Kg2Pg3qg4bg8nh2Ph7ph8Q",
        "a1Ba2Pa7pa8bb1Nb2Pb7pb8nc1Rc2Pc7pc8kd1Kd2Pd6pd8re1Re4Pe5pe8rf1Qf2Pf6Nf7pg2Pg5ng7pg8qh1Bh2Ph7ph8b",
    ];
    for ((name, game), last) in [("one", &found[0]), ("two", &found[1])].into_iter().zip(pieces) {
        assert_eq!(value(&format!("{name}-squares")), "64");
        let boards = value(&format!("{name}-boards"));
        assert_eq!(boards.split('/').next_back(), Some(last), "{name}");
        let moves = game["moves"].as_array().expect("moves");
        let judged = moves.iter().filter(|mv| !mv["judgement"].is_null()).count();
        assert_eq!(value(&format!("{name}-dots")), judged.to_string());
    }
    let last = found[0]["moves"].as_array().expect("moves").len();
    for (name, wanted) in [
        ("one-title", "M\u{fc}ller <i> \u{2013} B 1-0"),
        ("clicked", "3"),
        ("graph", &last.to_string()),
        ("key", &(last - 1).to_string()),
        ("line", "1"),
        ("returned", "true"),
        ("turned", "true"),
        ("bar", "true"),
        ("bold", "0"),
        ("outside", "0"),
    ] {
        assert_eq!(value(name), wanted, "{name}");
    }
}

/// A game with clocks, comments of both sides, arrows and variations, and two more.
const NOTES: &str = "[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n[TimeControl \"180+2\"]\n\n\
    { lead [%csl Ge4] } 1. e4 { [%clk 0:03:00] } 1... e5 { [%clk 0:02:55] two [%cal Gg8f6,Re5e4] } \
    2. Nf3 $1 { [%clk 0:01:50] one } (2. Bc4 Nc6 (2... Nf6 3. d3 { quiet }) 3. d3) 2... Nc6 { [%clk 0:02:50] other } 0-1\n\n\
    [White \"C\"]\n[FEN \"3k4/8/8/8/8/8/8/R3K3 w Q - 0 1\"]\n\n1. O-O-O+ {+0.24/27 13s} *\n\n\
    [White \"D\"]\n[FEN \"4k3/8/8/8/8/8/8/R3K3 b - - 0 1\"]\n\n*\n\n";

/// Looks at what is new beside the board.
const LOOKS: &str = r##"<script>
const seen = [];
const note = (name, value) => seen.push(name + "=" + value);
window.onerror = (message) => note("error", message);
const all = (selector) => [...document.querySelectorAll(selector)];
const texts = (selector) => all(selector).map((node) => node.textContent.trim()).join("|");
note("rings", all("#board .ring").length);
note("lead", texts(".moves p.lead"));
note("clocks", texts(".moves small.clock"));
note("notes", texts(".moves p:not(.lead)"));
note("marks", texts(".moves a.move b"));
note("bars", all("#times rect:not(.ground)").length);
document.querySelector('.moves a[data-ply="2"]').click();
note("address", location.hash);
note("arrows", all("#board line[class*=drawn]").length);
note("folded", all(".moves details").map((node) => node.open).join());
note("variation", texts(".moves details a"));
all(".moves details a").find((node) => node.textContent === "d3").click();
note("explored", texts(".moves a.here") + document.querySelector("#board use[data-square=d3]").dataset.piece
  + document.querySelector("#board use[data-square=f6]").dataset.piece + all("#board use[data-square=c4]").length);
note("numbers", texts("#now .line").includes("2.\u00a0Nf3 Nc6 3.\u00a0"));
note("rows", texts("#rows td:nth-child(2)"));
all("#columns button")[1].click();
all("#columns button")[1].click();
note("sorted", texts("#rows td:nth-child(2)") + all("#columns th")[1].getAttribute("aria-sort"));
document.getElementById("pgn").addEventListener("click", (event) => event.preventDefault());
document.getElementById("pgn").click();
note("download", document.getElementById("pgn").href.startsWith("blob:") && document.getElementById("pgn").download);
all("#rows a").find((node) => node.textContent === "C").click();
note("opened", location.hash);
document.body.style.width = "360px";
note("castling", [...document.querySelector(".moves b").getClientRects()].length + texts(".moves b"));
note("prose", texts(".moves p"));
location.hash = "#3.0";
setTimeout(() => {
  note("position", document.getElementById("game").offsetHeight + texts("#now .verdict").slice(0, 13));
  note("fen", texts(".fen"));
  document.body.dataset.seen = seen.join(";");
}, 200);
</script>"##;

#[test]
fn clocks_comments_variations_and_all_games_are_shown() {
    let seen = seen(NOTES, LOOKS, &["-n", "2000"]);
    if seen.is_empty() {
        return;
    }
    let wanted = [
        "rings=1",
        "lead=lead",
        "clocks=3:00|2:55|1:50|2:50",
        "notes=|two|one|other",
        "bars=4",
        "address=#1.2",
        "arrows=2",
        "folded=false",
        "variation=Bc4|Nc6|Nf6|d3|d3",
        "explored=d3Pn1",
        "rows=A|C|D",
        "sorted=D|C|Adescending",
        "download=game-1.pgn",
        "opened=#2.0",
        "castling=1O-O-O+",
        "prose=",
        "position=0Black to move",
        "fen=4k3/8/8/8/8/8/8/R3K3 b - - 0 1",
        "numbers=true",
    ];
    for one in wanted {
        assert!(seen.iter().any(|pair| pair == one), "{one} in {seen:?}");
    }
    assert!(seen.iter().any(|one| one.starts_with("marks=e4|e5|Nf3!|")), "{seen:?}");
}
