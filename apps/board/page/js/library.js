// The user's own files of games, which are kept on the server's computer.

import { attempt, attemptOpen, change, get } from "./api.js";
import { button, field, h, openDialog } from "./dom.js";
import { state } from "./store.js";

const plain = (text) => (text ?? "").replace(/[^\p{L}\p{N} _.,()+'-]/gu, " ").replace(/^[ .]+/, "").slice(0, 60).trim();

/** Asks for a name, and keeps the games of the file, or the one on the board, under it. */
export async function keepDialog() {
  const now = state();
  const files = await get("api/files", null).catch(() => []);
  const name = h("input", { type: "text", value: plain(now.file?.name ?? "") || "My games", maxLength: 60, autocomplete: "off" });
  const about = h("p", { class: "quiet" });
  const explain = () => {
    const known = files.some((file) => file.name === name.value.trim());
    about.textContent = now.file?.name === name.value.trim() ? "The file is replaced by the games as they are now." : known ? "There is a file of this name: the games are added to it." : "A new file.";
  };
  name.addEventListener("input", explain);
  explain();
  const keep = async (event) => {
    event.preventDefault();
    if (await attempt("keep_file", { name: name.value.trim() })) dialog.close();
  };
  const dialog = openDialog("Keep these games", h("form", { onsubmit: keep }, field("Name of the file", name), about,
    h("div", { class: "ends" }, button("Cancel", () => dialog.close()), h("button", { type: "submit", class: "main" }, "Keep"))));
}

const size = (bytes) => (bytes < 1 << 20 ? `${Math.ceil(bytes / 1024)} KiB` : `${(bytes / (1 << 20)).toFixed(1)} MiB`);

// The row says what has become of its file, and undoes it.
function rowOf(file, close) {
  const title = h("td", {}, button(file.name, async () => {
    if (await attemptOpen({ kind: "analyse", library: file.name })) close();
  }), h("div", { class: "quiet" }, `${size(file.bytes)}, ${new Date(file.since * 1000).toLocaleDateString()}`));
  const row = h("tr", {}, title, h("td", { class: "number" }, button("Forget", forget, { "aria-label": `Forget ${file.name}` })));
  async function forget() {
    if (!(await change("api/files", { forget: file.name }))) return;
    const undo = button("Undo", async () => (await change("api/files", { restore: file.name })) && row.replaceWith(rowOf(file, close)));
    row.replaceChildren(h("td", { class: "quiet" }, `${file.name} is forgotten.`), h("td", { class: "number" }, undo));
    undo.focus();
  }
  return row;
}

/** The kept files, each with what opens and forgets it; `close` closes the dialog that has them. */
export async function keptFiles(close) {
  const files = await get("api/files", null).catch(() => []);
  if (files.length === 0) return null;
  return h("fieldset", {}, h("legend", {}, "Your files"), h("div", { class: "scroll", tabindex: "0", role: "group", "aria-label": "Your files" },
    h("table", {}, h("tbody", {}, files.map((file) => rowOf(file, close))))));
}
