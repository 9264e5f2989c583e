//! Games as text, and what other programs' games say about a match.

use std::collections::HashMap;
use std::fmt::Write as _;

use tamarin_movegen::{Color, Reason};
use tamarin_uci::ScoreValue;

use super::game::{Ending, Game};
use super::openings::{Variant, fen};
use super::report::{FaultReport, Outcome};

/// Columns of a line of moves.
const WIDTH: usize = 80;

/// What stands above the moves beside the result.
#[derive(Clone, Debug)]
pub(super) struct Heading<'a> {
    pub date: &'a str,
    pub round: String,
    pub white: &'a str,
    pub black: &'a str,
    pub limit: String,
    pub variant: Variant,
}

/// A game in export format, scores, depths and seconds as comments, an empty line at the end.
pub(super) fn write(game: &Game, heading: &Heading<'_>) -> String {
    let mut text = String::new();
    let mut tag = |name: &str, value: &str| {
        let value = value.replace('\\', "\\\\").replace('"', "\\\"");
        writeln!(text, "[{name} \"{value}\"]").expect("writing to a string");
    };
    let result = result(game.winner);
    tag("Event", "match");
    tag("Site", "?");
    tag("Date", &heading.date.replace('-', "."));
    tag("Round", &heading.round);
    tag("White", heading.white);
    tag("Black", heading.black);
    tag("Result", result);
    tag("SetUp", "1");
    tag("FEN", &fen(&game.opening, heading.variant));
    if heading.variant == Variant::Chess960 {
        tag("Variant", "Chess960");
    }
    tag("TimeControl", &heading.limit);
    tag("Termination", termination(&game.ending));
    tag("PlyCount", &game.moves.len().to_string());
    text.push('\n');
    wrap(&mut text, moves(game).chain([comment(&game.ending), result.to_owned()]));
    text.push_str("\n\n");
    text
}

fn result(winner: Option<Color>) -> &'static str {
    match winner {
        Some(Color::White) => "1-0",
        Some(Color::Black) => "0-1",
        None => "1/2-1/2",
    }
}

fn termination(ending: &Ending) -> &'static str {
    match ending {
        Ending::Adjudication => "adjudication",
        Ending::Fault(fault) => fault.kind(),
        _ => "normal",
    }
}

fn comment(ending: &Ending) -> String {
    let reason = match ending {
        Ending::Rule(Reason::Checkmate) => "checkmate",
        Ending::Rule(Reason::Stalemate) => "stalemate",
        Ending::Rule(Reason::FivefoldRepetition | Reason::ThreefoldRepetition) => {
            "third repetition"
        }
        Ending::Rule(Reason::SeventyFiveMoves | Reason::FiftyMoves) => "fifty-move rule",
        Ending::Rule(Reason::InsufficientMaterial) => "insufficient material",
        Ending::Rule(Reason::BlockedPawns) => "dead position",
        Ending::Adjudication => "adjudication",
        // What a program answered must not end the comment.
        Ending::Fault(fault) => return format!("{{{}}}", fault.to_string().replace('}', ")")),
    };
    format!("{{{reason}}}")
}

/// The words of the move list.
fn moves(game: &Game) -> impl Iterator<Item = String> {
    let mut position = game.opening.clone();
    game.moves.iter().enumerate().map(move |(index, played)| {
        let number = position.fullmove_number();
        let number = match position.side_to_move() {
            Color::White => format!("{number}. "),
            Color::Black if index == 0 => format!("{number}... "),
            Color::Black => String::new(),
        };
        let san = position.san(played.mv);
        position.make(played.mv);
        let seconds = played.answer.used.as_secs_f64();
        let score = played.answer.score.map_or_else(|| "?".to_owned(), show_score);
        format!("{number}{san} {{{score}/{} {seconds:.3}s}}", played.answer.depth)
    })
}

fn show_score(score: ScoreValue) -> String {
    match score {
        ScoreValue::Centipawns(score) => format!("{:+.2}", f64::from(score) / 100.0),
        ScoreValue::Mate(moves) if moves > 0 => format!("+M{}", 2 * i64::from(moves) - 1),
        ScoreValue::Mate(moves) => format!("-M{}", -2 * i64::from(moves)),
    }
}

fn wrap(text: &mut String, items: impl Iterator<Item = String>) {
    let mut column = 0;
    for item in items {
        for word in item.split(' ') {
            let gap = usize::from(column > 0);
            if column + gap + word.len() > WIDTH {
                text.push('\n');
                column = 0;
            } else if gap > 0 {
                text.push(' ');
                column += 1;
            }
            text.push_str(word);
            column += word.len();
        }
    }
}

/// The tags of a game that another program wrote.
type Tags = HashMap<String, String>;

