/** What an import of a codec costs: bundles as a page makes them, by bytes, and the files in them. */
import { describe, expect, test } from "vitest";
import { protocols } from "wirewalk/protocols";
import { bundleOf, codecNames } from "./bundle-of.ts";
import { outdatedCodecs } from "./generated-codecs.ts";
import { outdated, readSizes } from "./sizes-table.ts";

/** Kibibytes would be more: a kilobyte is 1,000 bytes here. */
const MAX_BYTES = 10_000;
/** All dialects of MapleStory at once are more, and each has a subpath of its own. Version 95 has the most messages. */
const longer: Readonly<Record<string, number>> = {
  "maplestory/codec": 17_500,
  "maplestory/codec/v95": 10_600,
};

/** What a codec must not bring with it. */
const others =
  /\/(?:world|bots|movement|testing)\/|\/channel\.ts$|framed-channel|packet-cipher|keystreams|\/aes\.ts|rc4/;

/** What reads and writes by descriptions, and what compiles them. */
const descriptions = /^(?:wire\/(?:describe|interpret)|compile)\//;

describe("a codec alone", () => {
  test.each(codecNames)(
    "%s has at most 10 kB (MapleStory's v95 more), without descriptions, world, bots and carrier",
    async (name, subpath) => {
      const { gzipBytes, files } = await bundleOf(name, `wirewalk/${subpath}`);
      expect(files.filter((file) => others.test(file))).toEqual([]);
      expect(files.filter((file) => descriptions.test(file))).toEqual([]);
      expect(files).toContain("protocols/compiled-codec.ts");
      expect(gzipBytes).toBeLessThanOrEqual(longer[subpath] ?? MAX_BYTES);
      // An empty bundle would be small too.
      expect(gzipBytes).toBeGreaterThan(2_000);
      expect(outdated(readSizes(), { [`wirewalk/${subpath}`]: { gzip: gzipBytes } })).toEqual([]);
    },
  );
});

test.each([
  ["mapleCodec", "maplestory"],
  ["scrapCodec", "scrap-mechanic"],
])("%s of the whole game brings neither world nor bots nor carrier", async (name, game) => {
  const { files } = await bundleOf(name, `wirewalk/${game}`);
  expect(files.filter((file) => /\/(?:world|bots|movement)\//.test(file))).toEqual([]);
  expect(files.filter((file) => /packet-cipher|framed-channel|\/aes\.ts/.test(file))).toEqual([]);
});

test("the generated codecs are those of the descriptions: npm run build:codecs", () => {
  expect(outdatedCodecs(Object.values(protocols))).toEqual([]);
});
