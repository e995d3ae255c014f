// The moment in which a puzzle is completed: its last piece is seen seated, it glows, its pieces spring home, the card
// turns to the pile. All of it happens on copies in a layer above the table, which goes on underneath: nothing waits.
import { mount, unmount } from "svelte";
import { actionOf, seatOf } from "../lib/events";
import { type Placement, read } from "./actions";
import type { Happened } from "./contract";
import PieceArt from "./PieceArt.svelte";

export const REWARD = 420; // milliseconds until a reward sets out
const GLOW = { duration: 420, delay: 80 };
const HOME = { duration: 340, delay: 300 };
const TURN = { duration: 380, delay: 540 }; // the end of it all: 920
const SPRING = "cubic-bezier(0.3, 1.3, 0.5, 1)";
const SVG = "http://www.w3.org/2000/svg";

interface Leaving {
  seat: number;
  points: number;
  face: SVGSVGElement; // a copy of the card with the pieces that lay in it
  box: DOMRect;
  k: string; // how many pixels a cell has there
  last: Placement[];
}

/** The puzzles that these events complete, as long as they are still on the table. `mine`: whose board is shown in full. */
export function leaving(root: HTMLElement, fresh: readonly Happened[], mine: number): Leaving[] {
  return fresh.flatMap((happened) => {
    const seat = seatOf(happened.event);
    const { placements } = read(actionOf(happened));
    return (happened.facts?.completed ?? []).flatMap(({ place, points }): Leaving[] => {
      const at = seat === mine ? `[data-place="${place}"] svg.card` : `[data-seat="${seat}"] [data-mini="${place}"] svg.card`;
      const card = root.querySelector<SVGSVGElement>(at);
      const box = card?.getBoundingClientRect();
      if (!card || !box?.width) return [];
      const last = placements.filter((found) => found.place === place);
      const k = getComputedStyle(card).getPropertyValue("--k");
      return [{ seat, points, face: card.cloneNode(true) as SVGSVGElement, box, k, last }];
    });
  });
}

const options = (times: { duration: number; delay: number }, easing = "ease"): KeyframeAnimationOptions => ({ ...times, easing, fill: "both" });

/** From one place on the screen to another. */
function way(from: DOMRect, to: DOMRect): string {
  const scale = Math.max(0.1, Math.min(to.width / from.width, to.height / from.height));
  const [x, y] = [to.left + to.width / 2 - from.left - from.width / 2, to.top + to.height / 2 - from.top - from.height / 2];
  return `translate(${x}px, ${y}px) scale(${scale})`;
}

function framed(layer: HTMLElement, box: DOMRect, name: string): HTMLElement {
  const origin = layer.getBoundingClientRect(); // some browsers fix it to the board, not to the window
  const frame = document.createElement("div");
  frame.className = name;
  frame.style.cssText = `left:${box.left - origin.left}px;top:${box.top - origin.top}px;width:${box.width}px;height:${box.height}px`;
  layer.append(frame);
  return frame;
}

/** The last piece, which the table may not have shown yet, drops into its cells; plans and previews are gone. */
function seated({ face, last }: Leaving): () => void {
  const recess = face.querySelector(":scope > g:last-of-type");
  for (const drawn of [...(recess?.children ?? [])].slice(1)) if (!drawn.classList.contains("laid")) drawn.remove();
  const drawn = last.map(({ shape, cells }) => {
    const group = document.createElementNS(SVG, "g");
    group.setAttribute("class", "laid");
    group.setAttribute("data-shape", shape);
    group.style.cssText = "transform-box:fill-box;transform-origin:center";
    recess?.append(group);
    group.animate({ transform: ["scale(1.2)", "none"] }, { duration: 160, easing: SPRING });
    return mount(PieceArt, { target: group, props: { shape, cells, marks: false } });
  });
  return () => drawn.forEach((each) => void unmount(each));
}

/** The pieces leave the card for the supply: each as a copy of its own. */
function springHome(root: HTMLElement, layer: HTMLElement, { face, seat }: Leaving, mine: number): HTMLElement[] {
  const home = seat === mine ? root.querySelector("[data-supply]") : root.querySelector(`[data-seat="${seat}"]`);
  if (!home) return [];
  return [...face.querySelectorAll<SVGGElement>("g.laid")].map((piece) => {
    const heap = home.querySelector(`[data-piece="${piece.dataset["shape"]}"], [data-owned="${piece.dataset["shape"]}"]`);
    const target = (heap ?? home).getBoundingClientRect();
    const box = piece.getBoundingClientRect();
    const frame = framed(layer, box, "springing");
    const art = document.createElementNS(SVG, "svg");
    const { x, y, width, height } = piece.getBBox();
    art.setAttribute("viewBox", `${x} ${y} ${width} ${height}`);
    art.append(piece.cloneNode(true));
    frame.append(art);
    const small = new DOMRect(target.left + target.width / 2 - box.width / 2, target.top + target.height / 2 - box.height / 2, box.width, box.height);
    piece.animate({ opacity: [1, 0] }, { duration: 1, delay: HOME.delay, fill: "both" });
    frame.animate({ opacity: [0, 1] }, { duration: 1, delay: HOME.delay, fill: "both" });
    frame.animate({ transform: ["none", way(box, small)] }, options(HOME, SPRING));
    return frame;
  });
}

/** Show that moment for a puzzle that has left the table. */
export function complete(root: HTMLElement, layer: HTMLElement, left: Leaving, mine: number): void {
  const card = framed(layer, left.box, "completing");
  card.style.setProperty("--k", left.k);
  card.append(left.face);
  const stop = seated(left);
  const glow = framed(card, left.box, "glow");
  glow.style.cssText = "inset:0";
  glow.animate({ opacity: [0, 1, 0] }, options(GLOW));
  const points = framed(card, left.box, "earned");
  points.style.cssText = `inset:0;font-size:${Math.max(15, left.box.width * 0.3)}px`;
  points.textContent = left.points > 0 ? `+${left.points}` : "";
  points.animate({ opacity: [0, 1, 1, 0], transform: ["translateY(20%)", "none", "none", "translateY(-25%)"] }, options({ duration: 700, delay: 160 }));
  const pieces = springHome(root, layer, left, mine);
  const pile = root.querySelector(`[data-seat="${left.seat}"] [data-pile]`)?.getBoundingClientRect();
  const to = pile?.width ? way(left.box, pile) : "scale(0.3)";
  const turns = [`none`, `${to} rotateY(180deg)`];
  const going = left.face.animate({ transform: turns, opacity: [1, 1, 0] }, options(TURN, "cubic-bezier(0.5, 0, 0.7, 0.4)"));
  going.onfinish = going.oncancel = () => {
    stop();
    for (const each of [card, ...pieces]) each.remove();
  };
}
