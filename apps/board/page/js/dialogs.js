// The dialogs for the switches, for unfinished games, and for help.

import { attempt, attemptFollow, get, post } from "./api.js";
import { button, check, field, h, openDialog, select } from "./dom.js";
import { BOARDS, PIECES, SWITCHES, set, setting } from "./settings.js";
import { state } from "./store.js";

/** Switches. */
export function settingsDialog() {
  const change = (name) => (value) => {
    set(name, value);
    if (name === "threat" && state()) attempt("threat", { on: value });
  };
  const theme = select([["auto", "As the system"], ["light", "Light"], ["dark", "Dark"]], setting("theme"), (value) => set("theme", value));
  const look = (name, entries) => select(entries, setting(name), (value) => set(name, value));
  const dialog = openDialog("Settings", h("div", { class: "stack" },
    h("fieldset", { class: "stack" }, h("legend", {}, "Show"), SWITCHES.map(([name, text]) => check(text, setting(name), change(name)))),
    h("div", { class: "row" }, [["Colors", theme], ["Board", look("board", BOARDS)], ["Pieces", look("pieces", PIECES)]].map(([text, list]) => h("div", { class: "grow" }, field(text, list)))),
    h("div", { class: "ends" }, button("Close", () => dialog.close(), { class: "main" }))));
}

const named = (name) => Boolean(name) && name !== "?";

// What a row is called: who plays, or for an analysis of nobody's game what is analyzed.
function titleOf({ kind, white, black, opening, game }) {
  if (kind !== "analyse" || named(white) || named(black)) return `${kind === "analyse" ? "Analysis: " : ""}${white} – ${black}`;
  return `Analysis: ${opening ?? game}`;
}

const whenOf = ({ since }) => new Date(since * 1000).toLocaleString([], { dateStyle: "medium", timeStyle: "short" });

// The row says what has become of its game, and undoes it.
async function forget(entry, row, restored = false) {
  const cells = [...row.children];
  try {
    await post(restored ? "api/restore" : "api/forget", entry.session);
  } catch (error) {
    return void cells[0].append(h("div", { class: "error", role: "alert" }, error.message));
  }
  if (restored) return void row.replaceWith(rowOf(entry, row.dialog));
  const undo = button("Undo", () => forget(entry, row, true));
  row.replaceChildren(h("td", { class: "quiet" }, `${titleOf(entry)} is forgotten.`), h("td", { class: "number" }, undo));
  undo.focus();
  return undefined;
}

function rowOf(entry, dialog) {
  const go = async () => {
    dialog().close();
    await attemptFollow(entry.session);
  };
  const title = titleOf(entry);
  const about = [entry.game, entry.opening, `${entry.plies} plies`, entry.result ?? "unfinished", whenOf(entry)].filter(Boolean).join(", ");
  const row = h("tr", {}, h("td", {}, button(title, go), h("div", { class: "quiet" }, about)),
    h("td", { class: "number" }, button("Forget", () => forget(entry, row), { "aria-label": `Forget ${title}` })));
  row.dialog = dialog;
  return row;
}

/** The sessions and unfinished games. */
export async function gamesDialog() {
  let dialog = null;
  const data = await get("api/sessions", null).catch((error) => ({ error: error.message }));
  const sessions = Array.isArray(data) ? data.filter(({ session, empty }) => !empty && session !== state()?.session) : [];
  const rows = sessions.map((entry) => rowOf(entry, () => dialog));
  const search = h("input", { type: "search", autocomplete: "off" });
  search.addEventListener("input", () => {
    const words = search.value.toLowerCase().split(/\s+/);
    for (const row of rows) row.hidden = !words.every((word) => row.textContent.toLowerCase().includes(word));
  });
  const list = () => h("div", { class: "stack" }, field("Search by player, game, opening, result, or date", search),
    h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "List of games" }, h("table", {},
      h("thead", {}, h("tr", {}, ["Game", "Remove"].map((text, i) => h("th", { scope: "col", class: i ? "number" : "" }, text)))), h("tbody", {}, rows))));
  const results = await get("api/results", null).catch((error) => [error.message]);
  const content = data.error ? h("p", { class: "error" }, data.error) : sessions.length === 0 ? h("p", {}, "No other game is open or unfinished.") : list();
  dialog = openDialog("Games", h("div", { class: "stack" }, content,
    results.length > 0 && h("fieldset", {}, h("legend", {}, "Results against the engine"), results.map((line) => h("p", {}, line))),
    h("div", { class: "ends" }, button("Close", () => dialog.close(), { class: "main" }))));
}

const KEYS = [
  ["Arrow keys", "on the board: from square to square; elsewhere: back and forward"],
  ["Enter, Space", "take up a piece, put it down"], ["Escape", "put it back; forget a premove"],
  ["Letters", "on the board: begin to type a move"], ["Page Up, Page Down", "back and forward"], ["Home, End", "first and last position"],
  ["Ctrl+Z, Ctrl+Y", "take back or undo; redo"], ["F2", "turn the board"], ["F3", "hint: what to think of, which piece, which move"],
  ["Right mouse button", "draw an arrow or a ring, with Shift red, with Alt blue, with both yellow; in an analysis they are kept"], ["Wheel, swipe on the board", "in an analysis: back and forward"], ["Up, down", "choose among variations; else first and last position"],
  ["F, L, X, Space", "turn the board; in an analysis the engine, threats, play the best move"], ["Ctrl+V", "open a position, a game or moves"],
];
const WORDS = [
  ["e4, Nf3, O-O, e2e4, P@e4", "a move"], ["board, white, black, pawns", "the position in words"], ["e4, e, 4", "what stands on a square, a file, a rank"],
  ["last, moves, clock, opening", "the last move, legal moves, the clocks, the opening"], ["score, threat, hint", "what the engine says"],
  ["analyze, stop", "the engine on and off"], ["first, back, forward, end", "through the game"], ["takeback, draw, resign, flip", "as the buttons"],
];

const tableOf = (rows) => h("table", { class: "keys-table" }, h("tbody", {}, rows.map(([key, text]) => h("tr", {}, h("td", {}, key), h("td", {}, text)))));

/** Keys and words. */
export function helpDialog() {
  const dialog = openDialog("Keys and words", h("div", { class: "stack" },
    tableOf(KEYS), h("h3", {}, "To be typed"), tableOf(WORDS),
    h("div", { class: "ends" }, button("Close", () => dialog.close(), { class: "main" }))));
}
