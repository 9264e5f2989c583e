// Requests to the server, all below the address of the page.

import { putClock, putLines, putState, putThreats, state, tell } from "./store.js";

const base = new URL("./", location.href.split("#")[0]);
let stream = null;

/** The address of something on the server; the table is added. */
export function address(path, table = state()?.table) {
  const url = new URL(path, base);
  if (table) url.searchParams.set("table", table);
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

/** Sends a command to a table. The state that comes back is taken over if the page is at it. */
export async function command(name, options = {}, table = state()?.table) {
  const data = await send(address("api/do", table), { do: name, ...options });
  if (data.state && data.state.table === state()?.table) putState(data.state);
  return data;
}

/** The same, and says what went wrong instead of throwing. Gives null then. */
export async function attempt(name, options = {}, table = state()?.table) {
  try {
    return await command(name, options, table);
  } catch (error) {
    tell("notice", { text: error.message, error: true });
    return null;
  }
}

/** What the server has at this path. */
export const get = (path, table) => answered(fetch(address(path, table)));

/** Asks for something to be done at this path. */
export const post = (path, table) => send(address(path, table), {});

/** Opens a table and follows it. */
export async function open(options) {
  const data = await send(address("api/open", null), options);
  listen(data.table);
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

/** Goes to a table and follows it. Where that fails, the page stays at the one it has. */
export async function follow(table) {
  const data = await get("api/state", table);
  listen(table);
  putState(data.state);
}

/** The same, and says what went wrong instead of throwing. */
export async function attemptFollow(table) {
  try {
    await follow(table);
  } catch (error) {
    if (state()) showInAddress(state().table);
    tell("notice", { text: error.message, error: true });
  }
}

function showInAddress(table) {
  if (location.hash !== `#${table}`) history.replaceState(null, "", `#${table}`);
}

// Follows the events of a table.
function listen(table) {
  stream?.close();
  showInAddress(table);
  const own = new EventSource(address("api/events", table));
  stream = own;
  const heard = (name, f) => own.addEventListener(name, (event) => f(JSON.parse(event.data)));
  // The number of a node says nothing in another game.
  const heardOfNode = (name, f) => heard(name, (data) => data.serial === state()?.serial && f(data));
  heard("state", putState);
  heard("clock", putClock);
  heard("notice", (data) => tell("notice", typeof data === "string" ? { text: data } : data));
  heard("file", (data) => tell("file", data));
  heardOfNode("lines", putLines);
  heardOfNode("threats", putThreats);
  for (const name of ["explanation", "hint"]) heardOfNode(name, (data) => tell(name, data));
  own.onopen = () => tell("connection", "open");
  own.onerror = () => tell("connection", own.readyState === EventSource.CLOSED ? "closed" : "interrupted");
}

/** The table that the address of the page names, if it names one. */
export const tableOfAddress = () => /^#([0-9a-f]{16})$/.exec(location.hash)?.[1] ?? null;

/** The game as PGN. */
export const pgn = () => fetch(address("api/pgn")).then((answer) => answer.text());

/** Whether the page hears of changes. */
export const isFollowing = () => Boolean(stream) && stream.readyState !== EventSource.CLOSED;

// A page that is left may be kept for the way back: without this its stream would be kept open too,
// and a browser has six connections to a server.
addEventListener("pagehide", () => stream?.close());
addEventListener("pageshow", (event) => event.persisted && tableOfAddress() && listen(tableOfAddress()));
