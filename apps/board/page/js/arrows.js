// Arrows above the board: moves of the engine with their scores, hints, threats, and what the user
// draws with the right mouse button.

import { attempt } from "./api.js";
import { byId, s } from "./dom.js";
import { onScreen } from "./geometry.js";
import { scoreText } from "./score.js";
import { setting } from "./settings.js";
import { lines, node, on, state, threats } from "./store.js";
import { currentView } from "./view.js";

const layer = byId("arrows");
let drawn = [];
// Moves that are marked: hinted, or played.
const marked = new Map();

// In an analysis drawings are kept with the move, where PGN has names for the squares.
const isKept = ({ kind, game }) => kind === "analyse" && game.files <= 8 && game.ranks <= 8;

function keep({ from, to, color }) {
  const squares = from === to ? to : from + to;
  const old = (node()?.shapes ?? []).map((shape) => shape.color + shape.squares);
  const others = old.filter((text) => text.slice(1) !== squares);
  attempt("shapes", { shapes: old.includes(color + squares) ? others : [...others, color + squares] });
}

/** Adds an arrow or ring of the user's, or takes it away again; null takes all away that are not kept. */
export function drawMark(mark) {
  if (mark && isKept(state())) return keep(mark);
  const alike = mark && drawn.findIndex(({ from, to }) => from === mark.from && to === mark.to);
  if (!mark) drawn = [];
  else if (alike >= 0) drawn.splice(alike, 1);
  else drawn.push(mark);
  draw();
}

/** Shows an arrow of a kind, "hinted" or "played", until another position is on the board. */
export function markMove(kind, mark) {
  marked.set(kind, mark);
  draw();
}

/** The squares of a move in coordinates: { from, to }, without from where it is dropped. */
export function squaresOf(mv) {
  const known = state()?.legal.find((move) => move.mv === mv);
  if (known) return { from: known.drop ? null : known.from, to: known.to };
  const found = mv.match(/[a-l]\d{1,2}/g) ?? [];
  return mv.includes("@") ? { from: null, to: found[0] } : { from: found[0], to: found[1] };
}

function center(square) {
  const { x, y } = onScreen(square, state().game, currentView().flipped);
  return { x: x + 0.5, y: y + 0.5 };
}

function arrow({ from, to }, kind, width, opacity) {
  if (!to) return null;
  if (!from || from === to) {
    const { x, y } = center(to);
    return s("circle", { class: `ring ${kind}`, cx: x, cy: y, r: 0.44, "stroke-width": 0.08, opacity });
  }
  const a = center(from);
  const b = center(to);
  const long = Math.hypot(b.x - a.x, b.y - a.y);
  const unit = { x: (b.x - a.x) / long, y: (b.y - a.y) / long };
  const tip = { x: b.x - unit.x * 0.12, y: b.y - unit.y * 0.12 };
  const head = width * 2.1;
  const neck = { x: tip.x - unit.x * head * 1.15, y: tip.y - unit.y * head * 1.15 };
  const start = { x: a.x + unit.x * 0.3, y: a.y + unit.y * 0.3 };
  const points = [tip, { x: neck.x - unit.y * head * 0.72, y: neck.y + unit.x * head * 0.72 }, { x: neck.x + unit.y * head * 0.72, y: neck.y - unit.x * head * 0.72 }];
  return s("g", { class: kind, opacity },
    s("line", { class: "shaft", x1: start.x, y1: start.y, x2: neck.x, y2: neck.y, "stroke-width": width }),
    s("polygon", { class: "head", points: points.map(({ x, y }) => `${x},${y}`).join(" ") }));
}

// The score stands on the arrow, near its end; further back where two arrows end alike.
function scorePlate({ from, to }, text, taken, kind = "") {
  const b = center(to);
  const a = from ? center(from) : b;
  let place = { x: b.x, y: b.y };
  for (const part of [0.62, 0.85, 0.4, 1, 0.2, 0.05]) {
    place = { x: a.x + (b.x - a.x) * part, y: a.y + (b.y - a.y) * part };
    if (taken.every((other) => Math.abs(other.x - place.x) > 0.72 || Math.abs(other.y - place.y) > 0.31)) break;
  }
  taken.push(place);
  const width = 0.13 * text.length + 0.12;
  return s("g", { class: kind },
    s("rect", { class: "plate", x: place.x - width / 2, y: place.y - 0.145, width, height: 0.29, rx: 0.08 }),
    s("text", { x: place.x, y: place.y + 0.068 }, text));
}

const NONE = { shafts: [], plates: [] };

function engineArrows(taken) {
  const now = lines();
  if (!setting("arrows") || !now || state().kind !== "analyse") return NONE;
  const only = now.only && setting("onlyMoves") ? " □" : "";
  const moves = now.lines.map((line, rank) => ({ ...squaresOf(line.mv ?? line.pv[0]), text: scoreText(line.score) + (rank === 0 ? only : "") }));
  const shafts = moves.map((move, rank) => arrow(move, rank === 0 ? "engine" : "other", rank === 0 ? 0.17 : 0.12, rank === 0 ? 0.85 : 0.7));
  const plates = moves.map((move) => move.to && scorePlate(move, move.text, taken));
  return { shafts: shafts.reverse(), plates: plates.reverse() };
}

function threatArrows(taken) {
  if (!setting("threats") || !threats() || state().kind !== "analyse") return NONE;
  const moves = threats().lines.map((line) => ({ ...squaresOf(line.mv), text: scoreText(line.score) }));
  const shafts = moves.map((move, rank) => arrow(move, "threatens", rank === 0 ? 0.15 : 0.1, rank === 0 ? 0.8 : 0.55));
  const plates = moves.map((move) => move.to && scorePlate(move, move.text, taken, "threatens"));
  return { shafts: shafts.reverse(), plates: plates.reverse() };
}

// Arrows and rings that a comment holds.
const COLORS = { G: "#15781b", R: "#b3261e", B: "#1d4fb8", Y: "#b87000" };
const colored = (drawing, color) => {
  drawing?.style.setProperty("--arrow", COLORS[color] ?? COLORS.Y);
  return drawing;
};
const written = () => (node()?.shapes ?? []).map(({ color, squares }) => {
  const [from, to = from] = squares.match(/[a-l]\d{1,2}/g) ?? [];
  return colored(arrow({ from, to }, "written", 0.13, 0.8), color);
});

function draw() {
  const now = state();
  if (!now) return;
  layer.setAttribute("viewBox", `0 0 ${now.game.files} ${now.game.ranks}`);
  const taken = [];
  const [engine, threat] = [engineArrows(taken), threatArrows(taken)];
  const parts = currentView().editing ? [] : [
    ...threat.shafts, ...engine.shafts, ...threat.plates, ...engine.plates,
    ...[...marked].map(([kind, mark]) => arrow(mark, kind, 0.17, 0.85)),
    ...written(),
    ...drawn.map((mark) => colored(arrow(mark, "drawn", 0.15, 0.8), mark.color)),
  ];
  layer.replaceChildren(...parts.filter(Boolean));
}

on("state", (now, before) => {
  if (before?.position.fen !== now.position.fen) {
    drawn = [];
    marked.clear();
  }
});
on("board", draw);
on("lines", draw);
on("threats", draw);
