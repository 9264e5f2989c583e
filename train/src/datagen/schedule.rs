//! Handing out game numbers to the players and taking in their games.

use parking_lot::Mutex;

use super::DatagenError;
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

    /// A game has ended.
    pub fn end(&self, game: &Game) {
        let mut state = self.state.lock();
        state.in_play -= 1;
        if let Err(error) = state.output.append(game) {
            state.failure.get_or_insert(error);
            return;
        }
        let (totals, fresh) = (state.output.totals(), state.output.fresh_plies());
        let speed = fresh as f64 / self.progress.elapsed().as_secs_f64().max(1e-3);
        self.progress
            .advance(totals.games(), || format!("{speed:.0} plies/s, {}", totals.results()));
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
