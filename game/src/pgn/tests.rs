//! What is read is written as it was.

use std::path::Path;

use tamarin_movegen::{Color, Position};

use super::games::{GameText, Games};
use super::{Outcome, decoded, read, write};

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

/// The same numbers for the same seed, everywhere (Knuth's MMIX constants).
struct Random(u64);

impl Random {
    fn below(&mut self, bound: usize) -> usize {
        self.0 =
            self.0.wrapping_mul(6_364_136_223_846_793_005).wrapping_add(1_442_695_040_888_963_407);
        ((self.0 >> 33) as usize) % bound
    }

    fn pick<'a>(&mut self, items: &[&'a str]) -> &'a str {
        items[self.below(items.len())]
    }

    /// Moves with notes and variations of all kinds.
    fn line(&mut self, position: &Position, length: usize, depth: usize) -> String {
        let mut position = position.clone();
        let mut text = String::new();
        let mut is_due = true;
        for _ in 0..length {
            let moves = position.legal_moves();
            if moves.is_empty() {
                break;
            }
            let passes = !position.in_check() && self.below(15) == 0;
            let mv = moves[self.below(moves.len())];
            if is_due || position.side_to_move() == Color::White {
                let dots = if position.side_to_move() == Color::White { "." } else { "..." };
                text += &format!(
                    "{}{dots}{}",
                    position.fullmove_number(),
                    self.pick(&[" ", "", "\n", "  "])
                );
            }
            text += &if passes {
                self.pick(&["--", "Z0", "--+"]).to_owned()
            } else {
                position.san(mv).to_string()
            };
            text += self.pick(&["", "", "!", "?!", " $14", " $1 $146"]);
            text += self.pick(&[
                "",
                "",
                "",
                " { [%clk 0:01:02] }",
                " {+0.31/14 2.5s}",
                "\n{long  words\nand more }",
                " ; to the end\n",
                "{[%eval #-3] (1. x) [%cal Gd2d4]} {}",
                " \n% escape\n",
            ]);
            if depth > 0 && self.below(6) == 0 {
                let inner = self.line(&position, 3, depth - 1);
                text += &format!(
                    "{}({inner}){}",
                    self.pick(&[" ", "\n"]),
                    self.pick(&["", " {after}"])
                );
            }
            is_due = self.below(3) == 0;
            if passes {
                position.make_null();
            } else {
                position.make(mv);
            }
            text += self.pick(&[" ", " ", "\n", "  "]);
        }
        text
    }
}

#[test]
fn random_games_are_written_as_they_were() {
    let mut random = Random(37);
    for index in 0..200 {
        let moves = random.line(&Position::startpos(), 40, 3);
        let result = random.pick(&["1-0", "*", "1/2-1/2 {after all}", ""]);
        let game = format!("[Event \"{index}\"]\n[ECO \"A00\"]\n[Site \"?\"]\n\n{moves}{result}\n");
        assert_eq!(check(game.as_bytes()), 1, "{game}");
    }
}

#[test]
fn outcomes_and_numbers_are_set_where_they_belong() {
    let text = GameText {
        bytes: b"1. e4 { a } e5 $1 2. Nf3 (2. f4) Nc6 *".to_vec(),
        ..GameText::default()
    };
    let mut game = read(&text).expect("a good game");
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
