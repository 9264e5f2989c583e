//! Another UCI program, and whether its line shows what a sentence claims.

use tamarin_analysis::explain::{Claim, Explanation, GameResult, MAX_PLIES, Sentence};
use tamarin_game::variation;
use tamarin_movegen::{Move, Position, UciMove};
use tamarin_uci::client::{Client, Launch};
use tamarin_uci::{Base, Go, MoveWords, PositionText, ScoreValue};

use crate::replay::{balance, is_stable, regains};

/// Nodes of a search of the opponent.
const NODES: u64 = 200_000;

/// A mate, in centipawns.
const MATE: i32 = 100_000;

/// What a search of the opponent found.
struct Answer {
    /// For the side to move, in centipawns.
    score: i32,
    /// The best line.
    moves: Vec<Move>,
    /// The position after each of its moves.
    line: Vec<Position>,
}

pub struct Opponent(Client);

impl Opponent {
    /// The program that `TAMARIN_OPPONENT` names.
    pub fn of_environment() -> Option<Self> {
        let path = std::env::var_os("TAMARIN_OPPONENT").filter(|path| !path.is_empty())?;
        Some(Self(Client::start(&Launch::new(path), None).expect("the opponent starts")))
    }

    /// What it finds in a position.
    fn search(&mut self, position: &Position) -> Answer {
        self.0.new_game().unwrap();
        let text =
            PositionText { base: Base::Fen(position.to_string()), moves: MoveWords::default() };
        let go = Go { nodes: Some(NODES), ..Go::default() };
        self.0.go(&text, &go, None).unwrap();
        let mut score = if position.in_check() { -MATE } else { 0 };
        let mut moves = Vec::new();
        let found = self.0.wait(|info| {
            let Some(value) = info.line.score.filter(|_| !info.line.pv.is_empty()) else { return };
            score = match value.value {
                ScoreValue::Centipawns(value) => value,
                ScoreValue::Mate(moves) => moves.signum() * MATE,
            };
            moves = info.line.pv.iter().map(|mv| mv.parse::<UciMove>().unwrap()).collect();
        });
        found.expect("the opponent answers");
        let mut position = position.clone();
        let step = |mv: UciMove| {
            let mv = position.resolve(mv).unwrap();
            position.make(mv);
            (mv, position.clone())
        };
        let (moves, line) = moves.into_iter().map(step).unzip();
        Answer { score, moves, line }
    }

    /// Whether its own line shows what the first sentence claims; if not, what it finds.
    pub fn compare(&mut self, explanation: &Explanation) -> Result<(), String> {
        let main: &Sentence = &explanation.sentences[0];
        let start = Position::from_fen(&main.line.start.to_string()).unwrap();
        let Some(first) = main.line.moves.first() else { return Ok(()) };
        let mut after = start.clone();
        after.make(*first);
        let answer = self.search(&after);
        match self.agrees(explanation, &start, &after, &answer) {
            true => Ok(()),
            false => {
                let moves = variation::numbered(&after, &answer.moves, usize::MAX);
                let better = self.search(&start);
                let best = variation::numbered(&start, &better.moves, MAX_PLIES);
                Err(format!("{} {moves}, at best {} {best}", -answer.score, better.score))
            }
        }
    }

    fn agrees(
        &mut self,
        explanation: &Explanation,
        start: &Position,
        after: &Position,
        Answer { score, line, .. }: &Answer,
    ) -> bool {
        let main: &Sentence = &explanation.sentences[0];
        let own = -score;
        match main.claim {
            Claim::Mate { winner, .. } => {
                let for_winner = if winner == start.side_to_move() { own } else { -own };
                for_winner == MATE
            }
            Claim::Material { winner, change } => {
                let for_winner = if winner == start.side_to_move() { own } else { -own };
                // As far as the claims of explanations look: at its last quiet position, or at
                // its end once captures are played out.
                let near = &line[..line.len().min(11)];
                let quiet = near.iter().rev().find(|end| is_stable(end, winner.other()));
                let quiet = balance(quiet.unwrap_or(after), winner);
                let end = near.iter().rev().find(|end| !end.in_check());
                let end = end.map(|end| balance(end, winner) - regains(end, winner.other()));
                let net = end.unwrap_or(quiet).max(quiet) - balance(start, winner);
                for_winner == MATE || 2 * net >= change.net(winner)
            }
            Claim::Tablebase { after, .. } => match after {
                GameResult::Won => own >= 100,
                GameResult::Drawn => own.abs() < 100,
                GameResult::Lost => own <= -100,
            },
            Claim::Draw(_) => own.abs() <= 50,
            Claim::OnlyLegalMove => true,
            Claim::Evaluation { .. } => {
                let best = self.search(start).score;
                // As `analyse` names mistakes: in percent of the chance to win.
                let drop = win_percent(best) - win_percent(own);
                if explanation.is_mistake { drop >= 2.5 } else { drop < 10.0 }
            }
        }
    }
}

/// The chance to win in percent, by the curve of `analyse`.
fn win_percent(centipawns: i32) -> f64 {
    let value = f64::from(centipawns.clamp(-1000, 1000));
    100.0 / (1.0 + (-0.003_682_08 * value).exp())
}
