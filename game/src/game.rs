//! A game in progress, of chess or a variant: its moves, what was taken back, clocks, offers and
//! the end.

use std::time::{Duration, Instant};

use tamarin_movegen as chess;
use tamarin_movegen::{Bitboard, Color, File, PerColor, Piece, PieceKind};

use crate::clock::Clocks;
use crate::ending::Ending;
use crate::position::{Move, Position};

/// A move that was played.
#[derive(Clone, Debug)]
pub struct Turn {
    pub mv: Move,
    /// In algebraic notation.
    pub san: String,
    /// The clocks before it, if there are any.
    pub before: Option<PerColor<Duration>>,
    /// The mover's clock after it.
    pub after: Option<Duration>,
    /// What PGN says of it besides the clock.
    pub comment: String,
    /// It comes from the record that the game was loaded from, which has its notes.
    pub is_recorded: bool,
    /// How the game had ended when the move was taken back.
    ended: Option<Ending>,
}

/// Why a draw cannot be claimed.
#[derive(Clone, Copy, PartialEq, Eq, Debug, thiserror::Error)]
pub enum ClaimError {
    #[error("the game is over")]
    Over,
    #[error("no draw to claim in this game: its rules end it by themselves")]
    Variant,
    /// Neither the position nor the move gives a draw.
    #[error(
        "no draw to claim: the position has occurred {occurrences} of 3 times, and {plies} of 100 \
         plies went by without a capture or pawn move"
    )]
    NoDraw {
        /// Of the position with the move that was claimed, if any.
        occurrences: usize,
        /// Plies without capture or pawn move.
        plies: u16,
    },
}

/// A game that is being played.
#[derive(Clone)]
pub struct Game {
    start: Position,
    position: Position,
    turns: Vec<Turn>,
    /// Moves taken back, the next one to be played again last.
    undone: Vec<Turn>,
    ending: Option<Ending>,
    offer: Option<Color>,
    clocks: Option<Clocks>,
    /// Time of the game without pauses, as it was counted last.
    total: Duration,
    /// When that was, while the game runs.
    counted: Option<Instant>,
}

impl Game {
    /// A game from a position on. The clocks stand still until [`Self::start_clock`].
    pub fn new(start: Position, clocks: Option<Clocks>) -> Self {
        let (ending, position) = (start.ending(), start.clone());
        let (turns, undone, offer) = (Vec::new(), Vec::new(), None);
        let (total, counted) = (Duration::ZERO, None);
        Self { start, position, turns, undone, ending, offer, clocks, total, counted }
    }

    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// The position with all moves before it.
    pub const fn position(&self) -> &Position {
        &self.position
    }

    /// The position after `plies` plies.
    pub fn position_after(&self, plies: usize) -> Position {
        let mut position = self.start.clone();
        self.turns.iter().take(plies).for_each(|turn| position.make(turn.mv));
        position
    }

    /// The moves that count.
    pub fn turns(&self) -> &[Turn] {
        &self.turns
    }

    /// How it ended, if it did.
    pub const fn ending(&self) -> Option<Ending> {
        self.ending
    }

    pub const fn offer(&self) -> Option<Color> {
        self.offer
    }

    /// The clocks, if there are any.
    pub const fn clocks(&self) -> Option<&Clocks> {
        self.clocks.as_ref()
    }

    /// Sets what both sides have left; no clock runs.
    pub const fn set_clocks(&mut self, left: PerColor<Duration>) {
        if let Some(clocks) = &mut self.clocks {
            clocks.set(left);
        }
    }

    /// Sets the clocks before the last move, as they were kept.
    pub fn set_before(&mut self, before: PerColor<Duration>) {
        if let Some(turn) = self.turns.last_mut() {
            turn.before = Some(before);
        }
    }

    pub fn mover(&self) -> Color {
        self.position.turn()
    }

    /// How many moves each side has made.
    pub fn counts(&self) -> PerColor<u32> {
        let plies = u32::try_from(self.turns.len()).unwrap_or(u32::MAX);
        let mut counts = PerColor([plies / 2; 2]);
        counts[self.start.turn()] = plies.div_ceil(2);
        counts
    }

