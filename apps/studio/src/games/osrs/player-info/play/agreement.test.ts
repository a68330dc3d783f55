import { expect, test } from "vitest";
import type { Track } from "wirewalk/motion";
import { FollowedWorld } from "../testing/followed-world.ts";
import { AgreementCheck } from "./agreement.ts";
import { ObservedClient } from "./observed-client.ts";

function setUp(players: number) {
  const world = new FollowedWorld(players);
  world.follow(3);
  const client = new ObservedClient();
  const check = new AgreementCheck();
  const read = (): void => {
    for (const observed of world.takeObserved()) {
      const tick = client.apply(observed);
      if (tick !== undefined) check.packet(tick.atMs);
    }
  };
  const look = (tracks: ReadonlyMap<number, Track> = world.byIndex(), afterMs = 20): boolean =>
    check.snapshot(world.nowMs + afterMs, tracks, client.decoder);
  read();
  return { world, client, check, read, look };
}

/** A snapshot in which the server has one player on another tile. */
function moved(tracks: ReadonlyMap<number, Track>, index: number, by: object): ReadonlyMap<number, Track> {
  const track = tracks.get(index) as Track;
  return new Map(tracks).set(index, { ...track, position: { ...track.position, ...by } });
}

test("after every packet of many ticks both sides have everybody on the same tile", () => {
  const { world, check, read, look } = setUp(150);
  let locals = 0;
  for (let tick = 0; tick < 100; tick++) {
    world.tick();
    read();
    expect(look()).toBe(true);
    // Another snapshot before the next packet is not compared.
    expect(look(world.byIndex(70), 70)).toBe(false);
    expect(check.agreement.differences).toEqual([]);
    locals += check.agreement.locals;
  }
  expect(locals).toBeGreaterThan(500);
  expect(check.agreement).toMatchObject({ compared: 100, wrongPackets: 0, wrongQuarters: 0, unseen: 0 });
});

test("a player on another tile on the server is listed with both tiles", () => {
  const { world, client, check, read, look } = setUp(150);
  world.tick();
  read();
  look();
  world.tick();
  read();
  const index = client.decoder?.locals.find((each) => each !== 3) ?? 0;
  const { x, z } = world.world.engine.tileOf(index);
  look(moved(world.byIndex(), index, { x: x + 1 }));
  const client_ = { level: 0, x, z };
  expect(check.agreement.differences).toEqual([{ index, client: client_, server: { level: 0, x: x + 1, z } }]);
  expect(check.agreement.wrongPackets).toBe(1);
  world.tick();
  read();
  look(moved(world.byIndex(), index, { level: 2 }));
  expect(check.agreement.differences).toMatchObject([{ index, server: { level: 2 } }]);
  world.tick();
  read();
  look();
  expect(check.agreement).toMatchObject({ differences: [], wrongPackets: 2 });
});

test("an external in another quarter than on the client is counted", () => {
  const { world, client, check, read, look } = setUp(150);
  world.tick();
  read();
  const external = [...world.byIndex().keys()].find((index) => client.decoder?.local[index] === 0) ?? 0;
  look();
  world.tick();
  read();
  look(moved(world.byIndex(), external, { x: 9_000 }));
  expect(check.agreement).toMatchObject({ wrongQuarters: 1, differences: [], wrongPackets: 1 });
});

test("joining or leaving between packet and snapshot is not a disagreement", () => {
  const { world, client, check, read, look } = setUp(150);
  world.tick();
  read();
  look();
  world.tick();
  read();
  const [gone = 0] = [...(client.decoder?.locals ?? [])].filter((index) => index !== 3);
  world.leave(gone);
  world.join(999);
  look();
  expect(check.agreement).toMatchObject({ compared: 2, differences: [], wrongQuarters: 0 });
  world.tick();
  read();
  look();
  expect(check.agreement).toMatchObject({ compared: 3, differences: [], wrongQuarters: 0 });
});

test("a snapshot older than the packet is not compared", () => {
  const { world, check, read, look } = setUp(20);
  const old = world.byIndex();
  world.tick();
  read();
  expect(check.snapshot(world.nowMs - 1, old, undefined)).toBe(false);
  expect(look(old, 0)).toBe(false);
  expect(look()).toBe(true);
  check.forget();
  expect(check.agreement.compared).toBe(0);
});

test("players within the view who are not local are counted", () => {
  const { world, check, read, look } = setUp(150);
  world.tick();
  read();
  look();
  world.tick();
  read();
  const eye = world.world.engine.tileOf(3);
  const tracks = world.byIndex();
  const [far = 0] = [...tracks].flatMap(([index, { position }]) => (Math.abs(position.x - eye.x) > 40 ? [index] : []));
  look(moved(tracks, far, { x: eye.x + 15, y: eye.z - 15 }));
  expect(check.agreement.unseen).toBe(1);
});
