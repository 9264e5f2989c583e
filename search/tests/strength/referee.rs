//! An independent referee: what of a side can be taken at a gain, by plain counting on an 8 x 8
//! board. It shares no code with the engine.

type Square = (i32, i32);

/// A board as letters of the FEN, and who is to move.
#[derive(Clone)]
pub struct Board {
    men: [[Option<char>; 8]; 8],
    white: bool,
}

const LINES: [Square; 8] = [(1, 0), (-1, 0), (0, 1), (0, -1), (1, 1), (1, -1), (-1, 1), (-1, -1)];
const LEAPS: [Square; 8] = [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

fn value(man: char) -> i32 {
    match man.to_ascii_lowercase() {
        'p' => 1,
        'n' | 'b' => 3,
        'r' => 5,
        'q' => 9,
        _ => 1000,
    }
}

impl Board {
    /// The board of a FEN; castling and en passant play no part in captures of pieces.
    pub fn of_fen(fen: &str) -> Self {
        let mut men = [[None; 8]; 8];
        let mut fields = fen.split(' ');
        for (down, row) in fields.next().unwrap().split('/').enumerate() {
            let mut file = 0;
            for letter in row.chars() {
                match letter.to_digit(10) {
                    Some(empty) => file += empty as usize,
                    None => {
                        men[7 - down][file] = Some(letter);
                        file += 1;
                    }
                }
            }
        }
        Self { men, white: fields.next() == Some("w") }
    }

    fn at(&self, (file, rank): Square) -> Option<char> {
        let on_board = (0..8).contains(&file) && (0..8).contains(&rank);
        if on_board { self.men[rank as usize][file as usize] } else { None }
    }

    fn squares() -> impl Iterator<Item = Square> {
        (0..64).map(|index| (index % 8, index / 8))
    }

    /// The squares of the men of a side that attack a square, kings included, pins or not.
    fn attackers(&self, target: Square, white: bool) -> Vec<Square> {
        let is = |man: Option<char>, kinds: &str| {
            man.is_some_and(|man| {
                man.is_ascii_uppercase() == white && kinds.contains(man.to_ascii_lowercase())
            })
        };
        let step = |(file, rank): Square, by: Square| (file + by.0, rank + by.1);
        let mut found = Vec::new();
        for leap in LEAPS {
            let from = step(target, leap);
            found.extend(is(self.at(from), "n").then_some(from));
        }
        for (index, line) in LINES.into_iter().enumerate() {
            let mut from = step(target, line);
            found.extend(is(self.at(from), "k").then_some(from));
            // White pawns attack upwards: they stand below what they attack.
            let pawn = line.0 != 0 && line.1 == if white { -1 } else { 1 };
            found.extend((pawn && is(self.at(from), "p")).then_some(from));
            while self.at(from).is_none() && (0..8).contains(&from.0) && (0..8).contains(&from.1) {
                from = step(from, line);
            }
            let sliders = if index < 4 { "rq" } else { "bq" };
            found.extend(is(self.at(from), sliders).then_some(from));
        }
        found
    }

    fn is_in_check(&self, white: bool) -> bool {
        let king = if white { 'K' } else { 'k' };
        let square = Self::squares().find(|&square| self.at(square) == Some(king)).unwrap();
        !self.attackers(square, !white).is_empty()
    }

    /// What the side to move takes on a square with a man, promotions included, if that is legal;
    /// and the board after it.
    fn take(&self, from: Square, target: Square) -> Option<(i32, Self)> {
        let man = self.at(from)?;
        let mut gain = value(self.at(target)?);
        let mut after = self.clone();
        let promotes = man.eq_ignore_ascii_case(&'p') && (target.1 == 0 || target.1 == 7);
        let arrives = match (promotes, self.white) {
            (true, true) => 'Q',
            (true, false) => 'q',
            _ => man,
        };
        gain += if promotes { value('q') - value('p') } else { 0 };
        after.men[from.1 as usize][from.0 as usize] = None;
        after.men[target.1 as usize][target.0 as usize] = Some(arrives);
        after.white = !self.white;
        (!after.is_in_check(self.white)).then_some((gain, after))
    }

    /// What the side to move gains on a square by captures, the least valuable man first, if it
    /// may stop at any time.
    fn exchange(&self, target: Square) -> i32 {
        let mut attackers = self.attackers(target, self.white);
        attackers.sort_by_key(|&from| self.at(from).map(value));
        let mut takes = attackers.into_iter().filter_map(|from| self.take(from, target));
        takes.next().map_or(0, |(gain, after)| (gain - after.exchange(target)).max(0))
    }

    /// The most that the side to move gains by taking a knight, bishop, rook or queen.
    pub fn best_capture(&self) -> i32 {
        let mut best = 0;
        for target in Self::squares() {
            let victim = self.at(target).filter(|man| man.is_ascii_uppercase() != self.white);
            if !victim.is_some_and(|man| "nbrq".contains(man.to_ascii_lowercase())) {
                continue;
            }
            for from in self.attackers(target, self.white) {
                if let Some((gain, after)) = self.take(from, target) {
                    best = best.max(gain - after.exchange(target));
                }
            }
        }
        best
    }

    /// The value of the man on a square such as `e4`; 0 if it is empty.
    pub fn value_at(&self, square: &str) -> i32 {
        let bytes = square.as_bytes();
        let at = (i32::from(bytes[0] - b'a'), i32::from(bytes[1] - b'1'));
        self.at(at).map_or(0, value)
    }
}

#[test]
fn the_referee_counts_exchanges() {
    for (fen, gain) in [
        // A free knight; a defended one; one defended by a pinned bishop.
        ("4k3/8/8/3n4/8/8/8/3RK3 w - - 0 1", 3),
        ("4k3/8/4p3/3n4/8/8/8/3RK3 w - - 0 1", 0),
        ("4k3/8/4b3/3n4/8/8/8/3RR1K1 w - - 0 1", 3),
        // A bishop takes a defended rook; two rooks one behind the other against one defender.
        ("4k3/8/4p3/3r4/4B3/8/8/4K3 w - - 0 1", 2),
        ("3rk3/8/8/3r4/8/8/3R4/3RK3 w - - 0 1", 5),
        // A pawn takes a rook and promotes.
        ("r3k3/1P6/8/8/8/8/8/4K3 w - - 0 1", 13),
        // Pawns are no pieces.
        ("4k3/8/8/3p4/8/8/8/3RK3 w - - 0 1", 0),
    ] {
        assert_eq!(Board::of_fen(fen).best_capture(), gain, "{fen}");
    }
}
