//! Playing games with the program: what is repeated, continued and rejected; the recipe.

use std::collections::HashSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use clap::Parser;
use rand::SeedableRng;
use rand_xoshiro::Xoshiro256PlusPlus;
use tamarin_eval::network::Network;
use tamarin_movegen::Position;
use tamarin_train::data::{Game, GameReader, GameResult, Problem};
use tamarin_train::datagen::Recipe;
use tamarin_train::openings::{OpeningChoice, Openings};
use tamarin_train::play::{Adjudication, Streaks};

use crate::support::{self, kill, text, wait_for};

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

/// Plays games; returns what was printed.
fn datagen(path: &Path, more: &[&str]) -> String {
    support::printed(command(path, more))
}

#[track_caller]
fn rejected(path: &Path, more: &[&str], why: &str) {
    support::rejected(command(path, more), why);
}

/// A game as something to compare and sort.
type Line = (String, Vec<String>, usize);

fn line(game: &Game) -> Line {
    let plies = game.plies.iter().map(|ply| format!("{:?} {}", ply.mv, ply.score)).collect();
    (game.start.to_string(), plies, game.outcome.index())
}

/// The whole games of a file; the last one may be cut.
fn games(path: &Path) -> Vec<Line> {
    let mut games = Vec::new();
    for game in GameReader::open(path).expect("the file is there") {
        match game {
            Ok(game) => games.push(line(&game)),
            Err(error) => assert!(matches!(error.problem, Problem::Truncated), "{error}"),
        }
    }
    games.sort();
    games
}

/// Every game of the first list is in the second one, and none is there twice.
fn are_kept(before: &[Line], after: &[Line]) {
    assert!(before.iter().all(|game| after.contains(game)));
    let mut different = after.to_vec();
    different.dedup();
    assert_eq!(different.len(), after.len(), "a game was played twice");
}

#[test]
fn seed_decides_the_games_whatever_the_threads() {
    let [one, three, other] = ["one", "three", "other"].map(fresh);
    datagen(&one, &["--games", "12", "--threads", "1"]);
    datagen(&three, &["--games", "12", "--threads", "3"]);
    datagen(&other, &["--games", "12", "--seed", "2"]);
    assert_eq!(games(&one).len(), 12);
    assert_eq!(games(&one), games(&three));
    assert_ne!(games(&one), games(&other));
}

#[test]
fn recipe_keeps_the_network_not_its_path() {
    let [terms, network, of_file] = ["terms", "network", "of-file"].map(fresh);
    let file = fresh("tamarin.net");
    fs::write(&file, Network::embedded().to_bytes()).unwrap();
    let eval_file = ["--games", "4", "--eval-file", text(&file)];
    let hand_crafted = ["--games", "4", "--evaluator", "hand-crafted"];
    datagen(&terms, &hand_crafted);
    datagen(&network, &["--games", "4"]);
    datagen(&of_file, &eval_file);
    assert_ne!(games(&network), games(&terms));
    assert_eq!(games(&network), games(&of_file));
    datagen(&of_file, &["--games", "4"]);
    // Another network in the same file would go on with other games.
    let mut parameters = Network::embedded().parameters();
    parameters.output_biases[0] += 1;
    fs::write(&file, Network::from_parameters(parameters).unwrap().to_bytes()).unwrap();
    rejected(&network, &eval_file, "its recipe is");
    rejected(&network, &hand_crafted, "its recipe is");
    let both = [&eval_file[..], &hand_crafted[2..]].concat();
    rejected(&network, &both, "to be hand-crafted");
    fs::write(&file, "no network").unwrap();
    rejected(&fresh("none"), &eval_file, "not a network");
}

#[test]
fn recipe_keeps_the_positions_of_a_book_not_its_path() {
    let [path, book, copy] = ["of-book", "book.epd", "copy.epd"].map(fresh);
    fs::write(&book, "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq -\n").unwrap();
    datagen(&path, &["--book", text(&book), "--games", "2"]);
    fs::copy(&book, &copy).unwrap();
    fs::write(&book, "rnbqkbnr/pppppppp/8/8/4P3/8/PPPP1PPP/RNBQKBNR b KQkq -\n").unwrap();
    rejected(&path, &["--book", text(&book), "--games", "4"], "its recipe is");
    datagen(&path, &["--book", text(&copy), "--games", "4"]);
    assert_eq!(games(&path).len(), 4);
}

