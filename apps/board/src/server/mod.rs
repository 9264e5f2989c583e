//! The server: where it listens, who may ask, and what is answered.

mod routes;

use std::io;
use std::net::{IpAddr, SocketAddr, TcpListener};
use std::sync::Arc;
use std::time::Duration;

use axum::Router;
use axum::extract::{Request, State};
use axum::http::header::{
    ACCEPT, CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, LOCATION,
    ORIGIN, REFERRER_POLICY, X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode, Uri};
use axum::middleware::{self, Next};
use axum::response::{Html, IntoResponse, Response};
use hyper::server::conn::http1;
use hyper_util::rt::{TokioIo, TokioTimer};
use hyper_util::service::TowerToHyperService;
use parking_lot::Mutex;
use tokio::sync::Semaphore;

use self::routes::error;
use crate::sessions::{Sessions, secret};

/// Requests that are worked on at a time.
const THREADS: usize = 16;

/// What clients may take.
struct Bounds {
    /// Connections at a time, and as many pages that listen.
    connections: usize,
    /// The time for the headers of a request.
    headers: Duration,
}

const BOUNDS: Bounds = Bounds { connections: 512, headers: Duration::from_secs(10) };

/// The time for a request in all, but for what a page listens to.
const REQUEST: Duration = Duration::from_secs(60);

/// What all requests share.
struct App {
    sessions: Arc<Sessions>,
    guard: Guard,
}

/// A server that listens, and has not answered yet.
pub struct Server {
    listener: TcpListener,
    bound: SocketAddr,
    app: Arc<App>,
    bounds: Bounds,
}

impl Server {
    /// A server of these sessions at a port, or at one that is free if it is 0.
    pub fn bind(address: IpAddr, port: u16, sessions: Arc<Sessions>) -> io::Result<Self> {
        let listener = TcpListener::bind((address, port))?;
        let bound = listener.local_addr()?;
        let guard = Guard { token: sessions.token()?, code: Mutex::default(), address: bound };
        let app = Arc::new(App { sessions, guard });
        let server = Self { listener, bound, app, bounds: BOUNDS };
        if let Some(invitation) = server.invitation() {
            server.app.sessions.invite(invitation);
        }
        Ok(server)
    }

    /// The address of the page.
    pub fn url(&self) -> String {
        // A server that listens everywhere is reached here too.
        let host = match self.bound.ip() {
            ip if ip.is_unspecified() && ip.is_ipv6() => IpAddr::from([0_u16, 0, 0, 0, 0, 0, 0, 1]),
            ip if ip.is_unspecified() => IpAddr::from([127, 0, 0, 1]),
            ip => ip,
        };
        self.url_at(host)
    }

    fn url_at(&self, host: IpAddr) -> String {
        let address = SocketAddr::new(host, self.bound.port());
        format!("http://{address}/{}/", self.app.guard.token)
    }

    /// An address that leads to the page once: other users of the computer may see what a program is
    /// started with. `query` follows the address of the page.
    pub fn url_once(&self, query: &str) -> io::Result<String> {
        let code = secret::<16>()?;
        *self.app.guard.code.lock() = Some((code.clone(), query.to_owned()));
        Ok(self
            .url()
            .replace(&self.app.guard.token, &format!("open/{code}"))
            .trim_end_matches('/')
            .to_owned())
    }

    /// The address for others in the local network, if they are let in.
    pub fn invitation(&self) -> Option<String> {
        let ip = self.bound.ip();
        if ip.is_loopback() {
            return None;
        }
        let seen = if ip.is_unspecified() { outside_address()? } else { ip };
        Some(self.url_at(seen))
    }

    /// Answers until the process ends.
    pub fn run(self) -> io::Result<()> {
        let runtime = tokio::runtime::Builder::new_current_thread()
            .enable_all()
            .max_blocking_threads(THREADS)
            .build()?;
        self.listener.set_nonblocking(true)?;
        runtime.block_on(async {
            let listener = tokio::net::TcpListener::from_std(self.listener)?;
            let guarded = middleware::from_fn_with_state(Arc::clone(&self.app), check);
            let router: Router = routes::routes().with_state(Arc::clone(&self.app)).layer(guarded);
            let room = Arc::new(Semaphore::new(self.bounds.connections));
            loop {
                // Further ones wait in the system's queue.
                let place = Arc::clone(&room).acquire_owned().await.map_err(io::Error::other)?;
                let Ok((stream, _)) = listener.accept().await else {
                    // No file is free, or the other side has gone.
                    tokio::time::sleep(Duration::from_millis(50)).await;
                    continue;
                };
                let service = TowerToHyperService::new(router.clone());
                tokio::spawn(async move {
                    let mut protocol = http1::Builder::new();
                    protocol.timer(TokioTimer::new()).header_read_timeout(self.bounds.headers);
                    // Whoever breaks it off is not missed.
                    let connection = protocol.serve_connection(TokioIo::new(stream), service);
                    let _ = connection.with_upgrades().await;
                    drop(place);
                });
            }
        })
    }
}

