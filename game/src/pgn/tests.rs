//! What is read is written as it was.

use std::path::Path;

use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tamarin_movegen::{Color, Position};

use super::games::{GameText, Games};
use super::{
    Game, Outcome, Rejected, Wanted, decoded, read, read_any, read_opening, tree, write, write_tree,
};
use crate::position::{self, Castling};
use crate::tree::{NodeId, Tree};
use crate::variation;

/// A text in which a line break is a blank, with all white space around it.
fn without_breaks(text: &str) -> String {
    let (mut out, mut space) = (String::new(), String::new());
    for c in text.trim().chars() {
        if c.is_whitespace() {
            space.push(c);
            continue;
        }
        out.push_str(if space.contains(['\n', '\r']) { " " } else { &space });
        space.clear();
        out.push(c);
    }
    out
}

/// Every game of a file must be written as it stands there; how many there are.
fn check(file: &[u8]) -> usize {
    let mut games = Games::new(file);
    let mut count = 0;
    while let Some(text) = games.next_game().expect("a slice gives no error") {
        let game = read(&text).expect("a good game");
        let written = write(&game);
        let wanted = decoded(&text.verbatim);
        assert_eq!(without_breaks(&written), without_breaks(&wanted), "{wanted}");
        // Without blanks that cannot become breaks.
        if !wanted.contains("  ") {
            let is_long = |line: &str| line.chars().count() > 80 && !line.contains("[%");
            assert!(
                !written.lines().any(|line| is_long(line) && !line.starts_with('[')),
                "{written}"
            );
        }
        let again = GameText { bytes: written.clone().into_bytes(), ..GameText::default() };
        assert_eq!(write(&read(&again).expect("it was written well")), written);
        count += 1;
    }
    count
}

#[test]
fn games_of_other_programs_are_written_as_they_were() {
    let Some(folder) = std::env::var_os("TAMARIN_TEST_DATA") else {
        println!("SKIP 1: TAMARIN_TEST_DATA names no folder of games");
        return;
    };
    let folder = Path::new(&folder).join("games");
    let mut count = 0;
    for entry in std::fs::read_dir(&folder).expect("a folder of games") {
        let path = entry.expect("a file").path();
        println!("{}", path.display());
        count += check(&std::fs::read(&path).expect("a file"));
    }
    assert!(count >= 14, "{count} games in {}", folder.display());
}

#[test]
fn games_of_all_habits_are_written_as_they_were() {
    let count: usize = GAMES.iter().map(|game| check(game.as_bytes())).sum();
    assert_eq!(count, GAMES.len());
    let latin: Vec<u8> = GAMES[0].chars().map(|c| c as u8).collect();
    assert_eq!(check(&latin), 1);
    assert_eq!(check(GAMES.concat().replace('\n', "\r\n").as_bytes()), GAMES.len());
}

