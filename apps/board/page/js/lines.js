// The lines of the engine, the evaluation bar, wins, draws and losses.

import { attempt } from "./api.js";
import { byId, check, drawReleased, h, select } from "./dom.js";
import { scoreText, scoreWords, whiteShare } from "./score.js";
import { set, setting } from "./settings.js";
import { lines, node, on, state } from "./store.js";

const panel = byId("lines-panel");
const parts = {};
let analysing = false;
let unfolded = new Set();

/** Whether the engine analyzes. */
export const isAnalysing = () => analysing;

/** Starts or stops the engine on the position of the board. */
export async function analyse(goesOn) {
  analysing = goesOn;
  parts.engine.box.checked = goesOn;
  await attempt("analyse", { on: goesOn, ...wanted() });
}

/** What the engine is asked for: lines, threats, depth; threads and table unless the server chooses. */
export const wanted = () => ({
  lines: Number(setting("lines")), threats: setting("threats"), depth: Number(setting("depth")), program: parts.program.value,
  ...Object.fromEntries(["threads", "hash"].filter(setting).map((name) => [name, Number(setting(name))])),
});

// Powers of two, and what the computer has.
function threadCounts() {
  const most = navigator.hardwareConcurrency || 1;
  const counts = [1, 2, 4, 8, 16, 32, 64].filter((count) => count < most).concat(most);
  return [...(setting("threads") ? [] : [["0", "usual threads"]]), ...counts.map((count) => [count, `${count} ${count === 1 ? "thread" : "threads"}`])];
}

// In a game the engine looks on for the evaluation bar alone.
const wantsMeter = (now) => (now.kind === "analyse" ? setting("meter") : setting("gameMeter"));

function build() {
  parts.engine = check("Engine", false, analyse);
  parts.threats = check("Threats", setting("threats"), (value) => set("threats", value));
  parts.threats.title = "What the opponent would play now";
  const choice = (name, label, entries) => {
    const list = select(entries, setting(name), (value) => {
      set(name, Number(value));
      if (analysing) analyse(true);
    });
    list.setAttribute("aria-label", label);
    return list;
  };
  const sizes = Array.from({ length: 12 }, (_, i) => 16 << i).map((size) => [size, size < 1024 ? `${size} MiB` : `${size / 1024} GiB`]);
  const depths = [10, 15, 20, 25, 30, 40].map((depth) => [depth, `to depth ${depth}`]);
  parts.count = choice("lines", "Number of lines", [1, 2, 3, 4, 5].map((n) => [n, `${n} ${n === 1 ? "line" : "lines"}`]));
  parts.program = h("select", { "aria-label": "Engine", onchange: () => analyse(true) });
  const more = h("details", { class: "engine-options" }, h("summary", {}, "Options"), h("div", { class: "row" }, parts.program,
    choice("threads", "Number of threads", threadCounts()),
    choice("hash", "Transposition table", [...(setting("hash") ? [] : [["0", "usual table"]]), ...sizes]),
    choice("depth", "Depth", [["0", "any depth"], ...depths])));
  parts.depth = h("span", { class: "depth" });
  parts.list = h("ol", { class: "lines", "aria-label": "Best lines" });
  parts.wdl = h("div", { class: "wdl", role: "img", "aria-label": "no chances yet" });
  panel.replaceChildren(h("div", { class: "lines-head" }, parts.engine, parts.threats, parts.count, more, parts.depth), parts.list, parts.wdl);
}

const thousands = (n) => (n >= 1e6 ? `${(n / 1e6).toFixed(1)} M` : n >= 1000 ? `${Math.round(n / 1000)} k` : String(n));

function depthText(now) {
  if (!now) return analysing ? "…" : "";
  return `depth ${now.depth} · ${thousands(now.nodes)} nodes${now.nps ? ` · ${thousands(now.nps)}/s` : ""}`;
}

// A click on a move of a line plays the line up to there.
async function playUpTo(pv, count) {
  for (const mv of pv.slice(0, count)) if (!(await attempt("move", { mv }))) return;
}

function pvButtons(line) {
  let count = 0;
  // In a game there are no moves.
  return (line.san ?? "").split(/\s+/).filter(Boolean).flatMap((word) => {
    if (/^\d+(\.|…)+$/.test(word)) return [h("span", { class: "number" }, word), " "];
    count += 1;
    const upTo = count;
    return [h("button", { type: "button", class: "mv", tabindex: count === 1 ? "0" : "-1", onclick: () => playUpTo(line.pv, upTo) }, word), " "];
  });
}

