/**
 * Writes the descriptions of all messages as text, for the codecs of `wirewalk/<game>/codec`.
 *
 *   npm run build:codecs              writes described-messages.ts of every game
 *   npm run build:codecs -- --check   fails when a committed one is another
 */
import { writeFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { describedCodecs, outdatedCodecs } from "./described-codecs.ts";

if (process.argv.includes("--check")) {
  const outdated = outdatedCodecs();
  for (const file of outdated) console.error(`${file} is not what the layouts make: run npm run build:codecs`);
  process.exitCode = outdated.length === 0 ? 0 : 1;
} else {
  const root = fileURLToPath(new URL("../", import.meta.url));
  for (const [file, source] of describedCodecs()) {
    writeFileSync(root + file, source);
    console.log(`${file}: ${source.length} characters`);
  }
}
