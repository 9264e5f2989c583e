//! Questions to the engine: hints, reasons, and what is known of moves without a search.

use serde_json::{Value, json};
use tamarin_analysis::explain::{Explanation, Found as ExplainFound, Inquiry, Request, Step};
use tamarin_game::book::Book;
use tamarin_game::openings;
use tamarin_game::position::{LegalMove, Move, Position, castling_of, side_name};
use tamarin_game::search::{Answer, Ask, Searcher};
use tamarin_game::tree::{NodeId, TreeError};
use tamarin_movegen::{CastlingNotation, PieceKind};
use tamarin_search::{Known, Millis, TablebaseProbe};

use super::Session;
use crate::error::BoardError;
use crate::explorer::{Explorer, Tally};

/// A question that is being thought about.
pub enum Asked {
    /// A good move in a position.
    Hint {
        /// How much of it to say.
        step: u8,
        node: NodeId,
        /// What is to be explained after it.
        then: Option<(NodeId, Box<Inquiry>)>,
    },
    /// Why a move is good or bad.
    Why {
        node: NodeId,
        /// As far as it has come.
        inquiry: Box<Inquiry>,
    },
}

/// Nodes for a hint, and time for slow computers.
const HINT_NODES: u64 = 300_000;

/// An analysis of this number of nodes is good enough: a report has that.
const KNOWN_NODES: u64 = 20_000;

const HINT_TIME: Millis = Millis::new(1000);

/// Nodes of each search for a reason, so that the same question has the same answer; the time is
/// for slow computers.
const WHY_NODES: u64 = 150_000;

/// Time of each search for a reason.
const WHY_TIME: Millis = Millis::new(1000);

impl Session {
    /// A hint for the side to move, in three steps.
    pub(super) fn hint(&mut self, step: u8) -> Result<(), BoardError> {
        if !(1..=3).contains(&step) {
            return Err(BoardError::Range { what: "the step of a hint", least: 1, most: 3 });
        }
        if self.is_shared_game() {
            return Err(BoardError::Kind("a hint in a game of two people"));
        }
        let position = self.tree.position(self.at);
        if let Some(end) = self.game.ending().filter(|_| self.is_game()) {
            return Err(BoardError::Over(end.to_string()));
        }
        if self.is_engine_to_move(&position) {
            return Err(BoardError::Turn(side_name(position.turn())));
        }
        if position.legal().is_empty() {
            return Err(BoardError::Over("there is no legal move".to_owned()));
        }
        // The next step is about the same move.
        let hinted = self.hinted.take_if(|(node, _)| *node == self.at);
        if let Some(answer) = hinted.map(|(_, answer)| answer).or_else(|| self.known()) {
            self.send_hint(step, self.at, &answer);
            self.hinted = Some((self.at, answer));
            return Ok(());
        }
        let ask = Ask { nodes: Some(HINT_NODES), move_time: Some(HINT_TIME), ..Ask::default() };
        self.put(&position, &ask)?;
        let then = match self.asked.take() {
            Some(Asked::Why { node, inquiry }) => Some((node, inquiry)),
            Some(Asked::Hint { then, .. }) => then,
            None => None,
        };
        self.asked = Some(Asked::Hint { step, node: self.at, then });
        Ok(())
    }

    /// What an analysis has found at the position on the board, if it was thorough.
    fn known(&self) -> Option<Answer> {
        let kept = self.analysis.kept.get(&self.at).filter(|_| !self.is_game())?;
        let found = Some(&kept.found).filter(|found| found.nodes >= KNOWN_NODES)?.clone();
        Some(Answer { found, ..Answer::default() })
    }

    /// Why a move is good or bad.
    pub(super) fn explain(&mut self, node: Option<NodeId>) -> Result<(), BoardError> {
        let id = node.unwrap_or(self.at);
        let node = self.tree.node(id).ok_or(TreeError::NoNode(id))?;
        let position = self.tree.position(node.parent.unwrap_or(id));
        let inquiry = match (position.chess().cloned(), node.mv) {
            (Some(position), Some(Move::Chess(mv))) => Inquiry::of_move(position, mv),
            (Some(position), None) => Inquiry::of_position(position),
            _ => return Err(BoardError::Kind("an explanation")),
        };
        if let Some(Asked::Hint { then, .. }) = &mut self.asked {
            *then = Some((id, Box::new(inquiry)));
            return Ok(());
        }
        self.go_on_explaining(id, Box::new(inquiry))
    }

    fn put(&mut self, position: &Position, ask: &Ask) -> Result<(), BoardError> {
        Ok(self.resources.search(&mut self.advisor, position, 1, ask)?)
    }

    fn go_on_explaining(&mut self, node: NodeId, inquiry: Box<Inquiry>) -> Result<(), BoardError> {
        match inquiry.next() {
            Step::Search(request) => {
                let Request { position, .. } = &*request;
                let castling = castling_of(position);
                let position = Position::Chess(Box::new(position.clone()), castling);
                let ask = Ask {
                    nodes: Some(WHY_NODES),
                    move_time: Some(WHY_TIME),
                    only: request.search_moves(),
                    ..Ask::default()
                };
                self.put(&position, &ask)?;
                self.asked = Some(Asked::Why { node, inquiry });
            }
            Step::Done(explanation) => self.send_explanation(node, &explanation),
        }
        Ok(())
    }

    fn send_explanation(&self, node: NodeId, explanation: &Explanation) {
        let text = match explanation.sentences.is_empty() {
            true => vec!["There is nothing to say about this move.".to_owned()],
            false => explanation.lines(),
        };
        let notation = CastlingNotation::Classic;
        let data = json!({
            "node": node,
            "text": text,
            "proofs": explanation.to_json(notation),
            "terms": self.terms(node),
        });
        self.send_of_node("explanation", data);
    }

