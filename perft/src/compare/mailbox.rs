//! A simple second move generator, which can make one [`Mistake`](super::mistakes::Mistake): moves are made and the king
//! looked at. It shares nothing with the generator of the engine.

mod legality;

use std::collections::HashMap;

use crate::compare::mistakes::Mistake as M;

/// An empty square.
const NONE: u8 = b'.';
const ROOK: [(i8, i8); 4] = [(1, 0), (-1, 0), (0, 1), (0, -1)];
const BISHOP: [(i8, i8); 4] = [(1, 1), (-1, 1), (1, -1), (-1, -1)];
const KNIGHT: [(i8, i8); 8] =
    [(1, 2), (2, 1), (-1, 2), (-2, 1), (1, -2), (2, -1), (-1, -2), (-2, -1)];

/// A move; castling is the king taking its rook.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub struct Step {
    /// Squares, a1 = 0, b1 = 1, h8 = 63.
    from: usize,
    to: usize,
    /// What a pawn becomes, in lower case; 0 for nothing.
    promotion: u8,
    kind: Kind,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Usual,
    EnPassant,
    Castle,
}

/// Counts by position and depth, for the mistakes of hash tables.
pub type Table = HashMap<([u8; 64], bool, [Option<usize>; 4], Option<usize>, u8), u64>;

/// A position as an array of squares with letters as in a FEN.
#[derive(Clone, Debug)]
pub struct Mailbox {
    board: [u8; 64],
    white: bool,
    /// Rooks that may castle: White's on the king's side and the queen's, then Black's.
    pub(super) rights: [Option<usize>; 4],
    /// The en passant square, whether it can be used or not.
    pub(super) ep: Option<usize>,
    halfmoves: u32,
    mistake: Option<M>,
}

fn shift(square: usize, (files, ranks): (i8, i8)) -> Option<usize> {
    let (file, rank) = ((square % 8) as i8 + files, (square / 8) as i8 + ranks);
    ((0..8).contains(&file) && (0..8).contains(&rank)).then_some((rank * 8 + file) as usize)
}

impl Mailbox {
    /// Reads a FEN, which has to be well-formed; rights as letters of either kind.
    pub fn new(fen: &str, mistake: Option<M>) -> Option<Self> {
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
        let mut new = Self { board, white, rights: [None; 4], ep: None, halfmoves: 0, mistake };
        for c in fields.next().unwrap_or("-").bytes().filter(|&c| c != b'-') {
            let (side, home) = if c.is_ascii_uppercase() { (0, 0) } else { (2, 56) };
            let king = new.king(side == 0);
            let is_rook = |square: &usize| board[*square] == if side == 0 { b'R' } else { b'r' };
            let rook = match c.to_ascii_uppercase() {
                b'K' => (home..home + 8).rfind(is_rook),
                b'Q' => (home..home + 8).find(is_rook),
                letter => Some(home + usize::from(letter.wrapping_sub(b'A') % 8)),
            }?;
            new.rights[side + usize::from(rook < king)] = Some(rook);
        }
        new.ep = fields.next().and_then(square);
        new.halfmoves = fields.next().and_then(|text| text.parse().ok()).unwrap_or(0);
        Some(new)
    }

    /// The same position without a mistake.
    pub fn sound(&self) -> Self {
        Self { mistake: None, ..self.clone() }
    }

    fn is(&self, mistake: M) -> bool {
        self.mistake == Some(mistake)
    }

    fn own(&self, square: usize) -> bool {
        self.board[square].is_ascii_alphabetic()
            && self.board[square].is_ascii_uppercase() == self.white
    }

    fn enemy(&self, square: usize) -> bool {
        self.board[square] != NONE && !self.own(square)
    }

    fn king(&self, white: bool) -> usize {
        let letter = if white { b'K' } else { b'k' };
        self.board.iter().position(|&c| c == letter).unwrap_or(0)
    }

