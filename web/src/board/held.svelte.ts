// The piece in hand: which one, how it is turned, where it is aimed.
import { boxOf, type Cell, flip, keyOf, normal, orientations, rotate, type Shape, SHAPE_CELLS } from "./geometry";

export interface Hover {
  place: number;
  x: number; // the middle of the held piece, in cells
  y: number;
  sure: boolean; // aimed by keyboard or tap: any legal place of the puzzle will do
}

export class Held {
  piece = $state.raw<{ shape: Shape; cells: Cell[] } | null>(null);
  dragging = $state(false); // whatever is carried, a piece or not
  hover = $state.raw<Hover | null>(null);

  constructor(private readonly sound: (name: "pick" | "turn") => void) {}

  /** `fits`: the orientations that lie somewhere; it begins in one of them, so that often nothing needs turning. */
  pick(shape: Shape, fits: ReadonlySet<string>): void {
    const cells = normal(SHAPE_CELLS[shape]);
    this.hover = null;
    this.piece = { shape, cells: orientations(cells).find((turned) => fits.has(keyOf(turned))) ?? cells };
    this.sound("pick");
  }

  letGo(): void {
    this.piece = null;
    this.hover = null;
    this.dragging = false;
  }

  rotate(back = false): void {
    if (!this.piece) return;
    const cells = rotate(this.piece.cells);
    this.#turn(back ? rotate(rotate(cells)) : cells);
  }

  flip(): void {
    if (this.piece) this.#turn(flip(this.piece.cells));
  }

  #turn(cells: Cell[]): void {
    if (!this.piece) return;
    this.piece = { ...this.piece, cells };
    this.sound("turn");
  }

  /** Aim by a cell: the piece lies with its middle cell there. */
  aim(place: number, cell: Cell): void {
    if (!this.piece) return;
    const { width, height } = boxOf(this.piece.cells);
    const x = cell[0] - Math.floor((width - 1) / 2) + width / 2;
    const y = cell[1] - Math.floor((height - 1) / 2) + height / 2;
    this.hover = { place, x, y, sure: true };
  }
}
