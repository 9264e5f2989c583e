//! From a definition to a game: every move of every piece from every square as byte code.

mod attacks;
mod canonical;
mod gating;
mod lasting;
mod numbers;
mod tables;
mod trie;
mod unmoved;

use std::collections::{BTreeMap, BTreeSet};

use crate::ast::{Holding, Immobile, Life, Source};
use crate::board::{Code as PieceCode, Color, Move, Square, SquareSet};
use crate::definition::{Definition, PROMOTED};
use crate::diagnostic::{Code, Diagnostic, Span};
use crate::game::{Game, MoveInfo};
use crate::instance::{Act, Instance, Prepared};
use crate::position::explosions;
use crate::program::{OpKind, Program, Ray};
use crate::values::{Budget, too_many};
use canonical::{Canonical, Groups, canonical, order, order_drops};
use gating::{gates, gatings};
use numbers::Numbers;
use trie::Leaf;
use unmoved::Unmoved;

/// Compiles a definition.
///
/// # Errors
/// If it has more moves, tests or effects than there is room for.
pub(crate) fn compile(
    definition: &Definition,
    remarks: &mut Vec<Diagnostic>,
) -> Result<Game, Diagnostic> {
    let mut instances = instances(definition, remarks)?;
    if definition.rules.immobile == Immobile::Illegal {
        drop_immobile(&mut instances);
    }
    Compiler::new(definition).compile(instances)
}

/// All moves of all pieces.
struct Instances {
    /// By slot of the piece, then by square.
    moves: Table<Instance>,
    /// By slot: its drops on all squares.
    drops: Vec<Vec<Instance>>,
}

impl Instances {
    /// The squares between which moves take other pieces along, and where to.
    fn shifts(&self) -> BTreeSet<(Square, Square)> {
        let moves = self.moves.iter().flatten().chain(&self.drops).flatten();
        let shifts = moves.flat_map(|instance| &instance.acts).filter_map(|act| match *act {
            Act::Shift(from, to) if from != to => Some((from, to)),
            _ => None,
        });
        shifts.collect()
    }
}

/// By slot of the piece, then by square.
type Table<T> = Vec<Vec<Vec<T>>>;

fn instances(
    definition: &Definition,
    remarks: &mut Vec<Diagnostic>,
) -> Result<Instances, Diagnostic> {
    let squares = (definition.size.rows * definition.size.columns) as usize;
    let mut budget = Budget::default();
    let (mut table, mut all_drops) = (Vec::new(), Vec::new());
    for piece in &definition.pieces {
        let mut own = vec![vec![Vec::new(); squares]; 2];
        let mut drops = vec![Vec::new(); 2];
        // A move that promotes stands where the plain one stands: one of them will do.
        let mut found = BTreeMap::<Span, Option<Code>>::new();
        let without_hands = definition.rules.holding == Holding::Nothing;
        for text in &piece.moves {
            let is_drop = text.source == Source::Hand;
            if is_drop && without_hands {
                continue;
            }
            let prepared =
                Prepared::new(definition, text, &mut budget).map_err(|_| too_many(text))?;
            let mut reached = false;
            for color in Color::ALL {
                for (from, out) in own[color.index()].iter_mut().enumerate() {
                    let out = if is_drop { &mut drops[color.index()] } else { out };
                    let before = out.len();
                    prepared
                        .instances(color, from as Square, &mut budget, out)
                        .map_err(|_| too_many(text))?;
                    reached |= out.len() > before;
                }
            }
            let verdict = match (reached, prepared.values.is_empty()) {
                (true, _) => None,
                (_, true) => Some(Code::EmptyDomain),
                _ => Some(Code::UnreachableMove),
            };
            let known = found.entry(text.span.span).or_insert(verdict);
            *known = known.and(verdict);
        }
        remarks.extend(found.into_iter().filter_map(|(span, verdict)| {
            let (message, help) = match verdict? {
                Code::EmptyDomain => (
                    "the variables have no values, so this makes no move".to_owned(),
                    "a domain such as <2,1> or <1,1) is empty",
                ),
                _ => (
                    format!("this move of '{}' can be played from no square", piece.name.value),
                    "its target or an effect is always off the board, or no square is in its zones",
                ),
            };
            Some(Diagnostic::new(verdict?, span, message).help(help))
        }));
        for (color, own) in Color::ALL.into_iter().zip(&mut own) {
            gatings(definition, PieceCode::new(color, table.len() / 2), own);
        }
        table.extend(own);
        all_drops.extend(drops);
    }
    Ok(Instances { moves: table, drops: all_drops })
}

