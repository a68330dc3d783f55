/** Paths of players, pets, summons and dragons: judged, applied, relayed. */
import type { Verdict } from "../../../motion/index.ts";
import { givenResponses, respond } from "../../responses.ts";
import { durationOf, type NodePath, nodesOf } from "../movement/nodes.ts";
import { type DocumentedMovePlayer, type MoveMessage, pathBytesOf } from "../wire/codec.ts";
import { documentedStances, stances } from "../wire/fragment.ts";
import { sizeOfFragments, writeFragments } from "../wire/fragment-io.ts";
import { type ClaimedPlace, claimedPath, standingAt } from "./claimed-path.ts";
import { countCorrection } from "./corrections.ts";
import { type Flight, flightFinding, judgeFlight } from "./flight.ts";
import { freeTerrain, judgeFreeFlight } from "./free-flight.ts";
import { type Gain, judgeGain, noGain } from "./gain.ts";
import { isRefusal, type Judgement, judgeEmpty, judgeScore } from "./judgement.ts";
import { leadsThroughPortal } from "./map-traits.ts";
import { observePath } from "./observations.ts";
import type { WorldParts } from "./parts.ts";
import {
  type Companion,
  characterOf,
  type Funds,
  fundsFor,
  mayBeOnLastMap,
  moveToEnd,
  type Player,
  pay,
  unreportedMs,
} from "./player.ts";
import { judgeFieldKey, judgeHeld, judgeMovement } from "./player-judging.ts";
import { judgeReturn } from "./returning.ts";
import type { Room } from "./room.ts";
import type { MapleRule } from "./rules.ts";
import { continuedBeyondPx, shownBeyondPx } from "./shown.ts";
import { judgeStanding } from "./standing.ts";
import { nothingSupposed, type SupposedMap } from "./supposed-map.ts";
import { type Momentum, mostMomentum, noMomentum, terrainOf } from "./terrain.ts";
import { catchFallen, putBack, usePortal } from "./travel.ts";
import { type VerificationScore, verifyBox, verifyClock, verifyPath, verifyPattern } from "./verification.ts";

/** A message with the path of a player, a pet, a summon or a dragon. */
export type OwnMove = Exclude<MoveMessage, { message: "moveLife" }>;
type MovePlayer = Extract<MoveMessage, { message: "movePlayer" }>;
type MoveCompanion = Exclude<OwnMove, MovePlayer>;

/** What sitting down on a seat of an unknown map counts of the pushes that are believed: 10 a minute, 5 px/s. */
const PUSHES_PER_SEAT = 3;

const notOnMap: Judgement = { kind: "reject", rule: "not-on-a-map", reason: "Moved before coming in" };

export function receiveOwnMove(
  world: WorldParts,
  player: Player,
  message: OwnMove,
  payload: Uint8Array,
  nowMs: number,
): void {
  const { room } = player;
  if (room === undefined) world.judge(player, notOnMap, payload, nowMs);
  else if (message.message === "movePlayer") receiveMove(world, player, room, message, payload, nowMs);
  else receiveCompanion(world, player, room, message, payload, nowMs);
}

