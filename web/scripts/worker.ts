import { createHash } from "node:crypto";
import { readFileSync } from "node:fs";
import type { Plugin, Rolldown } from "vite";

// What the first screen needs; everything else is kept by the worker when it is first asked for.
const STATIC = ["/", "/icon.svg", "/manifest.webmanifest"];

/** The entry, what it imports at once, and their styles. */
function firstFiles(bundle: Rolldown.OutputBundle): Set<string> {
  const found = new Set<string>();
  const add = (name: string): void => {
    const chunk = bundle[name];
    if (chunk?.type !== "chunk" || found.has(name)) return;
    found.add(name);
    for (const style of chunk.viteMetadata?.importedCss ?? []) found.add(style);
    chunk.imports.forEach(add);
  };
  for (const [name, file] of Object.entries(bundle)) if (file.type === "chunk" && file.isEntry) add(name);
  return found;
}

/** Puts `sw.js` beside the built page, with the names of the files it keeps. */
export function serviceWorker(): Plugin {
  return {
    name: "projectl-service-worker",
    apply: "build",
    generateBundle(_options, bundle) {
      const source = readFileSync(new URL("./worker.js", import.meta.url), "utf8");
      const names = Object.keys(bundle).sort();
      const version = createHash("sha256").update(names.join() + source).digest("hex").slice(0, 12);
      const shell = [...STATIC, ...[...firstFiles(bundle)].map((name) => `/${name}`)];
      const text = source.replace('"VERSION"', JSON.stringify(version)).replace('["SHELL"]', JSON.stringify(shell));
      this.emitFile({ type: "asset", fileName: "sw.js", source: text });
    },
  };
}
