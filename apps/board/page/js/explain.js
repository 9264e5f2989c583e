// Why a move is good or bad, proved by lines; the evaluation term by term.

import { attempt } from "./api.js";
import { button, drawReleased, h, keepFocus } from "./dom.js";
import { say } from "./speech.js";
import { gameKey, node, on, state } from "./store.js";

const known = new Map();
const key = (of = state()?.at) => `${gameKey()} ${of}`;

// A line of moves below a sentence is indented.
const sentences = (data) => data.text.map((text) => h("p", { class: text.startsWith(" ") ? "quiet" : "" }, text.trim()));

// The families of terms, in pawns.
function terms({ terms: all }) {
  if (!all?.families) return null;
  const pawns = (value) => (value.tapered / (all.units_per_pawn ?? 141)).toFixed(2);
  const rows = [...all.families, all.sum].filter((family) => family.white.tapered || family.black.tapered);
  return h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Terms of the evaluation" }, h("table", {},
    h("caption", { class: "quiet" }, "The hand-crafted evaluation, in pawns"),
    h("thead", {}, h("tr", {}, ["Term", "White", "Black", "Total"].map((text, i) => h("th", { scope: "col", class: i ? "number" : "" }, text)))),
    h("tbody", {}, rows.map((family) => h("tr", {}, h("th", { scope: "row" }, family.name),
      ["white", "black", "total"].map((side) => h("td", { class: "number" }, pawns(family[side]))))))));
}

/** The tab that explains. */
export function explainTab() {
  const element = h("div", { class: "stack" });
  let asked = null;
  const draw = () => {
    const data = known.get(key());
    const what = node()?.san ? `Why ${node().san}?` : "What is best here?";
    element.replaceChildren(
      button(asked === key() ? "The engine looks …" : what, ask, { class: "main", disabled: asked === key() }),
      ...(data ? [...sentences(data), terms(data)].filter(Boolean) : [h("p", { class: "quiet" }, "Each sentence comes from a search and carries the line that shows it.")]));
  };
  const show = () => drawReleased(element, () => keepFocus(element, draw));
  const ask = async () => {
    asked = key();
    show();
    if (!(await attempt("explain", { node: state().at }))) asked = null;
    show();
  };
  const arrived = () => {
    if (known.has(asked)) asked = null;
    if (element.isConnected) show();
  };
  arrivals.push(arrived);
  return { element, show, leave: () => arrivals.splice(arrivals.indexOf(arrived), 1) };
}

const arrivals = [];
on("explanation", (data) => {
  known.set(key(data.node), data);
  if (data.node === state()?.at) say(sentences(data).map((p) => p.textContent).join(" "));
  for (const arrived of [...arrivals]) arrived();
});
