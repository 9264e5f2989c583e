//! What must hold for any line of bytes. Shared by the fuzz target and the corpus replay.

use tamarin_uci::{Command, OptionKind, OptionSpec, OptionValue, Reply, parse, resolve};

/// One option of each kind.
const OPTIONS: [OptionSpec; 6] = [
    OptionSpec::spin("Hash", 16, 1, 33_554_432),
    OptionSpec::spin("Move Overhead", 20, 0, 5000),
    OptionSpec::check("Ponder", false),
    OptionSpec::combo("Style", "Normal", &["Solid", "Normal", "Risky"]),
    OptionSpec::button("Clear Hash"),
    OptionSpec::string("SyzygyPath", ""),
];

/// Panics if reading `bytes` breaks a promise of the crate.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let result = parse(&text);
    assert_eq!(result, parse(&format!("{text} \t\r\n")), "line ends do not matter");
    assert_one_line("a text", &Reply::Text(&text).to_string());
    match result {
        Ok(parsed) => {
            assert!(parsed.notes.len() <= 9, "notes are bounded");
            for note in &parsed.notes {
                assert_one_line("a note", &note.to_string());
            }
            check_command(&parsed.command);
        }
        Err(error) => assert_one_line("an error", &error.to_string()),
    }
}

fn check_command(command: &Command) {
    let printed = match command {
        Command::SetOption(set) => set.to_string(),
        Command::Position(position) => position.to_string(),
        Command::Go(go) => go.to_string(),
        _ => return,
    };
    let again = parse(&printed).expect("a printed command parses");
    assert_eq!(&again.command, command, "printing keeps the command");
    assert!(again.notes.is_empty(), "nothing printed is ignored");
    if let Command::SetOption(set) = command {
        match resolve(&OPTIONS, set) {
            Ok((option, value)) => check_value(option, &value),
            Err(error) => assert_one_line("an option error", &error.to_string()),
        }
    }
}

fn check_value(option: &OptionSpec, value: &OptionValue) {
    let fits = match (option.kind, value) {
        (OptionKind::Spin { min, max, .. }, OptionValue::Spin(value)) => {
            (min..=max).contains(value)
        }
        (OptionKind::Combo { choices, .. }, OptionValue::Choice(choice)) => {
            choices.contains(choice)
        }
        (OptionKind::Check { .. }, OptionValue::Check(_))
        | (OptionKind::Button, OptionValue::Pressed)
        | (OptionKind::String { .. }, OptionValue::String(_)) => true,
        _ => false,
    };
    assert!(fits, "{value:?} is no value of {option}");
}

fn assert_one_line(what: &str, line: &str) {
    assert!(!line.is_empty(), "{what} says something");
    assert!(!line.contains(char::is_control), "{what} stays on one line: {line:?}");
    assert!(!line.ends_with(' '), "{what} has no blank at the end: {line:?}");
}
