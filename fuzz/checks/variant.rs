//! What must hold for any bytes as a variant file, with a FEN behind its last NUL: never a panic,
//! printing and parsing again gives the same, and positions restore themselves. Shared by the fuzz
//! target and the tests.

use tamarin_variant::{Diagnostic, Position, load, parse};

/// Panics if reading a file breaks a promise.
pub fn check(bytes: &[u8]) {
    let text = String::from_utf8_lossy(bytes);
    let (source, fen) = text.rsplit_once('\0').unwrap_or((&text, ""));
    let parsed = parse(source);
    if !parsed.remarks.iter().any(Diagnostic::is_error) {
        assert_eq!(parse(&parsed.file.to_string()).file, parsed.file);
    }
    for remark in &parsed.remarks {
        let _ = remark.render("file", source);
    }
    let Ok(loaded) = load(source, None) else { return };
    walk(Position::start(&loaded.game));
    if let Ok(position) = Position::from_fen(&loaded.game, fen) {
        let again = Position::from_fen(&loaded.game, &position.fen()).expect("own FEN");
        assert_eq!(again.key(), position.key());
        walk(position);
    }
}

/// Plays a few first and last moves and takes them back.
fn walk(mut position: Position) {
    let before = position.clone();
    for ply in 0..6 {
        let moves = position.legal_moves();
        let Some(&m) = (if ply % 2 == 0 { moves.first() } else { moves.last() }) else { break };
        position.make(m);
        position.fen();
    }
    while position.unmake().is_some() {}
    assert!(position.same_as(&before));
}
