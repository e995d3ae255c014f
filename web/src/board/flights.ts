// Things that change their place fly there: a taken card from where it lay or was dropped, a gained piece from the
// reserve. A copy of what has arrived is moved over the table by its transform alone; what it stands for shows when it
// lands.
import { actionOf, seatOf } from "../lib/events";
import { read } from "./actions";
import { REWARD } from "./completion";
import type { Happened, View } from "./contract";
import { isShape } from "./geometry";

const LASTS = 460; // milliseconds
const EASE = "cubic-bezier(0.3, 0.7, 0.2, 1)";
const MOST = 4; // more at once is a jump in time, not a move

interface Flight {
  from: string | DOMRect; // selectors within the board, or a place on the screen
  to: string;
  delay?: number; // a reward waits until its puzzle is done
  trail?: string; // the colour that somebody else's hand leaves behind
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
  const rewards = (happened.facts?.rewards ?? []).map((shape) => ({ shape, delay: REWARD }));
  return [{ shape: got ?? "", delay: 0 }, ...rewards].flatMap(({ shape, delay }) =>
    isShape(shape)
      ? [
          {
            from: (verb === "gain" && start) || `[data-reserve="${shape}"] svg`,
            to: seat === mine ? `[data-piece="${shape}"] svg` : `[data-seat="${seat}"] :is([data-owned="${shape}"] svg, .facts)`,
            delay,
          },
        ]
      : [],
  );
}

/** A line from where something was to where it went, that fades. */
function trail(layer: HTMLElement, start: DOMRect, end: DOMRect, colour: string): void {
  const origin = layer.getBoundingClientRect();
  const [x, y] = [start.left + start.width / 2, start.top + start.height / 2];
  const [dx, dy] = [end.left + end.width / 2 - x, end.top + end.height / 2 - y];
  const line = document.createElement("div");
  line.className = "trail";
  line.style.cssText = `left:${x - origin.left}px;top:${y - origin.top - 2}px;width:${Math.hypot(dx, dy)}px;--who:${colour}`;
  layer.append(line);
  const turned = `rotate(${Math.atan2(dy, dx)}rad)`;
  const scales = [`${turned} scaleX(0)`, turned, turned];
  const drawn = line.animate({ transform: scales, opacity: [1, 1, 0], offset: [0, 0.4, 1] }, { duration: LASTS * 2, easing: "ease-out" });
  drawn.onfinish = drawn.oncancel = () => line.remove();
}

function fly(root: HTMLElement, layer: HTMLElement, { from, to, delay = 0, trail: colour }: Flight): void {
  const start = typeof from === "string" ? root.querySelector(from)?.getBoundingClientRect() : from;
  const target = root.querySelector<Element>(to);
  if (!start || !target) return;
  const end = target.getBoundingClientRect();
  const origin = layer.getBoundingClientRect(); // some browsers fix it to the board, not to the window
  if (start.width === 0 || end.width === 0) return;
  if (colour) trail(layer, start, end, colour);
  if (!target.matches("svg")) return; // where it went has no room for a picture of it
  const copy = target.cloneNode(true) as SVGElement;
  const { left, top, width, height } = end;
  copy.style.cssText = `position:absolute;left:${left - origin.left}px;top:${top - origin.top}px;width:${width}px;height:${height}px;transform-origin:0 0`;
  layer.append(copy);
  const scale = Math.max(0.2, Math.min(start.width / width, start.height / height));
  const dx = start.left + (start.width - width * scale) / 2 - left;
  const dy = start.top + (start.height - height * scale) / 2 - top;
  const options = { duration: LASTS, easing: EASE, delay, fill: "backwards" as const };
  // The one that lands stays out of sight so long; pieces of a heap do not.
  if (!to.startsWith("[data-piece")) target.animate({ opacity: [0, 0] }, { duration: LASTS + delay });
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
  colours: (seat: number) => string, // of those whose hands leave a trail
): void {
  if (fresh.length > MOST) return;
  for (const happened of fresh) {
    const trail = colours(seatOf(happened.event));
    for (const flight of flightsOf(happened, view, mine, dropped)) fly(root, layer, { ...flight, trail });
  }
}
