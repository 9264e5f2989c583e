//! The dialog for a new game.

use super::text::columns;
use crate::session::command::Side;
use tamarin_game::clock::{Clocks, TimeControl};
use tamarin_game::level::Level;

/// The longest name, in columns.
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
    /// The levels in the order in which the keys go through them; `None` leaves the engines as
    /// they are.
    levels: Vec<Option<Level>>,
    level: usize,
    /// The time controls; `None` is a game without clocks.
    times: Vec<Option<TimeControl>>,
    time: usize,
    /// Whether Chess960 can be chosen.
    pub has_chess960: bool,
    is_chess960: bool,
    name: String,
}

/// The place of a value in a list; it is added to one that does not have it.
fn place<T: PartialEq>(list: &mut Vec<T>, value: T) -> usize {
    list.iter().position(|known| *known == value).unwrap_or_else(|| {
        list.push(value);
        list.len() - 1
    })
}

impl NewGame {
    /// The dialog with what is played now; without a level if that is no single one.
    pub fn new(side: Side, level: Option<Level>, control: Option<TimeControl>, name: &str) -> Self {
        let presets = [Level::Easy, Level::Medium, Level::Hard];
        let mut levels = (1..=20).map(Level::Number).chain(presets).map(Some).collect();
        let mut times =
            std::iter::once(None).chain(TIMES.iter().map(|text| text.parse().ok())).collect();
        Self {
            row: 0,
            side: SIDES.iter().position(|(known, _)| *known == side).unwrap_or(0),
            level: place(&mut levels, level),
            levels,
            time: place(&mut times, control),
            times,
            has_chess960: false,
            is_chess960: false,
            name: name.to_owned(),
        }
    }

    /// Goes to another row.
    pub const fn go(&mut self, down: bool) {
        self.row = (self.row + if down { 1 } else { 4 }) % 5;
    }

    /// Takes the next or the previous choice of the row.
    pub fn choose(&mut self, forward: bool) {
        let turned =
            |index: usize, count: usize| (index + if forward { 1 } else { count - 1 }) % count;
        match self.row {
            0 => self.side = turned(self.side, SIDES.len()),
            1 => self.level = turned(self.level, self.levels.len()),
            2 => self.time = turned(self.time, self.times.len()),
            3 => self.is_chess960 ^= self.has_chess960,
            _ => {}
        }
    }

    /// Types a letter of the name, whatever row is chosen.
    pub fn type_letter(&mut self, letter: char) {
        self.row = 4;
        self.name.push(letter);
        if letter.is_control() || columns(&self.name) > MAX_NAME {
            self.name.pop();
        }
    }

    /// Removes the last letter of the name.
    pub fn erase(&mut self) {
        self.row = 4;
        self.name.pop();
    }

    /// Which sides people play, and the level of the engine unless it stays as it is.
    pub fn players(&self) -> (Side, Option<Level>) {
        (SIDES[self.side].0, self.levels[self.level])
    }

    pub fn clocks(&self) -> Option<Clocks> {
        self.times[self.time].map(Clocks::new)
    }

    /// Whether it begins with any position of Chess960.
    pub const fn is_chess960(&self) -> bool {
        self.is_chess960
    }

    pub fn name(&self) -> &str {
        let name = self.name.trim();
        if name.is_empty() { "Player" } else { name }
    }

    /// A line for each row, and which one is chosen.
    pub fn rows(&self) -> (usize, [String; 5]) {
        let level = self.levels[self.level].map_or("as now".to_owned(), |level| level.to_string());
        let time = self.times[self.time].map_or("none".to_owned(), |time| time.to_string());
        let position = if self.is_chess960 { "any of Chess960" } else { "as usual" };
        let rows = [
            format!("Your color   < {} >", SIDES[self.side].1),
            format!("The engine   < {level} >"),
            format!("Clocks       < {time} >"),
            format!("Position     < {position} >"),
            format!("Your name    {}_", self.name),
        ];
        (self.row, rows)
    }
}

#[cfg(test)]
mod tests {
    use super::NewGame;
    use crate::session::command::Side;
    use tamarin_game::level::Level;

    #[test]
    fn rows_are_gone_through_and_changed() {
        let mut dialog = NewGame::new(Side::White, Some(Level::Number(20)), None, "Ann");
        dialog.choose(false);
        assert_eq!(dialog.players(), (Side::None, Some(Level::Number(20))));
        dialog.go(true);
        dialog.choose(true);
        assert_eq!(dialog.players().1, Some(Level::Easy));
        dialog.go(true);
        assert!(dialog.clocks().is_none());
        dialog.choose(true);
        assert_eq!(dialog.clocks().unwrap().control().to_string(), "1+0");
        dialog.go(true);
        dialog.choose(true);
        assert!(!dialog.is_chess960());
        dialog.has_chess960 = true;
        dialog.choose(true);
        assert!(dialog.is_chess960());
        "a\u{7}".chars().for_each(|letter| dialog.type_letter(letter));
        assert_eq!((dialog.name(), dialog.rows().0), ("Anna", 4));
        (0..9).for_each(|_| dialog.erase());
        assert_eq!(dialog.name(), "Player");
        (0..99).for_each(|_| dialog.type_letter('x'));
        assert_eq!(dialog.name().len(), 24);
        (0..24).for_each(|_| dialog.erase());
        (0..99).for_each(|_| dialog.type_letter('王'));
        assert_eq!(dialog.name().chars().count(), 12, "each takes two columns");
    }

    #[test]
    fn what_is_in_no_list_stays_as_it_is() {
        let control = "7+2".parse().unwrap();
        let mut dialog = NewGame::new(Side::Black, Some(Level::Elo(1800)), Some(control), "B");
        assert_eq!(dialog.players(), (Side::Black, Some(Level::Elo(1800))));
        assert_eq!(dialog.clocks().unwrap().control(), control);
        dialog.go(true);
        dialog.choose(true);
        assert_eq!(dialog.players().1, Some(Level::Number(1)));
        let several = NewGame::new(Side::None, None, None, "B");
        assert_eq!(several.players(), (Side::None, None));
        let rows = several.rows().1;
        assert!(rows[1].contains("as now") && rows[2].contains("none"), "{rows:?}");
    }
}
