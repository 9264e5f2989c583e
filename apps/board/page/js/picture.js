// A picture of what is on the board, with its arrows, as a file.

import { attempt } from "./api.js";
import { button, byId, h, s } from "./dom.js";
import { gif } from "./gif.js";
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

async function raster(svg, size) {
  const url = URL.createObjectURL(new Blob([svg], { type: "image/svg+xml" }));
  const image = new Image();
  image.src = url;
  await image.decode();
  URL.revokeObjectURL(url);
  const scale = size ? size / Math.max(image.naturalWidth, image.naturalHeight) : 1;
  const canvas = h("canvas", { width: Math.round(image.naturalWidth * scale), height: Math.round(image.naturalHeight * scale) });
  canvas.getContext("2d").drawImage(image, 0, 0, canvas.width, canvas.height);
  return canvas;
}

function save(blob, name) {
  const url = URL.createObjectURL(blob);
  h("a", { href: url, download: name }).click();
  setTimeout(() => URL.revokeObjectURL(url), 10_000);
}

const asSvg = () => new Blob([boardPicture()], { type: "image/svg+xml" });

async function savePng() {
  const canvas = await raster(boardPicture());
  canvas.toBlob((blob) => save(blob, "position.png"), "image/png");
}

// Pixels along the longer side of an animated picture, and how long a move and the last one are shown.
const GIF = { size: 480, move: 1000, last: 3000 };

// The nodes of the line on the board, from the first position to its end.
function lineOnBoard({ tree, at }) {
  const nodes = new Map(tree.map((entry) => [entry.id, entry]));
  const line = [at];
  for (let id = nodes.get(at).parent; id !== null && id !== undefined; id = nodes.get(id).parent) line.unshift(id);
  for (let next = nodes.get(at).children[0]; next !== undefined; next = nodes.get(next).children[0]) line.push(next);
  return line;
}

/** The line on the board as an animated GIF. The board shows each position in turn while it is made. */
export async function gamePicture() {
  const { at } = state();
  const line = lineOnBoard(state());
  const frames = [];
  for (const node of line) {
    if (!(await attempt("goto", { node }))) break;
    const canvas = await raster(boardPicture(), GIF.size);
    frames.push({ pixels: canvas.getContext("2d").getImageData(0, 0, canvas.width, canvas.height).data, ms: frames.length + 1 === line.length ? GIF.last : GIF.move, width: canvas.width, height: canvas.height });
  }
  await attempt("goto", { node: at });
  return gif(frames);
}

async function saveGif(event) {
  event.target.disabled = true;
  try {
    save(await gamePicture(), "game.gif");
  } finally {
    event.target.disabled = false;
  }
}

/** What saves pictures. */
export const pictureButtons = () => [button("Picture (SVG)", () => save(asSvg(), "position.svg")), button("Picture (PNG)", savePng), button("Game (GIF)", saveGif)];
