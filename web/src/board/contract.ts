// What the board asks of the page around it, and what it gives back. The board knows no rules: legal action texts go
// in, chosen action texts come out.
//
// <html> carries the look: data-theme="dark|light", data-palette="classic|safe", data-motion="full|reduced".
// The board fills its parent (give that a height); it brings its own background.
import type { Snippet } from "svelte";
import type { Catalogue, CatalogueCard, CatalogueTile, Event, Facts, Happened, Table, Tried, View } from "../lib/messages";

export type { Catalogue, CatalogueCard, CatalogueTile, Event, Facts, Happened, Table, Tried, View };
export type PlayerView = View["players"][number];
export type Can = View["can"][number];
export type Puzzle = PlayerView["puzzles"][number];

/** The rest of a turn as the bots would play it: what each action would do, and the chance to win, 0 to 1. */
export interface Advice {
  actions: string[];
  facts: Facts[];
  chance: number;
}

export interface BoardSettings {
  palette: "classic" | "safe";
  marks: boolean; // the glyph on every piece
  motion: "full" | "reduced";
  sound: boolean;
  confirmTurn: boolean; // ask before the action that ends a turn
  help: "full" | "brief"; // full: says at each point what can be done
}

export interface BoardProps {
  view: View;
  table: Table;
  catalogue: Catalogue;
  seats: number[]; // my seats; [] for a spectator or a replay
  viewer: number; // whose view this is; 0: a spectator's
  legal: Record<string, string[]>;
  undo: Record<string, number>;
  events: Happened[]; // all that is known of the game so far, in order; new ones are added at the end
  time: Record<string, number>; // seconds left by seat, as of the last state
  settings: BoardSettings;
  busy: boolean; // an action is under way: hands wait
  whole?: boolean; // a turn that is tried is complete: nobody is to act now
  cut?: boolean; // the line to the table is lost: whose turn it is now, nobody here knows
  refused: { code: string; sentence: string } | null;
  hint: Advice | null;
  hinting?: boolean; // one is looked for
  /** At the two ends of the line above the table: the way out, and what is about more than the table. */
  lead?: Snippet;
  tail?: Snippet;
  /** Draw the eye to parts of the table (guided game): names such as `take W1`, `gain`, `supply O1`, `place 1`, `reserve`. */
  spot?: string[];
  onact(seat: number, action: string): void;
  onundo(seat: number, all: boolean): void;
  ontry(seat: number, action: string): Promise<Tried>;
  onhint(seat: number): void;
  /** Step back through what happened; without it there is nothing to go back to. */
  onback?: (() => void) | undefined;
  /** Ask for what happened before the first of the events; absent where there is nothing more. */
  onearlier?: (() => void) | undefined;
  /** Topics: turn, take, recycle, gain, upgrade, place, master, ambassador, ghost, insert, pass, touches, reward, levelup,
   *  finesse, solo, line_clear, end, piles, keys. */
  onhelp(topic: string): void;
}
