// Why something did not work, in the reader's language. The server's own sentence is only for codes newer than the page.
import { Refusal } from "./api";
import { hasWord, m, word } from "./words.svelte";

const SHOWN = 40; // characters of a line that cannot be read

const named = (id: string): string => (hasWord(`module_${id}`) ? word(`module_${id}`) : id);

/** What a code means: in the words for its field, in its own, or in those that the board has for it. */
export function sayCode(code: string, sentence: string, field = "", about = "?"): string {
  const key = code.replaceAll("-", "_");
  const found = [`refused_${key}_${field}`, `refused_${key}`, `b_no_${key}`].find(hasWord);
  if (found) return word(found, { about: about.split(", ").map(named).join(", ") });
  return sentence ? sentence.charAt(0).toUpperCase() + sentence.slice(1) : m.refused_other({ code });
}

/** A line of a record that cannot be read is shown, and what a record is. */
export function sayError(error: unknown): string {
  if (!(error instanceof Refusal)) return m.refused_page();
  const { code, sentence, field, line, about, record } = error;
  const said = sayCode(code, sentence, field, about);
  if (!line) return said;
  const text = (record.split("\n")[line - 1] ?? "").trim();
  const cut = text.length > SHOWN ? `${text.slice(0, SHOWN)}…` : text;
  return `${m.import_line({ line, text: cut, said })} ${m.import_what()}`;
}
