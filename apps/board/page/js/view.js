// What of the state is shown, and how: which side is below, what is selected, what may be moved.

import { piecesOf, showBoard } from "./board.js";
import { otherSide } from "./pieces.js";
import { setting } from "./settings.js";
import { on, state, tell } from "./store.js";

const view = { flipped: false, own: null, selected: null, drop: null, targets: new Set(), hint: null, still: false, editing: null };

/** The view; only this module and the selection change it. */
export const currentView = () => view;

/** Whoever plays one side from this page moves no other: what commands say about it. */
export const asOwn = () => (view.own ? { as: view.own } : {});

/** Whether a person has this side. */
export const isPerson = (side) => state()?.players?.[side]?.kind === "person";

/** Whether the game is played, and not analyzed, watched or over. */
export const isPlaying = () => Boolean(state()) && state().kind !== "analyse" && !state().result;

/** Whether the user may move a piece of this side now, or plan a move with it. */
export function mayMove(side) {
  const now = state();
  if (!now || view.editing) return false;
  if (now.kind === "analyse") return now.position.turn === side;
  if (now.at !== now.tip || (view.own && view.own !== side)) return false;
  return isPlaying() && isPerson(side) && (now.position.turn === side || !isPerson(otherSide(side)));
}

/** Whether a move made now would be a premove. */
export const plansAhead = (side) => isPlaying() && state().position.turn !== side;

/** Turns the board. */
export function flip() {
  view.flipped = !view.flipped;
  refresh();
}

/** Draws the board again. */
export function refresh() {
  const now = state();
  if (!now) return;
  const { position, game } = now;
  showBoard({
    game, flipped: view.flipped, look: ["letters", "pieces", "traditional"].map(setting).join(),
    pieces: view.editing ?? piecesOf(position),
    last: setting("lastMove") && !view.editing ? position.last : null,
    check: setting("check") && !view.editing ? position.check : null,
    selected: view.selected, targets: setting("targets") ? view.targets : new Set(),
    premove: premoveSquares(now), hint: view.hint, movable: ({ side }) => Boolean(view.editing) || mayMove(side),
  }, { still: view.still });
  view.still = false;
  tell("board", view);
}

function premoveSquares({ premove }) {
  return premove?.match(/[a-l]\d{1,2}/g) ?? null;
}

/** Shows marks on these squares, or none. */
export function markHint(squares) {
  view.hint = squares;
  refresh();
}

function turnForPlayer(now, before) {
  if (before?.session === now.session && before?.players?.white?.kind === now.players?.white?.kind) return;
  if (!setting("turnForBlack")) return;
  view.flipped = now.kind !== "analyse" && !isPerson("white") && isPerson("black");
}

on("state", (now, before) => {
  turnForPlayer(now, before);
  if (now.puzzle && now.serial !== before?.serial) view.flipped = now.position.turn === "black";
  if (before?.position.fen !== now.position.fen || before?.session !== now.session) {
    Object.assign(view, { hint: null, selected: null, drop: null, targets: new Set() });
  }
  document.body.dataset.kind = now.kind;
  refresh();
});
on("view", refresh);
