//! A piece as nothing but moves in braces: Betza notation, `only` and promotions written out.

use crate::ast::{
    Alternative, Choice, Comparison, Condition, Dialect, Effect, MoveText, Part, PieceText, Region,
    Spanned, Word, Zone,
};
use crate::betza::{self, Size};
use crate::definition::PROMOTED;
use crate::diagnostic::{Code, Diagnostic, Span};

/// The greatest number of moves in braces of a piece.
const MAX_MOVES: usize = 1 << 12;

/// Whether promotions mark what they make with a flag.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) enum Marks {
    Promoted,
    Nothing,
}

/// The moves of a piece. Those that do not promote come before those that do, and drops last.
///
/// # Errors
/// If Betza notation cannot be read, or there are too many moves.
pub(crate) fn moves(
    piece: &PieceText,
    dialect: Dialect,
    size: Size,
    marks: Marks,
) -> Result<Vec<MoveText>, Diagnostic> {
    let mut moves = Vec::new();
    for part in &piece.parts {
        match part {
            Part::Betza { dialect: own, text } => {
                moves.extend(betza::moves(text, own.unwrap_or(dialect), size)?);
            }
            Part::Move(text) => moves.push(text.clone()),
            _ => {}
        }
        check_count(piece, moves.len())?;
    }
    // What promotes by one part does not promote again by the next.
    let (mut unpromoted, mut promoting) = (moves.clone(), Vec::new());
    for part in &piece.parts {
        match part {
            Part::Only(zone) => {
                let all = moves.iter_mut().chain(&mut unpromoted).chain(&mut promoting);
                all.for_each(|text| text.conditions.push(inside(zone)));
            }
            Part::Promotion { choice, zone, pieces } => {
                promoting.extend(promotions(&unpromoted, marks, &zone.value, pieces));
                if *choice == Choice::Forced {
                    moves.iter_mut().for_each(|text| text.conditions.extend(outside(&zone.value)));
                }
                check_count(piece, moves.len() + promoting.len())?;
            }
            _ => {}
        }
    }
    moves.extend(promoting);
    // Neither zones of `only` nor promotions bind drops.
    for part in &piece.parts {
        let Part::Drop { zone, text } = part else { continue };
        let mut text = text.clone();
        if !zone.is_empty() {
            text.conditions.push(inside(zone));
        }
        moves.push(text);
    }
    check_count(piece, moves.len())?;
    Ok(moves)
}

fn check_count(piece: &PieceText, count: usize) -> Result<(), Diagnostic> {
    if count <= MAX_MOVES {
        return Ok(());
    }
    let message = format!("the piece '{}' has more than {MAX_MOVES} moves", piece.name.value);
    Err(Diagnostic::new(Code::TooManyMoves, piece.name.span, message))
}

/// The same moves into a zone, where the piece becomes one of these.
fn promotions(
    moves: &[MoveText],
    marks: Marks,
    zone: &Zone,
    pieces: &[Word],
) -> impl Iterator<Item = MoveText> {
    moves.iter().map(move |plain| {
        let mut text = plain.clone();
        text.conditions.push(inside(zone));
        let names = pieces.iter().cloned().map(Some).collect();
        text.effects.push(Effect::Put(names, text.target.clone()));
        if marks == Marks::Promoted {
            let flag = Spanned::new(PROMOTED.to_owned(), Span::default());
            text.effects.push(Effect::Set(text.target.clone(), flag));
        }
        text
    })
}

/// The condition of a zone.
fn inside(zone: &Zone) -> Condition {
    zone.iter().cloned().map(Alternative::Zone).collect()
}

/// Its opposite: of every region some comparison fails.
fn outside(zone: &Zone) -> Vec<Condition> {
    zone.iter()
        .map(|region| {
            let opposite = |comparison: &Comparison| Comparison {
                operator: comparison.operator.negated(),
                ..*comparison
            };
            region
                .comparisons
                .iter()
                .map(|comparison| Region { of: region.of, comparisons: vec![opposite(comparison)] })
                .map(Alternative::Zone)
                .collect()
        })
        .collect()
}
