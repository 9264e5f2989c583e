//! What is known of each legal move without a search: book, tablebases, opening.

use serde_json::{Value, json};
use tamarin_game::book::Book;
use tamarin_game::openings;
use tamarin_search::{Known, TablebaseProbe};

use super::core::Session;
use tamarin_game::position::Move;

impl Session {
    /// Each legal move of the position on the board with what is known of it. Results of tablebases
    /// are for the side to move.
    pub fn moves(&self, tablebases: &TablebaseProbe) -> Value {
        let position = self.tree.position(self.at);
        let positions = self.positions(self.at).unwrap_or_default();
        let book =
            position.chess().map(|position| Book::built_in().moves(position)).unwrap_or_default();
        let total: u64 = book.iter().map(|one| u64::from(one.weight)).sum();
        let one = |legal: &tamarin_game::position::LegalMove| {
            let Move::Chess(mv) = legal.mv else {
                return json!({ "mv": legal.text, "san": legal.san });
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
                "tablebase": result.map(|known| json!({ "wdl": -known.wdl, "dtz": known.dtz.map(|dtz| -dtz) })),
                "opening": name,
            })
        };
        let mut moves: Vec<Value> = position.legal().iter().map(one).collect();
        let share = |one: &Value| one["book"].as_f64().unwrap_or(-1.0);
        moves.sort_by(|one, other| share(other).total_cmp(&share(one)));
        let own = position.chess().and_then(|position| tablebases.known(position));
        json!({
            "node": self.at,
            "tablebase": own.map(|Known { wdl, dtz }| json!({ "wdl": wdl, "dtz": dtz })),
            "moves": moves,
        })
    }
}
