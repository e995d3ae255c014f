// The table in words: events for the log and the live region, cards and tiles for names, reasons for why not.
import { seatOf } from "../lib/events";
import { sayCode } from "../lib/refusals";
import { COLOURS, isColour } from "../lib/settings.svelte";
import { hasWord, m, word } from "../lib/words.svelte";
import { read } from "./actions";
import type { Catalogue, CatalogueCard, CatalogueTile, Facts, Happened, Table } from "./contract";
import { isShape, type Shape } from "./geometry";

export const pieceName = (shape: string): string => word(`b_piece_${shape.toLowerCase()}`);

const LISTS = new Map<string, Intl.ListFormat>(); // making one takes longer than all the rest of a line

export function listed(names: readonly string[], kind: "conjunction" | "disjunction" = "conjunction"): string {
  const language = document.documentElement.lang || "en";
  const key = `${language} ${kind}`;
  const format = LISTS.get(key) ?? new Intl.ListFormat(language, { type: kind });
  LISTS.set(key, format);
  return format.format(names);
}

/** `Dot ×2, Domino`. */
export function piecesWords(shapes: readonly Shape[]): string {
  const counts = new Map<Shape, number>();
  for (const shape of shapes) counts.set(shape, (counts.get(shape) ?? 0) + 1);
  return listed([...counts].map(([shape, n]) => (n > 1 ? `${pieceName(shape)} ×${n}` : pieceName(shape))));
}

export function rewardName(reward: string): string {
  return isShape(reward) ? pieceName(reward) : word(`b_reward_${reward.toLowerCase()}`);
}

export class Cards {
  readonly #cards: Map<string, CatalogueCard>;
  readonly #tiles: Map<string, CatalogueTile>;

  constructor(catalogue: Catalogue, table: Table) {
    this.#cards = new Map([...catalogue.cards, ...table.setup.cards.map(ownCard)].map((card) => [card.id, card]));
    this.#tiles = new Map(catalogue.tiles.map((tile) => [tile.id, tile]));
  }

  card(id: string | null | undefined): CatalogueCard | undefined {
    return this.#cards.get(id ?? "");
  }

  tile(id: string | null | undefined): CatalogueTile | undefined {
    return this.#tiles.get(id ?? "");
  }

  words(id: string | null | undefined): string {
    const card = this.card(id);
    return card ? cardWords(card) : m.b_card_unknown();
  }
}

function ownCard(text: string): CatalogueCard {
  const [id = "", colour = "W", points = "0", reward = "O1", ...rows] = text.replace(/^card:\s*/, "").split(/\s+/);
  return { id, colour, points: Number(points), reward, rows, pack: "" };
}

export function cardWords(card: CatalogueCard): string {
  const puzzle = card.colour === "W" ? m.b_puzzle_white() : m.b_puzzle_black();
  return m.b_card({ puzzle, points: m.b_points({ n: card.points }), reward: rewardName(card.reward) });
}

export function tileWords(tile: CatalogueTile): string {
  const each = tile.what === "each-shape-owned"; // each of these; else any of them
  const shapes = listed(tile.shapes.map(pieceName), each ? "conjunction" : "disjunction");
  const what = word(`b_tile_${tile.what.replaceAll("-", "_")}`, { shapes });
  return `${m.b_credits({ n: tile.credits })} ${what}`;
}

/** Why an action of mine is not possible; without a code the sentence says it in the page's language already. */
export function reasonWords(code: string, sentence: string): string {
  const key = `b_no_${code.replaceAll("-", "_")}`;
  if (hasWord(key)) return word(key);
  return code ? sayCode(code, sentence) : sentence;
}

export const rowName = (row: string): string => (row.startsWith("W") ? m.b_row_white() : m.b_row_black());

export interface LogLine {
  key: string;
  seat: number;
  text: string;
  kind: "action" | "gain" | "round" | "end" | "undone";
  version: number;
}

export function nameOf(table: Table, seat: number): string {
  return table.seats.find((info) => info.seat === seat)?.name || m.b_seat({ n: seat });
}

