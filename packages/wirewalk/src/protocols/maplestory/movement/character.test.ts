import { describe, expect, it } from "vitest";
import { createRandom, type Verdict } from "../../../motion/index.ts";
import type { Effect } from "../../protocol.ts";
import { type MapleClientMessage, type MapleServerMessage, mapleCodec, type V62MovePlayer } from "../wire/codec.ts";
import { stances } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";
import { MapleWorld } from "../world/world.ts";
import { Character, keyNibble } from "./character.ts";
import { demoMap } from "./demo-maps.ts";
import { createMap, type MapleMap } from "./map.ts";
import { MonsterDriver } from "./monster-driver.ts";
import { durationOf } from "./verification.ts";
import type { Keys } from "./walker.ts";

const plain = createMap({
  mapId: 9,
  title: "Plain",
  platforms: [
    [
      [0, 100],
      [900, 100],
    ],
  ],
  portals: [{ name: "door", x: 400, y: 100, target: { mapId: 1, portal: "start" } }],
});

function character(at: Point, dialect = "v62"): Character {
  return new Character({ dialect, map: plain, at, fieldKey: 5 });
}

function play(who: Character, keys: Keys, steps: number): readonly V62MovePlayer[] {
  const said: V62MovePlayer[] = [];
  for (let step = 0; step < steps; step++) {
    const message = who.step(keys);
    if (message !== undefined) said.push(message.value as V62MovePlayer);
  }
  return said;
}

describe("a character", () => {
  it("says every 510 ms where it went, with the keys of each step, and nothing while it stands", () => {
    const who = character({ x: 10, y: 100 });
    expect(play(who, {}, 100)).toEqual([]);
    const said = play(who, { right: true }, 34);
    expect(said.map(({ fragments }) => durationOf(fragments))).toEqual([510, 510]);
    expect(said.at(-1)?.keypad).toEqual(new Array(17).fill(keyNibble({ right: true })));
    expect(said[1]?.start).toEqual({ x: said[0]?.fragments.at(-1)?.x, y: 100 });
    expect(said[0]?.fieldKey).toBe(5);
  });

  it("in the dialect of the document it says so every 500 ms, with zeros around it", () => {
    const who = character({ x: 10, y: 100 }, "documented");
    const said = Array.from({ length: 10 }, () => who.step({ right: true }));
    expect(said.findIndex((message) => message !== undefined)).toBe(9);
    expect(said[9]?.value).toMatchObject({ head: new Uint8Array(5), tail: new Uint8Array(18) });
  });

  it("knocks at a portal once for each time that up is pressed there, even when nothing else has changed", () => {
    const who = character({ x: 395, y: 100 });
    const said = play(who, { up: true }, 5);
    expect(said).toHaveLength(1);
    expect(said[0]).toMatchObject({ start: { x: 395, y: 100 }, keypad: [keyNibble({ up: true })] });
    expect(durationOf(said[0]?.fragments ?? [])).toBe(30);
    play(who, {}, 1);
    expect(play(who, { up: true }, 5)).toHaveLength(1);
    expect(play(character({ x: 300, y: 100 }), { up: true }, 5)).toEqual([]);
  });

  it("sits down where it stands until a key moves it", () => {
    const who = character({ x: 10, y: 100 });
    who.sit();
    const said = play(who, {}, 17);
    expect(said[0]?.fragments[0]).toMatchObject({ type: 11, state: stances.sit << 1 });
    who.step({ left: true });
    expect(who.state >> 1).toBe(stances.walk);
  });
});

/** A client of the world with neither network nor clock of its own. */
class Client {
  readonly verdicts: Verdict[] = [];
  readonly rooms: string[] = [];
  readonly relayed: MapleServerMessage[] = [];
  character: Character | undefined;
  readonly driver = new MonsterDriver({ map: mapOf(1), random: createRandom(1) });
  readonly #world = new MapleWorld({ dialect: "v62", seed: 1, demo: true });
  readonly #codec = mapleCodec("v62");
  #nowMs = 0;

