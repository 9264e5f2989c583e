//! The beginner and the measurement of levels.

use std::fs;
use std::io::Write as _;
use std::process::Stdio;

use tamarin_eval::network::Network;
use tamarin_movegen::Position;
use tamarin_search::Strength;
use tamarin_train::beginner::Beginner;
use tamarin_train::levels::{Conditions, play_match};
use tamarin_train::matches::ledger;

use crate::support::{command, folder, printed, refusal, rejected, text};

/// All moves that the beginner plays in a position, with many seeds, in SAN.
fn played(fen: &str) -> Vec<String> {
    let position = Position::from_fen(fen).unwrap();
    let choose = |seed| Beginner::new(seed).choose(&position).unwrap();
    let mut names: Vec<_> = (0..200).map(|seed| position.san(choose(seed)).to_string()).collect();
    names.sort();
    names.dedup();
    names
}

#[test]
fn beginner_mates_else_captures_undefended_else_plays_any_move() {
    assert_eq!(played("6k1/5ppp/8/8/8/8/1q6/B2R2K1 w - - 0 1"), ["Rd8#"]);
    // The queen on d8 is defended, the rook on a4 and the pawn on h4 are not.
    assert_eq!(played("3qk3/8/8/8/r2Q3p/8/8/6K1 w - - 0 1"), ["Qxa4+"]);
    assert_eq!(played(&Position::startpos().to_string()).len(), 20);
    // Its queen is attacked, and stays where it is in most of the moves.
    let moves = played("4k3/1p6/2p5/3Q4/8/8/8/4K3 w - - 0 1");
    assert!(moves.iter().any(|mv| mv.starts_with('K')), "{moves:?}");
    let mated = Position::from_fen("R3k3/8/4K3/8/8/8/8/8 b - - 0 1").unwrap();
    assert_eq!(Beginner::new(1).choose(&mated), None);
}

#[test]
fn beginner_speaks_uci_and_keeps_its_position_after_errors() {
    let mut child = command(&[&["beginner"]]).stdin(Stdio::piped()).spawn().unwrap();
    let input = "uci\nisready\nucinewgame\nposition startpos moves f2f3 e7e5 g2g4\n\
        position fen x\nposition startpos moves e2e5\nnonsense\ngo nodes 5\nquit\ngo\n";
    child.stdin.take().unwrap().write_all(input.as_bytes()).unwrap();
    let said = String::from_utf8(child.wait_with_output().unwrap().stdout).unwrap();
    assert!(said.starts_with("id name Beginner\n") && said.contains("\nuciok\nreadyok\n"));
    assert_eq!(said.matches("info string error: ").count(), 3, "{said}");
    assert!(said.ends_with("\nbestmove d8h4\n"), "{said}");
}

/// 16 games of the lowest level against the beginner: 30 to 60 % were aimed at, and are what
/// `make levels` measures in more games; these few may be off by a little more.
#[test]
fn long_lowest_level_is_a_match_for_a_beginner() {
    let network = Network::embedded();
    let openings = [Position::startpos()];
    let conditions = Conditions {
        sides: [Some(Strength::Skill(0)), None],
        openings: &openings,
        pairs: 8,
        nodes: 40_000,
        seed: 7,
        network: &network,
    };
    let result = play_match(&conditions, 2).unwrap();
    assert!((0.2..0.7).contains(&result.pairs.score()), "{}", result.line(None));
}

#[test]
fn results_do_not_depend_on_threads() {
    let network = Network::embedded();
    let openings = [Position::startpos()];
    let sides = [Some(Strength::Skill(0)), None];
    let (openings, network) = (&openings, &network);
    let conditions = Conditions { sides, openings, pairs: 3, nodes: 500, seed: 7, network };
    let pairs = [1, 2].map(|threads| play_match(&conditions, threads).unwrap().pairs);
    assert_eq!(pairs[0], pairs[1]);
}

#[test]
fn levels_append_rows_and_do_not_repeat_their_games() {
    let folder = folder("levels");
    let [book, list] = ["one.epd", "matches.csv"].map(|name| folder.join(name));
    fs::write(&book, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n").unwrap();
    let levels = |from: &str, to: &str| {
        let files = ["--book", text(&book), "--ledger", text(&list)];
        let games = ["--from", from, "--to", to, "--games", "4", "--nodes", "1"];
        command(&[&["levels"], &files, &games])
    };
    printed(levels("1", "2"));
    let rows = ledger::read(&list).unwrap();
    // The beginner's moves differ.
    assert_eq!([&rows[0].games[..], &rows[1].games[..]], ["4", "2"]);
    let said = refusal(levels("5", "3"));
    assert!(said.contains("--from 5 is above --to 3; nothing was played"), "{said}");
    fs::write(&list, "id,date\nM1\n").unwrap();
    rejected(levels("2", "2"), "the list of matches");
}
