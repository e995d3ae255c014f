import { paraglideVitePlugin } from "@inlang/paraglide-js";
import { svelte } from "@sveltejs/vite-plugin-svelte";
import { defineConfig } from "vite";
import { serviceWorker } from "./scripts/worker.ts";

const server = process.env["PROJECTL_SERVER"] ?? "http://127.0.0.1:8765";

export default defineConfig({
  plugins: [
    paraglideVitePlugin({
      project: "./project.inlang",
      outdir: "./src/paraglide",
      // One file a language: the page loads only the one it shows (lib/words.svelte.ts).
      outputStructure: "locale-modules",
      strategy: ["globalVariable", "baseLocale"],
      emitReadme: false,
    }),
    svelte(),
    serviceWorker(),
  ],
  build: {
    target: "es2023",
    assetsInlineLimit: 0,
    modulePreload: { polyfill: false },
    // A file of its own, its function by its name: tests/web/test_compose.py calls it as it is shipped.
    rolldownOptions: { input: ["index.html", "src/layout/compose.ts"], preserveEntrySignatures: "allow-extension" },
  },
  server: { proxy: { "/api": { target: server, ws: true } } },
  preview: { proxy: { "/api": { target: server, ws: true } } },
});
