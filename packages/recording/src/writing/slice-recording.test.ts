import { describe, expect, it } from "vitest";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { nodeMeans } from "../node/node-means.ts";
import { nodeDecompress } from "../node/read-file.ts";
import { RecordKind, readWorldRecord } from "../profile.ts";
import { openRecording, type Recording } from "../reading/read-recording.ts";
import { replayRecording } from "../replay/replay.ts";
import { MemorySink, recordPlay } from "../testing/record-play.ts";
import { explainVerdict } from "../verdicts/explain-verdict.ts";
import { listVerdicts } from "../verdicts/recorded-verdict.ts";
import { RecentFiles } from "./recent-files.ts";
import { sliceRecording } from "./slice-recording.ts";

const slime = protocols["slime-online-2"] as PlayableProtocol;
const open = (bytes: Uint8Array): Recording => openRecording(bytes, { decompress: nodeDecompress });
const NS = 1_000_000_000n;

describe("a slice", () => {
  it("replays as it was, and its verdicts have the ids and the explanations of the recording", async () => {
    const { sink } = await recordPlay({ protocol: slime, bots: 8, durationMs: 24_000 });
    const recording = sink.recording();
    const all = [...listVerdicts(recording)];
    const chosen = all.filter(({ timeNs }) => timeNs > (recording.chunks[0]?.startTime ?? 0n) + 14n * NS)[0];
    if (chosen === undefined) throw new Error("the bots were honest");
    const [fromNs, toNs] = [chosen.timeNs - 2n * NS, chosen.timeNs + 2n * NS];
    const { player } = chosen.verdict;
    const bytes = await sliceRecording([recording], {
      fromNs,
      toNs,
      player,
      about: { ban: "login:ann" },
      means: nodeMeans,
    });
    expect(bytes.length).toBeLessThan(sink.bytes().length / 2);
    const slice = open(bytes);
    expect([slice.isEnded, slice.damage]).toEqual([true, []]);
    const report = replayRecording(slice, { protocols });
    expect(report).toMatchObject({ differences: [], gaps: [] });
    expect(report.effects).toBeGreaterThan(50);
    expect(report.fromMs % 5_000).toBeLessThan(100);
    const inside = [...listVerdicts(slice)].map(({ id }) => id);
    expect(inside).toContain(chosen.id);
    expect(inside.every((id) => all.some((each) => each.id === id))).toBe(true);
    const near = { protocols, beforeMs: 2_000, afterMs: 1_000 };
    const { seconds: _, replay, ...explained } = explainVerdict(slice, chosen.id, near);
    const { seconds: __, replay: recorded, ...whole } = explainVerdict(recording, chosen.id, near);
    expect(explained).toEqual(whole);
    expect([replay.isReproduced, recorded.isReproduced]).toEqual([true, true]);
  });

  it("keeps a gap of the recording, and says when no key frame is left", async () => {
    const { sink } = await recordPlay({ protocol: slime, bots: 2, durationMs: 12_000 });
    const whole = sink.recording();
    const [first, ...others] = whole.chunks;
    const lost = others[4];
    if (first === undefined || lost === undefined) throw new Error("too short");
    const bytes = sink.bytes();
    // A chunk in the middle is damaged: its records are missing.
    bytes.fill(0xff, lost.start + 60, lost.end);
    const slice = open(
      await sliceRecording([open(bytes)], { fromNs: first.startTime, toNs: first.startTime + 20n * NS, player: 1 }),
    );
    const report = replayRecording(slice, { protocols });
    expect(report.gaps.length).toBe(1);
    expect(report.differences).toEqual([]);
    const early = { fromNs: 0n, toNs: 1n, player: 1 };
    await expect(sliceRecording([whole], early)).rejects.toThrow(
      "Cannot slice: the recording has no key frame of that time",
    );
  });

  it("holds carried bytes of its player alone", async () => {
    const { sink } = await recordPlay({ protocol: slime, bots: 2, durationMs: 6_000 });
    const recording = sink.recording();
    const from = recording.chunks[0]?.startTime ?? 0n;
    const slice = open(await sliceRecording([recording], { fromNs: from, toNs: from + 6n * NS, player: 1 }));
    for (const { schema, data } of slice.messages()) {
      const record = schema === "wirewalk.Record" ? readWorldRecord(data) : undefined;
      if (record?.kind === RecordKind.carried) expect(record.player).toBe(1);
    }
    expect(replayRecording(slice, { protocols }).gaps).toEqual([]);
  });
});

describe("recent files", () => {
  it("hold the last seconds within their bytes, and replay from the key frame that they still have", async () => {
    const now = { ms: Date.UTC(2026, 0, 1) };
    const other = new MemorySink();
    const recent = new RecentFiles({ sink: other, epochNow: () => now.ms, keepMs: 20_000, keepBytes: 1 << 20 });
    let most = 0;
    await recordPlay({
      protocol: slime,
      bots: 4,
      durationMs: 60_000,
      to: {
        open: async (epochMs) => {
          const output = await recent.open(epochMs);
          return {
            ...output,
            // A chunk (opcode 6) of each second of play.
            write: async (bytes) => {
              if (bytes[0] === 6) now.ms += 1_000;
              await output.write(bytes);
              most = Math.max(most, recent.byteLength);
            },
          };
        },
      },
    });
    expect(most).toBeLessThan(1 << 20);
    const files = recent.files().map(open);
    expect(files.length).toBe(1);
    const [file] = files;
    const whole = other.recording();
    expect(file?.chunks.length).toBeGreaterThan(10);
    expect(file?.chunks.length).toBeLessThan(whole.chunks.length / 2);
    expect(file?.damage).toEqual([]);
    const report = replayRecording(file as Recording, { protocols });
    expect(report).toMatchObject({ differences: [], gaps: [] });
    expect(report.ticks).toBeGreaterThan(100);
    expect(report.toMs).toBe(replayRecording(whole, { protocols }).toMs);
    // Fewer bytes: the oldest give way.
    const few = new RecentFiles({ epochNow: () => 0, keepBytes: 1_000 });
    const output = await few.open(0);
    for (let part = 0; part < 100; part += 1) await output.write(new Uint8Array(99));
    expect(few.byteLength).toBeLessThanOrEqual(1_000);
    expect(few.byteLength).toBeGreaterThan(900);
  });
});
