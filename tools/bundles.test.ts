/** What an import of a codec costs: bundles as a page makes them, by bytes, and the files in them. */
import { fileURLToPath } from "node:url";
import { gzipSync } from "node:zlib";
import { rolldown } from "rolldown";
import { describe, expect, test } from "vitest";
import { outdatedCodecs } from "./described-codecs.ts";

const root = fileURLToPath(new URL("..", import.meta.url));
const sources = "packages/wirewalk/src/";

interface Bundle {
  /** Minified and compressed. */
  readonly gzipBytes: number;
  /** Files of the library with code in the bundle, from `src/` on. */
  readonly files: readonly string[];
}

/** A bundle of one module that exports a name of a subpath. */
async function bundleOf(names: string, specifier: string): Promise<Bundle> {
  const entry = "\0entry";
  const build = await rolldown({
    input: entry,
    cwd: `${root}packages/cli`,
    logLevel: "silent",
    resolve: { conditionNames: ["wirewalk-source", "import"] },
    plugins: [
      {
        name: "entry",
        resolveId: (id) => (id === entry ? id : undefined),
        load: (id) => (id === entry ? `export { ${names} } from "${specifier}"` : undefined),
      },
    ],
  });
  const { output } = await build.generate({ format: "esm", minify: true });
  await build.close();
  const [chunk] = output;
  const files = Object.entries(chunk.modules)
    .filter(([, { renderedLength }]) => renderedLength > 0)
    .flatMap(([file]) => (file.includes(sources) ? [file.slice(file.indexOf(sources) + sources.length)] : []));
  return { gzipBytes: gzipSync(chunk.code, { level: 9 }).length, files };
}

/** Kibibytes would be more: a kilobyte is 1,000 bytes here. */
const MAX_BYTES = 10_000;

/** What a codec must not bring with it. */
const others =
  /\/(?:world|bots|movement|testing)\/|\/channel\.ts$|framed-channel|packet-cipher|keystreams|\/aes\.ts|rc4/;

describe("a codec alone", () => {
  test.each([
    ["mapleMessages", "maplestory"],
    ["slimeMessages", "slime-online-2"],
    ["scrapMessages", "scrap-mechanic"],
    ["osrsMessages", "osrs"],
  ])("%s has at most 10 kB, without layouts, world, bots and carrier", async (name, game) => {
    const { gzipBytes, files } = await bundleOf(name, `wirewalk/${game}/codec`);
    expect(files.filter((file) => others.test(file))).toEqual([]);
    expect(files.filter((file) => file.startsWith("wire/layout/"))).toEqual([]);
    expect(files).toContain(`protocols/${game}/codec.ts`);
    expect(gzipBytes).toBeLessThanOrEqual(MAX_BYTES);
    // An empty bundle would be small too.
    expect(gzipBytes).toBeGreaterThan(2_000);
  });
});

test.each([
  ["mapleCodec", "maplestory"],
  ["scrapCodec", "scrap-mechanic"],
])("%s of the whole game brings neither world nor bots nor carrier", async (name, game) => {
  const { files } = await bundleOf(name, `wirewalk/${game}`);
  expect(files.filter((file) => /\/(?:world|bots|movement)\//.test(file))).toEqual([]);
  expect(files.filter((file) => /packet-cipher|framed-channel|\/aes\.ts/.test(file))).toEqual([]);
});

test("the descriptions in the codecs are those of the layouts: npm run build:codecs", () => {
  expect(outdatedCodecs()).toEqual([]);
});
