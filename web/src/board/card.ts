// How a puzzle is drawn, in units of 20 a cell; its recess lies at 0 to 100 both ways. The sizes are those that the
// compositions reckon with.
import { BODY, SIDE, TOP } from "../layout/compose";
import type { CatalogueCard } from "./contract";
import { boxOf, type Cell } from "./geometry";

export type Head = "top" | "side" | "none"; // where the points and the reward are

const MARGIN = ((BODY - 5) / 2) * 20;

export interface Frame {
  left: number;
  top: number;
  width: number;
  height: number;
}

export function frameOf(head: Head): Frame {
  const above = head === "top" ? TOP * 20 : 0;
  const beside = head === "side" ? SIDE * 20 : 0;
  return { left: -MARGIN - beside, top: -MARGIN - above, width: BODY * 20 + beside, height: BODY * 20 + above };
}

export const recessOf = (card: CatalogueCard): Cell[] =>
  card.rows.flatMap((row, y) => [...row].flatMap((sign, x): Cell[] => (sign === "." ? [[x, y]] : [])));

/** How far a recess is moved so that it lies in the middle of its card, in units. */
export function shiftOf(card: CatalogueCard): { x: number; y: number } {
  const box = boxOf(recessOf(card));
  return { x: (5 - box.width - 2 * box.left) * 10, y: (5 - box.height - 2 * box.top) * 10 };
}
