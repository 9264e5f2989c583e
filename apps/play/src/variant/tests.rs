//! A table without a screen.

use std::time::{Duration, Instant};

use tamarin_movegen::PerColor;
use tamarin_variant::{Position, builtin};

use super::game::VariantGame;
use super::table::{Face, Table};
use crate::saving::Saving;
use crate::testing::arguments;

/// A table for a built-in variant, as a command line wants it.
pub fn table(name: &str, words: &[&str]) -> Table {
    let game = VariantGame::new(name.to_owned(), Position::start(&builtin(name).unwrap()));
    let face = Face::Screen(Vec::new());
    Table::new(game, &arguments(words), Saving::default(), face).unwrap()
}

/// What is said to a line.
fn said(table: &mut Table, line: &str) -> Vec<String> {
    table.perform(line).unwrap();
    let Face::Screen(lines) = &mut table.face else { panic!("it was made for a screen") };
    std::mem::take(lines)
}

const FULL: Duration = Duration::from_secs(300);

fn left(table: &Table) -> [Duration; 2] {
    table.clocks.as_ref().unwrap().both(Instant::now()).0
}

#[test]
fn the_clocks_go_back_with_the_moves_and_forth_again() {
    let mut table = table("losalamos", &["--side", "both", "--time", "5+3"]);
    for line in ["a2a3", "a5a4", "b2b3", "b5b4"] {
        assert!(said(&mut table, line).is_empty(), "{line}");
    }
    assert!(left(&table).iter().all(|left| *left > FULL));
    said(&mut table, "undo 2");
    assert!(left(&table).iter().all(|left| *left <= FULL), "no increment is left");
    said(&mut table, "redo 2");
    assert!(left(&table).iter().all(|left| *left > FULL));
}

#[test]
fn a_game_lost_on_time_goes_on_after_undo() {
    let mut table = table("losalamos", &["--side", "both", "--time", "5+3"]);
    for line in ["a2a3", "a5a4", "b2b3"] {
        said(&mut table, line);
    }
    table.clocks.as_mut().unwrap().set(PerColor([FULL, Duration::ZERO]));
    table.look_at_flag();
    assert!(table.end().is_some());
    said(&mut table, "undo 2");
    table.look_at_flag();
    assert_eq!((table.end(), table.game.plies()), (None, 1));
}

/// Nothing is known of the clocks of a loaded game.
#[test]
fn moves_of_a_loaded_game_go_back_to_full_clocks() {
    let mut table = table("losalamos", &["--side", "both", "--time", "5+3"]);
    for text in ["a2a3", "a5a4"] {
        let m = table.game.position().parse_move(text).unwrap();
        table.game.play(m);
    }
    said(&mut table, "b2b3");
    table.clocks.as_mut().unwrap().set(PerColor([FULL, Duration::ZERO]));
    said(&mut table, "undo 3");
    assert_eq!((left(&table), table.game.plies()), ([FULL; 2], 0));
    said(&mut table, "redo 3");
    assert_eq!(table.game.plies(), 3);
    assert!(left(&table)[0] > FULL, "as after the third move");
}

#[test]
fn a_person_does_not_move_for_the_engine_and_resigns_alone() {
    let mut table = table("losalamos", &["--side", "black"]);
    for line in ["a2a3", "a2 a3", "a3"] {
        assert_eq!(said(&mut table, line), ["! It is the engine's turn. Say now or undo."]);
    }
    said(&mut table, "res");
    let end = table.end().unwrap();
    assert_eq!((end.0.as_str(), end.1), ("Black resigns", "1-0"));
}

#[test]
fn a_game_that_is_over_keeps_its_players_and_its_moves() {
    let mut table = table("losalamos", &["--side", "both"]);
    for line in ["a2a3", "a5a4", "undo 1", "resign", "side black", "level 3"] {
        said(&mut table, line);
    }
    let pgn = table.pgn();
    assert!(pgn.contains("[White \"Player\"]") && pgn.contains("[Result \"1-0\"]"), "{pgn}");
    assert_eq!(said(&mut table, "redo 1"), ["! the game is over: Black resigns"]);
    assert_eq!(table.game.plies(), 1);
    said(&mut table, "undo 1");
    assert!(table.pgn().contains("[White \"Tamarin (level 3)\"]"), "{}", table.pgn());
}

#[test]
fn hints_are_for_a_person_to_move_while_the_game_goes_on() {
    let mut table = table("losalamos", &["--side", "black"]);
    assert_eq!(said(&mut table, "hint"), ["! It is the engine's turn. Say now or undo."]);
    said(&mut table, "side white");
    let hint = said(&mut table, "hint");
    assert!(hint[0].starts_with("Hint: "), "{hint:?}");
    said(&mut table, "resign");
    assert_eq!(said(&mut table, "hint"), ["! the game is over: White resigns"]);
}

#[test]
fn chance_gives_both_colors_in_the_course_of_games() {
    let mut table = table("losalamos", &[]);
    let sides: Vec<[bool; 2]> = (0..20)
        .map(|_| {
            said(&mut table, "new");
            said(&mut table, "side random");
            table.people
        })
        .collect();
    assert!(sides.contains(&[true, false]) && sides.contains(&[false, true]), "{sides:?}");
}

#[test]
fn the_end_of_each_game_is_announced_once() {
    let folder = tempfile::tempdir().unwrap();
    let path = folder.path().join("won.pgn").to_str().unwrap().to_owned();
    let mut table = table("losalamos", &["--side", "both"]);
    for line in ["a3", "resign", &format!("save {path}")] {
        said(&mut table, line);
    }
    assert!(table.announce().unwrap() && !table.announce().unwrap());
    said(&mut table, &format!("load {path}"));
    assert_eq!(table.end().unwrap().1, "1-0");
    assert!(table.announce().unwrap() && !table.announce().unwrap());
}

#[test]
fn games_are_saved_over_no_evaluator_beside_the_rules() {
    const TEXT: &str = "@variant one\n@extends losalamos\n";
    let folder = tempfile::tempdir().unwrap();
    let file = |name: &str| folder.path().join(name).to_str().unwrap().to_owned();
    let rules = file("my.var");
    for name in ["my.var", "my.eval", "my.one.eval"] {
        std::fs::write(file(name), TEXT).unwrap();
        let arguments = arguments(&["--save", &file(name)]);
        let failure = super::run(&arguments, &rules).err().unwrap();
        assert!(failure.to_string().contains("it is the same file as"), "{failure}");
        assert_eq!(std::fs::read_to_string(file(name)).unwrap(), TEXT);
    }
}
