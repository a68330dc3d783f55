/**
 * The world of Scrap Mechanic: clients say keys, the server moves their characters and tells everybody where they are.
 *
 * A packet waits in its player's buffer until its tick is due by the player's time budget, so that everybody's ticks are
 * played once, in order, and no faster than time passes. Rules are soft: they flag, the movement goes on.
 *
 * ```ts
 * import { keySets, ScrapWorld, scrapCodec } from "wirewalk/scrap-mechanic";
 *
 * const world = new ScrapWorld({ dialect: "documented", seed: 1 });
 * const codec = scrapCodec("documented");
 * const say = (message, ms) => world.receive(1, message, codec.write("client", message), ms);
 * world.join(1, { account: "ann", name: "Ann" }, 0);
 * say({ message: "hello", value: { version: 1 } }, 0);
 * const [entered, welcome] = world.takeEffects();
 * entered; // => { effect: "enter", player: 1, room: "1" }
 * const { tick } = welcome.message.value;
 * say({ message: "playerMovement", value: { tick, keys: keySets[4], direction: 64, yaw: 0, pitch: 64 } }, 30);
 * world.tick(50);
 * const [update] = world.takeEffects();
 * update.message.value.currentTick; // => tick
 * update.message.value.updates[0].position.y > welcome.message.value.position.y; // => true
 * ```
 */
import { type PlayerId, TimeBudget, type Track, type Verdict } from "../../../motion/index.ts";
import type { JsonObject } from "../../../wire/index.ts";
import type { Effect, Joining, Refusal, World, WorldOptions } from "../../world.ts";
import { InputBuffer, type InputStep } from "../movement/input-buffer.ts";
import {
  type CharacterState,
  createCharacter,
  flatGround,
  type Ground,
  type MovementModel,
  movementModel,
  stepCharacter,
  TICK_MS,
} from "../movement/model.ts";
import { angleTurns } from "../wire/angle.ts";
import type { ScrapClientMessage, ScrapServerMessage } from "../wire/codec.ts";
import { checkScrapDialect } from "../wire/dialect.ts";
import { keySets, keysByte, type MovementKeys, type PlayerMovement } from "../wire/player-movement.ts";
import { SESSION_VERSION } from "../wire/session.ts";
import { MAX_UPDATES, type ObjectUpdate } from "../wire/unreliable-update.ts";
import { ConsistencyCheck, consistencyRules } from "./consistency.ts";

/** The options of a world beyond those of every protocol. */
export interface ScrapWorldOptions extends WorldOptions {
  readonly model?: MovementModel;
  readonly ground?: Ground;
}

/** Sessions at most: each hears of all in its room 40 times a second. */
const CAPACITY = 2000;
/** Players of a room at most: 0x18 counts its updates in a byte. */
const ROOM_CAPACITY = MAX_UPDATES;
const DEFAULT_ROOM = "1";
/** From joining to hello: who says nothing holds a place that others could have. */
const HELLO_WITHIN_MS = 20_000;
/** Ticks of one player that are played in one tick of ours: after a stall of two seconds it is level again in 0.7 s. */
const MAX_STEPS = 4;
/** The longest that a tick which is due is waited for when later ones have come. */
const MAX_GRACE_MS = 100;
/** A tick that may be played no sooner than this is refused: no network brings packets before they are sent. */
const MAX_FUTURE_MS = 3000;
/** After that long of nothing but refused ticks the player's clock has leapt for good: its ticks count on from there. */
const RESYNC_MS = 2000;
/** The same rule speaks of the same player no more often. */
const REPEAT_MS = 1000;
/** Packets in a second whose tick was heard or played before: a network that doubles every fifth brings eight. */
const MAX_REPLAYS = 20;
/** What is late by this many ticks (a second) tells of the network; older ticks are somebody's play. */
const MAX_LATE_TICKS = 40;
/** How long a client may say keys after it was seated: the longest honest way there and back. */
const SEATED_GRACE_MS = 1000;
/** What the fast clock of a client may gain; more is no crystal. */
const MAX_GAIN = 0.005;
/** Between two who come in. */
const SPAWN_DISTANCE = 2;

