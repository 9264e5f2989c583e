// Sounds, made here: short knocks of filtered noise and tones. No file is played.

import { setting } from "./settings.js";
import { node, on, state } from "./store.js";
import { isPlaying } from "./view.js";

let audio = null;

// A browser lets a page sound only after the user has done something.
function context() {
  if (!audio && "AudioContext" in window && navigator.userActivation?.hasBeenActive) audio = new AudioContext();
  return audio;
}

function knock(at, { pitch, long, loud }) {
  const size = Math.floor(audio.sampleRate * long);
  const buffer = audio.createBuffer(1, size, audio.sampleRate);
  const samples = buffer.getChannelData(0);
  for (let i = 0; i < size; i += 1) samples[i] = (Math.random() * 2 - 1) * (1 - i / size) ** 6;
  const source = new AudioBufferSourceNode(audio, { buffer });
  const filter = new BiquadFilterNode(audio, { type: "bandpass", frequency: pitch, Q: 3 });
  source.connect(filter).connect(new GainNode(audio, { gain: loud })).connect(audio.destination);
  source.start(at);
}

function tone(at, { pitch, long, loud }) {
  const source = new OscillatorNode(audio, { frequency: pitch, type: "sine" });
  const gain = new GainNode(audio, { gain: 0 });
  gain.gain.setValueAtTime(0, at);
  gain.gain.linearRampToValueAtTime(loud, at + 0.01);
  gain.gain.exponentialRampToValueAtTime(0.0001, at + long);
  source.connect(gain).connect(audio.destination);
  source.start(at);
  source.stop(at + long);
}

const SOUNDS = {
  move: (t) => knock(t, { pitch: 900, long: 0.09, loud: 2.2 }),
  capture: (t) => [knock(t, { pitch: 1300, long: 0.07, loud: 2.4 }), knock(t + 0.05, { pitch: 600, long: 0.1, loud: 2.4 })],
  check: (t) => [knock(t, { pitch: 900, long: 0.09, loud: 2.2 }), tone(t + 0.03, { pitch: 740, long: 0.25, loud: 0.09 })],
  end: (t) => [523, 659, 784].map((pitch, i) => tone(t + i * 0.13, { pitch, long: 0.6, loud: 0.09 })),
  low: (t) => [0, 0.15].map((later) => tone(t + later, { pitch: 980, long: 0.12, loud: 0.08 })),
  refused: (t) => tone(t, { pitch: 180, long: 0.15, loud: 0.1 }),
};

/** Plays a sound: move, capture, check, end, low, refused. */
export function play(name) {
  if (!setting("sounds") || !context()) return;
  SOUNDS[name](audio.currentTime + 0.01);
}

function soundOf(now) {
  const san = node()?.san ?? "";
  if (now.position.check?.length) return "check";
  return san.includes("x") ? "capture" : "move";
}

on("state", (now, before) => {
  if (!before || before.table !== now.table) return;
  if (now.result && !before.result && now.kind !== "analyse") return play("end");
  if (now.at !== before.at && node()?.san) play(soundOf(now));
});
on("sound", play);
on("low-time", () => isPlaying() && state() && play("low"));
