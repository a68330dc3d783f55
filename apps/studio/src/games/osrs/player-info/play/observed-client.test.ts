import { expect, test } from "vitest";
import { osrs } from "wirewalk/osrs";
import { PlayerInfoError, playerInfoDialects } from "wirewalk/osrs/player-info";
import { type JsonObject, tilingFault } from "wirewalk/wire";
import { totalBits } from "../scene/chart.ts";
import { FollowedWorld } from "../testing/followed-world.ts";
import { KEPT_TICKS, ObservedClient } from "./observed-client.ts";

/** A page that follows player 3 from its third tick on, in a world with this many players. */
function follow(players: number, dialect?: string) {
  const world = new FollowedWorld(players, dialect);
  world.tick();
  world.tick();
  world.follow(3);
  const client = new ObservedClient();
  const read = () => world.takeObserved().map((observed) => client.apply(observed));
  return { world, client, read };
}

test("nothing is known before the server has sent the client's state", () => {
  const { client } = follow(10);
  expect(client.decoder).toBeUndefined();
  expect(client.playback).toBeUndefined();
  client.apply({ what: "player-info", atMs: 0, data: { hex: "00" } });
  expect(client.ticks).toEqual([]);
  expect(client.fault).toBeUndefined();
});

test.each(playerInfoDialects.map(({ name }) => name))(
  "%s: goes on where the client is, and stays with it",
  (dialect) => {
    const { world, client, read } = follow(120, dialect);
    read();
    expect(client.decoder?.localIndex).toBe(3);
    for (let tick = 0; tick < 60; tick++) {
      world.tick();
      read();
      const { decoder } = client;
      expect(client.fault).toBeUndefined();
      for (const index of decoder?.locals ?? []) {
        const { level, x, z } = world.world.engine.tileOf(index);
        expect([decoder?.level[index], decoder?.x[index], decoder?.z[index]]).toEqual([level, x, z]);
      }
    }
    expect(client.ticks).toHaveLength(60);
  },
);

test("every bit of a packet has its part, and its field", () => {
  const { world, client, read } = follow(200);
  read();
  for (let tick = 0; tick < 20; tick++) {
    world.tick();
    read();
  }
  let masks = 0;
  for (const { packet, bits, blocks, fields } of client.ticks) {
    expect(totalBits(bits)).toBe(packet.length * 8);
    expect(tilingFault(fields, packet.length)).toBeUndefined();
    expect(blocks.reduce((sum, [, count]) => sum + count, 0)).toBe(bits.masks);
    masks += bits.masks;
  }
  expect(masks).toBeGreaterThan(0);
});

test("a packet's actions are those of its players", () => {
  const { world, client, read } = follow(200);
  read();
  const before = new Map(world.byIndex());
  world.tick();
  const [tick] = read();
  const actions = tick?.actions;
  const walks = actions?.list.filter(({ kind }) => kind === "walk" || kind === "run") ?? [];
  expect(walks.length).toBeGreaterThan(5);
  for (const { index, from, to } of walks) {
    const { position } = before.get(index) ?? {};
    expect(from).toEqual({ level: 0, x: position?.x, z: position?.y });
    const { level, x, z } = world.world.engine.tileOf(index);
    expect(to).toEqual({ level, x, z });
  }
  const { update } = tick ?? {};
  expect(actions?.counts.add).toBe(update?.added.length);
  expect(actions?.counts.remove).toBe(update?.removed.length);
  expect(actions?.counts.masks).toBe(update?.masks.length);
  expect(client.ticks.at(-1)?.after).toMatchObject({ locals: client.decoder?.locals.length });
});

test("a damaged packet ends the stream, with pass, player and bit, until it begins anew", () => {
  const { world, client, read } = follow(40);
  read();
  const tiles = client.decoder?.x.slice();
  // An update of the first local without mask and movement: a player is removed, perhaps the observer itself; then the
  // bits end.
  client.apply({ what: "player-info", atMs: 0, data: { hex: "80" } });
  const error = client.fault?.error;
  if (!(error instanceof PlayerInfoError)) throw new Error("It must say where");
  expect(error.pass).toBe(1);
  expect(error.index).toBeGreaterThan(0);
  expect(error.bitOffset).toBeGreaterThan(0);
  expect(client.fault?.packet).toEqual(Uint8Array.of(0x80));
  expect(client.fault?.fields[0]?.path).toMatch(/^pass1\.player\[\d+\]\.update$/);
  expect(client.decoder?.x).toEqual(tiles);
  world.tick();
  expect(read()).toEqual([undefined]);
  expect(client.ticks).toEqual([]);
  world.follow(3);
  world.tick();
  expect(read().at(-1)?.number).toBe(1);
  expect(client.fault).toBeUndefined();
});