/// A game by each habit: null moves, Lichess with its commands, ChessBase's blanks and tags, engines' comments,
/// moves glued to their numbers, comments in all places, what is no tag and no move.
const GAMES: [&str; 7] = [
    "[Event \"Rated blitz game\"]\n[Site \"https://lichess.org/x\"]\n[UTCDate \"2024.01.01\"]\n\
     [White \"M\u{fc}ller \\\"A\\\" \\\\\"]\n[Result \"1-0\"]\n[Annotator \"lichess.org\"]\n\n\
     1. e4 { [%eval 0.17] [%clk 0:03:00] } 1... e5 { [%eval 0.19] [%clk 0:03:00] } 2. Ke2?! \
     { (0.19 \u{2192} -1.1) Inaccuracy. Nf3 was best. } { [%eval -1.1] [%clk 0:02:58] } (2. Nf3 Nc6 3. Bb5 a6) \
     2... Nf6 { [%eval -1.0] [%clk 0:02:55] [%cal Ge2e4,Rf6e4][%csl Ge4] } { Black wins on time. } 1-0\n\n",
    "[Event \"B\"]\n\n[Site \"Oslo\"]\n[WhiteElo \"2800\"]\n[Result \"*\"]\n\n\
     1. d4  d5  2.\nc4 {  two  blanks,\n a break }  e6  3.\n\nNc3  $1  $14  c5 *\n\n",
    "[Result \"1/2-1/2\"]\n[PlyCount \"4\"]\n[Termination \"adjudication\"]\n\n\
     1. e4 {+0.24/27 13s} c5 {0.00/31 8.7s} 2. Nf3 {book} d6 {-M4/12 1s, Draw by adjudication} 1/2-1/2\n\n",
    "[White \"a\"]\n1.e4 e5 2.Nf3 Nc6 3.Bb5 a6 ; the Spanish { game\n4.Ba4 Nf6 5.0-0 Be7 1/2\n% for a program\n*\n\n",
    "{before} {twice} 1. {number} e4 {a} $1 {b} (1. d4! (1. c4 c5 (1... e5)) 1... d5) {c} (1. f4) 1 ... e5 ()\n*\n\n",
    "[Event\t\"odd\"]\n[nothing]\n% remark\n[Site \"x\" ]\n[no tag\n1. e4 xx5 (-- e5) [%x] $300 e5 ) 2. Nf3 \u{bd}-\u{bd} ...\n\n",
    "[Event \"null\"]\n1. e4 -- 2. d4 Z0 $10 {waits} (2... d5 3. Z0 (3. e5 --) 3... -- 4. --) 3. --! --?! 4.Nc3 Z0+\n*\n\n",
];

fn pick<'a>(random: &mut Xoshiro256PlusPlus, items: &[&'a str]) -> &'a str {
    items[random.random_range(0..items.len())]
}

/// Moves with notes and variations of all kinds.
fn line(
    random: &mut Xoshiro256PlusPlus,
    position: &Position,
    length: usize,
    depth: usize,
) -> String {
    let mut position = position.clone();
    let mut text = String::new();
    let mut is_due = true;
    for _ in 0..length {
        let moves = position.legal_moves();
        if moves.is_empty() {
            break;
        }
        let passes = !position.in_check() && random.random_ratio(1, 15);
        let mv = moves[random.random_range(0..moves.len())];
        if is_due || position.side_to_move() == Color::White {
            text += &variation::number(&position);
            text += pick(random, &[" ", "", "\n", "  "]);
        }
        text += &if passes {
            pick(random, &["--", "Z0", "--+"]).to_owned()
        } else {
            position.san(mv).to_string()
        };
        text += pick(random, &["", "", "!", "?!", " $14", " $1 $146"]);
        text += pick(
            random,
            &[
                "",
                "",
                "",
                " { [%clk 0:01:02] }",
                " {+0.31/14 2.5s}",
                "\n{long  words\nand more }",
                " ; to the end\n",
                "{[%eval #-3] (1. x) [%cal Gd2d4]} {}",
                " \n% escape\n",
            ],
        );
        if depth > 0 && random.random_ratio(1, 6) {
            let inner = line(random, &position, 3, depth - 1);
            text += &format!(
                "{}({inner}){}",
                pick(random, &[" ", "\n"]),
                pick(random, &["", " {after}"])
            );
        }
        is_due = random.random_ratio(1, 3);
        if passes {
            position.make_null();
        } else {
            position.make(mv);
        }
        text += pick(random, &[" ", " ", "\n", "  "]);
    }
    text
}

#[test]
fn random_games_are_written_as_they_were() {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(37);
    for index in 0..200 {
        let moves = line(&mut random, &Position::startpos(), 40, 3);
        let result = pick(&mut random, &["1-0", "*", "1/2-1/2 {after all}", ""]);
        let game = format!("[Event \"{index}\"]\n[ECO \"A00\"]\n[Site \"?\"]\n\n{moves}{result}\n");
        assert_eq!(check(game.as_bytes()), 1, "{game}");
    }
}

