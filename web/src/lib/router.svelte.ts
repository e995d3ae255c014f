// Which screen is shown follows from the address alone.
export type Screen =
  | "start" | "new" | "join" | "tables" | "mine" | "table" | "replay" | "learn" | "settings" | "help" | "daily" | "results" | "pair" | "solo" | "lessons"
  | "missing";

export interface Route {
  screen: Screen;
  game: string; // or the day of a puzzle
  hash: string;
  query: URLSearchParams;
  back: string; // the game from which one came to look something up; empty: from none
}

const GAMES: readonly Screen[] = ["table", "replay", "learn", "daily", "lessons"];
const LOOKED_UP: readonly Screen[] = ["settings", "help"];

const PATHS: [RegExp, Screen][] = [
  [/^\/$/, "start"],
  [/^\/new$/, "new"],
  [/^\/join\/([\w-]{1,40})$/, "join"],
  [/^\/tables$/, "tables"],
  [/^\/pair$/, "pair"],
  [/^\/solo$/, "solo"],
  [/^\/mine$/, "mine"],
  [/^\/table\/([\w-]{1,40})$/, "table"],
  [/^\/replay(?:\/([\w-]{1,40}))?$/, "replay"],
  [/^\/learn$/, "learn"],
  [/^\/lessons(?:\/([a-z_]{1,30}))?$/, "lessons"],
  [/^\/daily(?:\/([\d-]{1,20}))?$/, "daily"],
  [/^\/results$/, "results"],
  [/^\/settings$/, "settings"],
  [/^\/help$/, "help"],
];

function read(): Route {
  const back = (history.state as { back?: string } | null)?.back ?? ""; // so that it is there after a reload
  const path = location.pathname.replace(/(.)\/$/, "$1");
  const rest = { hash: location.hash.slice(1), query: new URLSearchParams(location.search), back };
  for (const [pattern, screen] of PATHS) {
    const found = pattern.exec(path);
    if (found) return { screen, game: found[1] ?? "", ...rest };
  }
  return { screen: "missing", game: "", ...rest };
}

let current = $state.raw(read());

export function route(): Route {
  return current;
}

/** Who looks something up goes back to the game that was left for it. */
function backFrom(before: Route, address: string): void {
  if (!LOOKED_UP.includes(read().screen)) return;
  const back = GAMES.includes(before.screen) ? address : before.back;
  if (back) history.replaceState({ back }, "");
}

export function go(path: string, replace = false): void {
  const before = current;
  const address = location.pathname + location.search + location.hash;
  history[replace ? "replaceState" : "pushState"](null, "", path);
  backFrom(before, address);
  current = read();
  if (before.screen !== current.screen || before.game !== current.game) scrollTo(0, 0);
}

/** Links inside the page change the screen without loading it anew. */
export function startRouter(): void {
  addEventListener("popstate", () => {
    if (!history.state && location.hash) backFrom(current, ""); // a jump within the same screen
    current = read();
  });
  document.addEventListener("click", (event) => {
    const link = (event.target as Element | null)?.closest?.("a");
    if (!link || event.defaultPrevented || event.button || event.metaKey || event.ctrlKey || event.shiftKey) return;
    if (link.origin !== location.origin || link.target || link.rel === "external" || link.hasAttribute("download")) return;
    if (link.pathname === location.pathname && link.hash && link.search === location.search) return;
    event.preventDefault();
    go(link.pathname + link.search + link.hash);
  });
}
