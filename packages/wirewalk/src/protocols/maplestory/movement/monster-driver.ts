/**
 * A client's share of the monsters: it drives those that the server assigns, sends their paths, and stops driving one
 * whose paths are not answered. Monsters walk back and forth on their platforms.
 *
 * ```ts
 * const driver = new MonsterDriver({ dialect: "v62", map: demoMaps()[0], random: createRandom(1) });
 * driver.receive({ message: "controlMonster", value: { mode: "control", mobId: 7, spawn } });
 * driver.step(); // every 90 ms: `moveLife` messages when they are due
 * ```
 *
 * Source: docs/protocols/maplestory.md 6.1 and 9.
 */
import type { Random } from "../../../motion/index.ts";
import { type Foothold, isFloor } from "../maps/foothold.ts";
import type { MapleMap } from "../maps/map.ts";
import type { MapleServerMessage, MoveLife } from "../wire/codec.ts";
import { type DialectRules, dialectRules } from "../wire/dialect.ts";
import { stances } from "../wire/fragment.ts";
import type { Point, Spawn } from "../wire/messages.ts";
import type { Spawn as SpawnV83 } from "../wire/messages-v83.ts";
import type { Spawn as SpawnV95 } from "../wire/messages-v95.ts";
import { stateOfBody } from "./character.ts";
import { documentedMoveLife, type MonsterAct, moveLife } from "./client-messages.ts";
import { DocumentRecorder } from "./document-recorder.ts";
import { flyingMonsterRecording, monsterRecording, PathRecorder } from "./recorder.ts";
import {
  createWalker,
  type Keys,
  type Move,
  stepWalker,
  type WalkConstants,
  type Walker,
  walkConstants,
} from "./walker.ts";

/** Paths of a monster without an answer after which the client stops driving it. */
const MAX_UNANSWERED = 5;
/** The speed of a monster that the map does not list, pixels per second. */
const DEFAULT_SPEED = 60;
/** How far from an edge it turns at least, pixels. */
const EDGE_PX = 12;
/** How far one that flies goes from where it was made, pixels. */
const HOVER_PX = 150;

const wishes: readonly Keys[] = [{}, { left: true }, { right: true }];

type ShownSpawn = Pick<Spawn | SpawnV83 | SpawnV95, "template" | "x" | "y" | "foothold">;

interface Driven {
  readonly body: Walker;
  /** Records a step's moves. Returns a path when one is due. */
  readonly record: (moves: readonly Move[], driven: Driven) => MoveLife | undefined;
  /** How it moves by itself. */
  readonly wander: (driven: Driven, random: Random) => readonly Move[];
  /** The ends of its platform. */
  from: number;
  to: number;
  /** One of the footholds of that platform; 0: not known yet. */
  platform: number;
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
  /** Of all that moves, but for the speed of each kind. Default: the client's. */
  readonly constants?: WalkConstants;
  /** Drives every monster that it sees: where no server assigns them. Default false. */
  readonly takes?: boolean;
  /** Moves a monster for some milliseconds and returns the moves. Default: it walks back and forth on its platform. */
  readonly move?: (body: Walker, ms: number) => readonly Move[];
}

export class MonsterDriver {
  /** Milliseconds of a step. */
  readonly stepMs = monsterRecording.stepMs;
  readonly #dialect: DialectRules;
  readonly #random: Random;
  readonly #move: MonsterDriverOptions["move"];
  readonly #constants: WalkConstants;
  readonly #takes: boolean;
  #map: MapleMap;
  readonly #driven = new Map<number, Driven>();

  /** Throws `RangeError` for an unknown dialect. */
  constructor({ dialect, map, random, move, takes = false, constants = walkConstants }: MonsterDriverOptions) {
    this.#dialect = dialectRules(dialect);
    this.#map = map;
    this.#random = random;
    this.#move = move;
    this.#constants = constants;
    this.#takes = takes;
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
      case "showMonster": {
        const { mobId, spawn } = message.value;
        if (this.#takes && !this.#driven.has(mobId)) this.#drive(mobId, spawn);
        return;
      }
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
    for (const driven of this.#driven.values()) {
      if (driven.unanswered >= MAX_UNANSWERED) continue;
      const moves = this.#move?.(driven.body, this.stepMs) ?? driven.wander(driven, this.#random);
      const path = driven.record(moves, driven);
      if (path === undefined) continue;
      driven.moveId = path.value.moveId;
      driven.unanswered += 1;
      sent.push(path);
      driven.skill = undefined;
    }
    return sent;
  }

  #recorderOf(mobId: number, start: Move, flies: boolean): Driven["record"] {
    const dialect = this.#dialect;
    const nextId = ({ moveId }: Driven): number => (moveId + 1) & 0xffff;
    if (dialect.placesAt === "start") {
      const recorder = new DocumentRecorder({ start });
      return (moves, driven) => {
        const fragments = recorder.record(moves);
        return fragments && documentedMoveLife(mobId, nextId(driven), fragments);
      };
    }
    const recording = flies ? flyingMonsterRecording : monsterRecording;
    const recorder = new PathRecorder({ ...recording, start, startsMoving: dialect.fragments.startsMoving });
    return (moves, driven) => {
      const path = recorder.record(moves, 0);
      const { canAttack, skill } = driven;
      return path && moveLife(dialect, mobId, nextId(driven), path, { canAttack, skill });
    };
  }

