//! Matches by our own referee, between engines that play by the rules and others that do not.

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::thread;
use std::time::Duration;

use tamarin_game::pgn::games::Games;
use tamarin_game::pgn::read;
use tamarin_movegen::{CastlingNotation, Position};
use tamarin_train::matches::ledger::{self, Row};
use tempfile::TempDir;

use crate::support::{printed, refusal, rejected, wait_for};

/// Makes this test program an engine when it is set.
const IS_ENGINE: &str = "TAMARIN_TEST_ENGINE";

/// No test: the engine of the others, which start this program again with its behavior as the
/// last argument.
#[test]
fn scripted_engine() {
    if std::env::var_os(IS_ENGINE).is_none() {
        return;
    }
    let behavior = std::env::args().next_back().unwrap();
    let mut position = Position::startpos();
    let (mut games, mut moves) = (0, 0);
    let mut overhead = None;
    let once = behavior.strip_prefix("once-").map(Path::new);
    if once.is_some_and(Path::exists) {
        std::process::exit(1);
    }
    println!();
    for line in io::stdin().lock().lines() {
        let line = line.unwrap();
        match line.split_whitespace().next() {
            Some("uci") => {
                println!("id name scripted\noption name Hash type spin");
                if behavior.starts_with("overhead") {
                    println!("option name Move overhead type spin default 30 min 0 max 5000");
                }
                if behavior == "threads" {
                    println!("option name Threads type spin default 1 min 1 max 2");
                }
                println!("uciok");
            }
            Some("setoption") if behavior == "stubborn" => println!("info string Hash unchanged"),
            Some("setoption") if behavior == "chatty" => println!("info string Hash noted"),
            Some("setoption") if line.contains("Move Overhead") => {
                overhead = line.rsplit(' ').next().map(str::to_owned);
            }
            Some("isready") => println!("readyok"),
            Some("ucinewgame") => {
                games += 1;
                if let Some(path) = once.filter(|_| games == 3) {
                    fs::write(path, "").unwrap();
                    std::process::exit(1);
                }
            }
            Some("position") => position = read_position(&line),
            Some("quit") => break,
            Some("go") => {
                moves += 1;
                let expected = behavior.strip_prefix("overhead-");
                if expected.is_some_and(|value| value != overhead.as_deref().unwrap_or("none")) {
                    println!("bestmove a1a1");
                    io::stdout().flush().unwrap();
                    continue;
                }
                answer(&position, &behavior, moves);
            }
            _ => {}
        }
        io::stdout().flush().unwrap();
    }
    std::process::exit(0);
}

fn read_position(line: &str) -> Position {
    let (fen, moves) = line.split_once(" moves ").unwrap_or((line, ""));
    let mut position = Position::from_fen(fen.strip_prefix("position fen ").unwrap()).unwrap();
    for text in moves.split_whitespace() {
        let mv = position.resolve(text.parse().unwrap()).unwrap();
        position.make(mv);
    }
    position
}

fn answer(position: &Position, behavior: &str, moves: usize) {
    match behavior {
        "crash" if moves == 5 => {
            eprintln!("out of luck");
            std::process::exit(3);
        }
        "silent" => thread::sleep(Duration::from_secs(3_600)),
        "illegal" if moves == 5 => return println!("bestmove a1a1"),
        // More than `SHORT` allows.
        "slow" => thread::sleep(Duration::from_millis(50)),
        _ => {}
    }
    // Any move, but the same one in the same position.
    let list = position.legal_moves();
    let index = position.key() as usize % list.len();
    let text = position.uci(list[index], CastlingNotation::Classic);
    println!("info depth 3 score cp 12\nbestmove {text}");
}

/// The command of the engine that behaves like this.
fn engine(behavior: &str) -> String {
    let program = std::env::current_exe().unwrap();
    format!("{} matches::scripted_engine --exact --nocapture --skip {behavior}", program.display())
}

