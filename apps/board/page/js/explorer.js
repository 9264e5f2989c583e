// What is known of each legal move: book, tablebases, the name of the opening.

import { attempt, get } from "./api.js";
import { button, h } from "./dom.js";
import { state } from "./store.js";

const RESULTS = { win: "wins", "cursed win": "wins, but for the fifty-move rule", draw: "draws", "blessed loss": "loses, but for the fifty-move rule", loss: "loses" };

function tablebase(entry) {
  const { wdl, dtz } = entry.tablebase ?? {};
  if (wdl === undefined || wdl === null) return "";
  return `${RESULTS[wdl] ?? wdl}${dtz ? `, ${Math.abs(dtz)} to zeroing` : ""}`;
}

const percent = (entry) => (entry.share ? `${Math.round(entry.share * 100)} %` : "");

function rowOf(entry) {
  return h("tr", {}, h("td", {}, button(entry.san, () => attempt("move", { mv: entry.mv }))),
    h("td", { class: "number" }, percent(entry)), h("td", {}, tablebase(entry)), h("td", {}, entry.opening ?? ""));
}

// The share of a move in the book: its weight among all.
function shared(moves) {
  const sum = moves.reduce((total, { book }) => total + (book ?? 0), 0);
  return moves.map((entry) => ({ ...entry, share: sum ? (entry.book ?? 0) / sum : 0 }));
}

function tableOf(data) {
  const known = shared(data.moves ?? []).filter((entry) => entry.share || entry.tablebase || entry.opening);
  if (known.length === 0) return h("p", { class: "quiet" }, "Nothing is known of the moves here: the position is neither in the book nor in tablebases.");
  known.sort((one, other) => other.share - one.share);
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Known moves" }, h("table", {},
    h("thead", {}, h("tr", {}, ["Move", "Book", "Tablebase", "Opening"].map((text, i) => h("th", { scope: "col", class: i === 1 ? "number" : "" }, text)))),
    h("tbody", {}, known.map(rowOf))));
}

/** The tab for book and tablebases. */
export function explorerTab() {
  const element = h("div", { class: "stack" });
  let shown = "";
  const show = async (now) => {
    if (shown === now.position.fen) return;
    shown = now.position.fen;
    try {
      const data = await get("api/moves");
      if (shown === state().position.fen) element.replaceChildren(tableOf(data));
    } catch (error) {
      element.replaceChildren(h("p", { class: "error" }, error.message));
    }
  };
  return { element, show };
}
