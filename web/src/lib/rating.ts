// A rating against the bots: openskill's Plackett-Luce, as the arena rates (docs/page.md). The bots stand on a ladder
// whose rungs are measured and stay where they are; I begin where everybody begins and move with each game.
import type { LevelRow } from "./messages";
import type { GameResult } from "./results";

// openskill's own numbers.
const START = { mu: 25, sigma: 25 / 3 };
const BETA = 25 / 6; // how much luck is in a game
const TAU = 25 / 300; // how much one may change between two games
const KAPPA = 0.0001;
const RUNG = 1; // a rung is known so well
// The ladder's scale: 400 points more win ten games for one that is lost, as do ln 10 of these.
const MIDDLE = 1000;
const POINT = (Math.LN10 * Math.SQRT2 * Math.sqrt(BETA ** 2 + RUNG ** 2)) / 400;

export interface Rating {
  value: number; // on the ladder's scale
  margin: number; // 95 % lie within
  games: number;
}

interface Party {
  mu: number;
  sigma: number;
  place: number; // 0 came in first
}

/** A game as its parties, me first; nothing where no bot of the ladder played or the deck was known. */
function parties({ seats, mine, winners, open }: GameResult, rungs: ReadonlyMap<string, number>, me: typeof START): Party[] {
  const first = mine[0];
  const own = first === undefined ? undefined : seats[first - 1];
  if (open || mine.length !== 1 || first === undefined || !own) return [];
  const ranked = seats.map(({ score }, n): [number, number] => (winners.includes(n + 1) ? [0, 0] : [1, -score]));
  const before = (a: [number, number], b: [number, number]): boolean => a[0] < b[0] || (a[0] === b[0] && a[1] < b[1]);
  const place = (n: number): number => ranked.filter((other) => before(other, ranked[n] ?? [0, 0])).length;
  const bots = seats.flatMap(({ bot }, n): Party[] => {
    const rung = rungs.get(bot);
    return rung === undefined ? [] : [{ mu: rung, sigma: RUNG, place: place(n) }];
  });
  return bots.length ? [{ ...me, place: place(first - 1) }, ...bots] : [];
}

/** Where the first of the parties stands after a game (openskill's Plackett-Luce). */
function rated(all: readonly Party[]): { mu: number; sigma: number } {
  const spread = ({ sigma }: Party): number => sigma ** 2 + TAU ** 2;
  const c = Math.sqrt(all.reduce((sum, party) => sum + spread(party) + BETA ** 2, 0));
  const strength = ({ mu }: Party): number => Math.exp(mu / c);
  const me = all[0] as Party;
  let omega = 0;
  let delta = 0;
  for (const q of all) {
    if (q.place > me.place) continue;
    const rest = all.filter(({ place }) => place >= q.place).reduce((sum, party) => sum + strength(party), 0);
    const level = all.filter(({ place }) => place === q.place).length;
    const share = strength(me) / rest;
    omega += (q === me ? 1 - share : -share) / level;
    delta += (share * (1 - share)) / level;
  }
  const own = spread(me);
  const gamma = Math.sqrt(own) / c;
  return {
    mu: me.mu + (omega * own) / c,
    sigma: Math.sqrt(own * Math.max(1 - (gamma * delta * own) / c ** 2, KAPPA)),
  };
}

/** My rating after all games, the oldest first; nothing before the first one against a bot whose strength is known. */
export function rating(games: readonly GameResult[], levels: readonly LevelRow[]): Rating | null {
  const rungs = new Map(levels.map(({ bot, rating }) => [bot, START.mu + (rating - MIDDLE) * POINT]));
  let now = START;
  let count = 0;
  for (const game of [...games].sort((a, b) => a.at - b.at)) {
    const all = parties(game, rungs, now);
    if (!all.length) continue;
    now = rated(all);
    count += 1;
  }
  if (!count) return null;
  return { value: Math.round(MIDDLE + (now.mu - START.mu) / POINT), margin: Math.round((1.96 * now.sigma) / POINT), games: count };
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
