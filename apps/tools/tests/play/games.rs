//! Games against the engine and between engines, line by line.

use crate::play::harness::Home;

#[test]
fn the_engine_answers_with_legal_moves() {
    let out = Home::new().good(&["--level", "2"], "e4\nd4\nNf3\nquit\n");
    let moves: Vec<&str> =
        out.lines().filter_map(|line| line.strip_prefix("Tamarin (level 2): ")).collect();
    assert!(!moves.is_empty(), "{out}");
    assert!(moves[0].starts_with("1... "), "{out}");
    assert!(out.contains("The game is kept: tamarin play --resume goes on with it."), "{out}");
}

#[test]
fn the_board_is_drawn_with_last_move_and_check_and_turned_for_black() {
    let out = Home::new().good(&["--side", "both"], "e4\nquit\n");
    let wanted = "  5  .  .  .  .  .  .  .  .  5\n  4  .  .  .  . (P) .  .  .  4\n";
    assert!(out.contains(wanted), "{out}");
    let fen = ["--fen", "4k3/8/8/8/8/8/3R4/4K3 w - - 0 1"];
    let out = Home::new().good(&[&["--side", "both"], &fen[..]].concat(), "Re2\nquit\n");
    assert!(out.contains(" !k! ") && out.contains("Check!"), "{out}");
    let out = Home::new().good(&["--side", "black", "--level", "1"], "quit\n");
    assert!(out.contains("     h  g  f  e  d  c  b  a\n"), "{out}");
    assert!(out.contains("* Black: Player"), "{out}");
    let unicode = Home::new().good(&["--pieces", "unicode", "--color", "always"], "quit\n");
    assert!(unicode.contains('♚') && unicode.contains("\x1b[48;5;"), "{unicode}");
}

#[test]
fn moves_are_read_as_people_type_them_and_mistakes_are_explained() {
    let input = "E2-E4\n e7e5 \nnf3\nNc6??\n♗c4\nbc5\n0-0\nfoo\nd2d5\nNd5\nundo\nquit\n";
    let out = Home::new().good(&["--side", "both"], input);
    assert!(out.contains("! \"foo\" is neither a move nor a command; say help or legal."), "{out}");
    assert!(out.contains("! d2d5: no move from") || out.contains("! d2d5: "), "{out}");
    assert!(out.contains("Taken back: O-O."), "{out}");
}

#[test]
fn moves_are_taken_back_and_played_again() {
    let home = Home::new();
    let out = home.good(&["--level", "1"], "e4\nundo\nundo\nredo\nredo\nfen\nquit\n");
    assert!(
        out.contains("Taken back: ") && out.contains("! There is no move to take back."),
        "{out}"
    );
    assert!(
        out.contains("Played again: e4 ") && out.contains("! No move was taken back."),
        "{out}"
    );
    let fen = out.lines().find(|line| line.contains(" w ") && line.ends_with(" 2"));
    assert!(fen.is_some(), "{out}");
}

#[test]
fn hints_reasons_and_evaluations_are_given() {
    let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let out = Home::new().good(&["--fen", fen], "hint\nwhy h3\neval\nbar on\nbar off\nquit\n");
    assert!(out.contains("Hint: Rd8# (#1): 1. Rd8#"), "{out}");
    assert!(out.contains("1. h3 misses 1. Rd8#, with mate in 1."), "{out}");
    assert!(out.contains("King danger") && out.contains("Final evaluation: "), "{out}");
    assert!(out.contains("White ##############################"), "{out}");
}

#[test]
fn the_engine_plays_against_itself_at_two_levels() {
    let fen = "4k3/8/8/8/8/8/4P3/3QK3 w - - 0 1";
    let arguments = ["--side", "none", "--white", "8", "--black", "easy", "--fen", fen];
    let out = Home::new().good(&arguments, "");
    assert!(out.contains("Tamarin (level 8): 1. "), "{out}");
    assert!(out.contains("Tamarin (easy): 1... "), "{out}");
    assert!(out.lines().any(|line| line.ends_with("1-0") || line.ends_with("1/2-1/2")), "{out}");
}

#[test]
fn positions_are_set_up_and_refused() {
    let input =
        "setup clear +Ke1 +ke8 +Ra1 castling\nfen\nsetup 8/8/8 w\nsetup -e1\nfen\nO-O-O\nquit\n";
    let out = Home::new().good(&["--side", "both"], input);
    assert_eq!(out.matches("4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\n").count(), 2, "{out}");
    assert_eq!(out.matches("\n! ").count(), 2, "{out}");
    let chess960 = "1rqbkrbn/1ppppp1p/1n6/p1N3p1/8/2P4P/PP1PPPP1/1RQBKRBN w FBfb - 0 9";
    let out = Home::new().good(&["--side", "both", "--fen", chess960], "legal\nquit\n");
    assert!(out.contains(" legal moves:\n") && out.contains(" g3 "), "{out}");
}

