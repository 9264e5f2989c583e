//! Playing games with the program: what is repeated, continued and refused.

use crate::support;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use tamarin_eval::network::Network;
use tamarin_train::data::{Game, GameReader, Problem};

use crate::support::{kill, text, wait_for};

/// A file name of a test's own, with nothing there yet.
fn fresh(name: &str) -> PathBuf {
    let path = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join(format!("datagen-{name}.viri"));
    for old in [path.clone(), journal(&path)] {
        let _ = fs::remove_file(old);
    }
    path
}

fn journal(path: &Path) -> PathBuf {
    PathBuf::from(format!("{}.json", path.display()))
}

fn command(path: &Path, more: &[&str]) -> Command {
    let datagen = ["datagen", "--nodes", "100", "--hash", "1", "--out", text(path)];
    support::command(&[&datagen, more])
}

fn datagen(path: &Path, more: &[&str]) -> Output {
    command(path, more).output().expect("the program starts")
}

/// A game as something to compare and sort.
type Line = (String, Vec<String>, usize);

fn line(game: &Game) -> Line {
    let plies = game.plies.iter().map(|ply| format!("{:?} {}", ply.mv, ply.score)).collect();
    (game.start.to_string(), plies, game.outcome.index())
}

fn games(path: &Path) -> Vec<Line> {
    let reader = GameReader::open(path).expect("the file is there");
    let mut games: Vec<_> = reader.map(|game| line(&game.expect("games are whole"))).collect();
    games.sort();
    games
}

/// The games that a killed process has finished: the one that it was writing may be cut.
fn finished_games(path: &Path) -> Vec<Line> {
    let mut games = Vec::new();
    for game in GameReader::open(path).expect("the file is there") {
        match game {
            Ok(game) => games.push(line(&game)),
            Err(error) => {
                assert!(matches!(error.problem, Problem::Truncated), "{error}");
                break;
            }
        }
    }
    games.sort();
    games
}

#[test]
fn the_seed_alone_decides_the_games() {
    let [one, three, other] = ["one", "three", "other"].map(fresh);
    assert!(datagen(&one, &["--games", "12", "--threads", "1"]).status.success());
    assert!(datagen(&three, &["--games", "12", "--threads", "3"]).status.success());
    assert!(datagen(&other, &["--games", "12", "--seed", "2"]).status.success());
    assert_eq!(games(&one).len(), 12);
    assert_eq!(games(&one), games(&three));
    assert_ne!(games(&one), games(&other));
}

#[test]
fn a_network_plays_other_games_and_is_kept_in_the_recipe() {
    let [terms, network, of_file] = ["terms", "network", "of-file"].map(fresh);
    let file = fresh("tamarin.net");
    fs::write(&file, Network::embedded().to_bytes()).unwrap();
    let eval_file = ["--games", "4", "--eval-file", file.to_str().unwrap()];
    let hand_crafted = ["--games", "4", "--evaluator", "hand-crafted"];
    assert!(datagen(&terms, &hand_crafted).status.success());
    assert!(datagen(&network, &["--games", "4"]).status.success());
    assert!(datagen(&of_file, &eval_file).status.success());
    assert_ne!(games(&network), games(&terms));
    assert_eq!(games(&network), games(&of_file));
    // The network counts, not the path of its file.
    assert!(datagen(&of_file, &["--games", "4"]).status.success());
    // Another network in the same file would go on with other games.
    let mut parameters = Network::embedded().parameters();
    parameters.output_biases[0] += 1;
    let other = Network::from_parameters(parameters).unwrap();
    fs::write(&file, other.to_bytes()).unwrap();
    for refused in [eval_file, hand_crafted] {
        let output = datagen(&network, &refused);
        assert!(!output.status.success());
        assert!(String::from_utf8_lossy(&output.stderr).contains("its recipe is"), "{output:?}");
    }
    let output = datagen(&network, &[&eval_file[..], &hand_crafted[2..]].concat());
    assert!(String::from_utf8_lossy(&output.stderr).contains("to be hand-crafted"), "{output:?}");
    fs::write(&file, "no network").unwrap();
    let output = datagen(&fresh("none"), &eval_file);
    assert!(String::from_utf8_lossy(&output.stderr).contains("not a network"), "{output:?}");
}

