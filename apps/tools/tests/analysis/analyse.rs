//! `tamarin analyse` with good input.

use std::ops::ControlFlow;
use std::process::Command;

use pgn_reader::{Nag, RawComment, RawTag, Reader, SanPlus, Skip, Visitor};
use serde_json::Value;
use shakmaty::{Chess, Position as _};

use crate::analysis::folder::{Folder, code, good, run};
use crate::support::engine::{Finished, binary};

/// A blunder that allows mate, a missed mate, comments and variations of others.
pub const GAMES: &str = "[Event \"one\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\n\
    { hello } 1. f3 $14 { odd [%eval 0.0] } (1. e4 e5 (1... c5)) e5 2. g4?? Qh4# 0-1\n\n\
    [Event \"two\"]\n[White \"C\"]\n[Black \"D\"]\n[Result \"*\"]\n\n\
    1. e4 e5 2. Qh5 Nf6 3. Bc4 Nc6 4. d3 *\n\n";

/// What another reader finds in an annotated game.
#[derive(Default)]
struct Seen {
    tags: Vec<String>,
    moves: usize,
    side_moves: usize,
    nags: Vec<u8>,
    comments: Vec<String>,
}

/// Replays games and their variations with another library.
struct Replay;

struct Board {
    seen: Seen,
    /// The position before and after the last move, of each variation that is open.
    stack: Vec<(Chess, Chess)>,
}

impl Visitor for Replay {
    type Tags = Seen;
    type Movetext = Board;
    type Output = Seen;

    fn begin_tags(&mut self) -> ControlFlow<Seen, Seen> {
        ControlFlow::Continue(Seen::default())
    }

    fn tag(&mut self, seen: &mut Seen, name: &[u8], value: RawTag<'_>) -> ControlFlow<Seen> {
        let value = value.decode_utf8().expect("output is UTF-8");
        seen.tags.push(format!("{} {value}", String::from_utf8_lossy(name)));
        ControlFlow::Continue(())
    }

    fn begin_movetext(&mut self, seen: Seen) -> ControlFlow<Seen, Board> {
        let start = Chess::default();
        ControlFlow::Continue(Board { seen, stack: vec![(start.clone(), start)] })
    }

    fn san(&mut self, board: &mut Board, san: SanPlus) -> ControlFlow<Seen> {
        let is_main = board.stack.len() == 1;
        let (before, after) = board.stack.last_mut().expect("the main line stays");
        let mv = san.san.to_move(after).unwrap_or_else(|error| panic!("{san}: {error}"));
        *before = after.clone();
        after.play_unchecked(mv);
        board.seen.moves += usize::from(is_main);
        board.seen.side_moves += usize::from(!is_main);
        ControlFlow::Continue(())
    }

    fn nag(&mut self, board: &mut Board, nag: Nag) -> ControlFlow<Seen> {
        board.seen.nags.push(nag.0);
        ControlFlow::Continue(())
    }

    fn comment(&mut self, board: &mut Board, comment: RawComment<'_>) -> ControlFlow<Seen> {
        let text = String::from_utf8_lossy(comment.as_bytes());
        let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
        board.seen.comments.push(text);
        ControlFlow::Continue(())
    }

    fn begin_variation(&mut self, board: &mut Board) -> ControlFlow<Seen, Skip> {
        let (before, _) = board.stack.last().expect("the main line stays").clone();
        board.stack.push((before.clone(), before));
        ControlFlow::Continue(Skip(false))
    }

    fn end_variation(&mut self, board: &mut Board) -> ControlFlow<Seen> {
        board.stack.pop();
        ControlFlow::Continue(())
    }

    fn end_game(&mut self, board: Board) -> Seen {
        assert_eq!(board.stack.len(), 1, "a variation is left open");
        board.seen
    }
}

fn replay(text: &str) -> Vec<Seen> {
    let mut reader = Reader::new(text.as_bytes());
    let mut visitor = Replay;
    let games = reader.read_games(&mut visitor);
    games.map(|game| game.expect("a slice can be read")).collect()
}

/// The JSON objects of a file of games.
pub fn objects(path: &str, options: &[&str]) -> Vec<Value> {
    let finished = run(&[&["analyse", path, "--format", "json", "-q"], options].concat());
    let lines = finished.out.lines();
    lines.map(|line| serde_json::from_str(line).expect("a JSON object")).collect()
}