/// Openings of one ply: Black is to move.
const BOOK: &str = "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -
rnbqkbnr/pppppppp/8/8/3P4/8/PPP1PPPP/RNBQKBNR b KQkq -
rnbqkbnr/pppppppp/8/8/2P5/8/PP1PPPPP/RNBQKBNR b KQkq -
rnbqkbnr/pppppppp/8/8/8/5N2/PPPPPPPP/RNBQKB1R b KQkq -
rnbqkbnr/pppppppp/8/8/8/1P6/P1PPPPPP/RNBQKBNR b KQkq -
";

/// A folder of its own for a match, with a book.
struct Folder(TempDir);

impl Folder {
    fn new() -> Self {
        let folder = Self(tempfile::tempdir().unwrap());
        fs::write(folder.file("book.epd"), BOOK).unwrap();
        folder
    }

    fn file(&self, name: &str) -> PathBuf {
        self.0.path().join(name)
    }

    fn path(&self, name: &str) -> String {
        self.file(name).display().to_string()
    }

    /// A match of two behaviors.
    fn command(&self, new: &str, old: &str, arguments: &[&str]) -> Command {
        let mut command = train("match");
        command.args(["--runner", "own", "--new", &engine(new), "--old", &engine(old)]);
        command.args(["--new-name", new, "--old-name", old, "--date", "2026-01-31"]);
        command.args(["--book", &self.path("book.epd"), "--pgn", &self.path("games.pgn")]);
        command.args(["--ledger", &self.path("matches.csv")]).args(arguments);
        command
    }

    fn play(&self, new: &str, old: &str, arguments: &[&str]) -> String {
        printed(self.command(new, old, arguments))
    }

    /// A match that is rejected, for this reason, before the games.
    #[track_caller]
    fn rejects(new: &str, old: &str, arguments: &[&str], why: &str) {
        let folder = Self::new();
        let arguments = [&["--nodes", "1", "--games", "2"][..], arguments].concat();
        rejected(folder.command(new, old, &arguments), why);
        assert!(!folder.file("games.pgn").exists() && !folder.file("matches.csv").exists());
    }

