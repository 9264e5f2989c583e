//! The games that come with the program.

use std::sync::Arc;

use crate::ast::{VariantText, Word};
use crate::diagnostic::Diagnostic;
use crate::game::Game;
use crate::load::{Expanded, Loaded, expand_with, load_with};
use crate::parse::parse_taken_over;
use crate::resolve::Library;
use crate::suggest;

/// A game that comes with the program.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Builtin {
    /// What commands call it.
    pub name: &'static str,
    /// Its file.
    pub source: &'static str,
}

macro_rules! games {
    ($($name:literal)*) => {
        /// All games that come with the program.
        pub const BUILTINS: &[Builtin] = &[
            $(Builtin { name: $name, source: include_str!(concat!("../games/", $name, ".var")) },)*
        ];

        const NAMES: &[&str] = &[$($name,)*];
    };
}

games! {
    "fide" "fide_thesis" "nuttyknights" "clobberers" "rookies" "shogi_nodrop" "shogi_thesis"
    "locusts" "locusts12" "locusts_thesis" "xiangqi" "minixiangqi" "janggi" "makruk" "asean" "shatranj"
    "courier" "losalamos" "knightmate" "amazon" "almost" "nightrider" "grasshopper" "hoppelpoppel"
    "newzealand" "capablanca" "janus" "embassy" "kingofthehill" "3check" "antichess" "atomic" "horde"
    "racingkings" "crazyhouse" "seirawan" "shogi" "minishogi"
}

impl Builtin {
    /// The game of that name, in any case.
    pub fn find(name: &str) -> Option<&'static Self> {
        BUILTINS.iter().find(|entry| entry.name.eq_ignore_ascii_case(name))
    }
}

/// The rules of the game of that name, in any case.
pub fn builtin(name: &str) -> Option<Arc<Game>> {
    let entry = Builtin::find(name)?;
    let loaded = load(entry.source, None);
    Some(loaded.expect("invariant: every game that comes with the program compiles").game)
}

/// Reads the variant of a file that is called `name`, or the last one. It may extend a game that
/// comes with the program.
///
/// # Errors
/// Everything that is wrong with the file, errors and warnings.
pub fn load(source: &str, name: Option<&str>) -> Result<Loaded, Vec<Diagnostic>> {
    load_with(source, name, library())
}

/// The moves of all pieces of that variant, with Betza notation and promotions written out.
///
/// # Errors
/// Everything that is wrong with the file, errors and warnings.
pub fn expand(source: &str, name: Option<&str>) -> Result<Expanded, Vec<Diagnostic>> {
    expand_with(source, name, library())
}

/// The built-in game whose name is nearest to a misspelt one, if one is near.
///
/// ```
/// assert_eq!(tamarin_variant::nearest_builtin("xianqi"), Some("xiangqi"));
/// assert_eq!(tamarin_variant::nearest_builtin("go"), None);
/// ```
pub fn nearest_builtin(name: &str) -> Option<&'static str> {
    suggest::nearest(name, NAMES.iter().copied())
}

/// The built-in games, for `@extends`.
fn library() -> Library<'static> {
    Library { names: NAMES, find: &text }
}

fn text(name: &Word) -> Option<VariantText> {
    let entry = BUILTINS.iter().find(|entry| entry.name == name.value)?;
    parse_taken_over(entry.source, name.span).file.variants.pop()
}
