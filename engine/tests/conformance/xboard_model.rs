//! The XBoard protocol in random order against a model: the position, who plays, and what has to
//! be answered.
//!
//! `TAMARIN_SEQUENCES` asks for more sequences than the usual run has.

use cozy_chess::{Color, GameStatus};

use crate::support::oracle::Notation;
use crate::support::xboard::{Client, Thinking, is_result};
use crate::support::{Oracle, Random, times};

const COMMANDS: usize = 40;

/// Positions with castling, promotions, en passant, few pieces, and ends of games nearby.
const FENS: [&str; 9] = [
    "r3k2r/p1ppqpb1/bn2pnp1/3PN3/1p2P3/2N2Q1p/PPPBBPPP/R3K2R w KQkq - 0 1",
    "1r2k1r1/p6p/8/8/8/8/P6P/1R2K1R1 b GBgb - 0 1",
    "nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1",
    "8/2p5/3p4/KP5r/1R3p1k/8/4P1P1/8 w - - 0 1",
    "6k1/5ppp/8/8/8/8/5PPP/R5K1 w - - 0 1",
    "7k/5Q2/6K1/8/8/8/8/8 b - - 0 1",
    "8/4P1k1/8/8/8/8/8/4K3 w - - 97 80",
    "4k3/8/8/8/8/8/3q4/4K3 w - - 0 1",
    "8/8/8/3k4/8/2K5/1R6/8 w - - 0 1",
];

const BAD_FENS: [&str; 3] = ["8/8/8/8/8/8/8/8 w - - 0 1", "4k2R/8/8/8/8/8/8/4K3 w - -", "nonsense"];

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Mode {
    Force,
    Playing(Color),
    Analysis,
}

#[derive(Clone, Copy, PartialEq, Eq, Debug)]
enum Answer {
    Nothing,
    Error,
    IllegalMove,
    IllegalPosition,
    /// The engine's move, and the result if that ends the game.
    Move,
    /// The result of the game as it stands.
    Result,
    /// A hint, unless the game is over.
    Hint,
}

/// What the engine has to know.
struct Model {
    /// The positions of the game; the last is on the board.
    game: Vec<Oracle>,
    mode: Mode,
    /// The last position sent was not legal.
    rejected: bool,
    notation: Notation,
}

impl Model {
    fn new() -> Self {
        let (mode, notation) = (Mode::Playing(Color::Black), Notation::Classic);
        Self { game: vec![Oracle::startpos()], mode, rejected: false, notation }
    }

    fn oracle(&self) -> Oracle {
        self.game.last().expect("a game has a position").clone().written(self.notation)
    }

    fn side_to_move(&self) -> Color {
        self.oracle().board().side_to_move()
    }

    fn set_up(&mut self, oracle: Oracle) {
        self.game = vec![oracle];
        self.rejected = false;
    }

    /// Plays a move; `false` if it is not legal as the engine has to print it.
    fn play(&mut self, text: &str) -> bool {
        let mut next = self.oracle();
        let legal = next.play(text);
        self.game.extend(legal.then_some(next));
        legal
    }

    /// The opponent's move was legal and is on the board.
    fn after_move_of_opponent(&self) -> Answer {
        match self.mode {
            Mode::Playing(_) if self.result().is_some() => Answer::Result,
            Mode::Playing(color) if color == self.side_to_move() => Answer::Move,
            _ => Answer::Nothing,
        }
    }

    fn take_back(&mut self, plies: usize) -> Answer {
        if self.rejected || self.game.len() <= plies {
            return Answer::Error;
        }
        self.game.truncate(self.game.len() - plies);
        Answer::Nothing
    }

    fn go(&mut self) -> Answer {
        if self.rejected {
            return Answer::Error;
        }
        self.mode = Mode::Playing(self.side_to_move());
        if self.oracle().legal().is_empty() { Answer::Result } else { Answer::Move }
    }

