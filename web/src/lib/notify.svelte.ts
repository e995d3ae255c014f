// Tells a person whose page is in the background that it is their turn.
import type { Table } from "./messages";
import { gameTitle } from "./names";
import { settings } from "./settings.svelte";
import { m } from "./words.svelte";

export function canNotify(): boolean {
  return "Notification" in window;
}

/** Asks the browser for leave; false where it is refused. */
export async function allowNotes(): Promise<boolean> {
  return canNotify() && (await Notification.requestPermission()) === "granted";
}

async function note(table: Table): Promise<void> {
  const options = { body: gameTitle(table.setup), tag: table.game, icon: "/icon-192.png", data: { path: `/table/${table.game}` } };
  const worker = await navigator.serviceWorker?.getRegistration();
  if (worker) await worker.showNotification(m.title_your_turn(), options);
  else new Notification(m.title_your_turn(), options);
}

/** To be called while a screen is set up. */
export function watchTurns(mine: () => boolean, table: () => Table | null): void {
  let before = false;
  $effect(() => {
    const now = mine();
    const here = table();
    const began = now && !before;
    before = now;
    if (!began || !here || !document.hidden || !settings.notify) return;
    if (canNotify() && Notification.permission === "granted") void note(here).catch(() => {});
  });
}
