// The board: a grid of squares that can have the focus, with the pieces drawn in them.

import { byId, h, lessMotion } from "./dom.js";
import { allSquares, onScreen, placeOf } from "./geometry.js";
import { drawPiece, pieceName } from "./pieces.js";
import { setting } from "./settings.js";
import { drawLines, styleOf } from "./traditional.js";

const board = byId("board");
let cells = new Map();
let shape = "";
let shown = null;
let focused = null;

/** The element of a square. */
export const cell = (square) => cells.get(square);

/** The element of the piece on a square. */
export const pieceOn = (square) => cells.get(square)?.querySelector(".piece") ?? null;

/** The square that has, or had last, the focus. */
export const focusedSquare = () => focused;

/** Gives a square the focus. */
export function focusSquare(square, { quietly = false } = {}) {
  if (!cells.has(square)) return;
  cells.get(focused)?.setAttribute("tabindex", "-1");
  focused = square;
  cells.get(square).setAttribute("tabindex", "0");
  if (!quietly) cells.get(square).focus({ preventScroll: true });
}

function build(view) {
  const { game, flipped } = view;
  board.dataset.style = styleOf(game) ?? "";
  drawLines(byId("board-lines"), game);
  document.documentElement.style.setProperty("--files", game.files);
  document.documentElement.style.setProperty("--ranks", game.ranks);
  document.querySelector(".table").classList.toggle("flipped", flipped);
  cells = new Map();
  const rows = [];
  for (const square of allSquares(game, flipped)) {
    const { x } = onScreen(square, game, flipped);
    if (x === 0) rows.push(h("div", { role: "row" }));
    rows.at(-1).append(makeCell(square, view));
  }
  const hadFocus = board.contains(document.activeElement);
  board.replaceChildren(...rows);
  if (!cells.has(focused)) focused = null;
  focusSquare(focused ?? [...cells.keys()].at(-game.files), { quietly: !hadFocus });
}

function makeCell(square, { game, flipped }) {
  const { file, rank } = placeOf(square);
  const { x, y } = onScreen(square, game, flipped);
  const dark = (file + rank) % 2 === 0;
  const element = h("div", { role: "gridcell", class: `cell${dark ? " dark" : ""}`, tabindex: "-1", "data-square": square });
  if (x === 0) element.append(h("span", { class: "rank", "data-text": rank + 1, "aria-hidden": "true" }));
  if (y === game.ranks - 1) element.append(h("span", { class: "file", "data-text": square[0], "aria-hidden": "true" }));
  cells.set(square, element);
  return element;
}

/** The pieces of a view: square to { piece, side, promoted }. */
export const piecesOf = (position) => new Map(position.squares.map(({ at, ...piece }) => [at, piece]));

const same = (one, other) => one?.piece === other?.piece && one?.side === other?.side;

/**
 * Shows a view: { game, flipped, look, pieces, last, check, selected, targets, premove, hint, movable }.
 * Pieces that went elsewhere glide there, unless `still` says that they are there already.
 */
export function showBoard(view, { still = false } = {}) {
  const newShape = [view.game.files, view.game.ranks, view.flipped, styleOf(view.game)].join();
  const rebuilt = newShape !== shape;
  if (rebuilt) build(view);
  shape = newShape;
  const before = shown;
  shown = view;
  const moved = rebuilt || !before || view.look !== before.look || view.game.name !== before.game.name ? replaceAll(view) : replaceChanged(view);
  if (!rebuilt && !still && setting("animation") && !lessMotion()) glide(moved, view);
  for (const [square, element] of cells) mark(square, element, view);
}

function replaceAll(view) {
  for (const [square, element] of cells) put(element, view.pieces.get(square), view);
  return [];
}

function put(element, piece, view) {
  for (const old of element.querySelectorAll(".piece")) old.remove();
  if (piece) element.append(drawPiece(view.game, piece.piece, piece.side));
}

// Which pieces have gone and which have come.
function replaceChanged(view) {
  const gone = [];
  const come = [];
  for (const [square, element] of cells) {
    const [drawn, ...dropped] = element.querySelectorAll(".piece");
    for (const other of dropped) other.remove();
    const old = drawn ? { piece: drawn.dataset.piece, side: drawn.dataset.side } : undefined;
    const next = view.pieces.get(square);
    if (same(old, next)) continue;
    if (old) gone.push({ square, ...old });
    if (next) come.push({ square, ...next });
    put(element, next, view);
  }
  return come.map((piece) => ({ to: piece.square, from: origin(piece, gone, view) })).filter(({ from }) => from);
}

// The nearest square that a piece like this one left; a promoted piece comes from the last move.
function origin(piece, gone, view) {
  const alike = gone.filter((other) => same(other, piece));
  const at = placeOf(piece.square);
  const far = ({ square }) => Math.hypot(placeOf(square).file - at.file, placeOf(square).rank - at.rank);
  const best = alike.sort((one, other) => far(one) - far(other))[0];
  if (best) gone.splice(gone.indexOf(best), 1);
  const [from, to] = view.last ?? [];
  return best?.square ?? (to === piece.square && gone.some(({ square }) => square === from) ? from : null);
}

function glide(moved, { game, flipped }) {
  for (const { from, to } of moved) {
    const start = onScreen(from, game, flipped);
    const end = onScreen(to, game, flipped);
    const size = cells.get(to).offsetWidth;
    const shift = `translate(${(start.x - end.x) * size}px, ${(start.y - end.y) * size}px)`;
    const piece = pieceOn(to);
    piece.animate([{ transform: shift, zIndex: 5 }, { transform: "none", zIndex: 5 }], { duration: 160, easing: "ease-out" });
  }
}

function mark(square, element, view) {
  const piece = view.pieces.get(square);
  const target = view.targets.has(square);
  const flags = {
    last: view.last?.includes(square), check: view.check?.includes(square), selected: view.selected === square,
    target, taken: target && piece, premove: view.premove?.includes(square), hint: view.hint?.includes(square),
    movable: piece && view.movable(piece),
  };
  for (const [name, value] of Object.entries(flags)) element.classList.toggle(name, Boolean(value));
  element.setAttribute("aria-label", label(square, piece, flags, view));
  if (flags.selected) element.setAttribute("aria-selected", "true");
  else element.removeAttribute("aria-selected");
}

function label(square, piece, flags, { game }) {
  const parts = [square, piece ? `${piece.side} ${pieceName(game, piece.piece)}` : "empty"];
  if (flags.check) parts.push("in check");
  if (flags.selected) parts.push("selected");
  if (flags.target) parts.push("can be reached");
  if (flags.last) parts.push("last move");
  return parts.join(", ");
}
