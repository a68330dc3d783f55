/** Players as plain data: what decides their later effects, without what follows from it or from the world's options. */
import { LinkPace, type PlayerId, type SavedLinkPace, type Verdict } from "../../../motion/index.ts";
import { checkMembers, copyPlain, type Kinds } from "../../world-kit/index.ts";
import { createMovementState, type MovementState } from "../movement/movement-state.ts";
import type { PlayerFactors } from "../movement/physics-constants.ts";
import { AntiCheat, type SavedAntiCheat } from "./anti-cheat.ts";
import { Ghost, type GhostStart, type Place } from "./ghost.ts";
import type { SlimeRuleLimits } from "./limits.ts";
import { type Player, type PositionState, wireName } from "./player.ts";
import type { PlayerMotion } from "./player-motion.ts";
import type { SavedRate } from "./rate-limit.ts";
import type { Travel } from "./travel.ts";
import type { PositionBaseline } from "./validation.ts";

/** Members that are saved as they are. */
type PlainMember =
  | "id"
  | "account"
  | "name"
  | "room"
  | "placed"
  | "lastMoveMs"
  | "jumpedAtMs"
  | "assumedLanded"
  | "limitsUntilMs"
  | "stalledMs"
  | "silenceMs"
  | "burstUntilMs"
  | "burstCounted"
  | "warpsPaidMs"
  | "chatPaidMs"
  | "banned"
  | "lastPingMs"
  | "pingOpen"
  | "returnedFrom"
  | "anewMs"
  | "hasStood";

export interface SavedPlayer extends Readonly<Pick<Player, PlainMember>> {
  readonly known: Readonly<MovementState>;
  readonly ghost: GhostStart;
  readonly lifted: { readonly left: boolean; readonly right: boolean };
  readonly position: PositionState;
  readonly pace: SavedLinkPace;
  readonly start: Place | undefined;
  readonly factors: PlayerFactors;
  /** The factors of `limits`. */
  readonly limits: PlayerFactors;
  readonly rate: SavedRate;
  readonly antiCheat: SavedAntiCheat<Verdict>;
  readonly newcomers: ReadonlyMap<PlayerId, number>;
}

const playerKinds: Kinds<SavedPlayer> = {
  id: "number",
  account: "string",
  name: "string",
  room: "number",
  placed: "boolean",
  lastMoveMs: "number",
  jumpedAtMs: "number?",
  assumedLanded: "boolean",
  limitsUntilMs: "number",
  stalledMs: "number",
  silenceMs: "number",
  burstUntilMs: "number",
  burstCounted: "boolean",
  warpsPaidMs: "number",
  chatPaidMs: "number",
  banned: "boolean",
  lastPingMs: "number",
  pingOpen: "boolean",
  returnedFrom: "number?",
  anewMs: "number?",
  hasStood: "boolean",
  start: "object?",
  known: "object",
  ghost: "object",
  lifted: "object",
  position: "object",
  pace: "object",
  factors: "object",
  limits: "object",
  rate: "object",
  antiCheat: "object",
  newcomers: "map",
};

const stateKinds: Kinds<MovementState> = {
  ileft: "boolean",
  iright: "boolean",
  iup: "boolean",
  iupPress: "boolean",
  idown: "boolean",
  free: "boolean",
  hsp: "number",
  vsp: "number",
  ice: "boolean",
  inWater: "boolean",
  x: "number",
  y: "number",
  sprDir: "number",
};

const ghostKinds: Kinds<GhostStart> = {
  state: "object",
  sinceMs: "number",
  frame: "number",
  lastFrame: "number",
  floorY: "number",
};

const positionKinds: Kinds<PositionState> = {
  baseline: "object?",
  travel: "object?",
  sinceMs: "number",
  allowedAtMs: "number?",
};

const baselineKinds: Kinds<PositionBaseline> = { x: "number", y: "number?", at: "number", saved: "number" };

const travelKinds: Kinds<Travel> = {
  x: "number",
  y: "number?",
  xHeld: "number",
  yHeld: "number",
  left: "number",
  right: "number",
  rested: "number",
  insisted: "number",
  high: "number",
  jumps: "number",
  across: "number",
  leftHeld: "boolean",
  rightHeld: "boolean",
  coast: "number",
  crouched: "number",
  crouchedBefore: "number",
  creep: "number",
  saved: "number",
  atMs: "number",
};

const paceKinds: Kinds<SavedLinkPace> = {
  atMs: "number",
  burstMs: "number",
  burstLateMs: "number",
  carried: "boolean",
  together: "number",
  lateMs: "number",
};

const rateKinds: Kinds<SavedRate> = { times: "typedArray", spare: "number", atMs: "number" };
const placeKinds: Kinds<Place> = { x: "number", y: "number" };
const factorsKinds: Kinds<PlayerFactors> = { speed: "number", jump: "number" };
const liftedKinds: Kinds<SavedPlayer["lifted"]> = { left: "boolean", right: "boolean" };
const antiCheatKinds: Kinds<SavedAntiCheat<Verdict>> = {
  counted: "array",
  teleports: "number",
  corrections: "array",
  latest: "array",
};

