// Links and records out of the page, and records into it.
import * as api from "./api";

const ONLY_HERE = /^(localhost|127\.[\d.]+|\[::1\])$/;

/** The origin that others reach: what the server was told, or its address in the house where this page is on its machine. */
export async function origin(): Promise<string> {
  const told = await api.about().catch(() => null);
  const known = told?.public_url || (ONLY_HERE.test(location.hostname) && told?.addresses[0]);
  return known ? new URL(known).origin : location.origin;
}

/** The system's own sharing where there is one, else the clipboard; the link leads where others reach it. */
export async function shareLink(here: string): Promise<boolean> {
  try {
    const url = here.startsWith(location.origin) ? (await origin()) + here.slice(location.origin.length) : here;
    if (navigator.share && matchMedia("(pointer: coarse)").matches) await navigator.share({ url });
    else await navigator.clipboard.writeText(url);
    return true;
  } catch {
    return false;
  }
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
