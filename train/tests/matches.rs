//! Matches by our own referee, between engines that play by the rules and others that do not.

use std::fs;
use std::io::{self, BufRead, Write};
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::thread;
use std::time::{Duration, Instant};

use tamarin_movegen::{CastlingNotation, Position};
use tamarin_train::matches::ledger::{self, Row};

use crate::support;

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
                if behavior == "latin" {
                    io::stdout().write_all(b"id author Ren\xe9\n").unwrap();
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
        "crash" if moves == 5 => std::process::exit(1),
        "silent" => thread::sleep(Duration::from_secs(3_600)),
        "illegal" if moves == 5 => return println!("bestmove a1a1"),
        // For much longer than `SHORT` allows.
        "talkative" => {
            let begun = Instant::now();
            while begun.elapsed() < Duration::from_secs(5) {
                println!("info depth 3 score cp 12");
            }
        }
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

/// A folder of its own for a match, removed when dropped.
struct Folder(PathBuf);

impl Folder {
    fn new() -> Self {
        static COUNT: AtomicUsize = AtomicUsize::new(0);
        let number = COUNT.fetch_add(1, Ordering::Relaxed);
        let name = format!("tamarin-matches-{}-{number}", std::process::id());
        let folder = std::env::temp_dir().join(name);
        fs::create_dir_all(&folder).unwrap();
        let book: Vec<_> = ["e4", "d4", "c4", "Nf3", "b3"].map(opening).to_vec();
        fs::write(folder.join("book.epd"), book.join("\n")).unwrap();
        Self(folder)
    }

    /// A match of two behaviors.
    fn command(&self, new: &str, old: &str, arguments: &[&str]) -> Command {
        let path = |name: &str| self.0.join(name).display().to_string();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamarin-train"));
        command.env(IS_ENGINE, "1").arg("match").args(["--runner", "own"]);
        command.args(["--new", &engine(new), "--old", &engine(old)]);
        command.args(["--new-name", new, "--old-name", old, "--date", "2026-01-31"]);
        command.args(["--book", &path("book.epd"), "--pgn", &path("games.pgn")]);
        command.args(["--ledger", &path("matches.csv")]).args(arguments);
        command
    }

    fn play(&self, new: &str, old: &str, arguments: &[&str]) -> String {
        printed(&self.command(new, old, arguments).output().unwrap())
    }

    /// A match that is refused, with why.
    fn refusal(&self, arguments: &[&str]) -> String {
        refusal(&self.command("legal", "legal", arguments).output().unwrap())
    }

    /// A match by a program in the place of fastchess or cutechess-cli that does what a script
    /// says. No other program of that kind is found.
    #[cfg(unix)]
    fn by_script(&self, runner: &str, script: &str, arguments: &[&str]) -> Command {
        use std::os::unix::fs::PermissionsExt as _;

        let programs = self.0.join("programs");
        fs::create_dir_all(&programs).unwrap();
        let program = programs.join(runner);
        fs::write(&program, format!("#!/bin/sh\n{script}\n")).unwrap();
        fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
        let path = |name: &str| self.0.join(name).display().to_string();
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamarin-train"));
        command.env("PATH", &programs).env(IS_ENGINE, "1");
        command.args(["match", "--new", &engine("legal"), "--old", &engine("legal")]);
        command.args(["--nodes", "1", "--games", "10", "--book", &path("book.epd")]);
        command.args(["--ledger", &path("matches.csv")]).args(arguments);
        command
    }

    fn row(&self) -> Row {
        ledger::read(&self.0.join("matches.csv")).unwrap().remove(0)
    }

    /// Both games of a match were won by White, for this reason.
    #[track_caller]
    fn white_has_won(&self, termination: &str) {
        let text = fs::read_to_string(self.0.join("games.pgn")).unwrap();
        for tag in ["[Result \"1-0\"]", &format!("[Termination \"{termination}\"]")] {
            assert_eq!(text.matches(tag).count(), 2, "{tag} in {text}");
        }
    }

    /// The games of the match: FEN and moves.
    fn games(&self) -> Vec<(String, Vec<String>)> {
        let text = fs::read_to_string(self.0.join("games.pgn")).unwrap();
        let parts: Vec<_> = text.split("\n\n").filter(|part| !part.trim().is_empty()).collect();
        parts
            .chunks(2)
            .map(|game| {
                let fen = game[0].split("[FEN \"").nth(1).unwrap().split('"').next().unwrap();
                (fen.to_owned(), san_moves(game[1]))
            })
            .collect()
    }
}

impl Drop for Folder {
    fn drop(&mut self) {
        let _ = fs::remove_dir_all(&self.0);
    }
}

fn opening(first_move: &str) -> String {
    let mut position = Position::startpos();
    let mv = position.parse_san(first_move).unwrap();
    position.make(mv);
    position.to_string()
}

fn printed(output: &Output) -> String {
    let text = String::from_utf8(output.stdout.clone()).unwrap();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{text}{errors}");
    text
}

fn refusal(output: &Output) -> String {
    let text = String::from_utf8_lossy(&output.stdout);
    let errors = String::from_utf8(output.stderr.clone()).unwrap();
    assert!(!output.status.success(), "{text}{errors}");
    errors
}

/// The moves of a move list without numbers, comments and result.
fn san_moves(text: &str) -> Vec<String> {
    let mut depth = 0;
    let words = text.split_whitespace().filter(|word| {
        let inside = depth > 0 || word.starts_with('{');
        depth += word.matches('{').count();
        depth -= word.matches('}').count();
        !inside && !word.ends_with('.') && !word.contains("1/2") && !["1-0", "0-1"].contains(word)
    });
    words.map(str::to_owned).collect()
}

#[test]
fn a_match_against_itself_is_even() {
    let folder = Folder::new();
    let text = folder.play("legal", "legal", &["--nodes", "1", "--games", "10"]);
    // The same moves come back with either color, so each pair cancels out.
    assert!(text.contains("pentanomial  [0 0 5 0 0]"), "{text}");
    assert!(text.contains("faults       none"), "{text}");
    let row = folder.row();
    assert_eq!((&row.id[..], &row.games[..], &row.limit[..]), ("M1", "10", "1 nodes"));
    assert_eq!([&row.pentanomial[..], &row.elo[..], &row.error[..]], ["0 0 5 0 0", "0.0", ""]);
    assert_eq!((&row.book[..], &row.runner[..]), ("book.epd", "tamarin-train"));
    let games = folder.games();
    assert_eq!(games.len(), 10);
    for (fen, moves) in games {
        let mut position = Position::from_fen(&fen).unwrap();
        assert!(moves.len() > 20, "a game of {} plies", moves.len());
        for text in moves {
            let mv = position.parse_san(&text).unwrap();
            position.make(mv);
        }
        assert!(position.outcome_with_claims().is_some(), "{position}");
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

#[cfg(unix)]
#[test]
fn games_that_the_file_had_before_do_not_count() {
    let folder = Folder::new();
    let pgn = folder.0.join("games.pgn").display().to_string();
    for _ in 0..2 {
        let mut command = folder.by_script("fastchess", WRITE_PAIR, &["--pgn", &pgn]);
        let text = printed(&command.output().unwrap());
        assert!(text.contains("pentanomial  [0 0 1 0 0]"), "{text}");
    }
    let games = fs::read_to_string(folder.0.join("games.pgn")).unwrap();
    assert_eq!(games.matches("[White ").count(), 4);
}

/// The rest of a script that plays on until somebody ends it.
#[cfg(unix)]
const GO_ON: &str = "\necho $$ >\"$PID.new\"\n/bin/mv \"$PID.new\" \"$PID\"\nexec /bin/sleep 3600";

#[cfg(unix)]
#[test]
fn a_signal_ends_another_program_too() {
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::new();
        let (pid, temporary) = (folder.0.join("pid"), folder.0.join("tmp"));
        fs::create_dir(&temporary).unwrap();
        let script = format!("{WRITE_PAIR}{GO_ON}");
        let mut command = folder.by_script("fastchess", &script, &[]);
        command.env("PID", &pid).env("TMPDIR", &temporary);
        let child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        while !pid.exists() {
            assert!(begun.elapsed() < Duration::from_secs(120), "it does not play");
            thread::sleep(Duration::from_millis(10));
        }
        let kill = |arguments: [&str; 2]| Command::new("kill").args(arguments).output().unwrap();
        assert!(kill([signal, &child.id().to_string()]).status.success());
        let text = printed(&child.wait_with_output().unwrap());
        assert!(text.contains("interrupted after 2 of 10 games"), "{text}");
        assert_eq!(folder.row().remarks, "cut short, 10 games were planned");
        let program = fs::read_to_string(&pid).unwrap();
        assert!(!kill(["-0", program.trim()]).status.success(), "fastchess plays on");
        assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
    }
}

#[cfg(unix)]
#[test]
fn a_match_that_is_complete_was_not_cut_short() {
    let folder = Folder::new();
    let pairs = format!("{WRITE_PAIR}\n").repeat(5);
    let mut command = folder.by_script("fastchess", &format!("/bin/kill -INT $PPID\n{pairs}"), &[]);
    let text = printed(&command.output().unwrap());
    assert!(!text.contains("interrupted"), "{text}");
    assert_eq!((&folder.row().games[..], &folder.row().remarks[..]), ("10", ""));
}

/// What fastchess keeps of a match is its own: no file of the user is taken for it.
#[cfg(unix)]
#[test]
fn a_file_beside_the_games_of_another_program_stays() {
    let folder = Folder::new();
    let [pgn, beside] = ["games.pgn", "games.pgn.json"].map(|name| folder.0.join(name));
    fs::write(&beside, "mine").unwrap();
    let pgn = pgn.display().to_string();
    printed(&folder.by_script("fastchess", WRITE_PAIR, &["--pgn", &pgn]).output().unwrap());
    assert_eq!(fs::read_to_string(&beside).unwrap(), "mine");
}

#[cfg(unix)]
#[test]
fn games_of_another_program_are_not_sent_to_a_device() {
    let folder = Folder::new();
    let mut command = folder.by_script("fastchess", "exit 3", &["--pgn", "/dev/null"]);
    let said = refusal(&command.output().unwrap());
    assert!(said.contains("/dev/null: the games of fastchess are read again"), "{said}");
}

/// Openings come from the engine as the command line starts it.
#[cfg(unix)]
#[test]
fn an_engine_with_arguments_makes_the_openings() {
    use std::os::unix::fs::PermissionsExt as _;
    let folder = Folder::new();
    let program = folder.0.join("wrapper");
    let script = format!(
        "#!/bin/sh\n[ \"$1\" = own ] || exit 1\nshift\ncase $1 in\n\
         genfens*) echo 'info string genfens 4k3/8/8/8/8/8/4P3/4K3 w - - 0 1';;\n\
         *) exec {};;\nesac\n",
        engine("legal")
    );
    fs::write(&program, script).unwrap();
    fs::set_permissions(&program, fs::Permissions::from_mode(0o755)).unwrap();
    let wrapper = format!("{} own", program.display());
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamarin-train"));
    command.env(IS_ENGINE, "1").args(["match", "--runner", "own", "--nodes", "1"]);
    command.args(["--new", &wrapper, "--old", &engine("legal"), "--games", "2"]);
    let text = printed(&command.output().unwrap());
    assert!(text.contains("2 games by tamarin-train"), "{text}");
    let said = refusal(&command.arg("--chess960").output().unwrap());
    assert!(said.contains("--chess960 needs --book"), "{said}");
}

#[cfg(unix)]
#[test]
fn another_program_gets_each_opening_once_and_no_game_that_is_over() {
    let folder = Folder::new();
    let (open, mate) = ("4k3/8/8/8/8/8/4P3/4K3 w - - 0 1", "R3k3/8/4K3/8/8/8/8/8 b - - 0 1");
    fs::write(folder.0.join("book.epd"), [open, mate, open].join("\n")).unwrap();
    let given = folder.0.join("given.epd");
    // No other programs are on the path.
    let keep = format!(
        "for word; do case $word in file=*.epd)\nwhile read -r line; do echo \"$line\"; done \
         <\"${{word#file=}}\" >'{}';; esac; done",
        given.display()
    );
    let script = format!("{keep}\n{WRITE_PAIR}");
    printed(&folder.by_script("fastchess", &script, &[]).output().unwrap());
    assert_eq!(fs::read_to_string(given).unwrap(), format!("{open}\n"));
    assert_eq!(folder.row().book, "book.epd");
}

#[cfg(unix)]
#[test]
fn a_row_tells_that_another_program_broke_off() {
    let folder = Folder::new();
    let temporary = folder.0.join("tmp");
    fs::create_dir(&temporary).unwrap();
    let script = format!("{WRITE_PAIR}\nexit 3");
    let mut command = folder.by_script("fastchess", &script, &[]);
    let said = refusal(&command.env("TMPDIR", &temporary).output().unwrap());
    let why = "fastchess ended (exit status: 3), 10 games were planned";
    assert!(said.contains(why), "{said}");
    let row = folder.row();
    assert_eq!((&row.games[..], &row.remarks[..]), ("2", why));
    // Nobody said when it was.
    assert_eq!(row.date, "????-??-??");
    // Without `--pgn` the games were here, and what fastchess keeps beside them.
    assert_eq!(fs::read_dir(&temporary).unwrap().count(), 0);
}

#[cfg(unix)]
#[test]
fn a_program_without_the_test_does_not_play_it() {
    let folder = Folder::new();
    let said = |arguments: &[&str]| {
        refusal(&folder.by_script("cutechess-cli", "exit 1", arguments).output().unwrap())
    };
    let test = ["--sprt", "0 10"];
    let refused = said(&[&test[..], &["--runner", "cutechess"]].concat());
    assert!(refused.contains("cutechess-cli has no test of normalized Elo"), "{refused}");
    // Our own referee has it.
    printed(&folder.by_script("cutechess-cli", "exit 1", &test).output().unwrap());
    assert_eq!(folder.row().runner, "tamarin-train");
    let logistic = said(&[&test[..], &["--model", "logistic"]].concat());
    assert!(logistic.contains("cutechess-cli ended (exit status: 1) without games"), "{logistic}");
    // It would only warn of options that an engine lacks.
    let lacking = said(&["--option", "Contempt=5"]);
    assert!(lacking.contains("new: has no option \"Contempt\""), "{lacking}");
}

#[cfg(unix)]
#[test]
fn games_of_engines_with_one_name_are_told_apart() {
    let folder = Folder::new();
    let names = ["--new-name", "1a2b3c4d", "--old-name", "1a2b3c4d"];
    let text = printed(&folder.by_script("fastchess", WRITE_PAIR, &names).output().unwrap());
    assert!(text.contains("2: 1 won, 0 drawn, 1 lost"), "{text}");
    let row = folder.row();
    assert_eq!([&row.new[..], &row.old[..]], ["1a2b3c4d", "1a2b3c4d"]);
}

#[test]
fn an_error_during_the_match_does_not_lose_its_games() {
    let folder = Folder::new();
    let once = format!("once-{}", folder.0.join("left").display());
    let arguments = ["--nodes", "1", "--games", "10", "--concurrency", "1"];
    let said = refusal(&folder.command("legal", &once, &arguments).output().unwrap());
    assert!(said.contains("ended by itself"), "{said}");
    let row = folder.row();
    assert_eq!(
        [&row.games[..], &row.remarks[..]],
        ["2", "ended by an error, 10 games were planned"]
    );
}

#[test]
fn who_breaks_the_rules_loses() {
    for (behavior, kind) in [("crash", "crash"), ("illegal", "illegal move")] {
        let folder = Folder::new();
        let text = folder.play("legal", behavior, &["--nodes", "1", "--games", "4"]);
        assert!(text.contains("4: 4 won"), "{text}");
        assert!(text.contains(&format!("faults       {behavior}: {kind} x4")), "{text}");
        assert_eq!(folder.row().remarks, format!("{behavior}: {kind} x4"));
        assert_eq!(folder.row().elo, "");
    }
}

/// A clock and a margin of 20 ms together. Of two that overstep them with every answer, the one
/// that moves first loses, however busy the machine is: Black, since the openings are one ply long.
const SHORT: [&str; 6] = ["--tc", "0.01", "--margin", "10", "--games", "2"];

#[test]
fn who_oversteps_the_time_loses() {
    let folder = Folder::new();
    let arguments = [&SHORT[..], &["--patience", "3600"]].concat();
    let text = folder.play("slow", "slow", &arguments);
    assert!(text.contains("2: 1 won, 0 drawn, 1 lost"), "{text}");
    assert!(text.contains("slow: time forfeit x1, slow (old): time forfeit x1"), "{text}");
    folder.white_has_won("time forfeit");
}

#[test]
fn who_falls_silent_loses() {
    let folder = Folder::new();
    let arguments = [&SHORT[..], &["--patience", "0"]].concat();
    let text = folder.play("silent", "silent", &arguments);
    assert!(text.contains("2: 1 won, 0 drawn, 1 lost"), "{text}");
    assert!(text.contains("silent: stall x1, silent (old): stall x1"), "{text}");
    folder.white_has_won("stall");
}

#[test]
fn who_talks_instead_of_moving_loses() {
    let folder = Folder::new();
    let arguments = [&SHORT[..], &["--patience", "0"]].concat();
    let text = folder.play("talkative", "talkative", &arguments);
    assert!(text.contains("talkative: stall x1, talkative (old): stall x1"), "{text}");
    folder.white_has_won("stall");
}

#[test]
fn lines_that_are_not_utf8_do_not_end_a_game() {
    let folder = Folder::new();
    let text = folder.play("latin", "legal", &["--nodes", "1", "--games", "2"]);
    assert!(text.contains("faults       none"), "{text}");
}

/// A clock of a day, which no answer oversteps.
const LONG: [&str; 2] = ["--tc", "86400+1"];

#[test]
fn who_keeps_within_the_time_does_not_lose_by_it() {
    let folder = Folder::new();
    let arguments = [&LONG[..], &["--games", "2", "--patience", "0"]].concat();
    let text = folder.play("legal", "legal", &arguments);
    assert!(text.contains("faults       none"), "{text}");
    assert_eq!(folder.row().limit, "86400+1");
}

#[test]
fn the_opponent_gets_its_move_overhead() {
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
fn an_option_that_an_engine_lacks_is_refused() {
    let cases = [("--option", "legal"), ("--new-option", "legal"), ("--old-option", "stubborn")];
    for (option, culprit) in cases {
        let folder = Folder::new();
        let arguments = ["--nodes", "1", "--games", "2", option, "Contmept=50"];
        let said = refusal(&folder.command("legal", "stubborn", &arguments).output().unwrap());
        assert!(said.contains(&format!("{culprit}: has no option \"Contmept\"")), "{said}");
        for file in ["games.pgn", "matches.csv"] {
            assert!(!folder.0.join(file).exists(), "{file}");
        }
    }
}

#[test]
fn threads_and_chess960_are_refused_if_an_engine_lacks_the_option() {
    let cases = [(&["--threads", "2"][..], "Threads"), (&["--chess960"][..], "UCI_Chess960")];
    for (arguments, option) in cases {
        let folder = Folder::new();
        let said = folder.refusal(&[&["--nodes", "1", "--games", "2"][..], arguments].concat());
        assert!(said.contains(&format!("legal: has no option {option:?}")), "{said}");
        assert!(!folder.0.join("games.pgn").exists() && !folder.0.join("matches.csv").exists());
    }
}

#[test]
fn a_value_that_an_engine_rejects_is_refused() {
    let cases = [
        ("legal", "Hash=many", "legal: option Hash: \"many\" is not a whole number"),
        ("stubborn", "hash=0", "stubborn: rejects an option: Hash unchanged"),
    ];
    for (new, option, why) in cases {
        let folder = Folder::new();
        let arguments = ["--nodes", "1", "--games", "2", "--new-option", option];
        let said = refusal(&folder.command(new, "legal", &arguments).output().unwrap());
        assert!(said.contains(why), "{said}");
        assert!(!folder.0.join("games.pgn").exists() && !folder.0.join("matches.csv").exists());
    }
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
fn games_that_would_repeat_others_are_not_played() {
    let folder = Folder::new();
    let text = folder.play("legal", "legal", &["--nodes", "1", "--games", "400"]);
    assert!(text.starts_with("10 games are played instead of 400, two for each opening"), "{text}");
    assert_eq!(folder.row().games, "10");
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

#[test]
fn levels_in_the_wrong_order_are_refused() {
    let levels = ["levels", "--from", "5", "--to", "3", "--book", "/nowhere.epd"];
    let output = support::command(&[&levels]).output().unwrap();
    let said = refusal(&output);
    assert!(said.contains("--from 5 is above --to 3; nothing was played"), "{said}");
    assert!(output.stdout.is_empty());
}

#[test]
fn levels_do_not_repeat_their_games() {
    let folder = Folder::new();
    let path = |name: &str| folder.0.join(name).display().to_string();
    fs::write(path("one.epd"), opening("e4")).unwrap();
    let levels = |from: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamarin-train"));
        command.args(["levels", "--from", from, "--to", from, "--games", "4", "--nodes", "1"]);
        command.args(["--book", &path("one.epd"), "--ledger", &path("matches.csv")]);
        command.output().unwrap()
    };
    for from in ["2", "1"] {
        printed(&levels(from));
    }
    let rows = ledger::read(&folder.0.join("matches.csv")).unwrap();
    // The beginner's moves differ.
    assert_eq!([&rows[0].games[..], &rows[1].games[..]], ["2", "4"]);
    fs::write(path("matches.csv"), "id,date\nM1\n").unwrap();
    let output = levels("2");
    assert!(refusal(&output).contains("the list of matches") && output.stdout.is_empty());
}

#[test]
fn results_that_cannot_be_kept_are_refused_before_the_games() {
    let folder = Folder::new();
    let path = |name: &str| folder.0.join(name).display().to_string();
    let book = fs::read(path("book.epd")).unwrap();
    let mut count = 0;
    let mut refused = |option: &str, file: &str, why: &str| {
        let mut command = Command::new(env!("CARGO_BIN_EXE_tamarin-train"));
        command.args(["match", "--new", "x", "--old", "y", "--runner", "own", "--book"]);
        command.arg(path("book.epd")).args([option, &path(file)]);
        let other = if option == "--pgn" { "--ledger" } else { "--pgn" };
        let said = refusal(&command.args([other, &path("other")]).output().unwrap());
        assert!(said.contains(&path(file)) && said.contains(why), "{said}");
        count += 1;
    };
    for option in ["--pgn", "--ledger"] {
        refused(option, "book.epd", "it is the same file as");
        refused(option, "other", "it is the same file as");
        refused(option, "no/folder", "");
    }
    fs::write(path("rows.csv"), "id,date\nM1\n").unwrap();
    refused("--ledger", "rows.csv", "");
    assert_eq!(count, 7);
    assert_eq!(fs::read(path("book.epd")).unwrap(), book);
    assert!(!folder.0.join("other").exists());
}

#[test]
fn a_decided_test_ends_the_match() {
    let folder = Folder::new();
    let arguments = [&LONG[..], &["--games", "4000", "--sprt", "0 200"]].concat();
    let text = folder.play("legal", "illegal", &arguments);
    assert!(text.contains("H1 accepted"), "{text}");
    let row = folder.row();
    let games: u32 = row.games.parse().unwrap();
    assert!(games < 200, "{games} games");
    assert_eq!(row.sprt, "0 200");
    assert!(row.llr.parse::<f64>().unwrap() >= 2.94, "{}", row.llr);
}

#[test]
fn a_test_is_recorded_with_its_model() {
    let folder = Folder::new();
    let test = ["--nodes", "1", "--games", "2", "--sprt", "0 300"];
    folder.play("legal", "legal", &[&test[..], &["--model", "logistic"]].concat());
    assert_eq!(folder.row().sprt, "0 300 logistic");
    assert!(folder.refusal(&test).contains("the hypotheses 0 300 are too far from an even match"));
}

#[test]
fn a_test_says_how_it_stands_before_it_is_decided() {
    let folder = Folder::new();
    let text = folder.play("legal", "illegal", &[&LONG[..], &["--sprt", "0 20"]].concat());
    let stands = |line: &str| line.starts_with("50 games: +50 ") && line.contains(", LLR +");
    assert!(text.lines().any(stands), "{text}");
}

#[test]
fn an_engine_that_does_not_start_is_named() {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tamarin-train"));
    command.args(["match", "--new", "/nowhere/engine", "--old", "/nowhere/engine"]);
    command.args(["--new-name", "gone", "--runner", "own", "--book"]);
    let folder = Folder::new();
    let output = command.arg(folder.0.join("book.epd")).output().unwrap();
    assert!(!output.status.success());
    let text = String::from_utf8(output.stderr).unwrap();
    assert!(text.contains("gone: cannot start /nowhere/engine"), "{text}");
}

#[test]
#[cfg(unix)]
fn an_interrupted_match_prints_how_it_stands() {
    for signal in ["-INT", "-TERM"] {
        let folder = Folder::new();
        let arguments = [&LONG[..], &["--games", "40000", "--concurrency", "1"]].concat();
        let mut command = folder.command("legal", "legal", &arguments);
        let child = command.stdout(std::process::Stdio::piped()).spawn().unwrap();
        let begun = Instant::now();
        while !folder.0.join("games.pgn").exists() {
            assert!(begun.elapsed() < Duration::from_secs(120), "no game within two minutes");
            thread::sleep(Duration::from_millis(10));
        }
        let id = child.id().to_string();
        assert!(Command::new("kill").args([signal, &id]).status().unwrap().success());
        let text = printed(&child.wait_with_output().unwrap());
        assert!(text.contains("interrupted after"), "{text}");
        let row = folder.row();
        assert!(row.remarks.contains("cut short, 40000 games were planned"), "{}", row.remarks);
        assert_eq!(row.games.parse::<usize>().unwrap(), folder.games().len());
    }
}