function receiveMove(
  world: WorldParts,
  player: Player,
  room: Room,
  message: MovePlayer,
  payload: Uint8Array,
  nowMs: number,
): void {
  const { value } = message;
  const isOfClient = "fieldKey" in value;
  const { fieldKey, staleKeys, adoptedKeys } = player;
  const keys = { fieldKey, staleKeys, adoptedKeys, isUnaware: mayBeOnLastMap(player, nowMs) };
  const wrongKey = isOfClient ? judgeFieldKey(value.fieldKey, keys) : undefined;
  const refusal = wrongKey ?? judgeEmpty(value.fragments);
  if (refusal !== undefined) {
    world.judge(player, refusal, payload, nowMs);
    return;
  }
  player.keySeen = isOfClient;
  const durationMs = durationOf(value.fragments);
  const funds = fundsFor(player, durationMs, nowMs);
  const { name } = world.dialect;
  // The payload is the caller's; this copy goes into the relay.
  const pathBytes = pathBytesOf(message, payload, name).slice();
  const path = nodesOf(value.fragments, name, isOfClient ? value.start : undefined, player);
  const end = player.start === "exact" ? player : undefined;
  player.scores = isOfClient
    ? verifyPath(value, { fieldKey, end, ...funds }, nowMs)
    : verifyDocumented(world, player, value, pathBytes, funds, nowMs);
  // How far the start is off is judged with the movement.
  for (const score of player.scores) {
    if (score.check === "start") continue;
    for (const judgement of judgeScore(score)) world.judge(player, judgement, payload, nowMs);
  }
  const overMs = durationMs - funds.budget.available(nowMs, funds.ceilingMs);
  const moved = judgeMoved(world, player, room, path, overMs, nowMs);
  // A dialect that places its players is never "anywhere" on a known map.
  const returned = player.start === "anywhere" ? judgeReturn(world, player, room, path.start, nowMs) : undefined;
  if (returned !== undefined) world.judge(player, returned, payload, nowMs);
  let correction: Verdict | undefined;
  for (const judgement of moved.judgements) {
    const verdict = world.judge(player, judgement, payload, nowMs);
    if (isRefusal(judgement) && correction?.kind !== "correct") correction = verdict;
  }
  if (correction !== undefined) {
    // A path that is dropped leads to no answer, and counts for no ban.
    if (correction.kind === "reject") {
      player.claimed = moved.claimed;
      player.stoodOn = moved.stoodOn;
      if (!isOfClient) holdBack(world, player, room, durationMs, overMs, nowMs);
      return;
    }
    putBack(world, player, room, nowMs);
    countCorrection(world, player, correction);
    return;
  }

  player.gain = moved.gain;
  player.claimed = moved.claimed;
  player.flight = moved.flight;
  player.momentum = moved.momentum;
  if (moved.supposed !== undefined) player.supposed = moved.supposed;
  player.stoodOn = moved.stoodOn;
  player.airPush.spend(moved.pushed, nowMs);
  pay(player, durationMs, nowMs);
  moveToEnd(player, path);
  player.ghost.push(path, nowMs);
  show(world, player, room, { pathBytes, packetBytes: payload.length }, nowMs);
  if (!isOfClient) return;
  usePortal(world, player, room, { start: value.start, keys: value.keypad.at(-1) ?? 0 }, nowMs);
  catchFallen(world, player, room, nowMs);
}

/**
 * A path was refused to a client that cannot be put back: for others it stands where it was. Its next way leads from there, in all of the time
 * since, so that it is believed again where it could have come in that time.
 */
function holdBack(
  world: WorldParts,
  player: Player,
  room: Room,
  durationMs: number,
  overMs: number,
  nowMs: number,
): void {
  const { claimed } = player;
  pay(player, durationMs, nowMs);
  if (claimed === undefined) return;
  const passedMs = Math.max(0, durationMs - Math.max(0, overMs));
  const refusedMs = claimed.refusedMs + passedMs;
  player.claimed = { ...claimed, sinceMs: claimed.sinceMs + passedMs, refusedMs };
  if (claimed.refusedMs > 0) return;
  // Others extrapolate its last path.
  const { name, fragments: table } = world.dialect;
  const fragments = [standingAt(claimed)];
  const pathBytes = new Uint8Array(PLACE_BYTES + 1 + sizeOfFragments(fragments, table));
  pathBytes[PLACE_BYTES] = fragments.length;
  writeFragments(pathBytes, PLACE_BYTES + 1, fragments, table);
  const path = nodesOf(fragments, name, undefined, player);
  moveToEnd(player, path);
  player.ghost.push(path, nowMs);
  show(world, player, room, { pathBytes, packetBytes: pathBytes.length }, nowMs);
}

