// Which composition a table has on a screen, and how large its cells are: the largest that fits wins. Nothing here
// touches the page; Board.svelte writes what comes out into CSS variables.

/** What lies open in the middle: two rows, the two sides of Line Clear, or the grid of solo. */
export type Cards = "rows" | "sides" | "grid";

export interface Config {
  width: number; // of the board, in CSS pixels
  height: number;
  touch: boolean;
  cards: Cards;
  players: number;
  reserve: number; // kinds of pieces in the middle
  finesse: boolean;
  actions: number; // buttons of the action bar, taking back and hints left out; 0: nobody acts here
  action: number; // the width that their longest word needs
  supply: readonly (readonly [wide: number, high: number])[]; // pieces to plan for, in cells
}

export interface Composition {
  name: "wide" | "tall" | "short";
  cell: number; // of my puzzles and of my supply
  card: number; // a cell of an open card
  bit: number; // a cell of a piece in the reserve
  mini: number; // a cell of another player's puzzle
  deck: number; // the width of a deck
  columns: 2 | 4; // of my places
  stacked: boolean; // Line Clear: one side above the other
  head: "top" | "side"; // where my puzzles have their points and reward
  open: "top" | "side"; // and where open cards have them
  dock: "left" | "right" | "edge"; // under which half the actions are, or in columns at the right edge
  strip: "left" | "right"; // above which half the players stand, where there is no rail
  said: "left" | "right"; // under which half the prompt is
  rail: number; // its width; 0: the players stand in a strip
  left: number; // the width of the cards' half
  right: number; // the width of my half
  supply: number; // the height of the supply
  reserve: number; // the height of a row of the reserve
  prompt: number; // the height of what is said
  reserveRows: number;
  actionColumns: number;
  actionRows: number;
}

// A card in cells: the recess and a margin around it, a head above it or beside it.
export const BODY = 5.4;
export const TOP = 1.1;
export const SIDE = 1.35;

/** Heights and distances that do not grow with the cells. */
interface Measures {
  bar: number;
  strip: number;
  reserve: number; // a row
  finesse: number;
  prompt: number;
  actions: number; // a row
  gap: number;
  pad: number;
}

const ROOMY: Measures = { bar: 50, strip: 52, reserve: 50, finesse: 68, prompt: 46, actions: 48, gap: 10, pad: 14 };
const SMALL: Measures = { bar: 46, strip: 44, reserve: 44, finesse: 44, prompt: 40, actions: 44, gap: 3, pad: 4 };
export const PHONE = 520; // narrower or lower than this
export const measures = ({ width, height }: { width: number; height: number }): Measures =>
  Math.min(width, height) < PHONE ? SMALL : ROOMY;

const LOCKS = 22; // above the grid of solo
const MARKERS = 22; // above the rows of Line Clear
const ACTION = 58; // the least width of an action; GAP: between two
const GAP = 3;
const AIDS = 3; // take back, all of it, hint
const TARGET = 40;
const PLAYER = 46; // the least width of a player in a strip
const RAIL_FROM = 1180; // from this width on there is a rail
const LEAST_CARD = 12;

interface Candidate {
  name: Composition["name"];
  columns: 2 | 4;
  head: "top" | "side";
  open: "top" | "side";
  dock: "left" | "right" | "edge";
  strip: "left" | "right";
  said: "left" | "right";
  stacked: boolean;
}

interface Size {
  width: number;
  height: number;
}

const railOf = ({ width }: Config): number =>
  width < RAIL_FROM ? 0 : width < 1500 ? 224 : Math.min(380, Math.round(width * 0.155));
const deckOf = ({ touch }: Config, card: number): number => Math.max(touch ? TARGET : 36, Math.round(card * 2.6));

const cardSize = (head: "top" | "side"): readonly [number, number] => (head === "top" ? [BODY, BODY + TOP] : [BODY + SIDE, BODY]);

function market(config: Config, { open, stacked }: Candidate, card: number): Size {
  const { gap } = measures(config);
  const [wide, high] = cardSize(open).map((cells) => cells * card) as [number, number];
  const deck = deckOf(config, card);
  const grid = config.cards === "grid";
  const [columns, rows] = grid ? [3, 3] : config.cards === "rows" ? [4, 2] : stacked ? [3, 4] : [6, 2];
  const above = grid ? LOCKS : config.cards === "sides" ? MARKERS : 0;
  return { width: columns * (wide + gap) + deck, height: above + rows * (high + gap) - gap };
}

function places({ columns, head }: Candidate, cell: number, gap: number): Size {
  const rows = 4 / columns;
  const [wide, high] = cardSize(head);
  return { width: columns * (wide * cell + gap) - gap, height: rows * (high * cell + gap) - gap };
}