/// Null moves of the main line and of variations are followed, kept, and nobody's mistake.
#[test]
fn null_moves_are_followed_and_kept() {
    let folder = Folder::new();
    let text = "[Event \"n\"]\n\n1. e4 -- 2. d4 e5 (2... Z0 3. Nf3 --) 3. Z0 *\n\n\
        [Event \"c\"]\n\n1. e4 d5 2. Bb5+ -- *\n";
    let input = folder.file("null.pgn", text);
    let finished = run(&["analyse", &input, "--nodes", "500", "--format", "json"]);
    assert_eq!(finished.status.code(), Some(1));
    let reason = "ply 4: null move \"--\" in check, where passing is not possible";
    assert!(finished.err.contains(reason), "{}", finished.err);
    let game: Value = serde_json::from_str(finished.out.lines().next().unwrap()).unwrap();
    let names = |name| {
        let moves = game["moves"].as_array().unwrap();
        moves.iter().map(|mv| mv[name].as_str().unwrap().to_owned()).collect::<Vec<_>>()
    };
    assert_eq!(names("san"), ["e4", "--", "d4", "e5", "--"]);
    assert_eq!(names("uci"), ["e2e4", "0000", "d2d4", "e7e5", "0000"]);
    assert!(game["moves"][1]["judgement"].is_null());
    assert_eq!((&game["white"]["moves"], &game["black"]["moves"]), (&2.into(), &1.into()));
    let side = &game["moves"][3]["variations"][0];
    let coordinates: Vec<_> = side.as_array().unwrap().iter().map(|word| &word["uci"]).collect();
    assert_eq!(coordinates, ["0000", "g1f3", "0000"]);
    let annotated = run(&["analyse", &input, "--nodes", "500", "--format", "pgn"]).out;
    // Where lines end depends on the scores.
    let words = annotated.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("1. e4") && words.contains("Z0 3. Nf3 --)"), "{annotated}");
    for format in ["text", "html"] {
        assert!(run(&["analyse", &input, "--nodes", "500", "--format", format]).out.contains("--"));
    }
}

#[test]
fn a_final_checkmate_is_the_result_of_a_game_without_one() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", "[Result \"*\"]\n\n1. f3 e5 2. g4 Qh4# *\n");
    let out = good(&["analyse", &games, "-n", "10", "-f", "pgn"]).out;
    // The result may begin a line.
    let last = out.split_whitespace().last();
    assert!(out.contains("[Result \"0-1\"]") && last == Some("0-1"), "{out}");
}

#[test]
fn annotated_games_are_legal_and_keep_what_they_had() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let report = folder.name("report.pgn");
    let done = good(&["analyse", &games, "-o", &report, "--nodes", "20000"]);
    assert!(done.out.is_empty() && done.err.starts_with("2 analyzed, 0 left out"), "{}", done.err);
    let text = folder.read("report.pgn");
    assert!(text.lines().all(|line| line.len() <= 100), "{text}");
    let seen = replay(&text);
    assert_eq!(seen.iter().map(|game| game.moves).collect::<Vec<_>>(), [4, 7]);
    let first = &seen[0];
    for tag in ["Event one", "White A", "Result 0-1"] {
        assert!(first.tags.iter().any(|found| found == tag), "{:?}", first.tags);
    }
    assert!(first.tags.iter().any(|tag| tag.starts_with("WhiteAccuracy ")), "{:?}", first.tags);
    // The blunder has its glyph once, and the glyph of the game stays.
    assert_eq!(first.nags.iter().filter(|nag| **nag == 4).count(), 1, "{text}");
    assert!(first.nags.contains(&14));
    assert!(first.comments.iter().any(|text| text == "hello"), "{:?}", first.comments);
    let odd = first.comments.iter().any(|text| text.starts_with("odd [%eval "));
    assert!(odd && !text.contains("[%eval 0.0]"), "{:?}", first.comments);
    let blunder = first.comments.iter().find(|text| text.contains("Blunder")).expect("it is named");
    assert!(blunder.starts_with("[%eval #-1] Blunder: "), "{blunder}");
    assert!(blunder.contains("(allows mate in 1)"), "{blunder}");
    // The two variations of the game, and a better line for the blunder.
    assert!(first.side_moves > 3, "{text}");
    // The first position and the moves before the mate have an evaluation, the mate has none.
    let main = first.comments.iter().filter(|text| text.contains("[%eval"));
    assert_eq!(main.count(), 4, "{text}");
    assert!(!text.contains("#0"), "{text}");
    // What is annotated can be analyzed again, with the same result.
    let again = good(&["analyse", &report, "-f", "pgn", "--nodes", "20000", "-q"]).out;
    assert_eq!(replay(&again)[1].moves, 7);
}

