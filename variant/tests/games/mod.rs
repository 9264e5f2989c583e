//! Games that are changes of built-in ones.

/// A pawn of chess that takes its double step in the zone and becomes one of the pieces.
fn pawn(name: &str, home: &str, promotion: &str) -> String {
    format!(
        "{name} fmW1fcF1 promotion {promotion}
  {{-square (2 0) -conditions (1 0) empty (2 0) empty {home} -effects (2 0) +en_passant}}
  {{-square (1 1) -conditions (0 1) opponent (0 1) *en_passant (1 1) empty -effects . -> (0 1)}}
  {{-square (1 -1) -conditions (0 -1) opponent (0 -1) *en_passant (1 -1) empty -effects . -> (0 -1)}}
  en_passant_\n"
    )
}

/// A king that castles: steps to the right, distance of the piece there, the same to the left,
/// the pieces that it castles with.
fn king(right: i32, far: i32, left: i32, farther: i32, with: &str) -> String {
    let castling = |sign: i32, steps: i32, distance: i32| {
        let at = |squares: i32| format!("(0 {})", sign * squares);
        let empty: String = (1..distance).map(|i| format!("{} empty ", at(i))).collect();
        let safe: String = (0..=steps).map(|i| format!("{} unattacked ", at(i))).collect();
        let (rook, beside) = (at(distance), at(steps - 1));
        format!(
            "  {{-square {} -conditions (0 0) *unmoved {rook} friend {rook} ={with} {rook} *unmoved
   {empty}{safe}-effects {rook} -> {beside}}}\n",
            at(steps)
        )
    };
    format!("k W1F1 +unmoved\n{}{}", castling(1, right, far), castling(-1, left, farther))
}

const HOME: &str = "[ROW = 1]";
const LAST: &str = "t[ROW = 7] -> q|r|b|n";

pub fn torpedo() -> String {
    format!("@extends fide\n{}", pawn("p", "", LAST))
}

pub fn pawn_sideways() -> String {
    format!("@extends fide\n{}", pawn("p", HOME, LAST).replace("fmW1", "fsmW1"))
}

pub fn pawn_back() -> String {
    let pawn = pawn("p", HOME, LAST).replace("fmW1", "fbmW1");
    format!("@extends fide\n{}", pawn.replace("  en_passant_", "  only t[ROW > 0] en_passant_"))
}

/// Pawns go to one side of the diagonal and become something at the far corner.
pub fn legan() -> String {
    "@extends fide
@symmetry rotate
@fen knbrp3/bqpp4/npp5/rp1p3P/p3P1PR/5PPN/4PPQB/3PRBNK w
k W1F1
p mflF1cflW1 promotion t[ROW = 7 & COL < 4]|t[COL = 0 & ROW > 3] -> q|r|b|n
"
    .to_owned()
}

pub fn berolina() -> String {
    "@extends fide
p fmF1fcW1 promotion t[ROW = 7] -> q|r|b|n
  {-square (2 2) -conditions (1 1) empty (2 2) empty [ROW = 1] -effects (2 2) +to_right}
  {-square (2 -2) -conditions (1 -1) empty (2 -2) empty [ROW = 1] -effects (2 -2) +to_left}
  {-square (1 0) -conditions (0 1) opponent (0 1) *to_right (1 0) empty -effects . -> (0 1)}
  {-square (1 0) -conditions (0 -1) opponent (0 -1) *to_left (1 0) empty -effects . -> (0 -1)}
  to_right_ to_left_
"
    .to_owned()
}

pub fn ai_wok() -> String {
    "@extends makruk
@fen rnsaksnr/8/pppppppp/8/8/PPPPPPPP/8/RNSKASNR w
a WF1N1
p fmW1fcF1 promotion t[ROW > 4] -> a
"
    .to_owned()
}

/// Two armies: the pawns of Black are of another type, because they become other pieces.
fn armies(white: &str, black: &str, fen: &str) -> String {
    let last = |pieces| format!("t[ROW = 7] -> {pieces}");
    let (white, black) = (pawn("p", HOME, &last(white)), pawn("o", HOME, &last(black)));
    format!("@extends fide\n@fen {fen} w KQkq\nc WN1\n{white}{black}")
}

pub fn sort_of_almost() -> String {
    armies("c|r|b|n", "q|r|b|n", "rnbqkbnr/oooooooo/8/8/8/8/PPPPPPPP/RNBCKBNR")
}

pub fn chigorin() -> String {
    armies("c|r|n", "q|r|b", "rbbqkbbr/oooooooo/8/8/8/8/PPPPPPPP/RNNCKNNR")
}

