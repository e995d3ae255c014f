// A bot for Project L in plain JavaScript: it goes by the texts of the decisions, with a bit of chance.

// What it likes best comes first; anything else comes last.
const LIKES = ["done", "place", "reward", "levelup", "ambassador", "take", "gain", "upgrade", "stop"];

function dislike(text, puzzles) {
  const [verb, rest = ""] = text.split(" ");
  let rank = LIKES.includes(verb) ? LIKES.indexOf(verb) : LIKES.length;
  if (verb === "place") rank += rest[0] / 2 - rest.length / 9; // one puzzle after the other, large pieces first
  if (verb === "take") rank += puzzles >= 2 ? 4 : rest.startsWith("B"); // white cards are easier
  return rank + Math.random() * 2;
}

function answer(message) {
  if (message.type === "hello") {
    return { type: "hello", protocol: 1, name: "simple (JavaScript)" };
  }
  const puzzles = message.view.players[message.seat - 1].puzzles.length;
  const rated = message.legal.map(([number, text]) => [dislike(text, puzzles), number]);
  const [, decision] = rated.reduce((best, next) => (next[0] < best[0] ? next : best));
  return { id: message.id, decision };
}

const lines = require("node:readline").createInterface({ input: process.stdin });
lines.on("line", (line) => {
  const message = JSON.parse(line);
  if (message.type === "goodbye") process.exit();
  console.log(JSON.stringify(answer(message)));
});
