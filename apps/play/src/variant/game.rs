//! A game of a variant: its moves, and its PGN.

use std::io::{self, BufRead};
use std::sync::Arc;

use tamarin_movegen::Color as Side;
use tamarin_uci::Excerpt;
use tamarin_variant::{Color, Game, Move, MoveTextError, Outcome, Position};
use tamarin_variant_search::AnyEvaluator;
use tamarin_variant_search::evaluate::learned::Learned;

use tamarin_game::clock::TimeControl;
use tamarin_game::ending::Ending;
use tamarin_game::pgn::games::Games;
use tamarin_game::pgn::{self, Movetext, Outcome as Recorded, Tag, write_tag};

/// A game of a variant from a position on.
pub struct VariantGame {
    name: String,
    /// What evaluates it, if it was learned and is beside the file of the rules.
    learned: Option<Arc<Learned>>,
    start: Position,
    position: Position,
    moves: Vec<Move>,
    /// What was taken back, the next move last.
    undone: Vec<Move>,
    /// What it was loaded from.
    record: Option<Record>,
}

/// A game as it was read.
struct Record {
    text: String,
    tags: Vec<Tag>,
    result: Recorded,
    moves: Vec<Move>,
}

/// Why a game cannot be loaded.
#[derive(Debug, thiserror::Error)]
pub enum LoadError {
    #[error("{0}")]
    File(#[from] io::Error),
    #[error("there is no game {0}")]
    Missing(usize),
    #[error("it is a game of {found:?}, not of {wanted:?}")]
    Variant { found: String, wanted: String },
    #[error("{0}")]
    Content(String),
}

impl VariantGame {
    /// A game without moves.
    pub fn new(name: String, start: Position) -> Self {
        Self {
            name,
            learned: None,
            position: start.clone(),
            start,
            moves: Vec::new(),
            undone: Vec::new(),
            record: None,
        }
    }

    /// The same, evaluated by what was learned.
    pub fn with_learned(self, learned: Option<Arc<Learned>>) -> Self {
        Self { learned, ..self }
    }

    pub fn evaluator(&self) -> AnyEvaluator {
        AnyEvaluator::playing(self.position.game(), self.learned.as_ref())
    }

    /// Reads the game with that number, from 1, of a file in PGN.
    pub fn load(
        input: impl BufRead,
        number: usize,
        name: &str,
        rules: &Arc<Game>,
    ) -> Result<Self, LoadError> {
        let mut games = Games::new(input);
        let mut found = None;
        for _ in 0..number {
            found = Some(games.next_game()?.ok_or(LoadError::Missing(number))?);
        }
        let text = found.ok_or(LoadError::Missing(number))?;
        let found =
            pgn::read_any(&text, pgn::Wanted::Variant(name, rules)).map_err(
                |error| match error {
                    pgn::Rejected::Variant(found) => {
                        LoadError::Variant { found, wanted: name.to_owned() }
                    }
                    error => LoadError::Content(error.to_string()),
                },
            )?;
        let tamarin_game::position::Position::Variant(start) = found.start else {
            unreachable!("invariant: a game of a variant was wanted")
        };
        let mut game = Self::new(name.to_owned(), *start);
        for played in &found.moves {
            if let Some(tamarin_game::position::Move::Variant(mv)) = played.mv {
                game.play(mv);
            }
        }
        let text = pgn::decoded_lines(&text.verbatim);
        let moves = game.moves.clone();
        game.record = Some(Record { text, tags: found.tags, result: found.outcome, moves });
        Ok(game)
    }

    /// How the game that was loaded had ended, in words, and the result; as long as its last move is
    /// on the board.
    pub fn recorded_end(&self) -> Option<(String, &'static str)> {
        let record = self.record.as_ref().filter(|record| record.moves == self.moves)?;
        let marker = match record.result {
            Recorded::Won(Side::White) => "1-0",
            Recorded::Won(Side::Black) => "0-1",
            Recorded::Draw => "1/2-1/2",
            Recorded::Unknown => return None,
        };
        Some((Ending::Recorded(record.result).to_string(), marker))
    }

