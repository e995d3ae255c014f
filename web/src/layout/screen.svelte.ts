// The screen that a board has: its size, the composition that fits it, and that as CSS variables.
import { MediaQuery } from "svelte/reactivity";
import { boxOf, type Shape, SHAPE_CELLS } from "../board/geometry";
import { compose, type Composition, type Config, measures, PHONE } from "./compose";

// What most supplies come to; the table does not change its size with every piece that is gained.
const TYPICAL: readonly Shape[] = ["O1", "I2", "I3", "L3", "T4"];

const boxes = (shapes: readonly Shape[]): (readonly [number, number])[] =>
  shapes.map((shape) => [boxOf(SHAPE_CELLS[shape]).width, boxOf(SHAPE_CELLS[shape]).height] as const);
const length = (shapes: readonly Shape[]): number => boxes(shapes).reduce((sum, [wide]) => sum + wide + 0.3, 0);

const PADDING = 4; // of a button, both sides
const SMALL = 0.8; // --size-xs
let pen: CanvasRenderingContext2D | null = null;

/** How wide the longest word on a button is: no word is ever broken. */
function longest(labels: readonly string[], light: boolean): number {
  pen ??= document.createElement("canvas").getContext("2d");
  if (!pen) return 0;
  const { fontSize } = getComputedStyle(document.documentElement);
  pen.font = `${light ? 500 : 600} ${SMALL * parseFloat(fontSize)}px ${getComputedStyle(document.body).fontFamily}`;
  const words = labels.flatMap((label) => label.split(/[\s-]/));
  return Math.ceil(Math.max(0, ...words.map((word) => pen?.measureText(word).width ?? 0))) + PADDING;
}

type Given = Omit<Config, "width" | "height" | "touch" | "supply" | "actions" | "action"> & {
  own: readonly Shape[];
  actions: readonly string[]; // what is written on them
};

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
    const { own, actions, ...given } = this.#given();
    if (length(own) > length(this.#longest)) this.#longest = own;
    const { width, height } = this;
    const bar = { actions: actions.length, action: longest(actions, Math.min(width, height) < PHONE) };
    return compose({ ...given, ...bar, width, height, touch: this.#coarse.current, supply: boxes(this.#longest) });
  });

  /** For the board's style attribute; `k…`: the same without a unit, to reckon font sizes within pictures. */
  style = $derived.by(() => {
    const { cell, card, bit, mini, deck, rail, left, right, supply, reserve, prompt, actionRows, actionColumns } = this.composition;
    const { bar, strip, finesse, actions, gap, pad } = measures(this);
    const pixels = { cell, card, bit, mini, deck, rail, left, right, supply, bar, strip, reserve, finesse, prompt, actions, gap, pad };
    const plain = { "k-cell": cell, "k-card": card, "action-rows": actionRows, "action-columns": actionColumns };
    const written = Object.entries(pixels).map(([name, value]) => `--${name}:${value}px`);
    return [...written, ...Object.entries(plain).map(([name, value]) => `--${name}:${value}`)].join(";");
  });
}
