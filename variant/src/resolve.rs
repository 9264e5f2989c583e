//! From the syntax tree to a definition in which every name is known.

use std::collections::BTreeSet;

use crate::ast::{
    Captures, Cell, Checks, Dialect, Directive, Explosion, File, Holding, Immobile, Judged, Life,
    Part, PieceText, Spanned, Start, Symmetry, VariantText, Verdict, Word, Zone,
};
use crate::betza::{EN_PASSANT, Size, write_xbetza};
use crate::board::{Code as PieceCode, Color, Square, SquareSet};
use crate::check;
use crate::definition::{
    Definition, FlagDefinition, Goal, Kinds, MAX_FLAGS, MAX_HELD, MAX_PIECES, PROMOTED,
    PieceDefinition, Rules, UNMOVED,
};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::expand::{self, Marks};
use crate::fen_text::{self, Token};
use crate::instance::{is_inside, turned};
use crate::parse::{SIZES, fits};

/// Variants that files may extend.
#[derive(Clone, Copy)]
pub(crate) struct Library<'a> {
    pub(crate) names: &'a [&'a str],
    /// The variant that a word of the file names. All its places are that of the word.
    pub(crate) find: &'a dyn Fn(&Word) -> Option<VariantText>,
}

/// Resolves one variant of a file. The library has variants that are not in the file.
pub(crate) fn resolve(
    file: &File,
    index: usize,
    library: Library<'_>,
    remarks: &mut Vec<Diagnostic>,
) -> Option<Definition> {
    let errors = remarks.iter().filter(|remark| remark.is_error()).count();
    let variant = inherit(file, index, library, remarks)?;
    let definition = Resolver { variant: &variant, remarks }.definition();
    let failed = remarks.iter().filter(|remark| remark.is_error()).count() > errors;
    definition.filter(|_| !failed)
}

/// The variant with what it takes over from its parents.
pub(crate) fn inherit(
    file: &File,
    index: usize,
    library: Library<'_>,
    remarks: &mut Vec<Diagnostic>,
) -> Option<VariantText> {
    let mut variant = file.variants.get(index)?.clone();
    // A parent in the file stands before its child; a parent in the library has none in the file.
    let mut before = &file.variants[..index];
    while let Some(position) = variant
        .directives
        .iter()
        .position(|directive| matches!(directive.value, Directive::Extends(_)))
    {
        let Directive::Extends(parent) = variant.directives.remove(position).value else {
            return None;
        };
        let here = before.iter().position(|candidate| candidate.name.as_ref() == Some(&parent));
        let found = here.map(|place| before[place].clone());
        let Some(found) = found.or_else(|| (library.find)(&parent)) else {
            let message = format!("there is no game '{}' to extend", parent.value);
            let names = before.iter().filter_map(|v| v.name.as_ref());
            let names = names.map(|name| name.value.as_str()).chain(library.names.iter().copied());
            remarks.push(
                Diagnostic::new(Code::UnknownParent, parent.span, message)
                    .help("name a variant further up in this file, or a built-in game")
                    .suggest(&parent.value, names),
            );
            return None;
        };
        before = &before[..here.unwrap_or(0)];
        variant = merge(found, variant);
    }
    Some(variant)
}

/// The child's lines after the parent's; its pieces instead of those of the same name, its start
/// position instead of the parent's. The child's dialect is that of its own pieces alone.
fn merge(parent: VariantText, mut child: VariantText) -> VariantText {
    fix_dialect(&mut child);
    let mut merged = parent;
    let is_fen = |line: &Spanned<Directive>| matches!(line.value, Directive::Fen(_));
    if child.diagram.is_some() || child.directives.iter().any(is_fen) {
        merged.directives.retain(|line| !is_fen(line));
        merged.diagram = child.diagram;
    }
    merged.name = child.name;
    merged.directives.extend(child.directives);
    for piece in child.pieces {
        match merged.pieces.iter_mut().find(|old| old.name == piece.name) {
            Some(old) => *old = piece,
            None => merged.pieces.push(piece),
        }
    }
    merged
}

