//! A piece as nothing but moves in braces: Betza notation, `only` and promotions written out.

use crate::ast::{
    Alternative, Choice, Comparison, Condition, Dialect, Effect, MoveText, Part, PieceText, Region,
    Word, Zone,
};
use crate::betza::{self, Size};
use crate::diagnostic::{Code, Diagnostic};

/// A piece may have so many moves in braces.
const MAX_MOVES: usize = 1 << 12;

/// The moves of a piece. Those that do not promote come before those that do.
///
/// # Errors
/// If Betza notation cannot be read, or there are too many moves.
pub(crate) fn moves(
    piece: &PieceText,
    dialect: Dialect,
    size: Size,
) -> Result<Vec<MoveText>, Diagnostic> {
    let mut moves = Vec::new();
    for part in &piece.parts {
        match part {
            Part::Betza { dialect: own, text } => {
                moves.extend(betza::moves(text, own.unwrap_or(dialect), size)?);
            }
            Part::Move(text) => moves.push(text.clone()),
            Part::Promotion { .. } | Part::Only(_) | Part::Flag { .. } => {}
        }
        check_count(piece, moves.len())?;
    }
    for part in &piece.parts {
        match part {
            Part::Only(zone) => {
                moves.iter_mut().for_each(|text| text.conditions.push(inside(zone)));
            }
            Part::Promotion { choice, zone, pieces } => {
                moves = promoted(moves, *choice, zone, pieces);
                check_count(piece, moves.len())?;
            }
            _ => {}
        }
    }
    Ok(moves)
}

fn check_count(piece: &PieceText, count: usize) -> Result<(), Diagnostic> {
    if count <= MAX_MOVES {
        return Ok(());
    }
    let message = format!("the piece '{}' has more than {MAX_MOVES} moves", piece.name.value);
    Err(Diagnostic::new(Code::TooManyMoves, piece.name.span, message))
}

fn promoted(moves: Vec<MoveText>, choice: Choice, zone: &Zone, pieces: &[Word]) -> Vec<MoveText> {
    let promoting: Vec<MoveText> = moves
        .iter()
        .map(|plain| {
            let mut text = plain.clone();
            text.conditions.push(inside(zone));
            let names = pieces.iter().cloned().map(Some).collect();
            text.effects.push(Effect::Put(names, text.target.clone()));
            text
        })
        .collect();
    let mut all = moves;
    if choice == Choice::Forced {
        all.iter_mut().for_each(|text| text.conditions.extend(outside(zone)));
    }
    all.extend(promoting);
    all
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
