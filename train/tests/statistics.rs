//! What matches come to: statistics, the sequential test, adjudication, rows, games of others.

use std::fs;
use std::path::Path;

use tamarin_movegen::Color;
use tamarin_train::matches::adjudication::{Adjudication, Streaks};
use tamarin_train::matches::ledger::{Row, append, check, read};
use tamarin_train::matches::pgn::read_match;
use tamarin_train::matches::sprt::{Hypotheses, Model, Sprt, Verdict};
use tamarin_train::matches::stats::{Pentanomial, elo, expected_score};
use tamarin_train::matches::{FaultReport, MatchResult};

fn close(value: f64, expected: f64, allowed: f64) {
    assert!((value - expected).abs() <= allowed, "{value} instead of {expected}");
}

/// Source of the expected values: the tests of fastchess (elo_test.cpp), which print two decimals.
#[test]
fn elo_is_that_of_fastchess() {
    let pairs = Pentanomial([34, 54, 31 + 32, 64, 75]);
    close(pairs.elo().value, 55.58, 0.006);
    close(pairs.elo().error, 27.65, 0.006);
    close(pairs.normalized_elo().value, 57.94, 0.006);
    close(pairs.normalized_elo().error, 28.28, 0.006);
    let pairs = Pentanomial([332, 433, 457 + 41, 333, 334]);
    close(pairs.elo().value, -8.64, 0.006);
    close(pairs.normalized_elo().error, 10.96, 0.006);
    close(pairs.superiority() * 100.0, 5.05, 0.006);
    for difference in [-300.0, 20.0] {
        close(elo(expected_score(difference)), difference, 1e-9);
    }
}

#[test]
fn pairs_that_ended_alike_show_no_error_and_no_bound() {
    for pairs in [[0, 0, 0, 1, 0], [0, 9, 0, 0, 0], [0, 0, 4, 0, 0], [0; 5]] {
        assert_eq!(Pentanomial(pairs).elo().error, f64::INFINITY, "{pairs:?}");
    }
    assert_eq!(Pentanomial([0, 0, 0, 0, 7]).elo().value, f64::INFINITY);
    assert_eq!(Pentanomial([0, 0, 0, 1, 0]).superiority(), 0.75);
    assert_eq!(Pentanomial([0, 1, 0, 0, 0]).superiority(), 0.25);
    assert_eq!(Pentanomial::default().superiority(), 0.5);
    let drawn = Pentanomial([0, 0, 100, 0, 0]).normalized_elo();
    assert_eq!(drawn.value, 0.0);
    // As that of other results: it depends on the number of pairs alone.
    assert_eq!(drawn.error, Pentanomial([10, 20, 40, 20, 10]).normalized_elo().error);
}

/// Source of the expected values: the tests of fastchess (sprt_test.cpp), which allow one per cent.
#[test]
fn likelihood_ratios_are_those_of_fastchess() {
    for (model, elo0, elo1, pairs, expected) in [
        (Model::Normalized, 0.0, 2.0, [365, 16_618, 36_029 + 200, 16_974, 390], 2.25),
        (Model::Normalized, -1.75, 0.25, [127, 4_883, 10_311 + 401, 5_150, 104], 3.01),
        (Model::Logistic, 0.5, 2.5, [223, 9_863, 20_279 + 1_000, 10_037, 246], -3.07),
        (Model::Logistic, 0.0, 2.0, [871, 26_175, 55_003 + 980, 26_678, 821], -4.98),
    ] {
        let sprt = Sprt { hypotheses: Hypotheses { elo0, elo1 }, model };
        let allowed = 0.01 * (1.0 + f64::abs(expected));
        close(sprt.llr(&Pentanomial(pairs)), expected, allowed);
    }
}

#[test]
fn verdict_follows_the_games() {
    let test = Sprt { hypotheses: "0 10".parse().unwrap(), model: Model::Logistic };
    close(Sprt::bound(), 2.944, 0.001);
    for (pairs, verdict) in [
        ([0; 5], Verdict::Open),
        ([10, 20, 40, 20, 10], Verdict::Open),
        ([10, 100, 200, 220, 70], Verdict::H1),
        ([70, 220, 200, 100, 10], Verdict::H0),
    ] {
        assert_eq!(test.verdict(&Pentanomial(pairs)), verdict);
    }
}

#[test]
fn hypotheses_are_two_rising_numbers_that_can_be_compared() {
    assert_eq!("-1.75, 0.25".parse(), Ok(Hypotheses { elo0: -1.75, elo1: 0.25 }));
    for text in ["", "5", "5 0", "0 0", "a b", "0 1 2", "0 inf"] {
        assert!(text.parse::<Hypotheses>().is_err(), "{text}");
    }
    let test = |elo0, elo1, model| Sprt::new(Hypotheses { elo0, elo1 }, model);
    for elo0 in [-200.0, 0.0, 190.0] {
        assert!(test(elo0, 200.0, Model::Normalized).is_ok());
        assert!(test(elo0, 200.0, Model::Logistic).is_ok());
    }
    assert!(test(0.0, 90_000.0, Model::Logistic).is_err());
}

