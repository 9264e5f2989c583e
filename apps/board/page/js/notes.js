// Comments and glyphs of the move on the board, and the changes of the tree.

import { attempt } from "./api.js";
import { button, drawReleased, field, h, keepFocus } from "./dom.js";
import { childrenOf, rootOf } from "./moves.js";
import { GLYPHS } from "./score.js";
import { gameKey, node, state } from "./store.js";

function treeButtons() {
  const now = state();
  const at = node();
  const isRoot = at?.id === rootOf(now.tree)?.id;
  const can = now.can ?? {};
  return h("div", { class: "buttons" },
    button("Promote line", () => attempt("promote_line"), { disabled: isRoot || onMainLine(now) }),
    button("Delete from here", () => attempt("delete_line"), { disabled: isRoot }),
    button("Undo", () => attempt("undo"), { title: "Ctrl+Z", disabled: can.undo === false }),
    button("Redo", () => attempt("redo"), { title: "Ctrl+Y", disabled: can.redo === false }));
}

function onMainLine(now) {
  const children = childrenOf(now.tree);
  const nodes = new Map(now.tree.map((entry) => [entry.id, entry]));
  for (let entry = nodes.get(now.at); entry && nodes.has(entry.parent); entry = nodes.get(entry.parent)) {
    if (children.get(entry.parent)[0] !== entry) return false;
  }
  return true;
}

function glyphButtons() {
  const nags = node()?.nags ?? [];
  const isRoot = node()?.id === rootOf(state().tree)?.id;
  return h("div", { class: "glyphs", role: "group", "aria-label": "Judgment of the move" }, GLYPHS.map(([nag, sign, words]) =>
    button(sign, () => attempt("glyph", { nag }), { title: words, "aria-label": words, "aria-pressed": String(nags.includes(nag)), disabled: isRoot })));
}

/** The tab for comments, glyphs and the tree. */
export function notesTab() {
  const text = h("textarea", { rows: 4, maxLength: 4000, spellcheck: true });
  const buttons = h("div", { class: "stack" });
  // Whose comment it is: when the tab is left, another game may be on the page.
  let of = null;
  const save = () => {
    const comment = text.value.trim();
    // A game that another one has replaced at its session is gone.
    const isGone = of?.session === state().session && of.game !== gameKey();
    if (!of || isGone || of.comment === comment) return;
    of.comment = comment;
    attempt("comment", { text: comment, node: of.node }, of.session);
  };
  text.addEventListener("change", save);
  const show = (now) => {
    drawReleased(buttons, () => keepFocus(buttons, () => buttons.replaceChildren(glyphButtons(), treeButtons())));
    const isOther = of?.game !== gameKey() || of.node !== now.at;
    // A comment that is being written stays: at the move that it is about.
    if (isOther) save();
    else if (document.activeElement === text) return;
    text.value = node()?.comment ?? "";
    of = { session: now.session, game: gameKey(), node: now.at, comment: text.value.trim() };
  };
  addEventListener("pagehide", save);
  const leave = () => {
    removeEventListener("pagehide", save);
    save();
  };
  return { element: h("div", { class: "stack" }, field("Comment", text), buttons), show, leave };
}
