/** Messages of the server about other characters, monsters, pets, summons and dragons, applied to the actors. */
import type { MapleServerMessage, Path } from "wirewalk/maplestory";
import { type ActorKind, actorKey, type Standing } from "./actor.ts";
import type { Actors } from "./actors.ts";

/** The effect of a message. */
export interface Effect {
  /** The character that it is about, if any. */
  readonly characterId?: number;
  /** What was known of the actor before and after. */
  readonly before?: Standing | undefined;
  readonly after?: Standing | undefined;
}

/** Applies a message. Messages about the own character or the connection have no effect here. */
export function applyMessage(actors: Actors, message: MapleServerMessage, nowMs: number): Effect {
  switch (message.message) {
    case "showPlayer": {
      const { characterId } = message.value;
      // In `v83` and `v95` name and place are opaque: the place comes with a path, and the name from nowhere.
      if (!("name" in message.value)) return { characterId };
      const { name, x, y, state } = message.value;
      const after = { x, y, state };
      actors.show("player", characterId, after, nowMs).name = name;
      return { characterId, after };
    }
    case "removePlayer": {
      const { characterId } = message.value;
      actors.remove("player", characterId);
      actors.remove("pet", characterId);
      actors.remove("dragon", characterId);
      return { characterId };
    }
    case "showMonster": {
      const { x, y, state } = message.value.spawn;
      // Where a monster with status effects stands is not read.
      if (x === undefined || y === undefined || state === undefined) return {};
      actors.show("monster", message.value.mobId, { x, y, state }, nowMs);
      return { after: { x, y, state } };
    }
    case "removeMonster":
      actors.remove("monster", message.value.mobId);
      return {};
    case "controlMonster": {
      const monster = actors.get(actorKey("monster", message.value.mobId));
      if (monster !== undefined) monster.driver = message.value.mode === "stop" ? undefined : "you";
      return {};
    }
    case "moveMonster":
      return applyPath(actors, "monster", message.value.mobId, message.value, nowMs);
    case "movePlayer":
    case "movePet":
    case "moveDragon":
    case "moveSummon": {
      const { characterId } = message.value;
      const id = message.message === "moveSummon" ? message.value.summonId : characterId;
      return { characterId, ...applyPath(actors, kinds[message.message], id, message.value, nowMs) };
    }
    default:
      return {};
  }
}

const kinds = { movePlayer: "player", movePet: "pet", moveSummon: "summon", moveDragon: "dragon" } as const;

function applyPath(actors: Actors, kind: ActorKind, id: number, value: object, nowMs: number): Effect {
  // A message that was read has fragments; only one to be written may have bytes instead.
  if (!("fragments" in value)) return {};
  const { fragments, start } = value as { readonly fragments: Path["fragments"]; readonly start?: Path["start"] };
  const before = actors.get(actorKey(kind, id))?.lastReceived(nowMs);
  const actor = actors.receive(kind, id, { received: { start, fragments }, packetBytes: undefined, atMs: nowMs });
  return { before, after: actor.lastReceived(nowMs) };
}

/** The place that a server knows, for the wire log. */
export function standingJson(received: Standing | undefined): { readonly [field: string]: number } {
  return received === undefined ? {} : { x: received.x, y: received.y, state: received.state };
}
