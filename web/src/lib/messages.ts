// Made by `npm run types` from src/projectl/server/messages.py. Do not edit.

export type FromClient = Watch | Leave | Act | Undo | Resign | Chat | Try | Hint | Ping;
export type FromServer = Hello | State | Tabled | Done | Refused | Tried | Hinted | Pong;

/**
 * Begin to follow a game; `since` is the last version that the client has, if it has one.
 */
export interface Watch {
  type: "watch";
  game: string;
  since?: number | null;
  legal?: boolean;
}
/**
 * Follow a game no longer.
 */
export interface Leave {
  type: "leave";
  game: string;
}
/**
 * Play a whole action, as NOTATION writes it. `version` is the one the player saw.
 */
export interface Act {
  type: "act";
  game: string;
  id: string;
  version: number;
  action: string;
  seat?: number | null;
}
/**
 * Take the last action back, or all that can be taken back.
 */
export interface Undo {
  type: "undo";
  game: string;
  id: string;
  version: number;
  seat?: number | null;
  all?: boolean;
}
/**
 * Give a seat's game up.
 */
export interface Resign {
  type: "resign";
  game: string;
  id: string;
  version: number;
  seat?: number | null;
}
/**
 * Say something, where the table has chat.
 */
export interface Chat {
  type: "chat";
  game: string;
  id: string;
  text: string;
  seat?: number | null;
}
/**
 * Ask whether an action could be played now, why not, and which placements may be added to it.
 */
export interface Try {
  type: "try";
  game: string;
  id: string;
  action: string;
  seat?: number | null;
}
/**
 * Ask the bots for the best rest of the turn.
 */
export interface Hint {
  type: "hint";
  game: string;
  id: string;
  seat?: number | null;
}
/**
 * Ask for a `pong`.
 */
export interface Ping {
  type: "ping";
  id: string;
}
/**
 * The first message on a socket.
 */
export interface Hello {
  type: "hello";
  protocol: number;
  server: string;
}
/**
 * Where a game stands, and what happened since the client's last version.
 */
export interface State {
  type: "state";
  game: string;
  version: number;
  events: Event[];
  seats: number[];
  viewer: number;
  view: View;
  legal?: {
    [k: string]: string[];
  };
  undo?: {
    [k: string]: number;
  };
  time?: {
    [k: string]: number;
  };
  table?: Table;
}
/**
 * Something that happened at a table; each has the next version.
 *
 *     `text` is an action, or `undo N` (back to what stood at version N), `resign`, `handover BOT`,
 *     `say WORDS`, or `begin` (seat 0: the last seat was taken and the clocks run).
 */
export interface Event {
  version: number;
  seat: number;
  text: string;
  at: number;
  facts?: Facts;
}
/**
 * What an action did that its text does not say; for logs in words and for animation.
 */
export interface Facts {
  card?: string | null;
  completed?: Finished[];
  rewards?: string[];
  turned?: string[];
  mastermind?: string[];
  unlocked?: boolean;
  round?: number | null;
  end_triggered?: boolean;
}
/**
 * A puzzle that an action completed.
 */
export interface Finished {
  card: string;
  place: number;
  points: number;
}
/**
 * A position, as one seat or a spectator sees it (NOTATION.md).
 */
export interface View {
  actions_left:
    | number
    | {
        [k: string]: number;
      };
  decks?: {
    [k: string]: number;
  };
  edition: string;
  end_triggered: boolean;
  finesse?: Finesse;
  markers?: Markers;
  master_used:
    | boolean
    | {
        [k: string]: boolean;
      };
  phase: string;
  players: PlayerView[];
  reserve: {
    [k: string]: number;
  };
  result: Outcome | null;
  round: number;
  rows?: {
    [k: string]: (string | null)[];
  };
  solo?: Solo;
  to_act: number[];
}
/**
 * The Finesse tiles: those that are face down are None.
 */
export interface Finesse {
  bank: number;
  tiles: (string | null)[];
}
/**
 * Line Clear: who holds the markers.
 */
export interface Markers {
  black: number;
  white: number;
}
/**
 * One player, as somebody sees them.
 */
export interface PlayerView {
  ambassador?: number;
  completed: string[] | null;
  completed_count?: number;
  credits?: Credits;
  points: number | null;
  puzzles: Puzzle[];
  seat: number;
  supply: {
    [k: string]: number;
  };
  touches: number;
}
/**
 * A player's Finesse credits.
 */
export interface Credits {
  active: number;
  inactive: number;
}
/**
 * A puzzle on a player's board.
 */
export interface Puzzle {
  card: string;
  empty: string[];
  pieces: Piece[];
  place: number;
}
/**
 * A piece on a puzzle.
 */
export interface Piece {
  cells: string[];
  piece: string;
}
/**
 * The end of a game.
 */
export interface Outcome {
  reason: string;
  scores: number[];
  winners: number[];
}
/**
 * The mastermind's side of the table.
 */
export interface Solo {
  completed: string[];
  deck: number;
  grid: (string | null)[];
  locks: number[];
  points: number;
  supply: number;
}
/**
 * Everything about a table but the position.
 */
export interface Table {
  game: string;
  setup: Setup;
  seats: SeatInfo[];
  status: string;
  created: number;
  clock?: Clock | null;
  public?: boolean;
  chat?: boolean;
  undo?: boolean;
  fair?: string;
  seed?: string | null;
  salt?: string | null;
  open_deck?: boolean;
  rematch?: string | null;
  winners?: number[];
}
/**
 * Which game is played.
 */
export interface Setup {
  edition: string;
  players: number;
  modules: string[];
  options: {
    [k: string]: string;
  };
  cards: string[];
}
/**
 * Who sits where.
 */
export interface SeatInfo {
  seat: number;
  kind: string;
  name: string;
  colour?: string;
  bot?: string;
  online?: boolean;
  resigned?: boolean;
}
/**
 * How a table keeps time, in seconds; None: no limit.
 */
export interface Clock {
  move?: number | null;
  game?: number | null;
  out?: string;
}
/**
 * Something about the table changed.
 */
export interface Tabled {
  type: "table";
  game: string;
  table: Table;
}
/**
 * A message was carried out; it is stored.
 */
export interface Done {
  type: "done";
  game: string;
  id: string;
  version: number;
}
/**
 * A message was not carried out, and why. For a game that is followed a `state` comes next.
 */
export interface Refused {
  type: "refused";
  code: string;
  sentence: string;
  game?: string;
  id?: string;
}
/**
 * The answer to `try`.
 */
export interface Tried {
  type: "tried";
  game: string;
  id: string;
  legal: boolean;
  code?: string;
  sentence?: string;
  more?: string[];
}
/**
 * The answer to `hint`.
 */
export interface Hinted {
  type: "hinted";
  game: string;
  id: string;
  actions: string[];
  facts: Facts[];
  chance: number;
  why: string;
}
/**
 * The answer to `ping`.
 */
export interface Pong {
  type: "pong";
  id: string;
}
