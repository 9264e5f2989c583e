//! The whole game is analyzed: scores and glyphs for each move, and both accuracies.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc::{self, Sender};
use std::thread;

use tamarin_analysis::analyzer::Effort;
use tamarin_game::pgn::{self, Played};
use tamarin_search::Limits;

use super::core::Session;
use super::error::SessionError;
use super::report_variant::VariantWork;
use super::report_work::{News, ONLY_MOVE, Report, Work};
use tamarin_game::position::{Move, Position};
use tamarin_game::tree::NodeId;

const NODES: u64 = 60_000;

/// Memory of the engine, in MiB.
const HASH: usize = 16;

/// Lines for each position: the second one shows whether the first is the only good one.
const LINES: usize = 2;

impl Session {
    /// Begins or ends a report of the main line.
    pub(super) fn report(&mut self, on: bool) -> Result<(), SessionError> {
        if !on {
            self.report = None;
            return Ok(());
        }
        let (sender, news) = mpsc::channel();
        let is_canceled = Arc::new(AtomicBool::new(false));
        let total = self.tree.main_line().len();
        let work = self.work(sender, Arc::clone(&is_canceled));
        thread::Builder::new()
            .name("report".into())
            .spawn(work)
            .map_err(tamarin_game::search::SearcherError::from)?;
        self.report = Some(Report { done: 0, total, is_running: true, is_canceled, news });
        Ok(())
    }

    /// What the thread of a report does.
    fn work(&self, sender: Sender<News>, is_canceled: Arc<AtomicBool>) -> Box<dyn FnOnce() + Send> {
        let nodes = self.tree.main_line();
        let played = nodes.iter().filter_map(|id| self.tree.node(*id));
        match self.tree.start() {
            Position::Chess(start, _) => {
                let mut game = pgn::Game::of_position((**start).clone());
                game.moves.extend(played.filter_map(|node| match node.mv? {
                    Move::Chess(mv) => Some(Played::new(mv, node.san.clone())),
                    Move::Variant(_) => None,
                }));
                let tablebases = self.resources.tablebases.clone();
                let network = self.resources.evaluator.active_network();
                Box::new(move || {
                    let limits = Limits::nodes(NODES);
                    let effort = Effort { limits, lines: LINES, hash: HASH, tablebases, network };
                    Work { game, nodes, effort, sender, is_canceled }.run();
                })
            }
            Position::Variant(start) => {
                let start = start.clone();
                let moves = played.filter_map(|node| match node.mv? {
                    Move::Variant(mv) => Some(mv),
                    Move::Chess(_) => None,
                });
                let moves = moves.collect();
                let lines = LINES;
                let judge = self.resources.judge(start.game());
                let work = VariantWork { judge, start, moves, nodes, lines, sender, is_canceled };
                Box::new(move || work.run())
            }
        }
    }

    /// Takes what the report has found since.
    pub(super) fn advance_report(&mut self) {
        let Some(report) = self.report.as_mut().filter(|report| report.is_running) else { return };
        let mut news = Vec::new();
        loop {
            match report.news.try_recv() {
                Ok(one) => news.push(one),
                Err(mpsc::TryRecvError::Empty) => break,
                Err(mpsc::TryRecvError::Disconnected) => {
                    report.is_running = false;
                    break;
                }
            }
        }
        report.done += news.iter().filter(|one| matches!(one, News::Position(..))).count();
        let is_new = !news.is_empty() || !report.is_running;
        for one in news {
            match one {
                News::Position(id, turn, found) => self.analysis.keep(id, turn, &found),
                News::Over(glyphs) => self.judge(glyphs),
                News::Failed(why) => self.notice(&why),
            }
        }
        if is_new {
            self.changed();
        }
    }

    /// Moves that lost much, and those that were the only ones, get their glyphs, unless somebody
    /// gave them one.
    fn judge(&mut self, glyphs: Vec<(NodeId, u8)>) {
        if glyphs.is_empty() {
            return;
        }
        let before = self.tree.checkpoint(self.at);
        for (id, nag) in glyphs {
            self.tree.annotate(id, |node| {
                let is_judged = node.nags.iter().any(|own| (1..=ONLY_MOVE).contains(own));
                if !is_judged {
                    node.nags.push(nag);
                }
            });
        }
        self.tree.keep_for_undo(before);
    }
}