#[test]
fn outcomes_and_numbers_are_set_where_they_belong() {
    let mut game = good("1. e4 { a } e5 $1 2. Nf3 (2. f4) Nc6 *");
    game.number_moves(0..4);
    game.set_outcome(Outcome::Won(Color::Black));
    assert_eq!(write(&game), "1. e4 { a } 1... e5 $1 2. Nf3 (2. f4) 2... Nc6 0-1\n\n");
    game.number_moves(0..4);
    game.set_outcome(Outcome::Unknown);
    game.complete_tags();
    let written = write(&game);
    assert!(
        written.ends_with("\n\n1. e4 { a } 1... e5 $1 2. Nf3 (2. f4) 2... Nc6 *\n\n"),
        "{written}"
    );
}

fn text(text: impl AsRef<[u8]>) -> GameText {
    GameText { bytes: text.as_ref().into(), ..GameText::default() }
}

fn good(source: impl AsRef<[u8]>) -> Game {
    read(&text(source)).expect("a good game")
}

#[test]
fn variations_nest_deeply_and_may_stay_open() {
    const DEPTH: usize = 10_000;
    let nested = format!("1. e4 {} e5 1-0", "(1. d4 ".repeat(DEPTH));
    let game = good(&nested);
    assert_eq!(game.moves.len(), 1);
    let written = write(&game);
    assert_eq!(written.matches('(').count(), DEPTH);
    assert_eq!(written.matches(')').count(), DEPTH);
    let closed = format!("1. e4 {}{} e5 1-0", "(1. d4 ".repeat(DEPTH), ")".repeat(DEPTH));
    assert_eq!(good(&closed).moves.len(), 2);
    let stray = read(&text(b"1. e4 ) ) e5 *")).expect("a good game");
    assert_eq!((stray.moves.len(), write(&stray).as_str()), (2, "1. e4 ) ) e5 *\n\n"));
}

#[test]
fn null_moves_pass_the_turn() {
    let source = "1. e4 -- 2. d4 $10 (2. Nf3 Z0! (2... -- --) 3. d4) 2... Z0 {waits} 3. Be2 --+ *";
    let game = good(source);
    let played: Vec<_> =
        game.moves.iter().map(|one| (one.san.as_str(), one.mv.is_some())).collect();
    let wanted =
        [("e4", true), ("--", false), ("d4", true), ("Z0", false), ("Be2", true), ("--+", false)];
    assert_eq!(played, wanted);
    assert_eq!(write(&game), format!("{source}\n\n"));
    let pass = read(&text(b"1. e4 d5 2. Bb5+ -- 3. Bxe8 *")).expect_err("it is in check");
    let wanted = "ply 4: null move \"--\" in check, where passing is not possible";
    assert_eq!(pass.to_string(), wanted);
    // In a variation nothing is checked.
    assert!(read(&text(b"1. e4 d5 2. Bb5+ c6 (2... -- 3. Bxe8) *")).is_ok());
}

#[test]
fn ignores_moves_glued_to_letters() {
    for latin in [
        &b"1. e4 \xbde5 \xbd e5 *"[..],
        b"1. e4 \xc2e5 e5 *",
        b"1. e4 \xc2\xbde5 e5 *",
        b"1. e4 \x96e5 \x8ae5 e5 *",
    ] {
        let game = good(latin);
        assert_eq!(game.moves.len(), 2, "{latin:?}: {game:?}");
        let written = write(&game);
        let again = good(&written);
        assert_eq!((again.moves.len(), write(&again)), (2, written));
    }
    // A dash of Windows-1252 is the same in UTF-8.
    let dash = good(b"1. e4 e5 2. Nf3 Nf6 3. Bc4 Bc5 4. 0\x960 1/2\x961/2");
    let again = read(&text(write(&dash).as_bytes())).expect("it was written well");
    assert_eq!((dash.moves.len(), dash.outcome), (7, Outcome::Draw));
    assert_eq!((again.moves.len(), again.outcome), (7, Outcome::Draw));
    let odd = good("1. e4 \u{bd}e7 e5 \u{bd}-\u{bd}");
    assert_eq!((odd.moves.len(), odd.outcome), (2, Outcome::Draw));
}