#[test]
fn engine_of_other_sources_does_not_continue_a_file() {
    let path = fresh("fingerprint");
    datagen(&path, &["--games", "1"]);
    let kept = fs::read_to_string(journal(&path)).unwrap();
    fs::write(journal(&path), kept.replacen("\"fingerprint\": ", "\"fingerprint\": 1", 1)).unwrap();
    rejected(&path, &["--games", "2"], "node count at depth 9 is 1");
    fs::write(journal(&path), kept.replacen(tamarin_train::ENGINE, "0.0", 1)).unwrap();
    rejected(&path, &["--games", "2"], "its engine is \"0.0\", not ");
}

#[test]
fn file_is_continued_with_other_games() {
    let path = fresh("continued");
    datagen(&path, &["--games", "5"]);
    let before = games(&path);
    assert!(datagen(&path, &["--games", "9"]).contains(": 5 games, "));
    assert_eq!(games(&path).len(), 9);
    are_kept(&before, &games(&path));
    // Of removed games nothing is left that would have to be continued.
    fs::remove_file(&path).unwrap();
    datagen(&path, &["--games", "5"]);
    assert_eq!(games(&path), before);
}

#[cfg(unix)]
#[test]
fn recipe_lies_where_a_link_leads() {
    let [path, link] = ["there", "link"].map(fresh);
    std::os::unix::fs::symlink(&path, &link).unwrap();
    datagen(&link, &["--games", "1"]);
    assert!(journal(&path).exists() && !journal(&link).exists());
    assert_eq!(games(&path).len(), 1);
}

#[test]
fn cut_game_is_cut_off() {
    let path = fresh("cut");
    datagen(&path, &["--games", "4", "--threads", "1"]);
    let whole = fs::read(&path).unwrap();
    let mut reader = GameReader::new(&*whole, Path::new("bytes"));
    reader.by_ref().take(3).for_each(|game| drop(game.unwrap()));
    fs::write(&path, &whole[..whole.len() - 7]).unwrap();
    assert!(datagen(&path, &["--games", "4", "--threads", "1"]).contains("cut off a last game"));
    assert_eq!(games(&path).len(), 4);
    assert!(fs::read(&path).unwrap().starts_with(&whole[..reader.offset() as usize]));
}

#[test]
fn packed_file_has_the_same_games_and_is_not_continued() {
    let [plain, path] = ["plain", "packed"].map(fresh);
    datagen(&plain, &["--games", "4"]);
    assert!(datagen(&path, &["--games", "4", "--packed"]).contains("4 games, "));
    assert!(fs::metadata(&path).unwrap().len() < fs::metadata(&plain).unwrap().len() / 2);
    let moves = |path: &Path| {
        let mut games: Vec<_> = GameReader::open(path).unwrap().map(Result::unwrap).collect();
        games.sort_by_key(|game| game.start.to_string());
        let moves = |game: &Game| game.plies.iter().map(|ply| ply.mv).collect::<Vec<_>>();
        games.iter().map(moves).collect::<Vec<_>>()
    };
    assert_eq!(moves(&plain), moves(&path));
    rejected(&path, &["--games", "9"], "packed games are not continued");
}

#[test]
fn killed_process_keeps_its_finished_games_and_its_file() {
    let path = fresh("killed");
    let mut known: Vec<Line> = Vec::new();
    for _ in 0..2 {
        let child = command(&path, &["--threads", "2"]).spawn().unwrap();
        let size = || fs::metadata(&path).map_or(0, |data| data.len());
        let enough = size() + 4_000;
        wait_for("no games are written", || size() >= enough);
        rejected(&path, &[], "in use by another process");
        kill(child);
        let now = games(&path);
        assert!(now.len() > known.len());
        are_kept(&known, &now);
        known = now;
    }
}

