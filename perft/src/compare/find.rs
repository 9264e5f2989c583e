//! From a wrong count to the smallest position with the wrong move in it.

use tamarin_movegen::{Move, Square, UciMove};

use crate::cli::Notation;
use crate::compare::answer::{Answer, MoveText, normalized};
use crate::compare::driver::{AskError, Asked, Driver, Form, Place, answered};
use crate::compare::name;
use crate::compare::suspect::{miscounted, reduced, state};

/// How an answer differs from the right one.
#[derive(Clone, PartialEq, Eq, Debug, Default)]
pub struct Difference {
    pub yours: u64,
    pub correct: u64,
    pub missing: Vec<Move>,
    pub illegal: Vec<UciMove>,
    /// Moves with wrong counts behind them, and these counts.
    pub wrong: Vec<(Move, u64)>,
    /// All moves as printed, in one way of writing.
    pub listed: Vec<UciMove>,
}

impl Difference {
    /// Whether the moves of the position itself are right, as far as they are listed.
    fn has_right_moves(&self) -> bool {
        self.missing.is_empty() && self.illegal.is_empty()
    }

    /// How many moves are too many.
    fn excess(&self) -> i64 {
        self.yours.wrapping_sub(self.correct).cast_signed()
    }
}

/// Where a difference comes from.
#[derive(Clone, Copy, PartialEq, Eq, Debug)]
pub enum Cause {
    /// The moves of the position as a FEN are wrong.
    Generation,
    /// They are wrong only after moves.
    State,
    /// They are right, and what is counted over them is not.
    Counting,
    /// It ended, hung or gave no answer.
    Failure,
    /// It has answered for the position before.
    Stale,
}

/// A difference, walked down and named.
#[derive(Clone, Debug)]
pub struct Finding {
    pub cause: Cause,
    /// The rule, if it is known.
    pub rule: Option<String>,
    /// More about it.
    pub note: String,
    /// Where it was looked for, and the depth.
    pub root: Place,
    pub depth: u8,
    pub yours: Option<u64>,
    pub correct: u64,
    /// The position with the wrong moves, after walking down.
    pub place: Place,
    pub missing: Vec<String>,
    pub illegal: Vec<String>,
    /// Legal moves that are listed twice.
    pub twice: Vec<String>,
    /// Of an engine that lists no moves, how many it has too many.
    pub excess: i64,
    /// The smallest position found with the same fault.
    pub smallest: Option<Place>,
    /// The rules that may be broken, if no moves are listed.
    pub causes: Vec<&'static str>,
    pub commands: Vec<String>,
    pub chess960: bool,
}

impl Finding {
    fn set(&mut self, cause: Cause, rule: &str) {
        (self.cause, self.rule) = (cause, Some(rule.to_owned()));
    }
}

/// The whole count, which for so few plies fits 64 bits.
pub fn correct(place: &Place, depth: u8) -> u64 {
    crate::count(place.position.board(), depth)
}

/// What differs, if anything does.
pub fn difference(place: &Place, answer: &Answer, depth: u8, form: Form) -> Option<Difference> {
    let legal = place.position.legal_moves();
    let shallower: u64 = (1..depth).map(|depth| correct(place, depth)).sum();
    let added = if form == (Form::Total { cumulative: true }) { shallower } else { 0 };
    let (yours, right) = (answer.nodes().unwrap_or(0), correct(place, depth) + added);
    let mut found = Difference { yours, correct: right, ..Difference::default() };
    if answer.moves.is_empty() && form == Form::Divide && yours == 0 {
        found.missing = legal.to_vec();
    }
    if answer.moves.is_empty() && !matches!(form, Form::Lines { .. } | Form::Refusals) {
        return (yours != right).then_some(found);
    }
    let mut left: Vec<(Move, u64)> =
        legal.iter().map(|&mv| (mv, correct(&place.child(mv), depth - 1))).collect();
    for &(text, count) in &answer.moves {
        let mv = normalized(&place.position, text);
        let is_bare = matches!(text, MoveText::Squares(UciMove { promotion: None, .. }));
        let fits = |(legal, _): &&(Move, u64)| {
            let legal = UciMove::from(*legal);
            let is_promotion = is_bare && legal.promotion.is_some();
            (legal.from, legal.to) == (mv.from, mv.to) && (is_promotion || legal == mv)
        };
        // Without a letter it is the promotion with the same count.
        let best = left.iter().filter(fits).min_by_key(|(_, right)| *right != count).copied();
        let Some((legal, right)) = best else {
            found.illegal.push(mv);
            found.listed.push(mv);
            continue;
        };
        left.retain(|(mv, _)| *mv != legal);
        found.listed.push(legal.into());
        if right != count {
            found.wrong.push((legal, count));
        }
    }
    if !matches!(form, Form::Lines { most } if answer.moves.len() >= most) {
        // `setboard` of some engines of XBoard leaves the en passant square out.
        let is_lost = form == Form::Refusals && place.moves.is_empty();
        left.retain(|(mv, _)| !(is_lost && mv.is_en_passant()));
        found.missing = left.into_iter().map(|(mv, _)| mv).collect();
    }
    if !found.has_right_moves() || !found.wrong.is_empty() {
        return Some(found);
    }
    // Other numbers than the total, and totals with shallower depths, are no sums.
    let is_no_sum = |&total: &u64| {
        total != yours
            && total > yours / 2
            && total < yours * 2
            && total.abs_diff(yours + shallower) > 1
    };
    found.yours = answer.total.filter(|_| answer.rank >= 3).filter(is_no_sum)?;
    Some(found)
}

