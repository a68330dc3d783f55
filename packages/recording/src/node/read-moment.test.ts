import { appendFileSync, mkdtempSync, readdirSync, rmSync, statSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterAll, beforeAll, describe, expect, it } from "vitest";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import type { Recording } from "../reading/read-recording.ts";
import { recordPlay } from "../testing/record-play.ts";
import { clockOffsetNs, listVerdicts } from "../verdicts/recorded-verdict.ts";
import { readRecordingFile } from "./read-file.ts";
import { readMoment } from "./read-moment.ts";
import { RecordingFolder } from "./recording-folder.ts";

let folder: string;
let paths: readonly string[];
let whole: readonly Recording[];

beforeAll(async () => {
  folder = mkdtempSync(join(tmpdir(), "wirewalk-moment-"));
  const to = new RecordingFolder({ folder }).sink("slime");
  const protocol = protocols["slime-online-2"] as PlayableProtocol;
  // A file of each key frame or two.
  await recordPlay({ protocol, bots: 6, durationMs: 60_000, to, options: { rotateMs: 8_000 } });
  paths = readdirSync(folder)
    .map((name) => join(folder, name))
    .sort((a, b) => numberOf(a) - numberOf(b));
  whole = await Promise.all(paths.map(readRecordingFile));
});
afterAll(() => rmSync(folder, { recursive: true }));

/** All begin in one millisecond of the simulated epoch. */
function numberOf(path: string): number {
  return Number(/-(\d+)\.mcap$/.exec(path)?.[1] ?? 1);
}

function msOf(recording: Recording, timeNs: bigint): number {
  return Number(timeNs - (clockOffsetNs(recording) ?? 0n)) / 1e6;
}

const idsOf = (recordings: readonly Recording[], fromMs: number, toMs: number): readonly string[] =>
  recordings.flatMap((recording) =>
    [...listVerdicts(recording)]
      .filter(({ verdict: { atMs } }) => atMs >= fromMs && atMs <= toMs)
      .map(({ verdict: { player, rule, atMs } }) => `${player} ${rule} ${atMs}`),
  );

describe("a moment of a long recording", () => {
  it("has all verdicts of its seconds, and begins at a key frame, wherever files begin", () => {
    expect(paths.length).toBeGreaterThan(4);
    for (let fromMs = 0; fromMs < 60_000; fromMs += 3_700) {
      const toMs = fromMs + 5_000;
      const parts = readMoment(paths, { fromMs, toMs });
      expect(idsOf(parts, fromMs, toMs), `from ${fromMs}`).toEqual(idsOf(whole, fromMs, toMs));
      const [part] = parts;
      const [first] = [...(part?.messages() ?? [])];
      expect(first?.topic, `from ${fromMs}`).toMatch(/\/key-frames$/);
      if (part !== undefined && first !== undefined) expect(msOf(part, first.timeNs)).toBeLessThanOrEqual(fromMs);
    }
  });

  it("reads little of it: the seconds, and those before up to a key frame", () => {
    const all = paths.reduce((sum, path) => sum + statSync(path).size, 0);
    const parts = readMoment(paths, { fromMs: 30_000, toMs: 31_000 });
    const chunks = parts.flatMap(({ chunks: of }) => of);
    const bytes = chunks.reduce((sum, { start, end }) => sum + end - start, 0);
    expect(bytes).toBeGreaterThan(0);
    expect(bytes).toBeLessThan(all / 4);
    expect(() => readMoment(paths, { fromMs: 30_000, toMs: 31_000, mostBytes: bytes - 1 })).toThrow(
      new RangeError(`The recording of these seconds has ${bytes} bytes, and at most ${bytes - 1} are read`),
    );
  });

  it("is empty where no file has it: before, after, of files that were removed", () => {
    expect(readMoment(paths, { fromMs: 90_000, toMs: 95_000 })).toEqual([]);
    expect(readMoment([], { fromMs: 0, toMs: 5_000 })).toEqual([]);
    const gone = paths.map((path, index) => (index < 3 ? `${path}.removed` : path));
    expect(readMoment(gone, { fromMs: 1_000, toMs: 5_000 })).toEqual([]);
    const last = readMoment(gone, { fromMs: 50_000, toMs: 55_000 });
    expect(idsOf(last, 50_000, 55_000)).toEqual(idsOf(whole, 50_000, 55_000));
  });

  it("ends where a file is being written, or is damaged", () => {
    const path = paths.at(-1) as string;
    const before = idsOf(readMoment([path], { fromMs: 0, toMs: 90_000 }), 0, 90_000);
    // The head of a chunk that claims more than the file has.
    appendFileSync(path, Uint8Array.of(6, 255, 255, 255, 255, 0, 0, 0, 0, 1, 2, 3));
    expect(idsOf(readMoment([path], { fromMs: 0, toMs: 90_000 }), 0, 90_000)).toEqual(before);
  });
});
