//! The tree of moves of a game: its main line, variations, comments and glyphs, and what was
//! changed last.

use std::collections::VecDeque;
use std::sync::Arc;

use tamarin_movegen::Color;

use crate::position::{Move, Position};

/// The number of a node; 0 is the first position. Numbers are not used again.
pub type NodeId = u32;

/// Nodes of a tree at most.
pub const MAX_NODES: usize = 20_000;

const MAX_UNDO: usize = 100;

/// The longest comment, in characters.
const MAX_COMMENT: usize = 4_000;

/// A move, or the first position, with what is said about it.
#[derive(Clone, Debug)]
pub struct Node {
    /// Where the move is played; `None` for the first position.
    pub parent: Option<NodeId>,
    /// What is played here, the main line first.
    pub children: Vec<NodeId>,
    /// The move; `None` for the first position.
    pub mv: Option<Move>,
    /// The move as commands name it.
    pub text: String,
    /// The move in algebraic notation.
    pub san: String,
    /// The squares that it leaves and goes to.
    pub squares: [String; 2],
    /// Comments before the move, where a line begins with it.
    pub lead: Vec<String>,
    /// Comments, as PGN has them: with commands such as `[%clk 0:03:00]`.
    pub comments: Vec<String>,
    /// Numeric annotation glyphs.
    pub nags: Vec<u8>,
    /// Variations of this move that cannot be played, as text.
    pub unread: Vec<String>,
}

/// Why a tree was not changed.
#[derive(Clone, PartialEq, Eq, Debug, thiserror::Error)]
pub enum TreeError {
    #[error("there is no move {0} in this game; nothing was changed")]
    NoNode(NodeId),
    #[error("this is the first position, not a move; nothing was changed")]
    Root,
    #[error("this line is the main line already; nothing was changed")]
    IsMain,
    #[error("a game holds at most {MAX_NODES} moves; nothing was changed")]
    Full,
    #[error("a comment has at most {MAX_COMMENT} characters; nothing was changed")]
    Comment,
    #[error("there is nothing to undo")]
    NothingToUndo,
    #[error("there is nothing to redo")]
    NothingToRedo,
}

/// All nodes by number; those that were deleted are gone. Unchanged nodes are shared with the trees
/// that an undo brings back.
type Nodes = Vec<Option<Arc<Node>>>;

/// A tree that an undo may bring back.
pub struct Checkpoint {
    nodes: Nodes,
    shown: NodeId,
    changes: u64,
}

#[derive(Clone)]
pub struct Tree {
    start: Position,
    nodes: Nodes,
    living: usize,
    /// Earlier trees, the last one last, with what was on the board.
    undo: VecDeque<(Nodes, NodeId)>,
    redo: Vec<(Nodes, NodeId)>,
    changes: u64,
}

impl Node {
    fn root() -> Self {
        Self {
            parent: None,
            children: Vec::new(),
            mv: None,
            text: String::new(),
            san: String::new(),
            squares: Default::default(),
            lead: Vec::new(),
            comments: Vec::new(),
            nags: Vec::new(),
            unread: Vec::new(),
        }
    }
}

impl Tree {
    /// A tree without moves.
    pub fn new(start: Position) -> Self {
        Self {
            start,
            nodes: vec![Some(Arc::new(Node::root()))],
            living: 1,
            undo: VecDeque::new(),
            redo: Vec::new(),
            changes: 0,
        }
    }

    /// The first position.
    pub const fn start(&self) -> &Position {
        &self.start
    }

    /// How often the tree was changed.
    pub const fn changes(&self) -> u64 {
        self.changes
    }

    /// How many nodes there are, the first position included.
    pub const fn size(&self) -> usize {
        self.living
    }

    pub fn node(&self, id: NodeId) -> Option<&Node> {
        self.nodes.get(id as usize)?.as_deref()
    }

    fn node_mut(&mut self, id: NodeId) -> Result<&mut Node, TreeError> {
        let found = self.nodes.get_mut(id as usize).and_then(Option::as_mut);
        found.map(Arc::make_mut).ok_or(TreeError::NoNode(id))
    }

    /// All nodes in the order of their numbers.
    pub fn nodes(&self) -> impl Iterator<Item = (NodeId, &Node)> {
        let all = (0..).zip(&self.nodes);
        all.filter_map(|(id, node)| Some((id, node.as_deref()?)))
    }

