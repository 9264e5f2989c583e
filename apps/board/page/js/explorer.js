// What is known of each legal move: the user's own games, book, tablebases, the name of the opening.

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

// Won by White, drawn, won by Black: as a bar, and in words.
function results({ played }) {
  if (!played) return "";
  const { white, draws, black } = played;
  const all = white + draws + black;
  if (all === 0) return "";
  const share = (count) => Math.round((100 * count) / all);
  const bar = h("div", { class: "wdl", role: "img", "aria-label": `White won ${share(white)} %, drawn ${share(draws)} %, Black won ${share(black)} %` });
  for (const [kind, count] of [["win", white], ["draw", draws], ["loss", black]]) {
    const part = h("span", { class: kind }, share(count) >= 20 ? `${share(count)} %` : "");
    part.style.flex = `${count} 0 0`;
    bar.append(part);
  }
  return bar;
}

// A column is its heading, what of a move it shows, whether that is a number. Empty ones are left out.
const COLUMNS = [
  ["Move", (entry) => button(entry.san, () => attempt("move", { mv: entry.mv })), false],
  ["Games", ({ played }) => played?.games ?? "", true], ["Results", results, false], ["Elo", ({ played }) => played?.elo ?? "", true],
  ["Book", percent, true], ["Tablebase", tablebase, false], ["Opening", ({ opening }) => opening ?? "", false],
];

function tableOf(data) {
  const known = (data.moves ?? []).filter((entry) => entry.played || entry.book || entry.tablebase || entry.opening);
  if (known.length === 0) return [h("p", { class: "quiet" }, "Nothing is known of the moves here: the position is neither in the book, nor in tablebases, nor in your games.")];
  const columns = COLUMNS.filter(([, of]) => known.some((entry) => of(entry) !== ""));
  const cell = (entry) => ([, of, isNumber]) => h("td", { class: isNumber ? "number" : "" }, of(entry));
  const from = known.some(({ played }) => played) && h("p", { class: "quiet" }, data.own === "file" ? "Games of the open file." : "Games of your kept files.");
  return [from, h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Known moves" }, h("table", { class: "explorer" },
    h("thead", {}, h("tr", {}, columns.map(([text, , isNumber]) => h("th", { scope: "col", class: isNumber ? "number" : "" }, text)))),
    h("tbody", {}, known.map((entry) => h("tr", {}, columns.map(cell(entry)))))))].filter(Boolean);
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
      if (shown === state().position.fen) element.replaceChildren(...tableOf(data));
    } catch (error) {
      element.replaceChildren(h("p", { class: "error" }, error.message));
    }
  };
  return { element, show };
}