/// Writes the dialect of a variant, if it names one, into its pieces instead.
fn fix_dialect(variant: &mut VariantText) {
    let Some(named) = dialect(variant) else { return };
    variant.directives.retain(|line| !matches!(line.value, Directive::Betza(_)));
    for part in variant.pieces.iter_mut().flat_map(|piece| &mut piece.parts) {
        if let Part::Betza { dialect, .. } = part {
            dialect.get_or_insert(named);
        }
    }
}

/// The last dialect that a variant names.
fn dialect(variant: &VariantText) -> Option<Dialect> {
    variant.directives.iter().rev().find_map(|line| match line.value {
        Directive::Betza(dialect) => Some(dialect),
        _ => None,
    })
}

struct Resolver<'a> {
    variant: &'a VariantText,
    remarks: &'a mut Vec<Diagnostic>,
}

impl Resolver<'_> {
    fn report(&mut self, code: Code, span: Span, message: impl Into<String>) {
        self.remarks.push(Diagnostic::new(code, span, message));
    }

    fn definition(&mut self) -> Option<Definition> {
        let fen = self.last(|line| match line {
            Directive::Fen(fen) => Some(fen.clone()),
            _ => None,
        });
        let size = self.size(fen.as_ref())?;
        let dialect = dialect(self.variant).unwrap_or_default();
        let rules = self.rules();
        self.names();
        let marks = match self.names_flag(PROMOTED) {
            true => Marks::Promoted,
            false => Marks::Nothing,
        };
        let mut pieces = Vec::new();
        for piece in &self.variant.pieces {
            match expand::moves(piece, dialect, size, marks) {
                Ok(moves) => pieces.push(PieceDefinition {
                    name: piece.name.clone(),
                    moves,
                    xbetza: write_xbetza(piece, dialect, rules.symmetry),
                    royal: false,
                    start_flags: 0,
                    carries_unmoved: false,
                    in_hand: Vec::new(),
                }),
                Err(remark) => self.remarks.push(check::flag_like_betza(remark, self.variant)),
            }
        }
        let flags = self.flags(&pieces);
        let title = self
            .last(|line| if let Directive::Name(name) = line { Some(name.clone()) } else { None })
            .map(|name| name.value)
            .or_else(|| self.variant.name.as_ref().map(|name| name.value.clone()))
            .unwrap_or_default();
        let mut definition = Definition {
            title,
            size,
            rules,
            pieces,
            flags,
            start: vec![PieceCode::EMPTY; (size.rows * size.columns) as usize],
            points: (Vec::new(), 0),
            fen,
        };
        if definition.pieces.len() == self.variant.pieces.len() {
            self.rules_of_pieces(&mut definition);
            self.start_flags(&mut definition);
            self.start(&mut definition);
            self.royals(&mut definition);
            self.hands(&mut definition);
            check::check(self.variant, &definition, self.remarks);
        }
        Some(definition)
    }

    /// The last line that says something, with its place.
    fn last<T>(&self, says: impl Fn(&Directive) -> Option<T>) -> Option<Spanned<T>> {
        self.variant
            .directives
            .iter()
            .rev()
            .find_map(|line| says(&line.value).map(|value| Spanned::new(value, line.span)))
    }

    fn size(&mut self, fen: Option<&Spanned<String>>) -> Option<Size> {
        if let Some(diagram) = &self.variant.diagram {
            let columns = diagram.rows.first().map_or(0, |row| row.value.len());
            return Some(Size { rows: diagram.rows.len() as i32, columns: columns as i32 });
        }
        let Some(fen) = fen else {
            let message = "there is no start position";
            let help = "end the file with 'board:' and the rows of the board, Black's side first";
            let remark = Diagnostic::new(Code::NoDiagram, Span::default(), message).help(help);
            self.remarks.push(remark);
            return None;
        };
        let placement = fen.value.split([' ', '[']).next().unwrap_or_default();
        let rows: Vec<usize> = placement.split('/').map(fen_text::width).collect();
        let widest = rows.iter().copied().max().unwrap_or(0);
        if !fits(rows.len(), widest) || widest == 0 {
            self.report(Code::BoardSize, fen.span, SIZES);
            return None;
        }
        Some(Size { rows: rows.len() as i32, columns: widest as i32 })
    }

    /// Names must differ, one-letter names in more than case.
    fn names(&mut self) {
        let mut seen: BTreeSet<String> = BTreeSet::new();
        let mut twice = Vec::new();
        for PieceText { name, .. } in &self.variant.pieces {
            if !seen.insert(name.value.to_lowercase()) {
                twice.push(name.clone());
            }
        }
        for name in twice {
            let message = format!("the piece '{}' is defined twice", name.value);
            let help = "names have to differ in more than capitals, which tell the owner";
            let remark = Diagnostic::new(Code::DuplicateName, name.span, message).help(help);
            self.remarks.push(remark);
        }
        if let Some(piece) = self.variant.pieces.get(MAX_PIECES) {
            let message = format!("a game has at most {MAX_PIECES} pieces");
            self.report(Code::TooMany, piece.name.span, message);
        }
    }

    fn rules(&self) -> Rules {
        let mut rules = Rules {
            symmetry: Symmetry::Mirror,
            stalemate: Verdict::Draw,
            checkmate: Verdict::Loss,
            repetition: (3, Verdict::Draw, Judged::Mover),
            perpetual: Verdict::Draw,
            move_limit: (50, Verdict::Draw),
            immobile: Immobile::Legal,
            checks: Checks::Allowed,
            captures: Captures::Optional,
            goal: None,
            extinction: None,
            explosion: None,
            facing: None,
            passes: (0, Verdict::Draw),
            gating: Kinds::default(),
            holding: Holding::Nothing,
        };
        for line in &self.variant.directives {
            match &line.value {
                Directive::Symmetry(symmetry) => rules.symmetry = *symmetry,
                Directive::Stalemate(verdict) => rules.stalemate = *verdict,
                Directive::Checkmate(verdict) => rules.checkmate = *verdict,
                Directive::Repetition(count, verdict, judged) => {
                    rules.repetition = (*count, *verdict, *judged);
                }
                Directive::Perpetual(verdict) => rules.perpetual = *verdict,
                Directive::MoveLimit(moves, verdict) => rules.move_limit = (*moves, *verdict),
                Directive::Immobile(immobile) => rules.immobile = *immobile,
                Directive::Checks(checks) => rules.checks = *checks,
                Directive::Captures(captures) => rules.captures = *captures,
                Directive::Facing(verdict) => rules.facing = *verdict,
                Directive::Passes(count, verdict) => rules.passes = (*count, *verdict),
                Directive::Hand(holding) => rules.holding = *holding,
                _ => {}
            }
        }
        rules
    }

    /// All flags: `unmoved`, those that pieces declare, and that of XBetza's en passant.
    fn flags(&mut self, pieces: &[PieceDefinition]) -> Vec<FlagDefinition> {
        let mut flags = vec![FlagDefinition { name: UNMOVED.to_owned(), life: Life::Lasting }];
        for part in self.variant.pieces.iter().flat_map(|piece| &piece.parts) {
            let Part::Flag { name, life, .. } = part else { continue };
            match flags.iter_mut().find(|flag| flag.name == name.value) {
                Some(flag) if *life == Life::Transient => flag.life = Life::Transient,
                Some(_) => {}
                None => flags.push(FlagDefinition { name: name.value.clone(), life: *life }),
            }
        }
        let own = flags.iter().any(|flag| flag.name == EN_PASSANT);
        if !own && pieces.iter().any(|piece| check::sets_flag(piece, EN_PASSANT)) {
            flags.push(FlagDefinition { name: EN_PASSANT.to_owned(), life: Life::Transient });
        }
        if flags.len() > MAX_FLAGS {
            let message = format!("a game has at most {MAX_FLAGS} flags, 'unmoved' included");
            self.report(Code::TooMany, Span::default(), message);
            flags.truncate(MAX_FLAGS);
        }
        flags
    }

    /// Whether a piece declares a flag.
    fn names_flag(&self, flag: &str) -> bool {
        let mut parts = self.variant.pieces.iter().flat_map(|piece| &piece.parts);
        parts.any(|part| matches!(part, Part::Flag { name, .. } if name.value == flag))
    }

    /// What captured pieces are in hand.
    fn hands(&mut self, definition: &mut Definition) {
        let held = definition.held();
        if let Some(&piece) = held.get(MAX_HELD) {
            let span = definition.pieces[piece].name.span;
            let message = format!("at most {MAX_HELD} kinds of pieces can be dropped");
            self.report(Code::TooMany, span, message);
        }
        for (piece, text) in self.variant.pieces.iter().enumerate() {
            let mut plain = piece;
            for part in &text.parts {
                let Part::Hand { piece: name, flag } = part else { continue };
                // What is not known is reported by the check of all names.
                let Some(becomes) = definition.piece(&name.value) else { continue };
                match flag {
                    None => plain = becomes,
                    Some(flag) => {
                        let mask = definition.flag(&flag.value).map_or(0, |flag| 1 << flag);
                        definition.pieces[piece].in_hand.push((mask, becomes));
                    }
                }
            }
            definition.pieces[piece].in_hand.push((0, plain));
        }
    }

    fn start_flags(&self, definition: &mut Definition) {
        let declares = |piece: &PieceText| {
            piece
                .parts
                .iter()
                .any(|part| matches!(part, Part::Flag { name, .. } if name.value == UNMOVED))
        };
        let declared = self.variant.pieces.iter().any(declares);
        // A piece that comes from the hand is never unmoved: where no move asks, no piece is.
        let asked = definition.rules.holding == Holding::Nothing
            || !definition.rules.gating.is_empty()
            || definition.pieces.iter().any(|piece| check::tests_flag(piece, UNMOVED));
        for (piece, text) in self.variant.pieces.iter().enumerate() {
            let mut bits = 0;
            for part in &text.parts {
                if let Part::Flag { name, start: Start::Set, .. } = part {
                    let bit = definition.flag(&name.value).filter(|&bit| bit > 0);
                    bits |= bit.map_or(0, |bit| 1 << bit);
                }
            }
            definition.pieces[piece].start_flags = bits;
            definition.pieces[piece].carries_unmoved = asked && (!declared || declares(text));
        }
    }

    fn start(&mut self, definition: &mut Definition) {
        let Some(diagram) = &self.variant.diagram else {
            self.start_of_fen(definition);
            return;
        };
        for (i, row) in diagram.rows.iter().enumerate() {
            let row_index = diagram.rows.len() - 1 - i;
            for (column, cell) in row.value.iter().enumerate() {
                let square = row_index * definition.size.columns as usize + column;
                match find(&cell.value, definition) {
                    Some(code) => definition.start[square] = code,
                    None => self.remarks.push(check::no_piece(cell, definition)),
                }
            }
        }
    }

    /// The pieces of `@fen` where there is no diagram; what is wrong there is reported later.
    fn start_of_fen(&self, definition: &mut Definition) {
        let Some(fen) = &definition.fen else { return };
        let (rows, columns) = (definition.size.rows as usize, definition.size.columns as usize);
        let placement = fen.value.split([' ', '[']).next().unwrap_or_default();
        let mut start = vec![PieceCode::EMPTY; rows * columns];
        for (i, row) in placement.split('/').enumerate() {
            let mut column = 0usize;
            for token in fen_text::tokens(row) {
                match token {
                    Token::Empty(count) => column = column.saturating_add(count),
                    Token::Piece(text) => {
                        if let Some(code) = find(&fen_text::cell(text), definition)
                            && column < columns
                        {
                            start[(rows - 1 - i) * columns + column] = code;
                        }
                        column = column.saturating_add(1);
                    }
                }
            }
        }
        definition.start = start;
    }

    /// The rules that name pieces: goals, extinction, explosions, points, gating. What is not known is
    /// reported by the check of all names.
    fn rules_of_pieces(&self, definition: &mut Definition) {
        let kinds = |definition: &Definition, names: &[Word]| -> Kinds {
            names.iter().filter_map(|name| definition.piece(&name.value)).collect()
        };
        for line in &self.variant.directives {
            match &line.value {
                Directive::Goal(goal) => {
                    definition.rules.goal = goal.as_ref().map(|text| Goal {
                        kinds: kinds(definition, &text.pieces),
                        squares: squares_of(&text.zone, definition),
                        last: text.last,
                    });
                }
                Directive::Extinction(extinction) => {
                    definition.rules.extinction = extinction
                        .as_ref()
                        .map(|(verdict, names)| (*verdict, kinds(definition, names)));
                }
                Directive::Points(text) => {
                    let mut points = vec![0; definition.pieces.len()];
                    for (name, halves) in &text.pieces {
                        if let Some(piece) = definition.piece(&name.value) {
                            points[piece] = *halves;
                        }
                    }
                    definition.points = (points, text.second);
                }
                Directive::Gating(names) => definition.rules.gating = kinds(definition, names),
                Directive::Explosion(Explosion::Nothing) => definition.rules.explosion = None,
                Directive::Explosion(Explosion::Spares(names)) => {
                    definition.rules.explosion = Some(kinds(definition, names));
                }
                _ => {}
            }
        }
    }

    fn royals(&mut self, definition: &mut Definition) {
        let named = self.last(|line| match line {
            Directive::Royal(names) => Some(names.clone()),
            _ => None,
        });
        let default = Spanned::new("k".to_owned(), Span::default());
        for name in named.map_or(vec![default], |names| names.value) {
            let Some(piece) = definition.piece(&name.value) else {
                let message = format!("there is no piece '{}' to be royal", name.value);
                let remark = Diagnostic::new(Code::NoRoyal, name.span, message)
                    .help("name the royal piece: @royal NAME, or @royal none");
                self.remarks.push(remark);
                continue;
            };
            definition.pieces[piece].royal = true;
        }
        if definition.fen.is_some() || definition.pieces.iter().all(|piece| !piece.royal) {
            return;
        }
        for color in Color::ALL {
            let has = definition
                .start
                .iter()
                .any(|code| code.color() == Some(color) && definition.pieces[code.piece()].royal);
            if !has {
                let message = format!("{color} has no royal piece on the board");
                let help = "put one into the picture, or write @royal none";
                let remark = Diagnostic::new(Code::NoRoyal, Span::default(), message).help(help);
                self.remarks.push(remark);
            }
        }
    }
}

/// The squares of a zone that only one square is the subject of, for White and for Black.
fn squares_of(zone: &Zone, definition: &Definition) -> [SquareSet; 2] {
    let size = definition.size;
    Color::ALL.map(|color| {
        let turned = turned(color, definition.rules.symmetry);
        let inside = |&square: &Square| zone.iter().any(|r| is_inside(r, square, turned, size));
        (0..(size.rows * size.columns) as Square).filter(inside).collect()
    })
}

/// The piece of a cell, if there is such a piece.
pub(crate) fn find(cell: &Cell, definition: &Definition) -> Option<PieceCode> {
    match cell {
        Cell::Empty => Some(PieceCode::EMPTY),
        Cell::White(name) => {
            definition.piece(name).map(|piece| PieceCode::new(Color::White, piece))
        }
        Cell::Black(name) => {
            definition.piece(name).map(|piece| PieceCode::new(Color::Black, piece))
        }
        Cell::Name(name) => fen_text::by_case(name, |wanted| {
            definition.pieces.iter().position(|piece| piece.name.value.to_lowercase() == wanted)
        }),
    }
}
