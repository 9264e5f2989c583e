// The tabs below the moves of an analysis.

import { attempt } from "./api.js";
import { button, byId, drawReleased, h, keepFocus } from "./dom.js";
import { editorTab } from "./editor.js";
import { explainTab } from "./explain.js";
import { explorerTab } from "./explorer.js";
import { accuracies, graph } from "./graph.js";
import { learnTab } from "./learn.js";
import { notesTab } from "./notes.js";
import { rulesTab } from "./rules.js";
import { on, state, tell } from "./store.js";
import { textTab } from "./files.js";

const panel = byId("tools-panel");
const TABS = [
  ["report", "Report", reportTab], ["notes", "Notes", notesTab], ["why", "Why", explainTab], ["book", "Book", explorerTab],
  ["learn", "Learn", learnTab], ["position", "Position", editorTab], ["text", "Text", textTab], ["rules", "Rules", rulesTab],
];
let chosen = "report";
let tab = null;
let built = null;
let session = null;

// A tab is { element, show(state, before), leave() }.
function reportTab() {
  const element = h("div", { class: "stack" });
  const draw = () => {
    const now = state();
    const report = now.report ?? {};
    const running = Boolean(report.running);
    const bar = running && report.total ? h("progress", { value: report.done ?? 0, max: report.total, "aria-label": "Positions analyzed" }) : "";
    element.replaceChildren(accuracies(), graph(now), h("div", { class: "row" },
      running ? button("Stop the analysis", () => attempt("report", { on: false })) : button("Analyze the whole game", () => attempt("report", { on: true }), { class: "main", disabled: now.tree.length < 2 }),
      button("Play from here", () => tell("play-from-here"))),
    bar);
  };
  return { element, show: () => drawReleased(element, () => keepFocus(element, draw)) };
}

/** Shows this tab. */
export function openTab(name) {
  chosen = name;
  build();
}

function tabButton([name, text]) {
  return h("button", {
    type: "button", role: "tab", id: `tab-${name}`, "aria-selected": String(name === chosen), "aria-controls": "tab-body",
    tabindex: name === chosen ? "0" : "-1", onclick: () => openTab(name), onkeydown: (event) => step(event, name),
  }, text);
}

function step(event, name) {
  const by = { ArrowLeft: -1, ArrowRight: 1 }[event.key];
  if (!by) return;
  event.preventDefault();
  const index = TABS.findIndex(([other]) => other === name);
  openTab(TABS.at((index + by) % TABS.length)[0]);
  byId(`tab-${chosen}`).focus();
}

function build() {
  tab?.leave?.();
  const [, , make] = TABS.find(([name]) => name === chosen);
  tab = make();
  built = chosen;
  const body = h("div", { id: "tab-body", class: "tab-body", role: "tabpanel", "aria-labelledby": `tab-${chosen}` }, tab.element);
  const tabs = h("div", { class: "tabs", role: "tablist", "aria-label": "Tools" }, TABS.map(tabButton));
  const focused = document.activeElement?.id;
  panel.replaceChildren(tabs, body);
  if (focused?.startsWith("tab-")) byId(`tab-${chosen}`)?.focus();
  tab.show?.(state(), null);
}

on("state", (now, before) => {
  panel.hidden = now.kind !== "analyse";
  if (panel.hidden) {
    tab?.leave?.();
    tab = built = null;
    return;
  }
  if (built !== chosen || session !== now.session) build();
  else tab.show?.(now, before);
  session = now.session;
});
on("lines", () => tab?.lines?.());
