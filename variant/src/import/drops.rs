//! Pieces in hand: what captures bring there, and where they come down.

use std::fmt::Write;

use super::reader::{Piece, Reader};
use super::region::{Place, zone};

/// The hands of a game.
pub(super) struct Hands {
    /// What is captured comes there.
    captured: bool,
    /// What a promotion has made stays that in the hand.
    pub(super) keeps_form: bool,
    /// What is in hand when the game begins, as in a FEN.
    pocket: String,
    /// Pieces that come down only where the column has no other of them.
    single: Vec<char>,
    /// Where pieces come down; `None` is everywhere.
    region: Option<Vec<Place>>,
    /// The same for pawns of chess.
    pawn_region: Vec<Place>,
    /// Pawns of shogi do not mate by coming down.
    no_pawn_mate: bool,
}

/// The hands, if pieces are dropped. `placement` is the start position.
pub(super) fn hands(reader: &mut Reader<'_>, placement: &str) -> Option<Hands> {
    if !reader.flag("pieceDrops", false) {
        if reader.flag("capturesToHand", false) {
            reader.left_out("capturesToHand", "nothing is dropped");
        }
        return None;
    }
    if reader.value("dropNoDoubledCount", 1, "a number") != 1 {
        reader.left_out("dropNoDoubledCount", "one of them forbids the next one");
    }
    let is_limited = ["dropRegionWhite", "dropRegionBlack"].iter().any(|key| reader.has(key));
    let everywhere: Vec<Place> = (0..reader.rows).map(|row| Place { row, column: None }).collect();
    let region = is_limited.then(|| reader.region_of_white_or("dropRegion", &everywhere));
    let promotion = reader.region_of_white("promotionRegion", reader.rows - 1);
    let on_first = reader.flag("firstRankPawnDrops", false);
    let on_last = reader.flag("promotionZonePawnDrops", false);
    let cells = squares(region.as_ref().unwrap_or(&everywhere), reader.columns);
    let promoting = squares(&promotion, reader.columns);
    let for_pawns = cells
        .into_iter()
        .filter(|cell| (on_first || cell.row != 0) && (on_last || !promoting.contains(cell)));
    Some(Hands {
        captured: reader.flag("capturesToHand", false),
        keeps_form: reader.flag("dropLoop", false),
        pocket: pocket(placement),
        single: reader.set("dropNoDoubled").unwrap_or_default(),
        region,
        pawn_region: rows_of(&for_pawns.collect::<Vec<_>>(), reader.columns),
        no_pawn_mate: reader.flag("shogiPawnDropMateIllegal", false),
    })
}

/// A zone without squares.
const NOWHERE: &str = "[ROW < 0]";

impl Hands {
    /// The line of the rules.
    pub(super) fn line(&self) -> &'static str {
        if self.captured { "@hand captured\n" } else { "@hand given\n" }
    }

    /// What is in hand when the game begins, in brackets.
    pub(super) fn pocket(&self) -> String {
        format!("[{}]", self.pocket)
    }

    /// What a piece says about coming down; `rows` are those of the board.
    pub(super) fn drop(&self, piece: &Piece, rows: i32) -> String {
        let is_pawn = piece.key == "pawn";
        let region = if is_pawn { Some(&self.pawn_region) } else { self.region.as_ref() };
        let mut text = " drop".to_owned();
        if let Some(region) = region {
            // Without a zone it would come down anywhere; without the drop it could not be in hand.
            let zone = if region.is_empty() { NOWHERE.to_owned() } else { zone(region, "") };
            // Writing to a string cannot fail.
            let _ = write!(text, " {zone}");
        }
        if self.no_pawn_mate && piece.key == "shogiPawn" {
            text.push_str(" nomate");
        }
        if self.single.contains(&piece.letter) {
            let (last, letter) = (rows - 1, piece.letter);
            let _ =
                write!(text, " {{-vars a in <0,{last}> -conditions ($a 0) opponent|!={letter}}}");
        }
        text
    }

    /// What a piece that pawns become is in hand: the pawn again, if a promotion has made it.
    pub(super) fn reverted(&self, pawn: char) -> String {
        if self.keeps_form { String::new() } else { format!(" promoted hand {pawn} *promoted") }
    }

    /// What a piece that has the moves of another as its promoted form is in hand.
    pub(super) fn of_form(&self, letter: char, form: char) -> String {
        format!(" hand {}", if self.keeps_form { form } else { letter })
    }
}

/// The pieces in the brackets of a start position.
fn pocket(placement: &str) -> String {
    let Some((_, rest)) = placement.split_once('[') else { return String::new() };
    rest.chars().take_while(|&c| c != ']').filter(|&c| c != '-').collect()
}

/// Single squares instead of whole rows.
fn squares(places: &[Place], columns: i32) -> Vec<Place> {
    let of = |place: &Place| {
        let columns = place.column.map_or(0..columns, |column| column..column + 1);
        let row = place.row;
        columns.map(move |column| Place { row, column: Some(column) })
    };
    places.iter().flat_map(of).collect()
}

/// Whole rows instead of all their squares.
fn rows_of(cells: &[Place], columns: i32) -> Vec<Place> {
    let in_row = |row| cells.iter().filter(|cell| cell.row == row).count() as i32;
    let whole = |place: &Place| match in_row(place.row) == columns {
        true => Place { column: None, ..*place },
        false => *place,
    };
    let mut places: Vec<Place> = cells.iter().map(whole).collect();
    places.sort_unstable();
    places.dedup();
    places
}
