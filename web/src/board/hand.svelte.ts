// What one person's hands hold and intend, from picking a piece up to the action text that is sent.
// It knows which texts are legal and nothing of why; where it matters it asks `ontry`.
import { m } from "../lib/words.svelte";
import { type Placement, placement, placementText, read } from "./actions";
import { type Cell, boxOf, flip, isShape, keyOf, middle, normal, orientations, rotate, type Shape, SHAPE_CELLS } from "./geometry";
import { type Plan, planPlacements, stillFits } from "./plan";
import { play as sound } from "../sound/sounds";
import { Turn } from "./turn.svelte";
import { reasonWords } from "./words";

export type Gathering = "master" | "ambassador" | "ghost";
export type Ask =
  | { kind: "deck" }
  | { kind: "recycle"; row: string }
  | { kind: "gain" }
  | { kind: "upgrade"; given: Shape | null; taken: Shape | null }
  | { kind: "ghost"; ghost: Shape }
  | { kind: "player"; seat: number }
  | { kind: "keys" }
  | { kind: "log" };

export interface Hover {
  place: number;
  x: number; // the middle of the held piece, in cells
  y: number;
  sure: boolean; // aimed by keyboard or tap: any legal place of the puzzle will do
}

const NOTE_STAYS = 6000; // milliseconds
const REACH = 1.7; // how far a dragged piece snaps, in cells

export class Hand extends Turn {
  held = $state.raw<{ shape: Shape; cells: Cell[] } | null>(null);
  dragging = $state(false);
  hover = $state.raw<Hover | null>(null);
  slot = $state<string | null>(null); // the card that is looked at, as `W2`
  gathering = $state<Gathering | null>(null);
  gathered = $state.raw<Placement[]>([]);
  ghost = $state.raw<{ ghost: Shape; parts: Shape[] } | null>(null);
  insertWanted = $state(false);
  credit = $state(false); // touches are paid with credits
  ask = $state.raw<Ask | null>(null);
  pending = $state<string | null>(null); // the turn's last action, waiting to be confirmed
  sent = $state.raw<Placement[]>([]); // lies on the board while the answer is on its way
  note = $state.raw<{ text: string; bad: boolean; n: number } | null>(null);
  plans = $state.raw<Plan[]>([]);
  #more = $state.raw<Placement[]>([]);

  /** With no action left, whatever is still possible is an Insert. */
  insert = $derived.by(() => this.legal.inserts && (this.insertWanted || !this.legal.plain));
  planning = $derived.by(() => this.mine && !this.acting && this.phase !== "over" && this.phase !== "touches");
  verb = $derived.by(() => this.gathering ?? (this.phase === "touches" ? "touch" : "place"));

