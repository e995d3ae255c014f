// What the board asks of the page around it, and what it gives back. The board knows no rules: legal action texts go
// in, chosen action texts come out.
//
// <html> carries the look: data-theme="dark|light", data-palette="classic|safe", data-motion="full|reduced".
// The board fills its parent (give that a height); it brings its own background.
import type { Event, Facts, Table, Tried, View } from "../lib/messages";

export type { Event, Facts, Table, Tried, View };
export type PlayerView = View["players"][number];
export type Puzzle = PlayerView["puzzles"][number];

/** The rest of a turn as the bots would play it: what each action would do, and the chance to win, 0 to 1. */
export interface Advice {
  actions: string[];
  facts: Facts[];
  chance: number;
}

/** GET /api/cards. Rows: `.` is recess, `#` is card. Cells: [column, row] from 0. */
export interface CatalogueCard {
  id: string;
  colour: string;
  points: number;
  reward: string; // a piece, LEVELUP1, LEVELUP2 or M
  rows: string[];
  module?: string;
}

export interface CatalogueTile {
  id: string;
  set: string;
  when?: string; // now, end
  what?: string; // place, each-owned, take …
  shapes?: string[];
  credits?: number;
  pattern?: unknown; // where the four above are absent: `now place I4 L4 S4`
}

export interface CataloguePiece {
  name: string;
  level: number;
  cells: number[][];
  ghost: boolean;
}

export interface Catalogue {
  cards: CatalogueCard[];
  tiles: CatalogueTile[];
  pieces: CataloguePiece[];
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
  events: Event[]; // all that is known of the game so far, in order; new ones are added at the end
  time: Record<string, number>; // seconds left by seat, as of the last state
  settings: BoardSettings;
  busy: boolean; // an action is under way: hands wait
  refused: { code: string; sentence: string } | null;
  hint: Advice | null;
  /** Draw the eye to parts of the table (guided game): names such as `take W1`, `gain`, `supply O1`, `place 1`, `reserve`. */
  spot?: string[];
  onact(seat: number, action: string): void;
  onundo(seat: number, all: boolean): void;
  ontry(seat: number, action: string): Promise<Tried>;
  onhint(seat: number): void;
  /** Topics: turn, take, recycle, gain, upgrade, place, master, ambassador, ghost, insert, pass, touches, reward, levelup,
   *  finesse, solo, line_clear, end, piles, keys. */
  onhelp(topic: string): void;
}
