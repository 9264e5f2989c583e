//! The board in a real browser: a server, a browser without a window that is driven over WebDriver,
//! and the page as a user handles it.

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
use std::ops::Deref;
use std::os::unix::fs::{MetadataExt, PermissionsExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};

/// Patience against hangs; nothing is expected to take as long.
const PATIENCE: Duration = Duration::from_secs(120);

/// The key under which WebDriver names elements.
const ELEMENT: &str = "element-6066-11e4-a52e-4f735466cecf";

/// The keys of WebDriver.
pub mod key {
    pub const ENTER: &str = "\u{e007}";
    pub const LEFT: &str = "\u{e012}";
    pub const UP: &str = "\u{e013}";
    pub const RIGHT: &str = "\u{e014}";
    pub const DOWN: &str = "\u{e015}";
    pub const PAGE_UP: &str = "\u{e00e}";
    pub const HOME: &str = "\u{e011}";
    pub const END: &str = "\u{e010}";
    pub const ESCAPE: &str = "\u{e00c}";
    pub const F2: &str = "\u{e032}";
}

/// The first of these programs on the path.
pub fn program(names: &[&str]) -> Option<PathBuf> {
    let folders = std::env::var_os("PATH")?;
    let folders: Vec<PathBuf> = std::env::split_paths(&folders).collect();
    let paths = names.iter().flat_map(|name| folders.iter().map(move |folder| folder.join(name)));
    paths.into_iter().find(|path| path.is_file())
}

/// A program that runs as long as this lives.
struct Running(Child);

impl Running {
    /// Starts a program, and gives what a line of its output says.
    fn start(command: &mut Command, said: impl Fn(&str) -> Option<String>) -> (Self, String) {
        let mut child = command.stdout(Stdio::piped()).spawn().expect("the program starts");
        let mut lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let said = lines.by_ref().map_while(Result::ok).find_map(|line| said(&line));
        // Whatever it says later is read, so that it never waits for us.
        thread::spawn(move || lines.for_each(drop));
        (Self(child), said.expect("the program says where it listens"))
    }
}

impl Drop for Running {
    fn drop(&mut self) {
        let _ = self.0.kill();
        let _ = self.0.wait();
    }
}

/// `tamarin-tools board`, with its games in a folder of the test. Dropped, it ends as the system
/// would end it: nothing is tidied up.
pub struct Server {
    _program: Running,
    pub address: String,
}

impl Server {
    /// The program: that of `TAMARIN_TOOLS`, or of the last debug build. `tamarin`, which analyzes
    /// games of files, stands beside it.
    pub fn program() -> PathBuf {
        std::env::var_os("TAMARIN_TOOLS").map_or_else(
            || Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../../target/debug/tamarin-tools"),
            PathBuf::from,
        )
    }

    pub fn start(state: &Path) -> Self {
        let mut command = Command::new(Self::program());
        command.args(["board", "--no-browser", "--threads", "1", "--hash", "8", "--engine"]);
        command.arg(Self::program().with_file_name("tamarin"));
        for variable in ["XDG_STATE_HOME", "XDG_DATA_HOME", "HOME"] {
            command.env(variable, state);
        }
        let (program, address) = Running::start(command.stdin(Stdio::null()), |line| {
            line.split_whitespace().find(|word| word.starts_with("http://")).map(str::to_owned)
        });
        Self { _program: program, address }
    }
}

/// The program that drives browsers, with its address.
pub struct Driver {
    _program: Running,
    address: String,
    profile: tempfile::TempDir,
}

impl Driver {
    pub fn start(program: &Path) -> Self {
        let profile = tempfile::tempdir().expect("there is room");
        let mut command = Command::new(program);
        command.arg("--port=0").env("HOME", profile.path()).stderr(Stdio::null());
        // Chromium refuses to run as root: then it runs as the user `nobody`, who may use the folder.
        const NOBODY: u32 = 65534;
        if fs::metadata(profile.path()).expect("it is there").uid() == 0 {
            let everyone = Permissions::from_mode(0o777);
            fs::set_permissions(profile.path(), everyone).expect("it is ours");
            command.uid(NOBODY).gid(NOBODY);
        }
        let (program, address) = Running::start(&mut command, |line| {
            let (_, port) = line.split_once("successfully on port ")?;
            Some(format!("http://127.0.0.1:{}", port.trim_end_matches('.')))
        });
        Self { _program: program, address, profile }
    }