test("an invalid start has an error that says why", () => {
  const client = new ObservedClient();
  client.apply({ what: "player-info-start", atMs: 0, data: { index: 3, dialect: "client", state: { index: 0 } } });
  expect(client.fault?.error.message).toMatch(/index/);
  expect(client.fault?.packet).toBeUndefined();
});

test("a start that is sent again keeps the packets, under another index too, until the client is forgotten", () => {
  const { world, client, read } = follow(40);
  read();
  world.tick();
  read();
  world.follow(3);
  read();
  expect(client.ticks).toHaveLength(1);
  world.tick();
  read();
  expect(client.ticks.map(({ number }) => number)).toEqual([1, 2]);
  world.follow(4);
  for (const observed of world.takeObserved().filter(({ player }) => player === 4)) client.apply(observed);
  expect(client.ticks).toHaveLength(2);
  expect(client.decoder?.localIndex).toBe(4);
  client.forget();
  expect(client.ticks).toEqual([]);
});

test("keeps as many packets as the chart shows, and forgets all with the client", () => {
  const { world, client, read } = follow(5);
  for (let tick = 0; tick < KEPT_TICKS + 10; tick++) {
    world.tick();
    read();
  }
  expect(client.ticks).toHaveLength(KEPT_TICKS);
  expect(client.ticks.at(-1)?.number).toBe(KEPT_TICKS + 10);
  client.forget();
  expect([client.decoder, client.playback, client.fault, client.ticks]).toEqual([undefined, undefined, undefined, []]);
});

test("follows one of 2047 within its limits", () => {
  const { world, client, read } = follow(2047);
  read();
  for (let tick = 0; tick < 3; tick++) {
    world.tick();
    read();
  }
  expect(client.fault).toBeUndefined();
  expect(client.ticks).toHaveLength(3);
  expect(client.decoder?.locals.length).toBeGreaterThan(100);
});

test("beside another server the client draws everybody whom that server sends, and says why it cannot", () => {
  const create = (shadow: boolean) => osrs.createWorld({ dialect: "client", seed: 2, demo: true, shadow });
  const [server, world] = [create(false), create(true)];
  const client = new ObservedClient();
  world.join(7, { account: "a", name: "a" }, 0);
  for (let player = 1; player <= 150; player++) server.join(player, { account: "b", name: `p${player}` }, 0);
  let spoils = false;
  const tick = (nowMs: number): void => {
    server.tick(nowMs);
    for (const effect of server.takeEffects()) {
      if (effect.effect !== "send" || effect.to !== 1) continue;
      const { message } = effect;
      if (spoils && message.message === "playerInfo") message.value.bytes.fill(0xff);
      world.shadow?.observe(7, message, nowMs);
    }
    for (const effect of world.takeEffects()) {
      if (effect.effect !== "observe") continue;
      client.apply({ ...effect, atMs: nowMs, data: JSON.parse(JSON.stringify(effect.data)) as JsonObject });
    }
  };
  world.following?.follow(7, 0);
  tick(600);
  // Nothing had come when the page began to follow.
  expect([client.fault, client.decoder?.localIndex]).toEqual([undefined, 1]);
  for (let number = 2; number <= 30; number++) tick(number * 600);
  const real = new Map(server.tracks(0, "world").map(({ details, position }) => [details?.index, position]));
  const { decoder } = client;
  expect([client.ticks.length, world.tracks(0, "world").length]).toEqual([30, decoder?.locals.length]);
  for (const index of decoder?.locals ?? []) {
    const { level, x, z } = decoder?.player(index) ?? {};
    expect({ x, y: z, level }).toEqual(real.get(index));
  }
  spoils = true;
  tick(31 * 600);
  expect(client.fault?.packet).toBeDefined();
  client.forget();
  world.following?.follow(7, 0);
  tick(32 * 600);
  expect(client.fault?.packet).toBeUndefined();
  expect(client.fault?.error.message).toMatch(/^Cannot read /);
});
