// What is possible with what is held and begun: which pieces light up, where the one in hand may lie. It filters the
// legal actions that the server has sent.
import type { Placement } from "./actions";
import type { Begun } from "./begun.svelte";
import type { BoardProps } from "./contract";
import { isShape, keyOf, middle, type Shape } from "./geometry";
import type { Held } from "./held.svelte";
import type { MySeat } from "./myseat.svelte";
import { planPlacements, type Plans } from "./plans.svelte";

const REACH = 1.7; // how far a dragged piece snaps, in cells

export class Possible {
  constructor(
    private readonly props: () => BoardProps,
    private readonly me: MySeat,
    private readonly held: Held,
    private readonly begun: Begun,
    private readonly plans: Plans,
  ) {}

  /** With no action left, whatever is still possible is an Insert. */
  insert = $derived.by(() => this.me.legal.inserts && (this.begun.insertWanted || !this.me.legal.plain));
  /** What an action's text begins with. */
  before = $derived.by(() => (this.insert ? "insert " : ""));
  planning = $derived.by(() => this.me.mine && !this.me.acting && this.me.phase !== "over" && this.me.phase !== "touches");
  verb = $derived.by(() => this.begun.gathering ?? (this.me.phase === "touches" ? "touch" : "place"));

  /** Upgrade, or the Level Up that a reward allows: both give a piece for one of the reserve. */
  exchange = $derived.by(() => (this.me.phase === "reward" ? "levelup" : "upgrade"));
  /** The pieces of mine that light up: those that what was begun can go on with. */
  sources = $derived.by((): Shape[] => {
    const { legal, phase } = this.me;
    const { gathering, wanting, wanted } = this.begun;
    if (this.held.piece || gathering) return [];
    if (phase === "reward") return legal.sources("levelup");
    if (wanting === "ghost") return legal.sources("ghost", this.insert);
    if (wanting !== "upgrade") return [];
    const sources = legal.sources("upgrade", this.insert);
    return wanted ? sources.filter((shape) => legal.targets("upgrade", shape, this.insert).includes(wanted)) : sources;
  });
  /** The pieces of the reserve that light up: what the piece in hand may become, or what may be taken. */
  targets = $derived.by((): Shape[] => {
    const { acting, legal, phase } = this.me;
    const { gathering, wanting, wanted } = this.begun;
    if (gathering || !acting) return [];
    if (this.held.piece) return legal.targets(this.exchange, this.held.piece.shape, this.insert);
    if (phase === "reward") return legal.of("reward").flatMap(({ words }) => (isShape(words[1]) ? [words[1]] : []));
    if (wanting !== "gain") return wanted ? [wanted] : [];
    return legal.of("gain", this.insert).flatMap(({ words }) => (isShape(words[0]) ? [words[0]] : []));
  });

  /** Where the pieces in hand may go now, all shapes and orientations. */
  candidates = $derived.by((): Placement[] => {
    const { player, legal } = this.me;
    if (this.planning && player) return planPlacements(player, this.plans.all);
    if (this.begun.gathered.length > 0) return this.begun.more;
    const parts = this.begun.ghost?.parts.join(" ");
    return legal.of(this.verb, this.insert).flatMap((action) => {
      if (this.verb === "touch" && action.credit !== this.begun.credit) return [];
      if (this.verb === "ghost" && action.words.slice(1).join(" ") !== parts) return [];
      return action.placements.slice(0, 1);
    });
  });
  /** Those of the held piece, as it is turned now. */
  fitting = $derived.by((): Placement[] => {
    const { piece } = this.held;
    if (!piece) return [];
    const key = keyOf(piece.cells);
    return this.candidates.filter((found) => found.shape === piece.shape && found.key === key);
  });
  preview = $derived.by((): Placement | null => {
    const { hover } = this.held;
    if (!hover || !this.held.piece) return null;
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

  /** How many of a shape can still be picked up. */
  count(shape: Shape): number {
    const { gathered, gathering, ghost, sent } = this.begun;
    const used = gathered.filter((found) => found.shape === shape).length;
    if (gathering === "ghost") return (ghost?.parts.filter((part) => part === shape).length ?? 0) - used;
    const flying = this.props().busy ? sent.filter((found) => found.shape === shape).length : 0;
    const planned = this.planning ? this.plans.live.filter((plan) => plan.shape === shape).length : 0;
    return (this.me.player?.supply[shape] ?? 0) - used - flying - planned;
  }

  /** Whether a piece of this shape can be laid anywhere, or exchanged. */
  usable(shape: Shape): boolean {
    if (this.candidates.some((found) => found.shape === shape)) return true;
    if (this.begun.gathering || this.planning) return false;
    const { legal } = this.me;
    return legal.targets(this.exchange, shape, this.insert).length > 0 || legal.decompositions(shape, this.insert).length > 0;
  }
}