    /// A browser. It resolves no name, so that no request leaves the computer.
    pub fn browser(&self, browser: &Path) -> Browser {
        let profile = self.profile.path().join("profile");
        let arguments = [
            "--headless=new".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            "--no-first-run".to_owned(),
            "--disable-background-networking".to_owned(),
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1".to_owned(),
            format!("--user-data-dir={}", profile.display()),
            "--window-size=1280,800".to_owned(),
        ];
        let wanted = json!({
            "goog:chromeOptions": { "args": arguments, "binary": browser },
            "timeouts": { "script": PATIENCE.as_millis() as u64 },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        });
        let body = json!({ "capabilities": { "alwaysMatch": wanted } });
        let url = format!("{}/session", self.address);
        let session = request(&url, &body).expect("a browser starts");
        let id = session["sessionId"].as_str().expect("a session has a name");
        let browser = Browser { url: format!("{url}/{id}") };
        // Without a window the page has no focus since Chromium 148.
        browser.command("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }));
        browser
    }
}

fn agent() -> ureq::Agent {
    let config = ureq::Agent::config_builder().timeout_global(Some(PATIENCE));
    ureq::Agent::new_with_config(config.http_status_as_error(false).build())
}

fn request(url: &str, body: &Value) -> Result<Value, String> {
    let mut answer = agent().post(url).send_json(body).map_err(|error| error.to_string())?;
    let text = answer.body_mut().with_config().limit(64 << 20).read_json();
    let mut text: Value = text.map_err(|error| error.to_string())?;
    let value = text["value"].take();
    match value["error"].as_str() {
        Some(error) => Err(format!("{error}: {}", value["message"].as_str().unwrap_or_default())),
        None => Ok(value),
    }
}

pub struct Browser {
    url: String,
}

/// A place on the page.
pub type Point = (i64, i64);

impl Browser {
    fn post(&self, path: &str, body: &Value) -> Value {
        request(&format!("{}/{path}", self.url), body)
            .unwrap_or_else(|error| panic!("{path} {body}: {error}"))
    }

    /// Loads the page again.
    pub fn reload(&self) {
        self.post("refresh", &json!({}));
    }

    /// A command of the browser's own protocol.
    pub fn command(&self, name: &str, parameters: &Value) -> Value {
        self.post("goog/cdp/execute", &json!({ "cmd": name, "params": parameters }))
    }

    /// The page is that of a phone, or of a window, of this size.
    pub fn resize(&self, width: u32, height: u32) {
        let size = json!({ "width": width, "height": height, "deviceScaleFactor": 1, "mobile": width < 500 });
        self.command("Emulation.setDeviceMetricsOverride", &size);
    }

    /// Runs a script; the value of its last `return` comes back.
    pub fn run(&self, script: &str) -> Value {
        self.post("execute/sync", &json!({ "script": script, "args": [] }))
    }

    pub fn run_async(&self, script: &str) -> Value {
        let script = format!(
            "const done = arguments[0]; (async () => {{ {script} }})().then(done, (error) => done('error: ' + error));"
        );
        self.post("execute/async", &json!({ "script": script, "args": [] }))
    }

    /// Waits until an expression is true, and gives its value.
    pub fn until(&self, expression: &str) -> Value {
        let begin = Instant::now();
        loop {
            let value = self.run(&format!("return {expression};"));
            if !matches!(value, Value::Null | Value::Bool(false)) {
                return value;
            }
            if begin.elapsed() > PATIENCE {
                let page = self.run("return [location.href, document.body.innerText.slice(0, 1500), [...document.querySelectorAll('.cell .piece')].map((piece) => piece.parentElement.dataset.square + piece.dataset.piece).join(' ')].join('\\n');");
                panic!("in vain: {expression}\n{}", page.as_str().unwrap_or_default());
            }
            thread::sleep(Duration::from_millis(15));
        }
    }

