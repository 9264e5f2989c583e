//! `tamarin variant selfplay` and `tamarin variant tournament`.

use std::path::Path;
use std::sync::Arc;

use tamarin_variant::{Game, builtin};

use super::contest::{Opening, Pairing, fingerprints};
use super::player::{Effort, PlayerName, Policy};
use super::runner::{RunArguments, play_all};
use super::source::{Failure, GameSource};
use super::standings::Standings;

/// The games of the thesis's experiments.
const GAMES: [&str; 5] = ["fide", "nuttyknights", "clobberers", "locusts", "shogi_nodrop"];
const BASES: [&str; 3] = ["sme", "spe(sme)", "sce"];
/// After the first round the evaluators, which always play the same, need different openings.
const LEAST_OPENING: usize = 4;

/// What `selfplay` takes.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct SelfplayArguments {
    #[command(flatten)]
    source: GameSource,
    /// Who plays White: an evaluator such as sme+imm, with thesis: before it the thesis's engine,
    /// a file that `variant learn` has written, or `learned`: the one that comes with the program
    #[arg(long, value_name = "PLAYER", default_value = "sme+imm")]
    white: PlayerName,
    /// Who plays Black
    #[arg(long, value_name = "PLAYER", default_value = "sme+imm")]
    black: PlayerName,
    /// How many games
    #[arg(long, default_value_t = 2, value_parser = clap::value_parser!(u32).range(1..=1_000_000))]
    games: u32,
    /// Exchange the sides after every game; both games of a pair have the same opening
    #[arg(long)]
    swap: bool,
    /// Random moves that every game begins with
    #[arg(long, value_name = "PLIES", default_value_t = 4,
        value_parser = clap::value_parser!(u16).range(0..=100))]
    openings: u16,
    /// Seed of the random moves
    #[arg(long, default_value_t = 1)]
    seed: u64,
    /// Only random moves after which a search sees neither side ahead by more [default: any]
    #[arg(long, value_name = "CENTIPAWNS", value_parser = clap::value_parser!(i32).range(0..=100_000))]
    balance: Option<i32>,
    #[command(flatten)]
    effort: Effort,
    #[command(flatten)]
    run: RunArguments,
}

/// What `tournament` takes.
#[derive(clap::Args, Clone, Debug)]
pub(super) struct TournamentArguments {
    /// Base evaluators (table 7.1 of the thesis) or position evaluators (table 7.2)
    kind: Kind,
    /// Games of each pair in each game: both sides, each depth
    #[arg(long, default_value_t = 4, value_parser = clap::value_parser!(u32).range(1..=10_000))]
    games: u32,
    /// Depths that are played
    #[arg(long, value_delimiter = ',', default_value = "4,5", value_name = "PLIES",
        value_parser = clap::value_parser!(u32).range(1..=100))]
    depths: Vec<u32>,
    /// Random moves that every game begins with; later rounds have at least 4
    #[arg(long, value_name = "PLIES", default_value_t = 0,
        value_parser = clap::value_parser!(u16).range(0..=100))]
    openings: u16,
    /// Only this game, several times for several [default: the five of the thesis]
    #[arg(long, value_name = "NAME")]
    game: Vec<String>,
    /// Who searches: tamarin, thesis or thesis/ITERATOR
    #[arg(long, default_value = "tamarin")]
    policy: Policy,
    #[command(flatten)]
    run: RunArguments,
}

#[derive(clap::ValueEnum, Clone, Copy, PartialEq, Eq, Debug)]
enum Kind {
    Base,
    Position,
}

pub(super) fn selfplay(arguments: &SelfplayArguments) -> Result<String, Failure> {
    let text = arguments.source.read()?;
    let game = text.load(arguments.source.variant.as_deref())?.game;
    let tag = arguments.source.tag(&text.text);
    let players = [arguments.white.clone(), arguments.black.clone()];
    let labels = match players[0] == players[1] {
        true => ["White", "Black"].map(|side| format!("{} ({side})", players[0])),
        false => players.each_ref().map(ToString::to_string),
    };
    let fingerprints = fingerprints(&game, &players)?;
    let pairing = |number: usize| {
        let opening = if arguments.swap { number / 2 } else { number };
        let pairing = Pairing {
            number,
            game: Arc::clone(&game),
            game_name: arguments.source.game.clone(),
            tag: tag.clone(),
            variant: arguments.source.variant.clone(),
            players: players.clone(),
            fingerprints,
            labels: labels.clone(),
            effort: arguments.effort,
            opening: Opening {
                plies: arguments.openings.into(),
                seed: arguments.seed.wrapping_add(opening as u64),
                balance: arguments.balance,
            },
        };
        if arguments.swap && number % 2 == 1 { pairing.swapped() } else { pairing }
    };
    let pairings: Vec<Pairing> = (0..arguments.games as usize).map(pairing).collect();
    report(&pairings, &arguments.run, arguments.source.file())
}