const noKeys = keySets[0] as MovementKeys;

interface Player {
  readonly id: PlayerId;
  readonly room: string;
  readonly helloUntilMs: number;
  /** Undefined until it has said hello. */
  character: Character | undefined;
}

interface Character {
  readonly player: PlayerId;
  readonly room: string;
  readonly state: CharacterState;
  readonly buffer: InputBuffer;
  readonly budget: TimeBudget;
  readonly rules: ConsistencyCheck;
  /** What was played last. */
  movement: PlayerMovement;
  packet: Uint8Array;
  seatedSinceMs: number | undefined;
  /** Since when nothing but ticks from the far future came. */
  refusedSinceMs: number | undefined;
  replays: number;
  replaysSinceMs: number;
  /** When each rule last spoke. */
  readonly spokenMs: Map<ScrapRule, number>;
}

const sessionRules = ["not-playing", "hello-twice", "wrong-version", "no-hello"] as const;
const tickRules = ["tick-ahead", "replayed-tick", "fast-clock"] as const;

/** Names of all rules that a verdict may have. `docs/scrap-mechanic.md` says of each what it finds and where that is tested. */
export const scrapRules = [...sessionRules, ...tickRules, ...consistencyRules] as const;
export type ScrapRule = (typeof scrapRules)[number];

interface Finding extends Pick<Verdict, "kind" | "reason" | "measured" | "allowed" | "unit"> {
  readonly rule: ScrapRule;
}

/** Rooms, and characters on one ground in them. */
export class ScrapWorld implements World<ScrapClientMessage, ScrapServerMessage> {
  readonly tickMs = TICK_MS;
  readonly capacity = CAPACITY;
  readonly #model: MovementModel;
  readonly #ground: Ground;
  readonly #players = new Map<PlayerId, Player>();
  /** Those who have not said hello, in the order in which they came. */
  readonly #silent = new Set<Player>();
  readonly #rooms = new Map<string, Set<Character>>();
  #effects: Effect<ScrapServerMessage>[] = [];

  /** Throws `RangeError` for an unknown dialect. */
  constructor(options: ScrapWorldOptions) {
    checkScrapDialect(options.dialect);
    this.#model = options.model ?? movementModel;
    this.#ground = options.ground ?? flatGround;
  }

