// A table as somebody is putting it together: drafts, what does not fit and why, and the wish sent to the server.
import type { SeatWish, TableWish } from "./api";
import * as api from "./api";
import { remember } from "./mine";
import { go } from "./router.svelte";
import { COLOURS, settings } from "./settings.svelte";
import { m, word } from "./words.svelte";

export const MODES = ["bot", "local", "online", "solo"] as const;
export type Mode = (typeof MODES)[number];
export const EDITIONS = ["2023", "2020", "2019"] as const;
export type EditionId = (typeof EDITIONS)[number];
export const MODULES = [
  "ghost", "ambassador", "phoenix", "finesse", "finesse_ambassador", "line_clear", "endless_white",
] as const;
export type ModuleId = (typeof MODULES)[number];
/** From gentle to merciless; the texts are those of docs/bots.md. */
export const STRENGTHS = ["random", "greedy", "planner", "search:1s", "search:4s"] as const;

interface Printed {
  modules: readonly ModuleId[];
  most: number; // players without a box that allows six
  six: readonly ModuleId[];
  lineClear: readonly number[];
}

export const PRINTED: Record<EditionId, Printed> = {
  "2023": { modules: MODULES, most: 5, six: ["ghost", "phoenix"], lineClear: [5, 6] },
  "2020": { modules: [], most: 4, six: [], lineClear: [] },
  "2019": { modules: ["ghost", "ambassador", "line_clear"], most: 5, six: ["ghost"], lineClear: [4, 5, 6] },
};

export interface Draft {
  mode: Mode;
  edition: EditionId;
  players: number;
  modules: ModuleId[];
  options: Record<string, string>;
  seats: SeatWish[];
  public: boolean;
  chat: boolean;
  undo: boolean;
  move: number | null; // seconds
  game: number | null;
  out: string;
  seed: string;
}

export function strengthName(bot: string): string {
  return word(`bot_${bot.replace(/\W/g, "_")}`);
}

/** Empty where somebody gave none: every page then shows the seat's number in its own language. */
export function myName(): string {
  return settings.name.trim();
}

/** A bot's own name at the table: its strength, numbered where several play. */
export function botSeat(bot: string, index: number): SeatWish {
  return { kind: "bot", bot, name: "", colour: colourAt(index) };
}

/** Mine first, then the others in order, nobody twice. */
export function colourAt(index: number): string {
  const mine = (COLOURS as readonly string[]).includes(settings.colour) ? settings.colour : COLOURS[0];
  const rest = COLOURS.filter((colour) => colour !== mine);
  return index === 0 ? mine : (rest[index - 1] ?? COLOURS[0]);
}

function seatFor(mode: Mode, index: number, bot: string): SeatWish {
  if (index === 0) return { kind: "me", name: myName(), colour: colourAt(0) };
  if (mode === "bot") return botSeat(bot, index);
  if (mode === "online") return { kind: "open", colour: colourAt(index) };
  return { kind: "me", name: "", colour: colourAt(index) };
}

export function draftFor(mode: Mode, players = mode === "solo" ? 1 : 2, bot = "planner"): Draft {
  return {
    mode,
    edition: "2023",
    players,
    modules: [],
    options: {},
    seats: Array.from({ length: players }, (_, index) => seatFor(mode, index, bot)),
    public: false,
    chat: mode === "online",
    undo: true,
    move: null,
    game: null,
    out: "resign",
    seed: "",
  };
}

/** The same draft for another number of players: who sits already stays. */
export function resize(draft: Draft, players: number): Draft {
  const seats = Array.from({ length: players }, (_, index) => draft.seats[index] ?? seatFor(draft.mode, index, "planner"));
  const mode = players === 1 ? "solo" : draft.mode === "solo" ? "bot" : draft.mode;
  return { ...draft, players, mode, seats: players > 1 && draft.mode === "solo" ? draftFor("bot", players).seats : seats };
}

export interface Misfit {
  about: ModuleId | "players";
  sentence: string;
}

/** Why such a game does not exist; empty when it does (RULES.md, section 10). */
export function misfits(draft: Pick<Draft, "edition" | "players" | "modules">): Misfit[] {
  const { edition, players, modules } = draft;
  const printed = PRINTED[edition];
  const found: Misfit[] = [];
  for (const about of modules) {
    if (!printed.modules.includes(about)) {
      found.push({ about, sentence: m.reason_module_edition({ module: word(`module_${about}`), edition }) });
    }
  }
  if (players === 6 && printed.six.length) {
    const boxes = printed.six.map((id) => word(`module_${id}`)).join(" / ");
    if (!printed.six.some((id) => modules.includes(id))) {
      found.push({ about: "players", sentence: m.reason_six({ boxes }) });
    }
  } else if (players > printed.most) {
    found.push({ about: "players", sentence: m.reason_players({ edition, most: printed.most }) });
  }
  if (modules.includes("line_clear") && printed.lineClear.length && !printed.lineClear.includes(players)) {
    found.push({ about: "line_clear", sentence: m.reason_line_clear({ edition, least: printed.lineClear[0] ?? 4 }) });
  }
  if (modules.includes("endless_white") && players === 1) {
    found.push({ about: "endless_white", sentence: m.reason_endless_solo() });
  }
  if (modules.includes("finesse_ambassador") && !modules.includes("finesse")) {
    found.push({ about: "finesse_ambassador", sentence: m.reason_finesse_missing() });
  }
  return found;
}

/** Why a module would not fit if it were chosen now. */
export function misfitOf(draft: Draft, id: ModuleId): string {
  const modules = draft.modules.includes(id) ? draft.modules : [...draft.modules, id];
  return misfits({ ...draft, modules }).find((misfit) => misfit.about === id)?.sentence ?? "";
}

/** The nearest draft that exists: misfitting modules leave, then the number of players gives way. */
export function fitted(draft: Draft): Draft {
  let next = draft;
  for (let tries = 0; tries < 12; tries++) {
    const first = misfits(next)[0];
    if (!first) return next;
    if (first.about === "players") next = resize(next, PRINTED[next.edition].most);
    else next = { ...next, modules: next.modules.filter((id) => id !== first.about) };
  }
  return next;
}

export function wishOf(draft: Draft): TableWish {
  const { edition, players, modules, options, seats, chat, undo, move, game, out, seed } = draft;
  const timed = move !== null || game !== null;
  return {
    edition,
    players,
    modules,
    options,
    seats: seats.slice(0, players).map(({ kind, name, colour, bot }) => ({
      kind,
      ...(name ? { name } : {}),
      ...(colour ? { colour } : {}),
      ...(kind === "bot" && bot ? { bot } : {}),
    })),
    public: draft.public,
    chat,
    undo,
    ...(timed ? { clock: { move, game, out } } : {}),
    ...(seed.trim() ? { seed: seed.trim() } : {}),
  };
}

/** Make the table and go there. */
export async function open(draft: Draft): Promise<void> {
  const made = await api.makeTable(wishOf(draft));
  remember(made.table, true, made.invites);
  go(`/table/${made.game}`);
}
