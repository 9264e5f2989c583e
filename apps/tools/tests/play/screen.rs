//! The full-screen game and line editing, driven through a pseudo-terminal.

use std::process::Command;

use crate::play::harness::Home;
use crate::play::terminal::Terminal;

/// Keys as a terminal sends them.
const ENTER: &str = "\r";
const TAB: &str = "\t";
const ESCAPE: &str = "\x1b";
const UP: &str = "\x1b[A";
const PAGE_UP: &str = "\x1b[5~";
const END: &str = "\x1b[F";
const F2: &str = "\x1bOQ";
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
fn moves_are_typed_and_the_engine_answers() {
    let home = Home::new();
    let mut terminal = game(&home, &["--level", "1", "--time", "5+0"]);
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
    terminal.shows("White: Player  4:"); // the clock runs, now that both have moved
    enter(&mut terminal, "Ke5");
    terminal.shows("Ke5: no piece can move that way");
    leave(&mut terminal);
    assert!(!terminal.is_full_screen() && !terminal.has_mouse());
    terminal.shows("The game is kept: tamarin play --resume goes on with it.");
}

#[test]
fn pieces_are_moved_with_the_mouse_and_the_cursor_keys() {
    let home = Home::new();
    let mut terminal = game(&home, &["--side", "both"]);
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
    let ((x1, y1), (x2, y2)) = (place("g1"), place("f3"));
    let drag = format!(
        "\x1b[<0;{};{}M\x1b[<32;{};{}M\x1b[<0;{};{}m",
        x1 + 1,
        y1 + 1,
        x2 + 1,
        y2 + 1,
        x2 + 1,
        y2 + 1
    );
    terminal.keys(&drag);
    terminal.shows("2. Nf3");
    leave(&mut terminal);
}

#[test]
fn a_pawn_becomes_what_is_chosen() {
    let home = Home::new();
    let fen = "7k/P7/8/8/8/8/8/7K w - - 0 1";
    let mut terminal = game(&home, &["--side", "both", "--fen", fen]);
    click(&mut terminal, "a7");
    click(&mut terminal, "a8");
    terminal.shows("What does the pawn become?");
    terminal.keys("n");
    terminal.shows("1. a8=N");
    leave(&mut terminal);
}

#[test]
fn one_goes_back_and_forth_through_the_game() {
    let home = Home::new();
    let mut terminal = game(&home, &["--side", "both"]);
    for mv in ["e4", "e5", "Nf3"] {
        enter(&mut terminal, mv);
    }
    terminal.shows("2. Nf3");
    let knight = |terminal: &Terminal| {
        let screen = terminal.screen();
        let row = screen.lines().nth(place("f3").1.into()).unwrap_or_default().to_owned();
        row.chars().nth(place("f3").0.into()) == Some('N')
    };
    assert!(knight(&terminal));
    terminal.keys(PAGE_UP);
    terminal.until("the board before Nf3", |_| !knight(&terminal));
    terminal.keys(END);
    terminal.until("the board after Nf3", |_| knight(&terminal));
    terminal.keys(CTRL_Z);
    terminal.until("a move less", |screen| !screen.contains("2. Nf3"));
    terminal.keys(CTRL_Y);
    terminal.shows("2. Nf3");
    terminal.keys(F2);
    terminal.until("the board turned", |screen| {
        screen
            .lines()
            .next()
            .is_some_and(|line| line.contains("R  N") || line.trim_start().starts_with("R"))
            || screen.lines().any(|line| line.trim_start().starts_with("h    g    f"))
    });
    enter(&mut terminal, "pieces unicode");
    terminal.shows("♜");
    leave(&mut terminal);
}

#[test]
fn the_board_fits_the_terminal_or_says_that_it_cannot() {
    let home = Home::new();
    let mut terminal = game(&home, &[]);
    terminal.resize(40, 10);
    terminal.shows("The terminal is too small");
    terminal.resize(120, 40);
    terminal.shows("? shows the help");
    leave(&mut terminal);
}

