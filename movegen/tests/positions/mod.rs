//! Seeded random positions for the differential tests, made with cozy-chess so that our own rules have no part in choosing them.
#![allow(dead_code, reason = "each test takes what it needs")]

use cozy_chess::{
    BitBoard, Board, BoardBuilder, Color, File, Move, Piece, Rank, Square, get_between_rays,
    get_bishop_rays, get_king_moves, get_rook_rays,
};
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::{Rng, SeedableRng};

/// What a random position is rich in.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Theme {
    /// Reached from the start position.
    Standard,
    /// Reached from one of the 960 starts.
    Chess960,
    /// Reached from two different starts for the two sides.
    DoubleChess960,
    /// A pawn has just passed another, often with kings and sliders on the same lines.
    EnPassant,
    /// Pawns stand before their last rank.
    Promotion,
    /// Pieces of the side to move are pinned.
    Pins,
    /// The king is attacked twice.
    DoubleCheck,
    /// Castling rights with kings and rooks on any files, and attackers around.
    Castling,
}

/// Draws positions, always the same for the same seed.
pub struct Generator {
    rng: Xoshiro256PlusPlus,
}

/// The legal moves; castling as "king takes own rook".
pub fn legal_moves(board: &Board) -> Vec<Move> {
    let mut moves = Vec::new();
    board.generate_moves(|piece_moves| {
        moves.extend(piece_moves);
        false
    });
    moves
}

/// The square a pawn has just passed, if it can legally be taken there.
pub fn en_passant_target(board: &Board) -> Option<Square> {
    let rank = Rank::Sixth.relative_to(board.side_to_move());
    let target = Square::new(board.en_passant()?, rank);
    let pawns = board.colored_pieces(board.side_to_move(), Piece::Pawn);
    legal_moves(board).into_iter().any(|mv| mv.to == target && pawns.has(mv.from)).then_some(target)
}

/// The position as FEN with an en passant square only where it can be taken.
pub fn fen(board: &Board) -> String {
    let text = format!("{board:#}");
    let mut fields: Vec<&str> = text.split(' ').collect();
    if en_passant_target(board).is_none() {
        fields[3] = "-";
    }
    fields.join(" ")
}

impl Generator {
    pub fn new(seed: u64) -> Self {
        Self { rng: Xoshiro256PlusPlus::seed_from_u64(seed) }
    }

    /// A number below `bound`; the bias is far below anything a test could see.
    ///
    /// Not one of `rand`'s ranges: what they draw may change with its version.
    pub fn below(&mut self, bound: usize) -> usize {
        ((u128::from(self.rng.next_u64()) * bound as u128) >> 64) as usize
    }

    /// True once in `n` times.
    pub fn one_in(&mut self, n: usize) -> bool {
        self.below(n) == 0
    }

    fn pick<T: Copy>(&mut self, items: &[T]) -> T {
        items[self.below(items.len())]
    }

    /// A square of the set; the set must not be empty.
    fn square_of(&mut self, set: BitBoard) -> Square {
        let index = self.below(set.len() as usize);
        set.iter().nth(index).expect("a square of a set that is not empty")
    }

    /// Up to `plies` random moves; ends earlier before the end of the game.
    pub fn walk(&mut self, board: &mut Board, plies: usize) {
        for _ in 0..plies {
            let moves = legal_moves(board);
            if moves.is_empty() || board.halfmove_clock() >= 96 {
                return;
            }
            let mut next = board.clone();
            next.play_unchecked(self.pick(&moves));
            if legal_moves(&next).is_empty() {
                return;
            }
            *board = next;
        }
    }

    /// A position of the theme with at least one legal move.
    pub fn draw(&mut self, theme: Theme) -> Board {
        loop {
            let board = match theme {
                Theme::Standard => Some(self.walked(Board::default())),
                Theme::Chess960 => {
                    let start = self.below(960) as u32;
                    Some(self.walked(Board::chess960_startpos(start)))
                }
                Theme::DoubleChess960 => {
                    let (white, black) = (self.below(960) as u32, self.below(960) as u32);
                    Some(self.walked(Board::double_chess960_startpos(white, black)))
                }
                Theme::EnPassant => self.en_passant(),
                Theme::Promotion => self.promotion(),
                Theme::Pins => self.pins(),
                Theme::DoubleCheck => self.double_check(),
                Theme::Castling => self.castling(),
            };
            if let Some(board) = board
                && board.checkers().len() <= most_checkers(theme)
                && !legal_moves(&board).is_empty()
            {
                return board;
            }
        }
    }

