//! Lines of XBoard as commands.

use tamarin_uci::Millis;
use tamarin_uci::xboard::{Command, CommandError, RootMoves};

fn text(text: &str) -> String {
    text.to_owned()
}

#[test]
fn commands_without_arguments_are_known_by_their_first_word() {
    assert_eq!(Command::parse("new"), Ok(Command::New));
    assert_eq!(Command::parse("  force \r\n"), Ok(Command::Force));
    assert_eq!(Command::parse("result 1-0 {White mates}"), Ok(Command::Result));
    assert_eq!(Command::parse("?"), Ok(Command::MoveNow));
    assert_eq!(Command::parse("."), Ok(Command::Statistics));
    for line in ["", "  ", "accepted setboard", "rejected done", "rating 2000 2100"] {
        assert_eq!(Command::parse(line), Ok(Command::Ignore), "{line:?}");
    }
}

#[test]
fn rejects_missing_and_bad_numbers() {
    assert_eq!(Command::parse("st 0.5"), Ok(Command::MoveTime(Millis::new(500))));
    assert_eq!(Command::parse("sd"), Err(CommandError::MissingArgument));
    assert_eq!(Command::parse("sd deep"), Err(CommandError::BadArgument));
    assert_eq!(Command::parse("level 40 5"), Err(CommandError::BadArgument));
}

#[test]
fn moves_come_bare_and_after_usermove() {
    assert_eq!(Command::parse("e2e4"), Ok(Command::Move(text("e2e4"))));
    assert_eq!(Command::parse("a7a8q"), Ok(Command::Move(text("a7a8q"))));
    assert_eq!(Command::parse("O-O-O"), Ok(Command::Move(text("O-O-O"))));
    for drop in ["P@e4", "p@e4", "@e4", "+P@a1", "N@i10", "Kn@l12", "R@a0"] {
        assert_eq!(Command::parse(drop), Ok(Command::Move(text(drop))));
    }
    for large in ["h3h10", "h2h9", "a0a1", "a10b12", "b7b8+", "a11a12q", "a7a8=q", "h6h7="] {
        assert_eq!(Command::parse(large), Ok(Command::Move(text(large))));
    }
    for other in ["P@", "P@e", "P@e00", "P@e13", "P@m4", "1@e4", "P@e4q", "a1", "a1a", "a1b2q+"] {
        assert_eq!(Command::parse(other), Err(CommandError::Unknown), "{other}");
    }
    assert_eq!(Command::parse("usermove Nf3"), Ok(Command::Move(text("Nf3"))));
    assert_eq!(Command::parse("Nf3"), Err(CommandError::Unknown));
    assert_eq!(Command::parse("usermove"), Err(CommandError::MissingArgument));
}

#[test]
fn texts_keep_their_blanks() {
    let option = |name, value: Option<&str>| {
        Ok(Command::Option { name: text(name), value: value.map(text) })
    };
    assert_eq!(Command::parse("option Move Overhead=30"), option("Move Overhead", Some("30")));
    assert_eq!(Command::parse("ping 7 x"), Ok(Command::Ping(text("7 x"))));
    assert_eq!(Command::parse("ping"), Err(CommandError::MissingArgument));
    assert_eq!(Command::parse("variant fischerandom"), Ok(Command::Variant(text("fischerandom"))));
    assert_eq!(Command::parse("setboard 8/8 w"), Ok(Command::SetBoard(text("8/8 w"))));
    assert_eq!(Command::parse("option Log=a = b"), option("Log", Some("a = b")));
    assert_eq!(Command::parse("option Clear Hash"), option("Clear Hash", None));
    let path = Command::TablebasePath { kind: text("syzygy"), path: text("/my tables") };
    assert_eq!(Command::parse("egtpath syzygy /my tables"), Ok(path));
    let moves = RootMoves::Some(vec![text("e2e4"), text("d2d4")]);
    assert_eq!(Command::parse("exclude e2e4 d2d4"), Ok(Command::Exclude(moves)));
    assert_eq!(Command::parse("include all"), Ok(Command::Include(RootMoves::All)));
    let path = text("my games/deep hash");
    let of = |line: &str| Command::parse(line);
    assert_eq!(of("savehash my games/deep hash \r\n"), Ok(Command::SaveHash(path.clone())));
    assert_eq!(of("loadhash  my games/deep hash"), Ok(Command::LoadHash(path)));
    assert_eq!(of("savehash"), Err(CommandError::MissingArgument));
}

#[test]
fn errors_quote_the_line() {
    let error = Command::parse("frobnicate 3").unwrap_err();
    assert_eq!(error.about("frobnicate 3"), "Error (unknown command): frobnicate 3");
    assert_eq!(CommandError::BadArgument.about("sd \u{7} x\r"), "Error (bad argument): sd   x");
}
