// Games on this device: where I was, how others get in, and the last state for when there is no network.
import type { Update, Table } from "./messages";
import { keep, resultOf } from "./results";

export interface MyGame {
  game: string;
  at: number; // milliseconds, last seen here
  table: Table;
  yours: boolean; // somebody here may act
  invites: Record<string, string>; // by seat
}

export interface LastState {
  form: number; // of what is kept
  state: Update;
  table: Table;
}

const LIST = "projectl.games";
const LAST = "projectl.last.";
const FORM = 2; // raised when the messages change: what an older page kept is not shown
const MOST = 60;
const MOST_STATES = 6;

function read<T>(key: string, otherwise: T): T {
  try {
    return (JSON.parse(localStorage.getItem(key) ?? "null") as T | null) ?? otherwise;
  } catch {
    return otherwise;
  }
}

function write(key: string, value: unknown): void {
  try {
    localStorage.setItem(key, JSON.stringify(value));
  } catch {
    // Full or forbidden: the games themselves are safe on the server.
  }
}

export function myGames(): MyGame[] {
  return read<MyGame[]>(LIST, []);
}

export function remember(table: Table, yours: boolean, invites: Record<string, string> = {}): void {
  const others = myGames();
  const before = others.find((entry) => entry.game === table.game);
  const entry: MyGame = {
    game: table.game,
    at: Date.now(),
    table,
    yours,
    invites: { ...before?.invites, ...invites },
  };
  write(LIST, [entry, ...others.filter((other) => other !== before)].slice(0, MOST));
}

/** An invitation opens nothing any more. */
export function forgetInvite(game: string, seat: number): void {
  const games = myGames();
  for (const entry of games) if (entry.game === game) delete entry.invites[seat];
  write(LIST, games);
}

export function forget(game: string): void {
  write(LIST, myGames().filter((entry) => entry.game !== game));
  localStorage.removeItem(LAST + game);
}

const PROMISES = "projectl.promises";

/** What the server promised of a deck, as it was first seen on this device. */
export const promiseOf = (game: string): string => read<Record<string, string>>(PROMISES, {})[game] ?? "";

export function notePromise({ game, fair }: Table): void {
  const noted = read<Record<string, string>>(PROMISES, {});
  if (fair && !noted[game]) write(PROMISES, Object.fromEntries([...Object.entries(noted), [game, fair]].slice(-MOST)));
}

export function keepState(state: Update, table: Table): void {
  const result = table.status === "over" ? resultOf(state, table) : null;
  if (result) keep({ games: [result] });
  write(LAST + state.game, { form: FORM, state: { ...state, legal: {}, undo: {}, events: state.events.slice(-200) }, table });
  const known = myGames().map((entry) => LAST + entry.game).slice(0, MOST_STATES);
  for (const key of Object.keys(localStorage)) {
    if (key.startsWith(LAST) && key !== LAST + state.game && !known.includes(key)) localStorage.removeItem(key);
  }
}

export function lastState(game: string): LastState | null {
  const kept = read<LastState | null>(LAST + game, null);
  return kept?.form === FORM ? kept : null;
}
