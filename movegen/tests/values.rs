//! Values of small functions, by the file that defines them: what their names promise.

use tamarin_movegen::magic::{Slider, blockers_mask, factor, slow_attacks};
use tamarin_movegen::*;

#[test]
fn attacks() {
    assert!(knight_attacks(Square::A1).into_iter().eq([Square::C2, Square::B3]));
    assert!(king_attacks(Square::A1).into_iter().eq([Square::B1, Square::A2, Square::B2]));
    assert!(pawn_attacks(Color::White, Square::E4).into_iter().eq([Square::D5, Square::F5]));
    assert!(pawn_attacks(Color::Black, Square::A4).into_iter().eq([Square::B3]));
    assert_eq!(queen_attacks(Square::A1, Bitboard::EMPTY).len(), 21);
    assert_eq!(queen_attacks(Square::A1, Square::B2.bitboard()).len(), 15);
    assert_eq!(piece_attacks(PieceKind::Rook, Square::E4, Bitboard::EMPTY).len(), 14);
    assert_eq!(piece_attacks(PieceKind::Knight, Square::E4, Bitboard::EMPTY).len(), 8);
    assert_eq!(between(Square::A1, Square::D4).len(), 2);
    assert!(between(Square::A1, Square::B3).is_empty());
    assert_eq!(line(Square::B2, Square::D4).len(), 8);
    let position = Position::from_fen("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1").unwrap();
    let (bishops, rooks) = (position.pieces(PieceKind::Bishop), position.pieces(PieceKind::Rook));
    let blockers = slider_blockers(Square::E1, bishops, rooks, position.occupied());
    assert_eq!(blockers, Square::E2.bitboard());
    let pawns = Rank::Second.bitboard();
    assert_eq!(pawns_attacks(Color::White, pawns), Rank::Third.bitboard());
}

#[test]
fn bitboard() {
    assert_eq!(Bitboard::EMPTY.first(), None);
    assert_eq!(Bitboard::ALL.len(), 64);
    assert!(Bitboard::LIGHT.has(Square::H1));
    assert_eq!(Bitboard::DARK, !Bitboard::LIGHT);
    assert!((Bitboard::LIGHT & Bitboard::DARK).is_empty());
    assert!((Bitboard::LIGHT & File::A.bitboard()).any());
    let one = Square::E4.bitboard();
    assert!(!one.several() && one.with(Square::D4).several());
    assert_eq!(Bitboard::DARK.len(), 32);
    assert!(Rank::Fourth.bitboard().has(Square::E4));
    assert_eq!(Bitboard::EMPTY.with(Square::E4), Square::E4.bitboard());
    assert!(!Bitboard::ALL.without(Square::E4).has(Square::E4));
    assert_eq!(Rank::Fourth.bitboard().first(), Some(Square::A4));
    assert_eq!(Rank::Fourth.bitboard().last(), Some(Square::H4));
    assert_eq!(Rank::Fourth.bitboard().lowest(), Square::A4);
    assert!(Square::A1.bitboard().is_subset(Bitboard::DARK));
    assert_eq!(Square::E4.bitboard().north(), Square::E5.bitboard());
    assert_eq!(Square::E4.bitboard().south(), Square::E3.bitboard());
    assert_eq!(Square::E4.bitboard().east(), Square::F4.bitboard());
    assert!(Square::H4.bitboard().east().is_empty());
    assert_eq!(Square::E4.bitboard().west(), Square::D4.bitboard());
    assert!(Square::A4.bitboard().west().is_empty());
    assert_eq!(Square::E7.bitboard().forward(Color::Black), Square::E6.bitboard());
    assert_eq!(Rank::Second.bitboard().flip_ranks(), Rank::Seventh.bitboard());
    assert!(File::C.bitboard().has(Square::C7));
    assert!(Rank::Third.bitboard().has(Square::G3));
    assert_eq!(Square::C7.bitboard().first(), Some(Square::C7));
}

