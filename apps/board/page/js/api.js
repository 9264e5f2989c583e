// Requests to the server, all below the address of the page.

import { putClock, putLines, putState, putThreats, state, tell } from "./store.js";

const base = new URL("./", location.href.split("#")[0]);
let stream = null;

/** The address of something on the server; the session is added. */
export function address(path, session = state()?.session) {
  const url = new URL(path, base);
  if (session) url.searchParams.set("session", session);
  return url;
}

async function answered(request) {
  let answer;
  try {
    answer = await request;
  } catch {
    throw new Error("The server does not answer. Is tamarin board still running?");
  }
  const text = await answer.text();
  let data = null;
  try {
    data = text ? JSON.parse(text) : {};
  } catch {
    data = { error: text };
  }
  if (!answer.ok) throw Object.assign(new Error(data.error ?? `The server refused this (${answer.status}).`), { status: answer.status, data });
  return data;
}

// A page that is left still sends what is small, such as a comment; browsers allow no more than 64 KiB.
const SMALL = 5_000;

function send(url, data) {
  const body = JSON.stringify(data);
  return answered(fetch(url, {
    method: "POST", headers: { "content-type": "application/json" }, body, keepalive: body.length < SMALL,
  }));
}

/** Sends a command to a session. The state that comes back is taken over if the page is at it. */
export async function command(name, options = {}, session = state()?.session) {
  const url = address("api/do", session);
  if (state()) url.searchParams.set("tree", state().tree_stamp);
  const data = await send(url, { do: name, ...options });
  if (data.state && data.state.session === state()?.session) await take(data.state);
  return data;
}

// Takes over a state; one whose tree has gone here meanwhile is asked for once more.
async function take(next) {
  if (!putState(next)) putState((await get("api/state", next.session)).state);
}

/** The same, and says what went wrong instead of throwing. Gives null then. */
export async function attempt(name, options = {}, session = state()?.session) {
  try {
    return await command(name, options, session);
  } catch (error) {
    tell("notice", { text: error.message, error: true });
    return null;
  }
}

/** What the server has at this path. */
export const get = (path, session) => answered(fetch(address(path, session)));

/** Asks for something to be done at this path. */
export const post = (path, session) => send(address(path, session), {});

/** Asks for a change at this path, and says what went wrong instead of throwing. Gives null then. */
export async function change(path, data) {
  try {
    return await send(address(path, null), data);
  } catch (error) {
    tell("notice", { text: error.message, error: true });
    return null;
  }
}

/** Opens a session and follows it. */
export async function open(options) {
  const data = await send(address("api/open", null), options);
  listen(data.session);
  putState(data.state);
  return data.state;
}

/** The same, and says what went wrong instead of throwing. Gives null then. */
export async function attemptOpen(options) {
  try {
    return await open(options);
  } catch (error) {
    tell("notice", { text: error.message, error: true });
    return null;
  }
}

/** Goes to a session and follows it. Where that fails, the page stays at the one it has. */
export async function follow(session) {
  const data = await get("api/state", session);
  listen(session);
  putState(data.state);
}

/** The same, and says what went wrong instead of throwing. */
export async function attemptFollow(session) {
  try {
    await follow(session);
  } catch (error) {
    if (state()) showInAddress(state().session, "replaceState");
    tell("notice", { text: error.message, error: true });
  }
}

// The way back leads to the game before.
function showInAddress(session, how = sessionOfAddress() ? "pushState" : "replaceState") {
  if (location.hash !== `#${session}`) history[how](null, "", `#${session}`);
}

// Follows the events of a session.
function listen(session) {
  stream?.close();
  showInAddress(session);
  const own = new EventSource(address("api/events", session));
  stream = own;
  const heard = (name, f) => own.addEventListener(name, (event) => f(JSON.parse(event.data)));
  // The number of a node says nothing in another game.
  const heardOfNode = (name, f) => heard(name, (data) => data.serial === state()?.serial && f(data));
  heard("state", (next) => take(next).catch(() => {}));
  heard("clock", putClock);
  heard("notice", (data) => tell("notice", typeof data === "string" ? { text: data } : data));
  heard("file", (data) => tell("file", data));
  heardOfNode("lines", putLines);
  heardOfNode("threats", putThreats);
  for (const name of ["explanation", "hint"]) heardOfNode(name, (data) => tell(name, data));
  own.onopen = () => tell("connection", "open");
  own.onerror = () => tell("connection", own.readyState === EventSource.CLOSED ? "closed" : "interrupted");
}

/** The session that the address of the page names, if it names one. */
export const sessionOfAddress = () => /^#([0-9a-f]{16})$/.exec(location.hash)?.[1] ?? null;

/** The game as PGN. */
export const pgn = () => fetch(address("api/pgn")).then((answer) => answer.text());

/** Whether the page hears of changes. */
export const isFollowing = () => Boolean(stream) && stream.readyState !== EventSource.CLOSED;

// A page that is left may be kept for the way back: without this its stream would be kept open too,
// and a browser has six connections to a server.
addEventListener("pagehide", () => stream?.close());
addEventListener("pageshow", (event) => event.persisted && sessionOfAddress() && listen(sessionOfAddress()));
