// The beginning: all parts are loaded, the session of the address or a new one is opened.

import { actions } from "./actions.js";
import { attempt, attemptFollow, follow, get, sessionOfAddress } from "./api.js";
import { gamesDialog, helpDialog, settingsDialog } from "./dialogs.js";
import { byId } from "./dom.js";
import { filesDialog } from "./files.js";
import { newAnalysis, newGameDialog, quickGame } from "./newgame.js";
import { notify } from "./notices.js";
import { loadPieces } from "./pieces.js";
import { setting, show } from "./settings.js";
import { draftRules } from "./rules.js";
import { on, state } from "./store.js";
import { openTab } from "./tools.js";
import { refresh } from "./view.js";
import "./drag.js";
import "./games.js";
import "./keys.js";
import "./lines.js";
import "./moves.js";
import "./players.js";
import "./sound.js";
import "./typed.js";

const BUTTONS = {
  ...actions, "new-game": () => newGameDialog(), analyse: newAnalysis, games: gamesDialog, files: filesDialog, settings: settingsDialog, help: helpDialog,
};

document.addEventListener("click", (event) => {
  const name = event.target.closest?.("button[data-do]")?.dataset.do;
  if (name && (state() || !(name in actions))) BUTTONS[name]();
});

// The address of the page names its session, and goes on doing so.
document.querySelector(".skip").addEventListener("click", (event) => {
  event.preventDefault();
  byId("board").focus();
});

on("rules-text", async (text) => {
  draftRules(text);
  if (state()?.kind !== "analyse") await newAnalysis();
  openTab("rules");
});

// What the page offers at its beginning; whoever opens something else wants something else.
let offered = null;

async function beginTable() {
  const named = sessionOfAddress() ?? new URLSearchParams(location.search).get("session");
  if (named) {
    try {
      return await follow(named);
    } catch (error) {
      notify(`The game of this address cannot be shown: ${error.message}`);
    }
  }
  const sessions = await get("api/sessions", null).catch(() => []);
  await quickGame();
  const unfinished = sessions.find(({ result, kind, plies }) => !result && kind === "play" && plies > 0);
  if (unfinished) offered = notify(`An unfinished game: ${unfinished.white} – ${unfinished.black}`, { action: ["Resume", () => attemptFollow(unfinished.session)], stays: true });
  return null;
}

on("state", (now, before) => {
  if (before && now.session !== before.session) offered?.remove();
  if (now.session !== before?.session && setting("threat")) attempt("threat", { on: true });
});
addEventListener("hashchange", () => {
  const named = sessionOfAddress();
  if (named && named !== state()?.session) attemptFollow(named);
});

show();
await loadPieces();
await beginTable();
refresh();
document.body.dataset.ready = "yes";
