import { beforeEach, describe, expect, it } from "vitest";
import { createRandom } from "../../../motion/index.ts";
import { formatHex } from "../../../wire/index.ts";
import { demoMap } from "../maps/demo-maps.ts";
import type { MapleMap } from "../maps/map.ts";
import { Character } from "../movement/character.ts";
import { movePlayer } from "../movement/client-messages.ts";
import { MonsterDriver } from "../movement/monster-driver.ts";
import { broadcasts, kinds, messagesTo, start, TestWorld, walk } from "../testing/test-world.ts";
import { type MapleClientMessage, type MapleServerMessage, mapleCodec } from "../wire/codec.ts";
import { dialectRules } from "../wire/dialect.ts";

const codec = mapleCodec("v95");
const rules = dialectRules("v95");
const map = demoMap(1) as MapleMap;
let world: TestWorld;
beforeEach(() => {
  world = new TestWorld({ dialect: "v95" });
  for (const player of [3, 4]) {
    world.join(player, { account: `${player}`, name: `bot${player}`, room: "1" }, 0);
    world.send(player, { message: "playerLoggedIn", value: { characterId: player + 100, rest: new Uint8Array(26) } });
  }
  world.nowMs = 600;
});

describe("a world of v95", () => {
  it("shows where a player stands by a path in which nothing moves", () => {
    world.join(5, { account: "5", name: "Ann", room: "1" }, 600);
    const login = { message: "playerLoggedIn", value: { characterId: 105, rest: new Uint8Array(26) } } as const;
    const shown = messagesTo(world.send(5, login), 5).filter(({ message }) => message === "movePlayer");
    const still = { type: 0, ...start, vx: 0, vy: 0, xOffset: 0, yOffset: 0, durationMs: 0 };
    expect(shown[0]).toMatchObject({
      value: { characterId: 103, start: { ...start, vx: 0, vy: 0 }, fragments: [still] },
    });
  });

  it("relays a path with its velocity at the start, without checksums, keys and box", () => {
    const { fieldKey, ...path } = walk(start, -440).value as Parameters<typeof movePlayer>[2] & { fieldKey: number };
    const message = movePlayer(rules, fieldKey, { ...path, start: { ...path.start, vx: 5 } as never });
    const effects = world.send(3, message);
    expect(kinds(effects)).toEqual([]);
    const bytes = formatHex(codec.write("server", broadcasts(effects)[0]?.message as MapleServerMessage), {
      separator: "",
    });
    const sent = formatHex(codec.write("client", message), { separator: "" });
    // Opcode, debug registers, fieldKey and three checksums are left out: 31 bytes. A head of 9 bytes, one fragment of 18.
    expect(bytes).toBe(`d20067000000${sent.slice(62, 62 + 2 * (9 + 18))}`);
    expect(bytes.slice(20, 24)).toBe("0500");
  });

  it("relays a monster's path with the lists of its attack", () => {
    world.refresh(3, 600);
    const control = messagesTo(world.takeEffects(), 3).find(({ message }) => message === "controlMonster");
    expect(control?.value).toMatchObject({ spawn: { statusMask: new Uint8Array(16), phase: 0 } });
    const driver = new MonsterDriver({ dialect: "v95", map, random: createRandom(1) });
    driver.receive(control as MapleServerMessage);
    let life: MapleClientMessage | undefined;
    for (let step = 0; step < 60 && life === undefined; step++) [life] = driver.step();
    const lists = { ballTargets: [{ x: 1, y: 2 }], areaTimes: [3] };
    world.nowMs = 6000;
    const sent = { ...life, value: { ...life?.value, ...lists } } as MapleClientMessage;
    const relayed = broadcasts(world.send(3, sent)).at(-1)?.message as MapleServerMessage;
    const { fragments, start: from } = sent.value as { fragments: object[]; start: object };
    expect(codec.read("server", codec.write("server", relayed))).toMatchObject({
      message: "moveMonster",
      value: { notForceLanding: 0, notChangeAction: 0, nextAttackPossible: 0, ...lists, start: from, fragments },
    });
  });

  it("a player without a dragon cannot move one", () => {
    const { fieldKey: _, ...path } = movePlayer(rules, 1, walk(start, -440).value as never).value as {
      fieldKey: number;
    };
    const move = { message: "moveDragon", value: path } as MapleClientMessage;
    expect(kinds(world.send(3, move))).toEqual(["reject dragon-owner"]);
    world.setDragon(3, true, 0);
    expect(broadcasts(world.send(3, move))).toMatchObject([
      { message: { message: "moveDragon", value: { characterId: 103 } } },
    ]);
  });
});

it("a client falls through a platform with the types of v95, and starts where it was, as fast as it was", () => {
  const character = new Character({ dialect: "v95", map, at: { x: 0, y: -60 }, fieldKey: 1 });
  const sent: { start: { vx: number; vy: number }; fragments: { type: number; kind: string }[] }[] = [];
  for (let step = 0; step < 300; step++) {
    const message = character.step(step % 60 === 5 ? { down: true, jump: true } : { right: step % 60 < 30 });
    if (message === undefined) continue;
    const payload = codec.write("client", message);
    sent.push(codec.read("client", payload).value as never);
  }
  const types = new Set(sent.flatMap(({ fragments }) => fragments.map(({ type, kind }) => `${kind} ${type}`)));
  expect([...types].sort()).toEqual(["absolute 0", "fallDown 12", "relative 1", "startFallDown 11"]);
  expect(sent.some(({ start: { vx } }) => vx > 0)).toBe(true);
});
