//! Where games begin: books of positions, random moves, Chess960, endgames.

use std::collections::HashSet;
use std::path::{Path, PathBuf};

use rand::seq::{IndexedRandom, SliceRandom};
use rand::{RngExt, SeedableRng};
use rand_xoshiro::Xoshiro256PlusPlus;
use serde::{Deserialize, Serialize};
use tamarin_base::Fnv1a;
use tamarin_base::files::read_stream_text;
use tamarin_game::epd::opening;
use tamarin_movegen::{CHESS960_POSITIONS, Color, Piece, PieceKind, Position, Setup, Square};

use crate::data::MAX_MEBIBYTES;
use crate::error::{Context, Result, reject};
use crate::report::report;

/// The positions of a book, one [`opening`] a line; with the counters of the lines or without.
pub fn book(path: &Path, with_counters: bool) -> Result<Vec<Position>> {
    let text = read_stream_text(path, MAX_MEBIBYTES).context(path.display())?;
    let mut book = Vec::new();
    for (index, line) in text.lines().enumerate() {
        if line.trim().is_empty() || line.trim_start().starts_with('#') {
            continue;
        }
        let place = || format!("{}, line {}", path.display(), index + 1);
        let position = opening(line).context(place())?;
        book.push(match with_counters {
            true => position,
            false => {
                let counters =
                    Setup { halfmove_clock: 0, fullmove_number: 1, ..(&position).into() };
                Position::from_setup(&counters).context(place())?
            }
        });
    }
    not_empty(book, path)
}

fn not_empty(book: Vec<Position>, path: &Path) -> Result<Vec<Position>> {
    if book.is_empty() {
        reject!("{} holds no position to begin a game with", path.display());
    }
    Ok(book)
}

/// The positions of a book in an order that follows from the seed: each once, without those in
/// which the game is over.
pub fn shuffled(path: &Path, seed: u64) -> Result<Vec<Position>> {
    let mut openings = book(path, true)?;
    let mut seen = HashSet::new();
    let is_over = |position: &Position| position.outcome_with_claims().is_some();
    openings.retain(|position| !is_over(position) && seen.insert(position.key()));
    openings.shuffle(&mut Xoshiro256PlusPlus::seed_from_u64(seed));
    not_empty(openings, path)
}

/// The pairs of a match in which the same opening always gives the same games: at most one for each
/// opening, because games that are repeated say nothing new. If they are fewer than planned, this
/// is printed.
pub fn distinct_pairs(planned: usize, openings: &[Position]) -> usize {
    let pairs = planned.min(openings.len());
    if pairs < planned {
        report!(
            "{} games are played instead of {}, two for each opening: by nodes and with one thread, \
             an opening that comes again repeats its games",
            2 * pairs,
            2 * planned,
        );
    }
    pairs
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug, Serialize, Deserialize)]
pub enum OpeningKind {
    /// The start position of chess
    Standard,
    /// One of the 960 start positions of Chess960
    Chess960,
    /// A few pieces anywhere on the board
    Endgame,
    /// A position of the file --book
    Book,
}

/// How many openings are tried for a game.
const MAX_DRAWS: usize = 10_000;

#[derive(clap::Args, Clone, PartialEq, Debug, Serialize, Deserialize)]
pub struct OpeningChoice {
    /// What the games begin with
    #[arg(long, value_enum, default_value_t = OpeningKind::Standard,
          default_value_if("book", clap::builder::ArgPredicate::IsPresent, "book"))]
    openings: OpeningKind,

    /// Positions to begin with, FEN or EPD, one a line
    #[arg(long, value_name = "FILE", required_if_eq("openings", "book"))]
    #[serde(skip)]
    book: Option<PathBuf>,

    /// A hash of the positions of the book, which identifies it.
    #[arg(skip)]
    #[serde(default, rename = "book", skip_serializing_if = "Option::is_none")]
    book_hash: Option<String>,

    /// Random plies before the first search; every other game has one more
    /// [default: 8, after a book 2, before endgames 0]
    #[arg(long, value_name = "N")]
    random_plies: Option<u32>,
}

#[derive(Debug)]
pub struct Openings {
    kind: OpeningKind,
    plies: u32,
    book: Vec<Position>,
}

