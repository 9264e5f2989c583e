//! The server of the board, as pages use it.
#![expect(clippy::needless_pass_by_value, reason = "most commands are made where they are sent")]

mod analysis;
mod editing;
mod kept;
#[path = "../../../../movegen/tests/long/mod.rs"]
mod long;
mod playing;
mod requests;
mod variants;

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::path::Path;
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tamarin_board::{Folder, Resources, Server, Sessions};

/// Nothing that works takes so long, however busy the computer is.
const PATIENCE: Duration = Duration::from_secs(120);

/// What a client does once it has sent its request.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Then {
    Wait,
    /// It sends nothing more, although the server may wait for it.
    Leave,
}

/// A server in this process, and the address of its page.
struct Served {
    place: SocketAddr,
    token: String,
    sessions: Arc<Sessions>,
}

/// An answer: its status, its head, and its body.
struct Answer {
    status: u16,
    head: String,
    body: String,
}

impl Answer {
    fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }

    fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_default().to_owned()
    }
}

/// A server whose games are kept in a folder, if one is given.
fn serve_with(folder: Option<&Path>, address: [u8; 4]) -> Served {
    serve_of(Resources::new(1, 1), folder, address)
}

fn serve_of(resources: Resources, folder: Option<&Path>, address: [u8; 4]) -> Served {
    let folder = folder.map(|path| Folder::at(path).unwrap());
    let sessions = Sessions::new(resources, folder).unwrap();
    let address = IpAddr::V4(Ipv4Addr::from(address));
    let server = Server::bind(address, 0, Arc::clone(&sessions)).unwrap();
    let url = server.url();
    thread::spawn(move || server.run().unwrap());
    let (place, token) = url.strip_prefix("http://").unwrap().split_once('/').unwrap();
    let token = token.trim_end_matches('/').to_owned();
    Served { place: place.parse().unwrap(), token, sessions }
}

fn serve() -> Served {
    serve_with(None, [127, 0, 0, 1])
}

/// A server whose games are kept in a folder.
fn serve_in(folder: &Path) -> Served {
    serve_with(Some(folder), [127, 0, 0, 1])
}

impl Drop for Served {
    fn drop(&mut self) {
        self.sessions.close();
    }
}

impl Served {
    /// Sends bytes as they are, and gives what comes back until the end.
    fn raw(&self, bytes: &[u8], then: Then) -> Vec<u8> {
        let mut stream = TcpStream::connect(self.place).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        // The server may have answered and closed before everything was sent.
        let _ = stream.write_all(bytes);
        if then == Then::Leave {
            let _ = stream.shutdown(Shutdown::Write);
        }
        let mut back = Vec::new();
        let _ = stream.read_to_end(&mut back);
        back
    }

    fn request(&self, method: &str, path: &str, headers: &str, body: &str) -> Answer {
        let host = match headers.contains("Host:") {
            true => String::new(),
            false => format!("Host: {}\r\n", self.place),
        };
        let length = body.len();
        let text = format!(
            "{method} {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\nContent-Length: {length}\r\n\r\n{body}"
        );
        let back = String::from_utf8_lossy(&self.raw(text.as_bytes(), Then::Wait)).into_owned();
        let (head, body) = back.split_once("\r\n\r\n").unwrap_or((&back, ""));
        let status = head.split_whitespace().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    fn get(&self, path: &str) -> Answer {
        self.request("GET", &format!("/{}/{path}", self.token), "", "")
    }

    fn post(&self, path: &str, body: &Value) -> Answer {
        self.request("POST", &format!("/{}/{path}", self.token), "", &body.to_string())
    }

    /// Opens a session.
    fn open(&self, open: Value) -> Table<'_> {
        let answer = self.post("api/open", &open);
        assert_eq!(answer.status, 200, "{}", answer.body);
        self.table(answer.json()["session"].as_str().unwrap())
    }

    /// A game of two persons.
    fn people(&self, more: Value) -> Table<'_> {
        let person = |name| json!({"kind": "person", "name": name});
        self.open(with(
            json!({"kind": "play", "white": person("Ann"), "black": person("Bob")}),
            more,
        ))
    }

    fn analyse(&self, more: Value) -> Table<'_> {
        self.open(with(json!({"kind": "analyse"}), more))
    }

    /// The session of this number.
    fn table(&self, id: &str) -> Table<'_> {
        Table { served: self, id: id.to_owned() }
    }

    /// The games that can be resumed.
    fn kept(&self) -> Vec<Value> {
        self.get("api/sessions").json().as_array().unwrap().clone()
    }
}

