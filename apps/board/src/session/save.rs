//! Tables that outlive the process.

use std::collections::HashMap;
use std::time::{Duration, Instant};

use tamarin_game::ending::Ending;
use tamarin_game::pgn::Outcome;
use tamarin_movegen::{Color, PerColor};

use super::core::Session;
use super::error::SessionError;
use crate::protocol::Open;
use crate::resources::Resources;
use crate::saved::{Saved, SavedNode};
use crate::sessions::secret;
use tamarin_game::tree::NodeId;

/// The clocks in milliseconds.
fn millis(clocks: PerColor<Duration>) -> [u64; 2] {
    clocks.0.map(|left| u64::try_from(left.as_millis()).unwrap_or(u64::MAX))
}

/// The clocks of these milliseconds.
fn durations(clocks: [u64; 2]) -> PerColor<Duration> {
    PerColor(clocks.map(Duration::from_millis))
}

impl Session {
    /// Saves the session, if it has a file.
    pub(super) fn keep(&mut self) {
        let Some(mut slot) = self.slot.take() else { return };
        let kept = slot.keep(&self.saved());
        self.slot = Some(slot);
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
    pub(super) fn save_copy(&mut self) {
        let Some(slot) = self.slot.as_ref().filter(|_| self.is_changed()) else { return };
        let saved = self.saved();
        if saved.is_empty() {
            return;
        }
        let number = secret::<8>().map_err(|error| error.to_string());
        if let Err(why) = number.and_then(|id| slot.write_as(&id, &saved)) {
            self.notice(&format!("The game before cannot be kept: {why}"));
        }
    }

    /// The session as it is kept.
    fn saved(&self) -> Saved {
        let turns = self.game.turns().iter().map(|turn| turn.before);
        let before: HashMap<NodeId, _> =
            self.tree.main_line().into_iter().skip(1).zip(turns).collect();
        let mut places: HashMap<NodeId, usize> = HashMap::from([(0, 0)]);
        let mut nodes = Vec::with_capacity(self.tree.size());
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
                    before: before.get(&id).copied().flatten().map(millis),
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
            clock: self.game.clocks().map(|clocks| millis(clocks.both(now))),
            end: self.game.ending().map(|end| {
                [end.outcome().to_string(), end.to_string(), end.termination().to_owned()]
            }),
            names: Color::ALL.map(|color| self.players[color].name.clone()),
            tags: self.tags.clone(),
            start: self.tree.start().fen(),
        }
    }

    /// A kept session as it was.
    ///
    /// # Errors
    /// If what was kept is invalid.
    pub fn resume(id: String, saved: Saved, resources: Resources) -> Result<Self, SessionError> {
        let fen = saved.open.fen.clone();
        let open = Open { fen: Some(saved.start), ..saved.open };
        let mut session = Self::open(id, open, resources)?;
        // What the user has asked for, as before.
        session.opened.fen = fen;
        let mut ids: Vec<NodeId> = vec![0];
        let mut before = HashMap::new();
        for node in saved.nodes {
            let wrong = || SessionError::Begin("a kept game is damaged".to_owned());
            let parent = *ids.get(node.parent).ok_or_else(wrong)?;
            let position = session.tree.position(parent);
            let mv = position.find(&node.mv).map_err(SessionError::Begin)?;
            let new = session.tree.add(parent, mv, &position)?;
            session.tree.annotate(new, |own| {
                own.lead = node.lead;
                own.comments = node.comments;
                own.nags = node.nags;
                own.unread = node.unread;
            });
            before.insert(new, node.before.map(durations));
            ids.push(new);
        }
        session.tree.annotate(0, |root| root.comments = saved.lead);
        session.at = ids.get(saved.at).copied().unwrap_or(0);
        let line = session.tree.main_line().into_iter().skip(1);
        let before: Vec<_> = line.map(|id| before.remove(&id).flatten()).collect();
        session.replay(&before);
        if let Some(left) = saved.clock {
            session.game.set_clocks(durations(left));
        }
        if let (None, Some([outcome, reason, _])) = (session.game.ending(), saved.end) {
            let recorded = Ending::Recorded(Outcome::of(&outcome));
            session.game.set_ending(Ending::of_text(&reason).unwrap_or(recorded));
        }
        for (color, name) in Color::ALL.into_iter().zip(saved.names) {
            session.players[color].name = name;
        }
        session.tags = saved.tags;
        Ok(session)
    }
}
