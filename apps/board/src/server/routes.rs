//! What is answered to which request.

use std::convert::Infallible;
use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::pin::pin;
use std::sync::Arc;
use std::time::Duration;

use axum::body::Bytes;
use axum::extract::ws::rejection::WebSocketUpgradeRejection;
use axum::extract::ws::{Message, WebSocket, WebSocketUpgrade};
use axum::extract::{DefaultBodyLimit, Path, State};
use axum::http::header::{CACHE_CONTROL, CONTENT_DISPOSITION, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, HeaderName, StatusCode, Uri};
use axum::response::sse::{Event, KeepAlive, Sse};
use axum::response::{IntoResponse, Response};
use axum::routing::{get, post};
use axum::{Extension, Router};
use futures_util::SinkExt as _;
use futures_util::stream::{self, Stream, StreamExt as _};
use include_dir::{Dir, include_dir};
use serde_json::{Value, json};
use tamarin_movegen::Color;
use tokio::sync::broadcast;
use tokio::sync::broadcast::error::RecvError;

use super::{App, Guest};
use crate::error::BoardError;
use crate::library::Library;
use crate::protocol::{Command, Open};
use crate::session::{self, Session};
use crate::sessions::SharedSession;

/// The longest command, in bytes.
const COMMAND: usize = 64 << 10;

/// The longest text of games, in characters: those of Latin-1 take more bytes here than in a file.
const GAMES: usize = 16 << 20;

/// The longest request, in bytes: JSON has two for a quote, and for each character of a line break.
const REQUEST: usize = 40 << 20;

/// A page that has gone without a word is noticed after this time.
const ALIVE: Duration = Duration::from_secs(3);

/// The files of the page, which are part of the program.
static PAGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/page");

/// An answer: its status, its kind, its text.
pub type Answer = (StatusCode, [(HeaderName, &'static str); 1], String);

pub fn answer(status: StatusCode, value: &Value) -> Answer {
    (status, [(CONTENT_TYPE, "application/json")], value.to_string())
}

pub fn good(text: String) -> Answer {
    (StatusCode::OK, [(CONTENT_TYPE, "application/json")], text)
}

/// An answer that says what is wrong.
pub fn error(status: StatusCode, text: impl AsRef<str>) -> Answer {
    answer(status, &json!({ "error": text.as_ref() }))
}

/// All routes. The first part of each path is the token, which was checked.
pub fn routes() -> Router<Arc<App>> {
    Router::new()
        .route("/{token}/", get(page))
        .route("/{token}/assets/{*name}", get(asset))
        .route("/{token}/api/open", post(open))
        .route("/{token}/api/do", post(perform))
        .route("/{token}/api/sessions", get(sessions))
        .route("/{token}/api/forget", post(forget))
        .route("/{token}/api/restore", post(restore))
        .route("/{token}/api/invite", post(invite))
        .route("/{token}/api/games", get(games))
        .route("/{token}/api/state", get(state))
        .route("/{token}/api/index", get(index))
        .route("/{token}/api/found", get(found))
        .route("/{token}/api/moves", get(moves))
        .route("/{token}/api/results", get(results))
        .route("/{token}/api/files", get(files).post(change_files))
        .route("/{token}/api/pgn", get(pgn))
        .route("/{token}/api/events", get(events))
        .layer(DefaultBodyLimit::max(REQUEST))
        .fallback(nothing)
        .method_not_allowed_fallback(nothing)
}

fn refused(problem: &BoardError) -> Answer {
    let mut value = json!({ "error": problem.to_string() });
    if let BoardError::Rules(remarks) = problem {
        value["diagnostics"] = session::diagnostics(remarks);
    }
    answer(StatusCode::UNPROCESSABLE_ENTITY, &value)
}

async fn nothing() -> Answer {
    error(StatusCode::NOT_FOUND, "there is nothing here")
}

async fn page(headers: HeaderMap) -> Response {
    file("index.html", &headers)
}

async fn asset(Path((_, name)): Path<(String, String)>, headers: HeaderMap) -> Response {
    file(&name, &headers)
}

/// A file of the page by its name. No other file is read: they all are in the program.
fn file(name: &str, headers: &HeaderMap) -> Response {
    let Some(bytes) = PAGE.get_file(name).map(include_dir::File::contents) else {
        return error(StatusCode::NOT_FOUND, "there is no such file").into_response();
    };
    let tag =
        format!("\"{:016x}\"", BuildHasherDefault::<DefaultHasher>::default().hash_one(bytes));
    if headers.get(IF_NONE_MATCH).is_some_and(|known| known.as_bytes() == tag.as_bytes()) {
        return (StatusCode::NOT_MODIFIED, [(ETAG, tag)]).into_response();
    }
    let headers = [
        (CONTENT_TYPE, kind(name).to_owned()),
        // Asked for again each time, and not sent if it is the same.
        (CACHE_CONTROL, "no-cache".to_owned()),
        (ETAG, tag),
    ];
    (headers, bytes).into_response()
}

fn kind(name: &str) -> &'static str {
    match name.rsplit_once('.').map_or("", |(_, end)| end) {
        "html" => "text/html; charset=utf-8",
        "css" => "text/css; charset=utf-8",
        "js" => "text/javascript; charset=utf-8",
        "svg" => "image/svg+xml",
        "wav" => "audio/wav",
        _ => "text/plain; charset=utf-8",
    }
}

/// The value of a parameter of an address, which has only letters and digits.
pub(super) fn parameter<'a>(uri: &'a Uri, name: &str) -> Option<&'a str> {
    let pairs = uri.query()?.split('&').filter_map(|pair| pair.split_once('='));
    pairs.filter(|(own, _)| *own == name).map(|(_, value)| value).next()
}

