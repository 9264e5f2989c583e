//! From a tree to the words of a game.

use tamarin_game::pgn::{Gap, Token, Word};
use tamarin_movegen::Color;

use tamarin_game::tree::{Node, NodeId, Tree};

/// What is still to be written.
enum Task {
    /// A move, with its number if that is due anyway.
    Move(NodeId, Numbered, Where),
    /// A variation that begins with this move.
    Variation(NodeId),
    /// What follows a move in its line.
    Next(NodeId, Numbered),
    /// The end of a variation.
    Close,
}

/// Where in its line a move is.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Where {
    Begin,
    Inside,
}

/// Whether a move of Black needs its number.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Numbered {
    Yes,
    No,
}

/// The words of a tree in the order of PGN, with move numbers where they belong.
pub fn words(tree: &Tree) -> Vec<Word> {
    let mut out = Vec::new();
    if let Some(root) = tree.node(0) {
        notes(&mut out, root);
    }
    let mut tasks = vec![Task::Next(0, Numbered::Yes)];
    while let Some(task) = tasks.pop() {
        match task {
            Task::Close => out.push(Word { gap: Gap::none(), token: Token::Close }),
            Task::Variation(id) => {
                out.push(Word::new(Token::Open));
                tasks.push(Task::Close);
                tasks.push(Task::Move(id, Numbered::Yes, Where::Begin));
            }
            Task::Next(id, numbered) => {
                let next = tree.node(id).and_then(|node| node.children.first());
                tasks.extend(next.map(|next| Task::Move(*next, numbered, Where::Inside)));
            }
            Task::Move(id, numbered, place) => {
                let place = if tree.ply(id) == 1 { Where::Begin } else { place };
                write_move(tree, (id, numbered, place), &mut tasks, &mut out);
            }
        }
    }
    // Nothing is between a parenthesis and what it begins with.
    for index in 1..out.len() {
        if out[index - 1].token == Token::Open {
            out[index].gap = Gap::none();
        }
    }
    out
}

fn write_move(
    tree: &Tree,
    (id, numbered, place): (NodeId, Numbered, Where),
    tasks: &mut Vec<Task>,
    out: &mut Vec<Word>,
) {
    let Some(node) = tree.node(id) else { return };
    let lead = node.lead.iter().map(|text| Word::new(Token::Comment(text.clone())));
    // Before a move inside a line it would be read as said of the move before.
    let (before, after) = match place {
        Where::Begin => (Some(lead), None),
        Where::Inside => (None, Some(lead)),
    };
    out.extend(before.into_iter().flatten());
    let start = tree.start();
    let is_black = start.turn() == Color::Black;
    let ply = tree.ply(id) - 1 + usize::from(is_black);
    let number = start.number() as usize + ply / 2;
    let is_due = numbered == Numbered::Yes || !node.lead.is_empty();
    match ply % 2 {
        0 => out.push(Word::new(Token::Number(format!("{number}.")))),
        _ if is_due => out.push(Word::new(Token::Number(format!("{number}...")))),
        _ => {}
    }
    out.push(Word::new(Token::San(node.san.clone())));
    out.extend(after.into_iter().flatten());
    notes(out, node);
    let siblings = node.parent.and_then(|parent| tree.node(parent));
    let siblings = siblings.map_or(&[][..], |parent| &parent.children);
    let others = match siblings {
        [first, others @ ..] if *first == id => others,
        _ => &[],
    };
    let has_text = !node.comments.is_empty() || (place == Where::Inside && !node.lead.is_empty());
    let is_cut = has_text || !node.unread.is_empty() || !others.is_empty();
    tasks.push(Task::Next(id, if is_cut { Numbered::Yes } else { Numbered::No }));
    tasks.extend(others.iter().rev().map(|other| Task::Variation(*other)));
}

fn notes(out: &mut Vec<Word>, node: &Node) {
    out.extend(node.nags.iter().map(|nag| Word::glyph(*nag)));
    out.extend(node.comments.iter().map(|text| Word::new(Token::Comment(text.clone()))));
    for text in &node.unread {
        out.push(Word::new(Token::Other(format!("({text})"))));
    }
}
