//! What engines print for perft: one tolerant reader of all their forms.

use tamarin_movegen::{PieceKind, Position, Square, UciMove};

/// Moves with counts, a total, or both.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Answer<M = MoveText> {
    /// Moves as printed, in order, each with its count.
    pub moves: Vec<(M, u64)>,
    /// The total of the lines that have one.
    pub total: Option<u64>,
    /// How surely the total is one, from 0 to 4.
    pub rank: u8,
}

/// A move as printed.
#[derive(Clone, Copy, PartialEq, Eq, Hash, Debug)]
pub enum MoveText {
    /// Two squares and what a pawn becomes; the letter may be missing.
    Squares(UciMove),
    /// `O-O` or `0-0`.
    Short,
    /// `O-O-O` or `0-0-0`.
    Long,
}

impl<M> Default for Answer<M> {
    fn default() -> Self {
        Self { moves: Vec::new(), total: None, rank: 0 }
    }
}

impl Answer {
    /// A list of moves as an answer at depth 1.
    pub fn of_moves(moves: impl IntoIterator<Item = String>) -> Self {
        let mut answer = Self { total: Some(0), ..Self::default() };
        moves.into_iter().for_each(|mv| answer.read(&format!("{mv} 1")));
        answer
    }

    /// Takes a line of the answer; others change nothing.
    pub fn read(&mut self, line: &str) {
        self.read_moves(line, move_text);
    }
}

impl<M> Answer<M> {
    /// As [`Answer::read`], in a game of which `read_move` knows the moves.
    pub fn read_moves(&mut self, line: &str, read_move: fn(&str) -> Option<M>) {
        let line = line.trim().trim_start_matches("# ");
        let first = line.split_whitespace().next().unwrap_or_default();
        let text = line.to_lowercase();
        if ["illegal", "invalid", "unknown", "error"].iter().any(|word| text.contains(word))
            || matches!(first, "option" | "id" | "bestmove" | "feature" | "position" | "setoption")
        {
            return;
        }
        let counted = if first == "info" { Vec::new() } else { counted_moves(line, read_move) };
        if !counted.is_empty() {
            self.moves.extend(counted);
        } else if let Some((rank, total)) = total(line)
            && rank >= self.rank
        {
            (self.rank, self.total) = (rank, Some(total));
        }
    }

    /// The count of the position: of the moves if there are any.
    pub fn nodes(&self) -> Option<u64> {
        if self.moves.is_empty() { self.total } else { Some(self.moves.iter().map(|m| m.1).sum()) }
    }
}

/// Each word that reads as a move, with the next number behind it.
fn counted_moves<M>(line: &str, read_move: fn(&str) -> Option<M>) -> Vec<(M, u64)> {
    let mut words = line.split(is_gap).filter(|word| !word.is_empty());
    let counted = || {
        let text = words.find_map(read_move)?;
        words.find_map(|word| number(word.trim_start_matches('='))).map(|count| (text, count))
    };
    core::iter::from_fn(counted).collect()
}

/// What stands between words, in JSON too.
const fn is_gap(c: char) -> bool {
    c.is_ascii_whitespace() || matches!(c, ':' | '|' | '(' | ')' | '[' | ']' | '{' | '}' | '"')
}

/// `e2e4`, `Pe2-e4`, `e7xe8=Q`, `O-O`.
fn move_text(word: &str) -> Option<MoveText> {
    let word: String = word
        .trim_end_matches(['.', ',', ';', '=', '+', '#', '!', '?'])
        .chars()
        .filter(|c| !matches!(c, '-' | 'x' | '='))
        .collect();
    match word.as_str() {
        "OO" | "00" | "oo" => return Some(MoveText::Short),
        "OOO" | "000" | "ooo" => return Some(MoveText::Long),
        _ => {}
    }
    let squares = |text: &str| {
        let (from, to) = (text.get(0..2)?.parse().ok()?, text.get(2..4)?.parse().ok()?);
        let promotion = match text.get(4..)?.as_bytes() {
            [] => None,
            [letter] => Some(PieceKind::from_char(char::from(*letter).to_ascii_lowercase())?),
            _ => return None,
        };
        Some(MoveText::Squares(UciMove { from, to, promotion }))
    };
    let word = word.to_ascii_lowercase();
    let bare = || word.strip_prefix(['p', 'n', 'b', 'r', 'q', 'k']);
    squares(&word).or_else(|| squares(bare()?))
}

/// A whole number with or without separators of thousands.
fn number(word: &str) -> Option<u64> {
    let word = word.trim_end_matches(['.', ',', ';', '%']);
    let separators = [',', '.', '\'', '_', '’', '\u{a0}', '\u{202f}', '\u{2009}'];
    let groups: Vec<&str> = word.split(separators).collect();
    let (head, rest) = groups.split_first()?;
    let digits = groups.concat();
    let is_number = (rest.is_empty() || head.len() <= 3)
        && rest.iter().all(|group| group.len() == 3)
        && digits.bytes().all(|c| c.is_ascii_digit());
    is_number.then(|| digits.parse().ok())?
}

