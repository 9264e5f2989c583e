//! Tables that outlive the process.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use tamarin_game::ending::Ending;
use tamarin_game::pgn::Outcome;
use tamarin_movegen::{Color, PerColor};

use super::base::Table;
use super::error::TableError;
use crate::hall::secret;
use crate::protocol::Open;
use crate::resources::Resources;
use crate::saved::{Saved, SavedNode};
use tamarin_game::tree::NodeId;

/// The clocks in milliseconds.
fn millis(clocks: PerColor<Duration>) -> [u64; 2] {
    clocks.0.map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX))
}

/// The clocks of these milliseconds.
fn durations(clocks: [u64; 2]) -> PerColor<Duration> {
    PerColor(clocks.map(Duration::from_millis))
}

impl Table {
    /// Keeps the table as it is, if it has a place.
    pub(super) fn keep(&mut self) {
        let Some(mut keeper) = self.keeper.take() else { return };
        let kept = keeper.keep(&self.saved());
        self.keeper = Some(keeper);
        match kept {
            Ok(()) => self.is_loss_told = false,
            // It is said once, as soon as a page is there, and tried again after each change.
            Err(why) if !self.is_loss_told && self.sender.receiver_count() > 0 => {
                self.is_loss_told = true;
                self.notice(&format!("The game cannot be kept: {why}"));
            }
            Err(_) => {}
        }
    }

    /// Keeps the game on the board under a number of its own if it was changed: another one takes
    /// its place.
    pub(super) fn set_aside(&mut self) {
        let Some(keeper) = self.keeper.as_ref().filter(|_| self.is_changed()) else { return };
        let saved = self.saved();
        if saved.is_empty() {
            return;
        }
        let number = secret::<8>().map_err(|error| error.to_string());
        if let Err(why) = number.and_then(|id| keeper.keep_as(&id, &saved)) {
            self.notice(&format!("The game before cannot be kept: {why}"));
        }
    }

    /// The table as it is kept.
    fn saved(&self) -> Saved {
        let mut places: HashMap<NodeId, usize> = HashMap::from([(0, 0)]);
        let mut nodes = Vec::with_capacity(self.tree.len());
        let mut open = vec![0];
        // The main line first, so that it is that again.
        while let Some(id) = open.pop() {
            let Some(node) = self.tree.node(id) else { continue };
            if let Some(parent) = node.parent {
                nodes.push(SavedNode {
                    parent: places.get(&parent).copied().unwrap_or(0),
                    mv: node.text.clone(),
                    lead: node.lead.clone(),
                    comments: node.comments.clone(),
                    nags: node.nags.clone(),
                    unread: node.unread.clone(),
                    before: self.before.get(&id).copied().map(millis),
                });
                places.insert(id, nodes.len());
            }
            open.extend(node.children.iter().rev());
        }
        let now = Instant::now();
        Saved {
            open: self.opened.clone(),
            game: Some(self.game_name()),
            nodes,
            lead: self.tree.node(0).map(|root| root.comments.clone()).unwrap_or_default(),
            at: places.get(&self.at).copied().unwrap_or(0),
            clock: self.clocks.as_ref().map(|clocks| millis(clocks.both(now))),
            end: self.end.as_ref().map(|end| {
                [end.outcome().to_string(), end.to_string(), end.termination().to_owned()]
            }),
            names: Color::ALL.map(|color| self.players[color].name.clone()),
            tags: self.tags.clone(),
            start: self.tree.start().fen(),
        }
    }

    /// A kept table as it was.
    ///
    /// # Errors
    /// If what was kept is invalid.
    pub fn resume(id: String, saved: Saved, resources: Resources) -> Result<Self, TableError> {
        let fen = saved.open.fen.clone();
        let open = Open { fen: Some(saved.start), ..saved.open };
        let mut table = Self::open(id, open, resources)?;
        // What the user has asked for, as before.
        table.opened.fen = fen;
        let mut ids: Vec<NodeId> = vec![0];
        for node in saved.nodes {
            let wrong = || TableError::Begin("a kept game is damaged".to_owned());
            let parent = *ids.get(node.parent).ok_or_else(wrong)?;
            let place = table.tree.position(parent);
            let mv = place.find(&node.mv).map_err(TableError::Begin)?;
            let new = table.tree.add(parent, mv, &place)?;
            table.tree.annotate(new, |own| {
                own.lead = node.lead;
                own.comments = node.comments;
                own.nags = node.nags;
                own.unread = node.unread;
            });
            table.before.extend(node.before.map(|before| (new, durations(before))));
            ids.push(new);
        }
        table.tree.annotate(0, |root| root.comments = saved.lead);
        table.at = ids.get(saved.at).copied().unwrap_or(0);
        if let (Some(clocks), Some(left)) = (&mut table.clocks, saved.clock) {
            clocks.set(durations(left));
        }
        table.end = table.game_place().ending();
        if let (None, Some([outcome, reason, _])) = (table.end, saved.end) {
            let recorded = Ending::Recorded(Outcome::of(&outcome));
            table.end = Some(Ending::of_text(&reason).unwrap_or(recorded));
        }
        for (color, name) in Color::ALL.into_iter().zip(saved.names) {
            table.players[color].name = name;
        }
        table.tags = saved.tags;
        Ok(table)
    }
}
