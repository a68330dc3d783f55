/** What a page sees that is sent to a moment of a recording. */
import { readFileSync } from "node:fs";
import { listVerdicts, openRecording, zstdDecompress } from "@wirewalk/recording";
import { expect, test } from "vitest";
import { protocols } from "wirewalk/protocols";
import type { Observation } from "../feed/feed-world.ts";
import { PlaybackWorld } from "./playback-world.ts";

test("a jump to a verdict brings what was observed with the message that decided, and nothing older of that player", () => {
  const bytes = new Uint8Array(readFileSync(new URL("../../../../corpus/osrs/cheat-bezier.mcap", import.meta.url)));
  const recording = openRecording(bytes, { decompress: { zstd: zstdDecompress } });
  const found = [...listVerdicts(recording)].find(({ verdict: { rule } }) => rule === "constant-speed");
  if (found === undefined) throw new Error("no verdict");
  const { atMs, player } = found.verdict;
  const observed: Observation[] = [];
  const nothing = (): void => {};
  const world = new PlaybackWorld(
    recording,
    { protocols },
    {
      isUnseen: true,
      verdict: nothing,
      earlierVerdict: nothing,
      moved: nothing,
      relayed: nothing,
      jumped: () => observed.splice(0),
      observed: (_, observation) => observed.push(observation),
    },
  );
  world.seek(atMs);
  expect(world.continueSeek(() => false)).toBe(true);
  const own = observed.filter((each) => each.player === player);
  expect(own.find(({ what }) => what === "mouse-kinematics")?.data).toMatchObject({
    findings: expect.arrayContaining([expect.objectContaining({ rule: "constant-speed" })]),
  });
  expect(own.filter(({ what }) => what === "mouse-packet").length).toBeLessThan(2);
});
