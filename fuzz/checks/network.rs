//! What must hold for a network file of any bytes: it is refused, or it evaluates, and then the same
//! whatever was evaluated before. Shared by the fuzz target and the tests.

use std::sync::Arc;

use tamarin_eval::Evaluator;
use tamarin_eval::network::{AccumulatorStack, Network};
use tamarin_movegen::Position;

/// The positions of this game are evaluated: castling, promotion, en passant, a king that crosses
/// the middle of the board.
const GAME: &str = "e2e4 a7a6 e4e5 d7d5 e5d6 a6a5 d6c7 a5a4 c7d8q e8d8 g1f3 d8d7 f1c4 d7c6 e1g1";
/// One position in this number is evaluated anew as well.
const COMPARED: usize = 5;
/// Larger files are refused by their length alone.
const LARGEST: usize = 1 << 18;

/// Panics if reading these bytes as a network breaks a promise. The first byte says whether they
/// are the file or its beginning, which is then repeated to the length that its header asks for,
/// and signed.
pub fn check(bytes: &[u8]) {
    let Some((&first, rest)) = bytes.split_first() else { return };
    let file = if first % 4 == 0 { rest.to_vec() } else { completed(rest) };
    let Ok(network) = Network::from_bytes(&file) else { return };
    assert_eq!(network.to_bytes(), file, "written as it was read");
    let network = Arc::new(network);
    let evaluator = || {
        let mut evaluator = Evaluator::new();
        let accumulators = AccumulatorStack::new(Arc::clone(&network));
        evaluator.set_network(Some(accumulators.expect("there is memory")));
        evaluator
    };
    let mut kept = evaluator();
    let mut position = Position::startpos();
    for (ply, text) in GAME.split(' ').enumerate() {
        let mv = text.parse().ok().and_then(|mv| position.resolve(mv).ok());
        position.make(mv.unwrap_or_else(|| panic!("{text} is a move of the game")));
        if !position.in_check() {
            let score = kept.evaluate(&position, ply);
            assert!(!score.is_decisive(), "after {text}");
            // A new evaluator takes as long as the file.
            if ply % COMPARED == 0 {
                assert_eq!(score, evaluator().evaluate(&position, 0), "after {text}");
            }
        }
    }
}

/// A file that begins with these bytes, has the length that its header asks for and is signed.
fn completed(begin: &[u8]) -> Vec<u8> {
    let field = |at: usize| {
        let bytes = begin.get(at..at + 2).map_or([0; 2], |two| [two[0], two[1]]);
        usize::from(u16::from_le_bytes(bytes))
    };
    let (version, width, buckets, description) = (field(8), field(10), field(12), field(14));
    let (header, king_buckets) = if version == 2 { (18, field(16)) } else { (16, 1) };
    let shorts = king_buckets.saturating_mul(768).saturating_add(1 + 2 * buckets);
    let weights = shorts.saturating_mul(2 * width).saturating_add(4 * buckets);
    let length = (header + description).saturating_add(weights);
    if length > LARGEST || begin.len() <= header {
        return begin.to_vec();
    }
    let mut file = begin[..header].to_vec();
    file.extend(begin[header..].iter().cycle().take(length - header));
    let sum = file.iter().fold(0xcbf2_9ce4_8422_2325_u64, |sum, &byte| {
        (sum ^ u64::from(byte)).wrapping_mul(0x100_0000_01b3)
    });
    file.extend(sum.to_le_bytes());
    file
}
