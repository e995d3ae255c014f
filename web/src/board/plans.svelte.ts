// Planning while others play: pieces laid provisionally, by geometry alone.
import { type Placement, placementText } from "./actions";
import type { PlayerView } from "./contract";
import { type Cell, cellName, isShape, keyOf, orientations, SHAPE_CELLS } from "./geometry";

export interface Plan extends Placement {
  seat: number;
}

export class Plans {
  all = $state.raw<Plan[]>([]);

  constructor(private readonly me: { readonly seat: number; readonly player: PlayerView | undefined }) {}

  /** Those of the seat that is played, as long as the table has not overtaken them. */
  live = $derived.by(() => (this.me.player ? stillFits(this.me.player, this.all.filter((plan) => plan.seat === this.me.seat)) : []));

  add(found: Placement): void {
    this.all = [...this.all, { ...found, seat: this.me.seat }];
  }

  clear(): void {
    this.all = this.all.filter((plan) => plan.seat !== this.me.seat);
  }

  drop(plan: Plan): void {
    this.all = this.all.filter((other) => other.text !== plan.text || other.seat !== plan.seat);
  }
}

/** Everywhere that a piece of the supply would fit beside what lies and what is planned. */
export function planPlacements(player: PlayerView, plans: readonly Plan[]): Placement[] {
  const kept = stillFits(player, plans);
  const found: Placement[] = [];
  for (const puzzle of player.puzzles) {
    const free = new Set(puzzle.empty);
    for (const plan of kept) {
      if (plan.place === puzzle.place) for (const cell of plan.cells) free.delete(cellName(cell));
    }
    for (const [shape, count] of Object.entries(player.supply)) {
      if (!isShape(shape) || count <= kept.filter((plan) => plan.shape === shape).length) continue;
      for (const turned of orientations(SHAPE_CELLS[shape])) {
        for (let n = 0; n < 25; n++) {
          const cells = turned.map(([column, row]): Cell => [column + (n % 5), row + Math.floor(n / 5)]);
          if (!cells.every((cell) => free.has(cellName(cell)))) continue;
          found.push({ place: puzzle.place, cells, shape, key: keyOf(turned), text: placementText(puzzle.place, cells) });
        }
      }
    }
  }
  return found;
}

/** The plans that the table has not overtaken: their cells are free and their pieces are still there. */
export function stillFits(player: PlayerView, plans: readonly Plan[]): Plan[] {
  const left = { ...player.supply };
  return plans.filter((plan) => {
    const puzzle = player.puzzles.find((other) => other.place === plan.place);
    const fits = puzzle !== undefined && plan.cells.every((cell) => puzzle.empty.includes(cellName(cell)));
    if (!fits || (left[plan.shape] ?? 0) < 1) return false;
    left[plan.shape] = (left[plan.shape] ?? 0) - 1;
    return true;
  });
}