#[test]
fn rejects_damage_and_a_missing_or_other_recipe() {
    let path = fresh("refused");
    datagen(&path, &["--games", "2"]);
    rejected(&path, &["--games", "9", "--seed", "5"], "recipe is");
    // Damage in the middle is nothing to repair.
    let whole = fs::read(&path).unwrap();
    let mut spoiled = whole.clone();
    spoiled[32] ^= 0xFF;
    fs::write(&path, &spoiled).unwrap();
    rejected(&path, &["--games", "9"], "byte 32: ply 1 is no legal move");
    assert_eq!(fs::read(&path).unwrap(), spoiled);
    fs::write(&path, &whole).unwrap();
    fs::write(journal(&path), "{").unwrap();
    rejected(&path, &["--games", "9"], "is no recipe");
    fs::remove_file(journal(&path)).unwrap();
    rejected(&path, &["--games", "9"], "is there without");
    assert_eq!(fs::read(&path).unwrap(), whole);
}

/// A disk that is full after 8 KiB.
#[cfg(unix)]
#[test]
fn failed_write_leaves_whole_games() {
    let path = fresh("full");
    let limited = "ulimit -f 16; exec \"$0\" \"$@\"";
    let Output { status, stderr, .. } = Command::new("sh")
        .args(["-c", limited, env!("CARGO_BIN_EXE_tamarin-train")])
        .args(command(&path, &["--threads", "2"]).get_args())
        .output()
        .unwrap();
    let said = String::from_utf8_lossy(&stderr);
    assert!(!status.success() && said.contains("File too large"), "{said}");
    let written = games(&path).len();
    assert!(written > 5, "{written} games");
    let said = datagen(&path, &["--games", &(written + 1).to_string()]);
    assert!(!said.contains("cut off"), "{said}");
    assert_eq!(games(&path).len(), written + 1);
}

#[test]
fn rejects_books_of_no_use() {
    let [path, book] = ["no-opening", "mated.epd"].map(fresh);
    fs::write(&book, "R3k3/8/4K3/8/8/8/8/8 b - -\n").unwrap();
    let with_book = ["--book", text(&book), "--games", "1"];
    rejected(&path, &with_book, "no opening of 10000 drawn is level and still to be played");
    let path = fresh("unused");
    for openings in ["standard", "chess960", "endgame"] {
        let unused = [&with_book[..], &["--openings", openings]].concat();
        rejected(&path, &unused, "mated.epd.viri is used with --openings book only");
        assert!(!path.exists(), "{openings}");
    }
}

#[test]
fn recipes_of_earlier_versions_are_continued() {
    let path = fresh("earlier");
    datagen(&path, &["--games", "1"]);
    let kept = fs::read_to_string(journal(&path)).unwrap();
    let without_plies = kept.replace("\"random_plies\": 8", "\"random_plies\": null");
    let with_book = kept.replace("\"random_plies\"", "\"book\": \"0123\", \"random_plies\"");
    for (earlier, count) in [(without_plies, "2"), (with_book, "3")] {
        assert_ne!(earlier, kept);
        fs::write(journal(&path), earlier).unwrap();
        rejected(&path, &["--games", count, "--random-plies", "9"], "its recipe is");
        datagen(&path, &["--games", count, "--random-plies", "8"]);
    }
    assert_eq!(games(&path).len(), 3);
}

#[test]
fn games_follow_the_recipe() {
    let path = fresh("recipe");
    datagen(&path, &["--games", "10", "--max-plies", "30", "--opening-score", "60"]);
    for game in GameReader::open(&path).unwrap().map(Result::unwrap) {
        assert!(game.plies.len() <= 30 && game.plies[0].score.abs() <= 60);
    }
    // Of the pairs, every second one; the openings level as all others are.
    let path = fresh("endgames");
    datagen(&path, &["--games", "24", "--endgames", "50"]);
    let played: Vec<_> = GameReader::open(&path).unwrap().map(Result::unwrap).collect();
    let pieces = |game: &Game| game.start.occupied().len();
    assert_eq!(played.iter().filter(|game| pieces(game) <= 14).count(), 12);
    assert!(played.iter().filter(|game| pieces(game) > 14).all(|game| pieces(game) > 20));
    assert!(played.iter().all(|game| game.plies[0].score.abs() <= 220));
}

