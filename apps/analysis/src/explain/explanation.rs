//! An explanation, and the searches on the way to it.

use serde_json::Value;
use tamarin_movegen::{CastlingNotation, Move, Position};

use super::ask::{Asking, Found, Pause, Request};
use super::claim::{Claim, DrawnBy};
use super::good;
use super::line::Line;
use super::mistake;
use super::proof::Proof;
use super::sentence::{Role, Sentence, sentence};
use super::subject::Subject;

/// Why a move is good or bad.
#[derive(Clone, Default, Debug)]
pub struct Explanation {
    /// Whether the move is clearly worse than the best one.
    pub is_mistake: bool,
    /// The most important one first; empty if a search failed.
    pub sentences: Vec<Sentence>,
    /// The best move and its score, by which the sentences go.
    pub best: Option<Found>,
    /// What the other side does after a move that is not the best.
    pub reply: Option<Found>,
}

impl Explanation {
    /// So many sentences are enough where room is short.
    const BRIEF: usize = 2;

    pub fn brief(&self) -> &[Sentence] {
        &self.sentences[..self.sentences.len().min(Self::BRIEF)]
    }

    /// All sentences, each on a line of its own, and below it the whole line of moves where the
    /// sentence does not name all of it.
    pub fn lines(&self) -> Vec<String> {
        let lines = |sentence: &Sentence| {
            let whole = sentence.whole_line().map(|line| format!("  {line}"));
            std::iter::once(sentence.text.clone()).chain(whole)
        };
        self.sentences.iter().flat_map(lines).collect()
    }

    pub fn to_json(&self, notation: CastlingNotation) -> Value {
        self.sentences.iter().map(|sentence| sentence.to_json(notation)).collect()
    }
}

/// What has to happen next.
#[derive(Debug)]
pub enum Step {
    Search(Box<Request>),
    /// Nothing: the explanation is complete.
    Done(Explanation),
}

/// A move or position that is being explained.
#[derive(Clone, Debug)]
pub struct Inquiry {
    position: Position,
    mv: Option<Move>,
    found: Vec<Option<Found>>,
}

impl Inquiry {
    /// About a legal move of a position, whose history counts for repetitions.
    pub const fn of_move(position: Position, mv: Move) -> Self {
        Self { position, mv: Some(mv), found: Vec::new() }
    }

    pub const fn of_position(position: Position) -> Self {
        Self { position, mv: None, found: Vec::new() }
    }

    /// The search that is missing, or the explanation.
    pub fn next(&self) -> Step {
        match explain(&self.position, self.mv, &mut Asking::new(&self.found)) {
            Ok(explanation) => Step::Done(explanation),
            Err(Pause::Search(request)) => Step::Search(request),
            Err(Pause::Nothing) => Step::Done(Explanation::default()),
        }
    }

    /// Takes what the search found that was missing; `None` if it failed.
    pub fn answer(&mut self, found: Option<Found>) {
        self.found.push(found.filter(|found| !found.moves.is_empty()));
    }

    /// The explanation by the searches of an engine; without sentences if one of them fails.
    pub fn run(mut self, search: &mut dyn FnMut(&Request) -> Option<Found>) -> Explanation {
        loop {
            match self.next() {
                Step::Search(request) => self.answer(search(&request)),
                Step::Done(explanation) => return explanation,
            }
        }
    }
}

fn explain(
    position: &Position,
    mv: Option<Move>,
    asking: &mut Asking<'_>,
) -> Result<Explanation, Pause> {
    if !position.has_legal_move() {
        return Ok(Explanation { sentences: vec![over(position)], ..Explanation::default() });
    }
    let subject = Subject::new(position, mv, asking)?;
    let is_mistake = subject.is_mistake();
    let sentences = match is_mistake {
        true => mistake::sentences(&subject, asking)?,
        false => good::sentences(&subject, asking)?,
    };
    let Subject { best, reply, .. } = subject;
    Ok(Explanation { is_mistake, sentences, best: Some(best), reply })
}

/// What there is to say where no move is legal.
fn over(position: &Position) -> Sentence {
    let side = position.side_to_move();
    let line = Line { start: position.clone(), moves: Vec::new() };
    let (head, claim) = match position.in_check() {
        true => (format!("{side:?} is checkmated"), Claim::Mate { winner: !side, moves: 0 }),
        false => (
            format!("{side:?} has no legal move: a draw by stalemate"),
            Claim::Draw(DrawnBy::Stalemate),
        ),
    };
    sentence(Role::Move, &head, 0, Proof { claim, line })
}

