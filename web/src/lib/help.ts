// The topics of the rules help, and the rulings that apply to each (docs/rulings.md has them all).
export interface Topic {
  id: string;
  rulings: number[];
}

export const TOPICS: Topic[] = [
  { id: "goal", rulings: [] },
  { id: "turn", rulings: [1, 20, 21] },
  { id: "take", rulings: [39] },
  { id: "recycle", rulings: [2] },
  { id: "gain", rulings: [24] },
  { id: "upgrade", rulings: [3, 25, 26] },
  { id: "place", rulings: [8] },
  { id: "master", rulings: [4] },
  { id: "reward", rulings: [5, 6, 7, 31] },
  { id: "pass", rulings: [42] },
  { id: "end", rulings: [18, 19, 22, 23] },
  { id: "touches", rulings: [40] },
  { id: "score", rulings: [9] },
  { id: "piles", rulings: [44] },
  { id: "ghost", rulings: [12, 29] },
  { id: "levelup", rulings: [13, 27, 28] },
  { id: "ambassador", rulings: [14] },
  { id: "finesse", rulings: [15, 32, 33, 36, 37] },
  { id: "insert", rulings: [34, 35] },
  { id: "solo", rulings: [10, 11, 30, 43] },
  { id: "line_clear", rulings: [16, 38, 41] },
  { id: "endless_white", rulings: [17] },
  { id: "keys", rulings: [] },
];

export function topicOf(id: string): Topic {
  return TOPICS.find((topic) => topic.id === id) ?? (TOPICS[1] as Topic);
}
