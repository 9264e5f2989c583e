// What is known of each legal move: book, tablebases, the name of the opening.

import { attempt, get } from "./api.js";
import { button, h } from "./dom.js";
import { state } from "./store.js";

// What a tablebase says of a move, from a loss for its player to a win.
const RESULTS = ["loses", "loses, but for the fifty-move rule", "draws", "wins, but for the fifty-move rule", "wins"];

function tablebase(entry) {
  const { wdl, dtz } = entry.tablebase ?? {};
  if (wdl === undefined || wdl === null) return "";
  return `${RESULTS[wdl + 2] ?? ""}${dtz ? `, ${Math.abs(dtz)} plies to zeroing` : ""}`;
}

const percent = ({ book }) => (book ? `${Math.round(book * 100)} %` : "");

function rowOf(entry) {
  return h("tr", {}, h("td", {}, button(entry.san, () => attempt("move", { mv: entry.mv }))),
    h("td", { class: "number" }, percent(entry)), h("td", {}, tablebase(entry)), h("td", {}, entry.opening ?? ""));
}

function tableOf(data) {
  const known = (data.moves ?? []).filter((entry) => entry.book || entry.tablebase || entry.opening);
  if (known.length === 0) return h("p", { class: "quiet" }, "Nothing is known of the moves here: the position is neither in the book nor in tablebases.");
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
