//! `import`: games in PGN with the scores of engines as training games.

use std::io::BufReader;
use std::path::PathBuf;

use tamarin_base::files::open_stream;
use tamarin_eval::{Score, UNITS_PER_PAWN};
use tamarin_game::packed::unpacked;
use tamarin_game::pgn::comment::{Thought, thought};
use tamarin_game::pgn::games::{GameText, Games};
use tamarin_game::pgn::{self, Outcome};
use tamarin_movegen::Color;

use crate::data::{Game, GameResult, Ply, Sink};
use crate::error::{Context, Result};
use crate::report::{report, warn};

/// Games that are left out and named one by one.
const MAX_WARNINGS: u64 = 20;

#[derive(clap::Args, Clone, Debug)]
pub struct Arguments {
    /// Games in PGN with a comment {score/depth} behind each move, packed with gzip or not
    #[arg(required = true, value_name = "PGN")]
    files: Vec<PathBuf>,

    /// The file of games to write; it must not be there yet
    #[arg(long, value_name = "FILE")]
    out: PathBuf,
}

/// Writes the games in viriformat. A game without a result on the board or by adjudication, or
/// without a score, is left out; moves before the first score are its opening.
pub fn run(arguments: &Arguments) -> Result<()> {
    let mut sink = Sink::create(&arguments.out)?;
    let (mut good, mut bad) = (0_u64, 0_u64);
    for path in &arguments.files {
        let input = open_stream(path).and_then(|file| unpacked(BufReader::new(file)));
        let mut games = Games::new(BufReader::new(input.context(path.display())?));
        while let Some(text) = games.next_game().context(path.display())? {
            let bytes = game(&text).and_then(|game| game.encode().map_err(|e| e.to_string()));
            match bytes {
                Ok(bytes) => {
                    good += 1;
                    sink.write(&bytes)?;
                }
                Err(why) => {
                    bad += 1;
                    if bad <= MAX_WARNINGS {
                        warn(format_args!("{}, line {}: {why}", path.display(), text.line));
                    }
                }
            }
        }
    }
    sink.finish()?;
    report!("{good} games in {}, {bad} left out", arguments.out.display());
    Ok(())
}

fn game(text: &GameText) -> Result<Game, String> {
    let game = pgn::read(text).map_err(|error| error.to_string())?;
    let outcome = match game.outcome {
        Outcome::Won(color) => GameResult::won_by(color),
        Outcome::Draw => GameResult::Draw,
        Outcome::Unknown => return Err("no result".to_owned()),
    };
    if let Some(end) =
        game.tag("Termination").filter(|end| !matches!(*end, "normal" | "adjudication"))
    {
        return Err(format!("ended by {end:?}"));
    }
    let mut position = game.start.clone();
    let mut start = position.clone();
    let mut plies = Vec::new();
    for (index, played) in game.moves.iter().enumerate() {
        let fault = |what: &str| format!("ply {}: {what}", index + 1);
        let mv = played.mv.ok_or_else(|| fault("a null move"))?;
        let score = played.comments().find_map(thought).and_then(|thought| units(&thought));
        let side = position.side_to_move();
        position.make(mv);
        match score {
            Some(score) => {
                plies.push(Ply { mv, score: if side == Color::White { score } else { -score } });
            }
            None if plies.is_empty() => start = position.clone(),
            None => return Err(fault("no score")),
        }
    }
    start.clear_undo();
    if plies.is_empty() { Err("no scores".to_owned()) } else { Ok(Game { start, plies, outcome }) }
}

/// The score of a thought in engine units, of the side that moved.
fn units(thought: &Thought) -> Option<i16> {
    let (is_lost, plain) = match thought.score.strip_prefix('-') {
        Some(plain) => (true, plain),
        None => (false, thought.score.trim_start_matches('+')),
    };
    let value = match plain.strip_prefix('M') {
        // A mate in plies: the number is one of moves.
        Some(moves) => {
            let plies = 2 * moves.parse::<usize>().ok()?.clamp(1, 100);
            Score::mate_in(if is_lost { plies } else { plies - 1 }).units()
        }
        None => (plain.parse::<f64>().ok()? * f64::from(UNITS_PER_PAWN)).round() as i32,
    };
    let most = i32::from(i16::MAX);
    i16::try_from(if is_lost { -value } else { value }.clamp(-most, most)).ok()
}
