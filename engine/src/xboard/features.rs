//! What the engine announces: features and options, and the board and pieces of a variant.

use tamarin_uci::OptionSpec;
use tamarin_uci::xboard::{Feature, Reply};

use crate::options::{self, UCI_VARIANT};
use tamarin_game::about::NAME;
use tamarin_variant::{Game, Position};
use tamarin_variant_search::Library;

/// Options that are not announced. The protocol sets them by commands of their own (`memory`,
/// `cores`, `hard` and `easy`, `variant`, `egtpath`), or has no place for what they show.
const NOT_ANNOUNCED: [&str; 8] = [
    "Hash",
    "Threads",
    "Ponder",
    "UCI_Chess960",
    UCI_VARIANT,
    "SyzygyPath",
    "UCI_ShowWDL",
    "Raw Scores",
];

/// The option of this protocol alone.
pub const RESIGN: OptionSpec = OptionSpec::check("Resign", false);

/// The answer to `protover`: every feature, then `done=1`.
pub fn announcement(library: &Library) -> String {
    use Feature::{Flag, Text};
    let variants = variants(library);
    let features = [
        Text("myname", NAME),
        Text("variants", &variants),
        Text("egt", "syzygy"),
        Flag("ping", 1),
        Flag("setboard", 1),
        Flag("playother", 1),
        Flag("san", 0),
        Flag("usermove", 1),
        Flag("time", 1),
        Flag("draw", 1),
        Flag("sigint", 0),
        Flag("sigterm", 0),
        Flag("reuse", 1),
        Flag("analyze", 1),
        Flag("colors", 0),
        Flag("ics", 0),
        Flag("name", 1),
        Flag("pause", 0),
        Flag("nps", 1),
        Flag("debug", 1),
        Flag("memory", 1),
        Flag("smp", 1),
        Flag("exclude", 1),
        Flag("highlight", 0),
    ];
    let options: Vec<_> = options::specs()
        .filter(|spec| !NOT_ANNOUNCED.iter().any(|name| spec.matches(name)))
        .chain([RESIGN])
        .collect();
    features
        .into_iter()
        .chain(options.iter().map(Feature::Option))
        .chain([Flag("done", 1)])
        .map(|feature| Reply::Feature(feature).to_string())
        .collect::<Vec<_>>()
        .join("\n")
}

/// XBoard's names of chess and Chess960.
const KINDS_OF_CHESS: [&str; 2] = ["normal", "fischerandom"];

/// Every variant that can be played, as the feature has it.
pub fn variants(library: &Library) -> String {
    let names = library.names().filter(|name| is_playable(library, name));
    KINDS_OF_CHESS.into_iter().chain(names).collect::<Vec<_>>().join(",")
}

/// Built-in variants whose pieces XBoard cannot name.
const NOT_NAMEABLE: [&str; 1] = ["shogi_thesis"];

/// Returns `true` if `variant` takes the name, which reads well to every client. Built-in variants
/// are known: to compile them all takes a while.
fn is_playable(library: &Library, name: &str) -> bool {
    let is_word = !name.contains([',', '"', '=']) && !name.contains("...");
    let can_be_shown = if library.has_file(name) {
        library.find(name).is_some_and(|(_, rules)| setup_lines(&rules).is_some())
    } else {
        !NOT_NAMEABLE.contains(&name)
    };
    is_word && can_be_shown && !KINDS_OF_CHESS.contains(&name)
}

/// XBoard's first pieces, in its order: they are drawn as the letters say.
const USUAL: [&str; 5] = ["p", "n", "b", "r", "q"];

/// How many kinds of pieces a side may have before the places of promoted ones begin.
const BASE: usize = 11;

/// The answer to `variant`: board and pieces, and the start position. `None` if XBoard cannot name the
/// pieces: each needs a letter, which may have `+` before it.
pub fn setup_lines(game: &std::sync::Arc<Game>) -> Option<String> {
    let white = letters(game)?;
    let table = format!("{}{}", white.to_uppercase(), white);
    let (columns, rows, held) = (game.columns(), game.rows(), game.held_kinds().len());
    let fen = Position::start(game).fen();
    let mut lines = format!("setup ({table}) {columns}x{rows}+{held}_fairy {fen}");
    for kind in 0..game.piece_count() as u8 {
        let name = game.piece_name(kind).to_uppercase();
        match game.xbetza(kind) {
            Some([white, black]) if white == black => {
                lines += &format!("\npiece {name}& {white}");
            }
            Some([white, black]) => {
                let small = name.to_lowercase();
                lines += &format!("\npiece {name} {white}\npiece {small} {black}");
            }
            None => {}
        }
    }
    Some(lines)
}

