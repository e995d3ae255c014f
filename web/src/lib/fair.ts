// Whether a deck is the one that was promised: the page computes the hashes itself, also where the browser offers none
// (`crypto.subtle` is missing at a plain address in the house).
import type { Table } from "./messages";

const ROUNDS = 64;
const primes = [...Array(312).keys()].filter((n) => n > 1 && ![...Array(n).keys()].some((d) => d > 1 && n % d === 0));
const fraction = (x: number): number => ((x - Math.floor(x)) * 2 ** 32) | 0;
const STARTS = primes.slice(0, 8).map((prime) => fraction(Math.sqrt(prime)));
const ADDED = primes.slice(0, ROUNDS).map((prime) => fraction(Math.cbrt(prime)));

/** The text's bytes as SHA-256 wants them: a one behind them, and their length in bits at the end of a block. */
function padded(text: string): DataView {
  const bytes = new TextEncoder().encode(text);
  const view = new DataView(new ArrayBuffer(Math.ceil((bytes.length + 9) / 64) * 64));
  bytes.forEach((byte, n) => view.setUint8(n, byte));
  view.setUint8(bytes.length, 128);
  view.setUint32(view.byteLength - 4, bytes.length * 8);
  return view;
}

const turned = (x: number, by: number): number => (x >>> by) | (x << (32 - by));

function block(view: DataView, at: number, before: number[]): number[] {
  const w: number[] = [];
  let [a, b, c, d, e, f, g, h] = before as [number, number, number, number, number, number, number, number];
  for (let n = 0; n < ROUNDS; n++) {
    if (n < 16) w[n] = view.getInt32(at + 4 * n);
    else {
      const x = w[n - 15] ?? 0;
      const y = w[n - 2] ?? 0;
      const mixed = turned(x, 7) ^ turned(x, 18) ^ (x >>> 3);
      w[n] = (mixed + (w[n - 16] ?? 0) + (w[n - 7] ?? 0) + (turned(y, 17) ^ turned(y, 19) ^ (y >>> 10))) | 0;
    }
    const one = (h + (turned(e, 6) ^ turned(e, 11) ^ turned(e, 25)) + ((e & f) ^ (~e & g)) + (ADDED[n] ?? 0) + (w[n] ?? 0)) | 0;
    const two = ((turned(a, 2) ^ turned(a, 13) ^ turned(a, 22)) + ((a & b) ^ (a & c) ^ (b & c))) | 0;
    [a, b, c, d, e, f, g, h] = [(one + two) | 0, a, b, c, (d + one) | 0, e, f, g];
  }
  return [a, b, c, d, e, f, g, h].map((x, n) => (x + (before[n] ?? 0)) | 0);
}

/** SHA-256 in hexadecimal. */
export function sha256(text: string): string {
  const view = padded(text);
  let found = STARTS;
  for (let at = 0; at < view.byteLength; at += 64) found = block(view, at, found);
  return found.map((x) => (x >>> 0).toString(16).padStart(8, "0")).join("");
}

/** Whether the deck of a game that is over is made of the promised seed and of what players put into the shuffle;
 * `noted` is the promise as it was first seen here. */
export function kept(table: Table, noted = ""): boolean {
  const luck = Object.entries(table.luck ?? {}).sort(([one], [two]) => Number(one) - Number(two));
  const promised = table.promised ?? table.seed ?? "";
  const lines = [`projectl/1/deal/${promised}`, ...luck.map(([seat, words]) => `${seat} ${words}`)];
  const dealt = luck.length ? sha256(lines.join("\n")) : promised;
  const promise = sha256(`projectl/1/fair/${table.salt}/${promised}`);
  return dealt === table.seed && promise === table.fair && (!noted || noted === promise);
}

/** Something that nobody guesses, for the shuffle. */
export function someLuck(): string {
  return [...crypto.getRandomValues(new Uint8Array(8))].map((byte) => byte.toString(16).padStart(2, "0")).join("");
}
