// Pointers by hand: lift, follow, drop. Moving writes one transform a frame and reads no layout.
import type { Hand } from "./hand.svelte";
import { isShape, type Shape } from "./geometry";

export type Cargo = { kind: "piece"; shape: Shape } | { kind: "card"; slot: string } | { kind: "gain"; shape: Shape };

const SLACK = 7; // a press that moves less than this is a tap
const ABOVE_FINGER = 64; // a finger would hide what it carries
const MARGIN = 26; // how near a puzzle counts as over it

interface Grid {
  place: number;
  rect: DOMRect; // of its cells, which may reach over the edge of the card
  card: DOMRect;
}

export class Drag {
  readonly hand: Hand;
  cargo = $state.raw<Cargo | null>(null); // what floats with the pointer
  following = $state(false); // a mouse carries a piece that was clicked
  cell = $state(30); // the size of a puzzle's cell on the screen
  dropped: DOMRect | null = null; // where a card or a gained piece was let go over my board
  layer: HTMLElement | undefined;
  root: HTMLElement | undefined;
  #grids: Grid[] | null = null;
  #start = { x: 0, y: 0 };
  #waiting: Cargo | null = null;
  #origin: { x: number; y: number } | null = null;
  #frame = 0;
  #at = { x: 0, y: 0 };

  constructor(hand: Hand) {
    this.hand = hand;
  }

