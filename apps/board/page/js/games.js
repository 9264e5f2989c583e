// The games of a file that was opened: an index that can be sorted and searched.

import { address, attempt, get } from "./api.js";
import { button, byId, check, drawReleased, h, keepFocus, select } from "./dom.js";
import { keepDialog } from "./library.js";
import { on, state } from "./store.js";

// What is looked for; `found` are the games with the position on the board, `of` the position.
const wanted = { words: [], result: "", here: false, found: null, of: null };
const search = h("input", { type: "search", class: "grow", placeholder: "Player, opening, year", "aria-label": "Search the games", autocomplete: "off" });
const results = select([["", "any result"], ["1-0", "1-0"], ["1/2-1/2", "½-½"], ["0-1", "0-1"], ["*", "unfinished"]], "", (value) => {
  wanted.result = value;
  again();
});
results.setAttribute("aria-label", "Result");
const here = check("This position", false, (value) => {
  wanted.here = value;
  again();
});
search.addEventListener("input", () => {
  wanted.words = search.value.toLowerCase().split(/\s+/).filter(Boolean);
  again();
});

const head = h("div", { class: "row" });
const filters = h("div", { class: "row filters" }, search, results, here);
const body = h("div");
const panel = h("section", { class: "panel", id: "games-panel", "aria-label": "Games of the file", hidden: true }, head, filters, body);
byId("lines-panel").before(panel);

const COLUMNS = [
  ["index", "#", true], ["white", "White", false], ["black", "Black", false], ["result", "Result", false], ["date", "Date", false], ["plies", "Plies", true],
  ["accuracy_white", "Acc. White", true], ["accuracy_black", "Acc. Black", true], ["opening", "Opening", false],
];
// Games of variants have no accuracies.
const columns = (now) => COLUMNS.filter(([name]) => (now.file.rates || !/^accuracy|opening/.test(name)) && (name !== "date" || index.rows.some(({ date }) => date)));
// More rows than that are shown on demand.
const ROWS = 200;
const order = { column: "index", down: false, rows: ROWS };
let signature = "";
// What the last event said of the file on the page; null before the first one.
let progress = null;
// The rows of the file; null until they are there. Rows that change meanwhile wait.
const index = { of: null, rows: null, waiting: [] };

function compare(one, other) {
  const [a, b] = [one[order.column], other[order.column]];
  const empty = (value) => value === null || value === undefined || value === "";
  if (empty(a) || empty(b)) return Number(empty(a)) - Number(empty(b));
  const by = typeof a === "number" ? a - b : String(a).localeCompare(String(b));
  return order.down ? -by : by;
}

function heading([name, text, isNumber]) {
  const sorted = order.column === name ? (order.down ? "descending" : "ascending") : null;
  return h("th", { scope: "col", class: isNumber ? "number" : "", "aria-sort": sorted },
    button(text + (sorted ? (order.down ? " ▾" : " ▴") : ""), () => sortBy(name), { "aria-label": `Sort by ${text}` }));
}

function sortBy(name) {
  order.down = order.column === name && !order.down;
  order.column = name;
  fill(state());
  panel.querySelectorAll("th button")[columns(state()).findIndex(([other]) => other === name)].focus();
}

function rowOf(game, now) {
  const value = ([name, , isNumber]) => {
    const data = game[name];
    if (name === "white") return h("td", {}, button(data || "?", () => attempt("show_game", { index: game.at }), { "data-game": game.at }));
    const text = data === null || data === undefined ? "" : name.startsWith("accuracy") ? data.toFixed(1) : data;
    return h("td", { class: isNumber ? "number" : "" }, String(text));
  };
  return h("tr", { class: game.at === now.shown_game ? "here" : "" }, columns(now).map(value));
}

function progressRow(now) {
  const { total, done } = progress ?? {};
  const running = progress?.running ?? now.file.running;
  return [h("h2", { class: "grow" }, title(now.file)),
    running ? h("progress", { class: "grow", value: done ?? 0, max: total || 1, "aria-label": "Games analyzed" }) : null,
    running ? button("Stop", () => attempt("report", { on: false, all: true })) : now.file.rates && isUnrated() && button(now.file.rated ? "Go on" : "Analyze all games", () => attempt("report", { on: true, all: true })),
    button("Keep", keepDialog, { title: "Keep these games among your files" }),
    h("a", { href: address("api/pgn?all=1"), download: "games.pgn" }, "Save all")].filter(Boolean);
}

