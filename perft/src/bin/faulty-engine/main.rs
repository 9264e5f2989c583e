//! A program that answers perft with one mistake, in several protocols and forms: to try
//! `perft --engine` with. It uses the second generator alone.
//!
//! `faulty-engine MISTAKE FORM`: `MISTAKE` as in `mailbox.rs`, or `none`; the form is `stockfish`,
//! `totals`, `plain` (the command is `count N`), `xboard`, `args`, `lines`, `crash`, `hang` or `stale`.

mod mailbox;

use std::io::{self, BufRead, Write};
use std::time::Duration;

use mailbox::Mailbox;

const START: &str = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";

fn main() -> io::Result<()> {
    let words: Vec<String> = std::env::args().skip(1).collect();
    let mistake: &str = words.first().cloned().unwrap_or_default().leak();
    let form = words.get(1).map_or("stockfish", String::as_str);
    let new = |fen: &str| Mailbox::new(fen, mistake);
    if form == "args" {
        let [depth, fen] = [2, 3].map(|index| words.get(index).map_or("", String::as_str));
        let Some(mut board) = new(fen) else { std::process::exit(1) };
        let moves = words.get(4).map_or("", String::as_str);
        board = play(board, moves.split_whitespace(), false);
        return divide(&board, depth.parse().unwrap_or(1), form, false);
    }
    let (mut board, mut chess960) = (new(START).expect("invariant: a FEN"), false);
    let mut is_set = false;
    for line in io::stdin().lock().lines() {
        let line = line?;
        let words: Vec<&str> = line.split_whitespace().collect();
        match (form, words.as_slice()) {
            (_, ["quit"]) => break,
            ("xboard", ["protover", _]) => println!("feature ping=1 setboard=1 done=1"),
            ("xboard", ["ping", number]) => println!("pong {number}"),
            ("xboard", ["setboard", fen @ ..]) => board = new(&fen.join(" ")).unwrap_or(board),
            ("xboard", ["divide", depth]) => {
                divide(&board, depth.parse().unwrap_or(1), form, false)?;
            }
            ("xboard", [mv]) if mv.len() >= 4 && mv.as_bytes()[1].is_ascii_digit() => {
                board = play(board, [*mv].into_iter(), false);
            }
            ("xboard", _) => {}
            (_, ["uci"]) => {
                println!("option name UCI_Chess960 type check default false");
                println!("option name MultiPV type spin default 1 min 1 max 256\nuciok");
            }
            (_, ["isready"]) => println!("readyok"),
            (_, ["setoption", .., value]) => chess960 = *value == "true",
            ("stale", ["position", ..]) if is_set => {}
            (_, ["position", "fen", rest @ ..]) => {
                let mut parts = rest.split(|word| *word == "moves");
                let fen = parts.next().unwrap_or_default().join(" ");
                is_set = form == "stale" || fen.contains("/K2pP2r/");
                board = new(&fen).unwrap_or(board);
                board = play(board, parts.next().unwrap_or_default().iter().copied(), chess960);
            }
            ("lines", ["go", "depth", "1"]) => {
                let moves: Vec<String> = board.moves().iter().map(|mv| mv.text(chess960)).collect();
                for (index, mv) in moves.iter().enumerate() {
                    println!("info depth 1 multipv {} score cp 0 pv {mv}", index + 1);
                }
                println!("bestmove {}", moves.first().map_or("a1a1", String::as_str));
            }
            ("crash", ["go", "perft", _]) if is_set => std::process::exit(9),
            ("hang", ["go", "perft", _]) if is_set => std::thread::sleep(Duration::from_secs(60)),
            ("totals", ["perft", depth])
            | ("plain", ["count", depth])
            | ("stockfish" | "crash" | "hang" | "stale", ["go", "perft", depth]) => {
                divide(&board, depth.parse().unwrap_or(1), form, chess960)?;
            }
            _ => {}
        }
    }
    Ok(())
}

fn play<'a>(board: Mailbox, moves: impl Iterator<Item = &'a str>, chess960: bool) -> Mailbox {
    moves.fold(board, |board, text| {
        let step = board.moves().into_iter().find(|step| step.text(chess960) == text);
        step.map_or_else(|| board.clone(), |step| board.after(&step))
    })
}

fn divide(board: &Mailbox, depth: u8, form: &str, chess960: bool) -> io::Result<()> {
    let mut out = io::stdout().lock();
    let divide = board.divide(depth);
    for (step, nodes) in &divide {
        let mv = step.text(chess960);
        match form {
            "totals" => {}
            "xboard" | "args" | "plain" => writeln!(out, "{mv} {nodes}")?,
            _ => writeln!(out, "{mv}: {nodes}")?,
        }
    }
    let total: u64 = divide.iter().map(|(_, nodes)| nodes).sum();
    let total = total + u64::from(board.is("total-one-more"));
    match form {
        "xboard" | "plain" => {}
        "totals" => writeln!(out, "{total}")?,
        "args" => writeln!(out, "\n{total}")?,
        _ => writeln!(out, "\nNodes searched: {total}\n")?,
    }
    out.flush()
}
