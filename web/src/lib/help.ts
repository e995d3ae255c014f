// The topics of the rules help, and the rulings that apply to each (docs/rules.md has them all).
import type { Setup } from "./messages";
import { optionOf } from "./options";
import { word } from "./words.svelte";

type Has = (setup: Setup) => boolean;

export interface Topic {
  id: string;
  rulings: number[];
  has?: Has; // only in such games
  more?: Record<string, Has>; // paragraphs beside the topic's own, and the games that they are for
}

const module = (id: string): Has => ({ modules }) => modules.includes(id);
const edition = (...years: string[]): Has => (setup) => years.includes(setup.edition);
const solo: Has = ({ players }) => players === 1;
const together: Has = (setup) => !solo(setup);
const downOne: Has = (setup) => optionOf(setup, "exchange_down") === "one";
const skips = (how: string): Has => (setup) => optionOf(setup, "upgrade_skip") === how;
const action = (kind: string): Has => ({ actions = [] }) => actions.includes(kind);
const recycles = action("recycle");

export const TOPICS: Topic[] = [
  { id: "goal", rulings: [], has: together },
  { id: "turn", rulings: [1, 20, 21] },
  { id: "take", rulings: [39] },
  { id: "recycle", rulings: [2], has: recycles },
  { id: "gain", rulings: [24] },
  {
    id: "upgrade",
    rulings: [3, 25, 26],
    more: {
      down_any: (setup) => !downOne(setup),
      down_one: downOne,
      next: skips("next"),
      two: skips("two"),
      ghost: module("ghost"),
    },
  },
  { id: "place", rulings: [8] },
  { id: "master", rulings: [4] },
  { id: "reward", rulings: [5, 6, 7, 31] },
  { id: "pass", rulings: [42] },
  { id: "end", rulings: [18, 19, 22, 23], has: together, more: { line_clear: module("line_clear") } },
  { id: "touches", rulings: [40] },
  { id: "score", rulings: [9] },
  { id: "piles", rulings: [44] },
  { id: "ghost", rulings: [12, 29], has: action("ghost") },
  { id: "levelup", rulings: [13, 27, 28], has: module("ghost") },
  { id: "ambassador", rulings: [14], has: module("ambassador") },
  { id: "finesse", rulings: [15, 32, 33, 36, 37], has: module("finesse") },
  { id: "insert", rulings: [34, 35], has: module("finesse") },
  { id: "solo", rulings: [10, 11, 30, 43], has: solo, more: { finesse: module("finesse") } },
  {
    id: "line_clear",
    rulings: [16, 38, 41],
    has: module("line_clear"),
    more: { 2023: edition("2023"), finesse: module("finesse") },
  },
  { id: "endless_white", rulings: [17], has: module("endless_white") },
  { id: "phoenix", rulings: [], has: module("phoenix") },
  { id: "finesse_ambassador", rulings: [], has: module("finesse_ambassador") },
  { id: "keys", rulings: [] },
];

/** Rulings about what only some games have. */
const RULING_HAS: Record<number, Has> = {
  5: module("ghost"),
  6: edition("2019", "2020"),
  10: edition("2020"),
  13: edition("2023"),
  20: module("line_clear"),
  22: recycles,
  25: skips("substitution"),
  26: module("ghost"),
  27: edition("2019"),
  30: edition("2020"),
  38: module("finesse"),
  39: recycles,
  42: (setup) => solo(setup) && action("pass")(setup),
  43: module("finesse"),
};

/** The paragraphs of a topic that one game needs; without a game, all. */
export function paragraphsOf({ id, more = {} }: Topic, setup?: Setup): string[] {
  const parts = Object.entries(more).filter(([, has]) => !setup || has(setup));
  return [`help_${id}`, ...parts.map(([part]) => `help_${id}_${part}`)].flatMap((key) => word(key).split("\n"));
}

/** The topics of one game; without a game, all. */
export function topicsOf(setup?: Setup): Topic[] {
  return setup ? TOPICS.filter(({ has }) => !has || has(setup)) : TOPICS;
}

export function rulingsOf({ rulings }: Topic, setup?: Setup): number[] {
  return setup ? rulings.filter((n) => RULING_HAS[n]?.(setup) ?? true) : rulings;
}

/** A solo turn is told with everything else about solo. */
export function topicOf(id: string, setup?: Setup): Topic {
  const wanted = id === "turn" && setup && solo(setup) ? "solo" : id;
  return TOPICS.find((topic) => topic.id === wanted) ?? (TOPICS[1] as Topic);
}
