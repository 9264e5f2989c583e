//! Win, draw and loss probabilities of a score, as UCI prints them.

use tamarin_eval::{Score, wdl};
use tamarin_movegen::Position;
use tamarin_search::Report;
use tamarin_uci::Wdl;

/// The probabilities for the side to move, in permille.
pub fn probabilities(score: Score, position: &Position) -> Option<Wdl> {
    let [win, draw, loss] = wdl::permille(score, position);
    Wdl::new(win, draw, loss)
}

/// The probabilities of a line that a search reports. A draw that the tablebases know is certain.
pub fn of_report(report: &Report<'_>) -> Option<Wdl> {
    if report.is_from_tablebases && report.score == Score::DRAW {
        return Wdl::new(0, 1000, 0);
    }
    probabilities(report.score, report.position)
}
