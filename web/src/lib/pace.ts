// What others do is shown at a speed that a person can follow: each action stays on the table for a while before the
// next one is shown. What I do is shown at once, and everything keeps its order.

export type Pace = "calm" | "steady" | "quick" | "once";

const STAYS: Record<Pace, number> = { calm: 1700, steady: 900, quick: 450, once: 0 }; // milliseconds
const MOST = 8; // more than this waiting is not followed any more, but caught up with

/** paced: an action of somebody else; after: what only keeps its place in the order; now: whatever waits is shown first. */
export type When = "paced" | "after" | "now";

export class Pacer {
  #waiting: { show: () => void; when: When }[] = [];
  #shown = 0; // when something was shown last
  #timer = 0;

  constructor(private readonly pace: () => Pace) {
    document.addEventListener("visibilitychange", this.#hidden);
  }

  /** Whether the table shows less than has happened. */
  get behind(): boolean {
    return this.#waiting.length > 0;
  }

  hear(show: () => void, when: When): void {
    this.#waiting.push({ show, when });
    if (when === "now") this.#all();
    else this.#next();
  }

  close(): void {
    this.#all();
    document.removeEventListener("visibilitychange", this.#hidden);
  }

  readonly #hidden = (): void => {
    if (document.hidden) this.#all(); // nobody looks, and a hidden page's timers hardly run
  };

  #next(): void {
    clearTimeout(this.#timer);
    for (let first = this.#waiting[0]; first; first = this.#waiting[0]) {
      const rest = first.when === "paced" ? this.#shown + STAYS[this.pace()] - performance.now() : 0;
      if (rest > 0 && this.#waiting.length <= MOST && !document.hidden) {
        this.#timer = window.setTimeout(() => this.#next(), rest);
        return;
      }
      this.#take();
    }
  }

  #all(): void {
    clearTimeout(this.#timer);
    while (this.#waiting.length > 0) this.#take();
  }

  #take(): void {
    const first = this.#waiting.shift();
    first?.show();
    if (!first || first.when === "after") return;
    this.#shown = performance.now();
    requestAnimationFrame(() => (this.#shown = performance.now())); // when it is really seen
  }
}
