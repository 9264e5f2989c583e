//! What a session does without a page.

use std::thread;
use std::time::{Duration, Instant};

use serde_json::{Value, json};
use tamarin_eval::Score;
use tamarin_game::search::{Found, FoundLine, Worth};
use tamarin_movegen::Color;

use super::Session;
use crate::players::Resources;

/// Nothing that works takes so long, however busy the computer is.
const PATIENCE: Duration = Duration::from_secs(120);

fn session(open: Value) -> Session {
    let resources = Resources::new(1, 1);
    let open = serde_json::from_value(open).unwrap();
    Session::open("0123456789abcdef".to_owned(), open, resources).unwrap()
}

fn perform(session: &mut Session, command: Value) {
    session.perform(serde_json::from_value(command).unwrap(), None).unwrap();
}

/// Lets the engine go on until the session is as wanted.
fn wait(session: &mut Session, wanted: impl Fn(&Session) -> bool) {
    let since = Instant::now();
    while !wanted(session) {
        assert!(since.elapsed() < PATIENCE, "still {}", session.state().json(None));
        session.advance(Instant::now());
        thread::yield_now();
    }
}

/// A game against an engine with Black that saw no advantage when it moved last.
fn even_game(fen: &str) -> Session {
    let engine = json!({"kind": "engine", "level": 5});
    let mut session = session(json!({"kind": "play", "fen": fen, "black": engine}));
    let lines = vec![FoundLine { worth: Worth::Chess(Score::DRAW), pv: Vec::new() }];
    session.players[Color::Black].opinion = Some(Found { lines, ..Found::default() });
    session
}

/// Whether an offer of a draw has ended the game.
fn is_agreed(session: &Session) -> bool {
    session.game.ending().is_some_and(|end| end.to_string().contains("agreement"))
}

#[test]
fn an_engine_that_sees_no_advantage_agrees_to_a_draw_but_not_in_the_opening() {
    for (fen, agrees) in [
        ("rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1", false),
        ("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1", true),
    ] {
        let mut session = even_game(fen);
        perform(&mut session, json!({"do": "offer_draw"}));
        assert_eq!((is_agreed(&session), session.game.offer()), (agrees, None), "{fen}");
    }
}

#[test]
fn an_engine_that_is_to_move_answers_an_offer_once_it_has_thought() {
    // White's queen is left to be taken.
    let mut session = even_game("3q1k2/5ppp/8/8/8/8/PP2QPPP/4K3 w - - 2 2");
    perform(&mut session, json!({"do": "move", "mv": "e2e7"}));
    perform(&mut session, json!({"do": "offer_draw"}));
    assert_eq!((is_agreed(&session), session.game.offer()), (false, Some(Color::White)));
    wait(&mut session, |session| session.tree.size() == 3);
    assert_eq!((is_agreed(&session), session.game.offer()), (false, None));
    // Black is lost.
    let mut session = even_game("4k3/8/8/8/8/8/8/QQ2K3 b - - 0 1");
    perform(&mut session, json!({"do": "offer_draw"}));
    assert!(!is_agreed(&session));
    wait(&mut session, |session| session.game.ending().is_some());
    assert!(is_agreed(&session) && session.tree.size() == 1, "{}", session.state().json(None));
}

#[test]
fn what_an_engine_saw_before_moves_were_taken_back_counts_no_more() {
    let mut session = even_game("4k3/4p3/8/8/8/8/4P3/4K3 w - - 0 1");
    for command in [json!({"do": "move", "mv": "e4"}), json!({"do": "take_back"})] {
        perform(&mut session, command);
    }
    perform(&mut session, json!({"do": "offer_draw"}));
    assert!(!is_agreed(&session));
}

#[test]
fn the_engines_of_an_analysis_are_dropped_with_the_last_page_and_made_again() {
    let mut session = session(json!({"kind": "analyse"}));
    let engines = |session: &Session| {
        let analysis = &session.analysis;
        [&session.advisor, &analysis.lines.searcher, &analysis.threats.searcher]
            .map(Option::is_some)
    };
    let page = session.listen();
    perform(&mut session, json!({"do": "analyse", "on": true, "threats": true}));
    perform(&mut session, json!({"do": "hint", "step": 1}));
    session.advance(Instant::now());
    assert_eq!(engines(&session), [true; 3]);
    drop(page);
    session.leave();
    assert_eq!(engines(&session), [false; 3]);
    let _page = session.listen();
    session.advance(Instant::now());
    assert_eq!(engines(&session), [false, true, true], "nobody has asked for a hint since");
}

#[test]
fn games_of_own_rules_are_known_by_their_name_and_their_title() {
    let rules = "@name My Riders\n@extends losalamos\nn N\n";
    let mut session = session(json!({"kind": "analyse", "game": "ride", "rules": rules}));
    for (variant, expected) in [("ride", true), ("My Riders", true), ("losalamos", false)] {
        let loaded = session.load(&format!("[Variant \"{variant}\"]\n\n1. a3 *\n"));
        assert_eq!(loaded.is_ok(), expected, "{variant}: {loaded:?}");
    }
}
