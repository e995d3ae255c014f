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
  if (cell && hand.held) hand.aim(place, cellOf(cell.dataset["cell"] ?? "c3"));
  return cell !== null && cell !== undefined;
}

/** After a turn of the piece the preview follows the cell that has the focus. */
function aimAgain(hand: Hand): void {
  const cell = document.activeElement instanceof HTMLElement ? document.activeElement : null;
  const grid = cell?.closest<HTMLElement>("[data-grid]");
  const name = cell?.dataset["cell"];
  if (grid && name && hand.hover?.sure) hand.aim(Number(grid.dataset["grid"]), cellOf(name));
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
  } else if (key === "R" && hand.held) {
    done();
    hand.rotate(event.shiftKey);
    aimAgain(hand);
  } else if (key === "F" && hand.held) {
    done();
    hand.flip();
    aimAgain(hand);
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

/** A piece picked up by keyboard goes straight to a puzzle where it fits. */
export function toFirstFit(root: HTMLElement, hand: Hand): void {
  const place = hand.fitting[0]?.place ?? hand.player?.puzzles[0]?.place;
  if (place) goTo(root, hand, place);
}
