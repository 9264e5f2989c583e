// Learn from one's mistakes: the position before each judged mistake, and a better move to be found.

import { attempt } from "./api.js";
import { button, h, select } from "./dom.js";
import { mainLine } from "./graph.js";
import { glyphWords, scoreText, whiteShare } from "./score.js";
import { lines, node, state } from "./store.js";

// A move that keeps all but this share of the chance to win is as good.
const GOOD = 0.05;

const JUDGED = [2, 4, 6];

function mistakesOf(now, side) {
  const line = mainLine(now);
  return line.map((entry, i) => ({ entry, before: line[i - 1] }))
    .filter(({ entry, before }) => before && entry.nags?.some((nag) => JUDGED.includes(nag)) && (side === "both" || entry.side === side));
}

const chance = (score, side) => (side === "white" ? whiteShare(score) : 1 - whiteShare(score));

/** The tab to learn in. */
export function learnTab() {
  const element = h("div", { class: "stack" });
  const round = { side: "both", list: [], index: -1, best: null, solved: false };
  const begin = () => {
    round.list = mistakesOf(state(), round.side);
    round.index = -1;
    next();
  };
  const next = async () => {
    round.index += 1;
    round.solved = false;
    round.best = null;
    const mistake = round.list[round.index];
    if (mistake) await attempt("goto", { node: mistake.before.id });
    show();
  };
  // A move that the user tries becomes a variation; its score is compared with that before it.
  const verdict = (mistake) => {
    const at = node();
    if (at.id === mistake.before.id) return h("p", {}, `Find a better move for ${mistake.entry.side === "white" ? "White" : "Black"} than ${mistake.entry.san}.`);
    if (at.parent !== mistake.before.id) return h("p", { class: "quiet" }, "Go back to the position to try again.");
    if (at.id === mistake.entry.id) return h("p", {}, `That was played: ${glyphWords(at.nags)}.`);
    const score = lines()?.lines[0]?.score ?? at.score;
    const old = mistake.before.score;
    if (!score || !old) return h("p", { class: "quiet" }, "The engine looks at this move …");
    const lost = chance(old, mistake.entry.side) - chance(score, mistake.entry.side);
    round.solved ||= lost < GOOD;
    return h("p", { role: "status" }, lost < GOOD ? `${at.san} is good: ${scoreText(score)}.` : `${at.san} loses ${Math.round(lost * 100)} % of the chances: ${scoreText(score)}. Try another one.`);
  };
  const running = (mistake) => [
    h("p", { class: "quiet" }, `Mistake ${round.index + 1} of ${round.list.length}`), verdict(mistake),
    h("div", { class: "row" }, button("Try again", () => attempt("goto", { node: mistake.before.id })),
      button("Show the answer", () => attempt("analyse", { on: true, lines: 1 })), button("Next", next, { class: round.solved ? "main" : "" })),
  ];
  const idle = () => {
    const count = mistakesOf(state(), round.side).length;
    return [
      h("p", {}, round.index >= 0 && round.list.length ? "These were all mistakes." : count ? `${count} judged ${count === 1 ? "mistake" : "mistakes"} to learn from.` : "No judged mistakes yet: let the whole game be analyzed first."),
      h("div", { class: "row" }, Object.assign(select([["both", "Both sides"], ["white", "White"], ["black", "Black"]], round.side, (value) => { round.side = value; show(); }), { ariaLabel: "Whose mistakes" }),
        button("Begin", begin, { class: "main", disabled: count === 0 })),
    ];
  };
  const show = () => element.replaceChildren(...(round.list[round.index] ? running(round.list[round.index]) : idle()));
  return { element, show, lines: () => round.list[round.index] && show() };
}
