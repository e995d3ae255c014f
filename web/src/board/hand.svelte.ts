// What one person's hands do: the controller that joins what is held, begun, planned and possible into the action text
// that is sent. It knows which texts are legal and nothing of why; where it matters it asks `ontry`.
import { m } from "../lib/words.svelte";
import { play as sound } from "../sound/sounds";
import { type Placement, placement, placementText, read } from "./actions";
import { Begun, type Gathering, type Wanting } from "./begun.svelte";
import type { Advice, BoardProps } from "./contract";
import { boxOf, type Cell, isShape, type Shape } from "./geometry";
import { Held } from "./held.svelte";
import { MySeat } from "./myseat.svelte";
import { type Plan, Plans } from "./plans.svelte";
import { Possible } from "./possible.svelte";
import { Said } from "./said.svelte";
import { pieceName, reasonWords } from "./words";

export type Ask =
  | { kind: "deck" }
  | { kind: "recycle"; row: string }
  | { kind: "player"; seat: number }
  | { kind: "keys" }
  | { kind: "tiles" }
  | { kind: "log" };

type Heard = Parameters<typeof sound>[0];

export class Hand {
  readonly me: MySeat;
  readonly held: Held;
  readonly begun = new Begun();
  readonly plans: Plans;
  readonly possible: Possible;
  readonly said: Said;
  ask = $state.raw<Ask | null>(null);
  keyed = false; // the last thing done was done by keyboard
  away = $state.raw<Advice | null>(null); // a hint that was put away

  constructor(readonly props: () => BoardProps) {
    const heard = (name: Heard): void => this.#sound(name);
    this.me = new MySeat(props);
    this.held = new Held(heard);
    this.said = new Said(heard);
    this.plans = new Plans(this.me);
    this.possible = new Possible(props, this.me, this.held, this.begun, this.plans);
  }

