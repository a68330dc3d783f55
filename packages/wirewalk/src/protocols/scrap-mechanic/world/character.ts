/** One player's character: everything that decides how it moves and what rules find, and how that is saved. */
import type { PlayerId } from "../../../motion/index.ts";
import {
  bytes,
  choice,
  copyState,
  list,
  type MembersOf,
  mapOf,
  maybe,
  number,
  type StateOf,
  savedLeftPlaces,
  state,
} from "../../world-kit/index.ts";
import { InputBuffer, savedInputBuffer } from "../movement/input-buffer.ts";
import {
  type CharacterState,
  createCharacter,
  type Ground,
  type MovementModel,
  savedCharacterState,
  TICK_MS,
} from "../movement/model.ts";
import { packedMovement, packMovement, unpackMovement } from "../movement/packed-movement.ts";
import { savedTimeBudget, TimeBudget } from "../movement/time-budget.ts";
import { keySets, type MovementKeys, type PlayerMovement } from "../wire/player-movement.ts";
import { ConsistencyCheck, savedConsistency } from "./consistency.ts";
import type { ScrapLimits } from "./limits.ts";
import { scrapRules } from "./rules.ts";
import { SavedTicks, savedTicks } from "./saved-ticks.ts";

/** Distance between two spawns. */
const SPAWN_DISTANCE = 2;

export const noKeys = keySets[0] as MovementKeys;

/** The members of a character that are saved as they are. */
const plainMembers = {
  state: savedCharacterState,
  /** The last packet that was not refused: evidence for rules about the clock. */
  packet: bytes,
  /** The first tick that an honest client plays seated, if it is; its own count on over 2^32. */
  seatedTick: maybe(number),
  /** The use keys that wait, each for the newest tick that had arrived before it. */
  uses: list(number),
  /** Since when nothing but ticks from the far future arrived. */
  refusedSinceMs: maybe(number),
  /** Packets with old ticks since `replaysSinceMs` and `replaysSinceTick`. */
  replays: number,
  replaysSinceMs: number,
  replaysSinceTick: number,
  /** When each rule last gave a verdict. */
  foundMs: mapOf(choice(...scrapRules), number),
};
const plainCharacter = state(plainMembers);

export const savedCharacter = state({
  ...plainMembers,
  buffer: savedInputBuffer,
  budget: savedTimeBudget,
  saved: savedTicks,
  rules: savedConsistency,
  movement: packedMovement,
});
type SavedCharacter = StateOf<typeof savedCharacter>;

export interface Character extends MembersOf<typeof plainMembers> {
  readonly player: PlayerId;
  readonly room: string;
  readonly state: CharacterState;
  readonly buffer: InputBuffer;
  readonly budget: TimeBudget;
  readonly saved: SavedTicks;
  readonly rules: ConsistencyCheck;
  /** The movement that was played last. */
  movement: PlayerMovement;
}

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
const leftCharacter = state({
  x: number,
  y: number,
  /** The time that its clock had gained. */
  gainedMs: number,
  /** What it had played at once. */
  savedMs: number,
});
export type LeftCharacter = Readonly<StateOf<typeof leftCharacter>>;

export const savedLeftCharacters = savedLeftPlaces(leftCharacter);

export function leaveCharacter({ state: { x, y }, budget, saved }: Character): LeftCharacter {
  return { x, y, gainedMs: budget.gainedMs, savedMs: saved.heldMs };
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

/** A character with the members that are saved. */
export function liveOf({ player: _, room: _room, movement, ...character }: Character) {
  return { ...character, movement: packMovement(movement) };
}

/** A character with a saved state. Throws `TypeError` or `RangeError` for malformed data. */
export function restoreCharacter(
  player: PlayerId,
  room: string,
  saved: SavedCharacter,
  limits: ScrapLimits,
): Character {
  const character: Character = {
    ...copyState(plainCharacter, saved),
    ...emptyCharacter(player, room, limits),
    saved: new SavedTicks(0, 0, limits),
    movement: unpackMovement(saved.movement),
  };
  character.buffer.restore(saved.buffer);
  character.budget.restore(saved.budget);
  character.saved.restore(saved.saved);
  character.rules.restore(saved.rules);
  return character;
}
