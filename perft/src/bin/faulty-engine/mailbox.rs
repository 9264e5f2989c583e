//! A simple move generator with one mistake, which shares nothing with ours: moves are made and the
//! king looked at.

/// An empty square.
const NONE: u8 = b'.';
const ROOK: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
const KNIGHT: [(i8, i8); 8] =
    [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

/// A move; castling is the king taking its rook.
#[derive(Clone, Copy)]
pub struct Step {
    /// Squares, a1 = 0, b1 = 1, h8 = 63.
    from: usize,
    to: usize,
    /// What a pawn becomes, in lower case; 0 for nothing.
    promotion: u8,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq)]
enum Kind {
    Usual,
    EnPassant,
    Castle,
}

/// A position as an array of squares with letters as in a FEN.
#[derive(Clone)]
pub struct Mailbox {
    board: [u8; 64],
    white: bool,
    /// Rooks that may castle: White's on the king's side and the queen's, then Black's.
    rights: [Option<usize>; 4],
    /// The en passant square, whether it can be used or not.
    ep: Option<usize>,
    mistake: &'static str,
}

fn shift(square: usize, (files, ranks): (i8, i8)) -> Option<usize> {
    let (file, rank) = ((square % 8) as i8 + files, (square / 8) as i8 + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

fn square(text: &str) -> Option<usize> {
    let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = text.as_bytes() else { return None };
    Some(usize::from(rank - b'1') * 8 + usize::from(file - b'a'))
}

impl Mailbox {
    /// Reads a FEN, which has to be well-formed; rights as letters of either kind.
    pub fn new(fen: &str, mistake: &'static str) -> Option<Self> {
        let mut fields = fen.split_whitespace();
        let mut board = [NONE; 64];
        let (mut rank, mut file) = (7, 0);
        for c in fields.next()?.bytes() {
            match c {
                b'/' => (rank, file) = (usize::checked_sub(rank, 1)?, 0),
                b'1'..=b'8' => file += usize::from(c - b'0'),
                _ => {
                    *board.get_mut(rank * 8 + file)? = c;
                    file += 1;
                }
            }
        }
        let white = fields.next()? == "w";
        let mut new = Self { board, white, rights: [None; 4], ep: None, mistake };
        for c in fields.next().unwrap_or("-").bytes().filter(|&c| c != b'-') {
            let (side, home) = if c.is_ascii_uppercase() { (0, 0) } else { (2, 56) };
            let is_rook = |square: &usize| board[*square] == if side == 0 { b'R' } else { b'r' };
            let rook = match c.to_ascii_uppercase() {
                b'K' => (home..home + 8).rfind(is_rook),
                b'Q' => (home..home + 8).find(is_rook),
                letter => Some(home + usize::from(letter.wrapping_sub(b'A') % 8)),
            }?;
            new.rights[side + usize::from(rook < new.king(side == 0))] = Some(rook);
        }
        new.ep = fields.next().and_then(square);
        Some(new)
    }

    pub fn is(&self, mistake: &str) -> bool {
        self.mistake == mistake
    }

    fn own(&self, square: usize) -> bool {
        let c = self.board[square];
        c != NONE && c.is_ascii_uppercase() == self.white
    }

    fn enemy(&self, square: usize) -> bool {
        self.board[square] != NONE && !self.own(square)
    }

    fn king(&self, white: bool) -> usize {
        let letter = if white { b'K' } else { b'k' };
        self.board.iter().position(|&c| c == letter).unwrap_or(0)
    }

    /// The pieces of one side that attack a square.
    fn attackers(&self, square: usize, white: bool) -> Vec<usize> {
        let mut set = Vec::new();
        let mut look = |square: Option<usize>, kinds: &[u8]| {
            let is_one = |at: &usize| {
                let c = self.board[*at];
                c.is_ascii_uppercase() == white && kinds.contains(&c.to_ascii_lowercase())
            };
            set.extend(square.filter(is_one));
        };
        for by in KNIGHT {
            look(shift(square, by), b"n");
        }
        for (lines, kinds) in [(ROOK, b"rq"), (BISHOP, b"bq")] {
            for by in lines {
                look(shift(square, by), b"k");
                look(self.first(square, by), kinds);
            }
        }
        let behind = if white { -1 } else { 1 };
        for files in [-1, 1] {
            look(shift(square, (files, behind)), b"p");
        }
        set
    }

    /// The first piece in a direction.
    fn first(&self, mut square: usize, by: (i8, i8)) -> Option<usize> {
        loop {
            square = shift(square, by)?;
            if self.board[square] != NONE {
                return Some(square);
            }
        }
    }

    /// The direction in which the own piece on a square is pinned.
    fn pin(&self, square: usize) -> Option<(i8, i8)> {
        let king = self.king(self.white);
        let pins = |&by: &(i8, i8)| {
            let sliders = if ROOK.contains(&by) { b"rq" } else { b"bq" };
            self.first(king, by) == Some(square)
                && self.first(square, by).is_some_and(|at| {
                    self.enemy(at) && sliders.contains(&self.board[at].to_ascii_lowercase())
                })
        };
        ROOK.into_iter().chain(BISHOP).find(pins)
    }

    /// The moves that the mistake leaves.
    pub fn moves(&self) -> Vec<Step> {
        let mut list = Vec::with_capacity(48);
        for from in (0..64).filter(|&square| self.own(square)) {
            let go = |list: &mut Vec<Step>, lines: &[(i8, i8)], is_far: bool| {
                for &by in lines {
                    let mut at = from;
                    while let Some(to) = shift(at, by).filter(|&to| !self.own(to)) {
                        list.push(Step { from, to, promotion: 0, kind: Kind::Usual });
                        if !is_far || self.board[to] != NONE {
                            break;
                        }
                        at = to;
                    }
                }
            };
            match self.board[from].to_ascii_lowercase() {
                b'p' => self.pawn(from, &mut list),
                b'n' => go(&mut list, &KNIGHT, false),
                b'b' => go(&mut list, &BISHOP, true),
                b'r' => go(&mut list, &ROOK, true),
                b'q' => go(&mut list, &[ROOK, BISHOP].concat(), true),
                _ => go(&mut list, &[ROOK, BISHOP].concat(), false),
            }
        }
        self.castles(&mut list);
        list.retain(|step| self.is_legal(step));
        list
    }

    fn pawn(&self, from: usize, list: &mut Vec<Step>) {
        let up = if self.white { 1 } else { -1 };
        let (first, last) = if self.white { (1, 7) } else { (6, 0) };
        let mut add = |to: usize, kind: Kind| {
            let letters: &[u8] = match to / 8 == last {
                false => &[0],
                true if self.is("promotion-queen-only") => b"q",
                true => b"qrbn",
            };
            list.extend(letters.iter().map(|&promotion| Step { from, to, promotion, kind }));
        };
        let free = |square: Option<usize>| square.filter(|&square| self.board[square] == NONE);
        if let Some(ahead) = free(shift(from, (0, up))) {
            add(ahead, Kind::Usual);
            if let Some(two) = free(shift(ahead, (0, up))).filter(|_| from / 8 == first) {
                add(two, Kind::Usual);
            }
        }
        for to in [-1, 1].into_iter().filter_map(|side| shift(from, (side, up))) {
            if self.enemy(to) {
                add(to, Kind::Usual);
            } else if Some(to) == self.ep && !self.is("en-passant-never") {
                add(to, Kind::EnPassant);
            }
        }
    }

    fn castles(&self, list: &mut Vec<Step>) {
        let (us, home) = if self.white { (0, 0) } else { (2, 56) };
        let from = self.king(self.white);
        for (side, king_file, rook_file) in [(0, 6, 5), (1, 2, 3)] {
            let Some(rook) = self.rights[us + side] else { continue };
            let (king_to, rook_to) = (home + king_file, home + rook_file);
            let path = |a: usize, b: usize| a.min(b)..=a.max(b);
            let is_free = |at: usize| at == from || at == rook || self.board[at] == NONE;
            let is_safe = |at: usize| {
                let mut attackers = self.attackers(at, !self.white);
                if self.is("castling-pawns-ignored") {
                    attackers.retain(|&by| !self.board[by].eq_ignore_ascii_case(&b'p'));
                }
                attackers.is_empty()
                    || (self.is("castling-out-of-check") && at == from)
                    || (self.is("castling-across-check") && at != from && at != king_to)
            };
            let is_b1_safe = !self.is("castling-b1-attacked")
                || side == 0
                || self.attackers(home + 1, !self.white).is_empty();
            if is_b1_safe
                && path(from, king_to).chain(path(rook, rook_to)).all(is_free)
                && path(from, king_to).all(is_safe)
            {
                list.push(Step { from, to: rook, promotion: 0, kind: Kind::Castle });
            }
        }
    }

    /// Whether a move leaves the king safe, or the mistake takes it so.
    fn is_legal(&self, step: &Step) -> bool {
        let after = self.after(step);
        let (king, them) = (self.king(self.white), !self.white);
        let attackers = |board: &Self| board.attackers(board.king(self.white), them);
        let (checkers, left, pin) = (attackers(self), attackers(&after), self.pin(step.from));
        let victim = step.from / 8 * 8 + step.to % 8;
        let answers = || !left.iter().any(|at| checkers.contains(at));
        let is_en_passant = step.kind == Kind::EnPassant;
        match self.mistake {
            "en-passant-rank" if is_en_passant => {
                let mut with = after;
                with.board[victim] = self.board[victim];
                with.attackers(king, them).iter().all(|&at| at == victim)
            }
            "en-passant-pin-ignored" if is_en_passant && pin.is_some() => {
                checkers.iter().all(|&at| at == victim)
            }
            "en-passant-along-pin" if is_en_passant && pin.is_some() => false,
            "en-passant-checker" if is_en_passant && !checkers.is_empty() => false,
            "promotion-in-check" if step.promotion != 0 && !checkers.is_empty() => false,
            "king-retreats" if step.from == king && step.kind == Kind::Usual => {
                let mut with = after;
                with.board[step.from] = self.board[step.from];
                with.attackers(step.to, them).is_empty()
            }
            "double-check" if step.from != king && checkers.len() == 2 => left.len() <= 1,
            "pinned-answers-check" if !checkers.is_empty() && pin.is_some() => answers(),
            "castling-rook-pinned" | "castling-pawns-ignored" if step.kind == Kind::Castle => true,
            _ => left.is_empty(),
        }
    }

    /// The position after a move, with what the mistake makes of it.
    pub fn after(&self, step: &Step) -> Self {
        let mut next = self.clone();
        let Step { from, to, promotion, kind } = *step;
        let piece = self.board[from];
        next.white = !self.white;
        next.ep = self.ep.filter(|_| self.is("en-passant-stays"));
        if piece.eq_ignore_ascii_case(&b'p') && from.abs_diff(to) == 16 {
            next.ep = Some(usize::midpoint(from, to));
        }
        next.board[from] = NONE;
        if kind == Kind::Castle {
            let home = from / 8 * 8;
            let (king_to, rook_to) =
                if to > from { (home + 6, home + 5) } else { (home + 2, home + 3) };
            next.board[to] = NONE;
            next.board[rook_to] = self.board[to];
            next.board[king_to] = piece;
        } else {
            next.board[to] = match promotion {
                0 => piece,
                letter if self.white => letter.to_ascii_uppercase(),
                letter => letter,
            };
        }
        if kind == Kind::EnPassant && !self.is("en-passant-victim-stays") {
            next.board[from / 8 * 8 + to % 8] = NONE;
        }
        let us = if self.white { 0 } else { 2 };
        if piece.eq_ignore_ascii_case(&b'k') && !self.is("right-survives-king-move") {
            next.rights[us] = None;
            next.rights[us + 1] = None;
        }
        let stays = self.is("right-survives-capture")
            || (self.is("right-survives-promotion") && promotion != 0);
        for (index, right) in next.rights.iter_mut().enumerate() {
            let end = if index / 2 == us / 2 { from } else { to };
            if *right == Some(end) && (end == from || !stays) {
                *right = None;
            }
        }
        next
    }

    /// The moves with the counts behind them.
    pub fn divide(&self, depth: u8) -> Vec<(Step, u64)> {
        let mut here = self.clone();
        let count = |step| {
            let next = here.after(&step);
            let count = next.count(depth - 1);
            if depth > 1 && self.is("unmake-loses-rights") {
                here.rights = next.rights;
            }
            (step, count)
        };
        self.moves().into_iter().map(count).collect()
    }

    fn count(&self, depth: u8) -> u64 {
        match depth {
            0 => 1,
            1 => self.moves().len() as u64,
            _ => self.divide(depth).iter().map(|(_, count)| count).sum(),
        }
    }
}

impl Step {
    /// As UCI writes it, castling in the way of Chess960 or not.
    pub fn text(&self, chess960: bool) -> String {
        let name =
            |square: usize| format!("{}{}", char::from(b'a' + (square % 8) as u8), square / 8 + 1);
        let to = match self.kind {
            Kind::Castle if !chess960 && self.to > self.from => self.from / 8 * 8 + 6,
            Kind::Castle if !chess960 => self.from / 8 * 8 + 2,
            _ => self.to,
        };
        let letter = Some(char::from(self.promotion)).filter(|&letter| letter != '\0');
        format!("{}{}{}", name(self.from), name(to), letter.map(String::from).unwrap_or_default())
    }
}