/// A game by each program: Cute Chess, Lichess with its own analysis, ChessBase, a table of notes.
pub const OTHERS: &str = "[Event \"?\"]\n[Date \"2019.01.14\"]\n[White \"SF\"]\n[Black \"SL\"]\n[Result \"1-0\"]\n\
    [Termination \"adjudication\"]\n[TimeControl \"900+5\"]\n\n1. e4 {book} e5 {0.00/31 48s} 2. Nf3 {+0.69/29 36s} \
    f6 {-2.12/31 12s, White wins by adjudication} 1-0\n\n\
    [Event \"Rated game\"]\n[Site \"https://lichess.org/x\"]\n[White \"A\"]\n[Black \"B\"]\n[Result \"0-1\"]\n\
    [Annotator \"lichess.org\"]\n\n1. f3?! { (0.1 -> -0.7) Inaccuracy. e4 was best. } { [%eval -0.7] [%clk 0:03:00] } \
    (1. e4 e5 (1... c5 2. Nf3) 2. Nf3 { +0.30 here }) 1... e5 { [%eval -0.6] [%clk 0:03:00] [%cal Ge5e4] } \
    2. g4 { [%eval #-1] [%clk 0:02:58] } 2... Qh4# { [%clk 0:02:55] } { Black wins. } 0-1\n\n\
    [White \"C\"]\n[Annotator \"Me\"]\n\n{before} 1.e4  $1 e5 {mine} 2.Qh5 Nf6 $6 ; to the end\n\
    3.Bc4 Nc6 (3... Qe7 $1 {only}) *\n\n";

#[test]
fn analyzing_twice_changes_nothing_and_keeps_everybodys_notes() {
    // One search repeats itself only with one thread.
    const FORM: [&str; 5] = ["-f", "pgn", "-q", "--threads", "1"];
    let folder = Folder::new();
    let games = folder.file("games.pgn", OTHERS);
    for options in
        [&["-n", "3000"][..], &["-n", "3000", "--lines", "2"], &["-n", "3000", "--explain=all"]]
    {
        let analysed = |input: &str| good(&[&["analyse", input], &FORM[..], options].concat()).out;
        let once = analysed(&games);
        let again = folder.file("once.pgn", &once);
        assert_eq!(analysed(&again), once);
        // Other limits replace what was said.
        let other = good(&[&["analyse", &again], &FORM[..], &["-n", "60"]].concat()).out;
        let fresh = good(&[&["analyse", &games], &FORM[..], &["-n", "60"]].concat()).out;
        assert_eq!(other, fresh);
        let words = |text: &str| text.split_whitespace().collect::<Vec<_>>().join(" ");
        let text = words(&once);
        for kept in [
            "{book}",
            "{0.00/31 48s}",
            "{-2.12/31 12s, White wins by adjudication}",
            "[Termination \"adjudication\"]",
            "{ (0.1 -> -0.7) Inaccuracy. e4 was best. }",
            "(1. e4 e5 (1... c5 2. Nf3) 2. Nf3 { +0.30 here })",
            "[%clk 0:03:00] [%cal Ge5e4] }",
            "1. f3?!",
            "{ [%clk 0:02:55] } { Black wins. }",
            "{before}",
            "{mine}",
            "; to the end",
            "(3... Qe7 $1 {only})",
            "[Annotator \"lichess.org\"]",
            "[Annotator \"Me\"]",
            "1.e4 $1",
        ] {
            assert!(text.contains(&words(kept)), "{kept}: {once}");
        }
        assert!(once.lines().filter(|line| line.starts_with("[Event ")).count() == 3, "{once}");
        assert!(
            once.contains("\n\n[Event \"?\"]\n[Site \"?\"]\n[Date \"????.??.??\"]\n[Round"),
            "{once}"
        );
        assert_eq!(text.matches("[%eval").count(), 5 + 4 + 7, "{once}");
    }
    let position = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    for options in [&[][..], &["--explain"]] {
        let analysed = |input: &str| {
            good(&[&["analyse", input, "-n", "2000"], &FORM[..], options].concat()).out
        };
        let once = analysed(position);
        assert_eq!(once.contains("Tamarin explains: 1. Ra8# is"), !options.is_empty(), "{once}");
        assert_eq!(analysed(&folder.file("position.pgn", &once)), once);
    }
}