  constructor() {
    this.#world.join(3, { account: "a", name: "a", room: "1" }, 0);
    this.#say({ message: "playerLoggedIn", value: { characterId: 7, reserved: 0 } });
  }

  play(keys: Keys, ms: number): void {
    for (const endMs = this.#nowMs + ms; this.#nowMs < endMs; ) {
      this.#nowMs += 30;
      const said = this.character?.step(keys);
      if (said !== undefined) this.#say(said);
      if (this.#nowMs % this.driver.stepMs === 0) for (const life of this.driver.step()) this.#say(life);
    }
  }

  #say(message: MapleClientMessage): void {
    this.#world.receive(3, message, this.#codec.write("client", message), this.#nowMs);
    for (const effect of this.#world.takeEffects()) this.#take(effect);
  }

  #take(effect: Effect<MapleServerMessage>): void {
    if (effect.effect === "verdict") this.verdicts.push(effect.verdict);
    else if (effect.effect === "enter") this.rooms.push(effect.room);
    else if (effect.effect === "broadcast") this.relayed.push(effect.message);
    else if (effect.effect === "send") this.#hear(effect.message);
  }

  #hear(message: MapleServerMessage): void {
    if (message.message === "changeMap" && message.value.target.content === "map") {
      const { mapId, spawnPoint } = message.value.target;
      const map = mapOf(mapId);
      const at = map.portals[spawnPoint] ?? { x: 0, y: 0 };
      const { fieldKey } = message.value;
      if (this.character === undefined) this.character = new Character({ dialect: "v62", map, at, fieldKey });
      else this.character.enter(map, at, fieldKey);
      this.driver.enter(map);
    }
    this.driver.receive(message);
  }
}

function mapOf(mapId: number): MapleMap {
  const map = demoMap(mapId);
  if (map === undefined) throw new Error(`There is no map ${mapId}`);
  return map;
}

describe("a client made of a character and a driver", () => {
  it("plays, drives all monsters and goes through a portal without a verdict", () => {
    const client = new Client();
    expect(client.driver.mobIds).toHaveLength(12);
    client.play({ left: true }, 600);
    client.play({ right: true, jump: true }, 3000);
    client.play({ right: true }, 9000);
    const moved = client.relayed.flatMap(({ message, value }) => (message === "moveMonster" ? [value.mobId] : []));
    expect(new Set(moved).size).toBe(12);
    client.play({ left: true }, 300);
    client.play({ up: true }, 100);
    expect(client.rooms).toEqual(["1", "2"]);
    expect(client.character?.map.mapId).toBe(2);
    expect(client.driver.mobIds).toHaveLength(12);
    client.play({ right: true }, 2000);
    expect(client.verdicts.map(({ kind, rule, reason }) => `${kind} ${rule} ${reason}`)).toEqual([]);
  });

  it("drives no monster whose paths are not answered, and none that it was told to leave", () => {
    const driver = new MonsterDriver({ map: mapOf(1), random: createRandom(2) });
    const spawn = {
      status: "controlled",
      template: 100_100,
      statusMask: new Uint8Array(8),
      x: 100,
      y: 270,
      state: 4,
      originFoothold: 3,
      foothold: 3,
      appear: -1,
      team: -1,
      effect: 0,
    } as const;
    driver.receive({ message: "controlMonster", value: { mode: "control", mobId: 5, spawn } });
    const said = (steps: number) => Array.from({ length: steps }, () => driver.step()).flat();
    const paths = said(600);
    expect(paths).toHaveLength(5);
    expect(paths[0]).toMatchObject({ message: "moveLife", value: { mobId: 5, moveId: 1, start: { x: 100, y: 270 } } });
    const response = { mobId: 5, moveId: 1, nextAttack: 0, mp: 0, skillId: 0, skillLevel: 0 };
    driver.receive({ message: "moveMonsterResponse", value: response });
    expect(said(600)).toHaveLength(5);
    driver.receive({ message: "controlMonster", value: { mode: "stop", mobId: 5 } });
    expect(driver.mobIds).toEqual([]);
  });
});