    /// The result of the game as the engine has to claim it.
    fn result(&self) -> Option<&'static str> {
        let oracle = self.oracle();
        let board = oracle.board();
        let has_moves = !oracle.legal().is_empty();
        match (has_moves, board.checkers().is_empty(), board.side_to_move()) {
            (false, true, _) => return Some("1/2-1/2 {Stalemate}"),
            (false, false, Color::White) => return Some("0-1 {Black mates}"),
            (false, false, Color::Black) => return Some("1-0 {White mates}"),
            _ => {}
        }
        if oracle.is_dead() {
            Some("1/2-1/2 {Draw by insufficient material}")
        } else if board.status() == GameStatus::Drawn {
            Some("1/2-1/2 {Draw by fifty move rule}")
        } else if self.game.iter().filter(|one| one.board().same_position(board)).count() >= 3 {
            Some("1/2-1/2 {Draw by repetition}")
        } else {
            None
        }
    }
}

/// A command and the answer to it; the model changes as the engine has to.
fn next_command(model: &mut Model, random: &mut Random) -> (String, Answer) {
    match random.below(24) {
        0..8 => move_of_opponent(model, random),
        8 => illegal_move(model, random),
        9..12 => ("go".to_owned(), model.go()),
        12 => {
            model.mode = Mode::Playing(!model.side_to_move());
            ("playother".to_owned(), Answer::Nothing)
        }
        13 => ("undo".to_owned(), model.take_back(1)),
        14 => ("remove".to_owned(), model.take_back(2)),
        15 | 16 => set_up(model, random),
        17 => {
            let mode = model.mode;
            *model = Model::new();
            if mode == Mode::Analysis {
                model.mode = mode;
            }
            ("new\nsd 2".to_owned(), Answer::Nothing)
        }
        18 => {
            let text = *random.pick(&["force", "result 1-0 {x}"]);
            model.mode = Mode::Force;
            (text.to_owned(), Answer::Nothing)
        }
        19 => {
            model.mode = Mode::Analysis;
            ("analyze".to_owned(), Answer::Nothing)
        }
        20 => {
            let is_analysis = model.mode == Mode::Analysis;
            model.mode = if is_analysis { Mode::Force } else { model.mode };
            ("exit".to_owned(), Answer::Nothing)
        }
        21 | 22 => {
            let answer = if model.rejected { Answer::Error } else { Answer::Hint };
            ("hint".to_owned(), answer)
        }
        _ => change_of_manner(model, random),
    }
}

/// A legal move, which is refused if the position was.
fn move_of_opponent(model: &mut Model, random: &mut Random) -> (String, Answer) {
    let legal = model.oracle().legal();
    if legal.is_empty() {
        return illegal_move(model, random);
    }
    // Castles, promotions and repetitions are few.
    let repeats = |mv: &&String| {
        let next = model.oracle().after(&[mv.as_str()]);
        model.game.iter().any(|one| one.board().same_position(next.board()))
    };
    let rare: Vec<_> = match random.below(3) {
        0 => legal.iter().filter(|mv| mv.len() != 4).cloned().collect(),
        1 => legal.iter().filter(repeats).cloned().collect(),
        _ => Vec::new(),
    };
    let mv = random.pick(if rare.is_empty() { &legal } else { &rare }).clone();
    let bare = random.below(4) == 0;
    let text = if bare { mv.clone() } else { format!("usermove {mv}") };
    if model.rejected {
        return (text, Answer::IllegalMove);
    }
    assert!(model.play(&mv));
    (text, model.after_move_of_opponent())
}

fn illegal_move(model: &Model, random: &mut Random) -> (String, Answer) {
    let square = |random: &mut Random| {
        let file = *random.pick(&["a", "b", "c", "d", "e", "f", "g", "h"]);
        format!("{file}{}", 1 + random.below(8))
    };
    loop {
        let text = square(random) + &square(random);
        let legal = |&notation: &Notation| model.oracle().written(notation).is_legal(&text);
        if !Notation::ALL.iter().any(legal) {
            return (format!("usermove {text}"), Answer::IllegalMove);
        }
    }
}

fn set_up(model: &mut Model, random: &mut Random) -> (String, Answer) {
    if random.below(4) == 0 {
        model.rejected = true;
        return (format!("setboard {}", random.pick(&BAD_FENS)), Answer::IllegalPosition);
    }
    let fen = *random.pick(&FENS);
    model.set_up(Oracle::new(fen, model.notation));
    (format!("setboard {fen}"), Answer::Nothing)
}

