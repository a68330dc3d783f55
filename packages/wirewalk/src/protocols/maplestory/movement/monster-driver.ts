/**
 * A client's share of the monsters: it drives those that the server assigns, sends their paths, and stops driving one
 * whose paths are not answered. Monsters walk back and forth on their platforms.
 *
 * ```ts
 * const driver = new MonsterDriver({ dialect: "v62", map: demoMaps[0], random: createRandom(1) });
 * driver.receive({ message: "controlMonster", value: { mode: "control", mobId: 7, spawn } });
 * driver.step(); // every 90 ms: `moveLife` messages when they are due
 * ```
 *
 * Source: docs/protocols/maplestory.md 6.1 and 9.
 */
import type { Random } from "../../../motion/index.ts";
import type { MapleMap } from "../maps/map.ts";
import type { MapleServerMessage, MoveLife } from "../wire/codec.ts";
import { type DialectRules, dialectRules } from "../wire/dialect.ts";
import type { Spawn } from "../wire/messages.ts";
import type { Spawn as SpawnV83 } from "../wire/messages-v83.ts";
import type { Spawn as SpawnV95 } from "../wire/messages-v95.ts";
import { stateOfBody } from "./character.ts";
import { type MonsterAct, moveLife } from "./client-messages.ts";
import { monsterRecording, PathRecorder } from "./recorder.ts";
import { createWalker, type Keys, type Move, stepWalker, type Walker, walkConstants } from "./walker.ts";

/** Paths of a monster without an answer after which the client stops driving it. */
const MAX_UNANSWERED = 5;
/** The speed of a monster that the map does not list, pixels per second. */
const DEFAULT_SPEED = 60;
/** How far from an edge it turns, pixels. */
const EDGE_PX = 12;

const wishes: readonly Keys[] = [{}, { left: true }, { right: true }];

interface Driven {
  readonly body: Walker;
  readonly recorder: PathRecorder;
  /** The ends of its platform. */
  readonly from: number;
  readonly to: number;
  moveId: number;
  unanswered: number;
  keys: Keys;
  keySteps: number;
  /** Whether its kind has skills. */
  readonly canAttack: boolean;
  /** The skill that the server's last answer grants. */
  skill: MonsterAct["skill"];
}

export interface MonsterDriverOptions {
  readonly dialect: string;
  readonly map: MapleMap;
  readonly random: Random;
  /** Moves a monster for some milliseconds and returns the moves. Default: it walks back and forth on its platform. */
  readonly move?: (body: Walker, ms: number) => readonly Move[];
}

export class MonsterDriver {
  /** Milliseconds of a step. */
  readonly stepMs = monsterRecording.stepMs;
  readonly #dialect: DialectRules;
  readonly #random: Random;
  readonly #move: MonsterDriverOptions["move"];
  #map: MapleMap;
  readonly #driven = new Map<number, Driven>();

  /** Throws `RangeError` for an unknown dialect. */
  constructor({ dialect, map, random, move }: MonsterDriverOptions) {
    this.#dialect = dialectRules(dialect);
    this.#map = map;
    this.#random = random;
    this.#move = move;
  }

  /** The monsters that it was assigned. */
  get mobIds(): readonly number[] {
    return [...this.#driven.keys()];
  }

  /** The body of a monster that it drives; undefined for any other. */
  bodyOf(mobId: number): Readonly<Walker> | undefined {
    return this.#driven.get(mobId)?.body;
  }

  /** The character is on another map: it drives no monsters of the last one. */
  enter(map: MapleMap): void {
    this.#map = map;
    this.#driven.clear();
  }

  /** Applies the server's messages about monster control; other messages have no effect. */
  receive(message: MapleServerMessage): void {
    switch (message.message) {
      case "removeMonster":
        this.#driven.delete(message.value.mobId);
        return;
      case "controlMonster":
        if (message.value.mode === "stop") this.#driven.delete(message.value.mobId);
        else if (!this.#driven.has(message.value.mobId)) this.#drive(message.value.mobId, message.value.spawn);
        return;
      case "moveMonsterResponse": {
        const driven = this.#driven.get(message.value.mobId);
        if (driven === undefined) return;
        driven.unanswered = 0;
        const { skillId: id, skillLevel: level } = message.value;
        driven.skill = id === 0 ? undefined : { id, level };
        return;
      }
    }
  }

  /** Plays one step of all its monsters. Returns the paths that are due. */
  step(): readonly MoveLife[] {
    const sent: MoveLife[] = [];
    for (const [mobId, driven] of this.#driven) {
      if (driven.unanswered >= MAX_UNANSWERED) continue;
      const moves = this.#move?.(driven.body, this.stepMs) ?? this.#wander(driven);
      const path = driven.recorder.record(moves, 0);
      if (path === undefined) continue;
      driven.moveId = (driven.moveId + 1) & 0xffff;
      driven.unanswered += 1;
      const { canAttack, skill } = driven;
      sent.push(moveLife(this.#dialect, mobId, driven.moveId, path, { canAttack, skill }));
      driven.skill = undefined;
    }
    return sent;
  }

  #drive(mobId: number, spawn: Spawn | SpawnV83 | SpawnV95): void {
    const { x, y } = spawn;
    // The place of a monster with status effects stands behind these, and is not read.
    if (x === undefined || y === undefined) return;
    const plan = this.#map.monsters.find(({ template }) => template === spawn.template);
    const speed = plan?.speed ?? DEFAULT_SPEED;
    const body = createWalker(this.#map, { x, y }, { ...walkConstants, walk: speed });
    const [from, to] = extentOf(this.#map, body);
    const start = { ...stateOfBody(body, this.#map), x, y };
    const recorder = new PathRecorder({
      ...monsterRecording,
      start,
      startsMoving: this.#dialect.fragments.startsMoving,
    });
    const canAttack = (plan?.skills ?? []).length > 0;
    const fresh = { moveId: 0, unanswered: 0, keys: {}, keySteps: 0, skill: undefined };
    this.#driven.set(mobId, { body, recorder, from, to, canAttack, ...fresh });
  }

  #wander(driven: Driven): readonly Move[] {
    const { body, from, to } = driven;
    driven.keySteps -= 1;
    if (body.x < from + EDGE_PX) driven.keys = { right: true };
    else if (body.x > to - EDGE_PX) driven.keys = { left: true };
    else if (driven.keySteps <= 0) {
      driven.keys = this.#random.pick(wishes);
      driven.keySteps = this.#random.integer(5, 40);
    }
    return stepWalker(body, driven.keys, this.#map, this.stepMs);
  }
}

/** The ends of the platform that a body stands on. */
function extentOf(map: MapleMap, body: Walker): readonly [number, number] {
  const ground = map.foothold(body.foothold);
  if (ground === undefined) return [body.x, body.x];
  let first = ground;
  for (let before = map.foothold(first.previous); before !== undefined; before = map.foothold(first.previous))
    first = before;
  let last = ground;
  for (let next = map.foothold(last.next); next !== undefined; next = map.foothold(last.next)) last = next;
  return [first.x1, last.x2];
}
