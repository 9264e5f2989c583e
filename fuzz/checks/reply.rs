//! What must hold for any line of an engine. Shared by the fuzz target and the corpus replay.

use std::fmt::Write as _;

use tamarin_uci::{ParsedInfo, ParsedOption, ParsedReply, parse_reply};

/// Panics if reading `bytes` breaks a promise of the crate.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let reply = parse_reply(&text);
    assert_eq!(reply, parse_reply(&format!("{text} \t\r\n")), "line ends do not matter");
    let Some(reply) = reply else { return };
    let printed = match &reply {
        ParsedReply::IdName(name) => format!("id name {name}"),
        ParsedReply::IdAuthor(author) => format!("id author {author}"),
        ParsedReply::Option(option) => option_line(option),
        ParsedReply::UciOk => "uciok".to_owned(),
        ParsedReply::ReadyOk => "readyok".to_owned(),
        ParsedReply::Info(info) => info_line(info),
        ParsedReply::BestMove(best) => best.to_string(),
    };
    assert_eq!(parse_reply(&printed), Some(reply.clone()), "printing keeps {printed:?}");
}

fn info_line(info: &ParsedInfo<'_>) -> String {
    let mut line = info.line.to_string();
    let mut field = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = write!(line, " {name} {value}");
        }
    };
    field("currmove", info.current_move.map(str::to_owned));
    field("currmovenumber", info.current_move_number.map(|number| number.to_string()));
    field("string", info.text.map(str::to_owned));
    line
}

/// The default comes last, because that of a text goes to the end of the line.
fn option_line(option: &ParsedOption<'_>) -> String {
    let mut line = format!("option name {}", option.name);
    let mut field = |name: &str, value: Option<String>| {
        if let Some(value) = value {
            let _ = write!(line, " {name} {value}");
        }
    };
    field("type", option.kind.map(str::to_owned));
    field("min", option.min.map(|min| min.to_string()));
    field("max", option.max.map(|max| max.to_string()));
    for choice in &option.choices {
        field("var", Some((*choice).to_owned()));
    }
    let default = option.default.map(|text| if text.is_empty() { "<empty>" } else { text });
    field("default", default.map(str::to_owned));
    line
}