    /// The position on the board, with those before it for repetitions.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// What the variant is called.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Begins anew, from the start position of the variant or from another one.
    pub fn restart(&mut self, start: Option<Position>) {
        let start = start.unwrap_or_else(|| Position::start(self.start.game()));
        *self = Self::new(std::mem::take(&mut self.name), start);
    }

    /// Plays a legal move; what was taken back is forgotten.
    pub fn play(&mut self, m: Move) {
        self.undone.clear();
        self.advance(m);
    }

    fn advance(&mut self, m: Move) {
        self.position.make(m);
        self.moves.push(m);
    }

    /// Takes a move back; `false` at the start.
    pub fn undo(&mut self) -> bool {
        let Some(m) = self.moves.pop() else { return false };
        self.position.unmake();
        self.undone.push(m);
        true
    }

    /// Plays a move again that was taken back; `false` without such a move.
    pub fn redo(&mut self) -> bool {
        let Some(m) = self.undone.pop() else { return false };
        self.advance(m);
        true
    }

    /// How many moves a side has made.
    pub fn moves_of(&self, color: Color) -> u32 {
        let first = usize::from(self.start.side_to_move() == color);
        u32::try_from((self.moves.len() + first) / 2).unwrap_or(u32::MAX)
    }

    /// The position after `plies` plies.
    pub fn position_after(&self, plies: usize) -> Position {
        let mut position = self.start.clone();
        self.moves.iter().take(plies).for_each(|&m| position.make(m));
        position
    }

    /// How many moves were made.
    pub fn plies(&self) -> usize {
        self.moves.len()
    }

    /// How the game has ended by the rules.
    pub fn outcome(&self) -> Option<Outcome> {
        self.position.outcome()
    }

    pub fn moves(&self) -> String {
        let mut text = Movetext::default();
        self.write_moves(&mut text);
        text.finish()
    }

    fn write_moves(&self, text: &mut Movetext) {
        let mut position = self.start.clone();
        for (i, &m) in self.moves.iter().enumerate() {
            match position.side_to_move() {
                Color::White => text.push(&format!("{}.", position.fullmoves())),
                Color::Black if i == 0 => text.push(&format!("{}...", position.fullmoves())),
                Color::Black => {}
            }
            text.push(&position.san(m));
            position.make(m);
        }
    }

    /// The game as PGN with the names of both sides, the result and the time control, if it has
    /// clocks; as it was loaded if nothing has happened since.
    pub fn pgn(&self, players: [&str; 2], result: &str, control: Option<TimeControl>) -> String {
        if let Some(record) = &self.record
            && record.moves == self.moves
            && record.result == Recorded::of(result)
        {
            return format!("{}\n", record.text.trim_end());
        }
        let mut text = String::new();
        for (name, value) in self.tags(players, result, control) {
            write_tag(&mut text, name, &value);
        }
        let mut moves = Movetext::default();
        self.write_moves(&mut moves);
        moves.push(result);
        format!("{text}\n{}", moves.finish())
    }

