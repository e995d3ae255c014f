// Events of a table, as the server tells them.
import type { Event, Facts, Happened } from "./messages";

/** Whose event it is; 0: nobody's. */
export const seatOf = (event: Event): number => ("seat" in event ? event.seat : 0);

/** The action that was played; nothing for every other event. */
export const actionOf = ({ event }: Happened): string => (event.type === "played" ? event.action : "");

/** A step of a record as the event that it was. */
export function stepEvent({ seat, text, facts }: { seat: number; text: string; facts?: Facts }, version = 0): Happened {
  return { version, at: 0, event: { type: "played", seat, action: text }, ...(facts ? { facts } : {}) };
}

/** Whether the position may be another one afterwards. */
export const isPlay = ({ type }: Event): boolean =>
  !["said", "advised", "seat_taken", "mixed", "begun", "rematched", "arranged", "cancelled"].includes(type);