#[test]
fn reads_moves_between_signs_of_typesetting() {
    for sign in ["\u{a0}", "\u{2009}", "\u{200b}", "\u{2026}", "\u{feff}"] {
        let source = format!("1. e4 e5 2. Nf3 {{best}} 2...{sign}Nc6{sign} 3.{sign}Bb5 a6 *\n\n");
        let game = good(&source);
        assert_eq!((game.moves.len(), write(&game)), (6, source));
    }
    let latin = good(b"1. e4 e5 2.\xa0Nf3 {best} 2\x85Nc6 *");
    assert_eq!(latin.moves.len(), 4);
    for odd in
        ["1. e4 e5 2.\u{a0}Nf3\u{a0}Nc6 3. Bc4 *", "1. d4 d5 2. \u{41a}f3 \u{41a}f6 3. e3 e6 *"]
    {
        let refused = read(&text(odd));
        assert!(matches!(refused, Err(Rejected::Move { .. })), "{odd}");
    }
}

#[test]
fn reads_moves_in_other_notations() {
    let source = "1. e2-e4 e7-e5 2. Bf1-c4 Nb8-c6 3. Ng1-f3 d6 4. o-o a7:b6?! (4... Lg4) *";
    let refused = read(&text(source)).expect_err("no pawn can take on b6");
    assert!(refused.to_string().starts_with("ply 8: illegal move \"a7:b6\""), "{refused}");
    let source = source.replace("a7:b6", "a7-a6");
    let game = good(&source);
    assert_eq!((game.moves.len(), write(&game)), (8, format!("{source}\n\n")));
    for castling in ["0-0", "o-o", "O\u{2013}O", "\u{41e}-\u{41e}", "e1g1", "e1-g1", "Ke1-g1"] {
        let source = format!("1. e4 e5 2. \u{2658}f3 Nc6 3. Bc4 Bc5 4. {castling} *");
        assert_eq!(good(&source).moves.len(), 7);
    }
    for capture in ["exd6e.p.", "exd6 e.p.", "exd6ep", "e5d6", "e5xd6", "\u{2659}exd6"] {
        let source = format!("1. e4 a6 2. e5 d5 3. {capture} Qxd6");
        let game = good(&source);
        assert_eq!((game.moves.len(), write(&game)), (6, format!("{source}\n\n")));
    }
    let mate = good(b"1. e4 e5 2. Bc4 Nc6 3. Qh5 Nf6 4. Qxf7++ 1-0");
    assert_eq!(mate.moves.len(), 7);
    for (odd, wanted) in [
        ("1. e4 e5 2. Sf3 Sc6", "ply 3: column 1: expected a piece letter"),
        ("1. e4 e5 2. Qxh9 Nc6", "ply 3: column 4: expected the rank"),
        ("1. e4 exd0 2. Nf3", "ply 2: column 4: expected the rank"),
        ("1. Ni4 e5", "ply 1: column "),
        ("1. e4 e5xx 2. Nf3", "ply 2: column 4: expected the target square"),
        ("[FEN \"8/P6k/8/8/8/8/8/K7 w - - 0 1\"]\n1. a8/P Kg7", "ply 1: column 4: expected Q"),
    ] {
        let refused = read(&text(odd)).expect_err("no move of chess").to_string();
        assert!(refused.starts_with(wanted), "{odd}: {refused}");
    }
}

