// Two people at two computers: an address for the other one, and which side this page plays.

import { button, byId, field, h, openDialog, select } from "./dom.js";
import { copy } from "./notices.js";
import { on, state } from "./store.js";
import { currentView, isPerson, refresh } from "./view.js";

const place = (table) => `tamarin-side-${table}`;
const SIDES = [["", "Both sides"], ["white", "White"], ["black", "Black"]];

/** The side of this page at its table: white, black, or empty for both. */
export function ownSide(table = state()?.table) {
  try {
    return sessionStorage.getItem(place(table)) ?? "";
  } catch {
    return "";
  }
}

function choose(side) {
  try {
    sessionStorage.setItem(place(state().table), side);
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

/** The dialog with the address for somebody else. */
export function inviteDialog() {
  const { invitation } = state();
  const address = h("input", { type: "text", readOnly: true, value: invitation ?? "" });
  const copyAddress = async () => (await copy(invitation)) || address.select();
  const dialog = openDialog("Two people", h("div", { class: "stack" },
    invitation ? h("p", {}, "Whoever opens this address in the same network sees this game and can play in it.")
      : h("p", {}, "This server answers this computer only. Start it with --address 0.0.0.0 to let others of the network in."),
    invitation ? field("Address", address) : "",
    field("This page plays", select(SIDES, ownSide(), choose)),
    h("div", { class: "ends" }, invitation ? button("Copy", copyAddress) : "", button("Close", () => dialog.close(), { class: "main" }))));
}

const ofTwo = () => state()?.kind === "play" && isPerson("white") && isPerson("black");

/** The button that opens the dialog, in a game of two people. */
export const inviteButton = () => (ofTwo() ? button(state().invitation ? "Invite" : "Sides", inviteDialog) : null);

on("state", (now, before) => {
  if (before?.table === now.table) return;
  sit();
  // Somebody who comes by an invitation has a side to choose.
  const invited = new URLSearchParams(location.search).get("table") === now.table && !["127.0.0.1", "[::1]", "localhost"].includes(location.hostname);
  if (invited && ofTwo() && !ownSide() && byId("board")) inviteDialog();
});