/** The members that are the same in a player and in its saved state. */
type SameMembers = Pick<
  SavedPlayer,
  | "id"
  | "account"
  | "name"
  | "room"
  | "placed"
  | "lastMoveMs"
  | "jumpedAtMs"
  | "assumedLanded"
  | "limitsUntilMs"
  | "stalledMs"
  | "silenceMs"
  | "burstUntilMs"
  | "burstCounted"
  | "warpsPaidMs"
  | "chatPaidMs"
  | "banned"
  | "lastPingMs"
  | "pingOpen"
  | "returnedFrom"
  | "anewMs"
  | "hasStood"
>;

function sameMembers({
  id,
  account,
  name,
  room,
  placed,
  lastMoveMs,
  jumpedAtMs,
  assumedLanded,
  limitsUntilMs,
  stalledMs,
  silenceMs,
  burstUntilMs,
  burstCounted,
  warpsPaidMs,
  chatPaidMs,
  banned,
  lastPingMs,
  pingOpen,
  returnedFrom,
  anewMs,
  hasStood,
}: SameMembers): SameMembers {
  return {
    id,
    account,
    name,
    room,
    placed,
    lastMoveMs,
    jumpedAtMs,
    assumedLanded,
    limitsUntilMs,
    stalledMs,
    silenceMs,
    burstUntilMs,
    burstCounted,
    warpsPaidMs,
    chatPaidMs,
    banned,
    lastPingMs,
    pingOpen,
    returnedFrom,
    anewMs,
    hasStood,
  };
}

/** A player as plain data that shares nothing mutable with it. */
export function savePlayer(player: Player): SavedPlayer {
  return {
    ...sameMembers(player),
    start: player.start && { ...player.start },
    known: { ...player.known },
    ghost: player.ghost.save(),
    lifted: { ...player.lifted },
    position: copyPosition(player.position),
    pace: player.pace.save(),
    factors: { ...player.physics.factors },
    limits: { ...player.limits.factors },
    rate: player.rate.save(),
    antiCheat: saveAntiCheat(player.antiCheat),
    newcomers: new Map(player.newcomers),
  };
}

/** A player with a saved state, of which it keeps nothing. Throws `TypeError` or `RangeError` for malformed data. */
export function restorePlayer(data: unknown, motion: PlayerMotion): Player {
  const saved = checkMembers<SavedPlayer>(data, "player", playerKinds);
  const where = `player ${saved.id}`;
  const ghost = checkMembers<GhostStart>(saved.ghost, `${where}.ghost`, ghostKinds);
  const { left, right } = checkMembers<SavedPlayer["lifted"]>(saved.lifted, `${where}.lifted`, liftedKinds);
  const position = checkMembers<PositionState>(saved.position, `${where}.position`, positionKinds);
  if (position.baseline !== undefined) checkMembers(position.baseline, `${where}.position.baseline`, baselineKinds);
  if (position.travel !== undefined) checkMembers(position.travel, `${where}.position.travel`, travelKinds);
  return {
    ...sameMembers(saved),
    wireName: wireName(saved.name),
    known: createMovementState(checkState(saved.known, `${where}.known`)),
    ghost: new Ghost({ ...ghost, state: checkState(ghost.state, `${where}.ghost.state`) }),
    mayBeShown: true,
    lifted: { left, right },
    position: copyPosition(position),
    pace: new LinkPace(checkMembers<SavedLinkPace>(saved.pace, `${where}.pace`, paceKinds), motion.rules.pace),
    physics: motion.physicsOf(checkMembers(saved.factors, `${where}.factors`, factorsKinds)),
    limits: motion.physicsOf(checkMembers(saved.limits, `${where}.limits`, factorsKinds)),
    rate: motion.rateOf(checkMembers<SavedRate>(saved.rate, `${where}.rate`, rateKinds)),
    antiCheat: restoreAntiCheat(saved.antiCheat, motion.rules),
    start: saved.start && { ...checkMembers<Place>(saved.start, `${where}.start`, placeKinds) },
    newcomers: new Map(saved.newcomers),
  };
}

/** Violations with a copy of their evidence. */
export function saveAntiCheat(antiCheat: AntiCheat<Verdict>): SavedAntiCheat<Verdict> {
  return copyPlain(antiCheat.save());
}

/** Violations with a copy of their evidence. Throws `TypeError` for malformed data. */
export function restoreAntiCheat(data: unknown, rules: SlimeRuleLimits): AntiCheat<Verdict> {
  const saved = checkMembers<SavedAntiCheat<Verdict>>(data, "antiCheat", antiCheatKinds);
  return AntiCheat.restore(copyPlain(saved), rules);
}

function checkState(data: unknown, where: string): MovementState {
  const state = checkMembers<MovementState>(data, where, stateKinds);
  if (state.sprDir !== 1 && state.sprDir !== -1) {
    throw new RangeError(`Cannot restore: ${where}.sprDir must be 1 or -1, got ${state.sprDir}`);
  }
  return state;
}

function copyPosition({ baseline, travel, sinceMs, allowedAtMs }: PositionState): PositionState {
  return { baseline: baseline && { ...baseline }, travel: travel && { ...travel }, sinceMs, allowedAtMs };
}