#[test]
fn keeps_assessments_glued_to_moves() {
    let signs =
        "\u{b1} \u{2213} \u{2a72} \u{2a71} \u{221e} +\u{2212} \u{2212}+ +\u{2013} \u{2013}+";
    let ascii = "+/- -/+ +/= =/+ +- -+ ++- += =+ = , =,";
    for mark in ascii.split(' ').chain(signs.split(' ')) {
        for mv in ["Nf3", "Ng1-f3"] {
            let source = format!("1. e4 e5 2. {mv}{mark} Nc6 1-0\n\n");
            let game = good(&source);
            assert_eq!((game.moves.len(), write(&game)), (4, source));
        }
    }
    let latin = good(b"1. e4\xb1 e5, 2. Bc4 Bc5 3. Nf3 Nf6 4. O-O= *");
    let wanted = "1. e4\u{b1} e5, 2. Bc4 Bc5 3. Nf3 Nf6 4. O-O= *\n\n";
    assert_eq!((latin.moves.len(), write(&latin).as_str()), (7, wanted));
    let promotion = |moves: &str| {
        let source = format!("[FEN \"8/4P2k/8/8/8/8/8/K7 w - - 0 1\"]\n1. {moves} Kg7 *");
        read(&text(&source)).map(|game| game.moves.len())
    };
    assert_eq!(promotion("e8=Q=").expect("a good game"), 2);
    let refused = promotion("e8=").expect_err("it names no piece").to_string();
    assert_eq!(refused, "ply 1: illegal move \"e8\": it does not say what the pawn becomes");
    // A letter is no assessment: `N` could be a novelty or a knight.
    assert!(read(&text(b"1. e4 e5 2. Nf3N Nc6 *")).is_err());
}

#[test]
fn opening_ends_before_what_is_not_checked() {
    let opening = |source: &str| read_opening(&text(source), 2);
    for rest in ["2. Kd8", "2. Sf3 Sc6", "2. Nf3 (2. d4) Nc6"] {
        let game = opening(&format!("1. e4 e5 {rest} 1-0")).expect("a good opening");
        assert_eq!((game.moves.len(), game.outcome), (2, Outcome::Won(Color::White)), "{rest}");
    }
    let passed = opening("1. -- Kd4 1-0").expect("a good opening");
    assert_eq!((passed.moves.len(), passed.moves[0].mv), (1, None));
    let refused = opening("1. e4 Ke4 1-0").expect_err("it is illegal").to_string();
    assert!(refused.starts_with("ply 2: illegal move \"Ke4\""), "{refused}");
}

#[test]
fn names_what_is_wrong() {
    let rejected = |bytes: &[u8]| read(&text(bytes)).expect_err("it is wrong").to_string();
    let chess960 = rejected(b"[FEN \"?\"]\n[Variant \"Chess960\"]\n\n1. e4 *");
    assert_eq!(chess960, "tag FEN: a game of Chess960 without its first position");
    assert!(rejected(b"[Variant \"Makruk\"]\n*").ends_with("`tamarin play --load` reads it"));
    assert!(rejected(b"1. e4 e5 2. Ke3 *").starts_with("ply 3: illegal move \"Ke3\""));
    assert!(rejected(b"[FEN \"8/8 w\"]\n*").starts_with("tag FEN: "));
    assert_eq!(
        rejected(b"[Variant \"Bughouse\"]\n*"),
        "a game of \"Bughouse\", which is not read here"
    );
    assert_eq!(rejected(b"\x00\x01\xff\xfe"), "neither tags nor moves");
    assert!(rejected(b"[Event \"a\"]\n1. e4 { open").starts_with("malformed: "));
    let cut = GameText { is_cut: true, ..GameText::default() };
    assert!(matches!(read(&cut), Err(Rejected::TooLong)));
}

/// The tree of a game, and its text.
fn grown(source: &str) -> Result<(Tree, String), String> {
    let game = read_any(&text(source), Wanted::Any).map_err(|error| error.to_string())?;
    let tree = tree(&game)?;
    let written = write_tree([], &tree, game.outcome);
    Ok((tree, written.split_whitespace().collect::<Vec<_>>().join(" ")))
}

