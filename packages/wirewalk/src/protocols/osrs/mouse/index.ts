/**
 * Old School RuneScape mouse movement: recorder, packets, trackers, kinematics, world, bots and lines.
 *
 * ```ts
 * const tracker = new MouseTracker({ dialect: "client" });
 * const path = [];
 * tracker.read(parseHex("0800 ffff012c0190 295e"), ({ x, y, atMs }) => path.push({ x, y, atMs }));
 * path; // => [{ x: 400, y: 300, atMs: 0 }, { x: 405, y: 298, atMs: 56 }]
 * ```
 *
 * Source: docs/protocols/osrs-mouse.md.
 */
export * from "./bots/bot.ts";
export * from "./bots/movers.ts";
export * from "./movement/pointer-recorder.ts";
export * from "./movement/recorder.ts";
export * from "./movement/sampler.ts";
export * from "./movement/tracker.ts";
export * from "./wire/dialect.ts";
export * from "./wire/message.ts";
export * from "./wire/packet.ts";
export * from "./wire/packet-layout.ts";
export * from "./wire/trace.ts";
export * from "./world/kinematics.ts";
export { PLAYBACK_DELAY_MS } from "./world/observations.ts";
export { MAX_PATH_POINTS, type MouseSession, type PathPoint } from "./world/session.ts";
export * from "./world/stroke.ts";
export * from "./world/world.ts";