/// The letters of one side in XBoard's order: pawn, knight, bishop, rook, queen, others, then promoted
/// ones at the places of what they were, and the king last. Places that nothing has are dots.
fn letters(game: &Game) -> Option<String> {
    let kinds: Vec<u8> = (0..game.piece_count() as u8).collect();
    let royal = kinds.iter().copied().find(|&kind| game.is_royal(kind));
    let mut base = vec![None; USUAL.len()];
    let mut others = Vec::new();
    for &kind in &kinds {
        let name = game.piece_name(kind);
        let plain = name.strip_prefix('+').unwrap_or(name);
        if plain.len() != 1 || !plain.bytes().all(|byte| byte.is_ascii_alphabetic()) {
            return None;
        }
        if Some(kind) == royal {
            continue;
        }
        match USUAL.iter().position(|usual| *usual == name.to_lowercase()) {
            Some(place) => base[place] = Some(name),
            None if name.len() == 1 => others.push(name),
            None => {}
        }
    }
    base.extend(others.into_iter().map(Some));
    if base.len() > BASE {
        return None;
    }
    let promoted = kinds.iter().any(|&kind| game.piece_name(kind).len() > 1);
    let mut text: String = base.iter().map(|name| name.unwrap_or(".")).collect();
    if promoted {
        text.extend(std::iter::repeat_n('.', BASE - base.len()));
        for name in &base {
            let has = name.is_some_and(|name| {
                kinds.iter().any(|&kind| game.piece_name(kind) == format!("+{name}"))
            });
            text.push(if has { '+' } else { '.' });
        }
    }
    text.push_str(royal.map_or(".", |kind| game.piece_name(kind)));
    Some(text.to_lowercase())
}

#[cfg(test)]
mod tests {
    use super::{NOT_NAMEABLE, announcement, setup_lines, variants};
    use tamarin_variant::{builtin, load};
    use tamarin_variant_search::Library;

    #[test]
    fn every_feature_reads_well_to_every_client_and_done_comes_last() {
        let text = announcement(&Library::default());
        assert!(text.contains("variants=\"normal,fischerandom,fide,"), "{text}");
        let lines: Vec<_> = text.lines().collect();
        assert_eq!(lines.last(), Some(&"feature done=1"));
        for line in &lines {
            let feature = line.strip_prefix("feature ").expect("a feature");
            let (name, value) = feature.split_once('=').expect("a value");
            assert!(name.bytes().all(|byte| byte.is_ascii_lowercase()), "{line}");
            // cutechess splits at every `=`, XBoard reads up to the second quote.
            assert!(!value.contains('='), "{line}");
            let quoted = value.len() >= 2 && value.starts_with('"') && value.ends_with('"');
            let inner = value.trim_matches('"');
            assert!(!inner.contains('"') && !inner.contains("..."), "{line}");
            assert!(quoted || inner.bytes().all(|byte| byte.is_ascii_digit()), "{line}");
        }
        assert!(lines.contains(&r#"feature option="MultiPV -spin 1 1 256""#), "{text}");
        assert!(lines.contains(&r#"feature option="Resign -check 0""#), "{text}");
        assert!(!text.contains("option=\"Hash"), "{text}");
    }

    #[test]
    fn every_built_in_variant_can_be_shown_but_for_the_known_ones() {
        let cannot_be_shown = |name: &&str| {
            let rules = builtin(name).unwrap();
            setup_lines(&rules).is_none()
        };
        let names = tamarin_variant::BUILTINS.iter().map(|entry| entry.name);
        assert_eq!(names.filter(cannot_be_shown).collect::<Vec<_>>(), NOT_NAMEABLE);
    }

    #[test]
    fn variants_that_would_be_refused_are_not_announced() {
        let folder = tempfile::tempdir().unwrap();
        let mut library = Library::default();
        for name in ["a=b", "a,b", "a...b", "normal", "fischerandom", "long", "good"] {
            let king = if name == "long" { "king" } else { "k" };
            let rules =
                format!("@variant {name}\n@royal {king}\n{king} W1\n\nw:{king} . b:{king}\n");
            std::fs::write(folder.path().join(format!("{}.var", name.len())), rules).unwrap();
            library.read(folder.path().to_str().unwrap()).unwrap();
            let is_listed = variants(&library).ends_with(&format!(",minishogi,{name}"));
            assert_eq!(is_listed, name == "good", "{name}");
            std::fs::remove_file(folder.path().join(format!("{}.var", name.len()))).unwrap();
        }
    }

    #[test]
    fn boards_and_pieces_are_sent() {
        let lines = |name: &str| setup_lines(&builtin(name).unwrap()).unwrap();
        let clobberers = lines("clobberers");
        let chess = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
        assert_eq!(
            clobberers.lines().collect::<Vec<_>>(),
            [
                &format!("setup (PNBRQKpnbrqk) 8x8+0_fairy {chess}"),
                "piece P& fmWfceFifmnD",
                "piece N& WA",
                "piece B& FAD",
                "piece R& F0D",
                "piece Q& F0N",
                "piece K WFirO2ilO3",
                "piece k WFirO3ilO2",
            ]
        );
        assert!(lines("xiangqi").starts_with("setup (PNBR.ACKpnbr.ack) 9x10+0_fairy rnbakabnr/9/"));
        let shogi = lines("shogi_nodrop");
        assert!(shogi.starts_with("setup (PNBR.GSL...++++..++K"), "{shogi}");
        let held = lines("crazyhouse");
        assert!(held.starts_with("setup (PNBRQKpnbrqk) 8x8+5_fairy rnbqkbnr"), "{held}");
        assert!(held.contains("RNBQKBNR[] w KQkq - 0 1"), "{held}");
        let long = load("@royal king\nking W1\n\nw:king . b:king\n", None).unwrap().game;
        assert_eq!(setup_lines(&long), None);
    }
}