/// The number that a line gives as its total, and how surely: by a word for nodes, by another word
/// for totals, behind `perft`, as a line of numbers only.
fn total(line: &str) -> Option<(u8, u64)> {
    let is_gap = |c: char| is_gap(c) || matches!(c, '=' | '!' | '-');
    let words: Vec<String> =
        line.split(is_gap).filter(|word| !word.is_empty()).map(str::to_lowercase).collect();
    let rank_of = |word: &str| match word {
        "nodes" | "node" | "leaves" | "leafs" | "leaf" | "searched" | "n" => 4,
        "total" | "moves" | "count" | "result" | "positions" => 3,
        "perft" => 2,
        _ => 0,
    };
    let at = |index: usize| words.get(index).and_then(|word| number(word));
    if !words.is_empty() && (0..words.len()).all(|index| at(index).is_some()) {
        return at(words.len() - 1).map(|total| (1, total));
    }
    let ranks: Vec<u8> = words.iter().map(|word| rank_of(word)).collect();
    let (mut best, mut end) = (None, 0);
    for run in ranks.chunk_by(|a, b| (*a > 0) == (*b > 0)) {
        let begin = end;
        end += run.len();
        let rank = run.iter().copied().max().unwrap_or(0);
        let next = words.get(end).map_or("", String::as_str);
        let is_speed = matches!(next, "per" | "time" | "sec" | "second") || next.starts_with('/');
        if rank == 0 || is_speed {
            continue;
        }
        let behind = at(end);
        let later = || (end + 1..words.len()).find_map(at);
        let found = match rank {
            2 => later().map(|total| (rank, total)).or(behind.map(|total| (1, total))),
            _ => behind
                .or_else(|| begin.checked_sub(1).and_then(at))
                .or_else(later)
                .map(|total| (rank, total)),
        };
        let is_better = |new: &(u8, u64)| best.is_none_or(|old: (u8, u64)| new.0 > old.0);
        best = found.filter(is_better).or(best);
    }
    best
}

/// A move in one way of writing, whatever the engine prints: castling is the king taking its rook.
pub fn normalized(position: &Position, text: MoveText) -> UciMove {
    let us = position.side_to_move();
    let king = position.king(us);
    let corner = |is_short: bool| {
        let right = position.castling() & position.color(us) & king.rank().bitboard();
        let side = |square: &Square| (square.file() > king.file()) == is_short;
        let file = if is_short { tamarin_movegen::File::H } else { tamarin_movegen::File::A };
        right.into_iter().find(side).unwrap_or(Square::new(file, king.rank()))
    };
    match text {
        MoveText::Short | MoveText::Long => {
            UciMove { from: king, to: corner(text == MoveText::Short), promotion: None }
        }
        MoveText::Squares(mv)
            if mv.from == king
                && mv.to.rank() == king.rank()
                && mv.to.file().index().abs_diff(king.file().index()) == 2
                && !position.castling().has(mv.to) =>
        {
            UciMove { to: corner(mv.to.file() > king.file()), ..mv }
        }
        MoveText::Squares(mv) => mv,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Moves, their counts and the total of the forms in which engines answer; the first of each is
    /// e2e4 with its count.
    #[test]
    fn reads_every_form_of_output() {
        let cases: [(&str, usize, u64, Option<u64>); 26] = [
            ("e2e4: 20\n\nNodes searched: 20", 1, 20, Some(20)),
            ("e2e4: 20\nNodes searched  : 5", 1, 20, Some(5)),
            ("Berserk 9 by Jay\n  e2e4:       20\nNodes: 400\nNPS: 9000", 1, 20, Some(400)),
            ("perft support is currently broken", 0, 0, None),
            ("move: e2e4   nodes: 20\nNodes: 400", 1, 20, Some(400)),
            ("move 3 : e2e4 : 20\nTest Complete : 400 nodes visited in 5ms", 1, 20, Some(400)),
            ("1 e2e4: 20\nNodes 400", 1, 20, Some(400)),
            ("e2e4\t\t20\nTotal: 400 nodes", 1, 20, Some(400)),
            ("e2e4: 20\nNodes: 400\nNodes/sec: 77", 1, 20, Some(400)),
            ("e2e4:    8,902\nd2d4: 8.902\n", 2, 8902, None),
            ("move e2e4 count 20", 1, 20, None),
            ("e2e4 20\ninfo string e2e3 7", 1, 20, None),
            ("e2e4 196031\na7a8 5\na7a8 5\na7a8 5\na7a8 5", 5, 196_031, None),
            ("Pe2e4 20\nn = 84,998,978,956", 1, 20, Some(84_998_978_956)),
            ("e2e4 20 leaves in 0.0 s (9 Mnps)", 1, 20, None),
            ("e2e4:  20\nPerft ended! 400 nodes", 1, 20, Some(400)),
            ("8902", 0, 0, Some(8902)),
            ("Nodes: 8902\nTime: 3 ms", 0, 0, Some(8902)),
            ("total moves=8902  time=0.12", 0, 0, Some(8902)),
            ("Perft 1: 20 (0 ms)\nPerft 2: 400 (1 ms)", 0, 0, Some(400)),
            ("5\t300\t4865609", 0, 0, Some(4_865_609)),
            ("info depth 3 score cp 5 nodes 8902 nps 7", 0, 0, Some(8902)),
            ("e2-e4 20\nO-O: 30\n0-0-0 = 31\ne7xe8=Q 4\nE7E8n 4", 5, 20, None),
            ("Illegal move: perft 1", 0, 0, None),
            (
                "{\"move\": \"e2e4\", \"nodes\": 20}\n{\"depth\": 2, \"total\": 400}",
                1,
                20,
                Some(400),
            ),
            ("{\"e2e4\":20,\"d2d4\":21}", 2, 20, None),
        ];
        for (text, moves, count, total) in cases {
            let mut answer = Answer::default();
            text.lines().for_each(|line| answer.read(line));
            assert_eq!((answer.moves.len(), answer.total), (moves, total), "{text:?}");
            let e2e4 = move_text("e2e4").zip(Some(count));
            assert_eq!(answer.moves.first().copied(), e2e4.filter(|_| moves > 0), "{text:?}");
        }
    }
}