  #sound(name: Heard): void {
    if (this.props().settings.sound) sound(name);
  }

  /** What help would be about now. */
  get topic(): string {
    const { legal, phase } = this.me;
    const { gathering, slot, wanting } = this.begun;
    if (phase === "touches") return "touches";
    if (phase === "reward") return legal.has("levelup") ? "levelup" : "reward";
    if (gathering ?? wanting) return (gathering ?? wanting) as string;
    if (this.held.piece) return "place";
    if (slot) return "take";
    return this.possible.insert ? "insert" : this.props().view.end_triggered ? "end" : "turn";
  }

  get hint(): Advice | null {
    const { hint } = this.props();
    return this.me.acting && hint !== this.away ? hint : null;
  }

  pick(shape: Shape): void {
    if (this.held.piece?.shape === shape) return;
    this.begun.slot = null;
    this.said.clear();
    this.held.pick(shape, new Set(this.possible.candidates.filter((found) => found.shape === shape).map((found) => found.key)));
  }

  /** Lay the held piece where the preview shows it, or say why it cannot lie here. */
  async drop(): Promise<void> {
    const { piece, hover } = this.held;
    const { candidates, fitting, planning, preview } = this.possible;
    if (!piece || !hover) return;
    if (preview) return this.lay(preview);
    const { width, height } = boxOf(piece.cells);
    const within = (value: number, size: number): number => Math.max(0, Math.min(5 - size, Math.round(value - size / 2)));
    const [left, top] = [within(hover.x, width), within(hover.y, height)];
    const cells = piece.cells.map(([column, row]): Cell => [column + left, row + top]);
    if (fitting.some((found) => found.place === hover.place)) {
      this.said.say(m.b_why_beside(), true);
    } else if (candidates.some((found) => found.shape === piece.shape && found.place === hover.place)) {
      this.said.say(m.b_why_turn(), true);
    } else if (!planning) {
      const before = this.begun.gathered.map((found) => found.text).join(" ");
      await this.why([this.#prefix(), before, placementText(hover.place, cells)].filter(Boolean).join(" "));
    } else {
      this.said.say(m.b_why_no_room(), true);
    }
  }

  #prefix(): string {
    const { gathering, ghost } = this.begun;
    const parts = gathering === "ghost" && ghost ? ` ${ghost.ghost} ${ghost.parts.join(" ")}` : "";
    return this.possible.before + this.possible.verb + parts;
  }

  lay(found: Placement): void {
    const { credit, gathered, gathering } = this.begun;
    this.#sound("place");
    if (this.possible.planning) {
      this.plans.add(found);
      this.held.letGo();
    } else if (gathering) {
      void this.#gather([...gathered, found].sort((a, b) => a.place - b.place));
    } else {
      this.act(`${this.#prefix()} ${found.text}${this.possible.verb === "touch" && credit ? " credit" : ""}`);
    }
  }

  async #gather(gathered: Placement[]): Promise<void> {
    this.held.letGo();
    this.begun.gathered = gathered;
    this.begun.more = [];
    if (gathered.length === 0) return;
    const tried = await this.props().ontry(this.me.seat, this.#gatheredText());
    if (this.begun.gathered !== gathered) return; // something else was laid meanwhile
    this.begun.more = (tried.more ?? []).map(placement).filter((found) => found !== undefined);
  }

  #gatheredText(): string {
    return [this.#prefix(), ...this.begun.gathered.map((found) => found.text)].join(" ");
  }

  takeBack(found: Placement): void {
    void this.#gather(this.begun.gathered.filter((other) => other !== found));
  }

  startGathering(verb: Gathering, ghost?: { ghost: Shape; parts: Shape[] }): void {
    this.cancel();
    this.begun.gathering = verb;
    this.begun.ghost = ghost ?? null;
  }

  finishGathering(): void {
    if (this.begun.gathered.length > 0 || this.begun.gathering === "ghost") this.act(this.#gatheredText());
  }

  /** Begin what a button asks for; the table shows how it can go on. Asked again, it is put away. */
  want(wanting: Wanting): void {
    const { begun, held } = this;
    if (begun.wanting === wanting) return void this.cancel();
    const { insertWanted } = begun;
    const { piece } = held;
    this.cancel();
    begun.insertWanted = insertWanted;
    begun.wanting = wanting;
    if (wanting === "upgrade") held.piece = piece;
    if (wanting !== "ghost") return;
    const ghosts = this.me.legal.sources("ghost", this.possible.insert);
    const only = ghosts.length === 1 ? (ghosts[0] ?? null) : null;
    begun.breaking = piece && ghosts.includes(piece.shape) ? piece.shape : only;
  }

  /** Step back from whatever is begun; says whether there was anything. */
  cancel(): boolean {
    const something = this.held.piece !== null || this.ask !== null;
    this.held.letGo();
    this.ask = null;
    this.said.clear();
    return this.begun.clear() || something;
  }

  act(text: string, confirmed = false): void {
    const { busy, settings } = this.props();
    if (busy) return;
    const { seat } = this.me;
    const ends = settings.confirmTurn && !confirmed && this.#endsTurn(text);
    this.cancel();
    if (ends) {
      this.begun.pending = text;
      return;
    }
    this.begun.sent = read(text).placements;
    this.props().onact(seat, text);
  }

  /** As the server says what ends this turn: its last action, or a word of its own. */
  #endsTurn(text: string): boolean {
    const { insert, verb } = read(text);
    const { actionsLeft, can, phase } = this.me;
    if (verb === "pass" || verb === "done") return true;
    return phase === "play" && can?.ends === "action" && actionsLeft === 1 && !insert;
  }

  /** Ask why an action is not possible and say it. */
  async why(action: string): Promise<void> {
    const tried = await this.props().ontry(this.me.seat, action);
    if (!tried.legal) this.said.say(reasonWords(tried.code ?? "", tried.sentence ?? ""), true);
  }

  tapPiece(shape: Shape): void {
    const { begun, possible } = this;
    const lit = possible.sources.includes(shape);
    if (this.held.piece?.shape === shape) this.held.letGo();
    else if (!this.me.mine) return;
    else if (begun.wanting === "ghost" && lit) begun.breaking = shape;
    else if (begun.wanted && lit) this.act(`${possible.before}upgrade ${shape} ${begun.wanted}`);
    else if (!possible.usable(shape) && !possible.planning) void this.#whyPiece(shape);
    else this.pick(shape);
  }

  async #whyPiece(shape: Shape): Promise<void> {
    const { acting, legal, player } = this.me;
    if (!acting) return;
    if ((player?.puzzles.length ?? 0) === 0) return this.said.say(m.b_why_no_puzzle(), true);
    if (this.possible.candidates.length > 0 || legal.plain) this.said.say(m.b_why_fits_nowhere({ piece: pieceName(shape) }), true);
    else await this.why(`${this.possible.verb} 1:a1`);
  }

  tapCard(slot: string): void {
    const { acting, legal, phase } = this.me;
    if (!acting || phase !== "play") return;
    const text = `${this.possible.before}take ${slot}`;
    if (!legal.find(text)) void this.why(text);
    else if (this.begun.slot === slot) this.act(text);
    else {
      this.held.letGo();
      this.begun.slot = slot;
      this.#sound("pick");
    }
  }

  /** A shape in the reserve: what the held piece becomes, a reward, what Gain takes, or what an Upgrade could reach. */
  tapReserve(shape: Shape): void {
    const { acting, legal, phase } = this.me;
    const { before, exchange, insert } = this.possible;
    const { piece } = this.held;
    if (!acting || phase === "touches" || this.begun.gathering) return;
    const given = piece ? `${before}${exchange} ${piece.shape} ${shape}` : "";
    const reward = legal.of("reward").find(({ words }) => words[1] === shape);
    if (given && legal.find(given)) this.act(given);
    else if (given) void this.why(given);
    else if (reward) this.act(reward.text);
    else if (phase !== "play") this.said.say(legal.has("levelup") ? m.b_levelup_ask() : m.b_reward_ask(), true);
    else if (legal.find(`${before}gain ${shape}`)) this.act(`${before}gain ${shape}`);
    else if (legal.of("upgrade", insert).some(({ words }) => words[1] === shape)) {
      if (this.begun.wanting !== "upgrade") this.want("upgrade");
      this.begun.wanted = shape;
    } else void this.why(`${before}gain ${shape}`);
  }

  /** Tapping a planned piece plays it in my turn, and takes it away before. */
  tapPlan(plan: Plan): void {
    const { acting, legal, phase } = this.me;
    const text = `${this.possible.before}place ${plan.text}`;
    if (acting && phase === "play" && !this.begun.gathering && legal.find(text)) this.act(text);
    this.plans.drop(plan);
  }
}

export const shapesIn = (supply: Record<string, number>): Shape[] => Object.keys(supply).filter(isShape);