#[test]
fn an_engine_of_other_sources_does_not_continue_a_file() {
    let path = fresh("fingerprint");
    assert!(datagen(&path, &["--games", "1"]).status.success());
    let kept = fs::read_to_string(journal(&path)).unwrap();
    let other = kept.replacen("\"fingerprint\": ", "\"fingerprint\": 1", 1);
    assert_ne!(kept, other);
    fs::write(journal(&path), other).unwrap();
    let output = datagen(&path, &["--games", "2"]);
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("node count at depth 9 is 1"), "{said}");
    assert_eq!(games(&path).len(), 1);
}

#[test]
fn the_positions_of_a_book_are_kept_in_the_recipe() {
    let [path, book, copy] = ["of-book", "book.epd", "copy.epd"].map(fresh);
    let play = |book: &Path, count: &str| datagen(&path, &["--book", text(book), "--games", count]);
    fs::write(&book, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n").unwrap();
    assert!(play(&book, "2").status.success());
    fs::copy(&book, &copy).unwrap();
    fs::write(&book, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n").unwrap();
    let output = play(&book, "4");
    assert!(!output.status.success());
    assert!(String::from_utf8_lossy(&output.stderr).contains("its recipe is"), "{output:?}");
    // The positions count, not the path of their file.
    assert!(play(&copy, "4").status.success());
    assert_eq!(games(&path).len(), 4);
}

#[test]
fn a_file_is_continued_with_other_games() {
    let path = fresh("continued");
    assert!(datagen(&path, &["--games", "5"]).status.success());
    let before = games(&path);
    let output = datagen(&path, &["--games", "9"]);
    assert!(String::from_utf8_lossy(&output.stdout).contains(": 5 games, "));
    let mut after = games(&path);
    assert_eq!(after.len(), 9);
    assert!(before.iter().all(|game| after.contains(game)));
    after.dedup();
    assert_eq!(after.len(), 9, "a game was played twice");
    // Nothing more to do.
    assert!(datagen(&path, &["--games", "9"]).status.success());
    assert_eq!(games(&path).len(), 9);
}

#[test]
fn games_that_were_removed_are_played_again() {
    let path = fresh("removed");
    assert!(datagen(&path, &["--games", "3"]).status.success());
    let before = games(&path);
    fs::remove_file(&path).unwrap();
    assert!(datagen(&path, &["--games", "3"]).status.success());
    assert_eq!(games(&path), before);
}

#[cfg(unix)]
#[test]
fn the_recipe_is_where_a_link_leads() {
    let [path, link] = ["there", "link"].map(fresh);
    std::os::unix::fs::symlink(&path, &link).unwrap();
    assert!(datagen(&link, &["--games", "1"]).status.success());
    assert!(journal(&path).exists() && !journal(&link).exists());
    assert_eq!(games(&path).len(), 1);
}

#[test]
fn a_cut_game_is_cut_off() {
    let path = fresh("cut");
    assert!(datagen(&path, &["--games", "4", "--threads", "1"]).status.success());
    let whole = fs::read(&path).unwrap();
    fs::write(&path, &whole[..whole.len() - 7]).unwrap();
    let output = datagen(&path, &["--games", "4", "--threads", "1"]);
    assert!(output.status.success());
    assert!(String::from_utf8_lossy(&output.stdout).contains("cut off a last game"));
    assert_eq!(games(&path).len(), 4);
    assert!(fs::read(&path).unwrap().starts_with(&whole[..games_end(&whole, 3)]));
}

/// Where the first games of a file end.
fn games_end(bytes: &[u8], count: usize) -> usize {
    let mut reader = GameReader::new(bytes, Path::new("bytes"));
    for _ in 0..count {
        reader.next_game().unwrap();
    }
    reader.offset() as usize
}

#[test]
fn a_killed_process_loses_no_finished_game() {
    let path = fresh("killed");
    let mut known: Vec<Line> = Vec::new();
    for _ in 0..3 {
        let child = command(&path, &["--threads", "2"]).spawn().unwrap();
        let size = || fs::metadata(&path).map_or(0, |data| data.len());
        let enough = size() + 4_000;
        wait_for("no games are written", || size() >= enough);
        kill(child);
        let now = finished_games(&path);
        assert!(now.len() > known.len());
        assert!(known.iter().all(|game| now.contains(game)));
        known = now;
    }
    let all = known.len();
    known.dedup();
    assert_eq!(known.len(), all, "a game was played twice");
}

#[test]
fn what_does_not_fit_is_refused() {
    let path = fresh("refused");
    assert!(datagen(&path, &["--games", "2"]).status.success());
    let refusal = |more: &[&str]| {
        let output = datagen(&path, more);
        assert!(!output.status.success());
        String::from_utf8_lossy(&output.stderr).into_owned()
    };
    assert!(refusal(&["--games", "9", "--seed", "5"]).contains("recipe is"));
    // Damage in the middle is nothing to repair.
    let whole = fs::read(&path).unwrap();
    let mut spoiled = whole.clone();
    spoiled[32] ^= 0xFF;
    fs::write(&path, &spoiled).unwrap();
    assert!(refusal(&["--games", "9"]).contains("byte 32: ply 1 is no legal move"));
    assert_eq!(fs::read(&path).unwrap(), spoiled);
    fs::write(&path, &whole).unwrap();
    fs::write(journal(&path), "{").unwrap();
    assert!(refusal(&["--games", "9"]).contains("is no recipe"));
    fs::remove_file(journal(&path)).unwrap();
    assert!(refusal(&["--games", "9"]).contains("is there without"));
    assert_eq!(fs::read(&path).unwrap(), whole);
}

#[test]
fn two_processes_do_not_write_the_same_file() {
    let path = fresh("locked");
    let child = command(&path, &[]).spawn().unwrap();
    wait_for("no games are written", || fs::metadata(&path).is_ok_and(|data| data.len() > 0));
    let output = datagen(&path, &[]);
    kill(child);
    assert!(String::from_utf8_lossy(&output.stderr).contains("in use by another process"));
}

/// A disk that is full after 8 KiB.
#[cfg(unix)]
#[test]
fn a_failed_write_leaves_whole_games() {
    let path = fresh("full");
    let limited = "ulimit -f 16; exec \"$0\" \"$@\"";
    let output = Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_tamarin-train")])
        .args(command(&path, &["--threads", "2"]).get_args())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(!output.status.success() && said.contains("File too large"), "{said}");
    let written = games(&path).len();
    assert!(written > 5, "{written} games");
    let output = datagen(&path, &["--games", &(written + 1).to_string()]);
    assert!(!String::from_utf8_lossy(&output.stdout).contains("cut off"), "{output:?}");
    assert_eq!(games(&path).len(), written + 1);
}

#[test]
fn a_book_without_a_game_to_play_is_refused() {
    let [path, book] = ["no-opening", "mated.epd"].map(fresh);
    fs::write(&book, "R3k3/8/4K3/8/8/8/8/8 b - -\n").unwrap();
    let output = datagen(&path, &["--book", book.to_str().unwrap(), "--games", "1"]);
    assert!(!output.status.success());
    let said = String::from_utf8_lossy(&output.stderr);
    assert!(said.contains("no opening of 10000 drawn is level and still to be played"), "{said}");
}

#[test]
fn a_book_that_is_not_used_is_refused() {
    let [path, book] = ["unused", "unused.epd"].map(fresh);
    fs::write(&book, "4k3/8/8/8/8/8/4P3/4K3 w - -\n").unwrap();
    for openings in ["standard", "chess960", "endgame"] {
        let said =
            support::refusal(command(&path, &["--book", text(&book), "--openings", openings]));
        assert!(said.contains("unused.epd.viri is used with --openings book only"), "{said}");
        assert!(!path.exists(), "{openings}");
    }
    assert!(datagen(&path, &["--games", "1"]).status.success());
    // As earlier versions kept such a recipe: its games are those without the book.
    let kept = fs::read_to_string(journal(&path)).unwrap();
    let with_book = kept.replace("\"random_plies\"", "\"book\": \"0123\", \"random_plies\"");
    assert_ne!(with_book, kept);
    fs::write(journal(&path), with_book).unwrap();
    assert!(datagen(&path, &["--games", "2"]).status.success());
    assert_eq!(games(&path).len(), 2);
}

#[test]
fn the_usual_random_plies_may_be_given_or_left_out() {
    let path = fresh("random-plies");
    assert!(datagen(&path, &["--games", "1"]).status.success());
    let kept = fs::read_to_string(journal(&path)).unwrap();
    // As earlier versions kept the recipe.
    let earlier = kept.replace("\"random_plies\": 8", "\"random_plies\": null");
    assert_ne!(earlier, kept);
    for recipe in [kept, earlier] {
        fs::write(journal(&path), &recipe).unwrap();
        for given in [&["--games", "1"][..], &["--games", "1", "--random-plies", "8"]] {
            let output = datagen(&path, given);
            assert!(output.status.success(), "{given:?} with {recipe}: {output:?}");
        }
        let other = support::refusal(command(&path, &["--games", "1", "--random-plies", "9"]));
        assert!(other.contains("its recipe is"), "{other}");
    }
}

#[test]
fn the_usual_recipe_is_that_of_the_documentation() {
    let path = fresh("usual");
    let arguments = ["datagen", "--games", "1", "--nodes", "100", "--out", text(&path)];
    assert!(support::command(&[&arguments]).status().unwrap().success());
    let journal = fs::read_to_string(journal(&path)).unwrap();
    for entry in
        ["\"hash\": 1,", "\"opening_score\": 220,", "\"endgames\": 10,", "\"win_score\": 1000,"]
    {
        assert!(journal.contains(entry), "{entry} is not in {journal}");
    }
}

#[test]
fn games_follow_the_recipe() {
    let path = fresh("recipe");
    let rules = ["--games", "10", "--max-plies", "30", "--opening-score", "60"];
    assert!(datagen(&path, &rules).status.success());
    for game in GameReader::open(&path).unwrap() {
        let game = game.unwrap();
        assert!(game.plies.len() <= 30);
        assert!(game.plies[0].score.abs() <= 60);
        let random =
            2 * (game.start.fullmove_number() - 1) as usize + game.start.side_to_move().index();
        assert!(random == 8 || random == 9);
    }
    // Of the pairs, every second one; the openings level as all others are.
    let path = fresh("endgames");
    assert!(datagen(&path, &["--games", "24", "--endgames", "50"]).status.success());
    let played: Vec<_> = GameReader::open(&path).unwrap().map(Result::unwrap).collect();
    let pieces = |game: &Game| game.start.occupied().len();
    assert_eq!(played.iter().filter(|game| pieces(game) <= 14).count(), 12);
    assert!(played.iter().filter(|game| pieces(game) > 14).all(|game| pieces(game) > 20));
    assert!(played.iter().all(|game| game.plies[0].score.abs() <= 220));
    let path = fresh("chess960");
    assert!(datagen(&path, &["--games", "6", "--openings", "chess960"]).status.success());
    assert_eq!(games(&path).len(), 6);
    let path = fresh("endgame");
    assert!(datagen(&path, &["--games", "6", "--openings", "endgame"]).status.success());
    assert!(
        GameReader::open(&path).unwrap().all(|game| game.unwrap().start.occupied().len() <= 14)
    );
}