/// What `more` has is put over what is there.
fn with(mut open: Value, more: Value) -> Value {
    for (name, value) in more.as_object().unwrap() {
        open[name] = value.clone();
    }
    open
}

/// Some of the parts of a value, each by its names with slashes between them.
fn parts(value: &Value, names: &str) -> Value {
    let part = |name| value.pointer(&format!("/{name}")).unwrap_or(&Value::Null);
    names.split_whitespace().map(part).cloned().collect()
}

/// A session at a server.
struct Table<'a> {
    served: &'a Served,
    id: String,
}

impl Table<'_> {
    fn get(&self, what: &str) -> Answer {
        self.served.get(&format!("api/{what}?session={}", self.id))
    }

    fn perform(&self, command: &Value) -> Answer {
        self.served.post(&format!("api/do?session={}", self.id), command)
    }

    /// Carries out a command that is good: the state after it.
    fn good(&self, command: Value) -> Value {
        let answer = self.perform(&command);
        assert_eq!(answer.status, 200, "{command}: {}", answer.body);
        answer.json()["state"].clone()
    }

    /// The same of a command of one word.
    fn does(&self, command: &str) -> Value {
        self.good(json!({ "do": command }))
    }

    /// Carries out a command that is refused for this reason. Nothing has changed.
    fn bad(&self, command: Value, why: &str) {
        let before = self.state();
        let answer = self.perform(&command);
        assert!((400..500).contains(&answer.status), "{command}: {}", answer.body);
        assert!(answer.error().len() > 5 && answer.error().contains(why), "{}", answer.body);
        let after = self.state();
        for part in ["position", "tree", "at", "result", "players"] {
            assert_eq!(before[part], after[part], "{command} has changed {part}");
        }
    }

    fn state(&self) -> Value {
        self.get("state").json()["state"].clone()
    }

    /// Plays moves: the state after the last one.
    fn moves(&self, moves: &str) -> Value {
        let mut state = Value::Null;
        for mv in moves.split_whitespace() {
            state = self.good(json!({"do": "move", "mv": mv}));
        }
        state
    }

    fn pgn(&self) -> String {
        self.get("pgn").body
    }

    fn listen(&self) -> Events {
        let mut stream = TcpStream::connect(self.served.place).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (id, Served { place, token, .. }) = (&self.id, self.served);
        let path = format!("/{token}/api/events?session={id}");
        write!(stream, "GET {path} HTTP/1.1\r\nHost: {place}\r\n\r\n").unwrap();
        Events { lines: BufReader::new(stream) }
    }

    /// Waits until the state is as wanted, and gives it.
    fn wait(&self, wanted: impl Fn(&Value) -> bool) -> Value {
        let since = Instant::now();
        loop {
            let state = self.state();
            if wanted(&state) {
                return state;
            }
            assert!(since.elapsed() < PATIENCE, "still {state}");
            thread::sleep(Duration::from_millis(20));
        }
    }

    /// Analyzes the whole game: the state after it.
    fn report(&self) -> Value {
        self.good(json!({"do": "report", "on": true}));
        self.wait(|state| state["report"]["running"] == false)
    }
}

/// How many nodes the tree of a state has.
fn nodes(state: &Value) -> usize {
    state["tree"].as_array().unwrap().len()
}

/// Server-sent events.
struct Events {
    lines: BufReader<TcpStream>,
}

impl Events {
    /// The next event, its name and its data.
    fn next(&mut self) -> (String, Value) {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            assert_ne!(self.lines.read_line(&mut line).unwrap(), 0, "the stream goes on");
            let line = line.trim_end();
            if let Some(text) = line.strip_prefix("event: ") {
                name = text.to_owned();
            } else if let Some(text) = line.strip_prefix("data: ") {
                return (name, serde_json::from_str(text).unwrap());
            }
        }
    }

    /// The next event of a name that is as wanted.
    fn until(&mut self, wanted: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let (name, data) = self.next();
            if name == wanted && is_it(&data) {
                return data;
            }
        }
    }
}
