/**
 * A session on the game's own socket: the own character and a share of the monsters, and everybody else out of nothing
 * but messages. In `documented` a session is a player at once; in `v62` it says which character comes in.
 */
import { type Client, connectClient } from "wirewalk/client";
import {
  Character,
  dialectRules,
  type Keys,
  type MapleClientMessage,
  type MapleMap,
  type MapleServerMessage,
  MonsterDriver,
  mapleStory,
  type Path,
  type Point,
} from "wirewalk/maplestory";
import { createRandom, type PlayerId } from "wirewalk/motion";
import { connectWebSocket } from "wirewalk/net";
import type { JsonObject } from "wirewalk/wire";
import { FixedStep } from "../../fixed-step.ts";
import type { PlaySession, PlayState, Stage } from "../game-view.ts";
import { listenToKeys } from "../keyboard.ts";
import { type ActorKind, actorKey, type Standing } from "./actor.ts";
import type { Actors } from "./actors.ts";
import { mapIdOf, mapOf, plainMap } from "./maps.ts";
import { characterOf } from "./watching.ts";

/** How often the clock is looked at: a step is 30 ms, and goes out no later than this after its end. */
const TIMER_MS = 10;

/** A tab in the background catches up with so much of what it missed: a server allows no more to be saved up. */
const LONGEST_CATCH_UP_MS = 4_000;

/** Steps that nobody was told of yet, at most: an honest packet has 17. */
const MAX_UNTOLD = 64;

const codes = {
  ArrowLeft: "left",
  ArrowRight: "right",
  ArrowUp: "up",
  ArrowDown: "down",
  Space: "jump",
  KeyX: "sit",
} as const;

type Effect = { readonly before?: JsonObject; readonly after?: JsonObject };

/** What the scene draws of a session. */
export interface MaplePlay extends PlaySession {
  /** Undefined until the session is on a map. */
  readonly map: MapleMap | undefined;
  /** Of the own character among the actors. */
  readonly ownKey: string;
  /** Where the own character is drawn; undefined until it is on a map. */
  own(nowMs: number): Standing | undefined;
  /** Where it was in the steps that nobody was told of yet. */
  readonly untold: readonly Point[];
  /** Where a monster is that this page drives. */
  driven(mobId: number): Point | undefined;
}