#[derive(Parser)]
struct RecipeLine {
    #[command(flatten)]
    recipe: Recipe,
}

fn recipe(arguments: &[&str]) -> Recipe {
    RecipeLine::try_parse_from([&["test"], arguments].concat()).unwrap().recipe
}

#[test]
fn share_of_endgames_comes_in_pairs() {
    for percent in [0, 1, 10, 33, 100] {
        let recipe = recipe(&["--endgames", &percent.to_string()]);
        let begins = |number| recipe.begins_with_endgame(number);
        assert_eq!((0..200).filter(|&number| begins(number)).count(), 2 * percent);
        assert_eq!((7_000..7_200).filter(|&number| begins(number)).count(), 2 * percent);
        assert!((0..200).step_by(2).all(|number| begins(number) == begins(number + 1)));
    }
}

#[test]
fn searches_in_check_have_a_quarter_of_the_nodes() {
    for (nodes, in_check) in [(1, 1), (500, 125), (5_000, 1_250)] {
        let recipe = recipe(&["--nodes", &nodes.to_string(), "--hard-factor", "3"]);
        for (soft, limits) in [(in_check, recipe.limits(true)), (nodes, recipe.limits(false))] {
            assert_eq!((limits.soft_nodes, limits.nodes), (Some(soft), Some(3 * soft)));
        }
    }
}

#[derive(Parser)]
struct OpeningLine {
    #[command(flatten)]
    choice: OpeningChoice,
}

fn openings(arguments: &[&str]) -> Openings {
    let line = OpeningLine::try_parse_from([&["test"], arguments].concat());
    line.unwrap().choice.load().unwrap()
}

fn draw(openings: &Openings, count: u64) -> Vec<Position> {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(7);
    (0..count).map(|number| openings.draws(number, &mut random).next().unwrap()).collect()
}

#[test]
fn openings_are_of_their_kind_and_let_both_sides_begin() {
    let plies = draw(&openings(&[]), 200).into_iter().map(|position| position.plies());
    assert!(plies.enumerate().all(|(number, plies)| plies == 8 + number % 2));
    for position in draw(&openings(&["--openings", "endgame"]), 500) {
        assert!(position.occupied().len() <= 14 && position.has_legal_move(), "{position}");
        assert_eq!(position.fullmove_number(), 9);
    }
    let chess960 = openings(&["--openings", "chess960", "--random-plies", "0"]);
    let drawn: HashSet<_> = draw(&chess960, 20_000).iter().map(ToString::to_string).collect();
    assert_eq!(drawn.len(), 960);
}

/// The ply at which a game with these scores ends, and how.
fn end(rules: &Adjudication, scores: &[i32]) -> Option<(usize, GameResult)> {
    let mut streaks = Streaks::default();
    let mut scores = scores.iter().enumerate();
    scores.find_map(|(ply, &score)| Some((ply, streaks.next(rules, score, ply)?)))
}

#[test]
fn clear_games_are_adjudicated() {
    const RULES: Adjudication = Adjudication {
        win_score: 1_500,
        win_plies: 4,
        draw_score: 8,
        draw_plies: 12,
        draw_from: 80,
        max_plies: 400,
    };
    assert_eq!(end(&RULES, &[1_500; 10]), Some((3, GameResult::WhiteWin)));
    assert_eq!(end(&RULES, &[-1_500; 10]), Some((3, GameResult::BlackWin)));
    assert_eq!(end(&RULES, &[1_600, 1_600, 1_600, 1_499, 1_600, 1_600, 1_600]), None);
    assert_eq!(end(&RULES, &[1_600, -1_600].repeat(20)), None);
    assert_eq!(end(&RULES, &[-8; 200]), Some((91, GameResult::Draw)));
    assert_eq!(end(&RULES, &[9; 500]), Some((399, GameResult::Draw)));
    // Zero plies switch a rule off.
    let rules = Adjudication { win_plies: 0, draw_plies: 0, ..RULES };
    assert_eq!(end(&rules, &[2_000; 399]).or(end(&rules, &[0; 399])), None);
}
