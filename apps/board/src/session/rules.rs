//! The rules of a session.

use std::sync::Arc;

use serde_json::{Value, json};
use tamarin_variant as variant;
use tamarin_variant_search::evaluate::learned::Learned;

use super::error::SessionError;
use crate::protocol::Open;
use tamarin_game::pgn::Wanted;
use tamarin_game::position::clip;

#[derive(Clone)]
pub enum Rules {
    /// Chess or Chess960.
    Chess,
    /// A variant, by its name.
    Variant(String, Arc<variant::Game>),
}

impl Rules {
    /// What a file is to hold.
    pub fn wanted(&self) -> Wanted<'_> {
        match self {
            Self::Chess => Wanted::Chess,
            Self::Variant(name, rules) => Wanted::Variant(name, rules),
        }
    }
}

pub fn rules(open: &Open) -> Result<Rules, SessionError> {
    if let Some(text) = &open.rules {
        let loaded = variant::load(text, None).map_err(|remarks| {
            SessionError::Rules(remarks.into_iter().filter(variant::Diagnostic::is_error).collect())
        })?;
        let name = open.game.as_deref().filter(|name| *name != "chess");
        let name = name.map_or_else(|| loaded.game.title().to_owned(), crate::players::tidy);
        return Ok(Rules::Variant(name, loaded.game));
    }
    let name = open.game.as_deref().unwrap_or("chess");
    if matches!(name, "chess" | "chess960") {
        return Ok(Rules::Chess);
    }
    match variant::builtin(name) {
        Some(game) => Ok(Rules::Variant(name.to_owned(), game)),
        None => {
            let near = variant::nearest_builtin(name);
            let hint = near.map_or(String::new(), |near| format!("; is it {near:?}?"));
            let text = format!("there is no game {:?}{hint}", clip(name));
            Err(SessionError::Begin(text))
        }
    }
}

pub fn learned(open: &Open, rules: &Rules) -> Result<Option<Arc<Learned>>, SessionError> {
    let Some(text) = &open.evaluation else { return Ok(None) };
    let Rules::Variant(_, game) = rules else {
        return Err(SessionError::Begin("chess has no learned evaluator".to_owned()));
    };
    match Learned::parse(game, text) {
        Ok(learned) => Ok(Some(Arc::new(learned))),
        Err(error) => Err(SessionError::Begin(format!("the learned evaluator, {error}"))),
    }
}

/// What is wrong with the text of a rules file, and what game it is.
pub fn check_rules(text: &str) -> Value {
    let (remarks, game) = match variant::load(text, None) {
        Ok(loaded) => (loaded.warnings, Some(loaded.game)),
        Err(remarks) => (remarks, None),
    };
    json!({
        "diagnostics": diagnostics(&remarks),
        "title": game.as_ref().map(|game| game.title()),
        "good": game.is_some(),
    })
}

/// Remarks about a rules file. Those about the whole file have no place.
pub fn diagnostics(remarks: &[variant::Diagnostic]) -> Value {
    let one = |remark: &variant::Diagnostic| {
        let variant::Span { line, column, length } = remark.span;
        let mut value = json!({
            "text": remark.message, "help": remark.help, "error": remark.is_error(),
        });
        if line > 0 {
            value["line"] = line.into();
            value["column"] = column.into();
            value["length"] = length.into();
        }
        value
    };
    remarks.iter().map(one).collect()
}
