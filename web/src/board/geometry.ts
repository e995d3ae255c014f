// Cells, orientations and outlines: how shapes look and turn. Nothing here knows what is allowed.

export type Cell = readonly [column: number, row: number];

export const SHAPES = ["O1", "I2", "I3", "L3", "I4", "L4", "S4", "T4", "O4", "P5", "U5", "L5"] as const;
export type Shape = (typeof SHAPES)[number];

export const SHAPE_CELLS: Record<Shape, Cell[]> = {
  O1: [[0, 0]],
  I2: [[0, 0], [1, 0]],
  I3: [[0, 0], [1, 0], [2, 0]],
  L3: [[0, 0], [0, 1], [1, 1]],
  I4: [[0, 0], [1, 0], [2, 0], [3, 0]],
  L4: [[0, 0], [0, 1], [1, 1], [2, 1]],
  S4: [[1, 0], [2, 0], [0, 1], [1, 1]],
  T4: [[1, 0], [0, 1], [1, 1], [2, 1]],
  O4: [[0, 0], [1, 0], [0, 1], [1, 1]],
  P5: [[0, 0], [1, 0], [0, 1], [1, 1], [2, 1]],
  U5: [[0, 0], [2, 0], [0, 1], [1, 1], [2, 1]],
  L5: [[0, 0], [0, 1], [1, 1], [2, 1], [3, 1]],
};

export function isShape(text: string | undefined): text is Shape {
  return (SHAPES as readonly string[]).includes(text ?? "");
}

export const levelOf = (shape: Shape): number => SHAPE_CELLS[shape].length;

export const cellName = ([column, row]: Cell): string => "abcde"[column] + String(row + 1);
export const cellOf = (name: string): Cell => [name.charCodeAt(0) - 97, Number(name[1]) - 1];
export const cellsOf = (text: string): Cell[] => (text.match(/[a-e][1-5]/g) ?? []).map(cellOf);

const byRow = (a: Cell, b: Cell): number => a[1] - b[1] || a[0] - b[0];

/** Moved to the upper left corner, in reading order. */
export function normal(cells: readonly Cell[]): Cell[] {
  const left = Math.min(...cells.map((cell) => cell[0]));
  const top = Math.min(...cells.map((cell) => cell[1]));
  return cells.map(([column, row]): Cell => [column - left, row - top]).sort(byRow);
}

/** Two sets of cells are the same orientation of a shape when their keys are the same. */
export const keyOf = (cells: readonly Cell[]): string => normal(cells).map((cell) => cell.join("")).join("");

export const rotate = (cells: readonly Cell[]): Cell[] => normal(cells.map(([column, row]): Cell => [-row, column]));
export const flip = (cells: readonly Cell[]): Cell[] => normal(cells.map(([column, row]): Cell => [-column, row]));

export function orientations(cells: readonly Cell[]): Cell[][] {
  const found = new Map<string, Cell[]>();
  let turned = normal(cells);
  for (let n = 0; n < 8; n++) {
    found.set(keyOf(turned), turned);
    turned = n === 3 ? flip(turned) : rotate(turned);
  }
  return [...found.values()];
}

const NAME_OF_KEY = new Map(
  SHAPES.flatMap((shape) => orientations(SHAPE_CELLS[shape]).map((cells) => [keyOf(cells), shape] as const)),
);

/** Which piece has this form. */
export const shapeOf = (cells: readonly Cell[]): Shape | undefined => NAME_OF_KEY.get(keyOf(cells));

export interface Box {
  left: number;
  top: number;
  width: number;
  height: number;
}

export function boxOf(cells: readonly Cell[]): Box {
  const columns = cells.map((cell) => cell[0]);
  const rows = cells.map((cell) => cell[1]);
  const left = Math.min(...columns);
  const top = Math.min(...rows);
  return { left, top, width: Math.max(...columns) - left + 1, height: Math.max(...rows) - top + 1 };
}

/** The middle of the box around the cells, in cells. */
export function middle(cells: readonly Cell[]): { x: number; y: number } {
  const box = boxOf(cells);
  return { x: box.left + box.width / 2, y: box.top + box.height / 2 };
}

/** The cell by which a keyboard or a tap names a placement; different for every placement of one orientation. */
export function anchor(cells: readonly Cell[]): Cell {
  const box = boxOf(cells);
  return [box.left + Math.floor((box.width - 1) / 2), box.top + Math.floor((box.height - 1) / 2)];
}

