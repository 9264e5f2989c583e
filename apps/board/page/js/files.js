// Games and positions in and out, and files dropped or pasted on the page.

import { address, attemptOpen, open, pgn } from "./api.js";
import { button, byId, field, h, openDialog, takesText } from "./dom.js";
import { keepDialog, keptFiles } from "./library.js";
import { copy, notify } from "./notices.js";
import { pictureButtons } from "./picture.js";
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
    h("div", { class: "row" }, button("Set this position", () => analyseOther("set_fen", { fen: fen.value.trim() })), button("Copy FEN", () => copy(fen.value)), pictureButtons()),
    field("PGN of this game", text),
    h("div", { class: "row" }, button("Load this PGN", () => analyseOther("load_pgn", { text: text.value }, { pgn: text.value })), button("Copy PGN", () => copy(text.value)), download()));
  return { element, show };
}

const download = () => h("a", { href: address("api/pgn"), download: "game.pgn" }, "Save as file");

const TOO_LARGE = "This file is larger than 16 MiB. Split it, or use tamarin analyse.";

const isRules = (text, name) => /\.var$/i.test(name) || /^board:|^@royal|^@extends/m.test(text);

async function read(text, name) {
  if (text.length > MOST) throw new Error(TOO_LARGE);
  if (isRules(text, name)) return tell("rules-text", text);
  if (isFen(text)) return open({ kind: "analyse", fen: text.trim() });
  return open({ kind: "analyse", ...(isOfThisGame(text) ? sameGame() : {}), pgn: text });
}

/** Opens the text of a file: games, a position, or rules. */
export async function openText(text, name = "") {
  try {
    await read(text, name);
  } catch (error) {
    tell("notice", { text: error.message, error: true });
  }
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

// The games of several files are one list.
async function openFiles(files) {
  const all = [...files];
  if (all.length === 0) return;
  if (all.reduce((sum, { size }) => sum + size, 0) > MOST) return void notify(TOO_LARGE);
  const texts = await Promise.all(all.map(async (file) => decoded(await file.arrayBuffer())));
  if (texts.length > 1 && texts.some((text, i) => isRules(text, all[i].name))) return void notify("Open one rules file at a time.");
  await openText(texts.join("\n\n"), all[0].name);
}

/** The dialog to open a file or a pasted text. */
export async function filesDialog() {
  const kept = await keptFiles(() => dialog.close());
  const chooser = h("input", { type: "file", multiple: true, accept: ".pgn,.fen,.epd,.var,.txt" });
  const pasted = h("textarea", { rows: 8, spellcheck: false });
  const wrong = h("p", { class: "error", role: "alert" });
  chooser.addEventListener("change", () => {
    dialog.close();
    openFiles(chooser.files);
  });
  // A text that cannot be read stays in its field.
  const openPasted = async () => {
    if (!pasted.value.trim()) return;
    try {
      await read(pasted.value, "");
      dialog.close();
    } catch (error) {
      wrong.textContent = error.message;
      markPlace(pasted, error.message);
    }
  };
  const dialog = openDialog("Files", h("div", { class: "stack" },
    h("p", { class: "quiet" }, "A PGN file with one game or many, a position as FEN, or a rules file. A file can also be dropped on the page."),
    field("Open files", chooser), field("Or paste a text", pasted), wrong, kept,
    h("div", { class: "ends" }, state() && button("Keep these games", () => { dialog.close(); keepDialog(); }), state() && h("a", { href: address("api/pgn"), download: "game.pgn" }, "Save this game as PGN"),
      state()?.file && h("a", { href: address("api/pgn?all=1"), download: "games.pgn" }, "Save all games of the file"),
      button("Close", () => dialog.close()), button("Open the text", openPasted, { class: "main" }))));
}

// Selects what a message says of a text: the line and column, or else the words in quotes.
function markPlace(text, message) {
  const [, line, column] = /line (\d+)(?:, column (\d+))?/.exec(message) ?? [];
  const before = line ? text.value.split("\n").slice(0, line - 1).join("\n").length + (line > 1) : -1;
  const quoted = /"([^"]+)"/.exec(message)?.[1];
  const from = line && column ? before + Number(column) - 1 : quoted ? text.value.indexOf(quoted, Math.max(before, 0)) : before;
  text.focus();
  if (from >= 0) text.setSelectionRange(from, from + (quoted && text.value.startsWith(quoted, from) ? quoted.length : 1));
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
  openFiles(event.dataTransfer.files);
});

document.addEventListener("paste", (event) => {
  if (takesText(event.target) || document.querySelector("dialog[open]")) return;
  const text = event.clipboardData.getData("text/plain");
  event.preventDefault();
  if (event.clipboardData.files.length) openFiles(event.clipboardData.files);
  else if (text.trim()) openText(text);
});

// The game that was played, as an analysis.
on("analyse-game", async () => {
  const text = await pgn();
  await attemptOpen({ kind: "analyse", ...sameGame(), pgn: text });
});
