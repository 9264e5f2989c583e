//! The full-screen game and line editing, driven through a pseudo-terminal.

use crate::play::harness::Home;
use crate::play::terminal::Terminal;
use crate::support::signal;

/// Keys as a terminal sends them.
const ENTER: &str = "\r";
const TAB: &str = "\t";
const ESCAPE: &str = "\x1b";
const UP: &str = "\x1b[A";
const PAGE_UP: &str = "\x1b[5~";
const END: &str = "\x1b[F";
const CTRL_C: &str = "\x03";
const CTRL_Z: &str = "\x1a";
const CTRL_Y: &str = "\x19";

/// The usual terminal: squares of five columns and two rows, from the third column on.
const USUAL: (u16, u16) = (80, 24);

/// The middle of a square such as `e2` with White below.
fn place(square: &str) -> (u16, u16) {
    let bytes = square.as_bytes();
    let (file, rank) = (u16::from(bytes[0] - b'a'), u16::from(bytes[1] - b'1'));
    (2 + 5 * file + 2, 2 * (7 - rank))
}

fn game(home: &Home, arguments: &[&str]) -> Terminal {
    let terminal = Terminal::start(home, USUAL, arguments);
    terminal.shows("? shows the help");
    terminal
}

fn enter(terminal: &mut Terminal, line: &str) {
    terminal.keys(line);
    terminal.keys(ENTER);
}

/// Leaves the game, which must end well.
fn leave(terminal: &mut Terminal) {
    terminal.keys(CTRL_C);
    assert!(terminal.end().success());
}

fn click(terminal: &mut Terminal, square: &str) {
    let (column, row) = place(square);
    terminal.click(column, row);
}

#[test]
fn typed_moves_are_answered_and_ctrl_c_keeps_the_game() {
    let home = Home::new();
    let mut terminal = game(&home, &["--level", "1", "--time", "5+0", "--threats"]);
    assert!(terminal.is_full_screen() && terminal.has_mouse());
    terminal.shows("White: Player  5:00");
    terminal.keys("Ng1f");
    terminal.shows("White> Ng1f");
    terminal.keys(ESCAPE);
    terminal.until("an empty line", |screen| !screen.contains("Ng1f"));
    terminal.keys("e2");
    terminal.keys(TAB);
    terminal.shows("e2e3  e2e4");
    enter(&mut terminal, "4");
    terminal.shows("1. e4");
    terminal.shows("Tamarin (level 1): 1... ");
    terminal.shows("Game time 0:");
    terminal.shows("White: Player  4:"); // the clock runs, now that both have moved
    enter(&mut terminal, "Ke5");
    terminal.shows("Ke5: no piece can move that way");
    terminal.resize(40, 10);
    terminal.shows("The terminal is too small");
    terminal.resize(USUAL.0, USUAL.1);
    terminal.until("the game", |screen| !screen.contains("too small"));
    leave(&mut terminal);
    assert!(!terminal.is_full_screen() && !terminal.has_mouse());
    terminal.shows("The game is kept: tamarin play --resume goes on with it.");
}

#[test]
fn thoughts_of_the_engine_are_shown_until_switched_off() {
    let home = Home::new();
    let mut terminal = game(&home, &["--hard"]);
    enter(&mut terminal, "e4");
    terminal.shows("King's Pawn Opening");
    terminal.shows("Tamarin (hard) considers ");
    enter(&mut terminal, "thoughts off");
    terminal.until("no thoughts", |screen| !screen.contains("considers"));
    leave(&mut terminal);
}