    /// The pieces of one side that attack a square, as bits.
    fn attackers(&self, square: usize, white: bool) -> u64 {
        let mut set = 0;
        let mut look = |square: Option<usize>, kinds: &[u8]| {
            let Some(at) = square else { return };
            let c = self.board[at];
            let is_one = c.is_ascii_uppercase() == white && kinds.contains(&c.to_ascii_lowercase());
            set |= u64::from(is_one) << at;
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

    fn has(&self, set: u64, kind: u8) -> u64 {
        let is = |square: &usize| self.board[*square].eq_ignore_ascii_case(&kind);
        (0..64).filter(is).fold(0, |bits, square| bits | 1 << square) & set
    }

    /// If an enemy slider looks towards the own king through a square: the direction from the
    /// king, the own and the enemy pieces between.
    fn line(&self, through: usize) -> Option<((i8, i8), usize, usize)> {
        let king = self.king(self.white);
        for by in ROOK.into_iter().chain(BISHOP) {
            let sliders = if ROOK.contains(&by) { b"rq" } else { b"bq" };
            let (mut at, mut own, mut enemies, mut passed) = (king, 0, 0, false);
            while let Some(next) = self.first(at, by) {
                at = next;
                let is_slider = sliders.contains(&self.board[at].to_ascii_lowercase());
                if passed && self.enemy(at) && is_slider {
                    return Some((by, own, enemies));
                }
                passed |= at == through;
                own += usize::from(self.own(at));
                enemies += usize::from(self.enemy(at));
            }
        }
        None
    }

    /// The direction in which a piece is pinned.
    fn pin(&self, square: usize) -> Option<(i8, i8)> {
        self.line(square).and_then(|(by, own, enemies)| ((own, enemies) == (1, 0)).then_some(by))
    }

    /// The moves that the mistake leaves.
    pub fn moves(&self) -> Vec<Step> {
        self.pseudo_legal().into_iter().filter(|step| self.is_legal(step)).collect()
    }

    /// Moves as the pieces go, whatever becomes of the king.
    pub fn pseudo_legal(&self) -> Vec<Step> {
        let mut list = Vec::with_capacity(48);
        for from in (0..64).filter(|&square| self.own(square)) {
            let mut add = |to| list.push(Step { from, to, promotion: 0, kind: Kind::Usual });
            let mut go = |by: &(i8, i8), is_far: bool, takes_own: bool| {
                let mut at = from;
                while let Some(to) = shift(at, *by) {
                    if !self.own(to) || (takes_own && !self.board[to].eq_ignore_ascii_case(&b'k')) {
                        add(to);
                    }
                    if !is_far || self.board[to] != NONE {
                        break;
                    }
                    at = to;
                }
            };
            let own = self.is(M::KingOwn);
            match self.board[from].to_ascii_lowercase() {
                b'p' => self.pawn(from, &mut list),
                b'n' => KNIGHT.iter().for_each(|by| go(by, false, false)),
                b'b' => BISHOP.iter().for_each(|by| go(by, true, false)),
                b'r' => ROOK.iter().for_each(|by| go(by, true, false)),
                b'q' => ROOK.iter().chain(&BISHOP).for_each(|by| go(by, true, false)),
                _ => ROOK.iter().chain(&BISHOP).for_each(|by| go(by, false, own)),
            }
        }
        self.castles(&mut list);
        list
    }

    fn pawn(&self, from: usize, list: &mut Vec<Step>) {
        let up = if self.white { 1 } else { -1 };
        let (first, last) = if self.white { (1, 7) } else { (6, 0) };
        let mut add = |to: usize, kind: Kind| {
            let is_capture = from % 8 != to % 8;
            let letters: &[u8] = match self.mistake {
                _ if to / 8 != last => &[0],
                Some(M::QueenOnly) => b"q",
                Some(M::NoKnight) => b"qrb",
                Some(M::PromotionCapture) if is_capture => b"q",
                Some(M::PromotionQuiet) if !is_capture => b"q",
                _ => b"qrbn",
            };
            list.extend(letters.iter().map(|&promotion| Step { from, to, promotion, kind }));
        };
        let Some(ahead) = shift(from, (0, up)) else { return };
        let is_free = |square: usize| self.board[square] == NONE;
        if is_free(ahead) || (self.is(M::PawnAhead) && self.enemy(ahead)) {
            add(ahead, Kind::Usual);
        }
        if let Some(two) = shift(from, (0, 2 * up))
            && from / 8 == first
            && is_free(two)
            && (is_free(ahead) || self.is(M::PawnJumps))
        {
            add(two, Kind::Usual);
        }
        for side in [-1, 1] {
            let wrapped = (ahead as i8 + side).try_into().ok().filter(|&to: &usize| to < 64);
            let inside = shift(from, (side, up));
            let to = inside.or(wrapped.filter(|_| self.is(M::PawnWraps) || self.is(M::EpWraps)));
            let Some(to) = to else { continue };
            let is_a8 = self.is(M::PromotionA8) && self.ep.is_none() && to == 56;
            if (self.enemy(to) && (inside.is_some() || self.is(M::PawnWraps))) || is_a8 {
                add(to, Kind::Usual);
            } else if Some(to) == self.ep && self.may_take_en_passant(from, side) {
                add(to, Kind::EnPassant);
            }
        }
    }

    fn may_take_en_passant(&self, from: usize, side: i8) -> bool {
        let is_edge = matches!(from % 8, 0 | 7);
        !match self.mistake {
            Some(M::EpNever) => true,
            Some(M::EpEdge) => is_edge,
            Some(M::EpLeft) => side == -1,
            Some(M::EpRight) => side == 1,
            Some(M::EpBlack) => !self.white,
            _ => false,
        }
    }

    fn castles(&self, list: &mut Vec<Step>) {
        let (us, home) = if self.white { (0, 0) } else { (2, 56) };
        if self.is(M::CastleBlack) && !self.white {
            return;
        }
        let from = self.king(self.white);
        for (side, king_file, rook_file) in [(0, 6, 5), (1, 2, 3)] {
            let Some(rook) = self.rights[us + side] else { continue };
            let (king_to, rook_to) = (home + king_file, home + rook_file);
            let is_off = [M::CastleShort, M::CastleLong].map(|mistake| self.is(mistake))[side];
            if !is_off && self.may_castle(from, rook, king_to, rook_to) {
                list.push(Step { from, to: rook, promotion: 0, kind: Kind::Castle });
            }
        }
    }

    fn may_castle(&self, from: usize, rook: usize, king_to: usize, rook_to: usize) -> bool {
        let path = |a: usize, b: usize| a.min(b)..=a.max(b);
        let is_free = |at: usize| at == from || at == rook || self.board[at] == NONE;
        let is_b1 = |at: usize| at % 8 == 1;
        let is_skipped = |at: usize| match self.mistake {
            Some(M::CastleB1Full) => is_b1(at),
            Some(M::CastleFull) => at == rook_to,
            Some(M::Rook960Square) => at == rook_to && !path(from, king_to).contains(&at),
            Some(M::Rook960Jumps) => self.own(at),
            _ => false,
        };
        let mut squares = path(from, king_to).chain(path(rook, rook_to));
        if !squares.all(|at| is_free(at) || is_skipped(at)) {
            return false;
        }
        if (self.is(M::King960Stays) && from == king_to)
            || (self.is(M::King960Changes) && from == rook_to && rook == king_to)
        {
            return false;
        }
        let them = !self.white;
        let is_safe = |at: usize| {
            let attackers = self.attackers(at, them);
            let is_across = at != from && at != king_to;
            let kind = |kind| self.has(attackers, kind);
            (attackers
                & !match self.mistake {
                    Some(M::CastleInCheck) if at == from => attackers,
                    Some(M::CastlePawnCheck) if at == from => kind(b'p'),
                    Some(M::CastleAcross) if is_across => attackers,
                    Some(M::CastleTo) if at == king_to => attackers,
                    Some(M::CastlePawns) => kind(b'p'),
                    Some(M::CastleKing) => kind(b'k'),
                    Some(M::CastleKnight) => kind(b'n'),
                    _ => 0,
                })
                == 0
        };
        let is_attacked = |at: usize| self.attackers(at, them) != 0;
        path(from, king_to).all(is_safe)
            && !(self.is(M::CastleB1) && path(from, rook).any(|at| is_b1(at) && is_attacked(at)))
            && !(self.is(M::CastleRook) && is_attacked(rook))
    }

    /// The position after a move, with what the mistake makes of it.
    pub fn after(&self, step: &Step) -> Self {
        let mut next = self.clone();
        let Step { from, to, promotion, kind } = *step;
        let piece = self.board[from];
        let is_pawn = piece.eq_ignore_ascii_case(&b'p');
        let is_king = piece.eq_ignore_ascii_case(&b'k');
        next.white = !self.white;
        next.halfmoves = if is_pawn || self.board[to] != NONE { 0 } else { self.halfmoves + 1 };
        next.ep = self.ep.filter(|_| self.is(M::EpStays));
        if is_pawn && (from.abs_diff(to) == 16 || (self.is(M::EpSingle) && from.abs_diff(to) == 8))
        {
            let behind = if self.white { to - 8 } else { to + 8 };
            next.ep = Some(behind);
        }
        next.board[from] = NONE;
        if kind == Kind::Castle {
            let home = from / 8 * 8;
            let (king_to, rook_to) =
                if to > from { (home + 6, home + 5) } else { (home + 2, home + 3) };
            let rook = self.board[to];
            next.board[to] = NONE;
            next.board[if self.is(M::CastleRookStays) { to } else { rook_to }] = rook;
            next.board[king_to] = piece;
        } else {
            next.board[to] = match promotion {
                0 => piece,
                letter if self.white => letter.to_ascii_uppercase(),
                letter => letter,
            };
        }
        if kind == Kind::EnPassant && !self.is(M::EpVictimStays) {
            next.board[from / 8 * 8 + to % 8] = NONE;
        }
        self.keep_rights(&mut next, step, is_king);
        next
    }

    fn keep_rights(&self, next: &mut Self, step: &Step, is_king: bool) {
        let us = if self.white { 0 } else { 2 };
        let Step { from, to, promotion, kind } = *step;
        if is_king && (kind == Kind::Castle || !self.is(M::RightKingMoves)) {
            next.rights[us] = None;
            next.rights[us + 1] = None;
        }
        if kind == Kind::Castle {
            if self.is(M::RightOther) {
                next.rights = [None; 4];
            }
            return;
        }
        let is_rook = self.board[from].eq_ignore_ascii_case(&b'r');
        for (index, right) in next.rights.iter_mut().enumerate() {
            let is_own = index / 2 == us / 2;
            let Some(rook) = *right else { continue };
            let takes_rook = self.board[to].eq_ignore_ascii_case(&b'r');
            let stays = self.is(M::RightRookMoves) || (self.is(M::RightBoth) && takes_rook);
            let moved = is_own && rook == from && !stays;
            let is_kept =
                self.is(M::RightCaptured) || (self.is(M::RightPromotion) && promotion != 0);
            let other = self.is(M::RightFile) && is_own && is_rook && rook % 8 == from % 8;
            if moved || other || (!is_own && rook == to && !is_kept) {
                *right = None;
            }
        }
    }

    /// The moves with the counts behind them, as far as the mistake lets them be right.
    pub fn divide(&self, depth: u8, table: &mut Table) -> Vec<(Step, u64)> {
        let mut here = self.clone();
        let moves = self.moves();
        let number = moves.len() as u64;
        let mut divide = Vec::with_capacity(moves.len());
        for step in moves {
            let next = here.after(&step);
            divide.push((
                step,
                match self.mistake {
                    Some(M::CountRoot) => number.pow(u32::from(depth - 1)),
                    _ => next.count(depth - 1, table),
                },
            ));
            here.take_back(&next, depth);
        }
        divide
    }

    /// What a wrong `unmake` leaves of the position.
    fn take_back(&mut self, next: &Self, depth: u8) {
        if depth > 1 && self.is(M::UndoRights) {
            self.rights = next.rights;
        }
    }

    /// The whole count.
    pub fn count(&self, depth: u8, table: &mut Table) -> u64 {
        if depth == 0 {
            let king = self.king(self.white);
            let is_check = self.is(M::CountChecks) && self.attackers(king, !self.white) != 0;
            return 1 + u64::from(is_check && !self.moves().is_empty());
        }
        let key = match self.mistake {
            Some(M::HashEp) => Some((self.board, self.white, self.rights, None, depth)),
            Some(M::HashRights) => Some((self.board, self.white, [None; 4], self.ep, depth)),
            _ => None,
        };
        if let Some(&count) = key.and_then(|key| table.get(&key)) {
            return count;
        }
        let is_over = (self.is(M::CountFifty) && self.halfmoves >= 100)
            || (self.is(M::CountKings) && self.board.iter().filter(|&&c| c != NONE).count() == 2);
        let moves = if is_over { Vec::new() } else { self.moves() };
        let mut count = u64::from(self.is(M::CountMate) && moves.is_empty());
        let mut here = self.clone();
        if depth == 1 && !self.is(M::CountChecks) {
            count += moves.len() as u64;
        } else {
            for step in moves {
                let next = here.after(&step);
                count += next.count(depth - 1, table);
                here.take_back(&next, depth);
            }
        }
        if let Some(key) = key {
            table.insert(key, count);
        }
        count
    }

    /// The count that a program with this mistake prints.
    pub fn total(&self, depth: u8) -> u64 {
        let whole = |depth| {
            self.divide(depth, &mut Table::new()).iter().map(|(_, count)| count).sum::<u64>()
        };
        if self.is(M::CountAll) { (1..=depth).map(whole).sum() } else { whole(depth) }
    }
}

/// Reads a square like `e4`.
pub fn square(text: &str) -> Option<usize> {
    let [file @ b'a'..=b'h', rank @ b'1'..=b'8'] = text.as_bytes() else { return None };
    Some(usize::from(rank - b'1') * 8 + usize::from(file - b'a'))
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
