//! Variants under the XBoard protocol.

#![cfg(unix)]

use crate::support::files::Folder;
use crate::support::ms;
use crate::support::xboard::{Client, Thinking, is_result};

/// A client whose engine plays neither side of the variant.
fn forced(variant: &str) -> Client {
    let mut client = Client::ready();
    let said = client.said(&format!("variant {variant}\nforce"));
    assert!(said[0].starts_with("setup ("), "{said:?}");
    client
}

#[test]
fn a_variant_is_set_up_and_played_with_clocks() {
    let mut client = Client::ready();
    let said = client.said("variant nuttyknights");
    let start = "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1";
    assert_eq!(said[0], format!("setup (PNBRQKpnbrqk) 8x8+0_fairy {start}"));
    client.send("level 0 0:02 0.1\npost\ntime 200\notim 200\nusermove e2e4");
    let (first, lines) = client.wait_for_move();
    assert!(lines.iter().any(|line| Thinking::parse(line).is_some()), "{lines:?}");
    // The engine's move is one of Black, which it can take back and play again.
    client.quietly(&format!("force\nundo\nnopost\nusermove {first}"));
    client.send("time 150\notim 190\ngo");
    client.wait_for_move();
    client.send("force\nsd 2\nst 5\ngo\n?");
    client.wait_for_move();
    client.quit();
}

#[test]
fn illegal_moves_and_commands_of_chess_are_answered_in_variants() {
    let mut client = forced("shogi_nodrop");
    for (line, wanted) in [
        ("usermove e1e5", "Illegal move (the rules of this variant have no such move here): e1e5"),
        ("setboard 8/8 w - -", "tellusererror Illegal position"),
        ("usermove c3c4", "Illegal move (no legal position): c3c4"),
        ("go", "Error (no legal position): go"),
        ("edit", "Error (not in variants): edit"),
        ("exclude c3c4", "Error (not in variants): exclude"),
        ("nps 100", "Error (not in variants): nps"),
        ("variant atomic", "Error (unknown variant): variant atomic"),
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
fn results_of_variants_are_printed_and_rows_count_as_xboard_counts_them() {
    let mut client = Client::ready();
    // In xiangqi stalemate loses; rows begin with 0.
    client.said("variant xiangqi");
    client.quietly("force\nsetboard 3k5/4R4/9/9/9/9/9/9/9/4K4 b - - 0 1");
    let said = client.said("usermove d9d8");
    assert_eq!(said, ["Illegal move (the rules of this variant have no such move here): d9d8"]);
    let over = client.said("go");
    assert!(over.iter().any(|line| is_result(line)), "{over:?}");
    assert_eq!(over, ["1-0 {Stalemate: White wins}"]);
    client.said("new\nvariant xiangqi\nsd 1");
    client.send("usermove h2e2");
    let (text, _) = client.wait_for_move();
    assert!(text.len() == 4 && text.ends_with(|c: char| c.is_ascii_digit()), "{text}");
    client.quit();
}

#[test]
fn variants_are_analyzed_and_hints_given() {
    let mut client = forced("minixiangqi");
    client.send("post\nanalyze");
    let line = client.thinking(3);
    assert!(!line.variation.is_empty());
    client.send("usermove a2a3");
    client.thinking(2);
    client.no_move_for(60);
    let said = client.said("nopost\nexit\nhint");
    assert!(said.last().is_some_and(|line| line.starts_with("Hint: ")), "{said:?}");
    client.quit();
}

#[test]
fn variants_of_files_are_listed_and_played() {
    let folder = Folder::new("xboard-variants");
    let file = folder.file("mine.var", "@variant mine\n@extends fide\nq W\n");
    let mut client = Client::ready();
    let said = client.said(&format!("option VariantPath={file}"));
    assert!(said[0].ends_with(",minishogi,mine\""), "{said:?}");
    assert!(client.said("variant mine")[0].starts_with("setup (PNBRQKpnbrqk) 8x8+0_fairy "));
    client.send("sd 2\nusermove e2e4");
    client.wait_for_move();
    let bad = folder.file("bad.var", "@extends fide\nq WX\n");
    let said = client.said(&format!("option VariantPath={bad}"));
    assert!(
        said[0].starts_with("Error (") && said[0].contains("bad.var:2:4: error[V015]"),
        "{said:?}"
    );
    client.engine().silent_for(ms(20));
    client.quit();
}

#[test]
fn a_variant_that_cannot_be_shown_leaves_the_game_in_force() {
    let folder = Folder::new("xboard-no-letters");
    let file = folder.file("long.var", "@variant long\n@royal king\nking W1\n\nw:king . b:king\n");
    let mut client = forced("minixiangqi");
    let said = client.said(&format!("option VariantPath={file}"));
    assert!(said[0].ends_with(",minishogi\""), "{said:?}");
    client.quietly("usermove a2a3");
    assert_eq!(
        client.said("variant long"),
        ["Error (XBoard cannot name its pieces): variant long"]
    );
    client.quietly("undo\nusermove a2a3");
    client.quit();
}

#[test]
fn drops_and_moves_of_large_boards_come_bare() {
    let mut client = forced("crazyhouse");
    client.quietly("setboard 4k3/8/8/8/8/8/8/4K3[Pn] w - - 0 1\nP@e4\nN@f3");
    let reason = "Illegal move (the rules of this variant have no such move here): N@f4";
    assert_eq!(client.said("N@f4"), [reason]);
    client.said("variant xiangqi\nforce");
    client.quietly("h2h9\ni9h9");
    client.quit();
}

#[test]
fn a_variant_whose_file_is_read_again_begins_anew() {
    let folder = Folder::new("xboard-reload");
    let file = folder.file("mine.var", "@variant mine\n@extends fide\nq W\n");
    let mut client = Client::ready();
    client.said(&format!("option VariantPath={file}"));
    client.said("variant mine\nforce");
    client.quietly("usermove e2e4");
    let said = client.said(&format!("option VariantPath={file}"));
    assert!(said[0].ends_with(",mine\""), "{said:?}");
    assert!(said[1].starts_with("setup (PNBRQKpnbrqk) 8x8+0_fairy "), "{said:?}");
    assert_eq!(client.said("undo"), ["Error (no move to take back): undo"]);
    client.quietly("usermove e2e4");
    client.quit();
}

#[test]
fn minimal_prints_the_last_line_of_each_search_of_a_variant() {
    let mut client = forced("minixiangqi");
    client.send("option Minimal=1\npost\nsd 4\ngo");
    let (mv, lines) = client.wait_for_move();
    let thinking: Vec<_> = lines.iter().filter_map(|line| Thinking::parse(line)).collect();
    assert_eq!(thinking.len(), 1, "{lines:?}");
    assert_eq!((thinking[0].depth, thinking[0].variation.first()), (4, Some(&mv)));
    client.quit();
}
