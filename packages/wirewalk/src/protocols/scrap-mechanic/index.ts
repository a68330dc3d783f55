/**
 * Scrap Mechanic: keys and look on the wire, no position. The server integrates, the client predicts.
 *
 * ```ts
 * import { scrapCodec } from "wirewalk/scrap-mechanic";
 * import { parseHex } from "wirewalk/wire";
 *
 * scrapCodec("documented").read("client", parseHex("1e80 0000303a0d404040")).value.keys.sprint; // => true
 * ```
 *
 * Source: the document "Player Movement" and its sheet.
 */
export * from "./angle.ts";
export * from "./channel.ts";
export * from "./codec.ts";
export * from "./dialect.ts";
export * from "./lines.ts";
export * from "./player-movement.ts";
export * from "./session.ts";
export * from "./unreliable-update.ts";
