//! Answers in JSON.

use axum::http::header::CONTENT_TYPE;
use axum::http::{HeaderName, StatusCode};
use serde_json::{Value, json};

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
