//! How things are, for pages.

use std::hash::{BuildHasher as _, BuildHasherDefault, DefaultHasher};
use std::sync::Arc;
use std::time::Instant;

use serde::Serialize;
use serde_json::{Map, Value, json};
use tamarin_game::game::captured;
use tamarin_game::openings;
use tamarin_game::pgn::comment;
use tamarin_game::position::{Castling, LegalMove, Move, Position, Standing, side_name};
use tamarin_game::search::Shown;
use tamarin_game::threats;
use tamarin_game::tree::{Node, NodeId};
use tamarin_movegen as chess;
use tamarin_movegen::Color;

use super::Session;
use super::begin::Rules;
use super::report::Report;
use super::solving::Solving;
use crate::players::Player;
use crate::protocol::Kind;

/// Letters and pictures of chess.
const CHESS: [(&str, &str); 6] =
    [("P", "pawn"), ("N", "knight"), ("B", "bishop"), ("R", "rook"), ("Q", "queen"), ("K", "king")];

/// All pieces: their names on the board, in words, and their pictures.
fn pieces(rules: &Rules) -> Vec<Value> {
    match rules {
        Rules::Chess => CHESS
            .iter()
            .map(|(letter, name)| json!({ "letter": letter, "name": name, "image": letter }))
            .collect(),
        Rules::Variant(_, game) => {
            let kinds = 0..u8::try_from(game.piece_count()).unwrap_or(u8::MAX);
            let one = |kind: u8| {
                let name = game.piece_name(kind);
                let moves = game.xbetza(kind).map(|both| both[0].to_owned());
                let image = image(moves.as_deref(), game.is_royal(kind));
                let words = CHESS.iter().find(|(letter, _)| Some(*letter) == image);
                let name_in_words = words.map_or(name, |(_, words)| words);
                json!({ "letter": name, "name": name_in_words, "image": image, "moves": moves })
            };
            kinds.map(one).collect()
        }
    }
}

/// The picture of chess for a piece that moves as one of chess does, by its moves in XBoard's Betza
/// notation. The page chooses one for the others.
fn image(moves: Option<&str>, is_royal: bool) -> Option<&'static str> {
    if is_royal {
        return Some("K");
    }
    let is_pawn =
        |text: &str| text.contains("fmW") && (text.contains("fcF") || text.contains("fceF"));
    match moves? {
        "R" | "W0" | "WW" => Some("R"),
        "B" | "F0" | "FF" => Some("B"),
        "N" => Some("N"),
        "Q" | "RB" | "BR" | "W0F0" | "F0W0" | "WWFF" | "FFWW" => Some("Q"),
        text if is_pawn(text) => Some("P"),
        _ => None,
    }
}

fn legal(one: &LegalMove) -> Value {
    json!({
        "mv": one.text,
        "from": one.from,
        "to": one.to,
        "san": one.san,
        "promotion": one.promotion,
        "drop": one.drop,
        "also": one.also,
    })
}

/// A node as pages get it.
#[derive(Serialize)]
struct NodeJson<'a> {
    id: NodeId,
    parent: Option<NodeId>,
    children: &'a [NodeId],
    mv: Option<&'a str>,
    san: Option<&'a str>,
    ply: u64,
    side: Option<&'static str>,
    number: Option<u64>,
    lead: String,
    comment: String,
    nags: &'a [u8],
    clock: Option<&'a str>,
    shapes: Vec<Value>,
    unread: &'a [String],
    score: Option<Shown>,
}

impl<'a> NodeJson<'a> {
    /// `after` counts the plies of a whole game of chess up to this move.
    fn new(id: NodeId, node: &'a Node, after: u64) -> Self {
        let is_move = node.mv.is_some();
        let played = after.saturating_sub(1);
        let prose = |comments: &[String]| {
            let texts = comments.iter().map(|text| comment::prose(text));
            texts.filter(|text| !text.is_empty()).collect::<Vec<_>>().join(" ")
        };
        let shape = |shape: comment::Shape| json!({ "color": shape.color.to_string(), "squares": shape.squares });
        let shapes = node.comments.iter().flat_map(|text| comment::shapes(text)).map(shape);
        Self {
            id,
            parent: node.parent,
            children: &node.children,
            mv: is_move.then_some(&node.text),
            san: is_move.then_some(&node.san),
            ply: after,
            side: is_move.then_some(if played.is_multiple_of(2) { "white" } else { "black" }),
            number: is_move.then_some(played / 2 + 1),
            lead: prose(&node.lead),
            comment: prose(&node.comments),
            nags: &node.nags,
            clock: comment::command(node.comments.iter().map(String::as_str), "clk"),
            shapes: shapes.collect(),
            unread: &node.unread,
            score: recorded_score(node),
        }
    }
}

