//! The text of a game from keys and values.

use std::fmt::Write;

use super::castling;
use super::drops::{self, Hands};
use super::keys::Keys;
use super::reader::{Piece, Reader};
use super::region::{Place, zone};
use crate::ast::Word;
use crate::diagnostic::{Code, Diagnostic, Span};

/// What happens instead of a default of Fairy-Stockfish.
const LAST_ROW: &str = "pieces promote on the last row";

const CHESS: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

/// The text of the game that the keys describe.
pub(super) fn convert(name: &Word, keys: &Keys, remarks: &mut Vec<Diagnostic>) -> String {
    Reader::new(keys, remarks).text(name)
}

impl Reader<'_> {
    fn text(&mut self, name: &Word) -> String {
        let start =
            self.keys.get("startFen").map_or(CHESS, |value| value.value.as_str()).to_owned();
        let fields: Vec<&str> = start.split_whitespace().collect();
        let field = |index: usize| fields.get(index).copied().unwrap_or("-");
        self.check_size(field(0));
        let castlings = castling::castlings(self, field(0), field(2));
        if self.is_rotated && !castlings.is_empty() {
            let message = "castling is left out: some pieces know left from right";
            self.remarks.push(Diagnostic::new(Code::LeftOut, name.span, message));
        }
        let castlings = match self.is_rotated {
            true => castling::Castlings::default(),
            false => castlings,
        };
        let hands = drops::hands(self, field(0));
        let mut text = format!("@name {}\n", name.value);
        self.rules(&mut text);
        text.push_str(hands.as_ref().map_or("", Hands::line));
        let rights = castlings.rights();
        let side = if field(1) == "b" { "b" } else { "w" };
        // Writing to a string cannot fail.
        let board = field(0).split('[').next().unwrap_or_default();
        let pocket = hands.as_ref().map_or(String::new(), Hands::pocket);
        let _ = writeln!(text, "@fen {board}{pocket} {side} {rights} - 0 1\n");
        let idle = match &hands {
            Some(hands) if hands.keeps_form => Vec::new(),
            _ => self.forms_beside(field(0)),
        };
        self.write_pieces(&mut text, &castlings, &hands.map(|hands| (hands, idle)));
        text
    }

    /// The start position has to be as large as the board.
    fn check_size(&mut self, placement: &str) {
        let rows = placement.split('/').count() as i32;
        let width = |row| castling::row_cells(placement, row).len() as i32;
        if rows != self.rows || (0..rows).any(|row| width(row) != self.columns) {
            let (columns, rows) = (self.columns, self.rows);
            let span = self.keys.get("startFen").map_or(Span::default(), |value| value.span);
            let message = format!("the start position is not of {columns} by {rows} squares");
            self.wrong(span, message);
        }
    }

    fn rules(&mut self, text: &mut String) {
        let royal = self.letter_of("king").map_or("none".to_owned(), String::from);
        let stalemate = self.verdict("stalemateValue", "draw");
        let checkmate = self.verdict("checkmateValue", "loss");
        let repeated = self.verdict("nFoldValue", "draw");
        let times: u32 = self.value("nFoldRule", 3, "a number");
        let moves: u32 = self.value("nMoveRule", 50, "a number");
        // Else the verdict is about the side to move.
        let judged = if self.flag("nFoldValueAbsolute", false) { " first" } else { "" };
        let counted = |count: u32, verdict: &str| match count {
            0 => "none".to_owned(),
            _ => format!("{count} {verdict}"),
        };
        let perpetual = if self.flag("perpetualCheckIllegal", false) { "loss" } else { "draw" };
        let immobile = if self.flag("immobilityIllegal", false) { "illegal" } else { "legal" };
        let symmetry = if self.is_rotated { "rotate" } else { "mirror" };
        let _ = write!(
            text,
            "@royal {royal}\n@betza xbetza\n@symmetry {symmetry}\n@stalemate {stalemate}\n\
             @checkmate {checkmate}\n@repetition {}\n@perpetual {perpetual}\n@nmove {}\n\
             @immobile {immobile}\n",
            counted(times, &format!("{repeated}{judged}")),
            counted(moves, "draw"),
        );
        self.goals(text);
    }

    /// Goals, checks, compulsory captures and extinction.
    fn goals(&mut self, text: &mut String) {
        let places = self.region_of_white_or("flagRegion", &[]);
        let last = if self.flag("flagMove", false) { " last" } else { "" };
        match self.kinds("flagPiece") {
            Some(names) if !places.is_empty() => {
                let zone = zone(&places, "");
                let _ = writeln!(text, "@goal {names} {zone}{last}");
            }
            _ => {}
        }
        if self.flag("checkCounting", false) {
            text.push_str("@checks 3\n");
        }
        if !self.flag("checking", true) {
            text.push_str("@checks forbidden\n");
        }
        if self.flag("mustCapture", false) {
            text.push_str("@captures compulsory\n");
        }
        let all = self.keys.get("extinctionPieceTypes").is_some_and(|types| types.value == "*");
        let value = self.keys.get("extinctionValue").is_some_and(|value| value.value != "none");
        if let Some(names) = self.kinds("extinctionPieceTypes").filter(|_| value) {
            let verdict = self.verdict("extinctionValue", "loss");
            let names = if all { "" } else { &*names };
            let _ = writeln!(text, "@extinction {verdict} {names}");
        }
    }

    /// The names of a set of pieces, all for `*`; nothing if it is empty.
    fn kinds(&mut self, key: &str) -> Option<String> {
        let keys = self.keys;
        let letters = match keys.get(key)?.value.as_str() {
            "*" => self.pieces.iter().map(|piece| piece.letter).collect(),
            _ => self.set(key)?,
        };
        let names: Vec<String> = letters.iter().map(char::to_string).collect();
        (!names.is_empty()).then(|| names.join(" "))
    }

    /// Pieces that are only what others become: they are never in hand.
    fn forms_beside(&self, placement: &str) -> Vec<char> {
        let placement = placement.to_lowercase();
        let forms = self.promoted().into_iter().map(|(_, form)| form);
        forms.filter(|&form| !placement.contains(form)).collect()
    }

    /// `hands` comes with the pieces that are never there.
    fn write_pieces(
        &mut self,
        text: &mut String,
        castlings: &castling::Castlings,
        hands: &Option<(Hands, Vec<char>)>,
    ) {
        let pawns = self.pawn_promotion();
        let others = self.piece_promotions(pawns.as_ref());
        let double = self.double_step();
        let stuck = if pawns.is_none() { self.stuck_pawns() } else { Vec::new() };
        let zone = if stuck.is_empty() { String::new() } else { self.before_promotion() };
        for i in 0..self.pieces.len() {
            let Piece { letter, betza, key } = &self.pieces[i];
            let _ = write!(text, "{letter} {betza}");
            if let Some(formed) = others.iter().find(|formed| formed.letter == *letter) {
                let _ = write!(text, " {}", formed.promotion);
            } else if stuck.contains(letter) {
                let _ = write!(text, " {zone}");
            } else if let Some(pawns) = pawns.as_ref().filter(|pawns| pawns.has(*letter)) {
                let _ = write!(text, " {}", pawns.promotion(pawns.forced, None));
            }
            // Where pieces castle, only those that name the flag have it.
            if castlings.moves(*letter) || !castlings.is_empty() && betza.contains('i') {
                text.push_str(" +unmoved");
            }
            if let Some((hands, idle)) = hands
                && key != "king"
                && !idle.contains(letter)
            {
                let made = pawns.as_ref().filter(|pawns| pawns.made.contains(letter));
                let pawn = made.and_then(|pawns| pawns.letters.first());
                text.push_str(&pawn.map_or(String::new(), |&pawn| hands.reverted(pawn)));
                text.push_str(&hands.drop(&self.pieces[i], self.rows));
            }
            text.push('\n');
            if castlings.king() == Some(*letter) {
                text.push_str(castlings.text());
            }
            if key == "pawn" {
                text.push_str(&double);
            }
        }
        for &Formed { letter, form, .. } in &others {
            let of_form = |(hands, _): &(Hands, _)| hands.of_form(letter, form);
            let hand = hands.as_ref().map_or(String::new(), of_form);
            let _ = writeln!(text, "\n+{letter} {}{hand}", self.moves_of(form));
        }
    }

    /// Which pieces are pawns that promote, and how.
    fn pawn_promotion(&mut self) -> Option<Pawns> {
        let pawns = self.set("promotionPawnTypes").or_else(|| self.set("pawnTypes"));
        let pawns = pawns.unwrap_or_else(|| self.letter_of("pawn").into_iter().collect());
        let pieces = self.set("promotionPieceTypes").unwrap_or_default();
        let places = self.region_of_white("promotionRegion", self.rows - 1);
        let forced = self.flag("mandatoryPawnPromotion", true);
        let formed = self.promoted();
        let has_form = |pawn: &char| formed.iter().any(|(from, _)| from == pawn);
        let pawns = pawns.into_iter().filter(|pawn| !pieces.is_empty() || has_form(pawn));
        let letters: Vec<char> = pawns.collect();
        if letters.is_empty() || places.is_empty() {
            return None;
        }
        self.warn_of_default("promotionRegionWhite", "*8", LAST_ROW);
        Some(Pawns { letters, made: pieces, zone: zone(&places, "t"), forced })
    }

    /// The pawns that have to promote and have nothing to become: they never get to where they would.
    fn stuck_pawns(&mut self) -> Vec<char> {
        let forced = self.flag("mandatoryPawnPromotion", true);
        let pieces = self.set("promotionPieceTypes").unwrap_or_default();
        let pawns = self.set("promotionPawnTypes").or_else(|| self.set("pawnTypes"));
        let pawns = pawns.unwrap_or_else(|| self.letter_of("pawn").into_iter().collect());
        if forced && pieces.is_empty() { pawns } else { Vec::new() }
    }

    /// The zone of all squares on which pawns do not promote.
    fn before_promotion(&mut self) -> String {
        let places = self.region_of_white("promotionRegion", self.rows - 1);
        let of_row = |row: i32| -> Vec<Place> {
            let taken = || places.iter().filter(|at| at.row == row);
            let takes = |column| taken().any(|at| at.column.is_none_or(|own| own == column));
            match taken().next() {
                None => vec![Place { row, column: None }],
                Some(_) => (0..self.columns)
                    .filter(|&column| !takes(column))
                    .map(|column| Place { row, column: Some(column) })
                    .collect(),
            }
        };
        let free: Vec<Place> = (0..self.rows).flat_map(of_row).collect();
        format!("only {}", zone(&free, "t"))
    }

    /// The pairs of `promotedPieceType`.
    fn promoted(&self) -> Vec<(char, char)> {
        let value = self.keys.get("promotedPieceType").map_or("", |value| value.value.as_str());
        let pair = |word: &str| {
            let (from, to) = word.split_once(':')?;
            let letter = |text: &str| text.chars().next().map(|c| c.to_ascii_lowercase());
            Some((letter(from)?, letter(to).filter(|to| *to != '-')?))
        };
        value.split_whitespace().filter_map(pair).collect()
    }

    /// How pieces with promoted forms promote. Pawns may become other pieces instead.
    fn piece_promotions(&mut self, pawns: Option<&Pawns>) -> Vec<Formed> {
        let pairs = self.promoted();
        if pairs.is_empty() {
            return Vec::new();
        }
        self.warn_of_default("promotionRegionWhite", "*8", LAST_ROW);
        let forced = self.flag("mandatoryPiecePromotion", false);
        let places = self.region_of_white("promotionRegion", self.rows - 1);
        // Nothing promotes nowhere.
        if places.is_empty() {
            return Vec::new();
        }
        let word = if forced { "promotion" } else { "opromotion" };
        let (from, to) = (zone(&places, ""), zone(&places, "t"));
        let mut promotions = Vec::new();
        for (letter, form) in pairs {
            let known = |letter| self.pieces.iter().any(|piece| piece.letter == letter);
            if known(letter) && known(form) {
                let promotion = match pawns.filter(|pawns| pawns.has(letter)) {
                    Some(pawns) => self.formed_pawn(pawns, (letter, form), forced),
                    None => format!("{word} {from}|{to} -> +{letter}"),
                };
                promotions.push(Formed { letter, form, promotion });
            } else if let Some(value) = self.keys.get("promotedPieceType") {
                self.wrong(value.span, format!("'{letter}:{form}' names no pieces of this game"));
            }
        }
        promotions
    }

    /// How a pawn with a promoted form promotes. The pawn of chess has to only where pawns have to.
    fn formed_pawn(&mut self, pawns: &Pawns, (letter, form): (char, char), forced: bool) -> String {
        let is_chess = self.letter_of("pawn") == Some(letter);
        if let Some(value) = self.keys.get("promotedPieceType").filter(|_| !is_chess) {
            let message =
                format!("'{letter}:{form}' is left out for moves out of the promotion region");
            self.remarks.push(Diagnostic::new(Code::LeftOut, value.span, message));
        }
        pawns.promotion(pawns.forced || forced && !is_chess, Some(letter))
    }

    /// The moves of the piece with a letter.
    fn moves_of(&self, letter: char) -> &str {
        let piece = self.pieces.iter().find(|piece| piece.letter == letter);
        piece.map_or("", |piece| piece.betza.as_str())
    }

    /// The double step of pawns and captures in passing.
    fn double_step(&mut self) -> String {
        let places = self.region_of_white("doubleStepRegion", 1);
        if !self.flag("doubleStep", true) || places.is_empty() || self.letter_of("pawn").is_none() {
            return String::new();
        }
        self.warn_of_default("doubleStepRegionBlack", "*7", self.why_not_black());
        let passing = |column: i32| {
            format!(
                "  {{-square (1 {column}) -conditions (0 {column}) opponent (0 {column}) *en_passant \
                 (1 {column}) empty -effects . -> (0 {column})}}\n"
            )
        };
        format!(
            "  {{-square (2 0) -conditions (1 0) empty (2 0) empty {} -effects (2 0) +en_passant}}\n\
             {}{}  en_passant_\n",
            zone(&places, ""),
            passing(1),
            passing(-1)
        )
    }
}

/// Pieces that become others on the last row.
struct Pawns {
    letters: Vec<char>,
    /// What they become.
    made: Vec<char>,
    /// Where, in the notation.
    zone: String,
    forced: bool,
}

impl Pawns {
    fn has(&self, letter: char) -> bool {
        self.letters.contains(&letter)
    }

    /// How one of them promotes, in the notation; to its promoted form too if it has one.
    fn promotion(&self, forced: bool, form: Option<char>) -> String {
        let word = if forced { "promotion" } else { "opromotion" };
        let form = form.map(|letter| format!("+{letter}"));
        let names = form.into_iter().chain(self.made.iter().map(char::to_string));
        format!("{word} {} -> {}", self.zone, names.collect::<Vec<_>>().join("|"))
    }
}

/// A piece with a promoted form.
struct Formed {
    letter: char,
    /// The piece whose moves the form has.
    form: char,
    /// How it promotes, in the notation.
    promotion: String,
}
