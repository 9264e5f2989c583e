// Xiangqi and shogi as they are usual there: points and palaces, a river, a promotion zone, and pieces
// with signs.

import { s } from "./dom.js";
import { setting } from "./settings.js";

// The signs of both sides, of red or White first.
const SIGNS = {
  xiangqi: { k: "帥將", a: "仕士", b: "相象", n: "傌馬", r: "俥車", c: "炮砲", p: "兵卒" },
  shogi: { k: "玉", r: "飛", b: "角", g: "金", s: "銀", n: "桂", l: "香", p: "歩", "+r": "龍", "+b": "馬", "+s": "全", "+n": "圭", "+l": "杏", "+p": "と" },
};

// Without a font that has the signs all of them look alike.
let hasFont = null;
function hasSigns() {
  if (hasFont !== null) return hasFont;
  const canvas = Object.assign(document.createElement("canvas"), { width: 24, height: 24 });
  const picture = (sign) => {
    const pen = canvas.getContext("2d", { willReadFrequently: true });
    pen.clearRect(0, 0, 24, 24);
    pen.font = "20px serif";
    pen.fillText(sign, 1, 20);
    return pen.getImageData(0, 0, 24, 24).data.join();
  };
  hasFont = picture("車") !== picture("歩");
  return hasFont;
}

/** How the board of a game is drawn: "xiangqi", "shogi", or null for squares in two colors. */
export function styleOf(game) {
  if (!setting("traditional") || game.rules) return null;
  return /xiangqi|shogi/.exec(game.name.toLowerCase())?.[0] ?? null;
}

/** The sign on a piece, or null where it is a picture. */
export function signOf(game, piece, side) {
  const style = styleOf(game);
  const signs = style && hasSigns() && !setting("letters") ? SIGNS[style][piece.toLowerCase()] : null;
  return signs?.at(side === "white" ? 0 : -1) ?? null;
}

/** A piece with a sign: a disc in xiangqi, in shogi a wedge that points at the opponent. */
export function signed(game, piece, sign) {
  const shogi = styleOf(game) === "shogi";
  return s("g", { class: `signed${shogi ? " wedge" : ""}${piece.startsWith("+") ? " promoted" : ""}` },
    s("use", { href: shogi ? "#wedge" : "#disc" }), s("text", { x: 50, y: shogi ? 72 : 67 }, sign));
}

const line = (x1, y1, x2, y2) => s("line", { x1, y1, x2, y2 });
const range = (from, to) => Array.from({ length: to - from + 1 }, (_, i) => from + i);

// Pieces stand on the crossings: the middles of the squares.
function points({ files, ranks }) {
  const [right, low] = [files - 0.5, ranks - 0.5];
  const river = ranks === 10 ? 4.5 : null;
  const lines = range(0, ranks - 1).map((y) => line(0.5, y + 0.5, right, y + 0.5));
  for (const x of range(0, files - 1).map((file) => file + 0.5)) {
    if (river === null || x === 0.5 || x === right) lines.push(line(x, 0.5, x, low));
    else lines.push(line(x, 0.5, x, river), line(x, river + 1, x, low));
  }
  const [left, end] = [files / 2 - 1, files / 2 + 1];
  for (const top of [0.5, low - 2]) lines.push(line(left, top, end, top + 2), line(left, top + 2, end, top));
  if (river !== null && hasSigns()) {
    const word = (x, text) => s("text", { x, y: river + 0.68, class: "river" }, text);
    lines.push(word(files / 4 + 0.2, "楚河"), word((3 * files) / 4 - 0.2, "漢界"));
  }
  return lines;
}

// The zone of promotion begins at the dots.
function fields({ files, ranks }) {
  const zone = ranks > 5 ? Math.floor(ranks / 3) : 1;
  const lines = [...range(0, ranks).map((y) => line(0, y, files, y)), ...range(0, files).map((x) => line(x, 0, x, ranks))];
  const dot = (cx, cy) => s("circle", { cx, cy, r: 0.07 });
  const at = files > 5 ? Math.floor(files / 3) : 1;
  for (const y of [zone, ranks - zone]) lines.push(dot(at, y), dot(files - at, y));
  return lines;
}

/** Draws the board of a game below the pieces, or nothing for squares in two colors. */
export function drawLines(layer, game) {
  const style = styleOf(game);
  layer.setAttribute("viewBox", `0 0 ${game.files} ${game.ranks}`);
  layer.replaceChildren(...(style === "xiangqi" ? points(game) : style === "shogi" ? fields(game) : []));
}
