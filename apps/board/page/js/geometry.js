// Squares and where they are on the board.

/** The square of a file and a rank that count from 0. */
export const squareName = (file, rank) => String.fromCharCode(97 + file) + (rank + 1);

/** File and rank of a square, counted from 0. */
export const placeOf = (square) => ({ file: square.charCodeAt(0) - 97, rank: Number(square.slice(1)) - 1 });

/** Column and row on the screen, counted from the top left corner. */
export function onScreen(square, game, flipped) {
  const { file, rank } = placeOf(square);
  return flipped ? { x: game.files - 1 - file, y: rank } : { x: file, y: game.ranks - 1 - rank };
}

/** The square in a column and row of the screen, or null outside the board. */
export function squareAt(x, y, game, flipped) {
  if (x < 0 || y < 0 || x >= game.files || y >= game.ranks) return null;
  return flipped ? squareName(game.files - 1 - x, y) : squareName(x, game.ranks - 1 - y);
}

/** The squares from the top left corner, row by row. */
export function* allSquares(game, flipped) {
  for (let y = 0; y < game.ranks; y += 1) for (let x = 0; x < game.files; x += 1) yield squareAt(x, y, game, flipped);
}

/** The square under a point of the window, or null. */
export function squareUnder(event, box, game, flipped) {
  const area = box.getBoundingClientRect();
  const x = Math.floor(((event.clientX - area.left) / area.width) * game.files);
  const y = Math.floor(((event.clientY - area.top) / area.height) * game.ranks);
  return squareAt(x, y, game, flipped);
}
