// Everything that is asked of the server by plain HTTP (docs/protocol.md).
import { someLuck } from "./fair";
import type { About, AnalysedTurn, Catalogue, Clock, Done, History, Invitations, Invited, Joined, Made, Paired, Qr, RefusalReply, ReplayGame, SoloDay, Table, TableList } from "./messages";

/** What the server says of something that it did not do; a proxy may answer with something else. */
type Told = Partial<RefusalReply>;

export class Refusal extends Error {
  readonly sentence: string;
  readonly field: string;
  readonly line: number;
  readonly about: string | undefined;
  record = ""; // the text that could not be read

  constructor(
    readonly code: string,
    readonly status = 0,
    { sentence = "", field = "", line = 0, about }: Told = {},
  ) {
    super(sentence);
    this.sentence = sentence;
    this.field = field;
    this.line = line;
    this.about = about;
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
  hints?: boolean;
  undo?: boolean;
  clock?: Clock;
  seed?: string | null;
}

async function refusalOf(answer: Response): Promise<Refusal> {
  try {
    const told = (await answer.json()) as Told;
    return new Refusal(told.code ?? "http", answer.status, told);
  } catch {
    return new Refusal(answer.status >= 500 ? "server-gone" : "http", answer.status);
  }
}

async function request(method: string, path: string, body?: unknown, signal?: AbortSignal): Promise<Response> {
  const init: RequestInit = { method, ...(signal ? { signal } : {}) };
  if (body !== undefined) {
    init.headers = { "content-type": "application/json" };
    init.body = JSON.stringify(body);
  }
  let answer: Response;
  try {
    answer = await fetch(path, init);
  } catch {
    throw new Refusal(navigator.onLine ? "server-gone" : "offline");
  }
  if (!answer.ok) throw await refusalOf(answer);
  return answer;
}

/** The same for a record: a refusal knows the text, so that it can show the line. */
async function ofRecord<T>(record: string, asked: Promise<T>): Promise<T> {
  return asked.catch((error: unknown) => {
    if (error instanceof Refusal) error.record = record;
    throw error;
  });
}

export async function json<T>(method: string, path: string, body?: unknown): Promise<T> {
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
/** A table whose cards are dealt when I have put something of my own into the shuffle, at once where nobody is awaited. */
export const makeTable = async (wish: TableWish) => {
  const mixed = wish.seats?.some(({ kind }) => kind === "me") && !wish.seats.some(({ kind }) => kind === "open");
  return shuffled(await json<Made>("POST", "/api/tables", { ...wish, ...(mixed ? { mix: true } : {}) }));
};
async function shuffled(made: Made): Promise<Made> {
  const [seat] = made.seats;
  const awaited = made.table.seats.some(({ kind }) => kind === "open");
  if (seat !== undefined && !awaited && made.table.status === "waiting") await mix(made.game, seat, someLuck());
  return made;
}
export const table = (game: string) => json<Table>("GET", `/api/tables/${game}`);
export const before = (game: string, version: number) => json<History>("GET", `/api/tables/${game}/events?before=${version}`);
const page = (path: string) => (after = "") => json<TableList>("GET", after ? `${path}?after=${after}` : path);
export const openTables = page("/api/tables");
export const myTables = page("/api/mine");
export const join = (game: string, wish: { invite?: string; seat?: number; name: string; colour: string; luck: string }) =>
  json<Joined>("POST", `/api/tables/${game}/join`, wish);
/** Something of my own for the shuffle, while the cards are not dealt. */
export const mix = (game: string, seat: number, luck: string) =>
  json<Done>("POST", `/api/tables/${game}/mix`, { id: crypto.getRandomValues(new Uint32Array(2)).join("-"), luck, seat });
/** A change of one seat before the game begins. */
export interface ArrangeWish {
  seat: number;
  name?: string;
  colour?: string;
  bot?: string; // empty: the seat is open again
  to?: number;
}
export const arrange = (game: string, wish: ArrangeWish) => json<Table>("POST", `/api/tables/${game}/arrange`, wish);
export const cancel = (game: string) => json<Table>("POST", `/api/tables/${game}/cancel`, {});
export const qr = async (text: string) => (await json<Qr>("POST", "/api/qr", { text })).rows;
export interface PairWish {
  players: number;
  clock: string;
  name: string;
  colour: string;
  luck: string; // into the shuffle, where somebody waits
}
export const pair = (wish: PairWish) => json<Paired>("POST", "/api/pair", wish);
export const solo = (name: string, colour: string) => json<Paired>("POST", "/api/solo", { name, colour });
export const soloDay = (day: string) => json<SoloDay>("GET", day ? `/api/solo?day=${day}` : "/api/solo");
export const rematch = async (game: string) =>
  shuffled(await json<Made>("POST", `/api/tables/${game}/rematch`, { luck: someLuck() }));
export const importRecord = (record: string, seats: SeatWish[]) =>
  ofRecord(record, json<Made>("POST", "/api/import", { record, seats }));
export const replay = (record: string) => ofRecord(record, json<ReplayGame>("POST", "/api/replay", { record }));
export const steps = (game: string) => json<ReplayGame>("GET", `/api/tables/${game}/steps`);
export const record = async (game: string) => (await request("GET", `/api/tables/${game}/record`)).text();

export const invite = async (game: string, seat: number) =>
  (await json<Invited>("POST", `/api/tables/${game}/invite`, { seat })).invite;
export const invites = async (game: string) => (await json<Invitations>("GET", `/api/tables/${game}/invites`)).invites;
export const revoke = async (game: string, id: string) =>
  (await json<Invitations>("DELETE", `/api/tables/${game}/invites/${id}`)).invites;

/** One line of an analysis: a turn, or why there are no more. */
function turnOf(line: string): AnalysedTurn {
  const found = JSON.parse(line) as AnalysedTurn | (Told & { code: string });
  if ("code" in found) throw new Refusal(found.code, 0, found);
  return found;
}

/** Turns of a record as the server finds them, one by one. */
export async function* analyse(text: string, seconds: number, signal: AbortSignal): AsyncGenerator<AnalysedTurn> {
  const answer = await ofRecord(text, request("POST", "/api/analyse", { record: text, seconds }, signal));
  if (!answer.body) throw new Refusal("http", answer.status);
  const reader = answer.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = "";
  for (;;) {
    const { done, value } = await reader.read();
    rest += value ?? "";
    const lines = rest.split("\n");
    rest = lines.pop() ?? "";
    for (const line of lines) if (line.trim()) yield turnOf(line);
    if (done) break;
  }
  if (rest.trim()) yield turnOf(rest);
}
