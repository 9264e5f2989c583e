//! Learning evaluators: the same games give the same evaluator, and what was cut off goes on.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicBool, AtomicU32, Ordering};
use std::sync::{Arc, Mutex};
use std::time::Duration;

use crate::long::long_or;
use tamarin_variant::{Game, builtin, load};
use tamarin_variant_search::evaluate::learned::Learned;
use tamarin_variant_search::learn::{
    Budget, Fitted, Known, Match, Observer, Phase, Record, Settings, Stopped, learn,
};

/// A game that is over soon.
const SMALL: &str = "@royal k\n@stalemate loss\nk W1F1\nr W\nb F\np fmW1fcF1 promotion t[ROW = 4] \
    -> r\n\nr k b\np p p\n. . .\nP P P\nR K B\n";

fn small() -> Arc<Game> {
    load(SMALL, None).unwrap().game
}

/// Remembers what it gets, and says stop after some games.
#[derive(Default)]
struct Witness {
    known: Mutex<Known>,
    games: AtomicU32,
    most: Option<u32>,
    stop: AtomicBool,
    fits: Mutex<Vec<Fitted>>,
    matches: Mutex<Vec<Match>>,
}

impl Observer for Witness {
    fn begins(&self, _: Phase) {}

    fn played(&self, phase: Phase, number: u32, record: &Record) {
        let mut known = self.known.lock().unwrap();
        let before = known.records.entry(phase).or_default().insert(number, record.clone());
        assert_eq!(before, None, "a game that was known is played again");
        let games = self.games.fetch_add(1, Ordering::Relaxed) + 1;
        if self.most.is_some_and(|most| games >= most) {
            self.stop.store(true, Ordering::Relaxed);
        }
    }

    fn ends(&self, phase: Phase) {
        self.known.lock().unwrap().ended.push(phase);
    }

    fn fitted(&self, fitted: &Fitted) {
        self.fits.lock().unwrap().push(*fitted);
    }

    fn compared(&self, result: &Match) {
        self.matches.lock().unwrap().push(*result);
    }
}

fn settings(threads: usize, budget: Budget) -> Settings {
    Settings { seed: 5, nodes: 50, threads, budget }
}

fn text(result: Result<Learned, Stopped>) -> String {
    result.unwrap().text()
}

#[test]
fn the_same_games_give_the_same_evaluator() {
    let game = small();
    let long = [Budget::Games(60), Budget::Nodes(60_000)];
    for &budget in long_or(&long[..], &[Budget::Nodes(20_000)]) {
        let run = |threads, known: Known, witness: &Witness| {
            learn(&game, &settings(threads, budget), known, &witness.stop, witness)
        };
        let whole = Witness::default();
        let expected = text(run(1, Known::default(), &whole));
        let others = Witness::default();
        assert_eq!(text(run(3, Known::default(), &others)), expected, "{budget:?}");
        // Cut off in a match, and again later; every game is played once.
        let mut known = Known::default();
        for most in [25, 20] {
            let witness = Witness {
                known: Mutex::new(known.clone()),
                most: Some(most),
                ..Witness::default()
            };
            let stopped = run(2, known, &witness);
            assert!(matches!(stopped, Err(Stopped::Told)), "{stopped:?}");
            known = witness.known.into_inner().unwrap();
        }
        let rest = Witness { known: Mutex::new(known.clone()), ..Witness::default() };
        assert_eq!(text(run(2, known, &rest)), expected, "{budget:?}");
        let matches = |witness: Witness| witness.matches.into_inner().unwrap();
        assert_eq!(matches(rest), matches(whole), "{budget:?}");
    }
}

/// The king leaves a locust where it was, and all other moves capture.
#[test]
fn positions_whose_every_move_makes_a_piece_are_learned_from() {
    let game = builtin("locusts_thesis").unwrap();
    let witness = Witness::default();
    let settings = Settings { nodes: 10, ..settings(1, Budget::Games(20)) };
    text(learn(&game, &settings, Known::default(), &witness.stop, &witness));
    let fits = witness.fits.into_inner().unwrap();
    assert!(!fits.is_empty() && fits.iter().all(|fitted| fitted.samples > 0), "{fits:?}");
}

#[test]
fn time_that_was_spent_is_not_spent_again() {
    let game = small();
    let all = Duration::from_secs(3600);
    let known = Known { spent: all, ..Known::default() };
    // Who spends it again plays more games than this.
    let witness = Witness { most: Some(200), ..Witness::default() };
    let settings = settings(1, Budget::Time(all));
    text(learn(&game, &settings, known, &witness.stop, &witness));
    // No more than the fewest games that a phase has.
    let known = witness.known.into_inner().unwrap();
    for (phase, games) in known.records {
        assert_eq!(games.len(), 16, "{phase:?}");
    }
    // Sixteen games have one that is held out, and no error comes from nothing.
    let fits = witness.fits.into_inner().unwrap();
    assert!(fits.iter().all(|fitted| fitted.samples > 0 && fitted.errors.is_some()), "{fits:?}");
}

#[test]
fn nothing_is_said_about_games_that_were_not_held_out() {
    let game = small();
    let witness = Witness::default();
    let settings = settings(1, Budget::Games(10));
    text(learn(&game, &settings, Known::default(), &witness.stop, &witness));
    let fits = witness.fits.into_inner().unwrap();
    assert_eq!(fits[0].errors, None, "{fits:?}");
    let records: BTreeMap<_, _> = witness.known.into_inner().unwrap().records;
    assert_eq!(records[&Phase::Games(1)].len(), 2);
}