fn find(app: &App, uri: &Uri) -> Result<SharedSession, Answer> {
    let id = parameter(uri, "session").unwrap_or_default();
    app.sessions.find(id).map_err(|why| error(StatusCode::NOT_FOUND, why.to_string()))
}

/// Does something that may take a moment, such as whatever waits for a session, away from the thread
/// that answers.
async fn aside<F>(work: F) -> Answer
where
    F: FnOnce() -> Result<Answer, Answer> + Send + 'static,
{
    let (Ok(answer) | Err(answer)) = aside_for(work).await;
    answer
}

async fn aside_for<T, F>(work: F) -> Result<T, Answer>
where
    T: Send + 'static,
    F: FnOnce() -> Result<T, Answer> + Send + 'static,
{
    let failed = || error(StatusCode::INTERNAL_SERVER_ERROR, "internal error");
    // A failure is a defect of the server.
    tokio::task::spawn_blocking(work).await.unwrap_or_else(|_| Err(failed()))
}

fn read<T: serde::de::DeserializeOwned>(bytes: &[u8]) -> Result<T, Answer> {
    serde_json::from_slice(bytes).map_err(|problem| {
        let text = format!("{problem}; nothing was changed");
        error(StatusCode::BAD_REQUEST, text)
    })
}

/// Refuses a text of games that is too long.
fn check_games(text: Option<&str>) -> Result<(), Answer> {
    if text.is_some_and(|text| text.chars().count() > GAMES) {
        let text = "This file is larger than 16 MiB. Split it, or use tamarin analyse.";
        return Err(error(StatusCode::PAYLOAD_TOO_LARGE, text));
    }
    Ok(())
}

async fn open(State(app): State<Arc<App>>, bytes: Bytes) -> Answer {
    aside(move || {
        let open: Open = read(&bytes)?;
        check_games(open.pgn.as_deref())?;
        let session = app.sessions.open(open).map_err(|problem| refused(&problem))?;
        let session = session.lock();
        Ok(good(format!(
            "{{\"session\":\"{}\",\"state\":{}}}",
            session.id(),
            session.state().json(None)
        )))
    })
    .await
}

