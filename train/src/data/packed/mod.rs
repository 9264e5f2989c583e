//! Games in about seven bits a ply, which [`super::GameReader`] reads as it reads viriformat.
//!
//! A file is a row of chunks, each of which is decoded alone: a header of [`HEADER`] bytes, then the
//! games as one code of a range coder, whose chances are learned while coding and begin anew with
//! each chunk. A damaged chunk costs itself alone. Scores are rounded to steps; everything else is
//! kept as it is. docs/training.md describes the format.

mod coder;
mod moves;
mod scores;
mod start;

use std::io::{BufRead, Read as _};

use coder::{Bit, Coder, Counts, Decoder, Encoder};
use moves::{MoveModel, Played, Scene};
use scores::{Context, ScoreModel, score_of, step_of};
use start::StartModel;
use tamarin_movegen::{Color, Position};

use super::format::{MAX_PLIES, Problem};
use super::{Game, GameResult, Ply};

/// A chunk begins so. No game in viriformat does: more than 32 squares would be occupied.
const MAGIC: [u8; 7] = [0xFF, b'T', b'P', b'K', 0xFF, 0xFF, 0xFF];
/// The eighth byte.
const VERSION: u8 = 1;

/// Bytes before the code: magic and version; games, plies, bytes of the code, its CRC-32, and the
/// CRC-32 of all before, each in four bytes, the lowest first.
const HEADER: usize = 28;

/// A chunk is complete from so many bytes on, or so many plies or games.
const CHUNK_BYTES: usize = 4 << 20;
const CHUNK_PLIES: u32 = 8_000_000;
const CHUNK_GAMES: u32 = 1_000_000;
/// A longer one is damaged.
const LONGEST_CODE: usize = 16 << 20;

/// Returns `true` if a file that begins so has packed games.
pub fn is_packed(begin: &[u8]) -> bool {
    begin.starts_with(&MAGIC)
}

/// The chances of everything that a game consists of, learned from the games before it.
struct GameModel {
    start: StartModel,
    result: Counts<3>,
    /// Whether the game ends here, by the size of the score, the ply and the result.
    end: Vec<Bit>,
    moves: MoveModel,
    scores: ScoreModel,
}

impl GameModel {
    fn new() -> Self {
        Self {
            start: StartModel::new(),
            result: Counts::NEW,
            end: vec![Bit::NEW; 16 * 16 * 3],
            moves: MoveModel::new(),
            scores: ScoreModel::new(),
        }
    }

    /// Encodes `game`, or decodes one, and gives what decoding gives.
    ///
    /// # Errors
    /// If what is decoded is no game.
    fn code(&mut self, coder: &mut impl Coder, game: Option<&Game>) -> Result<Game, Problem> {
        let none = Position::startpos();
        let start = self.start.code(coder, game.map_or(&none, |game| &game.start))?;
        let result = self.result.code(coder, game.map_or(0, |game| game.outcome.index()));
        let outcome = GameResult::ALL[result];
        let mut position = start.clone();
        let mut plies = Vec::new();
        let (mut steps, mut played, mut was_coarse) = ([0_i32; 2], [None; 2], false);
        loop {
            let ply = plies.len();
            let next = game.and_then(|game| game.plies.get(ply));
            let mut moves = position.legal_moves();
            moves.sort_unstable();
            let decided = (steps[0].unsigned_abs() / 4).min(15) as usize;
            let place = (decided * 16 + (ply / 16).min(15)) * 3 + result;
            if moves.is_empty() || self.end[place].code(coder, next.is_none()) {
                return Ok(Game { start, plies, outcome });
            }
            if ply == MAX_PLIES {
                return Err(Problem::Endless);
            }
            let scene = Scene::new(&position, played, standing(&position, steps[0]));
            let index = next.map_or(Ok(0), |&Ply { mv, .. }| {
                let illegal = Problem::IllegalMove { ply: ply + 1, bits: mv.bits() };
                moves.binary_search(&mv).map_err(|_| illegal)
            })?;
            let index = self.moves.code(coder, &scene, &moves, index);
            let mv = moves[index];
            let coarse = position.in_check() || mv.is_noisy();
            let [last, before] = steps;
            let context = Context { last, before, ply, result: outcome, was_coarse, coarse };
            let step = next.map_or(0, |next| step_of(next.score));
            let step = self.scores.code(coder, &context, step);
            plies.push(Ply { mv, score: score_of(step) });
            played = [Some(Played::new(&position, mv)), played[0]];
            (steps, was_coarse) = ([step, last], coarse);
            position.make(mv);
        }
    }
}

/// 0 if a score, in steps from White's side, is clearly bad for the side to move, 2 if it is good.
fn standing(position: &Position, step: i32) -> usize {
    const CLEAR: i32 = 12;
    let own = if position.side_to_move() == Color::White { step } else { -step };
    usize::from(own >= -CLEAR) + usize::from(own > CLEAR)
}

/// Packs games into one chunk after the other.
pub struct Packer {
    model: GameModel,
    encoder: Encoder,
    games: u32,
    plies: u32,
}

impl Default for Packer {
    fn default() -> Self {
        Self { model: GameModel::new(), encoder: Encoder::new(), games: 0, plies: 0 }
    }
}

