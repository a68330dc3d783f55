/** Observations: relayed paths and monsters, for spectators such as the page. No client of the game receives them. */
import type { PlayerId } from "../../../motion/index.ts";
import { formatHex } from "../../../wire/index.ts";
import type { EffectQueue } from "../../world-kit/index.ts";
import type { MapleServerMessage } from "../wire/codec.ts";
import type { Player } from "./player.ts";
import type { Room } from "./room.ts";

/** How often spectators receive a room's monsters, milliseconds, and how many of them at most. */
const SHOW_MONSTERS_MS = 1000;
const MAX_SHOWN_MONSTERS = 100;
/** Path bytes of one player that spectators receive in a second. Who controls a map's monsters alone sends 1 kB. */
const MAX_SHOWN_BYTES = 8192;
const SHARE_MS = 1000;
/** The player of an observation that is about no player. */
const NOBODY: PlayerId = 0;

/** A path in the observation `path`. */
export interface ShownPath {
  /** What moved. */
  readonly actor: "player" | "monster" | "pet" | "summon" | "dragon";
  /** The character of a player or of a pet's or dragon's owner, the monster, the summon. */
  readonly id: number;
  /** Bytes of the client's payload. */
  readonly packetBytes: number;
  /** The path in hex, as it is relayed: four bytes (`v62`: the start), the count, the fragments. */
  readonly path: string;
}

/** A monster in the list `monsters` of the observation `monsters`, which is made once a second. */
export interface ShownMonster {
  readonly mobId: number;
  readonly template: number;
  readonly x: number;
  readonly y: number;
  readonly state: number;
  /** The player who controls it; null: no player. */
  readonly controller: PlayerId | null;
}

/** Observes a relayed path, unless the player has used its share of this second: then its ghost waits on the page. */
export function observePath(
  effects: EffectQueue<MapleServerMessage>,
  player: Player,
  room: Room,
  path: Omit<ShownPath, "path"> & { readonly pathBytes: Uint8Array },
  nowMs: number,
): void {
  const { actor, id, packetBytes, pathBytes } = path;
  if (nowMs - player.shownSinceMs >= SHARE_MS) {
    player.shownSinceMs = nowMs;
    player.shownBytes = 0;
  }
  player.shownBytes += pathBytes.length;
  if (player.shownBytes > MAX_SHOWN_BYTES) return;
  const shown: ShownPath = { actor, id, packetBytes, path: formatHex(pathBytes, { separator: "" }) };
  effects.observe({ player: player.id, room: room.name, what: "path", data: { ...shown } });
}

/** Observes the monsters of a room with players, once a second: true then. */
export function observeMonsters(effects: EffectQueue<MapleServerMessage>, room: Room, nowMs: number): boolean {
  if (room.players.size === 0 || nowMs - room.shownAtMs < SHOW_MONSTERS_MS) return false;
  room.shownAtMs = nowMs;
  const monsters = [];
  for (const { mobId, template, x, y, state, controller } of room.control.monsters.values()) {
    if (monsters.length === MAX_SHOWN_MONSTERS) break;
    monsters.push({ mobId, template, x, y, state, controller: controller ?? null } satisfies ShownMonster);
  }
  effects.observe({ player: NOBODY, room: room.name, what: "monsters", data: { monsters } });
  return true;
}
