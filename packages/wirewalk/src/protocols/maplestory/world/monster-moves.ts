/** Paths of monsters, from the client that controls each: answered, judged, applied, relayed. */
import { nodesOf } from "../movement/nodes.ts";
import { type MoveLife, pathBytesOf } from "../wire/codec.ts";
import { judgeEmpty, judgeScore } from "./judgement.ts";
import {
  headOf,
  judgeAggroRate,
  judgeElsewhere,
  judgeFarAggro,
  judgeIdle,
  judgeLateHead,
  judgeMonsterPath,
  judgeNotController,
  kindSpeed,
  offGround,
  ownSpeed,
  pulledPx,
} from "./monster-judging.ts";
import { answerOf, NEXT_ATTACK_FLAGS, shownMana, useSkill } from "./monster-skills.ts";
import type { Monster } from "./monsters.ts";
import { observePath } from "./observations.ts";
import type { WorldParts } from "./parts.ts";
import { mayBeOnLastMap, mayBeUnaware, type Player } from "./player.ts";
import { announceControl, attackMonster } from "./population.ts";
import type { Room } from "./room.ts";
import { verifyBox } from "./verification.ts";

/**
 * A monster has noticed a player: the server hands it over to the player's client, unless it fights another player. Only a
 * monster near the player notices it, and only so many in a time (standard 8.3).
 */
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
  else if (player.aggro.left(nowMs) < 1) world.judge(player, judgeAggroRate(world.limits), payload, nowMs);
  else {
    const farPx = Math.hypot(monster.x - player.x, monster.y - player.y);
    if (farPx > world.limits.aggroPx) {
      const isLate = player.farAggro.spend(1, nowMs);
      // What is refused changes nothing: it does not count either.
      if (isLate) player.aggro.spend(1, nowMs);
      world.judge(player, judgeFarAggro(monster, player, isLate, world.limits), payload, nowMs);
      return;
    }
    player.aggro.spend(1, nowMs);
    if (!monster.aggro && !player.isHidden) attackMonster(world, room, mobId, player.id, nowMs);
  }
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
  const { mobId, moveId, flags } = value;
  const monster = room?.control.monsters.get(mobId);
  // What is refused changes nothing: only its controller's paths use and earn skills.
  const controlled = monster?.controller === player.id && value.fragments.length > 0 ? monster : undefined;
  if (controlled !== undefined) useSkill(controlled, room?.map, value, nowMs);
  const nextAttack = (flags & NEXT_ATTACK_FLAGS) !== 0 ? 1 : 0;
  const answer =
    controlled === undefined
      ? { nextAttack, mp: shownMana(monster), skillId: 0, skillLevel: 0 }
      : answerOf(controlled, room?.map, value, nowMs);
  // Without an answer the client stops moving the monster, also where this path is refused.
  world.send(player.id, { message: "moveMonsterResponse", value: { mobId, moveId, ...answer } });
  if (room === undefined || monster === undefined) {
    refuseElsewhere(world, player, mobId, payload, nowMs);
    return;
  }
  const right = rightToMove(world, player, monster, nowMs);
  const lostMs = monster.former.get(player.id) ?? -Infinity;
  const refusal =
    right === "none" ? judgeNotController(mobId, mayBeUnaware(player, lostMs, nowMs)) : judgeEmpty(value.fragments);
  if (refusal !== undefined) {
    world.judge(player, refusal, payload, nowMs);
    return;
  }
  if (right === "takes-over") attackMonster(world, room, mobId, player.id, nowMs);
  const { name } = world.dialect;
  const path = nodesOf(value.fragments, name, "start" in value ? value.start : undefined, monster);
  const headPx = headOf(path, monster, nowMs, world.limits);
  if (headPx > world.limits.monsterHeadPx && lostMs > -Infinity && mayBeUnaware(player, monster.givenMs, nowMs)) {
    world.judge(player, judgeLateHead(headPx, path, monster, world.limits), payload, nowMs);
    return;
  }
  player.balance.add(path);
  const ownPxPerSecond = ownSpeed(room.map, monster.template) ?? 0;
  const wasHit = monster.attacked !== undefined && nowMs <= monster.attacked.untilMs;
  const kindPxPerSecond = wasHit ? undefined : kindSpeed(room.map, monster.template, world.limits);
  const pulled = pulledPx(path, { map: room.map, ownPxPerSecond, kindPxPerSecond, to: player.x }, world.limits);
  const judgements = [
    ...("box" in value ? judgeScore(verifyBox(value)) : []),
    ...judgeMonsterPath(path, {
      monster,
      headPx,
      moveFlags: value.moveFlags,
      imbalance: player.balance.imbalance,
      pulledPx: pulled !== 0 && !player.pull.spend(pulled, nowMs) ? pulled : 0,
      pullLeftPx: player.pull.left(nowMs),
      offGround:
        room.map === undefined
          ? { px: 0 }
          : offGround(path, room.map, monster.template, world.dialect.placesAt === "end"),
      monsters: room.control.monsters.values(),
      controller: player.id,
      limits: world.limits,
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
  world.broadcast(room, player.id, world.voice.moveMonster(value, pathBytes));
}

/** No message of the client led to a finding. */
const nothing = new Uint8Array(0);

/**
 * Monsters that their controllers do not move are given to others: a client that drives one sends its path every second or two. That is no
 * fault of the player, whose line may stand still. Who has moved none of them is named, as one that may freeze them.
 */
export function passOnMonsters(world: WorldParts, room: Room, nowMs: number): void {
  const { idleMonsterMs } = world.limits;
  if (!world.voice.assignsMonsters) return;
  const had = new Map(Array.from(room.players, (id) => [id, room.control.countOf(id)]));
  const passed = room.control.passOn(idleMonsterMs, ({ template }) => ownSpeed(room.map, template) !== 0, nowMs);
  if (passed.length === 0) return;
  announceControl(world, room, passed);
  for (const from of new Set(passed.map((each) => each.from))) {
    const player = from === undefined ? undefined : world.players.get(from);
    const lost = passed.filter((each) => each.from === from).length;
    if (player !== undefined && had.get(player.id) === lost) {
      world.judge(player, judgeIdle(lost, idleMonsterMs), nothing, nowMs);
    }
  }
}

/** A monster may have died, or the player may have left its map, while the message was on its way. */
function refuseElsewhere(world: WorldParts, player: Player, mobId: number, payload: Uint8Array, nowMs: number): void {
  const goneMs = player.room?.control.goneSince(mobId) ?? -Infinity;
  const isLate = player.room !== undefined && (mayBeOnLastMap(player, nowMs) || mayBeUnaware(player, goneMs, nowMs));
  world.judge(player, judgeElsewhere(mobId, isLate), payload, nowMs);
}

/** Whether the player controls the monster, may take it over now, or neither. */
function rightToMove(
  { voice, limits }: WorldParts,
  player: Player,
  { controller, attacked, movedAtMs }: Monster,
  nowMs: number,
): "controls" | "takes-over" | "none" {
  if (controller === player.id) return "controls";
  const hasAttacked = attacked?.player === player.id && nowMs <= attacked.untilMs && !player.isHidden;
  if (hasAttacked) return "takes-over";
  // Where no client is assigned a monster, the first that moves an idle one controls it.
  return !voice.assignsMonsters && nowMs - movedAtMs > limits.idleMonsterMs ? "takes-over" : "none";
}
