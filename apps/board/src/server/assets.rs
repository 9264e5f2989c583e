//! The files of the page, which are part of the program.

use axum::http::header::{CACHE_CONTROL, CONTENT_TYPE, ETAG, IF_NONE_MATCH};
use axum::http::{HeaderMap, StatusCode};
use axum::response::{IntoResponse, Response};
use include_dir::{Dir, include_dir};

use super::routes::error;

static PAGE: Dir<'_> = include_dir!("$CARGO_MANIFEST_DIR/page");

/// A file of the page by its name. No other file is read: they all are in the program.
pub fn file(name: &str, headers: &HeaderMap) -> Response {
    let Some(bytes) = PAGE.get_file(name).map(include_dir::File::contents) else {
        return error(StatusCode::NOT_FOUND, "there is no such file").into_response();
    };
    let tag = format!("\"{:016x}\"", fnv(bytes));
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
        "png" => "image/png",
        "wav" => "audio/wav",
        "ogg" => "audio/ogg",
        "mp3" => "audio/mpeg",
        "json" | "webmanifest" => "application/json",
        "woff2" => "font/woff2",
        _ => "text/plain; charset=utf-8",
    }
}

/// Source: the hash FNV-1a of Fowler, Noll and Vo.
fn fnv(bytes: &[u8]) -> u64 {
    let step = |hash: u64, byte: &u8| (hash ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}
