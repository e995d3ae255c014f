// The piece in hand: which one it is, how it is turned, where it may lie.
import type { Placement } from "./actions";
import { boxOf, type Cell, flip, isShape, keyOf, middle, normal, orientations, rotate, type Shape, SHAPE_CELLS } from "./geometry";
import { type Plan, planPlacements, stillFits } from "./plan";
import { play as sound } from "../sound/sounds";
import { Turn } from "./turn.svelte";

export type Gathering = "master" | "ambassador" | "ghost";

/** What a button of the action bar has begun, to be gone on with on the table itself. */
export type Wanting = "upgrade" | "gain" | "ghost";

export interface Hover {
  place: number;
  x: number; // the middle of the held piece, in cells
  y: number;
  sure: boolean; // aimed by keyboard or tap: any legal place of the puzzle will do
}

const REACH = 1.7; // how far a dragged piece snaps, in cells

export class Grip extends Turn {
  held = $state.raw<{ shape: Shape; cells: Cell[] } | null>(null);
  dragging = $state(false);
  hover = $state.raw<Hover | null>(null);
  slot = $state<string | null>(null); // the card that is looked at, as `W2`
  gathering = $state<Gathering | null>(null);
  gathered = $state.raw<Placement[]>([]);
  ghost = $state.raw<{ ghost: Shape; parts: Shape[] } | null>(null);
  insertWanted = $state(false);
  wanting = $state<Wanting | null>(null);
  wanted = $state<Shape | null>(null); // the piece of the reserve that an Upgrade should bring
  credit = $state(false); // touches are paid with credits
  sent = $state.raw<Placement[]>([]); // lies on the board while the answer is on its way
  note = $state.raw<{ text: string; bad: boolean; n: number } | null>(null);
  plans = $state.raw<Plan[]>([]);
  protected more = $state.raw<Placement[]>([]); // what may still be added to what is gathered

  /** With no action left, whatever is still possible is an Insert. */
  insert = $derived.by(() => this.legal.inserts && (this.insertWanted || !this.legal.plain));
  /** What an action's text begins with. */
  before = $derived.by(() => (this.insert ? "insert " : ""));
  planning = $derived.by(() => this.mine && !this.acting && this.phase !== "over" && this.phase !== "touches");
  verb = $derived.by(() => this.gathering ?? (this.phase === "touches" ? "touch" : "place"));

  /** Upgrade, or the Level Up that a reward allows: both give a piece for one of the reserve. */
  exchange = $derived.by(() => (this.phase === "reward" ? "levelup" : "upgrade"));
  /** The pieces of mine that light up: those that what was begun can go on with. */
  sources = $derived.by((): Shape[] => {
    if (this.held || this.gathering) return [];
    if (this.phase === "reward") return this.legal.sources("levelup");
    if (this.wanting === "ghost") return this.legal.sources("ghost", this.insert);
    if (this.wanting !== "upgrade") return [];
    const sources = this.legal.sources("upgrade", this.insert);
    const wanted = this.wanted;
    return wanted ? sources.filter((shape) => this.legal.targets("upgrade", shape, this.insert).includes(wanted)) : sources;
  });
  /** The pieces of the reserve that light up: what the piece in hand may become, or what may be taken. */
  targets = $derived.by((): Shape[] => {
    if (this.gathering || !this.acting) return [];
    if (this.held) return this.legal.targets(this.exchange, this.held.shape, this.insert);
    if (this.phase === "reward") return this.legal.of("reward").flatMap(({ words }) => (isShape(words[1]) ? [words[1]] : []));
    if (this.wanting !== "gain") return this.wanted ? [this.wanted] : [];
    return this.legal.of("gain", this.insert).flatMap(({ words }) => (isShape(words[0]) ? [words[0]] : []));
  });

