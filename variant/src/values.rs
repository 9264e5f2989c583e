//! Variables of moves: sums, sets of names, and what trying values may cost.

use crate::ast::{Domain, Expr, MoveText, SquareText};
use crate::diagnostic::{Code, Diagnostic};

/// The greatest number of moves of a game, over all pieces and squares.
pub(crate) const MAX_INSTANCES: usize = 1 << 20;
/// Trying values of variables stops after this number, over all moves and squares.
pub(crate) const MAX_STEPS: usize = 1 << 24;

/// Values of the variables `a` to `z`.
pub(crate) type Values = [i32; 26];

/// Set of variables, a bit for each letter.
pub(crate) type Names = u32;

pub(crate) fn bit(variable: char) -> Names {
    1 << index(variable)
}

pub(crate) fn index(variable: char) -> usize {
    (variable as usize - 'a' as usize) % 26
}

pub(crate) fn names(expr: &Expr) -> Names {
    expr.terms.iter().filter_map(|term| term.variable).fold(0, |set, name| set | bit(name))
}

pub(crate) fn names_of_square(square: &SquareText) -> Names {
    names(&square.row.expr) | names(&square.column.expr)
}

pub(crate) fn names_of_domain(domain: &Domain) -> Names {
    match domain {
        Domain::Range { low, high, .. } => names(low) | names(high),
        Domain::Set(values) => values.iter().fold(0, |set, value| set | names(value)),
    }
}

pub(crate) fn evaluate(expr: &Expr, values: &Values) -> i32 {
    expr.terms
        .iter()
        .map(|term| {
            let value = term.variable.map_or(1, |name| values[index(name)]);
            term.factor.saturating_mul(value)
        })
        .fold(0, i32::saturating_add)
}

/// The variables and all that their domains use.
pub(crate) fn close(text: &MoveText, mut names: Names) -> Names {
    for variable in text.variables.iter().rev() {
        if names & bit(variable.name.value) != 0 {
            names |= names_of_domain(&variable.domain);
        }
    }
    names
}

/// What is spent on trying values, over a whole game.
#[derive(Debug, Default)]
pub(crate) struct Budget {
    instances: usize,
    steps: usize,
}

/// More than the compiler takes.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub(crate) struct Exhausted;

impl Budget {
    pub(crate) fn step(&mut self) -> Result<(), Exhausted> {
        self.steps += 1;
        if self.steps > MAX_STEPS { Err(Exhausted) } else { Ok(()) }
    }

    pub(crate) fn instances(&mut self, count: usize) -> Result<(), Exhausted> {
        self.instances = self.instances.saturating_add(count);
        if self.instances > MAX_INSTANCES { Err(Exhausted) } else { Ok(()) }
    }
}

/// The remark about a move that is too much.
pub(crate) fn too_many(text: &MoveText) -> Diagnostic {
    let message = format!("with this move there are more than {MAX_INSTANCES} moves");
    Diagnostic::new(Code::TooManyMoves, text.span.span, message)
        .help("narrow the domains of its variables")
}
