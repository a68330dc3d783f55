/** Paths of players, pets and summons: judged, applied, relayed. */
import type { Verdict } from "../../../motion/index.ts";
import { durationOf, type NodePath, nodesOf } from "../movement/nodes.ts";
import { type DocumentedMovePlayer, type MoveMessage, pathBytesOf } from "../wire/codec.ts";
import { countCorrection } from "./corrections.ts";
import { type Gain, judgeGain, noGain } from "./gain.ts";
import { isRefusal, type Judgement, judgeEmpty, judgeScore } from "./judgement.ts";
import { observePath } from "./observations.ts";
import type { WorldParts } from "./parts.ts";
import { characterOf, keepPath, mayBeOnLastMap, moveToEnd, type Player, pathKey, unreportedMs } from "./player.ts";
import { judgeFieldKey, judgeHeld, judgeMovement } from "./player-judging.ts";
import type { Room } from "./room.ts";
import { putBack, usePortal } from "./travel.ts";
import { type VerificationScore, verifyBox, verifyClock, verifyPath, verifyPattern } from "./verification.ts";

/** A message with the path of a player, a pet or a summon. */
export type OwnMove = Exclude<MoveMessage, { message: "moveLife" }>;
type MovePlayer = Extract<MoveMessage, { message: "movePlayer" }>;
type MoveCompanion = Extract<MoveMessage, { message: "movePet" | "moveSummon" }>;

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
  const isV62 = "fieldKey" in value;
  const { fieldKey, staleKeys, budget } = player;
  const keys = { fieldKey, staleKeys, isUnaware: mayBeOnLastMap(player, nowMs) };
  const wrongKey = isV62 ? judgeFieldKey(value.fieldKey, keys) : undefined;
  const refusal = wrongKey ?? judgeEmpty(value.fragments);
  if (refusal !== undefined) {
    world.judge(player, refusal, payload, nowMs);
    return;
  }
  player.keySeen = isV62;
  const ceilingMs = unreportedMs(player, nowMs);
  const { name } = world.dialect;
  // The payload is the caller's; this copy goes into the relay.
  const pathBytes = pathBytesOf(message, payload, name).slice();
  const path = nodesOf(value.fragments, name, isV62 ? value.start : undefined, player);
  const end = player.start === "exact" ? player : undefined;
  player.scores = isV62
    ? verifyPath(value, { fieldKey, end, budget, ceilingMs }, nowMs)
    : verifyDocumented(world, player, value, pathBytes, ceilingMs, nowMs);
  // How far the start is off is judged with the movement.
  const checked = player.scores.filter(({ check }) => check !== "start");
  for (const judgement of checked.flatMap(judgeScore)) world.judge(player, judgement, payload, nowMs);
  const key = pathKey(pathBytes);
  const durationMs = durationOf(value.fragments);
  const overMs = durationMs - budget.available(nowMs, ceilingMs);
  const { gain, judgements } = judgeMoved(world, player, room, path, key, overMs, nowMs);
  let correction: Verdict | undefined;
  for (const judgement of judgements) {
    const verdict = world.judge(player, judgement, payload, nowMs);
    if (isRefusal(judgement)) correction = verdict;
  }
  if (correction !== undefined) {
    putBack(world, player, room, nowMs);
    countCorrection(world, player, correction);
    return;
  }

  player.gain = gain;
  budget.spend(durationMs, nowMs, ceilingMs);
  keepPath(player, key);
  moveToEnd(player, path);
  player.ghost.push(path, nowMs);
  if (!player.isHidden) {
    const characterId = characterOf(player);
    const shown = { actor: "player", id: characterId, packetBytes: payload.length, pathBytes } as const;
    observePath(world.effects, player, room, shown, nowMs);
    world.broadcast(room, player.id, { message: "movePlayer", value: { characterId, pathBytes } });
  }
  if (isV62) usePortal(world, player, room, value.keypad.at(-1) ?? 0, nowMs);
}

function verifyDocumented(
  { options: { pattern } }: WorldParts,
  player: Player,
  value: DocumentedMovePlayer,
  pathBytes: Uint8Array,
  ceilingMs: number,
  nowMs: number,
): readonly VerificationScore[] {
  const clock = verifyClock(value.fragments, player.budget, nowMs, ceilingMs);
  const sequence = player.moves;
  // Refused or not: the client counts what it sends.
  player.moves += 1;
  // The section: count and fragments, without the four bytes before it.
  return pattern === undefined ? [clock] : [clock, verifyPattern(pattern, value, pathBytes.subarray(4), sequence)];
}

/** The judgements of a path, a correction as the last, and the player's gain with it. */
function judgeMoved(
  { options, voice, dialect }: WorldParts,
  player: Player,
  room: Room,
  path: NodePath,
  key: string,
  overMs: number,
  nowMs: number,
): { readonly gain: Gain; readonly judgements: readonly Judgement[] } {
  const { factors, foothold, start } = player;
  const { map } = room;
  const isDocumented = dialect.name === "documented";
  // Without a correction a refusal would only refuse everything after it too. Unknown maps have no portals to return to.
  const canCorrect = options.enforcement !== "log" && voice.canMovePlayers && map !== undefined;
  const judgements = judgeMovement(path, {
    end: player,
    start,
    factors,
    mayTeleport: options.mayTeleport?.(player.id, nowMs) ?? false,
    isReplay: player.recentPaths.includes(key),
    isDocumented,
    canCorrect,
  });
  // A path of `documented` ends where the next one starts: what it gains is known too late.
  if (isDocumented || judgements.some(isRefusal)) return { gain: player.gain, judgements };
  const from = start === "exact" ? player : { ...path.start, foothold };
  const { accepted, gain } = judgeGain(player.gain, { path, from, factors, map, overMs }, nowMs);
  const isFlagged = judgements.some(({ kind }) => kind === "flag");
  const found = judgeHeld(gain.heldPx, { accepted, isFlagged, canCorrect });
  // A gain that cannot be taken back is found once.
  return {
    gain: accepted ? gain : noGain(nowMs),
    judgements: found === undefined ? judgements : [...judgements, found],
  };
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
  const isPet = message.message === "movePet";
  const companion = isPet ? player.pets.get(message.value.petId) : player.summons.get(message.value.summonId);
  if (companion === undefined) {
    const rule = isPet ? "pet-owner" : "summon-owner";
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
  const characterId = characterOf(player);
  const packetBytes = payload.length;
  if (isPet) {
    observePath(world.effects, player, room, { actor: "pet", id: characterId, packetBytes, pathBytes }, nowMs);
    world.broadcast(room, player.id, {
      message: "movePet",
      value: { characterId, slot: companion.slot, pathBytes },
    });
  } else {
    const { summonId } = message.value;
    observePath(world.effects, player, room, { actor: "summon", id: summonId, packetBytes, pathBytes }, nowMs);
    world.broadcast(room, player.id, { message: "moveSummon", value: { characterId, summonId, pathBytes } });
  }
}
