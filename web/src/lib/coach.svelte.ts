// The steps of the guided game. A step asks for one thing and is over when the player's events show it. Until then the
// hands are led: anything else is refused in words, so that what the coach says next is true. A step that is not true
// of the table (skipped over, or played on elsewhere) is passed over.
import { actionOf, seatOf } from "./events";
import type { Happened, PlayerView, Update } from "./messages";
import type { Followed } from "./table.svelte";
import { m, word } from "./words.svelte";

interface Step {
  id: string;
  asks: RegExp | null; // the actions that end it; null: read, then go on
  spot: string[];
  fits(me: PlayerView, state: Update): boolean; // whether its words are true of the table
}

const always = (): boolean => true;
const emptyAt1 = (me: PlayerView): number => me.puzzles.find(({ place }) => place === 1)?.empty.length ?? 0;

const CARDS = ["W", "B"].flatMap((row) => [1, 2, 3, 4].map((n) => `take ${row}${n}`));

export const STEPS: readonly Step[] = [
  { id: "welcome", asks: null, spot: [...CARDS, "supply"], fits: always },
  {
    id: "take",
    asks: /^take W1$/,
    spot: ["take W1"],
    fits: ({ puzzles, completed }, { view }) => view.actions_left === 3 && !puzzles.length && !completed?.length,
  },
  {
    id: "place",
    asks: /^place 1:(..){2}$/,
    spot: ["supply I2", "place 1"],
    fits: (me) => emptyAt1(me) === 3 && !!me.supply["I2"],
  },
  {
    id: "fill",
    asks: /^place 1:..$/,
    spot: ["supply O1", "place 1"],
    fits: (me) => emptyAt1(me) === 1 && !!me.supply["O1"],
  },
  { id: "reward", asks: null, spot: ["supply I2"], fits: ({ completed }) => completed?.length === 1 },
  { id: "take_two", asks: /^take W1$/, spot: ["take W1"], fits: ({ puzzles, completed }) => !puzzles.length && !!completed?.length },
  { id: "gain", asks: /^gain O1$/, spot: ["gain", "reserve"], fits: always },
  {
    id: "upgrade",
    asks: /^upgrade \w1 \w2$|^upgrade \w2 \w3$|^upgrade \w3 \w4$/,
    spot: ["upgrade", "supply O1", "supply I2"],
    fits: ({ supply }) => Object.keys(supply).length > 0,
  },
  { id: "take_black", asks: /^take [WB]\d?$/, spot: [], fits: ({ puzzles }) => puzzles.length === 1 },
  { id: "master", asks: /^master /, spot: ["master", "supply"], fits: ({ puzzles }) => puzzles.length > 1 },
  { id: "end", asks: null, spot: [], fits: always },
];

export class Coach {
  step = $state(0);
  seen = $state(0); // the version up to which events were looked at

  /** Whether what the step asks for can be done now. */
  possible = $derived.by(() => Object.values(this.followed()?.state?.legal ?? {}).flat().some((action) => this.asked(action)));
  /** What the hands are offered. Pieces can always be picked up: the board says of a piece it may not use that it fits nowhere. */
  legal = $derived.by(() => {
    const legal = this.reading ? {} : (this.followed()?.state?.legal ?? {});
    const offered = (action: string) => action.startsWith("place ") || this.allows(action);
    return Object.fromEntries(Object.entries(legal).map(([seat, actions]) => [seat, actions.filter(offered)]));
  });

  constructor(private readonly followed: () => Followed | null) {
    $effect(() => this.look());
  }

  get current(): Step {
    return STEPS[this.step] ?? (STEPS.at(-1) as Step);
  }

  get reading(): boolean {
    return !this.current.asks;
  }

  get myTurn(): boolean {
    return this.followed()?.mayAct ?? false;
  }

  private asked(action: string): boolean {
    return this.current.asks?.test(action) ?? false;
  }

  /** Whether the hands may do this now; where what is asked for is not possible, anything. */
  allows(action: string): boolean {
    return !this.reading && (this.asked(action) || !this.possible);
  }

  /** Why something else has to wait. */
  instead(action: string): string {
    if (this.reading) return m.learn_read_first();
    const sameKind = this.current.asks?.source.startsWith(`^${action.split(" ")[0]} `);
    return sameKind ? m.learn_marked() : m.learn_first({ what: word(`learn_${this.current.id}_title`) });
  }

  get spot(): string[] {
    return this.myTurn || this.reading ? this.current.spot : [];
  }

  readonly next = (): void => {
    this.seen = this.followed()?.state?.version ?? 0;
    this.step = Math.min(STEPS.length - 1, this.step + 1);
  };

  private get mine(): Happened[] {
    const followed = this.followed();
    const seats = followed?.state?.seats ?? [];
    return followed?.events.filter(({ version, event }) => version > this.seen && seats.includes(seatOf(event))) ?? [];
  }

  private look(): void {
    const done = this.mine.find((happened) => this.asked(actionOf(happened)));
    if (done) {
      this.seen = done.version;
      this.step += 1;
    } else if (this.untrue()) this.next();
  }

  private untrue(): boolean {
    const followed = this.followed();
    const { state, table, stale } = followed ?? {};
    if (!state || stale || this.step === STEPS.length - 1) return false;
    const me = state.view.players.find(({ seat }) => state.seats.includes(seat));
    return table?.status === "over" || (!!me && !this.current.fits(me, state));
  }
}
