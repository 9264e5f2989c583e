//! Which keys Fairy-Stockfish has, and what a game and its parents say about them.

use super::ini::{Entry, Section};
use super::pieces;
use crate::ast::Word;
use crate::diagnostic::{Code, Diagnostic};

/// Keys that are imported, besides those of pieces.
const IMPORTED: &[&str] = &[
    "capturesToHand",
    "castling",
    "castlingKingPiece",
    "castlingKingsideFile",
    "castlingQueensideFile",
    "castlingRank",
    "castlingRookPieces",
    "checkmateValue",
    "doubleStep",
    "doubleStepRegionBlack",
    "doubleStepRegionWhite",
    "dropLoop",
    "dropNoDoubled",
    "dropNoDoubledCount",
    "dropRegionBlack",
    "dropRegionWhite",
    "firstRankPawnDrops",
    "immobilityIllegal",
    "mandatoryPawnPromotion",
    "mandatoryPiecePromotion",
    "maxFile",
    "maxRank",
    "nFoldRule",
    "nFoldValue",
    "nMoveRule",
    "pawnTypes",
    "perpetualCheckIllegal",
    "pieceDrops",
    "promotedPieceType",
    "promotionPawnTypes",
    "promotionPieceTypes",
    "promotionRegionBlack",
    "promotionRegionWhite",
    "promotionZonePawnDrops",
    "shogiPawnDropMateIllegal",
    "stalemateValue",
    "startFen",
];

/// Keys that say nothing about rules.
const APPEARANCE: &[&str] =
    &["pieceToCharTable", "pieceValueEg", "pieceValueMg", "pocketSize", "variantTemplate"];

/// Keys of rules that are left out. A value such as `false` or `none` switches them off.
const LEFT_OUT: &[&str] = &[
    "adjudicateFullBoard",
    "bikjangRule",
    "blastImmuneTypes",
    "blastOnCapture",
    "cambodianMoves",
    "castlingDroppedPiece",
    "castlingKingFile",
    "castlingKingPieceBlack",
    "castlingKingPieceWhite",
    "castlingRookKingsideFile",
    "castlingRookPiecesBlack",
    "castlingRookPiecesWhite",
    "castlingRookQueensideFile",
    "castlingWins",
    "chasingRule",
    "checkCounting",
    "chess960",
    "collinearN",
    "connectN",
    "connectNxN",
    "connectPieceTypes",
    "connectRegion1Black",
    "connectRegion1White",
    "connectRegion2Black",
    "connectRegion2White",
    "connectValue",
    "countingRule",
    "diagonalLines",
    "dropOppositeColoredBishop",
    "dropPromoted",
    "dupleCheck",
    "enPassantRegion",
    "enPassantRegionBlack",
    "enPassantRegionWhite",
    "enPassantTypes",
    "enPassantTypesBlack",
    "enPassantTypesWhite",
    "enclosingDrop",
    "enclosingDropStart",
    "extinctionClaim",
    "extinctionOpponentPieceCount",
    "extinctionPieceCount",
    "extinctionPieceTypes",
    "extinctionPseudoRoyal",
    "extinctionValue",
    "flagMove",
    "flagPiece",
    "flagPieceBlack",
    "flagPieceBlockedWin",
    "flagPieceCount",
    "flagPieceSafe",
    "flagPieceWhite",
    "flagRegion",
    "flagRegionBlack",
    "flagRegionWhite",
    "flipEnclosedPieces",
    "flyingGeneral",
    "gating",
    "makpongRule",
    "materialCounting",
    "moveRepetitionIllegal",
    "mustCapture",
    "mustDrop",
    "mustDropType",
    "mutuallyImmuneTypes",
    "nFoldValueAbsolute",
    "nMoveRuleTypes",
    "nMoveRuleTypesBlack",
    "nMoveRuleTypesWhite",
    "oppositeCastling",
    "pass",
    "passBlack",
    "passOnStalemate",
    "passOnStalemateBlack",
    "passOnStalemateWhite",
    "passWhite",
    "petrifyBlastPieces",
    "petrifyOnCaptureTypes",
    "pieceDemotion",
    "piecePromotionOnCapture",
    "promotionLimit",
    "promotionPawnTypesBlack",
    "promotionPawnTypesWhite",
    "promotionPieceTypesBlack",
    "promotionPieceTypesWhite",
    "seirawanGating",
    "shatarMateRule",
    "sittuyinPromotion",
    "sittuyinRookDrop",
    "soldierPromotionRank",
    "stalematePieceCount",
    "tripleStepRegionBlack",
    "tripleStepRegionWhite",
    "twoBoards",
    "wallOrMove",
    "wallingRegion",
    "wallingRegionBlack",
    "wallingRegionWhite",
    "wallingRule",
];

/// Pieces that are left out.
const PIECES_LEFT_OUT: &[&str] = &["janggiCannon", "janggiElephant"];

