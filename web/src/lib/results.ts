// What became of the games and daily puzzles played on this device. Kept in the browser, taken along as a file.
// Whatever is read, from the browser or a file, is looked at entry by entry: what is no result is set aside, never lost.
import type { Setup, Table, Update } from "./messages";
import { isDay, shifted } from "./daily";
import { written } from "./names";
import { optionOf } from "./options";
import { m } from "./words.svelte";

export interface SeatResult {
  name: string;
  bot: string; // empty: a person
  score: number;
}

export interface GameResult {
  game: string;
  at: number; // milliseconds
  setup: Pick<Setup, "edition" | "players" | "modules" | "options">;
  seats: SeatResult[]; // in solo the mastermind comes last
  mine: number[]; // from 1
  winners: number[];
  open: boolean; // the deck was known: not a measure of anything
}

export interface DailyResult {
  day: string;
  stars: number;
  chance: number;
  best: number;
  at: number;
  onDay: boolean; // answered on its own day: counts for the streak
}

export interface Results {
  games: GameResult[];
  dailies: DailyResult[];
}

/** What was read, how many entries were set aside, and whether a newer page wrote it. */
export interface Found extends Results {
  odd: number;
  newer: boolean;
}

const KEY = "projectl.results";
const ODD = "projectl.results.odd";
const FORM = 1;
const MOST = 500; // games that are kept
const EMPTY: Results = { games: [], dailies: [] };

type Unknown = Record<string, unknown>;
const isObject = (value: unknown): value is Unknown => typeof value === "object" && value !== null && !Array.isArray(value);
const isText = (value: unknown): value is string => typeof value === "string" && value.length <= 200;
const isNumber = (value: unknown): value is number => typeof value === "number" && Number.isFinite(value);
const isChance = (value: unknown): value is number => isNumber(value) && value >= 0 && value <= 1;
const listOf = <T>(value: unknown, is: (entry: unknown) => entry is T, most = 40): value is T[] =>
  Array.isArray(value) && value.length <= most && value.every(is);
const isSeat = (value: unknown): value is SeatResult =>
  isObject(value) && isText(value["name"]) && isText(value["bot"]) && isNumber(value["score"]);
const isSetup = (value: unknown): value is GameResult["setup"] =>
  isObject(value) &&
  isText(value["edition"]) &&
  isNumber(value["players"]) &&
  listOf(value["modules"], isText) &&
  isObject(value["options"]) &&
  Object.values(value["options"]).every(isText);

function isGame(value: unknown): value is GameResult {
  if (!isObject(value) || !isText(value["game"]) || !isNumber(value["at"]) || !isSetup(value["setup"])) return false;
  const { seats, mine, winners } = value;
  if (!listOf(seats, isSeat, 7) || seats.length === 0 || typeof value["open"] !== "boolean") return false;
  const isHere = (seat: unknown): seat is number => Number.isInteger(seat) && (seat as number) >= 1 && (seat as number) <= seats.length;
  return listOf(mine, isHere) && listOf(winners, isHere);
}

function isDaily(value: unknown): value is DailyResult {
  if (!isObject(value) || !isText(value["day"]) || !isDay(value["day"]) || !isNumber(value["at"])) return false;
  const { stars } = value;
  const honest = Number.isInteger(stars) && (stars as number) >= 0 && (stars as number) <= 3;
  return honest && isChance(value["chance"]) && isChance(value["best"]) && typeof value["onDay"] === "boolean";
}

/** Each game and each day once, the newest first; of a day the first answer counts. */
function settled({ games, dailies }: Results): Results {
  const byGame = new Map(games.map((game) => [game.game, game]));
  const byDay = new Map([...dailies].sort((a, b) => b.at - a.at).map((daily) => [daily.day, daily]));
  return {
    games: [...byGame.values()].sort((a, b) => b.at - a.at).slice(0, MOST),
    dailies: [...byDay.values()].sort((a, b) => (a.day < b.day ? 1 : -1)),
  };
}

