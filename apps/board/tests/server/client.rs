//! A server in this process, and somebody who asks it.

use std::io::{BufRead, BufReader, Read, Write};
use std::net::{IpAddr, Ipv4Addr, Shutdown, SocketAddr, TcpStream};
use std::sync::Arc;
use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tamarin_board::{Folder, Resources, Server, Sessions};

/// Nothing that works takes so long, however busy the computer is.
pub const PATIENCE: Duration = Duration::from_secs(120);

/// What a client does once it has sent its request.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Then {
    Wait,
    /// It sends nothing more, although the server may wait for it.
    Leave,
}

/// A server, and the address of its page.
pub struct Served {
    pub place: SocketAddr,
    pub token: String,
    pub sessions: Arc<Sessions>,
}

/// An answer: its status, its head, and its body.
pub struct Answer {
    pub status: u16,
    pub head: String,
    pub body: String,
}

impl Answer {
    pub fn json(&self) -> Value {
        serde_json::from_str(&self.body).unwrap_or_else(|_| panic!("no JSON: {}", self.body))
    }

    pub fn error(&self) -> String {
        self.json()["error"].as_str().unwrap_or_default().to_owned()
    }
}

/// A server whose games are kept in a folder, if one is given.
pub fn serve_with(folder: Option<&std::path::Path>, address: [u8; 4]) -> Served {
    let resources = Resources::new(1, 1);
    let folder = folder.map(|path| Folder::at(path).unwrap());
    let sessions = Sessions::new(resources, folder).unwrap();
    let address = IpAddr::V4(Ipv4Addr::from(address));
    let server = Server::bind(address, 0, Arc::clone(&sessions)).unwrap();
    let url = server.url();
    thread::spawn(move || server.run().unwrap());
    let rest = url.strip_prefix("http://").unwrap();
    let (place, token) = rest.split_once('/').unwrap();
    let token = token.trim_end_matches('/').to_owned();
    Served { place: place.parse().unwrap(), token, sessions }
}

pub fn serve() -> Served {
    serve_with(None, [127, 0, 0, 1])
}

/// A server whose games are kept in a folder.
pub fn serve_in(folder: &std::path::Path) -> Served {
    serve_with(Some(folder), [127, 0, 0, 1])
}

impl Drop for Served {
    fn drop(&mut self) {
        self.sessions.close();
    }
}

impl Served {
    /// Sends bytes as they are, and gives what comes back until the end.
    pub fn raw(&self, bytes: &[u8], then: Then) -> Vec<u8> {
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

    pub fn request(&self, method: &str, path: &str, headers: &str, body: &[u8]) -> Answer {
        let host = self.place;
        let host =
            if headers.contains("Host:") { String::new() } else { format!("Host: {host}\r\n") };
        let mut bytes = format!(
            "{method} {path} HTTP/1.1\r\n{host}{headers}Connection: close\r\nContent-Length: {}\r\n\r\n",
            body.len()
        )
        .into_bytes();
        bytes.extend_from_slice(body);
        let back = String::from_utf8_lossy(&self.raw(&bytes, Then::Wait)).into_owned();
        let (head, body) = back.split_once("\r\n\r\n").unwrap_or((&back, ""));
        let status = head.split_whitespace().nth(1).and_then(|text| text.parse().ok()).unwrap_or(0);
        Answer { status, head: head.to_lowercase(), body: body.to_owned() }
    }

    pub fn get(&self, path: &str) -> Answer {
        self.request("GET", &format!("/{}/{path}", self.token), "", b"")
    }

    pub fn post(&self, path: &str, body: &Value) -> Answer {
        let body = body.to_string();
        self.request("POST", &format!("/{}/{path}", self.token), "", body.as_bytes())
    }

    /// Opens a session: its number.
    pub fn open(&self, open: &Value) -> String {
        let answer = self.post("api/open", open);
        assert_eq!(answer.status, 200, "{}", answer.body);
        answer.json()["session"].as_str().unwrap().to_owned()
    }

    pub fn perform(&self, session: &str, command: &Value) -> Answer {
        self.post(&format!("api/do?session={session}"), command)
    }

    /// Carries out a command that is good: the state after it.
    pub fn good(&self, session: &str, command: &Value) -> Value {
        let answer = self.perform(session, command);
        assert_eq!(answer.status, 200, "{command}: {}", answer.body);
        answer.json()["state"].clone()
    }

    /// Carries out a command that is bad: why it is. Nothing has changed.
    pub fn bad(&self, session: &str, command: &Value) -> String {
        let before = self.state(session);
        let answer = self.perform(session, command);
        assert!(
            (400..500).contains(&answer.status),
            "{command}: {} {}",
            answer.status,
            answer.body
        );
        let after = self.state(session);
        for part in ["position", "tree", "at", "result", "players"] {
            assert_eq!(before[part], after[part], "{command} has changed {part}");
        }
        answer.error()
    }

    pub fn state(&self, session: &str) -> Value {
        self.get(&format!("api/state?session={session}")).json()["state"].clone()
    }

    pub fn moves(&self, session: &str, moves: &str) -> Value {
        let mut state = Value::Null;
        for mv in moves.split_whitespace() {
            state = self.good(session, &json!({"do": "move", "mv": mv}));
        }
        state
    }

    pub fn pgn(&self, session: &str) -> String {
        self.get(&format!("api/pgn?session={session}")).body
    }

    pub fn listen(&self, session: &str) -> Events {
        let mut stream = TcpStream::connect(self.place).unwrap();
        stream.set_read_timeout(Some(PATIENCE)).unwrap();
        let (host, token) = (self.place, &self.token);
        write!(
            stream,
            "GET /{token}/api/events?session={session} HTTP/1.1\r\nHost: {host}\r\n\r\n"
        )
        .unwrap();
        Events { lines: BufReader::new(stream) }
    }

    /// Waits until the state of a session is as wanted, and gives it.
    pub fn wait(&self, session: &str, wanted: impl Fn(&Value) -> bool) -> Value {
        let since = Instant::now();
        loop {
            let state = self.state(session);
            if wanted(&state) {
                return state;
            }
            assert!(since.elapsed() < PATIENCE, "still {state}");
            thread::sleep(Duration::from_millis(20));
        }
    }
}

/// Server-sent events.
pub struct Events {
    lines: BufReader<TcpStream>,
}

impl Events {
    /// The next event, its name and its data as text; `None` at the end of the stream.
    pub fn try_next(&mut self) -> Option<(String, String)> {
        let mut name = String::new();
        loop {
            let mut line = String::new();
            self.lines.read_line(&mut line).ok().filter(|length| *length > 0)?;
            let line = line.trim_end();
            if let Some(text) = line.strip_prefix("event: ") {
                name = text.to_owned();
            } else if let Some(text) = line.strip_prefix("data: ") {
                return Some((name, text.to_owned()));
            }
        }
    }

    /// The next event of a name that is as wanted.
    pub fn until(&mut self, wanted: &str, is_it: impl Fn(&Value) -> bool) -> Value {
        loop {
            let (name, data) = self.try_next().expect("the stream goes on");
            if name == wanted {
                let data = serde_json::from_str(&data).unwrap();
                if is_it(&data) {
                    return data;
                }
            }
        }
    }
}
