//! Dead positions: nobody can give checkmate by any legal moves.
//!
//! Two kinds are found, both without search: too little material, and walls of pawns that hold
//! each other while only kings move. A wall with other pieces besides the pawns, and dead
//! positions that hang on a single forced line, are not.

use tamarin_movegen::{Bitboard, Color, PieceKind, Position, king_attacks, pawns_attacks};

/// Returns `true` if provably nobody can give checkmate any more; `false` proves nothing.
pub fn is_dead(position: &Position) -> bool {
    Color::ALL.iter().all(|color| !has_mating_material(position, *color)) || is_wall(position)
}

/// Returns `true` if the side could give checkmate with its material if the other helped.
///
/// Source of the cases: `has_insufficient_material` of python-chess.
pub fn has_mating_material(position: &Position, side: Color) -> bool {
    let of = |color, kind| position.of(color, kind);
    let has_any = |color: Color, kinds: &[PieceKind]| {
        kinds.iter().any(|kind| position.of(color, *kind).any())
    };
    if has_any(side, &[PieceKind::Pawn, PieceKind::Rook, PieceKind::Queen]) {
        return true;
    }
    let (knights, bishops) = (of(side, PieceKind::Knight), of(side, PieceKind::Bishop));
    if knights.any() {
        // A lone knight needs a piece that takes a square from its own king; a queen would
        // always guard the mating square as well.
        let blockers = [PieceKind::Pawn, PieceKind::Knight, PieceKind::Bishop, PieceKind::Rook];
        return knights.several() || bishops.any() || has_any(!side, &blockers);
    }
    if bishops.any() {
        let all = position.pieces(PieceKind::Bishop);
        let is_one_color = all.is_subset(Bitboard::LIGHT) || all.is_subset(Bitboard::DARK);
        let others = position.pieces(PieceKind::Pawn) | position.pieces(PieceKind::Knight);
        return !is_one_color || others.any();
    }
    false
}

/// Is there nothing but kings and pawns, no pawn that can ever move or capture, and none that a
/// king can reach?
fn is_wall(position: &Position) -> bool {
    let pawns = position.pieces(PieceKind::Pawn);
    if position.occupied() != pawns | position.pieces(PieceKind::King)
        || position.en_passant().is_some()
    {
        return false;
    }
    Color::ALL.iter().all(|&color| {
        let (own, enemy) =
            (position.of(color, PieceKind::Pawn), position.of(!color, PieceKind::Pawn));
        // What stands before every pawn is a pawn, which cannot move either.
        own.forward(color).is_subset(pawns)
            && (pawns_attacks(color, own) & enemy).is_empty()
            && (king_region(position, color) & enemy).is_empty()
    })
}

/// Every square that a king can get to while no pawn moves, wherever the other king is, with the
/// enemy pawns that it could take on its way.
fn king_region(position: &Position, color: Color) -> Bitboard {
    let enemy = position.of(!color, PieceKind::Pawn);
    let closed = position.of(color, PieceKind::Pawn) | pawns_attacks(!color, enemy);
    let mut region = position.king(color).bitboard();
    loop {
        let around =
            region.into_iter().fold(Bitboard::EMPTY, |squares, from| squares | king_attacks(from));
        let grown = region | (around & !closed);
        if grown == region {
            return region;
        }
        region = grown;
    }
}

#[cfg(test)]
mod tests {
    use super::{has_mating_material, is_dead, is_wall};
    use rand::{Rng, RngExt};
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;
    use std::collections::HashSet;
    use tamarin_movegen::{Color, PieceKind, Position};

    fn at(fen: &str) -> Position {
        Position::from_fen(fen).unwrap()
    }

