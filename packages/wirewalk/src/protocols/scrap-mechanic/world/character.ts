/** One player's character: everything that decides how it moves and what rules find, and how that is saved. */
import type { PlayerId } from "../../../motion/index.ts";
import { checkMembers, type Kinds } from "../../world-kit/index.ts";
import { InputBuffer, type SavedInputBuffer } from "../movement/input-buffer.ts";
import { type CharacterState, createCharacter, type Ground, type MovementModel, TICK_MS } from "../movement/model.ts";
import { type PackedMovement, packMovement, unpackMovement } from "../movement/packed-movement.ts";
import { type SavedTimeBudget, TimeBudget } from "../movement/time-budget.ts";
import { keySets, type MovementKeys, type PlayerMovement } from "../wire/player-movement.ts";
import { ConsistencyCheck, type SavedConsistency } from "./consistency.ts";
import type { ScrapLimits } from "./limits.ts";
import type { ScrapRule } from "./rules.ts";
import { type SavedSavedTicks, SavedTicks, savedTicksKinds } from "./saved-ticks.ts";

/** Distance between two spawns. */
const SPAWN_DISTANCE = 2;

export const noKeys = keySets[0] as MovementKeys;

export interface Character {
  readonly player: PlayerId;
  readonly room: string;
  readonly state: CharacterState;
  readonly buffer: InputBuffer;
  readonly budget: TimeBudget;
  readonly saved: SavedTicks;
  readonly rules: ConsistencyCheck;
  /** The movement that was played last. */
  movement: PlayerMovement;
  /** The last packet that was not refused: evidence for rules about the clock. */
  packet: Uint8Array;
  /** The first tick that an honest client plays seated, if it is; its own count on over 2^32. */
  seatedTick: number | undefined;
  /** The use keys that wait, each for the newest tick that had arrived before it. */
  readonly uses: number[];
  /** Since when nothing but ticks from the far future arrived. */
  refusedSinceMs: number | undefined;
  /** Packets with old ticks since `replaysSinceMs` and `replaysSinceTick`. */
  replays: number;
  replaysSinceMs: number;
  replaysSinceTick: number;
  /** When each rule last gave a verdict. */
  readonly foundMs: Map<ScrapRule, number>;
}

const stateKinds: Kinds<CharacterState> = {
  x: "number",
  y: "number",
  z: "number",
  vx: "number",
  vy: "number",
  vz: "number",
  onGround: "boolean",
  crawling: "boolean",
  yaw: "number",
  seated: "boolean",
  tumbling: "boolean",
  spin: "object",
};

/** A state that shares nothing with the given one. */
function copyState({ spin: { rotation, angularVelocity }, ...state }: CharacterState): CharacterState {
  return { ...state, spin: { rotation: { ...rotation }, angularVelocity: { ...angularVelocity } } };
}

/** A `Character` as plain data. */
export interface SavedCharacter {
  readonly state: CharacterState;
  readonly buffer: SavedInputBuffer;
  readonly budget: SavedTimeBudget;
  readonly saved: SavedSavedTicks;
  readonly rules: SavedConsistency;
  readonly movement: PackedMovement;
  readonly packet: Uint8Array;
  readonly seatedTick: number | undefined;
  readonly uses: readonly number[];
  readonly refusedSinceMs: number | undefined;
  readonly replays: number;
  readonly replaysSinceMs: number;
  readonly replaysSinceTick: number;
  readonly foundMs: ReadonlyMap<ScrapRule, number>;
}

const savedKinds: Kinds<SavedCharacter> = {
  state: "object",
  buffer: "object",
  budget: "object",
  saved: "object",
  rules: "object",
  movement: "object",
  packet: "typedArray",
  seatedTick: "number?",
  uses: "array",
  refusedSinceMs: "number?",
  replays: "number",
  replaysSinceMs: "number",
  replaysSinceTick: "number",
  foundMs: "map",
};

export interface CharacterOptions {
  readonly player: PlayerId;
  readonly room: string;
  readonly model: MovementModel;
  readonly ground: Ground;
  /** The tick that the client is given for its first packet. */
  readonly tick: number;
  /** The packet that brought the character in. */
  readonly packet: Uint8Array;
  /** What its account left here a short time ago. */
  readonly left: LeftCharacter | undefined;
  readonly nowMs: number;
  /** All stalls of our own process until now. */
  readonly stalledMs: number;
  readonly limits: ScrapLimits;
}