    fn walked(&mut self, mut board: Board) -> Board {
        let plies = self.below(120);
        self.walk(&mut board, plies);
        board
    }

    /// Puts a piece on a random empty square of the set, if there is one.
    fn put(
        &mut self,
        builder: &mut BoardBuilder,
        piece: Piece,
        color: Color,
        set: BitBoard,
    ) -> Option<Square> {
        let mut free: BitBoard =
            set.iter().filter(|&square| builder.square(square).is_none()).collect();
        if piece == Piece::Pawn {
            free &= !(Rank::First.bitboard() | Rank::Eighth.bitboard());
        }
        if free.is_empty() {
            return None;
        }
        let square = self.square_of(free);
        *builder.square_mut(square) = Some((piece, color));
        Some(square)
    }

    /// Scatters `count` pieces of both sides; never more of a kind than a game starts
    /// with, counting a second queen or a bishop of the same color for one of the two
    /// pawns that are always missing.
    fn scatter(&mut self, builder: &mut BoardBuilder, count: usize) {
        for _ in 0..count {
            let kinds = [
                Piece::Pawn,
                Piece::Pawn,
                Piece::Pawn,
                Piece::Knight,
                Piece::Bishop,
                Piece::Rook,
                Piece::Queen,
            ];
            let (kind, color) = (self.pick(&kinds), self.pick(&Color::ALL));
            let most = match kind {
                Piece::Pawn => 6,
                Piece::Queen => 1,
                _ => 2,
            };
            if number(builder, kind, color) < most {
                self.put(builder, kind, color, BitBoard::FULL);
            }
        }
    }

    /// An empty board with a random side to move and random counters.
    fn blank(&mut self) -> BoardBuilder {
        let mut builder = BoardBuilder::empty();
        builder.side_to_move = self.pick(&Color::ALL);
        // Room for a few moves: cozy-chess does not count beyond 100.
        builder.halfmove_clock = self.below(96) as u8;
        builder.fullmove_number = 1 + self.below(200) as u16;
        builder
    }

    /// A square of the set for a king and, anywhere away from it, one for the other.
    fn kings(&mut self, builder: &mut BoardBuilder, home: BitBoard) -> Option<Square> {
        let us = builder.side_to_move;
        let king = self.put(builder, Piece::King, us, home)?;
        self.put(builder, Piece::King, !us, !get_king_moves(king))?;
        Some(king)
    }

    fn en_passant(&mut self) -> Option<Board> {
        let mut builder = self.blank();
        let us = builder.side_to_move;
        let file = self.pick(&File::ALL);
        let on = |rank: Rank| Square::new(file, rank.relative_to(us));
        let rank = Rank::Fifth.relative_to(us);
        // The pawn's way stays empty: hold it with markers.
        let way = [on(Rank::Fifth), on(Rank::Sixth)];
        for square in way {
            *builder.square_mut(square) = Some((Piece::Pawn, us));
        }
        *builder.square_mut(on(Rank::Seventh)) = Some((Piece::Pawn, !us));
        for _ in 0..=self.below(2) {
            self.put(&mut builder, Piece::Pawn, us, file.adjacent() & rank.bitboard());
        }
        let home = if self.one_in(2) { rank.bitboard() } else { BitBoard::FULL };
        let king = self.kings(&mut builder, home)?;
        for _ in 0..1 + self.below(3) {
            let piece = self.pick(&[Piece::Rook, Piece::Queen, Piece::Bishop]);
            let most = if piece == Piece::Queen { 1 } else { 2 };
            if number(&builder, piece, !us) < most {
                let near = if self.one_in(3) { BitBoard::FULL } else { rays(king, piece) };
                self.put(&mut builder, piece, !us, near);
            }
        }
        let count = self.below(8);
        self.scatter(&mut builder, count);
        for square in way {
            *builder.square_mut(square) = None;
        }
        builder.side_to_move = !us;
        let mut board = builder.build().ok()?;
        let push = Move { from: on(Rank::Seventh), to: way[0], promotion: None };
        board.try_play(push).ok()?;
        Some(board)
    }

