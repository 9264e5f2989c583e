// Mouse, pen and finger on the board: a click selects, a drag carries the piece.

import { attempt } from "./api.js";
import { cell, focusSquare, pieceOn } from "./board.js";
import { byId, h } from "./dom.js";
import { squareUnder } from "./geometry.js";
import { drawMark } from "./arrows.js";
import { castles, choose, deselect, moveTo, selectDrop, selectSquare } from "./select.js";
import { state, tell } from "./store.js";
import { drawPiece } from "./pieces.js";
import { currentView, mayMove } from "./view.js";

const board = byId("board");
// How far a finger or mouse may slip during a click, in pixels.
const SLIP = 5;
// How far a finger goes to step through the game, and the wheel, in pixels.
const SWIPE = 40;
const WHEEL = 50;
let drag = null;
let drawing = null;
// The board was used last by mouse or finger, so that its focus is not shown.
let byPointer = false;
// So was the page.
let lastByPointer = false;

const under = (event) => squareUnder(event, board, state().game, currentView().flipped);

/** Whether the board has the focus by mouse or finger: then keys do not move its cursor. */
export const isByPointer = () => byPointer;

function begin(event) {
  byPointer = true;
  if (!state()) return;
  const square = under(event);
  if (!square) return;
  // There the right button removes a piece.
  if (currentView().editing) return;
  if (event.button === 2) drawing = square;
  if (event.button !== 0) return;
  drawMark(null);
  focusSquare(square, { quietly: true });
  const view = currentView();
  const again = view.selected === square;
  const targets = view.targets.has(square) || view.drop || castles(square);
  const taken = !targets && selectSquare(square);
  drag = { square, again, taken, x: event.clientX, y: event.clientY, moved: false, id: event.pointerId, touch: event.pointerType === "touch" };
  if (taken) board.setPointerCapture(event.pointerId);
}

function move(event) {
  if (!drag?.taken || event.pointerId !== drag.id) return;
  const by = { x: event.clientX - drag.x, y: event.clientY - drag.y };
  if (!drag.moved && Math.hypot(by.x, by.y) < SLIP) return;
  const piece = pieceOn(drag.square);
  if (!piece) return;
  if (!drag.moved) lift(piece);
  piece.style.transform = `translate(${drag.shift.x + by.x}px, ${drag.shift.y + by.y}px)`;
  over(under(event));
}

// The piece jumps below the pointer, wherever in its square it was taken.
function lift(piece) {
  const area = piece.getBoundingClientRect();
  drag.moved = true;
  drag.shift = { x: drag.x - area.left - area.width / 2, y: drag.y - area.top - area.height / 2 };
  piece.classList.add("dragged");
}

function over(square) {
  board.querySelector(".over")?.classList.remove("over");
  if (square) cell(square).classList.add("over");
}

function end(event) {
  if (drawing && event.button === 2) return finishDrawing(event);
  if (!drag || event.pointerId !== drag.id) return;
  const { square, again, taken, moved, touch } = drag;
  const by = { x: event.clientX - drag.x, y: event.clientY - drag.y };
  drag = null;
  over(null);
  if (touch && !taken && Math.abs(by.x) > SWIPE && Math.abs(by.x) > 2 * Math.abs(by.y)) return tell("step", by.x > 0 ? "back" : "forward");
  const to = under(event);
  if (moved) return drop(square, to);
  if (taken && !again) return;
  if (taken) return deselect();
  choose(square);
}

function drop(from, to) {
  const piece = putBack(from);
  if (!to || to === from || !piece) return deselect();
  // It stays where it was dropped until the answer of the server is there.
  if (currentView().targets.has(to)) cell(to).append(piece);
  moveTo({ from }, to, { dragged: true });
}

function putBack(square) {
  const piece = pieceOn(square);
  piece?.style.removeProperty("transform");
  piece?.classList.remove("dragged");
  return piece;
}

// A copy of a piece follows the pointer.
let held = null;

/** Takes up a piece: `lifted` is called when it has left its place, `dropped` with the square that it comes to, or null. */
export function hold(event, { piece, side, lifted, dropped }) {
  held = { piece, side, lifted, dropped, id: event.pointerId, x: event.clientX, y: event.clientY, copy: null };
  event.target.setPointerCapture?.(event.pointerId);
}