    /// Whether White, and whether Black, could mate.
    #[test]
    fn material_decides_who_can_mate() {
        let cases = [
            ("4k3/8/8/8/8/8/8/4K3 w - - 0 1", [false, false]),
            ("4k3/8/8/8/8/8/8/4KN2 w - - 0 1", [false, false]),
            ("4k3/8/8/8/8/8/8/3NKN2 w - - 0 1", [true, false]),
            ("3qk3/8/8/8/8/8/8/4KN2 w - - 0 1", [false, true]),
            ("3rk3/8/8/8/8/8/8/4KN2 w - - 0 1", [true, true]),
            ("4k3/8/8/8/8/8/8/4KB2 w - - 0 1", [false, false]),
            ("4k3/8/8/8/8/3B4/8/4KB2 w - - 0 1", [false, false]),
            ("2b1k3/8/8/8/8/3B4/8/4KB2 w - - 0 1", [false, false]),
            ("4kb2/8/8/8/8/8/8/4KB2 w - - 0 1", [true, true]),
            ("3qk3/8/8/8/8/8/8/4KB2 w - - 0 1", [false, true]),
            ("3nk3/8/8/8/8/8/8/4KB2 w - - 0 1", [true, true]),
            ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", [true, false]),
        ];
        for (fen, can_mate) in cases {
            let position = at(fen);
            assert_eq!(
                Color::ALL.map(|side| has_mating_material(&position, side)),
                can_mate,
                "{fen}"
            );
            assert_eq!(is_dead(&position), can_mate == [false, false], "{fen}");
        }
    }

    #[test]
    fn walls_are_found_where_nothing_gets_through() {
        // From side to side; the second one has a gap, in the third a king stands at the wall, in
        // the fourth a pawn still moves, in the fifth a knight jumps over it, in the last one
        // White's king is behind Black's pawns and can take them.
        let cases = [
            ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", true),
            ("4k3/8/8/p1p1p3/P1P1P3/8/8/4K3 w - - 0 1", false),
            ("4k3/8/8/p1p1p1p1/P1P1P1P1/3K4/8/8 w - - 0 1", true),
            ("4k3/8/p7/2p1p1p1/P1P1P1P1/8/8/4K3 w - - 0 1", false),
            ("4k3/8/8/p1p1p1p1/P1P1P1P1/8/8/4K1N1 w - - 0 1", false),
            ("4k3/8/5K2/p1p1p1p1/P1P1P1P1/8/8/8 w - - 0 1", false),
        ];
        for (fen, dead) in cases {
            assert_eq!(is_wall(&at(fen)), dead, "{fen}");
        }
    }

    /// Pairs of pawns that hold each other, mostly on every other file, and kings anywhere.
    fn random_wall(random: &mut impl Rng) -> Option<Position> {
        let mut board = [[b'1'; 8]; 8];
        let mut file = random.random_range(0..2);
        while file < 8 {
            let rank = if random.random_bool(0.9) { 3 } else { random.random_range(1..6) };
            board[rank][file] = b'P';
            board[rank + 1][file] = b'p';
            file += if random.random_bool(0.9) { 2 } else { random.random_range(1..4) };
        }
        for king in *b"Kk" {
            let (rank, file) = (random.random_range(0..8), random.random_range(0..8));
            (board[rank][file] == b'1').then_some(())?;
            board[rank][file] = king;
        }
        let ranks: Vec<_> = board.iter().rev().map(|rank| String::from_utf8_lossy(rank)).collect();
        let mover = if random.random_bool(0.5) { 'w' } else { 'b' };
        Position::from_fen(&format!("{} {mover} - - 0 1", ranks.join("/"))).ok()
    }

    /// Whether the kings can only walk about for ever, by playing every legal move.
    fn is_walk_of_kings(start: &Position) -> bool {
        let mut seen = HashSet::from([start.key()]);
        let mut open = vec![start.clone()];
        while let Some(position) = open.pop() {
            let moves = position.legal_moves();
            if moves.is_empty() && position.in_check() {
                return false;
            }
            for mv in moves {
                let is_king = position.of(position.side_to_move(), PieceKind::King).has(mv.from());
                if !is_king || position.piece_at(mv.to()).is_some() {
                    return false;
                }
                let mut next = position.clone();
                next.make(mv);
                if seen.insert(next.key()) {
                    open.push(next);
                }
            }
        }
        true
    }

    #[test]
    fn no_wall_is_dead_that_somebody_can_break() {
        let mut random = Xoshiro256PlusPlus::seed_from_u64(17);
        let (mut dead, mut missed) = (0, 0);
        for position in std::iter::repeat_with(|| random_wall(&mut random)).take(500).flatten() {
            let is_walk = is_walk_of_kings(&position);
            assert!(is_walk || !is_wall(&position), "{position}");
            dead += u32::from(is_walk);
            missed += u32::from(is_walk && !is_wall(&position));
        }
        // Kings that keep each other from getting through are not thought of.
        assert!(dead > 30 && missed * 20 < dead, "{missed} of {dead} missed");
    }
}
