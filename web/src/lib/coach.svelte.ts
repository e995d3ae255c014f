// The steps of the guided game. A step asks for one thing and is over when the player's events show it; what else
// the player does is allowed and answered, and a step that cannot be done now can be passed over.
import type { Event } from "./messages";
import type { Followed } from "./table.svelte";

interface Step {
  id: string;
  verb: string; // the action that ends it; empty: read, then go on
  spot: string[];
  turn: boolean; // needs the player's turn
}

export const STEPS: readonly Step[] = [
  { id: "welcome", verb: "", spot: [], turn: false },
  { id: "take", verb: "take", spot: ["take W1"], turn: true },
  { id: "place", verb: "place", spot: ["supply I2", "place 1"], turn: true },
  { id: "fill", verb: "place", spot: ["supply O1", "place 1"], turn: true },
  { id: "reward", verb: "", spot: ["supply I2"], turn: false },
  { id: "take_two", verb: "take", spot: ["take W2"], turn: true },
  { id: "gain", verb: "gain", spot: ["gain", "reserve"], turn: true },
  { id: "upgrade", verb: "upgrade", spot: ["upgrade", "supply O1", "supply I2"], turn: true },
  { id: "take_black", verb: "take", spot: [], turn: true },
  { id: "master", verb: "master", spot: ["master", "supply"], turn: true },
  { id: "end", verb: "", spot: [], turn: false },
];

export class Coach {
  step = $state(0);
  seen = $state(0); // the version up to which events were looked at

  constructor(private readonly followed: () => Followed | null) {
    $effect(() => this.look());
  }

  get current(): Step {
    return STEPS[this.step] ?? (STEPS.at(-1) as Step);
  }

  get reading(): boolean {
    return this.current.verb === "";
  }

  get myTurn(): boolean {
    return this.followed()?.mayAct ?? false;
  }

  /** Whether what the step asks for can be done now. */
  get possible(): boolean {
    const legal = Object.values(this.followed()?.state?.legal ?? {}).flat();
    return legal.some((action) => action.startsWith(this.current.verb));
  }

  get spot(): string[] {
    return this.myTurn || this.reading ? this.current.spot : [];
  }

  /** What the player did instead, since this step began; empty when nothing. */
  get instead(): string {
    const mine = this.mine.at(-1);
    return mine ? (mine.text.split(" ")[0] ?? "") : "";
  }

  readonly next = (): void => {
    this.seen = this.followed()?.state?.version ?? 0;
    this.step = Math.min(STEPS.length - 1, this.step + 1);
  };

  private get mine(): Event[] {
    const followed = this.followed();
    const seats = followed?.state?.seats ?? [];
    return followed?.events.filter((event) => event.version > this.seen && seats.includes(event.seat)) ?? [];
  }

  private look(): void {
    if (this.reading) return;
    const { verb } = this.current;
    const done = this.mine.find((event) => event.text.startsWith(verb) || (verb === "place" && event.text.startsWith("master")));
    if (!done) return;
    this.seen = done.version;
    this.step += 1;
  }
}
