// The final score as sums that a person can follow. Lines and totals are the server's.
import type { Catalogue } from "../board/contract";
import { listed } from "../board/words";
import type { PlayerView, Table, View } from "./messages";
import { written } from "./names";
import { m } from "./words.svelte";

export interface ScoreLine {
  label: string;
  cards: string[]; // shown as pictures
  worths: string; // their points, for readers
  points: string;
}

export interface Score {
  seat: number;
  name: string;
  colour: string;
  won: boolean;
  total: number;
  lines: ScoreLine[];
}

const signed = (points: number) => (points > 0 ? `+${points}` : written(points));

function pointsOf(table: Table, catalogue: Catalogue): (card: string) => number {
  const known = new Map(catalogue.cards.map((card) => [card.id, card.points]));
  for (const line of table.setup.cards) {
    const [id = "", , points = "0"] = line.split(" ");
    known.set(id, Number(points));
  }
  return (card) => known.get(card) ?? 0;
}

const plain = (label: string, points: string): ScoreLine => ({ label, cards: [], worths: "", points });

function pileLine(cards: string[], points: number, worth: (card: string) => number): ScoreLine {
  return { label: m.score_pile({ n: cards.length }), cards, worths: cards.map(worth).join(" + "), points: signed(points) };
}

function linesOf({ completed, touches, score }: PlayerView, worth: (card: string) => number): ScoreLine[] {
  if (!score) return []; // it comes when the game is over
  const lines = [pileLine(completed ?? [], score.pile ?? 0, worth)];
  if (score.noted) lines.push(plain(m.score_noted(), signed(score.noted)));
  if (score.touches) lines.push(plain(m.score_touches({ n: touches }), signed(score.touches)));
  for (const { card, left } of score.unfinished) {
    lines.push({ ...plain(m.score_unfinished(), signed(left)), cards: [card] });
  }
  return lines;
}

export function scoresOf(view: View, table: Table, catalogue: Catalogue): Score[] {
  const worth = pointsOf(table, catalogue);
  const { result } = view;
  const winners = result?.winners ?? table.winners ?? [];
  const scores = view.players.map((player): Score => {
    const info = table.seats.find((seat) => seat.seat === player.seat);
    return {
      seat: player.seat,
      name: info?.name ?? m.seat_player({ n: player.seat }),
      colour: info?.colour ?? "",
      won: winners.includes(player.seat),
      total: player.score?.total ?? 0,
      lines: linesOf(player, worth),
    };
  });
  if (view.solo) {
    const { completed, points } = view.solo;
    const lines = [pileLine(completed, points, worth)];
    scores.push({ seat: 2, name: m.mastermind(), colour: "rose", won: winners.includes(2), total: points, lines });
  }
  return scores.sort((a, b) => Number(b.won) - Number(a.won) || b.total - a.total);
}

/** Who has won, and what decided it. */
export function verdict(view: View, table: Table): string {
  const { result } = view;
  const name = (seat: number) => table.seats.find((info) => info.seat === seat)?.name ?? `${seat}`;
  const winners = result?.winners ?? table.winners ?? [];
  const names = listed(winners.map(name));
  const lost = view.solo && winners[0] === 2;
  const givenUp = !result || result.reason === "resigned";
  if (givenUp && lost) return m.end_lost_resign();
  if (!result || givenUp) return names ? m.end_won_resign({ names, n: table.seats.length - winners.length }) : m.end_over();
  const points = written(Math.max(...result.scores));
  if (lost) return result.scores[0] === result.scores[1] ? m.end_mastermind_tie({ points }) : m.end_lost({ points });
  if (result.reason === "credits") return m.end_won_credits({ names, points });
  if (result.reason === "puzzles") return m.end_won_puzzles({ names, points });
  if (result.reason === "pieces") return m.end_won_pieces({ names, points });
  if (result.reason === "shared") return m.end_shared({ names, points });
  return m.end_won({ names, points });
}
