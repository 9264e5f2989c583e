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

// The number of a node says nothing in another game.
const ofNode = (f) => (data) => data.serial === state()?.serial && f(data);
const HEARD = {
  state: (next) => take(next).catch(() => {}),
  clock: putClock,
  notice: (data) => tell("notice", typeof data === "string" ? { text: data } : data),
  file: (data) => tell("file", data),
  lines: ofNode(putLines),
  threats: ofNode(putThreats),
  explanation: ofNode((data) => tell("explanation", data)),
  hint: ofNode((data) => tell("hint", data)),
};

// How long to wait before the server is asked again, in milliseconds.
const AGAIN = 1000;

// Follows the events of a session.
function listen(session) {
  stream?.close();
  showInAddress(session);
  const own = { socket: null, left: false, close };
  stream = own;
  connect();
  // A browser has few other connections to a server, but many of these: one for each tab.
  function connect() {
    own.socket = new WebSocket(Object.assign(address("api/events", session), { protocol: "ws:" }));
    own.socket.onopen = () => !own.left && tell("connection", "open");
    own.socket.onmessage = ({ data: text }) => {
      const { event, data } = JSON.parse(text);
      if (!own.left) HEARD[event]?.(data);
    };
    own.socket.onclose = lost;
  }
  function close() {
    own.left = true;
    own.socket.close();
  }
  async function lost() {
    if (own.left) return;
    const gone = await get("api/state", session).then(() => false, ({ status }) => status === 404);
    if (own.left) return;
    own.left = gone;
    tell("connection", gone ? "closed" : "interrupted");
    if (!gone) setTimeout(() => own.left || connect(), AGAIN);
  }
}

/** The session that the address of the page names, if it names one. */
export const sessionOfAddress = () => /^#([0-9a-f]{16})$/.exec(location.hash)?.[1] ?? null;

/** The game as PGN. */
export const pgn = () => fetch(address("api/pgn")).then((answer) => answer.text());

/** Whether the page hears of changes. */
export const isFollowing = () => Boolean(stream) && !stream.left;

// A page that is left may be kept for the way back: without this its stream would be kept open too.
addEventListener("pagehide", () => stream?.close());
addEventListener("pageshow", (event) => event.persisted && sessionOfAddress() && listen(sessionOfAddress()));
