// Scores, as White sees them: as text, as words, as a share of the evaluation bar.

/** "+0.31", "#3", "#-2". */
export function scoreText(score) {
  if (!score) return "";
  if (score.mate !== undefined && score.mate !== null) return `#${score.mate}`;
  const pawns = (Math.abs(score.cp) / 100).toFixed(2);
  return score.cp < 0 ? `−${pawns}` : score.cp > 0 ? `+${pawns}` : pawns;
}

/** "White is better by 0.31 pawns." */
export function scoreWords(score) {
  if (!score) return "no evaluation";
  if (score.mate !== undefined && score.mate !== null) {
    if (score.mate === 0) return "checkmate";
    return `${score.mate > 0 ? "White" : "Black"} mates in ${Math.abs(score.mate)}`;
  }
  if (Math.abs(score.cp) < 10) return "equal";
  return `${score.cp > 0 ? "White" : "Black"} is better by ${(Math.abs(score.cp) / 100).toFixed(2)} pawns`;
}

/** White's chance to score, 0 to 1: the curve of the reports. */
export function whiteShare(score) {
  if (!score) return 0.5;
  if (score.mate !== undefined && score.mate !== null) return score.mate > 0 ? 1 : 0;
  const cp = Math.max(-1000, Math.min(1000, score.cp));
  return 1 / (1 + Math.exp(-0.00368208 * cp));
}

/** The signs of judgments and what they mean, by their numbers in PGN. */
export const GLYPHS = [
  [1, "!", "good move"], [2, "?", "mistake"], [3, "!!", "brilliant move"], [4, "??", "blunder"], [5, "!?", "interesting move"], [6, "?!", "dubious move"],
  [7, "□", "only move"], [10, "=", "equal"], [13, "∞", "unclear"], [14, "+/=", "White is slightly better"], [15, "=/+", "Black is slightly better"],
  [16, "±", "White is better"], [17, "∓", "Black is better"], [18, "+−", "White is winning"], [19, "−+", "Black is winning"],
];

// Signs that are shown, and not offered.
const MORE = [
  [22, "⊙", "zugzwang"], [23, "⊙", "zugzwang"], [32, "⟳", "development"], [33, "⟳", "development"], [36, "↑", "initiative"], [37, "↑", "initiative"], [40, "→", "attack"], [41, "→", "attack"],
  [44, "=∞", "compensation"], [45, "=∞", "compensation"], [132, "⇆", "counterplay"], [133, "⇆", "counterplay"], [138, "⊕", "time trouble"], [139, "⊕", "time trouble"], [140, "∆", "with the idea"], [146, "N", "novelty"],
];

// A report calls an only move 8, "singular"; it has the sign of 7, "forced".
const entryOf = (nag) => [...GLYPHS, ...MORE].find(([number]) => number === (nag === 8 ? 7 : nag));

/** The signs of these numbers, one behind the other. */
export const glyphText = (nags = []) => nags.map((nag) => (nag > 9 ? " " : "") + (entryOf(nag)?.[1] ?? `$${nag}`)).join("");

/** What they mean, in words. */
export const glyphWords = (nags = []) => nags.map((nag) => entryOf(nag)?.[2]).filter(Boolean).join(", ");

/** The class that colors a judged move. */
export const glyphClass = (nags = []) => nags.filter((nag) => nag <= 6).map((nag) => `bad-${nag}`).join(" ");
