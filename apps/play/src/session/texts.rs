//! Texts that a session shows.

use tamarin_base::counted;
use tamarin_movegen::{Color, Piece};

use super::Session;
use super::command::{Done, Entry, offered, refused};
use crate::screen::text::rows;
use crate::text_board;
use tamarin_analysis::explain::material_lead;
use tamarin_game::clock;
use tamarin_game::evaluation::{self, Shown};
use tamarin_game::game::captured;
use tamarin_game::moves;
use tamarin_game::position::{Position, clip};
use tamarin_game::score_text::in_words;
use tamarin_game::variation;

/// Columns of a list of moves.
const WIDTH: usize = 76;

/// Columns of the evaluation bar.
const BAR: usize = 30;

impl Session {
    /// A line for each command.
    pub fn help(&self) -> Vec<String> {
        let intro = "Type a move (e4, Nf3, e2e4, O-O, e8=Q) or a command:".to_owned();
        std::iter::once(intro).chain(offered(self.is_chess()).map(Self::help_line)).collect()
    }

    /// A command with what it does.
    pub fn help_line(entry: &Entry) -> String {
        let names = entry.names.join(", ");
        format!("  {:<34} {}", format!("{names} {}", entry.operands), entry.meaning)
    }

    pub(super) fn legal(&mut self, square: Option<&str>) -> Done {
        let (position, _) = self.shown();
        let from = match square.map(|name| (name, position.square(&name.to_lowercase()))) {
            Some((name, None)) => {
                return refused(format!("{:?} is no square of this board.", clip(name)));
            }
            found => found.and_then(|(_, from)| from),
        };
        let lists = moves::legal(&position, from);
        let total: usize = lists.iter().map(|(_, list)| list.len()).sum();
        let mut lines = match square {
            Some(square) if lists.is_empty() && position.has_legal_move() => {
                vec![format!("No legal move from {}.", square.to_lowercase())]
            }
            _ if lists.is_empty() => vec!["No legal moves.".to_owned()],
            Some(square) => vec![format!("From {}:", square.to_lowercase())],
            None => vec![format!("{}:", counted(total, "legal move", "legal moves"))],
        };
        for (kind, list) in lists {
            let head = if kind.is_empty() { "   ".to_owned() } else { format!("  {kind:<7} ") };
            lines.extend(wrap(&head, &list.join(" ")));
        }
        self.say_all(lines)
    }

    pub(super) fn moves(&self) -> Vec<String> {
        let turns = self.game.turns();
        if turns.is_empty() {
            return vec!["No moves yet.".to_owned()];
        }
        let list: Vec<_> = turns.iter().map(|turn| turn.mv).collect();
        wrap("", &variation::numbered(self.game.start(), &list, usize::MAX))
    }

    pub(super) fn evaluation(&self) -> Vec<String> {
        let position = match (self.shown().0, &self.players.resources.variant) {
            (Position::Chess(position, _), _) => position,
            (Position::Variant(position), Some(variant)) => {
                let evaluator = variant.evaluator();
                let words = |centipawns| format!("{:+.2}", f64::from(centipawns) / 100.0);
                return vec![format!(
                    "Evaluation for White: {} ({} without what depends on several pieces), by {evaluator}.",
                    words(evaluator.evaluate(&position)),
                    words(evaluator.material(&position)),
                )];
            }
            _ => return Vec::new(),
        };
        let evaluator = &self.players.resources.evaluator;
        let network = evaluator.loaded_network();
        let shown = Shown { network: &network, searches_with: evaluator.kind };
        evaluation::to_text(&position, &shown).lines().map(str::to_owned).collect()
    }

    /// Name and clock of a side.
    pub fn player_line(&self, color: Color, now: std::time::Instant) -> String {
        let names = self.names();
        let turn =
            if self.game.ending().is_none() && self.game.mover() == color { "*" } else { " " };
        let clock = self.game.clocks().map_or_else(String::new, |clocks| {
            format!("  {}", clock::show(clocks.left(color, now)))
        });
        format!("{turn} {color:?}: {}{clock}", names[color])
    }

    /// What a side has captured, and by how much it is ahead; in a variant what it has in hand, and
    /// how many checks it has still to give.
    pub fn captured_line(&self, color: Color) -> String {
        let (position, _) = self.shown();
        let position = match &position {
            Position::Chess(position, _) => position,
            Position::Variant(_) => {
                let held = &position.hands()[color];
                let held = held.iter().map(|(name, count)| format!("{name}x{count}"));
                let checks = position.checks_to_win()[color];
                let checks = checks.map(|checks| format!("checks to win: {checks}"));
                let words: Vec<_> = held.chain(checks).collect();
                return format!("  {}", words.join(" ")).trim_end().to_owned();
            }
        };
        let pieces = &captured(position)[!color];
        let signs: String =
            pieces.iter().map(|piece: &Piece| self.view.pieces.of_chess(*piece, false)).collect();
        let lead = material_lead(position, color);
        let lead = if lead > 0 { format!(" +{lead}") } else { String::new() };
        format!("  {signs}{lead}").trim_end().to_owned()
    }

    /// The evaluation bar, once the position has been judged.
    pub fn bar_line(&self) -> Option<String> {
        let (share, score) = self.value.filter(|_| self.view.has_bar)?;
        let bar = text_board::bar(share, BAR, self.view.pieces);
        Some(format!("White {bar} Black  {}", in_words(score)))
    }
}

/// Words in lines of bounded width; the first begins with `head`, the others as far in.
fn wrap(head: &str, words: &str) -> Vec<String> {
    let indent = " ".repeat(head.len());
    let heads = std::iter::once(head).chain(std::iter::repeat(indent.as_str()));
    let rows = rows(words, WIDTH - head.len());
    heads.zip(rows).map(|(head, row)| format!("{head}{}", row.trim_end())).collect()
}
