// Two people at two computers: an address for the other one, and which side this page plays.

import { post } from "./api.js";
import { button, field, h, openDialog, select } from "./dom.js";
import { copy } from "./notices.js";
import { otherSide } from "./pieces.js";
import { on, state } from "./store.js";
import { currentView, isPerson, refresh } from "./view.js";

// An invitation names a session and a side.
const invited = new URLSearchParams(location.search);
const isGuest = ["white", "black"].includes(invited.get("side"));
if (isGuest) document.body.dataset.guest = "";

const place = (session) => `tamarin-side-${session}`;
const SIDES = [["", "Both sides"], ["white", "White"], ["black", "Black"]];

// The side of this page at a session, and the name of the player who had it then.
function remembered(session) {
  try {
    return (sessionStorage.getItem(place(session)) ?? "").split("\n");
  } catch {
    return [""];
  }
}

/** The side of this page at its session: white, black, or empty for both. */
export const ownSide = () => remembered(state()?.session)[0];

function choose(side) {
  const { session, players } = state();
  try {
    sessionStorage.setItem(place(session), side && `${side}\n${players[side].name}`);
  } catch {
    // Without a storage this page plays both sides.
  }
  sit();
}

// Who plays a side sees it below, and moves no other piece.
function sit() {
  const side = ownSide();
  currentView().own = side || null;
  if (side) currentView().flipped = side === "black";
  refresh();
}

/** The dialog with the address for somebody else, who has the other side. */
export function inviteDialog() {
  const { invites: invitation } = state();
  const address = h("input", { type: "text", readOnly: true });
  const ask = async () => {
    const side = ownSide() ? otherSide(ownSide()) : "black";
    const answer = invitation ? await post(`api/invite?side=${side}`).catch((error) => ({ address: error.message })) : {};
    address.value = answer.address ?? "";
  };
  const chooseOwn = (side) => {
    choose(side);
    ask();
  };
  const copyAddress = async () => (await copy(address.value)) || address.select();
  ask();
  const dialog = openDialog("Two people", h("div", { class: "stack" },
    invitation ? h("p", {}, "Whoever opens this address in the same network plays the other side of this game. It opens nothing else.")
      : h("p", {}, "This server answers this computer only. Start it with --address 0.0.0.0 to let others of the network in."),
    invitation ? field("Address", address) : "",
    field("This page plays", select(SIDES, ownSide(), chooseOwn)),
    h("div", { class: "ends" }, invitation ? button("Copy", copyAddress) : "", button("Close", () => dialog.close(), { class: "main" }))));
}

const ofTwo = () => state()?.kind === "play" && isPerson("white") && isPerson("black");

/** The button that opens the dialog, in a game of two people. */
export const inviteButton = () => (ofTwo() && !isGuest ? button(state().invites ? "Invite" : "Sides", inviteDialog) : null);

// In a rematch the players have changed colors, and this page goes with its own.
function changeSides(now, before) {
  const [old, { white, black }] = [before.players, now.players];
  const isRematch = now.serial > before.serial && white.name === old.black.name && black.name === old.white.name;
  if (isRematch && ownSide()) choose(otherSide(ownSide()));
}

// The same, where the rematch began while this page was elsewhere.
function comeBack({ session, players }) {
  const [side, name] = remembered(session);
  const other = otherSide(side);
  if (side && players[side].name !== name && players[other].name === name) choose(other);
  else sit();
}

on("state", (now, before) => {
  if (before?.session === now.session) return changeSides(now, before);
  comeBack(now);
  // Whoever is invited has the side of the invitation.
  if (isGuest && ofTwo() && !ownSide()) choose(invited.get("side"));
});