/** The bytes before the count in a path of `documented`. */
const PLACE_BYTES = 4;

/** Shows a path of a player to all others of its room. */
function show(
  world: WorldParts,
  player: Player,
  room: Room,
  { pathBytes, packetBytes }: { readonly pathBytes: Uint8Array; readonly packetBytes: number },
  nowMs: number,
): void {
  if (player.isHidden) return;
  const characterId = characterOf(player);
  observePath(world.effects, player, room, { actor: "player", id: characterId, packetBytes, pathBytes }, nowMs);
  world.broadcast(room, player.id, { message: "movePlayer", value: { characterId, pathBytes } });
}

function verifyDocumented(
  { options: { pattern } }: WorldParts,
  player: Player,
  value: DocumentedMovePlayer,
  pathBytes: Uint8Array,
  { budget, ceilingMs }: Funds,
  nowMs: number,
): VerificationScore[] {
  const clock = verifyClock(value.fragments, budget, nowMs, ceilingMs);
  const sequence = player.moves;
  // Refused or not: the client counts what it sends.
  player.moves += 1;
  // The section: count and fragments, without the four bytes before it.
  return pattern === undefined
    ? [clock]
    : [clock, verifyPattern(pattern, value, pathBytes.subarray(PLACE_BYTES), sequence)];
}

/** What is found in a path, and the player's state with it. */
interface Moved {
  readonly gain: Gain;
  /** In `documented` the last place that the path names. */
  readonly claimed: ClaimedPlace | undefined;
  readonly flight: Flight | undefined;
  readonly momentum: Momentum;
  readonly supposed: SupposedMap | undefined;
  readonly stoodOn: number;
  /** Pushes in the air that are believed. */
  readonly pushed: number;
  /** A correction is the last. */
  readonly judgements: readonly Judgement[];
}