/** How high the supply is when its pieces lie in rows of this width. */
function supplyHeight({ supply }: Config, cell: number, width: number): number {
  let [left, height, row] = [width, 0, TARGET + 2];
  for (const [wide, high] of supply) {
    const need = Math.max(TARGET, (wide + 0.1) * cell + 4) + 2;
    if (left < need) {
      height += row;
      [left, row] = [width, TARGET + 2];
    }
    left -= need;
    row = Math.max(row, (high + 0.25) * cell + 2);
  }
  return height + row;
}

const actionWidth = ({ action }: Config): number => Math.max(ACTION, action);
const actionRows = (config: Config, width: number): number =>
  Math.max(1, Math.ceil(config.actions / Math.max(1, Math.floor((width + GAP) / (actionWidth(config) + GAP)))));
const reserveLeast = ({ touch }: Config): number => (touch ? TARGET : 34);
const reserveRows = (config: Config, width: number): number => Math.ceil((config.reserve * reserveLeast(config)) / (width + 1));
/** The columns of an action bar that stands at the edge of the screen. */
const edgeColumns = (config: Config): number =>
  Math.ceil(((config.actions + AIDS) * (TARGET + 1)) / (config.height - measures(config).bar));
const edgeWidth = (config: Config): number => edgeColumns(config) * (actionWidth(config) + 2);

function dockHeight(config: Config, width: number): number {
  const { prompt, actions } = measures(config);
  return config.actions === 0 ? 0 : prompt + actionRows(config, width) * (actions + GAP);
}

interface Halves {
  left: number;
  right: number;
}

/** What is left of the width for the two halves of the table; null where they have no room. */
function halves(config: Config, candidate: Candidate, cell: number, card: number): Halves | null {
  const { gap, pad } = measures(config);
  const across = config.width - 2 * pad;
  const open = market(config, candidate, card).width;
  const mine = places(candidate, cell, gap).width;
  if (candidate.name === "tall") return open <= across && mine <= across ? { left: across, right: across } : null;
  const rail = candidate.name === "wide" ? railOf(config) + pad : 0;
  const edge = candidate.dock === "edge" ? edgeWidth(config) + pad : 0;
  const frame = candidate.name === "wide" ? 2 * gap : 0; // my board is a panel there
  const free = across - rail - edge - frame - open - mine - pad;
  return free < 0 ? null : { left: open + free / 2, right: mine + free / 2 };
}

/** How high the two halves are with cells of these sizes; null where they are too wide. Stacked, they are one above the other. */
function heights(config: Config, candidate: Candidate, cell: number, card: number): Halves | null {
  const { strip, reserve, finesse, prompt, gap } = measures(config);
  const room = halves(config, candidate, cell, card);
  if (!room) return null;
  const { name, dock } = candidate;
  if (name !== "wide" && room[candidate.strip] < config.players * PLAYER) return null;
  const sides = { left: 0, right: 0 };
  if (name === "wide") sides.right += 2 * gap; // a panel's padding
  else sides[candidate.strip] += strip + gap;
  if (config.actions > 0) sides[candidate.said] += (dock === "edge" ? prompt : dockHeight(config, room[candidate.said])) + gap;
  if (config.finesse) sides.left += finesse + gap;
  sides.left += market(config, candidate, card).height + gap;
  sides.left += reserveRows(config, name === "tall" ? config.width : room.left) * reserve;
  sides.right += places(candidate, cell, gap).height + gap + supplyHeight(config, cell, room.right);
  return sides;
}

/** What is left of the height in each half; less than nothing where something has no room. */
function spare(config: Config, candidate: Candidate, cell: number, card: number): Halves {
  const { bar, gap } = measures(config);
  const high = config.height - bar - 2 * gap;
  const sides = heights(config, candidate, cell, card);
  if (!sides) return { left: -1, right: -1 };
  if (candidate.name !== "tall") return { left: high - sides.left, right: high - sides.right };
  const left = high - sides.left - gap - sides.right;
  return { left, right: left };
}

const fits = (config: Config, candidate: Candidate, cell: number, card: number): boolean =>
  Math.min(...Object.values(spare(config, candidate, cell, card))) >= 0;

const BOARDS = [[4, "top"], [2, "side"], [2, "top"]] as const;
const SIDES = ["left", "right"] as const;
/** Where the players, the actions and the prompt may stand. */
const ARRANGED: Record<Composition["name"], Pick<Candidate, "strip" | "dock" | "said">[]> = {
  wide: SIDES.map((side) => ({ strip: "left", dock: side, said: side })),
  tall: [{ strip: "left", dock: "right", said: "right" }],
  short: SIDES.flatMap((strip) => [
    ...SIDES.map((side) => ({ strip, dock: side, said: side })),
    ...SIDES.map((said) => ({ strip, dock: "edge" as const, said })),
  ]),
};