/// Habits of other programs and of people: the text of a file, the moves of each game in it.
const HABITS: [(&str, &[usize]); 30] = [
    // Annotations and signs glued to moves.
    ("1. e4 $1e5 2. Nf3$14$32 *", &[3]),
    ("1. e4\u{25a1} e5 2. Nf3\u{2a00} Nc6\u{2191}\u{2191} 3. Bb5\u{2192} a6=\u{221e} *", &[6]),
    ("1. e4\u{21c6} e5\u{2295} 2. Nf3\u{2313} Nc6\u{2206} *", &[4]),
    ("1. e4 d5 2. Bb5ch c6 3. Bxc6\u{2020} Nxc6 4. d4 Bd7 5. Kf1 *", &[9]),
    ("1. e4 d5 2. Bb5 dblch *", &[3]),
    ("[FEN \"8/4P2k/8/8/8/8/8/K7 w - - 0 1\"]\n1. e8(Q) Kg7 *", &[2]),
    // Null moves.
    ("1. e4 e5 2. <> Nc6 3. 0000 Nf6 4. @@@@ d6 5. null d5 6. pass *", &[11]),
    // Values of tags that are unknown, and names of chess.
    ("[FEN \"\"]\n1. e4 e5 *\n\n[FEN \"?\"]\n1. e4 *\n\n[Variant \"?\"]\n1. e4 *", &[2, 1, 1]),
    ("[Variant \"Classical\"]\n1. e4 *\n\n[Variant \"Illegal\"]\n1. e4 *", &[1, 1]),
    ("[Variant \"wild/0\"]\n1. e4 *\n\n[Variant \"wild/8a\"]\n1. e4 *", &[1, 1]),
    ("[Variant \"wild/fr\"]\n1. e4 *\n\n[Variant \"Freestyle Chess\"]\n1. e4 *", &[1, 1]),
    ("[Variant \"FRC\"]\n1. e4 *\n\n[Variant \"fromPosition\"]\n1. e4 *", &[1, 1]),
    ("[Variant \"Chess960 \"]\n1. e4 *", &[1]),
    // A result by which both lose, and castling.
    ("[Result \"0-0\"]\n\n0-0\n\n[Event \"b\"]\n1. d4 *", &[0, 1]),
    ("[Result \"0-0\"]\n\n1. g3 g6 2. Bg2 Bg7 3. Nf3 Nf6 4. 0-0 0-0 0-0", &[8]),
    // Games end at their results, or where the first number follows a blank line.
    ("e4 e5 Nf3 Nc6 Bb5 *\nNf3 Nc6 e4 e5 Bc4 *", &[5, 5]),
    ("1. e4 e5 1-0[Event \"b\"]\n\n1. d4 d5 2. c4 *", &[2, 3]),
    ("1. e4 e5 1-0 [Event \"b\"]\n1. d4 * 1. c4 e5 * Nf3", &[2, 1, 2, 1]),
    ("1. e4 e5 1-0 {resigns} 1. d4 *", &[2, 1]),
    ("1. e4 e5 2. Nf3 {a}\n\n\n1. d4 {b}\n\n1.c4", &[3, 1, 1]),
    ("1. e4 e5\n\n2. Nf3 Nc6\n\n(1. d4\n\n1. c4) 3. Bb5 *", &[5]),
    ("1. e4 (1. d4 1-0\n1... d5) e5 1-0\nWhite wins", &[2]),
    ("1. e4 (1. d4 d5 1/2-1/2 ) e5 (1... c5 *) 2. Nf3 *", &[3]),
    ("[White \"a\"]\n\n{before}\n\n1. e4 *", &[1]),
    // Two headers.
    (
        "[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n[FEN \"4k3/8/8/8/8/8/8/R3K3 w Q - 0 1\"]",
        &[0, 0],
    ),
    // Values without quotes, in others, with a backslash at the end; a comment between tags.
    ("[FEN 4k3/8/8/8/8/8/8/4K2R w K - 0 1]\n[SetUp 1]\n1. O-O *", &[1]),
    (
        "[Event \u{201c}x\u{201d}]\n[FEN \u{201c}4k3/8/8/8/8/8/8/4K2R w K - 0 1\u{201d}]\n1. O-O *",
        &[1],
    ),
    ("[Event \"5th \"Foo Open 2026\\\"]\n[Site \"Malbork\"]\n\n1. b4 e5 1-0", &[2]),
    ("[Event \"a\"]\n{of}\n[FEN \"4k3/8/8/8/8/8/8/4K2R w K - 0 1\"]\n\n1. O-O *", &[1]),
    // Moves in coordinates.
    ("g1f3 c7c5 e2e4 d7d6 d2d4 c5d4 f3d4 g8f6 b1c3 e7e6 1/2-1/2", &[10]),
];

