//! From a game to the tree of its moves, and back.

use super::game::{Game, Outcome, Tag};
use super::rules::Rules;
use super::words::{Gap, Token, Word};
use super::write::write;
use crate::position::{Move, Position, clip};
use crate::tree::{Node, NodeId, Tree};
use crate::variation::number_of;

/// The tree of a game. Variations that cannot be played are kept as text.
///
/// # Errors
/// If there is a null move in the main line, or it has too many moves.
pub fn tree(game: &Game<Position>) -> Result<Tree, String> {
    let mut builder = Builder::new(game.start.clone());
    game.lead.iter().try_for_each(|word| builder.word(word))?;
    for (index, played) in game.moves.iter().enumerate() {
        let ply = index + 1;
        let null = || format!("ply {ply}: a null move, which a tree of moves cannot hold");
        builder.play(played.mv.ok_or_else(null)?)?;
        played.words.iter().try_for_each(|word| builder.word(word))?;
    }
    Ok(builder.finish())
}

/// The text of a game by its tree.
pub fn write_tree<'a>(
    tags: impl IntoIterator<Item = (&'a str, &'a str)>,
    tree: &Tree,
    outcome: Outcome,
) -> String {
    let mut game = Game::of_position(tree.start().clone());
    game.tags = tags.into_iter().map(|(name, value)| Tag::new(name, value)).collect();
    game.lead = words(tree);
    game.lead.push(Word::new(Token::Result(outcome.to_string())));
    write(&game)
}

struct Open {
    /// The node that the line outside goes on from.
    node: NodeId,
    position: Position,
}

/// Builds a tree from words. However deep variations nest, this needs no recursion.
struct Builder {
    tree: Tree,
    at: NodeId,
    position: Position,
    opened: Vec<Open>,
    /// Comments before the first move of a line.
    lead: Vec<String>,
    /// A line has begun, and no move of it was there yet.
    is_new: bool,
    /// Text of a variation that cannot be played, and how deep it is inside it.
    unread: Option<(String, usize)>,
}

impl Builder {
    fn new(start: Position) -> Self {
        Self {
            position: start.clone(),
            tree: Tree::new(start),
            at: 0,
            opened: Vec::new(),
            lead: Vec::new(),
            is_new: true,
            unread: None,
        }
    }

    fn finish(mut self) -> Tree {
        // Without moves they are about the first position.
        let lead = std::mem::take(&mut self.lead);
        if !lead.is_empty() {
            self.tree.annotate(self.at, |node| node.comments.extend(lead));
        }
        self.tree
    }

    fn play(&mut self, mv: Move) -> Result<(), String> {
        let id = self.tree.add(self.at, mv, &self.position).map_err(|error| error.to_string())?;
        self.position.make(mv);
        self.at = id;
        self.is_new = false;
        let mut lead = std::mem::take(&mut self.lead);
        if self.opened.is_empty() && id == 1 {
            // Scores and drawings before the first move are about the first position.
            let (own, rest) = lead.into_iter().partition(|text| text.contains("[%"));
            lead = rest;
            if !own.is_empty() {
                self.tree.annotate(0, |node| node.comments = own);
            }
        }
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
            // In the main line all moves are read.
            Token::San(source) | Token::Other(source) if !self.opened.is_empty() => {
                if let Some(text) = self.position.move_text(&word.token) {
                    match self.position.find_move(text) {
                        Ok(mv) => self.play(mv)?,
                        Err(_) => self.unread = Some((clip_long(source), 0)),
                    }
                }
            }
            Token::San(_) | Token::Other(_) | Token::Number(_) | Token::Result(_) => {}
        }
        Ok(())
    }

    /// A variation begins: it takes the place of the last move.
    fn open(&mut self) {
        let parent = self.tree.node(self.at).and_then(|node| node.parent);
        self.opened.push(Open { node: self.at, position: self.position.clone() });
        let Some(parent) = parent else {
            // One before the first move replaces nothing.
            self.unread = Some((String::new(), 0));
            return;
        };
        self.at = parent;
        self.position = self.tree.position(parent);
        self.is_new = true;
    }

    fn close(&mut self) {
        if let Some(Open { node, position }) = self.opened.pop() {
            // A variation without moves leaves what it says with the line outside.
            let lead = std::mem::take(&mut self.lead);
            if !lead.is_empty() {
                self.tree.annotate(node, |node| node.comments.extend(lead));
            }
            (self.at, self.position) = (node, position);
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
fn words(tree: &Tree) -> Vec<Word> {
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
    let ply = tree.start().ply_number() + tree.ply(id) as u32 - 1;
    let is_due = numbered == Numbered::Yes || !node.lead.is_empty();
    if is_due || ply.is_multiple_of(2) {
        out.push(Word::new(Token::Number(number_of(ply))));
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