    /// A program of the user that does what a script says.
    #[cfg(unix)]
    fn script(&self, name: &str, text: &str) -> PathBuf {
        use std::os::unix::fs::PermissionsExt as _;

        let programs = self.file("programs");
        fs::create_dir_all(&programs).unwrap();
        let program = programs.join(name);
        fs::write(&program, format!("#!/bin/sh\n{text}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        program
    }

    /// A match by a program in the place of fastchess or cutechess-cli that does what a script
    /// says. No other program of that kind is found.
    #[cfg(unix)]
    fn by_script(&self, runner: &str, script: &str, arguments: &[&str]) -> Command {
        let program = self.script(runner, script);
        let mut command = train("match");
        command.env("PATH", program.parent().unwrap());
        command.args(["--new", &engine("legal"), "--old", &engine("legal")]);
        command.args(["--nodes", "1", "--games", "10", "--book", &self.path("book.epd")]);
        command.args(["--ledger", &self.path("matches.csv")]).args(arguments);
        command
    }

    fn row(&self) -> Row {
        ledger::read(&self.file("matches.csv")).unwrap().remove(0)
    }

    fn pgn(&self) -> String {
        fs::read_to_string(self.file("games.pgn")).unwrap()
    }

    /// Both games of a match were won by White, for this reason.
    #[track_caller]
    fn white_has_won(&self, termination: &str) {
        let text = self.pgn();
        for tag in ["[Result \"1-0\"]", &format!("[Termination \"{termination}\"]")] {
            assert_eq!(text.matches(tag).count(), 2, "{tag} in {text}");
        }
    }
}

fn train(command: &str) -> Command {
    let mut train = crate::support::command(&[&[command]]);
    train.env(IS_ENGINE, "1");
    train
}

#[test]
fn match_against_itself_is_even_and_its_games_can_be_read() {
    let folder = Folder::new();
    let text = folder.play("legal", "legal", &["--nodes", "1", "--games", "400"]);
    assert!(text.starts_with("10 games are played instead of 400, two for each opening"), "{text}");
    // The same moves come back with either color, so each pair cancels out.
    assert!(text.contains("pentanomial  [0 0 5 0 0]"), "{text}");
    assert!(text.contains("faults       none"), "{text}");
    let row = folder.row();
    assert_eq!((&row.id[..], &row.games[..], &row.limit[..]), ("M1", "10", "1 nodes"));
    assert_eq!([&row.pentanomial[..], &row.elo[..], &row.error[..]], ["0 0 5 0 0", "0.0", ""]);
    assert_eq!((&row.book[..], &row.runner[..]), ("book.epd", "tamarin-train"));
    let pgn = folder.pgn();
    assert!(pgn.lines().all(|line| line.len() <= 80) && pgn.contains("{+0.12/3 "), "{pgn}");
    let mut games = Games::new(pgn.as_bytes());
    let mut count = 0;
    while let Some(text) = games.next_game().unwrap() {
        let game = read(&text).unwrap();
        let mut position = game.start.clone();
        game.moves.iter().for_each(|played| position.make(played.mv.unwrap()));
        assert!(position.outcome_with_claims().is_some() && game.moves.len() > 20, "{position}");
        count += 1;
    }
    assert_eq!(count, 10);
}

#[test]
fn games_that_may_differ_are_not_left_out() {
    for arguments in [
        ["--nodes", "1", "--threads", "2"],
        ["--nodes", "1", "--new-option", "Threads=2"],
        ["--tc", "86400", "--threads", "1"],
    ] {
        let folder = Folder::new();
        let arguments = [&arguments[..], &["--games", "12"]].concat();
        let text = folder.play("threads", "threads", &arguments);
        assert!(!text.contains("instead of"), "{text}");
        assert_eq!(folder.row().games, "12");
    }
}

/// Appends a pair of games to the file that fastchess is to write: White wins both.
#[cfg(unix)]
const WRITE_PAIR: &str = r#"for word; do case $word in
name=*) new=$old old=${word#name=};;
file=*games.pgn) pgn=${word#file=};;
outname=*) : >"${word#outname=}";; esac; done
game='[White "%s"]\n[Black "%s"]\n[Result "1-0"]\n[FEN "x"]\n\n1-0\n\n'
printf "$game$game" "$new" "$old" "$old" "$new" >>"$pgn""#;

/// Also when both engines have one name. No file of the user is taken for what fastchess keeps.
#[cfg(unix)]
#[test]
fn games_of_another_program_count_but_for_those_of_before() {
    let folder = Folder::new();
    let pgn = folder.path("games.pgn");
    fs::write(folder.file("games.pgn.json"), "mine").unwrap();
    let arguments = ["--pgn", &pgn, "--new-name", "1a2b3c4d", "--old-name", "1a2b3c4d"];
    for _ in 0..2 {
        let text = printed(folder.by_script("fastchess", WRITE_PAIR, &arguments));
        assert!(text.contains("2: 1 won, 0 drawn, 1 lost"), "{text}");
    }
    assert_eq!(folder.pgn().matches("[White ").count(), 4);
    assert_eq!([&folder.row().new[..], &folder.row().old[..]], ["1a2b3c4d", "1a2b3c4d"]);
    assert_eq!(fs::read_to_string(folder.file("games.pgn.json")).unwrap(), "mine");
    rejected(
        folder.by_script("fastchess", "exit 3", &["--pgn", "/dev/null"]),
        "/dev/null: the games of fastchess are read again",
    );
}

#[cfg(unix)]
fn send(signal: &str, child: &Child) {
    let id = child.id().to_string();
    assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
}

/// The rest of a script that plays on until somebody ends it.
#[cfg(unix)]
const GO_ON: &str = "\necho $$ >\"$PID.new\"\n/bin/mv \"$PID.new\" \"$PID\"\nexec /bin/sleep 3600";

#[cfg(unix)]
#[test]
fn long_signals_end_another_program() {
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::new();
        let (pid, temporary) = (folder.file("pid"), folder.file("tmp"));
        fs::create_dir(&temporary).unwrap();
        let script = format!("{WRITE_PAIR}{GO_ON}");
        let mut command = folder.by_script("fastchess", &script, &[]);
        command.env("PID", &pid).env("TMPDIR", &temporary);
        let child = command.spawn().unwrap();
        wait_for("it does not play", || pid.exists());
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(text.contains("interrupted after 2 of 10 games"), "{text}");
        assert_eq!(folder.row().remarks, "cut short, 10 games were planned");
        let program = fs::read_to_string(&pid).unwrap();
        let alive =
            Command::new("kill").args(["-0", program.trim()]).stderr(Stdio::null()).status();
        assert!(!alive.unwrap().success(), "fastchess plays on");
        assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
    }
}

