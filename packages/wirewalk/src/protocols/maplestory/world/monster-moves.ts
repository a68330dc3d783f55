/** Paths of monsters, from the client that controls each: answered, judged, applied, relayed. */
import { nodesOf } from "../movement/nodes.ts";
import { type MoveMessage, pathBytesOf } from "../wire/codec.ts";
import { judgeEmpty, judgeScore } from "./judgement.ts";
import { judgeElsewhere, judgeMonsterPath, judgeNotController } from "./monster-judging.ts";
import { HAND_OVER_MS, type Monster } from "./monsters.ts";
import { observePath } from "./observations.ts";
import type { WorldParts } from "./parts.ts";
import type { Player } from "./player.ts";
import { attackMonster } from "./population.ts";
import { verifyBox } from "./verification.ts";

export type MoveLife = Extract<MoveMessage, { message: "moveLife" }>;

/** Bits of `flags` that are set where a next attack is possible. */
const NEXT_ATTACK_FLAGS = 0xf;

/** A monster has noticed a player: the player's client controls it from now on, unless it fights somebody. */
export function receiveAggro(
  world: WorldParts,
  player: Player,
  mobId: number,
  payload: Uint8Array,
  nowMs: number,
): void {
  const { room } = player;
  const monster = room?.control.monsters.get(mobId);
  if (room === undefined || monster === undefined) refuseElsewhere(world, player, mobId, payload, nowMs);
  else if (!monster.aggro && !player.isHidden) attackMonster(world, room, mobId, player.id, nowMs);
}

export function receiveLife(
  world: WorldParts,
  player: Player,
  message: MoveLife,
  payload: Uint8Array,
  nowMs: number,
): void {
  const { room } = player;
  const { value } = message;
  const { mobId, moveId, flags, actionAndDirection, target } = value;
  const monster = room?.control.monsters.get(mobId);
  // Without an answer the client stops moving the monster, also where this path is refused.
  const nextAttack = (flags & NEXT_ATTACK_FLAGS) !== 0 ? 1 : 0;
  world.send(player.id, {
    message: "moveMonsterResponse",
    value: { mobId, moveId, nextAttack, mp: monster?.mp ?? 0, skillId: 0, skillLevel: 0 },
  });
  if (room === undefined || monster === undefined) {
    refuseElsewhere(world, player, mobId, payload, nowMs);
    return;
  }
  const right = rightToMove(world, player, monster, nowMs);
  const refusal = right === "none" ? judgeNotController(monster, player.id, nowMs) : judgeEmpty(value.fragments);
  if (refusal !== undefined) {
    world.judge(player, refusal, payload, nowMs);
    return;
  }
  if (right === "takes-over") attackMonster(world, room, mobId, player.id, nowMs);
  const { name } = world.dialect;
  const path = nodesOf(value.fragments, name, "start" in value ? value.start : undefined, monster);
  player.balance.add(path);
  const judgements = [
    ...("box" in value ? judgeScore(verifyBox(value)) : []),
    ...judgeMonsterPath(path, {
      monster,
      moveFlags: value.moveFlags,
      imbalance: player.balance.imbalance,
      monsters: room.control.monsters.values(),
      controller: player.id,
    }),
  ];
  for (const judgement of judgements) world.judge(player, judgement, payload, nowMs);
  const last = path.nodes.at(-1);
  monster.movedAtMs = nowMs;
  if (last !== undefined) {
    monster.x = last.x;
    monster.y = last.y;
    monster.state = last.state;
    monster.foothold = last.foothold;
  }
  const pathBytes = pathBytesOf(message, payload, name).slice();
  const shown = { actor: "monster", id: mobId, packetBytes: payload.length, pathBytes } as const;
  observePath(world.effects, player, room, shown, nowMs);
  world.broadcast(room, player.id, {
    message: "moveMonster",
    value: { mobId, flags, actionAndDirection, target: target.slice(), pathBytes },
  });
}

/** A monster may have died, or the player may have left its map, while the message was on its way. */
function refuseElsewhere(world: WorldParts, player: Player, mobId: number, payload: Uint8Array, nowMs: number): void {
  const { room, staleKeyUntilMs } = player;
  const isLate = room !== undefined && (nowMs <= staleKeyUntilMs || room.control.wasHere(mobId, nowMs));
  world.judge(player, judgeElsewhere(mobId, isLate), payload, nowMs);
}

/** Whether the player controls the monster, may take it over now, or neither. */
function rightToMove(
  { voice }: WorldParts,
  player: Player,
  { controller, attacked, movedAtMs }: Monster,
  nowMs: number,
): "controls" | "takes-over" | "none" {
  if (controller === player.id) return "controls";
  const hasAttacked = attacked?.player === player.id && nowMs <= attacked.untilMs && !player.isHidden;
  if (hasAttacked) return "takes-over";
  // Where no client is assigned a monster, whoever moves an idle one controls it.
  return !voice.assignsMonsters && nowMs - movedAtMs > HAND_OVER_MS ? "takes-over" : "none";
}
