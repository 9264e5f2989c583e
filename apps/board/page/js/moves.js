// The moves of the game: the main line in two columns, variations below the move they replace.

import { attempt } from "./api.js";
import { byId, drawReleased, h, keepFocus } from "./dom.js";
import { glyphClass, glyphText, glyphWords, scoreText } from "./score.js";
import { say, spokenMove } from "./speech.js";
import { setting } from "./settings.js";
import { gameKey, on, state } from "./store.js";

const list = byId("moves");
let signature = "";

/** The nodes after each node, in their order: the first goes on with the line. */
export function childrenOf(tree) {
  const nodes = new Map(tree.map((node) => [node.id, node]));
  return new Map(tree.map((node) => [node.id, (node.children ?? []).map((id) => nodes.get(id)).filter(Boolean)]));
}

/** The root of the tree. */
export const rootOf = (tree) => tree.find(({ parent }) => parent === null || parent === undefined);

/** The line that goes through a node: from the root to it, and on with first moves. */
export function lineThrough(tree, id) {
  const nodes = new Map(tree.map((node) => [node.id, node]));
  const children = childrenOf(tree);
  const line = [];
  for (let node = nodes.get(id); node; node = nodes.get(node.parent)) line.unshift(node);
  for (let next = children.get(id)?.[0]; next; next = children.get(next.id)?.[0]) line.push(next);
  return line;
}

const goTo = (id) => attempt("goto", { node: id });

function moveButton(node, { value = true } = {}) {
  const { game, at, kind } = state();
  const glyph = glyphText(node.nags);
  const score = value && (kind === "analyse" || setting("gameMeter")) ? scoreText(node.score) : "";
  const words = [spokenMove(node.san, game), glyphWords(node.nags)].filter(Boolean).join(", ");
  return h("button", {
    type: "button", class: `mv ${glyphClass(node.nags)}`, "data-node": node.id, "aria-current": node.id === at ? "true" : null, onclick: () => goTo(node.id),
  }, h("span", { class: "hidden" }, `${numberText(node, true)}${words}${score ? `, ${score}` : ""}`),
  h("span", { class: "san", "aria-hidden": "true" }, node.san + glyph), score && h("span", { class: "value", "aria-hidden": "true" }, score));
}

const numberText = (node, always) => (node.side === "white" ? `${node.number}. ` : always ? `${node.number}… ` : "");

const comment = (text) => (text ? h("p", { class: "comment" }, text) : null);

// A variation runs on as text; its own variations stand in brackets below it.
function sideLine(first, children) {
  const parts = [];
  const below = [];
  let numbered = true;
  for (let node = first; node; node = children.get(node.id)?.[0]) {
    if (node.lead) parts.push(h("span", { class: "comment" }, ` ${node.lead} `));
    if (node.side === "white" || numbered) parts.push(h("span", { class: "number" }, numberText(node, true)));
    parts.push(moveButton(node, { value: false }));
    numbered = Boolean(node.comment);
    if (node.comment) parts.push(h("span", { class: "comment" }, ` ${node.comment} `));
    for (const other of node === first ? [] : siblings(node, children)) below.push(sideLine(other, children));
  }
  return h("div", { class: "side-line" }, parts, below);
}

const siblings = (node, children) => (children.get(node.parent)?.[0] === node ? children.get(node.parent).slice(1) : []);

function mainLine(tree) {
  const children = childrenOf(tree);
  const root = rootOf(tree);
  const rows = [comment(root?.comment)];
  let pair = null;
  const begin = (node) => {
    pair = h("div", { class: "pair" }, h("span", { class: "number", "aria-hidden": "true" }, `${node.number}.`));
    if (node.side === "black") pair.append(h("span", { class: "quiet", "aria-hidden": "true" }, "…"));
    rows.push(pair);
  };
  for (let node = children.get(root?.id)?.[0]; node; node = children.get(node.id)?.[0]) {
    if (node.lead) rows.push(comment(node.lead));
    if (!pair || node.side === "white" || node.lead) begin(node);
    pair.append(moveButton(node));
    const others = siblings(node, children);
    if (!node.comment && !node.unread?.length && others.length === 0) continue;
    rows.push(comment(node.comment), ...(node.unread ?? []).map(comment), ...others.map((other) => sideLine(other, children)));
    pair = null;
  }
  return rows.filter(Boolean);
}

function draw(now) {
  const rows = mainLine(now.tree);
  if (now.result) rows.push(h("p", { class: "ending" }, `${now.result.score} · ${now.result.reason}`));
  if (rows.length === 0) rows.push(h("p", { class: "quiet" }, "No moves yet."));
  list.replaceChildren(...rows);
}

function showCurrent(at) {
  for (const old of list.querySelectorAll("[aria-current]")) old.removeAttribute("aria-current");
  const here = list.querySelector(`[data-node="${CSS.escape(String(at))}"]`);
  here?.setAttribute("aria-current", "true");
  if (!here) list.scrollTop = 0;
  else keepInSight(here);
}

// Only the list scrolls, never the page.
function keepInSight(element) {
  const box = list.getBoundingClientRect();
  const item = element.getBoundingClientRect();
  if (item.top < box.top) list.scrollTop -= box.top - item.top + 8;
  else if (item.bottom > box.bottom) list.scrollTop += item.bottom - box.bottom + 8;
}

function show() {
  const now = state();
  const next = JSON.stringify([now.session, now.tree, now.result, now.game.name, setting("gameMeter")]);
  if (next !== signature) keepFocus(list, () => draw(now));
  signature = next;
  showCurrent(now.at);
  showFork();
}

// Where the game goes on in several ways: which of them is taken forward.
let chosen = { at: null, index: 0 };
const here = () => `${gameKey()} ${state().at}`;

function fork() {
  const now = state();
  const next = childrenOf(now.tree).get(now.at) ?? [];
  return { next, index: Math.min(chosen.index, next.length - 1) };
}

/** Chooses another move to go on by; false where there are not several. */
export function chooseNext(by) {
  const { next, index } = fork();
  if (next.length < 2) return false;
  chosen.index = (index + by + next.length) % next.length;
  showFork();
  const { san, side, number } = next[chosen.index];
  say(`${number}, ${side}: ${spokenMove(san, state().game)}`);
  return true;
}

/** Goes on by the chosen move. */
export function forward() {
  const { next, index } = fork();
  return index > 0 ? goTo(next[index].id) : attempt("forward");
}

function showFork() {
  if (chosen.at !== here()) chosen = { at: here(), index: 0 };
  const { next, index } = fork();
  for (const old of list.querySelectorAll(".next")) old.classList.remove("next");
  if (next.length > 1) list.querySelector(`[data-node="${CSS.escape(String(next[index].id))}"]`)?.classList.add("next");
}

on("state", () => drawReleased(list, show));
