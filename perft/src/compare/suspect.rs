//! Positions that a wrong engine may have taken for the one asked for, and smaller ones.

use tamarin_movegen::{Bitboard, MoveKind, PieceKind, Square};

use crate::compare::driver::Place;
use crate::compare::find::{Difference, plain};
use crate::compare::mailbox::{Mailbox, Table};
use crate::compare::mistakes::Mistake;
use crate::compare::name;

/// The position without a piece, without rights (64) or the en passant square (65).
pub fn reduced(place: &Place, change: usize) -> Option<Place> {
    let mut setup = place.root.clone();
    match Square::from_index(change) {
        Some(square) => {
            let piece = setup.pieces[square].take()?;
            if piece.kind() == PieceKind::King {
                return None;
            }
            setup.castling = setup.castling.without(square);
        }
        None if change == Square::COUNT => {
            if setup.castling.is_empty() {
                return None;
            }
            setup.castling = Bitboard::EMPTY;
        }
        None => {
            setup.en_passant.take()?;
        }
    }
    if let Some(square) = setup.en_passant {
        let pawn = square.bitboard().forward(!setup.side_to_move).first()?;
        setup.pieces[pawn]?;
    }
    let mut next = Place::of(&setup)?;
    for &mv in &place.moves {
        if !next.position.legal_moves().contains(&mv) {
            return None;
        }
        next = next.child(mv);
    }
    Some(next)
}

/// What a move before may have left behind, each with its rule and what it changes.
pub fn suspects(place: &Place) -> Vec<(Mailbox, String, String)> {
    let mut list = Vec::new();
    let (Some(here), Some(root)) = (
        Mailbox::new(&place.fen(true), None),
        Mailbox::new(&place.root.fen(Place::style(true).0), None),
    ) else {
        return list;
    };
    let all: Vec<usize> = (0..4).filter(|&side| root.rights[side].is_some()).collect();
    let rights = |board: &Mailbox| {
        let letters = (0..4).filter(|&side| board.rights[side].is_some());
        let text: String = letters.map(|side| ["K", "Q", "k", "q"][side]).collect();
        if text.is_empty() { "-".to_owned() } else { text }
    };
    for kept in 0..1u8 << all.len() {
        let mut board = here.clone();
        for (bit, &side) in all.iter().enumerate() {
            board.rights[side] = root.rights[side].filter(|_| kept >> bit & 1 == 1);
        }
        let changed = (0..4).find(|&side| board.rights[side] != here.rights[side]);
        let Some(side) = changed else { continue };
        let rule = match root.rights[side] {
            Some(rook) if board.rights[side].is_some() => {
                name::lost_right(place, Square::ALL[rook % 64])
            }
            _ => lost_too_early(place),
        };
        let text = format!("castling rights were {}, should be {}", rights(&board), rights(&here));
        list.push((board, rule.to_owned(), text));
    }
    for ep in (16..24).chain(40..48).map(Some).chain([None]).filter(|&ep| ep != here.ep) {
        let mut board = here.clone();
        board.ep = ep;
        let is_old = ep.is_some() && ep == root.ep
            || place.moves.iter().any(|mv| mv.kind() == MoveKind::DoublePush);
        let rule = match ep {
            None => "en passant: the square is set by a two-square move",
            Some(_) if is_old => name::EP_BASE,
            Some(_) => name::EP_SINGLE,
        };
        let square =
            |ep: Option<usize>| ep.map_or("-".to_owned(), |ep| Square::ALL[ep].to_string());
        let text =
            format!("the en passant square were {}, should be {}", square(ep), square(here.ep));
        list.push((board, rule.to_owned(), text));
    }
    let pieces = [
        (Mistake::EpVictimStays, "the taken pawn were still there"),
        (Mistake::CastleRookStays, "the rook had stayed in its corner"),
    ];
    for (mistake, text) in pieces {
        let mut board = Mailbox::new(&place.root.fen(Place::style(true).0), Some(mistake));
        for &mv in &place.moves {
            board = board.and_then(|board| {
                let text = plain(mv).to_string();
                let step = board.moves().into_iter().find(|step| step.text(true) == text)?;
                Some(board.after(&step))
            });
        }
        list.extend(board.map(|board| (board.sound(), mistake.rule().to_owned(), text.to_owned())));
    }
    list
}

/// The rule by which a right stays that an engine has lost.
fn lost_too_early(place: &Place) -> &'static str {
    if place.moves.iter().any(|mv| mv.is_castle()) {
        "castling: one side's castling leaves the other side's rights"
    } else {
        "castling: another rook on the h-file may move without loss of the right"
    }
}

/// Counts over right positions are wrong: what is left of an earlier move, or of a hash table.
pub fn after_undo(place: &Place, depth: u8, found: &Difference) -> &'static str {
    for &(mv, count) in &found.wrong {
        let child = place.child(mv);
        let Some(here) = Mailbox::new(&child.fen(true), None) else { continue };
        for side in 0..4 {
            let mut board = here.clone();
            board.rights[side] = None;
            if board.count(depth - 1, &mut Table::new()) == count {
                return Mistake::UndoRights.rule();
            }
        }
        let mut board = here;
        board.rights = [None; 4];
        if board.count(depth - 1, &mut Table::new()) == count {
            return Mistake::UndoRights.rule();
        }
    }
    "state: taking a move back does not restore the position"
}