#[test]
fn clocks_run_and_are_kept() {
    let home = Home::new();
    let path = home.path("game.pgn");
    let path = path.to_str().expect("plain");
    let out = home.good(&["--side", "both", "--time", "90+300", "--save", path], "e4\ne5\nquit\n");
    // The first moves take no time and bring none.
    assert!(out.contains("* White: Player  1:30:00"), "{out}");
    let pgn = std::fs::read_to_string(path).expect("it was written");
    assert!(
        pgn.contains("[TimeControl \"5400+300\"]") && pgn.contains("1. e4 { [%clk 1:30:00.0]"),
        "{pgn}"
    );
}

#[test]
fn whatever_is_typed_the_game_goes_on() {
    let home = Home::new();
    let mut input: Vec<u8> =
        b"\0\xff\xfe\n\n   \n:\n/\n?\nhelp nonsense\nlevel\nlook 5\nside\n".to_vec();
    input.extend_from_slice(&b"x".repeat(3 << 20));
    input.extend_from_slice(
        "\nundo 99999999999999999999\nlook -1\nsetup +\nsetup é\nwhy\nredo\nclaim\nsvg\nload\n\
         +Nf3\n-\n♔♔♔\nsolution\nnext\npause\npause\nnow\ntheme x\npieces x\nboard\nlegal z9\n\
         e5\nquit\n"
            .as_bytes(),
    );
    let out = home.good(&["--side", "both"], input);
    assert!(out.contains("(p)"), "{out}");
    assert!(!out.contains("panicked"), "{out}");
}

#[test]
fn wrong_arguments_are_refused_before_anything_happens() {
    let home = Home::new();
    for arguments in [
        &["--level", "0"][..],
        &["--level", "21"],
        &["--elo", "100"],
        &["--easy", "--hard"],
        &["--time", "x"],
        &["--side", "green"],
        &["--theme", "mud"],
        &["--game", "2"],
        &["--fen", "8/8", "--resume"],
        &["--load", "x", "--game", "0"],
        &["--again"],
    ] {
        let finished = home.play(arguments, "");
        assert_eq!(finished.status.code(), Some(2), "{arguments:?}: {}", finished.out);
        assert!(finished.out.is_empty() && !finished.err.is_empty(), "{arguments:?}");
    }
    let finished = home.play(&["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "");
    assert_eq!(finished.status.code(), Some(2));
    assert!(finished.err.starts_with("error: the position: "), "{}", finished.err);
    assert!(home.kept().is_empty());
}

/// At most a second after the end, says `make bench-latency` of the engine, which does the same.
#[test]
fn long_a_client_that_reads_nothing_cannot_keep_the_game() {
    let home = Home::new();
    crate::support::unread::end(&mut home.command(&[]), "help\n".repeat(1000), "");
}

#[test]
fn openings_have_names_and_the_game_a_time() {
    let home = Home::new();
    let input = "opening\ne4\ne5\nNf3\nNc6\nBb5\nopening\nlook 2\nopening\ntime\nquit\n";
    let out = home.good(&["--side", "both"], input);
    assert!(out.contains("This opening has no name here."), "{out}");
    assert!(out.contains("Opening: Ruy Lopez.\n"), "{out}");
    assert!(out.contains("Opening: Open Game.\n"), "{out}");
    assert!(out.contains("The game takes 0:") && out.contains("There are no clocks"), "{out}");
    let out = home.good(&["--side", "both", "--time", "5+3"], "e4\ntime\ne5\ntime\nquit\n");
    let waiting = "White has 5:00, Black 5:00 (5+3). The clocks run once both sides have moved.";
    assert!(out.contains(waiting), "{out}");
    assert_eq!(out.matches("run once both sides").count(), 1, "{out}");
}

#[test]
fn analysis_shows_lines_for_each_position_that_is_looked_at() {
    let home = Home::new();
    let fen = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";
    let input = "analyse\nRd7\nlook first\nanalyse off\nquit\n";
    let out = home.good(&["--side", "both", "--fen", fen], input);
    assert_eq!(out.matches("#1 (").count(), 2, "before the move and when looked at: {out}");
    assert!(out.contains("1. Rd8#\n") && out.contains("Analysis: off."), "{out}");
}
