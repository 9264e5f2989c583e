//! Training positions as text, `FEN | score | result` a line: the score in engine units and the
//! result (1.0, 0.5 or 0.0), both from White's view.

use std::io::BufRead;

use tamarin_eval::tuning::{DataSet, GameResult, SparseTrace};
use tamarin_movegen::{FenError, Position};

/// A line of training data cannot be used.
#[derive(Debug, thiserror::Error)]
pub enum LineError {
    /// It cannot be read at all.
    #[error("the line cannot be read")]
    Read(#[from] std::io::Error),
    /// Not three fields.
    #[error("expected `FEN | score | result`, found {fields} fields")]
    Fields { fields: usize },
    /// The position is refused.
    #[error("the position cannot be used")]
    Fen(#[from] FenError),
    /// The score is not a number.
    #[error("score is not a number: {text:?}")]
    Score { text: String },
    /// The result is not one of a game.
    #[error("result is not 1.0, 0.5 or 0.0: {text:?}")]
    Result { text: String },
}

/// Adds all positions of a file to the set, but those the evaluation does not evaluate (in
/// check, or with a known result). Returns how many were left out.
///
/// # Errors
/// The number of the first line that cannot be read, from 1, and why.
pub fn read(input: impl BufRead, data: &mut DataSet) -> Result<usize, (usize, LineError)> {
    let mut left_out = 0;
    for (index, line) in input.lines().enumerate() {
        let at_line = |error| (index + 1, error);
        let line = line.map_err(|error| at_line(error.into()))?;
        if line.trim().is_empty() {
            continue;
        }
        let (position, score, result) = parse(&line).map_err(at_line)?;
        match SparseTrace::new(&position) {
            Ok(trace) => data.push(&trace, score, result),
            Err(_) => left_out += 1,
        }
    }
    Ok(left_out)
}

fn parse(line: &str) -> Result<(Position, f32, GameResult), LineError> {
    let fields: Vec<_> = line.split('|').map(str::trim).collect();
    let &[fen, score, result] = fields.as_slice() else {
        return Err(LineError::Fields { fields: fields.len() });
    };
    let position = Position::from_fen(fen)?;
    let number: f32 = score.parse().map_err(|_| LineError::Score { text: score.to_owned() })?;
    let result = match result {
        "1.0" => GameResult::WhiteWins,
        "0.5" => GameResult::Draw,
        "0.0" => GameResult::BlackWins,
        other => return Err(LineError::Result { text: other.to_owned() }),
    };
    Ok((position, number, result))
}

#[cfg(test)]
mod tests {
    use super::*;

    const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

    #[test]
    fn lines_become_samples() {
        let text = format!("{START} | 10 | 1.0\n\n{START} | -20.5 | 0.0\n{START} | 0 | 0.5\n");
        let mut data = DataSet::default();
        assert_eq!(read(text.as_bytes(), &mut data).unwrap(), 0);
        let read: Vec<_> = data.samples().iter().map(|s| (s.score, s.result)).collect();
        let results = [GameResult::WhiteWins, GameResult::BlackWins, GameResult::Draw];
        assert_eq!(read, [10.0, -20.5, 0.0].into_iter().zip(results).collect::<Vec<_>>());
    }

    #[test]
    fn bad_lines_are_refused_by_number() {
        for line in [
            START.to_owned(),
            format!("{START} | 10"),
            format!("{START} | ten | 1.0"),
            format!("{START} | 10 | 0.7"),
            "8/8/8/8/8/8/8/8 w - - 0 1 | 0 | 0.5".to_owned(),
        ] {
            let text = format!("{START} | 0 | 0.5\n{line}\n");
            let error = read(text.as_bytes(), &mut DataSet::default());
            assert!(matches!(error, Err((2, _))), "{line}: {error:?}");
        }
    }

    #[test]
    fn positions_without_an_evaluation_are_left_out() {
        let text = "4k3/8/8/8/8/8/4q3/4K2R w - - 0 1 | 0 | 0.5\n\
                    4k3/8/8/8/8/8/8/4KB2 w - - 0 1 | 0 | 0.5\n";
        let mut data = DataSet::default();
        assert_eq!(read(text.as_bytes(), &mut data).unwrap(), 2);
        assert!(data.is_empty());
    }
}
