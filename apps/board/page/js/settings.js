// Switches that this browser remembers.

import { tell } from "./store.js";

const DEFAULTS = {
  theme: "auto", coordinates: true, targets: true, lastMove: true, check: true, animation: true, sounds: true,
  meter: true, gameMeter: false, arrows: true, threats: false, onlyMoves: true, textBoard: false, speakScore: false,
  letters: false, traditional: true, board: "blue", pieces: "classic", threat: false, turnForBlack: true, lines: 3, threads: 0, hash: 0, depth: 0,
  name: "You", level: "level 13", clock: "none",
};
const PLACE = "tamarin-board";

let values = { ...DEFAULTS };
try {
  values = { ...values, ...JSON.parse(localStorage.getItem(PLACE) ?? "{}") };
} catch {
  // Without a storage the switches last as long as the page.
}

/** The value of a switch. */
export const setting = (name) => values[name];

/** Sets a switch. */
export function set(name, value) {
  values[name] = value;
  try {
    localStorage.setItem(PLACE, JSON.stringify(values));
  } catch {
    // As above.
  }
  show();
  tell("view", name);
}

/** Applies what the style sheet reads. */
export function show() {
  const root = document.documentElement.dataset;
  if (values.theme === "auto") delete root.theme;
  else root.theme = values.theme;
  for (const name of ["board", "pieces"]) root[name] = values[name];
  for (const name of ["coordinates", "threats"]) root[name] = values[name] ? "on" : "off";
}

/** Boards and pieces to choose from. */
export const BOARDS = [["blue", "Blue"], ["brown", "Brown"], ["green", "Green"]];
export const PIECES = [["classic", "Classic"], ["flat", "Flat"], ["angular", "Angular"]];

/** The switches with the words that the dialog has for them. */
export const SWITCHES = [
  ["targets", "Legal targets"], ["lastMove", "Last move"], ["check", "Check"], ["coordinates", "Coordinates"],
  ["letters", "Letters instead of pictures"], ["traditional", "Traditional xiangqi, shogi"], ["animation", "Moving pieces"], ["sounds", "Sounds"],
  ["meter", "Evaluation bar in analyses"], ["gameMeter", "Evaluation bar in games"], ["arrows", "Arrows of the engine"],
  ["threats", "Threats in analyses"], ["onlyMoves", "Only good moves (□)"], ["threat", "Warn of threats"],
  ["textBoard", "Board as text"], ["speakScore", "Speak the evaluation"], ["turnForBlack", "Own side below"],
];