/// The address by which this computer reaches others. Nothing is sent for that.
fn outside_address() -> Option<IpAddr> {
    let socket = std::net::UdpSocket::bind("0.0.0.0:0").ok()?;
    // An address for documentation: the system only looks up the way there.
    socket.connect("192.0.2.1:9").ok()?;
    Some(socket.local_addr().ok()?.ip()).filter(|ip| !ip.is_unspecified())
}

/// What is checked of each request.
struct Guard {
    /// What the addresses of pages begin with.
    token: String,
    /// What is put in its place once, and what then follows the address of the page.
    code: Mutex<Option<(String, String)>>,
    address: SocketAddr,
}

impl Guard {
    /// Is this the name of this server? A name that another site has turned to this address is
    /// not; an address in numbers cannot be turned.
    fn is_own(&self, host: &str) -> bool {
        let port = self.address.port();
        let name = match host.rsplit_once(':') {
            Some((name, digits)) if !digits.ends_with(']') => {
                // A tunnel to this computer may end at another port of the one that asks.
                let is_tunnel = matches!(name, "localhost" | "127.0.0.1" | "[::1]");
                if digits.parse() != Ok(port) && !is_tunnel {
                    return false;
                }
                name
            }
            _ if port == 80 => host,
            _ => return false,
        };
        if name.eq_ignore_ascii_case("localhost") {
            return self.address.ip().is_loopback() || self.address.ip().is_unspecified();
        }
        let bare = name.strip_prefix('[').and_then(|name| name.strip_suffix(']')).unwrap_or(name);
        let ip = bare.parse::<IpAddr>();
        ip.is_ok_and(|ip| ip == self.address.ip() || self.address.ip().is_unspecified())
    }

    /// Where an address leads that is not that of the page: one that holds once, or without the
    /// slash at its end.
    fn way(&self, path: &str) -> Option<String> {
        let path = path.strip_prefix('/')?;
        if is_same(path, &self.token) {
            return Some(format!("/{}/", self.token));
        }
        let given = path.strip_prefix("open/")?;
        let (_, query) = self.code.lock().take_if(|(code, _)| is_same(given, code))?;
        Some(format!("/{}/{query}", self.token))
    }

    /// Why a request is refused, if it is.
    fn refusal(
        &self,
        path: &str,
        headers: &HeaderMap,
        is_guest: bool,
    ) -> Option<(StatusCode, &'static str)> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
        if headers.get_all(HOST).iter().count() > 1 {
            return Some((StatusCode::BAD_REQUEST, "there is more than one host"));
        }
        if !text(HOST).is_some_and(|host| self.is_own(host)) {
            return Some((StatusCode::FORBIDDEN, "this is another host"));
        }
        let is_foreign = |origin: &str| {
            origin.strip_prefix("http://").is_none_or(|host| Some(host) != text(HOST))
        };
        let is_cross = headers
            .get("sec-fetch-site")
            .is_some_and(|site| !matches!(site.as_bytes(), b"same-origin" | b"none"));
        let comes_from_outside = text(ORIGIN).is_some_and(is_foreign);
        if comes_from_outside || (is_cross && path.contains("/api/")) {
            return Some((StatusCode::FORBIDDEN, "this page is of another site"));
        }
        if !is_guest && !is_same(first_part(path), &self.token) {
            return Some((StatusCode::NOT_FOUND, "there is nothing here"));
        }
        None
    }
}

/// The first part of a path, which is a token.
fn first_part(path: &str) -> &str {
    path.strip_prefix('/').and_then(|path| path.split('/').next()).unwrap_or_default()
}

/// An invited player: its token, which opens one session.
#[derive(Clone)]
struct Guest(String);