impl Packer {
    /// Adds a game; gives it as it will be read, and the chunk if it is complete with it.
    ///
    /// # Errors
    /// If the game is longer than any.
    pub fn add(&mut self, game: &Game) -> Result<(Game, Option<Vec<u8>>), Problem> {
        let packed = self.model.code(&mut self.encoder, Some(game))?;
        self.games += 1;
        self.plies += packed.plies.len() as u32;
        let complete = self.encoder.len() >= CHUNK_BYTES
            || self.plies >= CHUNK_PLIES
            || self.games >= CHUNK_GAMES;
        Ok((packed, complete.then(|| self.finish()).flatten()))
    }

    /// The chunk of the games since the last one, if there are any.
    pub fn finish(&mut self) -> Option<Vec<u8>> {
        let Self { encoder, games, plies, .. } = core::mem::take(self);
        (games > 0).then(|| {
            let code = encoder.finish();
            let mut chunk = MAGIC.to_vec();
            chunk.push(VERSION);
            for field in [games, plies, code.len() as u32, crc32fast::hash(&code)] {
                chunk.extend(field.to_le_bytes());
            }
            chunk.extend(crc32fast::hash(&chunk).to_le_bytes());
            chunk.extend(code);
            chunk
        })
    }
}

/// The games of a chunk whose checksum is right.
struct Chunk {
    model: GameModel,
    decoder: Decoder,
    games: u32,
    plies: u32,
}

impl Chunk {
    /// The next game. A checksum says nothing about the sense of what it covers.
    fn next(&mut self) -> Result<Game, Problem> {
        let game = self.model.code(&mut self.decoder, None)?;
        let plies = self.plies.checked_sub(game.plies.len() as u32);
        (self.games, self.plies) = (self.games - 1, plies.ok_or(Problem::DamagedChunk)?);
        Ok(game)
    }
}

/// What stands before the code of a chunk.
struct Header {
    games: u32,
    plies: u32,
    length: usize,
    checksum: u32,
}

impl Header {
    /// Nothing if the bytes are no header.
    fn new(bytes: &[u8]) -> Option<Result<Self, Problem>> {
        let (fields, checksum) = bytes.split_last_chunk::<4>()?;
        if bytes.len() != HEADER || !is_packed(bytes) || crc32fast::hash(fields) != word(checksum) {
            return None;
        }
        if bytes[MAGIC.len()] != VERSION {
            return Some(Err(Problem::Version(bytes[MAGIC.len()])));
        }
        let [games, plies, length, checksum] = [8, 12, 16, 20].map(|at| word(&bytes[at..at + 4]));
        let length = usize::try_from(length).ok().filter(|&length| length <= LONGEST_CODE)?;
        if games > CHUNK_GAMES || plies > CHUNK_PLIES + MAX_PLIES as u32 {
            return None;
        }
        Some(Ok(Self { games, plies, length, checksum }))
    }
}

fn word(bytes: &[u8]) -> u32 {
    u32::from_le_bytes(*bytes.first_chunk().expect("invariant: four bytes"))
}

/// Reads the games of one chunk after the other.
#[derive(Default)]
pub struct Unpacker {
    chunk: Option<Chunk>,
    /// The header that was found behind a damaged one.
    header: Option<Header>,
}

impl Unpacker {
    /// The next game, or nothing at the end of the input; `offset` goes on by the bytes of each
    /// chunk that was read.
    ///
    /// # Errors
    /// After [`Problem::DamagedChunk`] and [`Problem::CutChunk`] it can be called again.
    pub fn next(
        &mut self,
        input: &mut impl BufRead,
        offset: &mut u64,
    ) -> Result<Option<Game>, Problem> {
        loop {
            if let Some(chunk) = self.chunk.as_mut().filter(|chunk| chunk.games > 0) {
                let game = chunk.next();
                if game.is_err() {
                    self.chunk = None;
                }
                return game.map(Some).map_err(|_| Problem::DamagedChunk);
            }
            self.chunk = self.next_chunk(input, offset)?;
            if self.chunk.is_none() {
                return Ok(None);
            }
        }
    }

    fn next_chunk(
        &mut self,
        input: &mut impl BufRead,
        offset: &mut u64,
    ) -> Result<Option<Chunk>, Problem> {
        let header = match self.header.take() {
            Some(header) => header,
            None => match self.next_header(input, offset)? {
                Some(header) => header,
                None => return Ok(None),
            },
        };
        let mut code = Vec::with_capacity(header.length);
        input.take(header.length as u64).read_to_end(&mut code)?;
        *offset += (HEADER + code.len()) as u64;
        if code.len() < header.length {
            return Err(Problem::CutChunk);
        }
        if crc32fast::hash(&code) != header.checksum {
            return Err(Problem::DamagedChunk);
        }
        let Header { games, plies, .. } = header;
        Ok(Some(Chunk { model: GameModel::new(), decoder: Decoder::new(code), games, plies }))
    }

    /// The header here, or nothing at the end of the input. Behind a damaged one the next is sought.
    fn next_header(
        &mut self,
        input: &mut impl BufRead,
        offset: &mut u64,
    ) -> Result<Option<Header>, Problem> {
        let mut bytes = Vec::with_capacity(HEADER);
        input.take(HEADER as u64).read_to_end(&mut bytes)?;
        if let Some(header) = Header::new(&bytes) {
            return header.map(Some);
        }
        match bytes.len() {
            0 => return Ok(None),
            HEADER => {}
            _ => return Err(Problem::CutChunk),
        }
        while let Some(&next) = input.fill_buf()?.first() {
            input.consume(1);
            *offset += 1;
            bytes.remove(0);
            bytes.push(next);
            if let Some(header) = Header::new(&bytes) {
                self.header = Some(header?);
                return Err(Problem::DamagedChunk);
            }
        }
        Err(Problem::DamagedChunk)
    }
}
