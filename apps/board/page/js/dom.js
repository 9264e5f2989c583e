// Elements of the page.

/** The element with this id. */
export const byId = (id) => document.getElementById(id);

const SVG = "http://www.w3.org/2000/svg";

function fill(element, properties, children) {
  for (const [name, value] of Object.entries(properties)) {
    // A browser checks the spelling unless it is told not to.
    if (value === null || value === undefined || (value === false && name !== "spellcheck")) continue;
    if (name.startsWith("on")) element.addEventListener(name.slice(2), value);
    else if (name === "class") element.setAttribute("class", value);
    else if (name in element && !name.startsWith("aria") && element.namespaceURI !== SVG) element[name] = value;
    else element.setAttribute(name, value === true ? "" : value);
  }
  element.append(...children.flat().filter((child) => child !== null && child !== undefined && child !== false));
  return element;
}

/** Makes an element: h("button", { onclick: f, class: "main" }, "Text"). Text is never markup. */
export const h = (name, properties = {}, ...children) => fill(document.createElement(name), properties, children);

/** The same for the elements of a drawing. */
export const s = (name, properties = {}, ...children) => fill(document.createElementNS(SVG, name), properties, children);

/** A button that does not submit. */
export const button = (text, onclick, properties = {}) => h("button", { type: "button", onclick, ...properties }, text);

let serial = 0;

/** A field with its label above it. */
export function field(label, control) {
  control.id ||= `field-${(serial += 1)}`;
  return h("div", { class: "field" }, h("label", { for: control.id, htmlFor: control.id }, label), control);
}

/** A check box with its label behind it. */
export function check(label, checked, onchange) {
  const box = h("input", { type: "checkbox", checked, onchange: (event) => onchange?.(event.target.checked) });
  return Object.assign(h("label", {}, box, label), { box });
}

/** A list to choose from; entries are [value, text]. */
export function select(entries, value, onchange) {
  const list = h("select", { onchange: (event) => onchange?.(event.target.value) },
    entries.map(([key, text]) => h("option", { value: key, selected: String(key) === String(value) }, text)));
  return list;
}

/** Opens a dialog that is removed when it is closed. */
export function openDialog(title, content, properties = {}) {
  const heading = h("h2", { id: `dialog-${(serial += 1)}` }, title);
  const dialog = h("dialog", { ...properties, "aria-labelledby": heading.id }, heading, content);
  dialog.addEventListener("close", () => {
    dialog.remove();
    // A field that gets the focus back has lost its caret, without which Chromium takes no text.
    const field = document.activeElement;
    if (takesText(field)) {
      field.blur();
      field.focus({ preventScroll: true });
    }
    properties.closed?.(dialog.returnValue);
  });
  // A click on the dialog itself and not on what is in it hits the backdrop.
  dialog.addEventListener("pointerdown", (event) => event.target === dialog && outside(dialog, event) && dialog.close());
  document.body.append(dialog);
  dialog.showModal();
  // The first button may stand at the end of a long text.
  dialog.scrollTop = 0;
  return dialog;
}

function outside(dialog, event) {
  const box = dialog.getBoundingClientRect();
  return event.clientX < box.left || event.clientX > box.right || event.clientY < box.top || event.clientY > box.bottom;
}

// A browser makes no click of a press on an element that has left the page before the release: what
// is in the element under a pressed pointer is drawn after the release.
let pressed = null;
const waiting = new Map();

function release() {
  pressed = null;
  const draws = [...waiting.values()];
  waiting.clear();
  for (const draw of draws) draw();
}

addEventListener("pointerdown", (event) => (pressed = event.target), true);
// The click comes right after the release.
for (const end of ["pointerup", "pointercancel"]) addEventListener(end, () => setTimeout(release), true);
// Of a release over an opened list of choices, or outside the window, the page may hear nothing.
addEventListener("change", (event) => event.target === pressed && setTimeout(release), true);
addEventListener("pointermove", (event) => pressed && event.buttons === 0 && release(), true);
addEventListener("blur", release);

/** Draws what is in an element: at once, or after the release if something in it is pressed. */
export function drawReleased(element, draw) {
  if (element.contains(pressed)) waiting.set(element, draw);
  else draw();
}

const nameOf = (control) => control.dataset.node ?? control.dataset.game ?? control.getAttribute("aria-label") ?? control.textContent;

/**
 * Draws what is in an element. The button or list that had the focus there has it again, or the
 * element itself where that one has gone or is disabled: the next Tab goes on from there.
 */
export function keepFocus(element, draw) {
  const old = document.activeElement;
  const name = element.contains(old) && old.matches("button, select") ? nameOf(old) : null;
  draw();
  if (name === null || old.isConnected) return;
  const same = [...element.querySelectorAll("button, select")].find((control) => !control.disabled && nameOf(control) === name);
  if (!same && !element.hasAttribute("tabindex")) element.tabIndex = -1;
  (same ?? element).focus({ preventScroll: true });
}

/** Whether keys pressed there are text. */
export const takesText = (element) => element?.matches?.("input:not([type=checkbox],[type=radio]), textarea, select") ?? false;

/** Whether the user asked for less motion. */
export const lessMotion = () => matchMedia("(prefers-reduced-motion: reduce)").matches;