/// What `[%eval]` says of a node.
fn recorded_score(node: &Node) -> Option<Shown> {
    let text = comment::command(node.comments.iter().map(String::as_str), "eval")?;
    let text = text.split(',').next()?;
    match text.strip_prefix('#') {
        Some(moves) => moves.parse().ok().map(Shown::Mate),
        None => {
            let pawns = text.parse::<f64>().ok().filter(|pawns| pawns.abs() < 1000.0)?;
            Some(Shown::Centipawns((pawns * 100.0).round() as i32))
        }
    }
}

/// What `[%eval]` says of a score, White's; nothing of a mate that is on the board.
pub(super) fn eval_text(score: Shown) -> Option<String> {
    match score {
        Shown::Mate(0) => None,
        Shown::Mate(moves) => Some(format!("#{moves}")),
        Shown::Centipawns(value) => Some(format!("{:.2}", f64::from(value) / 100.0)),
    }
}

/// A state in JSON, and the tree of moves beside it: a page that has the tree is not sent it again.
#[derive(Clone, Debug)]
pub struct State {
    rest: Arc<str>,
    tree: Arc<str>,
    /// Another one for each tree.
    pub stamp: String,
}

impl State {
    /// All of it; without the tree for a page that has it by the stamp `known`.
    pub fn json(&self, known: Option<&str>) -> String {
        match known == Some(&self.stamp) {
            true => self.rest.to_string(),
            false => {
                format!("{},\"tree\":{}}}", &self.rest[..self.rest.len() - 1], self.tree)
            }
        }
    }
}

impl Session {
    pub fn state(&self) -> State {
        let tree = self.tree_json();
        let stamp = BuildHasherDefault::<DefaultHasher>::default().hash_one(&tree);
        let stamp = format!("{stamp:016x}");
        let rest = self.state_without_tree(&stamp).to_string();
        State { rest: rest.into(), tree: tree.into(), stamp }
    }

    fn state_without_tree(&self, stamp: &str) -> Value {
        let (now, position) = (Instant::now(), self.tree.position(self.at));
        let legal: Vec<Value> = match self.game.ending().is_some() && self.is_game() {
            true => Vec::new(),
            false => position.legal().iter().map(legal).collect(),
        };
        json!({
            "session": self.id,
            "version": self.version,
            "serial": self.serial,
            "kind": self.kind(),
            "game": self.game_json(),
            "position": self.position_json(&position),
            "legal": legal,
            "at": self.at,
            "tip": self.tree.tip(),
            "result": self.result(&position),
            "players": { "white": self.player(Color::White), "black": self.player(Color::Black) },
            "clock": self.clock(now),
            "played_ms": self.is_game().then(|| self.game.total_time(now).as_millis() as u64),
            "request": self.request(),
            "opening": self.opening_of(self.at),
            "draw_offer": self.game.offer().map(side_name),
            "can": self.can(&position),
            "thinking": self.thinking(),
            "paused": self.is_paused,
            "threat": self.threat(&position),
            "threat_on": self.warns,
            "seed": self.seed(),
            "premove": self.premove.as_ref().map(|(_, text)| text),
            "analysis": self.analysis.json(),
            "accuracy": self.accuracy(),
            "programs": self.resources.programs.iter().map(|(name, _)| name).collect::<Vec<_>>(),
            "invites": self.resources.invitation.get().is_some(),
            "take_back_asked": self.take_back_asked.map(side_name),
            "file": self.file_json(),
            "puzzle": self.solving.as_ref().map(Solving::json),
            "report": self.report.as_ref().map(Report::json),
            "shown_game": self.shown_game(),
            "tree_stamp": stamp,
            "scores": self.analysis.scores(),
        })
    }

