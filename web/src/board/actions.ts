// Action texts, as docs/notation.md writes them, taken apart and put together. What is legal comes as a list; this only reads.
import { type Cell, cellName, cellsOf, isShape, keyOf, type Shape, shapeOf } from "./geometry";

export interface Placement {
  place: number;
  cells: Cell[];
  shape: Shape;
  key: string; // of its orientation
  text: string; // as `1:c3c4`
}

export interface Action {
  text: string;
  verb: string;
  insert: boolean;
  words: string[]; // what follows the verb, placements left out
  placements: Placement[];
  credit: boolean; // a touch paid with a credit
}

export function placement(text: string): Placement | undefined {
  const found = /^([1-4]):((?:[a-e][1-5])+)$/.exec(text);
  if (!found) return undefined;
  const cells = cellsOf(found[2] ?? "");
  const shape = shapeOf(cells);
  return shape && { place: Number(found[1]), cells, shape, key: keyOf(cells), text };
}

export function placementText(place: number, cells: readonly Cell[]): string {
  const sorted = [...cells].sort((a, b) => a[1] - b[1] || a[0] - b[0]);
  return `${place}:${sorted.map(cellName).join("")}`;
}

export function read(text: string): Action {
  const words = text.split(" ");
  const insert = words[0] === "insert";
  const [verb = "", ...rest] = insert ? words.slice(1) : words;
  const placements = rest.map(placement).filter((found) => found !== undefined);
  const others = rest.filter((word) => !word.includes(":") && word !== "credit");
  return { text, verb, insert, words: others, placements, credit: rest.at(-1) === "credit" };
}

/** The legal actions of one seat, by what a hand asks of them. There can be thousands, so each kind is read when it is asked for. */
export class Legal {
  readonly #texts: ReadonlySet<string>;
  readonly #by = new Map<string, string[]>();
  readonly #read = new Map<string, Action[]>();

  constructor(texts: readonly string[]) {
    this.#texts = new Set(texts);
    for (const text of texts) {
      const end = text.indexOf(" ", text.startsWith("insert ") ? 7 : 0);
      const key = end < 0 ? text : text.slice(0, end);
      const group = this.#by.get(key);
      if (group) group.push(text);
      else this.#by.set(key, [text]);
    }
  }

  of(verb: string, insert = false): Action[] {
    const key = (insert ? "insert " : "") + verb;
    const known = this.#read.get(key) ?? (this.#by.get(key) ?? []).map(read);
    this.#read.set(key, known);
    return known;
  }

  has(verb: string, insert = false): boolean {
    return this.#by.has((insert ? "insert " : "") + verb);
  }

  get inserts(): boolean {
    return [...this.#by.keys()].some((key) => key.startsWith("insert "));
  }

  /** Whether nothing at all is possible, as while a guide is read. */
  get none(): boolean {
    return this.#texts.size === 0;
  }

  /** Whether anything but an Insert or the end of the turn is possible. */
  get plain(): boolean {
    return [...this.#by.keys()].some((key) => !key.startsWith("insert ") && key !== "pass");
  }

  find(text: string): boolean {
    return this.#texts.has(text);
  }

  /** The pieces that an exchange may give for one piece, or the pieces that may be given for one. */
  targets(verb: string, given: Shape, insert = false): Shape[] {
    return this.of(verb, insert).flatMap(({ words: [from, to] }) => (from === given && isShape(to) ? [to] : []));
  }

  sources(verb: string, insert = false): Shape[] {
    return [...new Set(this.of(verb, insert).flatMap(({ words: [from] }) => (isShape(from) ? [from] : [])))];
  }

  /** Ghost actions without placements: which pieces a ghost may become. */
  decompositions(ghost: Shape, insert = false): Shape[][] {
    const found = new Map<string, Shape[]>();
    for (const action of this.of("ghost", insert)) {
      const [from, ...parts] = action.words.filter(isShape);
      if (from === ghost) found.set(parts.join(" "), parts);
    }
    return [...found.values()];
  }

  /** The decks whose top card may be taken. */
  tops(insert = false): string[] {
    const slots = this.of("take", insert).map(({ words }) => words[0] ?? "");
    return slots.filter((slot) => /^[WBG]$/.test(slot)).sort().reverse(); // white first
  }

  /** The rows that may be recycled. */
  rows(insert = false): string[] {
    return [...new Set(this.of("recycle", insert).map(({ words }) => words[0] ?? ""))].sort().reverse(); // white first
  }
}

/** A way to cut a shape into the given pieces, for drawing a Ghost's decomposition. */
export function tiling(cells: readonly Cell[], parts: readonly Shape[]): { shape: Shape; cells: Cell[] }[] {
  if (parts.length === 0) return [];
  const [first, ...rest] = [...parts].sort((a, b) => b[1]!.localeCompare(a[1]!)) as [Shape, ...Shape[]];
  for (const chosen of subsets(cells, Number(first[1]))) {
    if (shapeOf(chosen) !== first) continue;
    const left = cells.filter((cell) => !chosen.includes(cell));
    const others = tiling(left, rest);
    if (others.length === rest.length) return [{ shape: first, cells: chosen }, ...others];
  }
  return [];
}

function subsets(cells: readonly Cell[], size: number): Cell[][] {
  if (size === 0) return [[]];
  return cells.flatMap((cell, n) => subsets(cells.slice(n + 1), size - 1).map((others) => [cell, ...others]));
}
