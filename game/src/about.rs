//! What both programs print about themselves: the version, the license, the commands for people.

/// `X.Y` for a release, `X.Y-dev-<first 8 hex digits of the commit>` for any other build,
/// `X.Y-dev-unknown` when built without git.
pub const VERSION: &str = env!("TAMARIN_VERSION");

/// The name and the version, as `id name` and `--version` print it.
pub const NAME: &str = concat!("Tamarin ", env!("TAMARIN_VERSION"));

/// The commands of the program `tamarin-tools`, which the engine starts: name and purpose.
pub const TOOLS: [(&str, &str); 7] = [
    ("play", "Play a game in the terminal, or solve puzzles"),
    ("analyse", "Evaluate games and positions: mistakes, better lines, a report for the browser"),
    ("suite", "Search positions whose best moves are known, and count what is found"),
    ("mate", "Prove or refute that a mate can be forced in a number of moves"),
    ("book", "Make opening books from games, show and check them"),
    ("variant", "Inspect, check and play variants defined in rules files"),
    ("board", "Play, watch and analyze in the browser"),
];

const LICENSE: &str = "\
Copyright (C) the Tamarin developers

This program is free software: you can redistribute it and/or modify it under the terms of the
GNU General Public License as published by the Free Software Foundation, either version 3 of the
License, or (at your option) any later version.

This program is distributed in the hope that it will be useful, but WITHOUT ANY WARRANTY; without
even the implied warranty of MERCHANTABILITY or FITNESS FOR A PARTICULAR PURPOSE. See the GNU
General Public License for more details: the file LICENSE, or <https://www.gnu.org/licenses/>.";

/// `license`: that of Tamarin, and the notices of the libraries in a program.
pub fn license(notices: &str) -> String {
    format!("{LICENSE}\n\n{}", notices.trim_end())
}
