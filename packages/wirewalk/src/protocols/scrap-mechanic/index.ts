/**
 * Scrap Mechanic: keys and look on the wire, no position. The server integrates, the client predicts.
 *
 * ```ts
 * import { scrapMechanic } from "wirewalk/scrap-mechanic";
 * import { parseHex } from "wirewalk/wire";
 *
 * scrapMechanic.codec("documented").read("client", parseHex("1e80 0000303a0d404040")).value.keys.sprint; // => true
 * ```
 *
 * Source: docs/protocols/scrap-mechanic.md.
 */

export * from "./bots/bot.ts";
export * from "./movement/input-buffer.ts";
export * from "./movement/model.ts";
export * from "./movement/prediction-errors.ts";
export * from "./movement/predictor.ts";
export * from "./movement/sampler.ts";
export * from "./movement/time-budget.ts";
export * from "./scrap-mechanic.ts";
export * from "./stream.ts";
export * from "./wire/angle.ts";
export * from "./wire/channel.ts";
export * from "./wire/codec.ts";
export * from "./wire/dialect.ts";
export * from "./wire/player-movement.ts";
export * from "./wire/session.ts";
export * from "./wire/unreliable-update.ts";
export * from "./world/consistency.ts";
export { type ScrapRule, scrapRules } from "./world/rules.ts";
export * from "./world/world.ts";