#[test]
fn a_signal_leaves_the_terminal_as_it_was() {
    let home = Home::new();
    let mut terminal = game(&home, &["--side", "both"]);
    enter(&mut terminal, "e4");
    terminal.shows("1. e4");
    let kill = |signal: &str, id: u32| {
        Command::new("kill").args([signal, &id.to_string()]).status().expect("kill runs")
    };
    assert!(kill("-TERM", terminal.id()).success());
    assert!(terminal.end().success());
    assert!(!terminal.is_full_screen() && !terminal.has_mouse());
    // Even a kill loses no move.
    let mut terminal = Terminal::start(&home, USUAL, &["--resume"]);
    terminal.shows("1. e4");
    enter(&mut terminal, "d5");
    terminal.shows("1. e4       d5");
    assert!(kill("-KILL", terminal.id()).success());
    terminal.end();
    let mut terminal = Terminal::start(&home, USUAL, &["--resume"]);
    terminal.shows("1. e4       d5");
    leave(&mut terminal);
}

#[test]
fn a_closed_window_ends_the_game_and_keeps_it() {
    let home = Home::new();
    // Its clock shows another time each second.
    let mut terminal = game(&home, &["--side", "both", "--time", "5+0"]);
    enter(&mut terminal, "e4");
    terminal.shows("1. e4");
    terminal.close();
    terminal.end();
    assert!(home.good(&["--resume"], "pgn\nquit\n").contains("1. e4"));
}

#[test]
fn a_new_game_is_put_together_in_a_dialog() {
    let home = Home::new();
    let mut terminal = game(&home, &["--side", "both"]);
    enter(&mut terminal, "e4");
    terminal.shows("1. e4");
    enter(&mut terminal, "new");
    terminal.shows("New game");
    terminal.shows("Your color   < both: two people >");
    terminal.keys(ESCAPE);
    terminal.until("the game", |screen| !screen.contains("New game"));
    terminal.shows("1. e4");
    terminal.keys("\x1b[21~"); // F10
    terminal.shows("New game");
    let (right, down) = ("\x1b[C", "\x1b[B");
    terminal.keys(&format!("{right}{right}")); // both, none, White
    terminal.shows("Your color   < White >");
    terminal.keys(&format!("{down}\x1b[D"));
    terminal.shows("The engine   < level 12 >");
    terminal.keys(&format!("{down}{right}{right}"));
    terminal.shows("Clocks       < 3+2 >");
    terminal.keys(&"\x7f".repeat(6));
    terminal.keys("Ann");
    terminal.shows("Your name    Ann_");
    terminal.keys(ENTER);
    terminal.shows("White: Ann  3:00");
    terminal.shows("Black: Tamarin (level 12)  3:00");
    terminal.until("no move", |screen| !screen.contains("1. e4"));
    leave(&mut terminal);
}

#[test]
fn the_screen_names_opening_time_and_what_the_engine_considers() {
    let home = Home::new();
    let mut terminal = game(&home, &["--hard", "--threats"]);
    enter(&mut terminal, "e4");
    terminal.shows("King's Pawn Opening");
    terminal.shows("Game time 0:");
    terminal.shows("Tamarin (hard) considers ");
    let last = || {
        let screen = terminal.screen();
        let line = screen.lines().find(|line| line.contains("considers"));
        line.and_then(|line| line.chars().next())
    };
    let first = last();
    terminal.until("the spinner turned", |_| last().is_some() && last() != first);
    enter(&mut terminal, "thoughts off");
    terminal.until("no thoughts", |screen| !screen.contains("considers"));
    leave(&mut terminal);
}

#[test]
fn variants_are_played_on_the_screen() {
    let home = Home::new();
    let mut terminal = Terminal::start(&home, USUAL, &["--variant", "losalamos", "--level", "1"]);
    terminal.shows("Type a move, click");
    assert!(terminal.is_full_screen() && terminal.has_mouse());
    enter(&mut terminal, "a2a3");
    terminal.shows("Tamarin (level 1): 1... ");
    terminal.until("two moves", |screen| screen.contains("1. a3 "));
    // Nothing legal is lost: undone, and another move by cursor and Enter.
    enter(&mut terminal, "undo");
    terminal.until("no move", |screen| !screen.contains("1. a3 "));
    enter(&mut terminal, "help");
    terminal.shows("any other key closes it");
    terminal.keys("x");
    terminal.until("the board", |screen| !screen.contains("closes it"));
    terminal.keys(ENTER); // the cursor, on the king
    terminal.shows("/     \\");
    terminal.keys(UP);
    terminal.keys(ENTER);
    terminal.keys(UP);
    terminal.keys(ENTER);
    terminal.shows("1. d3 ");
    leave(&mut terminal);
    assert!(!terminal.is_full_screen());
}
