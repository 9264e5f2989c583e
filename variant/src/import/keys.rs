//! Which keys Fairy-Stockfish has, and what a game and its parents say about them.

use super::ini::{self, Entry, Section};
use super::pieces;
use crate::ast::Word;
use crate::diagnostic::{Code, Diagnostic};

/// Keys that are imported, besides those of pieces.
const IMPORTED: &str = "\
    capturesToHand castling castlingKingPiece checkCounting checking castlingKingsideFile castlingQueensideFile \
    castlingRank castlingRookPieces checkmateValue doubleStep doubleStepRegionBlack \
    doubleStepRegionWhite dropLoop dropNoDoubled dropNoDoubledCount dropRegionBlack \
    dropRegionWhite extinctionPieceTypes extinctionValue firstRankPawnDrops flagMove flagPiece \
    flagRegionBlack flagRegionWhite immobilityIllegal mandatoryPawnPromotion \
    mandatoryPiecePromotion maxFile maxRank mustCapture nFoldRule nFoldValue nFoldValueAbsolute \
    nMoveRule pawnTypes \
    perpetualCheckIllegal pieceDrops promotedPieceType promotionPawnTypes promotionPieceTypes \
    promotionRegionBlack promotionRegionWhite promotionZonePawnDrops shogiPawnDropMateIllegal \
    stalemateValue startFen";

/// Keys that say nothing about rules.
const APPEARANCE: &str = "pieceToCharTable pieceValueEg pieceValueMg pocketSize variantTemplate";

/// Keys of rules that are left out. A value such as `false` or `none` switches them off.
const LEFT_OUT: &str = "\
    adjudicateFullBoard bikjangRule blastImmuneTypes blastOnCapture cambodianMoves \
    castlingDroppedPiece castlingKingFile castlingKingPieceBlack castlingKingPieceWhite \
    castlingRookKingsideFile castlingRookPiecesBlack castlingRookPiecesWhite \
    castlingRookQueensideFile castlingWins chasingRule chess960 collinearN \
    connectN connectNxN connectPieceTypes connectRegion1Black connectRegion1White \
    connectRegion2Black connectRegion2White connectValue countingRule diagonalLines \
    dropOppositeColoredBishop dropPromoted dupleCheck enPassantRegion enPassantRegionBlack \
    enPassantRegionWhite enPassantTypes enPassantTypesBlack enPassantTypesWhite enclosingDrop \
    enclosingDropStart extinctionClaim extinctionOpponentPieceCount extinctionPieceCount \
    extinctionPseudoRoyal flagPieceBlack flagPieceBlockedWin flagPieceCount flagPieceSafe flagPieceWhite flagRegion \
    flipEnclosedPieces flyingGeneral gating makpongRule \
    materialCounting moveRepetitionIllegal mustDrop mustDropType \
    mutuallyImmuneTypes nMoveRuleTypes nMoveRuleTypesBlack \
    nMoveRuleTypesWhite oppositeCastling pass passBlack passOnStalemate passOnStalemateBlack \
    passOnStalemateWhite passWhite petrifyBlastPieces petrifyOnCaptureTypes pieceDemotion \
    piecePromotionOnCapture promotionLimit promotionPawnTypesBlack promotionPawnTypesWhite \
    promotionPieceTypesBlack promotionPieceTypesWhite seirawanGating shatarMateRule \
    sittuyinPromotion sittuyinRookDrop soldierPromotionRank stalematePieceCount \
    tripleStepRegionBlack tripleStepRegionWhite twoBoards wallOrMove wallingRegion \
    wallingRegionBlack wallingRegionWhite wallingRule";

/// Pieces that are left out.
const PIECES_LEFT_OUT: &str = "janggiCannon janggiElephant";

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
const LEFT_OUT_IF_FALSE: &str = "connectDiagonal connectHorizontal connectVertical dropChecks";

