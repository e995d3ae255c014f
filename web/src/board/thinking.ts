// How long somebody who is a program thinks, as the game so far tells.
import { actionOf, seatOf } from "../lib/events";
import type { Happened } from "./contract";

const FIRST = 1500; // milliseconds, before it has played
const LAST = 6; // what it did lately tells most

/** The time that its next action may take, in milliseconds: the longest of its last ones. */
export function usual(events: readonly Happened[], seat: number): number {
  const took: number[] = [];
  for (let n = events.length - 1; n > 0 && took.length < LAST; n--) {
    const [happened, before] = [events[n], events[n - 1]];
    if (happened && before && actionOf(happened) && seatOf(happened.event) === seat) took.push((happened.at - before.at) * 1000);
  }
  return took.length > 0 ? Math.max(...took) : FIRST;
}
