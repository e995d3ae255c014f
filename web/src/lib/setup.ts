// A table as somebody is putting it together: drafts, what does not fit and why, and the wish sent to the server.
import type { SeatWish, TableWish } from "./api";
import type { About, EditionRow, Need } from "./messages";
import { COLOURS, isColour, settings } from "./settings.svelte";
import { m, word } from "./words.svelte";

export const MODES = ["bot", "local", "online", "solo"] as const;
export type Mode = (typeof MODES)[number];

export interface Draft {
  mode: Mode;
  edition: string;
  players: number;
  modules: string[];
  options: Record<string, string>;
  seats: SeatWish[];
  public: boolean;
  chat: boolean;
  hints: boolean;
  undo: boolean;
  move: number | null; // seconds
  game: number | null;
  out: string;
  seed: string;
  last: string; // what was chosen last, and so stays: `edition`, `players` or a module
}

export const modeName = (mode: Mode): string => word(`mode_${mode}`);

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
  const mine = isColour(settings.colour) ? settings.colour : COLOURS[0];
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
    chat: false,
    hints: false,
    undo: true,
    move: null,
    game: null,
    out: "resign",
    seed: "",
    last: "",
  };
}

/** The same draft for another number of players: who sits already stays. */
export function resize(draft: Draft, players: number): Draft {
  const seats = Array.from({ length: players }, (_, index) => draft.seats[index] ?? seatFor(draft.mode, index, "planner"));
  const mode = players === 1 ? "solo" : draft.mode === "solo" ? "bot" : draft.mode;
  return { ...draft, players, mode, seats: players > 1 && draft.mode === "solo" ? draftFor("bot", players).seats : seats };
}

/** The newest first. */
export const editionsOf = (about: About): string[] => Object.keys(about.editions).sort().reverse();
const every = <T>(about: About, part: (edition: EditionRow) => T[]): T[] => [
  ...new Set(Object.values(about.editions).reverse().flatMap(part)),
];
export const modulesOf = (about: About): string[] => every(about, ({ modules }) => modules);
export const playersOf = (about: About): number[] => every(about, ({ players }) => players).sort((a, b) => a - b);
/** How many may play without any module. */
const mostOf = ({ players, needs }: EditionRow): number => Math.max(...players.filter((n) => !needs[n]?.modules.length));

export interface Misfit {
  about: string; // a module, or `players`
  sentence: string;
}

const named = (modules: string[]): string => modules.map((id) => word(`module_${id}`)).join(" / ");

/** Why such a game does not exist; empty when it does. What needs what, the server says. */
export function misfits(draft: Pick<Draft, "edition" | "players" | "modules">, { editions }: About): Misfit[] {
  const { edition, players, modules } = draft;
  const printed = editions[edition];
  if (!printed) return [];
  const found: Misfit[] = [];
  const boxes = printed.needs[players];
  if (!boxes) found.push({ about: "players", sentence: m.reason_players({ edition, most: mostOf(printed) }) });
  else if (lacks(boxes, modules)) found.push({ about: "players", sentence: m.reason_boxes({ n: players, boxes: named(boxes.modules) }) });
  for (const about of modules) {
    const module = word(`module_${about}`);
    const need = printed.needs[about];
    const add = (sentence: string): unknown => found.push({ about, sentence });
    if (!need) add(m.reason_module_edition({ module, edition }));
    else if (!need.players.includes(players)) add(m.reason_least({ module, edition, least: need.players[0] ?? 2 }));
    if (need && lacks(need, modules)) add(m.reason_also({ module, boxes: named(need.modules) }));
  }
  return found;
}

const lacks = (need: Need, modules: string[]): boolean => need.modules.length > 0 && !need.modules.some((id) => modules.includes(id));

/** Why a module would not fit if it were chosen now. */
export function misfitOf(draft: Draft, about: About, id: string): string {
  const modules = draft.modules.includes(id) ? draft.modules : [...draft.modules, id];
  return misfits({ ...draft, modules }, about).find((misfit) => misfit.about === id)?.sentence ?? "";
}

/** The newest edition that has what is asked for. */
function editionWith(about: About, has: (edition: EditionRow) => boolean): string | undefined {
  return editionsOf(about).find((id) => has(about.editions[id] as EditionRow));
}

/** This part stays and the rest adapts to it; nothing where that cannot be. */
function adapted(draft: Draft, about: About, { about: part }: Misfit): Draft | null {
  const { modules, players } = draft;
  const key = part === "players" ? String(players) : part;
  const need = about.editions[draft.edition]?.needs[key];
  if (!need) {
    const edition = editionWith(about, ({ needs }) => key in needs);
    return edition ? { ...draft, edition } : null;
  }
  if (lacks(need, modules)) return { ...draft, modules: [...modules, ...need.modules.slice(0, 1)] };
  const count = need.players.find((n) => n >= players) ?? need.players.at(-1);
  return count ? resize(draft, count) : null;
}

/** The same without what does not fit: misfitting modules leave, then the number of players gives way. */
function reduced(draft: Draft, about: About, { about: part }: Misfit): Draft {
  const edition = about.editions[draft.edition];
  if (part === "players" && edition) return resize(draft, mostOf(edition));
  return { ...draft, modules: draft.modules.filter((id) => id !== part) };
}

/** The nearest draft that exists and has what was chosen last. */
export function fitted(draft: Draft, about: About): Draft {
  let next = draft;
  for (let tries = 0; tries < 12; tries++) {
    const wrong = misfits(next, about);
    const last = wrong.find((misfit) => misfit.about === draft.last);
    const other = wrong.find((misfit) => misfit !== last) ?? last;
    if (!other) return next;
    next = (last && adapted(next, about, last)) ?? reduced(next, about, other);
  }
  return next;
}

export function wishOf(draft: Draft): TableWish {
  const { edition, players, modules, options, seats, chat, hints, undo, move, game, out, seed } = draft;
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
    hints,
    undo,
    ...(timed ? { clock: { move, game, out } } : {}),
    ...(seed.trim() ? { seed: seed.trim() } : {}),
  };
}
