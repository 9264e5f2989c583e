// Short messages at the foot of the page, and the line that says how things stand.

import { button, byId, h } from "./dom.js";
import { otherSide, sideName } from "./pieces.js";
import { say, threatInWords } from "./speech.js";
import { node, on, state } from "./store.js";
import { isPerson } from "./view.js";

const SHOWN_FOR = 6000;
const place = byId("notices");
// What stays stands in the way of nothing.
const kept = byId("kept-notices");

/** Shows a message; `action` is [text, function]. */
export function notify(text, { action = null, stays = false } = {}) {
  const box = h("div", { class: "notice" }, h("span", {}, text));
  const close = () => box.remove();
  if (action) box.append(button(action[0], () => { close(); action[1](); }));
  if (stays) box.append(button("Close", close, { "aria-label": "Close this message" }));
  const where = stays ? kept : place;
  for (const old of where.children) if (old.textContent === box.textContent) old.remove();
  where.append(box);
  if (!stays) setTimeout(close, SHOWN_FOR);
  return box;
}

/** Puts a text on the clipboard, and says whether it is there: a page over plain HTTP may not do that. */
export async function copy(text) {
  try {
    await navigator.clipboard.writeText(text);
    notify("Copied.");
    return true;
  } catch {
    notify("The browser does not allow to copy: select the text, and press Ctrl+C.");
    return false;
  }
}

function statusText(now) {
  const { result, position, draw_offer: offer, premove } = now;
  // In an analysis the result stands for the end of the game, not for what is on the board.
  if (result && (now.kind !== "analyse" || now.at === now.tip || now.legal.length === 0)) return `${result.score} · ${result.reason}`;
  const check = position.check?.length ? ", in check" : "";
  if (offer) return `${sideName(offer)} offers a draw`;
  if (now.take_back_asked) return `${sideName(now.take_back_asked)} asks to take a move back`;
  if (now.kind !== "analyse" && now.at !== now.tip) return "An earlier position: End leads back to the game";
  if (premove) return `Premove ${premove}`;
  return `${sideName(position.turn)} to move${check}`;
}

// What a search after a pass has found, or the warning of the server.
function showThreat() {
  byId("threat").textContent = threatInWords() ?? state().threat ?? "";
}

function showStatus(now) {
  byId("status").textContent = statusText(now);
  byId("opening").textContent = [now.game.name === "chess" ? null : now.game.title ?? now.game.name, now.opening].filter(Boolean).join(" · ") || "\u00a0";
  showThreat();
  const white = now.players?.white?.name || "White";
  const black = now.players?.black?.name || "Black";
  document.title = now.kind === "analyse" ? `Analysis · Tamarin` : `${yourMove(now)}${white} – ${black} · Tamarin`;
}

// The time of the game goes on while nothing comes from the server.
let stateAt = 0;

function showTime() {
  const now = state();
  if (!now) return;
  const goesOn = now.tip > 0 && !now.result && !now.paused;
  const seconds = Math.floor((now.played_ms + (goesOn ? performance.now() - stateAt : 0)) / 1000);
  const text = `Time of the game: ${Math.floor(seconds / 60)}:${String(seconds % 60).padStart(2, "0")}`;
  byId("time").hidden = now.kind === "analyse";
  if (byId("time").textContent !== text) byId("time").textContent = text;
}

function yourMove(now) {
  const { turn } = now.position;
  return !now.result && isPerson(turn) && !isPerson(otherSide(turn)) && node()?.san ? "● " : "";
}

// What is said while the server sends nothing, and what was said last.
const SILENT = {
  interrupted: "The server does not answer; the page tries again.",
  closed: "This game is not on the server any more. Begin another one, or open the address that tamarin board prints.",
};
const warning = { of: "open", box: null };

on("notice", ({ text, error }) => {
  notify(text);
  if (error) say(text);
});
on("state", (now) => {
  stateAt = performance.now();
  showStatus(now);
  showTime();
});
setInterval(showTime, 500);
on("threats", showThreat);
on("view", () => state() && showThreat());
on("connection", (of) => {
  if (of === warning.of && warning.box?.isConnected) return;
  warning.box?.remove();
  Object.assign(warning, { of, box: SILENT[of] ? notify(SILENT[of], { stays: true }) : null });
});
