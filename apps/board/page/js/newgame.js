// The dialog for a new game.

import { attempt, attemptOpen, get } from "./api.js";
import { button, check, field, h, openDialog, select } from "./dom.js";
import { sameGame } from "./editor.js";
import { wanted } from "./lines.js";
import { sideName } from "./pieces.js";
import { set, setting } from "./settings.js";
import { on, state } from "./store.js";
import { isPerson } from "./view.js";

const LEVELS = [
  ["person", "A person at this board"],
  ...Array.from({ length: 20 }, (_, i) => [`level ${i + 1}`, `Tamarin, level ${i + 1}${i === 0 ? " (weakest)" : i === 19 ? " (full strength)" : ""}`]),
  ...[1400, 1600, 1800, 2000, 2200, 2500, 2800, 3100].map((elo) => [`elo ${elo}`, `Tamarin, rating ${elo}`]),
];
const CLOCKS = [
  ["none", "No clock"], ["60+0", "1 minute"], ["180+2", "3 minutes + 2 s a move"], ["300+3", "5 minutes + 3 s a move"], ["600+0", "10 minutes"],
  ["900+10", "15 minutes + 10 s a move"], ["1800+20", "30 minutes + 20 s a move"], ["40/300+0", "40 moves in 5 minutes"], ["move 5", "5 seconds a move"], ["own", "Own clock"],
];
const EVALUATORS = [["", "Neural network"], ["hand-crafted", "Hand-crafted terms"], ["random", "Chance"], ["capuchin", "Capuchin: material"], ["sifaka", "Sifaka: and pawns"], ["macaque", "Macaque: and activity"], ["mantis", "Mantis: and the king"], ["jchess-easy", "JChess, easy"], ["jchess-medium", "JChess, medium"]];

let known = null;

/** The games that can be played, from the server. */
async function games() {
  known ??= get("api/games", null).then((data) => data.games ?? data, () => []);
  const all = [["chess", "Chess"], ["chess960", "Chess960"]];
  // The rules file of chess has the title of chess.
  for (const { name, title } of await known) all.push([name, all.some(([, text]) => text === title) ? `${title} (${name})` : title]);
  return all;
}

function playerFields(color, name, level) {
  const programs = (state()?.programs ?? []).map((program) => [`program ${program}`, program]);
  const parts = {
    name: h("input", { type: "text", value: name, maxLength: 60, autocomplete: "off" }),
    level: select([...LEVELS, ...programs], level),
    evaluator: select(EVALUATORS, ""),
  };
  parts.level.dataset.field = `${color}-player`;
  parts.name.dataset.field = `${color}-name`;
  const shown = () => {
    const person = parts.level.value === "person";
    nameField.hidden = !person;
    evaluatorField.hidden = person || parts.level.value.startsWith("program");
  };
  const nameField = field("Name", parts.name);
  const evaluatorField = field("Evaluation", parts.evaluator);
  parts.level.addEventListener("change", shown);
  parts.element = h("fieldset", { class: "stack grow" }, h("legend", {}, sideName(color)), field("Player", parts.level), nameField, evaluatorField);
  parts.shown = shown;
  shown();
  return parts;
}

function request({ name, level, evaluator }) {
  if (level.value === "person") return { kind: "person", name: name.value.trim() || "Player" };
  if (level.value.startsWith("program ")) return { kind: "program", program: level.value.slice(8) };
  const [kind, number] = level.value.split(" ");
  return { kind: "engine", [kind]: Number(number), ...(evaluator.value ? { evaluator: evaluator.value } : {}) };
}

function clockFields() {
  const preset = select(CLOCKS, setting("clock"));
  const minutes = h("input", { type: "number", min: 0, max: 600, step: "any", value: 10 });
  const seconds = h("input", { type: "number", min: 0, max: 600, step: "any", value: 5 });
  const moves = h("input", { type: "number", min: 0, max: 200, value: 0 });
  const own = h("div", { class: "row" }, field("Minutes", minutes), field("Seconds a move", seconds), field("Again after moves (0: never)", moves));
  const shown = () => (own.hidden = preset.value !== "own");
  preset.addEventListener("change", shown);
  preset.dataset.field = "clock";
  shown();
  const value = () => {
    if (preset.value === "none") return null;
    if (preset.value === "own") return { base_s: minutes.value * 60, increment_s: Number(seconds.value), ...(Number(moves.value) && { moves: Number(moves.value) }) };
    if (preset.value.startsWith("move")) return { move_s: Number(preset.value.split(" ")[1]) };
    const [, count, base, increment] = /^(?:(\d+)\/)?(\d+)\+(\d+)$/.exec(preset.value);
    return { base_s: Number(base), increment_s: Number(increment), ...(count && { moves: Number(count) }) };
  };
  return { preset, own, value };
}