#[test]
fn board() {
    assert_eq!(Position::startpos().board().side_to_move(), Color::White);
    assert_eq!(Position::startpos().board().pieces(PieceKind::Knight).len(), 4);
    let white = Position::startpos().board().color(Color::White);
    assert_eq!(white, Rank::First.bitboard() | Rank::Second.bitboard());
    let pawns = Position::startpos().board().of(Color::Black, PieceKind::Pawn);
    assert_eq!(pawns, Rank::Seventh.bitboard());
    let sliders = Position::startpos().board().diagonal_sliders(Color::White);
    assert!(sliders.into_iter().eq([Square::C1, Square::D1, Square::F1]));
    let sliders = Position::startpos().board().orthogonal_sliders(Color::White);
    assert!(sliders.into_iter().eq([Square::A1, Square::D1, Square::H1]));
    let occupied = Position::startpos().board().occupied();
    assert!(occupied.len() == 32 && (occupied & Rank::Fourth.bitboard()).is_empty());
    assert_eq!(Position::startpos().board().piece_at(Square::D8), Some(Piece::BlackQueen));
    assert_eq!(Position::startpos().board().king(Color::Black), Square::E8);
    let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w K - 0 1").unwrap();
    assert_eq!(position.board().castling(), Square::H1.bitboard());
    let position = Position::from_fen("4k3/8/8/8/Pp6/8/8/4K3 b - a3 0 1").unwrap();
    assert_eq!(position.board().en_passant(), Some(Square::A3));
    let position = Position::from_fen("4k3/8/8/8/4r3/8/8/4K3 w - - 0 1").unwrap();
    assert_eq!(position.board().checkers(), Square::E4.bitboard());
    let board = *Position::startpos().board();
    let attackers = board.attackers_to(Square::F3, board.occupied());
    assert!(attackers.into_iter().eq([Square::G1, Square::E2, Square::G2]));
    let position = Position::startpos();
    let after = position.board().play(position.parse_san("e4").unwrap());
    assert_eq!(after.piece_at(Square::E4), Some(Piece::WhitePawn));
}

#[test]
fn fen_error() {
    let error = Position::from_fen("4k3/8/8/8/8/8/8/4K3").unwrap_err();
    assert_eq!(error.field(), Some(FenField::SideToMove));
    let error = Position::from_fen("8/8/8/8/8/8/8/8 x - - 0 1").unwrap_err();
    assert_eq!(error.column(), Some(17));
    let error = Position::from_fen("8/8/8/8/8/8/8/8 w - - 0 1").unwrap_err();
    assert_eq!(error.column(), None);
}

#[test]
fn fen_write() {
    assert_eq!(
        Position::startpos().fen(CastlingStyle::Standard),
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1"
    );
}

#[test]
fn generate_board() {
    assert_eq!(Position::startpos().board().count_moves(), 20);
    let board = *Position::startpos().board();
    assert!(board.legal_moves().into_iter().all(|mv| board.play(mv).count_moves() == 20));
}

#[test]
fn magic() {
    use tamarin_movegen::{Bitboard, Square, rook_attacks};

    let blockers = Square::A4.bitboard();
    let attacks = Bitboard(slow_attacks(Slider::Rook, Square::A1, blockers.0));
    assert_eq!(attacks, rook_attacks(Square::A1, blockers));
    assert_eq!(blockers_mask(Slider::Rook, Square::A1).len(), 12); // neither A8 nor H1
    let mask = blockers_mask(Slider::Rook, Square::A1);
    let index = mask.0.wrapping_mul(factor(Slider::Rook, Square::A1)) >> (64 - mask.len());
    assert!(index < 1 << mask.len());
}

#[test]
fn moves() {
    assert_eq!(MoveKind::promotion(PieceKind::Rook, true), MoveKind::CapturePromoteRook);
    let push = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
    assert_eq!(push.kind(), MoveKind::DoublePush);
    assert_eq!(Move::from_bits(push.bits()), Some(push));
    assert_eq!(Move::from_bits(0), None);
    let quiet = Move::new(Square::B1, Square::C3, MoveKind::Quiet);
    assert_eq!((quiet.from(), quiet.bits()), (Square::B1, 18 << 6 | 1));
    let castle = Move::new(Square::E1, Square::H1, MoveKind::Castle);
    assert!(castle.to() == Square::H1 && castle.is_castle());
    let capture = Move::new(Square::E4, Square::D5, MoveKind::Capture);
    assert_eq!(capture.kind(), MoveKind::Capture);
    let en_passant = Move::new(Square::E5, Square::D6, MoveKind::EnPassant);
    assert!(en_passant.is_capture() && en_passant.is_en_passant());
    let promotion = Move::new(Square::A7, Square::A8, MoveKind::PromoteRook);
    assert!(promotion.is_promotion() && promotion.is_noisy() && !promotion.is_capture());
    assert_eq!(promotion.promotion(), Some(PieceKind::Rook));
    let position = Position::startpos();
    assert!(position.legal_moves().len() <= MAX_MOVES);
}