function judgeMoved(
  { options, voice, dialect, limits }: WorldParts,
  player: Player,
  room: Room,
  path: NodePath,
  overMs: number,
  nowMs: number,
): Moved {
  const { factors, foothold, start } = player;
  const { map } = room;
  const isDocumented = dialect.placesAt === "start";
  const mayTeleport = options.mayTeleport?.(player.id, nowMs) ?? false;
  // Without a correction a refusal would only refuse everything after it too. Unknown maps have no portals to return to.
  const canRefuse = options.enforcement !== "log" && map !== undefined;
  const canCorrect = canRefuse && voice.canMovePlayers;
  const refusal = canCorrect ? "correct" : canRefuse ? "reject" : "flag";
  // The client went through a portal within the map, or was put back into it: its path begins there.
  const isAnew =
    map !== undefined &&
    start === "exact" &&
    Math.hypot(player.x - path.start.x, player.y - path.start.y) > (isDocumented ? limits.documentedStartPx : 0) &&
    leadsThroughPortal(map, player, path.start, limits.portalPx);
  const claim = isDocumented ? claimedPath(path, isAnew ? undefined : player.claimed, { map, limits }) : undefined;
  const judged = claim?.path ?? path;
  const from = claim?.from ?? { ...path.start, foothold };
  const flightBefore = isAnew ? undefined : player.flight;
  // Who comes in anywhere may be in the air already, by a spring too.
  const mayBeThrown = map !== undefined && start === "anywhere" && from.foothold === 0;
  const momentumBefore = isAnew ? noMomentum : mayBeThrown ? mostMomentum(map, limits) : player.momentum;
  const namesGround = !isDocumented;
  // In `documented` a body that swims looks as one that jumps.
  const free = { factors, floats: isDocumented ? documentedStances.jump : stances.swim };
  const begins = claim?.from ?? player;
  const { supposed = nothingSupposed } = player;
  const freely =
    map === undefined
      ? freeTerrain(
          judged.nodes,
          { ...judged.start, foothold: begins.foothold, state: begins.state },
          { ...free, before: momentumBefore, supposed, namesGround },
          limits,
        )
      : undefined;
  const travelled =
    freely ?? (map && terrainOf(judged.nodes, from, { map, before: momentumBefore, factors, namesGround }, limits));
  const terrain = travelled?.nodes;
  // What it did while its paths were refused is not known.
  const wasRefused = claim !== undefined && claim.from.refusedMs > 0;
  const found = judgeMovement(judged, {
    // A claimed path begins at the last place, and its first way is judged as all others are.
    end: claim?.from ?? player,
    start,
    factors,
    mayTeleport,
    ledPx: isDocumented && !isAnew && !wasRefused ? Math.abs(player.x - path.start.x) : undefined,
    refusal,
    wasRefused,
    vy: claim?.from.vy,
    limits,
    place: { map, terrain },
  });
  // A teleport is judged by itself: what is gained is measured from where it led.
  const isElsewhere = found.some(({ rule }) => rule === "teleport");
  const claimedFlight = {
    path: judged,
    factors,
    hasSkill: mayTeleport,
    pushes: Math.floor(player.airPush.left(nowMs)),
  };
  const flown =
    isElsewhere || wasRefused || map?.swims || map?.flies
      ? undefined
      : map === undefined
        ? judgeFreeFlight(
            start === "exact" ? flightBefore : undefined,
            { ...claimedFlight, ...free, from: begins, terrain: freely?.nodes ?? [] },
            limits,
          )
        : judgeFlight(flightBefore, { ...claimedFlight, map, terrain }, limits);
  const { flight, abovePx = 0, pushed = 0 } = flown ?? {};
  const above = flightFinding({ abovePx, places: flown?.places }, limits);
  const standing =
    map === undefined || isElsewhere
      ? undefined
      : judgeStanding(
          judged,
          map,
          {
            stoodOn: isAnew ? 0 : player.stoodOn,
            foothold: from.foothold,
            // One whose highest way leads down has been at its top, wherever that was.
            highestY: flightBefore === undefined || flightBefore.vy >= 0 ? Number.NEGATIVE_INFINITY : flightBefore.y,
            refusal,
            goesOn: claim?.last,
            led: claim?.led,
          },
          limits,
        );
  const all = [...(above === undefined ? [] : [above]), ...(standing?.judgements ?? []), ...found];
  const judgements = all.map((judgement): Judgement => {
    const kind = wasRefused && staysRefused(judgement) ? refusal : judgement.kind;
    return chosen({ ...judgement, kind }, options, canCorrect);
  });
  if (judgements.some(isRefusal)) {
    const { gain, claimed = claim?.from, flight, momentum, supposed } = player;
    // A first path that is refused has begun somewhere nevertheless.
    const [first] = player.claimed === undefined && claim !== undefined ? judged.nodes : [];
    const stoodOn = first === undefined || first.isVague === true ? player.stoodOn : Math.max(0, first.foothold);
    return { gain, claimed, flight, momentum, supposed, stoodOn, pushed: 0, judgements };
  }
  const begun = claim?.from ?? (start === "exact" && !isAnew ? player : from);
  const shownPx = isElsewhere
    ? 0
    : isDocumented
      ? continuedBeyondPx(
          { path, led: start === "exact" && !isAnew && !wasRefused ? player : undefined, factors, terrain },
          limits,
        )
      : shownBeyondPx({ path, factors, terrain }, limits);
  const strayPx = (standing?.gainPx ?? 0) + shownPx;
  const seats = map === undefined ? Math.floor(player.airPush.left(nowMs) / PUSHES_PER_SEAT) : 0;
  const { accepted, gain, sat, farthest } = judgeGain(
    player.gain,
    { nodes: judged.nodes, from: begun, factors, map, overMs, abovePx, strayPx, terrain, mayTeleport, seats },
    nowMs,
    limits,
  );
  // Time that has not passed is flagged as such.
  const isFlagged = overMs > 0 || judgements.some(({ kind }) => kind === "flag");
  const held = judgeHeld(gain.heldPx, { accepted, isFlagged, canCorrect, farthest }, limits);
  const heldFound = held && chosen(held, options, canCorrect);
  return {
    // A gain that cannot be taken back is found once.
    gain: accepted ? gain : noGain(nowMs),
    claimed: claim?.last,
    flight,
    momentum: travelled?.momentum ?? noMomentum,
    supposed: freely?.supposed,
    stoodOn: standing?.stoodOn ?? 0,
    pushed: pushed + sat * PUSHES_PER_SEAT,
    judgements: heldFound === undefined ? judgements : [...judgements, heldFound],
  };
}