type Point = [number, number];
const DIRECTIONS: Point[] = [[1, 0], [0, 1], [-1, 0], [0, -1]];

/** The corners of every loop around the cells, clockwise, in cells; holes run the other way. */
function loops(cells: readonly Cell[]): Point[][] {
  const inside = new Set(cells.map((cell) => cell.join()));
  const has = (column: number, row: number): boolean => inside.has([column, row].join());
  const edges = new Map<string, { from: Point; direction: number }>();
  const add = (x: number, y: number, direction: number): void => {
    edges.set([x, y, direction].join(), { from: [x, y], direction });
  };
  for (const [column, row] of cells) {
    if (!has(column, row - 1)) add(column, row, 0);
    if (!has(column + 1, row)) add(column + 1, row, 1);
    if (!has(column, row + 1)) add(column + 1, row + 1, 2);
    if (!has(column - 1, row)) add(column, row + 1, 3);
  }
  const found: Point[][] = [];
  for (const start of edges.values()) {
    const key = [...start.from, start.direction].join();
    if (!edges.has(key)) continue;
    const corners: Point[] = [];
    let [x, y] = start.from;
    let direction = start.direction;
    for (;;) {
      edges.delete([x, y, direction].join());
      const step = DIRECTIONS[direction] as Point;
      x += step[0];
      y += step[1];
      // Right first: cells that touch at a corner only stay apart.
      const next = [1, 0, 3].map((turn) => (direction + turn) % 4).find((turned) => edges.has([x, y, turned].join()));
      if (next === undefined) break;
      if (next !== direction) corners.push([x, y]);
      direction = next;
    }
    if (start.direction !== direction) corners.push(start.from);
    found.push(corners);
  }
  return found;
}

const round = (value: number): string => String(Math.round(value * 100) / 100);

/** An SVG path around the cells with round corners; `inset` draws it smaller. `unit` is the size of a cell. */
export function outline(cells: readonly Cell[], unit = 20, radius = 4, inset = 0): string {
  return loops(cells)
    .map((corners) => {
      const at = (n: number): Point => corners[(n + corners.length) % corners.length] as Point;
      const moved = corners.map((_, n): Point => {
        const [before, here, after] = [at(n - 1), at(n), at(n + 1)];
        const into: Point = [Math.sign(here[0] - before[0]), Math.sign(here[1] - before[1])];
        const out: Point = [Math.sign(after[0] - here[0]), Math.sign(after[1] - here[1])];
        // The inside lies to the right of both edges.
        return [
          here[0] * unit + inset * (-into[1] - out[1]),
          here[1] * unit + inset * (into[0] + out[0]),
        ];
      });
      const point = (n: number): Point => moved[(n + moved.length) % moved.length] as Point;
      const parts = moved.map((here, n) => {
        const near = (other: Point): Point => {
          const length = Math.hypot(other[0] - here[0], other[1] - here[1]) || 1;
          const share = Math.min(radius, length / 2) / length;
          return [here[0] + (other[0] - here[0]) * share, here[1] + (other[1] - here[1]) * share];
        };
        const [start, end] = [near(point(n - 1)), near(point(n + 1))];
        const command = n === 0 ? "M" : "L";
        return `${command}${start.map(round).join(" ")}Q${here.map(round).join(" ")} ${end.map(round).join(" ")}`;
      });
      return `${parts.join("")}Z`;
    })
    .join("");
}

/** A small sign for every shape, in a box of 10 by 10, so that colour is never the only difference. */
export const MARKS: Record<Shape, string> = {
  O1: "M5 3a2 2 0 1 0 .01 0Z",
  I2: "M3 2v6M7 2v6",
  I3: "M2 2v6M5 2v6M8 2v6",
  L3: "M2.5 2v5.5H8",
  I4: "M2 3h6M2 7h6",
  L4: "M5 2L8.5 8h-7Z",
  S4: "M1.5 6.5q1.75-4 3.5-1.5t3.5-1.5",
  T4: "M5 2v6M2 5h6",
  O4: "M2.5 2.5h5v5h-5Z",
  P5: "M5 1.5L8.5 5 5 8.5 1.5 5Z",
  U5: "M2 2.5v2.5a3 3 0 0 0 6 0V2.5",
  L5: "M2.5 2.5l5 5M7.5 2.5l-5 5",
};