  /** Where the pieces in hand may go now, all shapes and orientations. */
  candidates = $derived.by((): Placement[] => {
    if (this.planning && this.player) return planPlacements(this.player, this.plans);
    if (this.gathered.length > 0) return this.#more;
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
    return this.legal.targets("upgrade", shape, this.insert).length > 0 || this.legal.decompositions(shape, this.insert).length > 0;
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
    this.#sound("pick");
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
    this.#sound("turn");
  }

  /** Aim by a cell: the piece lies with its middle cell there. */
  aim(place: number, cell: Cell): void {
    if (!this.held) return;
    const { width, height } = boxOf(this.held.cells);
    const x = cell[0] - Math.floor((width - 1) / 2) + width / 2;
    const y = cell[1] - Math.floor((height - 1) / 2) + height / 2;
    this.hover = { place, x, y, sure: true };
  }

  /** Lay the held piece where the preview shows it, or say why it cannot lie here. */
  async drop(): Promise<void> {
    const { held, hover, preview } = this;
    if (!held || !hover) return;
    if (preview) return this.lay(preview);
    const { width, height } = boxOf(held.cells);
    const within = (value: number, size: number): number => Math.max(0, Math.min(5 - size, Math.round(value - size / 2)));
    const [left, top] = [within(hover.x, width), within(hover.y, height)];
    const cells = held.cells.map(([column, row]): Cell => [column + left, row + top]);
    if (this.candidates.some((found) => found.shape === held.shape && found.place === hover.place)) {
      this.say(m.b_why_turn(), true);
    } else if (!this.planning) {
      const before = this.gathered.map((found) => found.text).join(" ");
      await this.why([this.#prefix(), before, placementText(hover.place, cells)].filter(Boolean).join(" "));
    } else {
      this.say(m.b_why_no_room(), true);
    }
  }

  #prefix(): string {
    const parts = this.gathering === "ghost" && this.ghost ? ` ${this.ghost.ghost} ${this.ghost.parts.join(" ")}` : "";
    return (this.insert ? "insert " : "") + this.verb + parts;
  }

  lay(found: Placement): void {
    this.#sound("place");
    if (this.planning) {
      this.plans = [...this.plans, { ...found, seat: this.seat }];
      this.letGo();
    } else if (this.gathering) {
      this.#gather([...this.gathered, found].sort((a, b) => a.place - b.place));
    } else {
      this.act(`${this.#prefix()} ${found.text}${this.verb === "touch" && this.credit ? " credit" : ""}`);
    }
  }

  async #gather(gathered: Placement[]): Promise<void> {
    this.letGo();
    this.gathered = gathered;
    this.#more = [];
    if (gathered.length === 0) return;
    const tried = await this.props().ontry(this.seat, this.gatheredText());
    if (this.gathered !== gathered) return; // something else was laid meanwhile
    this.#more = (tried.more ?? []).map(placement).filter((found) => found !== undefined);
  }

  gatheredText(): string {
    return [this.#prefix(), ...this.gathered.map((found) => found.text)].join(" ");
  }

  takeBack(found: Placement): void {
    void this.#gather(this.gathered.filter((other) => other !== found));
  }

  startGathering(verb: Gathering, ghost?: { ghost: Shape; parts: Shape[] }): void {
    this.cancel();
    this.gathering = verb;
    this.ghost = ghost ?? null;
  }

  finishGathering(): void {
    if (this.gathered.length > 0 || this.gathering === "ghost") this.act(this.gatheredText());
  }

  /** Step back from whatever is begun; says whether there was anything. */
  cancel(): boolean {
    const something = this.held || this.gathering || this.slot || this.pending || this.insertWanted || this.ask;
    this.letGo();
    this.gathering = null;
    this.gathered = [];
    this.#more = [];
    this.ghost = null;
    this.slot = null;
    this.pending = null;
    this.insertWanted = false;
    this.ask = null;
    this.note = null;
    return Boolean(something);
  }

  act(text: string, confirmed = false): void {
    const { busy, settings } = this.props();
    if (busy) return;
    if (settings.confirmTurn && !confirmed && this.#endsTurn(text)) {
      this.cancel();
      this.pending = text;
      return;
    }
    this.sent = read(text).placements;
    const seat = this.seat;
    this.cancel();
    this.props().onact(seat, text);
  }

  #endsTurn(text: string): boolean {
    const { insert, verb } = read(text);
    if (verb === "pass" || verb === "done") return true;
    return this.phase === "play" && this.actionsLeft === 1 && !insert && (this.player?.credits?.active ?? 0) < 2;
  }

  say(text: string, bad = false): void {
    const note = { text, bad, n: (this.note?.n ?? 0) + 1 };
    this.note = note;
    setTimeout(() => {
      if (this.note === note) this.note = null;
    }, NOTE_STAYS);
    if (bad) this.#sound("no");
  }

  /** Ask why an action is not possible and say it. */
  async why(action: string): Promise<void> {
    const tried = await this.props().ontry(this.seat, action);
    if (!tried.legal) this.say(reasonWords(tried.code ?? "", tried.sentence ?? ""), true);
  }

  tapPiece(shape: Shape): void {
    if (this.held?.shape === shape) this.letGo();
    else if (!this.mine) return;
    else if (!this.usable(shape) && !this.planning) void this.#whyPiece(shape);
    else this.pick(shape);
  }

  async #whyPiece(shape: Shape): Promise<void> {
    if (!this.acting) return;
    if ((this.player?.puzzles.length ?? 0) === 0) return this.say(m.b_why_no_puzzle(), true);
    if (this.candidates.length > 0 || this.legal.plain) this.say(m.b_why_fits_nowhere({ piece: shape }), true);
    else await this.why(`${this.verb} 1:a1`);
  }

  tapCard(slot: string): void {
    if (!this.acting || this.phase !== "play") return;
    const text = `${this.insert ? "insert " : ""}take ${slot}`;
    if (!this.legal.find(text)) void this.why(text);
    else if (this.slot === slot) this.act(text);
    else {
      this.letGo();
      this.slot = slot;
      this.#sound("pick");
    }
  }

  /** A shape in the reserve: what the held piece becomes, what Gain takes, or what an Upgrade could reach. */
  tapReserve(shape: Shape): void {
    if (!this.acting || this.phase !== "play" || this.gathering) return;
    const before = this.insert ? "insert " : "";
    if (this.held) {
      const text = `${before}upgrade ${this.held.shape} ${shape}`;
      if (this.legal.find(text)) this.act(text);
      else void this.why(text);
    } else if (this.legal.find(`${before}gain ${shape}`)) this.act(`${before}gain ${shape}`);
    else if (this.legal.of("upgrade", this.insert).some(({ words }) => words[1] === shape))
      this.ask = { kind: "upgrade", given: null, taken: shape };
    else void this.why(`${before}gain ${shape}`);
  }

  clearPlans(): void {
    this.plans = this.plans.filter((plan) => plan.seat !== this.seat);
  }

  dropPlan(plan: Plan): void {
    this.plans = this.plans.filter((other) => other.text !== plan.text || other.seat !== plan.seat);
  }

  /** Tapping a planned piece plays it in my turn, and takes it away before. */
  tapPlan(plan: Plan): void {
    const text = `${this.insert ? "insert " : ""}place ${plan.text}`;
    if (this.acting && this.phase === "play" && !this.gathering && this.legal.find(text)) this.act(text);
    this.dropPlan(plan);
  }

  #sound(name: Parameters<typeof sound>[0]): void {
    if (this.props().settings.sound) sound(name);
  }
}

export const shapesIn = (supply: Record<string, number>): Shape[] => Object.keys(supply).filter(isShape);
