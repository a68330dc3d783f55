/** A world of the game beside another server: its players are those that the server's packets show. */
import type { Shadowing } from "../shadow.ts";
import { OsrsShadowWorld } from "./world/world.ts";

/** Capability `shadow`. */
export const osrsShadow: Shadowing = {
  // The rules of the mouse need nothing that only the other server knows.
  unknownRules: [],
  observe(world, player, message, nowMs) {
    // A world that was not made to stand beside another server has players of its own.
    if (world instanceof OsrsShadowWorld) world.observe(player, message, nowMs);
  },
};
