//! Option lines as the clients read them. Each reader below follows the published behavior of
//! one client, with its quirks, and all of them must see the option that was described.

use tamarin_uci::{OptionGrammarError, OptionKind, OptionSpec, ParsedReply, parse_reply};

/// What a client makes of an option line.
#[derive(PartialEq, Eq, Debug)]
struct Seen {
    name: String,
    kind: &'static str,
    default: String,
    range: Option<(i32, i32)>,
    choices: Vec<String>,
}

fn described(option: &OptionSpec) -> Seen {
    let (kind, default, range, choices): (_, _, _, &[&str]) = match option.kind {
        OptionKind::Spin { default, min, max } => {
            ("spin", default.to_string(), Some((min, max)), &[])
        }
        OptionKind::Check { default } => ("check", default.to_string(), None, &[]),
        OptionKind::Combo { default, choices } => ("combo", default.to_owned(), None, choices),
        OptionKind::Button => ("button", String::new(), None, &[]),
        OptionKind::String { default: "" } => ("string", "<empty>".to_owned(), None, &[]),
        OptionKind::String { default } => ("string", default.to_owned(), None, &[]),
    };
    let choices = choices.iter().map(ToString::to_string).collect();
    Seen { name: option.name.to_owned(), kind, default, range, choices }
}

fn known_kind(kind: &str) -> Option<&'static str> {
    ["spin", "check", "combo", "button", "string"].into_iter().find(|known| *known == kind)
}

/// Cutechess and python-chess split at single spaces and collect the words after each keyword
/// until the next one, wherever it stands. Numbers go through a 32-bit conversion.
fn keyword_reader(line: &str) -> Option<Seen> {
    let mut words = line.split(' ');
    if words.next() != Some("option") {
        return None;
    }
    let mut fields: Vec<(&str, Vec<&str>)> = Vec::new();
    for word in words {
        if ["name", "type", "default", "min", "max", "var"].contains(&word) {
            fields.push((word, Vec::new()));
        } else {
            fields.last_mut()?.1.push(word);
        }
    }
    let field = |key: &str| fields.iter().rfind(|(k, _)| *k == key).map(|(_, v)| v.join(" "));
    let number = |key: &str| field(key).and_then(|text| text.parse::<i32>().ok());
    let kind = known_kind(&field("type")?)?;
    let range = match kind {
        "spin" => Some((number("min")?, number("max")?)),
        _ => None,
    };
    let choices = fields.iter().filter(|(k, _)| *k == "var").map(|(_, v)| v.join(" ")).collect();
    Some(Seen {
        name: field("name")?,
        kind,
        default: field("default").unwrap_or_default(),
        range,
        choices,
    })
}

/// Banksia matches `option name (.*) type (kind)(.*)` greedily, then looks for `default`, ` min `,
/// ` max ` and `var` as letters in what is left.
fn pattern_reader(line: &str) -> Option<Seen> {
    let body = &line[line.find("option name ")? + "option name ".len()..];
    let (at, kind) = ["combo", "spin", "button", "check", "string"]
        .into_iter()
        .filter_map(|kind| Some((body.rfind(&format!(" type {kind}"))?, kind)))
        .max()?;
    let name = body[..at].to_owned();
    let rest = &body[at + " type ".len() + kind.len()..];
    let kind = known_kind(kind)?;
    let mut seen = Seen { name, kind, default: String::new(), range: None, choices: Vec::new() };
    if kind == "button" {
        return Some(seen);
    }
    let after_default = rest.find("default").map(|at| rest.get(at + 8..).unwrap_or(""))?;
    match kind {
        "check" => seen.default = rest.contains("true").to_string(),
        "string" => seen.default = after_default.to_owned(),
        "spin" => {
            let (before, max) = after_default.rsplit_once(" max ")?;
            let (default, min) = before.rsplit_once(" min ")?;
            seen.default = default.parse::<i32>().ok()?.to_string();
            seen.range = Some((min.parse().ok()?, max.parse().ok()?));
        }
        _ => {
            let mut parts = after_default.split("var").map(str::trim);
            seen.default = parts.next()?.to_owned();
            seen.choices = parts.map(ToOwned::to_owned).collect();
        }
    }
    Some(seen)
}

