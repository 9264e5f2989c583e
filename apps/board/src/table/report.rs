//! The whole game is analyzed: scores and glyphs for each move, and both accuracies.

use std::sync::Arc;
use std::sync::atomic::AtomicBool;
use std::sync::mpsc;
use std::thread;

use tamarin_analysis::analyse::{GameAnalysis, Judgement, Moment};
use tamarin_analysis::analyzer::{Effort, PositionAnalysis};
use tamarin_notation::pgn::{self, Played};
use tamarin_search::{Limits, Millis};

use super::base::Table;
use super::error::TableError;
use super::report_work::{News, Report, Work};
use crate::place::AnyMove;
use crate::seeker::{Found, FoundLine, Worth};
use crate::tree::NodeId;

/// Nodes for each position.
const NODES: u64 = 60_000;

/// Memory of the engine, in MiB.
const HASH: usize = 16;

/// Lines for each position: the second one tells whether the first is the only good one.
const LINES: usize = 2;

/// The glyph of a move that was the only good one.
const ONLY_MOVE: u8 = 8;

impl Table {
    /// Begins or ends a report of the main line.
    pub(super) fn report(&mut self, on: bool) -> Result<(), TableError> {
        if !on {
            self.report = None;
            return Ok(());
        }
        let start = self.tree.start().chess().ok_or(TableError::Kind("a report"))?;
        let mut game = pgn::Game::of_position(start.clone());
        let nodes = self.tree.main_line();
        for id in &nodes {
            if let Some(node) = self.tree.node(*id)
                && let Some(AnyMove::Chess(mv)) = node.mv
            {
                game.moves.push(Played::new(mv, node.san.clone()));
            }
        }
        let effort = Effort {
            limits: Limits::nodes(NODES),
            lines: LINES,
            hash: HASH,
            tablebases: self.resources.tablebases.clone(),
            network: self.resources.evaluator.active_network(),
        };
        let (sender, news) = mpsc::channel();
        let is_canceled = Arc::new(AtomicBool::new(false));
        let total = nodes.len();
        let work = Work { game, nodes, effort, sender, is_canceled: Arc::clone(&is_canceled) };
        thread::Builder::new()
            .name("report".into())
            .spawn(move || work.run())
            .map_err(crate::seeker::SeekerError::from)?;
        self.report = Some(Report { done: 0, total, is_running: true, is_canceled, news });
        Ok(())
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
                News::Position(id, turn, found) => self.analysis.keep(id, turn, &converted(&found)),
                News::Over(nodes, found) => self.judge(&nodes, &found),
                News::Failed(why) => self.notice(&why),
            }
        }
        if is_new {
            self.changed();
        }
    }

    /// Moves that lost much, and those that were the only ones, get their glyphs, unless somebody
    /// gave them one.
    fn judge(&mut self, nodes: &[NodeId], found: &GameAnalysis) {
        let only = |ply: usize| {
            found.critical.iter().any(|one| one.ply == ply && one.moment == Moment::OnlyMove)
        };
        let glyphs: Vec<(NodeId, u8)> = found
            .moves
            .iter()
            .enumerate()
            .filter_map(|(ply, report)| {
                let nag = report.judgement.map(Judgement::nag);
                Some((*nodes.get(ply + 1)?, nag.or(only(ply).then_some(ONLY_MOVE))?))
            })
            .collect();
        if glyphs.is_empty() {
            return;
        }
        self.tree.checkpoint(self.at);
        for (id, nag) in glyphs {
            self.tree.annotate(id, |node| {
                let is_judged = node.nags.iter().any(|own| (1..=ONLY_MOVE).contains(own));
                if !is_judged {
                    node.nags.push(nag);
                }
            });
        }
    }
}

fn converted(found: &PositionAnalysis) -> Found {
    let line = |line: &tamarin_analysis::analyzer::Line| FoundLine {
        worth: Worth::Chess(line.score),
        pv: line.moves.iter().copied().map(AnyMove::Chess).collect(),
    };
    let lines = found.lines.iter().map(line).collect();
    Found { depth: found.depth, nodes: found.nodes, time: Millis::ZERO, lines }
}