  refuses({ room = DEFAULT_ROOM }: Joining): Refusal | undefined {
    if (!/^[1-9]\d{0,4}$/.test(room)) return "bad-room";
    if (this.#players.size >= CAPACITY || this.#membersOf(room) >= ROOM_CAPACITY) return "full";
    return undefined;
  }

  /** Those who have not said hello yet hold their place too. */
  #membersOf(room: string): number {
    let members = 0;
    for (const player of this.#players.values()) if (player.room === room) members += 1;
    return members;
  }

  join(id: PlayerId, joining: Joining, nowMs: number): void {
    const refusal = this.refuses(joining);
    if (refusal !== undefined) throw new RangeError(`Cannot join: ${refusal}`);
    if (!(Number.isInteger(id) && id >= 1 && id <= 0xffff))
      throw new RangeError(`Cannot join: id must be 1..65535, got ${id}`);
    if (this.#players.has(id)) throw new RangeError(`Cannot join: player ${id} is here already`);
    const player: Player = {
      id,
      room: joining.room ?? DEFAULT_ROOM,
      helloUntilMs: nowMs + HELLO_WITHIN_MS,
      character: undefined,
    };
    this.#players.set(id, player);
    this.#silent.add(player);
  }

  leave(id: PlayerId, _nowMs: number): void {
    const player = this.#players.get(id);
    if (player === undefined) return;
    this.#players.delete(id);
    this.#silent.delete(player);
    if (player.character === undefined) return;
    const { room } = player;
    const characters = this.#rooms.get(room);
    characters?.delete(player.character);
    if (characters?.size === 0) this.#rooms.delete(room);
    this.#effects.push({ effect: "exit", player: id, room });
    const left: ScrapServerMessage = { message: "left", value: { character: id } };
    this.#effects.push({ effect: "broadcast", room, except: id, message: left });
  }

  receive(id: PlayerId, message: ScrapClientMessage, payload: Uint8Array, nowMs: number): void {
    const player = this.#players.get(id);
    if (player === undefined) return;
    if (message.message === "hello") this.#receiveHello(player, message.value.version, payload, nowMs);
    else if (player.character !== undefined) this.#receiveMovement(player.character, message.value, payload, nowMs);
    else this.#breach(player, "not-playing", "Movement before the session is playing", payload, nowMs);
  }

  tick(nowMs: number): void {
    const serverTick = tickAt(nowMs);
    this.#endSilence(nowMs);
    for (const characters of this.#rooms.values()) {
      for (const character of characters) this.#play(character, nowMs);
      const updates = updatesOf(characters);
      for (const character of characters) this.#sendUpdate(character, serverTick, updates);
    }
  }

  refresh(id: PlayerId, nowMs: number): void {
    const character = this.#players.get(id)?.character;
    if (character === undefined) return;
    this.#sendUpdate(character, tickAt(nowMs), updatesOf(this.#rooms.get(character.room) ?? []));
  }

  takeEffects(): readonly Effect<ScrapServerMessage>[] {
    const effects = this.#effects;
    if (effects.length > 0) this.#effects = [];
    return effects;
  }

  tracks(nowMs: number, room?: string): readonly Track[] {
    const rooms = room === undefined ? this.#rooms.values() : [this.#rooms.get(room) ?? []];
    return Array.from(rooms, (characters) => Array.from(characters, (each) => trackOf(each, nowMs))).flat();
  }

  rooms(): ReadonlyMap<string, number> {
    return new Map(Array.from(this.#rooms, ([room, characters]) => [room, characters.size]));
  }

  /**
   * Seats a character or lets it tumble, or puts it back on its feet: what game code may do. Until then its keys move
   * nothing. Nothing happens when there is no such character.
   */
  setSeated(id: PlayerId, seated: boolean, nowMs: number): void {
    const character = this.#players.get(id)?.character;
    if (character === undefined) return;
    character.seatedSinceMs = seated ? (character.seatedSinceMs ?? nowMs) : undefined;
  }

  // --- Session -------------------------------------------------------------------------------------------------------

  #receiveHello(player: Player, version: number, payload: Uint8Array, nowMs: number): void {
    const { id, room } = player;
    if (player.character !== undefined) {
      this.#breach(player, "hello-twice", "Playing already", payload, nowMs);
      return;
    }
    if (version !== SESSION_VERSION) {
      this.#breach(player, "wrong-version", `Speaks version ${version}, not ${SESSION_VERSION}`, payload, nowMs);
      return;
    }
    const state = createCharacter(this.#model, spawnOf(id), this.#ground);
    const tick = tickAt(nowMs);
    const character: Character = {
      player: id,
      room,
      state,
      buffer: new InputBuffer(),
      budget: new TimeBudget({ tickMs: TICK_MS, maxGain: MAX_GAIN }),
      rules: new ConsistencyCheck(),
      movement: { tick: (tick - 1) >>> 0, keys: noKeys, direction: 0, yaw: 0, pitch: 64 },
      packet: payload,
      seatedSinceMs: undefined,
      refusedSinceMs: undefined,
      replays: 0,
      replaysSinceMs: nowMs,
      spokenMs: new Map(),
    };
    player.character = character;
    this.#silent.delete(player);
    let characters = this.#rooms.get(room);
    if (characters === undefined) {
      characters = new Set();
      this.#rooms.set(room, characters);
    }
    characters.add(character);
    this.#effects.push({ effect: "enter", player: id, room });
    const { x, y, z } = state;
    const playing: ScrapServerMessage = { message: "playing", value: { character: id, tick, position: { x, y, z } } };
    this.#effects.push({ effect: "send", to: id, message: playing });
  }

  #endSilence(nowMs: number): void {
    for (const player of this.#silent) {
      if (nowMs < player.helloUntilMs) return;
      this.#silent.delete(player);
      this.#breach(player, "no-hello", `No hello within ${HELLO_WITHIN_MS / 1000} s`, new Uint8Array(), nowMs);
    }
  }

  /** A protocol error: refused, and the session is over. */
  #breach(
    player: Player,
    rule: (typeof sessionRules)[number],
    reason: string,
    message: Uint8Array,
    nowMs: number,
  ): void {
    const { id, room } = player;
    const verdict: Verdict = { kind: "reject", rule, reason, player: id, room, atMs: nowMs, message, stateBefore: {} };
    this.#effects.push({ effect: "verdict", verdict });
    this.#effects.push({ effect: "close", player: id, reason });
  }

  // --- Movement ------------------------------------------------------------------------------------------------------

  #receiveMovement(character: Character, movement: PlayerMovement, packet: Uint8Array, nowMs: number): void {
    const { buffer, budget } = character;
    character.packet = packet;
    if (this.#isFarAhead(character, buffer.unwrap(movement.tick), nowMs)) return;
    const { outcome, tick } = buffer.push(movement, nowMs, packet);
    if (outcome === "new") {
      budget.arrived(tick, nowMs);
      return;
    }
    const behind = (buffer.played ?? tick) - tick;
    if (outcome === "late" && behind < MAX_LATE_TICKS) budget.arrived(tick, nowMs);
    this.#countReplay(character, nowMs);
    if (outcome !== "changed") return;
    this.#find(character, packet, nowMs, {
      kind: "flag",
      rule: "replayed-tick",
      reason: "A tick that was heard already, with other keys or another look; without effect",
      measured: behind,
      allowed: 0,
      unit: "ticks ago",
    });
  }

