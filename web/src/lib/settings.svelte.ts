// What a person has chosen on this device; kept in the browser, shown on <html> for the styles.
import type { BoardSettings } from "../board/contract";
import type { Pace } from "./pace";
import { browserLocale, isLocale, loadWords, type Locale } from "./words.svelte";

export interface Settings {
  locale: Locale;
  theme: "auto" | "dark" | "light";
  palette: "classic" | "safe";
  marks: boolean;
  motion: "auto" | "full" | "reduced";
  pace: Pace; // of what others do
  sound: boolean;
  soundOffered: boolean; // once, in the first game
  confirmTurn: boolean;
  handing: boolean; // several people at one screen: whose turn begins is said before it does
  help: "full" | "brief";
  notify: boolean;
  name: string;
  colour: string;
  learned: boolean;
}

const KEY = "projectl.settings";
export const COLOURS = ["teal", "coral", "violet", "gold", "rose", "sky"] as const;
export const isColour = (name: string): boolean => (COLOURS as readonly string[]).includes(name);

const DEFAULTS: Omit<Settings, "locale"> = {
  theme: "auto",
  palette: "classic",
  marks: true,
  motion: "auto",
  pace: "steady",
  sound: false,
  soundOffered: false,
  confirmTurn: false,
  handing: true,
  help: "full",
  notify: false,
  name: "",
  colour: "teal",
  learned: false,
};

function kept(): Settings {
  const fresh: Settings = { ...DEFAULTS, locale: browserLocale() };
  try {
    const stored = JSON.parse(localStorage.getItem(KEY) ?? "{}") as Partial<Settings>;
    const merged = { ...fresh, ...stored };
    return isLocale(merged.locale) ? merged : { ...merged, locale: fresh.locale };
  } catch {
    return fresh;
  }
}

export const settings: Settings = $state(kept());

const dark = matchMedia("(prefers-color-scheme: light)");
const still = matchMedia("(prefers-reduced-motion: reduce)");
let system = $state({ light: dark.matches, still: still.matches });
dark.addEventListener("change", () => (system.light = dark.matches));
still.addEventListener("change", () => (system.still = still.matches));

export function theme(): "dark" | "light" {
  return settings.theme === "auto" ? (system.light ? "light" : "dark") : settings.theme;
}

export function motion(): "full" | "reduced" {
  return settings.motion === "auto" ? (system.still ? "reduced" : "full") : settings.motion;
}

export function boardSettings(): BoardSettings {
  const { palette, marks, sound, confirmTurn, help } = settings;
  return { palette, marks, motion: motion(), sound, confirmTurn, help };
}

/** Keeps the choices and shows them; to be called once, while the page is being set up. */
export function followSettings(): void {
  $effect(() => {
    const root = document.documentElement;
    root.dataset["theme"] = theme();
    root.dataset["palette"] = settings.palette;
    root.dataset["motion"] = motion();
    const colour = getComputedStyle(root).getPropertyValue("--table").trim();
    if (colour) document.querySelector('meta[name="theme-color"]')?.setAttribute("content", colour);
  });
  $effect(() => {
    try {
      localStorage.setItem(KEY, JSON.stringify(settings));
    } catch {
      // A browser that keeps nothing still plays.
    }
  });
  $effect(() => void loadWords(settings.locale));
}
