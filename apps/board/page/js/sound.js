// Sounds: files that the program has made when it was built.

import { address } from "./api.js";
import { setting } from "./settings.js";
import { node, on, state } from "./store.js";
import { isPlaying } from "./view.js";

const players = new Map();

/** Plays a sound: move, capture, check, end, low, refused. */
export function play(name) {
  if (!setting("sounds")) return;
  if (!players.has(name)) players.set(name, new Audio(address(`assets/sounds/${name}.wav`, null)));
  const player = players.get(name);
  player.currentTime = 0;
  // A browser lets a page sound only after the user has done something.
  player.play().catch(() => {});
}

function soundOf(now) {
  const san = node()?.san ?? "";
  if (now.position.check?.length) return "check";
  return san.includes("x") ? "capture" : "move";
}

on("state", (now, before) => {
  if (!before || before.session !== now.session) return;
  if (now.result && !before.result && now.kind !== "analyse") return play("end");
  if (now.at !== before.at && node()?.san) play(soundOf(now));
});
on("sound", play);
on("low-time", () => isPlaying() && state() && play("low"));
