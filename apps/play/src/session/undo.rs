//! Moves that are taken back and played again in a session.

use std::time::Instant;

use super::{Message, Session};

impl Session {
    /// Takes back `count` moves, or those since it was last a person's turn.
    pub(super) fn undo(&mut self, count: Option<usize>, out: &mut Vec<Message>) {
        if let Some(course) = &self.course {
            out.push(Message::Refused(format!("A {} has no moves to take back.", course.word())));
            return;
        }
        self.players.stop();
        self.drop_question();
        let mut taken = Vec::new();
        let is_enough = |session: &Self, taken: &[String]| match count {
            Some(count) => taken.len() >= count,
            // Until it is a person's turn again.
            None => {
                !taken.is_empty()
                    && (!session.players.is_engine(session.game.mover())
                        || session.players.only_human().is_none())
            }
        };
        while !is_enough(self, &taken) {
            let Some(turn) = self.game.undo() else { break };
            taken.push(turn.san.clone());
        }
        if taken.is_empty() {
            out.push(Message::Refused("There is no move to take back.".to_owned()));
            return;
        }
        self.players.forget_opinions();
        self.after_change();
        if self.players.is_engine(self.game.mover()) {
            // The engine would play its move again at once.
            self.is_paused = true;
        }
        out.push(Message::Text(format!("Taken back: {}.", taken.join(" "))));
        self.say_pause(out);
        out.push(Message::Board);
    }

    fn say_pause(&self, out: &mut Vec<Message>) {
        if self.is_paused {
            out.push(Message::Text("Paused; say pause to go on.".to_owned()));
        }
    }

    /// Plays `count` moves again, or those of a turn.
    pub(super) fn redo(&mut self, count: Option<usize>, now: Instant, out: &mut Vec<Message>) {
        if self.is_over(out) {
            return;
        }
        self.players.stop();
        self.drop_question();
        let wanted = count.unwrap_or(if self.players.only_human().is_some() { 2 } else { 1 });
        let mut again = Vec::new();
        while again.len() < wanted {
            let Some(turn) = self.game.redo(now) else { break };
            again.push(turn.san.clone());
        }
        if again.is_empty() {
            out.push(Message::Refused("No move was taken back.".to_owned()));
            return;
        }
        self.after_change();
        out.push(Message::Text(format!("Played again: {}.", again.join(" "))));
        if self.game.ending().is_none() {
            self.say_pause(out);
        }
        out.push(Message::Board);
        out.extend(self.game.ending().map(Message::Ended));
    }
}
