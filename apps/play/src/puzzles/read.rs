//! Files of puzzles: positions in EPD, or the puzzles of Lichess in CSV. The lessons are such a
//! file inside the program.

use std::io;
use std::path::Path;

use tamarin_game::epd::Epd;
use tamarin_movegen::{Move, Position, UciMove};

use super::puzzle::{Goal, Puzzle};
use tamarin_game::moves;
use tamarin_game::packed::read_unpacked;
use tamarin_game::position::clip;

/// The largest file of puzzles.
const MAX_MEBIBYTES: u64 = 256;

/// The most puzzles that are taken from a file, some 1,400 bytes each.
const MOST_PUZZLES: usize = 250_000;

/// The most lines about which something is kept to say.
const MOST_REMARKS: usize = 1_000;

/// The longest mate that the engine judges, in moves.
const LONGEST_MATE: u32 = 50;

/// Why a line is no puzzle.
fn no_move(code: &str, text: &str) -> String {
    format!("{code}: {:?} is no legal move", clip(text))
}

const NO_GOAL: &str = "neither bm nor am, dm or pv";

/// The puzzles of a file, and what is wrong with its other lines.
pub fn read(path: &Path) -> io::Result<(Vec<Puzzle>, Vec<String>)> {
    let bytes = read_unpacked(path, MAX_MEBIBYTES)?;
    let text = tamarin_game::pgn::decoded(&bytes);
    let (puzzles, bad) = parse(text.trim_start_matches('\u{feff}'));
    if puzzles.is_empty() {
        let reason = bad.first().cloned().unwrap_or_else(|| "the file is empty".to_owned());
        return Err(io::Error::other(format!(
            "no line is a puzzle (a position with bm, am, dm or pv, or one of Lichess); {reason}"
        )));
    }
    Ok((puzzles, bad))
}

/// The puzzles of a text, and what is wrong with its other lines.
pub fn parse(text: &str) -> (Vec<Puzzle>, Vec<String>) {
    let mut puzzles = Vec::new();
    let mut bad = Vec::new();
    for (index, line) in text.lines().enumerate() {
        let number = index + 1;
        let trimmed = line.trim();
        let fields = fields(trimmed);
        let is_heading = fields.first().is_some_and(|name| name == "PuzzleId");
        if trimmed.is_empty() || trimmed.starts_with('#') || is_heading {
            continue;
        }
        if puzzles.len() >= MOST_PUZZLES {
            bad.push(format!("from line {number} on nothing is read: {MOST_PUZZLES} puzzles"));
            break;
        }
        let found = if is_csv(&fields) { of_lichess(&fields) } else { of_epd(line, number) };
        match found {
            Ok(puzzle) if !puzzle.position.has_legal_move() => {
                bad.push(format!("line {number}: no move is legal in the position"));
            }
            Ok(puzzle) => puzzles.push(puzzle),
            Err(error) => bad.push(format!("line {number}: {error}")),
        }
        bad.truncate(MOST_REMARKS);
    }
    (puzzles, bad)
}

/// The fields of a line of CSV.
fn fields(line: &str) -> Vec<String> {
    let mut reader = csv::ReaderBuilder::new();
    let reader = reader.has_headers(false).buffer_capacity(1 << 10).from_reader(line.as_bytes());
    let record = reader.into_records().next().and_then(Result::ok).unwrap_or_default();
    record.iter().map(str::to_owned).collect()
}

/// Is the position in the second of several fields?
fn is_csv(fields: &[String]) -> bool {
    matches!(fields, [id, fen, ..] if !id.contains('/') && fen.contains('/'))
}

fn of_fen(fen: &str) -> Result<Position, String> {
    Position::from_fen(fen).map_err(|error| error.to_string())
}

