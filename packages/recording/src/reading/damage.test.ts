import { McapIndexedReader } from "@mcap/core";
import { beforeAll, describe, expect, it } from "vitest";
import { createRandom } from "wirewalk/motion";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { slimeOnline2 } from "wirewalk/slime-online-2";
import { scaled } from "../../../wirewalk/src/testing/scale.ts";
import { nodeDecompress } from "../node/read-file.ts";
import { replayRecording } from "../replay/replay.ts";
import { recordPlay } from "../testing/record-play.ts";
import { openRecording, type RecordedMessage, type Recording } from "./read-recording.ts";

const CASES = scaled(1000, 12);

let whole: Uint8Array<ArrayBuffer>;
let chunks: Recording["chunks"];
/** What each chunk holds, in words. */
let contents: readonly string[];

const open = (bytes: Uint8Array): Recording => openRecording(bytes, { decompress: nodeDecompress });
const words = (messages: readonly RecordedMessage[]): string =>
  messages.map(({ topic, sequence, timeNs, data }) => `${topic} ${sequence} ${timeNs} ${data.length}`).join("\n");
const read = (recording: Recording): readonly string[] =>
  recording.chunks.map((chunk) => words(recording.messagesOf(chunk))).filter((content) => content !== "");

/** Where the record is that ends the data section, by the last footer: its summary begins behind it. */
const dataEndOf = (bytes: Uint8Array): number => {
  const footer = bytes.length - 8 - 20;
  return Number(new DataView(bytes.buffer).getBigUint64(footer, true)) - 13;
};

beforeAll(async () => {
  const { sink } = await recordPlay({
    protocol: slimeOnline2 as unknown as PlayableProtocol,
    bots: 4,
    durationMs: 14_000,
  });
  whole = sink.bytes();
  const recording = open(whole);
  chunks = recording.chunks;
  contents = read(recording);
});

describe("a recording that is cut", () => {
  it("is read up to its last whole chunk, and says from where bytes are missing", () => {
    const random = createRandom(1);
    expect(chunks.length).toBeGreaterThan(10);
    for (let count = 0; count < CASES; count += 1) {
      const length = random.integer(8, whole.length - 1);
      const recording = open(whole.subarray(0, length));
      const left = chunks.filter(({ end }) => end <= length).length;
      expect(read(recording)).toEqual(contents.slice(0, left));
      const torn = chunks.find(({ start, end }) => start < length && length < end);
      if (torn !== undefined) {
        expect(recording.damage).toMatchObject([{ start: torn.start, end: length }]);
        expect(recording.isEnded).toBe(false);
      }
    }
  });

  it("is never taken for whole", () => {
    const random = createRandom(3);
    for (let count = 0; count < CASES; count += 1) {
      const recording = open(whole.subarray(0, random.integer(8, whole.length - 1)));
      recording.check();
      expect(recording.isEnded && recording.damage.length === 0).toBe(false);
    }
  });

  it("replays what is left", () => {
    const { start } = chunks[8] as (typeof chunks)[number];
    const report = replayRecording(open(whole.subarray(0, start + 100)), { protocols });
    expect(report).toMatchObject({ differenceCount: 0, gaps: [] });
    expect(report.ticks).toBeGreaterThan(50);
  });
});

describe("a recording with a flipped bit", () => {
  it("loses the chunk that the bit is in, if any, and names it", () => {
    const random = createRandom(2);
    for (let count = 0; count < CASES; count += 1) {
      const at = random.integer(0, whole.length - 1);
      const bytes = whole.slice();
      bytes[at] = (bytes[at] as number) ^ (1 << random.integer(0, 7));
      const recording = open(bytes);
      const hit = chunks.findIndex(({ start, end }) => start <= at && at < end);
      const got = read(recording);
      recording.check();
      expect([at, recording.damage.some(({ start, end }) => start <= at && at < end)]).toEqual([at, true]);
      if (got.length === contents.length) {
        expect(got).toEqual(contents);
        continue;
      }
      expect(got).toEqual(contents.filter((_, index) => index !== hit));
    }
  });

  it("replays around a lost chunk: from the next key frame on, and the gap is named", () => {
    const { start, end } = chunks[4] as (typeof chunks)[number];
    const bytes = whole.slice();
    bytes[(start + end) >> 1] = (bytes[(start + end) >> 1] as number) ^ 1;
    const recording = open(bytes);
    const report = replayRecording(recording, { protocols });
    expect(recording.damage).toMatchObject([{ start, end, startNs: expect.any(BigInt) as bigint }]);
    expect(report.gaps.length).toBe(1);
    expect(report.differences).toEqual([]);
    expect(report.toMs).toBeGreaterThan(13_000);
    const undamaged = replayRecording(open(whole), { protocols });
    expect(report.effects).toBeLessThan(undamaged.effects);
  });
});

