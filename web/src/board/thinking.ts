// How long somebody who is a program thinks: as the game so far tells, and before that as its name does.
import { actionOf, seatOf } from "../lib/events";
import type { Happened } from "./contract";

const FIRST = 1500; // milliseconds, where its name says nothing
const LAST = 6; // what it did lately tells most

/** The time that a bot was given, as its name says it: `search:4s`, `search:250ms`. */
function given(bot: string): number {
  const found = /:([0-9.]+)(ms|s)\b/.exec(bot);
  return found ? Number(found[1]) * (found[2] === "s" ? 1000 : 1) : FIRST;
}

/** The time that its next action may take, in milliseconds: the longest of its last ones. */
export function usual(events: readonly Happened[], seat: number, bot: string): number {
  const took: number[] = [];
  for (let n = events.length - 1; n > 0 && took.length < LAST; n--) {
    const [happened, before] = [events[n], events[n - 1]];
    if (happened && before && actionOf(happened) && seatOf(happened.event) === seat) took.push((happened.at - before.at) * 1000);
  }
  return took.length > 0 ? Math.max(...took) : given(bot);
}
