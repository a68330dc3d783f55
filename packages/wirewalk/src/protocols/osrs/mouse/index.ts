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
 * Source: the document "Event Mouse Move" and its sheet.
 */
export * from "./bot.ts";
export * from "./dialect.ts";
export * from "./kinematics.ts";
export * from "./lines.ts";
export * from "./message.ts";
export * from "./movers.ts";
export * from "./packet.ts";
export * from "./pointer-recorder.ts";
export * from "./recorder.ts";
export * from "./sampler.ts";
export * from "./stroke.ts";
export * from "./trace.ts";
export * from "./tracker.ts";
export * from "./world.ts";