/// Keys that are left out because others have replaced them.
const OUTDATED: &[(&str, &str)] = &[
    ("blackDropRegion", "dropRegionBlack"),
    ("blackFlag", "flagRegionBlack"),
    ("castlingRookPiece", "castlingRookPieces"),
    ("doubleStepRank", "doubleStepRegionWhite"),
    ("doubleStepRankMin", "doubleStepRegionWhite"),
    ("dropOnTop", "enclosingDrop"),
    ("promotionRank", "promotionRegionWhite"),
    ("whiteDropRegion", "dropRegionWhite"),
    ("whiteFlag", "flagRegionWhite"),
];

/// Keys of rules that are left out and that `true` switches off.
const LEFT_OUT_IF_FALSE: &[&str] =
    &["checking", "connectDiagonal", "connectHorizontal", "connectVertical", "dropChecks"];

/// Keys whose values are letters of pieces, or pairs of them. They mean the pieces, under whatever
/// letters.
const SETS: &[&str] = &[
    "castlingKingPiece",
    "castlingRookPieces",
    "dropNoDoubled",
    "pawnTypes",
    "promotionPawnTypes",
    "promotedPieceType",
    "promotionPieceTypes",
];

const CHESS: &[(&str, &str)] = &[
    ("pawn", "p"),
    ("knight", "n"),
    ("bishop", "b"),
    ("rook", "r"),
    ("queen", "q"),
    ("king", "k"),
    ("promotionPieceTypes", "qrbn"),
];

const CAPABLANCA: &[(&str, &str)] = &[
    ("archbishop", "a"),
    ("chancellor", "c"),
    ("maxFile", "10"),
    ("startFen", "rnabqkbcnr/pppppppppp/10/10/10/10/PPPPPPPPPP/RNABQKBCNR w KQkq - 0 1"),
    ("promotionPieceTypes", "acqrbn"),
    ("castlingKingsideFile", "i"),
    ("castlingQueensideFile", "c"),
];

const SHOGI: &[(&str, &str)] = &[
    ("shogiPawn", "p"),
    ("lance", "l"),
    ("shogiKnight", "n"),
    ("silver", "s"),
    ("gold", "g"),
    ("bishop", "b"),
    ("rook", "r"),
    ("dragonHorse", "h"),
    ("bers", "d"),
    ("king", "k"),
    ("maxFile", "9"),
    ("maxRank", "9"),
    ("startFen", "lnsgkgsnl/1r5b1/ppppppppp/9/9/9/PPPPPPPPP/1B5R1/LNSGKGSNL w - - 0 1"),
    ("promotionRegionWhite", "*7 *8 *9"),
    ("promotionRegionBlack", "*1 *2 *3"),
    ("promotedPieceType", "p:g l:g n:g s:g b:h r:d"),
    ("doubleStep", "false"),
    ("castling", "false"),
    ("immobilityIllegal", "true"),
    ("stalemateValue", "loss"),
    ("nFoldRule", "4"),
    ("nMoveRule", "0"),
    ("pieceDrops", "true"),
    ("capturesToHand", "true"),
    ("dropNoDoubled", "p"),
    ("shogiPawnDropMateIllegal", "true"),
    ("perpetualCheckIllegal", "true"),
];

/// Games of Fairy-Stockfish that a file may build upon.
const PARENTS: [&str; 3] = ["chess", "capablanca", "shogi"];

/// Keys with their values and places; a key is there once.
#[derive(Clone, Default, Debug)]
pub(super) struct Keys {
    all: Vec<Entry>,
}

impl Keys {
    /// The keys of a section and its parents.
    pub(super) fn of(
        sections: &[Section],
        index: usize,
        remarks: &mut Vec<Diagnostic>,
    ) -> Option<Self> {
        let mut line = vec![index];
        let mut keys = Self::default();
        let mut first = index;
        while let Some(parent) = &sections[first].parent {
            // Only what stands before can be a parent, so that there is an end.
            match sections[..first].iter().rposition(|other| other.name == *parent) {
                Some(other) => first = other,
                None => {
                    keys = Self::known(parent, remarks)?;
                    break;
                }
            }
            line.push(first);
        }
        for &section in line.iter().rev() {
            keys.apply(&sections[section].entries);
        }
        Some(keys)
    }

    /// The keys of a game of Fairy-Stockfish.
    fn known(parent: &Word, remarks: &mut Vec<Diagnostic>) -> Option<Self> {
        let tables: &[&[(&str, &str)]] = match parent.value.as_str() {
            "chess" => &[CHESS],
            "capablanca" => &[CHESS, CAPABLANCA],
            "shogi" => &[SHOGI],
            other => {
                let message = format!("there is no game '{other}' before this one");
                let help = format!("games that need not be in the file: {}", PARENTS.join(", "));
                remarks.push(
                    Diagnostic::new(Code::UnknownParent, parent.span, message)
                        .help(help)
                        .suggest(other, PARENTS),
                );
                return None;
            }
        };
        let mut keys = Self::default();
        let word = |text: &str| Word::new(text.to_owned(), parent.span);
        for table in tables {
            let entries =
                table.iter().map(|&(key, value)| Entry { key: word(key), value: word(value) });
            keys.apply(&entries.collect::<Vec<_>>());
        }
        Some(keys)
    }