  #isFarAhead(character: Character, tick: number, nowMs: number): boolean {
    const { buffer, budget } = character;
    const aheadMs = budget.earliestMs(tick) - nowMs;
    if (!(aheadMs > MAX_FUTURE_MS)) {
      character.refusedSinceMs = undefined;
      return false;
    }
    character.refusedSinceMs ??= nowMs;
    const isForGood = nowMs - character.refusedSinceMs >= RESYNC_MS;
    this.#find(character, character.packet, nowMs, {
      kind: isForGood ? "flag" : "reject",
      rule: "tick-ahead",
      reason: isForGood ? "Ticks have leapt ahead and are counted on from there" : "A tick from far in the future",
      measured: Math.round(aheadMs),
      allowed: MAX_FUTURE_MS,
      unit: "ms",
    });
    if (!isForGood) return true;
    character.refusedSinceMs = undefined;
    budget.restart(tick, nowMs);
    buffer.restart(tick);
    return false;
  }

  #countReplay(character: Character, nowMs: number): void {
    if (nowMs - character.replaysSinceMs >= 1000) {
      character.replays = 0;
      character.replaysSinceMs = nowMs;
    }
    character.replays += 1;
    if (character.replays <= MAX_REPLAYS) return;
    this.#find(character, character.packet, nowMs, {
      kind: "flag",
      rule: "replayed-tick",
      reason: "More packets with old ticks than a network brings; without effect",
      measured: character.replays,
      allowed: MAX_REPLAYS,
      unit: "packets/s",
    });
  }

  #play(character: Character, nowMs: number): void {
    const { budget, buffer, packet } = character;
    const due = budget.dueTick(nowMs);
    // Where packets wait for each other anyway, one that was overtaken may still come; elsewhere it is lost.
    const graceMs = Math.min(budget.delayMs, MAX_GRACE_MS);
    buffer.play({ due, limit: MAX_STEPS, nowMs, graceMs }, (step) => this.#step(character, step, nowMs));
    if (!budget.isOverdrawn) return;
    const { rate } = budget;
    const evidence =
      rate === undefined
        ? { measured: Math.round(budget.aheadMs), allowed: 0, unit: "ms ahead" }
        : { measured: rate, allowed: 1 + MAX_GAIN, unit: "s/s" };
    const reason = "The client's clock is too fast: what it is ahead of time waits";
    this.#find(character, packet, nowMs, { kind: "flag", rule: "fast-clock", reason, ...evidence });
  }

  #step(character: Character, { tick, movement, heard, packet }: InputStep, nowMs: number): void {
    const { seatedSinceMs, state } = character;
    if (heard && packet !== undefined) {
      const isSeated = seatedSinceMs !== undefined && nowMs - seatedSinceMs > SEATED_GRACE_MS;
      for (const found of character.rules.judge(movement, tick, isSeated)) {
        this.#find(character, packet, nowMs, { kind: "flag", ...found });
      }
    }
    character.movement = movement;
    const input = seatedSinceMs === undefined ? movement : { ...movement, keys: noKeys };
    stepCharacter(state, input, this.#model, this.#ground);
  }

  /** A verdict, unless the same rule has just spoken of the same player. */
  #find(character: Character, message: Uint8Array, nowMs: number, finding: Finding): void {
    const { player, room, spokenMs } = character;
    const lastMs = spokenMs.get(finding.rule);
    if (lastMs !== undefined && nowMs - lastMs < REPEAT_MS) return;
    spokenMs.set(finding.rule, nowMs);
    const verdict: Verdict = { ...finding, player, room, atMs: nowMs, message, stateBefore: stateOf(character) };
    this.#effects.push({ effect: "verdict", verdict });
  }

  #sendUpdate(character: Character, serverTick: number, updates: readonly ObjectUpdate[]): void {
    const value = { serverTick, currentTick: character.movement.tick, updates };
    const message: ScrapServerMessage = { message: "unreliableUpdate", value };
    this.#effects.push({ effect: "send", to: character.player, message, unreliable: true });
  }
}