  #drive(mobId: number, spawn: ShownSpawn): void {
    const { x, y, foothold = 0 } = spawn;
    // The place of a monster with status effects stands behind these, and is not read.
    if (x === undefined || y === undefined) return;
    const map = this.#map;
    const plan = map.monsters.find(({ template }) => template === spawn.template);
    const { speed = DEFAULT_SPEED, flies = false, skills = [] } = plan ?? {};
    const body = createWalker(map, { x, y, foothold }, { ...this.#constants, walk: speed });
    body.spring = undefined;
    const start = { ...stateOfBody(body, map), x, y };
    const record = this.#recorderOf(mobId, start, flies);
    const wander = flies
      ? (driven: Driven, random: Random) => hover(driven, map, { x, y }, random, this.stepMs)
      : (driven: Driven, random: Random) => wanderOn(driven, map, random, this.stepMs);
    const platform = { from: x, to: x, platform: 0 };
    const fresh = { moveId: 0, unanswered: 0, keys: {}, keySteps: 0, skill: undefined };
    this.#driven.set(mobId, { body, record, wander, canAttack: skills.length > 0, ...platform, ...fresh });
  }
}

/** Back and forth on its platform. */
function wanderOn(driven: Driven, map: MapleMap, random: Random, stepMs: number): readonly Move[] {
  const { body } = driven;
  if (body.foothold > 0 && driven.platform === 0) {
    driven.platform = body.foothold;
    [driven.from, driven.to] = extentOf(map, body);
  }
  driven.keySteps -= 1;
  const edgePx = edgeOf(body, map, stepMs);
  if (driven.to - driven.from < 2 * edgePx) driven.keys = {};
  else if (body.x < driven.from + edgePx) driven.keys = { right: true };
  else if (body.x > driven.to - edgePx) driven.keys = { left: true };
  else if (driven.keySteps <= 0) {
    driven.keys = random.pick(wishes);
    driven.keySteps = random.integer(5, 40);
  }
  return stepWalker(body, driven.keys, map, stepMs);
}

/** How far from an edge it turns, pixels: it walks on for a step, and then brakes. */
function edgeOf({ constants }: Walker, { friction }: MapleMap, stepMs: number): number {
  const { walk, walkDrag, minFriction, maxFriction } = constants;
  const drag = walkDrag * Math.min(Math.max(friction, minFriction), maxFriction);
  return Math.max(EDGE_PX, (walk * stepMs) / 1000 + walk ** 2 / (2 * drag) + 2);
}

/** Back and forth in the air around where it was made. */
function hover(driven: Driven, map: MapleMap, home: Point, random: Random, stepMs: number): readonly Move[] {
  const { body } = driven;
  driven.keySteps -= 1;
  if (body.x < home.x - HOVER_PX) driven.keys = { right: true };
  else if (body.x > home.x + HOVER_PX) driven.keys = { left: true };
  else if (driven.keySteps <= 0) {
    driven.keys = random.pick(wishes);
    driven.keySteps = random.integer(5, 40);
  }
  const { left, right } = driven.keys;
  body.vx = ((right ? 1 : 0) - (left ? 1 : 0)) * body.constants.walk;
  body.left = left ?? body.left;
  body.foothold = 0;
  body.x = Math.min(Math.max(body.x + (body.vx * stepMs) / 1000, map.bounds.left), map.bounds.right);
  return [{ ...stateOfBody(body, map), durationMs: stepMs, vy: 0, state: (stances.walk << 1) | (body.left ? 1 : 0) }];
}

/** The ends of the platform that a body stands on. */
function extentOf(map: MapleMap, body: Walker): readonly [number, number] {
  const ground = map.foothold(body.foothold);
  if (ground === undefined) return [body.x, body.x];
  return [endOf(map, ground, "previous").x1, endOf(map, ground, "next").x2];
}

function endOf(map: MapleMap, from: Foothold, side: "previous" | "next"): Foothold {
  let at = from;
  // They may be joined in a circle: each is beyond the last one.
  for (;;) {
    const onward = map.foothold(at[side]);
    if (onward === undefined || !isFloor(onward)) return at;
    if (side === "next" ? onward.x1 < at.x2 : onward.x2 > at.x1) return at;
    at = onward;
  }
}