/// A line of the puzzles of Lichess. The first of its moves is the opponent's.
///
/// Source: the fields as <https://database.lichess.org/#puzzles> describes them.
fn of_lichess(fields: &[String]) -> Result<Puzzle, String> {
    let [id, fen, texts, more @ ..] = fields else {
        return Err("fewer than three fields: an id, a position and its moves".to_owned());
    };
    let before = of_fen(fen)?;
    let mut position = before.clone();
    let mut line = Vec::new();
    for text in texts.split_whitespace() {
        let found = text.parse::<UciMove>().ok().and_then(|mv| position.resolve(mv).ok());
        let mv = found.ok_or_else(|| no_move("Moves", text))?;
        position.make(mv);
        line.push(mv);
    }
    if line.len() < 2 {
        return Err("fewer than two moves: the opponent's and the answer".to_owned());
    }
    let first = line.remove(0);
    let mut start = before.clone();
    start.make(first);
    let name = match more.first().and_then(|rating| rating.trim().parse::<u32>().ok()) {
        Some(rating) => format!("{id} (rating {rating})"),
        None => id.clone(),
    };
    let before = Some((before, first));
    // Without the move before it, as if the game began there.
    let start = of_fen(&start.to_string())?;
    Ok(Puzzle { before, ..Puzzle::new(name, start, Goal::Line(line)) })
}

fn of_epd(line: &str, number: usize) -> Result<Puzzle, String> {
    let epd = Epd::parse(line).map_err(|error| error.to_string())?;
    let name = epd.operand("id").map_or_else(|| format!("line {number}"), str::to_owned);
    let mated = epd.operand("bm").and_then(|text| text.strip_prefix("#-")).map(|text| ("bm", text));
    match mated.or_else(|| mated_by_dm(&epd)) {
        Some((code, text)) => mated_in(name, &epd.position, code, text),
        None => Ok(Puzzle::new(name, epd.position.clone(), goal(&epd)?)),
    }
}

/// `dm` with a negative number, if it is the goal.
fn mated_by_dm(epd: &Epd) -> Option<(&'static str, &str)> {
    let has = |code: &&str| epd.operands(code).is_some_and(|texts| !texts.is_empty());
    let text = epd.operand("dm")?.strip_prefix('-')?;
    (!["pv", "bm", "am"].iter().any(has)).then_some(("dm", text))
}

/// The side to move is mated in N moves, whatever it plays: it plays something, and the
/// other side is to find the mate.
fn mated_in(name: String, before: &Position, code: &str, text: &str) -> Result<Puzzle, String> {
    let goal = mate(code, text)?;
    let first = before.legal_moves().into_iter().next();
    let first = first.ok_or_else(|| no_mate(code, text))?;
    let mut position = before.clone();
    position.make(first);
    Ok(Puzzle { before: Some((before.clone(), first)), ..Puzzle::new(name, position, goal) })
}

fn goal(epd: &Epd) -> Result<Goal, String> {
    let read = |code: &str| -> Result<Option<Vec<Move>>, String> {
        let Some(texts) = epd.operands(code) else { return Ok(None) };
        let mut found = Vec::new();
        for text in texts {
            let bad = |_| no_move(code, text);
            found.push(moves::read_chess(&epd.position, text).map_err(bad)?);
        }
        Ok((!found.is_empty()).then_some(found))
    };
    if let Some(texts) = epd.operands("pv").filter(|texts| !texts.is_empty()) {
        return line_of(&epd.position, texts).map(Goal::Line);
    }
    // As `tamarin suite` reads them: a mate in time outranks the moves.
    let in_time = epd.operand("dm").and_then(|text| mate("dm", text).ok());
    if let Some(goal) = in_time {
        return Ok(goal);
    }
    if let Some(text) = epd.operand("bm").and_then(|text| text.strip_prefix('#')) {
        return mate("bm", text);
    }
    if let Some(best) = read("bm")? {
        return Ok(Goal::Best(best));
    }
    if let Some(avoid) = read("am")? {
        return Ok(Goal::Avoid(avoid));
    }
    epd.operand("dm").map_or(Err(NO_GOAL.to_owned()), |text| mate("dm", text))
}

fn no_mate(code: &str, text: &str) -> String {
    format!("{code}: {:?} is no mate in 1 to 50 moves by the side to move", clip(text))
}

