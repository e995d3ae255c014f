// A rating against the bots: their strengths are measured (docs/strength.md), and mine is the one that fits my results
// best. 400 points more win ten games for one that is lost.
import type { Level } from "./messages";
import type { GameResult } from "./results";

const PRIOR = { mean: 1000, spread: 600 }; // before the first game; a few results outweigh it
const SCALE = 400 / Math.LN10;

export interface Rating {
  value: number;
  margin: number; // 95 % lie within
  games: number;
}

interface Duel {
  against: number;
  won: number; // 1, 0, or a half
}

/** A game as duels with every bot at the table; a game with several bots weighs as one. */
function duels({ seats, mine, winners, open }: GameResult, bots: ReadonlyMap<string, number>): Duel[] {
  const me = mine[0];
  const own = me === undefined ? undefined : seats[me - 1];
  if (open || mine.length !== 1 || me === undefined || !own) return [];
  return seats.flatMap((seat, index): Duel[] => {
    const against = bots.get(seat.bot);
    if (against === undefined) return [];
    const both = winners.includes(me) && winners.includes(index + 1);
    const ahead = winners.includes(me) ? 1 : winners.includes(index + 1) ? 0 : Math.sign(own.score - seat.score) / 2 + 0.5;
    return [{ against, won: both ? 0.5 : ahead }];
  });
}

/** The most likely rating, by Newton's method; nothing before the first game against a bot whose strength is known. */
export function rating(games: readonly GameResult[], levels: readonly Level[]): Rating | null {
  const bots = new Map(levels.map(({ bot, rating }) => [bot, rating]));
  const played = games.map((game) => duels(game, bots)).filter((found) => found.length > 0);
  if (!played.length) return null;
  let value = PRIOR.mean;
  let weight = 0;
  for (let n = 0; n < 50; n++) {
    let slope = (PRIOR.mean - value) / PRIOR.spread ** 2;
    weight = 1 / PRIOR.spread ** 2;
    for (const found of played) {
      for (const { against, won } of found) {
        const expected = 1 / (1 + Math.exp((against - value) / SCALE));
        slope += (won - expected) / SCALE / found.length;
        weight += (expected * (1 - expected)) / SCALE ** 2 / found.length;
      }
    }
    const step = Math.max(-200, Math.min(200, slope / weight));
    value += step;
    if (Math.abs(step) < 0.01) break;
  }
  return { value: Math.round(value), margin: Math.round(1.96 / Math.sqrt(weight)), games: played.length };
}

export interface Tally {
  key: string;
  bot: string;
  setup: GameResult["setup"];
  won: number;
  games: number;
  best: number; // my best score
}

/** Wins by bot and configuration: games of one person against bots of one kind, and solo. */
export function tallies(games: readonly GameResult[]): Tally[] {
  const found = new Map<string, Tally>();
  for (const { seats, mine, winners, setup } of games) {
    const me = mine[0];
    const own = me === undefined ? undefined : seats[me - 1];
    const bots = [...new Set(seats.filter((_, index) => !mine.includes(index + 1)).map(({ bot }) => bot))];
    const bot = bots.length === 1 ? bots[0] : bots.every(Boolean) ? bots.sort().join(" ") : "";
    if (mine.length !== 1 || me === undefined || !own || !bot) continue;
    const key = [bot, setup.players, setup.edition, ...setup.modules].join(" ");
    const before = found.get(key) ?? { key, bot, setup, won: 0, games: 0, best: -Infinity };
    const won = before.won + Number(winners.includes(me));
    found.set(key, { ...before, won, games: before.games + 1, best: Math.max(before.best, own.score) });
  }
  return [...found.values()].sort((a, b) => b.games - a.games);
}