/** Where a player whose last paths were refused is not yet: it could not have come there since. */
function staysRefused({ kind, rule }: Judgement): boolean {
  return kind === "flag" && refusedWays.includes(rule);
}

const refusedWays: readonly MapleRule[] = ["speed", "wall", "foothold", "ladder", "water"];

/** A judgement with the response to its rule that an installation has chosen. */
function chosen(judgement: Judgement, options: WorldParts["options"], canCorrect: boolean): Judgement {
  const response = givenResponses(options)[judgement.rule];
  if (response === "correct" && !canCorrect) return judgement;
  return { ...judgement, kind: respond(judgement.kind, response) };
}

function receiveCompanion(
  world: WorldParts,
  player: Player,
  room: Room,
  message: MoveCompanion,
  payload: Uint8Array,
  nowMs: number,
): void {
  const { value } = message;
  const companion = companionOf(player, message);
  if (companion === undefined) {
    const rule = ownerRules[message.message];
    world.judge(player, { kind: "reject", rule, reason: "Moved what is not its own" }, payload, nowMs);
    return;
  }
  const empty = judgeEmpty(value.fragments);
  if (empty !== undefined) {
    world.judge(player, empty, payload, nowMs);
    return;
  }
  const ceilingMs = unreportedMs(player, nowMs);
  const clock = verifyClock(value.fragments, companion.budget, nowMs, ceilingMs);
  const scores = [clock, ...("box" in value ? [verifyBox(value)] : [])];
  for (const judgement of scores.flatMap(judgeScore)) world.judge(player, judgement, payload, nowMs);
  companion.budget.spend(durationOf(value.fragments), nowMs, ceilingMs);
  if (player.isHidden) return;
  const pathBytes = pathBytesOf(message, payload, world.dialect.name).slice();
  const { actor, id, relayed } = noticeOf(player, message, companion, pathBytes);
  observePath(world.effects, player, room, { actor, id, packetBytes: payload.length, pathBytes }, nowMs);
  world.broadcast(room, player.id, relayed);
}

const ownerRules = { movePet: "pet-owner", moveSummon: "summon-owner", moveDragon: "dragon-owner" } as const;

function companionOf(player: Player, message: MoveCompanion): Companion | undefined {
  switch (message.message) {
    case "movePet":
      return player.pets.get(message.value.petId);
    case "moveSummon":
      return player.summons.get(message.value.summonId);
    case "moveDragon":
      return player.dragon;
  }
}

/** What the others are sent, and how the page shows it. */
function noticeOf(player: Player, message: MoveCompanion, { slot }: Companion, pathBytes: Uint8Array) {
  const characterId = characterOf(player);
  switch (message.message) {
    case "movePet": {
      const relayed = { message: "movePet", value: { characterId, slot, pathBytes } } as const;
      return { actor: "pet", id: characterId, relayed } as const;
    }
    case "moveSummon": {
      const { summonId } = message.value;
      const relayed = { message: "moveSummon", value: { characterId, summonId, pathBytes } } as const;
      return { actor: "summon", id: summonId, relayed } as const;
    }
    case "moveDragon": {
      const relayed = { message: "moveDragon", value: { characterId, pathBytes } } as const;
      return { actor: "dragon", id: characterId, relayed } as const;
    }
  }
}