#[cfg(unix)]
#[test]
fn row_tells_that_another_program_broke_off() {
    let folder = Folder::new();
    let temporary = folder.file("tmp");
    fs::create_dir(&temporary).unwrap();
    let mut command = folder.by_script("fastchess", &format!("{WRITE_PAIR}\nexit 3"), &[]);
    command.env("TMPDIR", &temporary);
    let said = refusal(command);
    let why = "fastchess ended (exit status: 3), 10 games were planned";
    assert!(said.contains(why), "{said}");
    let row = folder.row();
    assert_eq!((&row.games[..], &row.remarks[..], &row.date[..]), ("2", why, "????-??-??"));
    // Without `--pgn` the games were here, and what fastchess keeps beside them.
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}

/// Openings come from the engine as the command line starts it.
#[cfg(unix)]
#[test]
fn engine_with_arguments_makes_the_openings() {
    let folder = Folder::new();
    let program = folder.script(
        "wrapper",
        &format!(
            "[ \"$1\" = own ] || exit 1\nshift\ncase $1 in\n\
             genfens*) echo 'info string genfens 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1';;\n\
             *) exec {};;\nesac",
            engine("legal")
        ),
    );
    let wrapper = format!("{} own", program.display());
    let command = |more: &[&str]| {
        let mut command = train("match");
        command.args(["--runner", "own", "--nodes", "1", "--games", "2"]);
        command.args(["--new", &wrapper, "--old", &engine("legal")]).args(more);
        command
    };
    let text = printed(command(&[]));
    assert!(text.contains("2 games by tamarin-train"), "{text}");
    rejected(command(&["--chess960"]), "--chess960 needs --book");
}

#[cfg(unix)]
#[test]
fn program_without_the_test_does_not_play_it() {
    let folder = Folder::new();
    let cutechess = |arguments: &[&str]| folder.by_script("cutechess-cli", "exit 1", arguments);
    let said = |arguments: &[&str]| refusal(cutechess(arguments));
    let rejected = said(&["--sprt", "0 10", "--runner", "cutechess"]);
    assert!(rejected.contains("cutechess-cli has no test of normalized Elo"), "{rejected}");
    // Our own referee has it.
    printed(cutechess(&["--sprt", "0 10"]));
    assert_eq!(folder.row().runner, "tamarin-train");
    let logistic = said(&["--sprt", "0 10", "--model", "logistic"]);
    assert!(logistic.contains("cutechess-cli ended (exit status: 1) without games"), "{logistic}");
    // It would only warn of options that an engine lacks.
    let lacking = said(&["--option", "Contempt=5"]);
    assert!(lacking.contains("new: has no option \"Contempt\""), "{lacking}");
}

