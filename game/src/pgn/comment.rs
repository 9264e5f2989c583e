//! What programs put into comments: commands such as `[%clk 0:03:00]`, and what engines thought.

use std::ops::Range;

use tamarin_movegen::Color;

/// A command in a comment, such as `[%clk 0:03:00]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Command<'a> {
    /// Its name, such as `clk`.
    pub name: &'a str,
    /// Its value, such as `0:03:00`.
    pub value: &'a str,
    /// Where it is in the comment, in bytes, with its brackets.
    pub range: Range<usize>,
}

/// The commands of a comment in their order.
pub fn commands(comment: &str) -> impl Iterator<Item = Command<'_>> {
    let mut at = 0;
    std::iter::from_fn(move || {
        let begin = at + comment[at..].find("[%")?;
        let end = begin + comment[begin..].find(']')?;
        at = end + 1;
        let inside = &comment[begin + 2..end];
        let (name, value) = inside.split_once(char::is_whitespace).unwrap_or((inside, ""));
        Some(Command { name, value: value.trim(), range: begin..at })
    })
}

/// The value of the first command of this name in several comments.
pub fn command<'a>(comments: impl Iterator<Item = &'a str>, name: &str) -> Option<&'a str> {
    comments.flat_map(commands).find(|found| found.name == name).map(|found| found.value)
}

/// A comment without its commands, its words divided by single blanks.
pub fn prose(comment: &str) -> String {
    let mut rest = String::new();
    let mut at = 0;
    for command in commands(comment) {
        rest.push_str(&comment[at..command.range.start]);
        at = command.range.end;
    }
    rest.push_str(&comment[at..]);
    rest.split_whitespace().collect::<Vec<_>>().join(" ")
}

/// The seconds of `[%clk]` and `[%emt]`: `0:03:00`, `1:02:03.5`, `12.5`.
pub fn seconds(value: &str) -> Option<f64> {
    let mut sum = 0.0;
    let parts: Vec<&str> = value.split(':').collect();
    if parts.len() > 3 {
        return None;
    }
    for part in parts {
        let is_number = part.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
        sum = 60.0 * sum + part.parse::<f64>().ok().filter(|_| is_number)?;
    }
    // More than any game: what follows stays a number.
    (sum < 1e9).then_some(sum)
}

/// An arrow of `[%cal]` or a square of `[%csl]`.
#[derive(Clone, PartialEq, Eq, Debug)]
pub struct Shape {
    /// Its color: `G`reen, `R`ed, `Y`ellow, `B`lue and others of programs.
    pub color: char,
    /// A square such as `e4`; of an arrow two, such as `e2e4`.
    pub squares: String,
}

/// The arrows and squares of a comment.
pub fn shapes(comment: &str) -> Vec<Shape> {
    let read = |text: &str, count: usize| {
        let (color, squares) = text.trim().split_at_checked(1)?;
        let is_square = |pair: &[u8]| matches!(pair, [b'a'..=b'h', b'1'..=b'8']);
        let is_shape = squares.len() == 2 * count && squares.as_bytes().chunks(2).all(is_square);
        let color = color.chars().next().filter(char::is_ascii_uppercase)?;
        is_shape.then(|| Shape { color, squares: squares.to_owned() })
    };
    let mut found = Vec::new();
    for command in commands(comment) {
        let count = match command.name {
            "csl" => 1,
            "cal" => 2,
            _ => continue,
        };
        found.extend(command.value.split(',').filter_map(|text| read(text, count)));
    }
    found
}

/// What an engine thought of its move, as Cute Chess and its like write it: `+0.24/27 13s`.
#[derive(Clone, PartialEq, Debug)]
pub struct Thought {
    /// Its score for itself: pawns such as `+0.24`, or moves to mate such as `-M4`.
    pub score: String,
    /// The depth of its search, in plies.
    pub depth: u32,
    /// The time it took, in seconds.
    pub seconds: Option<f64>,
    /// What else the comment says, without the counts of fastchess.
    pub rest: String,
}

impl Thought {
    /// The score from White's point of view, of an engine that moved for `side`.
    pub fn score_for_white(&self, side: Color) -> String {
        let unsigned = self.score.trim_start_matches(['+', '-']);
        // A score of zero has no side.
        if side == Color::White || !unsigned.contains(|c: char| matches!(c, '1'..='9')) {
            return self.score.clone();
        }
        let sign = if self.score.starts_with('-') { '+' } else { '-' };
        format!("{sign}{unsigned}")
    }
}

/// What fastchess counts behind a thought, as in `n=18550, sd=16`.
const COUNTS: [&str; 8] = ["n", "sd", "nps", "hashfull", "tbhits", "timeleft", "latency", "pv"];