async fn perform(
    State(app): State<Arc<App>>,
    guest: Option<Extension<Guest>>,
    uri: Uri,
    bytes: Bytes,
) -> Answer {
    aside(move || {
        let command: Command = read(&bytes)?;
        match &command {
            Command::LoadPgn { text } => check_games(Some(text))?,
            Command::Puzzles { text } => check_games(text.as_deref())?,
            Command::New(open) => check_games(open.pgn.as_deref())?,
            _ if bytes.len() > COMMAND => {
                let text = format!("a command has at most {COMMAND} bytes; nothing was changed");
                return Err(error(StatusCode::PAYLOAD_TOO_LARGE, text));
            }
            _ => {}
        }
        let session = find(&app, &uri)?;
        let mut session = session.lock();
        let known = parameter(&uri, "tree");
        let done = match guest {
            None => session.perform(command, known),
            Some(Extension(Guest(token))) => session.perform_of_guest(&token, command, known),
        };
        drop(session);
        app.sessions.wake();
        done.map(good).map_err(|problem| refused(&problem))
    })
    .await
}

async fn sessions(State(app): State<Arc<App>>) -> Answer {
    aside(move || Ok(answer(StatusCode::OK, &app.sessions.list()))).await
}

async fn forget(State(app): State<Arc<App>>, uri: Uri) -> Answer {
    aside(move || {
        let done = app.sessions.forget(parameter(&uri, "session").unwrap_or_default());
        done.map_err(|problem| refused(&problem))?;
        Ok(answer(StatusCode::OK, &app.sessions.list()))
    })
    .await
}

/// An address for somebody who plays one side of the game.
async fn invite(State(app): State<Arc<App>>, uri: Uri) -> Answer {
    aside(move || {
        let session = find(&app, &uri)?;
        let is_black = parameter(&uri, "side") == Some("black");
        let side = if is_black { Color::Black } else { Color::White };
        let address = app.sessions.invitation(&session, side);
        let failed = |problem: std::io::Error| refused(&BoardError::Begin(problem.to_string()));
        Ok(answer(StatusCode::OK, &json!({ "address": address.map_err(failed)? })))
    })
    .await
}

async fn restore(State(app): State<Arc<App>>, uri: Uri) -> Answer {
    aside(move || match app.sessions.restore(parameter(&uri, "session").unwrap_or_default()) {
        true => Ok(answer(StatusCode::OK, &app.sessions.list())),
        false => Err(error(StatusCode::NOT_FOUND, "this game cannot be restored")),
    })
    .await
}

/// The names of all built-in games.
async fn games() -> Answer {
    let one = |builtin: &tamarin_variant::Builtin| {
        let title = builtin.source.lines().find_map(|line| line.trim().strip_prefix("@name "));
        let title = title.map_or(builtin.name, str::trim);
        json!({ "name": builtin.name, "title": title, "source": builtin.source })
    };
    let games: Vec<Value> = tamarin_variant::BUILTINS.iter().map(one).collect();
    answer(StatusCode::OK, &games.into())
}

/// What a session says, in JSON.
async fn told(
    app: Arc<App>,
    uri: Uri,
    tell: impl FnOnce(&Session, &App) -> String + Send + 'static,
) -> Answer {
    aside(move || Ok(good(tell(&find(&app, &uri)?.lock(), &app)))).await
}

async fn state(State(app): State<Arc<App>>, uri: Uri) -> Answer {
    told(app, uri, |session, _| format!("{{\"state\":{}}}", session.state().json(None))).await
}

async fn index(State(app): State<Arc<App>>, uri: Uri) -> Answer {
    told(app, uri, |session, _| session.index().to_string()).await
}

async fn found(State(app): State<Arc<App>>, uri: Uri) -> Answer {
    told(app, uri, |session, _| session.found().to_string()).await
}

async fn moves(State(app): State<Arc<App>>, guest: Option<Extension<Guest>>, uri: Uri) -> Answer {
    aside(move || {
        // Games that were kept are nobody else's; they may have to be read.
        let library = app.sessions.library().filter(|_| guest.is_none());
        let kept = library.map(Library::explorer);
        let session = find(&app, &uri)?;
        let moves = session.lock().moves(app.sessions.tablebases(), kept.as_deref());
        Ok(answer(StatusCode::OK, &moves))
    })
    .await
}

async fn results(State(app): State<Arc<App>>) -> Answer {
    aside(move || match app.sessions.results() {
        Ok(lines) => Ok(answer(StatusCode::OK, &json!(lines))),
        Err(problem) => Err(error(StatusCode::UNPROCESSABLE_ENTITY, problem.to_string())),
    })
    .await
}