/// Commands that change neither the game nor who plays.
const MANNERS: &str = "post|nopost|hard|easy|?|time 6000|otim 6000|level 40 5 0|cores 1|memory 32|\
    random|variant fischerandom|variant normal|frobnicate";

fn change_of_manner(model: &mut Model, random: &mut Random) -> (String, Answer) {
    let text = *random.pick(&MANNERS.split('|').collect::<Vec<_>>());
    match text {
        "variant fischerandom" => model.notation = Notation::Letters,
        "variant normal" => model.notation = Notation::Classic,
        "frobnicate" => return (text.to_owned(), Answer::Error),
        _ => {}
    }
    (text.to_owned(), Answer::Nothing)
}

/// Judges what was said about a command. Thinking, hints and remarks of a search may come in
/// between; they are about the position before the command or the one after it, or where the
/// engine ponders after its answer.
fn judge(model: &mut Model, before: &Oracle, answer: Answer, said: &[String]) {
    let mut boards = vec![before.clone(), model.oracle()];
    if let Some(mv) = said.iter().find_map(|line| line.strip_prefix("move ")) {
        let mut answered = model.oracle();
        if answered.play(mv) {
            boards.push(answered);
        }
    }
    let mut hints = 0;
    let mut rest = Vec::new();
    for line in said {
        if let Some(hint) = line.strip_prefix("Hint: ") {
            let fits =
                |oracle: &Oracle| Notation::ALL.map(|n| oracle.clone().written(n).is_legal(hint));
            assert!(boards.iter().any(|oracle| fits(oracle).contains(&true)), "{hint:?}");
            hints += 1;
        } else if Thinking::parse(line).is_none() && !line.starts_with("# ") {
            rest.push(line.as_str());
        }
    }
    let one = |start: &str| rest.len() == 1 && rest[0].starts_with(start);
    match answer {
        Answer::Nothing => assert!(rest.is_empty(), "{said:?}"),
        Answer::Error => assert!(one("Error ("), "{said:?}"),
        Answer::IllegalMove => assert!(one("Illegal move ("), "{said:?}"),
        Answer::IllegalPosition => assert!(one("tellusererror Illegal position"), "{said:?}"),
        Answer::Result => assert_eq!(rest, model.result().as_slice()),
        Answer::Hint => {
            let is_over = model.oracle().legal().is_empty();
            assert!(rest.is_empty() && (hints > 0 || is_over), "{said:?}");
        }
        Answer::Move => {
            let mv = rest.first().and_then(|line| line.strip_prefix("move "));
            let mv = mv.unwrap_or_else(|| panic!("no move in {said:?}"));
            assert!(model.play(mv), "{mv} is illegal in {}", model.oracle().board());
            assert_eq!(&rest[1..], model.result().as_slice());
        }
    }
    let claims = rest.iter().filter(|line| is_result(line)).count();
    assert!(claims <= 1, "{said:?}");
}

/// The position must be the model's: its moves are taken, and others are not.
fn compare_boards(client: &mut Client, model: &Model, random: &mut Random) {
    let oracle = model.oracle();
    let legal = oracle.legal();
    for _ in 0..legal.len().min(3) {
        client.quietly(&format!("usermove {}\nundo", random.pick(&legal)));
    }
    let (text, _) = illegal_move(model, random);
    assert!(client.said(&text)[0].starts_with("Illegal move ("), "{text}");
}

#[test]
fn any_order_of_commands_is_answered_as_the_model_says() {
    let sequences = times("TAMARIN_SEQUENCES", 12);
    let mut random = Random::new(1600);
    let mut client = Client::ready();
    let mut moves = 0;
    for sequence in 0..sequences {
        let mut model = Model::new();
        client.quietly("exit\nforce\neasy\nnopost\nnew\nsd 2");
        for _ in 0..COMMANDS {
            let before = model.oracle();
            let (text, answer) = next_command(&mut model, &mut random);
            println!("{sequence}: {text:?}, {answer:?} in {}", before.board());
            let said = client.said(&text);
            judge(&mut model, &before, answer, &said);
            moves += usize::from(answer == Answer::Move);
        }
        client.send("exit\nforce\neasy");
        client.sync();
        if !model.rejected {
            compare_boards(&mut client, &model, &mut random);
        }
    }
    assert!(moves > sequences, "{moves} moves of the engine");
    client.quit();
}