/// Drops the moves after which a piece stands where it has no move on any board.
fn drop_immobile(Instances { moves, drops }: &mut Instances) {
    let mobile: Vec<Vec<bool>> =
        moves.iter().map(|piece| piece.iter().map(|moves| !moves.is_empty()).collect()).collect();
    for (slot, piece) in moves.iter_mut().enumerate() {
        for moves in piece.iter_mut().chain([&mut drops[slot]]) {
            moves.retain(|instance| {
                let becomes = match created(instance.to, &instance.acts) {
                    Some(Some(piece)) => usize::from(piece) * 2 + slot % 2,
                    Some(None) => return true,
                    None => slot,
                };
                mobile[becomes][usize::from(instance.to)]
            });
        }
    }
}

/// What the effects leave on the target: nothing new, nothing at all, or another piece.
fn created(to: Square, acts: &[Act]) -> Option<Option<u8>> {
    acts.iter().rev().find_map(|act| match *act {
        Act::Put(piece, square) if square == to => Some(piece),
        _ => None,
    })
}

/// The squares that effects change.
fn touched(acts: &[Act]) -> SquareSet {
    let mut squares = SquareSet::EMPTY;
    for act in acts {
        match *act {
            Act::Put(_, square) | Act::Set(square, _) | Act::Clear(square, _) => {
                squares.insert(square);
            }
            Act::Shift(from, to) => {
                squares.insert(from);
                squares.insert(to);
            }
            Act::NoMate | Act::Gate(..) => {}
        }
    }
    squares
}

struct Compiler<'a> {
    definition: &'a Definition,
    groups: Groups,
    unmoved: Unmoved,
    game: Game,
}

impl<'a> Compiler<'a> {
    fn new(definition: &'a Definition) -> Self {
        let squares = (definition.size.rows * definition.size.columns) as usize;
        let slots = definition.pieces.len() * 2;
        let mut royal = [false; 256];
        for (piece, text) in definition.pieces.iter().enumerate() {
            for color in Color::ALL {
                royal[usize::from(PieceCode::new(color, piece).0)] = text.royal;
            }
        }
        let transient = definition
            .flags
            .iter()
            .enumerate()
            .filter(|(_, flag)| flag.life == Life::Transient)
            .fold(0, |bits, (number, _)| bits | 1 << number);
        let (piece_keys, flag_keys, black_key) =
            tables::keys(definition.pieces.len() * 4 + 4, definition.flags.len());
        let game = Game {
            title: definition.title.clone(),
            rows: definition.size.rows as u8,
            columns: definition.size.columns as u8,
            words: squares.div_ceil(64),
            rules: definition.rules,
            points: definition.points.clone(),
            pieces: definition.pieces.clone(),
            flags: definition.flags.clone(),
            transient,
            promoted: definition.flag(PROMOTED).map_or(0, |flag| 1 << flag),
            royal,
            start: definition.start.clone(),
            fingerprint: definition.fingerprint(),
            start_fen: definition.fen.as_ref().map(|fen| fen.value.clone()),
            ops: Vec::new(),
            rays: Vec::new(),
            groups: Vec::new(),
            programs: Vec::with_capacity(slots * squares),
            no_return: Vec::with_capacity(slots * squares),
            moves: Vec::new(),
            move_count: 0,
            acts: Vec::new(),
            hand_keys: tables::hand_keys(definition.held().len()),
            held: definition.held().into_iter().map(|kind| kind as u8).collect(),
            has_goals: definition.rules.has_goals(),
            has_filters: definition.rules.has_filters(),
            explosions: match definition.rules.explosion {
                Some(_) => explosions(definition.size.rows as u8, definition.size.columns as u8),
                None => Vec::new(),
            },
            check_keys: tables::check_keys(),
            has_conditional: false,
            gates: gates(definition),
            recurs: false,
            drops: Vec::new(),
            attack_ops: Vec::new(),
            attacks: Vec::new(),
            attack_index: vec![0; slots * squares * squares],
            attackers: std::array::from_fn(|_| vec![SquareSet::EMPTY; squares]),
            castlings: Vec::new(),
            en_passant: Vec::new(),
            bearers: Vec::new(),
            witnesses: vec![Vec::new(); definition.flags.len() * squares],
            key_flags: vec![!transient; piece_keys.len()],
            unmoved_pairs: vec![Vec::new(); squares],
            piece_keys,
            flag_keys,
            black_key,
        };
        Self { definition, groups: Groups::default(), unmoved: Unmoved::new(slots), game }
    }