#[test]
fn piece() {
    assert_eq!(!Color::White, Color::Black);
    assert_eq!(Color::ALL.map(Color::to_char), ['w', 'b']);
    assert_eq!(Color::Black.index(), 1);
    assert_eq!(Color::Black.other(), Color::White);
    assert_eq!(Color::Black.to_char(), 'b');
    assert_eq!(Piece::BlackRook.kind(), PieceKind::Rook);
    let letters: String = PieceKind::ALL.map(PieceKind::to_char).iter().collect();
    assert_eq!(letters, "pnbrqk");
    assert!(!PieceKind::PROMOTIONS.contains(&PieceKind::King));
    assert_eq!(PieceKind::Rook.index(), 3);
    assert_eq!(PieceKind::Knight.to_char(), 'n');
    assert_eq!(PieceKind::from_char('N'), Some(PieceKind::Knight));
    assert_eq!(PieceKind::from_char('x'), None);
    assert_eq!(Piece::WhiteKnight.color(), Color::White);
    assert_eq!(Piece::ALL.len(), Piece::COUNT);
    let letters: String = Piece::ALL.map(Piece::to_char).iter().collect();
    assert_eq!(letters, "PpNnBbRrQqKk");
    assert_eq!(Piece::new(Color::Black, PieceKind::Rook), Piece::BlackRook);
    assert_eq!(Piece::BlackRook.index(), 7);
    assert_eq!(Piece::BlackRook.color(), Color::Black);
    assert_eq!(Piece::WhiteQueen.kind(), PieceKind::Queen);
    assert_eq!(Piece::WhiteQueen.to_char(), 'Q');
    assert_eq!(Piece::from_char('q'), Some(Piece::BlackQueen));
    assert_eq!(Piece::from_char('x'), None);
    let mut clocks = PerColor([60, 60]);
    clocks[Color::Black] -= 5;
    assert_eq!(clocks, PerColor([60, 55]));
    let values = PerKind([1, 3, 3, 5, 9, 0]);
    assert_eq!(values[PieceKind::Rook], 5);
    let mut counts = PerPiece([0; Piece::COUNT]);
    counts[Piece::WhitePawn] += 8;
    assert_eq!(counts[Piece::WhitePawn], 8);
}

#[test]
fn position_audit() {
    let mut position = Position::startpos();
    position.make(position.parse_san("Nf3").unwrap());
    position.audit(); // all is well: it returns
}

#[test]
fn position_checks() {
    let position = Position::startpos();
    let info = position.check_info();
    assert!(info.check_squares(PieceKind::Knight).has(Square::F6));
    assert!(!position.legal_moves().into_iter().any(|mv| position.gives_check_with(mv, &info)));
    let position = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
    assert!(position.gives_check(position.parse_san("Ra8").unwrap()));
    assert!(!position.gives_check(position.parse_san("Ra7").unwrap()));
    let position = Position::from_fen("4k3/8/8/8/4B3/8/8/4RK2 w - - 0 1").unwrap();
    let discovered = position.parse_san("Bd3").unwrap();
    assert!(position.gives_check_with(discovered, &position.check_info()));
}

#[test]
fn position_draws() {
    let position = |clock| Position::from_fen(&format!("4k3/8/8/8/8/8/8/4KR2 w - - {clock} 9"));
    assert!(!position(99).unwrap().is_fifty_move_draw());
    assert!(position(100).unwrap().is_fifty_move_draw());
    let is_dead = |fen| Position::from_fen(fen).unwrap().is_insufficient_material();
    assert!(is_dead("4k3/8/8/8/8/8/8/4KB2 w - - 0 1"));
    assert!(!is_dead("4k3/8/8/8/8/8/8/4KR2 w - - 0 1"));
}

#[test]
fn position_legality() {
    let position = Position::startpos();
    let legal = (0..=u16::MAX).filter_map(Move::from_bits).filter(|&mv| position.is_legal(mv));
    assert_eq!(legal.count(), 20);
}