    /// Returns `true` once both sides have made their first move and the clocks run.
    pub const fn has_opened(&self) -> bool {
        self.turns.len() >= 2
    }

    /// Lets the clock of the side to move run, if there are clocks and the game goes on.
    pub fn start_clock(&mut self, now: Instant) {
        let mover = self.mover();
        if self.ending.is_none()
            && let Some(clocks) = &mut self.clocks
        {
            clocks.start(mover, now);
        }
    }

    pub fn stop_clock(&mut self, now: Instant) {
        if let Some(clocks) = &mut self.clocks {
            clocks.stop(now);
        }
    }

    /// Adds the time since the last call to that of the game, which goes on unless it is paused.
    pub fn count_time(&mut self, is_paused: bool, now: Instant) {
        self.total = self.total_time(now);
        let runs = !is_paused && self.ending.is_none() && !self.turns.is_empty();
        self.counted = runs.then_some(now);
    }

    /// The time of the game, without pauses.
    pub fn total_time(&self, now: Instant) -> Duration {
        self.total + self.counted.map_or(Duration::ZERO, |then| now.saturating_duration_since(then))
    }

    /// Plays a legal move. What was taken back is forgotten, and so is an offer of the opponent,
    /// which is declined by moving.
    pub fn play(&mut self, mv: Move, now: Instant) {
        self.undone.clear();
        self.make(mv, now);
    }

    fn make(&mut self, mv: Move, now: Instant) {
        let mover = self.mover();
        if self.offer == Some(!mover) {
            self.offer = None;
        }
        let before = self.clocks.as_ref().map(|clocks| clocks.both(now));
        let (count, has_opened) = (self.counts()[mover] + 1, self.has_opened());
        let after = self.clocks.as_mut().map(|clocks| {
            let mut left = clocks.left(mover, now);
            // The first move of each side takes no time and brings none.
            if has_opened || clocks.is_running() {
                clocks.press(mover, count, now);
                if !clocks.control().is_per_move {
                    left = clocks.left(mover, now);
                }
            }
            left
        });
        self.push(mv, before, after, false);
        self.end(self.position.ending(), now);
    }

    /// Plays a move of a recorded game without any clock running. `left` is what its record says of
    /// the mover's clock.
    pub fn replay(&mut self, mv: Move, left: Option<Duration>) {
        let (mover, now) = (self.mover(), Instant::now());
        let before = self.clocks.as_ref().map(|clocks| clocks.both(now));
        if let (Some(clocks), Some(left), Some(mut both)) = (&mut self.clocks, left, before) {
            both[mover] = left;
            clocks.set(both);
        }
        self.push(mv, before, left, true);
        self.ending = self.position.ending();
    }

    fn push(
        &mut self,
        mv: Move,
        before: Option<PerColor<Duration>>,
        after: Option<Duration>,
        is_recorded: bool,
    ) {
        let (san, comment) = (self.position.san(mv), String::new());
        self.position.make(mv);
        self.turns.push(Turn { mv, san, before, after, comment, is_recorded, ended: None });
    }

    fn end(&mut self, ending: Option<Ending>, now: Instant) {
        self.ending = ending;
        if ending.is_some() {
            self.offer = None;
            self.stop_clock(now);
        }
    }

    /// Takes the last move back and gives it; the clocks are as they were before it, and stand
    /// still. A game that had ended goes on.
    pub fn undo(&mut self) -> Option<&Turn> {
        let mut turn = self.turns.pop()?;
        self.position.unmake();
        turn.ended = self.ending.take();
        self.offer = None;
        if let (Some(clocks), Some(before)) = (&mut self.clocks, turn.before) {
            clocks.set(before);
        }
        self.undone.push(turn);
        self.undone.last()
    }

    /// Returns `true` if a move was taken back that can be played again.
    pub const fn can_redo(&self) -> bool {
        !self.undone.is_empty()
    }