    /// Adds what a section says. Pieces come first, in the order of Fairy-Stockfish.
    fn apply(&mut self, entries: &[Entry]) {
        let order = |entry: &&Entry| pieces::order(&entry.key.value);
        let mut defined: Vec<&Entry> = entries.iter().filter(|e| order(e).is_some()).collect();
        defined.reverse();
        defined.sort_by_key(order);
        defined.dedup_by_key(|entry| &entry.key.value);
        defined.into_iter().for_each(|entry| self.define(entry));
        let others = entries.iter().filter(|entry| order(entry).is_none());
        others.for_each(|entry| self.set(entry.clone()));
    }

    /// Adds a piece, which takes its letter from another, or removes one.
    ///
    /// Source: `Variant::add_piece` and `remove_piece` of Fairy-Stockfish.
    fn define(&mut self, entry: &Entry) {
        let key = entry.key.value.as_str();
        let new = letter(&entry.value);
        let holder = self.pieces().find(|other| new.is_some() && letter(&other.value) == new);
        match holder.map(|holder| holder.key.value.clone()) {
            // Even if it is said again, nothing promotes to it.
            Some(holder) if holder == key => self.rename(&["promotionPieceTypes"], key, None),
            Some(holder) => self.remove(&holder),
            None => {}
        }
        match new {
            Some(_) => self.rename(SETS, key, new),
            None => self.remove(key),
        }
        self.set(entry.clone());
    }

    fn remove(&mut self, key: &str) {
        self.rename(SETS, key, None);
        self.all.retain(|entry| entry.key.value != key);
    }

    /// Changes the letter of a piece in sets, or takes it out.
    fn rename(&mut self, sets: &[&str], key: &str, new: Option<char>) {
        let Some(old) = self.get(key).and_then(letter) else { return };
        for Entry { key, value } in &mut self.all {
            if sets.contains(&key.value.as_str()) {
                let rename = |c: char| if c.eq_ignore_ascii_case(&old) { new } else { Some(c) };
                value.value = value.value.chars().filter_map(rename).collect();
            }
        }
    }

    fn set(&mut self, entry: Entry) {
        match self.all.iter_mut().find(|other| other.key == entry.key) {
            Some(other) => *other = entry,
            None => self.all.push(entry),
        }
    }

    /// What a key says.
    pub(super) fn get(&self, key: &str) -> Option<&Word> {
        self.all.iter().find(|entry| entry.key.value == key).map(|entry| &entry.value)
    }

    /// The keys that define pieces.
    pub(super) fn pieces(&self) -> impl Iterator<Item = &Entry> {
        self.all
            .iter()
            .filter(|entry| pieces::moves(&entry.key.value).is_some() && entry.value.value != "-")
    }

    /// Warns of the keys that are not imported.
    pub(super) fn warn(&self, remarks: &mut Vec<Diagnostic>) {
        for Entry { key, value } in &self.all {
            let name = key.value.as_str();
            let (key_text, text) = (&key.value, &value.value);
            if IMPORTED.contains(&name) || pieces::moves(name).is_some() {
                continue;
            }
            let is_piece = PIECES_LEFT_OUT.contains(&name);
            let now = OUTDATED.iter().find(|(old, _)| *old == name).map(|(_, now)| now);
            let is_off = match () {
                () if LEFT_OUT.contains(&name) || is_piece || now.is_some() => {
                    matches!(text.as_str(), "false" | "-" | "none" | "0" | "")
                }
                () if LEFT_OUT_IF_FALSE.contains(&name) => text == "true",
                () => false,
            };
            if is_off {
                continue;
            }
            let left_out = |why: &str| {
                let message = format!("'{key_text} = {text}' is left out: {why}");
                Diagnostic::new(Code::LeftOut, key.span, message)
            };
            let known = LEFT_OUT.contains(&name)
                || LEFT_OUT_IF_FALSE.contains(&name)
                || name.starts_with("mobilityRegion");
            remarks.push(if known {
                left_out("there is no such rule here")
            } else if is_piece {
                left_out("there is no such piece here")
            } else if let Some(now) = now {
                left_out(&format!("it is called '{now}' now"))
            } else if APPEARANCE.contains(&name) {
                left_out("it says nothing about the rules")
            } else {
                let names = IMPORTED.iter().chain(LEFT_OUT).chain(LEFT_OUT_IF_FALSE);
                let names = names.chain(APPEARANCE).copied();
                let names = names.chain(pieces::PIECES.iter().map(|&(name, _)| name));
                left_out("Fairy-Stockfish has no such key").suggest(name, names)
            });
        }
    }
}

/// The letter of a piece.
fn letter(value: &Word) -> Option<char> {
    let first = value.value.chars().next()?;
    first.is_ascii_alphabetic().then(|| first.to_ascii_lowercase())
}
