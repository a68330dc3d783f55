/** Recordings of a world beside another server: they replay, and pages that play them have the sessions as players. */
import { replayRecording } from "@wirewalk/recording";
import { recordHost } from "@wirewalk/recording/node";
import { expect, test } from "vitest";
import { shadowOptions } from "wirewalk/host";
import { createRandom } from "wirewalk/motion";
import { VirtualClock } from "wirewalk/net";
import { osrs } from "wirewalk/osrs";
import type { PlayableProtocol } from "wirewalk/protocol";
import { protocols } from "wirewalk/protocols";
import { MemorySink } from "../../../recording/src/testing/record-play.ts";
import { PlaybackWorld } from "../playback/playback-world.ts";
import { ShadowWorld } from "./shadow-world.ts";

const TICK_MS = 600;
const made = { dialect: "client", seed: 1, demo: false };

/** Two sessions of a foreign server with a crowd are recorded, one of them with a spectator, for half a minute. */
async function record(): Promise<MemorySink> {
  const protocol = osrs as unknown as PlayableProtocol;
  const codec = protocol.codec(made.dialect);
  const server = protocol.createWorld({ ...made, demo: true });
  const events = {
    verdict: () => {},
    moved: () => {},
    observed: () => {},
    unseen: () => {},
    noticed: () => {},
    failed: (error: unknown) => {
      throw error;
    },
  };
  const shadow = new ShadowWorld({ ...made, protocol, clock: new VirtualClock(), events });
  const sink = new MemorySink();
  const epochNow = () => Date.UTC(2026, 0, 1);
  const recording = recordHost({
    ...{ host: shadow, protocol, world: shadowOptions(made), sink, nowMs: 0, epochNow },
    onProblem: ({ error }) => events.failed(error),
  });
  const bot = protocol.bots.create({ dialect: "client", random: createRandom(1), number: 0, cheat: "none" });
  for (const player of [1, 2]) shadow.connected(player, "127.0.0.1", 0);
  for (let player = 1; player <= 120; player++) server.join(player, { account: `p${player}`, name: `p${player}` }, 0);
  for (let nowMs = 20; nowMs <= 30_000; nowMs += 20) {
    for (const message of bot.step(nowMs)) shadow.receive(1, message, codec.write("client", message), nowMs);
    if (nowMs === 3000) shadow.follow(1);
    if (nowMs % TICK_MS !== 0) continue;
    server.tick(nowMs);
    for (const effect of server.takeEffects()) {
      if (effect.effect !== "send" || effect.to > 2) continue;
      shadow.observe(effect.to, effect.message, codec.write("server", effect.message), nowMs);
    }
    shadow.tick(nowMs);
    await recording.settled();
  }
  const tracks = shadow.tracks(30_000, "world");
  expect(tracks.length).toBeGreaterThan(4);
  expect(shadow.rooms().get("world")).toBe(2);
  await recording.close();
  return sink;
}

test("the recording replays from its start and from its middle, and a page sees its sessions as players", async () => {
  const sink = await record();
  const report = replayRecording(sink.recording(), { protocols });
  expect(report).toMatchObject({ differences: [], gaps: [] });
  expect(report.keyFrames).toBeGreaterThan(3);
  const fromNs = BigInt(Date.UTC(2026, 0, 1) + 17_000) * 1_000_000n;
  const middle = replayRecording(sink.recording(), { protocols, fromNs });
  expect(middle.differences).toEqual([]);
  expect(middle.inputs).toBeLessThan(report.inputs);

  const nothing = () => {};
  const relayed = new Map<string, number>();
  const world = new PlaybackWorld(
    sink.recording(),
    { protocols },
    {
      verdict: nothing,
      earlierVerdict: nothing,
      observed: nothing,
      arrived: nothing,
      moved: nothing,
      relayed: (_world, player, sender) => {
        const key = `${sender} ${player}`;
        relayed.set(key, (relayed.get(key) ?? 0) + 1);
      },
      jumped: nothing,
      isUnseen: false,
    },
  );
  world.seek(20_000);
  expect(world.continueSeek(() => false)).toBe(true);
  expect([...world.playersIn("world")]).toEqual([1, 2]);
  expect(world.tracks(world.playback.nowMs, "world").length).toBeGreaterThan(4);
  expect(relayed.size).toBe(0);
  // From here on: the messages of the other server to both sessions. The jump there has none.
  world.playback.play(26_000);
  expect([...relayed.keys()].sort()).toEqual(expect.arrayContaining(["server 1", "server 2"]));
  expect(relayed.get("server 2")).toBe(6_000 / TICK_MS);
  const before = sum(relayed.values());
  world.playback.step("packet");
  expect(sum(relayed.values())).toBe(before + 1);
});

function sum(counts: Iterable<number>): number {
  return [...counts].reduce((all, count) => all + count, 0);
}
