//! Games as text, and what other programs' games say about a match.

use std::collections::HashMap;

use tamarin_game::pgn::games::Games;
use tamarin_game::pgn::{self, Outcome, Played, Tag, Token, Word, header};
use tamarin_game::variation;
use tamarin_movegen::{Color, PerColor, Reason};
use tamarin_uci::ScoreValue;

use super::game::{Ending, Game, Rules, fen};
use super::player::Answer;
use super::report::{FaultReport, MatchResult};

/// A game in export format, scores, depths and seconds as comments, an empty line at the end.
pub fn write(game: &Game, names: PerColor<&str>, date: &str, round: &str, rules: &Rules) -> String {
    let result = game.winner.map_or(Outcome::Draw, Outcome::Won).to_string();
    let (date, fen) = (date.replace('-', "."), fen(&game.opening, rules.chess960));
    let limit = rules.limit.to_string();
    let plies = game.moves.len().to_string();
    let tags = [
        ("Event", "match"),
        ("Site", "?"),
        ("Date", &date),
        ("Round", round),
        ("White", names[Color::White]),
        ("Black", names[Color::Black]),
        ("Result", &result),
        ("SetUp", "1"),
        ("FEN", &fen),
        ("Variant", "Chess960"),
        ("TimeControl", &limit),
        ("Termination", termination(&game.ending)),
        ("PlyCount", &plies),
    ];
    let mut text = pgn::Game::of_position(game.opening.clone());
    for (name, value) in tags {
        if name != "Variant" || rules.chess960 {
            text.set_tag(name, value);
        }
    }
    let mut position = game.opening.clone();
    for (index, played) in game.moves.iter().enumerate() {
        if index == 0 || position.side_to_move() == Color::White {
            let number = Token::Number(variation::number(&position));
            text.words_before(index).push(Word::new(number));
        }
        let mut mv = Played::new(played.mv, position.san(played.mv).as_str());
        mv.words.push(Word::new(Token::Comment(thought(&played.answer))));
        text.moves.push(mv);
        position.make(played.mv);
    }
    let end = text.words_before(game.moves.len());
    end.push(Word::new(Token::Comment(reason(&game.ending))));
    end.push(Word::new(Token::Result(result.clone())));
    pgn::write(&text)
}

/// What a player thought of its move: `+0.24/27 1.203s`.
fn thought(answer: &Answer) -> String {
    let score = answer.score.map_or_else(|| "?".to_owned(), show_score);
    format!("{score}/{} {:.3}s", answer.depth, answer.used.as_secs_f64())
}

fn termination(ending: &Ending) -> &str {
    match ending {
        Ending::Rule(_) => "normal",
        Ending::Adjudication => "adjudication",
        Ending::Fault(fault) => fault.kind(),
    }
}

fn reason(ending: &Ending) -> String {
    match ending {
        Ending::Rule(Reason::Checkmate) => "checkmate".to_owned(),
        Ending::Rule(Reason::Stalemate) => "stalemate".to_owned(),
        Ending::Rule(Reason::InsufficientMaterial) => "insufficient material".to_owned(),
        Ending::Rule(Reason::BlockedPawns) => "dead position".to_owned(),
        Ending::Rule(Reason::FiftyMoves | Reason::SeventyFiveMoves) => "fifty-move rule".to_owned(),
        Ending::Rule(Reason::ThreefoldRepetition | Reason::FivefoldRepetition) => {
            "third repetition".to_owned()
        }
        Ending::Adjudication => "adjudication".to_owned(),
        // What a program answered must not end the comment.
        Ending::Fault(fault) => fault.to_string().replace('}', ")"),
    }
}

fn show_score(score: ScoreValue) -> String {
    match score {
        ScoreValue::Centipawns(score) => format!("{:+.2}", f64::from(score) / 100.0),
        ScoreValue::Mate(moves) if moves > 0 => format!("+M{}", 2 * i64::from(moves) - 1),
        ScoreValue::Mate(moves) => format!("-M{}", -2 * i64::from(moves)),
    }
}

/// The pairs and faults of a match, from the games of fastchess or cutechess-cli. Games pair
/// up by opening with changed colors; a game without its other half is left out.
pub fn read_match(text: &[u8], first: &str) -> MatchResult {
    let mut result = MatchResult::default();
    let mut waiting: HashMap<(String, bool), Vec<usize>> = HashMap::new();
    let mut games = Games::new(text);
    while let Ok(Some(game)) = games.next_game() {
        let tags = header::read(&game.bytes).tags;
        let get = |name: &str| tags.iter().find(|tag| tag.name() == name).map_or("", Tag::value);
        let first_is_white = get("White") == first;
        let white = match Outcome::of(get("Result")) {
            Outcome::Won(Color::White) => 2,
            Outcome::Draw => 1,
            Outcome::Won(Color::Black) => 0,
            Outcome::Unknown => continue,
        };
        let half_points = if first_is_white { white } else { 2 - white };
        let fault = get("Termination");
        if !matches!(fault, "" | "normal" | "adjudication") {
            let culprit = if white == 2 { get("Black") } else { get("White") };
            let (culprit, what) = (culprit.to_owned(), fault.to_owned());
            result.faults.push(FaultReport { culprit, kind: what.clone(), detail: what });
        }
        let opening = get("FEN").to_owned();
        let others = waiting.entry((opening.clone(), !first_is_white)).or_default();
        if others.is_empty() {
            waiting.entry((opening, first_is_white)).or_default().push(half_points);
        } else {
            result.add_pair([others.remove(0), half_points]);
        }
    }
    result
}
