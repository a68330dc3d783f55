/**
 * A player made of code: it walks, jumps, climbs, falls, drops and sits with the client's own constants, records itself
 * as the client does, has a pet that follows it, and drives the monsters that it is asked to. Some do worse, on purpose.
 *
 * ```ts
 * const bot = new MapleBot({ dialect: "v62", random: createRandom(1), number: 0, cheat: "none" });
 * bot.start(0); // playerLoggedIn
 * bot.step(30); // messages to send, now and then
 * ```
 */
import type { Random } from "../../motion/index.ts";
import type { Bot, BotOptions } from "../protocol.ts";
import type { MapleClientMessage, MapleServerMessage } from "./codec.ts";
import { demoMap, demoMaps } from "./demo-maps.ts";
import { type DialectRules, dialectRules } from "./dialect.ts";
import { DocumentRecorder } from "./document-recorder.ts";
import type { Fragment } from "./fragment.ts";
import { sizeOfFragments, writeFragments } from "./fragment-io.ts";
import type { MapleMap } from "./map.ts";
import { keyBits, type Path, type Spawn, type Tail } from "./messages.ts";
import { monsterRecording, PathRecorder, petRecording, playerRecording } from "./recorder.ts";
import { HEAD_BYTES, makeVerification, TAIL_BYTES, type VerificationPattern } from "./verification.ts";
import {
  createWalker,
  type Keys,
  type Move,
  sitDown,
  stateOf,
  stepWalker,
  type Walker,
  walkConstants,
} from "./walker.ts";

/**
 * What `--cheat` takes. `speed` walks twice as fast, `teleport` is elsewhere from one step to the next, `vacuum` draws
 * its monsters to itself, `spoofed-box` says another box than its path has, `replayed-path` sends an old path again,
 * `foreign-monster` moves monsters that somebody else drives. In `documented`, which
 * has neither boxes nor a word for control, only the first two do anything.
 */
export const mapleCheats = ["speed", "teleport", "vacuum", "spoofed-box", "replayed-path", "foreign-monster"] as const;

/** The options of this game's bots beyond those of every bot. */
export interface MapleBotOptions extends BotOptions {
  /** What `documented` has agreed on with its server. Default: zeros. */
  readonly pattern?: VerificationPattern;
}

/** Steps that are played at most at once, after a stall of our own process: what a client would miss, it misses. */
const MAX_STEPS = 60;
const CHEAT_SPEED = 2;
/** Far enough that no jump explains it, pixels. */
const TELEPORT_PX = 350;
/** Steps between two leaps, or two old paths: about every six seconds. */
const CHEAT_EVERY_STEPS = 200;
/** What a spoofed box is larger by, pixels. */
const BOX_PX = 40;
/** How fast a vacuum draws, pixels per second: no monster is that fast, none of the limits on speed finds it. */
const VACUUM_PX_PER_SECOND = 500;
/** How near its owner a pet stays, and from where on it appears beside it, pixels. */
const PET_NEAR_PX = 50;
const PET_LOST_PX = 250;
/** Paths of a monster without an answer after which the client stops driving it. */
const MAX_UNANSWERED = 5;
/** Monsters move in steps of three of the player's. */
const MONSTER_STEPS = 3;
/** How near a monster notices somebody, pixels, and how likely in a step. */
const AGGRO_PX = 60;
const NOTICE_CHANCE = 0.002;
/** How likely in a step a vacuum lets itself be noticed: three times a second. */
const VACUUM_CHANCE = 0.1;

/** A monster that this client drives. */
interface Driven {
  readonly mobId: number;
  readonly body: Walker;
  readonly recorder: PathRecorder;
  /** The ends of what it walks on. */
  readonly from: number;
  readonly to: number;
  moveId: number;
  unanswered: number;
  keys: Keys;
  keySteps: number;
}

interface Pet {
  readonly body: Walker;
  readonly recorder: PathRecorder;
}

