//! The game on the table: its moves, what was taken back, clocks, offers and the end.

use std::time::{Duration, Instant};

use tamarin_movegen::{Bitboard, Color, File, Move, PerColor, Piece, PieceKind, Position};

use tamarin_game::clock::Clocks;
use tamarin_game::ending::{self, Ending};

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
#[derive(Clone, Debug)]
pub struct Game {
    start: Position,
    position: Position,
    turns: Vec<Turn>,
    /// Moves taken back, the next one to be played again last.
    undone: Vec<Turn>,
    ending: Option<Ending>,
    offer: Option<Color>,
    clocks: Option<Clocks>,
}

impl Game {
    /// A game from a position on. The clocks stand still until [`Self::start_clock`].
    pub fn new(start: Position, clocks: Option<Clocks>) -> Self {
        let ending = ending::by_rule(&start);
        let position = start.clone();
        Self { start, position, turns: Vec::new(), undone: Vec::new(), ending, offer: None, clocks }
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

    /// Returns `true` if castling is written as in Chess960, because the game began so.
    pub fn is_chess960(&self) -> bool {
        is_chess960(&self.start)
    }

    pub const fn mover(&self) -> Color {
        self.position.side_to_move()
    }

    /// How many moves each side has made.
    pub fn counts(&self) -> PerColor<u32> {
        let first = self.start.side_to_move();
        let plies = u32::try_from(self.turns.len()).unwrap_or(u32::MAX);
        let mut counts = PerColor([plies / 2; 2]);
        counts[first] = plies.div_ceil(2);
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
        let san = self.position.san(mv).to_string();
        let before = self.clocks.as_ref().map(|clocks| clocks.both(now));
        self.position.make(mv);
        let count = self.counts()[mover] + 1;
        let has_opened = self.has_opened();
        let after = self.clocks.as_mut().map(|clocks| {
            // The first move of each side takes no time and brings none.
            if has_opened || clocks.is_running() {
                clocks.press(mover, count, now);
            }
            clocks.left(mover, now)
        });
        let comment = String::new();
        let turn = Turn { mv, san, before, after, comment, is_recorded: false, ended: None };
        self.turns.push(turn);
        self.end(ending::by_rule(&self.position), now);
    }

    /// Plays a move of a recorded game without any clock running. `left` is what its record says of
    /// the mover's clock.
    pub fn replay(&mut self, mv: Move, left: Option<Duration>) {
        let mover = self.mover();
        let san = self.position.san(mv).to_string();
        let now = Instant::now();
        let before = self.clocks.as_ref().map(|clocks| clocks.both(now));
        if let (Some(clocks), Some(left), Some(mut both)) = (&mut self.clocks, left, before) {
            both[mover] = left;
            clocks.set(both);
        }
        self.position.make(mv);
        let comment = String::new();
        let turn = Turn { mv, san, before, after: left, comment, is_recorded: true, ended: None };
        self.turns.push(turn);
        self.ending = ending::by_rule(&self.position);
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

    /// A side offers a draw; it holds until the opponent moves.
    pub fn offer_draw(&mut self, by: Color) {
        if self.ending.is_none() {
            self.offer = Some(by);
        }
    }

    /// The opponent of the side that offers a draw does not want it.
    pub fn decline(&mut self) {
        self.offer = None;
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
    pub fn set_ending(&mut self, ending: Ending) {
        self.ending = Some(ending);
    }

    /// The side to move claims a draw: in this position, or in that after `intended`, which is
    /// then played.
    pub fn claim(&mut self, intended: Option<Move>, now: Instant) -> Result<Ending, ClaimError> {
        if self.ending.is_some() {
            return Err(ClaimError::Over);
        }
        let mut position = self.position.clone();
        if let Some(mv) = intended {
            position.make(mv);
        }
        let Some(ending) = ending::by_claim(&position) else {
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

    /// Ends the game if the time of the side to move has run out; whether it did.
    pub fn check_time(&mut self, now: Instant) -> bool {
        let mover = self.mover();
        let is_out = self.clocks.as_ref().is_some_and(|clocks| clocks.is_out(mover, now));
        if !is_out || self.ending.is_some() {
            return false;
        }
        self.end(Some(ending::by_time(&self.position, mover)), now);
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
pub fn is_chess960(position: &Position) -> bool {
    let rooks = position.castling();
    let corners: Bitboard = File::A.bitboard() | File::H.bitboard();
    let king_is_elsewhere = Color::ALL.into_iter().any(|color| {
        (rooks & position.color(color)).any() && position.king(color).file() != File::E
    });
    king_is_elsewhere || !rooks.is_subset(corners)
}

/// What each side has taken from the other in a position: the pieces missing from a full set, by
/// the color of the pieces. Promoted pieces count as the pawns they were.
pub fn captured(position: &Position) -> PerColor<Vec<Piece>> {
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
