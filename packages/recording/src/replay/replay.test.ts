import { describe, expect, it } from "vitest";
import { defaultDialect } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { scaled } from "../../../wirewalk/src/testing/scale.ts";
import { recordPlay } from "../testing/record-play.ts";
import { replayRecording } from "./replay.ts";

describe("a recording of bots, honest and cheating", () => {
  it.each(Object.values(protocols).map((protocol) => [protocol.name, protocol] as const))(
    "of %s replays with the same effects, verdicts and states",
    async (_name, protocol) => {
      const { sink, recording, verdicts } = await recordPlay({
        protocol,
        bots: scaled(60, 6),
        durationMs: scaled(120_000, 11_000),
      });
      expect(recording.counts).toMatchObject({ lostRecords: 0, failures: 0, files: 1 });
      const read = sink.recording();
      const report = replayRecording(read, { protocols });
      expect(report.differences).toEqual([]);
      expect(report).toMatchObject({ gaps: [], differenceCount: 0, verdicts });
      expect(report.world).toMatchObject({ protocol: protocol.name, dialect: defaultDialect(protocol), demo: true });
      expect(report.keyFrames).toBe(recording.counts.keyFrames - 1);
      expect(report.keyFrames).toBeGreaterThan(1);
      expect(report.effects).toBeGreaterThan(100);
      expect(read.damage).toEqual([]);
      expect(read.isEnded).toBe(true);
    },
  );
});
