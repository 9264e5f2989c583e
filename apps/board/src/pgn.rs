//! From the words of a game to a tree, and back.

use tamarin_movegen::Color;
use tamarin_notation::pgn::{Game, Gap, Token, Word};

use crate::place::{AnyMove, Castling, Place, clip};
use crate::tree::{Node, NodeId, Tree};

/// A word of a game: a move that was read already, or anything else.
pub enum Piece {
    /// A move of the main line.
    Move(AnyMove),
    /// Anything else.
    Word(Word),
}

/// Where a variation was opened.
struct Open {
    /// The node that the line outside goes on from.
    node: NodeId,
    place: Place,
}

/// Builds a tree from words. However deep variations nest, this needs no recursion.
struct Builder {
    tree: Tree,
    at: NodeId,
    place: Place,
    opened: Vec<Open>,
    /// Comments before the first move of a line.
    lead: Vec<String>,
    /// A line has begun, and no move of it was there yet.
    is_new: bool,
    /// Text of a variation that cannot be played, and how deep it is inside it.
    unread: Option<(String, usize)>,
}

/// The tree of a game of chess.
///
/// # Errors
/// If it has more moves than a tree holds.
pub fn of_game(game: &Game, castling: Castling) -> Result<Tree, String> {
    let start = Place::Chess(Box::new(game.start.clone()), castling);
    let word = |word: &Word| Piece::Word(word.clone());
    let line = game.moves.iter().flat_map(|played| {
        let own = std::iter::once(Piece::Move(AnyMove::Chess(played.mv)));
        own.chain(played.words.iter().map(word))
    });
    tree(start, game.lead.iter().map(word).chain(line))
}

/// The tree of a game. Variations that cannot be played are kept as text.
///
/// # Errors
/// If a move of the main line is none.
pub fn tree(start: Place, pieces: impl IntoIterator<Item = Piece>) -> Result<Tree, String> {
    let mut builder = Builder {
        place: start.clone(),
        tree: Tree::new(start),
        at: 0,
        opened: Vec::new(),
        lead: Vec::new(),
        is_new: true,
        unread: None,
    };
    for piece in pieces {
        match piece {
            Piece::Move(mv) => builder.play(mv)?,
            Piece::Word(word) => builder.word(&word)?,
        }
    }
    // Without moves they are about the first position.
    let lead = std::mem::take(&mut builder.lead);
    if !lead.is_empty() {
        builder.tree.annotate(builder.at, |node| node.comments.extend(lead));
    }
    Ok(builder.tree)
}

impl Builder {
    fn play(&mut self, mv: AnyMove) -> Result<(), String> {
        let id = self.tree.add(self.at, mv, &self.place).map_err(|error| error.to_string())?;
        self.place.make(mv);
        self.at = id;
        self.is_new = false;
        let lead = std::mem::take(&mut self.lead);
        if !lead.is_empty() {
            self.tree.annotate(id, |node| node.lead = lead);
        }
        Ok(())
    }

    fn word(&mut self, word: &Word) -> Result<(), String> {
        if self.unread.is_some() {
            return self.unread_word(&word.token);
        }
        match &word.token {
            Token::Comment(text) | Token::LineComment(text) | Token::Escape(text) => {
                // What stands in an escape is for other programs: a comment keeps it.
                let text = text.replace('}', ")").replace('{', "(");
                // A blank and a line break are the same.
                let text = text.replace("\r\n", " ").replace(['\r', '\n'], " ");
                if self.is_new {
                    self.lead.push(text);
                } else {
                    self.tree.annotate(self.at, |node| node.comments.push(text));
                }
            }
            Token::Glyph { code, .. } => {
                let code = *code;
                self.tree.annotate(self.at, |node| node.nags.push(code));
            }
            Token::Open => self.open(),
            Token::Close => self.close(),
            Token::San(text) => self.text(text)?,
            Token::Other(text) if self.place.rules().is_some() => self.text(text)?,
            // A null move: what follows cannot be played.
            Token::Other(text) if !self.opened.is_empty() && matches!(&**text, "--" | "Z0") => {
                self.unread = Some((text.clone(), 0));
            }
            Token::Number(_) | Token::Result(_) | Token::Other(_) => {}
        }
        Ok(())
    }