    fn compile(mut self, instances: Instances) -> Result<Game, Diagnostic> {
        self.game.recurs =
            self.game.has_hands() || lasting::recurs(&instances.moves, self.game.transient);
        let shifts = instances.shifts();
        for (slot, piece) in instances.moves.into_iter().enumerate() {
            let color = Color::ALL[slot % 2];
            let code = PieceCode::new(color, slot / 2);
            let moves = self.canonical(slot, piece)?;
            let reach = tables::reach(&moves, &shifts);
            for (from, moves) in moves.iter().enumerate() {
                let from = from as Square;
                self.program(slot, from, moves, &reach)?;
                self.attacks(slot, from, moves);
                self.facts(code, from, moves);
            }
        }
        for (slot, drops) in instances.drops.into_iter().enumerate() {
            self.drops(slot, drops)?;
        }
        // Letters of a FEN name the castlings of royal pieces first.
        let Game { castlings, royal, start, .. } = &mut self.game;
        castlings.sort_by_key(|castling| !royal[usize::from(start[usize::from(castling.king)].0)]);
        self.game.en_passant.sort_unstable();
        self.game.en_passant.dedup();
        self.game.bearers.sort_unstable();
        self.game.bearers.dedup();
        for witnesses in &mut self.game.witnesses {
            witnesses.sort_unstable();
            witnesses.dedup();
        }
        let conditional = |info: &MoveInfo| info.no_mate || info.gates.is_some();
        self.game.has_conditional = self.game.moves.iter().any(conditional);
        self.unmoved.finish(&mut self.game);
        self.game.groups = self.groups.all;
        Ok(self.game)
    }

    fn overflow(&self, slot: usize) -> Diagnostic {
        let name = &self.definition.pieces[slot / 2].name;
        let message = format!("the piece '{}' has too many moves", name.value);
        let help = format!("a piece may have {} moves from one square", u16::MAX - 1);
        Diagnostic::new(Code::TooManyMoves, name.span, message).help(help)
    }

    /// The moves of a piece, those from each square in canonical order.
    fn canonical(
        &mut self,
        slot: usize,
        piece: Vec<Vec<Instance>>,
    ) -> Result<Vec<Vec<Canonical>>, Diagnostic> {
        let columns = self.game.columns;
        let mut all = Vec::new();
        for (from, instances) in piece.into_iter().enumerate() {
            let mut moves = Vec::with_capacity(instances.len());
            for instance in instances {
                let canonical = canonical(instance, from as Square, &mut self.groups);
                moves.push(canonical.ok_or_else(|| self.overflow(slot))?);
            }
            all.push(order(moves, from as Square, columns));
        }
        Ok(all)
    }

    fn program(
        &mut self,
        slot: usize,
        from: Square,
        moves: &[Canonical],
        reach: &[SquareSet],
    ) -> Result<(), Diagnostic> {
        let numbers = self.numbers(slot, from, moves)?;
        let program = self.write_program(moves, &numbers, |canonical| {
            !reach[usize::from(canonical.to)].has(from)
        });
        self.game.programs.push(program);
        let no_return = numbers.plain.iter().filter(|&to| !reach[usize::from(to)].has(from));
        self.game.no_return.push(no_return.collect());
        Ok(())
    }

    /// The drops of a piece on all squares, as one program that shares their tests.
    fn drops(&mut self, slot: usize, instances: Vec<Instance>) -> Result<(), Diagnostic> {
        let from = Move::HAND + (slot / 2) as Square;
        let mut moves = Vec::with_capacity(instances.len());
        for instance in instances {
            let canonical = canonical(instance, from, &mut self.groups);
            moves.push(canonical.ok_or_else(|| self.overflow(slot))?);
        }
        let moves = order_drops(moves, self.game.columns);
        let numbers = self.numbers(slot, from, &moves)?;
        let program = self.write_program(&moves, &numbers, |_| true);
        self.game.drops.push(program);
        self.witnesses(PieceCode::new(Color::ALL[slot % 2], slot / 2), from, &moves);
        Ok(())
    }

    /// The numbers of the moves of a piece from a square.
    fn numbers(
        &self,
        slot: usize,
        from: Square,
        moves: &[Canonical],
    ) -> Result<Numbers, Diagnostic> {
        if moves.len() >= usize::from(u16::MAX) {
            return Err(self.overflow(slot));
        }
        Ok(Numbers::new(from, moves))
    }