    /// The tags of the game, and of that which it was loaded from those that are about neither
    /// players nor end.
    fn tags(
        &self,
        [white, black]: [&str; 2],
        result: &str,
        control: Option<TimeControl>,
    ) -> Vec<(&str, String)> {
        let read = self.record.as_ref().map_or(&[][..], |record| &record.tags);
        let value = |name: &str| read.iter().find(|tag| tag.name() == name).map(Tag::value);
        let mut tags = Vec::new();
        let date = match &self.record {
            Some(_) => "????.??.??".to_owned(),
            None => crate::today(),
        };
        let usual = [
            ("Event", "Casual game"),
            ("Site", "Tamarin"),
            ("Date", date.as_str()),
            ("Round", "-"),
        ];
        for (name, usual) in usual {
            tags.push((name, value(name).unwrap_or(usual).to_owned()));
        }
        tags.push(("White", white.to_owned()));
        tags.push(("Black", black.to_owned()));
        tags.push(("Result", result.to_owned()));
        tags.push(("Variant", self.name.clone()));
        if !self.start.same_as(&Position::start(self.start.game())) {
            tags.push(("SetUp", "1".to_owned()));
            tags.push(("FEN", self.start.fen()));
        }
        tags.extend(control.map(|control| ("TimeControl", control.pgn())));
        let written: Vec<&str> = tags.iter().map(|(name, _)| *name).collect();
        let is_kept = |tag: &&Tag| {
            let of_players = tag.name().starts_with("White") || tag.name().starts_with("Black");
            !of_players
                && !written.contains(&tag.name())
                && !["SetUp", "FEN", "Termination", "PlyCount"].contains(&tag.name())
        };
        tags.extend(read.iter().filter(is_kept).map(|tag| (tag.name(), tag.value().to_owned())));
        tags
    }
}

/// The legal move that somebody means, in coordinates or in the manner of SAN.
///
/// # Errors
/// If no legal move is meant: why, with no more of the text than its beginning.
pub fn find_move(position: &Position, text: &str) -> Result<Move, String> {
    position.parse_move(text).map_err(|error| match error {
        MoveTextError::Illegal(text) => {
            format!("{} is no legal move", Excerpt::from(text.as_str()))
        }
        other => other.to_string(),
    })
}

#[cfg(test)]
mod tests {
    use super::VariantGame;
    use tamarin_variant::{Position, builtin};

    #[test]
    fn games_are_written_and_read_again() {
        let rules = builtin("capablanca").unwrap();
        let mut game = VariantGame::new("capablanca".to_owned(), Position::start(&rules));
        for text in ["e2e4", "j7j5", "b1c3"] {
            let m = game.position().parse_move(text).unwrap();
            game.play(m);
        }
        let pgn = game.pgn(["A \"B\"", "C"], "*", None);
        assert!(pgn.contains("[White \"A \\\"B\\\"\"]\n"), "{pgn}");
        assert!(pgn.ends_with("\n1. e4 j5 2. Nc3 *\n"), "{pgn}");
        let twice = format!("{pgn}\n{}", pgn.replace("2. Nc3", "{a (b} 2.Na3 (2. Nc3 $1) ; no\n"));
        let load = |number| VariantGame::load(twice.as_bytes(), number, "capablanca", &rules);
        assert!(load(1).unwrap().position().same_as(game.position()));
        assert!(load(2).unwrap().position().fen().contains("/N"));
        assert_eq!(load(3).err().unwrap().to_string(), "there is no game 3");
        let other = VariantGame::load(pgn.as_bytes(), 1, "fide", &rules).err().unwrap();
        assert_eq!(other.to_string(), "it is a game of \"capablanca\", not of \"fide\"");
    }

    #[test]
    fn a_loaded_game_keeps_its_result_and_its_tags() {
        let rules = builtin("crazyhouse").unwrap();
        let text = "[Event \"Open\"]\n[White \"A\"]\n[WhiteElo \"2000\"]\n[Black \"B\"]\n\
                    [Result \"1-0\"]\n[Opening \"King's Pawn\"]\n\n1. e4 {good} e5 1-0\n";
        let mut game = VariantGame::load(text.as_bytes(), 1, "crazyhouse", &rules).unwrap();
        assert_eq!(game.recorded_end(), Some(("White won".to_owned(), "1-0")));
        assert_eq!(game.pgn(["C", "D"], "1-0", None), text);
        let m = game.position().parse_move("g1f3").unwrap();
        game.play(m);
        assert_eq!(game.recorded_end(), None);
        let pgn = game.pgn(["C", "D"], "*", None);
        for kept in ["[Event \"Open\"]", "[White \"C\"]", "[Opening \"King's Pawn\"]"] {
            assert!(pgn.contains(kept), "{pgn}");
        }
        assert!(!pgn.contains("WhiteElo") && pgn.contains("[Result \"*\"]"), "{pgn}");
        assert!(pgn.contains("[Date \"????.??.??\"]"), "nobody knows when it was played: {pgn}");
        let latin_1 = b"[White \"M\xfcller\"]\n\n1. e4 *\n";
        let game = VariantGame::load(&latin_1[..], 1, "crazyhouse", &rules).unwrap();
        assert!(game.pgn(["C", "D"], "*", None).contains("M\u{fc}ller"));
    }

