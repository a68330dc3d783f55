/** The options of a world, and how a saved world names them. */
import type { PlayerId } from "../../../motion/index.ts";
import { savedResponses } from "../../responses.ts";
import { limitValues } from "../../settings.ts";
import type { WorldOptions } from "../../world.ts";
import { type SavedOutline, savedOptions } from "../../world-kit/index.ts";
import type { VerificationPattern } from "../movement/verification-pattern.ts";
import type { DialectRules } from "../wire/dialect.ts";
import { mapleLimitTable } from "./limit-table.ts";
import type { MapleLimits, MapleRuleLimits } from "./limits.ts";

/** The map of a player who asked for no room: the first of the demo, or Henesys, which every version of the game has. */
const DEMO_START = 1;
const REAL_START = 100_000_000;

/** The option, or its default. */
export function startMapOf({ startMap, maps }: Pick<MapleWorldOptions, "startMap" | "maps">): number {
  return startMap ?? (maps === undefined ? DEMO_START : REAL_START);
}

/** The options of a world beyond those of every protocol. */
export interface MapleWorldOptions extends WorldOptions {
  /** The map of a player who asked for no room. Default: 1, and with `maps` 100000000. */
  readonly startMap?: number;
  /** Whether a skill lets a player teleport now. Default: no player may. */
  readonly mayTeleport?: (player: PlayerId, nowMs: number) => boolean;
  /** The pattern that `documented` clients use. Without one the opaque bytes are not checked. */
  readonly pattern?: VerificationPattern;
  /** Limits of the rules. Default: those of `mapleLimitTable`. */
  readonly limits?: Partial<MapleLimits>;
}

/** Counts the changes of `SavedState`. */
const SCHEMA = 11;

/** What names a world's options in saved data. */
export function outlineOf(options: MapleWorldOptions, { name }: DialectRules, limits: MapleRuleLimits): SavedOutline {
  return {
    schema: SCHEMA,
    world: `maplestory/${name}`,
    options: savedOptions({
      enforcement: options.enforcement ?? "enforce",
      maps: options.maps === undefined ? (options.demo ? "demo" : "none") : "given",
      startMap: startMapOf(options),
      mayTeleport: options.mayTeleport ?? "nobody",
      pattern: options.pattern ?? "none",
      ...savedResponses(options.responses),
      ...limitValues(mapleLimitTable, limits),
    }),
  };
}