    /// Waits until an element is there.
    pub fn shows(&self, selector: &str) {
        self.until(&format!("document.querySelector({}) !== null", json!(selector)));
    }

    /// Waits until so many elements are there.
    pub fn counts(&self, selector: &str, count: usize) {
        self.until(&format!("document.querySelectorAll({}).length === {count}", json!(selector)));
    }

    /// Clicks on an element by a script.
    pub fn pick(&self, selector: &str) {
        self.run(&format!("document.querySelector({}).click();", json!(selector)));
    }

    /// Clicks by a script on the first of these elements with this text, or with this in its text.
    pub fn pick_text(&self, selector: &str, text: &str) {
        let (selector, text) = (json!(selector), json!(text));
        let element = format!(
            "((all) => all.find((one) => one.innerText === {text}) ?? all.find((one) => one.innerText.includes({text})))([...document.querySelectorAll({selector})])"
        );
        self.until(&format!("{element} !== undefined"));
        self.run(&format!("{element}.click();"));
    }

    fn find(&self, selector: &str) -> String {
        let body = json!({ "using": "css selector", "value": selector });
        let element = self.post("element", &body);
        element[ELEMENT].as_str().expect("an element has a name").to_owned()
    }

    /// Clicks on an element as a user does.
    pub fn click_on(&self, selector: &str) {
        let id = self.find(selector);
        self.post(&format!("element/{id}/click"), &json!({}));
    }

    /// Types into an element.
    pub fn send(&self, selector: &str, text: &str) {
        let id = self.find(selector);
        self.post(&format!("element/{id}/value"), &json!({ "text": text }));
    }

    fn act(&self, source: &Value) {
        self.post("actions", &json!({ "actions": [source] }));
    }

    /// Presses keys wherever the focus is.
    pub fn keys(&self, keys: &[&str]) {
        let one =
            |key: &&str| ["keyDown", "keyUp"].map(|kind| json!({ "type": kind, "value": key }));
        let actions: Vec<Value> = keys.iter().flat_map(one).collect();
        self.act(&json!({ "type": "key", "id": "keys", "actions": actions }));
    }

    fn point_by(&self, kind: &str, actions: &[Value]) {
        self.act(
            &json!({ "type": "pointer", "id": kind, "parameters": { "pointerType": kind }, "actions": actions }),
        );
    }

    pub fn drag_to(&self, from: Point, to: Point) {
        let middle = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
        self.point_by(
            "mouse",
            &[move_to(from), button("Down"), move_to(middle), move_to(to), button("Up")],
        );
    }

    /// Clicks with the mouse.
    pub fn press(&self, at: Point) {
        self.point_by("mouse", &[move_to(at), button("Down"), button("Up")]);
    }

    /// Presses the mouse and holds it, until [`Self::let_go`].
    pub fn hold(&self, at: Point) {
        self.point_by("mouse", &[move_to(at), button("Down")]);
    }

    pub fn let_go(&self) {
        self.point_by("mouse", &[button("Up")]);
    }

    /// Presses the mouse at a place, and moves it to another without letting go.
    pub fn hold_and_move(&self, from: Point, to: Point) {
        self.point_by("mouse", &[move_to(from), button("Down"), move_to(to)]);
    }

    /// Moves a finger over the page.
    pub fn swipe(&self, from: Point, to: Point) {
        self.point_by("touch", &[move_to(from), button("Down"), move_to(to), button("Up")]);
    }

    pub fn tap(&self, at: Point) {
        self.point_by("touch", &[move_to(at), button("Down"), button("Up")]);
    }

