// What a screen reader hears: moves in words, the board as text, answers to typed questions.

import { byId, h } from "./dom.js";
import { allSquares } from "./geometry.js";
import { otherSide, pieceName, sideName } from "./pieces.js";
import { scoreWords } from "./score.js";
import { setting } from "./settings.js";
import { gameKey, lines, node, on, state, threats } from "./store.js";

const log = byId("say");

/** Says a text once. */
export function say(text) {
  if (!text) return;
  log.append(h("p", {}, text));
  while (log.children.length > 8) log.firstElementChild.remove();
}

/** A move in words: "knight f 3, check". */
export function spokenMove(san, game) {
  if (/^O-O-O/.test(san)) return `castles long${ending(san)}`;
  if (/^O-O/.test(san)) return `castles short${ending(san)}`;
  const body = san.replace(/[+#!?]+$/, "");
  const words = body.replace(/^\+?[A-Z](?=[a-z@x\d])/, (piece) => `${pieceName(game, piece)} `)
    .replace(/x/, " takes ").replace(/@/, " dropped on ")
    .replace(/=?(\+?[A-Z])$/, (_, piece) => (piece.startsWith("+") ? ", promotes" : `, promotes to ${pieceName(game, piece)}`))
    .replace(/([a-l])(\d+)/g, "$1 $2 ");
  return words.replace(/\s+/g, " ").replace(/ ,/g, ",").trim() + ending(san);
}

const ending = (san) => (san.includes("#") ? ", mate" : san.includes("+") && /\+[!?]*$/.test(san) ? ", check" : "");

/** The pieces of one side in words, kings first; pawns are read by file. */
export function piecesInWords(now, side) {
  const groups = new Map();
  for (const { at, piece } of now.position.squares.filter((entry) => entry.side === side)) {
    const name = pieceName(now.game, piece);
    groups.set(name, [...(groups.get(name) ?? []), at]);
  }
  const order = now.game.pieces?.map(({ letter }) => pieceName(now.game, letter)) ?? [];
  const rank = (name) => (/pawn|soldier/.test(name) ? 99 : /king|general$/.test(name) ? -1 : order.indexOf(name));
  const sorted = [...groups].sort(([one], [other]) => rank(one) - rank(other));
  const words = sorted.map(([name, squares]) => `${name}${squares.length > 1 ? "s" : ""} ${byFile(squares).join(" ")}`);
  return words.concat(handInWords(now, side)).join(", ") || "no pieces";
}

const byFile = (squares) => [...squares].sort((one, other) => one.charCodeAt(0) - other.charCodeAt(0) || Number(one.slice(1)) - Number(other.slice(1)));

function handInWords({ position, game }, side) {
  const hand = game.held.map((letter) => [letter, position.hands[side][letter] ?? 0]).filter(([, count]) => count > 0);
  const words = hand.length === 0 ? [] : [`in hand ${hand.map(([letter, count]) => `${count} ${pieceName(game, letter)}`).join(" ")}`];
  return position.checks[side] === null ? words : words.concat(`checks to win ${position.checks[side]}`);
}

/** The board in words. */
export function boardInWords(now) {
  return `White: ${piecesInWords(now, "white")}.\nBlack: ${piecesInWords(now, "black")}.\n${sideName(now.position.turn)} to move${now.position.check?.length ? ", in check" : ""}.`;
}

/** The best line in words. */
export function evaluationInWords() {
  const now = lines();
  const best = now?.lines[0];
  if (!best) return "No evaluation. Type analyze to start the engine.";
  const only = now.only ? ", the only good move" : "";
  return `${scoreWords(best.score)}, depth ${now.depth}${best.san ? `: ${best.san}${only}` : ""}`;
}

/** The greatest threat as a search has found it; null where none is looked for. */
export function threatInWords() {
  const best = setting("threats") && state()?.kind === "analyse" ? threats()?.lines[0] : null;
  return best ? `${sideName(otherSide(state().position.turn))} threatens ${best.san.split(" ").slice(0, 2).join(" ")}: ${scoreWords(best.score)}.` : null;
}

// The evaluation of each position, once the search is deep enough to be believed.
const SPOKEN_DEPTH = 12;
let spoken = "";

function speakScore(now) {
  const name = `${gameKey()} ${now?.node}`;
  if (!setting("speakScore") || !now?.lines.length || name === spoken || (now.depth < SPOKEN_DEPTH && !now.done)) return;
  spoken = name;
  byId("spoken-score").textContent = evaluationInWords();
}

on("lines", speakScore);

/** What stands on a square, a file or a rank. */
export function placeInWords(now, place) {
  const fits = (square) => square === place || square[0] === place || square.slice(1) === place;
  const found = [...allSquares(now.game, true)].filter(fits).reverse();
  if (found.length === 0) return null;
  const words = found.map((square) => {
    const entry = now.position.squares.find(({ at }) => at === square);
    return entry ? `${square} ${entry.side} ${pieceName(now.game, entry.piece)}` : found.length === 1 ? `${square} empty` : null;
  });
  return words.filter(Boolean).join(", ") || "empty";
}

/** The last move in words, with who made it. */
export function lastMoveInWords(now = state()) {
  const last = node();
  return last?.san ? `${sideName(last.side)}: ${spokenMove(last.san, now.game)}` : "No move yet";
}

function showText(now) {
  const panel = byId("text-board");
  panel.hidden = !setting("textBoard");
  if (!panel.hidden) panel.replaceChildren(h("h2", {}, "Board as text"), h("p", { class: "text-board-lines" }, boardInWords(now)));
}

function sayMove(now, before) {
  if (!before || before.session !== now.session || before.at === now.at) return;
  say(lastMoveInWords(now));
  if (now.threat && now.threat !== before.threat) say(now.threat);
}

on("state", (now, before) => {
  showText(now);
  sayMove(now, before);
  if (now.result && !before?.result) say(`${now.result.score}, ${now.result.reason}`);
});
on("view", () => state() && showText(state()));