    /// The evaluation of a position term by term, White's.
    fn terms(&self, node: NodeId) -> Value {
        let position = self.tree.position(node);
        let Some(chess) = position.chess() else { return Value::Null };
        let evaluator = &self.resources.evaluator;
        let network = evaluator.loaded_network();
        let shown =
            tamarin_game::evaluation::Shown { network: &network, searches_with: evaluator.kind };
        let all = tamarin_game::evaluation::to_json(chess, &shown);
        let mut terms = all["hand_crafted"].clone();
        terms["units_per_pawn"] = all["units_per_pawn"].clone();
        terms
    }

    /// Each legal move of the position on the board with what is known of it. Results of tablebases
    /// are for the side to move. Own games are those of the file, else those of `kept` files.
    pub fn moves(&self, tablebases: &TablebaseProbe, kept: Option<&Explorer>) -> Value {
        let position = self.tree.position(self.at);
        let explorer = self.own_explorer().or(kept);
        let played = explorer.map(|explorer| explorer.moves(&position)).unwrap_or_default();
        let positions = self.positions(self.at).unwrap_or_default();
        let book =
            position.chess().map(|position| Book::built_in().moves(position)).unwrap_or_default();
        let total: u64 = book.iter().map(|one| u64::from(one.weight)).sum();
        let one = |legal: &LegalMove| {
            let played = played.get(&legal.mv).map(Tally::json);
            let Move::Chess(mv) = legal.mv else {
                return json!({ "mv": legal.text, "san": legal.san, "played": played });
            };
            let weight = book.iter().find(|one| one.mv == mv).map(|one| u64::from(one.weight));
            let share = weight.filter(|_| total > 0).map(|weight| weight as f64 / total as f64);
            let mut after = position.clone();
            after.make(legal.mv);
            let after = after.chess();
            let result = after.and_then(|after| tablebases.known(after));
            let name = after
                .filter(|_| positions.len() <= 25)
                .and_then(|after| openings::name(std::iter::once(after)));
            json!({
                "mv": legal.text,
                "san": legal.san,
                "book": share,
                "played": played,
                "tablebase": result.map(|known| json!({ "wdl": -known.wdl, "dtz": known.dtz.map(|dtz| -dtz) })),
                "opening": name,
            })
        };
        let mut moves: Vec<Value> = position.legal().iter().map(one).collect();
        let share = |one: &Value| one["book"].as_f64().unwrap_or(-1.0);
        let games = |one: &Value| one["played"]["games"].as_u64().unwrap_or(0);
        moves.sort_by(|one, other| {
            games(other).cmp(&games(one)).then(share(other).total_cmp(&share(one)))
        });
        let own = position.chess().and_then(|position| tablebases.known(position));
        json!({
            "node": self.at,
            "own": if self.file.is_some() { "file" } else { "kept" },
            "tablebase": own.map(|Known { wdl, dtz }| json!({ "wdl": wdl, "dtz": dtz })),
            "moves": moves,
        })
    }

    /// Takes the answer of a search, and asks on or says what came of it.
    pub(super) fn advance_question(&mut self) {
        if self.asked.is_none() {
            return;
        }
        let Some(answer) = self.advisor.as_mut().and_then(Searcher::answer) else { return };
        match self.asked.take() {
            Some(Asked::Hint { step, node, then }) => {
                self.send_hint(step, node, &answer);
                self.hinted = Some((node, answer));
                if let Some((node, inquiry)) = then {
                    self.explain_further(node, inquiry);
                }
            }
            Some(Asked::Why { node, mut inquiry }) => {
                inquiry.answer(ExplainFound::of(&answer));
                self.explain_further(node, inquiry);
            }
            None => {}
        }
    }

    fn explain_further(&mut self, node: NodeId, inquiry: Box<Inquiry>) {
        if let Err(error) = self.go_on_explaining(node, inquiry) {
            self.notice(&error.to_string());
        }
    }

    fn send_hint(&self, step: u8, node: NodeId, answer: &Answer) {
        if self.tree.node(node).is_none() {
            return;
        }
        let position = self.tree.position(node);
        let line = answer.found.lines.first().and_then(|line| line.pv.first().copied());
        let Some(mv) = line.or(answer.best) else { return };
        let [from, to] = position.squares_of(mv);
        let piece = position.pieces().into_iter().find(|piece| piece.at == from);
        let name = piece.map_or_else(String::new, |piece| piece_name(&position, &piece.piece));
        let dropped = position.dropped(mv).map(|name| piece_name(&position, &name));
        let (text, squares, shown) = match step {
            1 if dropped.is_some() => ("Think about your hand.".to_owned(), Vec::new(), None),
            2 if dropped.is_some() => {
                (format!("Drop the {}.", dropped.unwrap_or_default()), Vec::new(), None)
            }
            1 => (format!("Think about a move of your {name}."), Vec::new(), None),
            2 => (format!("Move the {name} on {from}."), vec![from], None),
            _ => (format!("Play {}.", position.san(mv)), vec![from, to], Some(position.text(mv))),
        };
        let data = json!({
            "node": node, "step": step, "text": text, "squares": squares, "mv": shown,
        });
        self.send_of_node("hint", data);
    }
}

fn piece_name(position: &Position, letter: &str) -> String {
    let kind = letter.chars().next().and_then(PieceKind::from_char);
    match kind.filter(|_| position.chess().is_some()) {
        Some(kind) => format!("{kind:?}").to_lowercase(),
        None => letter.to_owned(),
    }
}
