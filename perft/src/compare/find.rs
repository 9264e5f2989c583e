//! From a wrong count to the smallest position with the wrong move in it.

use tamarin_movegen::{Move, Square, UciMove};

use crate::compare::answer::{Answer, MoveText, normalized};
use crate::compare::driver::{AskError, Driver, Form, Place};
use crate::compare::name;
use crate::compare::suspect::{miscounted, reduced, state};

/// How an answer differs from the right one.
#[derive(Clone, PartialEq, Eq, Debug)]
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

/// The whole count, which for so few plies fits 64 bits.
pub fn correct(place: &Place, depth: u8) -> u64 {
    crate::count(place.position.board(), depth)
}

/// A move with castling as the king taking its rook.
pub fn plain(mv: Move) -> UciMove {
    UciMove { from: mv.from(), to: mv.to(), promotion: mv.promotion() }
}

/// What differs, if anything does.
pub fn difference(place: &Place, answer: &Answer, depth: u8, form: Form) -> Option<Difference> {
    let legal = place.position.legal_moves();
    let mut all = correct(place, depth);
    if let Form::Total { cumulative: true } = form {
        all += (1..depth).map(|depth| correct(place, depth)).sum::<u64>();
    }
    let yours = answer.nodes().unwrap_or(0);
    let mut found = Difference {
        yours,
        correct: all,
        missing: Vec::new(),
        illegal: Vec::new(),
        wrong: Vec::new(),
        listed: Vec::new(),
    };
    if answer.moves.is_empty() && form == Form::Divide && yours == 0 {
        found.missing = legal.to_vec();
    }
    if answer.moves.is_empty() && !matches!(form, Form::Lines { .. } | Form::Refusals) {
        return (yours != all).then_some(found);
    }
    let mut left: Vec<(Move, u64)> =
        legal.iter().map(|&mv| (mv, correct(&place.child(mv), depth - 1))).collect();
    for &(text, count) in &answer.moves {
        let mv = normalized(&place.position, text);
        let is_bare = matches!(text, MoveText::Squares(UciMove { promotion: None, .. }));
        let fits = |(legal, _): &&(Move, u64)| {
            let legal = plain(*legal);
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
        found.listed.push(plain(legal));
        if right != count {
            found.wrong.push((legal, count));
        }
    }
    let is_complete = match form {
        Form::Lines { most } => answer.moves.len() < most,
        _ => true,
    };
    if is_complete {
        found.missing = left.into_iter().map(|(mv, _)| mv).collect();
        // `setboard` of some engines of XBoard leaves the en passant square out.
        let is_lost = form == Form::Refusals && place.moves.is_empty();
        found.missing.retain(|mv| !(is_lost && mv.is_en_passant()));
    }
    let differs = !(found.missing.is_empty() && found.illegal.is_empty() && found.wrong.is_empty());
    // Other numbers than the total, and totals with shallower depths, are no sums.
    let is_no_sum = |&total: &u64| {
        let sum = answer.nodes().unwrap_or(0);
        let shallower: u64 = (1..depth).map(|depth| correct(place, depth)).sum();
        total != sum && total > sum / 2 && total < sum * 2 && total.abs_diff(sum + shallower) > 1
    };
    if !differs
        && answer.rank >= 3
        && let Some(total) = answer.total.filter(is_no_sum)
    {
        found.yours = total;
        return Some(found);
    }
    differs.then_some(found)
}

/// The engine and how it is to write positions.
pub struct Comparison<'a> {
    pub driver: &'a mut Driver,
    pub chess960: bool,
}

type Asked<T> = Result<T, AskError>;

