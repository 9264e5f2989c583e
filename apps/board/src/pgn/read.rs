//! From the words of a game to a tree.

use tamarin_game::pgn::{Game, Token, Word};

use tamarin_game::position::{Castling, Move, Position, clip};
use tamarin_game::tree::{NodeId, Tree};

/// A word of a game: a move that was read already, or anything else.
pub enum Piece {
    /// A move of the main line.
    Move(Move),
    /// Anything else.
    Word(Word),
}

struct Open {
    /// The node that the line outside goes on from.
    node: NodeId,
    place: Position,
}

/// Builds a tree from words. However deep variations nest, this needs no recursion.
struct Builder {
    tree: Tree,
    at: NodeId,
    place: Position,
    opened: Vec<Open>,
    /// Comments before the first move of a line.
    lead: Vec<String>,
    /// A line has begun, and no move of it was there yet.
    is_new: bool,
    /// Text of a variation that cannot be played, and how deep it is inside it.
    unread: Option<(String, usize)>,
}

pub fn of_game(game: &Game, castling: Castling) -> Result<Tree, String> {
    if let Some(ply) = game.moves.iter().position(|played| played.mv.is_none()) {
        let ply = ply + 1;
        return Err(format!(
            "ply {ply}: a null move, which the board cannot show in the main line"
        ));
    }
    let start = Position::Chess(Box::new(game.start.clone()), castling);
    let word = |word: &Word| Piece::Word(word.clone());
    let line = game.moves.iter().flat_map(|played| {
        let own = played.mv.map(|mv| Piece::Move(Move::Chess(mv))).into_iter();
        own.chain(played.words.iter().map(word))
    });
    tree(start, game.lead.iter().map(word).chain(line))
}

/// The tree of a game. Variations that cannot be played are kept as text.
pub fn tree(start: Position, pieces: impl IntoIterator<Item = Piece>) -> Result<Tree, String> {
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
    fn play(&mut self, mv: Move) -> Result<(), String> {
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
            Token::San(text) | Token::Other(text) => {
                let found = match self.place.rules() {
                    Some(_) => move_of_variant(&word.token),
                    None => word.token.move_text(),
                };
                if let Some(plain) = found {
                    self.text(plain, text)?;
                }
            }
            Token::Number(_) | Token::Result(_) => {}
        }
        Ok(())
    }

    /// A move as text, of a variation or of a variant; `source` is how it is written.
    fn text(&mut self, plain: &str, source: &str) -> Result<(), String> {
        match self.place.find(plain) {
            Ok(mv) => self.play(mv),
            Err(error) if self.opened.is_empty() => {
                Err(format!("move {}: {error}", self.tree.ply(self.at) / 2 + 1))
            }
            Err(_) => {
                self.unread = Some((clip_long(source), 0));
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
        self.place = self.tree.position(parent);
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

/// The move that a word of a game of a variant stands for, without a move number before it and
/// glyphs behind it: there are some that chess would take for something else.
fn move_of_variant(token: &Token) -> Option<&str> {
    let (Token::San(text) | Token::Other(text)) = token else { return None };
    let is_castling = text.starts_with("0-0");
    let is_number = |c: char| !is_castling && (c.is_ascii_digit() || c == '.');
    let plain = text.trim_start_matches(is_number).trim_end_matches(['!', '?']);
    Some(plain).filter(|plain| !plain.is_empty())
}

/// Returns `true` if a word of a game of a variant stands for a move.
pub fn is_move_of_variant(token: &Token) -> bool {
    move_of_variant(token).is_some()
}

fn clip_long(text: &str) -> String {
    if text.len() > 64 { clip(text) } else { text.to_owned() }
}
