/** A client made of the parts in `movement/`, in a world. */
import { expect, it } from "vitest";
import { createRandom, type Verdict } from "../../motion/index.ts";
import type { Effect } from "../world.ts";
import { demoMap } from "./maps/demo-maps.ts";
import type { MapleMap } from "./maps/map.ts";
import { Character } from "./movement/character.ts";
import { MonsterDriver } from "./movement/monster-driver.ts";
import type { Keys } from "./movement/walker.ts";
import { type MapleClientMessage, type MapleServerMessage, mapleCodec } from "./wire/codec.ts";
import { MapleWorld } from "./world/world.ts";

/** A client without network and clock. */
class Client {
  readonly verdicts: Verdict[] = [];
  readonly rooms: string[] = [];
  readonly relayed: MapleServerMessage[] = [];
  character: Character | undefined;
  readonly driver = new MonsterDriver({ dialect: "v62", map: mapOf(1), random: createRandom(1) });
  readonly #world = new MapleWorld({ dialect: "v62", seed: 1, demo: true });
  readonly #codec = mapleCodec("v62");
  #nowMs = 0;

  constructor() {
    this.#world.join(3, { account: "a", name: "a", room: "1" }, 0);
    this.#send({ message: "playerLoggedIn", value: { characterId: 7, reserved: 0 } });
  }

  play(keys: Keys, ms: number): void {
    for (const endMs = this.#nowMs + ms; this.#nowMs < endMs; ) {
      this.#nowMs += 30;
      const sent = this.character?.step(keys);
      if (sent !== undefined) this.#send(sent);
      if (this.#nowMs % this.driver.stepMs === 0) for (const life of this.driver.step()) this.#send(life);
    }
  }

  #send(message: MapleClientMessage): void {
    this.#world.receive(3, message, this.#codec.write("client", message), this.#nowMs);
    for (const effect of this.#world.takeEffects()) this.#take(effect);
  }

  #take(effect: Effect<MapleServerMessage>): void {
    if (effect.effect === "verdict") this.verdicts.push(effect.verdict);
    else if (effect.effect === "enter") this.rooms.push(effect.room);
    else if (effect.effect === "broadcast") this.relayed.push(effect.message);
    else if (effect.effect === "send") this.#receive(effect.message);
  }

  #receive(message: MapleServerMessage): void {
    if (message.message === "changeMap" && message.value.target.content === "map") {
      const { mapId, spawnPoint } = message.value.target;
      const map = mapOf(mapId);
      const at = map.portal(spawnPoint) ?? { x: 0, y: 0 };
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

it("plays, drives all monsters and goes through a portal without a verdict", () => {
  const client = new Client();
  expect(client.driver.mobIds).toHaveLength(12);
  client.play({ left: true }, 600);
  client.play({ right: true, jump: true }, 3000);
  client.play({ right: true }, 9000);
  const moved = client.relayed.flatMap(({ message, value }) => (message === "moveMonster" ? [value.mobId] : []));
  expect(new Set(moved).size).toBe(12);
  // The map ends 5 px beyond the portal.
  client.play({ up: true }, 100);
  expect(client.rooms).toEqual(["1", "2"]);
  expect(client.character?.map.mapId).toBe(2);
  expect(client.driver.mobIds).toHaveLength(12);
  client.play({ right: true }, 2000);
  expect(client.verdicts.map(({ kind, rule, reason }) => `${kind} ${rule} ${reason}`)).toEqual([]);
});