/** Results out of a text; nothing where it is no file of results at all. */
export function decode(text: string): (Found & { unread: unknown[] }) | null {
  let data: unknown;
  try {
    data = JSON.parse(text);
  } catch {
    return null;
  }
  if (!isObject(data)) return null;
  const form = data["form"] ?? 0; // an older page wrote none
  const lists = [data["games"], data["dailies"]].map((list) => (Array.isArray(list) ? list : []) as unknown[]);
  if (!isNumber(form) || (!Array.isArray(data["games"]) && !Array.isArray(data["dailies"]))) return null;
  const [games = [], dailies = []] = lists;
  const unread = [...games.filter((one) => !isGame(one)), ...dailies.filter((one) => !isDaily(one))];
  const good = settled({ games: games.filter(isGame), dailies: dailies.filter(isDaily) });
  return { ...good, odd: unread.length, newer: form > FORM, unread };
}

export const encode = (results: Results): string => JSON.stringify({ form: FORM, ...results });

/** What this device has kept. What cannot be read is set aside under a name of its own. */
export function results(): Found {
  let text: string | null = null;
  try {
    text = localStorage.getItem(KEY);
  } catch {
    // A browser that keeps nothing.
  }
  if (text === null) return { ...EMPTY, odd: 0, newer: false };
  const found = decode(text);
  if (!found || found.odd) setAside(found ? JSON.stringify(found.unread) : text);
  if (!found) return { ...EMPTY, odd: 1, newer: false };
  return found;
}

function setAside(text: string): void {
  try {
    const before = localStorage.getItem(ODD) ?? "";
    if (!before.includes(text)) localStorage.setItem(ODD, before ? `${before}\n${text}` : text);
  } catch {
    // Full or forbidden.
  }
}

/** Keep more. What a newer page wrote is left as it is: it would lose what this one does not know. */
export function keep(more: Partial<Results>): void {
  const before = results();
  if (before.newer) return;
  const known = new Set(before.games.map(({ game }) => game));
  const games = [...before.games, ...(more.games ?? []).filter(({ game }) => !known.has(game))];
  try {
    localStorage.setItem(KEY, encode(settled({ games, dailies: [...before.dailies, ...(more.dailies ?? [])] })));
  } catch {
    // Full or forbidden: games can still be played.
  }
}

/** A game that is over, as it is kept; nothing of games that were only watched or never scored. */
export function resultOf(state: Update, table: Table): GameResult | null {
  const { result, solo } = state.view;
  const winners = result?.winners ?? table.winners ?? [];
  if (!state.seats.length || (!result && !winners.length)) return null;
  const { edition, players, modules, options } = table.setup;
  const seats = table.seats.map(({ seat, name, kind, bot }): SeatResult => {
    const points = state.view.players.find((player) => player.seat === seat)?.points ?? 0;
    return { name, bot: kind === "bot" ? (bot ?? "") : "", score: result?.scores[seat - 1] ?? points };
  });
  if (solo) seats.push({ name: "", bot: `mastermind:${optionOf(table.setup, "difficulty")}`, score: solo.points });
  return {
    game: table.game,
    at: Date.now(),
    setup: { edition, players, modules, options },
    seats,
    mine: state.seats,
    winners,
    open: table.open_deck ?? false,
  };
}

/** Days in a row, up to today or yesterday, on which the day's puzzle was answered with a star or more. */
export function streak(dailies: readonly DailyResult[], today: string): number {
  const good = new Set(dailies.filter(({ onDay, stars }) => onDay && stars > 0).map(({ day }) => day));
  let day = good.has(today) ? today : shifted(today, -1);
  let days = 0;
  for (; good.has(day); day = shifted(day, -1)) days += 1;
  return days;
}

/** How each kept game ended for me, in a word and the scores, mine first. */
export function outcomes(): Map<string, string> {
  return new Map(
    results().games.map((result) => {
      const { game, mine, winners, seats } = result;
      const me = mine.length === 1 ? (mine[0] ?? 0) : 0;
      const won = winners.includes(me) ? (winners.length > 1 ? m.results_shared() : m.results_game_won()) : m.results_game_lost();
      const own = seats[me - 1];
      const scores = [...(own ? [own] : []), ...seats.filter((seat) => seat !== own)].map(({ score }) => written(score)).join(" : ");
      return [game, me ? `${won} ${scores}` : scores];
    }),
  );
}