    /// The nodes from the first position to a node, both included.
    pub fn path(&self, id: NodeId) -> Vec<NodeId> {
        let mut path = vec![id];
        let mut at = id;
        while let Some(parent) = self.node(at).and_then(|node| node.parent) {
            path.push(parent);
            at = parent;
        }
        path.reverse();
        path
    }

    /// The position of a node, with all moves before it.
    pub fn position(&self, id: NodeId) -> Position {
        let mut position = self.start.clone();
        for step in self.path(id) {
            if let Some(mv) = self.node(step).and_then(|node| node.mv) {
                position.make(mv);
            }
        }
        position
    }

    /// The number of plies from the first position to a node.
    pub fn ply(&self, id: NodeId) -> usize {
        self.path(id).len() - 1
    }

    /// Whose turn it is at a node: sides take turns.
    pub fn turn(&self, id: NodeId) -> Color {
        let first = self.start.turn();
        if self.ply(id).is_multiple_of(2) { first } else { !first }
    }

    /// The main line from a node on, the node included.
    pub fn line_from(&self, id: NodeId) -> Vec<NodeId> {
        let mut line = vec![id];
        let mut at = id;
        while let Some(&next) = self.node(at).and_then(|node| node.children.first()) {
            line.push(next);
            at = next;
        }
        line
    }

    /// The main line, the first position included.
    pub fn main_line(&self) -> Vec<NodeId> {
        self.line_from(0)
    }

    /// The end of the main line.
    pub fn tip(&self) -> NodeId {
        self.main_line().last().copied().unwrap_or(0)
    }

    /// Adds a move that is legal at a node, or finds it there.
    pub fn add(&mut self, at: NodeId, mv: Move, position: &Position) -> Result<NodeId, TreeError> {
        let parent = self.node(at).ok_or(TreeError::NoNode(at))?;
        let is_same = |id: &&NodeId| self.node(**id).is_some_and(|node| node.mv == Some(mv));
        if let Some(&there) = parent.children.iter().find(is_same) {
            return Ok(there);
        }
        let full = self.living >= MAX_NODES || self.nodes.len() >= 10 * MAX_NODES;
        let id = NodeId::try_from(self.nodes.len()).ok().filter(|_| !full);
        let id = id.ok_or(TreeError::Full)?;
        let (text, san, squares) = (position.text(mv), position.san(mv), position.squares_of(mv));
        self.node_mut(at)?.children.push(id);
        let node = Node { parent: Some(at), mv: Some(mv), text, san, squares, ..Node::root() };
        self.nodes.push(Some(Arc::new(node)));
        self.living += 1;
        self.changes += 1;
        Ok(id)
    }

    /// The tree as it is now, with what is on the board.
    pub fn checkpoint(&self, shown: NodeId) -> Checkpoint {
        Checkpoint { nodes: self.nodes.clone(), shown, changes: self.changes }
    }

    /// What has changed since a checkpoint can be undone, and what was undone before cannot be
    /// made again. Without a change everything stays as it was.
    pub fn keep_for_undo(&mut self, before: Checkpoint) {
        if self.changes == before.changes {
            return;
        }
        self.redo.clear();
        self.undo.push_back((before.nodes, before.shown));
        if self.undo.len() > MAX_UNDO {
            self.undo.pop_front();
        }
    }

    fn replace(&mut self, nodes: Nodes) -> Nodes {
        self.living = nodes.iter().flatten().count();
        self.changes += 1;
        std::mem::replace(&mut self.nodes, nodes)
    }

    /// Undoes the last change, and gives what was on the board before it.
    pub fn undo(&mut self, shown: NodeId) -> Result<NodeId, TreeError> {
        let (mut nodes, at) = self.undo.pop_back().ok_or(TreeError::NothingToUndo)?;
        // Numbers stay used.
        nodes.resize(self.nodes.len(), None);
        let old = self.replace(nodes);
        self.redo.push((old, shown));
        Ok(at)
    }

    /// Makes a change again that was undone.
    pub fn redo(&mut self, shown: NodeId) -> Result<NodeId, TreeError> {
        let (nodes, at) = self.redo.pop().ok_or(TreeError::NothingToRedo)?;
        let old = self.replace(nodes);
        self.undo.push_back((old, shown));
        Ok(at)
    }

