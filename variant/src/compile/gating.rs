//! Gating: moves with which a piece comes from the hand onto a square that is left.

use super::tables::UNMOVED_BIT;
use crate::board::{Code, Square, SquareSet};
use crate::definition::Definition;
use crate::instance::{Act, Instance};
use crate::requirement::{Requirement, Test, TestKind};

/// The squares of the start position that pieces may be gated on: those of pieces that are unmoved
/// there.
pub(super) fn gates(definition: &Definition) -> SquareSet {
    let opens =
        |code: &Code| code.color().is_some() && definition.pieces[code.piece()].carries_unmoved;
    let start = definition.start.iter().zip(0..);
    let squares = start.filter(|(code, _)| opens(code)).map(|(_, square)| square);
    if definition.rules.gating.is_empty() { SquareSet::EMPTY } else { squares.collect() }
}

/// Adds to the moves of a piece those that also gate a piece: it comes from the hand onto the square
/// of the start position that an unmoved piece leaves, be it the one that moves or one taken along.
pub(super) fn gatings(definition: &Definition, code: Code, moves: &mut [Vec<Instance>]) {
    let gates = gates(definition);
    let from_gates = moves
        .iter_mut()
        .zip(0..)
        .filter(|&(_, from)| gates.has(from) && definition.start[usize::from(from)] == code);
    for (moves, from) in from_gates {
        let mut gatings = Vec::new();
        for instance in &*moves {
            let taken = instance.acts.iter().filter_map(|act| match *act {
                Act::Shift(source, to) if source != to => Some(source),
                _ => None,
            });
            let is_left = |&square: &Square| {
                square != instance.to
                    && gates.has(square)
                    && !instance.acts.iter().any(|act| match *act {
                        Act::Put(Some(_), to) | Act::Shift(_, to) => to == square,
                        _ => false,
                    })
            };
            for square in taken.chain([from]).filter(is_left) {
                for kind in definition.rules.gating.iter() {
                    let mut gating = instance.clone();
                    let argument = UNMOVED_BIT;
                    let test = Test { kind: TestKind::Flag, square, argument };
                    gating.conditions.push(Requirement::One(test));
                    gating.acts.push(Act::Gate(kind as u8, square));
                    gatings.push(gating);
                }
            }
        }
        moves.extend(gatings);
    }
}