fn mate(code: &str, text: &str) -> Result<Goal, String> {
    let moves = text.parse().ok().filter(|moves| (1..=LONGEST_MATE).contains(moves));
    moves.map(Goal::Mate).ok_or_else(|| no_mate(code, text))
}

fn line_of(start: &Position, texts: &[String]) -> Result<Vec<Move>, String> {
    let mut position = start.clone();
    let mut line = Vec::new();
    for text in texts {
        // Some programs write move numbers.
        if text.trim_end_matches('.').bytes().all(|byte| byte.is_ascii_digit()) {
            continue;
        }
        let mv = moves::read_chess(&position, text).map_err(|_| no_move("pv", text))?;
        position.make(mv);
        line.push(mv);
    }
    if line.is_empty() { Err(NO_GOAL.to_owned()) } else { Ok(line) }
}

/// The rules and the first mates. `c0` explains, `c1` is said after a wrong move.
const LESSONS: &str = include_str!("learn.epd");

/// All lessons in their order.
pub fn lessons() -> Vec<Puzzle> {
    let (puzzles, _) = parse(LESSONS);
    puzzles.into_iter().zip(LESSONS.lines()).map(|(puzzle, line)| explained(puzzle, line)).collect()
}

fn explained(puzzle: Puzzle, line: &str) -> Puzzle {
    let epd = Epd::parse(line).ok();
    let text = |code| epd.as_ref().and_then(|epd| epd.operand(code)).map(str::to_owned);
    Puzzle { lesson: text("c0"), advice: text("c1"), ..puzzle }
}

#[cfg(test)]
mod tests {
    use super::{LESSONS, lessons, parse, read};
    use crate::puzzles::puzzle::{Puzzle, Verdict};
    use std::io::Write;

    const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - -";

    fn puzzle(operations: &str) -> Puzzle {
        let (mut puzzles, bad) = parse(&format!("\n\n\n\n\n\n{BACK_RANK} {operations}"));
        assert!(bad.is_empty(), "{bad:?}");
        puzzles.remove(0)
    }

    fn judge(puzzle: &Puzzle, plies: usize, text: &str) -> Verdict {
        puzzle.judge(&puzzle.position, plies, puzzle.position.parse_san(text).unwrap())
    }

    #[test]
    fn lines_are_played_to_their_end() {
        let line = puzzle("pv 1. Rd7 Kf8 2. Rd8+ Ke7;");
        let Verdict::Answer(answer) = judge(&line, 0, "Rd7") else { panic!() };
        let mut position = line.position.clone();
        position.make(position.parse_san("Rd7").unwrap());
        assert_eq!(position.san(answer).as_str(), "Kf8");
        position.make(answer);
        assert_eq!(line.judge(&position, 2, position.parse_san("Rd8+").unwrap()), Verdict::Solved);
        assert_eq!(line.judge(&position, 2, position.parse_san("Rd6").unwrap()), Verdict::Wrong);
        assert_eq!(line.solution().as_deref(), Some("1. Rd7 Kf8 2. Rd8+ Ke7"));
    }

    #[test]
    fn bad_lines_are_reported_and_the_others_used() {
        let mut file = tempfile::NamedTempFile::new().unwrap();
        write!(file, "\u{feff}# comment\n\n{BACK_RANK} bm Rd8#;\n{BACK_RANK} bm Rd9;\n8/8 w\n")
            .unwrap();
        writeln!(file, "{BACK_RANK} c0 \"nothing\";").unwrap();
        let (puzzles, bad) = read(file.path()).unwrap();
        assert_eq!(puzzles.len(), 1);
        assert_eq!(puzzles[0].name, "line 3");
        assert_eq!(bad.len(), 3, "{bad:?}");
        assert!(bad[0].starts_with("line 4: bm: \"Rd9\""), "{bad:?}");
        let empty = tempfile::NamedTempFile::new().unwrap();
        assert!(read(empty.path()).unwrap_err().to_string().contains("empty"));
    }

