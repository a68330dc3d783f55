/** What every world is built from: players, rooms, effects, saving. Written once, used by all games. */
export * from "./digest.ts";
export * from "./effect-queue.ts";
export { copyPlain, findUnplain } from "./plain-data.ts";
export * from "./player-table.ts";
export * from "./room-table.ts";
export * from "./saved-world.ts";
