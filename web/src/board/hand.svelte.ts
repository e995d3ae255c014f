// What one person's hands do: from taps and drops to the action text that is sent.
// It knows which texts are legal and nothing of why; where it matters it asks `ontry`.
import { m } from "../lib/words.svelte";
import { type Placement, placement, placementText, read } from "./actions";
import type { Advice } from "./contract";
import { boxOf, type Cell, isShape, type Shape } from "./geometry";
import { type Gathering, Grip, type Wanting } from "./grip.svelte";
import type { Plan } from "./plan";
import { pieceName, reasonWords } from "./words";

export type Ask =
  | { kind: "deck" }
  | { kind: "recycle"; row: string }
  | { kind: "player"; seat: number }
  | { kind: "keys" }
  | { kind: "tiles" }
  | { kind: "log" };

const NOTE_STAYS = 6000; // milliseconds

export class Hand extends Grip {
  ask = $state.raw<Ask | null>(null);
  pending = $state<string | null>(null); // the turn's last action, waiting to be confirmed
  keyed = false; // the last thing done was done by keyboard
  away = $state.raw<Advice | null>(null); // a hint that was put away
  breaking = $state<Shape | null>(null); // the Ghost whose pieces are to be chosen

  /** What help would be about now. */
  get topic(): string {
    if (this.phase === "touches") return "touches";
    if (this.phase === "reward") return this.legal.has("levelup") ? "levelup" : "reward";
    if (this.gathering ?? this.wanting) return (this.gathering ?? this.wanting) as string;
    if (this.held) return "place";
    if (this.slot) return "take";
    return this.insert ? "insert" : this.props().view.end_triggered ? "end" : "turn";
  }

  get hint(): Advice | null {
    const { hint } = this.props();
    return this.acting && hint !== this.away ? hint : null;
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
    if (this.fitting.some((found) => found.place === hover.place)) {
      this.say(m.b_why_beside(), true);
    } else if (this.candidates.some((found) => found.shape === held.shape && found.place === hover.place)) {
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
    return this.before + this.verb + parts;
  }

  lay(found: Placement): void {
    this.sound("place");
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
    this.more = [];
    if (gathered.length === 0) return;
    const tried = await this.props().ontry(this.seat, this.gatheredText());
    if (this.gathered !== gathered) return; // something else was laid meanwhile
    this.more = (tried.more ?? []).map(placement).filter((found) => found !== undefined);
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

  /** Begin what a button asks for; the table shows how it can go on. Asked again, it is put away. */
  want(wanting: Wanting): void {
    if (this.wanting === wanting) return void this.cancel();
    const { held, insertWanted } = this;
    this.cancel();
    this.insertWanted = insertWanted;
    this.wanting = wanting;
    if (wanting === "upgrade") this.held = held;
    const ghosts = this.legal.sources("ghost", this.insert);
    if (wanting === "ghost") this.breaking = held && ghosts.includes(held.shape) ? held.shape : ghosts.length === 1 ? (ghosts[0] ?? null) : null;
  }

  /** Step back from whatever is begun; says whether there was anything. */
  cancel(): boolean {
    const something = this.held || this.gathering || this.slot || this.pending || this.insertWanted || this.wanting || this.ask;
    this.wanting = null;
    this.wanted = null;
    this.breaking = null;
    this.letGo();
    this.gathering = null;
    this.gathered = [];
    this.more = [];
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
    if (bad) this.sound("no");
  }

  /** Ask why an action is not possible and say it. */
  async why(action: string): Promise<void> {
    const tried = await this.props().ontry(this.seat, action);
    if (!tried.legal) this.say(reasonWords(tried.code ?? "", tried.sentence ?? ""), true);
  }

  tapPiece(shape: Shape): void {
    if (this.held?.shape === shape) this.letGo();
    else if (!this.mine) return;
    else if (this.wanting === "ghost" && this.sources.includes(shape)) this.breaking = shape;
    else if (this.wanted && this.sources.includes(shape)) this.act(`${this.before}upgrade ${shape} ${this.wanted}`);
    else if (!this.usable(shape) && !this.planning) void this.#whyPiece(shape);
    else this.pick(shape);
  }

  async #whyPiece(shape: Shape): Promise<void> {
    if (!this.acting) return;
    if ((this.player?.puzzles.length ?? 0) === 0) return this.say(m.b_why_no_puzzle(), true);
    if (this.candidates.length > 0 || this.legal.plain) this.say(m.b_why_fits_nowhere({ piece: pieceName(shape) }), true);
    else await this.why(`${this.verb} 1:a1`);
  }

  tapCard(slot: string): void {
    if (!this.acting || this.phase !== "play") return;
    const text = `${this.before}take ${slot}`;
    if (!this.legal.find(text)) void this.why(text);
    else if (this.slot === slot) this.act(text);
    else {
      this.letGo();
      this.slot = slot;
      this.sound("pick");
    }
  }

  /** A shape in the reserve: what the held piece becomes, a reward, what Gain takes, or what an Upgrade could reach. */
  tapReserve(shape: Shape): void {
    if (!this.acting || this.phase === "touches" || this.gathering) return;
    const given = this.held ? `${this.before}${this.exchange} ${this.held.shape} ${shape}` : "";
    const reward = this.legal.of("reward").find(({ words }) => words[1] === shape);
    if (given && this.legal.find(given)) this.act(given);
    else if (given) void this.why(given);
    else if (reward) this.act(reward.text);
    else if (this.phase !== "play") this.say(this.legal.has("levelup") ? m.b_levelup_ask() : m.b_reward_ask(), true);
    else if (this.legal.find(`${this.before}gain ${shape}`)) this.act(`${this.before}gain ${shape}`);
    else if (this.legal.of("upgrade", this.insert).some(({ words }) => words[1] === shape)) {
      if (this.wanting !== "upgrade") this.want("upgrade");
      this.wanted = shape;
    } else void this.why(`${this.before}gain ${shape}`);
  }

  clearPlans(): void {
    this.plans = this.plans.filter((plan) => plan.seat !== this.seat);
  }

  dropPlan(plan: Plan): void {
    this.plans = this.plans.filter((other) => other.text !== plan.text || other.seat !== plan.seat);
  }

  /** Tapping a planned piece plays it in my turn, and takes it away before. */
  tapPlan(plan: Plan): void {
    const text = `${this.before}place ${plan.text}`;
    if (this.acting && this.phase === "play" && !this.gathering && this.legal.find(text)) this.act(text);
    this.dropPlan(plan);
  }
}

export const shapesIn = (supply: Record<string, number>): Shape[] => Object.keys(supply).filter(isShape);
