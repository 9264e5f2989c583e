// What buttons, keys and typed words do during a game.

import { attempt } from "./api.js";
import { markMove, squaresOf } from "./arrows.js";
import { button, byId, drawReleased, h, keepFocus, openDialog } from "./dom.js";
import { chooseNext, forward } from "./moves.js";
import { inviteButton, ownSide } from "./invite.js";
import { analyse, isAnalysing } from "./lines.js";
import { say } from "./speech.js";
import { set, setting } from "./settings.js";
import { gameKey, lines, on, state, tell } from "./store.js";
import { flip, isPerson, markHint } from "./view.js";

const panel = byId("actions-panel");
const hint = { at: null, step: 0 };

// First what kind of move it is, then the piece, then the move.
async function askHint() {
  const here = `${gameKey()} ${state().at}`;
  hint.step = hint.at === here ? Math.min(hint.step + 1, 3) : 1;
  hint.at = here;
  await attempt("hint", { step: hint.step });
}

function showHint(given) {
  // The board may show another position by now.
  if (given.node !== state()?.at) return;
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

// What says for which side this page speaks, where it plays one.
const ofPage = () => (ownSide() ? { side: ownSide() } : {});

// Only the side to move claims a draw: not the one that has made the last move.
const mayClaim = ({ can, tree, tip }) => Boolean(can?.claim_draw) && (!ownSide() || tree.find(({ id }) => id === tip)?.side !== ownSide());

// An offer is answered by the other side, if that is a person.
const mayAnswer = ({ draw_offer: offer }) =>
  Boolean(offer) && offer !== ownSide() && isPerson(offer === "white" ? "black" : "white");

// What keys and typed words do in an analysis alone.
const inAnalysis = (f) => () => editable() && f();

/** Everything that can be typed, pressed or clicked, by name. */
export const actions = {
  flip,
  hint: askHint,
  first: () => attempt("first"),
  back: () => attempt("back"),
  forward,
  last: () => attempt("last"),
  above: () => chooseNext(-1) || attempt("first"),
  below: () => chooseNext(1) || attempt("last"),
  engine: inAnalysis(() => analyse(!isAnalysing())),
  threats: inAnalysis(() => set("threats", !setting("threats"))),
  best: inAnalysis(() => lines()?.lines[0]?.pv && attempt("move", { mv: lines().lines[0].pv[0] })),
  undo: () => (editable() ? attempt("undo") : actions.takeback()),
  redo: () => attempt("redo"),
  takeback: () => attempt("take_back", ofPage()),
  draw: () => attempt(mayClaim(state()) ? "claim_draw" : "offer_draw", ofPage()),
  resign: () => confirmed("Resign this game?", "Resign", () => attempt("resign", ofPage())),
  stop: () => attempt("stop"),
};

function buttons(now) {
  const can = now.can ?? {};
  const any = isPerson("white") || isPerson("black");
  return [
    goOnButton(now),
    ...takeBackButtons(now),
    any && can.redo && button("Play again", actions.redo),
    any && button("Hint", askHint, { disabled: !can.hint, title: "Three steps: idea, piece, move (F3)" }),
    any && drawButton(now),
    any && button("Resign", actions.resign, { disabled: !can.resign }),
    inviteButton(),
    mayAnswer(now) && button("Decline the draw", () => attempt("decline_draw")),
    now.paused ? button("Go on", () => attempt("go"), { class: "main" }) : !any && button("Pause", actions.stop),
  ];
}

// At an earlier position of a game: what follows it is taken back.
const goOnButton = ({ at, tip }) => at !== tip && button("Go on from here", () => attempt("take_back", { node: at }), { class: "main" });

// Between two pages taking back is asked for, and answered by the other one.
function takeBackButtons({ can, take_back_asked: asked }) {
  if (!isPerson("white") && !isPerson("black")) return [];
  if (!asked || asked === ownSide()) return [button("Take back", actions.takeback, { disabled: !can?.take_back || Boolean(asked) })];
  return [button("Allow taking back", actions.takeback, { class: "main" }), button("Decline taking back", () => attempt("decline_take_back"))];
}

function drawButton(now) {
  if (mayClaim(now)) return button("Claim a draw", actions.draw, { class: "main" });
  if (mayAnswer(now)) return button("Accept the draw", actions.draw);
  return button("Offer a draw", actions.draw, { disabled: !now.can?.offer_draw || Boolean(now.draw_offer) });
}

function ended(now) {
  return [
    goOnButton(now),
    button("Analyze this game", () => tell("analyse-game"), { class: "main" }),
    button("Rematch", () => tell("rematch")),
    button("New game", () => tell("new-game")),
  ];
}

function draw() {
  const now = state();
  panel.replaceChildren(h("div", { class: "buttons" }, (now.result ? ended(now) : buttons(now)).filter(Boolean)));
}

on("state", (now) => {
  panel.hidden = now.kind === "analyse";
  if (!panel.hidden) drawReleased(panel, () => keepFocus(panel, draw));
});