impl Comparison<'_> {
    fn differs(&mut self, place: &Place, depth: u8) -> Asked<Option<Difference>> {
        // What a search plays where there is no move tells nothing.
        let is_search = matches!(self.driver.form, Form::Lines { .. });
        if is_search && !place.position.has_legal_move() {
            return Ok(None);
        }
        let answer = match self.driver.ask(place, depth, self.chess960) {
            Ok(answer) => answer,
            Err(AskError::Failed(_)) if !place.position.has_legal_move() => Answer::default(),
            Err(error) => return Err(error),
        };
        Ok(difference(place, &answer, depth, self.driver.form))
    }

    /// Compares a position; a difference is walked down, not yet made smaller.
    pub fn check(&mut self, place: &Place, depth: u8) -> Asked<Option<Finding>> {
        let found = match self.differs(place, depth) {
            Ok(None) => return Ok(None),
            Ok(Some(found)) => found,
            Err(AskError::Failed(note)) => return Ok(Some(self.failure(place, depth, note))),
            Err(AskError::Cancelled) => return Err(AskError::Cancelled),
        };
        let mut finding = self.begin(place, depth, &found, Cause::Generation);
        if self.is_stale(place)? {
            finding.cause = Cause::Stale;
            finding.rule = Some("position: not taken, the one before is counted again".to_owned());
            return Ok(Some(finding));
        }
        let is_listed = !found.listed.is_empty() && found.missing.is_empty();
        if is_listed && found.illegal.is_empty() && found.wrong.is_empty() {
            finding.cause = Cause::Counting;
            finding.rule = Some("counting: the total is the sum over the moves".to_owned());
            return Ok(Some(finding));
        }
        match self.walk(place.clone(), depth, found, &mut finding) {
            Ok(()) => Ok(Some(finding)),
            Err(AskError::Failed(note)) => {
                let mut failure = self.failure(place, depth, note);
                failure.yours = finding.yours;
                Ok(Some(failure))
            }
            Err(AskError::Cancelled) => Err(AskError::Cancelled),
        }
    }

    fn begin(&self, place: &Place, depth: u8, found: &Difference, cause: Cause) -> Finding {
        Finding {
            cause,
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

    fn failure(&self, place: &Place, depth: u8, note: String) -> Finding {
        let none = Difference {
            yours: 0,
            correct: correct(place, depth),
            missing: Vec::new(),
            illegal: Vec::new(),
            wrong: Vec::new(),
            listed: Vec::new(),
        };
        let finding = self.begin(place, depth, &none, Cause::Failure);
        Finding { yours: None, rule: Some(format!("no answer: {note}")), note, ..finding }
    }

    /// Whether it answers for the position that was asked before.
    fn is_stale(&mut self, place: &Place) -> Asked<bool> {
        if self.driver.asked < 2 {
            return Ok(false);
        }
        let others = ["8/8/4k3/8/8/4K3/8/8 w - - 0 1", "4k3/8/8/8/8/8/P7/4K3 w - - 0 1"];
        for fen in others {
            let other = Place::new(fen).expect("invariant: the position is legal");
            let before = self.driver.ask(&other, 1, false);
            let after = self.driver.ask(place, 1, self.chess960);
            match (before, after) {
                (Ok(before), Ok(after)) if before == after => {}
                (Err(AskError::Cancelled), _) | (_, Err(AskError::Cancelled)) => {
                    return Err(AskError::Cancelled);
                }
                _ => return Ok(false),
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
        let mut parent = None;
        while found.missing.is_empty() && found.illegal.is_empty() && depth > 1 {
            let Some((child, next)) = self.wrong_child(&place, depth, &found)? else {
                self.name_counting(&place, depth, &found, finding);
                return Ok(());
            };
            parent = Some(place);
            (place, found, depth) = (child, next, depth - 1);
        }
        finding.place = place.clone();
        if parent.is_some() {
            let here = place.alone();
            match self.differs(&here, depth)? {
                Some(by_fen) => (finding.place, found) = (here, by_fen),
                None => {
                    finding.cause = Cause::State;
                    return self.name_state(depth, &found, finding);
                }
            }
        }
        let is_empty = found.missing.is_empty() && found.illegal.is_empty();
        let has_list = !found.listed.is_empty();
        if is_empty
            && has_list
            && let [rule, ..] = miscounted(&finding.place, depth, &found)[..]
        {
            finding.cause = Cause::Counting;
            finding.rule = Some(rule.to_owned());
            return Ok(());
        }
        if is_empty {
            finding.excess = found.yours.wrapping_sub(found.correct).cast_signed();
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
        let mut moves: Vec<Move> = found.wrong.iter().map(|(mv, _)| *mv).collect();
        if moves.is_empty() {
            moves = place.position.legal_moves().to_vec();
        } else {
            moves.truncate(4);
        }
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
        let notation = Place::style(self.chess960).1;
        let are_all = found.missing.len() == place.position.legal_moves().len();
        let missing = found.missing.iter().map(|&mv| name::missing(place, mv, are_all));
        let illegal = found.illegal.iter().map(|&mv| name::illegal(place, mv));
        finding.rule = missing.chain(illegal).flatten().next().map(str::to_owned);
        finding.missing =
            found.missing.iter().map(|&mv| place.position.uci(mv, notation).to_string()).collect();
        let legal = place.position.legal_moves();
        let is_legal = |mv: &UciMove| legal.iter().any(|&legal| plain(legal) == *mv);
        let (twice, illegal) = found.illegal.iter().copied().partition::<Vec<_>, _>(is_legal);
        let written = |moves: Vec<UciMove>| {
            moves.into_iter().map(|mv| place.written(mv, self.chess960)).collect()
        };
        (finding.twice, finding.illegal) = (written(twice), written(illegal));
    }

    /// Names moves that are wrong only after the moves before.
    fn name_state(&mut self, depth: u8, found: &Difference, finding: &mut Finding) -> Asked<()> {
        self.shorten(depth, finding)?;
        self.name_generation(found, finding);
        let unknown = || ("state: right from the FEN, wrong after moves", String::new());
        let (rule, note) = state(&finding.place, found).unwrap_or_else(unknown);
        (finding.rule, finding.note) = (Some(rule.to_owned()), note);
        Ok(())
    }

    /// Leaves out the first moves as long as the fault stays.
    fn shorten(&mut self, depth: u8, finding: &mut Finding) -> Asked<()> {
        let whole = finding.place.clone();
        for begin in (1..whole.moves.len()).rev() {
            let mut start = Place::of(&whole.root).unwrap_or_else(|| whole.alone());
            whole.moves[..begin].iter().for_each(|&mv| start = start.child(mv));
            let mut short = start.alone();
            whole.moves[begin..].iter().for_each(|&mv| short = short.child(mv));
            if self.differs(&short, depth)?.is_some() {
                finding.place = short;
                break;
            }
        }
        Ok(())
    }

    /// All positions behind the moves are right alone, and the count over them is wrong.
    fn name_counting(
        &mut self,
        place: &Place,
        depth: u8,
        found: &Difference,
        finding: &mut Finding,
    ) {
        finding.cause = Cause::Counting;
        finding.place = place.clone();
        finding.causes = miscounted(place, depth, found);
        let unknown = "state: taking moves back, or a hash table, does not keep the position";
        finding.rule = Some(finding.causes.first().unwrap_or(&unknown).to_string());
        finding.note = "each position behind a move is right when it is asked for alone".to_owned();
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
                let same = match self.differs(&next, 1) {
                    Ok(found) => found.is_some_and(|found| is_same_fault(&goal, &found)),
                    Err(AskError::Cancelled) => return Err(AskError::Cancelled),
                    Err(AskError::Failed(_)) => false,
                };
                if same {
                    best = next;
                    is_smaller = true;
                }
            }
        }
        if finding.cause == Cause::Generation
            && let Some(found) = self.differs(&best, 1)?
        {
            let mut smallest = Finding { place: best.clone(), ..finding.clone() };
            self.name_generation(&found, &mut smallest);
            finding.rule = smallest.rule.or(finding.rule.take());
        }
        finding.smallest = Some(best);
        Ok(())
    }
}

fn is_same_fault(goal: &Difference, found: &Difference) -> bool {
    match (goal.missing.first(), goal.illegal.first()) {
        (Some(mv), _) => found.missing.iter().any(|other| plain(*other) == plain(*mv)),
        (None, Some(mv)) => found.illegal.contains(mv),
        (None, None) => {
            found.yours.wrapping_sub(found.correct) == goal.yours.wrapping_sub(goal.correct)
        }
    }
}
