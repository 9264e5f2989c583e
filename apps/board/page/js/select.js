// Choosing a piece and its target, by whatever means: click and click, drag, keys.

import { attempt } from "./api.js";
import { cell } from "./board.js";
import { h, openDialog } from "./dom.js";
import { drawPiece, pieceName } from "./pieces.js";
import { say } from "./speech.js";
import { setting } from "./settings.js";
import { state, tell } from "./store.js";
import { asOwn, currentView, mayMove, plansAhead, refresh } from "./view.js";

const sideOn = (square) => state()?.position.squares.find(({ at }) => at === square);

const targetsFrom = (square) => new Set(state().legal.filter(({ from }) => from === square).map(({ to }) => to));
const goesTo = (move, square) => move.to === square || move.also === square;
const targetsOfDrop = (letter) => new Set(state().legal.filter(({ drop }) => drop === letter).map(({ to }) => to));

/** Selects the piece on a square, if the user may move it. */
export function selectSquare(square) {
  const piece = sideOn(square);
  if (!piece || !mayMove(piece.side)) return false;
  Object.assign(currentView(), { selected: square, drop: null, targets: plansAhead(piece.side) ? new Set() : targetsFrom(square) });
  refresh();
  return true;
}

/** Selects a piece in the hand. */
export function selectDrop(letter, side) {
  if (!mayMove(side)) return;
  const targets = state().legal.filter(({ drop }) => drop === letter).length;
  say(`${pieceName(state().game, letter)} in hand selected, ${plansAhead(side) ? "planned move: choose a target" : `${targets} targets`}`);
  Object.assign(currentView(), { selected: null, drop: { letter, side }, targets: plansAhead(side) ? new Set() : targetsOfDrop(letter) });
  refresh();
}

/** Selects nothing. */
export function deselect() {
  Object.assign(currentView(), { selected: null, drop: null, targets: new Set() });
  refresh();
}

/** A click, a tap, or Enter on a square. */
export function choose(square) {
  const view = currentView();
  if (view.drop) return void moveTo({ drop: view.drop }, square);
  if (view.selected === square) return void deselect();
  const own = sideOn(square);
  if (view.selected && (isTarget(view.selected, square) || !own || !mayMove(own.side) || castles(square))) {
    return void moveTo({ from: view.selected }, square);
  }
  if (selectSquare(square)) return say(spokenSelection(square));
  if (state()?.premove) attempt("cancel_premove");
}

const isTarget = (from, to) => state().legal.some((move) => move.from === from && goesTo(move, to));

/** Whether the selected king castles by going to a square: that of its rook, or its target; in a premove that of the rook. */
export function castles(square) {
  const { selected } = currentView();
  if (state().legal.some(({ from, also }) => from === selected && also === square)) return true;
  const [king, rook] = [sideOn(selected), sideOn(square)];
  return state().game.name === "chess960" && king?.piece === "K" && rook?.piece === "R" && king.side === rook.side && plansAhead(king.side);
}

function spokenSelection(square) {
  const now = state();
  const piece = sideOn(square);
  const count = targetsFrom(square).size;
  const where = plansAhead(piece.side) ? "planned move: choose a target" : `${count} ${count === 1 ? "target" : "targets"}`;
  return `${pieceName(now.game, piece.piece)} ${square} selected, ${where}`;
}

/** Makes the move from a square or from the hand to a square; asks where there are several. */
export async function moveTo(origin, to, { dragged = false } = {}) {
  const now = state();
  const side = origin.drop?.side ?? sideOn(origin.from)?.side;
  if (plansAhead(side)) return plan(origin, to);
  const fits = now.legal.filter((move) => goesTo(move, to) && (origin.drop ? move.drop === origin.drop.letter : move.from === origin.from && !move.drop));
  if (fits.length === 0) return refuse(to);
  const move = fits.length === 1 ? fits[0] : await ask(fits, side, to);
  if (!move) return void deselect();
  await make(move.mv, dragged);
}

function refuse(to) {
  say(`${to} cannot be reached`);
  tell("sound", "refused");
  deselect();
}

async function make(mv, dragged) {
  const view = currentView();
  view.still = dragged;
  Object.assign(view, { selected: null, drop: null, targets: new Set() });
  if (!(await attempt("move", { mv, ...asOwn() }))) {
    view.still = false;
    refresh();
  }
}

// A piece as texts of drops name it: a letter as a capital, or a longer name.
const dropped = (letter) => ([...letter].length === 1 ? letter.toUpperCase() : letter);

async function plan(origin, to) {
  const now = state();
  const mv = origin.drop ? `${dropped(origin.drop.letter)}@${to}` : origin.from + to;
  deselect();
  if (origin.from === to) return;
  if (await attempt("premove", { mv, ...asOwn() })) say(`Premove ${mv} kept until ${now.players[now.position.turn].name} has moved`);
}

// Several moves with the same target: promotions, or effects of a piece of a variant.
function ask(moves, side, square) {
  return new Promise((resolve) => {
    let chosen = null;
    const pick = (move) => () => {
      chosen = move;
      dialog.close();
    };
    const dialog = openDialog(moves.every(({ promotion }) => promotion) ? "Promote to" : "Which move?",
      h("div", { class: "choices" }, moves.map((move) => choice(move, side, pick(move)))),
      { class: "small", closed: () => resolve(chosen) });
    putOver(dialog, cell(square).getBoundingClientRect());
    dialog.querySelector(".choices button").focus();
  });
}

// The choices stand at the square, as far as the window has room there.
function putOver(dialog, square) {
  const { width, height } = dialog.getBoundingClientRect();
  const within = (at, size, room) => `${Math.max(4, Math.min(at, room - size - 4))}px`;
  Object.assign(dialog.style, {
    margin: "0", left: within(square.left + square.width / 2 - width / 2, width, innerWidth), top: within(square.top, height, innerHeight),
  });
}

function choice(move, side, onclick) {
  const { game } = state();
  if (!move.promotion || !game.pieces.some(({ letter }) => letter.toLowerCase() === move.promotion.toLowerCase())) return h("button", { type: "button", class: "text", onclick }, move.san);
  const name = pieceName(game, move.promotion);
  return h("button", { type: "button", onclick, "aria-label": name, title: name, "data-promotion": move.promotion.toLowerCase() }, drawPiece(game, move.promotion, side));
}

/** Whether legal targets are to be shown while dragging. */
export const showsTargets = () => setting("targets");