#[test]
fn objects_have_what_the_comments_say() {
    let folder = Folder::new();
    let found = objects(&folder.file("games.pgn", OTHERS), &["-n", "100"]);
    let engine = &found[0]["moves"][2];
    assert_eq!(
        (&engine["engine"]["score"], &engine["engine"]["depth"]),
        (&"+0.69".into(), &29.into())
    );
    assert_eq!((&engine["spent"], &engine["comments"]), (&36.0.into(), &Value::Null));
    assert_eq!(found[0]["moves"][3]["comments"][0], "White wins by adjudication");
    assert_eq!(found[0]["moves"][3]["engine"]["score"], "+2.12");
    let clocks = &found[1]["moves"];
    assert_eq!((&clocks[2]["clock"], &clocks[1]["shapes"][0]), (&178.0.into(), &"Ge5e4".into()));
    assert_eq!((&clocks[0]["nags"][0], clocks[1]["comments"].clone()), (&6.into(), Value::Null));
    let side = clocks[0]["variations"][0].as_array().expect("a variation");
    let moves: Vec<&str> = side.iter().filter_map(|word| word["uci"].as_str()).collect();
    assert_eq!(moves, ["e2e4", "e7e5", "c7c5", "g1f3", "g1f3"]);
    assert_eq!(side[2]["open"], true);
    assert_eq!(found[2]["comments"][0], "before");
}

#[test]
fn objects_say_what_was_found_and_their_counts_agree() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let found = objects(&games, &["--nodes", "20000", "--lines", "3", "--line-length", "5"]);
    assert_eq!(found.len(), 2);
    let moves = found[0]["moves"].as_array().expect("moves");
    assert_eq!(
        (&found[0]["opening"], &found[1]["opening"]),
        (&Value::Null, &"Wayward Queen Attack".into())
    );
    assert_eq!(moves[2]["judgement"], "blunder");
    assert_eq!(moves[2]["consequence"], "allows mate in 1");
    assert_eq!(moves[3]["eval"]["mate"], -1);
    assert_eq!((moves[3]["san"].as_str(), moves[3]["uci"].as_str()), (Some("Qh4#"), Some("d8h4")));
    assert_eq!(found[0]["last"]["eval"]["mate"], 0);
    assert_eq!(
        (found[0]["result"].as_str(), found[0]["tags"]["White"].as_str()),
        (Some("0-1"), Some("A"))
    );
    for game in &found {
        let moves = game["moves"].as_array().expect("moves");
        for (index, side) in ["white", "black"].into_iter().enumerate() {
            let own = || moves.iter().skip(index).step_by(2);
            assert_eq!(game[side]["moves"], own().count());
            for (name, plural) in
                [("inaccuracy", "inaccuracies"), ("mistake", "mistakes"), ("blunder", "blunders")]
            {
                let count = own().filter(|mv| mv["judgement"] == name).count();
                assert_eq!(game[side][plural], count, "{side} {plural}");
            }
        }
        for mv in moves {
            check_move(mv);
        }
    }
}

/// The fields of a move agree with each other.
fn check_move(mv: &Value) {
    let number = |name: &str| mv[name].as_f64().unwrap_or_else(|| panic!("{name} of {mv}"));
    let loss = number("loss");
    let name = mv["judgement"].as_str();
    let wanted = match loss {
        _ if loss >= 15.0 => Some("blunder"),
        _ if loss >= 10.0 => Some("mistake"),
        _ if loss >= 5.0 => Some("inaccuracy"),
        _ => None,
    };
    assert_eq!(name, wanted, "{mv}");
    assert_eq!(mv["is_best"] == true, mv["lines"][0]["san"][0] == mv["san"], "{mv}");
    assert!(mv["is_best"] == false || loss == 0.0, "{mv}");
    if let Some(centipawns) = mv["eval"]["cp"].as_f64() {
        let win = 100.0 / (1.0 + (-0.003_682_08 * centipawns.clamp(-1000.0, 1000.0)).exp());
        assert!((win - number("win")).abs() < 0.01, "{mv}");
    }
    let lines = mv["lines"].as_array().expect("lines");
    assert!(!lines.is_empty() && lines.len() <= 3, "{mv}");
    assert!(lines.iter().all(|line| line["san"].as_array().is_some_and(|sans| sans.len() <= 5)));
    let sum: u64 = mv["wdl"].as_array().expect("three").iter().filter_map(Value::as_u64).sum();
    assert_eq!(sum, 1000, "{mv}");
}