#[test]
fn summary_has_results_test_and_faults() {
    let mut result = MatchResult::default();
    for pair in [[2, 2], [2, 1], [1, 1], [0, 2], [0, 0]] {
        result.add_pair(pair);
    }
    let [culprit, kind, detail] = ["old", "time forfeit", "time forfeit: 60 ms over"];
    let [culprit, kind, detail] = [culprit, kind, detail].map(str::to_owned);
    let fault = FaultReport { culprit, kind, detail };
    result.faults = vec![fault.clone(), fault];
    let sprt = Sprt { hypotheses: "0 10".parse().unwrap(), model: Model::Normalized };
    let text = result.summary(Some(&sprt));
    for part in [
        "10: 4 won, 3 drawn, 3 lost, score 55.0 %",
        "[1 0 2 1 1]",
        "normalized [0, 10]: LLR +",
        "(-2.94, 2.94), undecided",
        "old: time forfeit x2",
        "old: time forfeit: 60 ms over",
    ] {
        assert!(text.contains(part), "no {part:?} in\n{text}");
    }
    assert!(result.line(None).starts_with("10 games: +4 =3 -3, pairs [1 0 2 1 1], Elo +34.9 ±"));
}

/// Plies after which a game with these scores ends, and its winner.
fn end(rules: &Adjudication, scores: &[i32]) -> Option<(usize, Option<Color>)> {
    let mut streaks = Streaks::default();
    scores.iter().enumerate().find_map(|(ply, &score)| {
        let mover = if ply % 2 == 0 { Color::White } else { Color::Black };
        let number = u16::try_from(ply / 2 + 1).unwrap();
        Some((ply + 1, streaks.next(rules, mover, number, Some(score))?))
    })
}

#[test]
fn losses_are_by_own_scores_and_draws_by_both() {
    assert_eq!(end(&Adjudication::default(), &[-5_000; 500]), None);
    let resign = Some("3 600".parse().unwrap());
    let rules = Adjudication { resign, draw: None };
    assert_eq!(end(&rules, &[0, -600, 0, -700, 0, -800]), Some((6, Some(Color::White))));
    assert_eq!(end(&rules, &[0, -600, 0, -599, 0, -800, 0, -800]), None);
    assert_eq!(end(&rules, &[900; 20]), None);
    let rules = Adjudication { draw: Some("10 4 20".parse().unwrap()), resign: None };
    assert_eq!(end(&rules, &[5; 40]), Some((19, None)));
    assert_eq!(end(&rules, &[5, 30].repeat(20)), None);
}

#[test]
fn rows_are_appended_under_the_next_id() {
    let folder = tempfile::tempdir().unwrap();
    let [list, book, missing] =
        ["matches.csv", "book.epd", "no/list.csv"].map(|name| folder.path().join(name));
    check(&list, [&book]).unwrap();
    assert!(check(&list, [&list]).is_err() && check(&missing, [&book]).is_err());
    // An empty list gets a heading, and a last row its end.
    fs::write(&list, "").unwrap();
    let row = Row { what: "a, \"b\"".to_owned(), games: "2".to_owned(), ..Row::default() };
    assert_eq!(append(&list, row.clone()).unwrap(), "M1");
    let text = fs::read_to_string(&list).unwrap() + "M41,2026-01-31,,,,,,,,,,,,,,,,,,,";
    fs::write(&list, text).unwrap();
    assert_eq!(append(&list, row.clone()).unwrap(), "M42");
    let rows = read(&list).unwrap();
    assert_eq!((rows.len(), &rows[2]), (3, &Row { id: "M42".to_owned(), ..row }));
    fs::write(&list, "id,date\nM1\n").unwrap();
    assert!(append(&list, Row::default()).is_err() && check(&list, [&book]).is_err());
}

#[test]
fn list_of_the_project_is_consistent() {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../docs/results/matches.csv");
    let rows = read(&path).unwrap();
    assert!(rows.len() >= 57, "{} rows", rows.len());
    for row in rows {
        let number = |text: &str| text.parse::<u64>().unwrap_or(0);
        let [games, wins, draws, losses] =
            [&row.games, &row.wins, &row.draws, &row.losses].map(|text| number(text));
        assert_eq!(wins + draws + losses, games, "{}", row.id);
        let pairs: Vec<_> = row.pentanomial.split_whitespace().map(number).collect();
        if !pairs.is_empty() {
            assert_eq!(pairs.len(), 5, "{}", row.id);
            // Half of a pair may have been left over.
            let unpaired = games - 2 * pairs.iter().sum::<u64>();
            assert!(unpaired <= 1, "{}", row.id);
            let half_points: u64 = (0..).zip(&pairs).map(|(points, n)| points * n).sum();
            assert!((2 * wins + draws - half_points) <= 2 * unpaired, "{}", row.id);
        }
    }
}

#[test]
fn games_of_others_pair_up_by_opening() {
    let game = |white, black, fen, result, termination| {
        format!(
            "[White \"{white}\"]\n[Black \"{black}\"]\n[Result \"{result}\"]\n[FEN \"{fen}\"]\n\
             [Termination \"{termination}\"]\n\n{result}\n\n"
        )
    };
    // A pair of two wins, half a pair, a pair of a win and a draw; their games are mixed.
    let text = game("a", "b", "x", "1-0", "normal")
        + &game("b", "a", "y", "1/2-1/2", "normal")
        + &game("b", "a", "x", "0-1", "illegal move")
        + &game("a", "b", "x", "1-0", "")
        + &game("a", "b", "y", "1-0", "adjudication")
        + &game("a", "b", "y", "*", "unterminated");
    let result = read_match(text.as_bytes(), "a");
    assert_eq!(result.pairs, Pentanomial([0, 0, 0, 1, 1]));
    assert_eq!((result.wins, result.draws, result.losses), (3, 1, 0));
    assert_eq!(result.fault_counts(), ["b: illegal move x1"]);
}