    /// Plays the move again that was taken back last, and gives it. A game that had ended after it
    /// ends in the same way.
    pub fn redo(&mut self, now: Instant) -> Option<&Turn> {
        let turn = self.undone.pop()?;
        let Turn { mv, comment, after, is_recorded, ended, .. } = turn;
        let mover = self.mover();
        let before = self.clocks.as_ref().map(|clocks| clocks.both(now));
        self.make(mv, now);
        if let (Some(clocks), Some(mut both)) = (&mut self.clocks, before) {
            both[mover] = after.unwrap_or(both[mover]);
            clocks.set(both);
        }
        if ended.is_some() {
            self.end(ended, now);
        }
        let turn = self.turns.last_mut()?;
        turn.comment = comment;
        turn.after = after;
        turn.is_recorded = is_recorded;
        Some(turn)
    }

    /// A side offers a draw, which holds until the opponent moves, or accepts that of the opponent;
    /// whether the game is drawn now.
    pub fn offer_draw(&mut self, by: Color, now: Instant) -> bool {
        if self.ending.is_some() {
            return false;
        }
        if self.offer == Some(!by) {
            self.end(Some(Ending::Agreement), now);
            return true;
        }
        self.offer = Some(by);
        false
    }

    /// The opponent of the side that offers a draw does not want it; whether there was an offer.
    pub const fn decline(&mut self) -> bool {
        self.offer.take().is_some()
    }

    /// Both want a draw.
    pub fn agree(&mut self, now: Instant) {
        self.end(Some(Ending::Agreement), now);
    }

    /// A side gives up.
    pub fn resign(&mut self, loser: Color, now: Instant) {
        self.end(Some(Ending::Resignation(!loser)), now);
    }

    /// A recorded game ended in this way, for a reason that the moves do not show.
    pub const fn set_ending(&mut self, ending: Ending) {
        self.ending = Some(ending);
    }

    /// The side to move claims a draw: in this position, or in that after `intended`, which is
    /// then played.
    pub fn claim(&mut self, intended: Option<Move>, now: Instant) -> Result<Ending, ClaimError> {
        if self.ending.is_some() {
            return Err(ClaimError::Over);
        }
        let mut after = self.position.clone();
        if let Some(mv) = intended {
            after.make(mv);
        }
        let Some(ending) = after.claim() else {
            let position = after.chess().ok_or(ClaimError::Variant)?;
            return Err(ClaimError::NoDraw {
                occurrences: position.occurrences(),
                plies: position.halfmove_clock(),
            });
        };
        if let Some(mv) = intended {
            self.play(mv, now);
        }
        self.end(Some(ending), now);
        Ok(ending)
    }

    /// Returns `true` if an engine may agree to a draw here.
    pub fn may_be_agreed(&self) -> bool {
        self.position.draw_may_be_agreed(self.turns.len())
    }

    /// Ends the game if the time of the side to move has run out; whether it did.
    pub fn check_time(&mut self, now: Instant) -> bool {
        let mover = self.mover();
        let is_out = self.clocks.as_ref().is_some_and(|clocks| clocks.is_out(mover, now));
        if !is_out || self.ending.is_some() {
            return false;
        }
        self.end(Some(self.position.timeout(mover)), now);
        true
    }

    /// Says something about the last move, for PGN.
    pub fn comment(&mut self, text: String) {
        if let Some(turn) = self.turns.last_mut() {
            turn.comment = text;
        }
    }
}

/// Returns `true` if the position has castling rights that only Chess960 knows.
pub fn is_chess960(position: &chess::Position) -> bool {
    let rooks = position.castling();
    let corners: Bitboard = File::A.bitboard() | File::H.bitboard();
    let king_is_elsewhere = Color::ALL.into_iter().any(|color| {
        (rooks & position.color(color)).any() && position.king(color).file() != File::E
    });
    king_is_elsewhere || !rooks.is_subset(corners)
}

