// The graph of scores over the line of the game, and the accuracies.

import { attempt } from "./api.js";
import { h, s } from "./dom.js";
import { lineThrough, rootOf } from "./moves.js";
import { glyphClass, scoreText, whiteShare } from "./score.js";
import { state } from "./store.js";

const WIDE = 600;
const HIGH = 100;

/** The main line. */
export const mainLine = (now) => lineThrough(now.tree, rootOf(now.tree)?.id);

/** White's share of the point by the result. */
export const OVER = { "1-0": 1, "0-1": 0, "1/2-1/2": 0.5 };

// The position after mate has no score, but the game has a result.
function shareOf(node, now) {
  if (node.score) return whiteShare(node.score);
  return node.id === now.tip && now.tree.some(({ score }) => score) ? OVER[now.result?.score] : undefined;
}

function drawing(line, now) {
  const step = WIDE / Math.max(line.length - 1, 1);
  const points = line.map((node, i) => ({ node, x: i * step, share: shareOf(node, now) }))
    .filter(({ share }) => share !== undefined).map((point) => ({ ...point, y: HIGH * (1 - point.share) }));
  const path = points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ");
  const wide = points.length > 1 ? points.at(-1).x - points[0].x : 0;
  const at = line.findIndex(({ id }) => id === now.at);
  return [
    points.length > 1 && s("rect", { class: "back", x: points[0].x, y: 0, width: wide, height: HIGH }),
    points.length > 1 && s("polygon", { class: "area", points: `${points[0].x},${HIGH} ${path} ${points.at(-1).x},${HIGH}` }),
    s("line", { class: "middle", x1: 0, x2: WIDE, y1: HIGH / 2, y2: HIGH / 2 }),
    at >= 0 && s("line", { class: "now", x1: at * step, x2: at * step, y1: 0, y2: HIGH }),
    ...points.filter(({ node }) => glyphClass(node.nags)).map(({ node, x, y }) => s("circle", { class: glyphClass(node.nags), cx: x, cy: y, r: 4 })),
  ].filter(Boolean);
}

function summary(line) {
  const scored = line.filter(({ score }) => score);
  if (scored.length === 0) return "Graph of scores: nothing evaluated yet";
  return `Graph of scores: ${scored.length} of ${line.length} positions evaluated, ${scoreText(scored[0].score)} at the beginning, ${scoreText(scored.at(-1).score)} at the end`;
}

/** The graph, which leads to a move when it is clicked; a text as long as there is nothing to draw. */
export function graph(now) {
  const line = mainLine(now);
  if (!line.some(({ score }) => score)) return h("p", { class: "quiet" }, "A graph of the evaluations stands here once moves are evaluated.");
  const picture = s("svg", { class: "graph", viewBox: `0 0 ${WIDE} ${HIGH}`, preserveAspectRatio: "none", role: "img", "aria-label": summary(line) }, drawing(line, now));
  picture.addEventListener("click", (event) => {
    const box = picture.getBoundingClientRect();
    const index = Math.round(((event.clientX - box.left) / box.width) * (line.length - 1));
    if (line[index]) attempt("goto", { node: line[index].id });
  });
  return picture;
}

const JUDGED = [[6, "inaccuracy", "inaccuracies"], [2, "mistake", "mistakes"], [4, "blunder", "blunders"]];

// How often a side was judged so in the main line.
function counts(side) {
  const line = mainLine(state()).filter((node) => node.side === side);
  const count = (nag) => line.filter(({ nags }) => nags?.includes(nag)).length;
  return JUDGED.map(([nag, one, many]) => [count(nag), one, many]).filter(([number]) => number > 0).map(([number, one, many]) => `${number} ${number === 1 ? one : many}`).join(", ");
}

/** The accuracies of both sides, if known, and their mistakes. */
export function accuracies() {
  const { accuracy, players } = state();
  const text = (value) => (value === null || value === undefined ? "–" : `${value.toFixed(1)} %`);
  return h("div", { class: "accuracies" }, ["white", "black"].map((side) =>
    h("div", {}, h("span", { class: "quiet" }, `${players?.[side]?.name || side} `), h("b", {}, text(accuracy?.[side])), h("div", { class: "quiet" }, counts(side)))));
}