function candidates(config: Config): Candidate[] {
  const names: Composition["name"][] = railOf(config) > 0 ? ["wide"] : ["tall", "short"];
  const cards = [
    { open: "top" as const, stacked: false },
    ...(config.cards === "sides" ? [{ open: "top" as const, stacked: true }] : []),
    ...(config.cards === "grid" ? [{ open: "side" as const, stacked: false }] : []),
  ];
  return names.flatMap((name) =>
    ARRANGED[name].flatMap((arranged) =>
      BOARDS.flatMap(([columns, head]) => cards.map((card) => ({ name, columns, head, ...arranged, ...card }))),
    ),
  );
}

// How large an open card is beside a puzzle of mine: at least, and at most where there is room.
const LEAST: Record<Composition["name"], number> = { wide: 0.645, tall: 0.54, short: 0.58 };
const MOST = 0.8;
const SMALLEST = 8;
const LARGEST = 96;

function largest(config: Config, candidate: Candidate): { cell: number; card: number } | null {
  for (let cell = LARGEST; cell >= SMALLEST; cell--) {
    let card = Math.min(cell, Math.max(LEAST_CARD, Math.round(cell * LEAST[candidate.name])));
    if (!fits(config, candidate, cell, card)) continue;
    while (card + 1 <= cell * MOST && fits(config, candidate, cell, card + 1)) card++;
    return { cell, card };
  }
  return null;
}

/** My own puzzles count for twice as much as open cards. */
const weight = ({ cell, card }: { cell: number; card: number }): number => 2 * cell + card;

/** The composition with the largest cells that fits. */
export function compose(config: Config): Composition {
  let best: { candidate: Candidate; cell: number; card: number } | null = null;
  for (const candidate of candidates(config)) {
    const found = largest(config, candidate);
    if (found && (!best || weight(found) > weight(best))) best = { candidate, ...found };
  }
  const { candidate, cell, card } = best ?? { candidate: candidates(config)[0] as Candidate, cell: SMALLEST, card: SMALLEST };
  return { ...candidate, cell, card, ...details(config, candidate, cell, card) };
}

// The pieces of a set in cells, side by side and in two rows: nine kinds, and twelve.
const SQUARES = { few: [23, 15], many: [33, 20] } as const;
const FULLER = 1.25; // so much larger they have to become for one more row

/** How the reserve lies in what is left of its half: pieces up to the size of mine, in one more row where that gains much. */
function heap(config: Config, width: number, free: number, cell: number): { rows: number; bit: number } {
  const { reserve } = measures(config);
  const least = reserveRows(config, width);
  const [one, two] = SQUARES[config.reserve > 9 ? "many" : "few"];
  const bitIn = (rows: number): number => {
    const longest = (width - (Math.ceil(config.reserve / rows) - 1) * reserveLeast(config)) / 4; // of four cells
    const wide = Math.min(longest, (width - config.reserve * 10) / (rows === 1 ? one : rows === 2 ? two : one / rows));
    const high = (reserve - 20 + ((free - (rows - least) * reserve) * 0.6) / rows) / 2;
    return Math.floor(Math.min(wide, high, cell) * 2) / 2;
  };
  const rows = bitIn(least + 1) >= FULLER * bitIn(least) ? least + 1 : least;
  return { rows, bit: bitIn(rows) };
}

type Details = Omit<Composition, "name" | "cell" | "card" | keyof Candidate>;

function details(config: Config, candidate: Candidate, cell: number, card: number): Details {
  const { reserve, prompt } = measures(config);
  const tall = candidate.name === "tall";
  const { left, right } = halves(config, candidate, cell, card) ?? { left: config.width, right: config.width };
  const free = Math.max(0, spare(config, candidate, cell, card).left);
  const { rows, bit } = heap(config, tall ? config.width : left, free, cell);
  const rail = candidate.name === "wide" ? railOf(config) : 0;
  const lines = actionRows(config, candidate.said === "left" ? left : right);
  const height = Math.max(reserve, 2 * bit + 20);
  const beside = free - rows * height + reserveRows(config, tall ? config.width : left) * reserve;
  return {
    rail,
    bit,
    prompt: prompt + (candidate.said === "left" ? Math.floor(Math.max(0, Math.min(96, beside - 12))) : 0),
    deck: deckOf(config, card),
    reserve: height,
    mini: rail ? Math.min(14, Math.floor((rail - 36) / (4 * BODY))) : 4,
    supply: Math.ceil(supplyHeight(config, cell, right)),
    reserveRows: rows,
    actionColumns: candidate.dock === "edge" ? edgeColumns(config) : Math.max(1, Math.ceil(config.actions / lines)),
    actionRows: lines,
    left: Math.floor(left),
    right: Math.floor(right),
  };
}
