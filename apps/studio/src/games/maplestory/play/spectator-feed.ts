/** What spectators see: the feed's observations and tracks, applied to the actors. */
import type { FeedPlayer } from "@wirewalk/server/feed";
import { type ShownMonster, type ShownPath, stances } from "wirewalk/maplestory";
import type { PlayerId, Track } from "wirewalk/motion";
import type { FeedObservation } from "../../../app/studio.ts";
import { playerNames } from "../../../feed/player-names.ts";
import { actorKey } from "./actor.ts";
import type { Actors } from "./actors.ts";
import { readPath } from "./batch.ts";

/** A player without a track in the newest snapshot for so long has left. */
const PLAYER_GONE_MS = 1_000;
/** A summon sends nothing while it stands, and no message reports its end. */
const SUMMON_GONE_MS = 60_000;
/** Snapshots come up to twenty times a second, pictures are drawn sixty times: between snapshots only those that left are looked for, this often. */
const UPDATE_MS = 250;

/** The watched room at one moment, as the feed sends it. */
export interface Snapshot {
  readonly tracks: ReadonlyMap<PlayerId, Track>;
  readonly players: ReadonlyMap<PlayerId, FeedPlayer>;
}

export class SpectatorFeed {
  readonly #actors: Actors;
  readonly #dialect: string;
  #monsters: readonly ShownMonster[] = [];
  #updated: { readonly of: Snapshot; readonly atMs: number } | undefined;

  constructor(actors: Actors, dialect: string) {
    this.#actors = actors;
    this.#dialect = dialect;
  }

  /** Applies an observation; other kinds than paths and monsters are ignored. */
  apply({ what, data }: Pick<FeedObservation, "what" | "data">, nowMs: number): void {
    if (what === "path") {
      const { actor, id, packetBytes, path } = data as unknown as ShownPath;
      this.#actors.receive(actor, id, { received: readPath(path, this.#dialect), packetBytes, atMs: nowMs });
    } else if (what === "monsters") {
      this.#monsters = (data as unknown as { monsters: readonly ShownMonster[] }).monsters;
      for (const { mobId, x, y, state } of this.#monsters) this.#actors.show("monster", mobId, { x, y, state }, nowMs);
    }
  }

  /** Updates names, adds players that only stand, and removes those that left. */
  update(snapshot: Snapshot, nowMs: number): void {
    const { tracks, players } = snapshot;
    const { of, atMs = 0 } = this.#updated ?? {};
    const isKnown = of?.tracks === tracks && of.players === players && this.#actors.hasSome;
    if (isKnown && nowMs >= atMs && nowMs - atMs < UPDATE_MS) return;
    this.#updated = { of: snapshot, atMs: nowMs };
    const names = playerNames(players.values());
    for (const { player, position, stance, facingTurns, details } of tracks.values()) {
      const state = ((stances[stance as keyof typeof stances] ?? stances.stand) << 1) | (facingTurns === 0.5 ? 1 : 0);
      if (details?.hidden === true || !players.has(player)) continue;
      const standing = { x: position.x, y: position.y, state };
      const actor = this.#actors.show("player", characterOf(details), standing, nowMs);
      actor.name = names.get(player);
    }
    if (players.size === 0) this.#monsters = [];
    const monsters = new Map(this.#monsters.map((monster) => [monster.mobId, monster]));
    this.#actors.keep(({ kind, id, seenMs }) => {
      if (kind === "player") return nowMs - seenMs <= PLAYER_GONE_MS;
      if (kind === "monster") return monsters.has(id) || nowMs - seenMs <= PLAYER_GONE_MS;
      if (kind === "pet") return this.#actors.get(actorKey("player", id)) !== undefined;
      return nowMs - seenMs <= SUMMON_GONE_MS;
    });
    for (const { mobId, controller } of this.#monsters) {
      const actor = this.#actors.get(actorKey("monster", mobId));
      if (actor !== undefined) actor.driver = controller === null ? undefined : names.get(controller);
    }
  }
}

/** The character of a track; 0 when the track does not name it. */
export function characterOf(details: Track["details"]): number {
  const { characterId } = details ?? {};
  return typeof characterId === "number" ? characterId : 0;
}
