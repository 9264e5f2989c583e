// The editor of rules files, with what is wrong shown at its line.

import { command, get, open } from "./api.js";
import { button, h, select } from "./dom.js";
import { notify } from "./notices.js";
import { state } from "./store.js";

const FIRST = `# A small game: kings, rooks and pawns on 6 by 6 squares
@royal k

p fmW1fcF1 promotion t[ROW = 5] -> r
r W
k W1F1

board:
r . . k . r
p p p p p p
. . . . . .
. . . . . .
P P P P P P
R . . K . R
`;
const draft = { text: null, remarks: [] };

/** Puts a text into the editor. */
export function draftRules(text) {
  Object.assign(draft, { text, remarks: [] });
}

function numbers(text, remarks) {
  const bad = new Set(remarks.map(({ line }) => line));
  return text.split("\n").map((_, i) => h("span", { class: bad.has(i + 1) ? "bad" : "" }, i + 1));
}

// Where a line and column are in the text, both counted from 1.
function offset(text, line, column) {
  return text.split("\n").slice(0, line - 1).reduce((sum, row) => sum + row.length + 1, 0) + Math.max(column - 1, 0);
}

// A remark about the whole file has no line.
function remarkRow(remark, area) {
  const go = () => {
    area.focus();
    if (!remark.line) return;
    const from = offset(area.value, remark.line, remark.column);
    area.setSelectionRange(from, from + Math.max(remark.length ?? 1, 1));
    area.scrollTop = (remark.line - 4) * parseFloat(getComputedStyle(area).lineHeight);
  };
  const place = remark.line ? `Line ${remark.line}, column ${remark.column}: ` : "";
  const help = remark.help ? ` (${remark.help})` : "";
  return h("li", {}, button(`${place}${remark.text}${help}`, go, { class: remark.error ? "error" : "" }));
}

// The rules of the games that come with the program, to begin from.
function examples(choose) {
  const list = select([["", "Begin from the rules of …"]], "", (name) => name && choose(known.get(name)));
  const known = new Map();
  list.setAttribute("aria-label", "Begin from the rules of a game");
  get("api/games", null).then((games) => {
    for (const { name, title, source } of games) {
      known.set(name, source);
      list.append(h("option", { value: name }, title));
    }
  }, () => list.remove());
  return list;
}

/** The tab with the rules. */
export function rulesTab() {
  draft.text ??= state().game.rules ?? FIRST;
  const area = h("textarea", { spellcheck: false, wrap: "off", "aria-label": "Rules", value: draft.text, "aria-describedby": "rules-verdict" });
  const lines = h("pre", { "aria-hidden": "true" });
  const verdict = h("p", { class: "quiet", role: "status", id: "rules-verdict" });
  const list = h("ul", { class: "diagnostics" });
  const player = h("div", { class: "row" });
  let timer = 0;
  const mark = () => {
    lines.replaceChildren(...numbers(area.value, draft.remarks));
    lines.scrollTop = area.scrollTop;
    list.replaceChildren(...draft.remarks.map((remark) => remarkRow(remark, area)));
  };
  const look = async () => {
    const text = area.value;
    try {
      const data = await command("rules", { text });
      if (text !== area.value) return;
      draft.remarks = data.diagnostics ?? [];
      const errors = draft.remarks.filter(({ error }) => error).length;
      verdict.textContent = errors ? `${errors} ${errors === 1 ? "error" : "errors"}` : "No errors: the game can be played.";
      for (const play of player.children) play.disabled = errors > 0;
    } catch (error) {
      verdict.textContent = error.message;
    }
    mark();
  };
  const start = (options) => async () => {
    try {
      await open({ rules: area.value, ...options });
    } catch (error) {
      notify(error.message);
      await look();
    }
  };
  area.addEventListener("input", () => {
    draft.text = area.value;
    clearTimeout(timer);
    timer = setTimeout(look, 250);
    mark();
  });
  area.addEventListener("scroll", () => (lines.scrollTop = area.scrollTop));
  player.append(
    button("Play it", start({ kind: "play", white: { kind: "person", name: "You" }, black: { kind: "engine", level: 13 } }), { class: "main" }),
    button("Two people", start({ kind: "play", white: { kind: "person", name: "White" }, black: { kind: "person", name: "Black" } })),
    button("Analyze it", start({ kind: "analyse" })));
  const replace = (text) => {
    area.value = draft.text = text;
    look();
  };
  mark();
  look();
  return { element: h("div", { class: "stack" }, examples(replace), h("div", { class: "rules-box" }, lines, area), verdict, list, player), leave: () => clearTimeout(timer) };
}
