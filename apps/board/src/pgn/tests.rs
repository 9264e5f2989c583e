//! Random trees are written and read.

use super::{Piece, of_game, tree, words};
use rand::RngExt;
use rand_xoshiro::Xoshiro256PlusPlus;
use rand_xoshiro::rand_core::SeedableRng;
use tamarin_game::pgn::games::GameText;
use tamarin_game::pgn::{Movetext, read};
use tamarin_game::position::{Castling, Position};
use tamarin_game::tree::{NodeId, Tree};
use tamarin_movegen as chess;
use tamarin_variant as variant;

fn text(tree: &Tree) -> String {
    let mut text = Movetext::default();
    text.words(&words(tree));
    text.finish() + "*\n"
}

fn read_text(text: &str) -> Result<Tree, String> {
    let game = read(&GameText { bytes: text.into(), ..GameText::default() }).unwrap();
    of_game(&game, Castling::Classic)
}

/// All that is said of a node and what follows it, in the order of the tree.
fn shape(tree: &Tree, id: NodeId) -> String {
    let node = tree.node(id).unwrap();
    let rest: Vec<String> = node.children.iter().map(|child| shape(tree, *child)).collect();
    let (lead, nags, comments) = (&node.lead, &node.nags, &node.comments);
    format!("{lead:?}{}{nags:?}{comments:?}({})", node.san, rest.join(","))
}

fn random_tree(seed: u64) -> Tree {
    let mut random = Xoshiro256PlusPlus::seed_from_u64(seed);
    let fens = [
        "rnbqkbnr/pppppppp/8/8/8/8/PPPPPPPP/RNBQKBNR w KQkq - 0 1",
        "r3k2r/8/8/8/8/8/8/R3K2R b KQkq - 3 17",
    ];
    let start = chess::Position::from_fen(fens[random.random_range(0..2)]).unwrap();
    let mut tree = Tree::new(Position::Chess(Box::new(start), Castling::Classic));
    for _ in 0..random.random_range(0..50) {
        let count = tree.nodes().count() as u32;
        // Mostly at the end, so that there are long lines.
        let at = if random.random_bool(0.6) { count - 1 } else { random.random_range(0..count) };
        let place = tree.position(at);
        let legal = place.legal();
        if legal.is_empty() {
            continue;
        }
        let mv = legal[random.random_range(0..legal.len())].mv;
        let id = tree.add(at, mv, &place).unwrap();
        let begins = at == 0 || tree.node(at).unwrap().children[0] != id;
        let [leads, says, judged] = [0.3, 0.3, 0.2].map(|chance| random.random_bool(chance));
        tree.annotate(id, |node| {
            if leads && begins && node.lead.is_empty() {
                node.lead.push(" before ".to_owned());
            }
            if says {
                node.comments.push(format!(" [%clk 0:0{}:00] said ", id % 10));
            }
            if judged {
                node.nags.push((id % 139) as u8 + 1);
            }
        });
    }
    tree
}

#[test]
fn what_is_written_of_a_tree_is_read_as_that_tree() {
    for seed in 0..200 {
        let tree = random_tree(seed);
        let written = text(&tree);
        let fen = tree.start().fen();
        let whole = format!("[FEN \"{fen}\"]\n\n{written}");
        let again = read_text(&whole).unwrap();
        assert_eq!(shape(&again, 0), shape(&tree, 0), "{seed}: {written}");
        assert_eq!(text(&again), written, "{seed}");
    }
}

#[test]
fn null_moves_are_kept_in_variations_and_named_in_the_main_line() {
    let tree = read_text("1. e4 e5 (1... -- 2. d4 {threat} Z0) 2. Nf3 (2. Z0) *").unwrap();
    let written = text(&tree);
    assert_eq!(written, "1. e4 e5 (-- 2. d4 {threat} Z0) 2. Nf3 (Z0)\n*\n");
    assert_eq!(text(&read_text(&written).unwrap()), written);
    let Err(error) = read_text("1. e4 -- 2. d4 *") else { panic!("a null move") };
    assert_eq!(error, "ply 2: a null move, which the board cannot show in the main line");
}

#[test]
fn variations_in_other_notations_keep_their_moves() {
    let start = "[FEN \"6k1/5ppp/r7/8/8/8/5PPP/3R2K1 w - - 0 30\"]\n\n";
    for (tags, line, wanted) in [
        (
            "",
            "1. e4 e5 (1... c7-c5 2. Ng1-f3 d6 3. d2-d4) 2. Nf3 Nc6",
            "1. e4 e5 (1... c5 2. Nf3 d6 3. d4) 2. Nf3 Nc6",
        ),
        (start, "30. g3 (30. Rd4= Rd6 N 31. h3) 30... g6", "30. g3 (30. Rd4 Rd6 31. h3) 30... g6"),
        (
            "",
            "1. e4 e5 2. Nf3 Nf6 3. Bc4 d6 4. d3 (4. 0-0 Be7)",
            "1. e4 e5 2. Nf3 Nf6 3. Bc4 d6 4. d3 (4. O-O Be7)",
        ),
        // In another language it cannot be played and stays as text.
        ("", "1. e4 e5 (1... Sf6= 2. d4) 2. Nf3", "1. e4 e5 (Sf6= 2. d4) 2. Nf3"),
    ] {
        let written = text(&read_text(&format!("{tags}{line} *")).unwrap());
        assert_eq!(written, format!("{wanted}\n*\n"));
        assert_eq!(text(&read_text(&format!("{tags}{written}")).unwrap()), written);
    }
}

#[test]
fn castling_in_variants_may_be_written_with_zeros() {
    let rules = variant::builtin("crazyhouse").unwrap();
    let moves = "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. 0-0! *";
    let game = GameText { bytes: moves.into(), ..GameText::default() };
    let (_, found) = tamarin_game::pgn::words(&game).unwrap();
    let start = Position::Variant(Box::new(variant::Position::start(&rules)));
    let tree = tree(start, found.into_iter().map(Piece::Word)).unwrap();
    assert_eq!(text(&tree), "1. e4 e5 2. Nf3 Nc6 3. Bc4 Bc5 4. O-O $1\n*\n");
}
