// The position editor: pieces are put on the board from a palette.

import { attempt, attemptFollow, attemptOpen } from "./api.js";
import { button, byId, check, field, h, keepFocus, select } from "./dom.js";
import { squareName, squareUnder } from "./geometry.js";
import { focusedSquare, pieceOn, piecesOf } from "./board.js";
import { hold } from "./drag.js";
import { notify } from "./notices.js";
import { drawPiece, pieceName } from "./pieces.js";
import { state } from "./store.js";
import { currentView, refresh } from "./view.js";

const SIDES = ["white", "black"];

// A piece as a FEN has it: one letter by its case, other names in angle brackets, and a mark behind
// what a promotion has made.
const fenPiece = (piece) => fenName(piece) + (piece.promoted ? "~" : "");

function fenName({ piece, side }) {
  const plain = piece.replace(/^\++/, "");
  const cased = [...plain].length === 1 && plain.toLowerCase() !== plain.toUpperCase();
  if (!cased) return `<${side[0]}:${piece}>`;
  return side === "white" ? piece.toUpperCase() : piece.toLowerCase();
}

/** The first field of the FEN of these pieces. */
export function placement(pieces, { files, ranks }) {
  const rows = [];
  for (let rank = ranks - 1; rank >= 0; rank -= 1) {
    let row = "";
    let empty = 0;
    for (let file = 0; file < files; file += 1) {
      const piece = pieces.get(squareName(file, rank));
      if (!piece) empty += 1;
      else {
        row += (empty || "") + fenPiece(piece);
        empty = 0;
      }
    }
    rows.push(row + (empty || ""));
  }
  return rows.join("/");
}

const edit = { pieces: null, hands: null, brush: null, rest: [] };

function fields(fen) {
  const parts = fen.split(/\s+/);
  return { turn: parts[1] ?? "w", castling: parts[2] ?? "-", passing: parts[3] ?? "-", more: parts.slice(4) };
}

function begin() {
  const now = state();
  edit.pieces = piecesOf(now.position);
  edit.hands = structuredClone(now.position.hands);
  edit.rest = fields(now.position.fen);
  currentView().editing = edit.pieces;
  document.body.dataset.editing = "";
  refresh();
}

// The pieces are others now, and no pawn has just passed another.
function touched() {
  edit.rest.passing = "-";
  refresh();
  edit.changed?.();
}

// What is in hand, in brackets behind the pieces; nothing in games without hands.
function handsText({ held }) {
  const of = (side) => held.map((piece) => fenPiece({ piece, side }).repeat(edit.hands[side][piece] ?? 0)).join("");
  return held.length ? `[${of("white")}${of("black")}]` : "";
}

/** The position as it is edited. */
export function editedFen() {
  const { turn, castling, passing, more } = edit.rest;
  return [placement(edit.pieces, state().game) + handsText(state().game), turn, castling || "-", passing, ...more].join(" ");
}

// A click on a piece like that of the palette removes it; a stroke goes on as it began.
function paint(square) {
  const { brush, pieces } = edit;
  if (stroke.last === null) {
    const old = pieces.get(square);
    stroke.removes = !brush || (old?.piece === brush.piece && old.side === brush.side);
  }
  stroke.last = square;
  if (stroke.removes) pieces.delete(square);
  else pieces.set(square, brush);
  touched();
}

const stroke = { last: null, removes: false };

const under = (event) => squareUnder(event, byId("board"), state().game, currentView().flipped);

// With a piece of the palette a click puts it; without, a piece is carried to another square.
function pointerDown(event) {
  const square = under(event);
  if (!square || !currentView().editing) return;
  if (event.button === 2) {
    edit.pieces.delete(square);
    return touched();
  }
  stroke.last = null;
  if (edit.brush !== undefined) return paint(square);
  const piece = edit.pieces.get(square);
  if (piece) hold(event, { ...piece, lifted: () => pieceOn(square).classList.add("ghost"), dropped: (to) => put(piece, square, to) });
}

// A piece that is put beside the board has left it.
function put(piece, from, to) {
  if (from) edit.pieces.delete(from);
  if (to) edit.pieces.set(to, piece);
  if (from) pieceOn(from)?.classList.remove("ghost");
  touched();
}

function pointerMove(event) {
  if (event.buttons !== 1 || edit.brush === undefined || stroke.last === null) return;
  const square = under(event);
  if (square && square !== stroke.last) paint(square);
}

function keyDown(event) {
  if (!currentView().editing || !["Enter", " ", "Delete", "Backspace"].includes(event.key)) return;
  event.preventDefault();
  event.stopPropagation();
  if (event.key.startsWith("D") || event.key === "Backspace") edit.pieces.delete(focusedSquare());
  else if (edit.brush !== undefined) {
    stroke.last = null;
    return paint(focusedSquare());
  }
  touched();
}

function palette(game, redraw) {
  const choose = (brush) => async () => {
    edit.brush = brush;
    await edit.typed();
    redraw();
  };
  const drag = (brush) => (event) => brush && event.button === 0 && hold(event, { ...brush, lifted: () => {}, dropped: (to) => to && put(brush, null, to) });
  const same = (brush) => edit.brush === brush || (edit.brush?.piece === brush?.piece && edit.brush?.side === brush?.side && brush && edit.brush);
  const one = (brush, label, content) => h("button", { type: "button", "aria-pressed": String(Boolean(same(brush))), "aria-label": label, title: label, onclick: choose(brush), onpointerdown: drag(brush) }, content);
  const rows = SIDES.map((side) => h("div", { class: "palette", role: "group", "aria-label": `pieces of ${side}` },
    game.pieces.map(({ letter }) => one({ piece: letter, side }, `${side} ${pieceName(game, letter)}`, drawPiece(game, letter, side)))));
  return h("div", { class: "stack" }, rows, h("div", { class: "row" },
    button("Move pieces", choose(undefined), { "aria-pressed": String(edit.brush === undefined) }),
    button("Remove pieces", choose(null), { "aria-pressed": String(edit.brush === null) })));
}