/// Our own parser of what other engines print.
fn own_reader(line: &str) -> Option<Seen> {
    let Some(ParsedReply::Option(option)) = parse_reply(line) else { return None };
    let number = |value: Option<i64>| value.and_then(|value| value.try_into().ok());
    let kind = known_kind(option.kind?)?;
    let default = match option.default.unwrap_or_default() {
        "" if kind != "button" => "<empty>",
        default => default,
    };
    Some(Seen {
        name: option.name.to_owned(),
        kind,
        default: default.to_owned(),
        range: number(option.min).zip(number(option.max)),
        choices: option.choices.into_iter().map(str::to_owned).collect(),
    })
}

/// The keywords of an `option` line in the order that clients expect, none missing, none added.
fn assert_shape(line: &str) {
    assert!(!line.contains("  ") && line.trim() == line, "{line:?}");
    assert!(!line.contains(|c: char| c.is_control()), "{line:?}");
    let (_, tail) = line.split_once(" type ").unwrap();
    let keys: Vec<&str> =
        tail.split(' ').filter(|word| ["default", "min", "max", "var"].contains(word)).collect();
    match tail.split(' ').next().unwrap() {
        "spin" => assert_eq!(keys, ["default", "min", "max"], "{line:?}"),
        "check" | "string" => assert_eq!(keys, ["default"], "{line:?}"),
        "button" => assert_eq!(keys, [""; 0], "{line:?}"),
        "combo" => {
            assert_eq!(keys[0], "default", "{line:?}");
            assert!(keys.len() > 1 && keys[1..].iter().all(|key| *key == "var"), "{line:?}");
        }
        other => panic!("{other:?} in {line:?}"),
    }
}

fn assert_readable(option: &OptionSpec) {
    let line = option.to_string();
    assert_shape(&line);
    let expected = Some(described(option));
    assert_eq!(keyword_reader(&line), expected, "cutechess and python-chess on {line:?}");
    assert_eq!(pattern_reader(&line), expected, "Banksia on {line:?}");
    assert_eq!(own_reader(&line), expected, "{line:?}");
}

#[test]
fn usual_options_are_read_by_every_client() {
    for option in [
        OptionSpec::spin("Hash", 16, 1, 33_554_432),
        OptionSpec::button("Clear Hash"),
        OptionSpec::check("Ponder", false),
        OptionSpec::spin("Contempt", 0, -10_000, 10_000),
        OptionSpec::string("SyzygyPath", ""),
        OptionSpec::string("EvalFile", "tamarin one.nnue"),
        OptionSpec::combo("Style", "Normal", &["Solid", "Normal", "Risky"]),
        OptionSpec::spin("All", 0, i32::MIN, i32::MAX),
    ] {
        assert_eq!(option.check_grammar(), Ok(()), "{option}");
        assert_readable(&option);
    }
}

#[test]
fn unreadable_options_are_found() {
    use OptionGrammarError::{Default, ReservedWord, Unprintable};
    for (option, expected) in [
        (OptionSpec::spin("Hash", 0, 1, 8), Default { option: "Hash" }),
        (OptionSpec::combo("S", "C", &["A", "B"]), Default { option: "S" }),
        (OptionSpec::button(""), Unprintable { option: "", text: "" }),
        (OptionSpec::button("A  B"), Unprintable { option: "A  B", text: "A  B" }),
        (OptionSpec::combo("S", "A", &["A", "B C"]), Unprintable { option: "S", text: "B C" }),
        (OptionSpec::string("S", "a "), Unprintable { option: "S", text: "a " }),
        (OptionSpec::check("max", true), ReservedWord { option: "max", text: "max" }),
        (OptionSpec::string("S", "file name"), ReservedWord { option: "S", text: "file name" }),
    ] {
        assert_eq!(option.check_grammar(), Err(expected), "{option}");
    }
}