function row(line, rank, now) {
  const unfold = () => {
    if (!unfolded.delete(rank)) unfolded.add(rank);
    show(lines());
  };
  const open = unfolded.has(rank);
  const only = rank === 0 && now.only && setting("onlyMoves");
  return h("li", { class: open ? "open" : "" },
    h("button", { type: "button", onclick: unfold, class: "score", "aria-expanded": String(open) },
      h("span", { "aria-hidden": "true" }, scoreText(line.score)), only && h("span", { class: "only", "aria-hidden": "true", title: "the only good move" }, "□"),
      h("span", { class: "hidden" }, `${scoreWords(line.score)}${only ? ", the only good move" : ""}; whole line`)),
    h("div", { class: "pv" }, pvButtons(line)));
}

function showWdl(best) {
  const { wdl } = parts;
  const shares = best?.wdl;
  if (!shares) {
    wdl.replaceChildren(h("span", { class: "draw" }, ""));
    wdl.setAttribute("aria-label", "no chances yet");
    wdl.hidden = !analysing;
    wdl.style.visibility = "hidden";
    return;
  }
  wdl.hidden = false;
  wdl.style.visibility = "visible";
  const percent = shares.map((share) => Math.round(share / 10));
  wdl.setAttribute("aria-label", `White wins ${percent[0]} %, draw ${percent[1]} %, Black wins ${percent[2]} %`);
  wdl.replaceChildren(...["win", "draw", "loss"].map((kind, i) => {
    const part = h("span", { class: kind }, percent[i] >= 9 ? `${percent[i]} %` : "");
    part.style.flex = `${shares[i]} 0 0`;
    return part;
  }));
}

function showMeter(score) {
  const meter = byId("meter");
  meter.hidden = !state() || !wantsMeter(state());
  const share = whiteShare(score);
  byId("meter-white").style.transform = `scaleY(${share})`;
  const text = byId("meter-text");
  text.textContent = score ? scoreText(score).replace(/^[+−]/, "").replace(/(\.\d)\d$/, "$1") : "";
  text.classList.toggle("up", share < 0.5);
  meter.setAttribute("aria-valuenow", score?.mate ? (score.mate > 0 ? 10 : -10) : Math.max(-10, Math.min(10, (score?.cp ?? 0) / 100)));
  meter.setAttribute("aria-valuetext", scoreWords(score));
}

function showRows() {
  const now = lines();
  const count = Number(setting("lines"));
  const rows = (now?.lines ?? []).slice(0, Math.max(count, 1)).map((line, rank) => row(line, rank, now));
  // Empty rows keep the place, so that nothing below jumps.
  while (analysing && rows.length < count) rows.push(h("li", { "aria-hidden": "true" }));
  const kept = focusedMove();
  parts.list.replaceChildren(...rows);
  if (kept) parts.list.children[kept.row]?.querySelectorAll(".mv, .score")[kept.place]?.focus({ preventScroll: true });
}

function show(now) {
  drawReleased(parts.list, showRows);
  parts.depth.textContent = depthText(now);
  showWdl(now?.lines[0]);
  showMeter(now?.lines[0]?.score ?? node()?.score ?? null);
}

// New lines come ten times a second: what has the focus keeps it.
function focusedMove() {
  const item = document.activeElement?.closest(".lines li");
  if (!item || !parts.list.contains(item)) return null;
  return { row: [...parts.list.children].indexOf(item), place: [...item.querySelectorAll(".mv, .score")].indexOf(document.activeElement) };
}

build();
// The own engine, and others that the server was started with.
function showPrograms({ programs, analysis }) {
  const names = programs.join("\n");
  if (parts.program.dataset.names !== names) parts.program.replaceChildren(...["", ...programs].map((name) => h("option", { value: name }, name || "Tamarin")));
  Object.assign(parts.program, { hidden: programs.length === 0, value: analysis.program ?? "" });
  parts.program.dataset.names = names;
}

on("state", (now, before) => {
  panel.hidden = now.kind !== "analyse";
  showPrograms(now);
  if (before?.session !== now.session) unfolded = new Set();
  const was = analysing;
  analysing = Boolean(now.analysis?.on);
  if (was !== analysing) show(lines());
  parts.engine.box.checked = analysing;
  if ((now.session !== before?.session || now.serial !== before.serial) && now.kind !== "analyse" && setting("gameMeter")) analyse(true);
});
on("lines", show);
on("view", (name) => {
  const now = state();
  parts.threats.box.checked = setting("threats");
  if (now?.kind === "analyse" && name === "threats" && analysing) analyse(true);
  if (now && now.kind !== "analyse" && name === "gameMeter") analyse(setting("gameMeter"));
  show(lines());
});
