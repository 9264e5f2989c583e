//! Games against the engine and between engines, line by line.

use crate::play::harness::Home;
use crate::support::PATIENCE;

const BACK_RANK: &str = "6k1/5ppp/8/8/8/8/5PPP/3R2K1 w - - 0 1";

#[test]
fn engine_answers_with_a_move() {
    let out = Home::new().good(&["--level", "2"], "e4\nd4\nNf3\nquit\n");
    assert!(out.contains("Tamarin (level 2): 1... "), "{out}");
    assert!(out.contains("The game is kept: tamarin play --resume goes on with it."), "{out}");
}

/// It would think for minutes.
#[test]
fn now_ends_the_thought_of_the_engine_and_other_lines_wait_for_its_move() {
    let middlegame = "r1bq1rk1/pp2bppp/2n1pn2/2pp4/3P4/2PBPN2/PP1N1PPP/R1BQ1RK1 w - - 0 9";
    let arguments = ["--level", "20", "--time", "600", "--fen", middlegame];
    let out = Home::new().good(&arguments, "e4\nnow\nfen\nquit\n");
    assert!(!out.contains('!'), "{out}");
    assert!(out.contains(" w - - ") || out.contains("10. White") || out.contains(" 10\n"), "{out}");
}

#[test]
fn each_command_is_answered() {
    let better = "qq2k3/8/8/8/8/8/8/4K3 w - - 0 1";
    let cases: [(&[&str], &str, &[&str]); 9] = [
        (
            &["--level", "1"],
            "e4\nundo\nundo\nredo\nredo",
            &[
                "Taken back: ",
                "! There is no move to take back.",
                "Played again: e4 ",
                "! No move was taken back.",
            ],
        ),
        (
            &["--fen", BACK_RANK],
            "hint\nwhy h3\neval\nbar on\nbar off\nanalyse\nRd7\nanalyse off",
            &[
                "Hint: Rd8# (#1): 1. Rd8#",
                "1. h3 misses 1. Rd8#, with mate in 1.",
                "Final evaluation: ",
                "White ##############################",
                "#1 (",
                "Analysis: off.",
            ],
        ),
        (
            &["--side", "both"],
            "e4\ne5\nNf3\nNc6\nBb5\nopening\ntime",
            &["Opening: Ruy Lopez.\n", "The game takes 0:", "There are no clocks"],
        ),
        (&["--side", "both"], "e4\nresign", &["Black resigns: White wins. 1-0"]),
        (
            &["--side", "both"],
            "draw\ndecline\ndecline\ne4\ndraw\ndraw",
            &[
                "White offers a draw",
                "The offer is declined.",
                "! No draw is offered.",
                "Draw: agreement. 1/2-1/2",
            ],
        ),
        (&["--level", "20", "--fen", better], "Kd2\ndraw", &["The engine wants to play on."]),
        (
            &["--level", "1"],
            "e4\nhint\nresign\nnew\ne4\nresign\nrecord",
            &["\nPlayer: 1 game, 0 won, 0 drawn, 1 lost; rating about 309\n"],
        ),
        (
            &["--side", "both", "--chess960", "0"],
            "fen\nchess960 959\nfen",
            &["\nbbqnnrkr/pppppppp/", "\nrkrnnqbb/pppppppp/"],
        ),
        (
            &["--variant", "xiangqi", "--level", "1"],
            "legal a4\nlegal j1\na4a5",
            &[
                "\n 10  r  n  b  a  k  a  b  n  r  10  ",
                "\nFrom a4:\n   a5\n",
                "! \"j1\" is no square of this board",
                "\nTamarin (level 1): 1... ",
            ],
        ),
    ];
    for (arguments, input, wanted) in cases {
        let out = Home::new().good(arguments, format!("{input}\nquit\n"));
        for text in wanted {
            assert!(out.contains(text), "{text:?} is missing after {input:?}: {out}");
        }
    }
}