/** Opens the socket and plays until it is over. */
export function playMaple(stage: Stage, actors: Actors, changed: (state: PlayState) => void): MaplePlay {
  const { watched } = stage;
  const { dialect } = watched.protocol;
  const codec = mapleStory.codec(dialect);
  const { neighbours } = dialectRules(dialect);
  const random = createRandom(Math.trunc(Math.random() * 2 ** 31));
  // In `documented` nobody is told which number is its own.
  const characterId = neighbours ? random.integer(1, 0x7fff_ffff) : 0;
  const held: { -readonly [K in keyof Keys]: Keys[K] } = {};
  let client: Client<MapleClientMessage> | undefined;
  let character: Character | undefined;
  let driver: MonsterDriver | undefined;
  let steps = new FixedStep(1, LONGEST_CATCH_UP_MS);
  let before: Point = { x: 0, y: 0 };
  let monsterMs = 0;
  let untold: Point[] = [];
  let told: JsonObject = {};
  let stopPlaying: (() => void) | undefined;
  let over = false;

  const finish = (reason: string | undefined): void => {
    if (over) return;
    over = true;
    stopPlaying?.();
    changed({ state: "over", reason });
  };

  const send = (message: MapleClientMessage, effect: Effect = {}): number => {
    client?.send(message);
    const payload = codec.write("client", message);
    const player = watched.self();
    stage.log({ sender: "client", payload, ...effect, ...(player === undefined ? {} : { player }) });
    return payload.length;
  };

  // --- The own character and its monsters ------------------------------------------------------------------------------

  const step = (): void => {
    if (character === undefined) return;
    before = { x: character.body.x, y: character.body.y };
    const message = character.step(held);
    untold.push({ x: character.body.x, y: character.body.y });
    if (untold.length > MAX_UNTOLD) untold.shift();
    if (message?.message === "movePlayer") {
      const after = stateJson(character);
      const packetBytes = send(message, { before: told, after });
      told = after;
      untold = [];
      const start = "start" in message.value ? message.value.start : undefined;
      const { fragments } = message.value;
      actors.hear("player", characterId, { told: { start, fragments }, packetBytes, atMs: performance.now() });
    }
    monsterMs += character.stepMs;
    if (driver === undefined || monsterMs < driver.stepMs) return;
    monsterMs -= driver.stepMs;
    for (const life of driver.step()) sayMonster(life);
  };

  const sayMonster = (message: MapleClientMessage): void => {
    const packetBytes = send(message);
    if (message.message !== "moveLife" || !("start" in message.value)) return;
    const { mobId, start, fragments } = message.value;
    actors.hear("monster", mobId, { told: { start, fragments }, packetBytes, atMs: performance.now() });
  };

  const enter = (map: MapleMap, at: Point, fieldKey: number): void => {
    const nowMs = performance.now();
    actors.clear();
    untold = [];
    driver?.enter(map);
    if (character === undefined) {
      character = new Character({ dialect, map, at, fieldKey });
      driver = neighbours ? new MonsterDriver({ map, random }) : undefined;
      steps = new FixedStep(1000 / character.stepMs, LONGEST_CATCH_UP_MS);
      steps.due(nowMs);
      stopPlaying = listen();
      changed({ state: "playing" });
    } else character.enter(map, at, fieldKey);
    before = { x: character.body.x, y: character.body.y };
    told = stateJson(character);
    actors.show("player", characterId, { ...before, state: character.state }, nowMs).name = "you";
  };

  const listen = (): (() => void) => {
    const timer = setInterval(() => {
      for (let due = steps.due(performance.now()); due > 0; due--) step();
    }, TIMER_MS);
    const stopKeys = listenToKeys(
      {
        codes,
        onKey: (key, down) => {
          if (key === "sit") {
            if (down) character?.sit();
          } else held[key] = down;
        },
      },
      { window, document },
    );
    return () => {
      clearInterval(timer);
      stopKeys();
    };
  };

  // --- What the server says --------------------------------------------------------------------------------------------

  const hearPath = (kind: ActorKind, id: number, value: object): Effect => {
    const atMs = performance.now();
    const toldBefore = actors.get(actorKey(kind, id))?.lastTold(atMs);
    if (!("fragments" in value)) return {};
    const { fragments } = value as Path;
    const start = "start" in value ? (value as Path).start : undefined;
    const actor = actors.hear(kind, id, { told: { start, fragments }, packetBytes: undefined, atMs });
    return { ...standing("before", toldBefore), ...standing("after", actor.lastTold(atMs)) };
  };

  const hear = (
    message: MapleServerMessage,
  ): Effect & { readonly character?: number; readonly answer?: () => void } => {
    const nowMs = performance.now();
    driver?.receive(message);
    switch (message.message) {
      case "changeMap": {
        const { fieldKey, target } = message.value;
        if (target.content !== "map") return {};
        const map = mapOf(watched, target.mapId) ?? plainMap(target.mapId);
        const at = map.portals[target.spawnPoint] ?? map.portals[0] ?? { x: 0, y: 0 };
        const was = character === undefined ? {} : { before: stateJson(character) };
        enter(map, at, fieldKey);
        return { ...was, ...(character === undefined ? {} : { after: stateJson(character) }) };
      }
      case "ping":
        return { answer: () => send({ message: "pong", value: {} }) };
      case "showPlayer": {
        const { characterId: id, x, y, state, name } = message.value;
        actors.show("player", id, { x, y, state }, nowMs).name = name;
        return { character: id, after: { x, y, state } };
      }
      case "removePlayer":
        actors.remove("player", message.value.characterId);
        actors.remove("pet", message.value.characterId);
        return { character: message.value.characterId };
      case "showMonster": {
        const { mobId, spawn } = message.value;
        actors.show("monster", mobId, spawn, nowMs);
        return { after: { x: spawn.x, y: spawn.y, state: spawn.state } };
      }
      case "removeMonster":
        actors.remove("monster", message.value.mobId);
        return {};
      case "controlMonster": {
        const monster = actors.get(actorKey("monster", message.value.mobId));
        if (monster !== undefined) monster.driver = message.value.mode === "stop" ? undefined : "you";
        return {};
      }
      case "moveMonster":
        return hearPath("monster", message.value.mobId, message.value);
      case "movePlayer":
        return {
          character: message.value.characterId,
          ...hearPath("player", message.value.characterId, message.value),
        };
      case "movePet":
        return { character: message.value.characterId, ...hearPath("pet", message.value.characterId, message.value) };
      case "moveSummon":
        return { character: message.value.characterId, ...hearPath("summon", message.value.summonId, message.value) };
      case "moveMonsterResponse":
        return {};
    }
  };

  /** The feed's number of a character. */
  const playerOf = (id: number | undefined): PlayerId | undefined => {
    if (id === undefined) return undefined;
    return [...watched.tracks.latest.values()].find(({ details }) => characterOf(details) === id)?.player;
  };

  changed({ state: "joining" });
  connectWebSocket(stage.gameUrl()).then(
    (transport) => {
      if (over) {
        transport.close("left");
        return;
      }
      client = connectClient<MapleClientMessage, MapleServerMessage>({
        protocol: mapleStory,
        dialect,
        transport,
        onMessage(message, payload) {
          const { character: who, answer, ...effect } = hear(message);
          const player = playerOf(who);
          stage.log({ sender: "server", payload, ...effect, ...(player === undefined ? {} : { player }) });
          answer?.();
        },
        onRefused: (_error, payload) => stage.log({ sender: "server", payload }),
        onClosed: (reason) => finish(`The game’s connection is over: ${reason}.`),
      });
      if (neighbours) send({ message: "playerLoggedIn", value: { characterId, reserved: 0 } });
      else {
        const map = mapOf(watched, mapIdOf(watched.room)) ?? plainMap(mapIdOf(watched.room));
        enter(map, random.pick(map.portals), 0);
      }
    },
    (error: unknown) => finish(error instanceof Error ? error.message : String(error)),
  );

  return {
    ownKey: actorKey("player", characterId),
    get map() {
      return character?.map;
    },
    get untold() {
      return untold;
    },
    own(nowMs) {
      if (character === undefined) return undefined;
      const part = steps.part(nowMs);
      const { body, state } = character;
      return { x: before.x + (body.x - before.x) * part, y: before.y + (body.y - before.y) * part, state };
    },
    driven: (mobId) => driver?.bodyOf(mobId),
    leave() {
      finish(undefined);
      client?.close("left");
    },
  };
}

function standing(name: "before" | "after", told: Standing | undefined): Effect {
  return told === undefined ? {} : { [name]: { x: told.x, y: told.y, state: told.state } };
}

/** The state in the document's words, for the wire log. */
function stateJson({ body, state, map }: Character): JsonObject {
  const { x, y, vx, vy, foothold } = body;
  return { map: map.mapId, x: rounded(x), y: rounded(y), vx: rounded(vx), vy: rounded(vy), foothold, state };
}

function rounded(value: number): number {
  return Math.round(value * 10) / 10;
}
