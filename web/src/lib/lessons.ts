// Short lessons: each shows one rule at a position where it matters (src/projectl/lessons). What a lesson asks for is
// the kind of action that it plays, and where that says too little the very action.
import { json } from "./api";
import type { LessonStep, Tried } from "./messages";
import { hasWord, word } from "./words.svelte";

/** In the order in which they build on each other; the modules last. */
export const LESSONS = ["recycle", "deck", "levels", "piles", "end", "touches", "solo"] as const;
export const MODULES = ["ghost", "ambassador", "phoenix", "finesse", "finesse_ambassador", "line_clear", "endless_white"] as const;
/** The topics of the help that have a moving picture. */
const PICTURES = new Set<string>([...LESSONS, ...MODULES, "take", "gain", "upgrade", "place", "master", "reward", "pass", "levelup", "insert"]);
/** Where any action of the kind will do. */
const ANY = new Set(["recycle", "upgrade", "touch", "ghost", "ambassador"]);

export type LessonId = (typeof LESSONS)[number] | (typeof MODULES)[number];
export const isLesson = (id: string): id is LessonId => [...LESSONS, ...MODULES].some((one) => one === id);
export const hasPicture = (id: string): boolean => PICTURES.has(id);

/** A lesson is called as its topic or its module is, unless it has a name of its own. */
export function lessonName(id: LessonId): string {
  return word([`lesson_${id}_title`, `module_${id}`, `help_${id}_title`].find(hasWord) ?? id);
}

const verb = (action: string): string => action.split(" ")[0] ?? "";

/** Whether an action is what a lesson asks for. */
export function asksFor({ play }: LessonStep, action: string): boolean {
  const [wanted = ""] = play;
  return ANY.has(verb(wanted)) ? verb(action) === verb(wanted) : action === wanted;
}

/** The parts of the table that an action is about, as the board names them. */
export function spotsOf(action: string): string[] {
  const [kind = "", first = ""] = action.split(" ");
  if (kind === "take") return [`take ${first}`];
  if (kind === "place" || kind === "touch") return [`place ${first.split(":")[0]}`];
  return [kind];
}

export const ask = (id: string, actions: string[]) => json<LessonStep>("POST", `/api/lessons/${id}`, { actions });
export const tryOut = (id: string, actions: string[], action: string) =>
  json<Tried>("POST", `/api/lessons/${id}/try`, { actions, action });

const KEY = "projectl.lessons";

/** The lessons that were done on this device. */
export function learned(): string[] {
  try {
    const found: unknown = JSON.parse(localStorage.getItem(KEY) ?? "[]");
    return Array.isArray(found) ? found.filter((one) => typeof one === "string") : [];
  } catch {
    return [];
  }
}

export function noteLearned(id: string): void {
  try {
    localStorage.setItem(KEY, JSON.stringify([...new Set([...learned(), id])]));
  } catch {
    // A browser that keeps nothing forgets it.
  }
}