function isWanted(game) {
  if (wanted.result && game.result !== wanted.result) return false;
  if (wanted.here && !wanted.found?.has(game.at)) return false;
  const text = [game.white, game.black, game.opening, game.date].join(" ").toLowerCase();
  return wanted.words.every((word) => text.includes(word));
}

// Searches again: for a position the server is asked.
async function again() {
  order.rows = ROWS;
  const { session, serial, position } = state();
  const of = wanted.here ? `${session} ${serial} ${position.fen}` : null;
  if (of && of !== wanted.of) {
    wanted.of = of;
    const found = await get("api/found", session).catch(() => []);
    if (wanted.of !== of) return;
    wanted.found = new Set(found);
  }
  draw();
}

const isUnrated = () => index.rows.some((game) => game.accuracy_white === null && game.plies > 0 && !game.error);

const isShown = () => Boolean(state()?.file && index.rows && !panel.hidden);

function draw() {
  drawReleased(panel, () => isShown() && keepFocus(panel, () => fill(state())));
}

function fill(now) {
  const games = index.rows.map((game, at) => ({ ...game, at, index: at + 1 })).filter(isWanted).sort(compare);
  const top = panel.querySelector(".scroll")?.scrollTop ?? 0;
  const more = games.length > order.rows ? button(`Show ${Math.min(ROWS, games.length - order.rows)} more`, () => { order.rows += ROWS; draw(); }) : null;
  head.replaceChildren(...progressRow(now));
  here.hidden = !now.file.rates;
  body.replaceChildren(h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "List of games" },
    games.length === 0 ? h("p", { class: "quiet" }, "No game is like that.") : h("table", { class: "games-table" }, h("thead", {}, h("tr", {}, columns(now).map(heading))), h("tbody", {}, games.slice(0, order.rows).map((game) => rowOf(game, now)))), more));
  panel.querySelector(".scroll").scrollTop = top;
}

// The index is asked for once; then events change its rows.
async function load({ session, file }, name) {
  Object.assign(index, { of: name, rows: null, waiting: [] });
  const rows = await get("api/index", session).catch(() => null);
  if (index.of !== name) return;
  if (!rows) return void (index.of = null);
  index.rows = rows;
  for (const { index: at, row } of index.waiting) rows[at] = row;
  if (rows.length === file.games) draw();
}

// What is above the index: how many games it has, and how many of the file it has not.
function title({ games, name, left_out: more }) {
  return more ? `The first ${games} games; ${more} more of the file are left out` : `${name ? `${name}: ` : ""}${games} games`;
}

const rated = () => index.rows.filter(({ accuracy_white: white, accuracy_black: black }) => white !== null || black !== null).length;

on("state", (now, before) => {
  panel.hidden = !now.file;
  if (before?.session !== now.session) Object.assign(order, { column: "index", down: false, rows: ROWS });
  // When the analysis goes on, what was said of its end holds no longer.
  if (before?.session !== now.session || before.file?.id !== now.file?.id || (now.file?.running && !before.file.running)) progress = null;
  if (panel.hidden) return;
  const name = `${now.session} ${now.file.id}`;
  const missed = index.rows && !now.file.running && now.file.rated > rated();
  if (name !== index.of || missed) {
    if (name !== index.of) {
      Object.assign(wanted, { words: [], result: "", here: false, of: null });
      here.box.checked = false;
      search.value = results.value = "";
      head.replaceChildren(h("h2", {}, title(now.file)));
      body.replaceChildren();
    }
    return void load(now, name);
  }
  if (wanted.here && before?.position.fen !== now.position.fen) return void again();
  const next = JSON.stringify([name, now.file.name, now.shown_game, now.report, now.file.running]);
  if (next !== signature) draw();
  signature = next;
});
// What was said before an interruption may be over: the state that comes next says what there is.
on("connection", (of) => {
  if (of !== "open") return;
  progress = null;
  signature = "";
});
on("file", (data) => {
  progress = { ...data, running: !data.over };
  if (!state()?.file) return;
  // Of a page that is too slow for all events some are left out: at the end it has them all.
  if (data.over && !data.canceled && index.rows && isUnrated()) return void load(state(), index.of);
  if (data.row && index.rows) index.rows[data.index] = data.row;
  else if (data.row) index.waiting.push(data);
  if (isShown()) drawSoon();
});

// Games arrive faster than anybody reads.
let timer = 0;
function drawSoon() {
  timer ||= setTimeout(() => {
    timer = 0;
    draw();
  }, 250);
}
