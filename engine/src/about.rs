//! What the engine prints about itself: `help`, the greeting, its libraries.

use tamarin_base::process::processor::LEVEL;
use tamarin_game::about::{NAME, TOOLS, VERSION};

/// `id author`.
pub const AUTHOR: &str = "the Tamarin developers";

/// Printed when the program is started in a terminal without arguments.
pub fn greeting() -> String {
    let [(first, purpose), others @ ..] = TOOLS;
    let others = others.map(|(name, _)| name).join(", ");
    format!(
        "Tamarin {VERSION} for {LEVEL}, a UCI chess engine. Type a command, or quit for the shell.
  here:   help (all commands), d (the board), go movetime 3000 (analysis), quit
  shell:  tamarin {first:<9} {purpose}
          tamarin {others}"
    )
}

/// Printed when the program is started without arguments elsewhere than in a terminal.
pub fn first_line() -> String {
    format!("{NAME} by {AUTHOR}")
}

/// `help`.
pub fn help() -> String {
    let mut text = ENGINE_HELP.to_owned();
    for (name, purpose) in TOOLS {
        text.push_str(&format!("\n  tamarin {name:<9} {purpose}"));
    }
    text + ARGUMENTS_HELP
}

/// What `help` says of one command, or of the protocol that it belongs to; `None` if it names no
/// command.
pub fn help_with(name: &str) -> Option<String> {
    if let Some((_, purpose)) = TOOLS.iter().find(|(tool, _)| *tool == name) {
        return Some(format!("{name}  {purpose}; its options: tamarin {name} --help"));
    }
    let (protocol, console) = ENGINE_HELP.split_once("Console:\n")?;
    let mut found: Vec<&str> = Vec::new();
    for line in console.lines().take_while(|line| !line.is_empty()) {
        let is_more = line.starts_with("      ");
        let is_wanted = line.split_whitespace().next() == Some(name);
        if is_wanted || (is_more && !found.is_empty()) {
            found.push(line.strip_prefix("  ").unwrap_or(line));
        } else if !found.is_empty() {
            break;
        }
    }
    if !found.is_empty() {
        return Some(found.join("\n"));
    }
    let (_, words) = protocol.split_once("Protocol: ")?;
    let is_name = |word: &str| word.trim_end_matches(',') == name;
    let is_command =
        name.chars().all(|c| c.is_ascii_lowercase()) && words.split_whitespace().any(is_name);
    is_command.then(|| format!("Protocol: {}", words.trim_end()))
}

const ENGINE_HELP: &str = "\
Tamarin is a chess engine for the Universal Chess Interface (UCI), made for use in a graphical
program; `xboard` selects the protocol of XBoard instead. It also answers these commands.

Protocol: uci, xboard, isready, setoption name N [value V], ucinewgame, debug on|off,
  position startpos|fen F [moves ...], stop, ponderhit, quit,
  go [wtime T] [btime T] [winc T] [binc T] [movestogo N] [movetime T] [depth N] [nodes N]
     [mate N] [infinite] [ponder] [searchmoves ...]        times in milliseconds

Console:
  d                 show the position
  eval [--json]     show how it is evaluated, piece by piece and term by term
  perft N           count the leaf nodes of the tree of legal moves (also: go perft N)
  bench [hash] [threads] [limit] [default|current|FILE] [depth|nodes|movetime|perft]
                    search built-in positions; the last line gives nodes and speed
  genfens N seed S book None|FILE
                    make N openings, the same for the same seed
  savehash FILE     keep what searches have learned in a file
  loadhash FILE     go on with it, in this version with the same network
  license           your rights
  help              this text

In the shell only, in the program tamarin-tools (`make tools`); NAME --help lists the options:";

const ARGUMENTS_HELP: &str = "

In the shell commands are given as arguments: tamarin bench; tamarin go depth 12;
tamarin \"position startpos moves e2e4\" \"go depth 12\" quit
There tamarin eval --json FEN and tamarin perft --help have options of their own.";

/// The libraries in the engine, their owners and licenses. A test compares it with `Cargo.lock` and
/// writes it: `TAMARIN_WRITE_NOTICES=1 cargo test --package tamarin-chess --test conformance notices`.
pub const NOTICES: &str = include_str!("notices.txt");

#[cfg(test)]
mod tests {
    use super::greeting;
    use tamarin_game::about::TOOLS;

    #[test]
    fn the_greeting_names_every_tool_in_four_lines() {
        let greeting = greeting();
        assert!(greeting.contains("tamarin play") && greeting.contains("help"), "{greeting}");
        for (name, _) in TOOLS {
            assert!(greeting.contains(name), "{name} is missing: {greeting}");
        }
        let lines: Vec<&str> = greeting.lines().collect();
        assert_eq!(lines.len(), 4, "{greeting}");
        // The first one holds the version, which may be long.
        assert!(lines[1..].iter().all(|line| line.len() <= 80), "{greeting}");
    }
}
