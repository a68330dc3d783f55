import { beforeEach, describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { formatHex } from "../../../wire/index.ts";
import { demoMap } from "../maps/demo-maps.ts";
import type { MapleMap } from "../maps/map.ts";
import { MonsterDriver } from "../movement/monster-driver.ts";
import { broadcasts, kinds, messagesTo, start, TestWorld, walk } from "../testing/test-world.ts";
import { type MapleClientMessage, type MapleServerMessage, mapleCodec } from "../wire/codec.ts";
import { Fragment } from "../wire/fragment.ts";
import { boxOf } from "../wire/messages.ts";

const codec = mapleCodec("v83");
const login = (characterId: number): MapleClientMessage => {
  return { message: "playerLoggedIn", value: { characterId, rest: new Uint8Array(26) } };
};
let world: TestWorld;
beforeEach(() => {
  world = new TestWorld({ dialect: "v83" });
  for (const player of [3, 4]) {
    world.join(player, { account: `${player}`, name: `bot${player}`, room: "1" }, 0);
    world.send(player, login(player + 100));
  }
  world.nowMs = 600;
});

describe("a world of v83", () => {
  it("shows where a player stands by a path in which nothing moves", () => {
    world.join(5, { account: "5", name: "Ann", room: "1" }, 600);
    const effects = world.send(5, login(105));
    const shown = messagesTo(effects, 5).filter(({ message }) => message === "showPlayer" || message === "movePlayer");
    expect(shown.map(({ message }) => message)).toEqual(["showPlayer", "movePlayer", "showPlayer", "movePlayer"]);
    const still = { type: 0, ...start, vx: 0, vy: 0, durationMs: 0 };
    expect(shown[1]).toMatchObject({ value: { characterId: 103, start, fragments: [still] } });
    expect(broadcasts(effects).map(({ message }) => (message as MapleServerMessage).message)).toEqual([
      "showPlayer",
      "movePlayer",
    ]);
  });

  it("relays a path without checksum, keys and box", () => {
    const moved = walk(start, -440);
    const message = { message: "movePlayer", value: { ...moved.value, fieldCrc: 0x01020304 } } as MapleClientMessage;
    const effects = world.send(3, message);
    expect(kinds(effects)).toEqual([]);
    const [relay] = broadcasts(effects);
    const bytes = formatHex(codec.write("server", relay?.message as MapleServerMessage), { separator: "" });
    const sent = formatHex(codec.write("client", message), { separator: "" });
    // Opcode, fieldKey and checksum are left out: 7 bytes.
    expect(bytes).toBe(`b90067000000${sent.slice(14, 14 + 2 * (5 + 14))}`);
  });

  it("relays a monster's path with the flag that it needs", () => {
    world.refresh(3, 600);
    const control = messagesTo(world.takeEffects(), 3).find(({ message }) => message === "controlMonster");
    const value = control?.value as { mobId: number; spawn: { x: number; y: number; statusMask: Uint8Array } };
    expect(value.spawn.statusMask).toEqual(new Uint8Array(16));
    const driver = new MonsterDriver({ dialect: "v83", map: demoMap(1) as MapleMap, random: createRandom(1) });
    driver.receive(control as MapleServerMessage);
    let life: MapleClientMessage | undefined;
    for (let step = 0; step < 60 && life === undefined; step++) [life] = driver.step();
    expect(life?.value).toMatchObject({ flyTargetX: 16_768_460, flyTargetY: 16_768_460 });
    world.nowMs = 6000;
    const relayed = broadcasts(world.send(3, life as MapleClientMessage));
    expect(relayed.at(-1)?.message).toMatchObject({
      message: "moveMonster",
      value: { mobId: value.mobId, notForceLanding: 0, nextAttackPossible: 0 },
    });
  });

  it("a player without a dragon cannot move one", () => {
    const fragments = [
      Fragment.of("absolute", { type: 0, x: -480, y: 300, vx: 20, foothold: 1, state: 2, durationMs: 510 }),
    ];
    const path = { start, fragments, keypad: [], box: boxOf(start, fragments) };
    const move: MapleClientMessage = { message: "moveDragon", value: path };
    expect(kinds(world.send(3, move))).toEqual(["reject dragon-owner"]);
    world.setDragon(3, true, 0);
    const saved = structuredClone(world.save());
    expect(broadcasts(world.send(3, move))).toMatchObject([
      { message: { message: "moveDragon", value: { characterId: 103 } } },
    ]);
    world.restore(saved);
    expect(broadcasts(world.send(3, move))).toHaveLength(1);
    world.setDragon(3, false, 0);
    expect(kinds(world.send(3, move))).toEqual(["reject dragon-owner"]);
    expect(() => new TestWorld().setDragon(3, true, 0)).toThrow("Dialect v62 has no dragons");
  });
});
