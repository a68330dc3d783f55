/**
 * A player made of code: it walks, jumps, climbs, falls, drops and sits with the client's own constants, records itself
 * as the client does, has a pet and a summon that follow it, and drives the monsters that it is assigned. With a cheat it misbehaves.
 *
 * ```ts
 * const bot = new MapleBot({ dialect: "v62", random: createRandom(1), number: 0, cheat: "none" });
 * bot.start(0); // playerLoggedIn
 * bot.step(30); // messages to send, now and then
 * ```
 */
import type { Position, Random } from "../../../motion/index.ts";
import type { Bot, BotOptions } from "../../bot.ts";
import { demoMap, demoMaps } from "../maps/demo-maps.ts";
import { type MapleMap, portalKinds } from "../maps/map.ts";
import { isMapleMaps, type MapleMaps } from "../maps/maple-maps.ts";
import { Character } from "../movement/character.ts";
import { aggro, documentedMoveLife, moveLife, playerLoggedIn } from "../movement/client-messages.ts";
import { MonsterDriver } from "../movement/monster-driver.ts";
import { monsterRecording, playerRecording, round } from "../movement/recorder.ts";
import type { VerificationPattern } from "../movement/verification-pattern.ts";
import { type Keys, type Move, type Walker, walkConstantsOf } from "../movement/walker.ts";
import type { MapleClientMessage, MapleServerMessage } from "../wire/codec.ts";
import { type DialectRules, dialectRules } from "../wire/dialect.ts";
import { Fragment, type FragmentFields } from "../wire/fragment.ts";
import type { Point } from "../wire/messages.ts";
import { withLandings } from "./air-stairs.ts";
import {
  AGGRO_PER_STEP,
  AIR_STAIRS_PX,
  BOX_PX,
  CHEAT_EVERY_STEPS,
  cheatClocks,
  constantsOf,
  FALSE_PX_PER_SECOND,
  herdTo,
  IDLE_STEPS,
  LEAP_EVERY_STEPS,
  LEAP_PX,
  monsterCheats,
  NO_MONSTER,
  pullTo,
  RECONNECT_STEPS,
  TELEPORT_PX,
  VACUUM_CHANCE,
} from "./cheats.ts";
import { Companions } from "./companions.ts";
import { isMapCheat, lieOf, type MapLie } from "./map-cheats.ts";
import { Wanderer } from "./wanderer.ts";

/** The options of this game's bots beyond those of every bot. */
export interface MapleBotOptions extends BotOptions {
  /** The verification pattern of `documented`. Default: zeros. */
  readonly pattern?: VerificationPattern;
}

/** Steps that are played at once at most, after a stall of our own process. The bot skips the rest, as a client does. */
const MAX_STEPS = 60;
/** Steps of the player for each step of its monsters. */
const MONSTER_STEPS = monsterRecording.stepMs / playerRecording.stepMs;
/** How near a monster notices a player, pixels, and how likely in a step. */
const AGGRO_PX = 60;
const NOTICE_CHANCE = 0.002;
/** The same of one that herds monsters. */
const HERD_CHANCE = 0.02;

type MoveOfClient = Extract<MapleClientMessage, { readonly message: "movePlayer" }>;

/** Plays one character. Pure: state and clock in, messages out. */
export class MapleBot implements Bot<MapleClientMessage, MapleServerMessage> {
  readonly stepMs: number;
  readonly #options: MapleBotOptions;
  readonly #random: Random;
  readonly #dialect: DialectRules;
  readonly #characterId: number;
  readonly #character: Character;
  readonly #driver: MonsterDriver;
  /** How much faster its clock is than the real one. */
  readonly #clock: number;
  readonly #companions: Companions;
  #inWorld: boolean;
  #wantsReconnect = false;
  #lastStepMs: number | undefined;
  #steps = 0;
  readonly #wanderer: Wanderer;
  #keys: Keys = {};
  /** What it does on this map, of a cheat that needs one. */
  #lie: MapLie | undefined;
  /** Whether it leaps as soon as it can. */
  #wantsLeap = false;
  /** Its map, as it is. */
  #map: MapleMap;
  /** How long `idle-burst` has stood still; below 0 while it walks. */
  #idleSteps = 0;
  /** A path of this map, to be sent again. */
  #oldPath: MapleClientMessage | undefined;
  /** Monsters on the map, with their last known positions. */
  readonly #seen = new Map<number, { x: number; y: number }>();

