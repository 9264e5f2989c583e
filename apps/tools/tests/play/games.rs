//! Games against the engine and between engines, line by line.

use crate::play::harness::{Home, finish, text};

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
    // The same seed plays the same game.
    assert_eq!(Home::new().good(&arguments, ""), out);
}

#[test]
fn each_side_may_have_an_evaluator_of_its_own() {
    let fen = "k7/8/1K6/8/8/8/8/7Q b - - 0 1";
    let play = |white: &str| {
        Home::new().play(&["--side", "none", "--white", white, "--black", "2", "--fen", fen], "")
    };
    let out = play("3,hand-crafted").out;
    assert!(out.contains("Tamarin (level 2): 1... Kb8"), "{out}");
    assert!(out.contains("Tamarin (level 3, hand-crafted): 2. "), "{out}");
    let out = play("hand-crafted").out;
    assert!(out.contains("Tamarin (level 13, hand-crafted): 2. "), "{out}");
    let refused = play("3,neural");
    assert_eq!(refused.status.code(), Some(2), "{}", refused.out);
    assert!(refused.err.contains("is no level"), "{}", refused.err);
}

#[test]
fn an_opponent_for_the_color_of_a_person_is_refused() {
    for (arguments, wanted) in [
        (&["--white", "5"][..], "you play White: add --side black or --side none"),
        (&["--white", "uci:/none"], "you play White: add --side black or --side none"),
        (&["--black", "5", "--side", "black"], "you play Black: add --side white or --side none"),
        (&["--black", "5", "--side", "both"], "you play Black: add --side white or --side none"),
    ] {
        let finished = Home::new().play(arguments, "quit\n");
        assert_eq!(finished.status.code(), Some(2), "{arguments:?}: {}", finished.out);
        assert!(finished.err.contains(wanted), "{arguments:?}: {}", finished.err);
    }
    for arguments in [["--white", "5", "--side", "random"], ["--white", "5", "--side", "black"]] {
        Home::new().good(&arguments, "quit\n");
    }
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

/// The program ends where a game ends in which nobody plays, not where everybody leaves one that
/// is over.
#[test]
fn other_sides_after_the_end_do_not_end_the_program() {
    let home = Home::new();
    let out = home.good(&["--side", "both"], "f3\ne5\ng4\nQh4\nside none\nmoves\nquit\n");
    assert!(out.contains("\n1. f3 e5 2. g4 Qh4#\n"), "{out}");
    let variant = ["--variant", "losalamos", "--side", "both"];
    let out = home.good(&variant, "a3\nresign\nside none\nmoves\nquit\n");
    assert!(out.contains("\n1. a3\n"), "{out}");
    let none = ["--side", "none", "--fen", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1"];
    let out = home.good(&none, "moves\n");
    assert!(out.contains("1-0") && !out.contains("No moves"), "{out}");
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
fn a_client_that_reads_nothing_cannot_keep_the_game() {
    let home = Home::new();
    for rules in [&[][..], &["--variant", "locusts"]] {
        let input = "help\n".repeat(1000);
        crate::support::unread::end(&mut home.command(rules), input, "");
    }
}

#[test]
fn a_reader_that_goes_away_ends_the_game() {
    let home = Home::new();
    let mut command = std::process::Command::new("sh");
    command
        .args(["-c", "yes legal | \"$0\" play --no-autosave | head -n 3"])
        .arg(crate::play::harness::binary())
        .env("XDG_STATE_HOME", home.path("."))
        .stdin(std::process::Stdio::piped())
        .stdout(std::process::Stdio::piped())
        .stderr(std::process::Stdio::piped());
    let finished = finish(command, b"");
    assert!(finished.status.success() && finished.err.is_empty(), "{}", finished.err);
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
fn threats_and_hints_come_unasked_where_that_is_wanted() {
    let home = Home::new();
    // The queen is attacked by a pawn.
    let fen = "4k3/8/4p3/3Q4/8/8/8/4K3 w - - 0 1";
    let warning = "White's queen on d5 is in danger: exd5.";
    let arguments = ["--side", "both", "--fen", fen];
    let quiet = home.good(&arguments, "quit\n");
    assert!(!quiet.contains("danger") && !quiet.contains("Hint: "), "{quiet}");
    let warned = home.good(&[&arguments[..], &["--threats"]].concat(), "threats off\nKe2\nquit\n");
    assert_eq!(warned.matches(warning).count(), 1, "{warned}");
    assert!(warned.contains("Threats: off."), "{warned}");
    let switched = home.good(&arguments, "threats on\nthreats\nhints on\nquit\n");
    assert_eq!(switched.matches(warning).count(), 1, "{switched}");
    assert!(switched.contains("Threats: off.") && switched.contains("Hint: Q"), "{switched}");
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

#[test]
fn tablebases_are_used_and_missing_ones_refused() {
    let home = Home::new();
    let none = home.path("none");
    let finished = home.play(&["--syzygy", &text(&none)], "quit\n");
    assert_eq!(finished.status.code(), Some(2), "{}", finished.out);
    assert!(finished.err.starts_with("error: no tablebases in "), "{}", finished.err);
    let Some(data) = std::env::var_os("TAMARIN_TEST_DATA") else {
        println!("SKIP 1: no syzygy where TAMARIN_TEST_DATA says");
        return;
    };
    let folder = text(&std::path::Path::new(&data).join("syzygy"));
    // A cursed position: only the tables know that this pawn does not win.
    let fen = "8/8/8/3k4/8/3K4/3P4/4b3 w - - 0 1";
    let arguments = ["--syzygy", &folder, "--side", "both", "--fen"];
    let out = home.good(&[&arguments[..], &[fen]].concat(), "hint\nwhy Ke3\nquit\n");
    assert!(out.contains("(+0.00)"), "{out}");
    assert!(out.contains("Ke3 keeps the draw that the tablebases know"), "{out}");
    // A win by the tables is shown in words.
    let fen = "8/8/8/4k3/8/8/3QK3/8 w - - 0 1";
    let out = home.good(&[&arguments[..], &[fen]].concat(), "hint\nwhy Qd4+\nquit\n");
    assert!(out.contains("1. Qd4+ throws away a won position: a draw"), "{out}");
    assert!(!out.contains("+999"), "{out}");
}
