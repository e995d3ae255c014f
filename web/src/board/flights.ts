// Things that change their place fly there: a taken card from where it lay or was dropped, a gained piece from the
// reserve. A copy of what has arrived is moved over the table by its transform alone; what it stands for shows when it
// lands.
import { actionOf, seatOf } from "../lib/events";
import { read } from "./actions";
import type { Happened, View } from "./contract";
import { isShape } from "./geometry";

const LASTS = 460; // milliseconds
const EASE = "cubic-bezier(0.3, 0.7, 0.2, 1)";
const MOST = 4; // more at once is a jump in time, not a move

interface Flight {
  from: string | DOMRect; // selectors within the board, or a place on the screen
  to: string;
}

function taken({ event, facts }: Happened, from: Flight["from"], view: View, mine: number | undefined): Flight[] {
  const seat = seatOf(event);
  const puzzles = view.players.find((player) => player.seat === seat)?.puzzles ?? [];
  const place = puzzles.find((puzzle) => puzzle.card === facts?.card)?.place;
  if (place === undefined) return [];
  return [{ from, to: seat === mine ? `[data-place="${place}"] svg` : `[data-seat="${seat}"] [data-mini="${place}"] svg` }];
}

/** What an event moved, where both ends can be seen. `mine`: the seat whose board is shown in full. */
function flightsOf(happened: Happened, view: View, mine: number | undefined, dropped: DOMRect | null): Flight[] {
  const { verb, words } = read(actionOf(happened));
  const seat = seatOf(happened.event);
  const start = seat === mine ? dropped : null;
  if (verb === "take") return taken(happened, start ?? `[data-slot="${words[0]}"]`, view, mine);
  const got = verb === "gain" ? words[0] : ["upgrade", "levelup", "reward"].includes(verb) ? words[1] : undefined;
  return [got, ...(happened.facts?.rewards ?? [])].filter(isShape).map((shape) => ({
    from: (verb === "gain" && start) || `[data-reserve="${shape}"] svg`,
    to: seat === mine ? `[data-piece="${shape}"] svg` : `[data-seat="${seat}"] [data-owned="${shape}"] svg`,
  }));
}

function fly(root: HTMLElement, layer: HTMLElement, { from, to }: Flight): void {
  const start = typeof from === "string" ? root.querySelector(from)?.getBoundingClientRect() : from;
  const target = root.querySelector<SVGElement>(to);
  if (!start || !target) return;
  const end = target.getBoundingClientRect();
  const origin = layer.getBoundingClientRect(); // some browsers fix it to the board, not to the window
  if (start.width === 0 || end.width === 0) return;
  const copy = target.cloneNode(true) as SVGElement;
  const { left, top, width, height } = end;
  copy.style.cssText = `position:absolute;left:${left - origin.left}px;top:${top - origin.top}px;width:${width}px;height:${height}px;transform-origin:0 0`;
  layer.append(copy);
  const scale = Math.max(0.2, Math.min(start.width / width, start.height / height));
  const dx = start.left + (start.width - width * scale) / 2 - left;
  const dy = start.top + (start.height - height * scale) / 2 - top;
  const options = { duration: LASTS, easing: EASE };
  // The one that lands stays out of sight so long; pieces of a heap do not.
  if (!to.startsWith("[data-piece")) target.animate({ opacity: [0, 0] }, { duration: LASTS });
  const flight = copy.animate({ transform: [`translate(${dx}px, ${dy}px) scale(${scale})`, "none"] }, options);
  flight.onfinish = flight.oncancel = () => copy.remove();
}

/** `dropped`: where I let go of what I took. */
export function flyAll(
  root: HTMLElement,
  layer: HTMLElement,
  fresh: readonly Happened[],
  view: View,
  mine: number | undefined,
  dropped: DOMRect | null,
): void {
  if (fresh.length > MOST) return;
  for (const happened of fresh) for (const flight of flightsOf(happened, view, mine, dropped)) fly(root, layer, flight);
}
