import type { FeedPlayer } from "@wirewalk/server/feed";
import { expect, test } from "vitest";
import type { PlayerId, Track } from "wirewalk/motion";
import { tilingFault } from "wirewalk/wire";
import type { WireRecord } from "../../../../feed/wire-record.ts";
import type { WatchedRoom } from "../../../game-view.ts";
import { FollowedWorld, served } from "../testing/followed-world.ts";
import { Observation } from "./observation.ts";

/** A page that watches a world with this many players: `turn` is a tick and the frame after it. */
function watch(players: number) {
  const world = new FollowedWorld(players);
  const room = {
    followed: undefined as PlayerId | undefined,
    self: undefined as PlayerId | undefined,
    tracks: new Map() as ReadonlyMap<PlayerId, Track>,
    asked: [] as (PlayerId | undefined)[],
  };
  const watched = {
    world: served,
    players: () => new Map([...world.tracks()].map(([player]) => [player, {} as FeedPlayer])),
    self: () => room.self,
    followed: () => room.followed,
    follow: (player: PlayerId | undefined) => {
      room.asked.push(player);
      room.followed = player;
      if (player !== undefined) world.follow(player);
    },
    tracks: {
      get latest() {
        return room.tracks;
      },
      get latestMs() {
        return room.tracks.values().next().value?.atMs;
      },
    },
  } as unknown as WatchedRoom;
  const logged: WireRecord[] = [];
  const observation = new Observation(watched, (record) => logged.push(record));
  const frame = (): void => {
    observation.choose();
    for (const observed of world.takeObserved()) observation.take(observed, world.nowMs);
    room.tracks = world.tracks();
    observation.look(world.nowMs);
  };
  const turn = (): void => {
    world.tick();
    frame();
  };
  return { world, room, watched, observation, logged, frame, turn };
}

test("a player is followed from the start, and another once that player has left", () => {
  const { world, room, observation, frame, turn } = watch(5);
  frame();
  expect(room.followed).toBe(1);
  turn();
  expect(observation.client.ticks).toHaveLength(1);
  world.leave(1);
  frame();
  expect(room.followed).toBe(2);
  turn();
  expect(observation.client.decoder?.localIndex).toBe(2);
  expect(observation.check.agreement).toMatchObject({ compared: 1, differences: [] });
});

test("the own player is followed once it has joined, and another once that is chosen", () => {
  const { room, watched, observation, frame, turn } = watch(5);
  frame();
  room.self = 4;
  turn();
  expect(room.followed).toBe(4);
  watched.follow(3);
  turn();
  turn();
  expect(room.followed).toBe(3);
  expect(observation.client.decoder?.localIndex).toBe(3);
  expect(room.asked).toEqual([1, 4, 3]);
});

test("an empty room has no observer, and nothing of the last one is left", () => {
  const { world, room, observation, frame, turn } = watch(0);
  frame();
  expect([room.asked, observation.observer]).toEqual([[], undefined]);
  world.join(8);
  frame();
  turn();
  expect([observation.observer, observation.client.ticks.length]).toEqual([8, 1]);
  world.leave(8);
  frame();
  expect([observation.observer, observation.client.decoder, observation.view]).toEqual([
    undefined,
    undefined,
    undefined,
  ]);
});

test("late observations of the player before are not taken for the new one's", () => {
  const { world, watched, observation, frame } = watch(5);
  frame();
  world.tick();
  const [late] = world.takeObserved();
  watched.follow(3);
  if (late === undefined) throw new Error("Nothing was observed");
  observation.take(late, 0);
  expect(late.player).toBe(1);
  expect(observation.client.ticks).toEqual([]);
});

test("many ticks in a crowd: the sides agree, and steps lead to where players are", () => {
  const { observation, frame, turn } = watch(200);
  frame();
  for (let tick = 0; tick < 60; tick++) turn();
  const { check, client, clientSteps, server } = observation;
  expect(check.agreement).toMatchObject({ compared: 60, wrongPackets: 0, differences: [] });
  expect(clientSteps.all.length).toBeGreaterThan(10);
  for (const { x, z, atMs } of clientSteps.all) {
    if (atMs < 36_600) continue;
    expect(
      [...(client.decoder?.locals ?? [])].some(
        (index) => client.decoder?.x[index] === x && client.decoder.z[index] === z,
      ),
    ).toBe(true);
  }
  expect(server.steps.all.length).toBeGreaterThan(clientSteps.all.length);
});