    fn promotion(&mut self) -> Option<Board> {
        let mut builder = self.blank();
        self.kings(&mut builder, BitBoard::FULL)?;
        for color in Color::ALL {
            for _ in 0..1 + self.below(4) {
                let seventh = Rank::Seventh.relative_to(color).bitboard();
                self.put(&mut builder, Piece::Pawn, color, seventh);
            }
            for piece in [Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen] {
                if self.one_in(2) {
                    let home = Rank::First.relative_to(color).bitboard();
                    self.put(&mut builder, piece, color, home);
                }
            }
        }
        let count = self.below(6);
        self.scatter(&mut builder, count);
        builder.build().ok()
    }

    fn pins(&mut self) -> Option<Board> {
        let mut builder = self.blank();
        let us = builder.side_to_move;
        let king = self.kings(&mut builder, BitBoard::FULL)?;
        for pinner in [Piece::Rook, Piece::Rook, Piece::Bishop, Piece::Bishop, Piece::Queen] {
            if self.one_in(3) {
                continue;
            }
            let far = rays(king, pinner) & !get_king_moves(king);
            let Some(square) = self.put(&mut builder, pinner, !us, far) else { continue };
            let kinds = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook, Piece::Queen];
            let shield = self.pick(&kinds);
            let most = if shield == Piece::Queen { 1 } else { 2 };
            if number(&builder, shield, us) < most {
                self.put(&mut builder, shield, us, get_between_rays(king, square));
            }
        }
        let count = self.below(6);
        self.scatter(&mut builder, count);
        let board = builder.build().ok()?;
        let own = board.pinned() & board.colors(us);
        (!own.is_empty()).then_some(board)
    }

    /// A discovery that gives check itself.
    fn double_check(&mut self) -> Option<Board> {
        let mut builder = self.blank();
        let us = builder.side_to_move;
        self.kings(&mut builder, BitBoard::FULL)?;
        let target = find_king(&builder, !us)?;
        let slider = self.pick(&[Piece::Rook, Piece::Bishop, Piece::Queen]);
        let far = rays(target, slider) & !get_king_moves(target);
        let square = self.put(&mut builder, slider, us, far)?;
        let shields = [Piece::Pawn, Piece::Knight, Piece::Bishop, Piece::Rook];
        let shield = self.pick(&shields);
        self.put(&mut builder, shield, us, get_between_rays(target, square))?;
        let count = 2 + self.below(10);
        self.scatter(&mut builder, count);
        let board = builder.build().ok()?;
        let doubles: Vec<Board> = legal_moves(&board)
            .into_iter()
            .map(|mv| {
                let mut next = board.clone();
                next.play_unchecked(mv);
                next
            })
            .filter(|next| next.checkers().len() == 2)
            .collect();
        if doubles.is_empty() {
            return None;
        }
        let index = self.below(doubles.len());
        doubles.into_iter().nth(index)
    }

    /// Rights for both sides.
    fn castling(&mut self) -> Option<Board> {
        let mut builder = self.blank();
        for color in Color::ALL {
            let rank = Rank::First.relative_to(color);
            let file = File::index(1 + self.below(6));
            *builder.square_mut(Square::new(file, rank)) = Some((Piece::King, color));
            let long = self.below(file as usize);
            let right = file as usize + 1;
            let short = right + self.below(8 - right);
            for (rook, is_short) in [(File::index(long), false), (File::index(short), true)] {
                if self.one_in(4) {
                    continue;
                }
                *builder.square_mut(Square::new(rook, rank)) = Some((Piece::Rook, color));
                let rights = builder.castle_rights_mut(color);
                let right = if is_short { &mut rights.short } else { &mut rights.long };
                *right = Some(rook);
            }
        }
        let count = 2 + self.below(14);
        self.scatter(&mut builder, count);
        builder.build().ok()
    }
}

/// Positions reached by a move may have two checkers; two pieces put down at random seldom
/// give check in a way that a move can bring about.
fn most_checkers(theme: Theme) -> u32 {
    match theme {
        Theme::Promotion | Theme::Pins | Theme::Castling => 1,
        _ => 2,
    }
}

fn number(builder: &BoardBuilder, kind: Piece, color: Color) -> usize {
    builder.board.iter().filter(|&&square| square == Some((kind, color))).count()
}

fn find_king(builder: &BoardBuilder, color: Color) -> Option<Square> {
    Square::ALL.into_iter().find(|&square| builder.square(square) == Some((Piece::King, color)))
}

/// The lines from `square` on which the slider moves.
fn rays(square: Square, slider: Piece) -> BitBoard {
    match slider {
        Piece::Bishop => get_bishop_rays(square),
        Piece::Rook => get_rook_rays(square),
        _ => get_bishop_rays(square) | get_rook_rays(square),
    }
}
