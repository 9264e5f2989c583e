// A picture of what is on the board, with its arrows, as a file.

import { button, byId, h, s } from "./dom.js";
import { state } from "./store.js";
import { styleOf } from "./traditional.js";

const SIZE = 100;
const STYLES = ["fill", "stroke", "stroke-width", "stroke-linejoin", "stroke-linecap", "opacity", "font-size", "font-weight", "font-family", "text-anchor"];

// A copy in which the drawings that it uses stand themselves: those have their colors only there.
function spelledOut(element) {
  const copy = element.cloneNode(true);
  for (let use = copy.querySelector("use"); use; use = copy.querySelector("use")) {
    const symbol = document.querySelector(`symbol${use.getAttribute("href")}`);
    use.replaceWith(s("g", { transform: use.getAttribute("transform"), class: use.getAttribute("class") }, [...symbol.cloneNode(true).childNodes]));
  }
  return copy;
}

// The same with the styles that the page gives it, as attributes.
function styled(element) {
  const style = getComputedStyle(element);
  const copy = element.cloneNode(false);
  for (const name of ["class", "style", "data-piece", "data-side", "aria-hidden"]) copy.removeAttribute(name);
  if (style.display === "none") return copy;
  for (const name of STYLES) copy.setAttribute(name, style.getPropertyValue(name));
  // The wedges of the opponent in shogi.
  if (style.rotate === "180deg") copy.setAttribute("transform", "rotate(180 50 50)");
  copy.append(...[...element.childNodes].map((child) => (child.nodeType === Node.ELEMENT_NODE ? styled(child) : child.cloneNode())));
  return copy;
}

// A copy that stands in the page for a moment, where the style sheet reaches it.
function drawn(element, place, attributes) {
  const copy = spelledOut(element);
  place.append(copy);
  const picture = styled(copy);
  copy.remove();
  for (const [name, value] of Object.entries(attributes)) picture.setAttribute(name, value);
  return picture;
}

/** The board as an SVG document. */
export function boardPicture() {
  const { game, position } = state();
  const [width, height] = [game.files * SIZE, game.ranks * SIZE];
  const whole = { x: 0, y: 0, width, height };
  const root = s("svg", { xmlns: "http://www.w3.org/2000/svg", viewBox: `0 0 ${width} ${height}`, width, height }, s("title", {}, position.fen));
  root.append(s("rect", { ...whole, fill: getComputedStyle(byId("board-lines")).backgroundColor, "fill-opacity": styleOf(game) ? 1 : 0 }), drawn(byId("board-lines"), byId("board-lines").parentElement, whole));
  document.querySelectorAll("#board .cell").forEach((cell, i) => {
    const [x, y] = [(i % game.files) * SIZE, Math.floor(i / game.files) * SIZE];
    const fill = getComputedStyle(cell).backgroundColor;
    if (fill !== "rgba(0, 0, 0, 0)") root.append(s("rect", { x, y, width: SIZE, height: SIZE, fill }));
    const last = cell.classList.contains("last") && getComputedStyle(cell, "::before").backgroundColor;
    if (last) root.append(s("rect", { x, y, width: SIZE, height: SIZE, fill: last }));
    const piece = cell.querySelector(".piece");
    if (piece) root.append(drawn(piece, cell, { x, y, width: SIZE, height: SIZE }));
  });
  root.append(drawn(byId("arrows"), byId("arrows").parentElement, whole));
  return new XMLSerializer().serializeToString(root);
}

function save(blob, name) {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const asSvg = () => new Blob([boardPicture()], { type: "image/svg+xml" });

async function savePng() {
  const url = URL.createObjectURL(asSvg());
  const image = new Image();
  image.src = url;
  await image.decode();
  const canvas = h("canvas", { width: image.naturalWidth, height: image.naturalHeight });
  canvas.getContext("2d").drawImage(image, 0, 0);
  URL.revokeObjectURL(url);
  canvas.toBlob((blob) => save(blob, "position.png"), "image/png");
}

/** What saves the picture. */
export const pictureButtons = () => [button("Picture (SVG)", () => save(asSvg(), "position.svg")), button("Picture (PNG)", savePng)];
