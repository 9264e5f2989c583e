//! Whether a line shows what its sentence claims: legal moves by the rules of `tamarin-movegen`,
//! everything else counted here.

use tamarin_analysis::explain::{Claim, DrawnBy, GameResult, Role, Sentence};
use tamarin_movegen::{Color, Position};
use tamarin_search::{Known, TablebaseProbe};

use crate::cases::Case;

fn worth(letter: char) -> i32 {
    match letter.to_ascii_lowercase() {
        'p' => 1,
        'n' | 'b' => 3,
        'r' => 5,
        'q' => 9,
        _ => 0,
    }
}

fn pieces(position: &Position) -> String {
    position.to_string().split(' ').next().unwrap().to_owned()
}

/// Material of a side less that of the other, in pawns, counted in the FEN.
pub fn balance(position: &Position, side: Color) -> i32 {
    let text = pieces(position);
    let sign = |letter: char| if letter.is_ascii_uppercase() { 1 } else { -1 };
    let white: i32 = text.chars().map(|letter| sign(letter) * worth(letter)).sum();
    if side == Color::White { white } else { -white }
}

/// What the side to move wins by captures and promotions, between the bounds, `plies` plies deep.
fn exchange(position: &Position, alpha: i32, beta: i32, plies: u32) -> i32 {
    let side = position.side_to_move();
    if plies == 0 {
        return 0;
    }
    let now = balance(position, side);
    let mut best = if position.in_check() { -200 } else { 0 };
    let after = position.legal_moves().into_iter().map(|mv| {
        let mut next = position.clone();
        next.make(mv);
        (balance(&next, side) - now, next)
    });
    let mut after: Vec<(i32, Position)> =
        after.filter(|(gain, _)| *gain != 0 || position.in_check()).collect();
    after.sort_by_key(|(gain, _)| -gain);
    for (gain, next) in after {
        let floor = alpha.max(best);
        if floor >= beta {
            break;
        }
        best = best.max(gain - exchange(&next, gain - beta, gain - floor, plies - 1));
    }
    best
}

/// What a side wins back by captures, now or after a pass of the other side. Not in check.
pub fn regains(position: &Position, loser: Color) -> i32 {
    let mut position = position.clone();
    if position.side_to_move() != loser {
        position.make_null();
    }
    exchange(&position, 0, 200, 12)
}

/// Returns `true` if a side can win nothing back.
pub fn is_stable(position: &Position, loser: Color) -> bool {
    !position.in_check() && regains(position, loser) <= 0
}

/// Checks a sentence.
pub fn check(tables: &TablebaseProbe, case: &Case, sentence: &Sentence) -> Result<(), String> {
    let line = &sentence.line;
    if sentence.text.chars().count() > 200 {
        return Err("the sentence is too long".to_owned());
    }
    let named = sentence.text.split([' ', ':', ',']).filter(|word| is_move(word)).count();
    if named > 7 {
        return Err(format!("the sentence names {named} plies"));
    }
    let (start, passed) = (pieces(&line.start), line.start.side_to_move());
    let is_threat = sentence.role == Role::Threat;
    if !is_threat && (start != pieces(&case.position) || passed != case.position.side_to_move()) {
        return Err("the line begins elsewhere".to_owned());
    }
    if is_threat && !follows_a_pass(case, sentence) {
        return Err("the threat does not begin after a pass".to_owned());
    }
    let mut position = Position::from_fen(&line.start.to_string()).unwrap();
    let mut seen = vec![identity(&position)];
    for mv in &line.moves {
        if !position.legal_moves().contains(mv) {
            return Err(format!("{mv:?} is not legal"));
        }
        position.make(*mv);
        seen.push(identity(&position));
    }
    shown(tables, sentence, &position, &seen)
}

fn is_move(word: &str) -> bool {
    let word = word.trim_end_matches(['.', '+', '#']);
    let is_square = |text: &str| {
        let bytes = text.as_bytes();
        bytes.len() == 2 && (b'a'..=b'h').contains(&bytes[0]) && (b'1'..=b'8').contains(&bytes[1])
    };
    let word = word.split('=').next().unwrap_or_default();
    word.starts_with("O-O") || (word.len() >= 2 && is_square(&word[word.len() - 2..]))
}

/// Pieces, side to move, castling and en passant: what a repetition repeats.
fn identity(position: &Position) -> String {
    position.to_string().split(' ').take(4).collect::<Vec<_>>().join(" ")
}

/// A threat begins with the pieces before the move or after some move, and the other side to move.
fn follows_a_pass(case: &Case, sentence: &Sentence) -> bool {
    let (start, side) = (pieces(&sentence.line.start), sentence.line.start.side_to_move());
    let before = &case.position;
    if start == pieces(before) && side != before.side_to_move() {
        return true;
    }
    let after = before.legal_moves().into_iter().map(|mv| {
        let mut next = before.clone();
        next.make(mv);
        next
    });
    let mut after = after.filter(|next| pieces(next) == start && side != next.side_to_move());
    after.next().is_some()
}

/// Whether tables allow a result for a side: the DTZ, which may be one ply too small, and the clock
/// come to a hundred plies at most in a win, and to no fewer in a win that the clock prevents.
fn is_known(tables: &TablebaseProbe, position: &Position, side: Color, result: GameResult) -> bool {
    let Some(Known { wdl, dtz: Some(dtz) }) = tables.known(position) else { return false };
    let own = if position.side_to_move() == side { wdl } else { -wdl };
    let plies = dtz.abs() + i32::from(position.halfmove_clock());
    match result {
        GameResult::Won => own > 0 && plies <= 100,
        GameResult::Drawn => own == 0 || plies >= 100,
        GameResult::Lost => own < 0 && plies <= 100,
    }
}

fn shown(
    tables: &TablebaseProbe,
    sentence: &Sentence,
    end: &Position,
    seen: &[String],
) -> Result<(), String> {
    let start = &sentence.line.start;
    let has_moves = !end.legal_moves().is_empty();
    let fail = |text: &str| Err(text.to_owned());
    match sentence.claim {
        Claim::Mate { winner, moves } => {
            let own = (0..sentence.line.moves.len())
                .filter(|ply| (start.side_to_move() == winner) == (ply % 2 == 0))
                .count();
            if has_moves || !end.in_check() || end.side_to_move() == winner {
                return fail("no mate");
            }
            if own != moves as usize { fail("another number of moves") } else { Ok(()) }
        }
        Claim::Material { winner, change } => {
            let net = balance(end, winner) - balance(start, winner);
            if net < 1 || net != change.net(winner) {
                return Err(format!("the line wins {net} pawns"));
            }
            if is_stable(end, winner.other()) { Ok(()) } else { fail("captures hang over it") }
        }
        Claim::Draw(DrawnBy::Stalemate) if has_moves || end.in_check() => fail("no stalemate"),
        Claim::Draw(DrawnBy::Repetition) if !seen[..seen.len() - 1].contains(&identity(end)) => {
            fail("no repetition")
        }
        Claim::Draw(DrawnBy::Material) if balance(end, Color::White).abs() > 3 => {
            fail("enough material")
        }
        Claim::Tablebase { side, before, after } => {
            // Where the game is over there is nothing to look up.
            let last = !has_moves || is_known(tables, end, side, after);
            let same = is_known(tables, start, side, before) && last;
            if same { Ok(()) } else { fail("the tablebases say something else") }
        }
        Claim::OnlyLegalMove if start.legal_moves().len() != 1 => fail("others are legal"),
        _ => Ok(()),
    }
}
