// The screen that a board has: its size, the composition that fits it, and that as CSS variables.
import { MediaQuery } from "svelte/reactivity";
import { boxOf, type Shape, SHAPE_CELLS } from "../board/geometry";
import { compose, type Composition, type Config, measures } from "./compose";

// What most supplies come to; the table does not change its size with every piece that is gained.
const TYPICAL: readonly Shape[] = ["O1", "I2", "I3", "L3", "T4"];

const boxes = (shapes: readonly Shape[]): (readonly [number, number])[] =>
  shapes.map((shape) => [boxOf(SHAPE_CELLS[shape]).width, boxOf(SHAPE_CELLS[shape]).height] as const);
const length = (shapes: readonly Shape[]): number => boxes(shapes).reduce((sum, [wide]) => sum + wide + 0.3, 0);

type Given = Omit<Config, "width" | "height" | "touch" | "supply"> & { own: readonly Shape[] };

export class Screen {
  width = $state(window.innerWidth);
  height = $state(window.innerHeight);
  readonly #coarse = new MediaQuery("(pointer: coarse)");
  readonly #given: () => Given;
  #longest: readonly Shape[] = TYPICAL; // the longest supply so far: what has once had room keeps it

  constructor(given: () => Given) {
    this.#given = given;
  }

  composition = $derived.by((): Composition => {
    const { own, ...given } = this.#given();
    if (length(own) > length(this.#longest)) this.#longest = own;
    const { width, height } = this;
    return compose({ ...given, width, height, touch: this.#coarse.current, supply: boxes(this.#longest) });
  });

  /** For the board's style attribute; `k…`: the same without a unit, to reckon font sizes within pictures. */
  style = $derived.by(() => {
    const { cell, card, bit, mini, deck, rail, left, right, supply, reserve, prompt, reserveRows, actionRows } = this.composition;
    const { bar, strip, finesse, actions, gap, pad } = measures(this);
    const pixels = { cell, card, bit, mini, deck, rail, left, right, supply, bar, strip, reserve, finesse, prompt, actions, gap, pad };
    const plain = { "k-cell": cell, "k-card": card, "reserve-rows": reserveRows, "action-rows": actionRows };
    const written = Object.entries(pixels).map(([name, value]) => `--${name}:${value}px`);
    return [...written, ...Object.entries(plain).map(([name, value]) => `--${name}:${value}`)].join(";");
  });
}
