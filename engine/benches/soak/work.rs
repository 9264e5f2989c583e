//! The three kinds of work of a soak. What fails is counted and shown, and its processes are started
//! anew. Linux says how much memory a process has; elsewhere its growth is not measured.

use std::panic::{AssertUnwindSafe, catch_unwind};
use std::thread;

use super::support::files::Folder;
use super::support::game::{Control, Outcome, play};
use super::support::network_file::queens;
use super::support::xboard::Client;
use super::support::{Engine, Random, ms, uci_storm, xboard_storm};
use super::totals::Totals;

const CONTROL: Control = Control::Clock { base: ms(1000), increment: ms(10), moves: None };

/// Brings an engine back to where a sequence of commands begins.
const FROM_THE_START: &str = "setoption name UCI_Chess960 value false\n\
    setoption name MultiPV value 1\nsetoption name Hash value 4\nsetoption name Threads value 1\n\
    setoption name Evaluator value network\nsetoption name EvalFile value <empty>\n\
    ucinewgame\nposition startpos\ngo nodes 20000";

/// Measurements before the one that later ones are compared with: tables fill, and the allocator
/// takes what it will go on with.
const WARM_UP: usize = 5;

/// The resident memory of a process, measured again and again in the same state.
#[derive(Default)]
struct Memory {
    kib: Vec<u64>,
}

impl Memory {
    fn measure(&mut self, engine: &Engine) {
        #[cfg(target_os = "linux")]
        self.kib.push(engine.status("VmRSS:"));
        #[cfg(not(target_os = "linux"))]
        let _ = engine;
    }

    /// Adds to the sums by how much it grew: from after the warm-up to the end, at both of which the
    /// least of three measurements counts.
    fn add_to(&self, totals: &mut Totals) {
        let Some(warm) = self.kib.get(WARM_UP..).filter(|warm| warm.len() >= 6) else { return };
        let least = |kib: &[u64]| kib.iter().copied().min().unwrap_or(0);
        let grown = least(&warm[warm.len() - 3..]).saturating_sub(least(&warm[..3]));
        totals.drift = totals.drift.max(grown);
        totals.compared += 1;
    }
}

/// Two engines that play each other.
struct Pair {
    players: [Engine; 2],
    memory: [Memory; 2],
}

impl Pair {
    fn new() -> Self {
        Self { players: [Engine::ready(), Engine::ready()], memory: Default::default() }
    }

    fn play(&mut self, seed: u64) -> Outcome {
        let outcome = play(&mut self.players, CONTROL, seed, |search, _| search.elapsed);
        for (player, memory) in self.players.iter_mut().zip(&mut self.memory) {
            player.send("ucinewgame");
            player.sync();
            memory.measure(player);
        }
        outcome
    }
}

/// The processes of a part.
pub struct Work {
    /// As many pairs as there are processors: of two players one thinks.
    pairs: Vec<Option<Pair>>,
    uci: Option<(Engine, Memory)>,
    xboard: Option<(Client, Memory)>,
    folder: Folder,
}

/// What a panic of the harness says.
fn attempt<T>(totals: &mut Totals, work: impl FnOnce() -> T) -> Option<T> {
    // The harness has printed what is wrong.
    let done = catch_unwind(AssertUnwindSafe(work)).ok();
    totals.failures += u64::from(done.is_none());
    done
}

impl Work {
    pub fn new() -> Self {
        let lanes = thread::available_parallelism().map_or(1, usize::from);
        let pairs = (0..lanes).map(|_| None).collect();
        Self { pairs, uci: None, xboard: None, folder: Folder::new() }
    }

    /// Plays `count` games, one on each processor at a time.
    pub fn games(&mut self, totals: &mut Totals, count: u64) {
        let lanes = self.pairs.len() as u64;
        let first = totals.games;
        let lane = |(lane, pair): (usize, &mut Option<Pair>)| {
            let mut outcomes = Vec::new();
            for seed in (first + lane as u64..first + count).step_by(lanes as usize) {
                let game = || pair.get_or_insert_with(Pair::new).play(seed);
                let outcome = catch_unwind(AssertUnwindSafe(game)).ok();
                if outcome.is_none() {
                    *pair = None;
                }
                outcomes.push(outcome);
            }
            outcomes
        };
        let outcomes: Vec<Option<Outcome>> = thread::scope(|scope| {
            let lanes: Vec<_> =
                self.pairs.iter_mut().enumerate().map(|one| scope.spawn(|| lane(one))).collect();
            lanes.into_iter().flat_map(|lane| lane.join().expect("panics are caught")).collect()
        });
        for outcome in outcomes {
            totals.games += 1;
            let Some(outcome) = outcome else {
                totals.failures += 1;
                continue;
            };
            totals.plies += outcome.plies as u64;
            totals.least_left = totals.least_left.min(outcome.clocks.least.as_micros() as u64);
            if let Some(loss) = outcome.loss {
                totals.lost += 1;
                println!("Lost: {loss}");
            }
        }
    }

    /// Sends `commands` commands of UCI in sequences that a model judges.
    pub fn uci(&mut self, totals: &mut Totals, commands: u64) {
        let network = self.folder.file("queens.net", queens(1024));
        let mut sent = 0;
        while sent < commands {
            let seed = totals.uci_commands;
            let done = attempt(totals, || {
                let (engine, memory) =
                    self.uci.get_or_insert_with(|| (Engine::start(), Memory::default()));
                uci_storm::run(engine, seed, &network);
                engine.go(FROM_THE_START);
                memory.measure(engine);
            });
            if done.is_none() {
                self.uci = None;
            }
            sent += uci_storm::COMMANDS as u64;
            totals.uci_commands += uci_storm::COMMANDS as u64;
        }
    }

    /// Sends `commands` commands of XBoard in any order.
    pub fn xboard(&mut self, totals: &mut Totals, commands: u64) {
        let mut sent = 0;
        while sent < commands {
            let mut random = Random::new(totals.xboard_commands);
            let lines = attempt(totals, || {
                let (client, memory) =
                    self.xboard.get_or_insert_with(|| (Client::ready(), Memory::default()));
                let lines = xboard_storm::run(client, &mut random);
                client.said("memory 40\ncores 1\noption MultiPV=1\nnew");
                memory.measure(client.engine());
                lines.len() as u64
            });
            if lines.is_none() {
                self.xboard = None;
            }
            let lines = lines.unwrap_or(1);
            sent += lines;
            totals.xboard_commands += lines;
        }
    }

    /// Ends the processes, which must end by themselves, and adds what their memory grew by.
    pub fn end(self, totals: &mut Totals) {
        for Pair { players, memory } in self.pairs.into_iter().flatten() {
            memory.iter().for_each(|memory| memory.add_to(totals));
            for player in players {
                attempt(totals, || player.quit());
            }
        }
        if let Some((engine, memory)) = self.uci {
            memory.add_to(totals);
            attempt(totals, || engine.quit());
        }
        if let Some((client, memory)) = self.xboard {
            memory.add_to(totals);
            attempt(totals, || client.quit());
        }
    }
}
