//! What is explained.

use std::path::PathBuf;

use tamarin_movegen::{Move, Position, UciMove};

/// A move or position.
pub struct Case {
    pub name: String,
    pub position: Position,
    /// The best one is explained if none is given.
    pub mv: Option<Move>,
}

/// Blunders of games between weak opponents: a FEN and a move a line.
const BLUNDERS: &str = include_str!("blunders.txt");

/// A folder of the outside data.
pub fn folder(name: &str) -> Option<PathBuf> {
    let path = PathBuf::from(std::env::var_os("TAMARIN_TEST_DATA")?).join(name);
    path.exists().then_some(path)
}

pub fn blunders() -> Vec<Case> {
    let case = |line: &str| {
        let (fen, mv) = line.split_once(" ; ").unwrap();
        let position = Position::from_fen(fen).unwrap();
        let mv = position.resolve(mv.parse::<UciMove>().unwrap()).unwrap();
        Case { name: line.to_owned(), position, mv: Some(mv) }
    };
    BLUNDERS.lines().map(case).collect()
}

/// Every `step`th position of a suite, at most `count` of them.
fn suite(name: &str, step: usize, count: usize) -> Vec<Case> {
    let Some(folder) = folder("suites") else {
        println!("SKIP 1: no suites/{name} where TAMARIN_TEST_DATA says");
        return Vec::new();
    };
    let text = std::fs::read_to_string(folder.join(name)).unwrap();
    let case = |line: &str| {
        let fen: Vec<&str> = line.split_whitespace().take(4).collect();
        let fen = format!("{} 0 1", fen.join(" "));
        let position = Position::from_fen(&fen).unwrap();
        Case { name: format!("{name} {fen}"), position, mv: None }
    };
    text.lines().step_by(step).take(count).map(case).collect()
}

/// 200 positions of suites and 50 blunders, or every tenth of them.
pub fn some() -> Vec<Case> {
    let mut cases = suite("win_at_chess.epd", 2, 100);
    cases.extend(suite("mates.epd", 13, 50));
    cases.extend(suite("endgame_eet.epd", 3, 30));
    cases.extend(suite("syzygy_truth_4men.epd", 10, 20));
    cases.extend(blunders());
    let is_all = std::env::var_os("TAMARIN_EVERY_POSITION").is_some();
    cases.into_iter().step_by(if is_all { 1 } else { 10 }).collect()
}