#[test]
fn limits_are_kept() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    let depths = objects(&games, &["--depth", "3"]);
    let moves = |game: &Value| game["moves"].as_array().expect("moves").clone();
    assert!(
        depths
            .iter()
            .flat_map(moves)
            .all(|mv| mv["depth"] == 3 || mv["eval"]["mate"] != Value::Null)
    );
    let nodes = objects(&games, &["--nodes", "500", "--threads", "1"]);
    assert!(nodes.iter().flat_map(moves).all(|mv| mv["nodes"].as_u64() <= Some(501)));
    // Nothing else ends these searches: they would go on for hours.
    objects(&games, &["--time", "20", "--threads", "1"]);
}

#[test]
fn the_report_does_not_depend_on_the_number_of_threads() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES.repeat(3));
    let report =
        |threads: &str| good(&["analyse", &games, "-n", "3000", "-q", "--threads", threads]).out;
    let one = report("1");
    assert_eq!(replay(&one).len(), 6);
    assert_eq!(report("2"), one);
    assert_eq!(report("5"), one);
}

#[test]
fn positions_come_from_files_and_from_the_command_line() {
    let folder = Folder::new();
    let fen = "6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1";
    let one = good(&["analyse", fen, "-n", "2000"]);
    assert!(one.out.contains("#1") && one.out.contains("1. Ra8#"), "{}", one.out);
    let words = good(&["analyse", "6k1/5ppp/8/8/8/8/8/R3K3", "w", "-", "-", "-n", "2000"]);
    assert!(words.out.contains("1. Ra8#"), "{}", words.out);
    assert!(good(&["analyze", "startpos", "-d", "2"]).out.contains("depth 2"));
    let epd = "6k1/5ppp/8/8/8/8/8/R3K3 w - - id \"M\u{fc}ller\";\n7k/5Q2/6K1/8/8/8/8/8 b - -\n";
    let file = folder.file("positions.epd", epd);
    let text = good(&["analyse", &file, "-n", "2000", "-q"]).out;
    assert!(text.contains("M\u{fc}ller") && text.contains("stalemate"), "{text}");
    let found = objects(&file, &["-n", "2000"]);
    assert_eq!(found[0]["tags"]["Event"], "M\u{fc}ller");
    assert_eq!(found[0]["last"]["eval"]["mate"], 1);
    assert_eq!((found.len(), &found[1]["last"]["eval"]["cp"]), (2, &Value::from(0)));
    let pgn = good(&["analyse", &file, "-n", "2000", "-q", "-f", "pgn"]).out;
    assert!(pgn.contains("[FEN \"6k1/5ppp/8/8/8/8/8/R3K3 w - - 0 1\"]"), "{pgn}");
}

#[test]
fn games_of_chess960_castle_as_their_tags_say() {
    let folder = Folder::new();
    let game = "[Variant \"Chess960\"]\n[FEN \"bnrkrnqb/pppppppp/8/8/8/8/PPPPPPPP/BNRKRNQB w ECec - 0 1\"]\n\n\
        1. e4 e5 2. Ne3 Ne6 3. Ng4 Ng5 4. Qf1 d6 5. Nf6 O-O-O *\n";
    let found = objects(&folder.file("game.pgn", game), &["-n", "500"]);
    assert_eq!(found.len(), 1);
    assert_eq!(found[0]["chess960"], true);
}