  /** A press on something that can be carried. What follows decides between tap and drag. */
  press(event: PointerEvent, cargo: Cargo): void {
    if (event.button !== 0 || !event.isPrimary || this.hand.props().busy) return;
    this.#waiting = cargo;
    this.dropped = null;
    this.#start = { x: event.clientX, y: event.clientY };
    window.addEventListener("pointermove", this.#move);
    window.addEventListener("pointerup", this.#up);
    window.addEventListener("pointercancel", this.#cancel);
  }

  /** Positions on the screen changed: measure again before they are used. */
  stale = (): void => {
    this.#grids = null;
    this.#origin = null;
  };

  /** Where the layer begins: some browsers fix it to the board, not to the window. */
  #measure(): { x: number; y: number } {
    if (!this.layer) return { x: 0, y: 0 };
    this.layer.style.transform = "none";
    const { left, top } = this.layer.getBoundingClientRect();
    return { x: left, y: top };
  }

  #move = (event: PointerEvent): void => {
    if (!event.isPrimary) return;
    if (!this.cargo || this.following) {
      if (Math.hypot(event.clientX - this.#start.x, event.clientY - this.#start.y) < SLACK) return;
      if (!this.#lift()) return this.#end();
    }
    this.#carry(event);
  };

  #lift(): boolean {
    const cargo = this.#waiting;
    if (!cargo) return false;
    const { hand } = this;
    if (cargo.kind === "piece") {
      if (hand.possible.count(cargo.shape) < 1 || (!hand.possible.usable(cargo.shape) && !hand.possible.planning)) return false;
      hand.pick(cargo.shape);
    } else if (cargo.kind === "card") {
      if (!hand.me.legal.find(`${hand.possible.before}take ${cargo.slot}`)) return false;
      hand.held.letGo();
    } else if (!hand.me.legal.find(`${hand.possible.before}gain ${cargo.shape}`)) return false;
    hand.held.dragging = true;
    this.following = false;
    this.cargo = cargo;
    this.stale();
    return true;
  }

  #carry(event: PointerEvent): void {
    const above = event.pointerType === "touch" ? ABOVE_FINGER : 0;
    this.#at = { x: event.clientX, y: event.clientY - above };
    this.#frame ||= requestAnimationFrame(this.#paint);
  }

  #paint = (): void => {
    this.#frame = 0;
    const { x, y } = this.#at;
    const origin = (this.#origin ??= this.#measure());
    if (this.layer) this.layer.style.transform = `translate3d(${x - origin.x}px, ${y - origin.y}px, 0)`;
    if (this.hand.held.piece) this.#aim(x, y);
  };

  #aim(x: number, y: number): void {
    const grid = this.#gridAt(x, y);
    if (!grid) {
      if (this.hand.held.hover) this.hand.held.hover = null;
      return;
    }
    const unit = grid.rect.width / 5;
    this.hand.held.hover = { place: grid.place, x: (x - grid.rect.left) / unit, y: (y - grid.rect.top) / unit, sure: false };
  }

  #gridAt(x: number, y: number): Grid | undefined {
    if (!this.#grids) {
      const found = this.root?.querySelectorAll<HTMLElement>("[data-grid]") ?? [];
      this.#grids = [...found].map((grid) => {
        const rect = grid.getBoundingClientRect();
        return { place: Number(grid.dataset["grid"]), rect, card: grid.parentElement?.getBoundingClientRect() ?? rect };
      });
      if (this.#grids[0]) this.cell = this.#grids[0].rect.width / 5;
    }
    const distance = ({ card }: Grid): number =>
      Math.max(card.left - x, x - card.right, card.top - y, y - card.bottom);
    const near = this.#grids.filter((grid) => distance(grid) < MARGIN);
    return near.sort((a, b) => distance(a) - distance(b))[0];
  }

  #up = (event: PointerEvent): void => {
    if (!event.isPrimary) return;
    const cargo = this.hand.held.dragging ? this.cargo : null;
    if (cargo) {
      this.#carry(event);
      cancelAnimationFrame(this.#frame);
      this.#paint();
      this.#swallowClick();
      void this.#drop(cargo, event);
    }
    const rests = this.dropped !== null && this.hand.props().busy;
    this.#end();
    if (rests) this.cargo = cargo;
  };

  /** The table has answered: what rested where it was dropped is gone from there. */
  settle(): void {
    if (this.dropped && !this.hand.held.dragging) this.cargo = null;
  }

  async #drop(cargo: Cargo, event: PointerEvent): Promise<void> {
    const { hand } = this;
    const under = document.elementFromPoint(event.clientX, event.clientY);
    if (cargo.kind !== "piece") {
      if (!under?.closest("[data-mine]")) return hand.held.letGo();
      this.dropped = this.layer?.firstElementChild?.getBoundingClientRect() ?? null;
      hand.act(hand.possible.before + (cargo.kind === "card" ? `take ${cargo.slot}` : `gain ${cargo.shape}`));
    } else if (hand.held.hover) {
      await hand.drop();
    } else {
      const target = under?.closest<HTMLElement>("[data-reserve]")?.dataset["reserve"];
      if (isShape(target)) hand.tapReserve(target);
    }
    hand.held.letGo();
  }

  #cancel = (): void => {
    this.hand.held.letGo();
    this.#end();
  };

  #end(): void {
    this.#waiting = null;
    this.cargo = null;
    this.hand.held.dragging = false;
    window.removeEventListener("pointermove", this.#move);
    window.removeEventListener("pointerup", this.#up);
    window.removeEventListener("pointercancel", this.#cancel);
  }

  /** The click that a browser sends after a drag is not a tap. */
  #swallowClick(): void {
    const stop = (event: Event): void => {
      event.preventDefault();
      event.stopPropagation();
    };
    window.addEventListener("click", stop, { capture: true, once: true });
    setTimeout(() => window.removeEventListener("click", stop, { capture: true }), 50);
  }

  /** A piece that was clicked goes with the mouse until it is laid or let go. */
  follow = (event: PointerEvent): void => {
    if (this.hand.held.dragging || this.#waiting) return;
    if (!this.hand.held.piece || event.pointerType !== "mouse") {
      if (this.following) [this.following, this.cargo] = [false, null];
      return;
    }
    if (!this.following) {
      this.following = true;
      this.cargo = { kind: "piece", shape: this.hand.held.piece.shape };
      this.stale();
    }
    this.#carry(event);
  };

  unfollow(): void {
    if (this.following) [this.following, this.cargo] = [false, null];
  }
}