/** The CSS colour of a seat: the chosen one, or one by its number. */
export function colourOf(table: Table, seat: number): string {
  const own = table.seats.find((info) => info.seat === seat)?.colour ?? "";
  return `var(--seat-${isColour(own) ? own : COLOURS[(seat - 1) % COLOURS.length]})`;
}

function actionWords(action: string, facts: Facts | undefined, name: string, cards: Cards): string {
  const { verb, words, placements, credit } = read(action);
  const pieces = piecesWords(placements.map((found) => found.shape));
  const [first = "", second = ""] = words;
  const at = placements[0]?.place ?? 0;
  switch (verb) {
    case "take": {
      const card = cards.words(facts?.card);
      return /\d/.test(first) ? m.b_log_take({ name, card }) : m.b_log_take_deck({ name, card });
    }
    case "recycle":
      return m.b_log_recycle({ name, row: rowName(first) });
    case "gain":
      return m.b_log_gain({ name, piece: pieceName(first) });
    case "upgrade":
      return m.b_log_upgrade({ name, from: pieceName(first), to: pieceName(second) });
    case "place":
      return m.b_log_place({ name, piece: pieces, place: at });
    case "master":
      return m.b_log_master({ name, pieces });
    case "ambassador":
      return m.b_log_ambassador({ name, pieces });
    case "ghost":
      return m.b_log_ghost({ name, ghost: pieceName(first), pieces: piecesWords(words.slice(1).filter(isShape)) });
    case "reward":
      return m.b_log_reward({ name, piece: pieceName(second) });
    case "levelup":
      if (first === "none") return m.b_log_levelup_none({ name });
      return m.b_log_levelup({ name, from: pieceName(first), to: pieceName(second) });
    case "touch":
      return credit ? m.b_log_touch_credit({ name, piece: pieces }) : m.b_log_touch({ name, piece: pieces });
    case "pass":
      return m.b_log_pass({ name });
    case "done":
      return m.b_log_done({ name });
    default:
      return `${name}: ${action}`;
  }
}

/** An event in a sentence; nothing for what the table shows by itself. */
function eventWords({ event, facts }: Happened, name: string, cards: Cards): string {
  switch (event.type) {
    case "played":
      return actionWords(event.action, facts, name, cards);
    case "undone":
      return m.b_log_undo({ name });
    case "resigned":
      return m.b_log_resign({ name });
    case "advised":
      return m.b_log_hint({ name });
    case "handed_over":
      return m.b_log_handover({ name, bot: botName(event.bot) });
    case "said":
      return `${name}: ${event.text}`;
    case "begun":
      return m.b_log_begin();
    case "expired":
      return m.b_log_expired();
    case "seat_taken":
    case "mixed":
    case "rematched":
    case "arranged":
    case "cancelled":
    case "closed":
      return "";
  }
}

/** The strength of a bot, as `Clever`; the server's own name where the page has none. */
function botName(bot: string): string {
  const key = `bot_${bot.replace(/\W/g, "_")}`;
  return hasWord(key) ? word(key) : bot;
}

/** An action that could be played, as a person would be told to play it. */
function adviceWords(text: string, facts: Facts | undefined, cards: Cards): string {
  const { verb, words, placements, insert } = read(text);
  const pieces = piecesWords(placements.map((found) => found.shape));
  const [first = "", second = ""] = words;
  const at = placements[0]?.place ?? 0;
  const said = (what: string, which: string): string => m.b_do({ what, which });
  const plain = (): string => {
    switch (verb) {
      case "take":
        if (/\d/.test(first)) return said(m.b_take(), cards.words(facts?.card));
        return said(m.b_take(), first === "W" ? m.b_deck_white() : first === "B" ? m.b_deck_black() : m.b_deck_solo());
      case "recycle":
        return m.b_do_recycle({ row: rowName(first) });
      case "gain":
        return said(m.b_gain(), pieceName(first));
      case "upgrade":
        return said(m.b_upgrade(), `${pieceName(first)} → ${pieceName(second)}`);
      case "place":
        return m.b_do_place({ piece: pieces, place: at });
      case "master":
        return said(m.b_master(), pieces);
      case "ambassador":
        return said(m.b_ambassador(), pieces);
      case "ghost":
        return said(m.b_ghost(), `${pieceName(first)} → ${piecesWords(words.slice(1).filter(isShape))}`);
      case "reward":
        return m.b_do_reward({ piece: pieceName(second) });
      case "levelup":
        return said(m.b_turn_levelup(), first === "none" ? m.b_levelup_none() : `${pieceName(first)} → ${pieceName(second)}`);
      case "touch":
        return m.b_do_touch({ piece: pieces, place: at });
      case "done":
        return m.b_done();
      default:
        return m.b_pass();
    }
  };
  return insert ? said(m.b_insert(), plain()) : plain();
}