#[test]
fn error_during_the_match_keeps_its_games() {
    let folder = Folder::new();
    let once = format!("once-{}", folder.path("left"));
    let arguments = ["--nodes", "1", "--games", "10", "--concurrency", "1"];
    rejected(folder.command("legal", &once, &arguments), "ended by itself");
    let row = folder.row();
    let why = "ended by an error, 10 games were planned";
    assert_eq!([&row.games[..], &row.remarks[..]], ["2", why]);
}

#[test]
fn crash_and_illegal_move_lose() {
    let crash = "crash: has ended by itself (exit status: 3): out of luck (pair 1, game 1)";
    for (behavior, kind, detail) in [
        ("crash", "crash", crash),
        ("illegal", "illegal move", "illegal move: \"a1a1\" (pair 1, game 1)"),
    ] {
        let folder = Folder::new();
        let text = folder.play("legal", behavior, &["--nodes", "1", "--games", "4"]);
        assert!(text.contains("4: 4 won"), "{text}");
        assert!(text.contains(&format!("faults       {behavior}: {kind} x4")), "{text}");
        assert!(text.contains(&format!("  {behavior}: {detail}\n")), "{text}");
        assert_eq!(folder.row().remarks, format!("{behavior}: {kind} x4"));
        assert_eq!(folder.row().elo, "");
    }
}

/// A clock and a margin of 20 ms together. Of two that overstep them with every answer, the one
/// that moves first loses, however busy the machine is: Black, since the openings are one ply long.
const SHORT: [&str; 6] = ["--tc", "0.01", "--margin", "10", "--games", "2"];

#[test]
fn overstepping_the_time_and_falling_silent_lose() {
    for (behavior, patience, kind) in [("slow", "3600", "time forfeit"), ("silent", "0", "stall")] {
        let folder = Folder::new();
        let arguments = [&SHORT[..], &["--patience", patience]].concat();
        let text = folder.play(behavior, behavior, &arguments);
        let faults = format!("{behavior}: {kind} x1, {behavior} (old): {kind} x1");
        assert!(text.contains("2: 1 won, 0 drawn, 1 lost") && text.contains(&faults), "{text}");
        folder.white_has_won(kind);
    }
}

/// A clock of a day, which no answer oversteps.
const LONG: [&str; 2] = ["--tc", "86400+1"];

#[test]
fn opponent_gets_its_move_overhead() {
    // Who does not get what its name says breaks the rules.
    let play = |new: &str, old: &str, arguments: &[&str]| {
        let folder = Folder::new();
        let arguments = [&["--games", "2", "--old-overhead", "10"], arguments].concat();
        let text = folder.play(new, old, &arguments);
        assert!(text.contains("faults       none"), "{text}");
        folder.row().options
    };
    let clock = ["--tc", "60+1"];
    assert_eq!(play("overhead-none", "overhead-10", &clock), "old Move Overhead=10");
    assert_eq!(play("overhead-none", "plain", &clock), "");
    assert_eq!(play("overhead-none", "overhead-none", &["--nodes", "1"]), "");
    let own = [&clock[..], &["--old-option", "Move Overhead=25"]].concat();
    assert_eq!(play("overhead-none", "overhead-25", &own), "old Move Overhead=25");
}

#[test]
fn rejects_options_that_an_engine_lacks_or_does_not_take() {
    let why = |engine: &str, option: &str| format!("{engine}: has no option {option:?}");
    Folder::rejects("legal", "stubborn", &["--option", "Contmept=5"], &why("legal", "Contmept"));
    let old = ["--old-option", "Contmept=5"];
    Folder::rejects("legal", "legal-too", &old, &why("legal-too", "Contmept"));
    Folder::rejects("legal", "legal", &["--threads", "2"], &why("legal", "Threads"));
    Folder::rejects("legal", "legal", &["--chess960"], &why("legal", "UCI_Chess960"));
    let many = ["--new-option", "Hash=many"];
    Folder::rejects("legal", "legal", &many, "legal: option Hash: \"many\" is not a whole number");
    let unchanged = "stubborn: rejects an option: Hash unchanged";
    Folder::rejects("stubborn", "legal", &["--new-option", "hash=0"], unchanged);
}