function takeOut(event) {
  const { drop: letter, side } = event.target.closest?.(".hand [data-drop]:not(:disabled)")?.dataset ?? {};
  if (!letter || event.button !== 0 || !state() || currentView().editing || !mayMove(side)) return;
  hold(event, {
    piece: letter, side, lifted: () => currentView().drop?.letter !== letter && selectDrop(letter, side),
    dropped: (to) => (to ? moveTo({ drop: { letter, side } }, to, { dragged: true }) : deselect()),
  });
}

function carry(event) {
  if (!held || event.pointerId !== held.id) return;
  if (!held.copy && Math.hypot(event.clientX - held.x, event.clientY - held.y) < SLIP) return;
  if (!held.copy) {
    const { width } = cell([...board.querySelectorAll(".cell")][0].dataset.square).getBoundingClientRect();
    held.copy = h("div", { class: "carried" }, drawPiece(state().game, held.piece, held.side));
    held.copy.style.width = held.copy.style.height = `${width}px`;
    document.body.append(held.copy);
    held.lifted();
  }
  held.copy.style.transform = `translate(${event.clientX}px, ${event.clientY}px) translate(-50%, -50%)`;
  over(under(event));
}

function putDown(event) {
  if (!held || event.pointerId !== held.id) return;
  const { dropped, copy } = held;
  held = null;
  over(null);
  if (!copy) return;
  copy.remove();
  // The click that comes with it does not count as one on the hand.
  const swallow = (click) => click.stopPropagation();
  addEventListener("click", swallow, { capture: true });
  setTimeout(() => removeEventListener("click", swallow, { capture: true }), 0);
  dropped(event.type === "pointerup" ? under(event) : null);
}

/** Ends a drag; its piece goes back. */
export function dropDrag() {
  if (held) {
    held.copy?.remove();
    held = null;
    over(null);
  }
  cancel();
}

function cancel() {
  if (!drag) return;
  putBack(drag.square);
  drag = null;
  over(null);
  deselect();
}

function finishDrawing(event) {
  const to = under(event);
  const color = { 0: "G", 1: "R", 2: "B", 3: "Y" }[Number(event.shiftKey || event.ctrlKey) + 2 * Number(event.altKey || event.metaKey)];
  if (to) drawMark({ from: drawing, to, color });
  drawing = null;
}

function rightClick(event) {
  event.preventDefault();
  if (state()?.premove) attempt("cancel_premove");
  cancel();
}

document.addEventListener("pointerdown", takeOut);
document.addEventListener("pointermove", carry);
document.addEventListener("pointerup", putDown);
document.addEventListener("pointercancel", putDown);
board.addEventListener("pointerdown", begin);
board.addEventListener("pointermove", move);
board.addEventListener("pointerup", end);
board.addEventListener("pointercancel", cancel);
board.addEventListener("contextmenu", rightClick);

// A trackpad sends many small turns for one of a wheel.
let turned = 0;
board.addEventListener("wheel", (event) => {
  if (!state() || state().kind !== "analyse" || currentView().editing || event.ctrlKey || !event.deltaY) return;
  event.preventDefault();
  const pixels = event.deltaY * (event.deltaMode === WheelEvent.DOM_DELTA_PIXEL ? 1 : WHEEL);
  turned = (turned > 0) === (pixels > 0) ? turned + pixels : pixels;
  if (Math.abs(turned) < WHEEL) return;
  turned = 0;
  tell("step", pixels > 0 ? "forward" : "back");
}, { passive: false });

// Screen readers and switches click without a pointer.
board.addEventListener("click", (event) => {
  const square = event.target.closest?.(".cell")?.dataset.square;
  if (event.detail === 0 && square && state() && !currentView().editing) choose(square);
});
board.addEventListener("focusin", (event) => {
  // A board that is built anew has the focus as before; the link that skips to it is for keys.
  if (event.relatedTarget) byPointer = lastByPointer;
  else if (event.target === board) byPointer = false;
  const square = event.target.closest?.(".cell")?.dataset.square;
  if (square) focusSquare(square, { quietly: true });
});
document.addEventListener("pointerdown", () => (lastByPointer = true), true);
document.addEventListener("keydown", (event) => {
  lastByPointer = false;
  byPointer &&= event.key !== "Tab";
}, true);
