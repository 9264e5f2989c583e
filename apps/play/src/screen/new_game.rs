//! The dialog for a new game.

use crate::clock::{Clocks, TimeControl};
use crate::command::Side;
use crate::level::{DEFAULT_LEVEL, Level};

/// The longest name, in characters.
const MAX_NAME: usize = 24;

/// Time controls to choose from, after none.
const TIMES: [&str; 8] = ["1+0", "3+2", "5+0", "5+3", "10+5", "15+10", "30+0", "90+30"];

const SIDES: [(Side, &str); 5] = [
    (Side::White, "White"),
    (Side::Black, "Black"),
    (Side::Random, "by chance"),
    (Side::Both, "both: two people"),
    (Side::None, "none: the engine alone"),
];

/// What a new game shall be.
#[derive(Clone, Debug)]
pub struct NewGame {
    row: usize,
    side: usize,
    level: usize,
    time: usize,
    name: String,
}

/// The levels in the order in which the keys go through them.
fn levels() -> Vec<Level> {
    (1..=20).map(Level::Number).chain([Level::Easy, Level::Medium, Level::Hard]).collect()
}

impl NewGame {
    /// The dialog with what is played now.
    pub fn new(side: Side, level: Option<Level>, control: Option<TimeControl>, name: &str) -> Self {
        let level = level.and_then(|level| levels().iter().position(|known| *known == level));
        let control = control.map(|control| control.to_string());
        let time = TIMES.iter().position(|time| Some(*time) == control.as_deref());
        Self {
            row: 0,
            side: SIDES.iter().position(|(known, _)| *known == side).unwrap_or(0),
            level: level.unwrap_or(4),
            time: time.map_or(0, |index| index + 1),
            name: name.to_owned(),
        }
    }

    /// Goes to another row.
    pub const fn go(&mut self, down: bool) {
        self.row = (self.row + if down { 1 } else { 3 }) % 4;
    }

    /// Takes the next or the previous choice of the row.
    pub fn choose(&mut self, forward: bool) {
        let turned =
            |index: usize, count: usize| (index + if forward { 1 } else { count - 1 }) % count;
        match self.row {
            0 => self.side = turned(self.side, SIDES.len()),
            1 => self.level = turned(self.level, levels().len()),
            2 => self.time = turned(self.time, TIMES.len() + 1),
            _ => {}
        }
    }

    /// Types a letter of the name, whatever row is chosen.
    pub fn type_letter(&mut self, letter: char) {
        self.row = 3;
        if !letter.is_control() && self.name.chars().count() < MAX_NAME {
            self.name.push(letter);
        }
    }

    /// Removes the last letter of the name.
    pub fn erase(&mut self) {
        self.row = 3;
        self.name.pop();
    }

    pub fn players(&self) -> (Side, Level) {
        (SIDES[self.side].0, levels().get(self.level).copied().unwrap_or(DEFAULT_LEVEL))
    }

    pub fn clocks(&self) -> Option<Clocks> {
        let text = TIMES.get(self.time.checked_sub(1)?)?;
        text.parse().ok().map(Clocks::new)
    }

    pub fn name(&self) -> &str {
        let name = self.name.trim();
        if name.is_empty() { "Player" } else { name }
    }

    /// A line for each row, and which one is chosen.
    pub fn rows(&self) -> (usize, [String; 4]) {
        let (_, level) = self.players();
        let time = self.time.checked_sub(1).map_or("none", |index| TIMES[index]);
        let rows = [
            format!("Your color   < {} >", SIDES[self.side].1),
            format!("The engine   < {level} >"),
            format!("Clocks       < {time} >"),
            format!("Your name    {}_", self.name),
        ];
        (self.row, rows)
    }
}

#[cfg(test)]
mod tests {
    use super::NewGame;
    use crate::command::Side;
    use crate::level::Level;

    #[test]
    fn rows_are_gone_through_and_changed() {
        let mut dialog = NewGame::new(Side::White, Some(Level::Number(20)), None, "Ann");
        dialog.choose(false);
        assert_eq!(dialog.players(), (Side::None, Level::Number(20)));
        dialog.go(true);
        dialog.choose(true);
        assert_eq!(dialog.players().1, Level::Easy);
        dialog.go(true);
        assert!(dialog.clocks().is_none());
        dialog.choose(true);
        assert_eq!(dialog.clocks().unwrap().control().to_string(), "1+0");
        dialog.go(false);
        dialog.go(false);
        dialog.go(false);
        "a\u{7}".chars().for_each(|letter| dialog.type_letter(letter));
        assert_eq!((dialog.name(), dialog.rows().0), ("Anna", 3));
        (0..9).for_each(|_| dialog.erase());
        assert_eq!(dialog.name(), "Player");
        (0..99).for_each(|_| dialog.type_letter('x'));
        assert_eq!(dialog.name().len(), 24);
    }

    #[test]
    fn it_begins_with_what_is_played() {
        let control = "5+3".parse().unwrap();
        let dialog = NewGame::new(Side::Black, Some(Level::Hard), Some(control), "B");
        assert_eq!(dialog.players(), (Side::Black, Level::Hard));
        assert_eq!(dialog.clocks().unwrap().control(), control);
        assert!(dialog.rows().1[2].contains("5+3"));
    }
}
