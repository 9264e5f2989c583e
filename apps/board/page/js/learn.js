// Learn from one's mistakes: the position before each judged mistake, and a better move to be found.

import { attempt } from "./api.js";
import { markMove, squaresOf } from "./arrows.js";
import { button, drawReleased, h, keepFocus, select } from "./dom.js";
import { OVER, mainLine } from "./graph.js";
import { sideName } from "./pieces.js";
import { glyphWords, scoreText, whiteShare } from "./score.js";
import { say } from "./speech.js";
import { puzzle, puzzleRow } from "./puzzles.js";
import { leaveRepertoire, repertoire, repertoireRow } from "./repertoire.js";
import { gameKey, hideLines, lines, node, on, state } from "./store.js";

// A move that keeps all but this share of the chance to win is as good.
const GOOD = 0.05;
// A search as deep as this is believed.
const DEPTH = 10;

const JUDGED = [2, 4, 6];

// Only what the engine has looked at can be compared.
function mistakesOf(now, side) {
  const line = mainLine(now);
  return line.map((entry, i) => ({ entry, before: line[i - 1] }))
    .filter(({ entry, before }) => before?.score && entry.nags?.some((nag) => JUDGED.includes(nag)) && (side === "both" || entry.side === side));
}

const chance = (share, side) => (side === "white" ? share : 1 - share);

// White's chances after the move that is tried; null while the engine looks.
function shareNow() {
  const now = state();
  if (now.legal.length === 0) return OVER[now.result?.score] ?? 0.5;
  const found = lines();
  if (!found?.lines.length || (found.depth < DEPTH && !found.done && !found.lines[0].score.mate)) return null;
  return whiteShare(found.lines[0].score);
}

// The round that is played: of one game at a time.
const round = { game: null, side: "both", list: [], index: -1, step: 0, said: "", solved: new Set(), shown: new Set(), verdict: "" };
let drawn = null;

const current = () => (round.game === gameKey() ? round.list[round.index] : undefined);

async function begin() {
  Object.assign(round, { game: gameKey(), list: mistakesOf(state(), round.side), index: -1, solved: new Set(), shown: new Set() });
  await next();
}

async function next() {
  round.index += 1;
  if (current()) return toPosition();
  hideLines(null);
  drawn?.();
  say(ending());
}

// Back to the position, where the engine keeps silent: it would show the answer.
async function toPosition() {
  Object.assign(round, { step: 0, said: "", verdict: "" });
  const { id } = current().before;
  hideLines(id);
  if (state().analysis?.on) await attempt("analyse", { on: false });
  await attempt("goto", { node: id });
  drawn?.();
}

async function hint(step) {
  round.step = step;
  if (step === 3) round.shown.add(round.index);
  await attempt("hint", { step });
}

on("hint", (given) => {
  if (given.node !== current()?.before.id) return;
  round.said = given.text;
  drawn?.();
});

// A move that is tried becomes a variation; its chances are compared with those before it.
function judge(mistake) {
  const at = node();
  const { entry, before } = mistake;
  if (at.id === entry.id) return `${entry.san} was played: ${glyphWords(entry.nags)}. Try another move.`;
  if (at.parent !== before.id) return "Go back to the position to try again.";
  const share = shareNow();
  if (share === null) {
    if (!state().analysis?.on) attempt("analyse", { on: true, lines: 1 });
    return "The engine looks at this move …";
  }
  const lost = chance(whiteShare(before.score), entry.side) - chance(share, entry.side);
  const score = scoreText(lines()?.lines[0]?.score);
  if (lost >= GOOD) return `${at.san} loses ${Math.round(lost * 100)} % of the chances${score ? `: ${score}` : ""}. Try another move.`;
  round.solved.add(round.index);
  return `${at.san} is good${score ? `: ${score}` : ""}.`;
}

function task({ entry, before }) {
  if (node().id !== before.id) return null;
  markMove("played", squaresOf(entry.mv));
  return `${entry.san} was played here. Find a better move for ${sideName(entry.side)}.`;
}

function running(mistake) {
  const text = task(mistake) ?? judge(mistake);
  const isThere = node().id === mistake.before.id;
  if (text !== round.verdict) say(text);
  round.verdict = text;
  const done = round.solved.has(round.index) || round.shown.has(round.index);
  return [
    h("p", { class: "quiet" }, `Mistake ${round.index + 1} of ${round.list.length}`), h("p", {}, text),
    isThere && round.said ? h("p", { class: "hinted-text" }, round.said) : "",
    h("div", { class: "row" }, button("Try again", toPosition, { disabled: isThere }),
      button("Give a hint", () => hint(Math.min(round.step + 1, 2)), { disabled: !isThere || round.step >= 2 }),
      button("Show the answer", () => hint(3), { disabled: !isThere }), button("Next", next, { class: done ? "main" : "" })),
  ];
}

const ending = () => `The round is over: ${round.solved.size} of ${round.list.length} found.`;

function idle(show) {
  const count = mistakesOf(state(), round.side).length;
  const isOver = round.game === gameKey() && round.list.length > 0 && round.index >= round.list.length;
  const there = count ? `${count} judged ${count === 1 ? "mistake" : "mistakes"} to learn from.` : "No judged mistakes yet: let the whole game be analyzed first.";
  return [
    h("p", {}, isOver ? ending() : there),
    h("div", { class: "row" }, Object.assign(select([["both", "Both sides"], ["white", "White"], ["black", "Black"]], round.side, (value) => { round.side = value; show(); }), { ariaLabel: "Whose mistakes" }),
      button(isOver ? "Once more" : "Begin", begin, { class: "main", disabled: count === 0 })),
  ];
}

/** The tab to learn in. */
export function learnTab() {
  const element = h("div", { class: "stack" });
  const draw = () => {
    const mistake = current();
    const trained = repertoire(show);
    const parts = state().puzzle ? puzzle(state().puzzle) : trained ?? (mistake ? running(mistake) : [...idle(show), repertoireRow(), puzzleRow()]);
    element.replaceChildren(...parts.filter(Boolean));
  };
  const show = () => drawReleased(element, () => keepFocus(element, draw));
  drawn = show;
  return {
    element, show, lines: () => current() && show(),
    leave: () => {
      drawn = null;
      leaveRepertoire();
      hideLines(null);
      round.index = -1;
      round.list = [];
    },
  };
}
