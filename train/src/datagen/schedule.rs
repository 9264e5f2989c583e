//! Handing out game numbers to the players and taking in their games.

use parking_lot::Mutex;

use super::DatagenError;
use super::openings::NoOpening;
use super::output::Output;
use crate::data::Game;
use crate::progress::Progress;

/// What the threads share.
pub(super) struct Schedule {
    state: Mutex<State>,
    progress: Progress,
}

struct State {
    output: Output,
    wanted: u64,
    in_play: u64,
    failure: Option<DatagenError>,
}

impl Schedule {
    /// Games are played until `output` holds `wanted` of them.
    pub fn new(output: Output, wanted: u64) -> Self {
        let progress = Progress::new("games", wanted);
        progress.start_at(output.totals().games());
        Self { state: Mutex::new(State { output, wanted, in_play: 0, failure: None }), progress }
    }

    /// The number of a game to play; `None` if there are enough.
    pub fn begin(&self) -> Option<u64> {
        let mut state = self.state.lock();
        let enough = state.output.totals().games() + state.in_play >= state.wanted;
        if enough || state.failure.is_some() {
            return None;
        }
        match state.output.next_number() {
            Ok(number) => {
                state.in_play += 1;
                Some(number)
            }
            Err(error) => {
                state.failure = Some(error);
                None
            }
        }
    }

    /// A game has ended. After a failure nothing is written any more.
    pub fn end(&self, game: Result<Game, NoOpening>) {
        let mut state = self.state.lock();
        state.in_play -= 1;
        if state.failure.is_some() {
            return;
        }
        let written = game.map_err(DatagenError::from).and_then(|game| state.output.append(&game));
        if let Err(error) = written {
            state.failure = Some(error);
            return;
        }
        let (totals, fresh) = (state.output.totals(), state.output.fresh_plies());
        let speed = fresh as f64 / self.progress.elapsed().as_secs_f64().max(1e-3);
        self.progress
            .advance(totals.games(), || format!("{speed:.0} plies/s, {}", totals.results()));
    }

    /// A player cannot begin: no game begins any more.
    pub fn fail(&self, error: DatagenError) {
        self.state.lock().failure.get_or_insert(error);
    }

    /// All players have stopped: the output, or why there are not enough games.
    pub fn finish(self) -> Result<Output, DatagenError> {
        self.progress.finish();
        let state = self.state.into_inner();
        match state.failure {
            Some(error) => Err(error),
            None => Ok(state.output),
        }
    }
}

#[cfg(test)]
mod tests {
    use std::fs;

    use clap::Parser;
    use tamarin_movegen::Position;

    use super::super::Recipe;
    use super::*;
    use crate::data::{Outcome, Ply};

    #[derive(Parser)]
    struct Line {
        #[command(flatten)]
        recipe: Recipe,
    }

    #[test]
    fn nothing_is_written_after_a_failure() {
        let name = format!("tamarin-schedule-{}.viri", std::process::id());
        let path = std::env::temp_dir().join(name);
        let _ = fs::remove_file(&path);
        let recipe = Line::parse_from(["datagen"]).recipe;
        let schedule = Schedule::new(Output::open(&path, &recipe, 1).unwrap(), 10);
        let start = Position::startpos();
        let plies = vec![Ply { mv: start.parse_san("e4").unwrap(), score: 20 }];
        let game = Game { start, plies, outcome: Outcome::Draw };
        for _ in 0..3 {
            assert!(schedule.begin().is_some());
        }
        schedule.end(Ok(game.clone()));
        let whole = fs::read(&path).unwrap();
        schedule.end(Err(NoOpening));
        schedule.end(Ok(game));
        assert_eq!(fs::read(&path).unwrap(), whole);
        assert_eq!(schedule.begin(), None);
        assert!(matches!(schedule.finish(), Err(DatagenError::Opening(NoOpening))));
        fs::remove_file(&path).unwrap();
        let _ = fs::remove_file(format!("{}.json", path.display()));
    }
}