test("each packet is logged with its fields down to the bit, opcode included, and what it changed", () => {
  const { observation, logged, frame, turn } = watch(60);
  frame();
  for (let tick = 0; tick < 4; tick++) turn();
  expect(logged).toHaveLength(4);
  for (const [at, { sender, payload, player, before, after, reading }] of logged.entries()) {
    const tick = observation.client.ticks[at];
    expect([sender, player, payload.length]).toEqual(["server", 1, (tick?.packet.length ?? 0) + 1]);
    const trace = reading?.trace();
    expect(trace?.fields[0]).toMatchObject({ path: "opcode", shown: "playerInfo" });
    expect(tilingFault(trace?.fields ?? [], payload.length)).toBeUndefined();
    expect(reading?.words).toMatch(/^playerInfo (nothing new|\w+ × \d+)/);
    expect([before, after]).toEqual([tick?.before, tick?.after]);
    if (tick !== undefined) expect(observation.payloadOf(tick)).toBe(payload);
  }
});

test("a broken stream is logged once, up to where it broke, and begins anew when asked", () => {
  const { world, room, observation, logged, frame, turn } = watch(60);
  frame();
  turn();
  const { length } = logged;
  const broken = {
    type: "observation",
    world: "osrs",
    room: "world",
    player: 1,
    atMs: 0,
    what: "player-info",
  } as const;
  observation.take({ ...broken, data: { hex: "8000" } }, 0);
  observation.take({ ...broken, data: { hex: "8000" } }, 0);
  turn();
  expect(logged).toHaveLength(length + 1);
  const trace = logged.at(-1)?.reading?.trace();
  expect(trace?.error?.code).toBe(observation.client.fault?.error.code);
  expect(trace?.error?.bitOffset).toBe((observation.client.fault?.error.bitOffset ?? 0) + 8);
  observation.restart();
  expect(room.asked.slice(-2)).toEqual([undefined, 1]);
  world.tick();
  frame();
  expect(observation.client.fault).toBeUndefined();
});

test("players are drawn on their tiles, or smoothly on their way to them", () => {
  const { observation, turn } = watch(30);
  let differs = 0;
  for (let tick = 0; tick < 20; tick++) {
    turn();
    const index = observation.client.decoder?.localIndex ?? 0;
    const locked = observation.placeOf(index, false);
    const { view, clientView } = observation;
    expect(clientView).toEqual(view);
    expect(locked).toMatchObject({ x: (view?.x ?? 0) + 0.5, z: (view?.z ?? 0) + 0.5 });
    const smooth = observation.placeOf(index, true);
    if (smooth.x !== locked.x || smooth.z !== locked.z) differs += 1;
    for (let cycle = 0; cycle < 30; cycle++) observation.client.playback?.cycle();
  }
  expect(differs).toBeGreaterThan(5);
});

test("an observer on another level sees that level's players, and not those below it", () => {
  const { world, observation, frame, turn } = watch(400);
  const { engine } = world.world;
  const { client, check } = observation;
  frame();
  turn();
  const raised = [...(client.decoder?.locals ?? [])].filter((_, at) => at % 2 === 0);
  expect(raised.length).toBeGreaterThan(3);
  for (const index of raised) engine.teleport(index, { ...engine.tileOf(index), level: 2 });
  turn();
  turn();
  expect([observation.view?.level, observation.clientView?.level]).toEqual([2, 2]);
  const locals = [...(client.decoder?.locals ?? [])];
  expect(locals.length).toBeGreaterThan(1);
  for (const index of locals) expect(raised).toContain(index);
  expect(check.agreement).toMatchObject({ differences: [], wrongQuarters: 0, wrongPackets: 0, unseen: 0 });
  const actions = client.ticks.at(-2)?.actions.list.filter(({ kind }) => kind === "teleport");
  expect(actions?.find(({ index }) => index === 1)?.words).toMatch(/, level 2$/);
});
