//! The rules of chess by another hand (cozy-chess): the judge of every move the engine prints.

use cozy_chess::{BitBoard, Board, Color, File, GameStatus, Move, Piece, Rank, Square};

/// How castling is written.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Notation {
    /// `e1g1` for classical castles, king takes rook for the others.
    Classic,
    /// King takes rook for all.
    Chess960,
    /// `O-O` and `O-O-O`: Chess960 in the XBoard protocol.
    Letters,
}

impl Notation {
    pub const ALL: [Self; 3] = [Self::Classic, Self::Chess960, Self::Letters];
}

pub const STARTPOS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// Positions of all kinds: openings, middlegames, endgames, mates, draws, explosions of captures.
pub const ROOTS: [&str; 11] = [
    "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "bqnb1rkr/pp3ppp/3ppn2/2p5/5P2/P2P4/NPP1P1PP/BQ1BNRKR w HFhf - 2 9",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "8/k7/3p4/p2P1p2/P2P1P2/8/8/K7 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "7k/8/6K1/8/8/8/8/1Q6 b - - 0 1",
    "4k3/8/8/8/8/8/8/4K3 w - - 0 1",
    "7k/8/8/8/8/8/1r6/K7 w - - 0 1",
    "q2k2q1/2nqn2b/1n1P1n1b/2rnr2Q/1NQ1QN1Q/3Q3B/2RQR2B/Q2K2Q1 w - - 0 1",
    "R6R/3Q4/1Q4Q1/4Q3/2Q4Q/Q4Q2/pp1Q4/kBNN1KB1 w - - 0 1",
];

/// A position of the reference library with the engine's notation around it.
#[derive(Clone)]
pub struct Oracle {
    board: Board,
    notation: Notation,
}

impl Oracle {
    /// The position of a six-field FEN, in either castling style.
    pub fn new(fen: &str, notation: Notation) -> Self {
        let board = Board::from_fen(fen, false)
            .or_else(|_| Board::from_fen(fen, true))
            .unwrap_or_else(|_| panic!("the oracle refuses {fen:?}"));
        Self { board, notation }
    }

    pub fn startpos() -> Self {
        Self::new(STARTPOS, Notation::Classic)
    }

    /// The same position with castling written another way.
    pub fn written(mut self, notation: Notation) -> Self {
        self.notation = notation;
        self
    }

    pub const fn board(&self) -> &Board {
        &self.board
    }

    fn moves(&self) -> Vec<Move> {
        let mut all = Vec::new();
        self.board.generate_moves(|some| {
            all.extend(some);
            false
        });
        all
    }

    /// Every legal move as the engine has to print it.
    pub fn legal(&self) -> Vec<String> {
        self.moves().into_iter().map(|mv| self.text(mv)).collect()
    }

    /// The move as the engine has to print it.
    fn text(&self, mv: Move) -> String {
        let castles = self.board.colors(self.board.side_to_move()).has(mv.to);
        if castles && self.notation == Notation::Letters {
            return if mv.to.file() > mv.from.file() { "O-O" } else { "O-O-O" }.to_owned();
        }
        if castles && self.notation == Notation::Classic && is_classical(mv) {
            let file = if mv.to.file() == File::H { File::G } else { File::C };
            return format!("{}{}", mv.from, Square::new(file, mv.from.rank()));
        }
        mv.to_string()
    }

    /// Plays a move given in the engine's notation; `false` and no change if it is not legal.
    pub fn play(&mut self, text: &str) -> bool {
        let Some(mv) = self.moves().into_iter().find(|mv| self.text(*mv) == text) else {
            return false;
        };
        self.board.play_unchecked(mv);
        true
    }

    /// The position after these moves.
    ///
    /// # Panics
    /// If one of them is not legal.
    pub fn after<S: AsRef<str>>(&self, moves: &[S]) -> Self {
        let mut next = self.clone();
        for (index, text) in moves.iter().enumerate() {
            let text = text.as_ref();
            assert!(next.play(text), "move {} {text:?} is illegal in {}", index + 1, self.board);
        }
        next
    }

    pub fn is_legal(&self, text: &str) -> bool {
        self.clone().play(text)
    }

    pub fn is_checkmate(&self) -> bool {
        self.moves().is_empty() && !self.board.checkers().is_empty()
    }

    pub fn is_over(&self) -> bool {
        self.board.status() != GameStatus::Ongoing
    }

    /// Returns `true` if neither side has the material to mate: a single knight, or bishops on
    /// squares of one color.
    pub fn is_dead(&self) -> bool {
        let board = &self.board;
        let [knights, bishops] = [Piece::Knight, Piece::Bishop].map(|kind| board.pieces(kind));
        let one_color =
            bishops.is_subset(BitBoard::DARK_SQUARES) || bishops.is_subset(BitBoard::LIGHT_SQUARES);
        board.occupied() == knights | bishops | board.pieces(Piece::King)
            && (knights.is_empty() && one_color || knights.len() == 1 && bishops.is_empty())
    }
}

fn is_classical(mv: Move) -> bool {
    mv.from.file() == File::E
        && matches!(mv.to.file(), File::A | File::H)
        && matches!(mv.from.rank(), Rank::First | Rank::Eighth)
}

/// The positions of a game so far, compared by the laws of chess: a pawn that could be taken in
/// passing makes a difference only if a move may take it.
#[derive(Default)]
pub struct Positions(Vec<Board>);

impl Positions {
    /// How often the position has been there, this time included.
    pub fn add(&mut self, position: &Oracle) -> usize {
        self.0.push(position.board.clone());
        self.0.iter().filter(|before| before.same_position(&position.board)).count()
    }
}
