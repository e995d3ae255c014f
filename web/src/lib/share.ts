// Links and records out of the page, and records into it.
import * as api from "./api";
import { m } from "./words.svelte";

const ONLY_HERE = /^(localhost|127\.[\d.]+|\[::1\])$/;

/** Where others reach this server, and whether they do at all. */
export interface Reach {
  origins: string[]; // the likeliest first
  onlyHere: boolean; // only this computer does
}

/** What the server was told of its address, or its addresses in the house where this page is on its machine. */
export async function reach(): Promise<Reach> {
  const told = await api.about().catch(() => null);
  if (told?.public_url) return { origins: [new URL(told.public_url).origin], onlyHere: false };
  if (!ONLY_HERE.test(location.hostname)) return { origins: [location.origin], onlyHere: false };
  const origins = (told?.addresses ?? []).map((address) => new URL(address).origin);
  return origins.length ? { origins, onlyHere: false } : { origins: [location.origin], onlyHere: told !== null };
}

/** The system's own sharing, where there is one. */
export const canShare = (): boolean => "share" in navigator;

export async function shareSheet(url: string): Promise<boolean> {
  try {
    await navigator.share({ title: m.app_name(), url });
    return true;
  } catch {
    return false; // it was closed again
  }
}

export async function copyText(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}

/** The system's own sharing on a phone, else the clipboard; the link leads where others reach it. */
export async function shareLink(here: string): Promise<boolean> {
  const { origins } = await reach();
  const url = here.startsWith(location.origin) ? (origins[0] ?? location.origin) + here.slice(location.origin.length) : here;
  return canShare() && matchMedia("(pointer: coarse)").matches ? shareSheet(url) : copyText(url);
}

export function saveText(name: string, text: string): void {
  const link = document.createElement("a");
  link.href = URL.createObjectURL(new Blob([text], { type: "text/plain" }));
  link.download = name;
  link.click();
  URL.revokeObjectURL(link.href);
}

export async function save(game: string): Promise<void> {
  saveText(`${game}.pln`, await api.record(game));
}

/** A record small enough for a link: deflated, in the letters that a link may have. */
export async function pack(text: string): Promise<string> {
  const stream = new Blob([text]).stream().pipeThrough(new CompressionStream("deflate-raw"));
  const bytes = new Uint8Array(await new Response(stream).arrayBuffer());
  return btoa(String.fromCharCode(...bytes)).replaceAll("+", "-").replaceAll("/", "_").replace(/=+$/, "");
}

/** A link that was cut short or changed on its way is refused. */
export async function unpack(packed: string): Promise<string> {
  try {
    const bytes = Uint8Array.from(atob(packed.replaceAll("-", "+").replaceAll("_", "/")), (sign) => sign.charCodeAt(0));
    const stream = new Blob([bytes]).stream().pipeThrough(new DecompressionStream("deflate-raw"));
    return await new Response(stream).text();
  } catch {
    throw new api.Refusal("link");
  }
}
