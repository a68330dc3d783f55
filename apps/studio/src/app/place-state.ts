/** How far a place is known. */
import type { JsonObject } from "wirewalk/wire";

/** What the page knows of a place of a world: a map, a room. */
export type PlaceState =
  /** It is asked for. */
  | { readonly state: "loading" }
  /** Nobody has it. `reason`: it is there and cannot be read. */
  | { readonly state: "unknown"; readonly reason?: string }
  /** Its parts as the game's own maker of places takes them. */
  | { readonly state: "known"; readonly parts: JsonObject };
