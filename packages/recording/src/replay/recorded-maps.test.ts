import { beforeAll, describe, expect, it } from "vitest";
import { memoryFiles, type WorldMaps } from "wirewalk/protocol";
import { fakeMapReading } from "../../../wirewalk/src/protocols/testing/fake-maps.ts";
import { fakeProtocol } from "../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { nodeDecompress } from "../node/read-file.ts";
import { RecordKind, readWorldRecord } from "../profile.ts";
import { openRecording, type Recording } from "../reading/read-recording.ts";
import { type MemorySink, recordPlay } from "../testing/record-play.ts";
import { explainVerdict } from "../verdicts/explain-verdict.ts";
import { listVerdicts } from "../verdicts/recorded-verdict.ts";
import { Playback } from "./playback.ts";
import { recordedMaps, unusedMapsText } from "./recorded-maps.ts";
import { Replay, replayRecording } from "./replay.ts";

const protocols = { fake: fakeProtocol };

function mapsOf(name: string, widths: Readonly<Record<string, number | string>>): WorldMaps {
  const texts = Object.entries(widths).map(([room, width]): [string, Uint8Array] => {
    return [`${room}.room`, new TextEncoder().encode(typeof width === "number" ? `width ${width}\n` : width)];
  });
  return fakeMapReading.load(memoryFiles(name, new Map(texts)));
}

const width = (digits: number): string => digits.toString(16).padStart(16, "0");

describe("a recording of a world with maps", () => {
  let sink: MemorySink;
  let recording: Recording;

  beforeAll(async () => {
    const maps = mapsOf("/home/ann/town", { 1: 20, 2: 30, 9: 40 });
    const play = { protocol: fakeProtocol, dialect: "plain", bots: 4, durationMs: 12_000, maps } as const;
    ({ sink } = await recordPlay(play));
    recording = sink.recording();
  });

  it("names the set by its last name alone, and the places that the world used with their digests", () => {
    expect(recordedMaps(recording)?.name).toBe("town");
    expect(Object.fromEntries(recordedMaps(recording)?.places ?? [])).toEqual({ 1: width(20), 2: width(30) });
  });

  it("names a place when the world comes to it", () => {
    const named = [...recording.messages()].filter(({ schema, data }) => {
      return schema === "wirewalk.Record" && readWorldRecord(data)?.kind === RecordKind.place;
    });
    expect(named.length).toBeGreaterThanOrEqual(1);
  });

  it("still names the places when its end is cut off", () => {
    const bytes = sink.bytes();
    const [, second] = recording.chunks;
    const cut = openRecording(bytes.subarray(0, (second?.end ?? 0) + 1), { decompress: nodeDecompress });
    expect(cut.isEnded).toBe(false);
    expect(recordedMaps(cut)?.places.get("1")).toBe(width(20));
  });

  it("replays with the maps that it names, wherever they are now", () => {
    const report = replayRecording(recording, { protocols, maps: mapsOf("elsewhere", { 1: 20, 2: 30 }) });
    expect(report.differences).toEqual([]);
    expect(report.verdicts).toBeGreaterThan(0);
  });

  it("refuses no maps, naming a place, its digest and the option", () => {
    expect(() => replayRecording(recording, { protocols })).toThrow(
      `Cannot replay without maps: it was recorded with town (1 was ${width(20)}, and 1 more places), and none are given. --maps PATH gives them`,
    );
  });

  it.each([
    ["a place of another form", { 1: 20, 2: 31 }, `2 was ${width(30)} in town, other has ${width(31)}. --maps PATH`],
    [
      "a set without a place",
      { 2: 30 },
      `1 was ${width(20)} in town, other does not have it, or cannot read it. --maps`,
    ],
    ["a broken place", { 1: "x", 2: 3 }, "other does not have it, or cannot read it; 1 more places differ. --maps"],
  ])("refuses %s by name", (_what, widths, message) => {
    const maps = mapsOf("other", widths as Record<string, number>);
    expect(() => replayRecording(recording, { protocols, maps })).toThrow(message);
    expect(() => new Playback(recording, { protocols, maps })).toThrow(message);
    expect(() => new Replay(recording, { protocols, maps, settings: {} }).next()).toThrow(message);
  });

  it("opens a verdict, and says why it cannot be replayed without the maps", () => {
    const found = listVerdicts(recording).find(({ verdict }) => verdict.rule === "outside");
    const { id = "" } = found ?? {};
    const with_ = explainVerdict(recording, id, { protocols, maps: mapsOf("again", { 1: 20, 2: 30 }) });
    expect(with_.replay).toMatchObject({ isReproduced: true, problem: undefined });
    const without = explainVerdict(recording, id, { protocols });
    expect(without.rule).toBe("outside");
    expect(without.replay.problem).toContain("Cannot replay without maps");
  });

  it("goes to any place of the film with its maps", () => {
    const playback = new Playback(recording, { protocols, maps: mapsOf("again", { 1: 20, 2: 30 }) });
    playback.seek(7_000);
    while (!playback.continueSeek()) {}
    playback.play(9_000);
    expect(playback.report.differences).toEqual([]);
    expect(playback.world?.usedMaps?.().get("1")).toBe(width(20));
  });
});

describe("a recording of a world without maps", () => {
  it("refuses no set, and is replayed without", async () => {
    const { sink } = await recordPlay({ protocol: fakeProtocol, dialect: "plain", bots: 2, durationMs: 6_000 });
    const recording = sink.recording();
    expect(recordedMaps(recording)).toBeUndefined();
    const report = replayRecording(recording, { protocols, maps: mapsOf("town", { 1: 20 }) });
    expect(report.differences).toEqual([]);
    expect(unusedMapsText(report.world, undefined)).toContain("was recorded without maps");
  });
});
