import { describe, expect, it } from "vitest";
import type { CaptureRecord, MessageRecord } from "wirewalk/capture";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { nodeDecompress } from "../node/read-file.ts";
import { RecordKind } from "../profile.ts";
import { alterKeyFrames } from "../testing/alter-recording.ts";
import { recordPlay } from "../testing/record-play.ts";
import { zstdDecompress } from "../zstd/zstd.ts";
import { openRecording, type Recording } from "./read-recording.ts";
import { sessionRecords } from "./session-records.ts";

const hexOf = (bytes: Uint8Array): string => Buffer.from(bytes).toString("hex");

/** Payloads of clients by the number of their session, read from the bytes as docs/recordings.md has them. */
function sentPayloads(recording: Recording): ReadonlyMap<string, readonly string[]> {
  const sent = new Map<string, string[]>();
  for (const { topic, data } of recording.messages({ topic: (name) => name.includes("/sessions/") })) {
    if (data[0] !== RecordKind.message) continue;
    const number = topic.split("/").at(-1) as string;
    sent.set(number, [...(sent.get(number) ?? []), hexOf(data.subarray(11))]);
  }
  return sent;
}

/** The number of the session in `bot_1:2-server:0`. */
const sessionOf = ({ flow }: CaptureRecord): string => /:(\d+)-/.exec(flow)?.[1] ?? "";

describe.each(Object.values(protocols).map((protocol): [string, PlayableProtocol] => [protocol.name, protocol]))(
  "a recording of %s",
  (_, protocol) => {
    it("is read as what each client sent, and the corrections, in their order", async () => {
      const { sink } = await recordPlay({ protocol, bots: 4, durationMs: 2000 });
      const recording = sink.recording();
      const records = [...sessionRecords(recording, protocols)];
      const messages = records.filter((record): record is MessageRecord => record.kind === "message");
      expect(messages).toHaveLength(records.length);
      const found = Map.groupBy(
        messages.filter(({ direction }) => direction === "client"),
        sessionOf,
      );
      const sent = sentPayloads(recording);
      expect(sent.size).toBeGreaterThan(1);
      expect(new Map([...found].map(([number, of]) => [number, of.map(({ payload }) => hexOf(payload))]))).toEqual(
        sent,
      );
      expect(messages[0]?.flow).toMatch(/^bot_\d:[1-4]-server:0$/);
      const times = records.map(({ time }) => time.seconds * 1e9 + time.nanoseconds);
      expect(times).toEqual([...times].sort((a, b) => a - b));
      const corrections = recording.messages({ topic: (topic) => topic.endsWith("/corrections") });
      expect(messages.filter(({ direction }) => direction === "server")).toHaveLength([...corrections].length);
      // The decoder of browsers gives the same.
      const bytes = sink.bytes();
      const inBrowser = openRecording(bytes, { decompress: { zstd: zstdDecompress } });
      expect([...sessionRecords(inBrowser, protocols)]).toEqual(records);
      expect(inBrowser.damage).toEqual([]);
    });
  },
);

const slime = protocols["slime-online-2"] as PlayableProtocol;

it("of a version whose rules had other limits is read as before, and of an unknown one is refused", async () => {
  const { sink } = await recordPlay({ protocol: slime, bots: 1, durationMs: 500 });
  const withSetting = (setting: string): Recording =>
    alterKeyFrames(sink.bytes(), (frame) => {
      const { world } = frame;
      return { ...frame, world: { ...world, settings: { ...world.settings, [setting]: 1 } } };
    });
  const messages = (recording: Recording) => Array.from(sessionRecords(recording, protocols), ({ kind }) => kind);
  expect(messages(withSetting("coastPx"))).toEqual(messages(sink.recording()));
  expect(() => messages(withSetting("gremlins"))).toThrow("slime-online-2 has no setting gremlins");
});

describe("a damaged recording", () => {
  it("shows what is left, and says how many records are missing", async () => {
    const { sink } = await recordPlay({ protocol: slime, bots: 2, durationMs: 2500 });
    const all = [...sessionRecords(sink.recording(), protocols)];
    const bytes = sink.bytes();
    const chunk = sink.recording().chunks[2];
    if (chunk === undefined) throw new Error("the recording has no third chunk");
    bytes[(chunk.start + chunk.end) >> 1] = (bytes[(chunk.start + chunk.end) >> 1] as number) ^ 0xff;
    const damaged = openRecording(bytes, { decompress: nodeDecompress });
    const records = [...sessionRecords(damaged, protocols)];
    const [refused, ...others] = records.filter((record) => record.kind === "refused");
    expect(others).toEqual([]);
    expect(refused?.error.message).toMatch(/^Cannot read recording: \d+ records are missing before this one$/);
    const key = (record: CaptureRecord): string => `${record.time.seconds}.${record.time.nanoseconds} ${record.flow}`;
    const known = new Set(all.map(key));
    expect(records.filter((record) => record !== refused && !known.has(key(record)))).toEqual([]);
    expect(damaged.damage).toHaveLength(1);
  });

  it("of an unknown game, or without a key frame, is refused", async () => {
    const { sink } = await recordPlay({ protocol: slime, bots: 1, durationMs: 100 });
    expect(() => [...sessionRecords(sink.recording(), {})]).toThrow("unknown protocol slime-online-2");
    // The first chunk is a key frame, and so is the last.
    const [, chunk] = sink.recording().chunks;
    const bytes = sink.bytes();
    const rest = Uint8Array.of(...bytes.subarray(0, 8), ...bytes.subarray(chunk?.start, chunk?.end));
    expect(() => [...sessionRecords(openRecording(rest, { decompress: nodeDecompress }), protocols)]).toThrow(
      "Cannot read the recording",
    );
  });
});
