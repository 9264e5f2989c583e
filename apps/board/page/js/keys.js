// The keyboard: cursor keys move over the board, the rest goes through the game.

import { actions } from "./actions.js";
import { attempt } from "./api.js";
import { focusedSquare, focusSquare } from "./board.js";
import { dropDrag, isByPointer } from "./drag.js";
import { byId, takesText } from "./dom.js";
import { onScreen, squareAt } from "./geometry.js";
import { choose, deselect } from "./select.js";
import { on, state } from "./store.js";
import { beginTyping } from "./typed.js";
import { currentView } from "./view.js";

const board = byId("board");
const STEPS = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

function onBoard(event) {
  if (!state() || event.ctrlKey || event.metaKey || event.altKey) return;
  // Whoever uses the mouse does not see the cursor.
  if (isByPointer()) return;
  const step = STEPS[event.key];
  if (step) moveCursor(step);
  else if (event.key === "Enter" || event.key === " ") choose(event.target.closest(".cell")?.dataset.square ?? focusedSquare());
  else if (/^[a-zA-Z0]$/.test(event.key)) beginTyping(event.key);
  else return;
  event.preventDefault();
  event.stopPropagation();
}

function escape() {
  dropDrag();
  deselect();
  if (state().premove) attempt("cancel_premove");
}

function moveCursor([dx, dy]) {
  const { game } = state();
  const { flipped } = currentView();
  const { x, y } = onScreen(focusedSquare(), game, flipped);
  const next = squareAt(x + dx, y + dy, game, flipped);
  if (next) focusSquare(next);
}

const GLOBAL = { PageUp: "back", PageDown: "forward", Home: "first", End: "last" };
const ARROWS = { ArrowLeft: "back", ArrowRight: "forward", ArrowUp: "above", ArrowDown: "below" };
// As on other sites; they have no other use outside fields.
const LETTERS = { f: "flip", l: "engine", x: "threats", " ": "best" };
const FUNCTION = { F2: "flip", F3: "hint" };

function anywhere(event) {
  if (!state() || document.querySelector("dialog[open]")) return;
  if (event.key === "Escape") return escape();
  const other = takesText(event.target) || event.target.closest?.("[role=tablist]") || (event.target.closest?.("[role=grid]") && !isByPointer());
  const plain = !other && !event.ctrlKey && !event.metaKey && !event.altKey;
  const undo = (event.ctrlKey || event.metaKey) && !takesText(event.target) && { z: "undo", y: "redo", Z: "redo" }[event.key];
  const name = undo || FUNCTION[event.key] || (!takesText(event.target) && !event.target.closest?.("[role=tablist]") && GLOBAL[event.key]);
  const onButton = event.key === " " && event.target.closest?.("button, summary, a, input");
  const action = name || (plain && (ARROWS[event.key] || (!onButton && LETTERS[event.key.toLowerCase()])));
  if (!action) {
    if (plain && isByPointer() && /^[a-zA-Z0]$/.test(event.key)) {
      beginTyping(event.key);
      event.preventDefault();
    }
    return;
  }
  // A position that is being edited is not left by a key.
  if (currentView().editing && [...Object.values(GLOBAL), ...Object.values(ARROWS), "best"].includes(action)) return;
  event.preventDefault();
  actions[action]();
}

board.addEventListener("keydown", onBoard);
board.addEventListener("focus", () => focusedSquare() && focusSquare(focusedSquare()));
document.addEventListener("keydown", anywhere);
on("step", (name) => actions[name]());
