// Animated GIFs: CompuServe's "Graphics Interchange Format, Version 89a", with LZW of variable width.

const COLORS = 256;
const BITS = 8;

// A color is 0xAABBGGRR, as the pixels of a canvas are in memory.
const parts = (color) => [color & 0xff, (color >> 8) & 0xff, (color >> 16) & 0xff];

// The most frequent colors are kept; the others, soft edges of pieces, become the nearest of them.
function palette(frames) {
  const counts = new Map();
  for (const { colors } of frames) for (const color of colors) counts.set(color, (counts.get(color) ?? 0) + 1);
  const kept = [...counts].sort((a, b) => b[1] - a[1]).slice(0, COLORS).map(([color]) => parts(color));
  const nearest = (color) => {
    const [r, g, b] = parts(color);
    let best = [Infinity, 0];
    kept.forEach(([red, green, blue], i) => {
      const distance = (red - r) ** 2 + (green - g) ** 2 + (blue - b) ** 2;
      if (distance < best[0]) best = [distance, i];
    });
    return best[1];
  };
  return { kept, indexOf: new Map([...counts.keys()].map((color) => [color, nearest(color)])) };
}

// What differs from the frame before: { left, top, wide, high }.
function changed(colors, before, width, height) {
  if (!before) return { left: 0, top: 0, wide: width, high: height };
  let [left, top, right, bottom] = [width, height, 0, 0];
  colors.forEach((color, i) => {
    if (color === before[i]) return;
    const [x, y] = [i % width, Math.floor(i / width)];
    [left, top, right, bottom] = [Math.min(left, x), Math.min(top, y), Math.max(right, x), Math.max(bottom, y)];
  });
  return right < left ? { left: 0, top: 0, wide: 1, high: 1 } : { left, top, wide: right - left + 1, high: bottom - top + 1 };
}

// Codes of growing width, from the lowest bit on, in blocks of at most 255 bytes.
function lzw(indices) {
  const bytes = [];
  let [bits, count] = [0, 0];
  const [clear, end] = [1 << BITS, (1 << BITS) + 1];
  let [width, next, codes] = [BITS + 1, end + 1, new Map()];
  const put = (code) => {
    bits |= code << count;
    for (count += width; count >= 8; count -= 8, bits >>>= 8) bytes.push(bits & 0xff);
  };
  put(clear);
  let prefix = indices[0];
  for (const index of indices.subarray(1)) {
    const key = (prefix << BITS) | index;
    const known = codes.get(key);
    if (known !== undefined) {
      prefix = known;
      continue;
    }
    put(prefix);
    if (next < 4096) {
      if (next === 1 << width) width += 1;
      codes.set(key, next++);
    } else {
      put(clear);
      [width, next, codes] = [BITS + 1, end + 1, new Map()];
    }
    prefix = index;
  }
  put(prefix);
  // A reader adds a code for what has just come.
  if (next === 1 << width && width < 12) width += 1;
  put(end);
  if (count > 0) bytes.push(bits & 0xff);
  const blocks = [];
  for (let i = 0; i < bytes.length; i += 255) blocks.push(Math.min(255, bytes.length - i), ...bytes.slice(i, i + 255));
  return [BITS, ...blocks, 0];
}

const word = (value) => [value & 0xff, value >> 8];

/** Frames are { pixels: RGBA bytes, width, height, ms }, all of one size. It repeats for ever. */
export function gif(pictures) {
  const frames = pictures.map((picture) => ({ ...picture, colors: new Uint32Array(picture.pixels.buffer) }));
  const { kept, indexOf } = palette(frames);
  const table = new Uint8Array(3 * COLORS);
  kept.forEach((color, i) => table.set(color, 3 * i));
  const { width, height } = frames[0];
  const text = (letters) => [...letters].map((letter) => letter.charCodeAt(0));
  const bytes = [new Uint8Array([...text("GIF89a"), ...word(width), ...word(height), 0xf7, 0, 0]), table, new Uint8Array([0x21, 0xff, 11, ...text("NETSCAPE2.0"), 3, 1, 0, 0, 0])];
  frames.forEach(({ colors, ms }, n) => {
    const { left, top, wide, high } = changed(colors, frames[n - 1]?.colors, width, height);
    const indices = new Uint8Array(wide * high).map((_, i) => indexOf.get(colors[(top + Math.floor(i / wide)) * width + left + (i % wide)]));
    // Each frame stays where the next one does not cover it.
    bytes.push(new Uint8Array([0x21, 0xf9, 4, 4, ...word(Math.round(ms / 10)), 0, 0, 0x2c, ...word(left), ...word(top), ...word(wide), ...word(high), 0]), new Uint8Array(lzw(indices)));
  });
  return new Blob([...bytes, new Uint8Array([0x3b])], { type: "image/gif" });
}