    /// The messages of a log since the last time: `browser`, or `performance`.
    pub fn log(&self, kind: &str) -> Vec<Value> {
        self.post("se/log", &json!({ "type": kind })).as_array().cloned().unwrap_or_default()
    }
}

fn move_to((x, y): Point) -> Value {
    json!({ "type": "pointerMove", "duration": 0, "x": x, "y": y })
}

fn button(way: &str) -> Value {
    json!({ "type": format!("pointer{way}"), "button": 0 })
}

impl Drop for Browser {
    fn drop(&mut self) {
        let _ = agent().delete(&self.url).call();
    }
}

/// The page of a server in a browser.
pub struct Page<'a> {
    pub browser: &'a Browser,
    pub address: &'a str,
}

impl Deref for Page<'_> {
    type Target = Browser;

    fn deref(&self) -> &Browser {
        self.browser
    }
}

/// The moves in the list of moves.
const MOVES: &str = "#moves .mv[data-node]";

impl Page<'_> {
    /// Shows the page and waits until it is ready.
    pub fn load(&self) {
        for url in ["about:blank", self.address] {
            self.post("url", &json!({ "url": url }));
        }
        self.until("document.body?.dataset.ready === 'yes'");
    }

    /// What imports a module in a script.
    pub fn module(&self, name: &str) -> String {
        format!("(await import(new URL('assets/js/{name}.js', location.href.split('#')[0])))")
    }

    /// Opens a session as the page itself does.
    pub fn open(&self, options: Value) {
        let script = format!("return (await {}.open({options})).session;", self.module("api"));
        let said = self.run_async(&script);
        let session = said.as_str().unwrap_or_default();
        assert!(!session.starts_with("error"), "{options}: {session}");
        self.until(&format!(
            "location.hash === '#{session}' && document.querySelectorAll('.cell').length"
        ));
    }

    /// Opens a session of a kind with these options.
    fn open_as(&self, mut options: Value, more: Value) {
        for (name, value) in more.as_object().into_iter().flatten() {
            options[name] = value.clone();
        }
        self.open(options);
    }

    pub fn two_people(&self, more: Value) {
        let person = |name| json!({ "kind": "person", "name": name });
        let options = json!({ "kind": "play", "white": person("Ann"), "black": person("Bob") });
        self.open_as(options, more);
    }

    pub fn analyse(&self, more: Value) {
        self.open_as(json!({ "kind": "analyse" }), more);
    }

    /// Turns the engine of an analysis on or off.
    pub fn engine(&self) {
        self.pick("#lines-panel input");
    }

    /// The state that the page shows.
    pub fn state(&self) -> Value {
        self.run_async(&format!("return {}.state();", self.module("store")))
    }

    /// Waits until the position on the board begins with this text.
    pub fn until_fen(&self, begin: &str) {
        let store = self.module("store");
        self.run_async(&format!(
            "while (!{store}.state().position.fen.startsWith('{begin}')) await new Promise((resolve) => setTimeout(resolve, 10));"
        ));
    }

    /// Waits until this stands on a square: `white K`, or nothing.
    pub fn expect(&self, square: &str, piece: &str) {
        self.until(&format!("({}) === '{piece}'", piece_on(square)));
    }

    /// The middle of a square in the window.
    pub fn point(&self, square: &str) -> Point {
        self.middle(&format!("[data-square=\"{square}\"]"))
    }

    /// The middle of an element in the window.
    pub fn middle(&self, selector: &str) -> Point {
        let at = self.run(&format!(
            "const box = document.querySelector({}).getBoundingClientRect(); \
             return [box.left + box.width / 2, box.top + box.height / 2].map(Math.round);",
            json!(selector)
        ));
        (at[0].as_i64().expect("a number"), at[1].as_i64().expect("a number"))
    }

    /// Waits until the list has this number of moves.
    pub fn ply(&self, plies: usize) {
        self.counts(MOVES, plies);
    }

    /// Drags a piece, and waits until the move is in the list.
    pub fn drag(&self, from: &str, to: &str) {
        let piece = self.run(&format!("return {};", piece_on(from)));
        let before = self.count_moves();
        self.drag_to(self.point(from), self.point(to));
        // The piece is there before the server has answered.
        self.until(&format!("document.querySelectorAll('{MOVES}').length > {before}"));
        self.expect(to, piece.as_str().unwrap_or_default());
    }

    /// Clicks on a piece and on its target.
    pub fn click(&self, from: &str, to: &str) {
        self.press(self.point(from));
        self.shows(&format!("[data-square={from}].selected"));
        self.press(self.point(to));
    }

    /// Types into the field for moves and commands.
    pub fn enter(&self, text: &str) {
        self.send("#typed", &format!("{text}{}", key::ENTER));
        self.until("document.getElementById('typed').value === ''");
    }

    /// Types moves, one after the other.
    pub fn moves(&self, moves: &str) {
        for text in moves.split_whitespace() {
            let before = self.count_moves();
            self.enter(text);
            self.ply(before + 1);
        }
    }

    fn count_moves(&self) -> usize {
        let count = self.run(&format!("return document.querySelectorAll('{MOVES}').length;"));
        usize::try_from(count.as_u64().expect("a number")).expect("few")
    }

    /// Clicks on a visible button, as soon as it can be.
    pub fn button(&self, text: &str) {
        let name = format!(
            "[...document.querySelectorAll('button')].find((button) => button.offsetParent && button.textContent.trim() === {})",
            json!(text)
        );
        self.until(&format!("{name}?.disabled === false"));
        self.run(&format!("{name}.click();"));
    }

    /// Shows a tab of the analysis.
    pub fn tab(&self, name: &str) {
        self.pick(&format!("#tab-{name}"));
        self.shows(&format!("#tab-{name}[aria-selected=true]"));
    }

    /// Turns a switch of the settings on or off.
    pub fn switch(&self, label: &str) {
        self.pick("[data-do=settings]");
        self.pick_text("dialog label", label);
        self.click_on("dialog button.main");
        self.counts("dialog", 0);
        // What is below a dialog takes no keys before it is drawn without it.
        self.run_async("for (const i of [1, 2]) await new Promise(requestAnimationFrame);");
    }

    /// Gives a field a value, as a user does.
    pub fn set(&self, selector: &str, value: &str) {
        self.until(&format!("document.querySelector({}) !== null", json!(selector)));
        self.run(&format!(
            "const field = document.querySelector({}); field.value = {}; \
             for (const kind of ['input', 'change']) field.dispatchEvent(new Event(kind, {{ bubbles: true }}));",
            json!(selector),
            json!(value)
        ));
    }

    pub fn text(&self, selector: &str) -> String {
        let script =
            format!("return document.querySelector({})?.innerText ?? '';", json!(selector));
        self.run(&script).as_str().unwrap_or_default().to_owned()
    }

    /// Waits until the text of an element contains this.
    pub fn says(&self, selector: &str, text: &str) {
        let (selector, text) = (json!(selector), json!(text));
        self.until(&format!("document.querySelector({selector})?.innerText.includes({text})"));
    }

    pub fn pgn(&self) -> String {
        let text = self.run_async(&format!("return {}.pgn();", self.module("api")));
        text.as_str().unwrap_or_default().to_owned()
    }

    pub fn drop_file(&self, name: &str, text: &str) {
        self.run(&format!(
            "const data = new DataTransfer(); data.items.add(new File([{}], {})); \
             for (const kind of ['dragenter', 'dragover', 'drop']) \
             document.body.dispatchEvent(new DragEvent(kind, {{ dataTransfer: data, bubbles: true, cancelable: true }}));",
            json!(text),
            json!(name)
        ));
    }

    /// The settings are again as they were at first.
    pub fn forget_settings(&self) {
        self.run("localStorage.clear();");
    }
}

/// A script with what stands on a square.
fn piece_on(square: &str) -> String {
    format!(
        "(() => {{ const piece = document.querySelector('[data-square=\"{square}\"] .piece'); \
         return piece ? piece.dataset.side + ' ' + piece.dataset.piece.toUpperCase() : ''; }})()"
    )
}