/** The tick of a time, modulo 2^32. */
function tickAt(nowMs: number): number {
  return Math.floor(nowMs / TICK_MS) >>> 0;
}

/** Places on a grid of 16 by 16, so that those who come in do not stand in each other. */
function spawnOf(id: PlayerId): { readonly x: number; readonly y: number } {
  return { x: ((id % 16) - 8) * SPAWN_DISTANCE, y: ((Math.floor(id / 16) % 16) - 8) * SPAWN_DISTANCE };
}

/** Everybody's place, frozen: it is encoded once for all who get it. */
function updatesOf(characters: Iterable<Character>): readonly ObjectUpdate[] {
  return Object.freeze(
    Array.from(characters, ({ player, movement, state: { x, y, z } }): ObjectUpdate => {
      const { keys, direction, yaw, pitch } = movement;
      return { kind: "character", id: player, keys, direction, yaw, pitch, position: { x, y, z } };
    }),
  );
}

function stanceOf({ state, movement: { keys }, seatedSinceMs }: Character): string {
  if (seatedSinceMs !== undefined) return "seated";
  if (!state.onGround) return "air";
  if (!keys.horizontal) return state.crawling ? "crouch" : "stand";
  if (keys.sprint) return "sprint";
  return keys.aim ? "aim" : keys.crawl ? "crawl" : "walk";
}

function trackOf(character: Character, nowMs: number): Track {
  const { player, room, state, movement, buffer, budget } = character;
  const { x, y, z, vx, vy, vz } = state;
  return {
    player,
    room,
    atMs: nowMs,
    position: { x, y, z },
    velocity: { x: vx, y: vy, z: vz },
    // Yaw 0 looks along +Y, a quarter turn from +X.
    facingTurns: angleTurns(movement.yaw + 64),
    stance: stanceOf(character),
    source: "simulated",
    details: {
      tick: movement.tick,
      keys: keysByte(movement.keys),
      direction: movement.direction,
      yaw: movement.yaw,
      pitch: movement.pitch,
      bufferedTicks: buffer.depth,
      delayMs: Math.round(budget.delayMs),
      clockRate: budget.rate ?? null,
    },
  };
}

function stateOf({ state, movement, buffer, budget }: Character): JsonObject {
  return {
    tick: movement.tick,
    keys: keysByte(movement.keys),
    direction: movement.direction,
    ...state,
    bufferedTicks: buffer.depth,
    allowanceMs: Math.round(budget.allowanceMs),
    aheadMs: Math.round(budget.aheadMs),
  };
}
