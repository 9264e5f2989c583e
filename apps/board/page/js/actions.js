// What buttons, keys and typed words do during a game.

import { attempt } from "./api.js";
import { markMove, squaresOf } from "./arrows.js";
import { button, byId, h, openDialog } from "./dom.js";
import { inviteButton, ownSide as sideOfPage } from "./invite.js";
import { say } from "./speech.js";
import { gameKey, on, state, tell } from "./store.js";
import { flip, isPerson, markHint } from "./view.js";

const panel = byId("actions-panel");
const hint = { at: null, step: 0 };

/** The side the user plays; the side to move where both are people's. */
export function ownSide() {
  const { turn } = state().position;
  if (sideOfPage()) return sideOfPage();
  return isPerson("white") && isPerson("black") ? turn : isPerson("white") ? "white" : "black";
}

// First what kind of move it is, then the piece, then the move.
async function askHint() {
  const here = `${gameKey()} ${state().at}`;
  hint.step = hint.at === here ? Math.min(hint.step + 1, 3) : 1;
  hint.at = here;
  await attempt("hint", { step: hint.step });
}

function showHint(given) {
  if (given.text) {
    byId("reply").textContent = given.text;
    say(given.text);
  }
  const move = given.mv ? squaresOf(given.mv) : null;
  if (move) markMove("hinted", move);
  const squares = given.squares?.length ? given.squares : move?.from ? [move.from] : [];
  if (squares.length) markHint(squares);
}

on("hint", showHint);

function confirmed(question, yes, f) {
  const dialog = openDialog(question, h("div", { class: "ends" },
    button("Cancel", () => dialog.close()),
    button(yes, () => { dialog.close(); f(); }, { class: "main" })), { class: "small" });
}

const editable = () => state().kind === "analyse";

/** Everything that can be typed, pressed or clicked, by name. */
export const actions = {
  flip,
  hint: askHint,
  first: () => attempt("first"),
  back: () => attempt("back"),
  forward: () => attempt("forward"),
  last: () => attempt("last"),
  undo: () => attempt(editable() ? "undo" : "take_back"),
  redo: () => (editable() ? attempt("redo") : null),
  takeback: () => attempt("take_back"),
  draw: () => (state().can?.claim_draw ? attempt("claim_draw") : attempt("offer_draw", sideOfPage() ? { side: sideOfPage() } : {})),
  resign: () => confirmed("Resign this game?", "Resign", () => attempt("resign", { side: ownSide() })),
  stop: () => attempt("stop"),
};

function buttons(now) {
  const can = now.can ?? {};
  const any = isPerson("white") || isPerson("black");
  return [
    any && button("Take back", actions.takeback, { disabled: !can.take_back }),
    any && button("Hint", askHint, { disabled: !can.hint, title: "Three steps: idea, piece, move (F3)" }),
    any && (can.claim_draw ? button("Claim a draw", () => attempt("claim_draw"), { class: "main" }) : button(now.draw_offer ? "Accept the draw" : "Offer a draw", actions.draw, { disabled: !can.offer_draw && !now.draw_offer })),
    any && button("Resign", actions.resign, { disabled: !can.resign }),
    inviteButton(),
    now.draw_offer && button("Decline the draw", () => attempt("decline_draw")),
    now.paused ? button("Go on", () => attempt("go"), { class: "main" }) : !any && button("Pause", actions.stop),
  ];
}

function ended() {
  return [
    button("Analyze this game", () => tell("analyse-game"), { class: "main" }),
    button("Rematch", () => tell("rematch")),
    button("New game", () => tell("new-game")),
  ];
}

function show(now) {
  panel.hidden = now.kind === "analyse";
  if (panel.hidden) return;
  const old = document.activeElement && panel.contains(document.activeElement) ? document.activeElement.textContent : null;
  const list = (now.result ? ended() : buttons(now)).filter(Boolean);
  panel.replaceChildren(h("div", { class: "buttons" }, list));
  list.find((element) => element.textContent === old)?.focus({ preventScroll: true });
}

on("state", show);
