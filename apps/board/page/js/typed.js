// The field for moves and commands: all of a game and of an analysis can be typed.

import { command } from "./api.js";
import { byId } from "./dom.js";
import { actions } from "./actions.js";
import { analyse } from "./lines.js";
import { boardInWords, evaluationInWords, lastMoveInWords, piecesInWords, placeInWords, threatInWords } from "./speech.js";
import { on, state } from "./store.js";
import { timeLeft, timeText } from "./players.js";
import { asOwn } from "./view.js";

const input = byId("typed");
const reply = byId("reply");
let history = [];
let place = 0;

/** Answers below the field; it is read aloud. */
export function answer(text) {
  reply.textContent = text ?? "";
}

// How people write a move: without "x", "+", "=" or with small letters.
const loose = (text) => text.replace(/[x+#=!?\-:]/g, "").replace(/^0/, "O").toLowerCase().replace(/0/g, "o");

/** The legal move that a text means: exactly, or loosely if only one is meant. */
export function meant(text, legal) {
  const exact = legal.find(({ mv, san }) => san === text || mv === text || san.replace(/[+#]$/, "") === text);
  if (exact) return exact;
  const fits = legal.filter(({ mv, san }) => loose(san) === loose(text) || mv.toLowerCase() === text.toLowerCase());
  return fits.length === 1 ? fits[0] : null;
}

const clocks = () => (state().clock ? `White ${timeText(timeLeft("white"))}, Black ${timeText(timeLeft("black"))}` : "No clocks");

// Questions, answered in words. The others are buttons of the page as well.
const QUESTIONS = {
  board: () => boardInWords(state()),
  white: () => piecesInWords(state(), "white"),
  black: () => piecesInWords(state(), "black"),
  pawns: () => ["white", "black"].map((side) => `${side}: ${(piecesInWords(state(), side).match(/(pawns?|soldiers?) [^,]+/) ?? ["none"])[0]}`).join("; "),
  last: () => lastMoveInWords(),
  score: () => evaluationInWords(),
  clock: clocks,
  moves: () => state().legal.map(({ san }) => san).join(" ") || "No legal move",
  opening: () => state().opening ?? "No name",
  fen: () => state().position.fen,
  threat: () => threatInWords() ?? state().threat ?? "No threat seen; the warning can be switched on in the settings",
  help: () => `Moves: e4, Nf3, e2e4, O-O. Questions: ${Object.keys(QUESTIONS).join(", ")}, or a square, file or rank such as e4, e or 4. Commands: ${[...new Set([...Object.keys(COMMANDS), ...Object.keys(actions)])].filter((name) => !QUESTIONS[name]).join(", ")}.`,
};

const COMMANDS = {
  analyze: () => analyse(true),
  stop: () => analyse(false),
  end: actions.last,
};

async function run(text) {
  const now = state();
  const word = text.toLowerCase();
  const move = meant(text, now.legal);
  if (move) return playMove(move.mv);
  if (QUESTIONS[word]) return answer(QUESTIONS[word]());
  if (COMMANDS[word]) return void COMMANDS[word]();
  if (actions[word]) return void actions[word]();
  const promoting = now.legal.filter(({ promotion, san }) => promotion && loose(san).startsWith(loose(text)));
  if (promoting.length) return answer(`Promote to what? ${promoting.map(({ san }) => san).join(", ")}`);
  const words = /^([a-l]\d{0,2}|\d{1,2})$/.test(word) ? placeInWords(now, word) : null;
  if (words) return answer(words);
  await playMove(text);
}

async function playMove(mv) {
  try {
    await command("move", { mv, ...asOwn() });
    answer(lastMoveInWords());
  } catch (error) {
    answer(error.message);
  }
}

async function submit(event) {
  event.preventDefault();
  const text = input.value.trim();
  if (!text || !state()) return;
  history = [...history.filter((old) => old !== text), text].slice(-50);
  place = history.length;
  input.value = "";
  answer("");
  await run(text);
}

function recall(event) {
  const step = { ArrowUp: -1, ArrowDown: 1 }[event.key];
  if (!step || history.length === 0) return;
  event.preventDefault();
  place = Math.max(0, Math.min(history.length, place + step));
  input.value = history[place] ?? "";
}

/** Begins to type with this letter. */
export function beginTyping(letter) {
  input.focus();
  input.value += letter;
}

byId("type-form").addEventListener("submit", submit);
input.addEventListener("keydown", recall);
on("state", (now, before) => {
  if (!before || before.session !== now.session) return answer("");
  // The answer of the engine comes by itself.
  if (now.at !== before.at && document.activeElement === input) answer(lastMoveInWords(now));
});
