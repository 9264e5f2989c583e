//! A number that identifies the rules of a game.

use std::fmt::{self, Write as _};

use crate::ast::{Captures, Checks, Directive, Explosion, Holding, Immobile, Life, Verdict};
use crate::definition::{Definition, Goal, Kinds, Rules};

/// FNV-1a with 64 bits, of the text that is written into it.
/// Source: the constants are those of Fowler, Noll and Vo (RFC 9923).
struct Fnv(u64);

impl fmt::Write for Fnv {
    fn write_str(&mut self, text: &str) -> fmt::Result {
        for byte in text.bytes() {
            self.0 = (self.0 ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3);
        }
        Ok(())
    }
}

impl Fnv {
    const fn new() -> Self {
        Self(0xcbf2_9ce4_8422_2325)
    }
}

/// A hash that identifies a text.
pub fn fingerprint(text: &str) -> u64 {
    let mut hash = Fnv::new();
    // Writing to a hash cannot fail.
    let _ = hash.write_str(text);
    hash.0
}

impl Definition {
    /// A hash of all that decides how the game is played: board, pieces with their moves written
    /// out in braces, flags, start position and ends. Titles, comments, blanks and the way in which
    /// moves are written do not count. A rule that files need not name must not count either unless
    /// it is named, so that old games keep their numbers.
    pub(crate) fn fingerprint(&self) -> u64 {
        let mut hash = Fnv::new();
        // Writing to a hash cannot fail.
        let _ = self.write_rules(&mut hash);
        hash.0
    }

    fn write_rules(&self, out: &mut Fnv) -> fmt::Result {
        writeln!(out, "{} {}", self.size.rows, self.size.columns)?;
        let Rules {
            symmetry,
            stalemate,
            checkmate,
            repetition,
            perpetual,
            move_limit,
            immobile,
            checks,
            captures,
            goal,
            extinction,
            explosion,
            facing,
            passes,
            gating,
            holding,
        } = self.rules;
        let names =
            |kinds: Kinds| kinds.iter().map(|kind| self.pieces[kind].name.clone()).collect();
        let ends: [(Directive, bool); 15] = [
            (Directive::Symmetry(symmetry), true),
            (Directive::Stalemate(stalemate), true),
            (Directive::Checkmate(checkmate), checkmate != Verdict::Loss),
            (Directive::Repetition(repetition.0, repetition.1, repetition.2), true),
            (Directive::Perpetual(perpetual), perpetual != Verdict::Draw),
            (Directive::MoveLimit(move_limit.0, move_limit.1), true),
            (Directive::Immobile(immobile), immobile != Immobile::Legal),
            (Directive::Hand(holding), holding != Holding::Nothing),
            (Directive::Facing(facing), facing.is_some()),
            (Directive::Passes(passes.0, passes.1), passes.0 > 0),
            (Directive::Gating(names(gating)), !gating.is_empty()),
            (Directive::Checks(checks), checks != Checks::Allowed),
            (Directive::Captures(captures), captures != Captures::Optional),
            (
                Directive::Extinction(extinction.map(|(verdict, kinds)| (verdict, names(kinds)))),
                extinction.is_some(),
            ),
            (
                Directive::Explosion(Explosion::Spares(names(explosion.unwrap_or_default()))),
                explosion.is_some(),
            ),
        ];
        for (directive, _) in ends.iter().filter(|(_, counts)| *counts) {
            writeln!(out, "@{directive}")?;
        }
        if let Some(Goal { kinds, squares, last }) = goal {
            let squares = squares.map(|squares| squares.iter().collect::<Vec<_>>());
            writeln!(out, "@goal {:?} {squares:?} {last}", kinds.iter().collect::<Vec<_>>())?;
        }
        if !self.points.0.is_empty() {
            writeln!(out, "@points {:?}", self.points)?;
        }
        for flag in &self.flags {
            writeln!(out, "{} {}", flag.name, u8::from(flag.life == Life::Transient))?;
        }
        for piece in &self.pieces {
            let (royal, unmoved) = (u8::from(piece.royal), u8::from(piece.carries_unmoved));
            writeln!(out, "{} {royal} {unmoved} {}", piece.name.value, piece.start_flags)?;
            for (flags, kind) in &piece.in_hand {
                writeln!(out, "hand {flags} {kind}")?;
            }
            for text in &piece.moves {
                writeln!(out, "{text}")?;
            }
        }
        for code in &self.start {
            write!(out, "{} ", code.0)?;
        }
        writeln!(out, "{}", self.fen.as_ref().map_or("", |fen| fen.value.as_str()))
    }
}
