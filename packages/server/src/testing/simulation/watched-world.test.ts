import { expect, test } from "vitest";
import type { Position } from "wirewalk/motion";
import { fakeProtocol } from "../../../../wirewalk/src/protocols/testing/fake-protocol.ts";
import { WatchedWorld } from "./watched-world.ts";

test("a watcher learns where others will see the sender, by the tracks of some seconds later", () => {
  const codec = fakeProtocol.codec("plain");
  const seen: (Position | undefined)[] = [];
  const asked: number[] = [];
  const watched = new WatchedWorld({
    create: (options) => {
      const world = fakeProtocol.createWorld(options);
      world.tracks = (nowMs) => {
        asked.push(nowMs);
        return [{ player: 1, room: "a", atMs: nowMs, position: { x: 7, y: 9 } }] as never;
      };
      return world;
    },
    options: { dialect: "plain", seed: 1 } as never,
    codec,
    watcher: {
      effects: (_effects, sender, seenAt) => {
        if (sender !== undefined) seen.push(seenAt(sender), seenAt(2));
      },
      refreshed: () => {},
      left: () => {},
      broken: () => {},
    },
  });
  watched.join(1, { account: "a", name: "a" }, 0);
  const payload = new TextEncoder().encode("shello");
  watched.receive(1, codec.read("client", payload), payload, 100);
  watched.takeEffects();
  expect(seen).toEqual([{ x: 7, y: 9 }, undefined]);
  expect(asked).toEqual([5_100, 5_100]);
});