#[test]
fn engine_plays_itself_at_two_levels() {
    let fen = "4k3/8/8/8/8/8/4P3/3QK3 w - - 0 1";
    let arguments = ["--side", "none", "--white", "8", "--black", "easy", "--fen", fen];
    let out = Home::new().good(&arguments, "");
    assert!(out.contains("Tamarin (level 8): 1. "), "{out}");
    assert!(out.contains("Tamarin (easy): 1... "), "{out}");
    assert!(out.lines().any(|line| line.ends_with("1-0") || line.ends_with("1/2-1/2")), "{out}");
}

#[test]
fn flag_falls_while_the_input_is_silent() {
    let home = Home::new();
    let fen = "4k3/8/8/8/8/8/8/R3K3 b - - 0 1";
    let mut game = home.launch(&["--side", "both", "--time", "0.005", "--fen", fen]).start();
    // The clocks run once both sides have moved.
    game.send("Ke7\nRa2");
    let wanted = "Black's time has run out: White wins. 1-0";
    game.until_line(wanted, PATIENCE, |text| text.contains(wanted));
    game.send("Ke2");
    game.close_stdin();
    let rest = game.expect_exit();
    assert!(rest.iter().any(|line| line.text.contains("! The game is over.")), "{rest:?}");
}

#[test]
fn game_goes_on_whatever_is_typed() {
    let mut input: Vec<u8> =
        b"\0\xff\xfe\n\n   \n:\n/\n?\nhelp nonsense\nlevel\nlook 5\nside\n".to_vec();
    input.extend_from_slice(&b"x".repeat(3 << 20));
    input.extend_from_slice(
        "\nundo 99999999999999999999\nlook -1\nsetup +\nsetup é\nwhy\nredo\nclaim\nsvg\nload\n\
         +Nf3\n-\n♔♔♔\nsolution\nnext\npause\npause\nnow\ntheme x\npieces x\nboard\nlegal z9\n\
         e5\nquit\n"
            .as_bytes(),
    );
    let out = Home::new().good(&["--side", "both"], input);
    assert!(out.contains("(p)"), "{out}");
}

#[test]
fn rejects_wrong_arguments_before_anything_happens() {
    let home = Home::new();
    let cases: [(&[&str], &str); 18] = [
        (&["--level", "0"], ""),
        (&["--level", "21"], ""),
        (&["--elo", "100"], ""),
        (&["--easy", "--hard"], ""),
        (&["--time", "x"], ""),
        (&["--side", "green"], ""),
        (&["--theme", "mud"], ""),
        (&["--game", "2"], ""),
        (&["--load", "x", "--game", "0"], ""),
        (&["--again"], ""),
        (&["--fen", "8/8/8/8/8/8/8/8 w - - 0 1"], "error: the position: "),
        (&["--variant", "Chess960"], "Chess960 begins with --chess960"),
        (&["--variant", "nuttyknight"], "did you mean nuttyknights?"),
        (&["--variant", "fide", "--elo", "1500"], "cannot be used with"),
        (&["--variant", "fide", "--black", "1500"], "ratings are for chess"),
        (&["--variant", "fide", "--black", "capuchin"], "ratings are for chess, and small"),
        (&["--variant", "fide", "--resume"], "cannot be used with"),
        (&["--variant", "fide", "--fen", "8/8"], "bad position: the board has 8 rows, not 2"),
    ];
    for (arguments, wanted) in cases {
        let finished = home.play(arguments, "");
        assert_eq!(finished.code(), 2, "{arguments:?}: {}", finished.out);
        assert!(finished.out.is_empty() && !finished.err.is_empty(), "{arguments:?}");
        assert!(finished.err.contains(wanted), "{arguments:?}: {}", finished.err);
    }
    assert!(home.kept().is_empty());
}

/// At most a second after the end, says `make bench-latency` of the engine, which does the same.
#[test]
fn long_a_client_that_reads_nothing_cannot_keep_the_game() {
    let home = Home::new();
    crate::support::unread::end(home.launch(&[]), "help\n".repeat(1000), "");
}