    fn can(&self, position: &Position) -> Value {
        let [undo, redo] = match self.is_game() {
            true => [false, self.game.can_redo() && self.is_going_on()],
            false => self.tree.can_undo(),
        };
        json!({
            "take_back": self.take_back_plies(None).is_some(),
            "claim_draw": self.may_claim(),
            "offer_draw": self.is_going_on() && self.has_person(),
            "resign": self.is_going_on() && self.has_person(),
            "hint": !self.is_shared_game()
                && (self.game.ending().is_none() || !self.is_game())
                && !self.is_engine_to_move(position)
                && !position.legal().is_empty(),
            "undo": undo,
            "redo": redo,
        })
    }

    /// How the game has ended, or in analysis the rules end it on the board.
    fn result(&self, position: &Position) -> Option<Value> {
        let by_rule = || position.ending().filter(|_| !self.is_game());
        let end = by_rule().or_else(|| self.game.ending())?;
        Some(json!({ "score": end.outcome().to_string(), "reason": end.to_string() }))
    }

    /// Returns `true` if in a game against an engine that one is to move there.
    pub(super) fn is_engine_to_move(&self, position: &Position) -> bool {
        self.kind() == Kind::Play && self.players[position.turn()].is_engine()
    }

    fn has_person(&self) -> bool {
        !self.players.0.iter().all(Player::is_engine)
    }

    fn may_claim(&self) -> bool {
        let tip = self.tree.tip();
        self.is_going_on()
            && !self.players[self.tree.turn(tip)].is_engine()
            && self.tree.position(tip).claim().is_some()
    }

    fn thinking(&self) -> Option<&'static str> {
        let thinks = |color: &Color| self.players[*color].is_thinking();
        Color::ALL.into_iter().find(thinks).map(side_name)
    }

    pub(super) fn game_name(&self) -> String {
        match (&self.rules, self.tree.start()) {
            (Rules::Variant(name, _), _) => name.clone(),
            (Rules::Chess, Position::Chess(_, Castling::Chess960)) => "chess960".to_owned(),
            (Rules::Chess, _) => "chess".to_owned(),
        }
    }

    fn game_json(&self) -> Value {
        let (files, ranks) = match &self.rules {
            Rules::Chess => (8, 8),
            Rules::Variant(_, game) => (game.columns(), game.rows()),
        };
        // The kinds of pieces that can be in hand.
        let held: Vec<&str> = match &self.rules {
            Rules::Chess => Vec::new(),
            Rules::Variant(_, game) => {
                game.held_kinds().iter().map(|kind| game.piece_name(*kind)).collect()
            }
        };
        let title = match &self.rules {
            Rules::Chess => "Chess",
            Rules::Variant(_, game) => game.title(),
        };
        let name = self.game_name();
        // Chess960 has no usual first position: that of chess is named too.
        let named = || (name == "chess960").then(|| self.tree.start().fen());
        let start = self.start_fen().or_else(named);
        json!({
            "name": name,
            "title": title,
            "rules": self.opened().rules,
            "start": start,
            "files": files,
            "ranks": ranks,
            "held": held,
            "pieces": pieces(&self.rules),
        })
    }

    fn position_json(&self, position: &Position) -> Value {
        let one = |piece: Standing| json!({ "at": piece.at, "piece": piece.piece, "side": side_name(piece.side), "promoted": piece.is_promoted });
        let (hands, checks) = (position.hands(), position.checks_to_win());
        let hand = |color: Color| -> Map<String, Value> {
            hands[color].iter().map(|(name, count)| (name.clone(), json!(count))).collect()
        };
        // What each side has taken from the other, in chess.
        let captured = position.chess().map(captured);
        let taken = |side: Color| -> Vec<String> {
            let pieces = captured.as_ref().map_or(&[][..], |captured| &captured[!side]);
            pieces.iter().map(|piece| piece.kind().to_char().to_string()).collect()
        };
        json!({
            "fen": position.fen(),
            "squares": position.pieces().into_iter().map(one).collect::<Vec<_>>(),
            "hands": { "white": hand(Color::White), "black": hand(Color::Black) },
            "checks": { "white": checks[Color::White], "black": checks[Color::Black] },
            "captured": { "white": taken(Color::White), "black": taken(Color::Black) },
            "turn": side_name(position.turn()),
            "check": position.checked(),
            "last": self.last_move(),
            "ply": self.tree.ply(self.at),
            "number": position.number(),
        })
    }

    /// The squares of the move that led to the position on the board.
    fn last_move(&self) -> Option<&[String; 2]> {
        let node = self.tree.node(self.at)?;
        node.mv.map(|_| &node.squares)
    }

    /// All nodes, as JSON, each with the score that its comment gives it. A game may have thousands.
    fn tree_json(&self) -> String {
        let start = self.tree.start();
        let black = u64::from(start.turn() == Color::Black);
        let first = (2 * u64::from(start.number())).saturating_sub(2) + black;
        let last = self.tree.nodes().map(|(id, _)| id).last().unwrap_or(0);
        let mut plies = vec![0_u64; last as usize + 1];
        let mut found = Vec::with_capacity(self.tree.size());
        for (id, node) in self.tree.nodes() {
            let ply = node.parent.map_or(0, |parent| plies[parent as usize] + 1);
            plies[id as usize] = ply;
            found.push(NodeJson::new(id, node, first + ply));
        }
        serde_json::to_string(&found).unwrap_or_else(|_| "[]".to_owned())
    }

    fn player(&self, color: Color) -> Value {
        let player = &self.players[color];
        let elo = if color == Color::White { "WhiteElo" } else { "BlackElo" };
        let elo = self.tags.iter().find(|(name, _)| name == elo).map(|(_, value)| value.clone());
        let (kind, level) = match player.engine {
            None if player.is_engine() => ("engine", None),
            None => ("person", elo.filter(|elo| elo.bytes().all(|c| c.is_ascii_digit()))),
            Some(tamarin) => ("engine", Some(tamarin.level.to_string())),
        };
        json!({ "name": player.name, "kind": kind, "level": level })
    }

    /// What asks for these players and clocks once more.
    fn request(&self) -> Value {
        json!({
            "white": self.players[Color::White].request(),
            "black": self.players[Color::Black].request(),
            "clock": self.opened().clock,
        })
    }

    /// The name of the opening of a position.
    pub(super) fn opening_of(&self, id: NodeId) -> Option<&'static str> {
        openings::name(&self.positions(id)?)
    }

    /// The positions of chess from the first one to a node.
    pub(super) fn positions(&self, id: NodeId) -> Option<Vec<chess::Position>> {
        let mut position = self.tree.start().clone();
        let mut found = vec![position.chess()?.clone()];
        // Openings are short.
        for step in self.tree.path(id).into_iter().skip(1).take(40) {
            if let Some(mv @ Move::Chess(_)) = self.tree.node(step).and_then(|node| node.mv) {
                position.make(mv);
                found.extend(position.chess().cloned());
            }
        }
        Some(found)
    }

    /// What the opponent of the side to move threatens, where that is wanted.
    fn threat(&self, position: &Position) -> Option<String> {
        if !self.warns || (self.is_game() && self.game.ending().is_some()) {
            return None;
        }
        let texts = threats::warnings(position.chess()?);
        (!texts.is_empty()).then(|| texts.join(" "))
    }
}