    #[test]
    fn a_result_may_stand_behind_the_moves_alone() {
        let rules = builtin("crazyhouse").unwrap();
        let text = "[Variant \"crazyhouse\"]\n\n1. e4 e5 1-0\n";
        let game = VariantGame::load(text.as_bytes(), 1, "crazyhouse", &rules).unwrap();
        assert_eq!(game.recorded_end(), Some(("White won".to_owned(), "1-0")));
    }

    #[test]
    fn new_games_have_a_date_and_the_time_control_of_their_clocks() {
        let rules = builtin("losalamos").unwrap();
        let game = VariantGame::new("losalamos".to_owned(), Position::start(&rules));
        let before = crate::today();
        let pgn = game.pgn(["A", "B"], "*", "5+3".parse().ok());
        let dates = [before, crate::today()];
        assert!(dates.iter().any(|date| pgn.contains(&format!("[Date \"{date}\"]"))), "{pgn}");
        assert!(pgn.contains("[TimeControl \"300+3\"]"), "{pgn}");
        // Chosen clocks take the place of those of a file.
        let game = VariantGame::load(pgn.as_bytes(), 1, "losalamos", &rules).unwrap();
        for (control, expected) in [(None, "300+3"), ("1".parse().ok(), "60")] {
            let pgn = game.pgn(["A", "B"], "1-0", control);
            assert_eq!(pgn.matches("TimeControl").count(), 1, "{pgn}");
            assert!(pgn.contains(&format!("[TimeControl \"{expected}\"]")), "{pgn}");
        }
    }

    #[test]
    fn comments_may_hold_semicolons_and_parentheses() {
        let rules = builtin("crazyhouse").unwrap();
        let moves = |text: &str| {
            VariantGame::load(text.as_bytes(), 1, "crazyhouse", &rules).map(|game| game.moves())
        };
        for text in [
            "1. e4 {good; strong} e5 2. Nf3 Nc6 *",
            "1. e4 e5 (1... c5 {not ( yet} 2. Nf3 {nor ) now}) 2. Nf3 Nc6 *",
            "1. e4 e5 {many\n\n(lines; all} 2. Nf3 ; a rest (\nNc6 $1 *",
        ] {
            assert_eq!(moves(text).unwrap(), "1. e4 e5 2. Nf3 Nc6\n", "{text}");
        }
        assert!(moves("1. e4 {open").is_err());
    }

    #[test]
    fn moves_to_the_tenth_row_are_read_whole() {
        let rules = builtin("xiangqi").unwrap();
        let load = |moves: &str| VariantGame::load(moves.as_bytes(), 1, "xiangqi", &rules);
        // Chess would take `Cxb1` and `b1` for the moves.
        for moves in ["1. Cxb10 Rxb10 *", "1. b3b10 a10b10 *"] {
            let game = load(moves).map_err(|error| error.to_string());
            assert_eq!(game.map(|game| game.moves().matches("b10").count()), Ok(2), "{moves}");
        }
    }

    #[test]
    fn moves_are_taken_back_and_played_again() {
        let rules = builtin("minixiangqi").unwrap();
        let mut game = VariantGame::new("minixiangqi".to_owned(), Position::start(&rules));
        assert!(!game.undo() && !game.redo());
        let m = game.position().legal_moves()[0];
        game.play(m);
        let after = game.position().clone();
        assert!(game.undo() && game.position().same_as(&Position::start(&rules)));
        assert!(game.redo() && game.position().same_as(&after) && !game.redo());
    }
}
