// What is new at the table: it flies to its place, is announced and heard.
import { actionOf, seatOf } from "../lib/events";
import { play as sound } from "../sound/sounds";
import { read } from "./actions";
import { complete, leaving } from "./completion";
import type { BoardProps, Happened } from "./contract";
import type { Drag } from "./drag.svelte";
import { flyAll } from "./flights";
import type { Hand } from "./hand.svelte";
import { toTaken } from "./keys";
import { type Cards, colourOf, eventLines } from "./words";

const MOST = 4; // more at once is a jump in time, not a moment

interface Stage {
  root: HTMLElement | undefined;
  flying: HTMLElement | undefined; // the layer above everything
}

export class News {
  announced = $state("");
  #heard = -1; // the version of the last event
  #shown = 0; // whose board was shown in full then
  #leaving: ReturnType<typeof leaving> = [];

  constructor(
    private readonly props: () => BoardProps,
    private readonly hand: Hand,
    private readonly drag: Drag,
    private readonly cards: () => Cards,
    private readonly stage: () => Stage,
  ) {
    $effect.pre(() => this.#foresee());
    $effect(() => this.#hear());
    $effect(() => {
      if (!this.props().busy) this.drag.settle();
    });
  }

  get #fresh(): Happened[] {
    const { events } = this.props();
    return this.#heard < 0 ? [] : events.filter(({ version }) => version > this.#heard);
  }

  /** The table as it was just before: what leaves it is kept for its last moment. */
  #foresee(): void {
    const fresh = this.#fresh;
    const { root } = this.stage();
    const wanted = root && fresh.length <= MOST && this.props().settings.motion === "full";
    this.#leaving = wanted ? leaving(root, fresh, this.#shown) : [];
  }

  #hear(): void {
    const fresh = this.#fresh;
    this.#heard = this.props().events.at(-1)?.version ?? 0;
    this.drag.stale();
    this.#part(fresh);
    this.#shown = this.hand.me.player?.seat ?? 0;
    if (fresh.length === 0) return;
    this.drag.settle();
    this.#fly(fresh);
    this.#keepFocus(fresh);
    this.#say(fresh);
    this.#sound(fresh);
  }

  #part(fresh: Happened[]): void {
    const { root, flying } = this.stage();
    if (root && flying && fresh.length > 0) for (const each of this.#leaving) complete(root, flying, each, this.hand.me.player?.seat ?? 0);
    this.#leaving = [];
  }

  #fly(fresh: Happened[]): void {
    const { view, settings, table, seats } = this.props();
    const { root, flying } = this.stage();
    if (!root || !flying || settings.motion !== "full") return;
    const colours = (seat: number): string => (seats.includes(seat) || seat === 0 ? "" : colourOf(table, seat));
    flyAll(root, flying, fresh, view, this.hand.me.player?.seat, this.drag.dropped, colours);
  }

  #keepFocus(fresh: Happened[]): void {
    const { root } = this.stage();
    const last = fresh.at(-1);
    const { verb, words } = read(last ? actionOf(last) : "");
    if (!root || !this.hand.keyed || verb !== "take" || document.activeElement !== document.body) return;
    if (last && this.props().seats.includes(seatOf(last.event))) toTaken(root, this.hand, last.facts?.card, words[0] ?? "");
  }

  #say(fresh: Happened[]): void {
    const { table, seats } = this.props();
    const lines = (happened: Happened) => eventLines(happened, table, this.cards());
    this.announced = fresh.flatMap(lines).map((line) => line.text).join(". ");
    for (const happened of fresh) {
      if (!seats.includes(seatOf(happened.event)) || !happened.facts?.completed?.length) continue;
      const gained = lines(happened).filter((line) => line.kind === "gain");
      this.hand.said.say(gained.map((line) => line.text).join(" "));
    }
  }

  #sound(fresh: Happened[]): void {
    const { settings, seats } = this.props();
    if (!settings.sound) return;
    if (fresh.some(({ facts }) => facts?.completed?.length)) sound("complete");
    else if (fresh.some((one) => !seats.includes(seatOf(one.event)) && /place|master/.test(actionOf(one)))) sound("place");
  }
}