#[cfg(test)]
mod tests {
    use tamarin_variant::{builtin, load};

    use super::*;

    /// The names of all pieces, each with the letter of its picture.
    fn images(rules: &Rules) -> String {
        let one = |piece: &Value| {
            let text = |key: &str| piece[key].as_str().unwrap_or("-").to_owned();
            format!("{}{}", text("letter"), text("image"))
        };
        pieces(rules).iter().map(one).collect::<Vec<_>>().join(" ")
    }

    #[test]
    fn pieces_that_move_as_those_of_chess_look_like_them() {
        for (name, expected) in [
            ("fide", "pP nN bB rR qQ kK"),
            ("crazyhouse", "kK qQ rR bB nN pP"),
            ("makruk", "pP nN s- m- rR kK"),
            ("asean", "pP nN b- q- rR kK"),
            ("shatranj", "pP nN b- q- rR kK"),
            ("amazon", "pP nN bB rR qQ kK a-"),
            ("courier", "pP nN e- bB f- m- w- rR kK"),
            ("knightmate", "pP nN bB rR qQ kK m-"),
            ("fide_thesis", "pP nN rR bB qQ kK"),
        ] {
            let game = builtin(name).expect("a built-in game");
            assert_eq!(images(&Rules::Variant(name.to_owned(), game)), expected, "{name}");
        }
        let text = "t W\nd F\nm WF\nx N1\nb W1\nn N\nk x\"K\"\ns x\"R\"\n@fen k7/8/K7\n";
        let game = load(text, None).expect("a game").game;
        let shown = images(&Rules::Variant("own".to_owned(), game));
        assert_eq!(shown, "tR dB mQ xN b- n- kK sR");
    }
}