/// Keys whose values are letters of pieces, or pairs of them. They mean the pieces, under whatever
/// letters.
const SETS: &str = "\
    castlingKingPiece castlingRookPieces dropNoDoubled extinctionPieceTypes flagPiece pawnTypes promotionPawnTypes \
    promotedPieceType promotionPieceTypes";

/// The key whose pairs are added to those of a parent.
const PROMOTED: &str = "promotedPieceType";

/// Games of Fairy-Stockfish that a file may build upon.
const PARENTS: &str = include_str!("parents.ini");

/// Returns `true` if the list has the word.
fn has(list: &str, word: &str) -> bool {
    list.split_ascii_whitespace().any(|other| other == word)
}

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
        let sections = ini::sections(PARENTS, &mut Vec::new());
        let names = || sections.iter().map(|section| section.name.value.as_str());
        let Some(index) = names().position(|name| name == parent.value) else {
            let message = format!("there is no game '{}' before this one", parent.value);
            let all = names().collect::<Vec<_>>().join(", ");
            let remark = Diagnostic::new(Code::UnknownParent, parent.span, message)
                .help(format!("games that need not be in the file: {all}"));
            remarks.push(remark.suggest(&parent.value, names()));
            return None;
        };
        let mut keys = Self::of(&sections, index, remarks)?;
        for Entry { key, value } in &mut keys.all {
            (key.span, value.span) = (parent.span, parent.span);
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
            Some(holder) if holder == key => self.rename("promotionPieceTypes", key, None),
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
    fn rename(&mut self, sets: &str, key: &str, new: Option<char>) {
        let Some(old) = self.get(key).and_then(letter) else { return };
        for Entry { key, value } in &mut self.all {
            if has(sets, &key.value) {
                let rename = |c: char| if c.eq_ignore_ascii_case(&old) { new } else { Some(c) };
                value.value = value.value.chars().filter_map(rename).collect();
            }
        }
    }

    /// Sets a key; pairs of promoted forms come to those of the parent.
    fn set(&mut self, mut entry: Entry) {
        if let (PROMOTED, Some(old)) = (entry.key.value.as_str(), self.get(PROMOTED)) {
            let from = |pair: &str| pair.chars().next().map(|c| c.to_ascii_lowercase());
            let new = entry.value.value.clone();
            let is_kept = |pair: &&str| new.split_whitespace().all(|own| from(own) != from(pair));
            let kept: Vec<&str> = old.value.split_whitespace().filter(is_kept).collect();
            entry.value.value = format!("{} {new}", kept.join(" "));
        }
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
            if has(IMPORTED, name) || has(APPEARANCE, name) || pieces::moves(name).is_some() {
                continue;
            }
            let is_piece = has(PIECES_LEFT_OUT, name);
            let now = OUTDATED.iter().find(|(old, _)| *old == name).map(|(_, now)| now);
            let is_off = match () {
                () if has(LEFT_OUT, name) || is_piece || now.is_some() => {
                    matches!(text.as_str(), "false" | "-" | "none" | "0" | "")
                }
                () if has(LEFT_OUT_IF_FALSE, name) => text == "true",
                () => false,
            };
            if is_off {
                continue;
            }
            let left_out = |why: &str| {
                let message = format!("'{key_text} = {text}' is left out: {why}");
                Diagnostic::new(Code::LeftOut, key.span, message)
            };
            let known = has(LEFT_OUT, name)
                || has(LEFT_OUT_IF_FALSE, name)
                || name.starts_with("mobilityRegion");
            remarks.push(if known {
                left_out("there is no such rule here")
            } else if is_piece {
                left_out("there is no such piece here")
            } else if let Some(now) = now {
                left_out(&format!("it is called '{now}' now"))
            } else {
                let lists = [IMPORTED, LEFT_OUT, LEFT_OUT_IF_FALSE, APPEARANCE];
                let names = lists.into_iter().flat_map(str::split_ascii_whitespace);
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