#[test]
fn games_of_people_are_read_and_written_as_they_were() {
    for (file, wanted) in HABITS {
        let mut games = Games::new(file.as_bytes());
        let found: Vec<usize> = std::iter::from_fn(|| games.next_game().unwrap())
            .map(|game| read(&game).unwrap_or_else(|error| panic!("{file}: {error}")).moves.len())
            .collect();
        assert_eq!(found, wanted, "{file}");
        assert_eq!(check(file.as_bytes()), wanted.len());
    }
    let quotes = read(&text(HABITS[26].0)).expect("a good game");
    assert_eq!(quotes.tag("Event"), Some("x"));
    let backslash = read(&text(HABITS[27].0)).expect("a good game");
    assert_eq!(backslash.tag("Event"), Some("5th \"Foo Open 2026\\"));
}

/// All that is said of a node and what follows it, in the order of the tree.
fn shape(tree: &Tree, id: NodeId) -> String {
    let node = tree.node(id).unwrap();
    let rest: Vec<String> = node.children.iter().map(|child| shape(tree, *child)).collect();
    let (lead, nags, comments) = (&node.lead, &node.nags, &node.comments);
    format!("{lead:?}{}{nags:?}{comments:?}({})", node.san, rest.join(","))
}

fn random_tree(seed: u64) -> Tree {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 17",
    ];
    let start = Position::from_fen(fens[random.random_range(0..2)]).unwrap();
    let mut tree = Tree::new(position::Position::Chess(Box::new(start), Castling::Classic));
    if random.random_bool(0.3) {
        tree.annotate(0, |root| root.comments.push(" [%eval 0.20] level ".to_owned()));
    }
    for _ in 0..random.random_range(0..50) {
        let count = tree.nodes().count() as u32;
        // Mostly at the end, so that there are long lines.
        let at = if random.random_bool(0.6) { count - 1 } else { random.random_range(0..count) };
        let position = tree.position(at);
        let legal = position.legal();
        if legal.is_empty() {
            continue;
        }
        let mv = legal[random.random_range(0..legal.len())].mv;
        let id = tree.add(at, mv, &position).unwrap();
        let begins = at == 0 || tree.node(at).unwrap().children[0] != id;
        let [leads, says, judged] = [0.3, 0.3, 0.2].map(|chance| random.random_bool(chance));
        tree.annotate(id, |node| {
            if leads && begins && node.lead.is_empty() {
                node.lead.push(" before ".to_owned());
            }
            if says {
                node.comments.push(format!(" [%clk 0:0{}:00] said ", id % 10));
            }
            if judged {
                node.nags.push((id % 139) as u8 + 1);
            }
        });
    }
    tree
}

#[test]
fn trees_are_read_as_written() {
    for seed in 0..200 {
        let tree = random_tree(seed);
        let fen = tree.start().fen();
        let written = write_tree([("FEN", fen.as_str())], &tree, Outcome::Unknown);
        let (again, text) = grown(&written).unwrap();
        assert_eq!(shape(&again, 0), shape(&tree, 0), "{seed}: {written}");
        let words: Vec<&str> = written.split_whitespace().collect();
        assert!(words.join(" ").ends_with(&format!("] {text}")), "{seed}: {written}");
    }
}