/// The thought that a comment begins with.
pub fn thought(comment: &str) -> Option<Thought> {
    let text = prose(comment);
    let (first, rest) = text.split_once(' ').unwrap_or((&text, ""));
    let (head, comma) = first.split_once(',').map_or((first, false), |(head, _)| (head, true));
    let (score, depth) = head.split_once('/')?;
    let unsigned = score.strip_prefix(['+', '-']).unwrap_or(score);
    let moves = unsigned.strip_prefix('M').unwrap_or("");
    let is_number = |text: &str| text.parse::<f64>().is_ok_and(f64::is_finite);
    let is_plain = unsigned.bytes().all(|byte| byte.is_ascii_digit() || byte == b'.');
    let is_score = (is_plain && unsigned.contains('.') && is_number(unsigned))
        || (!moves.is_empty() && moves.bytes().all(|byte| byte.is_ascii_digit()));
    let depth = depth.split('/').next()?.parse().ok().filter(|_| is_score)?;
    let tail = if comma { &text[head.len()..] } else { rest };
    let (time, rest) = match tail.split_once(['s', ',']) {
        Some((time, rest)) if !comma && is_number(time) && tail.as_bytes()[time.len()] == b's' => {
            (time.parse().ok(), rest)
        }
        _ => (None, tail),
    };
    let is_prose =
        |item: &&str| item.split_once('=').is_none_or(|(name, _)| !COUNTS.contains(&name.trim()));
    let rest: Vec<&str> =
        rest.trim_start_matches([',', ' ']).split(", ").filter(is_prose).collect();
    let rest = rest.join(", ");
    Some(Thought { score: score.to_owned(), depth, seconds: time, rest })
}

#[cfg(test)]
mod tests {
    use super::{Color, command, commands, prose, shapes, thought};

    #[test]
    fn commands_and_prose_are_separated() {
        let text = " Good [%clk 0:03:00][%eval #-3]\n move [%csl Gd4,Rz9] [% open";
        let found: Vec<_> = commands(text).map(|one| (one.name, one.value)).collect();
        assert_eq!(found, [("clk", "0:03:00"), ("eval", "#-3"), ("csl", "Gd4,Rz9")]);
        assert_eq!(prose(text), "Good move [% open");
        assert_eq!(command([text].into_iter(), "eval"), Some("#-3"));
        assert_eq!(command(["", text].into_iter(), "emt"), None);
    }

    #[test]
    fn arrows_and_squares_are_read() {
        let found = shapes("[%cal Gd2d4,Re7e5,Xa1,ge2e4] [%csl Yd4,G\u{e9}1]");
        let found: Vec<_> = found.iter().map(|one| (one.color, one.squares.as_str())).collect();
        assert_eq!(found, [('G', "d2d4"), ('R', "e7e5"), ('Y', "d4")]);
    }

    #[test]
    fn scores_of_engines_are_seen_by_white() {
        for (text, white, black) in [
            ("+0.24/27 13s", "+0.24", "-0.24"),
            ("-M4/12 1s", "-M4", "+M4"),
            ("1.50/9", "1.50", "-1.50"),
            ("0.00/31", "0.00", "0.00"),
        ] {
            let found = thought(text).expect("a score and a depth");
            assert_eq!(found.score_for_white(Color::White), white);
            assert_eq!(found.score_for_white(Color::Black), black);
        }
    }

    #[test]
    fn engines_say_what_they_thought() {
        let of = |text: &str| {
            let found = thought(text)?;
            Some(format!("{} {} {:?} {}", found.score, found.depth, found.seconds, found.rest))
        };
        let is = |text: &str, wanted: &str| assert_eq!(of(text).as_deref(), Some(wanted), "{text}");
        is("+0.24/27 13s", "+0.24 27 Some(13.0) ");
        is("0.00/31 0.073s", "0.00 31 Some(0.073) ");
        is("-M4/12 1s", "-M4 12 Some(1.0) ");
        is(
            "-8.11/24 5.0s, White wins by adjudication",
            "-8.11 24 Some(5.0) White wins by adjudication",
        );
        let fastchess = "+0.31/16 0.1s, n=18550, sd=16, nps=9, pv=\"e2e4 e7e5\", White mates";
        is(fastchess, "+0.31 16 Some(0.1) White mates");
        is(" +0.30/12 ", "+0.30 12 None ");
        is("+1.00/9, good", "+1.00 9 None good");
        is("+1.00/9 sound move", "+1.00 9 None sound move");
        for other in
            ["book", "1/2", "a/b", "+0.24", "M/3", "3/4 of it", "+M/3", "", "NaN/3", "inf/1"]
        {
            assert_eq!(of(other), None, "{other}");
        }
    }
}