#[test]
fn position() {
    assert_eq!(Position::startpos().legal_moves().len(), 20);
    let board = *Position::startpos().board(); // a copy
    assert_eq!(board.count_moves(), 20);
    let mut position = Position::startpos();
    position.make(position.parse_san("e4").unwrap());
    assert_eq!(position.side_to_move(), Color::Black);
    assert_eq!(Position::startpos().pieces(PieceKind::Rook).len(), 4);
    assert_eq!(Position::startpos().color(Color::Black).len(), 16);
    let queens = Position::startpos().of(Color::White, PieceKind::Queen);
    assert_eq!(queens, Square::D1.bitboard());
    let occupied = Position::startpos().occupied();
    assert!(occupied.has(Square::E2) && !occupied.has(Square::E4));
    let position = Position::startpos();
    assert_eq!(position.piece_at(Square::B8), Some(Piece::BlackKnight));
    assert_eq!(position.piece_at(Square::E4), None);
    assert_eq!(Position::startpos().king(Color::White), Square::E1);
    let mut position = Position::from_fen("4k3/8/8/8/8/8/8/R3K2R w KQ - 0 1").unwrap();
    position.make(position.parse_san("Rh7").unwrap());
    assert_eq!(position.castling(), Square::A1.bitboard());
    let mut position = Position::from_fen("4k3/8/8/8/1p6/8/P7/4K3 w - - 0 1").unwrap();
    position.make(position.parse_san("a4").unwrap());
    assert_eq!(position.en_passant(), Some(Square::A3));
    let position = Position::from_fen("4k3/8/8/8/8/3n4/8/4K3 w - - 0 1").unwrap();
    assert_eq!(position.checkers(), Square::D3.bitboard());
    let mut position = Position::from_fen("4k3/8/8/8/8/8/8/R3K3 w - - 0 1").unwrap();
    position.make(position.parse_san("Ra8").unwrap());
    assert!(position.in_check());
    let position = Position::from_fen("4k3/8/8/8/4r3/8/4N3/4K3 w - - 0 1").unwrap();
    assert_eq!(position.pinned(), Square::E2.bitboard());
    let mut position = Position::startpos();
    position.make(position.parse_san("Nf3").unwrap());
    assert_eq!(position.halfmove_clock(), 1);
}

#[test]
fn position_keys_and_attacks() {
    let position = Position::from_fen("4k3/8/8/8/8/8/8/4KR2 b - - 3 42").unwrap();
    assert_eq!(position.fullmove_number(), 42);
    let key = |fen| Position::from_fen(fen).unwrap().key();
    // The counters do not matter, the side to move does.
    assert_eq!(key("4k3/8/8/8/8/8/8/4KR2 w - - 0 1"), key("4k3/8/8/8/8/8/8/4KR2 w - - 7 9"));
    assert_ne!(key("4k3/8/8/8/8/8/8/4KR2 w - - 0 1"), key("4k3/8/8/8/8/8/8/4KR2 b - - 0 1"));
    let (before, mut after) = (Position::startpos(), Position::startpos());
    after.make(after.parse_san("Nf3").unwrap());
    assert_eq!(after.pawn_key(), before.pawn_key());
    assert_ne!(after.minor_key(), before.minor_key());
    assert_ne!(after.non_pawn_key(Color::White), before.non_pawn_key(Color::White));
    assert_eq!(after.non_pawn_key(Color::Black), before.non_pawn_key(Color::Black));
    let position = Position::startpos();
    assert_eq!(position.attackers_to(Square::F3, position.occupied()).len(), 3);
    let attacked = Position::startpos().attacked_by(Color::White);
    assert!(attacked.has(Square::F3) && !attacked.has(Square::F4));
    let position = Position::from_fen("4k3/4p3/8/8/8/8/8/4KR2 w - - 0 1").unwrap();
    assert!(position.has_non_pawn_material(Color::White));
    assert!(!position.has_non_pawn_material(Color::Black));
    let position = Position::startpos();
    let knight = position.parse_san("Nf3").unwrap();
    assert_eq!(position.moved_piece(knight), Piece::WhiteKnight);
    let position = Position::from_fen("4k3/8/8/3n4/4P3/8/8/4K3 w - - 0 1").unwrap();
    let takes = position.parse_san("exd5").unwrap();
    assert_eq!(position.captured_by(takes), Some(PieceKind::Knight));
    let mut moves = MoveList::new();
    Position::startpos().generate(Generate::Quiet, &mut moves);
    assert_eq!(moves.len(), 20);
    let position = Position::startpos();
    assert!(position.legal_moves().into_iter().all(|mv| position.is_legal(mv)));
    let mate = Position::from_fen("R5k1/5ppp/8/8/8/8/8/4K3 b - - 0 1").unwrap();
    assert!(mate.in_check() && !mate.has_legal_move());
}

