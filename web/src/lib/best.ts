// My best scores on this device, one for each kind of game.
import type { Setup } from "./messages";

const KEY = "projectl.best";

interface Kept {
  best: number;
  game: string; // where it was made: the end of a game that is opened again is no new record
  before: number | null;
}

export interface Best {
  points: number;
  fresh: boolean; // made in this game
}

const kindOf = ({ edition, players, modules, options, cards }: Setup): string =>
  JSON.stringify([edition, players, [...modules].sort(), Object.entries(options).sort(), cards.length > 0]);

function kept(): Record<string, Kept> {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "{}");
    return found !== null && typeof found === "object" ? (found as Record<string, Kept>) : {};
  } catch {
    return {};
  }
}

/** Note my score of a game that is over; the best of its kind so far. */
export function noteScore(setup: Setup, game: string, points: number): Best {
  const all = kept();
  const kind = kindOf(setup);
  const now = all[kind];
  if (now && typeof now.best === "number" && (now.game === game || points <= now.best)) {
    return { points: now.best, fresh: now.game === game && now.before !== null };
  }
  const before = typeof now?.best === "number" ? now.best : null;
  try {
    localStorage.setItem(KEY, JSON.stringify({ ...all, [kind]: { best: points, game, before } }));
  } catch {
    // A browser that keeps nothing forgets it.
  }
  return { points, fresh: before !== null };
}