    #[test]
    fn mates_may_stand_where_the_best_moves_do() {
        for text in ["bm #1;", "bm Rd7; dm 1;"] {
            assert_eq!(judge(&puzzle(text), 0, "Rd7"), Verdict::Ask(1), "{text}");
        }
        // The side to move is mated: the other one solves it, after any move.
        for text in ["bm #-1;", "dm -1;"] {
            let (puzzles, bad) = parse(&format!("8/8/8/8/4Q3/8/5Rb1/R3K2k b Q - {text}"));
            assert_eq!((puzzles.len(), bad), (1, vec![]), "{text}");
            assert_eq!(puzzles[0].task(), "White to move mates in one move.");
            assert_eq!(puzzles[0].lead(), 1);
        }
        for text in ["bm #0;", "bm #51;", "bm #x;", "dm 0;", "bm #-0;", "dm -51;"] {
            let (puzzles, bad) = parse(&format!("{BACK_RANK} {text}"));
            assert!(puzzles.is_empty() && bad[0].contains("no mate in 1 to 50"), "{bad:?}");
        }
    }

    #[test]
    fn the_puzzles_of_lichess_are_read() {
        let text = "PuzzleId,FEN,Moves,Rating,RatingDeviation,Popularity,NbPlays,Themes\n\
            0000D,6k1/5ppp/8/8/8/7r/5PPP/3R2K1 b - - 0 1,h3h5 d1d8,1433,75,95,2000,mate\n\
            bad,6k1/5ppp/8/8/8/7r/5PPP/3R2K1 b - - 0 1,h3h9 d1d8\n\
            \"0000E\",\"6k1/5ppp/8/8/8/7r/5PPP/3R2K1 b - - 0 1\",\"h3h5 d1d8\",1433\n\
            short,6k1/5ppp/8/8/8/7r/5PPP/3R2K1 b - - 0 1,h3h5\nx,a/b\n";
        let (puzzles, bad) = parse(text);
        assert_eq!((puzzles.len(), puzzles[1].name.as_str()), (2, "0000E (rating 1433)"));
        let first = &puzzles[0];
        assert_eq!((first.name.as_str(), first.lead()), ("0000D (rating 1433)", 1));
        assert_eq!(judge(first, 0, "Rd8#"), Verdict::Solved);
        assert_eq!(judge(first, 0, "Rd7"), Verdict::Wrong);
        assert_eq!(bad.len(), 3, "{bad:?}");
        assert!(
            bad[0].starts_with("line 3: Moves: \"h3h9\"") && bad[2].contains("fewer than three")
        );
    }

    #[test]
    fn a_line_that_mates_may_end_with_another_mate() {
        let fen = "k7/8/1K6/8/8/8/8/2Q4R w - -";
        let (puzzles, _) = parse(&format!("{fen} pv Rh8#;"));
        assert_eq!(judge(&puzzles[0], 0, "Qc8#"), Verdict::Solved);
        let (quiet, _) = parse(&format!("{fen} pv Qf1;"));
        assert_eq!(judge(&quiet[0], 0, "Qc8#"), Verdict::Wrong);
    }

    #[test]
    fn every_lesson_is_sound() {
        let (puzzles, bad) = parse(LESSONS);
        assert_eq!(bad, Vec::<String>::new());
        assert_eq!(puzzles.len(), LESSONS.lines().count());
        let lessons = lessons();
        assert_eq!(lessons.len(), 17);
        for lesson in &lessons {
            assert!(lesson.lesson.is_some() && lesson.advice.is_some(), "{}", lesson.name);
            let asks_for_mate =
                lesson.lesson.as_ref().is_some_and(|text| text.contains("ate in one move"));
            // Where a mate is asked for, exactly the moves that give one are right.
            for mv in lesson.position.legal_moves() {
                let mut after = lesson.position.clone();
                after.make(mv);
                let is_mate = after.in_check() && !after.has_legal_move();
                let is_right = lesson.judge(&lesson.position, 0, mv) == Verdict::Solved;
                let san = lesson.position.san(mv);
                assert!(!asks_for_mate || is_mate == is_right, "{}: {san}", lesson.name);
            }
        }
    }
}
