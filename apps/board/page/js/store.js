// What the page knows: the state of the session as the server sent it, the latest lines of the
// engine, and who wants to hear of them.

const listeners = new Map();
const known = { state: null, lines: null, threats: null, hidden: null, clockAt: 0 };

/** Calls f(data, before) whenever something of this kind arrives: state, lines, notice, file, view. */
export function on(kind, f) {
  listeners.set(kind, [...(listeners.get(kind) ?? []), f]);
}

/** Tells the listeners of this kind. */
export function tell(kind, data, before) {
  for (const f of listeners.get(kind) ?? []) f(data, before);
}

/** The state of the session, or null. */
export const state = () => known.state;

/** The name of a game at a session. Others that come to the same session have nodes of the same numbers. */
export const gameKey = (of = known.state) => `${of?.session} ${of?.serial}`;

/** The latest lines of the engine for the position on the board, or null. */
export const lines = () => (known.hidden !== null && known.hidden === known.state?.at ? null : known.lines);

/** Whoever looks for a good move at this node of the tree shall not see it; null hides nothing. */
export function hideLines(id) {
  known.hidden = id;
  tell("lines", lines());
}

/** What the opponent of the side to move threatens, as lines; or null. */
export const threats = () => known.threats;

/** When the clocks were read, in milliseconds of performance.now(). */
export const clockAt = () => known.clockAt;

// The trees that came last, by their stamps: the server leaves out what the page has.
const trees = new Map();

function withTree(next) {
  const tree = next.tree ?? trees.get(next.tree_stamp);
  if (!tree) return false;
  trees.delete(next.tree_stamp);
  trees.set(next.tree_stamp, tree);
  if (trees.size > 4) trees.delete(trees.keys().next().value);
  next.tree = tree;
  for (const entry of tree) {
    if (entry.recorded === undefined) entry.recorded = entry.score;
    entry.score = next.scores[entry.id] ?? entry.recorded;
  }
  return true;
}

/** Takes over a state from the server; false where it lacks a tree that the page does not have. */
export function putState(next) {
  const before = known.state;
  // An answer and an event may overtake each other.
  if (before && before.session === next.session && next.version < before.version) return true;
  if (!withTree(next)) return false;
  known.state = next;
  known.clockAt = performance.now();
  const isOther = gameKey(before) !== gameKey(next);
  if (isOther) {
    known.hidden = null;
    found.clear();
  }
  if (isOther || before.at !== next.at) {
    known.lines = found.get(next.at) ?? null;
    known.threats = null;
  }
  tell("state", next, before);
  tell("lines", lines());
  return true;
}

// What was found at the nodes of the game; stepping back shows it again at once.
const found = new Map();

/** Takes over lines of the engine. */
export function putLines(next) {
  const now = known.state;
  if (!now) return;
  const old = found.get(next.node);
  if (!old || next.depth >= old.depth || next.lines.length > old.lines.length) found.set(next.node, next);
  if (next.node !== now.at) return;
  known.lines = next;
  tell("lines", lines());
}

/** Takes over threats. */
export function putThreats(next) {
  if (next.node !== known.state?.at) return;
  known.threats = next.lines.length ? next : null;
  tell("threats", known.threats);
}

/** Takes over the clocks. */
export function putClock(clock) {
  if (!known.state) return;
  known.state.clock = clock;
  known.clockAt = performance.now();
  tell("clock", clock);
}

/** The node of the tree that is on the board. */
export const node = () => known.state?.tree.find((entry) => entry.id === known.state.at) ?? null;