  constructor(options: MapleBotOptions) {
    this.#options = options;
    this.#random = options.random;
    this.#dialect = dialectRules(options.dialect);
    this.stepMs = this.#dialect.stepMs;
    // Several groups of bots may play together: a random number is one that no other bot has.
    this.#characterId = options.random.integer(1, 0x7fff_ffff);
    this.#companions = new Companions(this.#characterId, this.#dialect);
    this.#wanderer = new Wanderer(options.random, !this.#dialect.movementOnly);
    this.#inWorld = this.#dialect.movementOnly;
    const { dialect, cheat, random, pattern } = options;
    const { map, at } = homeOf(options);
    const usual = walkConstantsOf(setOf(options)?.physics);
    const constants = constantsOf(cheat, usual);
    this.#clock = cheatClocks[cheat] ?? 1;
    const agreed = pattern === undefined ? {} : { pattern };
    this.#map = map;
    this.#lie = this.#lieOn(map, at);
    this.#character = new Character({ dialect, map: this.#lie?.map ?? map, at, fieldKey: 0, constants, ...agreed });
    const pull = (body: Walker, ms: number): readonly Move[] =>
      cheat === "herd" ? herdTo(this.#character.body, body, this.#map, ms) : pullTo(this.#character.body, body, ms);
    this.#driver = new MonsterDriver({
      dialect,
      map,
      random,
      constants: usual,
      ...(cheat === "vacuum" || cheat === "herd" ? { move: pull } : {}),
      takes: this.#dialect.movementOnly && monsterCheats.includes(cheat),
    });
  }

  get place(): Position | undefined {
    return this.#inWorld ? { x: this.#character.body.x, y: this.#character.body.y } : undefined;
  }

  /** The map that it is on, as far as its client knows. */
  get mapId(): number {
    return this.#map.mapId;
  }

  /** How far a place of its map is beyond where it could be without its cheat, pixels: of a cheat that needs a map. */
  gainPx(at: Position): number {
    return this.#lie?.gainPx(at, this.#steps * this.stepMs) ?? 0;
  }

  get wantsReconnect(): boolean {
    return this.#wantsReconnect;
  }

  start(nowMs: number): readonly MapleClientMessage[] {
    this.#lastStepMs = nowMs;
    // It may be the second time.
    this.#wantsReconnect = false;
    if (this.#dialect.movementOnly) return [];
    this.#inWorld = false;
    return [playerLoggedIn(this.#dialect, this.#characterId)];
  }

  receive(message: MapleServerMessage, nowMs: number): readonly MapleClientMessage[] {
    this.#driver.receive(message);
    switch (message.message) {
      case "changeMap": {
        const { fieldKey, target } = message.value;
        // The map of a whole character stands within its data, which is not read: it is taken for the one that was asked for.
        const { map, at } =
          target.content === "map" ? entryOf(this.#options, target.mapId, target.spawnPoint) : homeOf(this.#options);
        this.#changeMap(fieldKey, map, at);
        // The first step there starts now: a path must not contain time before the map.
        this.#lastStepMs = nowMs;
        return [];
      }
      case "ping":
        return [{ message: "pong", value: {} }];
      case "showMonster": {
        const { mobId, spawn } = message.value;
        if (spawn.x !== undefined && spawn.y !== undefined) this.#seen.set(mobId, { x: spawn.x, y: spawn.y });
        return [];
      }
      case "removeMonster":
        this.#seen.delete(message.value.mobId);
        return [];
      case "moveMonster":
        this.#noteMonster(message.value);
        return [];
      default:
        return [];
    }
  }

  step(nowMs: number): readonly MapleClientMessage[] {
    if (this.#lastStepMs === undefined) return [];
    const stepMs = this.stepMs / this.#clock;
    const steps = Math.floor((nowMs - this.#lastStepMs) / stepMs);
    if (steps <= 0) return [];
    this.#lastStepMs += steps * stepMs;
    if (!this.#inWorld) return [];
    const out: MapleClientMessage[] = [];
    for (let step = Math.min(steps, MAX_STEPS); step > 0; step--) this.#playStep(out);
    if (this.#idleSteps >= IDLE_STEPS) {
      // It has stood still, and walks for all of that time now.
      this.#idleSteps = -1;
      for (let step = 0; step < IDLE_STEPS; step++) this.#playStep(out);
      this.#idleSteps = 0;
    }
    return out;
  }

  // --- The character -------------------------------------------------------------------------------------------------

  #playStep(out: MapleClientMessage[]): void {
    this.#steps += 1;
    this.#keys = this.#lie?.keys(this.#character.body) ?? this.#wanderer.decide(this.#character);
    if (this.#options.cheat === "idle-burst" && this.#idleSteps >= 0) {
      this.#idleSteps += 1;
      this.#keys = {};
    }
    const { body } = this.#character;
    if (this.#options.cheat === "air-stairs") this.#rise();
    if (this.#wanderer.isSitting && !body.isSitting) this.#character.sit();
    this.#cheat(out);
    const sent = this.#character.step(this.#keys);
    if (sent !== undefined) out.push(this.#tampered(sent));
    const moves = this.#steps % MONSTER_STEPS === 0;
    if (this.#dialect.movementOnly) {
      if (moves) out.push(...this.#stepMonsters());
      return;
    }
    out.push(...this.#companions.step(this.#map, body));
    if (moves) out.push(...this.#stepMonsters());
    this.#notice(out);
  }

  /** Up for ever, and from the ground again before the numbers end. */
  #rise(): void {
    this.#keys = { jump: true };
    const { map, body } = this.#character;
    if (body.y > map.bounds.top - AIR_STAIRS_PX) return;
    const ground = map.below(body.x, -Infinity);
    if (ground !== undefined) this.#character.displace({ x: body.x, y: ground.y });
  }

  /** The character's message, changed by the cheat. */
  #tampered(sent: MapleClientMessage): MapleClientMessage {
    if (sent.message !== "movePlayer") return sent;
    const { cheat } = this.#options;
    const { value } = sent;
    const { fragments } = value;
    const start = "start" in value ? value.start : undefined;
    const lie = this.#lie;
    if (lie !== undefined) return start === undefined ? sent : renamed(sent, (foothold) => lie.named(foothold));
    const from = start ?? fragments[0];
    if (from?.x !== undefined && Math.abs((fragments.at(-1)?.x ?? from.x) - from.x) > 20) this.#oldPath ??= sent;
    if (cheat === "false-velocity") return withFragments(sent, fragments.map(withFalseVelocity));
    if (cheat === "air-stairs") return withFragments(sent, withLandings(fragments, start));
    if (cheat !== "spoofed-box" || !("box" in value)) return sent;
    const { box } = value;
    const right = Math.min(0x7fff, box.right + BOX_PX);
    const bottom = Math.min(0x7fff, box.bottom + BOX_PX);
    return { ...sent, value: { ...value, box: { ...box, right, bottom } } };
  }

  #cheat(out: MapleClientMessage[]): void {
    const { cheat } = this.#options;
    const due = this.#steps % CHEAT_EVERY_STEPS === 0;
    const hasJumped = this.#steps > CHEAT_EVERY_STEPS && this.#steps % CHEAT_EVERY_STEPS === RECONNECT_STEPS;
    if (cheat === "reconnect" && hasJumped) this.#wantsReconnect = true;
    const leaps = cheat === "leap" && this.#steps % LEAP_EVERY_STEPS === CHEAT_EVERY_STEPS;
    if (((cheat === "teleport" || cheat === "reconnect") && due) || leaps) {
      const { map, body } = this.#character;
      const far = leaps ? LEAP_PX : TELEPORT_PX;
      const x = Math.min(map.right, Math.max(map.left, body.x + (body.x > 0 ? -far : far)));
      const ground = map.below(x, body.y - 1) ?? map.below(x, -Infinity);
      if (ground !== undefined) this.#character.displace({ x, y: ground.y });
    } else if (this.#lie?.leapTo !== undefined) {
      this.#wantsLeap ||= due;
      const to = this.#wantsLeap ? this.#lie.leapTo(this.#character.body, this.#steps * this.stepMs) : undefined;
      if (to === undefined) return;
      this.#wantsLeap = false;
      if (this.#lie.leapsUnseen === true) this.#character.startAt(to);
      else this.#character.leapTo(to);
    } else if (cheat === "replayed-path" && due && this.#oldPath !== undefined) {
      out.push(this.#oldPath);
    } else if (cheat === "foreign-monster" && due && this.#dialect.movementOnly) {
      // A server that assigns none has let each of the others have some.
      const seen = [...this.#seen];
      if (seen.length === 0) return;
      const [mobId, { x, y }] = this.#random.pick(seen);
      const at = { type: 0, x: round(x), y: round(y), state: 4 };
      const to = { ...at, x: at.x + 40, vx: 60, state: 2, durationMs: 500 };
      out.push(
        documentedMoveLife(mobId, 0, [Fragment.of("absolute", { ...at, durationMs: 0 }), Fragment.of("absolute", to)]),
      );
    } else if (cheat === "foreign-monster" && due) {
      // Where it drives all of them itself it moves one that is not there.
      const nobody = [NO_MONSTER, this.#character.body] as const;
      const [mobId, at] = [...this.#seen].find(([id]) => !this.#drives(id)) ?? nobody;
      // A monster that it drove itself may be between two pixels; the wire has whole ones.
      const { x, y } = { x: round(at.x), y: round(at.y) };
      const node = { type: 0, x: x + 40, y, vx: 60, vy: 0, foothold: 1, state: 2, durationMs: 1080 };
      out.push(
        moveLife(this.#dialect, mobId, 0, {
          start: { x, y },
          fragments: [node],
          keypad: [],
          box: { left: x, top: y, right: x + 40, bottom: y },
        }),
      );
    }
  }

  // --- Maps -------------------------------------------------------------------------------------------------------------

  #changeMap(fieldKey: number, map: MapleMap, at: Point): void {
    this.#inWorld = true;
    this.#map = map;
    this.#lie = this.#lieOn(map, at);
    this.#character.enter(this.#lie?.map ?? map, at, fieldKey);
    this.#driver.enter(map);
    this.#wanderer.enter();
    this.#oldPath = undefined;
    this.#seen.clear();
    this.#companions.enter(map, this.#character.body);
  }

  #lieOn(map: MapleMap, at: Point): MapLie | undefined {
    const { cheat, number } = this.#options;
    return isMapCheat(cheat) ? lieOf(cheat, map, at, number) : undefined;
  }

  // --- Monsters ----------------------------------------------------------------------------------------------------------

  #stepMonsters(): readonly MapleClientMessage[] {
    const sent = this.#driver.step();
    for (const { mobId } of sent.map(({ value }) => value)) {
      const body = this.#driver.bodyOf(mobId);
      if (body !== undefined) this.#seen.set(mobId, { x: body.x, y: body.y });
    }
    return sent;
  }

  #drives(mobId: number): boolean {
    return this.#driver.bodyOf(mobId) !== undefined;
  }

  #noteMonster(value: Extract<MapleServerMessage, { message: "moveMonster" }>["value"]): void {
    if (!("fragments" in value)) return;
    const last = value.fragments.findLast(({ kind }) => kind === "absolute" || kind === "instant");
    if (last !== undefined) this.#seen.set(value.mobId, { x: last.x ?? 0, y: last.y ?? 0 });
  }

  /** A monster that another client drives notices this character; cheats are noticed at any distance. */
  #notice(out: MapleClientMessage[]): void {
    const { cheat } = this.#options;
    if (cheat === "aggro") {
      for (let count = 0; count < AGGRO_PER_STEP; count++) this.#noticeOne(out, true);
    } else if (cheat === "herd") {
      if (this.#random.chance(HERD_CHANCE)) this.#noticeOne(out, false);
    } else if (
      cheat === "vacuum" ? this.#random.chance(VACUUM_CHANCE) : cheat === "none" && this.#random.chance(NOTICE_CHANCE)
    ) {
      this.#noticeOne(out, cheat === "vacuum");
    }
  }

  #noticeOne(out: MapleClientMessage[], anywhere: boolean): void {
    const { x, y } = this.#character.body;
    for (const [mobId, at] of this.#seen) {
      if (this.#drives(mobId) || (!anywhere && Math.hypot(at.x - x, at.y - y) > AGGRO_PX)) continue;
      out.push(aggro(this.#dialect, mobId, at, { x, y }));
      // Another monster is next.
      this.#seen.delete(mobId);
      this.#seen.set(mobId, at);
      return;
    }
  }
}

/** A path with other numbers of footholds and ladders. */
function renamed(sent: MoveOfClient, named: (foothold: number) => number): MapleClientMessage {
  const fragments = sent.value.fragments.map((fragment) => {
    const { foothold = 0 } = fragment;
    return foothold === 0 ? fragment : { ...fragment, foothold: named(foothold) };
  });
  return withFragments(sent, fragments);
}

function withFragments(sent: MoveOfClient, fragments: readonly FragmentFields[]): MoveOfClient {
  return { ...sent, value: { ...sent.value, fragments } } as MoveOfClient;
}

function withFalseVelocity(fragment: FragmentFields): FragmentFields {
  return (fragment.kind ?? "absolute") === "absolute" ? { ...fragment, vx: FALSE_PX_PER_SECOND } : fragment;
}

/** The map that a bot walks on: of the set that it was given, else a demo map; for unknown maps the first demo map. */
function mapOf(options: BotOptions, mapId: number): MapleMap {
  const map = setOf(options)?.map(mapId) ?? demoMap(mapId) ?? demoMaps()[0];
  if (map === undefined) throw new RangeError("There are no demo maps");
  return map;
}

function setOf({ maps }: BotOptions): MapleMaps | undefined {
  if (maps !== undefined && !isMapleMaps(maps)) throw new TypeError(`The maps are of ${maps.game}`);
  return maps;
}

/** Where the character enters. */
interface Entry {
  readonly map: MapleMap;
  readonly at: Point;
}

function entryOf(options: BotOptions, mapId: number, spawnPoint: number): Entry {
  const map = mapOf(options, mapId);
  const { portals } = map;
  const start = portals.find(({ kind }) => kind === portalKinds.start) ?? portals[0];
  return { map, at: map.portal(spawnPoint) ?? start ?? { x: 0, y: 0 } };
}

/** Where it is until a server says otherwise: bots spread over the start points of the room, or over its portals. */
function homeOf(options: BotOptions): Entry {
  const { room = 1, number } = options;
  const { portals } = mapOf(options, room);
  const starts = options.maps === undefined ? portals : portals.filter(({ kind }) => kind === portalKinds.start);
  return entryOf(options, room, starts[number % Math.max(1, starts.length)]?.id ?? 0);
}
