// Why something did not work, in the reader's language where the code is known, else in the server's sentence.
import { Refusal } from "./api";
import { hasWord, m, word } from "./words.svelte";

export function sayCode(code: string, sentence: string): string {
  const key = `refused_${code.replaceAll("-", "_")}`;
  return hasWord(key) ? word(key) : sentence || m.refused_other({ code });
}

export function sayError(error: unknown): string {
  return error instanceof Refusal ? sayCode(error.code, error.sentence) : m.refused_other({ code: String(error) });
}
