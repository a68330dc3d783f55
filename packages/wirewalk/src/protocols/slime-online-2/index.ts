/**
 * Slime Online 2: keys on the wire, physics at both ends. Codec, channel, physics, rules, world and bots.
 *
 * ```ts
 * import { slimeOnline2 } from "wirewalk/slime-online-2";
 * import { parseHex } from "wirewalk/wire";
 *
 * const codec = slimeOnline2.codec("documented");
 * const press = codec.read("client", parseHex("00 08 02 C0 01 A0 00"));
 * press.value; // => { code: 2, direction: "rightPress", x: 448, y: 160 }
 * ```
 *
 * Source: docs/protocols/slime-online-2.md.
 */

export * from "./bots/bot.ts";
export * from "./movement/debouncer.ts";
export * from "./movement/demo-rooms.ts";
export * from "./movement/geometry.ts";
export * from "./movement/keys.ts";
export * from "./movement/landing.ts";
export * from "./movement/movement-state.ts";
export * from "./movement/physics.ts";
export * from "./movement/physics-constants.ts";
export * from "./slime-online-2.ts";
export * from "./wire/channel.ts";
export * from "./wire/codec.ts";
export * from "./wire/dialect.ts";
export * from "./wire/direction.ts";
export * from "./wire/messages.ts";
export * from "./wire/move-player.ts";
export * from "./wire/position-delta.ts";
export * from "./world/anti-cheat.ts";
export * from "./world/rate-limit.ts";
export * from "./world/validation.ts";
export * from "./world/world.ts";
