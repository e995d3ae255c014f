// What a table may settle: the program's own table of options, made into messages.ts by `npm run types`.
import { OPTIONS, type OptionRow, type Setup } from "./messages";

/** Chosen among values, for several players; and those that are a number. */
export const CHOICES: readonly OptionRow[] = OPTIONS.filter(({ values, solo }) => values.length > 0 && !solo);
export const NUMBERS: readonly OptionRow[] = OPTIONS.filter(({ values }) => values.length === 0);

const rowOf = (name: string): OptionRow | undefined => OPTIONS.find((option) => option.name === name);

export const valuesOf = (name: string): readonly string[] => rowOf(name)?.values ?? [];

/** What holds in a game: what its table settled, else what its edition prints. */
export function optionOf({ edition, options }: Pick<Setup, "edition" | "options">, name: string): string {
  return options[name] || (rowOf(name)?.defaults[edition] ?? "");
}