/// What each side has taken from the other in a position: the pieces missing from a full set, by
/// the color of the pieces. Promoted pieces count as the pawns they were.
pub fn captured(position: &chess::Position) -> PerColor<Vec<Piece>> {
    const FULL: [(PieceKind, u32); 4] = [
        (PieceKind::Queen, 1),
        (PieceKind::Rook, 2),
        (PieceKind::Bishop, 2),
        (PieceKind::Knight, 2),
    ];
    PerColor(Color::ALL.map(|color| {
        let mut missing = Vec::new();
        let mut promoted = 0;
        for (kind, full) in FULL {
            let there = position.of(color, kind).len();
            promoted += there.saturating_sub(full);
            let count = full.saturating_sub(there) as usize;
            missing.extend(std::iter::repeat_n(Piece::new(color, kind), count));
        }
        let pawns = 8_u32.saturating_sub(position.of(color, PieceKind::Pawn).len() + promoted);
        missing.extend(std::iter::repeat_n(Piece::new(color, PieceKind::Pawn), pawns as usize));
        missing
    }))
}

#[cfg(test)]
mod tests {
    use super::{ClaimError, Game, captured};
    use crate::clock::Clocks;
    use crate::ending::Ending;
    use crate::position::Position;
    use std::time::{Duration, Instant};
    use tamarin_movegen::{self as chess, Color, PerColor};
    use tamarin_variant as variant;

    fn play(game: &mut Game, moves: &[&str], now: Instant) {
        for text in moves {
            let mv = game.position().find(text).unwrap();
            game.play(mv, now);
        }
    }

    fn sans(game: &Game) -> Vec<&str> {
        game.turns().iter().map(|turn| turn.san.as_str()).collect()
    }

    #[test]
    fn moves_are_undone_and_redone_with_their_clocks() {
        let begin = Instant::now();
        let secs = |seconds| Duration::from_secs(seconds);
        let clocks = Clocks::new("1+0".parse().unwrap());
        let mut game = Game::new(Position::startpos(), Some(clocks));
        game.start_clock(begin);
        play(&mut game, &["e4"], begin + secs(5));
        play(&mut game, &["e5"], begin + secs(15));
        let left = |game: &Game| game.clocks().unwrap().both(begin + secs(15));
        assert_eq!(left(&game), PerColor([secs(55), secs(50)]));
        assert_eq!(game.undo().map(|turn| turn.san.clone()).as_deref(), Some("e5"));
        // As the clocks were when Black moved.
        assert_eq!(left(&game), PerColor([secs(55), secs(50)]));
        assert!(game.undo().is_some() && game.undo().is_none());
        assert_eq!(left(&game), PerColor([secs(55), secs(60)]));
        assert_eq!(game.position().fen(), Position::startpos().fen());
        assert_eq!(game.redo(begin + secs(20)).map(|turn| turn.san.clone()).as_deref(), Some("e4"));
        play(&mut game, &["c5"], begin + secs(30));
        assert_eq!(sans(&game), ["e4", "c5"]);
        assert!(game.redo(begin).is_none());
    }

    #[test]
    fn a_game_that_ended_goes_on_after_undo() {
        let now = Instant::now();
        let mut game = Game::new(Position::startpos(), None);
        play(&mut game, &["f3", "e5", "g4", "Qh4"], now);
        assert_eq!(game.ending(), Some(Ending::Checkmate(Color::Black)));
        assert!(game.undo().is_some());
        assert_eq!(game.ending(), None);
        assert!(game.redo(now).is_some());
        assert_eq!(game.ending(), Some(Ending::Checkmate(Color::Black)));
    }

    #[test]
    fn draws_are_claimed_here_or_with_a_move() {
        let now = Instant::now();
        let mut game = Game::new(Position::startpos(), None);
        let shuffle = ["Nf3", "Nf6", "Ng1", "Ng8"];
        play(&mut game, &shuffle, now);
        play(&mut game, &shuffle[..3], now);
        let wrong = game.position().find("Nd5").unwrap();
        let no = ClaimError::NoDraw { occurrences: 1, plies: 8 };
        assert_eq!(game.claim(Some(wrong), now), Err(no));
        assert!(matches!(game.claim(None, now), Err(ClaimError::NoDraw { occurrences: 2, .. })));
        let right = game.position().find("Ng8").unwrap();
        assert_eq!(game.claim(Some(right), now), Ok(Ending::ThreefoldRepetition));
        assert_eq!(game.turns().len(), 8);
        assert_eq!(game.claim(None, now), Err(ClaimError::Over));
    }