// How many pieces of each kind are in hand.
const MOST_HELD = 99;

function hands(game) {
  if (!game.held.length) return null;
  const one = (side) => (piece) => {
    const name = `${pieceName(game, piece)} in hand of ${side}`;
    const count = h("input", { type: "number", min: 0, max: MOST_HELD, value: edit.hands[side][piece] ?? 0, "aria-label": name, title: name, "data-held": piece, "data-side": side });
    count.addEventListener("input", () => {
      edit.hands[side][piece] = Math.max(0, Math.min(MOST_HELD, Math.floor(Number(count.value)) || 0));
      edit.changed();
    });
    return h("span", { class: "held" }, drawPiece(game, piece, side), count);
  };
  return h("fieldset", {}, h("legend", {}, "In hand"), SIDES.map((side) => h("div", { class: "row" }, game.held.map(one(side)))));
}

const CASTLING = [["K", "White O-O"], ["Q", "White O-O-O"], ["k", "Black O-O"], ["q", "Black O-O-O"]];

function rights(changed) {
  if (!/^[KQkq]*$|^-$/.test(edit.rest.castling)) {
    const text = h("input", { type: "text", value: edit.rest.castling, maxLength: 4, spellcheck: false });
    text.addEventListener("input", () => { edit.rest.castling = text.value.trim(); changed(); });
    return field("Castling, by the files of the rooks (HAha)", text);
  }
  const toggle = (letter) => (on) => {
    const kept = edit.rest.castling.replace(letter, "").replace("-", "");
    edit.rest.castling = CASTLING.map(([other]) => other).filter((other) => kept.includes(other) || (on && other === letter)).join("");
    changed();
  };
  return h("fieldset", {}, h("legend", {}, "Castling"), h("div", { class: "row" }, CASTLING.map(([letter, text]) => check(text, edit.rest.castling.includes(letter), toggle(letter)))));
}

/** The tab with the editor. */
export function editorTab() {
  const element = h("div", { class: "stack" });
  const board = byId("board");
  const fen = h("input", { type: "text", spellcheck: false });
  edit.brush = undefined;
  let written = "";
  edit.changed = () => (written = fen.value = editedFen());
  // What was typed is set up before pieces are chosen.
  edit.typed = async () => fen.value.trim() !== written && (await analyseOther("set_fen", { fen: fen.value.trim() })) && begin();
  const apply = async () => {
    if (await analyseOther("set_fen", { fen: fen.value.trim() })) begin();
    redraw();
  };
  const redraw = () => {
    const { game } = state();
    const turn = select([["w", "White to move"], ["b", "Black to move"]], edit.rest.turn, (value) => { edit.rest.turn = value; edit.changed(); });
    turn.setAttribute("aria-label", "Side to move");
    keepFocus(element, () => element.replaceChildren(palette(game, redraw), h("div", { class: "row" }, turn,
      button("Empty board", () => { edit.pieces.clear(); edit.hands = { white: {}, black: {} }; edit.rest.castling = "-"; refresh(); edit.changed(); redraw(); }),
      button("Start position", async () => { if (await analyseOther("new", { kind: "analyse", ...sameStart() })) begin(); redraw(); })),
    ...[hands(game), /^chess/.test(game.name) && rights(edit.changed)].filter(Boolean),
    field("FEN", fen), button("Analyze this position", apply, { class: "main" })));
    edit.changed();
  };
  const listeners = [["pointerdown", pointerDown], ["pointermove", pointerMove], ["keydown", keyDown, true]];
  for (const [name, f, capture] of listeners) board.addEventListener(name, f, capture);
  begin();
  redraw();
  return {
    element,
    show: (now, before) => before && before.position.fen !== now.position.fen && (begin(), redraw()),
    leave: () => {
      for (const [name, f, capture] of listeners) board.removeEventListener(name, f, capture);
      currentView().editing = null;
      delete document.body.dataset.editing;
      refresh();
    },
  };
}

/**
 * Analyzes something else at this session, by a command. The games of a file stay at their session:
 * then another one is opened with what `opened` says.
 */
export async function analyseOther(name, options, opened = options) {
  const { file, session, analysis } = state();
  const other = file ? await attemptOpen({ kind: "analyse", ...sameGame(), ...opened }) : await attempt(name, options);
  if (!other) return null;
  if (file) notify("The games of the file stay where they are.", { action: ["Back to them", () => attemptFollow(session)], stays: true });
  if (analysis.on && !state().analysis.on) await attempt("analyse", { on: true, lines: analysis.lines, threats: analysis.threats });
  return other;
}

// What begins the game of this session once more. Chess960 has many first positions: it is that of the session.
function sameStart() {
  const { game } = state();
  return { ...sameGame(), ...(game.name === "chess960" ? { fen: game.start } : {}) };
}

/** What opens another session with the rules of this one. */
export function sameGame() {
  const { game } = state();
  return game.rules ? { rules: game.rules, game: game.name } : { game: game.name };
}
