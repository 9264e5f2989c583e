// Which picture a piece has and what it is called. The server may name both; otherwise they follow
// from the game, and a letter in a disc stands for what has no picture.

import { address } from "./api.js";
import { s } from "./dom.js";
import { setting } from "./settings.js";
import { signOf, signed } from "./traditional.js";

const CHESS = { k: "king", q: "queen", r: "rook", b: "bishop", n: "knight", p: "pawn" };
const SHOGI = { k: "king", r: "rook", b: "bishop", g: "gold", s: "silver", n: "knight", l: "lance", p: "pawn", d: "dragon", h: "horse" };
const XIANGQI = { k: "king", a: "advisor", b: "elephant", n: "knight", r: "rook", c: "cannon", p: "pawn" };
const GAMES = [
  [/xiangqi/, XIANGQI, { k: "general", n: "horse", r: "chariot", p: "soldier" }],
  [/shogi/, SHOGI, { g: "gold general", s: "silver general" }],
  [/locust/, { k: "king", l: "leo", e: "locust" }, {}],
  [/almost|capablanca|embassy/, { a: "archbishop", c: "chancellor" }, {}],
  [/amazon/, { a: "amazon" }, {}],
  [/janus/, { j: "archbishop" }, { j: "janus" }],
  [/grasshopper/, { g: "grasshopper" }, {}],
  [/nightrider/, { n: "nightrider" }, {}],
  [/knightmate/, { m: "mann" }, { m: "commoner" }],
  [/makruk/, { m: "ferz", s: "silver" }, { m: "met", s: "khon" }],
  [/asean/, { q: "ferz", b: "silver" }, { q: "met", b: "khon" }],
  [/shatranj/, { q: "ferz", b: "elephant" }, { q: "counselor" }],
  [/courier/, { e: "elephant", m: "mann", w: "wazir", f: "ferz" }, { b: "courier" }],
];
const SIGNS = { 玉: "king", 王: "king", 飛: "rook", 角: "bishop", 金: "gold", 銀: "silver", 桂: "knight", 香: "lance", 歩: "pawn", 竜: "dragon", 馬: "horse" };
// A promoted piece looks like the piece it was, with a star.
const STARRED = { dragon: "rook", horse: "bishop" };

let drawings = new Set();

/** Brings the pictures into the page. */
export async function loadPieces() {
  const text = await fetch(address("assets/pieces.svg", null)).then((answer) => answer.text());
  const root = document.importNode(new DOMParser().parseFromString(text, "image/svg+xml").documentElement, true);
  root.setAttribute("class", "hidden");
  root.setAttribute("aria-hidden", "true");
  document.body.append(root);
  drawings = new Set([...root.querySelectorAll("symbol")].map((symbol) => symbol.id));
}

const plain = (piece) => piece.toLowerCase().replace(/^\++/, "");

function entryOf(game, piece) {
  const low = piece.toLowerCase();
  return game.pieces?.find((entry) => entry.letter.toLowerCase() === low);
}

function tables(game) {
  const row = GAMES.find(([name]) => name.test(game.name.toLowerCase()));
  return row ? { pictures: row[1], names: row[2] } : { pictures: {}, names: {} };
}

// What the table of a known game says of a letter. Own rules may give it other moves than that game:
// of them the server alone knows which pieces move as those of chess.
function knownPicture(game, piece) {
  const name = SIGNS[piece] ?? tables(game).pictures[plain(piece)];
  return game.rules && Object.values(CHESS).includes(name) ? undefined : name;
}

// The tables of known games come first; then what the server knows from the moves of the piece.
function pictureOf(game, piece) {
  const given = entryOf(game, piece)?.image?.toLowerCase();
  const name = knownPicture(game, piece) ?? CHESS[given] ?? null;
  const starred = piece.startsWith("+") || name in STARRED;
  return { name: STARRED[name] ?? name, starred };
}

/** What a piece is called: "knight". */
export function pieceName(game, piece) {
  const given = entryOf(game, piece)?.name;
  const long = given?.length > 2 ? given : null;
  const name = tables(game).names[plain(piece)] ?? knownPicture(game, piece) ?? long ?? `piece ${piece.toUpperCase()}`;
  return piece.startsWith("+") ? `promoted ${name}` : name;
}

function lettered(piece) {
  const text = piece.length > 3 ? piece.slice(0, 3) : piece;
  return [s("use", { href: "#disc" }), s("text", { x: 50, y: text.length > 1 ? 59 : 65, class: text.length > 1 ? "long" : "" }, text.length === 1 ? text.toUpperCase() : text)];
}

/** Draws a piece. */
export function drawPiece(game, piece, side) {
  const { name, starred } = pictureOf(game, piece);
  const sign = signOf(game, piece, side);
  const known = name && drawings.has(name) && !setting("letters") && !sign;
  const ofSet = `${setting("pieces")}-${name}`;
  const content = sign ? [signed(game, piece, sign)] : known ? [s("use", { href: `#${drawings.has(ofSet) ? ofSet : name}` })] : lettered(piece);
  if (known && starred) content.push(s("use", { href: "#promoted" }));
  return s("svg", { class: `piece ${side}-piece`, viewBox: "0 0 100 100", "aria-hidden": "true", "data-piece": piece, "data-side": side }, content);
}

/** Both sides in the order in which they stand on the board. */
export const otherSide = (side) => (side === "white" ? "black" : "white");

/** A side as sentences begin with it. */
export const sideName = (side) => (side === "white" ? "White" : "Black");
