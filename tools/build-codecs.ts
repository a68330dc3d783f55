/**
 * Writes the readers and writers of all messages, out of their descriptions.
 *
 *   npm run build:codecs              writes wire/generated of every game
 *   npm run build:codecs -- --check   fails when a committed one is another
 */
import { mkdirSync, writeFileSync } from "node:fs";
import { registerHooks } from "node:module";
import { dirname } from "node:path";
import { fileURLToPath } from "node:url";

// The descriptions are loaded without what was made from them: that may be missing or of another version.
const isGenerated = (url: string): boolean => /\/generated\/[^/]+\.ts$/.test(url);
registerHooks({
  resolve(specifier, context, nextResolve) {
    if (!isGenerated(specifier)) return nextResolve(specifier, context);
    return { url: new URL(specifier, context.parentURL).href, shortCircuit: true };
  },
  load(url, context, nextLoad) {
    if (!isGenerated(url)) return nextLoad(url, context);
    return { format: "module", source: "", shortCircuit: true };
  },
});
const { protocols } = await import("../packages/wirewalk/src/protocols/table.ts");
const { generatedCodecs, outdatedCodecs } = await import("./generated-codecs.ts");

const games = Object.values(protocols);
if (process.argv.includes("--check")) {
  const outdated = outdatedCodecs(games);
  for (const file of outdated) console.error(`${file} is not what the descriptions make: run npm run build:codecs`);
  process.exitCode = outdated.length === 0 ? 0 : 1;
} else {
  const root = fileURLToPath(new URL("../", import.meta.url));
  for (const [file, text] of generatedCodecs(games)) {
    mkdirSync(dirname(root + file), { recursive: true });
    writeFileSync(root + file, text);
    console.log(`${file}: ${text.split("\n").length} lines`);
  }
}
