// What is left of everybody's time, counted down between two words of the server.
import type { BoardProps } from "./contract";

const SHORT = 15; // seconds from which a clock is a warning
const TICK = 200; // milliseconds

export class Clocks {
  readonly #props: () => BoardProps;
  #now = $state(performance.now());
  #heard = $derived.by(() => {
    void this.#props().time; // each state brings it anew
    return performance.now();
  });

  constructor(props: () => BoardProps) {
    this.#props = props;
    $effect(() => {
      const { time, view } = props();
      if (view.phase === "over" || !view.to_act.some((seat) => String(seat) in time)) return;
      this.#now = performance.now();
      const timer = setInterval(() => (this.#now = performance.now()), TICK);
      return () => clearInterval(timer);
    });
  }

  /** Whole seconds; undefined where a seat has no clock, or the game is over. */
  left(seat: number): number | undefined {
    const { time, view } = this.#props();
    const told = time[String(seat)];
    if (told === undefined || view.phase === "over") return undefined;
    const passed = view.to_act.includes(seat) ? Math.max(0, this.#now - this.#heard) / 1000 : 0;
    return Math.max(0, Math.ceil(told - passed));
  }

  short(seat: number): boolean {
    return this.#props().view.to_act.includes(seat) && (this.left(seat) ?? Infinity) <= SHORT;
  }
}

/** `1:05`, and `1:02:05` from an hour on. */
export function clockText(seconds: number): string {
  const two = (value: number): string => String(value).padStart(2, "0");
  const [hours, minutes] = [Math.floor(seconds / 3600), Math.floor(seconds / 60) % 60];
  return hours > 0 ? `${hours}:${two(minutes)}:${two(seconds % 60)}` : `${minutes}:${two(seconds % 60)}`;
}