#[cfg(test)]
mod tests {
    use super::{Explanation, Inquiry};
    use crate::explain::ask::{Found, Look, Request};
    use tamarin_eval::Score;
    use tamarin_movegen::{Move, Position};

    fn line(position: &Position, text: &str) -> Vec<Move> {
        let mut position = position.clone();
        let parsed = text.split_whitespace().map(|san| {
            let mv = position.parse_san(san).unwrap();
            position.make(mv);
            mv
        });
        parsed.collect()
    }

    /// An engine that knows what a search finds by the moves that were played from the start, the
    /// moves that are excluded, and whether it looks again; of everything else it knows nothing.
    fn explain(
        position: &Position,
        mv: Option<&str>,
        known: &[(&str, &str, Look, i32, &str)],
    ) -> Explanation {
        let mut search = |request: &Request| {
            let asked = &request.position;
            let found = known.iter().find(|(played, excluded, look, ..)| {
                let mut there = position.clone();
                line(position, played).into_iter().for_each(|mv| there.make(mv));
                there.key() == asked.key()
                    && request.excluded == line(&there, excluded)
                    && request.look == *look
            });
            let (score, moves) = match found {
                Some((.., score, moves)) => (*score, line(asked, moves)),
                None => {
                    (0, vec![*request.search_moves().first().unwrap_or(&asked.legal_moves()[0])])
                }
            };
            Some(Found { score: Score::new(score), moves, result: None })
        };
        match mv {
            Some(san) => Inquiry::of_move(position.clone(), line(position, san)[0]),
            None => Inquiry::of_position(position.clone()),
        }
        .run(&mut search)
    }

    #[test]
    fn a_second_look_and_the_other_moves_decide_what_is_best() {
        use Look::{First, Second};
        let start = Position::startpos();
        let first = ("", "", First, 40, "a3 e5");
        let second = ("", "", Second, 30, "d4 d5");
        let text = |known: &[_]| explain(&start, None, known).sentences[0].text.clone();
        assert!(text(&[first, second]).starts_with("1. d4 is the best move found (+0.21)"));
        let better = ("", "d4", First, 60, "e4 e5");
        assert!(text(&[first, second, better]).starts_with("1. e4 is the best move found (+0.42)"));
        let worse = ("", "d4", First, 20, "e4 e5");
        assert!(text(&[first, second, worse]).starts_with("1. d4 is the best"));
    }

    #[test]
    fn material_is_lost_only_if_the_best_other_defense_loses_it_too() {
        use Look::{First, Second};
        // The move leaves a pawn alone that the rook takes a move later.
        let fen = "3r2k1/5ppp/8/8/3P4/4P3/5PPP/5RK1 w - - 0 1";
        let position = Position::from_fen(fen).unwrap();
        let text = |score, defense| {
            let known = [
                ("", "", Second, 10, "Rd1 Kf8"),
                ("", "Rd1", First, 0, "Rc1 Kf8"),
                ("e4", "", Second, 120, "Rd7 h3 Rxd4 h4"),
                ("e4 Rd7", "h3", First, score, defense),
            ];
            explain(&position, Some("e4"), &known).sentences[0].text.clone()
        };
        let lost = text(-130, "g3 Rxd4 h4");
        assert_eq!(lost, "1. e4 loses a pawn: 1... Rd7 2. h3 Rxd4.");
        let kept = text(-120, "d5 h6");
        assert!(kept.starts_with("1. e4 takes the score from +0.07 to -0.85"), "{kept}");
    }

    #[test]
    fn who_is_lost_wins_nothing() {
        use Look::{First, Second};
        let position = Position::from_fen("3r2k1/5ppp/8/8/3N4/8/5PPP/5RK1 b - - 0 1").unwrap();
        let text = |score: i32| {
            let known = [
                ("", "", Second, score, "Rxd4 g3 h6"),
                ("", "Rxd4", First, score - 50, "Kf8 Rd1"),
                ("Rxd4", "", Second, -score, "g3 h6"),
                ("Rxd4", "g3", First, -score, "h3 h6"),
            ];
            explain(&position, None, &known).sentences[0].text.clone()
        };
        assert!(text(20).starts_with("1... Rxd4 wins back a knight."), "{}", text(20));
        // The other side gives it back on its way to a win.
        assert!(
            text(-900).starts_with("1... Rxd4 is the best move found (+6.38)"),
            "{}",
            text(-900)
        );
    }
}
