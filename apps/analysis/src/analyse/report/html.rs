//! An analysis as a page for a browser, which needs no network.

use serde_json::{Value, json};

use tamarin_game::about::VERSION;

const STYLE: &str = include_str!("html/page.css");
const BODY: &str = include_str!("html/body.html");
/// Nothing is loaded from anywhere.
const POLICY: &str = "default-src 'none'; script-src 'unsafe-inline'; style-src 'unsafe-inline'; \
                      img-src data:";

const PIECES: &str = include_str!("html/pieces.svg");

/// What comes before all games.
pub fn begin(title: &str) -> String {
    let title = escaped(title);
    format!(
        "<!doctype html>\n<html lang=\"en\">\n<head>\n<meta charset=\"utf-8\">\n\
        <meta http-equiv=\"Content-Security-Policy\" content=\"{POLICY}\">\n\
        <meta name=\"viewport\" content=\"width=device-width, initial-scale=1\">\n\
        <meta name=\"generator\" content=\"Tamarin {}\">\n<title>{title}</title>\n\
        <style>\n{STYLE}</style>\n</head>\n<body>\n{PIECES}{BODY}",
        escaped(VERSION)
    )
}

/// A game as the script reads it, with its annotated text.
pub fn game(mut game: Value, pgn: String) -> String {
    game["pgn"] = pgn.into();
    let row = escaped(&row(&game).to_string());
    let tag = |name: &str| game["tags"][name].as_str().filter(|value| !matches!(*value, "" | "?"));
    let number = &game["game"];
    let title = match (tag("White"), tag("Black"), tag("Event")) {
        (None, None, Some(event)) => format!("{number}. {event}"),
        (white, black, _) => {
            format!("{number}. {} \u{2013} {}", white.unwrap_or("?"), black.unwrap_or("?"))
        }
    };
    // A `<` could end the element.
    let data = game.to_string().replace('<', "\\u003c");
    let title = escaped(&title);
    format!(
        "<script type=\"application/json\" class=\"game\" data-title=\"{title}\" \
        data-row=\"{row}\">{data}</script>\n"
    )
}

/// What the table of all games shows of one: it can be had without reading the whole game.
fn row(game: &Value) -> Value {
    let tag = |name: &str| &game["tags"][name];
    let side = |name: &str| {
        let side = &game[name];
        let counts = ["inaccuracies", "mistakes", "blunders"].map(|kind| side[kind].clone());
        json!({ "accuracy": side["accuracy"], "loss": side["average_cp_loss"], "counts": counts })
    };
    let moves = game["moves"].as_array().map_or(0, Vec::len);
    json!({
        "White": tag("White"), "Black": tag("Black"), "Event": tag("Event"), "Date": tag("Date"),
        "result": game["result"], "plies": moves, "white": side("white"), "black": side("black"),
    })
}

/// What comes after all games.
pub const END: &str =
    concat!("<script>\n", include_str!("html/page.js"), "</script>\n</body>\n</html>\n");

fn escaped(text: &str) -> String {
    text.replace('&', "&amp;").replace('<', "&lt;").replace('>', "&gt;").replace('"', "&quot;")
}

#[cfg(test)]
mod tests {
    use super::{begin, game};
    use serde_json::json;

    #[test]
    fn names_cannot_end_the_elements_they_are_in() {
        let evil = "</script><script>alert(\"x\")</script>&";
        let text = game(json!({ "game": 1, "tags": { "White": evil } }), evil.to_owned());
        assert_eq!(text.matches("</script>").count(), 1, "{text}");
        assert_eq!(text.matches("<script").count(), 1, "{text}");
        assert!(!begin(evil).contains("<script>alert"));
    }
}