async fn files(State(app): State<Arc<App>>) -> Answer {
    aside(move || Ok(answer(StatusCode::OK, &app.sessions.files()))).await
}

async fn change_files(State(app): State<Arc<App>>, bytes: Bytes) -> Answer {
    aside(move || {
        app.sessions.change_files(read(&bytes)?).map_err(|problem| refused(&problem))?;
        Ok(answer(StatusCode::OK, &app.sessions.files()))
    })
    .await
}

async fn pgn(State(app): State<Arc<App>>, uri: Uri) -> Result<impl IntoResponse, Answer> {
    let text = aside_for(move || {
        let session = find(&app, &uri)?;
        let session = session.lock();
        Ok(if parameter(&uri, "all").is_some() { session.all_pgn() } else { session.pgn() })
    })
    .await?;
    let headers = [
        (CONTENT_TYPE, "application/x-chess-pgn; charset=utf-8"),
        (CONTENT_DISPOSITION, "attachment; filename=\"game.pgn\""),
    ];
    Ok((headers, text))
}

/// A page that listens. When it goes, its session is informed.
struct Listener {
    session: SharedSession,
    app: Arc<App>,
    events: broadcast::Receiver<session::Event>,
    /// It lacks events, or has just come: the state of the session has everything.
    is_behind: bool,
    /// The tree that it has, by its stamp.
    known: Option<String>,
}

impl Drop for Listener {
    fn drop(&mut self) {
        let session = Arc::clone(&self.session);
        drop(tokio::task::spawn_blocking(move || session.lock().leave()));
    }
}

impl Listener {
    /// The next event: its name and its JSON. None is lost if this is given up.
    async fn next(&mut self) -> Option<(&'static str, String)> {
        let event = loop {
            if self.is_behind {
                let session = Arc::clone(&self.session);
                let event = aside_for(move || Ok(session.lock().event())).await.ok()?;
                self.is_behind = false;
                break event;
            }
            match self.events.recv().await {
                Ok(event) => break event,
                Err(RecvError::Lagged(_)) => self.is_behind = true,
                Err(RecvError::Closed) => return None,
            }
        };
        self.app.sessions.wake();
        Some(event.told(&mut self.known))
    }

    /// Sends the events over a WebSocket until its page goes.
    async fn talk(mut self, socket: WebSocket) {
        let (mut sender, mut receiver) = socket.split();
        let speak = async {
            loop {
                let message = match tokio::time::timeout(ALIVE, self.next()).await {
                    Ok(Some((name, data))) => {
                        Message::text(format!("{{\"event\":\"{name}\",\"data\":{data}}}"))
                    }
                    Ok(None) => return,
                    // A page that has gone without a word does not take it.
                    Err(_) => Message::Ping(Bytes::new()),
                };
                if sender.send(message).await.is_err() {
                    return;
                }
            }
        };
        let hear = async { while let Some(Ok(_)) = receiver.next().await {} };
        futures_util::future::select(pin!(speak), pin!(hear)).await;
    }
}

async fn events(
    State(app): State<Arc<App>>,
    upgrade: Result<WebSocketUpgrade, WebSocketUpgradeRejection>,
    uri: Uri,
) -> Result<Response, Answer> {
    let listener = aside_for(move || {
        let session = find(&app, &uri)?;
        let events = session.lock().listen();
        app.sessions.wake();
        Ok(Listener { session, app, events, is_behind: true, known: None })
    });
    let listener = listener.await?;
    if let Ok(upgrade) = upgrade {
        let upgrade = upgrade.max_message_size(COMMAND);
        return Ok(upgrade.on_upgrade(|socket| listener.talk(socket)));
    }
    let next = async |mut listener: Listener| {
        let (name, data) = listener.next().await?;
        Some((Ok::<_, Infallible>(Event::default().event(name).data(data)), listener))
    };
    let stream: std::pin::Pin<Box<dyn Stream<Item = _> + Send>> =
        Box::pin(stream::unfold(listener, next));
    Ok(Sse::new(stream).keep_alive(KeepAlive::new().interval(ALIVE)).into_response())
}
