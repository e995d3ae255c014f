// What the board hears from the whole window: keys, the wheel, and whatever moves things on the screen.
import type { Drag } from "./drag.svelte";
import type { Hand } from "./hand.svelte";
import { onKey } from "./keys";

export function listen(element: HTMLElement, hand: Hand, drag: Drag): () => void {
  const wheel = (event: WheelEvent): void => {
    if (!hand.held.piece) return;
    event.preventDefault();
    if (event.shiftKey) hand.held.flip();
    else hand.held.rotate(event.deltaY < 0);
  };
  const key = (event: KeyboardEvent): void => {
    hand.keyed = true;
    onKey(event, element, hand);
  };
  const press = (): void => void (hand.keyed = false);
  element.addEventListener("wheel", wheel, { passive: false });
  window.addEventListener("keydown", key);
  window.addEventListener("pointerdown", press, { capture: true });
  window.addEventListener("scroll", drag.stale, { capture: true, passive: true });
  window.addEventListener("resize", drag.stale);
  window.addEventListener("pointermove", drag.follow);
  return () => {
    window.removeEventListener("keydown", key);
    window.removeEventListener("pointerdown", press, { capture: true });
    window.removeEventListener("scroll", drag.stale, { capture: true });
    window.removeEventListener("resize", drag.stale);
    window.removeEventListener("pointermove", drag.follow);
  };
}