    #[test]
    fn the_clocks_stand_still_until_both_sides_have_moved() {
        let begin = Instant::now();
        let at = |seconds| begin + Duration::from_secs(seconds);
        let mut game = Game::new(Position::startpos(), Some(Clocks::new("1+2".parse().unwrap())));
        assert!(!game.has_opened());
        play(&mut game, &["e4"], at(30));
        play(&mut game, &["e5"], at(50));
        let full = PerColor([Duration::from_secs(60); 2]);
        assert_eq!(game.clocks().unwrap().both(at(70)), full);
        assert!(game.has_opened());
        game.start_clock(at(70));
        play(&mut game, &["Nf3"], at(75));
        assert_eq!(game.clocks().unwrap().left(Color::White, at(99)), Duration::from_secs(57));
        assert_eq!(game.clocks().unwrap().left(Color::Black, at(85)), Duration::from_secs(50));
    }

    #[test]
    fn an_offer_holds_until_the_opponent_moves() {
        let now = Instant::now();
        let mut game = Game::new(Position::startpos(), None);
        assert!(!game.offer_draw(Color::White, now));
        play(&mut game, &["e4"], now);
        assert_eq!(game.offer(), Some(Color::White));
        play(&mut game, &["e5"], now);
        assert_eq!(game.offer(), None);
        game.offer_draw(Color::White, now);
        assert!(game.offer_draw(Color::Black, now));
        assert_eq!(game.ending(), Some(Ending::Agreement));
    }

    #[test]
    fn time_runs_out_for_the_side_to_move() {
        let begin = Instant::now();
        let clocks = Clocks::new("1+0".parse().unwrap());
        let mut game = Game::new(Position::startpos(), Some(clocks));
        game.start_clock(begin);
        assert!(!game.check_time(begin + Duration::from_secs(59)));
        assert!(game.check_time(begin + Duration::from_secs(60)));
        assert_eq!(game.ending(), Some(Ending::TimeForfeit(Color::Black)));
        assert!(!game.check_time(begin + Duration::from_secs(61)));
    }

    #[test]
    fn captured_pieces_follow_from_the_board() {
        let position =
            chess::Position::from_fen("rnb1kbnr/ppp1pppp/8/8/8/8/PPPP1PPP/RNBQKBNQ w - - 0 1")
                .unwrap();
        let text = |color| captured(&position)[color].iter().map(|piece| piece.to_char()).collect();
        let (white, black): (String, String) = (text(Color::White), text(Color::Black));
        // The second white queen was the pawn that is missing.
        assert_eq!((white.as_str(), black.as_str()), ("R", "qp"));
    }

    /// Both players of a variant move, take back, run out of time.
    #[test]
    fn variants_have_clocks_and_redo_too() {
        let begin = Instant::now();
        let secs = |seconds| Duration::from_secs(seconds);
        let start = variant::Position::start(&variant::builtin("losalamos").unwrap());
        let clocks = Clocks::new("1+2".parse().unwrap());
        let mut game = Game::new(start.into(), Some(clocks));
        play(&mut game, &["a2a3", "a5a4"], begin);
        game.start_clock(begin);
        play(&mut game, &["b3"], begin + secs(10));
        let left = |game: &Game| game.clocks().unwrap().both(begin + secs(10));
        assert_eq!(left(&game), PerColor([secs(52), secs(60)]));
        assert_eq!(game.undo().map(|turn| turn.san.clone()).as_deref(), Some("b3"));
        assert_eq!(left(&game), PerColor([secs(50), secs(60)]));
        game.redo(begin + secs(10));
        assert_eq!(left(&game), PerColor([secs(52), secs(60)]));
        assert_eq!(game.claim(None, begin), Err(ClaimError::Variant));
        game.start_clock(begin + secs(10));
        assert!(game.check_time(begin + secs(70)));
        assert_eq!(game.ending(), Some(Ending::TimeForfeit(Color::White)));
        game.undo();
        assert_eq!(game.ending(), None);
    }
}
