// Everything that is asked of the server by plain HTTP (docs/protocol.md).
import type { Catalogue } from "../board/contract";
import type { Clock, Facts, Setup, Table, View } from "./messages";

export class Refusal extends Error {
  constructor(
    readonly code: string,
    readonly sentence: string,
    readonly status = 0,
    readonly field = "",
  ) {
    super(sentence);
  }
}

export interface SeatWish {
  kind: "me" | "open" | "bot";
  name?: string;
  colour?: string;
  bot?: string;
}

export interface TableWish {
  edition?: string;
  players: number;
  modules?: string[];
  options?: Record<string, string>;
  cards?: string[];
  seats?: SeatWish[];
  public?: boolean;
  chat?: boolean;
  undo?: boolean;
  clock?: Clock;
  seed?: string | null;
}

/** What one edition has. */
export interface Edition {
  players: number[]; // 1 is solo
  modules: string[];
  six_players_need: string[]; // any one of these modules
  line_clear_players: number[];
}

export interface About {
  editions: Record<string, Edition>;
  options: Record<string, string[]>; // the values of each option
}

export interface Made {
  game: string;
  seats: number[];
  invites: Record<string, string>;
  table: Table;
}

export interface ReplayStep {
  seat: number;
  text: string;
  facts?: Facts;
  view: View;
}

export interface ReplayGame {
  setup: Setup;
  names: string[];
  start: View;
  steps: ReplayStep[];
}

export interface TurnReport {
  turn: number; // from 0
  turns: number; // how many there are
  first: number; // number of its first action in the record, from 0
  seat: number;
  round: number;
  played: string[];
  best: string[];
  facts: Facts[]; // what each action of the best turn would have done
  before: number; // the chance to win with the best turn found
  after: number; // with the turn that was played
  loss: number;
}

async function refusalOf(answer: Response): Promise<Refusal> {
  try {
    const body = (await answer.json()) as { code?: string; sentence?: string; field?: string };
    return new Refusal(body.code ?? `http-${answer.status}`, body.sentence ?? "", answer.status, body.field);
  } catch {
    return new Refusal(answer.status >= 500 ? "server-gone" : `http-${answer.status}`, "", answer.status);
  }
}

async function request(method: string, path: string, body?: unknown): Promise<Response> {
  const init: RequestInit = { method };
  if (body !== undefined) {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new Refusal(navigator.onLine ? "server-gone" : "offline", "");
  }
  if (!answer.ok) throw await refusalOf(answer);
  return answer;
}

async function json<T>(method: string, path: string, body?: unknown): Promise<T> {
  return (await (await request(method, path, body)).json()) as T;
}

/** What does not change while a server runs is asked for once. */
function once<T>(path: string): () => Promise<T> {
  let asked: Promise<T> | null = null;
  return () =>
    (asked ??= json<T>("GET", path).catch((error: unknown) => {
      asked = null;
      throw error;
    }));
}

export const catalogue = once<Catalogue>("/api/cards");
export const about = once<About>("/api/about");
export const makeTable = (wish: TableWish) => json<Made>("POST", "/api/tables", wish);
export const table = (game: string) => json<Table>("GET", `/api/tables/${game}`);
export const openTables = async () => listOf(await json<unknown>("GET", "/api/tables"));
export const myTables = async () => listOf(await json<unknown>("GET", "/api/mine"));
export const join = (game: string, wish: { invite?: string; seat?: number; name: string; colour: string }) =>
  json<{ game: string; seat: number }>("POST", `/api/tables/${game}/join`, wish);
export const rematch = (game: string) => json<Made>("POST", `/api/tables/${game}/rematch`, {});
export const importRecord = (record: string, seats: SeatWish[]) =>
  json<Made>("POST", "/api/import", { record, seats });
export const replay = (record: string) => json<ReplayGame>("POST", "/api/replay", { record });
export const record = async (game: string) => (await request("GET", `/api/tables/${game}/record`)).text();

export async function invite(game: string, seat: number): Promise<string> {
  const answer = await json<{ invite?: string; token?: string }>("POST", `/api/tables/${game}/invite`, { seat });
  return answer.invite ?? answer.token ?? "";
}

function listOf(body: unknown): Table[] {
  if (Array.isArray(body)) return body as Table[];
  const found = Object.values((body ?? {}) as Record<string, unknown>).find(Array.isArray);
  return (found ?? []) as Table[];
}

/** Turns of a record as the server finds them, one by one. */
export async function* analyse(text: string, seconds: number, signal: AbortSignal): AsyncGenerator<TurnReport> {
  const answer = await fetch("/api/analyse", {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ record: text, seconds }),
    signal,
  });
  if (!answer.ok || !answer.body) throw await refusalOf(answer);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += value ?? "";
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim()) yield JSON.parse(line) as TurnReport;
    if (done) break;
  }
  if (rest.trim()) yield JSON.parse(rest) as TurnReport;
}
