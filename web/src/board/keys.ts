// The board by keyboard alone.
import { choices } from "./choices";
import { cellOf } from "./geometry";
import type { Hand } from "./hand.svelte";

const typing = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && Boolean(target.closest("input, textarea, select, [contenteditable], dialog"));

/** Go to a puzzle: where the held piece fits first, if it does. */
function goTo(root: HTMLElement, hand: Hand, place: number): boolean {
  const grid = root.querySelector<HTMLElement>(`[data-grid="${place}"]`);
  const cell = grid?.querySelector<HTMLElement>('[tabindex="0"]');
  cell?.focus();
  if (cell && hand.held.piece) hand.held.aim(place, cellOf(cell.dataset["cell"] ?? "c3"));
  return cell !== null && cell !== undefined;
}

const GROUPS = ["[data-slot]", "[data-piece]", "[data-reserve]"]; // the cards, the supply, the reserve
const STEPS: Record<string, readonly [number, number]> = { ArrowLeft: [-1, 0], ArrowRight: [1, 0], ArrowUp: [0, -1], ArrowDown: [0, 1] };

const middleOf = (element: Element): [number, number] => {
  const { left, top, width, height } = element.getBoundingClientRect();
  return [left + width / 2, top + height / 2];
};

/** From a card or a piece to the nearest one of its kind in the arrow's direction. */
function step(root: HTMLElement, key: string, from: EventTarget | null): boolean {
  const [right, down] = STEPS[key] ?? [0, 0];
  const group = GROUPS.find((selector) => from instanceof HTMLElement && from.matches(selector));
  if (!group || right === down || !(from instanceof HTMLElement)) return false;
  const [x, y] = middleOf(from);
  const found = [...root.querySelectorAll<HTMLElement>(group)].flatMap((element) => {
    const [dx, dy] = [middleOf(element)[0] - x, middleOf(element)[1] - y];
    const ahead = dx * right + dy * down;
    const aside = Math.abs(dx * down) + Math.abs(dy * right);
    return ahead > 4 && ahead > aside / 2 ? [{ element, far: ahead + 2 * aside }] : [];
  });
  found.sort((a, b) => a.far - b.far)[0]?.element.focus();
  return true;
}

/** A card taken by keyboard is gone, and the focus with it: it goes on to the new puzzle, or to the next card there. */
export function toTaken(root: HTMLElement, hand: Hand, card: string | null | undefined, slot: string): void {
  const place = hand.me.player?.puzzles.find((puzzle) => puzzle.card === card)?.place;
  if (!place || !goTo(root, hand, place)) root.querySelector<HTMLElement>(`[data-slot="${slot}"]`)?.focus();
}

/** After a turn of the piece the preview follows the cell that has the focus. */
function aimAgain(hand: Hand): void {
  const cell = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  const grid = cell?.closest<HTMLElement>("[data-grid]");
  const name = cell?.dataset["cell"];
  if (grid && name && hand.held.hover?.sure) hand.held.aim(Number(grid.dataset["grid"]), cellOf(name));
}

export function onKey(event: KeyboardEvent, root: HTMLElement, hand: Hand): void {
  if (typing(event.target) || event.ctrlKey || event.metaKey || event.altKey) return;
  const done = (): void => event.preventDefault();
  const key = event.key.length === 1 ? event.key.toUpperCase() : event.key;
  if (key === "Escape") {
    if (hand.cancel()) done();
  } else if (key === "?") {
    done();
    hand.ask = { kind: "keys" };
  } else if (key === "R" && hand.held.piece) {
    done();
    hand.held.rotate(event.shiftKey);
    aimAgain(hand);
  } else if (key === "F" && hand.held.piece) {
    done();
    hand.held.flip();
    aimAgain(hand);
  } else if (key in STEPS) {
    if (step(root, key, event.target)) done();
  } else if (/^[1-4]$/.test(key)) {
    if (goTo(root, hand, Number(key))) done();
  } else if (key === "S") {
    done();
    root.querySelector<HTMLElement>("[data-piece]")?.focus();
  } else {
    const wanted = event.shiftKey && key !== "?" ? `Shift+${key}` : key;
    const choice = choices(hand).find((other) => other.key === wanted);
    if (!choice) return;
    done();
    choice.go();
  }
}

/** A piece picked up by keyboard goes straight to a puzzle where it fits; one to be exchanged, to what it may become. */
export function toFirstFit(root: HTMLElement, hand: Hand): void {
  if (hand.begun.wanting === "upgrade" || hand.me.phase === "reward") {
    root.querySelector<HTMLElement>("[data-reserve].target")?.focus();
    return;
  }
  const place = hand.possible.fitting[0]?.place ?? hand.me.player?.puzzles[0]?.place;
  if (place) goTo(root, hand, place);
}
