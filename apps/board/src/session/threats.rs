//! The search for threats: what the opponent would play if the side to move passed.

use crate::resources::Resources;
use tamarin_game::position::Position;
use tamarin_game::search::{Ask, Found, Searcher, SearcherError};
use tamarin_game::tree::NodeId;

/// Nodes of a search for threats: what takes longer to see is no threat.
const NODES: u64 = 300_000;

/// How many threats are looked for.
const LINES: usize = 2;

/// The search for threats at a session.
#[derive(Default)]
pub struct Threats {
    pub is_wanted: bool,
    /// It has a session of its own, so that it does not mix with the analysis.
    pub searcher: Option<Searcher>,
    /// The node whose threats are known or looked for.
    pub of: Option<NodeId>,
    pub sent: Found,
}

impl Threats {
    pub fn is_running(&self) -> bool {
        self.searcher.as_ref().is_some_and(Searcher::is_running)
    }

    /// The search ends; it begins again when somebody looks.
    pub fn rest(&mut self) {
        if let Some(searcher) = &mut self.searcher {
            searcher.stop();
        }
        self.of = None;
    }

    /// Searches a position after a pass.
    pub fn search(
        &mut self,
        resources: &Resources,
        passed: &Position,
    ) -> Result<(), SearcherError> {
        let searcher = match &mut self.searcher {
            Some(searcher) => searcher,
            none => none.insert(resources.searcher(passed, None, 1)?),
        };
        let ask = Ask { nodes: Some(NODES), lines: LINES, ..Ask::default() };
        searcher.start(passed, &ask)
    }
}
