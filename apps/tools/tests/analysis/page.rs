//! The report for a browser, in a browser.

use std::fs::{self, Permissions};
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use crate::analysis::analyse::objects;
use crate::analysis::folder::{Folder, good};
use crate::support::ms;

/// Castling on both sides, en passant, promotion with capture, and a blunder; then Chess960.
const GAMES: &str = "[Event \"</script><b>&\"]\n[White \"M\u{fc}ller <i>\"]\n[Black \"B\"]\n[Result \"1-0\"]\n\n\
    1. e4 d5 2. e5 f5 3. exf6 { en <passant> } Qd6 4. fxg7 Bg4 5. Nf3 Nc6 6. Bb5 O-O-O 7. O-O Qg3 8. gxh8=Q 1-0\n\n\
    [Event \"960\"]\n[Variant \"Chess960\"]\n[FEN \"bnrkrnqb/pppppppp/8/8/8/8/PPPPPPPP/BNRKRNQB w ECec - 0 1\"]\n\n\
    1. e4 e5 2. Ne3 Ne6 3. Ng4 Ng5 4. Qf1 d6 5. Nf6 O-O-O *\n";

fn browser() -> Option<PathBuf> {
    let names = ["chromium", "chromium-browser", "google-chrome", "chrome"];
    let folders = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    let paths = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    paths.into_iter().find(|path| path.is_file())
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

/// What a page looks like after its scripts have run.
fn opened(browser: &PathBuf, folder: &Folder, page: &str) -> String {
    let output = folder.path("dom.html");
    let mut command = Command::new(browser);
    leave_root(&mut command, &folder.path(""));
    let mut child = command
        .env("HOME", folder.path(""))
        .args(["--headless", "--disable-gpu", "--dump-dom", "--no-first-run"])
        .args(["--disable-dev-shm-usage", "--virtual-time-budget=20000"])
        // Whatever is asked for by name goes nowhere.
        .args(["--host-resolver-rules=MAP * ~NOTFOUND", "--window-size=1200,900"])
        .arg(format!("--user-data-dir={}", folder.name("profile")))
        .arg(format!("file://{page}"))
        .stdout(fs::File::create(&output).expect("there is room"))
        .stderr(Stdio::null())
        .spawn()
        .expect("the browser starts");
    let begin = Instant::now();
    while child.try_wait().expect("it can be asked").is_none() {
        if begin.elapsed() > Duration::from_secs(120) {
            let _ = child.kill();
            panic!("the browser hangs");
        }
        thread::sleep(ms(50));
    }
    fs::read_to_string(output).expect("the page is text")
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
fn the_report_is_whole_and_asks_for_nothing() {
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
fn the_report_can_be_clicked_through_in_a_browser() {
    let Some(browser) = browser() else {
        println!("SKIP: no chromium for the report");
        return;
    };
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let page = folder.name("report.html");
    good(&["analyse", &games, "-o", &page, "-n", "20000", "--lines", "2", "-q"]);
    let found = objects(&games, &["-n", "20000", "--lines", "2"]);
    let text = folder.read("report.html").replace("</body>", &format!("{CLICKS}</body>"));
    let clicked = folder.file("clicked.html", text);
    let dom = opened(&browser, &folder, &clicked);
    let (_, rest) = dom.split_once("data-seen=\"").unwrap_or_else(|| panic!("not clicked: {dom}"));
    let seen =
        rest.split_once('"').expect("the value ends").0.replace("&lt;", "<").replace("&gt;", ">");
    let value = |name: &str| {
        let pair = seen.split(';').find_map(|pair| pair.strip_prefix(&format!("{name}=")));
        pair.unwrap_or_else(|| panic!("no {name} in {seen}")).to_owned()
    };
    assert!(!seen.contains("error="), "{seen}");
    assert!(dom.contains("data-ready=\"2\""));
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
    assert_eq!(value("one-title"), "M\u{fc}ller <i> \u{2013} B 1-0");
    let last = found[0]["moves"].as_array().expect("moves").len();
    assert_eq!((value("clicked"), value("graph")), ("3".to_owned(), last.to_string()));
    assert_eq!((value("key"), value("line")), ((last - 1).to_string(), "1".to_owned()));
    for name in ["returned", "turned", "bar"] {
        assert_eq!(value(name), "true", "{name}");
    }
    assert_eq!((value("bold"), value("outside")), ("0".to_owned(), "0".to_owned()));
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
fn the_report_shows_clocks_comments_variations_and_all_games() {
    let Some(browser) = browser() else {
        println!("SKIP: no chromium for the report");
        return;
    };
    let folder = Folder::new();
    let games = folder.file("games.pgn", NOTES);
    let page = folder.name("report.html");
    good(&["analyse", &games, "-o", &page, "-n", "2000", "-q"]);
    let text = folder.read("report.html").replace("</body>", &format!("{LOOKS}</body>"));
    let dom = opened(&browser, &folder, &folder.file("looked.html", text));
    let (_, rest) = dom.split_once("data-seen=\"").unwrap_or_else(|| panic!("not looked: {dom}"));
    let seen = rest.split_once('"').expect("the value ends").0;
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
    let found: Vec<&str> = seen.split(';').collect();
    for one in wanted {
        assert!(found.contains(&one), "{one} in {seen}");
    }
    assert!(found.iter().any(|one| one.starts_with("marks=e4|e5|Nf3!|")), "{seen}");
}
