//! Variants under the XBoard protocol. How boards, moves and results are written: `engine/src/game`.

#![cfg(unix)]

use crate::support::files::Folder;
use crate::support::xboard::{Client, Thinking};

#[test]
fn a_variant_is_set_up_and_played_with_clocks_analysis_and_hints() {
    let mut client = Client::ready();
    let said = client.said("variant nuttyknights");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(said[0], format!("setup (PNBRQKpnbrqk) 8x8+0_fairy {start}"));
    client.send("level 0 0:02 0.1\npost\ntime 200\notim 200\nusermove e2e4");
    let (first, lines) = client.wait_for_move();
    assert!(lines.iter().any(|line| Thinking::parse(line).is_some()), "{lines:?}");
    // The engine's move is one of Black, which it can take back and play again.
    client.quietly(&format!("force\nundo\nnopost\nusermove {first}"));
    client.send("sd 2\nst 5\ngo\n?");
    client.wait_for_move();
    client.said("variant minixiangqi\nforce");
    client.send("post\nanalyze");
    assert!(!client.thinking(3).variation.is_empty());
    client.send("usermove a2a3");
    client.thinking(2);
    client.no_move_for(60);
    let said = client.said("nopost\nexit\nhint");
    assert!(said.last().is_some_and(|line| line.starts_with("Hint: ")), "{said:?}");
    // In xiangqi stalemate loses; rows begin with 0.
    client.said("variant xiangqi");
    client.quietly("force\nsetboard 3k5/4R4/9/9/9/9/9/9/9/4K4 b - - 0 1");
    assert_eq!(client.said("go"), ["1-0 {Stalemate: White wins}"]);
    client.said("new\nvariant xiangqi\nsd 1");
    client.send("usermove h2e2");
    let (text, _) = client.wait_for_move();
    assert!(text.len() == 4 && text.ends_with(|c: char| c.is_ascii_digit()), "{text}");
    client.quit();
}

#[test]
fn illegal_moves_and_commands_of_chess_are_answered_in_variants() {
    let mut client = Client::ready();
    client.said("variant shogi_nodrop\nforce");
    for (line, wanted) in [
        ("usermove e1e5", "Illegal move (the rules of this variant have no such move here): e1e5"),
        ("setboard 8/8 w - -", "tellusererror Illegal position"),
        ("usermove c3c4", "Illegal move (no legal position): c3c4"),
        ("go", "Error (no legal position): go"),
        ("edit", "Error (not in variants): edit"),
        ("exclude c3c4", "Error (not in variants): exclude"),
        ("nps 100", "Error (not in variants): nps"),
        ("option UCI_Variant=fide", "Error (use the command variant): option UCI_Variant=fide"),
    ] {
        let said = client.said(line);
        assert_eq!(said.first().map(String::as_str), Some(wanted), "{line}: {said:?}");
    }
    client.quietly("setboard 4k4/9/4P4/9/9/9/9/9/4K4 w - - 0 1\nusermove e7e8+\nundo");
    assert_eq!(client.said("undo"), ["Error (no move to take back): undo"]);
    client.quietly("new\nforce\nusermove e2e4\nusermove e7e5");
    client.quit();
}

#[test]
fn variants_of_files_are_listed_and_begin_anew_when_the_file_is_read_again() {
    let folder = Folder::new("xboard-variants");
    let file = folder.file("mine.var", "@variant mine\n@extends fide\nq W\n");
    let path = format!("option VariantPath={file}");
    let mut client = Client::ready();
    let said = client.said(&path);
    assert!(said[0].ends_with(",minishogi,mine\""), "{said:?}");
    client.said("variant mine\nforce");
    client.quietly("usermove e2e4");
    let said = client.said(&path);
    assert!(said[1].starts_with("setup (PNBRQKpnbrqk) 8x8+0_fairy "), "{said:?}");
    assert_eq!(client.said("undo"), ["Error (no move to take back): undo"]);
    // A bad file, and rules whose pieces have no letters, leave the game in force.
    client.quietly("usermove e2e4");
    let bad = folder.file("bad.var", "@extends fide\nq WX\n");
    let said = client.said(&format!("option VariantPath={bad}"));
    assert!(said[0].contains("bad.var:2:4: error[V015]"), "{said:?}");
    let long = "@variant mine\n@extends fide\nq W\n@variant long\n@royal king\nking W1\n\nw:king . b:king\n";
    folder.file("mine.var", long);
    client.said(&path);
    client.quietly("usermove e2e4");
    let refused = ["Error (XBoard cannot name its pieces): variant long"];
    assert_eq!(client.said("variant long"), refused);
    client.quietly("undo");
    client.quit();
}
