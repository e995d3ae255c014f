// The chances of an analysis as lines to draw. Each report is the mover's own estimate.
import type { AnalysedTurn } from "./messages";

export interface Point {
  turn: number;
  value: number; // the chance to win, 0 to 1
  loss: number; // what the seat's own turn gave away
}

/** The line of one seat. Of two players one's chance is what the other's leaves; of more, each has only its own estimates. */
export function lineOf(seat: number, turns: AnalysedTurn[], players: number, winners: number[] | null): Point[] {
  const points = turns
    .filter((turn) => players === 2 || turn.seat === seat)
    .map((turn): Point => {
      const own = turn.seat === seat;
      return { turn: turn.turn, value: own ? turn.after : 1 - turn.after, loss: own ? turn.loss : 0 };
    });
  const last = turns.at(-1);
  if (!last || !winners || turns.length < last.turns) return points;
  return [...points, { turn: last.turns, value: winners.includes(seat) ? 1 / winners.length : 0, loss: 0 }];
}