  /** Where the pieces in hand may go now, all shapes and orientations. */
  candidates = $derived.by((): Placement[] => {
    if (this.planning && this.player) return planPlacements(this.player, this.plans);
    if (this.gathered.length > 0) return this.more;
    const parts = this.ghost?.parts.join(" ");
    return this.legal.of(this.verb, this.insert).flatMap((action) => {
      if (this.verb === "touch" && action.credit !== this.credit) return [];
      if (this.verb === "ghost" && action.words.slice(1).join(" ") !== parts) return [];
      return action.placements.slice(0, 1);
    });
  });
  /** Those of the held piece, as it is turned now. */
  fitting = $derived.by((): Placement[] => {
    const held = this.held;
    if (!held) return [];
    const key = keyOf(held.cells);
    return this.candidates.filter((found) => found.shape === held.shape && found.key === key);
  });
  preview = $derived.by((): Placement | null => {
    const hover = this.hover;
    if (!hover || !this.held) return null;
    let best: Placement | null = null;
    let least = hover.sure ? Infinity : REACH;
    for (const found of this.fitting) {
      if (found.place !== hover.place) continue;
      const { x, y } = middle(found.cells);
      const distance = Math.hypot(x - hover.x, y - hover.y);
      if (distance < least - 1e-6) [best, least] = [found, distance];
    }
    return best;
  });
  livePlans = $derived.by(() => (this.player ? stillFits(this.player, this.plans.filter((plan) => plan.seat === this.seat)) : []));

  /** How many of a shape can still be picked up. */
  count(shape: Shape): number {
    const used = this.gathered.filter((found) => found.shape === shape).length;
    if (this.gathering === "ghost") return (this.ghost?.parts.filter((part) => part === shape).length ?? 0) - used;
    const flying = this.props().busy ? this.sent.filter((found) => found.shape === shape).length : 0;
    const planned = this.planning ? this.livePlans.filter((plan) => plan.shape === shape).length : 0;
    return (this.player?.supply[shape] ?? 0) - used - flying - planned;
  }

  /** Whether a piece of this shape can be laid anywhere, or exchanged. */
  usable(shape: Shape): boolean {
    if (this.candidates.some((found) => found.shape === shape)) return true;
    if (this.gathering || this.planning) return false;
    return this.legal.targets(this.exchange, shape, this.insert).length > 0 || this.legal.decompositions(shape, this.insert).length > 0;
  }

  pick(shape: Shape): void {
    if (this.held?.shape === shape) return;
    this.slot = null;
    this.hover = null;
    this.note = null;
    let cells = normal(SHAPE_CELLS[shape]);
    const keys = new Set(this.candidates.filter((found) => found.shape === shape).map((found) => found.key));
    // Begin in a position that fits somewhere, so that often nothing needs turning.
    cells = orientations(cells).find((turned) => keys.has(keyOf(turned))) ?? cells;
    this.held = { shape, cells };
    this.sound("pick");
  }

  letGo(): void {
    this.held = null;
    this.hover = null;
    this.dragging = false;
  }

  rotate(back = false): void {
    if (!this.held) return;
    let cells = rotate(this.held.cells);
    if (back) cells = rotate(rotate(cells));
    this.#turn(cells);
  }

  flip(): void {
    if (this.held) this.#turn(flip(this.held.cells));
  }

  #turn(cells: Cell[]): void {
    if (!this.held) return;
    this.held = { ...this.held, cells };
    this.sound("turn");
  }

  /** Aim by a cell: the piece lies with its middle cell there. */
  aim(place: number, cell: Cell): void {
    if (!this.held) return;
    const { width, height } = boxOf(this.held.cells);
    const x = cell[0] - Math.floor((width - 1) / 2) + width / 2;
    const y = cell[1] - Math.floor((height - 1) / 2) + height / 2;
    this.hover = { place, x, y, sure: true };
  }

  protected sound(name: Parameters<typeof sound>[0]): void {
    if (this.props().settings.sound) sound(name);
  }
}
