//! A browser without a window, driven over WebDriver.

use std::fs::{self, Permissions};
use std::io::{BufRead, BufReader};
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

/// The first of these programs on the path.
pub fn program(names: &[&str]) -> Option<PathBuf> {
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

/// The program that drives browsers, with its address.
pub struct Driver {
    child: Child,
    address: String,
    profile: tempfile::TempDir,
}

impl Driver {
    pub fn start(program: &PathBuf) -> Self {
        let profile = tempfile::tempdir().expect("there is room");
        let mut command = Command::new(program);
        leave_root(&mut command, profile.path());
        let mut child = command
            .arg("--port=0")
            .env("HOME", profile.path())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()
            .expect("chromedriver starts");
        let lines = BufReader::new(child.stdout.take().expect("it is piped")).lines();
        let port = lines.map_while(Result::ok).find_map(|line| {
            let (_, port) = line.split_once("successfully on port ")?;
            Some(port.trim_end_matches('.').to_owned())
        });
        let port = port.expect("chromedriver says its port");
        Self { child, address: format!("http://127.0.0.1:{port}"), profile }
    }

    /// A browser of this size. It resolves no name, so that no request leaves the computer.
    pub fn browser(&self, browser: &PathBuf, width: u32, height: u32) -> Browser {
        let profile = self.profile.path().join("profile");
        let arguments = [
            "--headless=new".to_owned(),
            "--disable-gpu".to_owned(),
            "--disable-dev-shm-usage".to_owned(),
            "--no-first-run".to_owned(),
            "--disable-background-networking".to_owned(),
            "--host-resolver-rules=MAP * ~NOTFOUND, EXCLUDE 127.0.0.1".to_owned(),
            format!("--user-data-dir={}", profile.display()),
            format!("--window-size={width},{height}"),
        ];
        let options = json!({ "args": arguments, "binary": browser });
        let wanted = json!({
            "goog:chromeOptions": options,
            "timeouts": { "script": PATIENCE.as_millis() as u64 },
            "goog:loggingPrefs": { "browser": "ALL", "performance": "ALL" },
        });
        let body = json!({ "capabilities": { "alwaysMatch": wanted } });
        let url = format!("{}/session", self.address);
        let session = request(&url, Some(&body)).expect("a browser starts");
        let id = session["sessionId"].as_str().expect("a session has a name");
        let browser = Browser { url: format!("{url}/{id}") };
        // Without a window the page has no focus since Chromium 148.
        browser.command("Emulation.setFocusEmulationEnabled", &json!({ "enabled": true }));
        browser
    }
}

impl Drop for Driver {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn request(url: &str, body: Option<&Value>) -> Result<Value, String> {
    let config = ureq::Agent::config_builder()
        .timeout_global(Some(PATIENCE))
        .http_status_as_error(false)
        .build();
    let agent = ureq::Agent::new_with_config(config);
    let answer = match body {
        Some(body) => agent.post(url).send_json(body),
        None => agent.get(url).call(),
    };
    let mut answer = answer.map_err(|error| error.to_string())?;
    let mut text: Value = answer
        .body_mut()
        .with_config()
        .limit(64 << 20)
        .read_json()
        .map_err(|error| error.to_string())?;
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
        request(&format!("{}/{path}", self.url), Some(body))
            .unwrap_or_else(|error| panic!("{path} {body}: {error}"))
    }

    /// Shows a page.
    pub fn open(&self, url: &str) {
        self.post("url", &json!({ "url": url }));
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

    fn find(&self, selector: &str) -> String {
        let body = json!({ "using": "css selector", "value": selector });
        let element = self.post("element", &body);
        element[ELEMENT].as_str().expect("an element has a name").to_owned()
    }

    pub fn click(&self, selector: &str) {
        let id = self.find(selector);
        self.post(&format!("element/{id}/click"), &json!({}));
    }

    /// Types into an element.
    pub fn send(&self, selector: &str, text: &str) {
        let id = self.find(selector);
        self.post(&format!("element/{id}/value"), &json!({ "text": text }));
    }

    /// Presses keys wherever the focus is.
    pub fn keys(&self, keys: &[&str]) {
        let one = |key: &&str| {
            [json!({ "type": "keyDown", "value": key }), json!({ "type": "keyUp", "value": key })]
        };
        let actions: Vec<Value> = keys.iter().flat_map(one).collect();
        self.post(
            "actions",
            &json!({ "actions": [{ "type": "key", "id": "keys", "actions": actions }] }),
        );
    }

    pub fn drag(&self, from: Point, to: Point) {
        let middle = ((from.0 + to.0) / 2, (from.1 + to.1) / 2);
        self.pointer(
            "mouse",
            &[
                move_to(from),
                json!({ "type": "pointerDown", "button": 0 }),
                move_to(middle),
                move_to(to),
                json!({ "type": "pointerUp", "button": 0 }),
            ],
        );
    }

    /// Clicks with the mouse.
    pub fn press(&self, at: Point) {
        self.pointer(
            "mouse",
            &[
                move_to(at),
                json!({ "type": "pointerDown", "button": 0 }),
                json!({ "type": "pointerUp", "button": 0 }),
            ],
        );
    }

    /// Presses the mouse and holds it, until [`Self::let_go`].
    pub fn hold(&self, at: Point) {
        self.pointer("mouse", &[move_to(at), json!({ "type": "pointerDown", "button": 0 })]);
    }

    pub fn let_go(&self) {
        self.pointer("mouse", &[json!({ "type": "pointerUp", "button": 0 })]);
    }

    pub fn tap(&self, at: Point) {
        self.pointer(
            "touch",
            &[
                move_to(at),
                json!({ "type": "pointerDown", "button": 0 }),
                json!({ "type": "pointerUp", "button": 0 }),
            ],
        );
    }

    fn pointer(&self, kind: &str, actions: &[Value]) {
        let source = json!({ "type": "pointer", "id": kind, "parameters": { "pointerType": kind }, "actions": actions });
        self.post("actions", &json!({ "actions": [source] }));
    }

    /// The messages of a log since the last time: `browser`, or `performance`.
    pub fn log(&self, kind: &str) -> Vec<Value> {
        self.post("se/log", &json!({ "type": kind })).as_array().cloned().unwrap_or_default()
    }
}

fn move_to((x, y): Point) -> Value {
    json!({ "type": "pointerMove", "duration": 0, "x": x, "y": y })
}

impl Drop for Browser {
    fn drop(&mut self) {
        let config = ureq::Agent::config_builder().timeout_global(Some(PATIENCE)).build();
        let _ = ureq::Agent::new_with_config(config).delete(&self.url).call();
    }
}