/// The engine and how it is to write positions.
pub struct Comparison<'a> {
    pub driver: &'a mut Driver,
    pub chess960: bool,
}

impl Comparison<'_> {
    fn differs(&mut self, place: &Place, depth: u8) -> Asked<Option<Difference>> {
        let is_over = !place.position.has_legal_move();
        // What a search plays where there is no move tells nothing.
        if is_over && matches!(self.driver.form, Form::Lines { .. }) {
            return Ok(None);
        }
        let answer = match self.driver.ask(place, depth, self.chess960) {
            Err(AskError::Failed(_)) if is_over => Answer::default(),
            answer => answer?,
        };
        Ok(difference(place, &answer, depth, self.driver.form))
    }

    /// Compares a position; a difference is walked down, not yet made smaller.
    pub fn check(&mut self, place: &Place, depth: u8) -> Asked<Option<Finding>> {
        let mut yours = None;
        let checked = self.check_answers(place, depth, &mut yours);
        let Err(AskError::Failed(note)) = checked else { return checked };
        let nothing = Difference { correct: correct(place, depth), ..Difference::default() };
        let finding = self.begin(place, depth, &nothing);
        let rule = Some(format!("no answer: {note}"));
        Ok(Some(Finding { cause: Cause::Failure, yours, rule, note, ..finding }))
    }

    /// As [`Self::check`], of an engine that answers; `yours` is the wrong count.
    fn check_answers(
        &mut self,
        place: &Place,
        depth: u8,
        yours: &mut Option<u64>,
    ) -> Asked<Option<Finding>> {
        let Some(found) = self.differs(place, depth)? else { return Ok(None) };
        *yours = Some(found.yours);
        let mut finding = self.begin(place, depth, &found);
        if self.is_stale(place)? {
            finding.set(Cause::Stale, "position: not taken, the one before is counted again");
        } else if !found.listed.is_empty() && found.has_right_moves() && found.wrong.is_empty() {
            finding.set(Cause::Counting, "counting: the total is the sum over the moves");
        } else {
            self.walk(place.clone(), depth, found, &mut finding)?;
        }
        Ok(Some(finding))
    }

    fn begin(&self, place: &Place, depth: u8, found: &Difference) -> Finding {
        Finding {
            cause: Cause::Generation,
            rule: None,
            note: String::new(),
            root: place.clone(),
            depth,
            yours: Some(found.yours),
            correct: found.correct,
            place: place.clone(),
            missing: Vec::new(),
            illegal: Vec::new(),
            twice: Vec::new(),
            excess: 0,
            smallest: None,
            causes: Vec::new(),
            commands: self.driver.sent.clone(),
            chess960: self.chess960,
        }
    }

    /// Whether it answers for the position that was asked before.
    fn is_stale(&mut self, place: &Place) -> Asked<bool> {
        if self.driver.asked < 2 {
            return Ok(false);
        }
        for fen in ["8/8/4k3/8/8/4K3/8/8 w - - 0 1", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"] {
            let before = answered(self.driver.ask(&Place::known(fen), 1, false))?;
            let after = answered(self.driver.ask(place, 1, self.chess960))?;
            if before.is_none() || before != after {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Goes down to where the moves themselves differ, and says why.
    fn walk(
        &mut self,
        mut place: Place,
        mut depth: u8,
        mut found: Difference,
        finding: &mut Finding,
    ) -> Asked<()> {
        while found.has_right_moves() && depth > 1 {
            let Some((child, next)) = self.wrong_child(&place, depth, &found)? else {
                finding.causes = miscounted(&place, depth, &found);
                let unknown =
                    "state: taking moves back, or a hash table, does not keep the position";
                finding.set(Cause::Counting, finding.causes.first().unwrap_or(&unknown));
                finding.note =
                    "each position behind a move is right when it is asked for alone".to_owned();
                finding.place = place;
                return Ok(());
            };
            (place, found, depth) = (child, next, depth - 1);
        }
        finding.place = place.clone();
        if depth < finding.depth {
            let here = place.alone();
            let Some(by_fen) = self.differs(&here, depth)? else {
                self.shorten(depth, finding)?;
                self.name_generation(&found, finding);
                let unknown = || ("state: right from the FEN, wrong after moves", String::new());
                let (rule, note) = state(&finding.place, &found).unwrap_or_else(unknown);
                finding.set(Cause::State, rule);
                finding.note = note;
                return Ok(());
            };
            (finding.place, found) = (here, by_fen);
        }
        if found.has_right_moves() {
            let rules = miscounted(&finding.place, depth, &found);
            if let Some(rule) = rules.first().filter(|_| !found.listed.is_empty()) {
                finding.set(Cause::Counting, rule);
                return Ok(());
            }
            finding.excess = found.excess();
        }
        self.name_generation(&found, finding);
        Ok(())
    }

    /// A child whose count is wrong when it is asked for alone.
    fn wrong_child(
        &mut self,
        place: &Place,
        depth: u8,
        found: &Difference,
    ) -> Asked<Option<(Place, Difference)>> {
        let mut moves = match &found.wrong[..] {
            [] => place.position.legal_moves().to_vec(),
            wrong => wrong.iter().take(4).map(|(mv, _)| *mv).collect(),
        };
        moves.sort_by_key(|&mv| correct(&place.child(mv), depth - 1));
        for mv in moves {
            let child = place.child(mv);
            if let Some(next) = self.differs(&child, depth - 1)? {
                return Ok(Some((child, next)));
            }
        }
        Ok(None)
    }

    fn name_generation(&self, found: &Difference, finding: &mut Finding) {
        let place = &finding.place;
        let notation = Notation::new(self.chess960).castling;
        let text = |&mv: &Move| place.position.uci(mv, notation).to_string();
        let written = |is_legal: bool| {
            let moves = found.illegal.iter().filter(|mv| place.is_legal(**mv) == is_legal);
            moves.map(|&mv| place.written(mv, self.chess960)).collect()
        };
        finding.rule = broken_rule(place, found);
        finding.missing = found.missing.iter().map(text).collect();
        (finding.twice, finding.illegal) = (written(true), written(false));
    }

    /// Leaves out the first moves as long as the fault stays.
    fn shorten(&mut self, depth: u8, finding: &mut Finding) -> Asked<()> {
        let path = finding.place.path();
        for begin in (1..finding.place.moves.len()).rev() {
            let moves = finding.place.moves[begin..].iter();
            let short = moves.fold(path[begin].alone(), |place, &mv| place.child(mv));
            if self.differs(&short, depth)?.is_some() {
                finding.place = short;
                break;
            }
        }
        Ok(())
    }

    /// Removes pieces, rights and the en passant square as long as the fault stays.
    pub fn shrink(&mut self, finding: &mut Finding) -> Asked<()> {
        if !matches!(finding.cause, Cause::Generation | Cause::State) {
            return Ok(());
        }
        let mut best = finding.place.clone();
        let Some(goal) = self.differs(&best, 1)? else { return Ok(()) };
        let mut is_smaller = true;
        while is_smaller {
            is_smaller = false;
            for change in 0..=Square::COUNT + 1 {
                let Some(next) = reduced(&best, change) else { continue };
                let found = answered(self.differs(&next, 1))?.flatten();
                if found.is_some_and(|found| is_same_fault(&goal, &found)) {
                    best = next;
                    is_smaller = true;
                }
            }
        }
        if finding.cause == Cause::Generation
            && let Some(found) = self.differs(&best, 1)?
        {
            finding.rule = broken_rule(&best, &found).or(finding.rule.take());
        }
        finding.smallest = Some(best);
        Ok(())
    }
}

/// The rule of the first wrong move that has one.
fn broken_rule(place: &Place, found: &Difference) -> Option<String> {
    let are_all = found.missing.len() == place.position.legal_moves().len();
    let missing = found.missing.iter().map(|&mv| name::missing(place, mv, are_all));
    let illegal = found.illegal.iter().map(|&mv| name::illegal(place, mv));
    missing.chain(illegal).flatten().next().map(str::to_owned)
}

fn is_same_fault(goal: &Difference, found: &Difference) -> bool {
    let plain = |&mv: &Move| UciMove::from(mv);
    match (goal.missing.first().map(plain), goal.illegal.first()) {
        (Some(mv), _) => found.missing.iter().map(plain).any(|other| other == mv),
        (None, Some(mv)) => found.illegal.contains(mv),
        (None, None) => found.excess() == goal.excess(),
    }
}
