//! The XBoard protocol in whole games with a referee, and in random order.
//!
//! `TAMARIN_SEQUENCES` asks for more random sequences than the usual run has.

use std::time::Duration;

use cozy_chess::GameStatus;

use crate::support::oracle::{Notation, Positions};
use crate::support::xboard::{Client, is_result};
use crate::support::{Oracle, Random, ms, times, xboard_storm};

/// A referee: the board, the clocks, and the positions so far, with how often the last was there.
/// The time is the referee's: a move takes what the referee draws for it, never what the computer
/// took.
struct Referee {
    board: Oracle,
    left: [Duration; 2],
    random: Random,
    positions: Positions,
    times: usize,
    plies: usize,
}

/// What each move adds.
const INCREMENT: Duration = ms(10);

impl Referee {
    fn new(board: Oracle) -> Self {
        let random = Random::new(12);
        let mut positions = Positions::default();
        let times = positions.add(&board);
        Self { board, left: [ms(600); 2], random, positions, times, plies: 0 }
    }

    /// The result by the rules, as far as it is known without the other library's help.
    fn result(&self) -> Option<&'static str> {
        let board = self.board.board();
        match board.status() {
            GameStatus::Won if self.plies % 2 == 1 => Some("1-0"),
            GameStatus::Won => Some("0-1"),
            GameStatus::Drawn => Some("1/2-1/2"),
            GameStatus::Ongoing => (self.times >= 3 || self.board.is_dead()).then_some("1/2-1/2"),
        }
    }

    /// Plays a move that takes up to an eighth of the clock.
    fn play(&mut self, mv: &str) {
        let left = &mut self.left[self.plies % 2];
        *left = *left - *left * self.random.below(125) as u32 / 1000 + INCREMENT;
        assert!(
            self.board.play(mv),
            "ply {}: {mv} is illegal in {}",
            self.plies,
            self.board.board()
        );
        self.times = self.positions.add(&self.board);
        self.plies += 1;
    }
}

/// Where a game begins.
enum Setup<'a> {
    Start,
    Fen(&'a str),
    Chess960(&'a str),
}

/// Sets up the position for both players and makes the first moves.
fn begin(players: &mut [Client; 2], start: &[&str], setup: &Setup<'_>) {
    for player in players {
        player.send("new");
        match setup {
            Setup::Start => {}
            Setup::Fen(fen) => player.send(&format!("setboard {fen}")),
            Setup::Chess960(fen) => player.send(&format!("variant fischerandom\nsetboard {fen}")),
        }
        player.send("level 0 0:01 0.01\nforce");
        for mv in start {
            player.send(&format!("usermove {mv}"));
        }
    }
}

/// Plays one game; both sides must claim its result, and only that.
fn play(players: &mut [Client; 2], start: &[&str], setup: &Setup<'_>) {
    begin(players, start, setup);
    let mut referee = Referee::new(match setup {
        Setup::Start => Oracle::startpos(),
        Setup::Fen(fen) => Oracle::new(fen, Notation::Classic),
        Setup::Chess960(fen) => Oracle::new(fen, Notation::Letters),
    });
    start.iter().for_each(|mv| referee.play(mv));
    let mut last: Option<String> = None;
    while referee.plies < 600 {
        let side = referee.plies % 2;
        let player = &mut players[side];
        let clocks = [referee.left[side], referee.left[1 - side]].map(|left| left.as_millis() / 10);
        let turn = match &last {
            Some(mv) if referee.plies >= start.len() + 2 => format!("usermove {mv}"),
            Some(mv) => format!("usermove {mv}\ngo"),
            None => "go".to_owned(),
        };
        player.send(&format!("time {}\notim {}\n{turn}", clocks[0], clocks[1]));
        let wanted = |text: &str| text.starts_with("move ") || is_result(text);
        let said = player.until("a move or a result", wanted).pop().unwrap_or_default();
        let Some(mv) = said.strip_prefix("move ") else {
            panic!("a result instead of a move: {said}");
        };
        let mv = mv.to_owned();
        referee.play(&mv);
        let claims: Vec<String> =
            player.sync().into_iter().filter(|line| is_result(line)).collect();
        match referee.result() {
            None => assert!(claims.is_empty(), "claimed {claims:?}, but the game goes on"),
            Some(result) => {
                assert!(claims.len() == 1 && claims[0].starts_with(result), "{result}: {claims:?}");
                let said = players[1 - side].said(&format!("usermove {mv}"));
                let claims: Vec<_> = said.iter().filter(|line| is_result(line)).collect();
                assert!(claims.len() == 1 && claims[0].starts_with(result), "{result}: {claims:?}");
                break;
            }
        }
        last = Some(mv);
    }
    for player in players.iter_mut() {
        player.send("result * {over}");
        player.sync();
        player.no_move_for(20);
    }
}

#[test]
fn whole_games_end_with_true_claims() {
    let mut players = [Client::ready(), Client::ready()];
    players[0].send("easy");
    players[1].send("hard");
    play(&mut players, &["e2e4", "c7c5", "g1f3"], &Setup::Start);
    play(&mut players, &[], &Setup::Fen("8/8/8/3k4/8/2K5/1Q6/8 w - - 0 1"));
    play(&mut players, &[], &Setup::Fen("4k3/8/8/8/8/4p3/8/4K3 w - - 0 1"));
    players.into_iter().for_each(Client::quit);
}

#[test]
fn whole_games_of_chess960_end_with_true_claims() {
    let mut players = [Client::ready(), Client::ready()];
    players[0].send("hard");
    let start = Setup::Chess960("nrbbqnkr/pppppppp/8/8/8/8/PPPPPPPP/NRBBQNKR w HBhb - 0 1");
    play(&mut players, &[], &start);
    // Both castle at once, to either side.
    let open = Setup::Chess960("1r2k1r1/pppppppp/8/8/8/8/PPPPPPPP/1R2K1R1 w GBgb - 0 1");
    play(&mut players, &["O-O", "O-O-O"], &open);
    players.into_iter().for_each(Client::quit);
}

#[test]
fn the_referee_counts_positions_by_the_laws_of_chess() {
    // In the second game a pinned pawn stands beside d4: it cannot take in passing.
    for (fen, first, repeated) in [
        ("4k3/8/8/8/8/8/3P4/4K3 w - - 0 1", "d2d4", ["e8e7", "e1e2", "e7e8", "e2e1"]),
        ("4k3/8/8/8/4p3/8/3P4/4R1K1 w - - 0 1", "d2d4", ["e8d8", "g1g2", "d8e8", "g2g1"]),
    ] {
        let mut referee = Referee::new(Oracle::new(fen, Notation::Classic));
        referee.play(first);
        assert_eq!(referee.result(), None);
        for mv in repeated {
            referee.play(mv);
        }
        assert_eq!(referee.result(), None, "twice: {fen}");
        for mv in repeated {
            referee.play(mv);
        }
        assert_eq!(referee.result(), Some("1/2-1/2"), "three times: {fen}");
    }
}

#[test]
fn commands_in_any_order_are_survived_and_pings_are_answered() {
    let rounds = times("TAMARIN_SEQUENCES", 60);
    let mut random = Random::new(2024);
    let mut client = Client::ready();
    for round in 0..rounds {
        let lines = xboard_storm::run(&mut client, &mut random);
        println!("round {round}: {lines:?}");
    }
    client.quit();
}
