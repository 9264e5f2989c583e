// Games and positions in and out, and files dropped on the page.

import { address, attemptOpen, open, pgn } from "./api.js";
import { button, byId, field, h, openDialog } from "./dom.js";
import { copy, notify } from "./notices.js";
import { analyseOther, sameGame } from "./editor.js";
import { on, state, tell } from "./store.js";

// What the server takes at most.
const MOST = 16 * 1024 * 1024;

/** The tab with the position and the game as text. */
export function textTab() {
  const fen = h("input", { type: "text", spellcheck: false });
  const text = h("textarea", { rows: 9, spellcheck: false });
  // What the fields were filled with. What the user has put there instead stays.
  let shownFen = null;
  let shownPgn = null;
  const isEdited = () => document.activeElement === text || (shownPgn !== null && text.value !== shownPgn);
  const show = async (now, before) => {
    if (document.activeElement !== fen && shownFen !== now.position.fen) {
      shownFen = now.position.fen;
      fen.value = shownFen;
    }
    if (before && before.serial !== now.serial) shownPgn = null;
    if (isEdited() || (before && before.tree === now.tree)) return;
    const whole = await pgn();
    if (isEdited()) return;
    text.value = whole;
    // The browser changes line breaks.
    shownPgn = text.value;
  };
  const element = h("div", { class: "stack" },
    field("FEN of this position", fen),
    h("div", { class: "row" }, button("Set this position", () => analyseOther("set_fen", { fen: fen.value.trim() })), button("Copy FEN", () => copy(fen.value))),
    field("PGN of this game", text),
    h("div", { class: "row" }, button("Load this PGN", () => analyseOther("load_pgn", { text: text.value }, { pgn: text.value })), button("Copy PGN", () => copy(text.value)), download()));
  return { element, show };
}

const download = () => h("a", { href: address("api/pgn"), download: "game.pgn" }, "Save as file");

/** Opens the text of a file: games, a position, or rules. */
export async function openText(text, name = "") {
  if (text.length > MOST) return void notify("This file is larger than 16 MiB. Split it, or use tamarin analyse.");
  try {
    if (/\.var$/i.test(name) || /^board:|^@royal|^@extends/m.test(text)) return void tell("rules-text", text);
    if (isFen(text)) return await open({ kind: "analyse", fen: text.trim() });
    await open({ kind: "analyse", ...(isOfThisGame(text) ? sameGame() : {}), pgn: text });
  } catch (error) {
    tell("notice", { text: error.message, error: true });
  }
  return null;
}

// Games of a rules file can be read only with these rules; the server knows the built-in ones.
function isOfThisGame(text) {
  const name = /^\[Variant\s+"([^"]*)"/m.exec(text)?.[1];
  return Boolean(name) && name.toLowerCase() === state()?.game.name.toLowerCase();
}

const isFen = (text) => /^\s*[^\s[{/]+(\/[^\s/]+){3,11}\s+[wb](\s|$)/.test(text) && text.trim().split("\n").length === 1;

// UTF-8, or what old programs write.
function decoded(bytes) {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return new TextDecoder("windows-1252").decode(bytes);
  }
}

async function openFile(file) {
  if (!file) return;
  if (file.size > MOST) return void notify("This file is larger than 16 MiB. Split it, or use tamarin analyse.");
  await openText(decoded(await file.arrayBuffer()), file.name);
}

/** The dialog to open a file or a pasted text. */
export function filesDialog() {
  const chooser = h("input", { type: "file", accept: ".pgn,.fen,.epd,.var,.txt" });
  const pasted = h("textarea", { rows: 8, spellcheck: false });
  const done = (f) => async () => {
    dialog.close();
    await f();
  };
  chooser.addEventListener("change", done(() => openFile(chooser.files[0])));
  const dialog = openDialog("Files", h("div", { class: "stack" },
    h("p", { class: "quiet" }, "A PGN file with one game or many, a position as FEN, or a rules file. A file can also be dropped on the page."),
    field("Open a file", chooser), field("Or paste its text", pasted),
    h("div", { class: "ends" }, state() && h("a", { href: address("api/pgn"), download: "game.pgn" }, "Save this game as PGN"),
      button("Close", () => dialog.close()), button("Open the text", done(() => pasted.value.trim() && openText(pasted.value)), { class: "main" }))));
}

const sign = byId("drop-sign");
const carriesFile = (event) => event.dataTransfer?.types.includes("Files");
addEventListener("dragenter", (event) => carriesFile(event) && (sign.hidden = false));
addEventListener("dragover", (event) => carriesFile(event) && event.preventDefault());
addEventListener("dragleave", (event) => !event.relatedTarget && (sign.hidden = true));
addEventListener("drop", (event) => {
  sign.hidden = true;
  if (!carriesFile(event)) return;
  event.preventDefault();
  openFile(event.dataTransfer.files[0]);
});

// The game that was played, as an analysis.
on("analyse-game", async () => {
  const text = await pgn();
  await attemptOpen({ kind: "analyse", ...sameGame(), pgn: text });
});
