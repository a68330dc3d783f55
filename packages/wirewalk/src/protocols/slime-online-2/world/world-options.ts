/** The options of a world, and how a saved world names them. */
import { savedResponses } from "../../responses.ts";
import { limitValues } from "../../settings.ts";
import type { WorldOptions } from "../../world.ts";
import { type SavedOutline, savedOptions } from "../../world-kit/index.ts";
import { type PhysicsConstants, physicsConstants } from "../movement/physics-constants.ts";
import type { DialectRules } from "../wire/dialect.ts";
import { type SlimeLimits, type SlimeRuleLimits, slimeLimitTable } from "./limits.ts";

/** The room of a player who asked for none. */
export const DEFAULT_ROOM = 1;

/** The options of a world beyond those of every protocol. */
export interface SlimeWorldOptions extends WorldOptions {
  /**
   * The document's rules as printed: transitions without leniency for what honest clients leave out (standard 8.5), exactly 60 messages in
   * any second (8.2), and its teleport rule (8.4), whatever a stall of the line explains. Honest players on bad lines are refused by it.
   */
  readonly strict?: boolean;
  /** How a landing without a message is found: the document's 100 ms guess (default), or by the time that a jump takes. */
  readonly landing?: "assumed" | "ballistic";
  /** The room of a player who asked for none. Default 1. */
  readonly startRoom?: number;
  /** f32 values. */
  readonly constants?: PhysicsConstants;
  /** The message of the day, in dialects with a login. */
  readonly motd?: string;
  /** Limits of the rules. Default: those of `slimeLimitTable`, with the speeds of `constants`. */
  readonly limits?: Partial<SlimeLimits>;
}

/** Counts the changes of the shape of `SavedState`. */
const SCHEMA = 9;

/** What names a world's options in saved data. */
export function outlineOf(options: SlimeWorldOptions, { name }: DialectRules, limits: SlimeRuleLimits): SavedOutline {
  return {
    schema: SCHEMA,
    world: `slime-online-2/${name}`,
    options: savedOptions({
      enforcement: options.enforcement ?? "enforce",
      maps: options.maps === undefined ? (options.demo ? "demo" : "none") : "given",
      startRoom: options.startRoom ?? DEFAULT_ROOM,
      strict: options.strict ?? false,
      landing: options.landing ?? "assumed",
      constants: options.constants ?? physicsConstants,
      motd: options.motd ?? "",
      ...savedResponses(options.responses),
      ...limitValues(slimeLimitTable, limits),
    }),
  };
}
