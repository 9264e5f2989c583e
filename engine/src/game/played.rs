//! A game of either kind: where it started, its moves, its position.

use tamarin_movegen::Color;

use super::spelling::Spelling;

/// What a position of any game can do.
pub trait Board: Clone {
    type Move: Copy;

    fn mover(&self) -> Color;

    /// Makes a legal move; positions before it count for repetitions.
    fn advance(&mut self, mv: Self::Move);

    fn moves(&self) -> Vec<Self::Move>;

    /// The legal move that a client means.
    ///
    /// # Errors
    /// Why no legal move is meant, in the words of the protocol.
    fn read(&self, text: &str, spelling: Spelling) -> Result<Self::Move, String>;

    /// A legal move as the protocol writes it.
    fn write(&self, mv: Self::Move, spelling: Spelling) -> String;

    /// The result as XBoard writes it, if the game is over.
    fn result(&self) -> Option<String>;
}

/// A game, with its moves to take back.
#[derive(Clone)]
pub struct Played<B: Board> {
    start: B,
    position: B,
    moves: Vec<B::Move>,
}

impl<B: Board> Played<B> {
    /// A game from this position on.
    pub fn from(start: B) -> Self {
        Self { position: start.clone(), moves: Vec::new(), start }
    }

    /// The position on the board, with those before it for repetitions.
    pub const fn position(&self) -> &B {
        &self.position
    }

    /// The legal moves among these texts; the others are left out.
    pub fn find_all(&self, texts: &[String], spelling: Spelling) -> Vec<B::Move> {
        texts.iter().filter_map(|text| self.position.read(text, spelling).ok()).collect()
    }

    pub fn side_to_move(&self) -> Color {
        self.position.mover()
    }

    /// A legal move as the protocol writes it.
    pub fn text(&self, mv: B::Move, spelling: Spelling) -> String {
        self.position.write(mv, spelling)
    }

    pub(super) fn moves_of(&self, color: Color) -> u32 {
        let first = usize::from(self.start.mover() == color);
        u32::try_from((self.moves.len() + first) / 2).unwrap_or(u32::MAX)
    }

    pub(super) fn legal_moves(&self, spelling: Spelling) -> Vec<String> {
        let moves = self.position.moves();
        moves.into_iter().map(|mv| self.position.write(mv, spelling)).collect()
    }

    pub(super) fn count_moves(&self) -> usize {
        self.position.moves().len()
    }

    pub(super) fn first_move(&self, spelling: Spelling) -> Option<String> {
        let first = self.position.moves().first().copied()?;
        Some(self.position.write(first, spelling))
    }

    pub(super) fn find_move(&self, text: &str, spelling: Spelling) -> Result<String, String> {
        let mv = self.position.read(text, spelling)?;
        Ok(self.position.write(mv, spelling))
    }

    pub(super) fn play(&mut self, text: &str, spelling: Spelling) -> Result<(), String> {
        let mv = self.position.read(text, spelling)?;
        self.position.advance(mv);
        self.moves.push(mv);
        Ok(())
    }

    pub(super) fn take_back(&mut self, plies: usize) -> bool {
        let Some(left) = self.moves.len().checked_sub(plies) else { return false };
        self.moves.truncate(left);
        self.position = self.start.clone();
        for mv in &self.moves {
            self.position.advance(*mv);
        }
        true
    }

    pub(super) fn result(&self) -> Option<String> {
        self.position.result()
    }
}

/// The moves as text; each is legal after those before it.
pub fn line<B: Board>(root: &B, moves: &[B::Move], spelling: Spelling) -> Vec<String> {
    let mut position = root.clone();
    let mut texts = Vec::with_capacity(moves.len());
    for mv in moves {
        texts.push(position.write(*mv, spelling));
        position.advance(*mv);
    }
    texts
}
