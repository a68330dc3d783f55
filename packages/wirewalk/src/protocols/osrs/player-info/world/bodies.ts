/** What stands in room `world`: players of our own, or those of another server. */
import type { PlayerId } from "../../../../motion/index.ts";
import type { Following } from "../../../following.ts";
import type { SavedWorld, World } from "../../../world.ts";
import type { PlayerTable, SavedOutline } from "../../../world-kit/index.ts";
import type { PlayerInfoServerMessage } from "../wire/message.ts";

type Shared =
  | "tickMs"
  | "refuses"
  | "join"
  | "leave"
  | "tick"
  | "refresh"
  | "takeEffects"
  | "tracks"
  | "rooms"
  | "save";

/** The bodies of a world of the game. */
export interface Bodies extends Pick<World<never, PlayerInfoServerMessage>, Shared>, Following {
  /** What names its options in saved data. */
  readonly outline: SavedOutline;
  /** See `World.tracksVersion`. */
  tracksVersion(): number;
  usedMaps(): ReadonlyMap<string, string>;
  close(): void;
  /** Checks everything and returns the second half, which cannot fail. */
  prepareRestore(saved: SavedWorld): {
    readonly players: PlayerTable<{ readonly id: PlayerId }>;
    commit(): void;
  };
}