/// Whether an invited player may ask for this: the page, and what is of the session.
fn is_for_guest(uri: &Uri, session: &str) -> bool {
    let path =
        uri.path().get(1..).and_then(|path| path.split_once('/')).map_or("", |(_, rest)| rest);
    let is_own = routes::parameter(uri, "session") == Some(session);
    match path.strip_prefix("api/") {
        None => true,
        Some("do" | "state" | "moves" | "pgn" | "events") => is_own,
        Some(other) => other == "games",
    }
}

/// Compares in the same time wherever they differ.
fn is_same(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    one.len() == other.len() && pairs.fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

/// What a browser shows where there is nothing.
const NOTHING: &str = "<!doctype html><html lang=\"en\"><title>Tamarin</title><p>There is nothing here. \
    Open the address that <code>tamarin board</code> prints.</p></html>";

/// What the page may do: nothing but what comes from here.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; \
                      object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Lets requests through, or says why not.
async fn check(State(app): State<Arc<App>>, mut request: Request, next: Next) -> Response {
    let token = first_part(request.uri().path()).to_owned();
    let invited = app.sessions.of_guest(&token);
    let refusal = app.guard.refusal(request.uri().path(), request.headers(), invited.is_some());
    let refusal = refusal.or_else(|| {
        let session = invited.as_ref()?;
        let text = "an invitation is for one game";
        (!is_for_guest(request.uri(), session)).then_some((StatusCode::FORBIDDEN, text))
    });
    if invited.is_some() {
        request.extensions_mut().insert(Guest(token));
    }
    // Not every browser takes the server itself for one of WebSockets too.
    let host = request.headers().get(HOST).and_then(|host| host.to_str().ok());
    let policy = match host.filter(|host| app.guard.is_own(host)) {
        Some(host) => format!("{POLICY}; connect-src 'self' ws://{host}"),
        None => POLICY.to_owned(),
    };
    let wants_page = request
        .headers()
        .get(ACCEPT)
        .is_some_and(|kinds| kinds.to_str().is_ok_and(|kinds| kinds.contains("text/html")));
    let mut response = match (refusal, app.guard.way(request.uri().path())) {
        (Some((StatusCode::FORBIDDEN, text)), _) => {
            error(StatusCode::FORBIDDEN, text).into_response()
        }
        (_, Some(place)) => (StatusCode::SEE_OTHER, [(LOCATION, place)]).into_response(),
        (Some((status, _)), _) if wants_page => (status, Html(NOTHING)).into_response(),
        (Some((status, text)), _) => error(status, text).into_response(),
        (None, _) => match tokio::time::timeout(REQUEST, next.run(request)).await {
            Ok(response) => response,
            Err(_) => error(StatusCode::REQUEST_TIMEOUT, "this took too long").into_response(),
        },
    };
    let headers = response.headers_mut();
    if let Ok(policy) = HeaderValue::from_str(&policy) {
        headers.insert(CONTENT_SECURITY_POLICY, policy);
    }
    for (name, value) in [
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}

#[cfg(test)]
mod tests {
    use super::Server;
    use crate::players::Resources;
    use crate::sessions::Sessions;
    use std::io::{Read as _, Write as _};
    use std::net::{Ipv4Addr, TcpStream};
    use std::time::Duration;

    #[test]
    fn half_requests_do_not_keep_others_out() {
        let sessions = Sessions::new(Resources::new(1, 1), None).unwrap();
        let mut server = Server::bind(Ipv4Addr::LOCALHOST.into(), 0, sessions).unwrap();
        server.bounds.connections = 2;
        server.bounds.headers = Duration::from_millis(50);
        let address = server.bound;
        std::thread::spawn(|| server.run());
        let send = |text: &str| {
            let mut stream = TcpStream::connect(address).unwrap();
            stream.write_all(text.as_bytes()).unwrap();
            stream
        };
        let half: Vec<_> = (0..8).map(|_| send("GET / HTTP/1.1\r\nHos")).collect();
        let host = format!("Host: {address}\r\n");
        for (hosts, status) in [(host.clone(), "404"), (host.repeat(2), "400")] {
            let request = format!("GET /x/ HTTP/1.1\r\n{hosts}Connection: close\r\n\r\n");
            let mut said = String::new();
            send(&request).read_to_string(&mut said).unwrap();
            assert!(said.starts_with(&format!("HTTP/1.1 {status}")), "{said}");
        }
        drop(half);
    }
}
