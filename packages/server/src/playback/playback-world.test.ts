/** What a page sees that is sent to a moment of a recording. */
import { readFileSync } from "node:fs";
import { listVerdicts, openRecording, zstdDecompress } from "@wirewalk/recording";
import { expect, test } from "vitest";
import { VirtualClock } from "wirewalk/net";
import { protocols } from "wirewalk/protocols";
import type { FeedMessage } from "../feed/feed.ts";
import type { Observation } from "../feed/feed-world.ts";
import { PagePlayback } from "./page-playback.ts";
import { PlaybackWorld } from "./playback-world.ts";

function recordingWith(rule: string) {
  const bytes = new Uint8Array(readFileSync(new URL("../../../../corpus/osrs/cheat-bezier.mcap", import.meta.url)));
  const recording = openRecording(bytes, { decompress: { zstd: zstdDecompress } });
  const found = [...listVerdicts(recording)].find(({ verdict }) => verdict.rule === rule);
  if (found === undefined) throw new Error("no verdict");
  return { recording, atMs: found.verdict.atMs, player: found.verdict.player };
}

test("a page that jumps to a verdict is sent what was observed, once it knows that it has jumped", () => {
  const { recording, atMs, player } = recordingWith("constant-speed");
  const clock = new VirtualClock();
  const messages: FeedMessage[] = [];
  const playback = new PagePlayback({
    recording,
    protocols,
    file: "play.mcap",
    clock,
    send: (message) => {
      if (typeof message === "string") messages.push(JSON.parse(message) as FeedMessage);
    },
    refused: (reason) => {
      throw new Error(reason);
    },
  });
  playback.request(JSON.stringify({ type: "watch", world: "osrs", room: "mouse" }));
  playback.request(JSON.stringify({ type: "pause" }));
  playback.request(JSON.stringify({ type: "seek", atMs }));
  clock.advanceBy(100);
  const score = messages.findIndex((each) => {
    return each.type === "observation" && each.what === "mouse-kinematics" && each.player === player;
  });
  const jumped = messages.findIndex((each) => each.type === "playback" && each.playback.jump > 0);
  expect(jumped).toBeGreaterThan(-1);
  expect(score).toBeGreaterThan(jumped);
  playback.close();
});

test("a jump to a verdict brings what was observed with the message that decided, and nothing older of that player", () => {
  const { recording, atMs, player } = recordingWith("constant-speed");
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
      jumped: nothing,
      observed: nothing,
      arrived: (_, observations) => observed.push(...observations),
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
