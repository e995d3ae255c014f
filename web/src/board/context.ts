// What every part of the board shares.
import { createContext } from "svelte";
import type { Screen } from "../layout/screen.svelte";
import type { Clocks } from "./clocks.svelte";
import type { BoardProps } from "./contract";
import type { Drag } from "./drag.svelte";
import type { Hand } from "./hand.svelte";
import type { Cards } from "./words";

export interface Shared {
  readonly props: BoardProps;
  readonly hand: Hand;
  readonly drag: Drag;
  readonly cards: Cards;
  readonly clocks: Clocks;
  readonly screen: Screen;
  /** Whether the guided game points at this part. */
  spot(name: string): boolean;
  /** In whose colour a part is marked that somebody touched lately; nothing where nobody did. */
  lately(name: string): string | undefined;
  /** Whether a hint speaks of this part. */
  hinted(text: string): boolean;
}

export const [shared, share] = createContext<Shared>();