#[test]
fn trees_keep_null_moves_in_variations_only() {
    let (_, written) = grown("1. e4 e5 (1... -- 2. d4 {threat} Z0) 2. Nf3 (2. Z0) *").unwrap();
    assert_eq!(written, "1. e4 e5 (-- 2. d4 {threat} Z0) 2. Nf3 (Z0) *");
    assert_eq!(grown(&written).unwrap().1, written);
    let error = grown("1. e4 -- 2. d4 *").map(|(_, text)| text).unwrap_err();
    assert_eq!(error, "ply 2: a null move, which a tree of moves cannot hold");
}

#[test]
fn trees_read_variations_in_other_notations() {
    for (line, wanted) in [
        (
            "1. e4 e5 (1... c7-c5 2. Ng1-f3 d6 3. d2d4) 2. Nf3 Nc6",
            "1. e4 e5 (1... c5 2. Nf3 d6 3. d4) 2. Nf3 Nc6",
        ),
        (
            "1. e4 e5 2. Nf3 Nf6 3. Bc4 d6 4. d3 (4. 0-0 \u{265d}e7 N 5. Re1=)",
            "1. e4 e5 2. Nf3 Nf6 3. Bc4 d6 4. d3 (4. O-O Be7 5. Re1)",
        ),
        // In another language it cannot be played and stays as text.
        ("1. e4 e5 (1... Sf6= 2. d4) 2. Nf3", "1. e4 e5 (Sf6= 2. d4) 2. Nf3"),
    ] {
        let (_, written) = grown(&format!("{line} *")).unwrap();
        assert_eq!(written, format!("{wanted} *"));
        assert_eq!(grown(&written).unwrap().1, written);
    }
}

#[test]
fn reads_games_of_variants() {
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0!";
    for name in ["crazyhouse", "Crazyhouse"] {
        let (_, written) = grown(&format!("[Variant \"{name}\"]\n\n{moves} *")).unwrap();
        assert_eq!(written, "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O $1 *");
    }
    // As Cute Chess and PyChess write them.
    for (name, moves, wanted) in [
        ("shogi", "1. Pe4 Pe6 2. Pe5 Pxe5", "1. e4 e6 2. e5 exe5 *"),
        ("xiangqi", "1. Che3 Hg8 2. Hg3 Pg6 3. Rh1", "1. Che3 Ng8 2. Ng3 g6 3. Rh1 *"),
    ] {
        let (_, written) = grown(&format!("[Variant \"{name}\"]\n\n{moves} *")).unwrap();
        assert_eq!(written, wanted);
    }
    let error = grown(&format!("[Variant \"Unheard\"]\n\n{moves} *")).map(|_| ()).unwrap_err();
    assert_eq!(error, "a game of \"Unheard\", which is not read here");
}

#[test]
fn the_last_known_marker_outranks_the_tag() {
    for (game, expected) in [
        ("1. e4 e5 1-0", "1-0"),
        ("[Result \"1-0\"]\n\n1. e4 e5 *", "1-0"),
        ("[Result \"*\"]\n\n1. e4 (1. d4 0-1) e5 1/2-1/2", "1/2-1/2"),
        ("[Result \"1-0\"]\n\n1. e4 e5 0-1", "0-1"),
        ("[Result \"0-1\"]\n\n1. e4 (1. d4 1-0", "0-1"),
        ("1. e4 e5", "*"),
    ] {
        assert_eq!(read(&text(game)).unwrap().outcome.to_string(), expected, "{game}");
    }
}

#[test]
fn games_know_their_first_line() {
    let file = "\n% a\n[Event \"a\"]\r\n\r\n1. e4 *\n\n\n1. d4 *\r\r1. c4";
    let mut games = Games::new(file.as_bytes());
    let lines: Vec<u64> =
        std::iter::from_fn(|| games.next_game().unwrap()).map(|game| game.line).collect();
    assert_eq!(lines, [3, 8, 10]);
}