    /// Whether there is something to undo, and to redo.
    pub fn can_undo(&self) -> [bool; 2] {
        [!self.undo.is_empty(), !self.redo.is_empty()]
    }

    /// Makes the line of a node the first one where it leaves the line before it.
    pub fn promote(&mut self, id: NodeId) -> Result<(), TreeError> {
        self.node(id).ok_or(TreeError::NoNode(id))?;
        if id == 0 {
            return Err(TreeError::Root);
        }
        for step in self.path(id).into_iter().skip(1).rev() {
            let Some(parent) = self.node(step).and_then(|node| node.parent) else { break };
            let siblings = &mut self.node_mut(parent)?.children;
            if let Some(index) = siblings.iter().position(|one| *one == step)
                && index > 0
            {
                siblings.remove(index);
                siblings.insert(0, step);
                self.changes += 1;
                return Ok(());
            }
        }
        Err(TreeError::IsMain)
    }

    /// Deletes a move with everything after it, and gives the node before it.
    pub fn delete(&mut self, id: NodeId) -> Result<NodeId, TreeError> {
        let node = self.node(id).ok_or(TreeError::NoNode(id))?;
        let parent = node.parent.ok_or(TreeError::Root)?;
        self.node_mut(parent)?.children.retain(|one| *one != id);
        let mut open = vec![id];
        while let Some(next) = open.pop() {
            if let Some(node) = self.nodes.get_mut(next as usize).and_then(Option::take) {
                open.extend(&node.children);
                self.living -= 1;
            }
        }
        self.changes += 1;
        Ok(parent)
    }

    /// Says something about a node. Commands in its comments, such as a clock, stay.
    pub fn set_comment(&mut self, id: NodeId, text: &str) -> Result<(), TreeError> {
        if text.chars().count() > MAX_COMMENT {
            return Err(TreeError::Comment);
        }
        let node = self.node_mut(id)?;
        let mut kept = String::new();
        for comment in &node.comments {
            for command in crate::pgn::comment::commands(comment) {
                kept.push_str(&comment[command.range]);
            }
        }
        let plain = text.replace(char::is_control, " ").replace('{', "(").replace('}', ")");
        let plain = plain.split_whitespace().collect::<Vec<_>>().join(" ");
        let whole = [kept, plain].join(" ").trim().to_owned();
        node.comments = if whole.is_empty() { Vec::new() } else { vec![format!(" {whole} ")] };
        self.changes += 1;
        Ok(())
    }

    /// Notes a command such as `[%clk 0:03:00]` about a node, in position of one of that name; an empty
    /// value takes it away.
    pub fn set_command(&mut self, id: NodeId, name: &str, value: &str) {
        let Ok(node) = self.node_mut(id) else { return };
        for comment in &mut node.comments {
            let old = crate::pgn::comment::commands(comment);
            let range = old.filter(|one| one.name == name).map(|one| one.range).last();
            if let Some(range) = range {
                comment.replace_range(range, "");
            }
        }
        node.comments.retain(|comment| !comment.trim().is_empty());
        if !value.is_empty() {
            node.comments.insert(0, format!(" [%{name} {value}] "));
        }
        self.changes += 1;
    }

    /// Gives a node a glyph, or takes it away if it has it. Of the glyphs for moves, 1 to 6, it has
    /// one at most.
    pub fn toggle_glyph(&mut self, id: NodeId, nag: u8) -> Result<(), TreeError> {
        let node = self.node_mut(id)?;
        let had = node.nags.contains(&nag);
        let of_move = 1..=6;
        let is_alike =
            |other: &u8| *other == nag || (of_move.contains(other) && of_move.contains(&nag));
        node.nags.retain(|other| !is_alike(other));
        if !had && nag > 0 {
            node.nags.push(nag);
        }
        self.changes += 1;
        Ok(())
    }

    /// A node gets everything that a file says about it.
    pub fn annotate(&mut self, id: NodeId, change: impl FnOnce(&mut Node)) {
        if let Ok(node) = self.node_mut(id) {
            change(node);
            self.changes += 1;
        }
    }
}