#[test]
fn forms_follow_the_name_of_the_report() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    for (name, begin) in [
        ("a.pgn", "[Event"),
        ("a.JSONL", "{\"black\""),
        ("a.html", "<!doctype html>"),
        ("a.txt", "Game 1: A - B, 0-1"),
        ("unknown", "[Event"),
    ] {
        good(&["analyse", &games, "-o", &folder.name(name), "-n", "300", "-q"]);
        let text = folder.read(name);
        assert!(text.starts_with(begin), "{name}: {text}");
    }
    for name in ["a.pdf", "a.csv", "a.pgn.gz"] {
        let finished = run(&["analyse", &games, "-o", &folder.name(name), "-n", "300"]);
        assert_eq!(code(&finished), 2, "{name}: {}", finished.err);
        let known = "reports end in .pgn, .json, .jsonl, .ndjson, .html, .htm, .txt or .epd";
        assert!(finished.err.contains(known) && finished.err.contains(name), "{}", finished.err);
        assert!(!folder.has(name) && !folder.has(&format!("{name}.partial")));
    }
    let named = folder.name("a.csv");
    good(&["analyse", &games, "-o", &named, "-f", "json", "-n", "300", "-q"]);
    assert!(folder.read("a.csv").starts_with('{'));
    let text = good(&["analyse", &games, "-f", "text", "-n", "20000", "-q"]).out;
    assert!(text.contains("blunder, allows mate in 1"), "{text}");
    // A mate on the board is no number of moves.
    let last = text.lines().find(|line| line.contains("Qh4#")).expect("the last move");
    assert!(last.ends_with("    mate       ") && !text.contains("#0"), "{last:?}");
    let mated = good(&["analyse", "7k/6Q1/6K1/8/8/8/8/8 b - - 0 1", "-n", "10"]).out;
    assert!(mated.contains("    mate  checkmate") && !mated.contains("#0"), "{mated}");
    let white = folder.file("white.pgn", "1. e4 e5 2. Qh5 Nc6 3. Bc4 Nf6 4. Qxf7# 1-0\n");
    let mates = good(&["analyse", &white, "-f", "text", "-n", "2000", "-q"]).out;
    let last = mates.lines().find(|line| line.contains("Qxf7#")).expect("the last move");
    assert!(last.ends_with("    mate       "), "{last:?}");
    assert_eq!(objects(&white, &["-n", "2000"])[0]["last"]["eval"]["mate"], 0);
    assert!(text.contains("White: accuracy "), "{text}");
}

#[test]
fn a_hyphen_as_the_output_is_standard_output() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", GAMES);
    for (option, begin) in [("-o", "[Event \"one\"]"), ("--puzzles", "rnbq")] {
        let mut command = Command::new(binary());
        command.args(["analyse", &games, option, "-", "-n", "2000", "-q"]);
        let output = command.current_dir(folder.path(".")).output().expect("it starts");
        let finished = Finished::of(output);
        assert_eq!(code(&finished), 0, "{}", finished.err);
        assert!(finished.out.starts_with(begin), "{}", finished.out);
        assert!(!folder.has("-") && !folder.has("-.partial"));
    }
}

#[test]
fn an_endgame_that_was_set_up_has_no_opening() {
    let folder = Folder::new();
    let moves = "1. Rh8+ Kd7 *";
    let set_up = format!("[FEN \"4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1\"]\n\n{moves}\n");
    let games = folder.file("games.pgn", set_up);
    let text = good(&["analyse", &games, "-f", "text", "-n", "100", "-q"]).out;
    assert!(text.contains("\nEndgame: from the start\n"), "{text}");
    assert!(!text.contains("Opening: "), "{text}");
}

#[test]
fn a_game_without_tags_has_a_blank_behind_the_first_comment() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", "1. e4 e5 *\n");
    let text = good(&["analyse", &games, "-n", "100", "--threads", "1", "-q"]).out;
    assert!(text.replace('\n', " ").contains("} 1. e4 "), "{text}");
    // Analyzed again it is the same.
    let again = folder.file("again.pgn", &text);
    assert_eq!(good(&["analyse", &again, "-n", "100", "--threads", "1", "-q"]).out, text);
}

#[test]
fn a_mistake_is_no_line_instead_of_itself() {
    let folder = Folder::new();
    let games = folder.file("games.pgn", "[Event \"one\"]\n\n1. f3 e5 2. g4 Qh4# 0-1\n");
    // Every legal move has a line.
    let out = good(&["analyse", &games, "-f", "pgn", "-n", "2000", "--lines", "256", "-q"]).out;
    let words = out.split_whitespace().collect::<Vec<_>>().join(" ");
    assert!(words.contains("( 2. ") && !words.contains("( 2. g4 "), "{out}");
}