#[test]
fn position_play() {
    let mut position = Position::startpos();
    position.make(position.parse_san("e4").unwrap());
    position.unmake();
    assert_eq!(position.key(), Position::startpos().key());
    let mut position = Position::startpos();
    position.make_null();
    assert_eq!(position.side_to_move(), Color::Black);
    let mut position = Position::startpos();
    position.make_null();
    position.unmake_null();
    assert_eq!(position.side_to_move(), Color::White);
    let mut position = Position::startpos();
    position.make(position.parse_san("e4").unwrap());
    position.clear_undo();
    assert_eq!(position.plies(), 0);
    let mut position = Position::startpos();
    position.make(position.parse_san("e4").unwrap());
    assert_eq!(position.plies(), 1);
}

#[test]
fn raw() {
    assert_eq!(Square::from_masked(0b1100_0001), Square::B1);
    assert_eq!(bishop_attacks(Square::A1, Bitboard::EMPTY).len(), 7);
    assert_eq!(bishop_attacks(Square::A1, Square::C3.bitboard()).len(), 2);
    assert_eq!(rook_attacks(Square::A1, Bitboard::EMPTY).len(), 14);
    assert_eq!(rook_attacks(Square::A1, Square::A2.bitboard()).len(), 8);
}

#[test]
fn see() {
    assert_eq!(SEE_VALUES[PieceKind::Rook.index()], 500);
}

#[test]
fn setup() {
    assert_eq!(Setup::empty().to_string(), "8/8/8/8/8/8/8/8 w - - 0 1");
    let mut setup = Setup::empty();
    setup.castling = Square::H1.bitboard();
    assert_eq!(setup.repair(), [Repair::CastlingSquare(Square::H1)]);
    assert_eq!(setup, Setup::empty());
}

#[test]
fn square() {
    assert_eq!(Square::E4.file(), File::E);
    assert_eq!(Square::E4.rank(), Rank::Fourth);
    assert_eq!(File::ALL[7], File::H);
    assert_eq!(File::C.index(), 2);
    assert_eq!(File::from_index(2), Some(File::C));
    assert_eq!(File::from_index(8), None);
    assert_eq!(File::C.to_char(), 'c');
    assert_eq!(File::from_char('C'), Some(File::C));
    assert_eq!(File::from_char('i'), None);
    assert_eq!(Rank::ALL[7], Rank::Eighth);
    assert_eq!(Rank::Third.index(), 2);
    assert_eq!(Rank::from_index(2), Some(Rank::Third));
    assert_eq!(Rank::from_index(8), None);
    assert_eq!(Rank::First.relative_to(Color::Black), Rank::Eighth);
    assert_eq!(Rank::Third.to_char(), '3');
    assert_eq!(Rank::from_char('3'), Some(Rank::Third));
    assert_eq!(Rank::from_char('9'), None);
    let visits = [0_u32; Square::COUNT];
    assert_eq!(visits.len(), Square::ALL.len());
    let corner = Square::ALL.into_iter().rfind(|square| square.file() == File::A);
    assert_eq!(corner, Some(Square::A8));
    assert_eq!(Square::new(File::E, Rank::Fourth), Square::E4);
    assert_eq!(Square::from_index(8), Some(Square::A2));
    assert_eq!(Square::from_index(64), None);
    assert_eq!(Square::A2.index(), 8);
    assert_eq!(Square::C7.file(), File::C);
    assert_eq!(Square::C7.rank(), Rank::Seventh);
    assert_eq!(Square::C7.flip_rank(), Square::C2);
    assert_eq!(Square::C7.flip_file(), Square::F7);
    assert_eq!(Square::G1.relative_to(Color::Black), Square::G8);
    assert_eq!(Square::E2.offset(0, 2), Some(Square::E4));
    assert_eq!(Square::H1.offset(1, 0), None);
    assert_eq!(Square::H1.offset(i8::MAX, 0), None);
    assert_eq!(Square::A8.offset(i8::MIN, i8::MAX), None);
    assert_eq!(Square::A1.distance(Square::C8), 7);
    assert_eq!("e9".parse::<Square>(), Err(SquareError));
}

#[test]
fn uci_move() {
    let double_push = Move::new(Square::E2, Square::E4, MoveKind::DoublePush);
    let text = Position::startpos().uci(double_push, CastlingNotation::Classic);
    assert_eq!(text.to_string(), "e2e4");
}