/// The pairs and faults of a match, from the games of fastchess or cutechess-cli. Games pair
/// up by opening with changed colors; a game without its other half is left out.
pub(super) fn read_match(text: &str, first: &str) -> Outcome {
    let mut outcome = Outcome::default();
    let mut waiting: HashMap<(String, bool), Vec<usize>> = HashMap::new();
    for tags in games(text) {
        let get = |name: &str| tags.get(name).map_or("", String::as_str);
        let first_is_white = get("White") == first;
        let white = match get("Result") {
            "1-0" => 2,
            "1/2-1/2" => 1,
            "0-1" => 0,
            _ => continue,
        };
        let half_points = if first_is_white { white } else { 2 - white };
        let fault = get("Termination");
        if !matches!(fault, "" | "normal" | "adjudication") {
            let culprit = if white == 2 { get("Black") } else { get("White") };
            let (culprit, what) = (culprit.to_owned(), fault.to_owned());
            outcome.faults.push(FaultReport { culprit, kind: what.clone(), detail: what });
        }
        let opening = get("FEN").to_owned();
        let others = waiting.entry((opening.clone(), !first_is_white)).or_default();
        if others.is_empty() {
            waiting.entry((opening, first_is_white)).or_default().push(half_points);
        } else {
            outcome.add_pair([others.remove(0), half_points]);
        }
    }
    outcome
}

fn games(text: &str) -> Vec<Tags> {
    let mut games: Vec<Tags> = Vec::new();
    let mut in_tags = false;
    for line in text.lines() {
        let tag = line.strip_prefix('[').and_then(|line| line.strip_suffix("\"]"));
        let Some((name, value)) = tag.and_then(|tag| tag.split_once(" \"")) else {
            in_tags = false;
            continue;
        };
        if !in_tags {
            games.push(Tags::new());
            in_tags = true;
        }
        let value = value.replace("\\\"", "\"").replace("\\\\", "\\");
        games.last_mut().expect("invariant: just pushed").insert(name.to_owned(), value);
    }
    games
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::super::game::{Fault, Played};
    use super::super::player::Answer;
    use tamarin_movegen::{CastlingNotation, Position};

    use super::super::stats::Pentanomial;
    use super::*;

    const HEADING: Heading<'_> = Heading {
        date: "2026-01-31",
        round: String::new(),
        white: "a \"b\"",
        black: "c",
        limit: String::new(),
        variant: Variant::Standard,
    };

    fn game(fen: &str, moves: &[&str], winner: Option<Color>, ending: Ending) -> Game {
        let opening = Position::from_fen(fen).unwrap();
        let mut position = opening.clone();
        let mut played = Vec::new();
        for text in moves {
            let mv = position.parse_san(text).unwrap();
            let answer = Answer {
                best: position.uci(mv, CastlingNotation::Classic).to_string(),
                score: Some(ScoreValue::Mate(1)),
                depth: 7,
                used: Duration::from_millis(12),
            };
            position.make(mv);
            played.push(Played { mv, answer });
        }
        Game { opening, moves: played, winner, ending }
    }

    #[test]
    fn a_game_is_written_with_its_scores() {
        let fen = "rnbqkbnr/pppp1ppp/8/4p3/6P1/5P2/PPPPP2P/RNBQKBNR b KQkq - 0 2";
        let text = write(
            &game(fen, &["Qh4"], Some(Color::Black), Ending::Rule(Reason::Checkmate)),
            &HEADING,
        );
        assert!(text.contains("[Date \"2026.01.31\"]\n"), "{text}");
        assert!(text.contains("[White \"a \\\"b\\\"\"]\n"), "{text}");
        assert!(text.contains(&format!("[FEN \"{fen}\"]\n")), "{text}");
        let end = "[PlyCount \"1\"]\n\n2... Qh4# {+M1/7 0.012s} {checkmate} 0-1\n\n";
        assert!(text.ends_with(end), "{text}");
        assert!(text.lines().all(|line| line.len() <= WIDTH));
    }

    #[test]
    fn games_of_a_match_pair_up_by_opening() {
        let start = "4k3/8/8/8/8/8/4P3/4K3 w - - 0 1";
        let other = "4k3/4p3/8/8/8/8/8/4K3 w - - 0 1";
        let text_of = |fen: &str, (white, black), winner, ending| {
            write(&game(fen, &[], winner, ending), &Heading { white, black, ..HEADING })
        };
        let (ab, ba) = (("a", "b"), ("b", "a"));
        let illegal = Ending::Fault(Fault::IllegalMove("e2e9".to_owned()));
        // A pair of two wins, half a pair, a pair of a win and a draw; their games are mixed.
        let text = text_of(start, ab, Some(Color::White), Ending::Rule(Reason::Checkmate))
            + &text_of(other, ba, None, Ending::Rule(Reason::Stalemate))
            + &text_of(start, ba, Some(Color::Black), illegal)
            + &text_of(start, ab, Some(Color::White), Ending::Rule(Reason::Checkmate))
            + &text_of(other, ab, Some(Color::White), Ending::Adjudication);
        let outcome = read_match(&text, "a");
        assert_eq!(outcome.pairs, Pentanomial([0, 0, 0, 1, 1]));
        assert_eq!((outcome.wins, outcome.draws, outcome.losses), (3, 1, 0));
        assert_eq!(outcome.faults.len(), 1);
        assert_eq!(
            (&outcome.faults[0].culprit[..], &outcome.faults[0].kind[..]),
            ("b", "illegal move")
        );
    }
}
