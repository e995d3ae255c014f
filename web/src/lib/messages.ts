// Made by `npm run types` from src/projectl/server/http/messages.py and replies.py. Do not edit.

export type FromClient = Watch | Leave | Act | Undo | Resign | Chat | Mix | Try | AskHint | Ping;
export type FromServer = Hello | Update | Tabled | Done | Refused | Tried | Hinted | Pong;
export type Event =
  | Played
  | Undone
  | Resigned
  | HandedOver
  | Said
  | SeatTaken
  | Begun
  | Expired
  | Rematched
  | Closed
  | Advised
  | Mixed
  | Arranged
  | Cancelled;

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
 * Play a whole action, as docs/notation.md writes it. `version` is the one the player saw.
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
 * Put something into the shuffle, before the cards are dealt.
 */
export interface Mix {
  type: "mix";
  game: string;
  id: string;
  luck: string;
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
export interface AskHint {
  type: "hint";
  game: string;
  id: string;
  seat?: number | null;
}
/**
 * Ask for a `pong`. `within` promises the next sign of life in so many seconds: without it one counts as away.
 */
export interface Ping {
  type: "ping";
  id: string;
  within?: number | null;
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
export interface Update {
  type: "state";
  game: string;
  version: number;
  events: Happened[];
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
  earlier?: number;
  host?: boolean;
}
/**
 * An event at its place in the game: each has the next version. What an action did is told beside it.
 */
export interface Happened {
  version: number;
  at: number;
  event:
    | Played
    | Undone
    | Resigned
    | HandedOver
    | Said
    | SeatTaken
    | Begun
    | Expired
    | Rematched
    | Closed
    | Advised
    | Mixed
    | Arranged
    | Cancelled;
  facts?: Facts;
}
/**
 * A whole action, in its canonical spelling.
 */
export interface Played {
  type: "played";
  seat: number;
  action: string;
}
/**
 * The game stands again as it stood at a version.
 */
export interface Undone {
  type: "undone";
  seat: number;
  to: number;
}
/**
 * A seat gave up, or its time ran out.
 */
export interface Resigned {
  type: "resigned";
  seat: number;
}
/**
 * A bot plays the seat from now on.
 */
export interface HandedOver {
  type: "handed_over";
  seat: number;
  bot: string;
}
/**
 * A word at the table.
 */
export interface Said {
  type: "said";
  seat: number;
  text: string;
}
/**
 * Somebody sat down on an open seat.
 */
export interface SeatTaken {
  type: "seat_taken";
  seat: number;
  name: string;
  colour: string;
  luck?: string;
}
/**
 * The last open seat was taken: clocks run from here.
 */
export interface Begun {
  type: "begun";
}
/**
 * The table waited too long for its players, and is closed.
 */
export interface Expired {
  type: "expired";
}
/**
 * A seat asked for another game, which follows this one.
 */
export interface Rematched {
  type: "rematched";
  seat: number;
  game: string;
}
/**
 * Whoever runs the server ended the game where it stands.
 */
export interface Closed {
  type: "closed";
  reason: string;
}
/**
 * A seat asked for a hint, where others play along.
 */
export interface Advised {
  type: "advised";
  seat: number;
}
/**
 * A seat put something of its own into the shuffle, before the cards were dealt.
 */
export interface Mixed {
  type: "mixed";
  seat: number;
  luck: string;
}
/**
 * Before the game began somebody was renamed, a bot sat down or left, seats changed places: all seats as they are
 *     now, in their order.
 */
export interface Arranged {
  type: "arranged";
  seats: Seated[];
}
/**
 * A seat as it is described: who is to sit there.
 */
export interface Seated {
  kind: string;
  name: string;
  colour: string;
  bot?: string;
}
/**
 * Whoever made the table took it back before the game began.
 */
export interface Cancelled {
  type: "cancelled";
}
/**
 * What an action did that its text does not say; for logs in words and for animation. Sent as it is: what there is
 *     nothing to say of is not in it.
 */
export interface Facts {
  card?: string;
  completed?: Finished[];
  end_triggered?: boolean;
  mastermind?: string[];
  rewards?: string[];
  round?: number;
  turned?: string[];
  unlocked?: boolean;
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
 * A position, as one seat or a spectator sees it (docs/notation.md).
 */
export interface View {
  actions_left:
    | number
    | {
        [k: string]: number;
      };
  can: Can[];
  decks?: {
    [k: string]: number;
  };
  edition: string;
  end_triggered: boolean;
  finesse?: Finesse;
  last_round?: number;
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
  result: ResultView | null;
  round: number;
  rows?: {
    [k: string]: (string | null)[];
  };
  solo?: Solo;
  to_act: number[];
}
/**
 * What a seat that is to act may do now, in kinds; what it may not do is absent. The legal actions say it in
 *     full.
 */
export interface Can {
  ambassador?: boolean;
  decision: string;
  decks?: string[];
  ends: string;
  insert?: boolean;
  master?: boolean;
  may_pass?: boolean;
  place?: boolean;
  recycle?: string[];
  seat: number;
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
  ambassador_cards?: string[];
  completed: string[] | null;
  completed_count?: number;
  credits?: Credits;
  points: number | null;
  puzzles: PuzzleView[];
  score?: Score;
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
export interface PuzzleView {
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
 * A score as a sum, as it would be if the game ended now; None: hidden from this viewer.
 */
export interface Score {
  credits?: number;
  noted: number | null;
  pile: number | null;
  total: number | null;
  touches: number;
  unfinished: Unfinished[];
}
/**
 * What a puzzle that is not complete counts if it is left so, and if it is finished.
 */
export interface Unfinished {
  card: string;
  finished: number;
  left: number;
  place: number;
}
/**
 * The end of a game.
 */
export interface ResultView {
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
  promised?: string | null;
  luck?: {
    [k: string]: string;
  };
  dealt?: boolean;
  open_deck?: boolean;
  rematch?: string | null;
  winners?: number[];
  hints?: boolean;
  closed?: string;
  expired?: boolean;
  cancelled?: boolean;
  day?: string;
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
  actions?: string[];
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
/**
 * Why something was not done.
 */
export interface RefusalReply {
  code: string;
  sentence: string;
  field?: string;
  line?: number;
  about?: string;
}
/**
 * Versions, editions, bots.
 */
export interface About {
  name: string;
  version: string;
  protocol: number;
  compiled: boolean;
  public_url: string;
  addresses: string[];
  bots: string[];
  levels: LevelRow[];
  options: {
    [k: string]: string[];
  };
  option_table: OptionRow[];
  editions: {
    [k: string]: EditionRow;
  };
}
/**
 * A bot with its measured strength; 400 points more win ten games for one that is lost.
 */
export interface LevelRow {
  bot: string;
  rating: number;
  margin: number;
  offered: boolean;
}
/**
 * Something that a table may settle; values are texts.
 */
export interface OptionRow {
  name: string;
  values: string[];
  defaults: {
    [k: string]: string;
  };
  words: string;
  solo?: boolean;
}
/**
 * What one edition has.
 */
export interface EditionRow {
  players: number[];
  modules: string[];
  needs: {
    [k: string]: Need;
  };
  defaults: {
    [k: string]: string;
  };
}
/**
 * What a module, or a number of players, asks of the rest of a game.
 */
export interface Need {
  players: number[];
  modules: string[];
}
/**
 * Every card and tile, and the pieces.
 */
export interface Catalogue {
  cards: CatalogueCard[];
  tiles: CatalogueTile[];
  pieces: CataloguePiece[];
}
/**
 * A puzzle card.
 */
export interface CatalogueCard {
  id: string;
  colour: string;
  points: number;
  reward: string;
  rows: string[];
  pack: string;
}
/**
 * A Finesse tile.
 */
export interface CatalogueTile {
  id: string;
  set: string;
  when: string;
  what: string;
  shapes: string[];
  credits: number;
  pack: string;
}
/**
 * One of the twelve pieces.
 */
export interface CataloguePiece {
  name: string;
  level: number;
  ghost: boolean;
  cells: never[][];
}
/**
 * Whether such a game exists; if not, why.
 */
export interface Checked {
  ok: boolean;
  code?: string;
  sentence?: string;
  field?: string;
}
/**
 * A table that was just made.
 */
export interface Made {
  game: string;
  seats: number[];
  invites: {
    [k: string]: string;
  };
  table: Table;
}
/**
 * A seat that was just taken.
 */
export interface Joined {
  game: string;
  seat: number;
  token?: string;
}
/**
 * A fresh invitation.
 */
export interface Invited {
  game: string;
  seat: number;
  invite: string;
  purpose: string;
  expires: number;
}
/**
 * The invitations that one may take back.
 */
export interface Invitations {
  game: string;
  invites: Invitation[];
}
/**
 * An invitation that was made; its token is with whoever has the link.
 */
export interface Invitation {
  id: string;
  seat: number;
  purpose: string;
  made: number;
  expires?: number | null;
}
/**
 * A key, known to nobody else.
 */
export interface Issued {
  key: string;
}
/**
 * Several tables, a page of them.
 */
export interface TableList {
  tables: Table[];
  more?: string;
}
/**
 * Some of what happened at a table, without what was taken back.
 */
export interface History {
  game: string;
  events: Happened[];
  earlier?: number;
}
/**
 * All that a seat knows, for a bot: the engine's numbers, which change with it.
 */
export interface Knows {
  game: string;
  version: number;
  seat: number;
  known: KnownData;
}
/**
 * `Known`, the engine's numbers: seats count from 0.
 */
export interface KnownData {
  black_left: number;
  hidden: number[];
  parts: {
    [k: string]: number[][];
  };
  seat: number;
  watched: boolean;
  white_left: number;
}
/**
 * A record step by step.
 */
export interface ReplayGame {
  setup: Setup;
  names: string[];
  start: View;
  steps: ReplayStep[];
}
/**
 * An action of a record, and the position after it.
 */
export interface ReplayStep {
  seat: number;
  text: string;
  facts: Facts;
  view: View;
}
/**
 * A turn of a record, looked at again.
 */
export interface AnalysedTurn {
  turn: number;
  turns: number;
  first: number;
  seat: number;
  round: number;
  played: string[];
  best: string[];
  facts: Facts[];
  before: number;
  after: number;
  loss: number;
  why: string;
}
/**
 * A QR code: the rows of its modules, `#` where it is dark, with the quiet margin around it.
 */
export interface Qr {
  rows: string[];
}
/**
 * A seat among people who look for the same game: it has begun, or waits for the others.
 */
export interface Paired {
  game: string;
  seat: number;
  table: Table;
}
/**
 * Which days have a puzzle.
 */
export interface Days {
  first: string;
  today: string;
  puzzles: number;
}
/**
 * The puzzle of a day, after the actions that were tried.
 */
export interface Daily {
  day: string;
  number: number;
  setup: Setup;
  seat: number;
  start: View;
  view: View;
  legal: string[];
  steps: TriedStep[];
  done: boolean;
}
/**
 * A whole action, and what it did.
 */
export interface TriedStep {
  seat: number;
  text: string;
  facts: Facts;
}
/**
 * The best daily solo games of a day on this server.
 */
export interface SoloDay {
  day: string;
  best: BestSolo[];
  finished: number;
  mine: string;
  over: boolean;
}
/**
 * A finished daily solo game.
 */
export interface BestSolo {
  name: string;
  colour: string;
  score: number;
  mine?: boolean;
  game?: string;
}
/**
 * A short lesson, after the actions that were tried.
 */
export interface LessonStep {
  id: string;
  play: string[];
  setup: Setup;
  seat: number;
  start: View;
  view: View;
  legal: string[];
  steps: TriedStep[];
  done: boolean;
}
/**
 * A turn beside the best one.
 */
export interface Graded {
  stars: number;
  chance: number;
  best_chance: number;
  best: string[];
  facts: Facts[];
}
/**
 * Whether it can serve, how many games the store has by status, and what is ill.
 */
export interface Health {
  ok: boolean;
  games: {
    [k: string]: number;
  };
  broken?: string[];
  ill?: {
    [k: string]: string;
  };
}
export const OPTIONS: readonly OptionRow[] = [
  {
    "name": "upgrade_skip",
    "values": [
      "next",
      "two",
      "substitution"
    ],
    "defaults": {
      "2019": "next",
      "2020": "next",
      "2023": "substitution"
    },
    "words": "what an Upgrade reaches when the next level is gone from the reserve"
  },
  {
    "name": "exchange_down",
    "values": [
      "any",
      "one"
    ],
    "defaults": {
      "2019": "any",
      "2020": "any",
      "2023": "any"
    },
    "words": "how many levels down an Upgrade may go"
  },
  {
    "name": "known_points",
    "values": [
      "yes",
      "no"
    ],
    "defaults": {
      "2019": "yes",
      "2020": "yes",
      "2023": "no"
    },
    "words": "whether everybody sees the piles and their points"
  },
  {
    "name": "max_rounds",
    "values": [],
    "defaults": {
      "2019": "",
      "2020": "",
      "2023": ""
    },
    "words": "the game ends after so many rounds (R19)"
  },
  {
    "name": "difficulty",
    "values": [
      "normal",
      "hard",
      "unbeatable"
    ],
    "defaults": {
      "2019": "normal",
      "2020": "normal",
      "2023": "normal"
    },
    "words": "the mastermind's strength",
    "solo": true
  }
];