describe("a recording with other bytes written over a part of it", () => {
  it.each([
    ["zeros", 0],
    ["ones", 0xff],
  ])("names the place of %s", (_, value) => {
    const random = createRandom(4);
    for (let count = 0; count < CASES; count += 1) {
      const length = random.integer(1, 64);
      const start = random.integer(0, whole.length - length);
      const bytes = whole.slice().fill(value, start, start + length);
      const wrong = bytes.findIndex((byte, index) => byte !== whole[index]);
      if (wrong < 0) continue;
      const recording = open(bytes);
      recording.check();
      expect([wrong, recording.damage.some(({ start, end }) => start <= wrong && wrong < end)]).toEqual([wrong, true]);
    }
  });

  it.each([
    "the header of a chunk",
    "the index of a chunk",
    "the header of the file",
    "the checksum of the records",
    "the last byte",
  ])("names %s", (what) => {
    const { start, end } = chunks[5] as (typeof chunks)[number];
    const dataEnd = dataEndOf(whole);
    const places = {
      "the header of a chunk": start + 12,
      "the index of a chunk": end + 20,
      "the header of the file": 20,
      "the checksum of the records": dataEnd + 10,
      "the last byte": whole.length - 1,
    };
    const at = places[what as keyof typeof places];
    const bytes = whole.slice();
    bytes[at] = (bytes[at] as number) ^ 0x10;
    const recording = open(bytes);
    // Nothing that replay uses: all of it is read.
    expect(read(recording)).toEqual(contents);
    expect(recording.damage).toEqual([]);
    recording.check();
    expect(recording.damage.length).toBe(1);
    expect(recording.damage[0]?.start).toBeLessThanOrEqual(at);
    expect(recording.damage[0]?.end).toBeGreaterThan(at);
  });
});

describe("a recording that ended well", () => {
  it("has every byte as it was written", () => {
    const recording = open(whole);
    recording.check();
    expect(recording).toMatchObject({ isEnded: true, damage: [] });
  });

  it("has an index that the plain MCAP reader follows to every message", async () => {
    const reader = await McapIndexedReader.Initialize({
      readable: {
        size: async () => BigInt(whole.length),
        read: async (offset, size) => whole.subarray(Number(offset), Number(offset + size)),
      },
      decompressHandlers: { zstd: (bytes, size) => nodeDecompress.zstd(bytes, Number(size)) },
    });
    const topics: string[] = [];
    for await (const { channelId, sequence } of reader.readMessages()) {
      topics.push(`${reader.channelsById.get(channelId)?.topic} ${sequence}`);
    }
    const ours = [...open(whole).messages()].map(({ topic, sequence }) => `${topic} ${sequence}`);
    expect(topics.sort()).toEqual(ours.sort());
    expect(reader.header.profile).toBe("wirewalk");
    expect(reader.statistics?.messageCount).toBe(BigInt(ours.length));
    const { value: metadata } = await reader.readMetadata({ name: "wirewalk" }).next();
    expect(Object.fromEntries(metadata?.metadata ?? [])).toMatchObject({ protocol: "slime-online-2", seed: "7" });
  });
});

describe("what is no recording", () => {
  it.each([[""], ["89"], ["504b0304"]])("%s is refused", (hex) => {
    expect(() => open(Buffer.from(hex, "hex"))).toThrow("the bytes do not begin as an MCAP file");
  });
});