/** Plays one character. Pure: state and clock in, messages out. */
export class MapleBot implements Bot<MapleClientMessage, MapleServerMessage> {
  readonly stepMs: number;
  readonly #options: MapleBotOptions;
  readonly #random: Random;
  readonly #dialect: DialectRules;
  readonly #characterId: number;
  #map: MapleMap;
  #body: Walker;
  #recorder: PathRecorder;
  #documentRecorder: DocumentRecorder;
  #pet: Pet | undefined;
  #inWorld: boolean;
  #fieldKey = 0;
  #sent = 0;
  #lastStepMs: number | undefined;
  #steps = 0;
  #keys: Keys = {};
  #keySteps = 0;
  #sitSteps = 0;
  #oldPath: (Path & Tail) | undefined;
  readonly #driven = new Map<number, Driven>();
  /** Monsters that are shown, with where they were last. */
  readonly #seen = new Map<number, { x: number; y: number }>();

  constructor(options: MapleBotOptions) {
    this.#options = options;
    this.#random = options.random;
    this.#dialect = dialectRules(options.dialect);
    this.stepMs = this.#dialect.stepMs;
    // A flock may be one of several: numbers of our own that nobody else draws.
    this.#characterId = options.random.integer(1, 0x7fff_ffff);
    this.#inWorld = !this.#dialect.neighbours;
    this.#map = mapOf(options.room ?? 1);
    this.#body = this.#appear(options.number % Math.max(1, this.#map.portals.length));
    const start = stateOfBody(this.#body, this.#map);
    this.#recorder = new PathRecorder({ ...playerRecording, start });
    this.#documentRecorder = new DocumentRecorder({ start });
  }

  /** Where the character is; for whoever wants to compare. */
  get position(): { readonly x: number; readonly y: number } {
    return { x: this.#body.x, y: this.#body.y };
  }

  /** The monsters that it drives. */
  get drivenMonsters(): readonly number[] {
    return [...this.#driven.keys()];
  }

  start(nowMs: number): readonly MapleClientMessage[] {
    this.#lastStepMs = nowMs;
    if (!this.#dialect.neighbours) return [];
    return [{ message: "playerLoggedIn", value: { characterId: this.#characterId, reserved: 0 } }];
  }

  receive(message: MapleServerMessage, nowMs: number): readonly MapleClientMessage[] {
    switch (message.message) {
      case "changeMap": {
        const { fieldKey, target } = message.value;
        if (target.content === "map") {
          this.#changeMap(fieldKey, target.mapId, target.spawnPoint);
          // The first step there begins now: a path may not tell of a time before the map.
          this.#lastStepMs = nowMs;
        }
        return [];
      }
      case "ping":
        return [{ message: "pong", value: {} }];
      case "showMonster":
        this.#seen.set(message.value.mobId, { x: message.value.spawn.x, y: message.value.spawn.y });
        return [];
      case "removeMonster":
        this.#seen.delete(message.value.mobId);
        this.#driven.delete(message.value.mobId);
        return [];
      case "moveMonster":
        this.#hearMonster(message.value);
        return [];
      case "controlMonster":
        if (message.value.mode === "stop") this.#driven.delete(message.value.mobId);
        else if (!this.#driven.has(message.value.mobId)) this.#drive(message.value.mobId, message.value.spawn);
        return [];
      case "moveMonsterResponse": {
        const driven = this.#driven.get(message.value.mobId);
        if (driven !== undefined) driven.unanswered = 0;
        return [];
      }
      default:
        return [];
    }
  }

  step(nowMs: number): readonly MapleClientMessage[] {
    if (this.#lastStepMs === undefined) return [];
    const steps = Math.floor((nowMs - this.#lastStepMs) / this.stepMs);
    if (steps <= 0) return [];
    this.#lastStepMs += steps * this.stepMs;
    if (!this.#inWorld) return [];
    const out: MapleClientMessage[] = [];
    for (let step = Math.min(steps, MAX_STEPS); step > 0; step--) this.#playStep(out);
    return out;
  }

  // --- The character -------------------------------------------------------------------------------------------------

  #playStep(out: MapleClientMessage[]): void {
    this.#steps += 1;
    this.#decide();
    const moves: Move[] = [];
    if (this.#sitSteps > 0 && !this.#body.isSitting) {
      const sat = sitDown(this.#body, this.#map);
      if (sat !== undefined) moves.push(sat);
    }
    this.#misbehave(out);
    moves.push(...stepWalker(this.#body, this.#keys, this.#map, this.stepMs));
    if (this.#dialect.name === "documented") {
      const fragments = this.#documentRecorder.record(moves);
      if (fragments !== undefined) out.push(this.#sayDocumented(fragments));
      return;
    }
    const path = this.#recorder.record(moves, nibbleOf(this.#keys));
    if (path !== undefined) out.push(this.#sayPath(path));
    // A portal forces what there is: the server sees who stands in it with up held.
    if (path === undefined && this.#isInPortal()) {
      const forced = this.#recorder.flush();
      if (forced !== undefined) out.push(this.#sayPath(forced));
    }
    this.#stepPet(out);
    if (this.#steps % MONSTER_STEPS === 0) for (const driven of this.#driven.values()) this.#stepMonster(driven, out);
    this.#notice(out);
  }

  /** What a bored person does: walks about, jumps, climbs what is near, sits down, goes through a portal. */
  #decide(): void {
    const random = this.#random;
    const { foothold, x, y } = this.#body;
    this.#sitSteps -= 1;
    if (this.#sitSteps > 0) {
      this.#keys = {};
      return;
    }
    this.#keySteps -= 1;
    if (foothold < 0) {
      // Up or down to the end; now and then a leap.
      if (this.#keySteps <= 0 || (!this.#keys.up && !this.#keys.down)) {
        this.#keys = random.chance(0.1)
          ? { jump: true, ...(random.chance(0.5) ? { left: true } : { right: true }) }
          : random.chance(0.7)
            ? { up: true }
            : { down: true };
        this.#keySteps = random.integer(20, 80);
      }
      return;
    }
    const wall = (this.#keys.left && x <= this.#map.left + 5) || (this.#keys.right && x >= this.#map.right - 5);
    if (this.#keySteps <= 0 || wall) {
      this.#keys = wall ? (this.#keys.left ? { right: true } : { left: true }) : random.pick(plans);
      this.#keySteps = random.integer(10, 90);
      if (foothold > 0 && this.#dialect.neighbours && random.chance(0.02)) this.#sitSteps = random.integer(60, 300);
    }
    if (foothold > 0 && random.chance(0.01)) this.#keys = { ...this.#keys, jump: true };
    else if (this.#keys.jump) this.#keys = { ...this.#keys, jump: false };
    const ladder = this.#map.ladders.find(
      (each) => Math.abs(each.x - x) < 8 && y > each.top + 2 && y < each.bottom + 12,
    );
    if (ladder !== undefined && random.chance(0.3)) {
      this.#keys = { up: true };
      this.#keySteps = random.integer(10, 60);
    }
    if (foothold > 0 && this.#nearPortal() && random.chance(0.02)) {
      this.#keys = { up: true };
      this.#keySteps = 2;
    }
  }

  #nearPortal(): boolean {
    const { x, y } = this.#body;
    return this.#map.portals.some(
      (portal) => portal.target !== undefined && Math.hypot(portal.x - x, portal.y - y) < 20,
    );
  }

  #isInPortal(): boolean {
    return this.#keys.up === true && this.#body.foothold > 0 && this.#nearPortal();
  }

  #sayPath(path: Path & Tail): MapleClientMessage {
    const { cheat } = this.#options;
    const { box } = path;
    const spoofed = {
      ...box,
      right: Math.min(0x7fff, box.right + BOX_PX),
      bottom: Math.min(0x7fff, box.bottom + BOX_PX),
    };
    const last = path.fragments.at(-1);
    if (Math.abs((last?.x ?? path.start.x) - path.start.x) > 20) this.#oldPath ??= path;
    return {
      message: "movePlayer",
      value: { fieldKey: this.#fieldKey, ...path, box: cheat === "spoofed-box" ? spoofed : box },
    };
  }

  #sayDocumented(fragments: readonly Fragment[]): MapleClientMessage {
    const { pattern } = this.#options;
    const table = this.#dialect.fragments;
    const section = new Uint8Array(1 + sizeOfFragments(fragments, table));
    section[0] = fragments.length;
    writeFragments(section, 1, fragments, table);
    const around =
      pattern === undefined
        ? { head: new Uint8Array(HEAD_BYTES), tail: new Uint8Array(TAIL_BYTES) }
        : makeVerification(pattern, section, this.#sent);
    this.#sent += 1;
    return { message: "movePlayer", value: { head: around.head, fragments, tail: around.tail } };
  }

  #misbehave(out: MapleClientMessage[]): void {
    const { cheat } = this.#options;
    const due = this.#steps % CHEAT_EVERY_STEPS === 0;
    if (cheat === "teleport" && due) {
      const x = this.#body.x + (this.#body.x > 0 ? -TELEPORT_PX : TELEPORT_PX);
      const ground = this.#map.below(x, this.#body.y - 1) ?? this.#map.below(x, -Infinity);
      if (ground === undefined) return;
      Object.assign(this.#body, { x, y: ground.y, vx: 0, vy: 0, foothold: ground.foothold.id });
    } else if (cheat === "replayed-path" && due && this.#oldPath !== undefined) {
      out.push({ message: "movePlayer", value: { fieldKey: this.#fieldKey, ...this.#oldPath } });
    } else if (cheat === "foreign-monster" && due) {
      const foreign = [...this.#seen].find(([mobId]) => !this.#driven.has(mobId));
      if (foreign === undefined) return;
      const [mobId, { x, y }] = foreign;
      const node = { type: 0, x: x + 40, y, vx: 60, vy: 0, foothold: 1, state: 2, durationMs: 1080 };
      out.push(
        sayLife(mobId, 0, {
          start: { x, y },
          fragments: [node],
          keypad: [],
          box: { left: x, top: y, right: x + 40, bottom: y },
        }),
      );
    }
  }

  // --- Where it is -----------------------------------------------------------------------------------------------------

  #changeMap(fieldKey: number, mapId: number, spawnPoint: number): void {
    this.#map = mapOf(mapId);
    this.#fieldKey = fieldKey;
    this.#inWorld = true;
    this.#body = this.#appear(spawnPoint);
    this.#recorder.restart(stateOfBody(this.#body, this.#map));
    this.#keys = {};
    this.#sitSteps = 0;
    this.#oldPath = undefined;
    this.#driven.clear();
    this.#seen.clear();
    const pet = createWalker(this.#map, this.#body);
    this.#pet = { body: pet, recorder: new PathRecorder({ ...petRecording, start: stateOfBody(pet, this.#map) }) };
  }

  #appear(portal: number): Walker {
    const isFast = this.#options.cheat === "speed";
    const { walk, walkAcceleration } = walkConstants;
    const fast = { ...walkConstants, walk: walk * CHEAT_SPEED, walkAcceleration: walkAcceleration * CHEAT_SPEED };
    const at = this.#map.portals[portal] ?? this.#map.portals[0] ?? { x: 0, y: 0 };
    return createWalker(this.#map, at, isFast ? fast : walkConstants);
  }

  #stepPet(out: MapleClientMessage[]): void {
    const pet = this.#pet;
    if (pet === undefined) return;
    const dx = this.#body.x - pet.body.x;
    if (Math.hypot(dx, this.#body.y - pet.body.y) > PET_LOST_PX) {
      // It appears beside its owner: what it did until then is sent, and it begins anew.
      const left = pet.recorder.flush();
      if (left !== undefined) out.push(this.#sayPet(left));
      const body = createWalker(this.#map, this.#body);
      this.#pet = { body, recorder: new PathRecorder({ ...petRecording, start: stateOfBody(body, this.#map) }) };
      return;
    }
    const keys: Keys = Math.abs(dx) < PET_NEAR_PX ? {} : dx < 0 ? { left: true } : { right: true };
    const path = pet.recorder.record(stepWalker(pet.body, keys, this.#map, this.stepMs), 0);
    if (path !== undefined) out.push(this.#sayPet(path));
  }

  #sayPet(path: Path & Tail): MapleClientMessage {
    return { message: "movePet", value: { petId: BigInt(this.#characterId), ...path } };
  }

  // --- Monsters ----------------------------------------------------------------------------------------------------------

  #drive(mobId: number, spawn: Spawn): void {
    const plan = this.#map.monsters.find(({ template }) => template === spawn.template);
    const speed = plan?.speed ?? 60;
    const constants = { ...walkConstants, walk: speed };
    const body = createWalker(this.#map, spawn, constants);
    const [from, to] = extentOf(this.#map, body);
    const recorder = new PathRecorder({
      ...monsterRecording,
      start: { ...stateOfBody(body, this.#map), x: spawn.x, y: spawn.y },
    });
    this.#driven.set(mobId, { mobId, body, recorder, from, to, moveId: 0, unanswered: 0, keys: {}, keySteps: 0 });
  }

  #stepMonster(driven: Driven, out: MapleClientMessage[]): void {
    if (driven.unanswered >= MAX_UNANSWERED) return;
    const { body, recorder } = driven;
    const ms = this.stepMs * MONSTER_STEPS;
    const moves = this.#options.cheat === "vacuum" ? this.#draw(driven, ms) : this.#wander(driven, ms);
    const path = recorder.record(moves, 0);
    if (path === undefined) return;
    driven.moveId = (driven.moveId + 1) & 0xffff;
    driven.unanswered += 1;
    this.#seen.set(driven.mobId, { x: body.x, y: body.y });
    out.push(sayLife(driven.mobId, driven.moveId, path));
  }

  #wander(driven: Driven, ms: number): readonly Move[] {
    const { body, from, to } = driven;
    driven.keySteps -= 1;
    const margin = 12;
    if (body.x < from + margin) driven.keys = { right: true };
    else if (body.x > to - margin) driven.keys = { left: true };
    else if (driven.keySteps <= 0) {
      driven.keys = this.#random.pick(monsterPlans);
      driven.keySteps = this.#random.integer(5, 40);
    }
    return stepWalker(body, driven.keys, this.#map, ms);
  }

  /** Straight to the cheater, through the air. */
  #draw({ body }: Driven, ms: number): readonly Move[] {
    const dx = this.#body.x - body.x;
    const dy = this.#body.y - body.y;
    const far = Math.hypot(dx, dy);
    const share = far === 0 ? 0 : Math.min(1, (VACUUM_PX_PER_SECOND * ms) / 1000 / far);
    body.x += dx * share;
    body.y += dy * share;
    const vx = (dx * share * 1000) / ms;
    const vy = (dy * share * 1000) / ms;
    const move = { kind: "step", type: 0, durationMs: ms, fallStart: 0, foothold: 1, state: 2 } as const;
    return [{ ...move, x: body.x, y: body.y, vx, vy }];
  }

  #hearMonster(value: Extract<MapleServerMessage, { message: "moveMonster" }>["value"]): void {
    if (!("fragments" in value)) return;
    const last = value.fragments.findLast(({ kind }) => kind === "absolute" || kind === "instant");
    if (last !== undefined) this.#seen.set(value.mobId, { x: last.x ?? 0, y: last.y ?? 0 });
  }

  /** A monster that somebody else drives notices this character; a vacuum wants all of them, however far away. */
  #notice(out: MapleClientMessage[]): void {
    const { cheat } = this.#options;
    const isVacuum = cheat === "vacuum";
    if (!(isVacuum || cheat === "none") || !this.#random.chance(isVacuum ? VACUUM_CHANCE : NOTICE_CHANCE)) return;
    const { x, y } = this.#body;
    for (const [mobId, at] of this.#seen) {
      if (this.#driven.has(mobId) || (!isVacuum && Math.hypot(at.x - x, at.y - y) > AGGRO_PX)) continue;
      out.push({ message: "aggro", value: { mobId, unknown: 0 } });
      // Next time it is another's turn.
      this.#seen.delete(mobId);
      this.#seen.set(mobId, at);
      return;
    }
  }
}

const plans: readonly Keys[] = [
  {},
  { left: true },
  { left: true },
  { right: true },
  { right: true },
  { down: true },
  { down: true, jump: true },
];
const monsterPlans: readonly Keys[] = [{}, { left: true }, { right: true }];

/** A map that this bot knows: where a server has maps of its own it walks on the first of the demo. */
function mapOf(mapId: number): MapleMap {
  const map = demoMap(mapId) ?? demoMaps[0];
  if (map === undefined) throw new RangeError("There are no demo maps");
  return map;
}

function stateOfBody(body: Walker, map: MapleMap): Move {
  const { x, y, vx, vy, foothold } = body;
  return { kind: "step", type: 0, durationMs: 0, fallStart: 0, x, y, vx, vy, foothold, state: stateOf(body, map) };
}

function nibbleOf(keys: Keys): number {
  return (
    (keys.down ? keyBits.down : 0) |
    (keys.up ? keyBits.up : 0) |
    (keys.right ? keyBits.right : 0) |
    (keys.left ? keyBits.left : 0)
  );
}

function sayLife(mobId: number, moveId: number, path: Path & Tail): MapleClientMessage {
  const fixed = { flags: 0, actionAndDirection: -1, target: new Uint8Array(4), moveFlags: 0, unknown: 1 };
  return { message: "moveLife", value: { mobId, moveId, ...fixed, ...path } };
}

/** From where to where one can walk on what a body stands on. */
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