    fn write_program(
        &mut self,
        moves: &[Canonical],
        numbers: &Numbers,
        irreversible: impl Fn(&Canonical) -> bool,
    ) -> Program {
        let mut program = Program {
            start: self.game.ops.len() as u32,
            base: self.game.moves.len() as u32,
            ..Program::default()
        };
        for first in &numbers.effects {
            let canonical = &moves[*first];
            let info = self.info(canonical, irreversible(canonical));
            self.game.moves.push(info);
        }
        self.game.move_count += numbers.plain.len() + numbers.effects.len();
        let mut leaves: Vec<Leaf<'_>> = Vec::with_capacity(moves.len());
        for (i, canonical) in moves.iter().enumerate() {
            let (index, ways) = numbers.of(i, canonical);
            // A test that other moves share is made only once, by the program.
            let next = moves.get(i + 1).and_then(|next| next.tests.first());
            let shared = next.is_some() && next == canonical.tests.first();
            if index == 0 && !shared && program.leaps.take(canonical.to, &canonical.tests) {
                continue;
            }
            let kind = if ways == 1 { OpKind::Emit } else { OpKind::EmitOnce };
            program.repeats |= ways > 1;
            leaves.push(Leaf { tests: &canonical.tests, kind, to: canonical.to, index });
        }
        trie::write(&leaves, 0, &mut self.game.ops);
        program.end = self.game.ops.len() as u32;
        self.rays(&mut program);
        program
    }

    /// Finds the rays that a program begins with. Those of one target alone are left to the program,
    /// which takes less time for them.
    fn rays(&mut self, program: &mut Program) {
        let game = &mut self.game;
        let first = game.rays.len();
        let mut rest = program.start;
        while let Some((ray, end)) = Ray::read(&game.ops, rest as usize) {
            game.rays.push(ray);
            rest = end as u32;
        }
        if game.rays[first..].iter().all(|ray| ray.targets.len() == 1) {
            game.rays.truncate(first);
            rest = program.start;
        }
        program.rays = (first as u32, game.rays.len() as u32);
        program.rest = rest;
    }

    fn info(&mut self, canonical: &Canonical, irreversible: bool) -> MoveInfo {
        let first = self.game.acts.len() as u32;
        let changes = |act: &&Act| !matches!(act, Act::Shift(a, b) if a == b);
        self.game.acts.extend(canonical.acts.iter().filter(changes));
        let acts = (first, self.game.acts.len() as u32);
        let royal = |piece: u8| self.definition.pieces[usize::from(piece)].royal;
        let intricate = canonical.acts.iter().any(|act| match *act {
            Act::Put(Some(piece), _) => royal(piece),
            Act::Shift(a, b) => a != b,
            _ => false,
        });
        MoveInfo {
            intricate,
            irreversible,
            touched: touched(&canonical.acts),
            no_mate: canonical.acts.contains(&Act::NoMate),
            gates: canonical.acts.iter().find_map(|act| match *act {
                Act::Gate(kind, square) => Some((kind, square)),
                _ => None,
            }),
            acts,
            created: created(canonical.to, &canonical.acts).flatten(),
        }
    }

    fn attacks(&mut self, slot: usize, from: Square, moves: &[Canonical]) {
        let squares = self.game.squares();
        let row = (slot * squares + usize::from(from)) * squares;
        for (target, ways) in attacks::captures(moves, from, &self.groups.all) {
            let game = &mut self.game;
            let (groups, ops) = (&self.groups.all, &mut game.attack_ops);
            let attack = attacks::attack(target, &ways, groups, game.transient, ops);
            game.attacks.push(attack);
            game.attack_index[row + usize::from(target)] = game.attacks.len() as u32;
            game.attackers[slot % 2][usize::from(target)].insert(from);
        }
    }

    /// What FENs and keys have to know.
    fn facts(&mut self, code: PieceCode, from: Square, moves: &[Canonical]) {
        let color = if code.slot().is_multiple_of(2) { Color::White } else { Color::Black };
        let game = &mut self.game;
        if game.start[usize::from(from)] == code {
            game.castlings.extend(tables::castlings(color, from, moves, &game.start));
        }
        for canonical in moves {
            game.en_passant.extend(tables::en_passant(color, canonical, game.transient));
        }
        self.witnesses(code, from, moves);
    }

    /// Who gets and who looks at flags that go away, and who looks at `unmoved`.
    fn witnesses(&mut self, code: PieceCode, from: Square, moves: &[Canonical]) {
        self.unmoved.add(code, from, moves, &self.groups.all);
        let game = &mut self.game;
        let squares = game.squares();
        for canonical in moves {
            game.bearers.extend(tables::bearers(code, canonical, game.transient));
            for (flag, square) in tables::witnessed(canonical, &self.groups.all, game.transient) {
                let place = flag * squares + usize::from(square);
                game.witnesses[place].push(tables::witness(code, from));
            }
        }
    }
}