pub fn perfect() -> String {
    format!(
        "@extends fide\n@fen cmqgkbnr/pppppppp/8/8/8/8/PPPPPPPP/CMQGKBNR w KQkq\n\
         c WN1 +unmoved\nm FN1\ng WFN1\n{}{}",
        king(2, 3, 2, 4, "r,c"),
        pawn("p", HOME, "t[ROW = 7] -> g|c|m|q|r|b|n")
    )
}

pub fn modern() -> String {
    format!(
        "@extends fide\n@fen rnbqkmbnr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBMKQBNR w KQkq\nm FN1\n{}{}",
        king(2, 4, 2, 4, "r"),
        pawn("p", HOME, "t[ROW = 8] -> m|q|r|b|n")
    )
}

pub fn chancellor() -> String {
    format!(
        "@extends fide\n@fen rnbqkcnbr/ppppppppp/9/9/9/9/9/PPPPPPPPP/RNBQKCNBR w KQkq\nc WN1\n{}{}",
        king(2, 4, 2, 4, "r"),
        pawn("p", HOME, "t[ROW = 8] -> c|q|r|b|n")
    )
}

pub fn centaur() -> String {
    format!(
        "@extends fide\n@fen rcnbqkbncr/pppppppppp/10/10/10/10/PPPPPPPPPP/RCNBQKBNCR w KQkq\n\
         c W1F1N1\n{}{}",
        king(3, 4, 3, 5, "r"),
        pawn("p", HOME, "t[ROW = 7] -> c|q|r|b|n")
    )
}

/// Only the start, where nothing is promoted yet.
pub fn opulent() -> String {
    format!(
        "@extends fide
@fen rw6wr/clbnqknbla/pppppppppp/10/10/10/10/PPPPPPPPPP/CLBNQKNBLA/RW6WR w
k W1F1\na FN1\nc WN1\nn N1W1\nw C1F1\nl F1D1H1\n{}",
        pawn("p", "[ROW = 2]", "t[ROW = 9] -> q")
    )
}

pub fn tencubed() -> String {
    format!(
        "@extends fide
@fen 2cwamwc2/1rnbqkbnr1/pppppppppp/10/10/10/10/PPPPPPPPPP/1RNBQKBNR1/2CWAMWC2 w
k W1F1\na FN1\nm WN1\nc D1A1W1\nw C1F1\n{}",
        pawn("p", "[ROW = 2]", "t[ROW = 9] -> a|m|q")
    )
}

/// A board without corners: no row, column or diagonal is interrupted, so that it is enough to
/// keep pieces from going there.
pub fn troitzky() -> String {
    let margins = [4, 2, 1, 1, 0, 0, 1, 1, 2, 4];
    let rows = margins
        .iter()
        .enumerate()
        .map(|(row, margin)| format!("t[ROW = {row} & COL >= {margin} & COL <= {}]", 9 - margin));
    let inside = format!("only {}", rows.collect::<Vec<_>>().join("|"));
    let pawn = pawn("p", "[ROW = 2]", "t[ROW = 9] -> q");
    format!(
        "@extends fide
@fen 4qk4/2rnbbnr2/1pppppppp1/10/10/10/10/1PPPPPPPP1/2RNBBNR2/4QK4 w
k W1F1 {inside}\nq WF {inside}\nr W {inside}\nb F {inside}\nn N1 {inside}\n{}",
        pawn.replace("  en_passant_", &format!("  {inside} en_passant_"))
    )
}

/// Only the start, where nothing is promoted yet.
pub fn wolf() -> String {
    let home = "[ROW = 1]|[ROW = 2 & COL > 0 & COL < 3]|[ROW = 2 & COL > 4 & COL < 7]";
    format!(
        "@extends fide
@fen qwfrbbnk/pssppssp/1pp2pp1/8/8/8/8/1PP2PP1/PSSPPSSP/KNBBRFWQ w
k W1F1\nn N\nw WN1\nf FN1
s fW1fF1
  {{-square (2 0) -conditions (1 0) empty (2 0) empty {home}}}\n{}",
        pawn("p", home, "t[ROW = 9] -> q")
    )
}

pub fn shoshogi() -> String {
    "@extends shogi_nodrop
@immobile illegal
@fen lnsgkgsnl/1r2e2b1/ppppppppp/9/9/9/PPPPPPPPP/1B2E2R1/LNSGKGSNL w
e F1fsW1 opromotion [ROW > 5]|t[ROW > 5] -> +e

+e W1F1
"
    .to_owned()
}