#[test]
fn pieces_are_moved_with_mouse_and_cursor_keys() {
    let home = Home::new();
    let fen = "4k3/P3p3/8/8/8/8/4P3/4K1N1 w - - 0 1";
    let mut terminal = game(&home, &["--side", "both", "--fen", fen]);
    let plain = terminal.background(place("e4").0, place("e4").1);
    click(&mut terminal, "e2");
    terminal
        .until("a marked target", |_| terminal.background(place("e4").0, place("e4").1) != plain);
    click(&mut terminal, "e4");
    terminal.shows("1. e4");
    // Enter shows the cursor, on the piece that moved last; from e4 up to e7.
    terminal.keys(ENTER);
    terminal.keys(&UP.repeat(3));
    terminal.keys(ENTER);
    terminal.keys("\x1b[B\x1b[B");
    terminal.keys(" ");
    terminal.shows("1. e4       e5");
    // Dragged.
    let [from, to] = ["g1", "f3"].map(|square| {
        let (column, row) = place(square);
        format!("{};{}", column + 1, row + 1)
    });
    terminal.keys(&format!("\x1b[<0;{from}M\x1b[<32;{to}M\x1b[<0;{to}m"));
    terminal.shows("2. Nf3");
    enter(&mut terminal, "Kd7");
    click(&mut terminal, "a7");
    click(&mut terminal, "a8");
    terminal.shows("What does the pawn become?");
    terminal.keys("n");
    terminal.shows("3. a8=N");
    leave(&mut terminal);
}

#[test]
fn keys_go_back_and_forth_through_the_game() {
    let home = Home::new();
    let mut terminal = game(&home, &["--side", "both"]);
    for mv in ["e4", "e5", "Nf3"] {
        enter(&mut terminal, mv);
    }
    terminal.shows("2. Nf3");
    let has_knight = |screen: &str| {
        let row = screen.lines().nth(place("f3").1.into()).unwrap_or_default();
        row.chars().nth(place("f3").0.into()) == Some('N')
    };
    terminal.until("the board after Nf3", has_knight);
    terminal.keys(PAGE_UP);
    terminal.until("the board before Nf3", |screen| !has_knight(screen));
    terminal.keys(END);
    terminal.until("the board after Nf3", has_knight);
    terminal.keys(CTRL_Z);
    terminal.until("a move less", |screen| !screen.contains("2. Nf3"));
    terminal.keys(CTRL_Y);
    terminal.shows("2. Nf3");
    terminal.keys("\x1bOQ"); // F2
    let is_turned = |line: &str| line.trim_start().starts_with("h    g    f");
    terminal.until("the board turned", |screen| screen.lines().any(is_turned));
    enter(&mut terminal, "pieces unicode");
    terminal.shows("♜");
    leave(&mut terminal);
}

#[test]
fn signal_and_closed_window_keep_the_game_and_the_terminal() {
    let home = Home::new();
    let mut terminal = game(&home, &["--side", "both", "--time", "5+0"]);
    enter(&mut terminal, "e4");
    terminal.shows("1. e4");
    signal(terminal.id(), "-TERM");
    assert!(terminal.end().success());
    assert!(!terminal.is_full_screen() && !terminal.has_mouse());
    // Its clock shows another time each second.
    let mut terminal = Terminal::start(&home, USUAL, &["--resume"]);
    terminal.shows("1. e4");
    enter(&mut terminal, "d5");
    terminal.shows("1. e4       d5");
    terminal.close();
    terminal.end();
    assert!(home.good(&["--resume"], "pgn\nquit\n").contains("1... d5"));
}

#[test]
fn variants_are_played_with_cursor_and_help() {
    let home = Home::new();
    let mut terminal = Terminal::start(&home, USUAL, &["--variant", "losalamos", "--side", "both"]);
    terminal.shows("Type a move, click");
    enter(&mut terminal, "help");
    terminal.shows("any other key closes it");
    terminal.keys("x");
    terminal.until("the board", |screen| !screen.contains("closes it"));
    terminal.keys(ENTER); // the cursor, on the king
    terminal.shows("/     \\");
    for key in [UP, ENTER, UP, ENTER] {
        terminal.keys(key);
    }
    terminal.shows("1. d3 ");
    leave(&mut terminal);
}
