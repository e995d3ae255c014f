// Writes src/lib/messages.ts from the server's JSON Schema and its table of options: `npm run types`.
// PROJECTL_PYTHON names the interpreter with the project's dependencies (default: the checkout's own).
import { execFileSync } from "node:child_process";
import { writeFileSync } from "node:fs";
import { dirname, join } from "node:path";
import { fileURLToPath } from "node:url";
import { compile } from "json-schema-to-typescript";

const web = dirname(dirname(fileURLToPath(import.meta.url)));
const python = process.env.PROJECTL_PYTHON ?? join(web, "..", ".venv", "bin", "python");
const said = `
from msgspec.json import encode
from projectl.server.catalogue import option_rows
from projectl.server.http.replies import all_types
print(encode({"schema": all_types(), "options": option_rows()}).decode())
`;
const env = { ...process.env, PYTHONPATH: join(web, "..", "src") };
const { schema, options } = JSON.parse(execFileSync(python, ["-c", said], { env, encoding: "utf8" }));

const names = Object.keys(schema.$defs);
for (const name of names) delete schema.$defs[name].title;
const root = {
  $defs: schema.$defs,
  type: "object",
  properties: Object.fromEntries(names.map((name) => [name, { $ref: `#/$defs/${name}` }])),
};
const text = await compile(root, "All", {
  additionalProperties: false,
  bannerComment: "// Made by `npm run types` from src/projectl/server/http/messages.py and replies.py. Do not edit.",
  declareExternallyReferenced: true,
  style: { printWidth: 120 },
  format: true,
});
const body = text.replace(/export interface All \{[\s\S]*?\n\}\n/, "");
const table = `export const OPTIONS: readonly OptionRow[] = ${JSON.stringify(options, null, 2)};\n`;
writeFileSync(join(web, "src", "lib", "messages.ts"), body + table);