function gameFields(list, preset) {
  const isListed = list.some(([name]) => name === preset.game);
  // The rules of a file are settled, whatever name they have in the list.
  const game = select(preset.rules ? [[preset.game, preset.game]] : list, isListed ? preset.game : setting("game") ?? "chess");
  game.disabled = Boolean(preset.rules);
  const number = h("input", { type: "number", min: 0, max: 959, placeholder: "random" });
  const numberField = field("Start position, 0 to 959", number);
  const seed = h("input", { type: "number", min: 0, max: 4294967295, placeholder: "another each time" });
  const fen = h("input", { type: "text", spellcheck: false, placeholder: "start position", autocomplete: "off" });
  const shown = () => (numberField.hidden = game.value !== "chess960");
  game.addEventListener("change", shown);
  game.dataset.field = "game";
  shown();
  const value = () => ({
    ...(preset.rules ? { rules: preset.rules } : {}),
    game: game.value,
    ...(seed.value === "" ? {} : { seed: Number(seed.value) }),
    ...(fen.value.trim() ? { fen: fen.value.trim() } : {}),
    ...(game.value === "chess960" && !fen.value.trim() ? { chess960: number.value === "" ? Math.floor(Math.random() * 960) : Number(number.value) } : {}),
  });
  return { game, numberField, seed, fen, value };
}

/** Opens the dialog; `preset` holds what is settled, such as a FEN. */
export async function newGameDialog(preset = {}) {
  const list = await games();
  const white = playerFields("white", setting("name"), "person");
  const black = playerFields("black", "Guest", setting("level"));
  const clock = clockFields();
  const game = gameFields(list, preset);
  if (preset.fen) game.fen.value = preset.fen;
  const swap = button("Swap sides", () => {
    for (const part of ["name", "level", "evaluator"]) [white[part].value, black[part].value] = [black[part].value, white[part].value];
    white.shown();
    black.shown();
  });
  const shuffle = check("Colors by lot", false);
  const start = async (event) => {
    event.preventDefault();
    remember(white, black, clock, game);
    const requests = [request(white), request(black)];
    if (shuffle.box.checked && Math.random() < 0.5) requests.reverse();
    const kind = requests.every((request) => request.kind !== "person") ? "watch" : "play";
    if (await attemptOpen({ kind, ...game.value(), white: requests[0], black: requests[1], clock: clock.value() })) dialog.close();
  };
  const dialog = openDialog("New game", h("form", { onsubmit: start },
    h("div", { class: "row" }, h("div", { class: "grow" }, field("Game", game.game)), game.numberField),
    h("div", { class: "row" }, white.element, black.element), h("div", { class: "row" }, swap, shuffle),
    field("Clock", clock.preset), clock.own,
    h("details", {}, h("summary", {}, "Position, seed"), field("FEN", game.fen), field("Seed of the engine's choices", game.seed)),
    h("div", { class: "ends" }, button("Cancel", () => dialog.close()), h("button", { type: "submit", class: "main" }, "Begin"))), { id: "new-game" });
  if (preset.fen) dialog.querySelector("details").open = true;
  return dialog;
}

function remember(white, black, clock, game) {
  const person = [white, black].find(({ level }) => level.value === "person");
  const engine = [black, white].find(({ level }) => level.value !== "person");
  if (person) set("name", person.name.value.trim());
  if (engine && !engine.level.value.startsWith("program")) set("level", engine.level.value);
  if (clock.preset.value !== "own") set("clock", clock.preset.value);
  if (!game.game.disabled) set("game", game.game.value);
}

// The same players with changed colors. Two people stay at their session, where both pages show the game.
on("rematch", () => {
  const { kind, game, request } = state();
  const options = { kind, ...sameGame(), fen: game.start, white: request.black, black: request.white, clock: request.clock };
  return isPerson("white") && isPerson("black") ? attempt("new", options) : attemptOpen(options);
});
on("new-game", () => newGameDialog());
on("play-from-here", () => {
  const now = state();
  newGameDialog({ fen: now.position.fen, game: now.game.name, rules: now.game.rules });
});

/** A game at once: the user has White against the engine. */
export const quickGame = () => attemptOpen({ kind: "play", white: { kind: "person", name: setting("name") }, black: request({ level: { value: setting("level") }, evaluator: { value: "" } }), clock: null });

/** An analysis from the first position. */
export async function newAnalysis() {
  if (await attemptOpen({ kind: "analyse" })) await attempt("analyse", { on: true, ...wanted() });
}
