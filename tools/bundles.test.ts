/** What an import of a codec costs: bundles as a page makes them, by bytes, and the files in them. */
import { describe, expect, test } from "vitest";
import { bundleOf, codecNames } from "./bundle-of.ts";
import { outdatedCodecs } from "./described-codecs.ts";
import { outdated, readSizes } from "./sizes-table.ts";

/** Kibibytes would be more: a kilobyte is 1,000 bytes here. */
const MAX_BYTES = 10_000;

/** What a codec must not bring with it. */
const others =
  /\/(?:world|bots|movement|testing)\/|\/channel\.ts$|framed-channel|packet-cipher|keystreams|\/aes\.ts|rc4/;

const constructors = /^wire\/(?:describe\/(?:structs|variants|layout|check).*|interpret\/(?:from-json|interpret))\.ts$/;

describe("a codec alone", () => {
  test.each(codecNames)("%s has at most 10 kB, without layouts, world, bots and carrier", async (name, game) => {
    const { gzipBytes, files } = await bundleOf(name, `wirewalk/${game}/codec`);
    expect(files.filter((file) => others.test(file))).toEqual([]);
    // What makes and checks descriptions, JSON and cursors for callers.
    expect(files.filter((file) => constructors.test(file))).toEqual([]);
    expect(files).toContain(`protocols/${game}/codec.ts`);
    expect(gzipBytes).toBeLessThanOrEqual(MAX_BYTES);
    // An empty bundle would be small too.
    expect(gzipBytes).toBeGreaterThan(2_000);
    expect(outdated(readSizes(), { [`wirewalk/${game}/codec`]: { gzip: gzipBytes } })).toEqual([]);
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