    /// A move as text: of a variation, or of a variant.
    fn text(&mut self, text: &str) -> Result<(), String> {
        // Variants have moves that chess would take for something else.
        let plain = text.trim_start_matches(|c: char| c.is_ascii_digit() || c == '.');
        let plain = plain.trim_end_matches(['!', '?']);
        if plain.is_empty() {
            return Ok(());
        }
        match self.place.find(plain) {
            Ok(mv) => self.play(mv),
            Err(error) if self.opened.is_empty() => {
                Err(format!("move {}: {error}", self.tree.ply(self.at) / 2 + 1))
            }
            Err(_) => {
                self.unread = Some((clip_long(text), 0));
                Ok(())
            }
        }
    }

    /// A variation begins: it takes the place of the last move.
    fn open(&mut self) {
        let parent = self.tree.node(self.at).and_then(|node| node.parent);
        self.opened.push(Open { node: self.at, place: self.place.clone() });
        let Some(parent) = parent else {
            // One before the first move replaces nothing.
            self.unread = Some((String::new(), 0));
            return;
        };
        self.at = parent;
        self.place = self.tree.place(parent);
        self.is_new = true;
    }

    fn close(&mut self) {
        if let Some(Open { node, place }) = self.opened.pop() {
            // A variation without moves leaves what it says with the line outside.
            let lead = std::mem::take(&mut self.lead);
            if !lead.is_empty() {
                self.tree.annotate(node, |node| node.comments.extend(lead));
            }
            (self.at, self.place) = (node, place);
            self.is_new = self.at == 0;
        }
    }

    /// More of a variation that cannot be played.
    fn unread_word(&mut self, token: &Token) -> Result<(), String> {
        let Some((text, depth)) = &mut self.unread else { return Ok(()) };
        let mut add = |word: &str| {
            if !text.is_empty() {
                text.push(' ');
            }
            text.push_str(word);
        };
        match token {
            Token::Open => {
                *depth += 1;
                add("(");
            }
            Token::Close if *depth > 0 => {
                *depth -= 1;
                add(")");
            }
            Token::Close => {
                let (text, _) = self.unread.take().unwrap_or_default();
                let id = if self.is_new {
                    self.opened.last().map_or(0, |open| open.node)
                } else {
                    self.at
                };
                if !text.is_empty() {
                    self.tree.annotate(id, |node| node.unread.push(text));
                }
                self.close();
            }
            Token::Number(word) | Token::San(word) | Token::Result(word) | Token::Other(word) => {
                add(word);
            }
            Token::Glyph { text: word, .. } => add(word),
            Token::Comment(word) | Token::LineComment(word) | Token::Escape(word) => {
                add(&format!("{{{}}}", word.replace(['{', '}'], " ")));
            }
        }
        Ok(())
    }
}

fn clip_long(text: &str) -> String {
    if text.len() > 64 { clip(text) } else { text.to_owned() }
}

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

#[cfg(test)]
mod tests {
    use super::{of_game, words};
    use crate::place::{Castling, Place};
    use crate::tree::{NodeId, Tree};
    use rand::RngExt;
    use rand_xoshiro::Xoshiro256PlusPlus;
    use rand_xoshiro::rand_core::SeedableRng;
    use tamarin_movegen::Position;
    use tamarin_notation::pgn::games::GameText;
    use tamarin_notation::pgn::{Movetext, read};

    fn text(tree: &Tree) -> String {
        let mut text = Movetext::default();
        text.words(&words(tree));
        text.finish() + "*\n"
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
        let start = Position::from_fen(fens[random.random_range(0..2)]).unwrap();
        let mut tree = Tree::new(Place::Chess(Box::new(start), Castling::Classic));
        for _ in 0..random.random_range(0..50) {
            let count = tree.nodes().count() as u32;
            // Mostly at the end, so that there are long lines.
            let at =
                if random.random_bool(0.6) { count - 1 } else { random.random_range(0..count) };
            let place = tree.place(at);
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
            let text_of = GameText { bytes: whole.into_bytes(), ..GameText::default() };
            let game = read(&text_of).unwrap();
            let again = of_game(&game, Castling::Classic).unwrap();
            assert_eq!(shape(&again, 0), shape(&tree, 0), "{seed}: {written}");
            assert_eq!(text(&again), written, "{seed}");
        }
    }
}
