// A turn that is tried, not played: the actions travel with every question, and the server answers where they lead.
import type { Happened, Tried } from "../board/contract";
import { stepEvent } from "./events";
import type { Daily, Setup, Table } from "./messages";
import { sayError } from "./refusals";
import { COLOURS } from "./settings.svelte";
import { myName } from "./setup";
import { m } from "./words.svelte";

export type Position = Pick<Daily, "setup" | "seat" | "view" | "legal" | "steps" | "done">;

export interface Asked<P extends Position> {
  ask(actions: string[]): Promise<P>;
  try(actions: string[], action: string): Promise<Tried>;
}

export class Practice<P extends Position> {
  now = $state.raw<P | null>(null);
  actions = $state.raw<string[]>([]);
  events = $state.raw<Happened[]>([]);
  busy = $state(false);
  refused = $state.raw<{ code: string; sentence: string } | null>(null);

  constructor(private readonly server: Asked<P>) {}

  /** Where these actions lead; an error of the first question is the caller's. */
  async go(actions: string[]): Promise<void> {
    this.busy = true;
    this.refused = null;
    try {
      const found = await this.server.ask(actions);
      const kept = this.#kept(found);
      if (kept < this.actions.length) this.#note({ type: "undone", seat: found.seat, to: kept });
      for (const step of found.steps.slice(kept)) this.#note(stepEvent(step).event, step.facts);
      this.actions = found.steps.map(({ text }) => text);
      this.now = found;
    } catch (error) {
      if (!this.now) throw error;
      this.refuse(sayError(error));
    } finally {
      this.busy = false;
    }
  }

  #kept(found: P): number {
    const changed = found.steps.findIndex(({ text }, n) => text !== this.actions[n]);
    return changed < 0 ? Math.min(found.steps.length, this.actions.length) : changed;
  }

  #note(event: Happened["event"], facts?: Happened["facts"]): void {
    this.events = [...this.events, { version: this.events.length + 1, at: 0, event, ...(facts ? { facts } : {}) }];
  }

  refuse(sentence: string): void {
    this.refused = { code: "", sentence };
  }

  readonly act = (_seat: number, action: string): void => void this.go([...this.actions, action]);
  readonly undo = (_seat: number, all: boolean): void => void this.go(all ? [] : this.actions.slice(0, -1));
  readonly try = async (_seat: number, action: string): Promise<Tried> => {
    try {
      return await this.server.try(this.actions, action);
    } catch (error) {
      return { type: "tried", game: "", id: "", legal: false, code: "", sentence: sayError(error) };
    }
  };
}

/** A table for a position that belongs to none: I sit on one seat, others on the rest. */
export function tableFor(setup: Setup, seat: number, game: string): Table {
  const seats = Array.from({ length: setup.players }, (_, index) => ({
    seat: index + 1,
    kind: "person",
    name: (index + 1 === seat && myName()) || m.seat_player({ n: index + 1 }),
    colour: COLOURS[(index - seat + 1 + COLOURS.length) % COLOURS.length] ?? "teal",
    online: true,
  }));
  return { game, setup, status: "playing", created: 0, seats };
}
