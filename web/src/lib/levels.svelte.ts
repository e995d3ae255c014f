// The bots as levels, from gentle to merciless, with the strengths that the server knows by measurement.
import { about } from "./api";
import type { LevelRow } from "./messages";

let known = $state.raw<readonly LevelRow[]>([]);
let asked = false;

/** Every bot that has a rating; nothing until the server has told. */
export function ratedBots(): readonly LevelRow[] {
  if (!asked) {
    asked = true;
    about().then(
      ({ levels }) => (known = levels),
      () => (asked = false),
    );
  }
  return known;
}

/** Those that are offered for a new table, the gentlest first. */
export const levels = (): string[] => ratedBots().flatMap(({ bot, offered }) => (offered ? [bot] : []));
