// On a small screen the table is longer than the screen: what matters now is brought into sight.
import { read } from "./actions";
import type { Hand } from "./hand.svelte";

/** The part of the table that an action is about, as a selector. */
function partOf(action: string): string {
  const { verb, words, placements } = read(action);
  if (verb === "take") return `[data-slot="${words[0]}"]`;
  if (verb === "gain") return `[data-reserve="${words[0]}"]`;
  if (verb === "upgrade") return `[data-reserve="${words[1]}"]`;
  if (verb === "recycle") return `[data-slot^="${words[0]}"]`;
  return placements[0] ? `[data-place="${placements[0].place}"]` : "";
}

export function watchOver(hand: Hand, root: () => HTMLElement | undefined, small: () => boolean): void {
  const show = (selector: string): void => {
    const behavior = hand.props().settings.motion === "full" ? "smooth" : "auto";
    if (selector) root()?.querySelector(selector)?.scrollIntoView({ block: "nearest", behavior });
  };
  // My puzzles may lie below the edge: what is in hand should see where it can go.
  $effect(() => {
    if (small() && (hand.held || hand.gathering)) show(".places");
  });
  $effect(() => {
    const first = hand.hint?.actions[0];
    if (small() && first) show(partOf(first));
  });
  // A turn that passes on shows its own board again.
  let before = "";
  $effect(() => {
    const now = hand.props().view.to_act.join();
    if (now !== before) hand.looking = false;
    before = now;
  });
}
