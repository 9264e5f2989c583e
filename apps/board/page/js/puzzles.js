// Lessons, and puzzles of a file, in the tab to learn in.

import { attempt, attemptOpen } from "./api.js";
import { button, field, h } from "./dom.js";
import { say } from "./speech.js";
import { on, state } from "./store.js";

async function begin(text) {
  // What is on the board stays where it is, unless there is nothing.
  const isFresh = state().kind === "analyse" && state().tree.length === 1 && !state().file;
  if (isFresh || (await attemptOpen({ kind: "analyse" }))) await attempt("puzzles", text === undefined ? {} : { text });
}

/** What begins lessons and puzzles. */
export function puzzleRow() {
  const chooser = h("input", { type: "file", accept: ".epd,.csv,.txt" });
  chooser.addEventListener("change", async () => chooser.files[0] && begin(await chooser.files[0].text()));
  return h("div", { class: "stack" }, h("div", { class: "row" }, button("Lessons", () => begin())), field("Puzzles of a file (EPD, or CSV of Lichess)", chooser));
}

/** The puzzle on the board. */
export function puzzle({ word, number, count, name, task, lesson, said, solved, over }) {
  if (over) return [h("p", {}, said), puzzleRow()];
  const step = (what, text, properties) => button(text, () => attempt("puzzle", { step: what }), properties);
  return [
    h("p", { class: "quiet" }, `${word === "lesson" ? "Lesson" : "Puzzle"} ${number} of ${count}: ${name}`),
    lesson && h("p", {}, lesson), h("p", {}, task), said && h("p", { class: "hinted-text" }, said),
    h("div", { class: "row" }, step("hint", "Give a hint", { disabled: solved }), step("solution", "Show the answer", { disabled: solved }), step("next", "Next", { class: solved ? "main" : "" })),
  ];
}

on("state", ({ puzzle: now }, before) => {
  if (now && now.said !== before?.puzzle?.said) say(now.said);
  else if (now && now.number !== before?.puzzle?.number) say(`${now.lesson ?? ""} ${now.task}`);
});
