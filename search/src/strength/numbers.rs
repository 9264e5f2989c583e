//! The numbers of weakened play. M164 to M179 measured the levels against each other.

use core::ops::RangeInclusive;

/// Chances of weak players to overlook moves that are not quiet, in 1/1024 of those of quiet moves.
pub(super) const OVERLOOKED_RECAPTURE: u64 = 200;
/// See [`OVERLOOKED_RECAPTURE`].
pub(super) const OVERLOOKED_CAPTURE: u64 = 400;
/// See [`OVERLOOKED_RECAPTURE`].
pub(super) const OVERLOOKED_CHECK: u64 = 600;
/// No move is overlooked more often than this, in 1/1024.
pub(super) const OVERLOOKED_AT_MOST: u64 = 970;

/// The ratings of the levels 1 to 19 of `play`.
pub(super) const LEVEL_RATINGS: [u16; 19] = [
    500, 585, 670, 755, 840, 925, 1010, 1095, 1180, 1265, 1350, 1470, 1590, 1700, 1760, 1820, 1880,
    1940, 2000,
];

/// The ratings, those of the levels 3 to 19, at which no piece is left en prise. Above them players
/// overlook so little that it would only rule out sacrifices.
pub(super) const GUARDED: RangeInclusive<u16> = LEVEL_RATINGS[2]..=LEVEL_RATINGS[18];

/// Nodes of a search against a bare king, at any rating: enough to mate with two bishops.
pub(super) const TECHNIQUE_NODES: u64 = 10_000;

/// How a player of some rating plays.
pub(super) struct Skilled {
    pub rating: i64,
    /// Nodes of a search.
    pub nodes: i64,
    /// How many of the best lines there are to choose from.
    pub lines: i64,
    /// The chance to overlook a quiet move of unlimited depth, in 1/1024.
    pub blindness: i64,
    /// All errors of judgment are below this, in score units.
    pub error: i64,
}

const fn skilled(rating: i64, nodes: i64, lines: i64, blindness: i64, error: i64) -> Skilled {
    Skilled { rating, nodes, lines, blindness, error }
}

/// The levels of `play` and what lies about them; players between them lie on straight lines.
pub(super) const SKILLS: [Skilled; 23] = [
    skilled(500, 3000, 256, 2300, 525),
    skilled(585, 3000, 256, 2000, 460),
    // The last that may leave pieces en prise.
    skilled(669, 3000, 256, 2000, 460),
    skilled(670, 3000, 256, 4200, 600),
    skilled(755, 3000, 256, 3475, 600),
    skilled(840, 3000, 256, 2845, 556),
    skilled(925, 3000, 256, 2000, 404),
    skilled(1010, 3000, 246, 1270, 304),
    skilled(1095, 3000, 155, 765, 199),
    skilled(1180, 3000, 33, 390, 100),
    skilled(1265, 3000, 20, 320, 79),
    skilled(1350, 3000, 13, 270, 66),
    skilled(1470, 3000, 9, 235, 55),
    skilled(1590, 3800, 7, 205, 47),
    skilled(1700, 5600, 6, 176, 40),
    skilled(1760, 9200, 5, 149, 33),
    skilled(1820, 12_500, 4, 122, 27),
    skilled(1880, 15_600, 4, 97, 21),
    skilled(1940, 18_300, 3, 77, 16),
    skilled(2000, 20_500, 2, 58, 12),
    skilled(2300, 40_000, 2, 25, 8),
    skilled(2600, 120_000, 1, 0, 1),
    skilled(3190, 1_000_000, 1, 0, 1),
];
