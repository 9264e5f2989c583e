// Training of a repertoire: the tree of variations on the board, of which the user finds the own moves
// and the page plays the others, until each line has gone without a mistake.

import { attempt } from "./api.js";
import { button, h, select } from "./dom.js";
import { sideName } from "./pieces.js";
import { say } from "./speech.js";
import { gameKey, hideLines, node, on, state } from "./store.js";

// The training: of one tree at a time. A line is named by its last move.
const training = { game: null, at: null, side: "white", moves: new Map(), open: new Set(), count: 0, line: [], failed: false, said: "", shown: null };

const isRunning = () => training.game === gameKey();
const answersOf = (id) => [...training.moves.values()].filter((entry) => entry.parent === id);
const pathTo = (id) => (id === null || id === undefined ? [] : [...pathTo(training.moves.get(id).parent), id]);
const mover = (id) => answersOf(id)[0]?.side;

// The ends of the lines in which the user has something to find.
function linesOf(tree, side) {
  const parents = new Set(tree.map((entry) => entry.parent));
  training.moves = new Map(tree.map((entry) => [entry.id, entry]));
  return tree.filter(({ id }) => !parents.has(id)).map(({ id }) => id).filter((id) => pathTo(id).some((step) => training.moves.get(step).side === side));
}

function begin(side) {
  const ends = linesOf(state().tree, side);
  Object.assign(training, { game: gameKey(), side, open: new Set(ends), count: ends.length, said: "" });
  return nextLine();
}

async function nextLine() {
  const ends = [...training.open];
  training.line = ends.length ? pathTo(ends[Math.floor(Math.random() * ends.length)]) : [];
  training.failed = false;
  if (!ends.length) {
    training.said = `You know this repertoire: ${training.count} ${training.count === 1 ? "line" : "lines"} without a mistake.`;
    hideLines(null);
    say(training.said);
    return training.shown?.();
  }
  if (state().analysis?.on) await attempt("analyse", { on: false });
  return play(training.line[0]);
}

// Puts a node on the board, and plays the other side's moves up to the next that is to be found.
async function play(id) {
  let at = id;
  while (mover(at) && mover(at) !== training.side) at = training.line[training.line.indexOf(at) + 1];
  if (!mover(at)) return endLine();
  hideLines(at);
  training.at = at;
  await attempt("goto", { node: at });
  training.shown?.();
}

async function endLine() {
  const end = training.line.at(-1);
  training.at = null;
  if (!training.failed) training.open.delete(end);
  training.said = training.failed ? "The line is over. It comes once more." : "The line is right.";
  say(training.said);
  await nextLine();
}

// A move of the line is right; another one of the repertoire leads to its own line; others are taken back.
async function judge(at) {
  const expected = training.at;
  if (!isRunning() || expected === null || !at || at.id === expected || at.parent !== expected) return;
  training.at = null;
  if (answersOf(expected).some((entry) => entry.id === at.id)) {
    if (!training.line.includes(at.id)) {
      const lines = [...training.open].map(pathTo).filter((line) => line.includes(at.id));
      // All lines of this move are known already: the one that is trained is asked for.
      if (!lines.length) return again(expected, `${at.san} is in the repertoire, and you know it. Another move is meant.`);
      training.line = lines[Math.floor(Math.random() * lines.length)];
    }
    training.said = `Right: ${at.san}.`;
    return play(at.id);
  }
  training.failed = true;
  await attempt("delete_line", { node: at.id });
  return again(expected, `${at.san} is not in the repertoire. Try again.`);
}

async function again(expected, said) {
  training.said = said;
  say(said);
  training.at = expected;
  await attempt("goto", { node: expected });
  training.shown?.();
}

on("state", () => judge(node()));

// The moves beside the board would show the answers.
function hideMoves(isHidden) {
  document.body.classList.toggle("recalls", isHidden);
}

function show() {
  if (training.at === null) return;
  training.failed = true;
  training.said = `The repertoire has ${answersOf(training.at).map(({ san }) => san).join(" or ")}.`;
  say(training.said);
  training.shown?.();
}

function stop() {
  training.game = null;
  hideLines(null);
  hideMoves(false);
  training.shown?.();
}

/** What is shown while a repertoire is trained, or null. */
export function repertoire(redraw) {
  training.shown = redraw;
  hideMoves(isRunning() && training.open.size > 0);
  if (!isRunning()) return null;
  const left = training.open.size;
  const isOver = left === 0;
  return [
    h("p", { class: "quiet" }, `Repertoire: ${training.count - left} of ${training.count} lines known`),
    training.said && h("p", { class: "hinted-text" }, training.said),
    !isOver && h("p", {}, `Play the move of ${sideName(training.side)} that the repertoire has.`),
    h("div", { class: "row" }, !isOver && [button("Back to the position", () => attempt("goto", { node: training.at }), { disabled: node()?.id === training.at }), button("Show the move", show)], button(isOver ? "Close" : "Stop the training", stop, { class: isOver ? "main" : "" })),
  ];
}

/** What begins the training of the tree on the board. */
export function repertoireRow() {
  const side = select([["white", "White"], ["black", "Black"]], "white");
  side.ariaLabel = "Whose moves to find";
  return h("div", { class: "row" }, side, button("Train this repertoire", () => begin(side.value), { disabled: state().tree.length < 3 }));
}

/** The training ends, also where another game has come on the board. */
export function leaveRepertoire() {
  training.shown = null;
  if (training.game !== null) stop();
}
