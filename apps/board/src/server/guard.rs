//! Who may ask: pages of this server that know its token; and what every answer allows them.

use std::net::{IpAddr, SocketAddr};
use std::sync::Arc;

use axum::extract::{Request, State};
use axum::http::header::{
    CACHE_CONTROL, CONTENT_SECURITY_POLICY, HOST, HeaderName, HeaderValue, ORIGIN, REFERRER_POLICY,
    X_CONTENT_TYPE_OPTIONS, X_FRAME_OPTIONS,
};
use axum::http::{HeaderMap, StatusCode};
use axum::middleware::Next;
use axum::response::{IntoResponse, Response};

use super::App;
use super::routes::error;

/// What is checked of each request.
pub struct Guard {
    token: String,
    address: SocketAddr,
}

impl Guard {
    /// A guard for a server at this address.
    pub const fn new(token: String, address: SocketAddr) -> Self {
        Self { token, address }
    }

    /// What the addresses of pages begin with.
    pub fn token(&self) -> &str {
        &self.token
    }

    /// Is this the name of this server? A name that another site has turned to this address is
    /// not; an address in numbers cannot be turned.
    fn is_own(&self, host: &str) -> bool {
        let port = self.address.port();
        let name = match host.rsplit_once(':') {
            Some((name, digits)) if !digits.ends_with(']') => {
                if digits.parse() != Ok(port) {
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

    /// Why a request is refused, if it is.
    pub fn refusal(&self, path: &str, headers: &HeaderMap) -> Option<(StatusCode, &'static str)> {
        let text = |name: HeaderName| headers.get(name).map(|value| value.to_str().unwrap_or("?"));
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
        let token = path.strip_prefix('/').and_then(|path| path.split('/').next());
        if !token.is_some_and(|token| is_same(token, &self.token)) {
            return Some((StatusCode::NOT_FOUND, "there is nothing here"));
        }
        None
    }
}

/// Compares in the same time wherever they differ.
fn is_same(one: &str, other: &str) -> bool {
    let pairs = one.bytes().zip(other.bytes());
    one.len() == other.len() && pairs.fold(0, |sum, (a, b)| sum | (a ^ b)) == 0
}

/// What the page may do: nothing but what comes from here.
const POLICY: &str = "default-src 'self'; img-src 'self' data: blob:; style-src 'self'; \
                      object-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'";

/// Lets requests through, or says why not.
pub async fn check(State(app): State<Arc<App>>, request: Request, next: Next) -> Response {
    let refusal = app.guard.refusal(request.uri().path(), request.headers());
    let mut response = match refusal {
        Some((status, text)) => error(status, text).into_response(),
        None => next.run(request).await,
    };
    let headers = response.headers_mut();
    for (name, value) in [
        (CONTENT_SECURITY_POLICY, POLICY),
        (X_CONTENT_TYPE_OPTIONS, "nosniff"),
        (X_FRAME_OPTIONS, "DENY"),
        (REFERRER_POLICY, "no-referrer"),
    ] {
        headers.insert(name, HeaderValue::from_static(value));
    }
    headers.entry(CACHE_CONTROL).or_insert(HeaderValue::from_static("no-store"));
    response
}