#[test]
fn what_an_engine_says_of_its_options_is_printed_once() {
    let folder = Folder::new();
    let arguments =
        ["--nodes", "1", "--games", "4", "--concurrency", "2", "--new-option", "hash=0"];
    let text = folder.play("chatty", "legal", &arguments);
    // For the hash table of the match and for the one that was asked for.
    assert_eq!(text.matches("chatty: Hash noted").count(), 2, "{text}");
    let row = folder.row();
    assert_eq!([&row.options[..], &row.remarks[..]], ["new hash=0", "chatty: Hash noted"]);
}

#[test]
fn rejects_files_and_engines_of_no_use_before_the_games() {
    let folder = Folder::new();
    let rejects = |option: &str, file: &str, why: &str| {
        let mut command = train("match");
        command.args(["--new", "/nowhere/engine", "--old", "y", "--new-name", "gone"]);
        command.args(["--runner", "own", "--book", &folder.path("book.epd")]);
        let other = if option == "--pgn" { "--ledger" } else { "--pgn" };
        command.args([option, &folder.path(file), other, &folder.path("other")]);
        rejected(command, why);
    };
    for option in ["--pgn", "--ledger"] {
        rejects(option, "book.epd", "it is the same file as");
        rejects(option, "other", "it is the same file as");
        rejects(option, "no/folder", &folder.path("no/folder"));
    }
    fs::write(folder.path("rows.csv"), "id,date\nM1\n").unwrap();
    rejects("--ledger", "rows.csv", &folder.path("rows.csv"));
    rejects("--pgn", "games.pgn", "gone: /nowhere/engine: cannot be started");
    assert!(!folder.file("other").exists());
}

#[test]
fn test_is_shown_during_the_match_decided_and_recorded() {
    let folder = Folder::new();
    let test = ["--nodes", "1", "--games", "2", "--sprt", "0 300"];
    folder.play("legal", "legal", &[&test[..], &["--model", "logistic"]].concat());
    assert_eq!(folder.row().sprt, "0 300 logistic");
    let too_far = "the hypotheses 0 300 are too far from an even match";
    Folder::rejects("legal", "legal", &["--sprt", "0 300"], too_far);

    let folder = Folder::new();
    let arguments = [&LONG[..], &["--games", "4000", "--sprt", "0 20"]].concat();
    let text = folder.play("legal", "illegal", &arguments);
    let stands = |line: &str| line.starts_with("50 games: +50 ") && line.contains(", LLR +");
    assert!(text.lines().any(stands) && text.contains("H1 accepted"), "{text}");
    let row = folder.row();
    let games: u32 = row.games.parse().unwrap();
    assert!(games < 1_000, "{games} games");
    assert_eq!(
        (&row.limit[..], &row.remarks[..]),
        ("86400+1", &format!("illegal: illegal move x{games}")[..])
    );
    assert_eq!(row.sprt, "0 20");
    assert!(row.llr.parse::<f64>().unwrap() >= 2.94, "{}", row.llr);
}

#[test]
#[cfg(unix)]
fn interrupted_match_prints_and_records_its_games() {
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::new();
        let arguments = [&LONG[..], &["--games", "40000", "--concurrency", "1"]].concat();
        let child = folder.command("legal", "legal", &arguments).spawn().unwrap();
        wait_for("no game is written", || folder.file("games.pgn").exists());
        send(signal, &child);
        let output = child.wait_with_output().unwrap();
        let text = String::from_utf8_lossy(&output.stdout);
        assert!(output.status.success() && text.contains("interrupted after"), "{text}");
        let row = folder.row();
        assert!(row.remarks.contains("cut short, 40000 games were planned"), "{}", row.remarks);
        assert_eq!(row.games.parse::<usize>().unwrap(), folder.pgn().matches("[White ").count());
    }
}
