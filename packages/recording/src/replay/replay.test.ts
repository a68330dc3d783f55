import { mkdtemp, readdir, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { describe, expect, it } from "vitest";
import { defaultDialect } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { RecordingFolder, readRecordingFile } from "../node.ts";
import { recordPlay } from "../testing/record-play.ts";
import { replayRecording } from "./replay.ts";

/** `npm run recorded-hours` plays hours of 100 bots. */
const PLAY = { bots: 6, durationMs: 11_000 };

describe("a recording of bots, honest and cheating", () => {
  it.each(Object.values(protocols).map((protocol) => [protocol.name, protocol] as const))(
    "of %s replays with the same effects, verdicts and states",
    async (name, protocol) => {
      const folder = await mkdtemp(join(tmpdir(), "wirewalk-replay-"));
      try {
        const { recording, verdicts } = await recordPlay({
          protocol,
          ...PLAY,
          to: new RecordingFolder({ folder }).sink(name),
        });
        const { counts } = recording;
        expect(counts).toMatchObject({ lostRecords: 0, failures: 0 });
        const files = await readdir(folder);
        expect(files.length).toBe(counts.files);
        let [keyFrames, effects, replayedVerdicts] = [0, 0, 0];
        for (const file of files) {
          const read = await readRecordingFile(join(folder, file));
          const report = replayRecording(read, { protocols });
          expect(report.differences).toEqual([]);
          expect(report).toMatchObject({ gaps: [], differenceCount: 0 });
          expect(report.world).toMatchObject({ protocol: name, dialect: defaultDialect(protocol), demo: true });
          expect(read.damage).toEqual([]);
          expect(read.isEnded).toBe(true);
          keyFrames += report.keyFrames;
          effects += report.effects;
          replayedVerdicts += report.verdicts;
        }
        // Each file begins with one, with which nothing is compared.
        expect(keyFrames).toBe(counts.keyFrames - files.length);
        expect(keyFrames).toBeGreaterThan(1);
        expect(effects).toBeGreaterThan(100);
        expect(replayedVerdicts).toBe(verdicts);
      } finally {
        await rm(folder, { recursive: true });
      }
    },
  );
});
