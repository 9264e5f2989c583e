// The strips above and below the board: who plays, the clocks, pieces in hand.

import { attempt } from "./api.js";
import { byId, h } from "./dom.js";
import { drawPiece, otherSide, pieceName, sideName } from "./pieces.js";
import { deselect, selectDrop } from "./select.js";
import { setting } from "./settings.js";
import { clockAt, on, state, tell } from "./store.js";
import { currentView, isPerson } from "./view.js";

const LOW = 20_000;
let flagged = "";
// Sides that have had more than the last seconds, and shall be warned once they have not.
const armed = new Set();

/** What is left of a side's time now, in milliseconds. */
export function timeLeft(side) {
  const clock = state()?.clock;
  if (!clock) return null;
  const left = clock[`${side}_ms`];
  return clock.running === side ? Math.max(0, left - (performance.now() - clockAt())) : left;
}

/** "5:03", "1:02:03", and with tenths below twenty seconds "0:07.4". */
export function timeText(ms) {
  const seconds = ms < LOW ? Math.floor(ms / 100) / 10 : Math.ceil(ms / 1000);
  const minutes = Math.floor(seconds / 60);
  const rest = ms < LOW ? (seconds % 60).toFixed(1).padStart(4, "0") : String(seconds % 60).padStart(2, "0");
  return minutes < 60 ? `${minutes}:${rest}` : `${Math.floor(minutes / 60)}:${String(minutes % 60).padStart(2, "0")}:${rest}`;
}

function stone(side, now) {
  const turn = now.position.turn === side && !now.result;
  return h("span", { class: `stone ${side}${turn ? " turn" : ""}`, role: "img", "aria-label": `${side}${turn ? ", to move" : ""}` });
}

function strip(side, now) {
  const player = now.players?.[side] ?? {};
  const thinks = now.thinking === side;
  const name = player.name && player.name !== "?" ? player.name : sideName(side);
  const seed = player.kind === "engine" ? `seed ${now.seed}` : "";
  const level = [player.level && !name.includes(player.level) ? player.level : "", seed].filter(Boolean).join(", ");
  return [
    h("div", { class: "who" }, stone(side, now), h("bdi", { class: "name" }, name), h("span", { class: "level" }, level), thinks && h("span", { class: "thinking" }, "thinks …")),
    captured(side, now),
    hand(side, now),
    now.position.checks[side] !== null && h("span", { class: "level checks" }, `checks to win: ${now.position.checks[side]}`),
    now.clock && h("div", { class: "clock", id: `clock-${side}`, role: "timer", "aria-label": `clock of ${side}` }),
  ].filter(Boolean);
}

const VALUES = { q: 9, r: 5, b: 3, n: 3, p: 1 };

// What a side has taken from the other, and by how much it is ahead.
function captured(side, { game, position }) {
  const pieces = position.captured[side];
  if (!pieces.length) return null;
  const worth = (of) => position.squares.filter((one) => one.side === of).reduce((sum, one) => sum + (VALUES[one.piece.toLowerCase()] ?? 0), 0);
  const lead = worth(side) - worth(otherSide(side));
  const words = pieces.map((piece) => pieceName(game, piece)).join(", ");
  return h("div", { class: "captured", role: "img", "aria-label": `${sideName(side)} has taken: ${words}${lead > 0 ? `; ahead by ${lead}` : ""}` },
    pieces.map((piece) => drawPiece(game, piece, otherSide(side))), lead > 0 && h("span", { class: "level" }, `+${lead}`));
}

const isChosen = (letter, side) => currentView().drop?.side === side && currentView().drop.letter === letter;

// All pieces that can be in hand, also those at 0: so the tray never grows.
function hand(side, now) {
  if (!now.game.held.length) return null;
  return h("div", { class: "hand", role: "group", "aria-label": `pieces in hand of ${side}` }, now.game.held.map((letter) => {
    const count = now.position.hands[side][letter] ?? 0;
    const name = pieceName(now.game, letter);
    return h("button", {
      type: "button", disabled: count === 0, "data-drop": letter, "data-side": side, "aria-pressed": "false", title: `${name}: click and choose a square, or drag`,
      "aria-label": `${count} ${name} in hand of ${side}`, onclick: () => (isChosen(letter, side) ? deselect() : selectDrop(letter, side)),
    }, drawPiece(now.game, letter, side), h("span", { class: "count", "aria-hidden": "true" }, count || ""));
  }));
}

// What the strips show; they are made anew only if that changes, so that a piece can be dragged out.
let shown = "";

function showStrips() {
  const now = state();
  if (!now) return;
  const below = currentView().flipped ? "black" : "white";
  const { players, position, game, thinking, result } = now;
  const next = JSON.stringify([now.session, below, players, position.turn, position.captured, position.hands, position.checks, game.held, thinking, result, Boolean(now.clock), setting("letters")]);
  if (next !== shown) {
    const focused = document.activeElement?.dataset.drop && `[data-drop="${CSS.escape(document.activeElement.dataset.drop)}"][data-side="${document.activeElement.dataset.side}"]`;
    document.documentElement.dataset.hands = game.held.length ? "on" : "off";
    byId("bottom-strip").replaceChildren(...strip(below, now));
    byId("top-strip").replaceChildren(...strip(otherSide(below), now));
    if (focused) document.querySelector(focused)?.focus({ preventScroll: true });
  }
  shown = next;
  for (const piece of document.querySelectorAll(".hand [data-drop]")) {
    const chosen = isChosen(piece.dataset.drop, piece.dataset.side);
    piece.setAttribute("aria-pressed", String(chosen));
    piece.classList.toggle("selected", chosen);
  }
  showClocks();
}

function showClocks() {
  const clock = state()?.clock;
  if (!clock) return;
  for (const side of ["white", "black"]) {
    const element = byId(`clock-${side}`);
    const left = timeLeft(side);
    if (!element || left === null) continue;
    const text = timeText(left);
    if (element.textContent !== text) element.textContent = text;
    element.classList.toggle("runs", clock.running === side);
    element.classList.toggle("low", left < LOW);
    watch(side, left, clock);
  }
}

// The server decides whether a flag has fallen; the page asks it to look.
function watch(side, left, clock) {
  const now = state();
  const name = `${now.session} ${now.position.ply} ${side}`;
  if (clock.running !== side || now.result) return;
  if (left >= LOW / 2) armed.add(side);
  else if (armed.delete(side) && isPerson(side)) tell("low-time", side);
  if (left <= 0 && flagged !== name) {
    flagged = name;
    attempt("flag");
  }
}

on("state", (now, before) => {
  flagged = "";
  if (now.session !== before?.session) armed.clear();
});
on("board", showStrips);
on("clock", showClocks);
setInterval(showClocks, 100);
