// The page's words in the language that is on. Only that language is loaded; switching needs no reload.
// Use: `import { m } from "../lib/words.svelte"`, then `m.start_title()` in markup, `$derived` or functions.
import type * as English from "../paraglide/messages/_index.js";

export type Words = typeof English;
export const LOCALES = ["en", "cs", "de", "es", "fr", "it"] as const;
export type Locale = (typeof LOCALES)[number];

/** Every language in its own words, as a person looking for theirs would read it. */
export const LOCALE_NAMES: Record<Locale, string> = {
  en: "English",
  cs: "Čeština",
  de: "Deutsch",
  es: "Español",
  fr: "Français",
  it: "Italiano",
};

const LOAD: Record<Locale, () => Promise<Words>> = {
  en: () => import("../paraglide/messages/en.js") as Promise<unknown> as Promise<Words>,
  cs: () => import("../paraglide/messages/cs.js") as Promise<unknown> as Promise<Words>,
  de: () => import("../paraglide/messages/de.js") as Promise<unknown> as Promise<Words>,
  es: () => import("../paraglide/messages/es.js") as Promise<unknown> as Promise<Words>,
  fr: () => import("../paraglide/messages/fr.js") as Promise<unknown> as Promise<Words>,
  it: () => import("../paraglide/messages/it.js") as Promise<unknown> as Promise<Words>,
};

let current = $state.raw<{ locale: Locale; words: Words } | null>(null);

export function isLocale(text: string | null | undefined): text is Locale {
  return (LOCALES as readonly string[]).includes(text ?? "");
}

/** The first of the browser's languages that the page speaks. */
export function browserLocale(): Locale {
  const wanted = navigator.languages.map((tag) => tag.slice(0, 2).toLowerCase());
  return wanted.find(isLocale) ?? "en";
}

/** Whether a language is there yet. */
export function ready(): boolean {
  return current !== null;
}

export function locale(): Locale {
  return current?.locale ?? "en";
}

export async function loadWords(wanted: Locale): Promise<void> {
  const words = await LOAD[wanted]();
  current = { locale: wanted, words };
  document.documentElement.lang = wanted;
}

/** A message whose key is put together while the page runs; the key itself where there is no such message. */
export function word(key: string, inputs: Record<string, unknown> = {}): string {
  const message = (current?.words as Record<string, unknown> | undefined)?.[key];
  return typeof message === "function" ? (message as (inputs: unknown) => string)(inputs) : key;
}

export function hasWord(key: string): boolean {
  return typeof (current?.words as Record<string, unknown> | undefined)?.[key] === "function";
}

export const m: Words = new Proxy({} as Words, {
  get: (_target, key) => (inputs: Record<string, unknown> = {}) => word(String(key), inputs),
});