/** An action that somebody chose and the server has not answered. */
export function wishWords(text: string, rows: Record<string, (string | null)[]>, cards: Cards): string {
  const [, row = "", at = ""] = /^(?:insert )?take ([A-Z]+)(\d)/.exec(text) ?? [];
  const card = rows[row]?.[Number(at) - 1];
  return adviceWords(text, card ? ({ card } as Facts) : undefined, cards);
}

/** A turn that could be played, a line for each action: what it is and what it completes. */
export function adviceLines(actions: readonly string[], facts: readonly Facts[], cards: Cards): string[] {
  return actions.map((text, n) => {
    const reward = piecesWords((facts[n]?.rewards ?? []).filter(isShape));
    const completed = facts[n]?.completed ?? [];
    const ends = completed.map(({ place, points }): string => {
      const worth = m.b_points({ n: points });
      const alone = reward && completed.length === 1;
      return alone ? m.b_do_finishes({ place, points: worth, reward }) : m.b_do_finishes_plain({ place, points: worth });
    });
    if (reward && completed.length > 1) ends.push(reward);
    return [adviceWords(text, facts[n], cards), ...ends].join("; ");
  });
}

/** An event as one or more lines of the log. */
export function eventLines(happened: Happened, table: Table, cards: Cards): LogLine[] {
  const { event, facts, version } = happened;
  const name = nameOf(table, seatOf(event));
  const lines: Omit<LogLine, "key" | "version">[] = [];
  const say = (text: string, kind: LogLine["kind"], seat = seatOf(event)): void => void lines.push({ seat, text, kind });
  if (event.type === "played" && event.action.startsWith("insert ")) say(m.b_log_insert({ name }), "action");
  const words = eventWords(happened, name, cards);
  if (words) say(words, event.type === "begun" ? "round" : "action");
  const completed = facts?.completed ?? [];
  const reward = piecesWords((facts?.rewards ?? []).filter(isShape));
  for (const done of completed) {
    const points = m.b_points({ n: done.points });
    const alone = reward && completed.length === 1;
    say(alone ? m.b_log_completed({ name, points, reward }) : m.b_log_completed_plain({ name, points }), "gain");
  }
  if (reward && completed.length !== 1) say(m.b_log_gain({ name, piece: reward }), "gain");
  for (const card of facts?.mastermind ?? []) say(m.b_log_mastermind({ card: cards.words(card) }), "action", 0);
  if (facts?.unlocked) say(m.b_log_unlocked(), "action", 0);
  if (facts?.end_triggered) say(table.setup.players === 1 ? m.b_log_end_solo() : m.b_log_end(), "end", 0);
  if (facts?.round) say(m.b_round({ n: facts.round }), "round", 0);
  return lines.map((line, n) => ({ ...line, key: `${version}.${n}`, version }));
}

/** The log so far; what was taken back is marked. */
export function logLines(events: readonly Happened[], table: Table, cards: Cards): LogLine[] {
  const lines: LogLine[] = [];
  const awaited = events.some(({ event }) => event.type === "seat_taken" || event.type === "arranged");
  for (const happened of events) {
    const { event } = happened;
    if (event.type === "begun" && !awaited) continue; // everybody sat there from the start
    if (event.type === "undone") for (const line of lines) if (line.version > event.to) line.kind = "undone";
    lines.push(...eventLines(happened, table, cards));
  }
  return lines;
}
