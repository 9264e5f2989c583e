//! A client of the XBoard protocol: the engine behind pipes, pinged and judged.

use super::engine::Line;
use super::{Engine, Oracle, PATIENCE, ms};

/// A client that has read the features of its engine.
pub struct Client {
    engine: Engine,
    pings: u32,
}

#[derive(Clone, Debug)]
pub struct Thinking {
    pub depth: u32,
    pub score: i32,
    pub centiseconds: u64,
    pub nodes: u64,
    pub variation: Vec<String>,
}

impl Thinking {
    /// The fields, if `text` is a line of thinking: four whole numbers, a blank and a tab, moves.
    pub fn parse(text: &str) -> Option<Self> {
        if !text.starts_with(|first: char| first.is_ascii_digit()) || is_result(text) {
            return None;
        }
        let (numbers, variation) = text.split_once(" \t").expect("a tab before the variation");
        let numbers: Vec<_> = numbers.split(' ').collect();
        let [depth, score, centiseconds, nodes] = numbers[..] else { panic!("fields of {text:?}") };
        Some(Self {
            depth: depth.parse().expect("a depth"),
            score: score.parse().expect("a score"),
            centiseconds: centiseconds.parse().expect("a time"),
            nodes: nodes.parse().expect("nodes"),
            variation: variation
                .trim_end_matches(['!', '?'])
                .split(' ')
                .map(str::to_owned)
                .collect(),
        })
    }
}

/// Returns `true` if the line ends a game.
pub fn is_result(text: &str) -> bool {
    ["1-0 {", "0-1 {", "1/2-1/2 {"].iter().any(|start| text.starts_with(start))
}

impl Client {
    /// Starts the engine and reads its features.
    pub fn ready() -> Self {
        Self::of(Engine::start())
    }

    /// The client of an engine that has read nothing yet.
    pub fn of(engine: Engine) -> Self {
        let mut client = Self { engine, pings: 0 };
        client.send("xboard\nprotover 2");
        client.until("the features", |text| text == "feature done=1");
        client.send("accepted done\nnew\nrandom\neasy");
        client
    }

    pub fn send(&mut self, text: &str) {
        self.engine.send(text);
    }

    pub fn engine(&mut self) -> &mut Engine {
        &mut self.engine
    }

    /// Every line up to one that is wanted, which comes last.
    pub fn until(&mut self, what: &str, wanted: impl Fn(&str) -> bool) -> Vec<String> {
        let lines = self.engine.until_line(what, PATIENCE, wanted);
        lines.into_iter().map(|Line { text, .. }| text).collect()
    }

    /// Waits for a line of thinking of this depth or a greater one.
    pub fn thinking(&mut self, depth: u32) -> Thinking {
        let deep = |text: &str| Thinking::parse(text).is_some_and(|line| line.depth >= depth);
        let lines = self.until("a line of thinking", deep);
        lines.last().and_then(|line| Thinking::parse(line)).expect("the line waited for")
    }

    /// Waits for the move that the engine expects.
    pub fn hint(&mut self) -> String {
        let last = self.until("a hint", |text| text.starts_with("Hint: ")).pop();
        last.expect("the line waited for")["Hint: ".len()..].to_owned()
    }

    /// A ping; what is said before its pong.
    pub fn sync(&mut self) -> Vec<String> {
        self.pings += 1;
        let pong = format!("pong {}", self.pings);
        self.send(&format!("ping {}", self.pings));
        let mut lines = self.until(&pong, |text| text == pong);
        lines.pop();
        lines
    }

    /// Sends lines; what is said about them.
    pub fn said(&mut self, text: &str) -> Vec<String> {
        self.send(text);
        self.sync()
    }

    /// Sends lines that must not be answered.
    pub fn quietly(&mut self, text: &str) {
        let said = self.said(text);
        assert!(said.is_empty(), "{text:?} answered by {said:?}");
    }

    /// Waits for the engine's move; the move, and the lines before it.
    pub fn wait_for_move(&mut self) -> (String, Vec<String>) {
        let mut lines = self.until("a move", |text| text.starts_with("move "));
        let last = lines.pop().expect("until() returns the line it waited for");
        (last["move ".len()..].to_owned(), lines)
    }

    /// Sends lines that make the engine move; its move, which must be legal.
    pub fn moved(&mut self, text: &str, oracle: &Oracle) -> String {
        self.send(text);
        let (mv, _) = self.wait_for_move();
        assert!(oracle.is_legal(&mv), "{mv} after {text:?} is illegal");
        mv
    }

    /// Watches for `milliseconds`: there may be no move. A sound engine passes however slow
    /// the machine is.
    pub fn no_move_for(&mut self, milliseconds: u64) {
        let end = std::time::Instant::now() + ms(milliseconds);
        while let Ok(Some(line)) =
            self.engine.line_within(end.saturating_duration_since(std::time::Instant::now()))
        {
            if line.text.starts_with("move ") {
                self.engine.fail("a move that nobody asked for");
            }
        }
    }

    /// `quit`, and a clean end.
    pub fn quit(mut self) {
        self.send("quit");
        let said = self.engine.expect_exit();
        for line in said {
            assert!(!line.text.starts_with("move "), "a move after quit");
        }
    }
}