pub(super) fn tournament(arguments: &TournamentArguments) -> Result<String, Failure> {
    let names: Vec<&str> = match arguments.game.as_slice() {
        [] => GAMES.to_vec(),
        names => names.iter().map(String::as_str).collect(),
    };
    let mut pairings: Vec<Pairing> = Vec::new();
    for name in names {
        let game = builtin(name).ok_or_else(|| Failure::Unknown { name: name.to_owned() })?;
        for pair in pairs(arguments.kind) {
            add(&mut pairings, arguments, name, &game, &pair)?;
        }
    }
    report(&pairings, &arguments.run, None)
}

/// Plays the games; `rules` is the file that was read.
fn report(
    pairings: &[Pairing],
    run: &RunArguments,
    rules: Option<&Path>,
) -> Result<String, Failure> {
    let records = play_all(pairings, run, rules)?;
    let mut standings = Standings::default();
    for (pairing, record) in pairings.iter().zip(&records) {
        standings.add(&pairing.labels, &pairing.game_name, record.winner, pairing.json(record));
        let players = pairing.players.each_ref().map(ToString::to_string);
        standings.add_pair(&players, &pairing.game_name, record.winner);
    }
    Ok(match run {
        RunArguments { json: true, .. } => format!("{}\n", standings.json()),
        RunArguments { pairs: true, .. } => standings.text() + "\n" + &standings.pairs_text(),
        _ => standings.text(),
    })
}

/// Two evaluators, each with what tables call it.
type Pair = [(String, String); 2];

/// The position evaluators: what tables call them, and what is added to a base.
fn position_evaluators(base: &str) -> [(&'static str, String); 7] {
    [
        ("none", String::new()),
        ("location", "+1/100*loc".to_owned()),
        ("king", format!("+1/100*king({base})")),
        ("simple king", "+sking".to_owned()),
        ("mobility", "+imm".to_owned()),
        ("captures", "+immc".to_owned()),
        ("soundness", "+sound".to_owned()),
    ]
}

fn pairs(kind: Kind) -> Vec<Pair> {
    let mut pairs = Vec::new();
    match kind {
        Kind::Base => {
            for rest in 0..7 {
                let of = |base: usize| {
                    let name = BASES[base];
                    (name.to_owned(), format!("{name}{}", position_evaluators(name)[rest].1))
                };
                for (i, j) in [(0, 1), (0, 2), (1, 2)] {
                    pairs.push([of(i), of(j)]);
                }
            }
        }
        Kind::Position => {
            let all = position_evaluators("sme");
            let of = |i: usize| (all[i].0.to_owned(), format!("sme{}", all[i].1));
            for i in 0..all.len() {
                pairs.extend((i + 1..all.len()).map(|j| [of(i), of(j)]));
            }
        }
    }
    pairs
}

/// Adds the games of a pair: with both colors at each depth, then again from other openings.
fn add(
    pairings: &mut Vec<Pairing>,
    arguments: &TournamentArguments,
    game_name: &str,
    game: &Arc<Game>,
    pair: &Pair,
) -> Result<(), Failure> {
    let depths = &arguments.depths;
    let player = |(_, spec): &(String, String)| {
        let evaluator = spec.parse().map_err(Failure::Evaluator)?;
        Ok::<_, Failure>(PlayerName { policy: arguments.policy, evaluator })
    };
    let [first, second] = [player(&pair[0])?, player(&pair[1])?];
    for i in 0..arguments.games as usize {
        let round = i / (2 * depths.len());
        let plies = usize::from(arguments.openings);
        let plies = if round == 0 { plies } else { plies.max(LEAST_OPENING) };
        let pairing = Pairing {
            number: pairings.len(),
            game: Arc::clone(game),
            game_name: game_name.to_owned(),
            tag: game_name.to_owned(),
            variant: None,
            players: [first.clone(), second.clone()],
            // Tournaments are between evaluators by name.
            fingerprints: [None; 2],
            labels: [pair[0].0.clone(), pair[1].0.clone()],
            effort: Effort::depth(depths[i / 2 % depths.len()]),
            opening: Opening { plies, seed: round as u64, balance: None },
        };
        pairings.push(if i % 2 == 1 { pairing.swapped() } else { pairing });
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn the_tournaments_of_the_thesis_have_420_games() {
        // Five games, four games of each pair.
        assert_eq!(pairs(Kind::Base).len() * 5 * 4, 420);
        assert_eq!(pairs(Kind::Position).len() * 5 * 4, 420);
        for base in BASES {
            let own = |pair: &&Pair| pair.iter().any(|(label, _)| label == base);
            assert_eq!(pairs(Kind::Base).iter().filter(own).count() * 20, 280);
        }
        let all = position_evaluators("sme");
        for (label, _) in all {
            let own = |pair: &&Pair| pair.iter().any(|(other, _)| other == label);
            assert_eq!(pairs(Kind::Position).iter().filter(own).count() * 20, 120);
        }
    }
}
