// An action that has begun and is not whole yet: what a button or a tap has asked for, and what was laid for it so far.
import type { Placement } from "./actions";
import type { Shape } from "./geometry";

export type Gathering = "master" | "ambassador" | "ghost";

/** What a button of the action bar has begun, to be gone on with on the table itself. */
export type Wanting = "upgrade" | "gain" | "ghost";

export class Begun {
  slot = $state<string | null>(null); // the card that is looked at, as `W2`
  wanting = $state<Wanting | null>(null);
  wanted = $state<Shape | null>(null); // the piece of the reserve that an Upgrade should bring
  breaking = $state<Shape | null>(null); // the Ghost whose pieces are to be chosen
  insertWanted = $state(false);
  gathering = $state<Gathering | null>(null);
  gathered = $state.raw<Placement[]>([]);
  more = $state.raw<Placement[]>([]); // what may still be added to what is gathered
  ghost = $state.raw<{ ghost: Shape; parts: Shape[] } | null>(null);
  pending = $state<string | null>(null); // the turn's last action, waiting to be confirmed
  credit = $state(false); // touches are paid with credits: it stays chosen
  sent = $state.raw<Placement[]>([]); // lies on the board while the answer is on its way

  /** Step back from all of it; says whether there was anything. */
  clear(): boolean {
    const something = this.gathering || this.slot || this.pending || this.insertWanted || this.wanting;
    this.slot = null;
    this.wanting = null;
    this.wanted = null;
    this.breaking = null;
    this.insertWanted = false;
    this.gathering = null;
    this.gathered = [];
    this.more = [];
    this.ghost = null;
    this.pending = null;
    return Boolean(something);
  }
}