/** What is kept of a character whose player disconnected. */
export interface LeftCharacter {
  readonly x: number;
  readonly y: number;
  /** The time that its clock had gained. */
  readonly gainedMs: number;
  /** What it had played at once. */
  readonly savedMs: number;
}

const leftKinds: Kinds<LeftCharacter> = { x: "number", y: "number", gainedMs: "number", savedMs: "number" };

export function leaveCharacter({ state: { x, y }, budget, saved }: Character): LeftCharacter {
  return { x, y, gainedMs: budget.gainedMs, savedMs: saved.heldMs };
}

/** Throws `TypeError` for malformed data. */
export function checkLeft(data: unknown): LeftCharacter {
  return { ...checkMembers<LeftCharacter>(data, "left character", leftKinds) };
}

/** A character that stands at its spawn, or where it was, and has pressed nothing. */
export function spawnCharacter(options: CharacterOptions): Character {
  const { player, room, model, ground, tick, packet, left, nowMs, stalledMs, limits } = options;
  const empty = emptyCharacter(player, room, limits);
  empty.budget.begin(tick, nowMs, left?.gainedMs, stalledMs);
  return {
    ...empty,
    saved: new SavedTicks(nowMs, left?.savedMs ?? 0, limits),
    state: createCharacter(model, left ?? spawnOf(player), ground),
    movement: { tick: (tick - 1) >>> 0, keys: noKeys, direction: 0, yaw: 0, pitch: 64 },
    packet,
    seatedTick: undefined,
    uses: [],
    refusedSinceMs: undefined,
    replays: 0,
    replaysSinceMs: nowMs,
    replaysSinceTick: tick,
    foundMs: new Map(),
  };
}

function emptyCharacter(
  player: PlayerId,
  room: string,
  limits: ScrapLimits,
): Pick<Character, "player" | "room" | "buffer" | "budget" | "rules"> {
  const budget = new TimeBudget({
    tickMs: TICK_MS,
    maxGain: limits.maxGain,
    slackMs: limits.clockSlackMs,
    maxDelayMs: limits.delayMaxMs,
    maxOwedMs: limits.owedMaxMs,
    maxLateStartMs: limits.lateStartMaxMs,
    overdrawnMs: limits.overdrawnMs,
  });
  return { player, room, buffer: new InputBuffer(), budget, rules: new ConsistencyCheck(limits) };
}

/** Places on a grid of 16 by 16, so that new players do not stand in each other. */
function spawnOf(id: PlayerId): { readonly x: number; readonly y: number } {
  return { x: ((id % 16) - 8) * SPAWN_DISTANCE, y: ((Math.floor(id / 16) % 16) - 8) * SPAWN_DISTANCE };
}

/** The state, which shares nothing with the character. */
export function saveCharacter(character: Character): SavedCharacter {
  const { seatedTick, refusedSinceMs, replays, replaysSinceMs, replaysSinceTick } = character;
  return {
    state: copyState(character.state),
    buffer: character.buffer.save(),
    budget: character.budget.save(),
    saved: character.saved.save(),
    rules: character.rules.save(),
    movement: packMovement(character.movement),
    packet: character.packet.slice(),
    seatedTick,
    uses: [...character.uses],
    refusedSinceMs,
    replays,
    replaysSinceMs,
    replaysSinceTick,
    foundMs: new Map(character.foundMs),
  };
}

/** A character with a saved state. Throws `TypeError` or `RangeError` for malformed data. */
export function restoreCharacter(player: PlayerId, room: string, data: SavedCharacter, limits: ScrapLimits): Character {
  const saved = checkMembers<SavedCharacter>(data, `character of player ${player}`, savedKinds);
  const { seatedTick, refusedSinceMs, replays, replaysSinceMs, replaysSinceTick } = saved;
  const character: Character = {
    ...emptyCharacter(player, room, limits),
    saved: new SavedTicks(0, 0, limits),
    state: copyState(checkMembers<CharacterState>(saved.state, "state", stateKinds)),
    movement: unpackMovement(saved.movement),
    packet: saved.packet.slice(),
    seatedTick,
    uses: [...saved.uses],
    refusedSinceMs,
    replays,
    replaysSinceMs,
    replaysSinceTick,
    foundMs: new Map(saved.foundMs),
  };
  character.buffer.restore(saved.buffer);
  character.budget.restore(saved.budget);
  character.saved.restore(checkMembers<SavedSavedTicks>(saved.saved, "saved ticks", savedTicksKinds));
  character.rules.restore(saved.rules);
  return character;
}
