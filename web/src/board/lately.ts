// What others did since my last turn: where it is seen on the table, and in whose colour it is marked.
import { actionOf, seatOf } from "../lib/events";
import { read } from "./actions";
import type { Happened } from "./contract";

/** The played events of the others since I last played, this turn of mine left out; for a spectator the last turn. */
export function lately(events: readonly Happened[], mine: readonly number[]): Happened[] {
  const played = events.filter((happened) => actionOf(happened));
  const own = (happened: Happened | undefined): boolean => happened !== undefined && mine.includes(seatOf(happened.event));
  let end = played.length;
  while (own(played[end - 1])) end--;
  const last = seatOf(played[end - 1]?.event ?? { type: "begun" });
  const goesOn = (happened: Happened | undefined): boolean =>
    happened !== undefined && (mine.length > 0 ? !own(happened) : seatOf(happened.event) === last);
  let start = end;
  while (goesOn(played[start - 1])) start--;
  return played.slice(start, end);
}

/** Names of places on the table, as `slot W2`, `mini 3:1`, `reserve I2`, each with the seat that touched it last. */
export function marksOf(events: readonly Happened[]): Map<string, number> {
  const marks = new Map<string, number>();
  for (const happened of events) {
    const seat = seatOf(happened.event);
    const { verb, words, placements } = read(actionOf(happened));
    const mark = (name: string): unknown => marks.set(name, seat);
    for (const { place } of placements) mark(`mini ${seat}:${place}`);
    if (verb === "take") mark(`slot ${words[0]}`);
    if (verb === "gain") mark(`reserve ${words[0]}`);
    if (verb === "upgrade" || verb === "levelup" || verb === "reward") mark(`reserve ${words[1]}`);
    if (verb === "recycle") for (const n of "1234") mark(`slot ${words[0]}${n}`);
  }
  return marks;
}