impl OpeningChoice {
    /// The openings. Of the file of a book only a hash of its positions is kept, so that a recipe
    /// does not depend on where the file lies, but on what it holds.
    pub fn load(&mut self) -> Result<Openings> {
        let kind = self.openings;
        if kind != OpeningKind::Book
            && let Some(path) = self.book.take()
        {
            reject!(
                "--book {} is used with --openings book only; nothing was played",
                path.display()
            );
        }
        // The counters are of no use: a training game begins where its book ends.
        let read = |path: PathBuf| book(&path, false);
        let book = self.book.take().map(read).transpose()?;
        self.book_hash = book.as_deref().map(hash);
        Ok(Openings { kind, plies: self.complete(), book: book.unwrap_or_default() })
    }

    /// Fills in the number of random plies if it is the usual one, and removes a book that is not
    /// used, as choices kept by earlier versions have them. Returns the random plies.
    pub fn complete(&mut self) -> u32 {
        let usual = match self.openings {
            OpeningKind::Standard | OpeningKind::Chess960 => 8,
            OpeningKind::Book => 2,
            OpeningKind::Endgame => 0,
        };
        if self.openings != OpeningKind::Book {
            self.book_hash = None;
        }
        *self.random_plies.get_or_insert(usual)
    }
}

fn hash(positions: &[Position]) -> String {
    let mut hash = Fnv1a::default();
    positions.iter().for_each(|position| hash.write(format!("{position}\n").as_bytes()));
    format!("{:016x}", hash.finish())
}

impl Openings {
    pub const fn endgames() -> Self {
        Self { kind: OpeningKind::Endgame, plies: 0, book: Vec::new() }
    }

    /// Positions to begin game `number` with, none of which is over yet: what is left of
    /// `MAX_DRAWS` random ones. With random plies, games of odd numbers have one more, so that
    /// both sides begin equally often.
    pub fn draws<'a>(
        &'a self,
        number: u64,
        random: &'a mut Xoshiro256PlusPlus,
    ) -> impl Iterator<Item = Position> + 'a {
        let plies = self.plies + u32::from(self.plies > 0 && number % 2 == 1);
        (0..MAX_DRAWS).filter_map(move |_| {
            let start = match self.kind {
                OpeningKind::Standard => Some(Position::startpos()),
                OpeningKind::Chess960 => {
                    Position::chess960(random.random_range(0..CHESS960_POSITIONS))
                }
                OpeningKind::Endgame => endgame(random),
                OpeningKind::Book => self.book.choose(random).cloned(),
            };
            walk(start?, plies, random)
        })
    }

    /// The first opening that `use_it` makes something of.
    pub fn first<T>(
        &self,
        number: u64,
        random: &mut Xoshiro256PlusPlus,
        use_it: impl FnMut(Position) -> Option<T>,
    ) -> Result<T> {
        match self.draws(number, random).find_map(use_it) {
            Some(found) => Ok(found),
            None => {
                reject!("no opening of {MAX_DRAWS} drawn is level and still to be played")
            }
        }
    }
}

/// So many random moves; `None` if the game ends with them.
fn walk(mut position: Position, plies: u32, random: &mut Xoshiro256PlusPlus) -> Option<Position> {
    for _ in 0..plies {
        let mv = *position.legal_moves().choose(random)?;
        position.make(mv);
    }
    position.outcome_with_claims().is_none().then_some(position)
}

/// A position with at most two pieces and four pawns a side; `None` if it is impossible.
///
/// It counts as move 9: a filter that leaves out the first plies of a game, which are random or
/// from books, leaves out none of an endgame.
fn endgame(random: &mut Xoshiro256PlusPlus) -> Option<Position> {
    const KINDS: [PieceKind; 4] =
        [PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook, PieceKind::Queen];
    let mut setup = Setup::empty();
    setup.fullmove_number = 9;
    setup.side_to_move = if random.random() { Color::White } else { Color::Black };
    for color in Color::ALL {
        let mut men = vec![PieceKind::King];
        men.extend((0..random.random_range(0..=2)).filter_map(|_| KINDS.choose(random)));
        men.extend((0..random.random_range(0..=4)).map(|_| PieceKind::Pawn));
        for kind in men {
            let square = Square::ALL[random.random_range(0..Square::COUNT)];
            if setup.pieces[square].is_some() {
                return None;
            }
            setup.pieces[square] = Some(Piece::new(color, kind));
        }
    }
    Position::from_setup(&setup).ok()
}
